"""Parts of certificates, put together octet by octet, for the scripts that write cases.

Every key is thrown away. A script says its own name, its folder and what it expects; see `Cases`.
"""

import base64
import os
import pathlib

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from encoder import integer, oid, sequence, tlv

HOST = "www.bad.example"


def octets(text):
    return bytes.fromhex(text)


TRUE, NULL = octets("0101FF"), octets("0500")


# Parts of certificates.


def attribute(kind, value, tag=0x0C):
    return tlv(0x31, sequence(oid(kind), tlv(tag, value if isinstance(value, bytes) else value.encode())))


def common(value):
    return sequence(attribute("2.5.4.3", value))


def extension(kind, value, critical=False):
    return sequence(oid(kind), TRUE if critical else b"", tlv(4, value))


def authority(is_authority=True, length=None):
    value = sequence(TRUE if is_authority else b"", b"" if length is None else integer(length))
    return extension("2.5.29.19", value, True)


def form(tag, value):
    return tlv(tag, value if isinstance(value, bytes) else value.encode())


def mail(value):
    return form(0x81, value)


def dns(value):
    return form(0x82, value)


def directory(value):
    return form(0xA4, value)


def uri(value):
    return form(0x86, value)


def address(value):
    return form(0x87, value)


def other(kind, value):
    return tlv(0xA0, kind, tlv(0xA0, value))


def names(*values):
    return extension("2.5.29.17", sequence(*values))


def subtrees(permitted=(), excluded=(), critical=True):
    def part(tag, bases):
        return tlv(tag, *[sequence(base) for base in bases]) if bases else b""

    return extension("2.5.29.30", sequence(part(0xA0, permitted), part(0xA1, excluded)), critical)


def policies(*kinds, critical=False):
    return extension("2.5.29.32", sequence(*[sequence(kind) for kind in kinds]), critical)


CERT_SIGN = extension("2.5.29.15", octets("03020106"), True)
SIGN = extension("2.5.29.15", octets("03020780"), True)
SERVER = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1")))
ED25519 = sequence(oid("1.3.101.112"))
RSA_SHA256 = sequence(oid("1.2.840.113549.1.1.11"), NULL)
KEYS = {name: ed25519.Ed25519PrivateKey.generate() for name in ("Root", "Authority", "Leaf", "Other")}
RSA = rsa.generate_private_key(65537, 2048)


def public(key):
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def certificate(
    subject,
    issuer,
    extensions,
    *,
    key=None,
    signer=None,
    version=2,
    inner=ED25519,
    outer=None,
    start=b"250101000000Z",
    end=b"270101000000Z",
    times=None,
    public_key=None,
    sign=None,
    unique=b"",
    raw=None,
    subject_name=None,
    issuer_name=None,
    serial=None,
    unused=0,
    bits=None,
):
    """A certificate; subject and issuer are names of `KEYS` unless told otherwise."""
    what = sequence(
        tlv(0xA0, integer(version)) if version else b"",
        integer(int.from_bytes(os.urandom(10), "big") + 1) if serial is None else serial,
        inner,
        common(issuer) if issuer_name is None else issuer_name,
        times or sequence(tlv(0x17, start), tlv(0x17, end)),
        common(subject) if subject_name is None else subject_name,
        public_key or public(key or KEYS[subject]),
        unique,
        raw if raw is not None else tlv(0xA3, sequence(*extensions)) if extensions else b"",
    )
    signature = (sign or (signer or KEYS[issuer]).sign)(what)
    return sequence(what, outer or inner, tlv(3, bytes([unused]), signature) if bits is None else bits)


def revocation_list(*entries, extensions=(), entry_more=b"", issuer_name=None, issuer="Authority"):
    """A list of `entries`, the elements of serial numbers."""
    what = sequence(
        integer(1),
        ED25519,
        common(issuer) if issuer_name is None else issuer_name,
        tlv(0x17, b"251201000000Z"),
        tlv(0x17, b"260201000000Z"),
        sequence(*[sequence(entry, tlv(0x17, b"251101000000Z"), entry_more) for entry in entries])
        if entries
        else b"",
        tlv(0xA0, sequence(extension("2.5.29.20", integer(1)), *extensions)),
    )
    return sequence(what, ED25519, tlv(3, b"\0", KEYS[issuer].sign(what)))


def root(*more, **options):
    return certificate("Root", "Root", [authority(), CERT_SIGN, *more], **options)


def middle(*more, base=None, **options):
    return certificate(
        "Authority", "Root", [*([authority(), CERT_SIGN] if base is None else base), *more], **options
    )


def leaf(*more, base=(SIGN, SERVER), **options):
    return certificate("Leaf", "Authority", [*base, *more], **options)


GOOD = names(dns(HOST))
ROOT, MIDDLE = root(), middle()


class Cases:
    """Writes the cases of one script."""

    def __init__(self, script, time="2026-01-01T00:00:00Z"):
        self.script, self.folder, self.time = pathlib.Path(script), pathlib.Path(script).parent, time

    def write(
        self, name, about, cites, expect, chain, *, host=HOST, purpose=None, anchors=(ROOT,),
        rules="webPKI", revocation=None, lists=(), answers=(), program=None, logged=None, time=None, public=False,
        domains=None
    ):
        text = [
            f"about:   {about}", f"cites:   {cites}", f"made-by: {self.script.name} {name}",
            f"time:    {time or self.time}", f"purpose: {purpose or 'server ' + host}", f"rules:   {rules}",
        ]
        if revocation:
            text.append(f"revocation: {revocation}")
        if public:
            text.append("public:  yes")
        if domains:
            text.append(f"domains: {domains}")
        if program:
            text.append(f"program: {program}")
        if logged:
            text.append(f"logged:  {logged}")
        text.append(f"expect:  {expect}")
        (self.folder / f"{name}.case").write_text(
            "\n".join(text)
            + "\n"
            + "".join(map(pem, chain))
            + "".join(pem(each, "X509 CRL") for each in lists)
            + "".join(pem(each, "OCSP RESPONSE") for each in answers)
            + "anchor:\n"
            + "".join(map(pem, anchors))
        )


def pem(der, label="CERTIFICATE"):
    text = base64.b64encode(der).decode()
    lines = [text[place : place + 64] for place in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


# A chain that keeps the profile of RFC 5280 and of the Baseline Requirements.


def identifier(name):
    """A key identifier for a name of `KEYS`."""
    return name.encode().ljust(20, b".")


def own(name):
    return extension("2.5.29.14", tlv(4, identifier(name)))


def above(name):
    return extension("2.5.29.35", sequence(tlv(0x80, identifier(name))))


ANCHOR = root(own("Root"))
ISSUER = middle(own("Authority"), above("Root"))
BELOW = above("Authority")


def end(*more, base=(SIGN, SERVER, BELOW, GOOD), **options):
    return leaf(*more, base=base, **options)
