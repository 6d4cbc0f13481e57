// Makes the files that the audit is measured with, from a real etcd and a real plugin.
//
// Into a directory: big.db and small.db (snapshots with many and with few keys), live (the data
// directory of a stopped member, with as many keys as small.db), config.yaml and the key store.
package main

import (
	"context"
	enc "encoding/base64"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"io.keyward/bench/audit/servers"
)

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

func base64(b []byte) string { return enc.StdEncoding.EncodeToString(b) }

type tools struct{ keyward, etcd, etcdctl string }

func main() {
	var t tools
	flag.StringVar(&t.keyward, "keyward", "", "Keyward's launcher in a distribution")
	flag.StringVar(&t.etcd, "etcd", "", "etcd")
	flag.StringVar(&t.etcdctl, "etcdctl", "", "etcdctl")
	out := flag.String("out", "", "directory to make; must not exist")
	big := flag.Int("big", 1_000_000, "keys in big.db")
	small := flag.Int("small", 100_000, "keys in small.db and in the live member")
	seeds := flag.Int("seeds", 300, "distinct wrapped seeds of KMS v2")
	flag.Parse()
	if err := t.fill(*out, *big, *small, *seeds); err != nil {
		say("%v", err)
		os.Exit(2)
	}
}

// fill works beside the directory and renames at the end: what exists is whole.
func (t tools) fill(out string, big, small, seeds int) error {
	if out == "" || small > big {
		return errors.New("say -out, and not more small keys than big ones")
	}
	fresh, err := os.MkdirTemp(filepath.Dir(out), "filling-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	sockets, err := os.MkdirTemp("", "kw")
	if err != nil {
		return err
	}
	defer os.RemoveAll(sockets)
	plugin, err := servers.StartPlugin(t.keyward, fresh, sockets)
	if err != nil {
		return err
	}
	s, err := newSealer(plugin, seeds)
	plugin.Stop()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "config.yaml"), []byte(s.config()), 0o600); err != nil {
		return err
	}
	if err := t.member(s, fresh, small, "small.db", "live"); err != nil {
		return err
	}
	if err := t.member(s, fresh, big, "big.db", ""); err != nil {
		return err
	}
	return os.Rename(fresh, out)
}

// member fills an etcd and takes a snapshot; its data directory goes, unless it has a name.
func (t tools) member(s *sealer, dir string, keys int, snapshot, kept string) error {
	data := filepath.Join(dir, "data")
	if kept != "" {
		data = filepath.Join(dir, kept)
	}
	etcd, err := servers.StartEtcd(t.etcd, data)
	if err != nil {
		return err
	}
	defer etcd.Stop()
	begin := time.Now()
	if err := s.put(etcd.Client, 0, keys); err != nil {
		return err
	}
	if err := s.age(etcd.Client, keys); err != nil {
		return err
	}
	say("%d keys in %s", keys, time.Since(begin).Round(time.Second))
	if _, err := servers.Run(t.etcdctl, "--endpoints", etcd.Endpoint, "--command-timeout", "300s",
		"snapshot", "save", filepath.Join(dir, snapshot)); err != nil {
		return err
	}
	if kept == "" {
		return os.RemoveAll(data)
	}
	return nil
}

// age gives etcd a past: old versions that a compaction drops and leaves in free pages, some that
// it does not drop, and deletions.
func (s *sealer) age(etcd *clientv3.Client, keys int) error {
	ctx := context.Background()
	if err := s.put(etcd, 0, keys/50); err != nil {
		return err
	}
	now, err := etcd.Get(ctx, "now")
	if err != nil {
		return err
	}
	if _, err := etcd.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical()); err != nil {
		return err
	}
	if err := s.put(etcd, keys/50, keys/25); err != nil {
		return err
	}
	// A few more than were asked for, to be deleted again.
	if err := s.put(etcd, keys, keys+keys/100); err != nil {
		return err
	}
	return batches(keys, keys+keys/100, func(from, to int) error {
		return commit(etcd, from, to, func(i int) (clientv3.Op, error) {
			return clientv3.OpDelete(key(i)), nil
		})
	})
}

func (s *sealer) put(etcd *clientv3.Client, from, to int) error {
	return batches(from, to, func(from, to int) error {
		return commit(etcd, from, to, func(i int) (clientv3.Op, error) {
			value, err := s.value(i)
			return clientv3.OpPut(key(i), string(value)), err
		})
	})
}

func batches(from, to int, do func(from, to int) error) error {
	for ; from < to; from += servers.MaxPuts {
		if err := do(from, min(to, from+servers.MaxPuts)); err != nil {
			return err
		}
	}
	return nil
}

func commit(etcd *clientv3.Client, from, to int, op func(int) (clientv3.Op, error)) error {
	ops := make([]clientv3.Op, 0, to-from)
	for i := from; i < to; i++ {
		one, err := op(i)
		if err != nil {
			return err
		}
		ops = append(ops, one)
	}
	_, err := etcd.Txn(context.Background()).Then(ops...).Commit()
	return err
}
