#!/usr/bin/env python3
"""Writes ed448.txt: Ed448 keys and signatures, right and wrong.

    make_ed448.py [COUNT]       COUNT random signatures, 40 if not given

Each line is `verdict name key context message signature` in hexadecimal, `-`
for nothing. The verdict is `valid`, `invalid`, or the error that the key
itself gives. Random signatures are made by OpenSSL through pyca/cryptography;
what a signer does not make, by the integers below, which follow RFC 8032
§5.2 and are compared with OpenSSL's keys and signatures first.
"""

import hashlib
import pathlib
import random
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ed448

P = 2**448 - 2**224 - 1
L = 2**446 - 13818066809895115352007386748515426880336692474882178609894547503885
D = -39081 % P
BASE = (
    224580040295924300187604334099896036246789641632564134246125461686950415467406032909029192869357953282578032075146446173674602635247710,
    298819210078481492676017930443930673437544040154080242095928241372331506189835876003536878655418784733982303233503462500531545062832660,
)
NEUTRAL = (0, 1)


def add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + a[1] * b[0]) * pow(1 + product, -1, P) % P
    y = (a[1] * b[1] - a[0] * b[0]) * pow(1 - product, -1, P) % P
    return (x, y)


def times(scalar, point):
    result = NEUTRAL
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def encode(point):
    return (point[1] | (point[0] & 1) << 455).to_bytes(57, "little")


def challenge(r, key, message, context=b""):
    prefix = b"SigEd448" + bytes([0, len(context)]) + context
    digest = hashlib.shake_256(prefix + r + key + message).digest(114)
    return int.from_bytes(digest, "little") % L


def secret(seed):
    digest = bytearray(hashlib.shake_256(seed).digest(114))
    digest[0] &= 0xFC
    digest[55] |= 0x80
    digest[56] = 0
    return int.from_bytes(digest[:57], "little"), bytes(digest[57:])


def sign(seed, message, context=b""):
    """RFC 8032 §5.2.6."""
    scalar, prefix = secret(seed)
    key = encode(times(scalar % L, BASE))
    dom = b"SigEd448" + bytes([0, len(context)]) + context
    nonce = hashlib.shake_256(dom + prefix + message).digest(114)
    nonce = int.from_bytes(nonce, "little") % L
    r = encode(times(nonce, BASE))
    s = (nonce + challenge(r, key, message, context) * scalar) % L
    return key, r + s.to_bytes(57, "little")


class Lines:
    def __init__(self):
        self.lines = []

    def add(self, verdict, name, key, message, signature, context=b""):
        fields = [x.hex() or "-" for x in (key, context, message, signature)]
        self.lines.append(" ".join([verdict, name, *fields]))


def random_signatures(lines, count):
    for number in range(count):
        seed = random.randbytes(57)
        message = random.randbytes(random.choice([0, 1, 31, 32, 64, random.randrange(400)]))
        signer = ed448.Ed448PrivateKey.from_private_bytes(seed)
        key = signer.public_key().public_bytes_raw()
        signature = signer.sign(message)
        if number < 8:
            assert sign(seed, message) == (key, signature)
        lines.add("valid", f"random-{number}", key, message, signature)


def crafted(lines):
    seed = random.randbytes(57)
    message = b"crafted"
    key, signature = sign(seed, message)
    scalar, _ = secret(seed)
    r, s = signature[:57], int.from_bytes(signature[57:], "little")

    def octets(number):
        return number.to_bytes(57, "little")

    lines.add("valid", "plain", key, message, signature)
    for context in (b"\0", b"context", bytes(255)):
        _, other = sign(seed, message, context)
        name = f"context-of-{len(context)}"
        lines.add("valid", name, key, message, other, context)
        lines.add("invalid", name + "-left-out", key, message, other)
    lines.add("invalid", "context-not-signed", key, message, signature, b"c")
    lines.add("invalid", "context-of-256", key, message, signature, bytes(256))
    lines.add("invalid", "other-message", key, b"crafted!", signature)
    lines.add("invalid", "no-signature", key, message, b"")
    lines.add("invalid", "short-signature", key, message, signature[:-1])
    lines.add("invalid", "long-signature", key, message, signature + b"\0")
    lines.add("invalid", "s-plus-order", key, message, r + octets(s + L))
    lines.add("invalid", "s-plus-twice-order", key, message, r + octets(s + 2 * L))
    lines.add("invalid", "s-plus-three-times-order", key, message, r + octets(s + 3 * L))
    lines.add("invalid", "s-with-top-bit", key, message, r + octets(s | 1 << 455))
    lines.add("invalid", "s-with-top-octet", key, message, r + octets(s | 1 << 448))
    lines.add("invalid", "s-is-order", key, message, r + octets(L))
    lines.add("invalid", "s-is-zero", key, message, r + octets(0))
    lines.add("invalid", "s-negated", key, message, r + octets(L - s))
    lines.add("invalid", "r-negated", key, message, octets(int.from_bytes(r, "little") ^ 1 << 455) + octets(s))
    lines.add("invalid", "all-ones", key, message, b"\xff" * 114)
    lines.add("invalid", "all-zeros", key, message, bytes(114))

    # R = 0B is a point like others, in its one encoding.
    for name, encoding, verdict in (
        ("r-neutral", encode(NEUTRAL), "valid"),
        ("r-neutral-with-sign", octets(1 | 1 << 455), "invalid"),
        ("r-neutral-plus-p", octets(1 + P), "invalid"),
        ("r-order-2", encode((0, P - 1)), "invalid"),
        ("r-order-4", encode((1, 0)), "invalid"),
    ):
        k = challenge(encoding, key, message)
        lines.add(verdict, name, key, message, encoding + octets(k * scalar % L))

    # A key with a part of order 2 or 4: the equation without the cofactor
    # holds if k cancels that part.
    found = set()
    counter = 0
    for order, torsion in ((2, (0, P - 1)), (4, (1, 0))):
        mixed = encode(add(times(scalar % L, BASE), torsion))
        while len([x for x in found if x[0] == order]) < order:
            counter += 1
            message = b"mixed %d" % counter
            nonce = random.randrange(L)
            r = encode(times(nonce, BASE))
            k = challenge(r, mixed, message)
            if (order, k % order) in found:
                continue
            found.add((order, k % order))
            verdict = "valid" if k % order == 0 else "invalid"
            s = (nonce + k * scalar) % L
            lines.add(verdict, f"key-part-of-order-{order}-k-{k % order}", mixed, message, r + octets(s))


def keys(lines):
    message, signature = b"", bytes(114)

    def key(verdict, name, octets):
        lines.add(verdict, name, octets, message, signature)

    good = encode(BASE)
    key("invalid", "key-base-point", good)
    key("wrongLength", "key-empty", b"")
    key("wrongLength", "key-short", good[:-1])
    key("wrongLength", "key-long", good + b"\0")
    for bit in range(448, 455):
        value = int.from_bytes(good, "little") | 1 << bit
        key("nonCanonicalPoint", f"key-bit-{bit}", value.to_bytes(57, "little"))
    for name, y in (("p", P), ("p-plus-1", P + 1), ("all-ones", 2**448 - 1)):
        key("nonCanonicalPoint", f"key-y-{name}", y.to_bytes(57, "little"))
    for name, y in (("1", 1), ("p-minus-1", P - 1)):
        key("smallOrder", f"key-y-{name}", y.to_bytes(57, "little"))
        key("nonCanonicalPoint", f"key-y-{name}-sign", (y | 1 << 455).to_bytes(57, "little"))
    key("smallOrder", "key-y-0", bytes(57))
    key("smallOrder", "key-y-0-sign", (1 << 455).to_bytes(57, "little"))
    # Everyone can sign for the neutral element, with R = 0B and S = 0: no key may be of small order.
    neutral = encode(NEUTRAL)
    lines.add("smallOrder", "key-neutral", neutral, message, neutral + bytes(57))
    lines.add("smallOrder", "key-neutral-s-1", neutral, message, neutral + b"\1" + bytes(56))
    base = encode(BASE)
    lines.add("smallOrder", "key-neutral-r-base", neutral, message, base + b"\1" + bytes(56))
    ys = list(range(2, 40)) + [P - n for n in range(2, 20)] + [2**224, 2**447, 2**447 - 1]
    for y in ys:
        x_squared = (y * y - 1) * pow(D * y * y - 1, -1, P) % P
        is_point = pow(x_squared, (P - 1) // 2, P) == 1
        verdict = "invalid" if is_point else "pointNotOnCurve"
        name = f"key-y-{y}" if y < P // 2 else f"key-y-p-minus-{P - y}"
        key(verdict, name, y.to_bytes(57, "little"))


def compare_with_openssl(lines):
    """Prints where OpenSSL answers otherwise; every such case is explained in
    the documentation of Ed448Key."""
    for line in lines.lines:
        verdict, name, *fields = line.split(" ")
        key, context, message, signature = [bytes.fromhex(x.strip("-")) for x in fields]
        if context:
            continue
        try:
            ed448.Ed448PublicKey.from_public_bytes(key).verify(signature, message)
            theirs = "valid"
        except (InvalidSignature, ValueError):
            theirs = "invalid"
        if (verdict == "valid") != (theirs == "valid"):
            print(f"{name}: {verdict} here, {theirs} for OpenSSL")


def main():
    random.seed(448)
    lines = Lines()
    random_signatures(lines, int(sys.argv[1]) if len(sys.argv) > 1 else 40)
    crafted(lines)
    keys(lines)
    path = pathlib.Path(__file__).with_name("ed448.txt")
    path.write_text("\n".join(lines.lines) + "\n")
    compare_with_openssl(lines)


main()
