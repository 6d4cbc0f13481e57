package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"io.keyward/bench/plugin/caller"
)

const startPatience = 60 * time.Second

// bench knows where everything is.
type bench struct {
	dir       string // for sockets, keys and configurations
	keyward   string
	reference string
	starts    int
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func keyName(i int) string { return fmt.Sprintf("key-%d", i) }

// prepare makes a key store with that many keys.
func (b *bench) prepare(keys int) error {
	if err := os.WriteFile(b.path("password"), []byte("only for this benchmark\n"), 0o600); err != nil {
		return err
	}
	for i := range keys {
		out, err := exec.Command(b.keyward, "keystore", "create", "--keystore", b.path("keys.p12"),
			"--password-file", b.path("password"), "--key", keyName(i)).CombinedOutput()
		if err != nil {
			return fmt.Errorf("cannot make a key store: %w: %s", err, out)
		}
	}
	return nil
}

// target is a plugin that runs, and the sockets of its keys.
type target struct {
	*process
	sockets []string
}

// ours starts Keyward's plugin with that many keys.
func (b *bench) ours(keys int, env ...string) (*target, error) {
	b.starts++
	config := b.path(fmt.Sprintf("plugin-%d.yaml", b.starts))
	var sockets []string
	text := &strings.Builder{}
	fmt.Fprintf(text, "listen: 127.0.0.1:0\nkeys:\n")
	for i := range keys {
		socket := b.path(fmt.Sprintf("o%d-%d", b.starts, i))
		sockets = append(sockets, socket)
		fmt.Fprintf(text, "  - name: %s\n    socket: %s\n    provider: local\n    local:\n", keyName(i), socket)
		fmt.Fprintf(text, "      keystore: %s\n      passwordFile: %s\n      key: %s\n",
			b.path("keys.p12"), b.path("password"), keyName(i))
	}
	if err := os.WriteFile(config, []byte(text.String()), 0o600); err != nil {
		return nil, err
	}
	p, err := start(env, b.keyward, "plugin", "--config", config)
	return &target{p, sockets}, err
}

func (b *bench) theirs() (*target, error) {
	b.starts++
	socket := b.path(fmt.Sprintf("r%d", b.starts))
	p, err := start(nil, b.reference, socket)
	return &target{p, []string{socket}}, err
}

// ready waits for a good Status on the target's first socket.
func (t *target) ready() (*caller.Plugin, error) {
	p, err := caller.AwaitStatus(t.sockets[0], startPatience)
	if err != nil {
		return nil, t.because(err)
	}
	return p, nil
}

// checkAOT fails where the JVM would quietly go on without the AOT cache.
func (b *bench) checkAOT() error {
	t, err := b.ours(1, "KEYWARD_JAVA_OPTS=-XX:AOTMode=on")
	if err != nil {
		return err
	}
	p, err := t.ready()
	if err != nil {
		return fmt.Errorf("the AOT cache cannot be used: %w", err)
	}
	p.Close()
	t.stop()
	return nil
}
