"""Writes the cases of this folder: keys of leaves, names, algorithms and encodings that a path must
not, or may, have.

    python3 make.py

Certificates are put together byte by byte, because most of these no library writes. Every key is
thrown away. Expectations are stated here, from the paragraph that each case cites.
"""

import base64
import json
import os
import pathlib
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, x25519

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from encoder import integer, oid, sequence, tlv

FOLDER = pathlib.Path(__file__).parent
HOST = "www.good.example"
TIME = "2026-01-01T00:00:00Z"


def attribute(kind, value, tag=0x0C):
    return tlv(0x31, sequence(oid(kind), tlv(tag, value if isinstance(value, bytes) else value.encode())))


def extension(kind, value, critical=False, flag=None):
    flag = flag if flag is not None else bytes.fromhex("0101FF") if critical else b""
    return sequence(oid(kind), flag, tlv(4, value))


def common(text):
    return sequence(attribute("2.5.4.3", text))


def dns(text):
    return tlv(0x82, text.encode())


def mail(text):
    return tlv(0x81, text.encode())


def names(*values, **options):
    return extension("2.5.29.17", sequence(*values), **options)


def info(key):
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def raw_key(kind, content, parameters=b""):
    return sequence(sequence(oid(kind), parameters), tlv(3, b"\0", content))


ED25519, ED448 = "1.3.101.112", "1.3.101.113"
RSA_PSS, MGF1, NULL = "1.2.840.113549.1.1.10", "1.2.840.113549.1.1.8", b"\5\0"
CA = extension("2.5.29.19", sequence(b"\1\1\xff"), True)
SIGN_CERTIFICATES = extension("2.5.29.15", tlv(3, b"\1\6"), True)
SIGN = extension("2.5.29.15", tlv(3, b"\7\x80"), True)
SERVER = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1")))
GOOD = names(dns(HOST))
KEYS = {name: ed25519.Ed25519PrivateKey.generate() for name in ("Root", "Authority", "Leaf")}
RSA = rsa.generate_private_key(65537, 2048)


def certificate(subject, issuer, extensions, *, key=None, name=None, issuer_name=None, signer=None,
        algorithm=sequence(oid(ED25519)), sign=None, start=b"250101000000Z", serial=None):
    what = sequence(
        tlv(0xA0, integer(2)),
        integer(serial or int.from_bytes(os.urandom(8), "big") + 1),
        algorithm,
        common(issuer) if issuer_name is None else issuer_name,
        sequence(tlv(0x17, start), tlv(0x17, b"270101000000Z")),
        common(subject) if name is None else name,
        key or info(KEYS[subject]),
        tlv(0xA3, sequence(*extensions)),
    )
    return sequence(what, algorithm, tlv(3, b"\0", (sign or (signer or KEYS[issuer]).sign)(what)))


def root(*more, **options):
    return certificate("Root", "Root", [CA, SIGN_CERTIFICATES, *more], **options)


def middle(*more, **options):
    return certificate("Authority", "Root", [CA, SIGN_CERTIFICATES, *more], **options)


def leaf(*more, base=(SIGN, SERVER, GOOD), **options):
    return certificate("Leaf", "Authority", [*base, *more], **options)


ROOT, MIDDLE = root(), middle()


def case(name, about, cites, expect, chain, *, anchors=(ROOT,), rules="webPKI"):
    def pem(der):
        text = base64.b64encode(der).decode()
        lines = [text[place : place + 64] for place in range(0, len(text), 64)]
        return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])

    (FOLDER / f"{name}.case").write_text(
        f"about:   {about}\ncites:   {cites}\nmade-by: make.py {name}\n"
        f"time:    {TIME}\npurpose: server {HOST}\nrules:   {rules}\nexpect:  {expect}\n"
        + "".join(map(pem, chain)) + "anchor:\n" + "".join(map(pem, anchors)))


def one(name, about, cites, expect, end, **options):
    """A leaf below a good intermediate."""
    case(name, about, cites, expect, [end, MIDDLE], **options)


def both(name, about, cites, expect, end, rule="encoding"):
    """A leaf that is read, and that the strict rules reject."""
    one(name, about, cites, expect, end)
    one(f"{name}-strict", about, cites, f"reject {rule} at 0", end, rules="strict")


for path in FOLDER.glob("*.case"):
    path.unlink()
one("good", "most cases differ from this one in one thing", "RFC 5280 §6.1", "accept", leaf())

# Keys of leaves.

P25519, P448 = 2**255 - 19, 2**448 - 2**224 - 1
D25519, D448 = -121665 * pow(121666, -1, P25519) % P25519, -39081


def off_curve(p, d, a):
    """The least y of no point: a x² + y² = 1 + d x² y², so x² = (y² - 1) / (d y² - a)."""
    for y in range(2, 100):
        square = (y * y - 1) * pow(d * y * y - a, -1, p) % p
        if pow(square, (p - 1) // 2, p) == p - 1:
            return y


for name, kind, content, about in (
    ("ed25519-empty", ED25519, b"", "a key has 32 bytes"),
    ("ed25519-short", ED25519, bytes(31), "a key has 32 bytes"),
    ("ed25519-long", ED25519, info(KEYS["Leaf"])[-32:] + b"\0", "a key has 32 bytes"),
    ("ed448-empty", ED448, b"", "a key has 57 bytes"),
    ("ed448-short", ED448, bytes(56), "a key has 57 bytes"),
    ("mldsa44-short", "2.16.840.1.101.3.4.3.17", os.urandom(1311), "a key has 1,312 bytes"),
    ("mldsa65-long", "2.16.840.1.101.3.4.3.18", os.urandom(1953), "a key has 1,952 bytes"),
    ("mldsa87-empty", "2.16.840.1.101.3.4.3.19", b"", "a key has 2,592 bytes"),
):
    cites = "RFC 9881 §4" if name.startswith("mldsa") else "RFC 8410 §4"
    end = leaf(key=raw_key(kind, content))
    one(f"key-{name}", about, cites, "reject invalidKey at 0", end, rules="rfc5280")
    if not name.startswith("mldsa"):
        one(f"key-{name}-web", about, cites, "reject invalidKey at 0", end)
for name, kind, content, about in (
    ("ed25519-small-order", ED25519, (1).to_bytes(32, "little"), "the order of a key is large"),
    ("ed25519-not-canonical", ED25519, (P25519 + 3).to_bytes(32, "little"), "a coordinate is below p"),
    ("ed25519-off-curve", ED25519, off_curve(P25519, D25519, -1).to_bytes(32, "little"), "a key is a point"),
    ("ed448-small-order", ED448, bytes(57), "the order of a key is large"),
    ("ed448-not-canonical", ED448, (P448 + 3).to_bytes(56, "little") + b"\0", "a coordinate is below p"),
    ("ed448-off-curve", ED448, off_curve(P448, D448, 1).to_bytes(57, "little"), "a key is a point"),
):
    key = raw_key(kind, content)
    one(f"key-{name}", about, "RFC 8032 §5", "reject invalidKey at 0", leaf(key=key))
    one(f"key-{name}-unchecked", "the points of leaves are not looked at where no rule asks for it",
        "RFC 5280 §6.1", "accept", leaf(key=key), rules="rfc5280")
    case(f"key-{name}-issuer", about, "RFC 8032 §5", "reject invalidKey at 1",
        [leaf(algorithm=sequence(oid(kind)), sign=lambda _: os.urandom(114 if kind == ED448 else 64)),
            middle(key=key)], rules="rfc5280")
one("key-mldsa44", "a key of that length may be one", "RFC 9881 §4", "accept",
    leaf(key=raw_key("2.16.840.1.101.3.4.3.17", os.urandom(1312))), rules="rfc5280")
x_key = info(x25519.X25519PrivateKey.generate())
one("key-x25519", "a key for key agreement verifies nothing, and nothing is verified with it",
    "RFC 8410 §4", "accept", leaf(key=x_key), rules="rfc5280")
one("key-x25519-web", "the web takes keys for signatures only", "CA/B BR §6.1.5",
    "reject unsupportedKey at 0", leaf(key=x_key))
odd = raw_key("1.2.840.113549.1.1.1",
    sequence(integer(rsa.generate_private_key(65537, 2052).public_key().public_numbers().n), integer(65537)), NULL)
both("key-rsa-2052-bits", "a modulus has a multiple of 8 bits", "CA/B BR §6.1.5", "accept",
    leaf(key=odd), "keySizeNotWholeBytes")

# Mailboxes in the subject.


def with_mail(text, tag=0x16, **options):
    return leaf(name=sequence(attribute("1.2.840.113549.1.9.1", text, tag)), **options)


def constrained(name, about, expect, end, permitted=(), excluded=()):
    value = sequence(*(tlv(tag, *[sequence(base) for base in bases])
        for tag, bases in ((0xA0, permitted), (0xA1, excluded)) if bases))
    case(name, about, "RFC 5280 §4.1.2.6", expect,
        [end, middle(extension("2.5.29.30", value, True))], rules="rfc5280")


folded = "the attribute emailAddress has no case"
constrained("mail-same-case", folded, "reject nameExcluded at 0", with_mail("foo@good.example"),
    excluded=[mail("foo@good.example")])
constrained("mail-other-case", folded, "reject nameExcluded at 0", with_mail("FoO@Good.example"),
    excluded=[mail("foo@good.example")])
constrained("mail-other-case-utf8", folded, "reject nameExcluded at 0",
    with_mail("FOO@good.example", tag=0x0C), excluded=[mail("foo@good.example")])
constrained("mail-other", folded, "accept", with_mail("bar@good.example"),
    excluded=[mail("foo@good.example")])
constrained("mail-permitted-other-case", "a permission is for the mailbox as it stands",
    "reject nameNotPermitted at 0", with_mail("FoO@good.example"), permitted=[mail("foo@good.example")])
constrained("mail-other-case-beside", "a mailbox beside the subject has a case (RFC 5280 §7.5)",
    "accept", leaf(base=(SIGN, SERVER, names(dns(HOST), mail("FoO@good.example")))),
    excluded=[mail("foo@good.example")])
constrained("mail-beside-permitted", "a permitted mailbox beside the subject frees none in it",
    "reject nameNotPermitted at 0",
    with_mail("a@bad.example", base=(SIGN, SERVER, names(dns(HOST), mail("a@good.example")))),
    permitted=[mail("good.example")])
constrained("mail-among-many", "what is looked up is folded as well", "reject nameExcluded at 0",
    with_mail("U77@good.example",
        base=(SIGN, SERVER, names(dns(HOST), *[dns(f"h{n}.good.example") for n in range(40)]))),
    excluded=[mail(f"u{n}@good.example") for n in range(100)])

# Parameters of RSASSA-PSS.

SHA1, SHA256 = "1.3.14.3.2.26", "2.16.840.1.101.3.4.2.1"


def pss(hash=SHA256, mask=SHA256, salt=32, trailer=None):
    parts = (hash and sequence(oid(hash), NULL), mask and sequence(oid(MGF1), sequence(oid(mask), NULL)),
        salt is not None and integer(salt), trailer is not None and integer(trailer))
    return sequence(oid(RSA_PSS),
        sequence(*(tlv(0xA0 + place, part) for place, part in enumerate(parts) if part)))


def under_pss(name, about, expect, algorithm, hash=hashes.SHA256, mask=hashes.SHA256, salt=32, rules="webPKI"):
    def sign(what):
        return RSA.sign(what, padding.PSS(padding.MGF1(mask()), salt), hash())

    case(name, about, "RFC 4055 §3.1", expect,
        [leaf(algorithm=algorithm, sign=sign), middle(key=info(RSA))], rules=rules)


written = "a default that is written out is recognized"
under_pss("pss-trailer-1", written, "accept", pss(trailer=1))
under_pss("pss-trailer-1-strict", "DER leaves defaults out", "reject encoding at 0", pss(trailer=1),
    rules="strict")
under_pss("pss-trailer-2", "trailer 1 is the only one", "reject unsupportedAlgorithm at 0", pss(trailer=2))
under_pss("pss-salt-20", written, "accept", pss(salt=20), salt=20)
under_pss("pss-mask-sha1", written, "reject weakDigest at 0", pss(mask=SHA1), mask=hashes.SHA1)
under_pss("pss-mask-absent", "an absent mask is one with SHA-1", "reject weakDigest at 0",
    pss(mask=None), mask=hashes.SHA1)
under_pss("pss-sha1", written, "reject weakDigest at 0", pss(SHA1, SHA1, 20, 1), hashes.SHA1,
    hashes.SHA1, 20)

# TLS features.


def features(*numbers):
    return extension("1.3.6.1.5.5.7.1.24", sequence(*map(integer, numbers)))


for name, about, expect, chain, anchor in (
    ("missing", "what an issuer promises its subjects have", "reject extensionMissing at 0",
        [leaf(), middle(features(5))], ROOT),
    ("fewer", "a subject has all of them", "reject extensionValue at 0",
        [leaf(features(5)), middle(features(5, 17))], ROOT),
    ("more", "a subject may have others", "accept", [leaf(features(23, 17, 5)), middle(features(5, 17))], ROOT),
    ("of-anchor", "an anchor binds as an issuer does", "reject extensionMissing at 1",
        [leaf(features(5)), MIDDLE], root(features(5))),
    ("through", "each issuer binds all below it", "reject extensionValue at 0",
        [leaf(features(17)), middle(features(5, 17))], root(features(5))),
    ("of-leaf", "a leaf binds nothing", "accept", [leaf(features(5)), MIDDLE], ROOT),
):
    case(f"tls-feature-{name}", about, "RFC 7633 §4.2.2", expect, chain, anchors=[anchor])

# Subjects without a name.

EMPTY, PLAIN = sequence(), (SIGN, SERVER)
for rules in ("webPKI", "rfc5280", "apple", "strict", "strictRFC5280"):
    one(f"subject-empty-{rules}", "without a subject the alternative names are critical",
        "RFC 5280 §4.1.2.6", "reject extensionNotCritical at 0", leaf(name=EMPTY), rules=rules)
one("subject-empty-critical", "critical names stand for a subject", "RFC 5280 §4.1.2.6", "accept",
    leaf(name=EMPTY, base=(*PLAIN, names(dns(HOST), critical=True))))
one("subject-empty-alone", "a certificate is somebody's", "RFC 5280 §4.1.2.6",
    "reject emptySubject at 0", leaf(name=EMPTY, base=PLAIN), rules="rfc5280")
case("subject-empty-issuer", "an authority has a name", "RFC 5280 §4.1.2.6",
    "reject emptySubject at 1", [leaf(issuer_name=EMPTY), middle(GOOD, name=EMPTY)])
case("subject-empty-anchor", "an anchor has a name", "RFC 5280 §6.1.1 (d)",
    "reject emptySubject at 1",
    [certificate("Leaf", "Root", [*PLAIN, GOOD], issuer_name=EMPTY)],
    anchors=[certificate("Root", "Root", [CA, SIGN_CERTIFICATES, GOOD], name=EMPTY, issuer_name=EMPTY)])

# Encodings that are read with a note, and others that are not read.

FALSE = bytes.fromhex("010100")
both("critical-false", "a default is not written out", "X.690 §11.5", "accept",
    leaf(base=(extension("2.5.29.15", tlv(3, b"\7\x80"), flag=FALSE), SERVER, GOOD)))
one("critical-01", "TRUE is FF", "X.690 §11.1", "unreadable at 0 in keyUsage",
    leaf(base=(extension("2.5.29.15", tlv(3, b"\7\x80"), flag=bytes.fromhex("010101")), SERVER, GOOD)))
for name, kind, field, cites in (
    ("places", "2.5.29.31", "cRLDistributionPoints", "RFC 5280 §4.2.1.13"),
    ("freshest", "2.5.29.46", "freshestCRL", "RFC 5280 §4.2.1.15"),
    ("issuer-names", "2.5.29.18", "issuerAltName", "RFC 5280 §4.2.1.7"),
    ("subject-access", "1.3.6.1.5.5.7.1.11", "subjectInfoAccess", "RFC 5280 §4.2.2.2"),
):
    for suffix, critical, rules in (("", False, "webPKI"), ("-strict", False, "strict"), ("-critical", True, "webPKI")):
        one(f"empty-{name}{suffix}", "a list must not be empty", cites, f"unreadable at 0 in {field}",
            leaf(extension(kind, sequence(), critical)), rules=rules)
point = sequence(sequence(tlv(0xA0, tlv(0xA0, tlv(0x86, b"http://good.example/")))))
both("freshest-critical", "the extension is understood, so to be critical does no harm",
    "RFC 5280 §4.2.1.15", "accept", leaf(extension("2.5.29.46", point, True)), "extensionCritical")
one("issuer-names-critical", "the extension asks nothing of a validator", "RFC 5280 §4.2.1.7", "accept",
    leaf(extension("2.5.29.18", sequence(dns("good.example")), True)))
both("timestamps-length", "a list of timestamps has its length before it", "RFC 6962 §3.3", "accept",
    leaf(extension("1.3.6.1.4.1.11129.2.4.2", tlv(4, b"\0\5\0\0"))))
one("time-second-60", "a minute has 60 seconds", "RFC 5280 §4.1.2.5", "unreadable at 0 in validity",
    leaf(start=b"250101000060Z"))

for name, tag, content, cites in (
    ("boolean", 0x01, "FFFF", "X.690 §8.2.1"), ("boolean-01", 0x01, "01", "X.690 §11.1"),
    ("integer", 0x02, "0001", "X.690 §8.3.2"), ("integer-empty", 0x02, "", "X.690 §8.3.1"),
    ("enumerated", 0x0A, "FF80", "X.690 §8.4"), ("bits", 0x03, "0801", "X.690 §8.6.2"),
    ("bits-set", 0x03, "0101", "X.690 §11.2.1"), ("null", 0x05, "00", "X.690 §8.8.2"),
    ("identifier", 0x06, "80", "X.690 §8.19.2"), ("time", 0x17, b"2501010000Z".hex(), "X.690 §11.8"),
    ("fraction", 0x18, b"20250101000000.50Z".hex(), "X.690 §11.7"),
    ("constructed-text", 0x2C, "0C0141", "X.690 §10.2"), ("constructed-octets", 0x24, "2400", "X.690 §10.2"),
    ("primitive-sequence", 0x10, "", "X.690 §8.9.1"), ("end-of-contents", 0x00, "", "X.690 §8.1.5"),
    ("nested", 0x30, "310301010A", "X.690 §11.1"), ("nested-text", 0x30, "0C01FF", "X.680 §41"),
):
    one(f"value-{name}", "a value of any type is DER", cites, "unreadable at 0 in subject",
        leaf(name=sequence(attribute("2.5.4.3", bytes.fromhex(content), tag))))
WRONG, ANY = tlv(0x30, bytes.fromhex("310301010A")), "1.2.3.4"
for field, end in (
    ("subjectAltName", leaf(base=(*PLAIN, names(dns(HOST), tlv(0xA0, oid(ANY), tlv(0xA0, WRONG)))))),
    ("certificatePolicies",
        leaf(extension("2.5.29.32", sequence(sequence(oid(ANY), sequence(sequence(oid(ANY), WRONG))))))),
    ("subjectDirectoryAttributes",
        leaf(extension("2.5.29.9", sequence(sequence(oid(ANY), tlv(0x31, WRONG)))))),
):
    one(f"value-in-{field}", "a value of any type is DER", "X.690 §11.1", f"unreadable at 0 in {field}", end)
right = [(0x01, "FF"), (0x02, "80"), (0x03, "0780"), (0x05, ""), (0x06, "2A03"), (0x0A, "00"),
    (0x18, b"20250101000000.25Z".hex()), (0x17, b"250101000000Z".hex()), (0x09, ""), (0x80, "FF"),
    (0x04, "00"), (0x30, "")]
one("value-right", "values of other types than strings may stand in a name", "RFC 5280 §4.1.2.4",
    "accept", leaf(name=sequence(*(attribute("2.5.4.3", bytes.fromhex(text), tag) for tag, text in right))))
notice = sequence(sequence(oid("1.2.3.4"), sequence(sequence(
    oid("1.3.6.1.5.5.7.2.2"), sequence(tlv(0x1A, "modèle".encode("latin-1")))))))
both("notice-latin", "the words of a notice decide nothing", "X.680 §41", "accept",
    leaf(extension("2.5.29.32", notice)))
one("directory-name-text", "a name beside the subject is one as well", "X.680 §41",
    "unreadable at 0 in subjectAltName",
    leaf(base=(*PLAIN, names(dns(HOST), tlv(0xA4, sequence(attribute("2.5.4.3", b"\xff")))))))

# What is remembered of one request and asked for in another: `memory.ndjson` for `holdfast batch`.


def ocsp_answer(responder):
    digest = hashes.Hash(hashes.SHA1())
    digest.update(common("Authority"))
    name_hash = digest.finalize()
    digest = hashes.Hash(hashes.SHA1())
    digest.update(info(KEYS["Authority"])[-32:])
    number = sequence(sequence(oid(SHA1), NULL), tlv(4, name_hash), tlv(4, digest.finalize()), integer(77))
    now = tlv(0x18, b"20260101000000Z")
    data = sequence(tlv(0xA1, common("Responder")), now, sequence(sequence(number, tlv(0x80), now)))
    basic = sequence(data, sequence(oid("1.2.840.10045.4.3.2")),
        tlv(3, b"\0", sequence(integer(5), integer(7))), tlv(0xA0, sequence(responder)))
    return sequence(tlv(0x0A, b"\0"),
        tlv(0xA0, sequence(oid("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))


point = info(ec.generate_private_key(ec.SECP256R1()))
responder = certificate("Responder", "Authority",
    [SIGN, extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.9")))], key=point[:-1] + bytes([point[-1] ^ 1]))
common_part = {"anchors": [base64.b64encode(ROOT).decode()], "time": TIME}
first = {"id": "responder as a leaf", "purpose": "ocsp", **common_part,
    "chain": [base64.b64encode(der).decode() for der in (responder, MIDDLE)]}
second = {"id": "another leaf with its answer", "host": HOST, "revocation": "given", **common_part,
    "chain": [base64.b64encode(der).decode() for der in (leaf(serial=77), MIDDLE)],
    "ocsp": base64.b64encode(ocsp_answer(responder)).decode()}
(FOLDER / "memory.ndjson").write_text("".join(json.dumps(line) + "\n" for line in (first, second, first)))
