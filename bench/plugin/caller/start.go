package caller

import (
	"fmt"
	"net"
	"slices"
	"time"
)

const look = 2 * time.Millisecond

// AwaitSocket returns when something accepts connections there.
func AwaitSocket(socket string, patience time.Duration) error {
	for end := time.Now().Add(patience); ; time.Sleep(look) {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(end) {
			return fmt.Errorf("nothing listens within %v: %w", patience, err)
		}
	}
}

// AwaitStatus returns a connection over which Status was good.
func AwaitStatus(socket string, patience time.Duration) (*Plugin, error) {
	end := time.Now().Add(patience)
	if err := AwaitSocket(socket, patience); err != nil {
		return nil, err
	}
	p, err := Connect(socket)
	if err != nil {
		return nil, err
	}
	for ; ; time.Sleep(look) {
		if err = p.Status(); err == nil {
			return p, nil
		}
		if time.Now().After(end) {
			p.Close()
			return nil, fmt.Errorf("no good Status within %v: %w", patience, err)
		}
	}
}

// First is what the first client of a fresh plugin sees, in microseconds.
type First struct {
	Encrypt float64 `json:"firstEncrypt"`
	P50     float64 `json:"p50"`
	P99     float64 `json:"p99"`
	Max     float64 `json:"max"`
}

// FirstCalls makes the first calls of all: an Encrypt, which also pays for the connection, and
// then Decrypt and Encrypt in turn, one after the other.
func FirstCalls(socket string, calls int) (First, error) {
	p, err := Connect(socket)
	if err != nil {
		return First{}, err
	}
	defer p.Close()
	times := make([]time.Duration, 0, calls)
	for i := range calls {
		call := p.Decrypt
		if i == 0 {
			call = p.Seal
		} else if i%2 == 0 {
			call = p.Encrypt
		}
		start := time.Now()
		if err := call(); err != nil {
			return First{}, fmt.Errorf("call %d after the start: %w", i+1, err)
		}
		times = append(times, time.Since(start))
	}
	first := float64(times[0].Nanoseconds()) / 1e3
	slices.Sort(times)
	return First{first, Quantile(times, 0.5), Quantile(times, 0.99), Quantile(times, 1)}, nil
}
