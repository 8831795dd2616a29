"""Writes the cases `profile-*` and `extension-*` of this folder: what a certificate may say.

    python3 make_profile.py

Each case that is rejected has a control beside it, which differs in one point. Expectations are
stated here, from the paragraph that each case cites.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from parts import *

case = Cases(__file__).write


def one(name, about, cites, expect, certificate, *, issuer=ISSUER, **options):
    case(name, about, cites, expect, [certificate, issuer], **{"anchors": (ANCHOR,), **options})


# Extensions that are processed, and so may be critical, beside one that is only shown.

STATUS_REQUEST = sequence(integer(5))
one("extension-tls-feature-critical", "TLS features are processed: RFC 7633 §4.2.2", "RFC 5280 §4.2", "accept",
    end(extension("1.3.6.1.5.5.7.1.24", STATUS_REQUEST, True)))
ACCESS = sequence(sequence(oid("1.3.6.1.5.5.7.48.5"), uri("http://bad.example/")))
one("extension-subject-info-critical", "the access to a subject's information is not processed",
    "RFC 5280 §4.2", "reject unknownCriticalExtension at 0", end(extension("1.3.6.1.5.5.7.1.11", ACCESS, True)))

# The limit on exponents.

N = RSA.public_key().public_numbers().n
for bits, expect in ((33, "accept"), (34, "reject oversizedExponent at 0")):
    key = sequence(sequence(oid("1.2.840.113549.1.1.1"), NULL),
        tlv(3, b"\0", sequence(integer(N), integer(2 ** (bits - 1) + 1))))
    one(f"key-rsa-exponent-of-{bits}-bits", "an exponent has 33 bits at most", "limit of the rules", expect,
        end(public_key=key))

# The profiles: for each rule a case that breaks it, and one in which the same part is as it must be.


def pair(name, rule, about, cites, bad, good, *, rules="strict", at=0, **options):
    """Writes two cases; `bad` and `good` are the options of a leaf, or of an issuer if `at` is 1."""
    for part, more, expect in ((bad, "", f"reject {rule} at {at}"), (good, "-good", "accept")):
        chain = [end(), middle(own("Authority"), above("Root"), **part)] if at else [end(**part), ISSUER]
        case(f"profile-{name}{more}", about, cites, expect, chain,
            **{"anchors": (ANCHOR,), "rules": rules, **options})


def with_(*more, base=(SIGN, SERVER, BELOW, GOOD), **options):
    return {"base": (*base, *more), **options}


def usage(bits):
    return with_(base=(extension("2.5.29.15", octets(bits), True), SERVER, BELOW, GOOD))


def named(*values):
    return with_(base=(SIGN, SERVER, BELOW, names(dns(HOST), *values)))


def subject(*parts, policy=None):
    """A subject of relative names; a part is one attribute, or several."""
    more = [policies(oid(policy))] if policy else []
    return with_(*more, subject_name=sequence(*parts))


def purposes(*kinds):
    return extension("2.5.29.37", sequence(*map(oid, kinds)))


def access(location, method="1.3.6.1.5.5.7.48.1"):
    return extension("1.3.6.1.5.5.7.1.1", sequence(sequence(oid(method), location)))


def point(*values, more=b""):
    return sequence(tlv(0xA0, tlv(0xA0, *values)), more)


def points(*all_points):
    return extension("2.5.29.31", sequence(*all_points))


def qualified(kind, value):
    qualifier = sequence(oid("1.3.6.1.5.5.7.2." + kind), value)
    return extension("2.5.29.32", sequence(sequence(oid(DV), sequence(qualifier))))


def notice(tag, text):
    return qualified("2", sequence(tlv(tag, text)))


RFC = {"rules": "strictRFC5280"}
DV, OV, ANY_POLICY = "2.23.140.1.2.1", "2.23.140.1.2.2", "2.5.29.32.0"
TLS, CODE, ANY_USE = "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.3", "2.5.29.37.0"
C, O, L = attribute("2.5.4.6", "SE", 0x13), attribute("2.5.4.10", "Bakery"), attribute("2.5.4.7", "Oslo")
CN, OU = attribute("2.5.4.3", HOST), attribute("2.5.4.11", "Oven")
EMAIL = attribute("1.2.840.113549.1.9.1", "Me@bad.example", 0x16)
CPS = tlv(0x16, b"http://bad.example/cps")
WEB = uri("http://bad.example/ocsp")

# RFC 5280 §4.1 and §4.2.

for number, side in ((1, "issuer"), (2, "subject")):
    pair(f"unique-identifier-of-{side}", "uniqueIdentifier", "CAs write no unique identifiers",
        "RFC 5280 §4.1.2.8", {"unique": tlv(0x80 | number, b"\0\1")}, {}, **RFC)
for name, bad, good in (
    ("host-of-64-letters", dns("a" * 64 + ".example"), dns("a" * 63 + ".example")),
    ("host-of-254-letters", dns("a." * 123 + "example1"), dns("a." * 123 + "example")),
    ("host-hyphen", dns("-a.example"), dns("a-a.example")),
    ("host-underscore", dns("a_a.example"), dns("a-a.example")),
    ("host-dot", dns("a.example."), dns("a.example")),
    ("host-star-inside", dns("a*.bad.example"), dns("*.bad.example")),
    ("mailbox-without-host", mail("me"), mail("me@bad.example")),
    ("mailbox-two-dots", mail("m..e@bad.example"), mail("m.e@bad.example")),
    ("mailbox-in-brackets", mail("<me@bad.example>"), mail('"<me>"@bad.example')),
    ("mailbox-of-address", mail("me@192.0.2.1]"), mail("me@[192.0.2.1]")),
    ("uri-relative", uri("/bad.example"), uri("http://bad.example")),
    ("uri-without-authority", uri("http:../bad.example"), uri("urn:bad.example")),
    ("uri-escape", uri("http://bad.example/%2"), uri("http://bad.example/%20")),
    ("uri-space", uri("http://bad.example/a b"), uri("http://bad.example/a+b")),
    ("uri-without-host", uri("http:///a"), uri("http://[2001:db8::1]:80/a")),
):
    pair(f"name-{name}", "nameSyntax", "a name is in the syntax of its form", "RFC 5280 §4.2.1.6",
        named(bad), named(good), **RFC)
pair("location-relative", "nameSyntax", "a location is an absolute URI", "RFC 5280 §4.2.2.1",
    with_(access(uri("ocsp"))), with_(access(uri("ldap:///cn=a"))), **RFC)
pair("constraint-dot", "constraintSyntax", "a constraint on host names begins with no dot", "RFC 5280 §4.2.1.10",
    {"base": (authority(), CERT_SIGN, subtrees((), [dns(".other.example")]))},
    {"base": (authority(), CERT_SIGN, subtrees((), [dns("other.example")]))}, at=1, **RFC)
pair("email-alone", "emailAddressAlone", "an address of the subject is among the alternative names too",
    "RFC 5280 §4.1.2.6", subject(EMAIL), named(mail("me@bad.example")) | {"subject_name": sequence(EMAIL)}, **RFC)
REASONS = tlv(0x81, octets("0640"))
pair("point-for-some-reasons", "distributionPoint", "one distribution point is for all reasons",
    "RFC 5280 §4.2.1.13", with_(points(point(WEB, more=REASONS))),
    with_(points(point(WEB, more=REASONS), point(WEB))), **RFC)
pair("notice-bmp", "noticeEncoding", "a notice is no BMPString", "RFC 5280 §4.2.1.4",
    with_(notice(0x1E, b"\0a")), with_(notice(0x0C, b"a")), **RFC)
pair("notice-visible", "noticeEncoding", "a notice is no VisibleString", "RFC 5280 §4.2.1.4",
    with_(notice(0x1A, b"a")), with_(notice(0x0C, b"b")), **RFC)
pair("notice-ia5", "noticeEncoding", "a notice is no IA5String", "RFC 6818 §3",
    with_(notice(0x16, b"a")), with_(notice(0x0C, b"c")), **RFC)
pair("notice-long", "noticeTooLong", "a notice has 200 characters at most", "RFC 5280 §4.2.1.4",
    with_(notice(0x0C, b"a" * 201)), with_(notice(0x0C, b"a" * 200)), **RFC)
pair("attribute-long", "attributeValue", "an organization has 64 characters at most", "RFC 5280 appendix A.1",
    subject(attribute("2.5.4.10", "a" * 65)), subject(attribute("2.5.4.10", "a" * 64)), **RFC)
pair("attribute-country", "attributeValue", "a country is a PrintableString", "RFC 5280 appendix A.1",
    subject(attribute("2.5.4.6", "SE")), subject(C), **RFC)
P256 = public(ec.generate_private_key(ec.SECP256R1()))
pair("key-usage-of-curve", "keyUsageForbidden", "a key on a curve encrypts no keys", "RFC 8813 §3",
    usage("030205A0") | {"public_key": P256}, usage("03020780") | {"public_key": P256}, **RFC)
pair("key-usage-of-edwards", "keyUsageForbidden", "an Ed25519 key encrypts no keys", "RFC 9295 §3",
    usage("030205A0"), usage("030206C0"), **RFC)
pair("key-identifier", "keyIdentifierDiffers", "an issuer's key has one identifier", "RFC 5280 §4.2.1.2",
    with_(base=(SIGN, SERVER, above("Other"), GOOD)), with_(base=(SIGN, SERVER, BELOW, GOOD)), **RFC)

# CA/B BR §7.1.

pair("key-usage-of-server", "keyUsageForbidden", "a server's RSA key denies nothing", "CA/B BR §7.1.2.7.11",
    usage("030206C0") | {"public_key": public(RSA)}, usage("030205A0") | {"public_key": public(RSA)})
pair("key-usage-of-issuer", "keyUsageForbidden", "a CA's key encrypts no keys", "CA/B BR §7.1.2.10.7",
    {"base": (authority(), extension("2.5.29.15", octets("03020224"), True))},
    {"base": (authority(), extension("2.5.29.15", octets("03020186"), True))}, at=1)
pair("key-usage-not-signing", "keyUsage", "a key on a curve signs", "CA/B BR §7.1.2.7.11",
    usage("03020308") | {"public_key": P256}, usage("03020388") | {"public_key": P256})
pair("reserved-label", "reservedLabel", "labels with -- are A-labels", "CA/B BR §7.1.2.7.12",
    named(dns("ab--c.example")), named(dns("xn--bcher-kva.example")))
for name, other_form in (("mail", mail("me@bad.example")), ("uri", WEB), ("directory", directory(sequence(C)))):
    pair(f"alternative-name-{name}", "alternativeNameForm", "a server's names are hosts and addresses",
        "CA/B BR §7.1.2.7.12", named(other_form), named(address(b"\xC0\0\2\1")))
pair("purpose-of-server", "extendedKeyUsageForbidden", "a server signs no code", "CA/B BR §7.1.2.7.10",
    with_(base=(SIGN, purposes(TLS, CODE), BELOW, GOOD)),
    with_(base=(SIGN, purposes(TLS, "1.3.6.1.5.5.7.3.2"), BELOW, GOOD)))
pair("purpose-of-issuer", "extendedKeyUsageForbidden", "a CA of servers is none of signers of code",
    "CA/B BR §7.1.2.10.6", {"base": (authority(), CERT_SIGN, purposes(TLS, CODE))},
    {"base": (authority(), CERT_SIGN, purposes(TLS, "1.3.6.1.5.5.7.3.2"))}, at=1)
pair("policy-any", "policyForbidden", "a server's certificate is not for any policy", "CA/B BR §7.1.2.7.9",
    with_(policies(oid(DV), oid(ANY_POLICY))), with_(policies(oid(DV), oid("1.2.3"))))
pair("policy-any-of-issuer", "policyForbidden", "anyPolicy stands alone", "CA/B BR §7.1.2.10.5",
    {"base": (authority(), CERT_SIGN, policies(oid(ANY_POLICY), oid(DV)))},
    {"base": (authority(), CERT_SIGN, policies(oid(ANY_POLICY)))}, at=1)
pair("policy-none-reserved", "reservedPolicies", "one policy is reserved", "CA/B BR §7.1.2.7.9",
    with_(policies(oid("1.2.3"))), with_(policies(oid(DV))))
pair("policy-two-reserved", "reservedPolicies", "one policy is reserved, not two", "CA/B BR §7.1.2.7.9",
    with_(policies(oid(DV), oid(OV))), with_(policies(oid("1.2.3"), oid(DV))))
pair("policy-notice", "policyQualifier", "a policy has no notice", "CA/B BR §7.1.2.7.9",
    with_(notice(0x0C, b"a")), with_(qualified("1", CPS)))
pair("location-host", "locationNotHTTP", "a location is a URI", "CA/B BR §7.1.2.7.7",
    with_(access(dns("bad.example"))), with_(access(WEB)))
pair("location-https", "locationNotHTTP", "a location is an HTTP address", "CA/B BR §7.1.2.7.7",
    with_(access(uri("https://bad.example/"))), with_(access(uri("HTTP://bad.example/"))))
pair("point-ldap", "locationNotHTTP", "a distribution point is an HTTP address", "CA/B BR §7.1.2.11.2",
    with_(points(point(uri("ldap://bad.example/cn=a")))), with_(points(point(WEB))))
pair("access-method", "accessMethod", "there is access to OCSP and issuers alone", "CA/B BR §7.1.2.7.7",
    with_(access(WEB, "1.3.6.1.5.5.7.48.3")), with_(access(WEB, "1.3.6.1.5.5.7.48.2")))
pair("point-with-reasons", "distributionPoint", "a distribution point has no reasons", "CA/B BR §7.1.2.11.2",
    with_(points(point(WEB), point(WEB, more=REASONS))), with_(points(point(WEB), point(WEB))))
pair("point-critical", "extensionCritical", "distribution points are not critical", "CA/B BR §7.1.2.7.6",
    with_(extension("2.5.29.31", sequence(point(WEB)), True)), with_(points(point(WEB))))
pair("attributes-together", "multipleAttributes", "a relative name has one attribute", "CA/B BR §7.1.4.2",
    subject(tlv(0x31, C[2:], CN[2:])), subject(C, CN))
pair("attribute-teletex", "attributeValue", "an organization is a UTF8String or PrintableString",
    "CA/B BR §7.1.4.2", subject(attribute("2.5.4.10", "Bakery", 0x14)), subject(attribute("2.5.4.10", "Bakery", 0x13)))
pair("attribute-empty", "attributeValue", "an attribute says something", "CA/B BR §7.1.4.2",
    subject(attribute("2.5.4.10", "- .")), subject(attribute("2.5.4.10", "- a")))
pair("attribute-order", "attributeOrder", "the country comes before the organization", "CA/B BR §7.1.4.2",
    subject(O, C), subject(C, O))
pair("attribute-again", "repeatedAttribute", "an organization is named once", "CA/B BR §7.1.4.2",
    subject(O, attribute("2.5.4.10", "Mill")), subject(O, attribute("2.5.4.11", "Mill")))
pair("organization-without-place", "attributeMissing", "an organization is somewhere", "CA/B BR §7.1.2.7.4",
    subject(C, O, policy=OV), subject(C, L, O, policy=OV))
pair("organization-with-unit", "attributeForbidden", "an organization has no units", "CA/B BR §7.1.2.7.4",
    subject(C, L, O, OU, policy=OV), subject(C, L, O, CN, policy=OV))
pair("domain-with-organization", "attributeForbidden", "a validated domain has no organization",
    "CA/B BR §7.1.2.7.2", subject(C, O, policy=DV), subject(C, CN, policy=DV))

# What a certificate shows beside that of its issuer.

CURVE = ec.generate_private_key(ec.SECP384R1())
for digest, number, more in ((hashes.SHA256(), 2, ""), (hashes.SHA384(), 3, "-good")):
    case(f"profile-digest-of-curve{more}", "a key on P-384 signs digests of SHA-384", "CA/B BR §7.1.3.2.2",
        "accept" if more else "reject digestOfCurve at 0",
        [end(inner=sequence(oid(f"1.2.840.10045.4.3.{number}")),
            sign=lambda what: CURVE.sign(what, ec.ECDSA(digest))),
        middle(own("Authority"), above("Root"), key=CURVE)], anchors=(ANCHOR,), rules="strict")
for tag, more in ((0x13, ""), (0x0C, "-good")):
    case(f"profile-issuer-encoding{more}", "an issuer's name is the same bytes in both certificates",
        "CA/B BR §7.1.4.1", "accept" if more else "reject issuerEncoding at 0",
        [end(issuer_name=sequence(attribute("2.5.4.3", "Authority", tag))), ISSUER], anchors=(ANCHOR,),
        rules="strict")
SHA256_IDENTIFIER = sequence(oid("2.16.840.1.101.3.4.2.1"), NULL)
for length, more in ((20, ""), (32, "-good")):
    parameters = sequence(tlv(0xA0, SHA256_IDENTIFIER),
        tlv(0xA1, sequence(oid("1.2.840.113549.1.1.8"), SHA256_IDENTIFIER)),
        *([tlv(0xA2, integer(length))] if length != 20 else []))
    case(f"profile-salt{more}", "a salt is as long as the digest", "CA/B BR §7.1.3.2.1",
        "accept" if more else "reject signatureParameters at 0",
        [end(inner=sequence(oid("1.2.840.113549.1.1.10"), parameters), sign=lambda what: RSA.sign(
            what, padding.PSS(padding.MGF1(hashes.SHA256()), length), hashes.SHA256())),
        middle(own("Authority"), above("Root"), key=RSA)], anchors=(ANCHOR,), rules="strict")
