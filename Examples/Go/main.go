// Judges a chain of certificates with libholdfast.
//
//	go run . HOST ANCHORS PIN <chain.pem
package main

/*
#cgo LDFLAGS: -lholdfast
#include <stdlib.h>
#include <holdfast.h>
*/
import "C"

import (
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"
)

// newPolicy trusts the anchors of a file, and pins a host. A call that fails breaks the policy, so that it is enough
// to look at the status of the question.
func newPolicy(anchors, host, pin string) (policy *C.holdfast_policy) {
	file, pattern, text := C.CString(anchors), C.CString(host), C.CString(pin)
	defer func() {
		C.free(unsafe.Pointer(file))
		C.free(unsafe.Pointer(pattern))
		C.free(unsafe.Pointer(text))
	}()
	C.holdfast_policy_new(&policy)
	C.holdfast_policy_add_anchor_file(policy, file, C.size_t(len(anchors)), 0)
	C.holdfast_policy_add_pin(policy, pattern, C.size_t(len(host)), text, C.size_t(len(pin)))
	return policy
}

// verify returns whether a server is trusted, and why or why not. The memory that C reads is C's own.
func verify(policy *C.holdfast_policy, chain [][]byte, host string) (bool, string, error) {
	name := C.CString(host)
	defer C.free(unsafe.Pointer(name))
	ders := C.malloc(C.size_t(len(chain)+1) * C.sizeof_holdfast_bytes)
	defer C.free(ders)
	for i, der := range chain {
		data := C.CBytes(der)
		defer C.free(data)
		unsafe.Slice((*C.holdfast_bytes)(ders), len(chain))[i] = C.holdfast_bytes{data: data, size: C.size_t(len(der))}
	}
	question := C.holdfast_question{
		structure_size: C.sizeof_holdfast_question, purpose: C.HOLDFAST_SERVER,
		name: name, name_size: C.size_t(len(host)), time: C.HOLDFAST_NOW,
		chain: (*C.holdfast_bytes)(ders), chain_count: C.size_t(len(chain)),
	}
	var answer *C.holdfast_answer
	if status := C.holdfast_policy_ask(policy, &question, &answer); status != C.HOLDFAST_OK {
		problem := make([]C.char, 256)
		C.holdfast_policy_copy_problem(policy, &problem[0], C.size_t(len(problem)))
		return false, "", errors.New(C.GoString(C.holdfast_status_text(status)) + ": " + C.GoString(&problem[0]))
	}
	defer C.holdfast_answer_free(answer)
	reason := C.GoString(C.holdfast_answer_borrow_text(answer, C.HOLDFAST_REASON, nil))
	return C.holdfast_answer_is_trusted(answer) == 1, reason, nil
}

func main() {
	var chain [][]byte
	input, _ := io.ReadAll(os.Stdin)
	for block, rest := pem.Decode(input); block != nil; block, rest = pem.Decode(rest) {
		chain = append(chain, block.Bytes)
	}
	policy := newPolicy(os.Args[2], os.Args[1], os.Args[3])
	defer C.holdfast_policy_free(policy)
	trusted, reason, err := verify(policy, chain, os.Args[1])
	fmt.Println(trusted, reason, err)
	if !trusted {
		os.Exit(1)
	}
}
