package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"

	"golang.org/x/crypto/nacl/secretbox"
	kms "k8s.io/kms/apis/v2"

	"io.keyward/bench/audit/servers"
)

// seal makes a stored value of a plaintext, as kube-apiserver does.
type seal func(key string, plain []byte) ([]byte, error)

// sealer knows the keys of the configuration and the seeds that the plugin wrapped.
type sealer struct {
	noise *rand.ChaCha8
	keys  localKeys
	seeds []seed
}

type localKeys struct {
	CBC, GCM, Box []byte
}

type seed struct {
	bytes []byte
	// tail is what follows the sealed bytes in the message: the same for all values of a seed.
	tail []byte
}

// newSealer draws everything from one number, so that two runs differ in the wrapping alone.
func newSealer(plugin *servers.Plugin, seeds int) (*sealer, error) {
	s := &sealer{noise: rand.NewChaCha8([32]byte{1})}
	s.keys = localKeys{s.random(32), s.random(32), s.random(32)}
	for range seeds {
		bytes := s.random(32)
		wrapped, err := plugin.Wrap(bytes)
		if err != nil {
			return nil, err
		}
		s.seeds = append(s.seeds, seed{bytes, tail(wrapped)})
	}
	return s, nil
}

func (s *sealer) random(size int) []byte {
	b := make([]byte, size)
	_, _ = s.noise.Read(b)
	return b
}

func (s *sealer) identity(_ string, plain []byte) ([]byte, error) { return plain, nil }

func (s *sealer) aescbc(_ string, plain []byte) ([]byte, error) {
	block, err := aes.NewCipher(s.keys.CBC)
	if err != nil {
		return nil, err
	}
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	padded := append(bytes.Clone(plain), bytes.Repeat([]byte{byte(pad)}, pad)...)
	iv := s.random(aes.BlockSize)
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(padded, padded)
	return join("k8s:enc:aescbc:v1:cbc-key:", iv, padded), nil
}

func (s *sealer) aesgcm(key string, plain []byte) ([]byte, error) {
	sealed, err := s.gcm(s.keys.GCM, key, plain)
	return join("k8s:enc:aesgcm:v1:gcm-key:", sealed), err
}

func (s *sealer) secretbox(_ string, plain []byte) ([]byte, error) {
	nonce := [24]byte(s.random(24))
	box := secretbox.Seal(nonce[:], plain, &nonce, (*[32]byte)(s.keys.Box))
	return join("k8s:enc:secretbox:v1:box-key:", box), nil
}

// kmsV2 derives a key for this value alone, as kube-apiserver does since 1.29.
func (s *sealer) kmsV2(number int) seal {
	from := s.seeds[number%len(s.seeds)]
	return func(key string, plain []byte) ([]byte, error) {
		info := s.random(32)
		dek, err := hkdf.Expand(sha256.New, from.bytes, string(info), 32)
		if err != nil {
			return nil, err
		}
		sealed, err := s.gcm(dek, key, plain)
		data := append(info, sealed...)
		return join("k8s:enc:kms:v2:bench:", field(1, data), from.tail), err
	}
}

func (s *sealer) gcm(dek []byte, key string, plain []byte) ([]byte, error) {
	block, err := aes.NewCipher(dek)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	nonce := s.random(aead.NonceSize())
	return aead.Seal(nonce, nonce, plain, []byte(key)), nil
}

func tail(wrapped *kms.EncryptResponse) []byte {
	out := join("", field(2, []byte(wrapped.KeyId)), field(3, wrapped.Ciphertext))
	for name, value := range wrapped.Annotations {
		out = append(out, field(4, join("", field(1, []byte(name)), field(2, value)))...)
	}
	const typeOfSource, isSeed = 5 << 3, 1
	return append(out, typeOfSource, isSeed)
}

// field is a length-delimited field of protobuf.
func field(number byte, content []byte) []byte {
	out := binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(content)))
	return append(out, content...)
}

func join(head string, parts ...[]byte) []byte {
	return append([]byte(head), bytes.Join(parts, nil)...)
}
