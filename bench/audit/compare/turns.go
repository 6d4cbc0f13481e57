package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// heapLimit is what every timed audit runs with.
const heapLimit = "-Xmx256m"

// timings are seconds by program, one for each round.
type timings map[string][]float64

// contender is a program that takes its turn.
type contender struct {
	name string
	env  []string
	args []string
}

func (b *bench) audit(args ...string) contender {
	return contender{"keyward", []string{"KEYWARD_JAVA_OPTS=" + heapLimit},
		append([]string{b.keyward, "audit", "-o", "json"}, args...)}
}

// run times a program. An audit with findings exits with 1.
func (b *bench) run(c contender) (float64, error) {
	out, err := os.Create(filepath.Join(b.dir, "out"))
	if err != nil {
		return 0, err
	}
	defer out.Close()
	said, err := os.Create(filepath.Join(b.dir, "err"))
	if err != nil {
		return 0, err
	}
	defer said.Close()
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = out, said
	if c.name == "cat" {
		cmd.Stdout = nil // that is /dev/null, as one runs it
	}
	begin := time.Now()
	err = cmd.Run()
	took := time.Since(begin).Seconds()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && c.name == "keyward" {
		err = nil
	}
	if err != nil {
		text, _ := os.ReadFile(said.Name())
		return 0, fmt.Errorf("%s: %w: %s", c.name, err, text)
	}
	return took, nil
}

// turns lets the programs run one after the other, round by round, in changing order.
func (b *bench) turns(rounds int, before func() error, all ...contender) (timings, error) {
	times := timings{}
	for range rounds {
		for _, c := range all {
			if err := before(); err != nil {
				return nil, err
			}
			took, err := b.run(c)
			if err != nil {
				return nil, err
			}
			times[c.name] = append(times[c.name], took)
		}
		slices.Reverse(all)
	}
	return times, nil
}

func (b *bench) readers() []contender {
	return []contender{
		{"cat", nil, []string{"cat", b.big()}},
		{"etcdutl", nil, []string{b.program("etcdutl"), "snapshot", "status", b.big()}},
		b.audit("--snapshot", b.big()),
	}
}

// warm also times the digest alone, by a native program: an audit that checks it cannot be faster.
func (b *bench) warm() (timings, error) {
	cat := contender{"cat", nil, []string{"cat", b.big()}}
	if _, err := b.run(cat); err != nil {
		return nil, err
	}
	digest := contender{"sha256", nil, []string{"openssl", "dgst", "-sha256", b.big()}}
	return b.turns(b.rounds, func() error { return nil }, append(b.readers(), digest)...)
}

func (b *bench) cold() (timings, error) {
	return b.turns((b.rounds+1)/3+1, func() error { return forget(b.big()) }, b.readers()...)
}

// forget drops a file from the page cache.
func forget(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Sync(); err != nil {
		return err
	}
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
