#!/usr/bin/env python3
"""Writes mldsa.txt: ML-DSA keys and signatures, right and wrong.

    make_mldsa.py [COUNT]    with COUNT random signatures a set, none if not given

Each line is `verdict name key context message signature` in hexadecimal, `-`
for nothing; `^` stands for the key or the signature of the last line that
wrote one out, and `^offset:octets,...` for that one with octets replaced. A
name begins with the parameter set.

Keys and signatures come from dilithium-py 1.5.1, which follows FIPS 204
step by step; signatures that an honest signer throws away from its signing
steps, taken up here. Every verdict is compared with OpenSSL's, through
pyca/cryptography 50.0.2.
"""

import pathlib
import random
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

SETS = {
    "44": (ML_DSA_44, mldsa.MLDSA44PublicKey),
    "65": (ML_DSA_65, mldsa.MLDSA65PublicKey),
    "87": (ML_DSA_87, mldsa.MLDSA87PublicKey),
}


def openssl(public, key, message, context, signature):
    try:
        public.from_public_bytes(key).verify(signature, message, context)
        return "valid"
    except InvalidSignature:
        return "invalid"
    except ValueError:
        return "wrongLength" if len(context) <= 255 else "invalid"


def patches(old, new):
    """Where `new` differs, as offset:octets; None if most of it does."""
    if len(old) != len(new):
        return None
    different = [i for i in range(len(old)) if old[i] != new[i]]
    if len(different) > len(old) // 8:
        return None
    return ",".join(f"{i}:{new[i]:02x}" for i in different)


class Lines:
    def __init__(self, name, public):
        self.name, self.public = name, public
        self.lines, self.written = [], {}

    def field(self, kind, octets):
        old = self.written.get(kind, b"")
        difference = patches(old, octets) if octets else None
        if difference is not None:
            return "^" + difference
        if len(octets) > 1000:
            self.written[kind] = octets
        return octets.hex() or "-"

    def add(self, verdict, name, key, message, signature, context=b""):
        theirs = openssl(self.public, key, message, context, signature)
        assert theirs == verdict, (self.name, name, verdict, theirs)
        fields = [
            self.field("key", key),
            context.hex() or "-",
            message.hex() or "-",
            self.field("signature", signature),
        ]
        self.lines.append(" ".join([verdict, f"{self.name}-{name}", *fields]))


def sign_with(scheme, secret, message, wanted):
    """A signature whose first coefficient of z is `wanted`, whatever the bound
    says: FIPS 204 algorithm 7 with the mask chosen for it."""
    rho, k, tr, s1, s2, t0 = scheme._unpack_sk(secret)
    s1, s2, t0 = s1.to_ntt(), s2.to_ntt(), t0.to_ntt()
    matrix = scheme._expand_matrix_from_seed(rho)
    mu = scheme._h(tr + bytes([0, 0]) + message, 64)
    alpha, kappa = 2 * scheme.gamma_2, 0
    while True:
        y = scheme._expand_mask_vector(scheme._h(k + bytes(32) + mu, 64), kappa)
        kappa += scheme.l
        y._data[0][0].coeffs[0] = wanted % 8380417
        w = (matrix @ y.to_ntt()).from_ntt()
        c_tilde = scheme._h(mu + w.high_bits(alpha).bit_pack_w(scheme.gamma_2), scheme.c_tilde_bytes)
        c = scheme.R.sample_in_ball(c_tilde, scheme.tau).to_ntt()
        z = y + s1.scale(c).from_ntt()
        first = z._data[0][0].coeffs[0] % 8380417
        if first != wanted % 8380417:
            continue
        z._data[0][0].coeffs[0] = 0
        too_large = z.check_norm_bound(scheme.gamma_1 - scheme.beta)
        z._data[0][0].coeffs[0] = first
        c_s2 = s2.scale(c).from_ntt()
        c_t0 = t0.scale(c).from_ntt()
        if (
            too_large
            or (w - c_s2).low_bits(alpha).check_norm_bound(scheme.gamma_2 - scheme.beta)
            or c_t0.check_norm_bound(scheme.gamma_2)
        ):
            continue
        hint = (-c_t0).make_hint(w - c_s2 + c_t0, alpha)
        if hint.sum_hint() <= scheme.omega:
            return scheme._pack_sig(c_tilde, z, hint)


def changed(octets, changes):
    octets = bytearray(octets)
    for offset, value in changes.items():
        octets[offset] = value
    return bytes(octets)


def hints(lines, scheme, key, message, signature):
    """c̃ does not cover the hint, so all but its one encoding must be rejected."""
    start = len(signature) - scheme.omega - scheme.k
    ends = start + scheme.omega
    count = signature[-1]
    rows = [0, *signature[ends:]]
    row = next(i for i in range(scheme.k) if rows[i + 1] - rows[i] >= 2)
    at = start + rows[row]
    a, b = signature[at], signature[at + 1]
    assert count < scheme.omega
    cases = {
        "hint-swapped": {at: b, at + 1: a},
        "hint-twice": {at: b},
        "hint-repeated-at-end": {start + count: signature[start + count - 1], len(signature) - 1: count + 1},
        "hint-left-out": {len(signature) - 1: count - 1, start + count - 1: 0},
        "hint-added": {len(signature) - 1: count + 1, start + count: 255},
        "hint-unused-not-zero": {start + scheme.omega - 1: 1},
        "hint-first-unused-not-zero": {start + count: 1},
        "hint-moved": {at: a ^ 1},
        "hint-count-above-omega": {len(signature) - 1: scheme.omega + 1},
        "hint-count-255": {len(signature) - 1: 255},
        "hint-first-count-255": {ends: 255},
        "hint-counts-descend": {ends: signature[ends + 1] + 1},
        "hint-last-count-zero": {len(signature) - 1: 0},
        "hint-row-moved": {ends + row: rows[row + 1] - 1},
    }
    for name, changes in cases.items():
        wrong = changed(signature, changes)
        if wrong != signature:
            lines.add("invalid", name, key, message, wrong)


def cases(name):
    scheme, public = SETS[name]
    lines = Lines(name, public)
    key, secret = scheme.key_derive(random.randbytes(32))

    def sign(message, context=b""):
        return scheme.sign(secret, message, ctx=context, deterministic=True)

    message = b"A message of some length, for ML-DSA-" + name.encode()
    signature = sign(message)
    lines.add("valid", "plain", key, message, signature)
    lines.add("invalid", "other-message", key, message + b"!", signature)
    lines.add("invalid", "no-message", key, b"", signature)
    lines.add("invalid", "context-not-signed", key, message, signature, b"c")
    lines.add("invalid", "context-of-256", key, message, signature, bytes(256))
    lines.add("invalid", "message-as-context", key, b"", signature, message)
    hints(lines, scheme, key, message, signature)
    challenge = scheme.c_tilde_bytes
    for offset in (0, challenge - 1, challenge, len(signature) // 2, len(signature) - scheme.omega - scheme.k - 1):
        for mask in (0x01, 0x80):
            wrong = changed(signature, {offset: signature[offset] ^ mask})
            lines.add("invalid", f"octet-{offset}-{mask}", key, message, wrong)
    for offset in (0, 31, 32, len(key) - 1):
        wrong = changed(key, {offset: key[offset] ^ 1})
        lines.add("invalid", f"key-octet-{offset}", wrong, message, signature)
    lines.add("valid", "unchanged", key, message, signature)

    context = bytes(range(255))
    lines.add("valid", "context-of-255", key, b"", sign(b"", context), context)
    lines.add("invalid", "context-of-255-left-out", key, b"", lines.written["signature"])
    bound = scheme.gamma_1 - scheme.beta
    for wanted, verdict in ((bound, "invalid"), (-bound, "invalid"), (bound - 1, "valid"), (1 - bound, "valid"), (scheme.gamma_1, "invalid")):
        if name != "44" and verdict == "valid":
            continue
        if name != "44" and wanted == scheme.gamma_1:
            continue
        lines.add(verdict, f"z-{wanted}", key, message, sign_with(scheme, secret, message, wanted))
    if name == "44":
        lines.add("invalid", "without-domain", key, message, scheme._sign_internal(secret, message, bytes(32)))
        prehashed = bytes([1, 0]) + message
        lines.add("invalid", "prehash-domain", key, message, scheme._sign_internal(secret, prehashed, bytes(32)))
        for length in (0, 1, 31, 32, 1311):
            lines.add("wrongLength", f"key-of-{length}", key[:length], b"", b"")
        lines.add("wrongLength", "key-of-1313", key + b"\0", b"", b"")
        lines.add("invalid", "no-signature", key, message, b"")
        lines.add("invalid", "short-signature", key, message, signature[:-1])
    return lines.lines


def random_cases(count):
    lines = []
    for name, (scheme, public) in SETS.items():
        for number in range(count):
            some = Lines(name, public)
            key, secret = scheme.key_derive(random.randbytes(32))
            message = random.randbytes(random.randrange(2000))
            context = random.randbytes(random.choice([0, 0, 1, 255]))
            signature = scheme.sign(secret, message, ctx=context, deterministic=True)
            some.add("valid", f"random-{number}", key, message, signature, context)
            offset = random.randrange(len(signature))
            wrong = changed(signature, {offset: signature[offset] ^ 1 << random.randrange(8)})
            some.add("invalid", f"random-{number}-flipped", key, message, wrong, context)
            lines += some.lines
    return lines


def main():
    random.seed(204)
    lines = [line for name in SETS for line in cases(name)]
    lines += random_cases(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    path = pathlib.Path(__file__).with_name("mldsa.txt")
    path.write_text("\n".join(lines) + "\n")


main()
