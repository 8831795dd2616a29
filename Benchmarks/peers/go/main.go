// A server's chain in Go's crypto/x509: `peer FOLDER HOST WRONG-HOST UNIX-TIME
// MILLISECONDS` reads root.der, intermediate.der and leaf.der of the folder, checks that
// the chain is valid for the one host and not for the other, and prints the nanoseconds
// of one validation and the allocations of it, measured for that long after a warm-up.
package main

import (
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

type chain struct {
	roots              *x509.CertPool
	leaf, intermediate []byte
	moment             time.Time
}

func (c chain) isValid(host string) bool {
	leaf, err := x509.ParseCertificate(c.leaf)
	if err != nil {
		return false
	}
	intermediate, err := x509.ParseCertificate(c.intermediate)
	if err != nil {
		return false
	}
	pool := x509.NewCertPool()
	pool.AddCert(intermediate)
	_, err = leaf.Verify(x509.VerifyOptions{
		DNSName: host, Roots: c.roots, Intermediates: pool, CurrentTime: c.moment,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return err == nil
}

func fail(words ...any) {
	fmt.Fprintln(os.Stderr, words...)
	os.Exit(1)
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		fail(err)
	}
	return value
}

func octets(folder, name string) []byte {
	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		fail(err)
	}
	return content
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "version" {
		fmt.Println(runtime.Version())
		return
	}
	if len(os.Args) != 6 {
		fail("usage: peer FOLDER HOST WRONG-HOST UNIX-TIME MILLISECONDS")
	}
	folder, host, wrong := os.Args[1], os.Args[2], os.Args[3]
	slice := time.Duration(number(os.Args[5])) * time.Millisecond
	root, err := x509.ParseCertificate(octets(folder, "root.der"))
	if err != nil {
		fail(err)
	}
	c := chain{
		roots: x509.NewCertPool(), leaf: octets(folder, "leaf.der"),
		intermediate: octets(folder, "intermediate.der"), moment: time.Unix(number(os.Args[4]), 0),
	}
	c.roots.AddCert(root)
	if !c.isValid(host) || c.isValid(wrong) {
		fail("a wrong verdict")
	}
	c.run(host, slice/2)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	count, elapsed := c.run(host, slice)
	runtime.ReadMemStats(&after)
	fmt.Println(elapsed.Nanoseconds()/count, (after.Mallocs-before.Mallocs)/uint64(count))
}

// run validates for at least so long, in batches of 16.
func (c chain) run(host string, slice time.Duration) (int64, time.Duration) {
	start := time.Now()
	for count := int64(0); ; {
		for turn := 0; turn < 16; turn++ {
			if !c.isValid(host) {
				fail("a wrong verdict")
			}
		}
		count += 16
		if elapsed := time.Since(start); elapsed >= slice {
			return count, elapsed
		}
	}
}
