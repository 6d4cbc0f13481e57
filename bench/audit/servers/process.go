// Package servers starts what the audit is measured with: a real etcd and a real plugin.
package servers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	startPatience = 60 * time.Second
	stopPatience  = 60 * time.Second
	look          = 20 * time.Millisecond
)

// Process is a server that this program started.
type Process struct {
	cmd    *exec.Cmd
	log    *bytes.Buffer
	exited chan struct{}
}

func start(name string, args ...string) (*Process, error) {
	p := &Process{cmd: exec.Command(name, args...), log: &bytes.Buffer{}, exited: make(chan struct{})}
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

// Stop ends the server and waits until it is gone.
func (p *Process) Stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(stopPatience):
		_ = p.cmd.Process.Kill()
		<-p.exited
	}
}

// await asks until the answer is good.
func (p *Process) await(ready func() error) error {
	for end := time.Now().Add(startPatience); ; time.Sleep(look) {
		err := ready()
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			p.Stop()
			return fmt.Errorf("%w; %s said: %s", err, filepath.Base(p.cmd.Path), tail(p.log.String()))
		}
	}
}

func tail(text string) string {
	const most = 2000
	text = strings.TrimSpace(text)
	return text[max(0, len(text)-most):]
}

// Run runs a program to its end and gives what it wrote.
func Run(name string, args ...string) ([]byte, error) {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", filepath.Base(name), err, tail(string(out)))
	}
	return out, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
