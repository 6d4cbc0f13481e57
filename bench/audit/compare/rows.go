package main

import (
	"fmt"
	"slices"
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

func (r *results) rows() []row {
	return []row{
		paired("full audit, file in memory", "etcdutl", r.Warm).atMost(1),
		paired("full audit, file in memory", "cat", r.Warm).atMost(3),
		paired("full audit, file in memory", "sha256", r.Warm),
		paired("full audit, file on disk", "etcdutl", r.Cold),
		paired("full audit, file on disk", "cat", r.Cold),
		limited(fmt.Sprintf("smallest heap, %d keys", r.Heap.BigKeys), "MB", float64(r.Heap.Big), 256),
		limited("heap growth for a key", "bytes", r.Heap.PerKey, 64),
		against("values of KMS v2 opened in a minute", "values", r.Decrypt.PerMinute, "limit", 500_000).atLeast(1),
		against("calls to the KMS", "calls", float64(r.Decrypt.Calls), "distinct wrapped DEKs", float64(r.Decrypt.DEKs)).atMost(1),
		paired("audit of a live etcd", "etcdctl", r.Live).atMost(1.5),
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// paired compares round by round and takes the median of the ratios: what disturbs the machine for a
// moment disturbs one ratio.
func paired(what, other string, times timings) row {
	ours, theirs := times["keyward"], times[other]
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / theirs[i]
	}
	return row{What: what, Unit: "s", Ours: median(ours), Against: other, Other: median(theirs), Ratio: median(ratios)}
}

func against(what, unit string, ours float64, other string, theirs float64) row {
	return row{What: what, Unit: unit, Ours: ours, Against: other, Other: theirs, Ratio: ours / theirs}
}

func limited(what, unit string, ours, limit float64) row {
	return against(what, unit, ours, "limit", limit).atMost(1)
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
