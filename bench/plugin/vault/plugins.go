package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"io.keyward/bench/plugin/caller"
)

// plugin is Keyward's plugin with one key.
type plugin struct {
	*caller.Plugin
	cmd   *exec.Cmd
	calls map[string]func() error
}

// open starts one from the lines about its provider.
func open(dir, keyward, name, probe, provider string) (*plugin, error) {
	socket := filepath.Join(dir, name)
	config := socket + ".yaml"
	text := fmt.Sprintf("probeInterval: %s\nkeys:\n  - name: bench\n    socket: %s\n%s", probe, socket, provider)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	cmd, err := process(socket+".log", nil, keyward, "plugin", "--config", config)
	if err != nil {
		return nil, err
	}
	p, err := caller.AwaitStatus(socket, time.Minute)
	if err != nil {
		log, _ := os.ReadFile(socket + ".log")
		end(cmd)
		return nil, fmt.Errorf("%w; the plugin said: %s", err, log)
	}
	made := &plugin{p, cmd, map[string]func() error{}}
	for _, op := range operations {
		if made.calls[op], err = p.Operation(op); err != nil {
			made.close()
			return nil, err
		}
	}
	return made, nil
}

func (p *plugin) close() {
	p.Plugin.Close()
	end(p.cmd)
}

// residentMB is in MB of 1,000,000 bytes.
func (p *plugin) residentMB() float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmRSS:" {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib * 1024 / 1e6
		}
	}
	return 0
}

func vaultLines(v *vault) string {
	lines := fmt.Sprintf(`    provider: vault
    vault:
      address: %s
      key: kms
      auth: approle
      roleId: bench
      secretIdFile: %s
`, v.url(), filepath.Join(v.dir, "secret-id"))
	if v.plain {
		return lines
	}
	return lines + fmt.Sprintf("      caFile: %s\n", v.ca())
}

// localLines is the plugin with no backend. It makes the key store that it names.
func localLines(dir, keyward string) (string, error) {
	store, password := filepath.Join(dir, "keys.p12"), filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("only for this benchmark\n"), 0o600); err != nil {
		return "", err
	}
	out, err := exec.Command(keyward, "keystore", "create", "--keystore", store, "--password-file", password).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot make a key store: %w: %s", err, out)
	}
	return fmt.Sprintf("    provider: local\n    local: {keystore: %s, passwordFile: %s}\n", store, password), nil
}
