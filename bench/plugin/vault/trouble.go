package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"io.keyward/bench/plugin/caller"
)

// withRoom callers find a free connection each, so none of them shares a call to Vault.
const withRoom = 8

// counts asks Vault's own audit log how often it was called. The plugin's own probes would count
// too, so they are rare, and a round that met one is made again.
func counts(v *vault, dir, keyward string) ([]row, error) {
	if _, err := v.admin("transit/keys/counted", fields{}); err != nil {
		return nil, err
	}
	quiet, err := open(dir, keyward, "q", "30s", strings.Replace(vaultLines(v), "key: kms", "key: counted", 1))
	if err != nil {
		return nil, err
	}
	defer quiet.close()
	// Whatever is needed once: as many connections as so many callers need.
	for known := -1; known < len(v.connections()); {
		known = len(v.connections())
		caller.RunCount(quiet.calls["encrypt"], 64, 1000)
	}
	audit := filepath.Join(dir, "audit.log")
	if _, err = v.admin("sys/audit/file", fields{"type": "file", "options": fields{"file_path": audit}}); err != nil {
		return nil, err
	}
	for range 5 {
		encrypts, decrypts := audited(audit, "encrypt"), audited(audit, "decrypt")
		before := v.connections()
		slice := caller.RunCount(quiet.calls["encrypt"], 64, 1024)
		fresh := 0
		for end := range v.connections() {
			if !before[end] {
				fresh++
			}
		}
		shared := audited(audit, "encrypt") - encrypts
		few := caller.RunCount(quiet.calls["encrypt"], withRoom, 1024)
		between := audited(audit, "encrypt")
		caller.RunCount(quiet.Status, 8, 1000)
		if audited(audit, "decrypt") > decrypts {
			continue // a probe
		}
		return []row{
			exactly("calls to Vault for each Encrypt, 8 callers", float64(between-encrypts-shared)/float64(few.Calls), 1),
			atMost("calls to Vault for each Encrypt, 64 callers", float64(shared)/float64(slice.Calls), 1, 1),
			exactly("calls to Vault for 1000 Status", float64(audited(audit, "encrypt")-between), 0),
			exactly("new connections in 1024 calls of 64 callers", float64(fresh), 0),
		}, nil
	}
	return nil, fmt.Errorf("a probe in every round: the machine is too busy to count calls")
}

func audited(file, operation string) (count int) {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"type":"response"`) && strings.Contains(line, `"path":"transit/`+operation+`/counted"`) {
			count++
		}
	}
	return count
}

// outages takes the token, then Vault, away. Times are in milliseconds.
func outages(v *vault, p *plugin) ([]row, error) {
	say("a revoked token, a hanging Vault, a dead Vault")
	if _, err := v.admin("sys/leases/revoke-prefix/auth/approle/login", fields{"sync": true}); err != nil {
		return nil, err
	}
	revoked := caller.RunCount(p.Encrypt, 1, 1)
	rows := []row{exactly("failed calls after the token was revoked", float64(revoked.Errors), 0)}

	_ = v.cmd.Process.Signal(syscall.SIGSTOP)
	rows = append(rows, atMost("longest call while Vault hangs, ms", longest(p, 3), 2500, 1))
	_ = v.cmd.Process.Signal(syscall.SIGCONT)
	well, err := untilWell(p)
	rows = append(rows, atMost("well again after Vault goes on, ms", well, 5000, 1))
	if err != nil {
		return nil, err
	}

	end(v.cmd)
	rows = append(rows, atMost("longest call while Vault is down, ms", longest(p, 3), 2500, 1))
	if err = v.start(); err == nil {
		err = v.setUp()
	}
	if err != nil {
		return nil, err
	}
	well, err = untilWell(p)
	return append(rows, atMost("well again after Vault is back, ms", well, 5000, 1)), err
}

func longest(p *plugin, calls int) (millis float64) {
	for range calls {
		begin := time.Now()
		_ = p.Encrypt()
		millis = max(millis, float64(time.Since(begin).Microseconds())/1e3)
	}
	return millis
}

// untilWell waits for Encrypt and then for Status.
func untilWell(p *plugin) (float64, error) {
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if p.Encrypt() == nil && p.Status() == nil {
			return float64(time.Since(begin).Microseconds()) / 1e3, nil
		}
		if time.Since(begin) > time.Minute {
			return 0, fmt.Errorf("not well after a minute")
		}
	}
}
