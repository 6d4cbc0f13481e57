// Command oracle answers, for each document on standard input, whether the code of kube-apiserver
// accepts it as an EncryptionConfiguration. It calls the same function as kube-apiserver.
//
// Input: one document per line, in base64. Output: one line per document, "ok" or "refused: REASON".
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/klog/v2"
)

func main() {
	klog.SetLogger(klog.Logger{})
	directory, err := os.MkdirTemp("", "keyward-oracle")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(directory)
	file := filepath.Join(directory, "config")
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		document, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(line, "\n"))
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(file, document, 0o600); err != nil {
			panic(err)
		}
		fmt.Fprintln(output, judge(file))
		output.Flush()
	}
}

// judge does not wait for KMS plugins: the context is canceled before the probes start, because only
// the verdict matters.
func judge(file string) (verdict string) {
	defer func() {
		if reason := recover(); reason != nil {
			verdict = oneLine("refused: panic: ", fmt.Sprint(reason))
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := encryptionconfig.LoadEncryptionConfig(ctx, file, false, "oracle"); err != nil {
		return oneLine("refused: ", err.Error())
	}
	return "ok"
}

func oneLine(prefix, reason string) string {
	return prefix + fmt.Sprintf("%.300q", reason)
}
