#!/usr/bin/env python3
"""Writes sha3.txt: digests of SHA-3 and output of SHAKE by Python's hashlib.

Each line is `function length output`. The message of `length` octets has
(31 i + 17 length) mod 251 as octet i. Most lines hold the first eight octets
of the output; those around a multiple of the block length hold all of a
digest, or 520 octets of a SHAKE.
"""

import hashlib
import pathlib

FUNCTIONS = {
    "sha3-224": (hashlib.sha3_224, 144),
    "sha3-256": (hashlib.sha3_256, 136),
    "sha3-384": (hashlib.sha3_384, 104),
    "sha3-512": (hashlib.sha3_512, 72),
    "shake128": (hashlib.shake_128, 168),
    "shake256": (hashlib.shake_256, 136),
}
LONG = [1_000, 4_096, 10_000]


def output(function, message, is_whole):
    hash = function(message)
    if hash.digest_size:
        return hash.digest() if is_whole else hash.digest()[:8]
    return hash.digest(520 if is_whole else 8)


def main():
    lines = []
    for name, (function, rate) in FUNCTIONS.items():
        for length in list(range(301)) + LONG:
            message = bytes((31 * i + 17 * length) % 251 for i in range(length))
            is_whole = (length + 1) % rate <= 2 or length in LONG
            lines.append(f"{name} {length} {output(function, message, is_whole).hex()}")
    path = pathlib.Path(__file__).with_name("sha3.txt")
    path.write_text("\n".join(lines) + "\n")


main()
