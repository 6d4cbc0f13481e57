package servers

import (
	"context"
	"fmt"
	"net"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// MaxPuts is how many writes one transaction may hold.
const MaxPuts = 250

// Etcd is a member on its own.
type Etcd struct {
	*Process
	Endpoint string
	Client   *clientv3.Client
}

// StartEtcd starts a member without fsync: what it holds can be made again.
func StartEtcd(binary, dir string) (*Etcd, error) {
	client, peer, err := ports()
	if err != nil {
		return nil, err
	}
	endpoint, peerURL := "http://"+client, "http://"+peer
	p, err := start(binary, "--name", "bench", "--data-dir", dir,
		"--listen-client-urls", endpoint, "--advertise-client-urls", endpoint,
		"--listen-peer-urls", peerURL, "--initial-advertise-peer-urls", peerURL,
		"--initial-cluster", "bench="+peerURL,
		"--unsafe-no-fsync", "--quota-backend-bytes", fmt.Sprint(int64(8)<<30),
		"--max-txn-ops", fmt.Sprint(MaxPuts), "--max-request-bytes", fmt.Sprint(8<<20),
		"--log-level", "error")
	if err != nil {
		return nil, err
	}
	c, err := clientv3.New(clientv3.Config{
		Endpoints: []string{endpoint}, Logger: zap.NewNop(),
		MaxCallSendMsgSize: 16 << 20,
	})
	if err != nil {
		p.Stop()
		return nil, err
	}
	e := &Etcd{p, endpoint, c}
	return e, p.await(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_, err := c.Get(ctx, "ready")
		return err
	})
}

// Stop ends the connection and the member.
func (e *Etcd) Stop() {
	_ = e.Client.Close()
	e.Process.Stop()
}

// ports finds two that are free now.
func ports() (one, other string, err error) {
	a, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer a.Close()
	b, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", "", err
	}
	defer b.Close()
	return a.Addr().String(), b.Addr().String(), nil
}
