package main

import (
	"path/filepath"

	"io.keyward/bench/audit/servers"
)

// live reads all keys of a running member: etcdctl into a file, Keyward into its report.
func (b *bench) live() (timings, error) {
	etcd, err := servers.StartEtcd(b.program("etcd"), filepath.Join(b.data, "live"))
	if err != nil {
		return nil, err
	}
	defer etcd.Stop()
	ctl := contender{"etcdctl", nil, []string{b.program("etcdctl"), "--endpoints", etcd.Endpoint,
		"--command-timeout", "120s", "get", "--prefix", ""}}
	// The first answer finds the member cold.
	if _, err := b.run(ctl); err != nil {
		return nil, err
	}
	return b.turns(b.rounds, func() error { return nil }, ctl, b.audit("--etcd", etcd.Endpoint))
}
