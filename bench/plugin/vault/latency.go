package main

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"io.keyward/bench/plugin/caller"
)

var operations = []string{"encrypt", "decrypt"}

// direct calls Vault as the plugin must, without a plugin: with the same login, and the same fields
// in each request.
func direct(v *vault, client *http.Client) (map[string]func() error, error) {
	const bound = "a3cxLWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="
	login, err := call(client, "", v.url()+"/v1/auth/approle/login", fields{"role_id": "bench", "secret_id": "bench-secret"})
	if err != nil {
		return nil, err
	}
	token := login["auth"].(map[string]any)["client_token"].(string)
	ask := func(operation, name string, value any) (map[string]any, error) {
		return call(client, token, v.url()+"/v1/transit/"+operation+"/kms",
			fields{name: value, "context": bound, "associated_data": bound})
	}
	encrypt := func() (map[string]any, error) {
		return ask("encrypt", "plaintext", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	}
	sealed, err := encrypt()
	if err != nil {
		return nil, err
	}
	text := sealed["data"].(map[string]any)["ciphertext"]
	return map[string]func() error{
		"encrypt": func() error { _, err := encrypt(); return err },
		"decrypt": func() error { _, err := ask("decrypt", "ciphertext", text); return err },
	}, nil
}

// latency lets all take turns: whatever else the machine does meets all alike. The floor has the
// better of HTTP/1.1 and HTTP/2.
func latency(v *vault, empty, ours *plugin, concurrency []int, rounds int, length time.Duration) ([]row, error) {
	var directly []map[string]func() error
	for _, http2 := range []bool{false, true} {
		client, err := v.client(http2)
		if err != nil {
			return nil, err
		}
		defer client.CloseIdleConnections()
		calls, err := direct(v, client)
		if err != nil {
			return nil, err
		}
		directly = append(directly, calls)
	}
	var rows []row
	failed := 0
	for _, op := range operations {
		for _, callers := range concurrency {
			say("%s, %d caller(s): %d rounds", op, callers, rounds)
			sides := []func() error{ours.calls[op], empty.calls[op], directly[0][op], directly[1][op]}
			seen := make([][]caller.Slice, len(sides))
			for round := range rounds + 1 { // the first only warms up
				for i := range sides {
					slice := caller.Run(sides[(i+round)%len(sides)], callers, length)
					if round > 0 {
						seen[(i+round)%len(sides)] = append(seen[(i+round)%len(sides)], slice)
						failed += slice.Errors
					}
				}
			}
			rows = append(rows, judge(fmt.Sprintf("%s, %d caller(s)", op+v.how(), callers), callers, seen))
		}
	}
	return append(rows, exactly("calls that failed"+v.how(), float64(failed), 0)), nil
}

// cached compares a Decrypt that the cache answers with one of the plugin without a backend.
func cached(cache, empty *plugin, rounds int, length time.Duration) row {
	say("decrypt from the cache, 1 caller: %d rounds", rounds)
	sides := []*plugin{cache, empty}
	seen := make([][]caller.Slice, len(sides))
	for round := range rounds + 1 { // the first only warms up
		for i := range sides {
			side := (i + round) % len(sides)
			if slice := caller.Run(sides[side].calls["decrypt"], 1, length); round > 0 {
				seen[side] = append(seen[side], slice)
			}
		}
	}
	p50 := func(s caller.Slice) float64 { return s.P50 }
	return atMost("decrypt from the cache, 1 caller: p50, µs", median(seen[0], p50), median(seen[1], p50), 1.15)
}

// warm lets the plugins reach the speed they have most of their life: compilers need some ten
// thousand calls. What a cold one is like, ../run.sh measures.
func warm(calls int, plugins ...*plugin) {
	say("warming up: %d calls of each kind", calls)
	for _, p := range plugins {
		for _, op := range operations {
			caller.RunCount(p.calls[op], 8, calls)
		}
	}
}

func judge(what string, callers int, seen [][]caller.Slice) row {
	p50 := func(s caller.Slice) float64 { return s.P50 }
	p99 := func(s caller.Slice) float64 { return s.P99 }
	speed := func(s caller.Slice) float64 { return s.PerSecond }
	switch callers {
	case 1:
		say("p50: ours %.0f, empty %.0f, direct %.0f and %.0f µs", median(seen[0], p50), median(seen[1], p50), median(seen[2], p50), median(seen[3], p50))
		return atMost(what+": p50, µs", median(seen[0], p50),
			median(seen[1], p50)+min(median(seen[2], p50), median(seen[3], p50)), 1.3)
	case 8:
		return atMost(what+": p99, µs", median(seen[0], p99),
			median(seen[1], p99)+min(median(seen[2], p99), median(seen[3], p99)), 2)
	}
	return atLeast(what+": calls/s", median(seen[0], speed),
		max(median(seen[2], speed), median(seen[3], speed)), 0.9)
}

func median(of []caller.Slice, value func(caller.Slice) float64) float64 {
	var values []float64
	for _, s := range of {
		values = append(values, value(s))
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}
