package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const stopPatience = 10 * time.Second

// process is a server that this program started.
type process struct {
	cmd    *exec.Cmd
	log    *bytes.Buffer
	exited chan struct{}
}

func start(env []string, name string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(name, args...), log: &bytes.Buffer{}, exited: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	// Nothing of ours outlives this program, whatever ends it.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(stopPatience):
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}

// because stops the process and adds what it said to an error.
func (p *process) because(err error) error {
	p.stop()
	return fmt.Errorf("%w; %s said: %s", err, filepath.Base(p.cmd.Path), strings.TrimSpace(p.log.String()))
}

func (p *process) proc(file string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.cmd.Process.Pid, file))
	return string(text)
}

// memory is in MB of 1,000,000 bytes.
type memory struct {
	Resident float64 `json:"residentMB"`
	Private  float64 `json:"privateMB"`
}

func (p *process) memory() memory {
	var m memory
	for line := range strings.Lines(p.proc("status")) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		kib, _ := strconv.ParseFloat(fields[1], 64)
		switch fields[0] {
		case "VmRSS:":
			m.Resident = kib * 1024 / 1e6
		case "RssAnon:":
			m.Private = kib * 1024 / 1e6
		}
	}
	return m
}

// cpu is the processor time used so far. Linux counts it in hundredths of a second.
func (p *process) cpu() time.Duration {
	_, rest, _ := strings.Cut(p.proc("stat"), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
