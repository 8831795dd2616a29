// The work of the benchmarks in Go's crypto/x509. Benchmarks/README.md has the protocol.
package main

import (
	"bufio"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

type question struct {
	roots         *x509.CertPool
	leaf          []byte
	intermediates [][]byte
}

func (q *question) isValid(host string, moment time.Time) bool {
	leaf, err := x509.ParseCertificate(q.leaf)
	if err != nil {
		return false
	}
	pool := x509.NewCertPool()
	for _, der := range q.intermediates {
		intermediate, err := x509.ParseCertificate(der)
		if err != nil {
			return false
		}
		pool.AddCert(intermediate)
	}
	_, err = leaf.Verify(x509.VerifyOptions{
		DNSName: host, Roots: q.roots, Intermediates: pool, CurrentTime: moment,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return err == nil
}

// load parses every certificate of a bundle now; AppendCertsFromPEM would defer that.
func load(text []byte) string {
	pool, count := x509.NewCertPool(), 0
	for {
		var block *pem.Block
		block, text = pem.Decode(text)
		if block == nil {
			return strconv.Itoa(count)
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return "unreadable"
		}
		pool.AddCert(certificate)
		count++
	}
}

func verdict(isRight bool) string {
	if isRight {
		return "valid"
	}
	return "invalid"
}

func measure(work func() string, expected string, slice time.Duration) string {
	if work == nil {
		return "nothing to measure"
	}
	for _, share := range []time.Duration{4, 1} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		elapsed := time.Duration(0)
		count := int64(0)
		for elapsed < slice/share {
			if work() != expected {
				return "a changed answer"
			}
			count++
			if count&(count-1) == 0 || count%16 == 0 {
				elapsed = time.Since(start)
			}
		}
		runtime.ReadMemStats(&after)
		if share == 1 {
			return fmt.Sprint(elapsed.Nanoseconds()/count, " ",
				(after.Mallocs-before.Mallocs)/uint64(count))
		}
	}
	return ""
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	q := &question{roots: x509.NewCertPool()}
	var work func() string
	var expected string
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		der := []byte{}
		if len(words) == 2 {
			der, _ = base64.StdEncoding.DecodeString(words[1])
		}
		switch {
		case len(words) == 1 && words[0] == "version":
			fmt.Println("Go", strings.TrimPrefix(runtime.Version(), "go"))
		case len(words) == 1 && words[0] == "new":
			q, work = &question{roots: x509.NewCertPool()}, nil
		case len(words) == 2 && words[0] == "anchor":
			if root, err := x509.ParseCertificate(der); err == nil {
				q.roots.AddCert(root)
			}
		case len(words) == 2 && words[0] == "leaf":
			q.leaf = der
		case len(words) == 2 && words[0] == "intermediate":
			q.intermediates = append(q.intermediates, der)
		case len(words) == 3 && words[0] == "validate":
			asked, host := q, words[1]
			seconds, _ := strconv.ParseInt(words[2], 10, 64)
			moment := time.Unix(seconds, 0)
			work = func() string { return verdict(asked.isValid(host, moment)) }
			expected = work()
			fmt.Println(expected)
		case len(words) == 1 && words[0] == "read":
			leaf := q.leaf
			work = func() string {
				_, err := x509.ParseCertificate(leaf)
				return verdict(err == nil)
			}
			expected = work()
			fmt.Println(expected)
		case len(words) == 2 && words[0] == "load":
			text, _ := os.ReadFile(words[1])
			work = func() string { return load(text) }
			expected = work()
			fmt.Println(expected)
		case len(words) == 2 && words[0] == "measure":
			milliseconds, _ := strconv.Atoi(words[1])
			fmt.Println(measure(work, expected, time.Duration(milliseconds)*time.Millisecond))
		default:
			fmt.Println("not understood")
		}
	}
}
