"""Writes the cases `rule-*` of this folder: each rule that no other case names is broken by one.

    python3 make_rules.py

`rule-good*` are their controls: each case differs from the one of its preset in one point.
Expectations are stated here, from the paragraph that each case cites.
"""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from parts import *

case = Cases(__file__).write


def one(rule, about, cites, certificate, *, place=0, issuer=ISSUER, more="", **options):
    chain = [certificate] if issuer is None else [certificate, issuer]
    name = "".join("-" + letter.lower() if letter.isupper() else letter for letter in rule)
    case(f"rule-{name}{more}", about, cites, f"reject {rule} at {place}", chain,
        **{"anchors": (ANCHOR,), **options})


for preset in ("webPKI", "strict", "strictRFC5280"):
    case(f"rule-good-{preset}", f"the cases under `{preset}` differ from this one in one point",
        "RFC 5280 §6.1", "accept", [end(), ISSUER], anchors=(ANCHOR,), rules=preset)
PLAIN = {"rules": "strictRFC5280", "purpose": "any"}
case("rule-good-any", "without a purpose the leaf may be for any host or none", "RFC 5280 §6.1", "accept",
    [end(base=(SIGN, BELOW)), ISSUER], anchors=(ANCHOR,), **PLAIN)

# The search.

one("issuerNotFound", "the intermediate is missing", "RFC 5280 §6.1.3 (a)(4)", end(), issuer=None)
named = certificate("Authority", "Root", [authority(), CERT_SIGN, own("Authority"), above("Root")],
    subject_name=common("Another authority"))
one("nameChaining", "the certificate with the issuer's key and key identifier has another name",
    "RFC 5280 §6.1.3 (a)(4)", end(), issuer=named)
one("leafIsAnchor", "the rules want a path above the leaf, and the leaf is an anchor", "RFC 5280 §6.1",
    (alone := end()), issuer=None, anchors=(alone,), rules="webPKI rejectsAnchorAsLeaf")
one("veto", "the program takes no path at all", "the program's own rule", end(), rules="webPKI veto")

# Keys, signatures and times.

SHA1 = sequence(oid("1.2.840.113549.1.1.5"), NULL)
rsa_issuer = middle(own("Authority"), above("Root"), key=RSA)
case("rule-good-rsa", "the case of a weak digest differs from this one in its digest", "RFC 5280 §6.1",
    "accept", [end(inner=RSA_SHA256, sign=lambda what: RSA.sign(what, padding.PKCS1v15(), hashes.SHA256())),
    rsa_issuer], anchors=(ANCHOR,))
one("weakDigest", "a signature rests on SHA-1", "CA/B BR §7.1.3.2",
    end(inner=SHA1, sign=lambda what: RSA.sign(what, padding.PKCS1v15(), hashes.SHA1())),
    issuer=rsa_issuer)
for curve, more in ((ec.SECP224R1(), ""), (ec.SECP256K1(), "-koblitz")):
    one("curveNotAllowed", f"the web has no keys on {curve.name}", "CA/B BR §6.1.5",
        end(public_key=public(ec.generate_private_key(curve))), more=more)
for curve, more in ((ec.SECP384R1(), "good-curve"),):
    case(f"rule-{more}", f"the web has keys on {curve.name}", "CA/B BR §6.1.5", "accept",
        [end(public_key=public(ec.generate_private_key(curve))), ISSUER], anchors=(ANCHOR,))
lattice = sequence(sequence(oid("2.16.840.1.101.3.4.3.17")), tlv(3, b"\0", os.urandom(1312)))
one("algorithmNotAllowed", "the web has no keys of ML-DSA", "CA/B BR §7.1.3", end(public_key=lattice), public=True)
case("rule-good-lattice", "RFC 5280 alone has no list of algorithms", "RFC 9881 §4", "accept",
    [end(public_key=lattice), ISSUER], anchors=(ANCHOR,), rules="rfc5280")
one("notYetValid", "the leaf begins in a month", "RFC 5280 §6.1.3 (a)(2)", end(start=b"260201000000Z"))
one("notYetValid", "the intermediate begins in a month", "RFC 5280 §6.1.3 (a)(2)", end(), place=1,
    issuer=middle(own("Authority"), above("Root"), start=b"260201000000Z"), more="-issuer")
one("validityTooLong", "a leaf of two years where 398 days are allowed", "CA/B BR §6.3.2", end(),
    rules="webPKI maximumLeafValidity=34387200")
case("rule-good-validity", "a leaf of 398 days less a second, both ends counted", "CA/B BR §6.3.2", "accept",
    [end(start=b"250101000000Z", end=b"260202235959Z"), ISSUER], anchors=(ANCHOR,),
    rules="webPKI maximumLeafValidity=34387200")

# Names.

one("constraintMalformed", "a constraint with an empty label constrains every host",
    "RFC 5280 §4.2.1.10", end(),
    issuer=middle(own("Authority"), above("Root"), subtrees((), [dns("a..example")])))
case("rule-good-constraints-too-many", "2,048 excluded subtrees, and the limit is 2,048", "limit of the rules",
    "accept", [end(), middle(own("Authority"), above("Root"), subtrees((), [
        *(dns(f"a{place}.example") for place in range(2048))]))], anchors=(ANCHOR,), rules="strictRFC5280")
mailbox = [SIGN, extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.4"))), BELOW]
for address, expect in (("a@b.example", "accept"), ("b@b.example", "reject emailAddress at 0")):
    case(f"rule-{'good-' if expect == 'accept' else ''}email-address",
        "an address is one of the alternative names", "RFC 8550 §3", expect,
        [leaf(names(mail("a@b.example")), base=mailbox), ISSUER], anchors=(ANCHOR,),
        purpose=f"email {address}")
one("wildcardTooWide", "*.com would stand for hosts of all customers of a registry",
    "CA/B BR §3.2.2.6", end(base=(SIGN, SERVER, BELOW, names(dns("*.com")))), host="shop.com")
case("rule-good-wildcard", "a wildcard below a registered name", "RFC 9525 §6.3", "accept",
    [end(base=(SIGN, SERVER, BELOW, names(dns("*.shop.co.uk")))), ISSUER], anchors=(ANCHOR,),
    host="www.shop.co.uk", rules="strict")

# The purpose.

CLIENT = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.2")))
ANY_USE = extension("2.5.29.37", sequence(oid("2.5.29.37.0")))
one("extendedKeyUsage", "the leaf is for clients", "RFC 5280 §4.2.1.12", end(base=(SIGN, CLIENT, BELOW, GOOD)))
one("extendedKeyUsage", "the intermediate is for clients", "CA/B BR §7.1.2.10.6", end(), place=1,
    issuer=middle(own("Authority"), above("Root"), CLIENT), more="-issuer")
one("extendedKeyUsageMissing", "the leaf does not say what it is for", "CA/B BR §7.1.2.7.10",
    end(base=(SIGN, BELOW, GOOD)), rules="strict")
one("extendedKeyUsageAny", "the leaf is for any purpose and none by name", "CA/B BR §7.1.2.7.10",
    end(base=(SIGN, ANY_USE, BELOW, GOOD)), rules="strict")
one("leafIsCA", "a server with the certificate of an authority", "CA/B BR §7.1.2.7.8",
    end(base=(authority(), extension("2.5.29.15", octets("03020186"), True), SERVER, BELOW, own("Leaf"), GOOD)))

# The profile of RFC 5280.

one("version", "a certificate of version 1 has no extensions", "RFC 5280 §4.1.2.1",
    certificate("Leaf", "Authority", [], version=0), **PLAIN)
one("extensionCritical", "a subject key identifier is not critical", "RFC 5280 §4.2.1.2",
    end(extension("2.5.29.14", tlv(4, identifier("Leaf")), True)), rules="strictRFC5280")
one("extensionNotCritical", "basic constraints of an authority are critical", "RFC 5280 §4.2.1.9", end(),
    place=1, rules="strictRFC5280", issuer=middle(
    base=[extension("2.5.29.19", sequence(TRUE)), CERT_SIGN, own("Authority"), above("Root")]))
one("extensionMissing", "a certificate names the key above it", "RFC 5280 §4.2.1.1",
    end(base=(SIGN, SERVER, GOOD)), rules="strictRFC5280")
one("extensionMisplaced", "name constraints are for authorities", "RFC 5280 §4.2.1.10",
    end(subtrees([dns(HOST)])), rules="strictRFC5280")
by_serial = extension("2.5.29.35",
    sequence(tlv(0xA1, directory(common("Root"))), tlv(0x82, b"\1")))
one("extensionValue", "the key above is named by an identifier", "RFC 5280 §4.2.1.1",
    end(base=(SIGN, SERVER, by_serial, GOOD)), rules="strictRFC5280")
nameless = sequence()
one("emptyIssuer", "an issuer has a name", "RFC 5280 §4.1.2.4",
    certificate("Leaf", "Authority", [SIGN, SERVER, BELOW, GOOD], issuer_name=nameless), issuer=None,
    rules="strictRFC5280", anchors=(certificate("Authority", "Authority",
    [authority(), CERT_SIGN, own("Authority")], subject_name=nameless, issuer_name=nameless),))
one("emptySubject", "a subject has a name, or an alternative that stands for it", "RFC 5280 §4.1.2.6",
    end(base=(SIGN, BELOW), subject_name=nameless), **PLAIN)
case("rule-good-empty-subject", "a critical alternative name stands for the subject", "RFC 5280 §4.1.2.6",
    "accept", [end(base=(SIGN, SERVER, BELOW, extension("2.5.29.17", sequence(dns(HOST)), True)),
    subject_name=nameless), ISSUER], anchors=(ANCHOR,), rules="strictRFC5280")
one("certSignWithoutAuthority", "a key that signs certificates is an authority's", "RFC 5280 §4.2.1.9",
    end(base=(extension("2.5.29.15", octets("03020284"), True), BELOW)), **PLAIN)
one("encoding", "a date before 2050 is a UTCTime", "RFC 5280 §4.1.2.5", rules="strictRFC5280",
    certificate=end(times=sequence(tlv(0x18, b"20250101000000Z"), tlv(0x17, b"270101000000Z"))))
