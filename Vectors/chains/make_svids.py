"""Writes the cases `spiffe-*` of this folder: what X509-SVID asks of the certificates of workloads and of
the CAs above them, and whose anchors count, with keys that are thrown away.

    python3 make_svids.py

Each case differs from `spiffe-good` in one point. Expectations are stated here, from the section that each
case cites.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from parts import *

ID = "spiffe://domain1.test/workload"
BOTH = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2")))
write = Cases(__file__).write


def usage(bits, critical=True):
    """A key usage of the numbers of bits. RFC 5280 §4.2.1.3."""
    value = sum(0x80 >> bit for bit in bits)
    return extension("2.5.29.15", bytes([3, 2, 7 - max(bits), value]), critical)


def workload(*ids, base=None, more=(), issuer="Authority", basic=(authority(False),), use=(SIGN,), purposes=(BOTH,)):
    alternative = [names(*[uri(each) for each in ids], *more)] if ids or more else []
    return certificate(
        "Leaf", issuer, [*basic, *use, *purposes, *alternative, own("Leaf"), above(issuer)])


def signer(*ids, use=(CERT_SIGN,), basic=(authority(),)):
    alternative = [names(*map(uri, ids))] if ids else []
    return certificate(
        "Authority", "Root", [*basic, *use, *alternative, own("Authority"), above("Root")])


def case(name, about, section, expect, leaf, *, middle=None, purpose=f"spiffe {ID}", domains="domain1.test", **more):
    standard = "" if section.startswith("SPIFFE") else "X509-SVID "
    write(
        f"spiffe-{name}", about, standard + section, expect, [leaf, middle or signer("spiffe://domain1.test")],
        purpose=purpose, domains=domains, anchors=(ANCHOR,), **more)


ANCHOR = certificate(
    "Root", "Root", [authority(), CERT_SIGN, names(uri("spiffe://domain1.test")), own("Root")])
good = workload(ID)
BUNDLE = "SPIFFE Trust Domain and Bundle §3"

# Whom the question is about.

case("good", "every other case differs from this one in one point", "§5.2", "accept", good)
for rules in ("rfc5280", "apple", "strict"):
    case(f"good-{rules}", f"the same under `{rules}`", "§5.2", "accept", good, rules=rules)
case("trust-domain", "any ID of the trust domain", "§5.2", "accept", good, purpose="spiffe domain1.test")
case("one-of", "one of several IDs and trust domains", "§5.2", "accept", good,
    purpose=f"spiffe spiffe://domain1.test/other {ID} domain2.test")
case("other-id", "another ID of the trust domain", "§5.2", "reject spiffeID at 0", good,
    purpose="spiffe spiffe://domain1.test/other")
case("longer-id", "an ID below the one asked about is another", "§5.2", "reject spiffeID at 0",
    workload(ID + "/more"))
case("case-of-path", "the path is compared with its case", "SPIFFE-ID §2.4", "reject spiffeID at 0",
    workload("spiffe://domain1.test/Workload"))
case("other-domain", "the same path in another trust domain", "§5.2", "reject spiffeID at 0",
    workload("spiffe://domain2.test/workload"))
case("subdomain", "a trust domain is no domain of the DNS, and contains no other", "SPIFFE-ID §2.1",
    "reject spiffeID at 0", workload("spiffe://a.domain1.test/workload"), purpose="spiffe domain1.test")
case("no-peers", "nothing is asked for, and nothing accepted", "§5.2", "reject spiffeID at 0", good, purpose="spiffe ")

# The names of the workload.

case("no-names", "no alternative names", "§2", "reject spiffeIDCount at 0", workload())
case("no-uri", "only a DNS name", "§2", "reject spiffeIDCount at 0", workload(more=[dns(HOST)]))
case("two-ids", "two IDs", "§5.2", "reject spiffeIDCount at 0", workload(ID, "spiffe://domain1.test/other"))
case("id-twice", "the same ID twice", "§5.2", "reject spiffeIDCount at 0", workload(ID, ID))
case("other-uri", "an ID and another URI", "§5.2", "reject spiffeIDCount at 0", workload(ID, "https://domain1.test/"))
case("dns-too", "an ID and a DNS name", "§2", "accept", workload(ID, more=[dns(HOST)]))
case("no-path", "the ID of the trust domain itself", "§5.2", "reject spiffePathMissing at 0",
    workload("spiffe://domain1.test"), purpose="spiffe domain1.test")
for name, text in {
    "scheme": "sparfe://domain1.test/workload", "upper-scheme": "SPIFFE://domain1.test/workload",
    "upper-domain": "spiffe://Domain1.test/workload", "root-path": "spiffe://domain1.test/",
    "trailing-slash": ID + "/", "empty-segment": "spiffe://domain1.test//workload",
    "dot-segment": "spiffe://domain1.test/./workload", "dots": "spiffe://domain1.test/other/../workload",
    "port": "spiffe://domain1.test:443/workload", "user": "spiffe://a@domain1.test/workload",
    "query": ID + "?a", "fragment": ID + "#a", "percent": "spiffe://domain1.test/%77orkload",
    "line": ID + "\n", "no-domain": "spiffe:///workload",
    "long": "spiffe://domain1.test/" + "a" * 2027, "long-domain": f"spiffe://{'a' * 256}/workload",
}.items():
    section = "§2.3" if name.startswith("long") else "§2"
    case(f"id-{name}", f"no SPIFFE ID: {name.replace('-', ' ')}", f"SPIFFE-ID {section}",
        "reject spiffeIDSyntax at 0", workload(text), purpose="spiffe domain1.test")
longest = "spiffe://domain1.test/" + "a" * 2026
case("id-longest", "2048 bytes", "SPIFFE-ID §2.3", "accept", workload(longest), purpose="spiffe domain1.test")

# What else is in the certificate of a workload.

case("ca", "the certificate of a CA", "§5.2", "reject leafIsCA at 0", workload(ID, basic=[authority()], use=[usage([0, 5])]))
case("ca-apple", "the certificate of a CA, under rules that accept it for hosts", "§5.2", "reject leafIsCA at 0",
    workload(ID, basic=[authority()]), rules="apple")
case("no-basic-constraints", "no basic constraints, so cA is false", "§5.2", "accept", workload(ID, basic=[]))
for rules in ("webPKI", "apple"):
    more = "" if rules == "webPKI" else "-apple"
    case("cert-sign" + more, "keyCertSign", "§5.2", "reject keyUsageForbidden at 0",
        workload(ID, use=[usage([0, 5])]), rules=rules)
    case("crl-sign" + more, "cRLSign", "§5.2", "reject keyUsageForbidden at 0",
        workload(ID, use=[usage([0, 6])]), rules=rules)
    case("no-key-usage" + more, "no key usage", "§4.3", "reject extensionMissing at 0", workload(ID, use=[]), rules=rules)
    case("no-signature" + more, "no digitalSignature", "§4.3", "reject keyUsage at 0",
        workload(ID, use=[usage([2])]), rules=rules)
case("key-usage-not-critical", "the key usage is not critical, and the rules ask for the profile", "§4.3",
    "reject extensionNotCritical at 0", workload(ID, use=[usage([0], critical=False)]), rules="strictRFC5280")
case("key-usage-not-critical-without", "rules without the profile do not ask whether it is critical", "§5.2", "accept",
    workload(ID, use=[usage([0], critical=False)]))
case("no-purposes", "no extended key usage", "§4.4", "accept", workload(ID, purposes=[]))
case("server-only", "not for clients, and the rules ask for the profile", "§4.4", "reject extendedKeyUsage at 0",
    workload(ID, purposes=[SERVER]), rules="strictRFC5280")
case("server-only-without", "rules without the profile ask for one of both", "§5.2", "accept",
    workload(ID, purposes=[SERVER]))
case("code-signing", "for another purpose alone", "§4.4", "reject extendedKeyUsage at 0",
    workload(ID, purposes=[extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.3")))]), rules="apple")

# The CAs above it.

case("signer-without-id", "the CA is none of SPIFFE's", "§3.2", "accept", good, middle=signer())
case("signer-other-domain", "the CA of another trust domain, below an anchor of the right one", "§3.2", "accept", good,
    middle=signer("spiffe://domain2.test"))
case("signer-slash", "a lone slash is no path, as in appendix A of the standard for bundles", "§3.2", "accept", good,
    middle=signer("spiffe://domain1.test/"))
case("signer-path", "the ID of the CA has a path", "§3.2", "reject spiffePathForbidden at 1", good,
    middle=signer("spiffe://domain1.test/ca"))
case("signer-syntax", "the ID of the CA is malformed", "§3.2", "reject spiffeIDSyntax at 1", good,
    middle=signer("spiffe://Domain1.test"))
case("signer-two-ids", "two IDs of a CA", "§2", "reject spiffeIDCount at 1", good,
    middle=signer("spiffe://domain1.test", "spiffe://domain2.test"))
case("signer-web", "the CA has URIs of another kind", "§3.2", "accept", good,
    middle=signer("https://domain1.test/ca", "https://domain1.test/other"))
case("signer-no-key-usage", "the CA has no key usage", "§4.3", "reject extensionMissing at 1", good,
    middle=signer("spiffe://domain1.test", use=[]), rules="apple")
case("signer-no-cert-sign", "the CA lacks keyCertSign", "§4.3", "reject keyUsage at 1", good,
    middle=signer("spiffe://domain1.test", use=[usage([0])]))
case("signer-no-ca", "a workload as a CA", "§4.1", "reject notCA at 1", good,
    middle=signer("spiffe://domain1.test", basic=[authority(False)]), rules="apple")
case("signer-crl-sign", "a CA may sign CRLs", "§4.3", "accept", good,
    middle=signer("spiffe://domain1.test", use=[usage([5, 6])]))

# Whose anchors count.

case("anchor-other", "the anchor of another trust domain", BUNDLE, "reject trustDomain at 2", good, domains="domain2.test")
case("anchor-none", "an anchor of no trust domain", BUNDLE, "reject trustDomain at 2", good, domains=None)
case("anchor-several", "an anchor of two trust domains", BUNDLE, "accept", good, domains="domain2.test domain1.test")
case("anchor-foreign-member", "an ID of a trust domain that is asked for, below the anchor of another", BUNDLE,
    "reject trustDomain at 2", workload("spiffe://domain2.test/workload"), purpose="spiffe domain1.test domain2.test")
for name, purpose in {"server": f"server {HOST}", "client": "client", "any": "any"}.items():
    case(f"anchor-{name}", "the anchor of a trust domain vouches for IDs alone", BUNDLE, "reject trustDomain at 2",
        workload(ID, more=[dns(HOST)]), purpose=purpose, rules="rfc5280")
write("spiffe-leaf-is-anchor", "the anchor is the workload itself", "X509-SVID §5.2", "reject leafIsAnchor at 0",
    [good], purpose=f"spiffe {ID}", domains="domain1.test", anchors=(good,), rules="rfc5280")

# Name constraints. RFC 5280 §4.2.1.10.

for name, middle, expect in (
    ("permitted", subtrees(permitted=[uri("domain1.test")]), "accept"),
    ("not-permitted", subtrees(permitted=[uri("domain2.test")]), "reject nameNotPermitted at 0"),
    ("excluded", subtrees(excluded=[uri("domain1.test")]), "reject nameExcluded at 0"),
):
    case(f"name-{name}", "a CA that may give the IDs of some trust domains", "§4.2", expect, good,
        middle=certificate("Authority", "Root", [authority(), CERT_SIGN, middle, own("Authority"), above("Root")]))
