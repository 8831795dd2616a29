#!/usr/bin/env python3
"""Makes Fuzz/fetch.txt, what the servers of the target `fetch` have to offer: certificates that refer to one
another, CRLs and OCSP responses, good and bad; and a few seeds. Needs pyca/cryptography.

usage: Fuzz/make_fetch.py
"""
import base64
import os

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID

from make_corpus import HERE, START, YEAR, certificate, name, seed

DER = serialization.Encoding.DER
NOW, WEEK = START + YEAR, YEAR / 365 * 7
KEYS = {}


def key(label):
    if label not in KEYS:
        KEYS[label] = ec.generate_private_key(ec.SECP256R1())
    return KEYS[label]


def points(urls):
    return [x509.DistributionPoint([x509.UniformResourceIdentifier(url)], None, None, None) for url in urls]


def made(subject, issuer, ca=True, issuers=(), responders=(), lists=(), deltas=()):
    more = []
    access = [x509.AccessDescription(method, x509.UniformResourceIdentifier(url))
              for method, urls in [(AuthorityInformationAccessOID.OCSP, responders),
                                   (AuthorityInformationAccessOID.CA_ISSUERS, issuers)] for url in urls]
    if access:
        more.append((x509.AuthorityInformationAccess(access), False))
    if lists:
        more.append((x509.CRLDistributionPoints(points(lists)), False))
    if deltas:
        more.append((x509.FreshestCRL(points(deltas)), False))
    return certificate(subject, key(subject), issuer, key(issuer), ca=ca, years=3, more=more,
                       hosts=() if ca else ["www.example.com"])


def crl(issuer, revoked=(), signer=None, base=None, days=7):
    builder = (x509.CertificateRevocationListBuilder().issuer_name(name(issuer)).last_update(NOW - WEEK)
               .next_update(NOW + days * WEEK / 7).add_extension(x509.CRLNumber(2), False)
               .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key(issuer).public_key()), False))
    for serial in revoked:
        builder = builder.add_revoked_certificate(
            x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(NOW - WEEK).build())
    if base:
        builder = builder.add_extension(x509.DeltaCRLIndicator(base), True)
    return builder.sign(key(signer or issuer), hashes.SHA256())


def response(leaf, issuer, status):
    return ocsp.OCSPResponseBuilder().add_response(
        cert=leaf, issuer=issuer, algorithm=hashes.SHA1(), cert_status=status, this_update=NOW - WEEK,
        next_update=NOW + WEEK, revocation_time=NOW - WEEK if status == ocsp.OCSPCertStatus.REVOKED else None,
        revocation_reason=None).responder_id(ocsp.OCSPResponderEncoding.HASH, issuer).sign(
            key(issuer.subject.rfc4514_string()[3:]), hashes.SHA256()).public_bytes(DER)


def urls(kind, count):
    return [f"http://{kind}{number}.example/{number}" for number in range(count)]


def objects():
    """The anchors, the leaves, then all that servers may send."""
    roots = [made("Root", "Root"), made("Other Root", "Other Root")]
    levels = [made(f"Level {level}", f"Level {(level + 1) % 6}", issuers=urls(f"level{level}-", 2))
              for level in range(6)]
    middle = made("Middle", "Root", issuers=urls("middle-", 1), responders=urls("middle-ocsp", 2),
                  lists=urls("middle-crl", 3))
    cross = made("Middle", "Other Root", responders=urls("cross-ocsp", 1), lists=urls("cross-crl", 2))
    below = made("Level 5", "Root", lists=urls("below-crl", 2))
    leaves = [
        made("Leaf", "Middle", ca=False, issuers=urls("issuer", 3), responders=urls("ocsp", 4),
             lists=urls("crl", 12), deltas=urls("delta", 2)),
        made("Leaf", "Level 0", ca=False, issuers=urls("many", 10)),
        made("Leaf", "Middle", ca=False),
        made("Leaf", "Middle", ca=False, responders=[
            "http://ocsp.example/" + "x" * 240, "http://ocsp.example/?query", "https://ocsp.example/",
            "http://127.0.0.1/", "http://ocsp.example:8080/", "ldap://ocsp.example/"], lists=urls("crl", 1) * 5),
    ]
    leaf = leaves[0]
    yield from ((item.public_bytes(DER), "CERTIFICATE") for item in [*roots, *leaves, middle, cross, below, *levels])
    for item in [crl("Middle"), crl("Middle", [leaf.serial_number]), crl("Root"), crl("Root", [middle.serial_number]),
                 crl("Other Root"), crl("Middle", signer="Root"), crl("Middle", days=-1),
                 crl("Middle", [leaf.serial_number], base=1), crl("Middle", range(2_000, 2_300))]:
        yield item.public_bytes(DER), "X509 CRL"
    for status in ocsp.OCSPCertStatus:
        yield response(leaf, middle, status), "OCSP RESPONSE"
    yield response(middle, roots[0], ocsp.OCSPCertStatus.GOOD), "OCSP RESPONSE"
    good = response(leaf, middle, ocsp.OCSPCertStatus.GOOD)
    yield good[:-1] + bytes([good[-1] ^ 1]), "OCSP RESPONSE"
    busy = ocsp.OCSPResponseBuilder.build_unsuccessful(ocsp.OCSPResponseStatus.TRY_LATER)
    yield busy.public_bytes(DER), "OCSP RESPONSE"


def main():
    with open(os.path.join(HERE, "fetch.txt"), "w", encoding="ascii") as file:
        for item, label in objects():
            text = base64.encodebytes(item).decode().replace("\n", "")
            file.write(f"-----BEGIN {label}-----\n")
            file.writelines(text[start:start + 64] + "\n" for start in range(0, len(text), 64))
            file.write(f"-----END {label}-----\n")
    # Leaf, certificates sent, kinds, demand, requests, requests for issuers, bytes, seconds, then what servers do.
    for label, head in [("issuers", [0, 0, 1, 0, 6, 3, 200, 15]), ("status", [0, 1, 7, 2, 6, 3, 200, 15]),
                        ("levels", [1, 0, 7, 0, 8, 4, 200, 15]), ("cross", [0, 3, 7, 2, 8, 3, 255, 15]),
                        ("odd", [3, 1, 7, 1, 6, 3, 9, 2])]:
        for shift in range(0, 24, 6):
            seed("fetch", f"{label}-{shift}", bytes(
                head + [byte for number in range(shift, shift + 8) for byte in (0, number % 26, number)]))


if __name__ == "__main__":
    main()
