package main

import (
	"context"
	"log"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	kms "k8s.io/kms/apis/v2"
)

const (
	statusAge = 5 * time.Second
	// Less than an API server waits: a slow Vault is reported, not passed on as a time-out.
	statusLimit = 2 * time.Second
)

type plugin struct {
	kms.UnimplementedKeyManagementServiceServer
	vault *vault

	mutex          sync.Mutex
	healthz, keyID string
	asked          time.Time
}

func (p *plugin) Status(context.Context, *kms.StatusRequest) (*kms.StatusResponse, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.asked.IsZero() || time.Since(p.asked) >= statusAge {
		p.refresh()
	}
	return &kms.StatusResponse{Version: "v2", Healthz: p.healthz, KeyId: p.keyID}, nil
}

// Keeps the last key_id through an outage, so that an outage does not look like a rotation. The
// result serves other calls too, and must not depend on the deadline of one.
func (p *plugin) refresh() {
	limited, cancel := context.WithTimeout(context.Background(), statusLimit)
	defer cancel()
	healthz := "ok"
	if version, err := p.vault.latestVersion(limited); err != nil {
		healthz = err.Error()
	} else {
		p.keyID = p.vault.keyID(version)
	}
	if healthz != p.healthz {
		log.Printf("Health: %s", healthz)
	}
	p.healthz, p.asked = healthz, time.Now()
}

func (p *plugin) Encrypt(ctx context.Context, request *kms.EncryptRequest) (*kms.EncryptResponse, error) {
	ciphertext, err := p.vault.encrypt(ctx, request.Plaintext)
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	// "vault:v3:...": the version that encrypted, which Status may not know yet.
	parts := strings.SplitN(ciphertext, ":", 3)
	if len(parts) != 3 || !strings.HasPrefix(ciphertext, "vault:v") {
		return nil, status.Error(codes.Internal, "Vault returned a ciphertext without a version")
	}
	return &kms.EncryptResponse{Ciphertext: []byte(ciphertext), KeyId: p.vault.keyID(parts[1])}, nil
}

func (p *plugin) Decrypt(ctx context.Context, request *kms.DecryptRequest) (*kms.DecryptResponse, error) {
	plaintext, err := p.vault.decrypt(ctx, string(request.Ciphertext))
	if err != nil {
		return nil, status.Error(codes.Unavailable, err.Error())
	}
	return &kms.DecryptResponse{Plaintext: plaintext}, nil
}
