package main

import (
	"fmt"
	"slices"

	"io.keyward/bench/plugin/caller"
)

// row is one line of the table.
type row struct {
	What    string  `json:"what"`
	Unit    string  `json:"unit"`
	Ours    float64 `json:"ours"`
	Against string  `json:"against"`
	Other   float64 `json:"other"`
	Ratio   float64 `json:"ratio"`
	Must    string  `json:"mustReach,omitempty"`
	Reached *bool   `json:"reached,omitempty"`
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratios pairs what was measured side by side in one round.
func ratios(ours, other []float64) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = ours[i] / other[i]
	}
	return out
}

func pick[T any](from []T, value func(T) float64) []float64 {
	out := make([]float64, len(from))
	for i, v := range from {
		out[i] = value(v)
	}
	return out
}

// paired compares round by round and takes the median of the ratios.
func paired(what, unit, against string, ours, other []float64) row {
	return row{What: what, Unit: unit, Ours: median(ours), Against: against, Other: median(other),
		Ratio: median(ratios(ours, other))}
}

func limited(what, unit string, ours, limit float64) row {
	return row{What: what, Unit: unit, Ours: ours, Against: "limit", Other: limit, Ratio: ours / limit}.atMost(1)
}

func (r row) atMost(ratio float64) row {
	reached := r.Ratio <= ratio
	r.Must, r.Reached = fmt.Sprintf("<= %.2f x", ratio), &reached
	return r
}

func (r row) atLeast(ratio float64) row {
	reached := r.Ratio >= ratio
	r.Must, r.Reached = fmt.Sprintf(">= %.2f x", ratio), &reached
	return r
}

func latencyRows(cells []*cell) (rows []row) {
	for _, c := range cells {
		p50 := func(s sample) float64 { return s.P50 }
		p99 := func(s sample) float64 { return s.P99 }
		rows = append(rows,
			paired(c.name()+", p50", "µs", "reference", pick(c.Ours, p50), pick(c.Reference, p50)).atMost(1.3),
			paired(c.name()+", p99", "µs", "reference", pick(c.Ours, p99), pick(c.Reference, p99)).atMost(1.3))
	}
	for _, c := range cells {
		if c.Callers == slices.Max(concurrency) {
			speed := func(s sample) float64 { return s.PerSecond }
			cpu := func(s sample) float64 { return s.CPUPerCall }
			rows = append(rows,
				paired(c.name()+", throughput", "calls/s", "reference", pick(c.Ours, speed), pick(c.Reference, speed)).atLeast(1),
				paired(c.name()+", server CPU per call", "µs", "reference", pick(c.Ours, cpu), pick(c.Reference, cpu)))
		}
	}
	return append(rows, failures(cells))
}

func failures(cells []*cell) row {
	var ours, other float64
	for _, c := range cells {
		for i := range c.Ours {
			ours += float64(c.Ours[i].Errors)
			other += float64(c.Reference[i].Errors)
		}
	}
	none := ours == 0 && other == 0
	return row{What: "calls that failed", Unit: "calls", Ours: ours, Against: "reference", Other: other, Must: "0", Reached: &none}
}

func startRows(s *starts) []row {
	firstEncrypt := func(f caller.First) float64 { return f.Encrypt / 1e3 }
	p50 := func(f caller.First) float64 { return f.P50 }
	return []row{
		limited("first Encrypt after start, median", "ms", median(pick(s.First, firstEncrypt)), 15),
		limited("first Encrypt after start, worst", "ms", slices.Max(pick(s.First, firstEncrypt)), 15),
		paired("first 200 calls after start, p50", "µs", "warm", pick(s.First, p50), pick(s.Warm, p50)).atMost(4),
		paired("start to good Status", "ms", "no AOT cache", s.Cached, s.Uncached).atMost(0.6),
		paired("start to good Status", "ms", "reference", s.Cached, s.Reference),
	}
}

func memoryRows(m *settled) []row {
	further := float64(m.Keys - 1)
	return []row{
		limited("resident memory, 1 key", "MB", m.One.Resident, 90),
		limited("private memory, 1 key", "MB", m.One.Private, 50),
		limited("resident memory, each further key", "MB", (m.Many.Resident-m.One.Resident)/further, 2),
		limited("private memory, each further key", "MB", (m.Many.Private-m.One.Private)/further, 2),
		{What: "resident memory", Unit: "MB", Ours: m.One.Resident, Against: "reference",
			Other: m.Reference.Resident, Ratio: m.One.Resident / m.Reference.Resident},
	}
}
