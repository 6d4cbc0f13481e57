// The plugin that Keyward's plugin is measured against: KMS v2 over a unix socket, AES-256-GCM
// under a key in memory, and nothing else. It answers with as many bytes as Keyward does.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	kms "k8s.io/kms/apis/v2"
)

const format = 1

var annotations = map[string][]byte{
	"provider.bench.keyward.io": []byte("local"),
	"key.bench.keyward.io":      []byte("default"),
	"version.bench.keyward.io":  []byte("1"),
}

type plugin struct {
	kms.UnimplementedKeyManagementServiceServer
	aead  cipher.AEAD
	keyID string
}

func newPlugin() (*plugin, error) {
	key := make([]byte, 32)
	rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(key)
	return &plugin{aead: aead, keyID: "ref-" + base64.RawURLEncoding.EncodeToString(digest[:])}, nil
}

func (p *plugin) Status(context.Context, *kms.StatusRequest) (*kms.StatusResponse, error) {
	return &kms.StatusResponse{Version: "v2", Healthz: "ok", KeyId: p.keyID}, nil
}

func (p *plugin) Encrypt(_ context.Context, r *kms.EncryptRequest) (*kms.EncryptResponse, error) {
	sealed := make([]byte, 1+p.aead.NonceSize(), 1+p.aead.NonceSize()+len(r.Plaintext)+p.aead.Overhead())
	sealed[0] = format
	nonce := sealed[1:]
	rand.Read(nonce)
	return &kms.EncryptResponse{
		Ciphertext:  p.aead.Seal(sealed, nonce, r.Plaintext, []byte(p.keyID)),
		KeyId:       p.keyID,
		Annotations: annotations,
	}, nil
}

func (p *plugin) Decrypt(_ context.Context, r *kms.DecryptRequest) (*kms.DecryptResponse, error) {
	start := 1 + p.aead.NonceSize()
	if r.KeyId != p.keyID {
		return nil, status.Error(codes.NotFound, "unknown key_id")
	}
	if len(r.Ciphertext) <= start || r.Ciphertext[0] != format || !sameAnnotations(r.Annotations) {
		return nil, status.Error(codes.InvalidArgument, "not made by this plugin")
	}
	plain, err := p.aead.Open(nil, r.Ciphertext[1:start], r.Ciphertext[start:], []byte(p.keyID))
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, "the ciphertext fails its integrity check")
	}
	return &kms.DecryptResponse{Plaintext: plain}, nil
}

func sameAnnotations(given map[string][]byte) bool {
	if len(given) != len(annotations) {
		return false
	}
	for name, value := range annotations {
		if string(given[name]) != string(value) {
			return false
		}
	}
	return true
}

func serve(socket string) error {
	p, err := newPlugin()
	if err != nil {
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	kms.RegisterKeyManagementServiceServer(server, p)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		server.Stop()
	}()
	return server.Serve(listener)
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference SOCKET")
		os.Exit(64)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(2)
	}
}
