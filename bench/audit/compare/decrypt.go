package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"io.keyward/bench/audit/servers"
)

// report is what the audit says, as far as it matters here.
type report struct {
	LiveKeys  int `json:"liveKeys"`
	Revisions int `json:"revisions"`
	Resources []struct {
		Providers []struct {
			Provider string `json:"provider"`
			Objects  int    `json:"objects"`
			DEKs     int    `json:"wrappedDeks"`
		} `json:"providers"`
	} `json:"resources"`
	Counts map[string]int `json:"findingCounts"`
}

func (b *bench) report(c contender) (*report, float64, error) {
	took, err := b.run(c)
	if err != nil {
		return nil, 0, err
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "out"))
	if err != nil {
		return nil, 0, err
	}
	r := &report{}
	return r, took, json.Unmarshal(text, r)
}

func (b *bench) keys(file string) (int, error) {
	r, _, err := b.report(b.audit("--snapshot", file))
	if err != nil {
		return 0, err
	}
	return r.LiveKeys, nil
}

// file is what the figures are about.
type file struct {
	Bytes     int64 `json:"bytes"`
	Keys      int   `json:"keys"`
	Revisions int   `json:"revisions"`
}

func (b *bench) look() (*file, error) {
	info, err := os.Stat(b.big())
	if err != nil {
		return nil, err
	}
	r, _, err := b.report(b.audit("--snapshot", b.big()))
	if err != nil {
		return nil, err
	}
	return &file{info.Size(), r.LiveKeys, r.Revisions}, nil
}

// decrypt is an audit that opens every live value. The rate counts those of KMS v2 alone, though the
// values under local keys are opened in the same time.
type decrypt struct {
	Seconds   float64 `json:"seconds"`
	Values    int     `json:"kmsV2Values"`
	PerMinute float64 `json:"perMinute"`
	DEKs      int     `json:"distinctWrappedDeks"`
	Calls     int     `json:"kmsCalls"`
	Failed    int     `json:"undecryptable"`
}

func (b *bench) decrypt() (*decrypt, error) {
	plugin, err := servers.StartPlugin(b.keyward, b.data, b.dir)
	if err != nil {
		return nil, err
	}
	defer plugin.Stop()
	before, err := plugin.Decrypts()
	if err != nil {
		return nil, err
	}
	r, took, err := b.report(b.audit("--snapshot", b.big(), "--encryption-config", filepath.Join(b.data, "config.yaml"),
		"--kms", "bench=unix://"+plugin.Socket))
	if err != nil {
		return nil, err
	}
	after, err := plugin.Decrypts()
	if err != nil {
		return nil, err
	}
	d := &decrypt{Seconds: took, Calls: after - before, Failed: r.Counts["undecryptable"]}
	for _, resource := range r.Resources {
		for _, p := range resource.Providers {
			if p.Provider == "kms-v2" {
				d.Values += p.Objects
				// Every resource has values under every DEK.
				d.DEKs = max(d.DEKs, p.DEKs)
			}
		}
	}
	d.PerMinute = float64(d.Values) / took * 60
	if d.Failed > 0 {
		d.PerMinute = 0
	}
	return d, nil
}
