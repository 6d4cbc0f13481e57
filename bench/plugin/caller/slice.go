package caller

import (
	"slices"
	"sync"
	"time"
)

// Slice is what a number of callers saw in a short time. Times are in microseconds.
type Slice struct {
	Calls     int     `json:"calls"`
	Errors    int     `json:"errors"`
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50"`
	P99       float64 `json:"p99"`
	P999      float64 `json:"p999"`
}

// Run lets callers call in a closed loop: each one again as soon as it has its answer.
func Run(call func() error, callers int, length time.Duration) Slice {
	return run(callers, func() loop {
		end := time.Now().Add(length)
		return func(int) bool { return time.Now().Before(end) }
	}, call)
}

// RunCount does the same until about that many calls are done.
func RunCount(call func() error, callers, calls int) Slice {
	each := (calls + callers - 1) / callers
	return run(callers, func() loop { return func(done int) bool { return done < each } }, call)
}

type loop func(done int) bool

func run(callers int, more func() loop, call func() error) Slice {
	times := make([][]time.Duration, callers)
	failed := make([]int, callers)
	var all sync.WaitGroup
	begin := time.Now()
	for i := range callers {
		all.Go(func() {
			// Room before the clock starts: a growing slice would show up as latency.
			mine := make([]time.Duration, 0, 1<<15)
			next := more()
			for done := 0; next(done); done++ {
				start := time.Now()
				err := call()
				mine = append(mine, time.Since(start))
				if err != nil {
					failed[i]++
				}
			}
			times[i] = mine
		})
	}
	all.Wait()
	took := time.Since(begin)
	return summary(slices.Concat(times...), failed, took)
}

func summary(times []time.Duration, failed []int, took time.Duration) Slice {
	slices.Sort(times)
	s := Slice{Calls: len(times), PerSecond: float64(len(times)) / took.Seconds()}
	for _, f := range failed {
		s.Errors += f
	}
	s.P50, s.P99, s.P999 = Quantile(times, 0.5), Quantile(times, 0.99), Quantile(times, 0.999)
	return s
}

// Quantile picks from sorted times, in microseconds.
func Quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := min(int(q*float64(len(sorted))), len(sorted)-1)
	return float64(sorted[at].Nanoseconds()) / 1e3
}
