package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// machine is what one must know to read the figures. No names, no dates.
type machine struct {
	Cores     int    `json:"cores"`
	MemoryGB  int    `json:"memoryGB"`
	Processor string `json:"processor"`
	JDK       string `json:"jdk"`
	Go        string `json:"go"`
	LoadFrom  string `json:"loadAverageBefore"`
	LoadTo    string `json:"loadAverageAfter"`
}

func (b *bench) machine() (*machine, error) {
	m := &machine{Cores: runtime.NumCPU(), Go: runtime.Version(), LoadFrom: loadAverage()}
	var kib int
	_, _ = fmt.Sscanf(after("/proc/meminfo", "MemTotal:"), "%d", &kib)
	m.MemoryGB = kib / 1_000_000
	m.Processor = strings.TrimLeft(after("/proc/cpuinfo", "model name"), ": \t")
	t, err := b.ours(1)
	if err != nil {
		return nil, err
	}
	defer t.stop()
	p, err := t.ready()
	if err != nil {
		return nil, err
	}
	p.Close()
	java, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", t.cmd.Process.Pid))
	if err != nil {
		return nil, err
	}
	release := filepath.Join(filepath.Dir(filepath.Dir(java)), "release")
	m.JDK = strings.Trim(after(release, "JAVA_RUNTIME_VERSION="), "\"")
	return m, nil
}

// after finds the rest of the first line that begins so.
func after(file, begin string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(line, begin); found {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// loadAverage is that of the last minute: how busy the machine was with other work, before.
func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
