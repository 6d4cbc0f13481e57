// Measures Keyward's plugin with a real Vault beside its floor: the same plugin without a backend,
// plus Vault called directly over kept connections, in turns in the same run.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"io.keyward/bench/plugin/caller"
)

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

// row is one line of the table.
type row struct {
	What    string  `json:"what"`
	Ours    float64 `json:"ours"`
	Floor   float64 `json:"floor"`
	Ratio   float64 `json:"ratio"`
	Must    string  `json:"mustReach"`
	Reached bool    `json:"reached"`
}

func atMost(what string, ours, floor, limit float64) row {
	return row{what, ours, floor, ours / floor, fmt.Sprintf("<= %.2f x", limit), ours <= limit*floor}
}

func atLeast(what string, ours, floor, limit float64) row {
	return row{what, ours, floor, ours / floor, fmt.Sprintf(">= %.2f x", limit), ours >= limit*floor}
}

func exactly(what string, ours, must float64) row {
	return row{What: what, Ours: ours, Floor: must, Must: "equal", Reached: ours == must}
}

func main() {
	keyward := flag.String("keyward", "", "Keyward's launcher in a distribution")
	binary := flag.String("vault", "", "the Vault binary")
	out := flag.String("out", "", "where to keep the figures")
	rounds := flag.Int("rounds", 9, "rounds of latency slices")
	slice := flag.Duration("slice", 700*time.Millisecond, "length of a slice")
	onlyPlain := flag.Bool("only-plain", false, "measure Vault over plain HTTP and nothing else")
	warmth := flag.Int("warm", 20000, "calls of each kind before anything is measured")
	flag.Parse()
	if *keyward == "" || *binary == "" || *rounds < 1 || flag.NArg() > 0 {
		say("say -keyward and -vault, or use run.sh")
		os.Exit(64)
	}
	rows, err := plainHttp(*keyward, *binary, *rounds, *warmth, *slice)
	if err == nil && !*onlyPlain {
		var tls []row
		tls, err = withTls(*keyward, *binary, *rounds, *warmth, *slice)
		rows = append(tls, rows...)
	}
	if err != nil {
		say("%v", err)
		os.Exit(2)
	}
	load, _ := os.ReadFile("/proc/loadavg")
	if *out != "" {
		text, _ := json.MarshalIndent(map[string]any{"loadAverageAfter": string(load), "rows": rows}, "", " ")
		if err = os.WriteFile(*out, append(text, '\n'), 0o644); err != nil {
			say("%v", err)
			os.Exit(2)
		}
	}
	if missed := show(rows); missed > 0 {
		say("%d not reached", missed)
		os.Exit(1)
	}
}

func show(rows []row) (missed int) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "WHAT\tOURS\tFLOOR OR LIMIT\tRATIO\tMUST REACH\tREACHED")
	for _, r := range rows {
		reached := "yes"
		if !r.Reached {
			reached = "NO"
			missed++
		}
		fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%.2f\t%s\t%s\n", r.What, r.Ours, r.Floor, r.Ratio, r.Must, reached)
	}
	_ = table.Flush()
	return missed
}

// beside runs what measures a Vault while the Vault, the plugin on it and the one without a backend
// are up.
func beside(v *vault, keyward string, measure func(empty, ours *plugin) ([]row, error)) ([]row, error) {
	dir, err := os.MkdirTemp("", "kw")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	v.dir = dir
	if err = v.start(); err != nil {
		return nil, err
	}
	defer func() { end(v.cmd) }()
	if err = v.setUp(); err != nil {
		return nil, err
	}
	local, err := localLines(dir, keyward)
	if err != nil {
		return nil, err
	}
	empty, err := open(dir, keyward, "e", "10s", local)
	if err != nil {
		return nil, err
	}
	defer empty.close()
	ours, err := open(dir, keyward, "o", "10s", vaultLines(v))
	if err != nil {
		return nil, err
	}
	defer ours.close()
	return measure(empty, ours)
}

// plainHttp measures a Vault without TLS, which stands for an agent on the same node.
func plainHttp(keyward, binary string, rounds, warmth int, slice time.Duration) ([]row, error) {
	v := &vault{binary: binary, plain: true}
	return beside(v, keyward, func(empty, ours *plugin) ([]row, error) {
		warm(warmth, ours, empty)
		return latency(v, empty, ours, []int{1}, rounds, slice)
	})
}

func withTls(keyward, binary string, rounds, warmth int, slice time.Duration) ([]row, error) {
	v := &vault{binary: binary}
	return beside(v, keyward, func(empty, ours *plugin) ([]row, error) {
		return everything(v, keyward, empty, ours, rounds, warmth, slice)
	})
}

func everything(v *vault, keyward string, empty, ours *plugin, rounds, warmth int, slice time.Duration) ([]row, error) {
	cold := caller.RunCount(ours.calls["encrypt"], 1, 1000)
	say("the first %d Encrypts after the start: p50 %.0f µs, p99 %.0f µs", cold.Calls, cold.P50, cold.P99)
	warm(warmth, ours, empty)
	rows, err := latency(v, empty, ours, []int{1, 8, 64}, rounds, slice)
	if err != nil {
		return nil, err
	}
	time.Sleep(15 * time.Second) // memory settles
	rows = append(rows, atMost("resident memory after the load, MB", ours.residentMB(), 95, 1))
	cache, err := open(v.dir, keyward, "c", "10s", vaultLines(v)+"    decryptCache: {entries: 1000, ttl: 10m}\n")
	if err != nil {
		return nil, err
	}
	warm(warmth, cache)
	rows = append(rows, cached(cache, empty, rounds, slice))
	cache.close()
	counted, err := counts(v, v.dir, keyward)
	if err != nil {
		return nil, err
	}
	trouble, err := outages(v, ours)
	return append(append(rows, counted...), trouble...), err
}
