#!/usr/bin/env python3
"""Writes certificates.txt: for every change of one byte of a certificate, whether it conforms.

A line `certificate` has a name and the bytes. A line `changes` has the name and a node for each byte:
for each value of that byte, `=1` if the certificate then conforms to RFC 5280 by schema.py, else `=0`.
Four certificates are made here; two of them have every extension that schema.py knows between them.
The fifth, with a key on a curve, is of pinning/certificates.pem.

    make_certificates.py            writes the file
    make_certificates.py --check    says whether it is what the model says, by the exit status
"""
import base64
import hashlib
import pathlib
import re
import sys

from cryptography.hazmat.primitives.asymmetric import ed25519
from make import Diagrams
from schema import conforms

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))
from encoder import integer, oid, sequence, tlv  # noqa: E402

ED25519 = sequence(oid("1.3.101.112"))
TRUE = b"\1\1\xff"
KEY = ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"certificates.txt").digest())
OTHER = "key-p256"


def name(*pairs):
    return sequence(*[tlv(0x31, sequence(oid(kind), tlv(tag, text))) for kind, tag, text in pairs])


SUBJECT = name(("2.5.4.6", 0x13, b"US"), ("2.5.4.10", 0x0C, "Müller".encode()), ("2.5.4.3", 0x1E, b"\0a\0b"))
ISSUER = sequence(tlv(0x31, sequence(oid("2.5.4.10"), tlv(0x14, b"T")), sequence(oid("2.5.4.11"), tlv(0x0C, b"U"))))
SHORT = name(("2.5.4.3", 0x0C, b"a"))


def extension(kind, value, critical=False):
    return sequence(oid(kind), TRUE if critical else b"", tlv(4, value))


def dns(text):
    return tlv(0x82, text)


def point(*parts):
    return sequence(*parts)


NAMES = [
    dns(b"a.example"), tlv(0x81, b"a@b.example"), tlv(0x86, b"http://a.example"), tlv(0x87, bytes([192, 0, 2, 7])),
    tlv(0x87, bytes(16)), tlv(0xA4, SHORT), tlv(0x88, oid("1.2.3")[2:]),
    tlv(0xA0, oid("1.2.3"), tlv(0xA0, tlv(0x0C, b"x"))),
]  # fmt: skip
PLACE = tlv(0xA0, tlv(0xA0, tlv(0x86, b"http://c.example")))
NOTICE = sequence(sequence(tlv(0x0C, b"O"), sequence(integer(1), integer(2))), tlv(0x0C, b"N"))
LEAF = [
    extension("2.5.29.14", tlv(4, bytes(4))),
    extension("2.5.29.15", b"\3\2\5\xa0", True),
    extension("2.5.29.17", sequence(*NAMES)),
    extension("2.5.29.18", sequence(dns(b"i.example"))),
    extension("2.5.29.31", sequence(point(PLACE, tlv(0x81, b"\5\x60"), tlv(0xA2, tlv(0xA4, SHORT))), point(
        tlv(0xA0, tlv(0xA1, sequence(oid("2.5.4.3"), tlv(0x0C, b"r"))))))),
    extension("2.5.29.32", sequence(
        sequence(oid("2.23.140.1.2.1")),
        sequence(oid("1.2.3"), sequence(sequence(oid("1.3.6.1.5.5.7.2.1"), tlv(0x16, b"http://p.example")),
                                       sequence(oid("1.3.6.1.5.5.7.2.2"), NOTICE))))),
    extension("2.5.29.35", sequence(tlv(0x80, bytes(4)), tlv(0xA1, tlv(0xA4, SHORT)), tlv(0x82, b"\1"))),
    extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2"))),
    extension("2.5.29.46", sequence(point(PLACE))),
    extension("1.3.6.1.5.5.7.1.1", sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), tlv(0x86, b"http://o.example")))),
    extension("1.3.6.1.5.5.7.1.24", sequence(integer(5))),
    extension("1.3.6.1.4.1.99999.7", b"any"),
]  # fmt: skip
AUTHORITY = [
    extension("2.5.29.19", sequence(TRUE, integer(3)), True),
    extension("2.5.29.15", b"\3\2\1\6", True),
    extension("2.5.29.30", sequence(
        tlv(0xA0, sequence(dns(b"a.example")), sequence(tlv(0x87, bytes([10, 0, 0, 0, 255, 0, 0, 0]))),
            sequence(tlv(0xA4, SHORT))),
        tlv(0xA1, sequence(tlv(0x81, b".b.example"), tlv(0x81, b"\5"))))),
    extension("2.5.29.33", sequence(sequence(oid("1.2.3"), oid("1.2.4")))),
    extension("2.5.29.36", sequence(tlv(0x80, b"\1"), tlv(0x81, b"\2"))),
    extension("2.5.29.54", integer(3)),
    extension("1.3.6.1.5.5.7.1.11", sequence(sequence(oid("1.3.6.1.5.5.7.48.5"), tlv(0x86, b"http://r.example")))),
]  # fmt: skip


def certificate(version, times, subject, extensions, unique=b""):
    signed = sequence(
        tlv(0xA0, integer(version - 1)) if version > 1 else b"", integer(0x5EED), ED25519, ISSUER,
        sequence(*times), subject, sequence(ED25519, tlv(3, b"\0", KEY.public_key().public_bytes_raw())), unique,
        tlv(0xA3, sequence(*extensions)) if extensions else b"",
    )  # fmt: skip
    return sequence(signed, ED25519, tlv(3, b"\0", KEY.sign(signed)))


UTC, GENERALIZED = tlv(0x17, b"250101000000Z"), tlv(0x18, b"20510101000000Z")


def certificates():
    yield "leaf", certificate(3, (UTC, UTC), SUBJECT, LEAF)
    yield "authority", certificate(3, (UTC, GENERALIZED), SUBJECT, AUTHORITY)
    yield "version-2", certificate(2, (UTC, UTC), SHORT, [], tlv(0x81, b"\0\1") + tlv(0x82, b"\0\2"))
    yield "version-1", certificate(1, (GENERALIZED, GENERALIZED), SHORT, [])
    text = (FOLDER.parent / "pinning" / "certificates.pem").read_text()
    for found in re.finditer(r"# ([\w-]+)\n-----BEGIN CERTIFICATE-----\n(.*?)-----END", text, re.S):
        if found[1] == OTHER:
            yield found[1], base64.b64decode(found[2])


def main():
    diagrams = Diagrams()
    for title, data in certificates():
        if not conforms(data):
            sys.exit(f"{title} does not conform")
        nodes = []
        for place in range(len(data)):
            changed = bytearray(data)
            targets = []
            for value in range(256):
                changed[place] = value
                targets.append(f"={int(conforms(bytes(changed)))}")
            nodes.append(diagrams.node(targets))
        diagrams.lines += [f"certificate {title} {data.hex()}", f"changes {title} {' '.join(nodes)}"]
    if not diagrams.write("certificates.txt", "--check" in sys.argv):
        sys.exit("the model says something else than the file")


if __name__ == "__main__":
    main()
