// The first process of a pod: holds its namespaces and reaps orphans.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// kubeadm's health check before an upgrade is a Job that runs "pause -v" and must end.
	if len(os.Args) > 1 && os.Args[1] == "-v" {
		fmt.Println("pause of the Keyward testbed")
		return
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		for {
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
				break
			}
		}
	}
}
