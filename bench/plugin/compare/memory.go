package main

import (
	"fmt"
	"time"

	"io.keyward/bench/plugin/caller"
)

const (
	memoryCalls   = 100_000
	memoryCallers = 8
	manyKeys      = 11
)

// settled is the memory of plugins some time after their load ended.
type settled struct {
	One       memory `json:"oneKey"`
	Many      memory `json:"manyKeys"`
	Keys      int    `json:"keys"`
	Reference memory `json:"reference"`
}

// footprint loads three plugins one after the other and lets them settle together.
func (b *bench) footprint(settle time.Duration) (*settled, error) {
	one, err := loaded(b.ours(1))
	if err != nil {
		return nil, err
	}
	defer one.close()
	many, err := loaded(b.ours(manyKeys))
	if err != nil {
		return nil, err
	}
	defer many.close()
	reference, err := loaded(b.theirs())
	if err != nil {
		return nil, err
	}
	defer reference.close()
	say("memory: settling for %v", settle)
	time.Sleep(settle)
	return &settled{one.memory(), many.memory(), manyKeys, reference.memory()}, nil
}

// held keeps its connections, as API servers do.
type held struct {
	*target
	plugins []*caller.Plugin
}

func (h *held) close() {
	for _, p := range h.plugins {
		p.Close()
	}
	h.stop()
}

// loaded makes all calls, shared out evenly over the keys.
func loaded(t *target, err error) (*held, error) {
	if err != nil {
		return nil, err
	}
	say("%d calls over %d key(s)", memoryCalls, len(t.sockets))
	h := &held{target: t}
	for _, socket := range t.sockets {
		p, err := caller.AwaitStatus(socket, startPatience)
		if err != nil {
			return nil, t.because(err)
		}
		h.plugins = append(h.plugins, p)
		for _, op := range operations {
			call, err := p.Operation(op)
			if err != nil {
				return nil, t.because(err)
			}
			each := memoryCalls / len(t.sockets) / len(operations)
			if slice := caller.RunCount(call, memoryCallers, each); slice.Errors > 0 {
				return nil, t.because(fmt.Errorf("%d of %d calls failed", slice.Errors, slice.Calls))
			}
		}
	}
	return h, nil
}
