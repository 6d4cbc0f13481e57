package main

import (
	"time"

	"io.keyward/bench/plugin/caller"
)

const firstCalls = 200

// starts holds, for each way to start, one figure per round.
type starts struct {
	Cached    []float64      `json:"withAotMillis"`
	Uncached  []float64      `json:"withoutAotMillis"`
	Reference []float64      `json:"referenceMillis"`
	First     []caller.First `json:"firstCalls"`
	Warm      []caller.First `json:"warmCalls"`
	RefFirst  []caller.First `json:"referenceFirstCalls"`
}

// starting starts each kind once per round, one after the other. A plugin that has long been warm
// gets the same first calls in the same round, to compare with.
func (b *bench) starting(rounds int) (*starts, error) {
	warm, err := loaded(b.ours(1))
	if err != nil {
		return nil, err
	}
	defer warm.close()
	s := &starts{}
	for round := range rounds {
		say("starts: round %d of %d", round+1, rounds)
		for _, kind := range []struct {
			to    *[]float64
			begin func() (*target, error)
		}{
			{&s.Cached, func() (*target, error) { return b.ours(1) }},
			{&s.Uncached, func() (*target, error) { return b.ours(1, "KEYWARD_AOT=off") }},
			{&s.Reference, b.theirs},
		} {
			millis, err := timeToReady(kind.begin)
			if err != nil {
				return nil, err
			}
			*kind.to = append(*kind.to, millis)
		}
		for _, kind := range []struct {
			to    *[]caller.First
			begin func() (*target, error)
		}{
			{&s.First, func() (*target, error) { return b.ours(1) }},
			{&s.RefFirst, b.theirs},
		} {
			first, err := firstAfterStart(kind.begin)
			if err != nil {
				return nil, err
			}
			*kind.to = append(*kind.to, first)
		}
		again, err := caller.FirstCalls(warm.sockets[0], firstCalls)
		if err != nil {
			return nil, err
		}
		s.Warm = append(s.Warm, again)
	}
	return s, nil
}

func timeToReady(begin func() (*target, error)) (float64, error) {
	at := time.Now()
	t, err := begin()
	if err != nil {
		return 0, err
	}
	p, err := t.ready()
	if err != nil {
		return 0, err
	}
	millis := float64(time.Since(at).Microseconds()) / 1e3
	p.Close()
	t.stop()
	return millis, nil
}

func firstAfterStart(begin func() (*target, error)) (caller.First, error) {
	t, err := begin()
	if err != nil {
		return caller.First{}, err
	}
	if err = caller.AwaitSocket(t.sockets[0], startPatience); err != nil {
		return caller.First{}, t.because(err)
	}
	first, err := caller.FirstCalls(t.sockets[0], firstCalls)
	if err != nil {
		return caller.First{}, t.because(err)
	}
	t.stop()
	return first, nil
}
