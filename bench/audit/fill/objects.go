package main

import "fmt"

const (
	namespaces = 500
	smallest   = 300
	spread     = 2050
)

var resources = []string{"secrets", "configmaps", "pods", "serviceaccounts", "deployments", "leases"}

// key spreads objects over resources and namespaces.
func key(number int) string {
	return fmt.Sprintf("/registry/%s/namespace-%03d/object-%07d",
		resources[number%len(resources)], number/len(resources)%namespaces, number)
}

// plain begins as kube-apiserver's own encoding does; the rest is noise, which no disk can shrink.
func (s *sealer) plain() []byte {
	size := smallest + int(s.noise.Uint64()%spread)
	return join("k8s\x00", s.random(size))
}

// value is what etcd holds: six of ten under KMS v2, one each of the others.
func (s *sealer) value(number int) ([]byte, error) {
	choices := []seal{s.identity, s.aescbc, s.aesgcm, s.secretbox}
	// By a number that has nothing to do with the key's resource and namespace.
	mixed := int(uint32(number) * 2654435761 >> 8)
	choice := s.kmsV2(mixed / 10)
	if mixed%10 < len(choices) {
		choice = choices[mixed%10]
	}
	return choice(key(number), s.plain())
}

// config reads all of it. The endpoint is never used: the audit is told the socket.
func (s *sealer) config() string {
	return fmt.Sprintf(`apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: ["*.*"]
    providers:
      - kms: {apiVersion: v2, name: bench, endpoint: "unix:///run/bench.sock", timeout: 3s}
      - aesgcm: {keys: [{name: gcm-key, secret: %q}]}
      - aescbc: {keys: [{name: cbc-key, secret: %q}]}
      - secretbox: {keys: [{name: box-key, secret: %q}]}
      - identity: {}
`, base64(s.keys.GCM), base64(s.keys.CBC), base64(s.keys.Box))
}
