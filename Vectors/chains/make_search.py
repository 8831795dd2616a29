"""Writes the cases of this folder that are about the search for a path, with keys that are thrown
away.

    python3 make_search.py

Expectations are stated here, from the RFC that each case cites.
"""
import datetime
import pathlib
import random

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = pathlib.Path(__file__).parent
PAST, START, END = (datetime.datetime(year, 1, 1) for year in (2024, 2025, 2027))
HOST = "www.search.example"
key = ed25519.Ed25519PrivateKey.generate


def issue(subject, subject_key, issuer, issuer_key, start=START, end=END, leaf=False, ids=True):
    def name(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        .public_key(subject_key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(start).not_valid_after(end))
    if leaf:
        builder = builder.add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False
        ).add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)
    else:
        builder = builder.add_extension(x509.BasicConstraints(True, None), True)
    if ids:
        builder = builder.add_extension(
            x509.SubjectKeyIdentifier.from_public_key(subject_key.public_key()), False
        ).add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False)
    return builder.sign(issuer_key, None)


def write(case, about, cites, expect, chain, anchors):
    def pem(certificate):
        return certificate.public_bytes(serialization.Encoding.PEM).decode()

    text = (
        f"about:   {about}\ncites:   {cites}\nmade-by: make_search.py {case}\n"
        f"time:    2026-01-01T00:00:00Z\npurpose: server {HOST}\nrules:   webPKI\n"
        f"expect:  {expect}\n" + "".join(map(pem, chain)) + "anchor:\n"
        + "".join(map(pem, anchors)))
    (FOLDER / f"{case}.case").write_text(text)


old, new, a, b, c, end = (key() for _ in range(6))
old_root, new_root = issue("Root", old, "Root", old), issue("Root", new, "Root", new)
turn = [issue("Root", old, "Root", new), issue("Root", new, "Root", old)]
write("search-old-key-below-new", "the old key of a root is reached from the new one",
      "RFC 4210 §4.4", "accept",
      [issue("Leaf", end, "Root", old, leaf=True), *turn], [new_root])
write("search-new-key-below-old", "the new key of a root is reached from the old one",
      "RFC 4210 §4.4", "accept",
      [issue("Leaf", end, "Root", new, leaf=True), *turn], [old_root])

leaf = issue("Leaf", end, "A", a, leaf=True)
expired = issue("A", a, "Root", old, PAST, START)
good = issue("A", a, "Other", b)
write("search-expired-beside-good", "an expired cross-sign does not stand in the way of a good one",
      "RFC 5280 §6.1", "accept", [leaf, expired, good], [old_root, issue("Other", b, "Other", b)])
write("search-expired-alone", "an expired cross-sign leads nowhere, and a good one to no anchor",
      "RFC 5280 §6.1.3 (a)(2)", "reject expired at 1", [leaf, expired, good], [old_root])

ring = [issue("A", a, "B", b), issue("B", b, "C", c), issue("C", c, "A", a)]
write("search-circle-with-exit", "from a circle of authorities one has a way to the anchor",
      "RFC 5280 §6.1", "accept", [leaf, *ring, issue("C", c, "Root", old)], [old_root])
write("search-circle", "a circle of authorities leads nowhere", "RFC 5280 §6.1",
      "reject", [leaf, *ring], [old_root])

keys = [key() for _ in range(40)]
same = [issue("Same", other, "Root", old, ids=False) for other in keys]
blind = issue("Leaf", end, "Same", random.choice(keys), leaf=True, ids=False)
write("search-same-name", "of forty authorities of one name one has signed, and nothing says which",
      "RFC 5280 §6.1", "accept", [blind, *same], [old_root])
write("search-same-name-stranger", "of forty authorities of one name none has signed",
      "RFC 5280 §6.1", "reject signature at 0",
      [issue("Leaf", end, "Same", c, leaf=True, ids=False), *same], [old_root])
