package main

import (
	"errors"
	"fmt"
	"path/filepath"
)

const (
	largestHeap = 256
	stepHeap    = 2
)

// heap is the smallest maximum heap, in MB of 2^20 bytes, in which the audit ends well.
type heap struct {
	SmallKeys int     `json:"smallKeys"`
	BigKeys   int     `json:"bigKeys"`
	Small     int     `json:"smallMB"`
	Big       int     `json:"bigMB"`
	PerKey    float64 `json:"bytesPerKey"`
}

func (b *bench) heap() (*heap, error) {
	h := &heap{}
	var err error
	small := filepath.Join(b.data, "small.db")
	if h.Small, err = b.smallest(small); err != nil {
		return nil, err
	}
	if h.SmallKeys, err = b.keys(small); err != nil {
		return nil, err
	}
	if h.Big, err = b.smallest(b.big()); err != nil {
		return nil, err
	}
	if h.BigKeys, err = b.keys(b.big()); err != nil {
		return nil, err
	}
	h.PerKey = float64((h.Big-h.Small)<<20) / float64(h.BigKeys-h.SmallKeys)
	return h, nil
}

func (b *bench) smallest(file string) (int, error) {
	runs := func(megabytes int) error {
		c := b.audit("--snapshot", file)
		c.env = []string{fmt.Sprintf("KEYWARD_JAVA_OPTS=-Xmx%dm -XX:+ExitOnOutOfMemoryError", megabytes)}
		// Only a whole report counts.
		r, _, err := b.report(c)
		if err == nil && r.LiveKeys == 0 {
			err = errors.New("the report has no keys")
		}
		return err
	}
	if err := runs(largestHeap); err != nil {
		return 0, err
	}
	fails, works := 0, largestHeap/stepHeap
	for works-fails > 1 {
		middle := (works + fails) / 2
		if runs(middle*stepHeap) == nil {
			works = middle
		} else {
			fails = middle
		}
	}
	return works * stepHeap, nil
}
