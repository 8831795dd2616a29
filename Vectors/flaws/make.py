"""Writes the cases of this folder: one flaw each that a validator of certificates has had before.

    python3 make.py

Certificates are put together octet by octet, because most of these no library writes. Every key is
thrown away. Expectations are stated here, from the paragraph that each case cites.
"""

import functools
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from parts import *

DEEP = functools.reduce(lambda inner, _: sequence(inner), range(3000), b"")
case = Cases(__file__).write


def one(name, about, cites, expect, end, **options):
    """A leaf below a good intermediate."""
    case(name, about, cites, expect, [end, MIDDLE], **options)


def above(name, about, cites, expect, issuer, end=None, **options):
    """A good leaf below an intermediate."""
    case(name, about, cites, expect, [end or leaf(GOOD), issuer], **options)


# Encodings.

null = sequence(oid("1.3.101.112"), NULL)
one("der-algorithm-parameters-outside",
    "the algorithm beside the signature has parameters, the inner has none", "RFC 5280 §4.1.1.2",
    "reject algorithmsDiffer at 0", leaf(GOOD, outer=null))
boolean = sequence(oid("1.3.101.112"), TRUE)
one("der-algorithm-parameters-boolean", "both algorithms have a BOOLEAN for parameters", "RFC 8410 §3",
    "reject signatureParameters at 0", leaf(GOOD, inner=boolean))
one("der-signature-unused-bit", "the signature has an unused bit", "RFC 5280 §4.1.1.3",
    "unreadable at 0 in signatureValue", leaf(GOOD, unused=1, sign=lambda _: bytes(64)))
one("der-signature-empty", "the signature has no octets", "RFC 5280 §4.1.1.3", "reject signature at 0",
    leaf(GOOD, sign=lambda _: b""))
for name, start in (
    ("short", b"1"),
    ("empty", b""),
    ("zone", b"250101000000+0100Z"),
    ("no-seconds", b"2501010000Z"),
    ("not-ascii", b"2\xc3\xa901010000Z"),
):
    one(f"der-time-{name}", "a UTCTime has twelve digits and a Z", "RFC 5280 §4.1.2.5.1",
        "unreadable at 0 in validity", leaf(GOOD, start=start))
fraction = sequence(tlv(0x18, b"20250101000000." + b"0" * 1000 + b"Z"), tlv(0x17, b"270101000000Z"))
one("der-time-fraction", "a GeneralizedTime has no fraction", "RFC 5280 §4.1.2.5.2",
    "unreadable at 0 in validity", leaf(GOOD, times=fraction))
one("der-extensions-none", "there is at least one extension, or no field for them", "RFC 5280 §4.1.2.9",
    "unreadable at 0", leaf(raw=octets("A3023000")))
one("der-extensions-nothing", "the field for extensions holds a sequence", "RFC 5280 §4.1.2.9",
    "unreadable at 0", leaf(raw=octets("A300")))
one("der-version-1-extensions", "version 1 has no extensions", "RFC 5280 §4.1.2.9", "unreadable at 0",
    leaf(GOOD, version=0))
one("der-version-2-extensions", "version 2 has no extensions", "RFC 5280 §4.1.2.9", "unreadable at 0",
    leaf(GOOD, version=1))
for value in (3, 127, -1):
    one(f"der-version-{value + 1 if value >= 0 else 'negative'}", "there are three versions",
        "RFC 5280 §4.1.2.1", "unreadable at 0 in version", leaf(GOOD, version=value))
one("der-extension-twice", "the names stand twice, and the second are others", "RFC 5280 §4.2",
    "unreadable at 0", leaf(GOOD, names(dns("x.example"))))
above("der-basic-constraints-twice", "an extension stands once", "RFC 5280 §4.2", "unreadable at 1",
    middle(base=[authority(), authority(False), CERT_SIGN]))
giant = sequence(tlv(6, octets("551D9080808011")), TRUE, tlv(4, sequence(dns(HOST))))
one("der-oid-of-giant-arc", "an arc of 2^32 + 17 is not 17", "X.690 §8.19",
    "reject unknownCriticalExtension at 0", leaf(giant))
one("der-oid-of-32-bits-and-more", "nor are there names in it when it is not critical", "X.690 §8.19",
    "reject noHostNames at 0",
    leaf(sequence(tlv(6, octets("551D9080808011")), tlv(4, sequence(dns(HOST))))))
one("der-oid-of-30000-octets", "an identifier has a bound", "X.690 §8.19.2",
    "unreadable at 0 in extKeyUsage",
    leaf(GOOD, extension("2.5.29.37", sequence(tlv(6, b"\x2a" + b"\x81" * 30000 + b"\1"))), base=(SIGN,)))
one("der-name-then-more", "after a directory name nothing follows in its field", "X.690 §8.14",
    "unreadable at 0 in subjectAltName", leaf(names(dns(HOST), octets("A406300005000500"))))
one("der-other-name-without-type", "the type of another name is an identifier", "X.690 §8.19",
    "unreadable at 0 in subjectAltName", leaf(names(dns(HOST), other(octets("0600"), integer(5)))))
one("der-other-name-padded-type", "an identifier is in its shortest form", "X.690 §8.19.2",
    "unreadable at 0 in subjectAltName", leaf(names(dns(HOST), other(octets("06020180"), integer(5)))))
one("der-other-name-of-other-content", "a mailbox that is a number names nobody", "RFC 9598 §3", "accept",
    leaf(names(dns(HOST), other(oid("1.3.6.1.5.5.7.8.9"), integer(5)))))
one("der-point-of-no-choice", "the name of a distribution point is one of two", "RFC 5280 §4.2.1.13",
    "unreadable at 0 in cRLDistributionPoints",
    leaf(GOOD, extension("2.5.29.31", sequence(sequence(tlv(0xA0, octets("A7020500")))))))
one("der-subject-deep", "a name of 3,000 levels is none", "RFC 5280 §4.1.2.4",
    "unreadable at 0 in subject", leaf(GOOD, subject_name=DEEP))
one("der-extension-deep", "what an extension holds that nobody knows is nobody's concern",
    "RFC 5280 §4.2", "accept", leaf(GOOD, extension("1.2.3.4", DEEP)))
one("der-extensions-1000", "the number of extensions has a bound", "limit of the reader",
    "unreadable at 0", leaf(GOOD, *[extension(f"1.2.3.{place}", b"") for place in range(1000)]))
one("der-text-of-odd-length", "text of 16 bits has an even number of octets", "X.690 §8.21",
    "unreadable at 0 in subject",
    leaf(GOOD, subject_name=sequence(attribute("2.5.4.3", octets("004100"), 0x1E))))
one("der-address-family", "an extension that is not known is not read", "RFC 5280 §4.2", "accept",
    leaf(GOOD, extension("1.3.6.1.5.5.7.1.7", sequence(sequence(octets("040100"), NULL)))))
one("der-address-family-critical", "nor is it taken when it is critical", "RFC 5280 §4.2",
    "reject unknownCriticalExtension at 0",
    leaf(GOOD, extension("1.3.6.1.5.5.7.1.7", sequence(sequence(octets("040100"), NULL)), True)))
one("extension-no-check-critical", "a known extension that asks nothing of a path may be critical",
    "RFC 6960 §4.2.2.2.1", "accept", leaf(GOOD, extension("1.3.6.1.5.5.7.48.1.5", NULL, True)))
for size in (0, 3, 5, 8, 15, 17, 32):
    one(f"der-address-of-{size}", "an address has 4 or 16 octets", "RFC 5280 §4.2.1.6",
        "unreadable at 0 in subjectAltName", leaf(names(dns(HOST), address(b"\1" * size))))

# Keys.

N = RSA.public_key().public_numbers().n


def rsa_key(modulus, exponent):
    return sequence(
        RSA_KEY,
        tlv(3, b"\0", sequence(modulus if isinstance(modulus, bytes) else integer(modulus), integer(exponent))),
    )


RSA_KEY = sequence(oid("1.2.840.113549.1.1.1"), NULL)
for name, modulus, exponent, about, expect in (
    ("even", N - 1, 65537, "a modulus is odd", "reject invalidKey"),
    ("zero", 0, 65537, "a modulus is not zero", "reject invalidKey"),
    ("one", 1, 65537, "a modulus is not one", "reject weakKey"),
    ("negative", -N, 65537, "a modulus is positive", "unreadable"),
    (
        "padded",
        tlv(2, b"\0\0" + N.to_bytes(256, "big")),
        65537,
        "a number is in its shortest form",
        "unreadable",
    ),
    ("exponent-0", N, 0, "anything to the power of 0 is 1", "reject invalidKey"),
    ("exponent-1", N, 1, "with an exponent of 1 the block is its own signature", "reject invalidKey"),
    ("exponent-even", N, 4, "an exponent is odd", "reject invalidKey"),
    (
        "exponent-large",
        N,
        N + 2,
        "an exponent as long as the modulus makes verifying as slow as signing",
        "reject oversizedExponent",
    ),
    ("exponent-34-bits", N, 2**33 + 1, "an exponent has 33 bits at most", "reject oversizedExponent"),
    ("131072-bits", (1 << 131071) + 1, 65537, "a modulus has a bound", "reject oversizedKey"),
):
    cites = "limit of the rules" if "oversizedExponent" in expect else "CA/B BR §6.1.6"
    key = rsa_key(modulus, exponent)
    detail = " in subjectPublicKeyInfo" if expect == "unreadable" else ""
    one(f"key-rsa-{name}-leaf", about, cites, f"{expect} at 0{detail}", leaf(GOOD, public_key=key))
    above(f"key-rsa-{name}", about, cites, f"{expect} at 1{detail}", middle(public_key=key),
        leaf(GOOD, inner=RSA_SHA256, sign=lambda _: os.urandom(256)))

point = public(ec.generate_private_key(ec.SECP256R1()))
off = point[:-1] + bytes([point[-1] ^ 1])
infinity = sequence(sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")), tlv(3, b"\0\0"))
for name, key, about in (
    ("off-curve", off, "a point satisfies the equation of its curve"),
    ("infinity", infinity, "the point at infinity is nobody's key"),
):
    one(f"key-point-{name}-leaf", about, "CA/B BR §6.1.6", "reject invalidKey at 0",
        leaf(GOOD, public_key=key))
    above(f"key-point-{name}", about, "CA/B BR §6.1.6", "reject invalidKey at 1",
        middle(public_key=key),
        leaf(GOOD, inner=sequence(oid("1.2.840.10045.4.3.2")), sign=lambda _: sequence(integer(5), integer(7))))
prime_field = sequence(
    integer(1),
    sequence(oid("1.2.840.10045.1.1"), integer(697)),
    sequence(tlv(4, b"\1"), tlv(4, b"\1")),
    tlv(4, b"\2\5"),
    integer(7),
)
explicit = sequence(sequence(oid("1.2.840.10045.2.1"), prime_field), tlv(3, b"\0\2\5"))
one("key-curve-written-out", "a curve has a name", "RFC 5480 §2.1.1", "reject unsupportedKey at 0",
    leaf(GOOD, public_key=explicit))
unknown = sequence(sequence(oid("1.2.3.4.5")), tlv(3, b"\0abc"))
above("key-of-unknown-kind", "under a key that is not known nothing verifies", "RFC 5280 §6.1.3 (a)(1)",
    "reject unsupportedKey at 1", middle(public_key=unknown))
case("key-of-unknown-kind-beside-good", "and the search goes on to the next of that name",
    "RFC 5280 §6.1", "accept", [leaf(GOOD), middle(public_key=unknown), MIDDLE])

# Algorithms.

SHA256, SHA384 = "2.16.840.1.101.3.4.2.1", "2.16.840.1.101.3.4.2.2"


def pss(salt=32, hash=SHA256, mask=SHA256):
    maker = sequence(oid("1.2.840.113549.1.1.8"), sequence(oid(mask), NULL) if mask else b"")
    return sequence(
        oid("1.2.840.113549.1.1.10"),
        sequence(tlv(0xA0, sequence(oid(hash), NULL)), tlv(0xA1, maker), tlv(0xA2, integer(salt))),
    )


def sign_pss(what):
    return RSA.sign(what, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def sign_pkcs1(what):
    return RSA.sign(what, padding.PKCS1v15(), hashes.SHA256())


rsa_middle = middle(key=RSA)


def under_rsa(name, about, cites, expect, algorithm, sign=sign_pss, issuer=rsa_middle):
    above(name, about, cites, expect, issuer, leaf(GOOD, inner=algorithm, sign=sign))


under_rsa("pss-good", "the cases below differ from this one", "RFC 4055 §3.1", "accept", pss())
for name, salt, expect in (
    ("2-31", 2**31 - 1, "reject unsupportedAlgorithm at 0"),
    ("2-63", 2**63 - 1, "reject unsupportedAlgorithm at 0"),
    ("2-64", 2**64, "unreadable at 0"),
    ("negative", -1, "unreadable at 0"),
    ("one-too-long", 223, "reject signature at 0"),
):
    under_rsa(f"pss-salt-{name}", "a salt fits the modulus", "RFC 8017 §9.1.2", expect, pss(salt))
under_rsa("pss-mask-without-hash", "MGF1 has a hash function", "RFC 4055 §2.2",
    "reject unsupportedAlgorithm at 0", pss(mask=None))
under_rsa("pss-hash-unknown", "a function that is not known verifies nothing", "RFC 4055 §2.1",
    "reject unsupportedAlgorithm at 0", pss(hash="1.2.3.4"))
under_rsa("pss-parameters-null", "NULL is no parameters of PSS", "RFC 4055 §3.1",
    "reject signatureParameters at 0", sequence(oid("1.2.840.113549.1.1.10"), NULL))
under_rsa("pss-parameters-absent", "a signature says its functions", "RFC 4055 §3.1",
    "reject signatureParameters at 0", sequence(oid("1.2.840.113549.1.1.10")))
number = tlv(3, b"\0", sequence(integer(N), integer(65537)))
pss_384 = middle(public_key=sequence(pss(48, SHA384, SHA384), number))
under_rsa("pss-key-under-pkcs1", "a key for PSS is for PSS alone", "RFC 4055 §1.2",
    "reject unsupportedKey at 0", RSA_SHA256, sign_pkcs1, pss_384)
under_rsa("pss-key-of-other-hash", "a key may say with which functions it signs", "RFC 4055 §3.3",
    "reject unsupportedKey at 0", pss(), sign_pss, pss_384)
above("algorithm-of-other-key", "an RSA signature does not verify under a point",
    "RFC 5280 §6.1.3 (a)(1)", "reject unsupportedKey at 0", middle(public_key=point),
    leaf(GOOD, inner=RSA_SHA256, sign=sign_pkcs1))


def forged(block):
    """A signature whose block is this one, by the private key."""
    numbers = RSA.private_numbers()
    return lambda what: pow(int.from_bytes(block(what), "big"), numbers.d, N).to_bytes(256, "big")


def digest(what, kind=hashes.SHA256()):
    state = hashes.Hash(kind)
    state.update(what)
    return state.finalize()


def block(info, pad=b"\xff"):
    return b"\0\1" + pad * (253 - len(info)) + b"\0" + info


def info(what, parameters=NULL, more=b"", kind=SHA256):
    return sequence(sequence(oid(kind), parameters), tlv(4, digest(what)), more)


for name, about, made in (
    (
        "garbage-behind",
        "the digest ends the block",
        lambda what: b"\0\1" + b"\xff" * 8 + b"\0" + info(what) + os.urandom(245 - len(info(what))),
    ),
    ("garbage-in-parameters", "parameters are NULL", lambda what: block(info(what, tlv(4, os.urandom(150))))),
    ("parameters-absent", "parameters are there", lambda what: block(info(what, b""))),
    ("third-element", "a DigestInfo has two elements", lambda what: block(info(what, more=tlv(4, bytes(16))))),
    ("padding-not-ones", "the padding is of ones", lambda what: block(info(what), b"\xfe")),
    (
        "other-digest",
        "the digest is the one that the algorithm names",
        lambda what: block(sequence(sequence(oid("1.3.14.3.2.26"), NULL), tlv(4, digest(what, hashes.SHA1())))),
    ),
    (
        "long-lengths",
        "lengths are in their shortest form",
        lambda what: block(octets("3081") + bytes([len(info(what)) - 2]) + info(what)[2:]),
    ),
):
    under_rsa(f"pkcs1-{name}", about, "RFC 8017 §8.2.2", "reject signature at 0", RSA_SHA256, forged(made))
under_rsa("pkcs1-number-too-large", "a signature is below the modulus", "RFC 8017 §5.2.2",
    "reject signature at 0", RSA_SHA256,
    lambda what: (int.from_bytes(sign_pkcs1(what), "big") + N).to_bytes(257, "big")[-256:])
under_rsa("pkcs1-number-zero", "a signature is not zero", "RFC 8017 §5.2.2", "reject signature at 0",
    RSA_SHA256, lambda _: bytes(256))
under_rsa("pkcs1-number-modulus", "a signature is not the modulus", "RFC 8017 §5.2.2",
    "reject signature at 0", RSA_SHA256, lambda _: N.to_bytes(256, "big"))
under_rsa("pkcs1-one-octet-short", "a signature is as long as the modulus", "RFC 8017 §8.2.2",
    "reject signature at 0", RSA_SHA256, lambda what: sign_pkcs1(what)[1:])

curve_key = ec.generate_private_key(ec.SECP256R1())
ECDSA = sequence(oid("1.2.840.10045.4.3.2"))
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
for name, about, made in (
    ("zeros", "r and s are positive", lambda _: sequence(integer(0), integer(0))),
    ("orders", "r and s are below the order", lambda _: sequence(integer(ORDER), integer(ORDER))),
    ("empty", "a signature has two numbers", lambda _: b""),
    ("empty-sequence", "a signature has two numbers", lambda _: sequence()),
    (
        "long-length",
        "lengths are in their shortest form",
        lambda what: b"\x30\x81" + curve_key.sign(what, ec.ECDSA(hashes.SHA256()))[1:],
    ),
    (
        "trailing",
        "nothing follows the numbers",
        lambda what: curve_key.sign(what, ec.ECDSA(hashes.SHA256())) + NULL,
    ),
    (
        "other-digest",
        "the digest is the one that the algorithm names",
        lambda what: curve_key.sign(what, ec.ECDSA(hashes.SHA1())),
    ),
):
    above(f"ecdsa-{name}", about, "RFC 3279 §2.2.3", "reject signature at 0", middle(key=curve_key),
        leaf(GOOD, inner=ECDSA, sign=made))

# Paths.

good = leaf(GOOD)
above("path-authority-says-no", "an authority says that it is one", "RFC 5280 §6.1.4 (k)",
    "reject notCA at 1", middle(base=[authority(False), CERT_SIGN]))
above("path-authority-says-nothing", "an authority says that it is one", "RFC 5280 §6.1.4 (k)",
    "reject basicConstraintsMissing at 1", middle(base=[extension("2.5.29.14", tlv(4, b"abc"))]))
above("path-authority-may-not-sign", "an authority's key is for certificates", "RFC 5280 §6.1.4 (n)",
    "reject keyUsage at 1", middle(base=[authority(), SIGN]))
above("path-authority-of-version-1", "version 1 cannot say that it is an authority",
    "RFC 5280 §6.1.4 (k)", "reject issuerVersion at 1", certificate("Authority", "Root", [], version=0))
case("path-leaf-named-as-root", "a certificate with the root's name is not the root", "RFC 5280 §6.1",
    "reject signature at 0",
    [certificate("Root", "Root", [SIGN, SERVER, GOOD], key=KEYS["Leaf"], signer=KEYS["Leaf"]), ROOT])
case("path-root-of-somebody", "an authority that signs itself is trusted by nobody",
    "RFC 5280 §6.1.1 (d)", "reject untrustedRoot at 1", [
    certificate("Leaf", "Other", [SIGN, SERVER, GOOD]),
    certificate("Other", "Other", [authority(), CERT_SIGN])])
case("path-root-cloned", "an anchor is its name and its key", "RFC 5280 §6.1.1 (d)",
    "reject untrustedRoot at 1", [certificate("Leaf", "Root", [SIGN, SERVER, GOOD], signer=KEYS["Other"]),
    certificate("Root", "Root", [authority(), CERT_SIGN], key=KEYS["Other"], signer=KEYS["Other"])])
odd = extension("1.3.6.1.4.1.32473.666", NULL, True)
case("path-junk-beside", "what no path needs harms no path", "RFC 5280 §6.1", "accept",
    [good, certificate("Other", "Root", [authority(), CERT_SIGN, odd]), MIDDLE],
    anchors=[certificate("Other", "Other", [authority(), odd]), ROOT])
case("path-leaf-as-anchor", "an anchor that is no authority issues nothing", "RFC 5280 §6.1.4 (n)",
    "reject keyUsage at 1", [certificate("Other", "Leaf", [SIGN, SERVER, GOOD])], anchors=[good])
case("path-leaf-is-anchor", "a leaf that the user trusts is trusted", "RFC 5280 §6.1", "accept", [good],
    anchors=[good])
one("path-one-instant", "a certificate is valid in its first and last second", "RFC 5280 §4.1.2.5",
    "accept", leaf(GOOD, start=b"260101000000Z", end=b"260101000000Z"))
one("path-ends-before-it-begins", "validity that ends before it begins is none", "RFC 5280 §6.1.3 (a)(2)",
    "reject", leaf(GOOD, start=b"260201000000Z", end=b"250101000000Z"))
above("path-length-2-64", "a path length beyond counting is no number", "RFC 5280 §4.2.1.9",
    "unreadable at 1 in basicConstraints", middle(base=[authority(length=2**64), CERT_SIGN]))
above("path-length-negative", "a path length is not negative", "RFC 5280 §4.2.1.9",
    "unreadable at 1 in basicConstraints", middle(base=[authority(length=-1), CERT_SIGN]))
chain = [certificate("Leaf", "Authority", [SIGN, SERVER, GOOD])] + [
    certificate("Authority", "Authority", [authority(), CERT_SIGN]) for _ in range(60)
]
case("path-of-sixty", "a long way that leads nowhere is rejected", "RFC 5280 §6.1", "reject", chain)

# Names.

for name, value in (
    ("nul-inside", HOST.encode() + b"\0.evil.example"),
    ("nul-before", b"\0" + HOST.encode()),
    ("nul-behind", HOST.encode() + b"\0"),
    ("pattern", b"((((((((~*" + b"(" * 5000),
    ("dot-behind", HOST.encode() + b"."),
    ("empty", b""),
):
    one(f"name-{name}", "a host name is compared whole, octet by octet", "RFC 9525 §6.3",
        "reject hostName at 0", leaf(names(dns(value))))
one("name-kelvin", "the sign for kelvin is no k, and not ASCII", "RFC 5280 §4.2.1.6",
    "unreadable at 0 in subjectAltName", leaf(names(dns("www.bac\u212a.example".encode()))),
    host="www.back.example")
for name, host, value in (
    ("address", "192.0.2.1", "*.0.2.1"),
    ("partial-a-label", "a.xn--b.example", "xn--*.example"),
    ("prefix", "foo.example.com", "f*.example.com"),
    ("suffix", "foo.example.com", "*oo.example.com"),
    ("two", "a.b.example.com", "*.*.example.com"),
    ("middle", "www.a.com", "www.*.com"),
    ("alone", "com", "*"),
    ("top", "evil.com", "*.com"),
    ("dot", "a", "*."),
    ("many", "aaa.example", "a*a*a*.example"),
):
    one(f"name-wildcard-{name}", "a wildcard is the whole leftmost label, above two others at least",
        "RFC 9525 §6.3", f"reject {'wildcardTooWide' if name == 'top' else 'hostName'} at 0",
        leaf(names(dns(value))), host=host)
one("name-case", "letters are compared without their case", "RFC 9525 §6.3", "accept",
    leaf(names(dns("WWW.Bad.example"))), host="www.bAD.example")
one("name-dot-asked", "a dot behind what is asked for is the root of all names", "RFC 9525 §6.3",
    "accept", leaf(GOOD), host=HOST + ".")
one("name-address-as-host", "four octets are no text", "RFC 9525 §6.3", "reject hostName at 0",
    leaf(names(address(b"a.io"))), host="a.io")
victim = common(HOST)
for name, value in (
    ("uri", uri("https://" + HOST)),
    ("mail", mail(HOST)),
    ("service", other(oid("1.3.6.1.5.5.7.8.7"), tlv(0x16, b"_x." + HOST.encode()))),
    ("registered", tlv(0x88, oid("1.2.3")[2:])),
):
    one(f"name-only-{name}",
        "a name of another form is no host name, nor does it call for the common name", "RFC 9525 §6.1",
        "reject hostName at 0", leaf(names(value), subject_name=victim))
for name, value in (
    ("value", sequence(attribute("2.5.4.10", "foo,CN=" + HOST))),
    ("line", sequence(attribute("2.5.4.10", "a\nCN=" + HOST))),
):
    one(f"name-in-{name}", "a name is a structure and no text", "RFC 9525 §6.1", "reject hostName at 0",
        leaf(names(dns("x.example")), subject_name=value))
one("name-a-label", "an A-label is compared as it stands", "RFC 9525 §6.3", "reject hostName at 0",
    leaf(names(dns("example.com"))), host="xn--example-.com".replace("-.", "-0ga."))
one("name-900", "an error does not grow with the names", "RFC 9525 §6.3", "reject hostName at 0",
    leaf(names(*[dns(f"h{place}.x.example") for place in range(900)])))

# Constraints.


def constrained(
    name,
    about,
    expect,
    values,
    permitted=(),
    excluded=(),
    host=HOST,
    critical=True,
    subject_name=None,
    cites="RFC 5280 §4.2.1.10",
):
    case(f"constraint-{name}", about, cites, expect,
        [leaf(names(*values), subject_name=subject_name), middle(subtrees(permitted, excluded, critical))],
        host=host)


D, W = dns(HOST), dns("*.example.com")
inside = "what a wildcard stands for may not be excluded"
constrained("wildcard-host", inside, "reject nameExcluded at 0", [W], [dns("example.com")],
    [dns("bar.example.com")], "bar.example.com")
constrained("wildcard-beside", inside, "reject nameExcluded at 0", [W], [dns("example.com")],
    [dns("bar.example.com")], "foo.example.com")
constrained("wildcard-case", inside, "reject nameExcluded at 0", [dns("*.eXample.com")], (),
    [dns("Test.Example.com")], "a.example.com")
constrained("wildcard-wider", "a wildcard that stands for more than is permitted is not permitted",
    "reject nameNotPermitted at 0", [W], [dns("accept.example.com")], (), "accept.example.com")
case("constraint-excluded-above", "what is excluded above does not unmake what is permitted below",
    "RFC 5280 §6.1.4 (g)", "reject nameNotPermitted at 0",
    [leaf(names(dns("b.example"))), middle(subtrees([dns("a.example")]))],
    anchors=[root(subtrees((), [dns("x.example")]))], host="b.example")
mailboxes = [mail("user@a.example"), mail("user@b.example")]
for letter in "ab":
    constrained(f"mailbox-{letter}", "of mailboxes with one local part each counts",
        "reject nameExcluded at 0", [D, mail(f"user@{letter}.example")], (), mailboxes)
constrained(
    "empty-name", "an empty name is no reason to fall", "reject", [D, dns("")], (), [dns("evil.example")])
constrained("uri-inside", "the host of a URI is constrained", "accept",
    [D, uri("https://a.ok.example/x")], [uri(".ok.example")])
constrained("uri-outside", "the host of a URI is constrained", "reject nameNotPermitted at 0",
    [D, uri("https://evil.example/x")], [uri(".ok.example")])
constrained("uri-excluded", "the host of a URI is constrained", "reject nameExcluded at 0",
    [D, uri("https://evil.example/x")], (), [uri("evil.example")])
constrained("uri-not-excluded", "the host of a URI is constrained", "accept",
    [D, uri("https://good.example/x")], (), [uri("evil.example")])
for name, value in (
    ("user", "https://user@evil.example:80@good.example/"),
    ("backslash", "https://good.example\\@evil.example"),
    ("no-scheme", "//good.example"),
    ("no-authority", "mailto:x"),
    ("escaped", "https://%67ood.example/"),
    ("no-host", "https:///x"),
    ("address", "https://[::1]/"),
    ("port", "https://good.example:8a/"),
):
    constrained(f"uri-{name}", "a URI whose host is in doubt is rejected where hosts are constrained",
        "reject nameMalformed at 0", [D, uri(value)], [uri("good.example")])
for name, value in (
    ("fragment", "https://good.example#@evil.example"),
    ("query", "https://good.example?@evil.example"),
):
    constrained(f"uri-{name}", "what follows the authority is not the host", "accept", [D, uri(value)],
        [uri("good.example")])
constrained("dot-mail", "a dot behind a host does not free it", "reject", [D, mail("ceo@bank.example.")],
    (), [mail("bank.example")])
constrained("dot-uri", "a dot behind a host does not free it", "reject",
    [D, uri("https://bank.example./")], (), [uri("bank.example")])
constrained("dot-dns", "a dot behind a host does not free it", "reject", [D, dns("bank.example.")], (),
    [dns("bank.example")])
acme = sequence(attribute("2.5.4.6", "US", 0x13), attribute("2.5.4.10", "Acme"))
below = sequence(attribute("2.5.4.6", "US", 0x13), attribute("2.5.4.10", "Acme"), attribute("2.5.4.3", "x"))
constrained("directory-below", "a subtree of names holds those below it", "reject nameExcluded at 0", [D],
    (), [directory(acme)], subject_name=below)
constrained("directory-inside", "a subtree of names holds those below it", "accept", [D],
    [directory(acme)], subject_name=below)
constrained("directory-in-alternative", "a directory name beside the subject is constrained too",
    "reject nameExcluded at 0", [D, directory(below)], (), [directory(acme)])
constrained("directory-not-first", "a subtree of names begins at the root",
    "reject nameNotPermitted at 0", [D], [directory(sequence(attribute("2.5.4.10", "Acme")))],
    subject_name=below)
constrained("suffix-dns", "a subtree ends at a dot", "accept", [dns("notexample.com")], (),
    [dns("example.com")], "notexample.com")
constrained("suffix-mail", "a subtree ends at a dot", "accept", [D, mail("a@notexample.com")], (),
    [mail(".example.com")])
constrained("mail-host", "a host in a constraint of mail is that host alone", "accept",
    [D, mail("a@sub.example.com")], (), [mail("example.com")])
constrained("mail-domain", "a domain in a constraint of mail is all hosts below",
    "reject nameExcluded at 0", [D, mail("a@sub.example.com")], (), [mail(".example.com")])
constrained("mask-with-holes", "a mask is of ones and then of zeros",
    "unreadable at 1 in nameConstraints", [D, address(b"\1\2\3\4")],
    [address(octets("01020304FF00FF00"))])
for size in (0, 7, 9, 16):
    constrained(f"range-of-{size}", "a range of addresses has 8 or 32 octets",
        "unreadable at 1 in nameConstraints", [D], [address(b"\1" * size)])
constrained("mapped-address", "an IPv4-mapped address names a host of version 4",
    "reject nameExcluded at 0",
    [D, address(bytes(10) + octets("FFFF01020304"))], (), [address(octets("01020304FFFFFFFF"))])
international = other(oid("1.3.6.1.5.5.7.8.9"), tlv(12, b"a@xn--" + b"a" * 512 + b".example"))
constrained("international-mail",
    "a mailbox of a form that cannot be constrained is rejected where mail is",
    "reject constraintUnsupported at 0", [D, international], [mail("good.example")])
constrained(
    "mail-of-dots", "a mailbox of dots is none", "reject", [D, mail("." * 300 + "@x")], [mail("good.example")])
for place, value in enumerate(("@", "", ".", "a@", ".@", "a@b@c")):
    constrained(f"mail-malformed-{place}", "a constraint that is none constrains everything", "reject",
        [D, mail("x@y.example")], [mail(value)])


def raw_constraints(name, about, expect, value):
    above(
        f"constraint-{name}", about, "RFC 5280 §4.2.1.10", expect, middle(extension("2.5.29.30", value, True)))


base = dns("bad.example")
raw_constraints("minimum", "a minimum is zero", "reject constraintUnsupported at 0",
    sequence(tlv(0xA0, sequence(base, octets("800101")))))
raw_constraints("maximum", "there is no maximum", "reject constraintUnsupported at 0",
    sequence(tlv(0xA0, sequence(base, octets("810105")))))
raw_constraints(
    "empty", "constraints are permitted or excluded", "unreadable at 1 in nameConstraints", sequence())
raw_constraints(
    "empty-list", "a list has one element at least", "unreadable at 1 in nameConstraints", octets("3002A000"))
constrained("not-critical", "constraints count whether they are critical or not",
    "reject nameNotPermitted at 0", [D], [dns("good.example")], critical=False)
case("constraint-in-anchor", "an anchor's constraints count", "RFC 5937 §3.2",
    "reject nameNotPermitted at 0", [good, MIDDLE], anchors=[root(subtrees([dns("good.example")]))])
constrained("dot-of-domain", "a constraint that begins with a dot is the names below alone",
    "reject nameNotPermitted at 0", [dns("example.com")], [dns(".example.com")], (), "example.com")
constrained("dot-of-names-below", "a constraint that begins with a dot is the names below", "accept",
    [dns("a.example.com")], [dns(".example.com")], (), "a.example.com")

# Policies.

P = oid("1.3.6.1.4.1.32473.1")
one("policy-twice", "a policy stands once", "RFC 5280 §4.2.1.4", "unreadable at 0 in certificatePolicies",
    leaf(GOOD, policies(P, P)))
one("policy-none", "there is one policy at least", "RFC 5280 §4.2.1.4",
    "unreadable at 0 in certificatePolicies", leaf(GOOD, extension("2.5.29.32", sequence())))
one("policy-critical", "policies are processed, critical or not", "RFC 5280 §6.1.5 (f)", "accept",
    leaf(GOOD, policies(P, critical=True)))
for name, value in (("empty", "3000"), ("negative", "30038001FF"), ("twice", "3006800100800100")):
    above(f"policy-constraints-{name}", "a requirement is a number that stands once",
        "RFC 5280 §4.2.1.11", "unreadable at 1 in policyConstraints",
        middle(extension("2.5.29.36", octets(value), True)))
any_policy = oid("2.5.29.32.0")
own = extension("2.5.29.14", tlv(4, b"\1" * 20))
above_it = extension("2.5.29.35", sequence(tlv(0x80, b"\1" * 20)))
for name, pair in (("from", any_policy + P), ("to", P + any_policy)):
    mapping = extension("2.5.29.33", sequence(sequence(pair)), True)
    above(f"policy-mapped-{name}-any", "anyPolicy is not mapped", "RFC 5280 §6.1.4 (a)",
        "reject mappingOfAnyPolicy at 1", middle(policies(P), mapping))
    case(f"policy-mapped-{name}-any-at-the-end", "nor by an authority that issues nothing here",
        "RFC 5280 §4.2.1.5", "reject mappingOfAnyPolicy at 0",
        [leaf(GOOD, own, above_it, policies(P), mapping, base=(authority(), CERT_SIGN)),
        middle(own, above_it)], anchors=[root(own)], rules="strictRFC5280")
above("policy-required-now", "where a policy is required there is one", "RFC 5280 §6.1.5 (g)",
    "reject policyRequired", middle(extension("2.5.29.36", octets("3003800100"), True)))
for bits in (63, 64, 150):
    above(f"policy-required-after-2-{bits}",
        "a requirement that begins after all certificates requires nothing", "RFC 5280 §4.2.1.11",
        "accept", middle(extension("2.5.29.36", sequence(tlv(0x80, integer(2**bits)[2:])), True)))
    above(f"policy-any-after-2-{bits}", "a bar that comes down after all certificates bars nothing",
        "RFC 5280 §4.2.1.14", "accept", middle(extension("2.5.29.54", integer(2**bits), True)))
above("policy-any-negative", "a count is not negative", "RFC 5280 §4.2.1.14",
    "unreadable at 1 in inhibitAnyPolicy", middle(extension("2.5.29.54", integer(-1), True)))
mappings = sequence(
    *[
        sequence(oid(f"1.3.6.1.4.1.32473.{place}"), oid(f"1.3.6.1.4.1.32473.{place + 9000}"))
        for place in range(1, 2000)
    ]
)
above("policy-mappings-2000", "the number of mappings has a bound", "limit of the reader",
    "unreadable at 1 in policyMappings", middle(extension("2.5.29.33", mappings, True)))
