// Loads one plugin that runs already, or watches one start. For looking at one thing at a time;
// the comparison is made by ../run.sh.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"io.keyward/bench/plugin/caller"
)

func main() {
	socket := flag.String("socket", "", "the plugin's socket")
	mode := flag.String("mode", "load", "load: callers in a closed loop; first: the first 200 calls; ready: wait for a good Status")
	op := flag.String("op", "encrypt", "status, encrypt or decrypt")
	callers := flag.Int("callers", 1, "how many call at once")
	length := flag.Duration("for", 2*time.Second, "how long, or how long to wait for the plugin")
	calls := flag.Int("calls", 0, "end after about that many calls instead")
	flag.Parse()
	if *socket == "" || flag.NArg() > 0 || *callers < 1 {
		fmt.Fprintln(os.Stderr, "load: say -socket PATH; -h shows the rest")
		os.Exit(64)
	}
	result, err := measure(*mode, *socket, *op, *callers, *calls, *length)
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
}

func measure(mode, socket, op string, callers, calls int, length time.Duration) (any, error) {
	begin := time.Now()
	switch mode {
	case "ready":
		p, err := caller.AwaitStatus(socket, length)
		if err != nil {
			return nil, err
		}
		p.Close()
		return map[string]float64{"readyMillis": float64(time.Since(begin).Microseconds()) / 1e3}, nil
	case "first":
		if err := caller.AwaitSocket(socket, length); err != nil {
			return nil, err
		}
		return caller.FirstCalls(socket, 200)
	case "load":
		p, err := caller.Connect(socket)
		if err != nil {
			return nil, err
		}
		defer p.Close()
		call, err := p.Operation(op)
		if err != nil {
			return nil, err
		}
		if calls > 0 {
			return caller.RunCount(call, callers, calls), nil
		}
		return caller.Run(call, callers, length), nil
	}
	return nil, fmt.Errorf("unknown mode %q: say load, first or ready", mode)
}
