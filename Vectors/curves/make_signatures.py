#!/usr/bin/env python3
"""Writes ecdsa.txt and ed25519.txt: signatures made by pyca/cryptography (OpenSSL inside).

Lines of ecdsa.txt: curve, uncompressed point, compressed point, digest, signature in DER. The
digests have the lengths of SHA-1 to SHA-512, and are zero or all ones in some lines.
Lines of ed25519.txt: key, message, signature.
Keys and nonces (RFC 6979) follow from names, so the files are the same in every run.
"""

import hashlib
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

CURVES = [
    (ec.SECP224R1, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D),
    (ec.SECP256R1, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551),
    (ec.SECP384R1, 2**384 - 2**192 + 0xC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973),
    (ec.SECP521R1, 2**521 - 2**260 + 0xA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409),
    (ec.SECP256K1, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141),
    (ec.BrainpoolP256R1, 0xA9FB57DBA1EEA9BC3E660A909D838D718C397AA3B561A6F7901E0E82974856A7),
    (ec.BrainpoolP384R1, 0x8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B31F166E6CAC0425A7CF3AB6AF6B7FC3103B883202E9046565),
    (ec.BrainpoolP512R1, 0xAADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA70330870553E5C414CA92619418661197FAC10471DB1D381085DDADDB58796829CA90069),
]
HASHES = [hashes.SHA1(), hashes.SHA224(), hashes.SHA256(), hashes.SHA384(), hashes.SHA512()]


def points(key):
    return [
        key.public_bytes(serialization.Encoding.X962, form).hex()
        for form in (
            serialization.PublicFormat.UncompressedPoint,
            serialization.PublicFormat.CompressedPoint,
        )
    ]


def ecdsa():
    for curve, order in CURVES:
        secrets = [1, order - 1] + [
            int.from_bytes(hashlib.sha512(f"{curve.name} {i}".encode()).digest()) % order
            for i in range(6)
        ]
        for number, secret in enumerate(secrets):
            key = ec.derive_private_key(secret, curve())
            for hash in HASHES:
                size = hash.digest_size
                digest = hashlib.sha512(f"{number} {size}".encode()).digest()[:size]
                if number in (2, 3):
                    digest = bytes([0 if number == 2 else 255]) * size
                algorithm = ec.ECDSA(utils.Prehashed(hash), deterministic_signing=True)
                signature = key.sign(digest, algorithm)
                yield " ".join(
                    [curve.name, *points(key.public_key()), digest.hex(), signature.hex()]
                )


def eddsa():
    for length in [*range(0, 20), 31, 32, 33, *range(44, 52), 63, 64, 65, *range(120, 140), 1_000]:
        seed = hashlib.sha256(f"ed25519 {length}".encode()).digest()
        key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
        message = bytes((31 * i + length) % 251 for i in range(length))
        public = key.public_key().public_bytes_raw()
        yield f"{public.hex()} {message.hex() or '-'} {key.sign(message).hex()}"


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    here.joinpath("ecdsa.txt").write_text("\n".join(ecdsa()) + "\n")
    here.joinpath("ed25519.txt").write_text("\n".join(eddsa()) + "\n")
