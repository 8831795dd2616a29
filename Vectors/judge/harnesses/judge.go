// Go's crypto/x509, through Certificate.Verify: go run judge.go SUITE
//
// It has no revocation, and no addresses of mail. It knows all paths; the first that it gives counts.
package main

import (
	"bufio"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

type name struct{ Kind, Value string }

type testcase struct {
	ID            string            `json:"id"`
	Leaf          string            `json:"peer_certificate"`
	Intermediates []string          `json:"untrusted_intermediates"`
	Anchors       []string          `json:"trusted_certs"`
	Time          time.Time         `json:"validation_time"`
	Name          *name             `json:"expected_peer_name"`
	Requires      []string          `json:"requires"`
	Settings      map[string]string `json:"settings"`
}

type line struct {
	ID           string   `json:"id"`
	Result       string   `json:"result"`
	Reason       *string  `json:"reason"`
	Path         []string `json:"path"`
	Microseconds int64    `json:"microseconds"`
}

var uses = map[string]x509.ExtKeyUsage{
	"server": x509.ExtKeyUsageServerAuth, "client": x509.ExtKeyUsageClientAuth, "any": x509.ExtKeyUsageAny,
	"codeSigning": x509.ExtKeyUsageCodeSigning, "timeStamping": x509.ExtKeyUsageTimeStamping,
	"ocspSigning": x509.ExtKeyUsageOCSPSigning,
}

var does = []string{
	"rules:rfc5280", "purpose:any", "purpose:codeSigning", "purpose:timeStamping", "purpose:ocspSigning",
}

func read(text string) (*x509.Certificate, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("no block")
	}
	return x509.ParseCertificate(block.Bytes)
}

func pool(texts []string) *x509.CertPool {
	found := x509.NewCertPool()
	for _, text := range texts {
		if certificate, err := read(text); err == nil {
			found.AddCert(certificate)
		}
	}
	return found
}

// reason is the type of the error, and the number of its reason if it has one.
func reason(err error) string {
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) {
		return fmt.Sprintf("CertificateInvalidError %d %v", invalid.Reason, err)
	}
	return fmt.Sprintf("%s %v", strings.TrimPrefix(fmt.Sprintf("%T", err), "x509."), err)
}

func answer(test *testcase) (string, string, []string) {
	leaf, err := read(test.Leaf)
	if err != nil {
		return "FAILURE", "unreadable " + err.Error(), nil
	}
	options := x509.VerifyOptions{
		Roots: pool(test.Anchors), Intermediates: pool(test.Intermediates), CurrentTime: test.Time,
		KeyUsages: []x509.ExtKeyUsage{uses[strings.Fields(test.Settings["purpose"])[0]]},
	}
	if test.Name != nil {
		options.DNSName = test.Name.Value
	}
	chains, err := leaf.Verify(options)
	if err != nil {
		return "FAILURE", reason(err), nil
	}
	var path []string
	for _, certificate := range chains[0] {
		digest := sha256.Sum256(certificate.Raw)
		path = append(path, hex.EncodeToString(digest[:]))
	}
	return "SUCCESS", "", path
}

func lacking(test *testcase) string {
	var found []string
	for _, word := range test.Requires {
		isDone := false
		for _, other := range does {
			isDone = isDone || word == other
		}
		if !isDone {
			found = append(found, word)
		}
	}
	return strings.Join(found, ", ")
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var suite struct{ Testcases []testcase }
	// Settings that are null are left out.
	if err := json.Unmarshal(text, &suite); err != nil {
		panic(err)
	}
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	lines := json.NewEncoder(output)
	lines.Encode(map[string]any{"peer": "Go " + strings.TrimPrefix(runtime.Version(), "go"), "does": does})
	for index := range suite.Testcases {
		test := &suite.Testcases[index]
		if missing := lacking(test); missing != "" {
			lines.Encode(line{ID: test.ID, Result: "SKIPPED", Reason: &missing})
			continue
		}
		start := time.Now()
		result, why, path := answer(test)
		answered := line{ID: test.ID, Result: result, Path: path, Microseconds: time.Since(start).Microseconds()}
		if why != "" {
			answered.Reason = &why
		}
		lines.Encode(answered)
	}
}
