// Measures Keyward's plugin beside the reference plugin, prints a table, keeps the figures.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"text/tabwriter"
	"time"
)

const warmUp = 12 * time.Second

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// results is what is kept.
type results struct {
	Machine *machine `json:"machine"`
	Rows    []row    `json:"rows"`
	Cells   []*cell  `json:"latency"`
	Starts  *starts  `json:"starts"`
	Memory  *settled `json:"memory"`
}

func main() {
	keyward := flag.String("keyward", "", "Keyward's launcher in a distribution")
	reference := flag.String("reference", "", "the reference plugin")
	out := flag.String("out", "", "where to keep the figures")
	rounds := flag.Int("rounds", 9, "rounds of latency slices; starts get about as many")
	slice := flag.Duration("slice", 700*time.Millisecond, "length of a slice")
	settle := flag.Duration("settle", 15*time.Second, "how long memory may settle")
	flag.Parse()
	if *keyward == "" || *reference == "" || *rounds < 1 || flag.NArg() > 0 {
		say("say -keyward and -reference, or use run.sh")
		os.Exit(64)
	}
	r, err := measure(*keyward, *reference, *rounds, *slice, *settle)
	if err == nil && *out != "" {
		err = keep(r, *out)
	}
	if err != nil {
		say("%v", err)
		os.Exit(2)
	}
	if missed := show(r.Rows); missed > 0 {
		say("%d not reached", missed)
		os.Exit(1)
	}
}

func measure(keyward, reference string, rounds int, slice, settle time.Duration) (*results, error) {
	dir, err := os.MkdirTemp("", "kw")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	removeWhenTold(dir)
	b := &bench{dir: dir, keyward: keyward, reference: reference}
	r := &results{}
	say("making a key store with %d keys", manyKeys)
	for _, step := range []func() error{
		func() error { return b.prepare(manyKeys) },
		b.checkAOT,
		func() (err error) { r.Machine, err = b.machine(); return },
		func() (err error) { r.Cells, err = b.latency(rounds, slice, warmUp); return },
		func() (err error) { r.Starts, err = b.starting(rounds); return },
		func() (err error) { r.Memory, err = b.footprint(settle); return },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	r.Machine.LoadTo = loadAverage()
	r.Rows = append(append(latencyRows(r.Cells), startRows(r.Starts)...), memoryRows(r.Memory)...)
	return r, nil
}

// removeWhenTold leaves nothing behind when a person or a time limit ends the run early.
func removeWhenTold(dir string) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-told
		_ = os.RemoveAll(dir)
		say("stopped before the end")
		os.Exit(2)
	}()
}

func keep(r *results, file string) error {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

func show(rows []row) (missed int) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WHAT\tOURS\tUNIT\tAGAINST\t\tRATIO\tMUST REACH\tREACHED")
	for _, r := range rows {
		reached := "-"
		if r.Reached != nil && *r.Reached {
			reached = "yes"
		} else if r.Reached != nil {
			reached = "NO"
			missed++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%.2f\t%s\t%s\n",
			r.What, figure(r.Ours), r.Unit, r.Against, figure(r.Other), r.Ratio, r.Must, reached)
	}
	_ = table.Flush()
	return missed
}

func figure(v float64) string {
	if v < 100 && v != float64(int(v)) {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
