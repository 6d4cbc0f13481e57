package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Other calls wait while one logs in, so a login must end before an API server gives up.
const callLimit = 2 * time.Second

type vault struct {
	settings
	mount, name string
	client      *http.Client

	mutex   sync.Mutex
	token   string
	expires time.Time
}

// The responses of all paths that the plugin uses. Bytes are base64 in JSON, as Vault has them.
type response struct {
	Errors []string
	Auth   struct {
		ClientToken   string `json:"client_token"`
		LeaseDuration int    `json:"lease_duration"`
	}
	Data struct {
		Ciphertext    string
		Plaintext     []byte
		LatestVersion int `json:"latest_version"`
	}
}

func newVault(s settings) (*vault, error) {
	trust := &tls.Config{ServerName: s.serverName}
	if s.caFile != "" {
		pem, err := os.ReadFile(s.caFile)
		if err != nil {
			return nil, err
		}
		trust.RootCAs = x509.NewCertPool()
		if !trust.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no certificate", s.caFile)
		}
	}
	v := &vault{settings: s}
	v.mount, v.name = s.key()
	v.client = &http.Client{Timeout: callLimit, Transport: &http.Transport{TLSClientConfig: trust}}
	return v, nil
}

func (v *vault) keyID(version string) string {
	return v.name + ":" + version
}

func (v *vault) latestVersion(ctx context.Context) (string, error) {
	result, err := v.call(ctx, http.MethodGet, "keys", nil)
	return fmt.Sprintf("v%d", result.Data.LatestVersion), err
}

func (v *vault) encrypt(ctx context.Context, plaintext []byte) (string, error) {
	result, err := v.call(ctx, http.MethodPost, "encrypt", map[string]any{"plaintext": plaintext})
	return result.Data.Ciphertext, err
}

func (v *vault) decrypt(ctx context.Context, ciphertext string) ([]byte, error) {
	result, err := v.call(ctx, http.MethodPost, "decrypt", map[string]any{"ciphertext": ciphertext})
	return result.Data.Plaintext, err
}

// Logs in again and repeats the call once if Vault refuses the token: it may have been revoked.
func (v *vault) call(ctx context.Context, method, verb string, body any) (response, error) {
	var result response
	token, err := "", error(nil)
	for status := http.StatusForbidden; status == http.StatusForbidden; {
		refused := token
		if token, err = v.login(ctx, refused); err != nil {
			return result, err
		}
		path := v.mount + "/" + verb + "/" + v.name
		result, status, err = v.send(ctx, method, path, v.namespace, token, body)
		if refused != "" {
			break
		}
	}
	return result, err
}

// Returns a token other than the one that Vault refused.
func (v *vault) login(ctx context.Context, refused string) (string, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.token != refused && time.Now().Before(v.expires) {
		return v.token, nil
	}
	secretID, err := os.ReadFile(v.secretIDFile)
	if err != nil {
		return "", err
	}
	body := map[string]any{"role_id": v.roleID, "secret_id": strings.TrimSpace(string(secretID))}
	namespace := cmp.Or(v.authNamespace, v.namespace)
	result, _, err := v.send(ctx, http.MethodPost, "auth/approle/login", namespace, "", body)
	if err != nil {
		return "", fmt.Errorf("login failed: %w", err)
	}
	lease := time.Duration(result.Auth.LeaseDuration) * time.Second
	// Not to the last second: the clock of Vault may be ahead.
	v.token, v.expires = result.Auth.ClientToken, time.Now().Add(lease*9/10)
	log.Printf("Logged in to Vault for %v", lease)
	return v.token, nil
}

func (v *vault) send(ctx context.Context, method, path, namespace, token string, body any) (response, int, error) {
	var result response
	content, err := json.Marshal(body)
	if err != nil {
		return result, 0, err
	}
	url := strings.TrimSuffix(v.address, "/") + "/v1/" + path
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(content))
	if err != nil {
		return result, 0, err
	}
	request.Header.Set("X-Vault-Token", token)
	request.Header.Set("X-Vault-Namespace", namespace)
	answer, err := v.client.Do(request)
	if err != nil {
		return result, 0, fmt.Errorf("Vault is unreachable: %w", err)
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&result)
	if answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("Vault responded with %s: %s", answer.Status, strings.Join(result.Errors, "; "))
	}
	return result, answer.StatusCode, err
}
