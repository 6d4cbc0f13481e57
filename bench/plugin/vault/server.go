package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const rootToken = "only-for-this-benchmark"

// process is a server that this program started, and that does not outlive it.
func process(log string, env []string, name string, args ...string) (*exec.Cmd, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd, cmd.Start()
}

func end(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// vault is a real Vault in memory: empty after every start. It speaks TLS unless it is plain, as an
// agent on the same node would be.
type vault struct {
	dir, binary string
	plain       bool
	port        int
	cmd         *exec.Cmd
}

func (v *vault) url() string {
	if v.plain {
		return fmt.Sprintf("http://127.0.0.1:%d", v.port)
	}
	return fmt.Sprintf("https://127.0.0.1:%d", v.port)
}

// how it is spoken to, in the names of rows; TLS goes without saying.
func (v *vault) how() string {
	if v.plain {
		return " over plain HTTP"
	}
	return ""
}

func (v *vault) ca() string { return filepath.Join(v.dir, "vault-ca.pem") }

func (v *vault) start() error {
	if v.port == 0 {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		v.port = free.Addr().(*net.TCPAddr).Port
		_ = free.Close()
	}
	args := []string{"server", "-dev", "-dev-no-store-token", fmt.Sprintf("-dev-listen-address=127.0.0.1:%d", v.port)}
	if !v.plain {
		args = append(args, "-dev-tls", "-dev-tls-cert-dir="+v.dir)
	}
	var err error
	v.cmd, err = process(filepath.Join(v.dir, "vault.log"),
		[]string{"VAULT_DEV_ROOT_TOKEN_ID=" + rootToken, "HOME=" + v.dir}, v.binary, args...)
	if err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if client, err := v.client(false); err == nil {
			if _, err = call(client, rootToken, v.url()+"/v1/sys/health", nil); err == nil {
				return nil
			}
		}
		if time.Now().After(end) {
			return errors.New("Vault does not start: see vault.log")
		}
	}
}

// client keeps as many connections as there are callers, or one for all with HTTP/2.
func (v *vault) client(http2 bool) (*http.Client, error) {
	transport := &http.Transport{MaxIdleConns: 256, MaxIdleConnsPerHost: 256, ForceAttemptHTTP2: http2}
	if !v.plain {
		pem, err := os.ReadFile(v.ca())
		if err != nil {
			return nil, err
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		transport.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	return &http.Client{Timeout: 10 * time.Second, Transport: transport}, nil
}

func call(client *http.Client, token, url string, body any) (map[string]any, error) {
	method, text := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if token != "" {
		request.Header.Set("X-Vault-Token", token)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		return nil, fmt.Errorf("%s: %d %s %w", url, response.StatusCode, answer, err)
	}
	fields := map[string]any{}
	if len(answer) > 0 {
		err = json.Unmarshal(answer, &fields)
	}
	return fields, err
}

func (v *vault) admin(path string, body any) (map[string]any, error) {
	client, err := v.client(false)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	fields, err := call(client, rootToken, v.url()+"/v1/"+path, body)
	data, _ := fields["data"].(map[string]any)
	return data, err
}

type fields map[string]any

// setUp makes a key, a least policy and an AppRole with fixed credentials.
func (v *vault) setUp() error {
	policy := `path "transit/encrypt/+" { capabilities = ["update"] }
path "transit/decrypt/+" { capabilities = ["update"] }`
	for _, step := range []struct {
		path string
		body fields
	}{
		{"sys/mounts/transit", fields{"type": "transit"}},
		{"transit/keys/kms", fields{}},
		{"sys/policies/acl/kms", fields{"policy": policy}},
		{"sys/auth/approle", fields{"type": "approle"}},
		{"auth/approle/role/kms", fields{"token_policies": "kms"}},
		{"auth/approle/role/kms/role-id", fields{"role_id": "bench"}},
		{"auth/approle/role/kms/custom-secret-id", fields{"secret_id": "bench-secret"}},
	} {
		if _, err := v.admin(step.path, step.body); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(v.dir, "secret-id"), []byte("bench-secret"), 0o600)
}

// connections are our ends of TCP connections to Vault, also of those closed a moment ago.
func (v *vault) connections() map[string]bool {
	found := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 3 && strings.HasSuffix(f[2], fmt.Sprintf(":%04X", v.port)) {
				found[f[1]] = true
			}
		}
	}
	return found
}
