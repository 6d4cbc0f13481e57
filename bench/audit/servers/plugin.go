package servers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	kms "k8s.io/kms/apis/v2"
)

const callTimeout = 10 * time.Second

// Plugin is Keyward's own, with a key store in a directory that keeps it.
type Plugin struct {
	*Process
	Socket  string
	metrics string
	conn    *grpc.ClientConn
	client  kms.KeyManagementServiceClient
}

// StartPlugin makes the key store where there is none. Sockets have short paths, so they live in
// a directory of their own.
func StartPlugin(keyward, keys, sockets string) (*Plugin, error) {
	password, store := filepath.Join(keys, "password"), filepath.Join(keys, "keys.p12")
	if !exists(store) {
		if err := os.WriteFile(password, []byte("only for this benchmark\n"), 0o600); err != nil {
			return nil, err
		}
		if _, err := Run(keyward, "keystore", "create", "--keystore", store,
			"--password-file", password, "--key", "bench"); err != nil {
			return nil, err
		}
	}
	metrics, _, err := ports()
	if err != nil {
		return nil, err
	}
	socket := filepath.Join(sockets, "kms")
	config := filepath.Join(sockets, "plugin.yaml")
	text := fmt.Sprintf("listen: %s\nkeys:\n  - name: bench\n    socket: %s\n    provider: local\n"+
		"    local:\n      keystore: %s\n      passwordFile: %s\n      key: bench\n",
		metrics, socket, store, password)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, err
	}
	p, err := start(keyward, "plugin", "--config", config)
	if err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient("unix://"+socket,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithAuthority("localhost"))
	if err != nil {
		p.Stop()
		return nil, err
	}
	plugin := &Plugin{p, socket, metrics, conn, kms.NewKeyManagementServiceClient(conn)}
	return plugin, p.await(plugin.status)
}

// Stop ends the connection and the plugin.
func (p *Plugin) Stop() {
	_ = p.conn.Close()
	p.Process.Stop()
}

func (p *Plugin) status() error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	answer, err := p.client.Status(ctx, &kms.StatusRequest{})
	if err == nil && answer.Healthz != "ok" {
		err = fmt.Errorf("not well: %q", answer.Healthz)
	}
	return err
}

// Wrap lets the plugin wrap a seed.
func (p *Plugin) Wrap(seed []byte) (*kms.EncryptResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return p.client.Encrypt(ctx, &kms.EncryptRequest{Plaintext: seed, Uid: "bench"})
}

var decrypts = regexp.MustCompile(`(?m)^\w*kms_decrypt_requests_total(?:\{[^}]*\})? (\S+)`)

// Decrypts is how often the plugin was asked to unwrap so far, in its own words.
func (p *Plugin) Decrypts() (int, error) {
	answer, err := http.Get("http://" + p.metrics + "/metrics")
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, found := range decrypts.FindAllStringSubmatch(string(text), -1) {
		value, err := strconv.ParseFloat(strings.TrimSpace(found[1]), 64)
		if err != nil {
			return 0, err
		}
		total += value
	}
	return int(total), nil
}
