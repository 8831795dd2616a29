"""Writes more cases of this folder, among them controls: what shares everything with a flawed
certificate but the flaw is accepted.

    python3 make_second.py

`historical.txt` beside this says which published flaw each case is about. Every key is thrown away;
expectations are stated here, from the paragraph that each case cites.
"""

import hashlib
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from parts import *

case = Cases(__file__).write
PRESETS = ("webPKI", "apple", "rfc5280", "strict", "strictRFC5280")


def one(name, about, cites, expect, end, **options):
    """A leaf below a good intermediate."""
    case(name, about, cites, expect, [end, MIDDLE], **options)


def above(name, about, cites, expect, issuer, end=None, **options):
    """A good leaf below an intermediate."""
    case(name, about, cites, expect, [end or leaf(GOOD), issuer], **options)


one("good", "the chain from which those with keys of Ed25519 differ", "RFC 5280 §6.1", "accept", leaf(GOOD))

# Signatures as BIT STRINGs.

curve_key = ec.generate_private_key(ec.SECP256R1())
curve_middle = middle(key=curve_key)
ECDSA = sequence(oid("1.2.840.10045.4.3.2"))
P256 = ec.ECDSA(hashes.SHA256())
above("ecdsa-good", "the chain from which those with keys on P-256 differ", "RFC 5280 §6.1", "accept",
    curve_middle, leaf(GOOD, inner=ECDSA, sign=lambda what: curve_key.sign(what, P256)))


def ends_in_zeros(what):
    while (signature := curve_key.sign(what, P256))[-1] & 7:
        pass
    return signature


for count in (0, 1, 2, 3):
    above(f"signature-bits-{count or 'good'}", f"the last {count} bits, which are zero, count as unused",
        "RFC 5280 §4.1.1.3", "unreadable at 0 in signatureValue" if count else "accept", curve_middle,
        leaf(GOOD, inner=ECDSA, sign=ends_in_zeros, unused=count))
one("signature-without-content", "a BIT STRING has a byte that counts its unused bits", "X.690 §8.6.2.2",
    "unreadable at 0 in signatureValue", leaf(GOOD, bits=octets("0300")))
for size, expect in ((4096, "reject signature at 0"), (65536, "unreadable at 0")):
    for name, algorithm in (("pkcs1", RSA_SHA256), ("curve", ECDSA)):
        above(f"signature-{name}-of-{size}", "a signature is as long as its key makes it",
            "RFC 8017 §8.2.2" if name == "pkcs1" else "RFC 3279 §2.2.3", expect,
            middle(key=RSA) if name == "pkcs1" else curve_middle,
            leaf(GOOD, inner=algorithm, sign=lambda _: os.urandom(size)))

# Encodings.

for place in range(12):
    start = bytearray(b"250101000000Z")
    start[place] = 0x41
    one(f"der-time-letter-{place}", "a UTCTime has twelve digits and a Z", "RFC 5280 §4.1.2.5.1",
        "unreadable at 0 in validity", leaf(GOOD, start=bytes(start)))
one("der-time-nul", "a UTCTime has twelve digits and a Z", "RFC 5280 §4.1.2.5.1",
    "unreadable at 0 in validity", leaf(GOOD, start=b"2501010000\0\0Z"))


def subject(*parts):
    return leaf(GOOD, subject_name=sequence(*parts))


COMMON_NAME = oid("2.5.4.3")
TEXT = tlv(12, b"x")
for name, about, value in (
    ("text-of-a-gigabyte", "a length lies within what is there", octets("1E8440000000") + b"\0x"),
    ("text-of-4-gigabytes", "a length lies within what is there", octets("1C84FFFFFFFC") + b"\0\0\0x"),
    ("high-tag", "no type of a certificate has a tag above 30", octets("1F82020100")),
    ("null-with-content", "a NULL has no content", octets("050100")),
):
    one(f"der-{name}", about, "X.690 §8.1.3", "unreadable at 0 in subject",
        subject(tlv(0x31, sequence(COMMON_NAME, value))))
one("der-subject-good", "the names of the cases beside differ from this one", "RFC 5280 §4.1.2.4", "accept",
    subject(tlv(0x31, sequence(COMMON_NAME, tlv(0x1E, b"\0x"))), tlv(0x31, sequence(oid("2.5.4.10"), TEXT))))
for name, about, value in (
    ("empty-set", "a relative name has one attribute at least", tlv(0x31)),
    ("attribute-without-value", "an attribute has a type and a value", tlv(0x31, sequence(COMMON_NAME))),
    ("attribute-of-three", "an attribute has a type and a value", tlv(0x31, sequence(COMMON_NAME, TEXT, TEXT))),
    ("relative-name-as-sequence", "a relative name is a SET", tlv(0x30, sequence(COMMON_NAME, TEXT))),
    ("padded-attribute-type", "an identifier is in its shortest form",
        tlv(0x31, sequence(octets("060455048003"), TEXT))),
):
    one(f"der-{name}", about, "RFC 5280 §4.1.2.4", "unreadable at 0 in subject", subject(value))
one("der-padded-extension", "an identifier is in its shortest form", "X.690 §8.19.2", "unreadable at 0",
    leaf(sequence(octets("0604551D8011"), tlv(4, sequence(dns(HOST))))))
giant = tlv(6, octets("5504828080808080808080" + "03"))
STRICT = [SIGN, SERVER, extension("2.5.29.35", sequence(tlv(0x80, b"\1" * 20))), GOOD]
strict_issuers = dict(
    anchors=(root(extension("2.5.29.14", tlv(4, b"\2" * 20))),), rules="strict")
strict_middle = middle(
    extension("2.5.29.14", tlv(4, b"\1" * 20)), extension("2.5.29.35", sequence(tlv(0x80, b"\2" * 20))))
for name, kind, expect in (
    ("arc-of-2-64-and-3", giant, "accept"), ("arc-of-3", COMMON_NAME, "accept")
):
    case(f"der-{name}", "an arc of 2^64 + 3 is not 3: both attributes are read, and neither counts for the host",
        "X.690 §8.19", expect,
        [leaf(base=STRICT, subject_name=sequence(tlv(0x31, sequence(kind, tlv(12, b"WWW.bad.example"))))),
        strict_middle], **strict_issuers)

for name, cites, about, expect, value in (
    ("number-empty", "X.690 §8.3.1", "a number has a byte at least", "unreadable at 0 in serialNumber",
        {"serial": octets("0200")}),
    ("usage-empty", "X.690 §8.6.2.2", "a BIT STRING has a byte that counts its unused bits",
        "unreadable at 0 in keyUsage", {"base": (extension("2.5.29.15", octets("0300"), True), SERVER)}),
    ("usage-of-no-bit", "X.690 §8.6.2.3", "no bits, and eight of them unused", "unreadable at 0 in keyUsage",
        {"base": (extension("2.5.29.15", octets("030108"), True), SERVER)}),
    ("purpose-empty", "X.690 §8.19.1", "an identifier has a byte at least", "unreadable at 0 in extKeyUsage",
        {"base": (SIGN, extension("2.5.29.37", octets("30020600")))}),
    ("purpose-padded", "X.690 §8.19.2", "an identifier is in its shortest form", "unreadable at 0 in extKeyUsage",
        {"base": (SIGN, extension("2.5.29.37", octets("300406020180")))}),
    ("boolean-of-two", "X.690 §8.2.1", "a BOOLEAN has one byte", "unreadable at 0 in basicConstraints",
        {"base": (SIGN, SERVER, extension("2.5.29.19", octets("30040102FFFF"), True))}),
    ("key-without-content", "X.690 §8.6.2.2", "a BIT STRING has a byte that counts its unused bits",
        "unreadable at 0 in subjectPublicKeyInfo", {"public_key": sequence(ED25519, octets("0300"))}),
    ("null-of-the-algorithm-with-content", "X.690 §8.8.2", "a NULL has no content", "unreadable at 0",
        {"inner": sequence(oid("1.2.840.113549.1.1.11"), octets("050100"))}),
):
    one(f"der-{name}", about, cites, expect, leaf(GOOD, **value))
for name, value in (("chunks", "2480040141040142" + "0000"), ("chunks-in-chunks", "240624040402" + "0500"),
    ("chunks-of-known-length", "2406040141040142")):
    one(f"der-{name}", "a string is in one piece", "X.690 §10.2", "unreadable at 0",
        leaf(GOOD, sequence(oid("1.2.3.4"), octets(value))))
one("der-one-piece", "a string is in one piece", "X.690 §10.2", "accept", leaf(GOOD, extension("1.2.3.4", b"AB")))
first, second = tlv(0x81, b"\0\1"), tlv(0x82, b"\0\1")
three = tlv(0xA3, sequence(SIGN, SERVER, GOOD))
for name, fields, expect in (
    ("in-order", first + second + three, "accept"), ("swapped", second + first + three, "unreadable at 0"),
    ("twice", three + three, "unreadable at 0"), ("behind", three + first, "unreadable at 0"),
    ("one-twice", first + first + three, "unreadable at 0"),
):
    one(f"der-fields-{name}", "optional fields stand in their order, each once", "RFC 5280 §4.1", expect,
        leaf(raw=fields))
one("der-pem-of-huge-length", "a length lies within what is there", "X.690 §8.1.3", "unreadable at 0",
    octets("30847FFFFFFF0000"))
deep = b""
for _ in range(9000):
    deep = sequence(deep)
one("der-pem-of-9000-levels", "a certificate has three parts", "RFC 5280 §4.1", "unreadable at 0", deep)
two_bits = sequence(oid("2.5.29.17"), octets("010101"), tlv(4, sequence(dns(HOST))))
one("der-criticality-of-1", "TRUE is FF", "X.690 §11.1", "unreadable at 0", leaf(two_bits))

# Extensions that are known: one with another type inside, one with more behind.

P, Q = oid("1.3.6.1.4.1.32473.1"), oid("1.3.6.1.4.1.32473.2")
place = sequence(sequence(tlv(0xA0, tlv(0xA0, uri("http://c.example/c.crl")))))
entry = b"\0" + bytes(32) + bytes(8) + b"\0\0" + b"\4\3" + b"\0\4" + b"\1\2\3\4"
timestamps = tlv(4, (len(entry) + 2).to_bytes(2, "big") + len(entry).to_bytes(2, "big") + entry)
KNOWN = {
    "subjectDirectoryAttributes": ("2.5.29.9",
        sequence(sequence(oid("1.3.6.1.5.5.7.9.4"), tlv(0x31, tlv(0x13, b"US"))))),
    "subjectKeyIdentifier": ("2.5.29.14", tlv(4, b"\3" * 20)),
    "keyUsage": ("2.5.29.15", octets("03020780")),
    "subjectAltName": ("2.5.29.17", sequence(dns(HOST))),
    "issuerAltName": ("2.5.29.18", sequence(dns("c.example"))),
    "basicConstraints": ("2.5.29.19", sequence()),
    "nameConstraints": ("2.5.29.30", sequence(tlv(0xA1, sequence(dns("x.example"))))),
    "cRLDistributionPoints": ("2.5.29.31", place),
    "certificatePolicies": ("2.5.29.32", sequence(sequence(P))),
    "policyMappings": ("2.5.29.33", sequence(sequence(P, Q))),
    "authorityKeyIdentifier": ("2.5.29.35", sequence(tlv(0x80, b"\1" * 20))),
    "policyConstraints": ("2.5.29.36", sequence(tlv(0x81, b"\5"))),
    "extKeyUsage": ("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
    "freshestCRL": ("2.5.29.46", place),
    "inhibitAnyPolicy": ("2.5.29.54", integer(5)),
    "authorityInfoAccess": ("1.3.6.1.5.5.7.1.1",
        sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), uri("http://o.example/")))),
    "subjectInfoAccess": ("1.3.6.1.5.5.7.1.11",
        sequence(sequence(oid("1.3.6.1.5.5.7.48.5"), uri("http://o.example/")))),
    "tlsFeature": ("1.3.6.1.5.5.7.1.24", sequence(integer(5))),
    "ocspNoCheck": ("1.3.6.1.5.5.7.48.1.5", NULL),
    "signedCertificateTimestampList": ("1.3.6.1.4.1.11129.2.4.2", timestamps),
}


def with_extensions(values):
    return leaf(base=[extension(kind, value) for kind, value in values.values()])


one("extensions-good", "every extension that is known, each well formed", "RFC 5280 §4.2", "accept",
    with_extensions(KNOWN))
for name, (kind, value) in KNOWN.items():
    wrong = TRUE if value == NULL else NULL
    for more, about, other in (
        ("type", "holds another type", wrong), ("trailing", "is followed by more", value + NULL)
    ):
        one(f"extension-{name}-{more}", f"the value of an extension that is known {about}", "RFC 5280 §4.2",
            f"unreadable at 0 in {name}", with_extensions({**KNOWN, name: (kind, other)}))
one("extension-timestamps-beyond-the-end", "a list of timestamps, in a critical extension, ends with it", "RFC 6962 §3.3",
    "unreadable at 0 in signedCertificateTimestampList",
    leaf(GOOD, extension("1.3.6.1.4.1.11129.2.4.2", tlv(4, b"\0\xff" + b"\1\2\3\4"), True)))

# RSA.

N = RSA.public_key().public_numbers().n
rsa_middle = middle(key=RSA)
SHA256 = "2.16.840.1.101.3.4.2.1"


def block(what, kind=SHA256, name="sha256", pad=None):
    """The block of PKCS #1 for a message, of 256 bytes."""
    digest = hashlib.new(name, what).digest() if name else bytes(16)
    info = sequence(sequence(oid(kind), NULL), tlv(4, digest))
    ones = 253 - len(info) if pad is None else pad
    return b"\0\1" + b"\xff" * ones + b"\0" + info


def power(made, modulus=N, secret=RSA.private_numbers().d):
    return lambda what: pow(int.from_bytes(made(what), "big"), secret, modulus).to_bytes(256, "big")


def under_rsa(name, about, expect, sign, issuer=rsa_middle, cites="RFC 8017 §8.2.2", inner=RSA_SHA256):
    above(name, about, cites, expect, issuer, leaf(GOOD, inner=inner, sign=sign))


right = power(block)
under_rsa("pkcs1-good", "the chain from which those with keys of RSA differ", "accept", right)
under_rsa("pkcs1-padding-of-one", "the padding fills the block", "reject signature at 0",
    power(lambda what: block(what, pad=1).ljust(256, b"\x5a")))
under_rsa("pkcs1-zero-before", "a signature is as long as the modulus", "reject signature at 0",
    lambda what: b"\0" + right(what))
under_rsa("pkcs1-byte-short", "a signature is as long as the modulus", "reject signature at 0",
    lambda what: right(what)[:-1])
three_key = rsa.generate_private_key(3, 2048)
three_numbers = three_key.private_numbers()
three_middle = middle(key=three_key)


def cube_root(what):
    """A number whose cube begins with the block of a digest and goes on with anything."""
    head = b"\0\1" + b"\xff" * 8 + b"\0" + block(what)[block(what).index(b"\0", 2) + 1 :]
    goal = int.from_bytes(head + bytes(256 - len(head)), "big")
    low, high = 0, 1 << 700
    while low < high:
        half = (low + high) // 2
        low, high = (half + 1, high) if half**3 < goal else (low, half)
    assert (low**3).to_bytes(256, "big").startswith(head)
    return low.to_bytes(256, "big")


under_rsa("pkcs1-exponent-3-good", "an exponent of 3 is odd and common in old roots", "accept",
    power(block, three_numbers.public_numbers.n, three_numbers.d), three_middle)
under_rsa("pkcs1-exponent-3-cube-root", "under an exponent of 3 a number is easily found whose cube begins rightly",
    "reject signature at 0", cube_root, three_middle)
odd = 43147
secret = RSA.private_numbers()
order = (secret.p - 1) * (secret.q - 1)
while math.gcd(odd, order) != 1:
    secret = rsa.generate_private_key(65537, 2048).private_numbers()
    order = (secret.p - 1) * (secret.q - 1)
modulus = secret.public_numbers.n
odd_key = sequence(sequence(oid("1.2.840.113549.1.1.1"), NULL),
    tlv(3, b"\0", sequence(integer(modulus), integer(odd))))
under_rsa("pkcs1-exponent-43147", "an exponent of 43147 is odd, and a root has it", "accept",
    power(block, modulus, pow(odd, -1, order)), middle(public_key=odd_key))

OLD = {
    "md2": ("1.2.840.113549.1.1.2", "1.2.840.113549.2.2", None, "unsupportedAlgorithm"),
    "md5": ("1.2.840.113549.1.1.4", "1.2.840.113549.2.5", "md5", "unsupportedAlgorithm"),
    "sha1": ("1.2.840.113549.1.1.5", "1.3.14.3.2.26", "sha1", "weakDigest"),
}
rsa_root = root(key=RSA, inner=RSA_SHA256, sign=right)
rsa_below_root = middle(inner=RSA_SHA256, sign=right)
above("digest-good", "the cases of old digests differ from this one", "CA/B BR §7.1.3.2", "accept",
    rsa_below_root, anchors=(rsa_root,))
for name, (algorithm, kind, function, rule) in OLD.items():
    made = dict(inner=sequence(oid(algorithm), NULL), sign=power(lambda what: block(what, kind, function)))
    cites, about = "CA/B BR §7.1.3.2", f"a signature over {name.upper()}, right in every other way"
    above(f"digest-{name}-leaf", about, cites, f"reject {rule} at 0", rsa_middle, leaf(GOOD, **made))
    above(f"digest-{name}-issuer", about, cites, f"reject {rule} at 1", middle(**made), anchors=(rsa_root,))
    above(f"digest-{name}-anchor", f"{about}, that is never verified: an anchor is its name and key",
        "RFC 5280 §6.1.1 (d)", "accept", rsa_below_root, anchors=(root(key=RSA, **made),))

# Points.

PRIME = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def root_of(x):
    """A y for an x of P-256, or None."""
    square = (x**3 - 3 * x + B) % PRIME
    y = pow(square, (PRIME + 1) // 4, PRIME)
    return y if y * y % PRIME == square else None


def point(content):
    return sequence(sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")), tlv(3, b"\0", content))


def coordinates(x, y):
    return x.to_bytes(32, "big") + y.to_bytes(32, "big")


x = next(x for x in range(5, 1000) if root_of(x) is not None)
y = root_of(x)
for name, about, content, expect in (
    ("good", "a point of P-256", b"\4" + coordinates(x, y), "accept"),
    ("compressed", "a point of P-256 by its x and a bit", bytes([2 + y % 2]) + coordinates(x, y)[:32], "accept"),
    ("next-y", "a point satisfies the equation", b"\4" + coordinates(x, (y + 1) % PRIME), "invalidKey"),
    ("x-plus-p", "a coordinate is below p", b"\4" + coordinates(x + PRIME, y), "invalidKey"),
    ("x-of-ones", "a coordinate is below p", b"\4" + coordinates(2**256 - 1, y), "invalidKey"),
    ("zeros", "a point satisfies the equation", b"\4" + coordinates(0, 0), "invalidKey"),
    ("hybrid", "the hybrid form is no form of RFC 5480", bytes([6 + y % 2]) + coordinates(x, y), "invalidKey"),
    ("hybrid-odd", "the hybrid form is no form of RFC 5480", bytes([7 - y % 2]) + coordinates(x, y), "invalidKey"),
    ("form-5", "a point begins with 2, 3 or 4", b"\5" + coordinates(x, y)[:32], "invalidKey"),
    ("byte-short", "a point has two coordinates of 32 bytes", b"\4" + coordinates(x, y)[:-1], "invalidKey"),
    ("byte-more", "a point has two coordinates of 32 bytes", b"\4" + coordinates(x, y) + b"\0", "invalidKey"),
):
    one(f"point-{name}", about, "RFC 5480 §2.2", expect if expect == "accept" else f"reject {expect} at 0",
        leaf(GOOD, public_key=point(content)))
trinomial = sequence(integer(1), sequence(oid("1.2.840.10045.1.2"),
    sequence(integer(163), oid("1.2.840.10045.1.2.3.2"), integer(200))),
    sequence(tlv(4, b"\1"), tlv(4, b"\1")), tlv(4, b"\2\5"), integer(7))
one("key-binary-field", "a field of characteriztic two, of which no curve is known", "RFC 5480 §2.1.1",
    "reject unsupportedKey at 0",
    leaf(GOOD, public_key=sequence(sequence(oid("1.2.840.10045.2.1"), trinomial), tlv(3, b"\0\2\5"))))

one("key-rsa-good-leaf", "the leaves with keys of RSA differ from this one", "CA/B BR §6.1.5", "accept",
    leaf(GOOD, public_key=public(RSA)))

# Paths.

for rules in PRESETS:
    for says, expect in ((True, "accept"), (False, "reject notCA at 1")):
        issuer = middle(extension("2.5.29.14", tlv(4, b"\1" * 20)),
            extension("2.5.29.35", sequence(tlv(0x80, b"\2" * 20))), base=[authority(says), CERT_SIGN])
        case(f"path-authority-{'yes' if says else 'no'}-{rules}", "an issuer says that it is an authority, whatever "
            "else is asked", "RFC 5280 §6.1.4 (k)", expect, [leaf(base=STRICT), issuer],
            **{**strict_issuers, "rules": rules})
one("path-without-anchors", "without an anchor nothing is trusted", "RFC 5280 §6.1.1 (d)",
    "reject issuerNotFound at 1", leaf(GOOD), anchors=())
update = certificate("Root", "Root", [authority(), CERT_SIGN], key=KEYS["Other"], signer=KEYS["Other"])
case("path-root-updates-itself", "a root with the name of the anchor and another key is not its successor",
    "RFC 4210 §4.4", "reject signature at 0", [update], purpose="any", rules="rfc5280")
case("path-root-updated", "a root's new key under its old one", "RFC 4210 §4.4", "accept",
    [certificate("Root", "Root", [authority(), CERT_SIGN], key=KEYS["Other"])], purpose="any", rules="rfc5280")

# Names.

for name, value in (
    ("comma", f"good.example, DNS:{HOST}"), ("quote", f'good.example", "DNS:{HOST}'),
    ("line", f"good.example\r\nDNS:{HOST}"), ("escape", f"good.example\\u002c DNS:{HOST}"),
):
    one(f"name-list-{name}", "a name is compared whole and never printed and read again", "RFC 9525 §6.3",
        "reject hostName at 0", leaf(names(dns(value))))
case("name-in-common-name", "a common name is never a host, permitted or not", "RFC 9525 §6.1",
    "reject noHostNames at 0", [leaf(subject_name=common(HOST)), middle(subtrees([dns(HOST)]))])
case("name-in-alternative-name", "an alternative name that is permitted is", "RFC 9525 §6.1", "accept",
    [leaf(GOOD, subject_name=common(HOST)), middle(subtrees([dns(HOST)]))])
for name, value, expect in (
    ("good", address(bytes([192, 0, 2, 1])), "accept"),
    ("other", address(bytes([192, 0, 2, 2])), "reject hostName at 0"),
    ("as-text", dns("192.0.2.1"), "reject hostName at 0"),
    ("as-mail", mail("192.0.2.1"), "reject hostName at 0"),
):
    one(f"name-of-address-{name}", "an address is an iPAddress and nothing else", "RFC 9525 §6.4", expect,
        leaf(names(value)), host="192.0.2.1")

# Constraints.


def constrained(name, about, expect, values, permitted=(), excluded=()):
    case(f"constraint-{name}", about, "RFC 5280 §4.2.1.10", expect,
        [leaf(names(dns(HOST), *values)), middle(subtrees(permitted, excluded))])


EXCLUDED, OUTSIDE = "reject nameExcluded at 0", "reject nameNotPermitted at 0"
for kind, form_of, text in (("host", dns, "www.{}"), ("mail", mail, "a@{}")):
    for name, value, expect in (("case", "BLOCKED.example", EXCLUDED), ("case-good", "unblocked.example", "accept")):
        constrained(f"{kind}-{name}", "hosts are compared without regard to case", expect,
            [form_of(text.format(value))], (), [form_of("blocked.example")])
for name, value, expect in (
    ("zone", "https://[::1%25.example.com]/", "reject nameMalformed at 0"),
    ("zone-good", "https://a.example.com/", "accept"),
):
    constrained(f"uri-{name}", "the host of a URI that is an address lies in no domain", expect, [uri(value)],
        [uri(".example.com")])
for name, value, expect in (("outside", (192, 0, 2, 1), OUTSIDE), ("inside", (10, 1, 2, 3), "accept")):
    constrained(f"address-{name}", "an address lies in the range that is permitted", expect,
        [address(bytes(value))], [address(octets("0A000000FF000000"))])
for name, value in (("permitted", "3002A000"), ("excluded", "3002A100")):
    above(f"constraint-none-{name}", "a list has one element at least", "RFC 5280 §4.2.1.10",
        "unreadable at 1 in nameConstraints", middle(extension("2.5.29.30", octets(value), True)))
for name, constraint, value, expect in (
    ("star-is-no-pattern", "*@example.com", "a@example.com", OUTSIDE),
    ("star-is-a-letter", "*@example.com", "*@example.com", "accept"),
    ("star-in-host", "*.example.com", "a@b.example.com", "reject constraintMalformed at 0"),
    ("quoted-at", "example.com", '"a@b"@example.com', "accept"),
    ("quoted-at-outside", "b", '"a@b"@example.com', OUTSIDE),
):
    constrained(f"mail-{name}", "a mailbox has no patterns, and its host begins at the last @ that is not quoted",
        expect, [mail(value)], [mail(constraint)])

# Policies.

pairs = [sequence(a, b) for a in (P, Q) for b in (P, Q)]
steps = [f"Authority {place}" for place in range(7)]
for name in steps:
    KEYS[name] = ed25519.Ed25519PrivateKey.generate()
mapped = [authority(), CERT_SIGN, policies(P, Q), extension("2.5.29.33", sequence(*pairs), True)]
chain = [certificate(name, issuer, mapped) for name, issuer in zip(steps, ["Root", *steps])]
for name, policy, expect in (("kept", P, "accept"), ("lost", oid("1.2.3"), "reject policyRequired at 0")):
    case(f"policy-all-to-all-{name}", "seven authorities map each of two policies to both: 2^7 ways, two nodes a level",
        "RFC 9618 §1.1", expect, [certificate("Leaf", steps[-1], [SIGN, SERVER, GOOD, policies(policy)]), *chain],
        rules="webPKI requiresExplicitPolicy")
above("policy-mapped-good", "the cases of anyPolicy in mappings differ from this one", "RFC 5280 §6.1.4 (a)",
    "accept", middle(policies(P), extension("2.5.29.33", sequence(sequence(P + Q)), True)),
    leaf(GOOD, policies(Q)), rules="webPKI requiresExplicitPolicy")
above("policy-required-good", "where a policy is required there is one", "RFC 5280 §6.1.5 (g)", "accept",
    middle(policies(P), extension("2.5.29.36", octets("3003800100"), True)), leaf(GOOD, policies(P)))

# Revocation.


def listed(name, about, expect, lists, *more, serial=integer(0x0102), cites="RFC 5280 §6.3.3", answers=()):
    one(f"list-{name}", about, cites, expect, leaf(GOOD, *more, serial=serial), lists=lists, answers=answers,
        revocation="leaf")


REVOKED, UNKNOWN = "reject revoked at 0", "reject revocationUnknown at 0"
mine = integer(0x0102)
loud = sequence(attribute("2.5.4.3", "AUTHORITY", 0x13))
listed("other-spelling", "the issuer of the list is the authority in other letters and another type of text", REVOKED,
    [revocation_list(mine, issuer_name=loud)], cites="RFC 5280 §7.1")
listed("other-spelling-good", "the issuer of the list is the authority in other letters and another type of text",
    "accept", [revocation_list(integer(5), issuer_name=loud)], cites="RFC 5280 §7.1")


def scope(name):
    return extension("2.5.29.28", sequence(tlv(0xA0, tlv(0xA0, name))), True)


def places(*names_of_places):
    return extension("2.5.29.31", sequence(*[sequence(tlv(0xA0, tlv(0xA0, *each))) for each in names_of_places]))


nine = [[uri(f"http://c.example/{row}/{column}.crl") for column in range(3)] for row in range(3)]
for name, value, entries, expect in (
    ("revoked", nine[2][2], [mine], REVOKED), ("good", nine[2][2], [], "accept"),
    ("elsewhere", uri("http://c.example/3/0.crl"), [mine], UNKNOWN),
):
    listed(f"place-last-{name}", "of three places with three addresses the list names the last",
        expect, [revocation_list(*entries, extensions=[scope(value)])], places(*nine))
x400, other_x400 = tlv(0xA3, sequence()), tlv(0xA3, sequence(sequence()))
for name, value, entries, expect in (
    ("same", x400, [mine], REVOKED), ("same-good", x400, [], "accept"), ("differs", other_x400, [mine], UNKNOWN)
):
    listed(f"place-x400-{name}", "names of a form that is not read are equal if their bytes are", expect,
        [revocation_list(*entries, extensions=[scope(value)])], places([x400]))
one("place-x400-primitive", "an address of X.400 is a SEQUENCE", "RFC 5280 §4.2.1.6",
    "unreadable at 0 in cRLDistributionPoints", leaf(GOOD, places([tlv(0x83, b"\1")])))
for name, serial, entry_of, expect in (
    ("same", mine, mine, REVOKED), ("shorter", integer(1), mine, "accept"), ("longer", mine, integer(1), "accept"),
    ("high-bit", integer(0x80), integer(0x80), REVOKED), ("negative-twin", integer(0x80), integer(-0x80), "accept"),
):
    listed(f"number-{name}", "a serial number is compared whole, with its sign", expect, [revocation_list(entry_of)],
        serial=serial, cites="RFC 5280 §4.1.2.2")
listed("without-answer", "a list counts though the certificate names no responder", REVOKED, [revocation_list(mine)])
listed("empty-answer", "an answer without a byte says nothing", UNKNOWN, [], answers=[b""], cites="RFC 6960 §4.2.1")
listed("empty-answer-beside", "an answer without a byte cannot be read, also beside a list that says good", UNKNOWN,
    [revocation_list()], answers=[b""], cites="RFC 6960 §4.2.1")
for name, reason, expect in (("empty", "0A00", UNKNOWN), ("good", "0A0101", REVOKED)):
    listed(f"reason-{name}", "a reason is a number", expect, [revocation_list(mine,
        entry_more=sequence(extension("2.5.29.21", octets(reason))))], cites="X.690 §8.4")
