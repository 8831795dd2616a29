"""Writes the cases of the judge that ../causes and the folders of .case files lack: families.txt.

    python3 families.py          certificates.txt, sources.txt, families.txt; the same bytes each time

Both sides of each rule are here: names, name constraints in each position, purposes, both ends of a
validity, and the status by CRLs (complete, delta, indirect, for some reasons, stale, of the future) and by
OCSP. The chain is that of ../causes, whose functions make the certificates. The expected answer comes from
the section that a case cites, never from a verifier.

A line of families.txt is a name and `key=value` pairs, _ for a space. Certificates and sources are named by
their numbers in the other two files. `expect` is `accept` or a rule; `at` is the certificate that breaks it,
`path` the only valid path, `also` are rules that are broken, too, and `house` says why the answer is what it
is where it is a decision of this suite. Needs pyca/cryptography 44 on OpenSSL 3.2, as ../causes does.
"""
import base64
import importlib.util
import pathlib

FOLDER = pathlib.Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("causes", FOLDER.parent / "causes" / "make.py")
c = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(c)
tlv, sequence, oid, integer, hashes = c.tlv, c.sequence, c.oid, c.integer, c.hashes
LEAF, LOWER, UPPER, ROOT = c.LEAF, c.LOWER, c.UPPER, c.ROOT
NUMBERS, SOURCES, LINES = {}, {}, []
c.EXTENSION.update(delta="2.5.29.27", fresh="2.5.29.46", entry_issuer="2.5.29.29", nonce="1.3.6.1.5.5.7.48.1.2")
c.CRITICAL.update({"delta", "entry_issuer"})


def number(certificate):
    return NUMBERS.setdefault(certificate.der, len(NUMBERS))


def case(label, about, cites, expect="accept", at=None, *, chain=None, anchors=(ROOT,), path=None, lists=(),
         responses=(), status=None, **words):
    chain = chain or [LEAF, LOWER, UPPER]
    ders = {
        "chain": chain, "anchors": anchors, "at": [at or chain[0]] if expect != "accept" else [],
        "path": (path or [*chain[:3], anchors[0]]) if expect == "accept" else [],
    }
    parts = {kind: ",".join(str(number(one)) for one in value) for kind, value in ders.items() if value}
    for kind, values in (("lists", lists), ("responses", responses)):
        if values:
            parts[kind] = ",".join(str(SOURCES.setdefault(one, len(SOURCES))) for one in values)
    if lists or responses or status:
        parts["revocation"] = status or "leaf"
    parts |= {"expect": expect, "cites": cites, "about": about, **words}
    LINES.append(" ".join([label, *[f"{kind}={str(value).replace(' ', '_')}" for kind, value in parts.items()]]))


def varied(label, original=LEAF, **extensions):
    made = original.copy(label)
    for kind, value in extensions.items():
        if value is None:
            made.extensions.pop(kind)
        else:
            made.extensions[kind] = value
    return made


# RFC 9525: which host a certificate is for.
V6 = c.address(0x20, 1, 0xD, 0xB8, *[0] * 11, 9)
for index, (host, name, is_match) in enumerate([
    ("www.judge.example", c.dns("www.judge.example"), True), ("WWW.Judge.Example", c.dns("www.judge.example"), True),
    ("www.judge.example", c.dns("WWW.JUDGE.EXAMPLE"), True), ("www.judge.example", c.dns("*.judge.example"), True),
    ("www.judge.example", c.dns("judge.example"), False), ("judge.example", c.dns("www.judge.example"), False),
    ("judge.example", c.dns("*.judge.example"), False), ("a.b.judge.example", c.dns("*.judge.example"), False),
    ("www.judge.example", c.dns("*.example.judge.example"), False), ("www.judge.example", c.dns("w*.judge.example"), False),
    ("www.judge.example", c.dns("*w.judge.example"), False), ("www.judge.example", c.dns("www.*.example"), False),
    ("www.judge.example", c.dns("*"), False), ("www.judge.example", c.dns("*.*.example"), False),
    ("www.judge.example", c.dns("awww.judge.example"), False), ("www.judge.example", c.dns("ww.judge.example"), False),
    ("www.judge.example", c.dns("www.judge.example.com"), False), ("www.judge.example", c.dns("www.judge.exampl"), False),
    ("www.judge.example", c.dns("www.judge.example\0.evil.example"), False),
    ("www.judge.example", c.uri("https://www.judge.example/"), False), ("www.judge.example", c.mail("a@www.judge.example"), False),
    ("www.judge.example", c.directory(c.name("www.judge.example")), False),
    ("xn--bcher-kva.example", c.dns("xn--bcher-kva.example"), True), ("XN--BCHER-KVA.example", c.dns("xn--bcher-kva.example"), True),
    ("192.0.2.9", c.address(192, 0, 2, 9), True), ("192.0.2.8", c.address(192, 0, 2, 9), False),
    ("192.0.2.9", c.dns("192.0.2.9"), False), ("192.0.2.9", c.dns("*.0.2.9"), False),
    ("2001:db8::9", V6, True), ("2001:DB8:0:0::9", V6, True), ("2001:db8::8", V6, False), ("192.0.2.9", V6, False),
    ("2001:db8::9", c.dns("2001:db8::9"), False), ("www.judge.example", c.address(192, 0, 2, 9), False),
]):
    section = "RFC 9525 §6.4" if host[0].isdigit() else "RFC 9525 §6.3"
    for second in (False, True):
        names = [c.dns("other.example"), name] if second else [name]
        leaf = varied(f"host {index} {second}", san=sequence(*names))
        case(f"host/{index}{'-second' * second}", "a host and the names of a certificate", section,
             "accept" if is_match else "hostName", chain=[leaf, LOWER, UPPER], host=host)

# RFC 5280 §4.2.1.10: name constraints, each in each position, permitted and excluded.
NETWORK = c.address(192, 0, 2, 0, 255, 255, 255, 0)
NETWORK6 = c.address(0x20, 1, 0xD, 0xB8, *[0] * 12, 255, 255, 255, 255, *[0] * 12)
for form, rows in {
    "dns": [
        (c.dns("judge.example"), c.dns("www.judge.example"), True), (c.dns("www.judge.example"), c.dns("www.judge.example"), True),
        (c.dns("example"), c.dns("www.judge.example"), True), (c.dns("JUDGE.EXAMPLE"), c.dns("www.judge.example"), True),
        (c.dns("udge.example"), c.dns("www.judge.example"), False), (c.dns("a.www.judge.example"), c.dns("www.judge.example"), False),
        (c.dns("other.example"), c.dns("www.judge.example"), False), (c.dns("judge"), c.dns("www.judge.example"), False),
    ],
    "address": [
        (NETWORK, c.address(192, 0, 2, 9), True), (NETWORK, c.address(192, 0, 3, 9), False),
        (c.address(192, 0, 2, 9, *[255] * 4), c.address(192, 0, 2, 9), True),
        (c.address(192, 0, 2, 8, *[255] * 4), c.address(192, 0, 2, 9), False),
        (c.address(*[0] * 8), c.address(192, 0, 2, 9), True), (NETWORK6, V6, True),
        (NETWORK6, c.address(0x20, 1, 0xD, 0xB9, *[0] * 12), False),
    ],
    "mail": [
        (c.mail("judge.example"), c.mail("a@judge.example"), True), (c.mail("judge.example"), c.mail("a@sub.judge.example"), False),
        (c.mail(".judge.example"), c.mail("a@sub.judge.example"), True), (c.mail(".judge.example"), c.mail("a@judge.example"), False),
        (c.mail("a@judge.example"), c.mail("a@judge.example"), True), (c.mail("b@judge.example"), c.mail("a@judge.example"), False),
        (c.mail("a@judge.example"), c.mail("a@JUDGE.example"), True), (c.mail("A@judge.example"), c.mail("a@judge.example"), False),
    ],
    "uri": [
        (c.uri("a.judge.example"), c.uri("https://a.judge.example/x"), True), (c.uri("judge.example"), c.uri("https://a.judge.example/"), False),
        (c.uri(".judge.example"), c.uri("https://a.judge.example/"), True), (c.uri(".judge.example"), c.uri("https://judge.example/"), False),
        (c.uri("a.judge.example"), c.uri("https://b.judge.example:8443/"), False),
        (c.uri("a.judge.example"), c.uri("ftp://user@a.judge.example:21/f"), True),
    ],
    "directory": [
        (c.directory(sequence(c.attribute("2.5.4.10", "Causes"))), None, True),
        (c.directory(sequence(c.attribute("2.5.4.10", "Other"))), None, False),
    ],
}.items():
    for index, (base, name, is_inside) in enumerate(rows):
        for place in ("Lower", "Upper", "Root"):
            for is_excluded in (False, True):
                path = dict(c.PARTIES)
                label = f"constraint {form} {index} {place} {is_excluded}"
                limits = c.subtrees((), [base]) if is_excluded else c.subtrees([base])
                issuer = path[place] = varied(label, path[place], nc=limits)
                if name:
                    names = [name] if form == "dns" else [c.dns(c.HOST), name]
                    path["leaf"] = varied(f"{form} {index}", san=sequence(*names))
                host = "www.judge.example" if form == "dns" else c.HOST
                is_good = is_inside != is_excluded
                # A directory name binds the subjects of the CAs below, too; the first of them breaks it.
                order = ["Root", "Upper", "Lower", "leaf"]
                below = order[order.index(place) + 1]
                at = path[below] if form == "directory" else path["leaf"]
                case(f"constraint/{form}-{index}/{place}/{'excluded' if is_excluded else 'permitted'}",
                     f"a name {'inside' if is_inside else 'outside'} a subtree that {place} {'excludes' if is_excluded else 'permits'}",
                     "RFC 5280 §4.2.1.10", "accept" if is_good else "nameExcluded" if is_excluded else "nameNotPermitted",
                     at, chain=[path["leaf"], path["Lower"], path["Upper"]], anchors=(path["Root"],), host=host)

# RFC 5280 §4.2.1.12: what a leaf is for.
USES = {"server": "1.3.6.1.5.5.7.3.1", "client": "1.3.6.1.5.5.7.3.2", "codeSigning": "1.3.6.1.5.5.7.3.3",
        "email": "1.3.6.1.5.5.7.3.4", "timeStamping": "1.3.6.1.5.5.7.3.8", "ocspSigning": "1.3.6.1.5.5.7.3.9"}
MAILBOX = "a@judge.example"


def used(label, uses, is_critical=False):
    return varied(label, eku=(sequence(*[oid(USES.get(use, use)) for use in uses]), is_critical),
                  san=sequence(c.dns(c.HOST), c.mail(MAILBOX)))


for asked in USES:
    words = {"purpose": f"email {MAILBOX}" if asked == "email" else asked} if asked != "server" else {"host": c.HOST}
    for given in USES:
        is_critical = given == "timeStamping"
        leaf = used(f"use {given}", [given], is_critical)
        case(f"use/{asked}/{given}", "what is asked for, and the extended key usage of the leaf", "RFC 5280 §4.2.1.12",
             "accept" if asked == given else "extendedKeyUsage", chain=[leaf, LOWER, UPPER], **words)
    if asked == "timeStamping":
        for label, uses, is_critical, rule in [
            ("not-critical", ["timeStamping"], False, "extensionNotCritical"),
            ("with-another", ["timeStamping", "client"], True, "extendedKeyUsageForbidden"),
            ("any", ["2.5.29.37.0"], True, "extendedKeyUsageAny"),
        ]:
            leaf = used(f"time {label}", uses, is_critical)
            case(f"use/{asked}/{label}", "a time stamper's usage is critical and the only one", "RFC 3161 §2.3", rule,
                 chain=[leaf, LOWER, UPPER], **words)
        case(f"use/{asked}/none", "a time stamper needs the usage", "RFC 3161 §2.3", "extendedKeyUsageMissing",
             chain=[varied("time none", eku=None), LOWER, UPPER], **words)
        continue
    if asked == "ocspSigning":
        case(f"use/{asked}/none", "a responder needs the usage", "RFC 6960 §4.2.2.2", "extendedKeyUsageMissing",
             chain=[varied("time none", eku=None), LOWER, UPPER], **words)
        continue
    for given in ("client", "server", "codeSigning", "email"):
        leaf = used(f"two uses {asked} {given}", [given, asked])
        if given != asked:
            case(f"use/{asked}/beside-{given}", "one of two usages is enough", "RFC 5280 §4.2.1.12",
                 chain=[leaf, LOWER, UPPER], **words)
    leaf = varied("no uses", san=sequence(c.dns(c.HOST), c.mail(MAILBOX)), eku=None)
    case(f"use/{asked}/none", "without the extension no usage is excluded", "RFC 5280 §4.2.1.12",
         chain=[leaf, LOWER, UPPER], rules="rfc5280", **words)

# RFC 5280 §4.1.2.5: both ends of a validity belong to it. The time is 2026-06-15T12:00:00Z.
for place in c.SENT:
    for label, start, end, rule in [
        ("first-second", "260615120000Z", "270615120000Z", "accept"), ("last-second", "250615120000Z", "260615120000Z", "accept"),
        ("only-second", "260615120000Z", "260615120000Z", "accept"),
        ("second-too-early", "260615120001Z", "270615120000Z", "notYetValid"),
        ("second-too-late", "250615120000Z", "260615115959Z", "expired"),
    ]:
        path = dict(c.PARTIES)
        made = path[place] = path[place].copy(f"{label} {place}")
        made.start, made.end = start, end
        case(f"validity/{label}/{place}", "notBefore and notAfter are seconds of the validity", "RFC 5280 §4.1.2.5", rule,
             made, chain=[path["leaf"], path["Lower"], path["Upper"]], rules="rfc5280")

# RFC 5280 §5.2.4, §6.3.3: CRLs, and what changes them.


def crl(issuer, entries=(), more=(), crl_number=7, delta=None, signer=None, start="260614000000Z", end="260622000000Z",
        damage=lambda value: value, date="260610000000Z"):
    """A CRL; an entry is a certificate, a reason or None, and the issuer that the entry names, if any."""
    signer = signer or issuer.private
    rows = []
    for one, reason, entry_issuer in [(*entry, None)[:3] for entry in entries]:
        extensions = []
        if reason is not None:
            extensions.append(c.extension(c.EXTENSION["reason"], tlv(10, bytes([reason]))))
        if entry_issuer:
            extensions.append(c.extension(c.EXTENSION["entry_issuer"], sequence(c.directory(entry_issuer)), True))
        serial = one.serial or b"\x01" + c.digits("serial " + one.label, 15)
        rows.append(sequence(tlv(2, serial), tlv(0x17, date.encode()), sequence(*extensions) if extensions else b""))
    extensions = [c.extension(c.EXTENSION["aki"], sequence(tlv(0x80, c.identifier(signer)))),
                  c.extension(c.EXTENSION["number"], integer(crl_number))]
    if delta is not None:
        extensions.append(c.extension(c.EXTENSION["delta"], integer(delta), True))
    extensions += [c.extension(c.EXTENSION[kind], value, kind in c.CRITICAL) for kind, value in more]
    tbs = sequence(integer(1), c.ECDSA256, issuer.subject, tlv(0x17, start.encode()), tlv(0x17, end.encode()),
                   sequence(*rows) if rows else b"", tlv(0xA0, sequence(*extensions)))
    return sequence(tbs, c.ECDSA256, tlv(3, b"\0", damage(c.sign(signer, tbs, hashes.SHA256()))))


def later(issuer=LOWER, entries=(), **more):
    """A delta to the list of number 7."""
    return crl(issuer, entries, crl_number=8, delta=7, start="260615000000Z", **more)


# Some verifiers take a delta only where the complete CRL says that there are deltas.
FRESH = [("fresh", sequence(sequence(tlv(0xA0, tlv(0xA0, c.uri("http://ca.causes.example/delta.crl"))))))]
CLEAN, OTHER = crl(LOWER, more=FRESH), varied("another leaf")
HELD, GONE = crl(LOWER, [(LEAF, 6)], FRESH), crl(LOWER, [(LEAF, 1)], FRESH)
REMOVAL = ("RFC 5280 §6.3.3 (i), (k) would take the removal; §5.3.1 lets a CA remove what was on hold or has expired, and nothing else, "
           "so such a delta contradicts itself, and the revocation stays")
for label, lists, rule, section, house in [
    ("clean-and-clean", [CLEAN, later()], "accept", "RFC 5280 §5.2.4", ""),
    ("clean-and-revoked", [CLEAN, later(entries=[(LEAF, 1)])], "revoked", "RFC 5280 §6.3.3 (i)", ""),
    ("clean-and-held", [CLEAN, later(entries=[(LEAF, 6)])], "revoked", "RFC 5280 §6.3.3 (i)", ""),
    ("revoked-and-clean", [GONE, later()], "revoked", "RFC 5280 §6.3.3 (j)", ""),
    ("held-and-removed", [HELD, later(entries=[(LEAF, 8)])], "accept", "RFC 5280 §6.3.3 (k)", ""),
    ("held-and-another-removed", [HELD, later(entries=[(OTHER, 8)])], "revoked", "RFC 5280 §6.3.3 (j)", ""),
    ("compromised-and-removed", [GONE, later(entries=[(LEAF, 8)])], "revoked", "RFC 5280 §5.3.1", REMOVAL),
    ("superseded-and-removed", [crl(LOWER, [(LEAF, 4)], FRESH), later(entries=[(LEAF, 8)])], "revoked", "RFC 5280 §5.3.1", REMOVAL),
    ("held-and-forged-removal", [HELD, later(entries=[(LEAF, 8)], signer=c.known("forger"))], "revoked",
     "RFC 5280 §6.3.3 (h)", ""),
    ("clean-and-forged-revocation", [CLEAN, later(entries=[(LEAF, 1)], signer=c.known("forger"))], "accept",
     "RFC 5280 §6.3.3 (h)", ""),
    ("held-and-stale-removal", [HELD, crl(LOWER, [(LEAF, 8)], crl_number=8, delta=7, start="260614000000Z",
                                          end="260615000000Z")], "revoked", "RFC 5280 §6.3.3 (a)", ""),
    ("revocation-of-another", [CLEAN, later(entries=[(OTHER, 1)])], "accept", "RFC 5280 §6.3.3 (i)", ""),
]:
    for order in ("", "-last-first"):
        case(f"delta/{label}{order}", "a complete CRL and a delta", section, rule, lists=lists[::-1] if order else lists,
             **({"house": house} if house else {}))

# Some reasons, and some kinds of certificates.


def some(*reasons):
    return c.scope(tlv(0x83, c.usage(*reasons)[2:]))


FIRST, REST = [some(1, 2)], [some(3, 4, 5, 6, 7, 8)]
for label, lists, rule in [
    ("both-clean", [crl(LOWER, more=FIRST), crl(LOWER, more=REST)], "accept"),
    ("one-clean", [crl(LOWER, more=FIRST)], "revocationUnknown"), ("rest-clean", [crl(LOWER, more=REST)], "revocationUnknown"),
    ("one-revokes", [crl(LOWER, [(LEAF, 1)], more=FIRST)], "revoked"),
    ("rest-revokes", [crl(LOWER, [(LEAF, 4)], more=REST)], "revoked"),
    ("rest-revokes-beside-one", [crl(LOWER, more=FIRST), crl(LOWER, [(LEAF, 4)], more=REST)], "revoked"),
    ("rest-stale", [crl(LOWER, more=FIRST), crl(LOWER, more=REST, end="260615000000Z")], "revocationUnknown"),
    ("one-and-complete", [crl(LOWER, more=FIRST), CLEAN], "accept"),
    ("rest-forged", [crl(LOWER, more=FIRST), crl(LOWER, more=REST, signer=c.known("forger"))], "revocationUnknown"),
]:
    for order in ("", "-last-first") if len(lists) > 1 else ("",):
        case(f"reasons/{label}{order}", "CRLs for some reasons", "RFC 5280 §6.3.3 (l)", rule,
             lists=lists[::-1] if order else lists)
HERE, THERE = c.uri("http://ca.causes.example/1.crl"), c.uri("http://ca.causes.example/2.crl")
POINT = c.LEAF_WITH_POINT
TWO_POINTS = varied("leaf with two names", points=sequence(sequence(tlv(0xA0, tlv(0xA0, HERE, THERE)))))
for label, leaf, parts, revoked, rule in [
    ("users", LEAF, [tlv(0x81, b"\xff")], False, "accept"), ("users", LEAF, [tlv(0x81, b"\xff")], True, "revoked"),
    ("authorities", LEAF, [tlv(0x82, b"\xff")], True, "revocationUnknown"),
    ("attributes", LEAF, [tlv(0x85, b"\xff")], False, "revocationUnknown"),
    ("attributes", LEAF, [tlv(0x85, b"\xff")], True, "revocationUnknown"),
    ("same-point", POINT, [tlv(0xA0, tlv(0xA0, HERE))], False, "accept"),
    ("same-point", POINT, [tlv(0xA0, tlv(0xA0, HERE))], True, "revoked"),
    ("other-point", POINT, [tlv(0xA0, tlv(0xA0, THERE))], True, "revocationUnknown"),
    ("second-name", TWO_POINTS, [tlv(0xA0, tlv(0xA0, THERE))], False, "accept"),
    ("second-name", TWO_POINTS, [tlv(0xA0, tlv(0xA0, THERE))], True, "revoked"),
    ("second-name-of-list", POINT, [tlv(0xA0, tlv(0xA0, THERE, HERE))], True, "revoked"),
    ("no-scope", POINT, None, False, "accept"), ("no-scope", POINT, None, True, "revoked"),
]:
    scope = [] if parts is None else [c.scope(*parts)]
    case(f"scope/{label}-{'revoked' if revoked else 'clean'}", "what a CRL is for", "RFC 5280 §6.3.3 (b)(2)", rule,
         chain=[leaf, LOWER, UPPER], lists=[crl(LOWER, [(leaf, 1)] if revoked else [], more=scope)])

# Indirect CRLs: the leaf names their issuer, which the root has certified.
SIGNER = c.authority("signer", c.known("CRL signer"), "Root", c.known("Root"), "CRL signer")
SIGNER.extensions = {"ku": c.usage(6)}
c.linked(SIGNER)
MUTE = SIGNER.copy("mute signer")
MUTE.extensions["ku"] = c.usage(0)
FAR = c.authority("far signer", c.known("CRL signer"), "Other Root", c.known("Other Root"), "CRL signer")
FAR.extensions = {"ku": c.usage(6)}
c.linked(FAR)
POINTED = varied("leaf of indirect list", points=sequence(sequence(tlv(0xA2, c.directory(SIGNER.subject)))))
INDIRECT = [c.scope(tlv(0x84, b"\xff"))]
NAMED, STRANGE = LOWER.subject, UPPER.subject
for label, leaf, signer, entries, scope, rule in [
    ("clean", POINTED, SIGNER, [], INDIRECT, "accept"),
    ("revoked", POINTED, SIGNER, [(POINTED, 1, NAMED)], INDIRECT, "revoked"),
    ("of-the-signer", POINTED, SIGNER, [(POINTED, 1)], INDIRECT, "accept"),
    ("of-another-issuer", POINTED, SIGNER, [(POINTED, 1, STRANGE)], INDIRECT, "accept"),
    ("issuer-of-the-entry-before", POINTED, SIGNER, [(OTHER, 1, NAMED), (POINTED, 1)], INDIRECT, "revoked"),
    ("other-issuer-of-the-entry-before", POINTED, SIGNER, [(OTHER, 1, STRANGE), (POINTED, 1)], INDIRECT, "accept"),
    ("issuer-changes-back", POINTED, SIGNER, [(OTHER, 1, STRANGE), (POINTED, 1, NAMED)], INDIRECT, "revoked"),
    ("no-flag", POINTED, SIGNER, [], [], "revocationUnknown"),
    ("not-named-by-the-leaf", LEAF, SIGNER, [], INDIRECT, "revocationUnknown"),
    ("signer-without-right", POINTED, MUTE, [], INDIRECT, "revocationUnknown"),
    ("signer-of-another-root", POINTED, FAR, [], INDIRECT, "revocationUnknown"),
    ("signer-not-given", POINTED, None, [], INDIRECT, "revocationUnknown"),
]:
    beside = [signer] if signer else []
    case(f"indirect/{label}", "a CRL of another issuer than the certificate's", "RFC 5280 §6.3.3 (b)(1)", rule,
         chain=[leaf, LOWER, UPPER, *beside], lists=[crl(SIGNER, entries, more=scope)])
case("indirect/issuer-in-direct-list", "certificateIssuer means nothing in a CRL without the flag", "RFC 5280 §5.3.3",
     "revocationUnknown", lists=[crl(LOWER, [(OTHER, 1, STRANGE)])])
case("indirect/issuer-in-direct-list-revoked", "an entry behind one with certificateIssuer, without the flag",
     "RFC 5280 §5.3.3", "revoked", lists=[crl(LOWER, [(OTHER, 1, STRANGE), (LEAF, 1)])],
     house="RFC 5280 §5.3.3 gives certificateIssuer a meaning in indirect CRLs alone; what such a CRL revokes counts, what it leaves out does not")

# RFC 5280 §5.1.2.4, §5.1.2.5: when a CRL holds; the time is 2026-06-15T12:00:00Z.
FUTURE = ("RFC 5280 §6.3.3 does not compare thisUpdate; by §5.1.2.4 it is the issue date, so the CRL has not been issued yet, as RFC 6960 "
          "§4.2.2.1 says of responses")
OUTDATED = "RFC 5280 §6.3.3 needs a current CRL for a status; what its issuer has signed as revoked stays revoked (§5.3.1), whatever came later"
NOW = ("at the second of nextUpdate: RFC 5280 §6.3.3 (a)(1) asks for a new CRL after it, and (ii) of the new one that now is before it, so "
       "neither is said; by §5.1.2.5 the next CRL is out by then, and RFC 6960 §3.2 (6) refuses a response of this second")
for label, start, end, rule in [
    ("from-now", "260615120000Z", "260622000000Z", "accept"), ("until-now", "260614000000Z", "260615120000Z", "revocationUnknown"),
    ("from-a-second-later", "260615120001Z", "260622000000Z", "revocationUnknown"),
    ("until-a-second-ago", "260614000000Z", "260615115959Z", "revocationUnknown"),
    ("stale", "250614000000Z", "250622000000Z", "revocationUnknown"), ("future", "270614000000Z", "270622000000Z", "revocationUnknown"),
]:
    case(f"list-time/{label}", "when a CRL holds", "RFC 5280 §5.1.2.5", rule, lists=[crl(LOWER, start=start, end=end)],
         **({"house": NOW} if label == "until-now" else {"house": FUTURE} if start > "260615120000Z" else {}))
    case(f"list-time/{label}-revoked", "a CRL that revokes, when it holds and when it does not", "RFC 5280 §5.1.2.5", "revoked",
         lists=[crl(LOWER, [(LEAF, 1)], start=start, end=end)], **({"house": OUTDATED} if rule != "accept" else {}))
case("list-time/hold-of-the-past", "a hold in a CRL past its nextUpdate may have ended", "RFC 5280 §5.3.1", "revocationUnknown",
     lists=[crl(LOWER, [(LEAF, 6)], start="250614000000Z", end="250622000000Z")])
for label, date in (("now", "260615120000Z"), ("a-second-later", "260615120001Z"), ("next-year", "270615120000Z")):
    case(f"revocation-date/{label}", "an entry revokes, whatever its date", "RFC 5280 §6.3.3 (j)", "revoked",
         lists=[crl(LOWER, [(LEAF, 1)], date=date)])
for reason in (None, 0, 1, 2, 3, 4, 5, 6, 9, 10):
    case(f"reason/{'none' if reason is None else reason}", "each reason revokes", "RFC 5280 §5.3.1", "revoked",
         lists=[crl(LOWER, [(LEAF, reason)])])
    case(f"reason/{'none' if reason is None else reason}-another", "the entry of another certificate", "RFC 5280 §6.3.3 (j)",
         lists=[crl(LOWER, [(OTHER, reason)])])

# RFC 6960.
UNKNOWN = ("RFC 6960 §2.2 lets the client decide whether it tries another source of status after unknown; this suite does not, because "
           "a responder that is asked for a certificate that its CA never issued says unknown")
GOOD = c.response(LEAF, LOWER)
GOER = tlv(0xA1, tlv(0x18, b"20260610000000Z"))
GIVEN = c.delegate("judge responder")
BARE = c.delegate("bare responder", eku=c.purposes("any"))
for label, responses, rule, section in [
    ("good", [GOOD], "accept", "RFC 6960 §2.2"), ("revoked", [c.response(LEAF, LOWER, GOER)], "revoked", "RFC 6960 §2.2"),
    ("unknown", [c.response(LEAF, LOWER, tlv(0x82))], "revocationUnknown", "RFC 6960 §2.2"),
    *[(f"error-{status}", [sequence(tlv(10, bytes([status])))], "revocationUnknown", "RFC 6960 §2.3") for status in (1, 2, 3, 5, 6)],
    ("from-now", [c.response(LEAF, LOWER, start="20260615120000Z")], "accept", "RFC 6960 §4.2.2.1"),
    ("until-now", [c.response(LEAF, LOWER, end="20260615120000Z")], "revocationUnknown", "RFC 6960 §3.2"),
    ("from-later", [c.response(LEAF, LOWER, start="20260620000000Z")], "revocationUnknown", "RFC 6960 §4.2.2.1"),
    ("stale", [c.response(LEAF, LOWER, end="20260615115959Z")], "revocationUnknown", "RFC 6960 §4.2.2.1"),
    ("of-another", [c.response(OTHER, LOWER)], "revocationUnknown", "RFC 6960 §3.2"),
    ("of-another-authority", [c.response(LEAF, UPPER)], "revocationUnknown", "RFC 6960 §3.2"),
    ("damaged", [c.response(LEAF, LOWER, damage=c.flipped)], "revocationUnknown", "RFC 6960 §3.2"),
    ("revoked-and-damaged", [c.response(LEAF, LOWER, GOER, damage=c.flipped)], "revocationUnknown", "RFC 6960 §3.2"),
    ("delegate", [c.response(LEAF, LOWER, signer=GIVEN.private, responder=GIVEN.subject, sent=[GIVEN])], "accept",
     "RFC 6960 §4.2.2.2"),
    ("delegate-revokes", [c.response(LEAF, LOWER, GOER, signer=GIVEN.private, responder=GIVEN.subject, sent=[GIVEN])], "revoked",
     "RFC 6960 §4.2.2.2"),
    ("delegate-for-any", [c.response(LEAF, LOWER, signer=BARE.private, responder=BARE.subject, sent=[BARE])],
     "revocationUnknown", "RFC 6960 §4.2.2.2"),
    ("root-as-responder", [c.response(LEAF, LOWER, signer=ROOT.private, responder=ROOT.subject, sent=[ROOT])],
     "revocationUnknown", "RFC 6960 §4.2.2.2"),
    ("leaf-as-responder", [c.response(LEAF, LOWER, signer=LEAF.private, responder=LEAF.subject, sent=[LEAF])],
     "revocationUnknown", "RFC 6960 §4.2.2.2"),
    ("good-beside-unknown", [c.response(LEAF, LOWER, tlv(0x82)), GOOD], "revocationUnknown", "RFC 6960 §2.2"),
    ("good-beside-error", [sequence(tlv(10, b"\3")), GOOD], "accept", "RFC 6960 §2.3"),
    ("good-beside-stale-revoked", [GOOD, c.response(LEAF, LOWER, GOER, end="20260615000000Z")], "revoked", "RFC 6960 §4.2.2.1"),
]:
    case(f"ocsp/{label}", "an OCSP response", section, rule, responses=responses,
         **({"house": UNKNOWN if label == "good-beside-unknown" else OUTDATED} if label.startswith("good-beside-unknown")
            or label.endswith("stale-revoked") else {}))
    if len(responses) == 1 and rule == "revocationUnknown":
        is_unknown = label == "unknown"
        case(f"ocsp/{label}-with-list", "a response that does not count, beside a CRL", section,
             rule if is_unknown else "accept", responses=responses, lists=[CLEAN], **({"house": UNKNOWN} if is_unknown else {}))

# RFC 6960 §4.2.1, §4.4: what a response has besides one certificate's status.


def answer(*singles, more=b"", signer=None, responder=None, sent=(), produced="20260614000000Z"):
    """A response with these parts; the responder is a name, or a key's hash."""
    signer = signer or LOWER.private
    data = sequence(responder or tlv(0xA1, LOWER.subject), tlv(0x18, produced.encode()), sequence(*singles), more)
    certificates = tlv(0xA0, sequence(*[one.der for one in sent])) if sent else b""
    basic = sequence(data, c.ECDSA256, tlv(3, b"\0", c.sign(signer, data, hashes.SHA256())), certificates)
    return sequence(tlv(10, b"\0"), tlv(0xA0, sequence(oid("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))


def key_hash(private):
    point = c.public(private)
    return c.hashlib.sha1(point[point.index(b"\x03\x42\x00") + 3:]).digest()


def single(one, status=tlv(0x80), end=True, more=b""):
    serial = tlv(2, one.serial or b"\x01" + c.digits("serial " + one.label, 15))
    about = sequence(sequence(oid("1.3.14.3.2.26"), c.NULL), tlv(4, c.hashlib.sha1(one.issuer).digest()),
                     tlv(4, key_hash(LOWER.private)), serial)
    return sequence(about, status, tlv(0x18, b"20260614000000Z"), tlv(0xA0, tlv(0x18, b"20260622000000Z")) if end else b"", more)


def beside(is_critical):
    return tlv(0xA1, sequence(c.extension("1.3.6.1.4.1.55738.666.1", c.NULL, is_critical)))


def sent_by(made):
    return {"signer": made.private, "responder": tlv(0xA1, made.subject), "sent": [made]}


EXPIRED = c.delegate("expired responder")
FORGED = c.delegate("forged responder")
FORGED.signer = c.known("forger")
EXPIRED.start, EXPIRED.end = "260101000000Z", "260201000000Z"
REVOKES = tlv(0xA1, tlv(0x18, b"20270610000000Z"))
HOLDS = tlv(0xA1, tlv(0x18, b"20260610000000Z"), tlv(0xA0, tlv(10, b"\6")))
for label, response, rule, section, house in [
    ("by-key", answer(single(LEAF), responder=tlv(0xA2, tlv(4, key_hash(LOWER.private)))), "accept", "RFC 6960 §4.2.1", ""),
    ("by-another-key", answer(single(LEAF), responder=tlv(0xA2, tlv(4, key_hash(UPPER.private)))), "revocationUnknown",
     "RFC 6960 §3.2", ""),
    ("by-another-name", answer(single(LEAF), responder=tlv(0xA1, UPPER.subject)), "revocationUnknown", "RFC 6960 §3.2", ""),
    ("critical-extension", answer(single(LEAF), more=beside(True)), "revocationUnknown", "RFC 6960 §4.4", ""),
    ("extension", answer(single(LEAF), more=beside(False)), "accept", "RFC 6960 §4.4", ""),
    ("critical-extension-of-status", answer(single(LEAF, more=beside(True))), "revocationUnknown", "RFC 6960 §4.4", ""),
    ("extension-of-status", answer(single(LEAF, more=beside(False))), "accept", "RFC 6960 §4.4", ""),
    ("second-status", answer(single(OTHER), single(LEAF)), "accept", "RFC 6960 §3.2", ""),
    ("second-status-revoked", answer(single(OTHER), single(LEAF, GOER)), "revoked", "RFC 6960 §2.2", ""),
    ("first-status-of-another-revoked", answer(single(OTHER, GOER), single(LEAF)), "accept", "RFC 6960 §3.2", ""),
    ("revoked-in-the-future", answer(single(LEAF, REVOKES)), "revoked", "RFC 6960 §2.2", ""),
    ("on-hold", answer(single(LEAF, HOLDS)), "revoked", "RFC 6960 §2.2", ""),
    ("without-end", answer(single(LEAF, end=False)), "revocationUnknown", "RFC 6960 §4.2.2.1",
     "without nextUpdate newer information is there all the time (RFC 6960 §2.4), so it does not say how long it holds; §3.2 (6) "
     "leaves that to the client"),
    ("without-end-revoked", answer(single(LEAF, GOER, end=False)), "revoked", "RFC 6960 §2.2", ""),
    ("expired-delegate", answer(single(LEAF), **sent_by(EXPIRED)), "revocationUnknown", "RFC 6960 §3.2", ""),
    ("delegate-for-servers", answer(single(LEAF), **sent_by(c.delegate("server responder", eku=c.purposes("server")))),
     "revocationUnknown", "RFC 6960 §4.2.2.2", ""),
    ("delegate-without-usage", answer(single(LEAF), **sent_by(varied("mute responder", GIVEN, eku=None))), "revocationUnknown",
     "RFC 6960 §4.2.2.2", ""),
    ("delegate-with-critical-extension", answer(single(LEAF), **sent_by(varied("odd responder", GIVEN, unknown=c.NULL))),
     "revocationUnknown", "RFC 5280 §4.2", ""),
    ("delegate-of-another", answer(single(LEAF), **sent_by(c.delegate("far responder", UPPER, "Upper"))), "revocationUnknown",
     "RFC 6960 §4.2.2.2", ""),
    ("forged-delegate", answer(single(LEAF), **sent_by(FORGED)), "revocationUnknown", "RFC 6960 §4.2.2.2", ""),
    ("delegate-not-sent", answer(single(LEAF), **{**sent_by(GIVEN), "sent": []}), "revocationUnknown", "RFC 6960 §4.2.2.2", ""),
]:
    case(f"response/{label}", "what an OCSP response has besides one status", section, rule, responses=[response],
         **({"house": house} if house else {}))

# RFC 5280 §6.3.3, last paragraph: without a point, a CRL for the issuer's name alone; §4.2.1.13: relative names.
RELATIVE = tlv(0xA1, c.attribute("2.5.4.3", "1")[2:])
AT_RELATIVE = varied("leaf with relative point", points=sequence(sequence(tlv(0xA0, RELATIVE))))
FULL = tlv(0xA0, c.directory(c.name("Lower", c.attribute("2.5.4.3", "1"))))
AT_ISSUER = varied("leaf with point at its issuer", points=sequence(sequence(tlv(0xA0, FULL))))
for label, leaf, point, revoked, rule in [
    ("issuer", LEAF, tlv(0xA0, c.directory(LOWER.subject)), False, "accept"),
    ("issuer", LEAF, tlv(0xA0, c.directory(LOWER.subject)), True, "revoked"),
    ("another", LEAF, tlv(0xA0, c.directory(UPPER.subject)), False, "revocationUnknown"),
    ("place", LEAF, tlv(0xA0, HERE), False, "revocationUnknown"),
    ("relative-to-full", AT_ISSUER, RELATIVE, False, "accept"), ("relative-to-full", AT_ISSUER, RELATIVE, True, "revoked"),
    ("full-to-relative", AT_RELATIVE, FULL, False, "accept"), ("full-to-relative", AT_RELATIVE, FULL, True, "revoked"),
    ("relative-to-relative", AT_RELATIVE, RELATIVE, False, "accept"),
    ("other-relative", AT_RELATIVE, tlv(0xA1, c.attribute("2.5.4.3", "2")[2:]), False, "revocationUnknown"),
]:
    case(f"implied/{label}-{'revoked' if revoked else 'clean'}", "the point that a CRL is for, and that of a certificate",
         "RFC 5280 §6.3.3 (b)(2)(i)", rule, chain=[leaf, LOWER, UPPER],
         lists=[crl(LOWER, [(leaf, 1)] if revoked else [], more=[c.scope(tlv(0xA0, point))])])

# RFC 5280 §7.1: names are equal whatever the case of letters, the spaces and the type of string.


def called(text, tag=0x0C, code="utf-8"):
    value = tlv(tag, text.encode(code))
    return sequence(c.attribute("2.5.4.10", "Causes"), tlv(0x31, sequence(oid("2.5.4.3"), value)))


SCRIPTS = ("RFC 4518 §2.2 folds letters of all scripts; this suite folds those of ASCII, as other verifiers that fold at all do: "
           "a difference that is none leads to a rejection alone")
for label, subject, issuer, is_same, house in [
    ("case", called("Judged CA"), called("JUDGED ca"), True, ""), ("spaces", called("Judged CA"), called("  Judged   CA "), True, ""),
    ("type", called("Judged CA"), called("Judged CA", 0x13), True, ""),
    ("case-and-type", called("Judged CA", 0x13), called("judged ca"), True, ""),
    ("wide", called("Judged CA"), called("judged CA", 0x1E, "utf-16-be"), True, ""),
    ("no-space", called("Judged CA"), called("JudgedCA"), False, ""), ("letter", called("Judged CA"), called("Judget CA"), False, ""),
    ("script", called("Jüdged CA"), called("Jüdged CA", 0x1E, "utf-16-be"), True, ""),
    ("script-case", called("Jüdged CA"), called("JÜdged CA"), False, SCRIPTS),
    ("dotless", called("Judıed CA"), called("Judied CA"), False, ""), ("kelvin", called("Kelvin CA"), called("\u212aelvin CA"), False, SCRIPTS),
    ("more", called("Judged CA"), sequence(called("Judged CA")[2:], c.attribute("2.5.4.11", "x")), False, ""),
]:
    lower, leaf = LOWER.copy(f"folded {label}"), LEAF.copy(f"leaf of folded {label}")
    lower.subject, leaf.issuer = subject, issuer
    case(f"folding/{label}", "the name of a CA, and the issuer of what it issued", "RFC 5280 §7.1",
         "accept" if is_same else "nameChaining", chain=[leaf, lower, UPPER], **({"house": house} if house else {}),
         **({} if is_same else {"also": "issuerNotFound"}))

# RFC 9598 §6: a constraint on mailboxes binds those that are not in ASCII.
WIDE = tlv(0xA0, oid("1.3.6.1.5.5.7.8.9"), tlv(0xA0, tlv(0x0C, "jü@judge.example".encode())))
for label, trees, rule, house in [
    ("free", None, "accept", ""), ("hosts-alone", ([c.dns("causes.example")], []), "accept", ""),
    ("outside", ([c.mail("other.example")], []), "constraintUnsupported", ""),
    ("excluded", ([], [c.mail("judge.example")]), "constraintUnsupported", ""),
    ("inside", ([c.mail("judge.example")], []), "constraintUnsupported", "RFC 9598 §6 compares it; who does not must reject it"),
    ("not-excluded", ([], [c.mail("other.example")]), "constraintUnsupported", "RFC 9598 §6 compares it; who does not must reject it"),
]:
    leaf = varied("leaf with wide mailbox", san=sequence(c.dns(c.HOST), WIDE))
    lower = LOWER if trees is None else varied(f"wide {label}", LOWER, nc=c.subtrees(*trees))
    case(f"wide-mailbox/{label}", "a mailbox that is not in ASCII, and constraints", "RFC 9598 §6", rule,
         chain=[leaf, lower, UPPER], **({"house": house} if house else {}),
         **({"also": "nameNotPermitted nameExcluded"} if rule != "accept" and not house else {}))

# RFC 9925: an anchor may be unsigned, what is issued may not.


def unsigned(certificate):
    made = certificate.copy(f"unsigned {certificate.label}")
    made.inner = sequence(oid("1.3.6.1.5.5.7.6.36"))
    made.change = lambda tbs: tbs
    made.damage = lambda signature: b""
    return made


for label, one in (("anchor", ROOT), ("Upper", UPPER), ("Lower", LOWER), ("leaf", LEAF)):
    made = unsigned(one)
    chain = [made if one is part else part for part in (LEAF, LOWER, UPPER)]
    for decoy in ("alone", "unreadable", "stranger", "order"):
        case(f"unsigned/{label}/{decoy}", "a certificate without a signature", "RFC 9925 §3",
             "accept" if label == "anchor" else "unsupportedAlgorithm", made, chain=c.DECOYS[decoy](chain),
             anchors=(made if label == "anchor" else ROOT,), path=[LEAF, LOWER, UPPER, made], also="signature")

# RFC 9881 §5: what a key of ML-DSA may be used for. Its bytes are those of some key.
for size, arc in ((1312, 17), (1952, 18), (2592, 19)):
    key = sequence(sequence(oid(f"2.16.840.1.101.3.4.3.{arc}")), tlv(3, b"\0", (c.digits("ml-dsa", 32) * 81)[:size]))
    for label, bits, rule in [
        ("signing", (0,), "accept"), ("signing-and-commitment", (0, 1), "accept"), ("encipherment", (0, 2), "keyUsageForbidden"),
        ("data-encipherment", (0, 3), "keyUsageForbidden"), ("agreement", (0, 4), "keyUsageForbidden"),
        ("encipher-only", (0, 7), "keyUsageForbidden"), ("decipher-only", (0, 8), "keyUsageForbidden"),
    ]:
        leaf = varied(f"ml-dsa {arc} {label}", ku=c.usage(*bits))
        leaf.public = key
        leaf.extensions["ski"] = tlv(4, c.hashlib.sha1(key).digest())
        case(f"ml-dsa/{label}/{arc}", "the key usage of an ML-DSA key", "RFC 9881 §5", rule, chain=[leaf, LOWER, UPPER],
             rules="strictRFC5280")

# RFC 7633 §4.2.2: what an issuer lists, a leaf lists too; more is fine.
for label, above, below, rule in [
    ("same", [5], [5], "accept"), ("more", [5], [5, 17], "accept"), ("none-above", None, [5], "accept"),
    ("less", [5, 17], [5], "extensionValue"), ("other", [5], [17], "extensionValue"), ("none-below", [5], None, "extensionMissing"),
]:
    features = [sequence(*map(integer, values)) if values else None for values in (above, below)]
    path = [part.copy(f"features {label} {part.label}") for part in (LEAF, LOWER, UPPER)]
    for part, value in zip(path, (features[1], features[0], None)):
        if value:
            part.extensions["features"] = value
    case(f"features/{label}", "the features of a CA and of what it issued", "RFC 7633 §4.2.2", rule, chain=path)

# RFC 8550 §3: the mailbox that is asked for is among the names; RFC 5280 §7.5: its host without regard to case, its
# local part as it is.
for label, asked, names, is_match in [
    ("same", "a@judge.example", ["a@judge.example"], True), ("second", "a@judge.example", ["b@judge.example", "a@judge.example"], True),
    ("case-of-host", "a@JUDGE.example", ["a@judge.EXAMPLE"], True), ("case-of-local-part", "a@judge.example", ["A@judge.example"], False),
    ("another", "a@judge.example", ["b@judge.example"], False), ("host-alone", "a@judge.example", ["judge.example"], False),
    ("below", "a@judge.example", ["a@mail.judge.example"], False), ("above", "a@mail.judge.example", ["a@judge.example"], False),
    ("longer", "a@judge.example", ["a@judge.example.com"], False), ("none", "a@judge.example", [], False),
]:
    leaf = varied(f"mailbox {label}", eku=sequence(oid(USES["email"])), san=sequence(c.dns("judge.example"), *map(c.mail, names)))
    case(f"mailbox/{label}", "a mailbox and the names of a certificate", "RFC 8550 §3", "accept" if is_match else "emailAddress",
         chain=[leaf, LOWER, UPPER], purpose=f"email {asked}")

if __name__ == "__main__":
    for name, rows in (("certificates.txt", NUMBERS), ("sources.txt", SOURCES)):
        (FOLDER / name).write_text("".join(f"{index} {base64.b64encode(der).decode()}\n" for der, index in rows.items()))
    (FOLDER / "families.txt").write_text("\n".join(LINES) + "\n")
    assert len({line.split()[0] for line in LINES}) == len(LINES)
    print(f"{len(LINES)} cases, {len(NUMBERS)} certificates, {len(SOURCES)} CRLs and responses")
