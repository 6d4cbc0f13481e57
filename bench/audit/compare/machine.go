package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// machine is what one must know to read the figures. No names, no dates.
type machine struct {
	Cores     int    `json:"cores"`
	MemoryGB  int    `json:"memoryGB"`
	Processor string `json:"processor"`
	LoadFrom  string `json:"loadAverageBefore"`
	LoadTo    string `json:"loadAverageAfter"`
}

func newMachine() *machine {
	m := &machine{Cores: runtime.NumCPU(), LoadFrom: loadAverage()}
	var kib int
	_, _ = fmt.Sscanf(after("/proc/meminfo", "MemTotal:"), "%d", &kib)
	m.MemoryGB = kib / 1_000_000
	m.Processor = strings.TrimLeft(after("/proc/cpuinfo", "model name"), ": \t")
	return m
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
