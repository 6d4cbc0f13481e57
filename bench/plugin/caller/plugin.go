// Package caller calls a KMS v2 plugin as an API server does, and times it.
package caller

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	kms "k8s.io/kms/apis/v2"
)

// callTimeout is the API server's own default.
const callTimeout = 3 * time.Second

// Plugin is one connection to a plugin.
type Plugin struct {
	conn   *grpc.ClientConn
	client kms.KeyManagementServiceClient
	plain  []byte
	sealed *kms.EncryptResponse
}

// Connect prepares the one connection an API server has. Nothing is sent before the first call.
func Connect(socket string) (*Plugin, error) {
	conn, err := grpc.NewClient("unix://"+socket,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithAuthority("localhost"),
		grpc.WithDefaultCallOptions(grpc.WaitForReady(true)))
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 32)
	rand.Read(plain)
	return &Plugin{conn: conn, client: kms.NewKeyManagementServiceClient(conn), plain: plain}, nil
}

// Close ends the connection.
func (p *Plugin) Close() { _ = p.conn.Close() }

// Status fails unless the plugin says it is well.
func (p *Plugin) Status() error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	answer, err := p.client.Status(ctx, &kms.StatusRequest{})
	if err != nil {
		return err
	}
	if answer.Healthz != "ok" || answer.Version != "v2" {
		return fmt.Errorf("not well: %q, version %q", answer.Healthz, answer.Version)
	}
	return nil
}

func (p *Plugin) encrypt() (*kms.EncryptResponse, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return p.client.Encrypt(ctx, &kms.EncryptRequest{Plaintext: p.plain, Uid: "bench"})
}

// Encrypt wraps the payload and wants an answer that could be the right one.
func (p *Plugin) Encrypt() error {
	answer, err := p.encrypt()
	if err == nil && (len(answer.Ciphertext) < len(p.plain) || answer.KeyId == "") {
		err = errors.New("the answer to Encrypt is too short")
	}
	return err
}

// Seal keeps one wrapped payload for Decrypt.
func (p *Plugin) Seal() (err error) {
	p.sealed, err = p.encrypt()
	return err
}

// Decrypt unwraps what Seal kept and compares every byte.
func (p *Plugin) Decrypt() error {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	answer, err := p.client.Decrypt(ctx, &kms.DecryptRequest{
		Ciphertext: p.sealed.Ciphertext, KeyId: p.sealed.KeyId,
		Annotations: p.sealed.Annotations, Uid: "bench",
	})
	if err == nil && !bytes.Equal(answer.Plaintext, p.plain) {
		err = errors.New("Decrypt gave other bytes")
	}
	return err
}

// Operation finds a call by its name.
func (p *Plugin) Operation(name string) (func() error, error) {
	switch name {
	case "status":
		return p.Status, nil
	case "encrypt":
		return p.Encrypt, nil
	case "decrypt":
		return p.Decrypt, p.Seal()
	}
	return nil, fmt.Errorf("unknown operation %q: say status, encrypt or decrypt", name)
}
