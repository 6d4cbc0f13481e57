// Measures Keyward's audit beside etcd's own programs and a plain read, prints a table, keeps the figures.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"text/tabwriter"
)

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// bench knows where everything is.
type bench struct {
	dir      string // for sockets and output
	keyward  string
	programs string
	data     string
	rounds   int
}

// results is what is kept.
type results struct {
	Machine *machine `json:"machine"`
	File    *file    `json:"file"`
	Rows    []row    `json:"rows"`
	Warm    timings  `json:"warm"`
	Cold    timings  `json:"cold"`
	Heap    *heap    `json:"heap"`
	Decrypt *decrypt `json:"decrypt"`
	Live    timings  `json:"live"`
}

func main() {
	b := &bench{}
	flag.StringVar(&b.keyward, "keyward", "", "Keyward's launcher in a distribution")
	flag.StringVar(&b.programs, "programs", "", "directory with etcd, etcdctl and etcdutl")
	flag.StringVar(&b.data, "data", "", "directory that fill made")
	flag.IntVar(&b.rounds, "rounds", 7, "rounds in which the programs take turns")
	out := flag.String("out", "", "where to keep the figures")
	flag.Parse()
	if b.keyward == "" || b.programs == "" || b.data == "" || b.rounds < 1 || flag.NArg() > 0 {
		say("say -keyward, -programs and -data, or use run.sh")
		os.Exit(64)
	}
	r, err := b.measure()
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

func (b *bench) measure() (r *results, err error) {
	if b.dir, err = os.MkdirTemp("", "kw"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.dir)
	removeWhenTold(b.dir)
	r = &results{Machine: newMachine()}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"looking at the snapshot", func() (err error) { r.File, err = b.look(); return }},
		{"reading the snapshot from memory, in turn", func() (err error) { r.Warm, err = b.warm(); return }},
		{"reading the snapshot from disk, in turn", func() (err error) { r.Cold, err = b.cold(); return }},
		{"looking for the smallest heap", func() (err error) { r.Heap, err = b.heap(); return }},
		{"decrypting", func() (err error) { r.Decrypt, err = b.decrypt(); return }},
		{"reading a live etcd, in turn", func() (err error) { r.Live, err = b.live(); return }},
	} {
		say("%s", step.what)
		if err := step.do(); err != nil {
			return nil, err
		}
	}
	r.Machine.LoadTo = loadAverage()
	r.Rows = r.rows()
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

func (b *bench) program(name string) string { return filepath.Join(b.programs, name) }

func (b *bench) big() string { return filepath.Join(b.data, "big.db") }

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
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
