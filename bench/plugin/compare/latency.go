package main

import (
	"fmt"
	"time"

	"io.keyward/bench/plugin/caller"
)

var (
	operations  = []string{"status", "encrypt", "decrypt"}
	concurrency = []int{1, 8, 64}
)

// side is one of the two plugins under load.
type side struct {
	*target
	plugin *caller.Plugin
	calls  map[string]func() error
}

func newSide(t *target, err error) (*side, error) {
	if err != nil {
		return nil, err
	}
	p, err := t.ready()
	if err != nil {
		return nil, err
	}
	s := &side{t, p, map[string]func() error{}}
	for _, op := range operations {
		if s.calls[op], err = p.Operation(op); err != nil {
			return nil, t.because(err)
		}
	}
	return s, nil
}

func (s *side) close() {
	s.plugin.Close()
	s.stop()
}

// sample is one slice, and what it cost the server.
type sample struct {
	caller.Slice
	CPUPerCall float64 `json:"cpuMicrosPerCall"`
}

func (s *side) sample(op string, callers int, length time.Duration) sample {
	before := s.cpu()
	slice := caller.Run(s.calls[op], callers, length)
	used := s.cpu() - before
	return sample{slice, float64(used.Microseconds()) / float64(max(1, slice.Calls))}
}

// cell holds both plugins' slices for one operation and one number of callers.
type cell struct {
	Operation string   `json:"operation"`
	Callers   int      `json:"callers"`
	Ours      []sample `json:"ours"`
	Reference []sample `json:"reference"`
}

// latency measures both plugins in turn: whatever else the machine does meets both alike. Each is
// warmed for that long before.
func (b *bench) latency(rounds int, length, warm time.Duration) ([]*cell, error) {
	reference, err := newSide(b.theirs())
	if err != nil {
		return nil, err
	}
	defer reference.close()
	ours, err := newSide(b.ours(1))
	if err != nil {
		return nil, err
	}
	defer ours.close()
	var cells []*cell
	for _, op := range operations {
		for _, callers := range concurrency {
			cells = append(cells, &cell{Operation: op, Callers: callers})
			each := warm / time.Duration(len(operations)*len(concurrency))
			reference.sample(op, callers, each)
			ours.sample(op, callers, each)
		}
	}
	for round := range rounds {
		say("latency and throughput: round %d of %d", round+1, rounds)
		for _, c := range cells {
			if round%2 == 0 {
				c.Ours = append(c.Ours, ours.sample(c.Operation, c.Callers, length))
				c.Reference = append(c.Reference, reference.sample(c.Operation, c.Callers, length))
			} else {
				c.Reference = append(c.Reference, reference.sample(c.Operation, c.Callers, length))
				c.Ours = append(c.Ours, ours.sample(c.Operation, c.Callers, length))
			}
		}
	}
	return cells, nil
}

func (c *cell) name() string {
	callers := "callers"
	if c.Callers == 1 {
		callers = "caller"
	}
	return fmt.Sprintf("%s, %d %s", c.Operation, c.Callers, callers)
}
