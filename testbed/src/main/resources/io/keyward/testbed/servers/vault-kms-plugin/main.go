// A KMS v2 plugin that Keyward did not write, for tests: it takes the arguments that OpenShift gives
// to the plugin of Vault, and keeps to what the KMS v2 API requires of any plugin.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"google.golang.org/grpc"
	kms "k8s.io/kms/apis/v2"
)

// A client that does not answer must not delay the end of a pod.
const grace = 2 * time.Second

type settings struct {
	listen, address, keyPath, roleID, secretIDFile string
	caFile, serverName, namespace, authNamespace   string
}

func main() {
	var s settings
	flag.StringVar(&s.listen, "listen-address", "", "unix:// URL of the socket")
	flag.StringVar(&s.address, "vault-address", "", "https:// URL of Vault")
	flag.StringVar(&s.keyPath, "vault-key-path", "", "<mount>/keys/<name> of a transit key")
	flag.StringVar(&s.roleID, "approle-role-id", "", "role ID")
	flag.StringVar(&s.secretIDFile, "approle-secret-id-path", "", "file with the secret ID")
	flag.StringVar(&s.caFile, "tls-ca-file", "", "file with the CA of Vault (default: the system's)")
	flag.StringVar(&s.serverName, "tls-sni", "", "server name in the certificate of Vault")
	flag.StringVar(&s.namespace, "vault-namespace", "", "namespace of the key")
	flag.StringVar(&s.authNamespace, "vault-auth-namespace", "", "namespace of the login (default: that of the key)")
	flag.Uint("metrics-port", 0, "ignored: this plugin has no metrics")
	flag.Parse()
	if problem := s.problem(); problem != "" {
		fmt.Fprintln(os.Stderr, problem)
		os.Exit(2)
	}
	if err := s.serve(); err != nil {
		log.Fatalf("Exiting: %v", err)
	}
}

func (s *settings) problem() string {
	mount, name := s.key()
	switch {
	case flag.NArg() > 0:
		return "unexpected argument: " + flag.Arg(0)
	case !strings.HasPrefix(s.listen, "unix:///"):
		return "-listen-address must start with unix:///"
	case !strings.HasPrefix(s.address, "https://"):
		return "-vault-address must start with https://"
	case mount == "" || name == "" || strings.Contains(name, "/"):
		return "-vault-key-path must have the form <mount>/keys/<name>"
	case s.roleID == "" || s.secretIDFile == "":
		return "-approle-role-id and -approle-secret-id-path are required"
	}
	return ""
}

// A mount may contain slashes, and even the word keys.
func (s *settings) key() (mount, name string) {
	at := max(0, strings.LastIndex(s.keyPath, "/keys/"))
	return s.keyPath[:at], strings.TrimPrefix(s.keyPath[at:], "/keys/")
}

// Opens the socket without asking Vault: an API server may start long before Vault responds.
func (s *settings) serve() error {
	vault, err := newVault(*s)
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(s.listen, "unix://")
	file, err := os.Lstat(path)
	if err == nil && file.Mode()&os.ModeSocket != 0 {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	kms.RegisterKeyManagementServiceServer(server, &plugin{vault: vault})
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		log.Printf("Received %v, stopping", <-ended)
		time.AfterFunc(grace, server.Stop)
		server.GracefulStop()
	}()
	log.Printf("Listening on %s for key %s", s.listen, s.keyPath)
	return server.Serve(listener)
}
