"""Writes chains with one fault each, and what a right answer must name: rule, certificate and word.

    python3 make.py                 certificates.txt, sources.txt, cases.txt, situations; the same bytes each time
    python3 make.py --batch FILE    also the questions as lines for `holdfast batch`

The chain is leaf, Lower, Upper; the anchor is Root. A fault is put into one of them. Around it stand
decoys, none of which offers another valid path: what else a server might send. The expected
answer comes from the section of the RFC that the fault breaks, never from the tool.

A line of cases.txt is a name and `key=value` pairs; certificates are named by their numbers in
certificates.txt. `at` is the certificate at fault (`a|b` if each is right), `word` must stand in the
first sentence, with _ for a space. What makes the chain trusted: `good` has
certificates and what replaces them, `add` is to be sent, `trust` to be an anchor. `lists` and `responses`
are CRLs and OCSP responses by their numbers in sources.txt, which must give the status of the leaf, and
`source` is one that does.
Needs pyca/cryptography 44 on OpenSSL 3.2, for deterministic ECDSA (RFC 6979).
"""
import base64
import datetime
import hashlib
import json
import pathlib
import random
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent))
from encoder import integer, oid, sequence, tlv  # noqa: E402

HOST = "www.causes.example"
TIME = "2026-06-15T12:00:00Z"
TRUE, NULL = bytes.fromhex("0101FF"), b"\x05\x00"

# Keys, from their names.


def number(text, bits):
    digest = b"".join(hashlib.sha512(f"{text} {part}".encode()).digest() for part in range(bits // 512 + 1))
    return int.from_bytes(digest, "big") >> (len(digest) * 8 - bits)


def is_prime(candidate, source):
    if any(candidate % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return False
    odd, twos = candidate - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(24):
        power = pow(source.randrange(2, candidate - 1), odd, candidate)
        if power in (1, candidate - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % candidate
            if power == candidate - 1:
                break
        else:
            return False
    return True


def rsa_key(text, bits, exponent=65537):
    source = random.Random(text)
    primes = []
    while len(primes) < 2:
        size = bits // 2 if not primes else bits - bits // 2
        candidate = source.getrandbits(size) | 3 << (size - 2) | 1
        if candidate % exponent != 1 and is_prime(candidate, source) and candidate not in primes:
            primes.append(candidate)
    p, q = primes
    private = pow(exponent, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(exponent, p * q)
    return rsa.RSAPrivateNumbers(
        p, q, private, private % (p - 1), private % (q - 1), pow(q, -1, p), public).private_key()


def key(text, kind="p256"):
    if kind.startswith("rsa"):
        return rsa_key(text, int(kind[3:]))
    if kind == "ed25519":
        return ed25519.Ed25519PrivateKey.from_private_bytes(number(text, 256).to_bytes(32, "big"))
    curve = {"p256": ec.SECP256R1, "p384": ec.SECP384R1, "p224": ec.SECP224R1, "k256": ec.SECP256K1}[kind]()
    return ec.derive_private_key(number(text, 220), curve)


KEYS = {}


def known(text, kind="p256"):
    return KEYS.setdefault((text, kind), key(text, kind))


def public(private):
    return private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


ECDSA256 = sequence(oid("1.2.840.10045.4.3.2"))
ECDSA384 = sequence(oid("1.2.840.10045.4.3.3"))
ECDSA_SHA1 = sequence(oid("1.2.840.10045.4.1"))
RSA256 = sequence(oid("1.2.840.113549.1.1.11"), NULL)
RSA_SHA1 = sequence(oid("1.2.840.113549.1.1.5"), NULL)
ED25519 = sequence(oid("1.3.101.112"))


def algorithm(private):
    if isinstance(private, rsa.RSAPrivateKey):
        return RSA256
    return ED25519 if isinstance(private, ed25519.Ed25519PrivateKey) else ECDSA256


def sign(private, bytes_, digest, pad=padding.PKCS1v15()):
    if isinstance(private, ed25519.Ed25519PrivateKey):
        return private.sign(bytes_)
    if isinstance(private, rsa.RSAPrivateKey):
        return private.sign(bytes_, pad, digest)
    return private.sign(bytes_, ec.ECDSA(digest, deterministic_signing=True))


# Certificates.


def attribute(kind, value, tag=0x0C):
    return tlv(0x31, sequence(oid(kind), tlv(tag, value.encode())))


def name(text, *more):
    return sequence(attribute("2.5.4.10", "Causes"), attribute("2.5.4.3", text), *more)


def extension(kind, value, critical=False):
    return sequence(oid(kind), TRUE if critical else b"", tlv(4, value))


EXTENSION = {
    "ski": "2.5.29.14", "ku": "2.5.29.15", "san": "2.5.29.17", "bc": "2.5.29.19", "nc": "2.5.29.30",
    "policies": "2.5.29.32", "mappings": "2.5.29.33", "aki": "2.5.29.35", "demands": "2.5.29.36",
    "eku": "2.5.29.37", "aia": "1.3.6.1.5.5.7.1.1", "features": "1.3.6.1.5.5.7.1.24",
    "unknown": "1.3.6.1.4.1.55738.666.1", "ian": "2.5.29.18", "poison": "1.3.6.1.4.1.11129.2.4.3",
    "number": "2.5.29.20", "reason": "2.5.29.21", "scope": "2.5.29.28", "points": "2.5.29.31",
}
CRITICAL = {"ku", "bc", "nc", "unknown", "demands", "poison", "scope"}


def constraints(authority=True, length=None):
    return sequence(TRUE if authority else b"", b"" if length is None else integer(length))


def usage(*bits):
    value = 0
    for bit in bits:
        value |= 0x8000 >> bit
    octets = value.to_bytes(2, "big").rstrip(b"\0") or b"\0"
    unused = 0
    while octets[-1] and not octets[-1] >> unused & 1:
        unused += 1
    return tlv(3, bytes([unused]), octets)


def purposes(*kinds):
    arcs = {"ocsp": "1.3.6.1.5.5.7.3.9", "server": "1.3.6.1.5.5.7.3.1", "client": "1.3.6.1.5.5.7.3.2", "code": "1.3.6.1.5.5.7.3.3",
            "any": "2.5.29.37.0"}
    return sequence(*[oid(arcs[kind]) for kind in kinds])


def dns(text):
    return tlv(0x82, text.encode())


def mail(text):
    return tlv(0x81, text.encode())


def uri(text):
    return tlv(0x86, text.encode())


def address(*octets):
    return tlv(0x87, bytes(octets))


def directory(value):
    return tlv(0xA4, value)


def subtrees(permitted=(), excluded=()):
    def part(tag, bases):
        return tlv(tag, *[sequence(base) for base in bases]) if bases else b""
    return sequence(part(0xA0, permitted), part(0xA1, excluded))


def digits(text, size=16):
    return hashlib.sha256(text.encode()).digest()[:size]


class Certificate:
    """What a certificate says, and by whom it is signed. `extensions` has values by name."""

    def __init__(self, label, subject, issuer, private, signer):
        self.label, self.subject, self.issuer = label, subject, issuer
        self.private, self.signer = private, signer
        self.public = public(private)
        self.version, self.start, self.end = 2, "260601000000Z", "260715000000Z"
        self.inner = self.outer = None
        self.digest = hashes.SHA256()
        self.padding = padding.PKCS1v15()
        self.serial = None
        self.extensions = {}
        self.twice = None
        self.change = self.damage = lambda value: value
        self.cut = None

    def copy(self, label):
        other = Certificate.__new__(Certificate)
        other.__dict__ = dict(self.__dict__)
        other.label, other.extensions = label, dict(self.extensions)
        return other

    @property
    def der(self):
        inner = self.inner or algorithm(self.signer)
        items = []
        for kind, value in self.extensions.items():
            critical = kind in CRITICAL
            if isinstance(value, tuple):
                value, critical = value
            items.append(extension(EXTENSION[kind], value, critical))
            if kind == self.twice:
                items.append(items[-1])
        serial = b"\x01" + digits("serial " + self.label, 15) if self.serial is None else self.serial
        tbs = sequence(
            tlv(0xA0, integer(self.version)) if self.version else b"", tlv(2, serial), inner, self.issuer,
            sequence(tlv(0x17, self.start.encode()), tlv(0x17, self.end.encode())), self.subject,
            self.public, tlv(0xA3, sequence(*items)) if items else b"")
        signature = sign(self.signer, tbs, self.digest, self.padding)
        der = sequence(
            self.change(tbs), self.outer or inner, tlv(3, b"\0", self.damage(signature)))
        return der if self.cut is None else der[:self.cut]


def identifier(private):
    return hashlib.sha1(public(private)).digest()


def linked(certificate):
    """Gives a certificate the key identifiers of itself and its issuer."""
    certificate.extensions["ski"] = tlv(4, identifier(certificate.private))
    certificate.extensions["aki"] = sequence(tlv(0x80, identifier(certificate.signer)))
    return certificate


def authority(label, private, issuer, signer, text=None):
    made = Certificate(label, name(text or label), name(issuer), private, signer)
    made.start, made.end = "250101000000Z", "300101000000Z"
    made.extensions = {"bc": constraints(), "ku": usage(5, 6)}
    return linked(made)


ROOT = authority("Root", known("Root"), "Root", known("Root"))
UPPER = authority("Upper", known("Upper"), "Root", known("Root"))
LOWER = authority("Lower", known("Lower"), "Upper", known("Upper"))
LEAF = Certificate("leaf", name(HOST), name("Lower"), known("leaf"), known("Lower"))
LEAF.extensions = {
    "san": sequence(dns(HOST), dns("causes.example")), "ku": usage(0), "eku": purposes("server")}
linked(LEAF)
PARTIES = {"leaf": LEAF, "Lower": LOWER, "Upper": UPPER, "Root": ROOT}
OTHER_ROOT = authority("other root", known("Other Root"), "Other Root", known("Other Root"), "Other Root")

# What is sent beside the path.

TWIN = authority("twin", known("twin"), "Root", known("Root"), "Lower")
BARE = authority("bare twin", known("twin"), "Root", known("Root"), "Lower")
del BARE.extensions["ski"]
CROSS = authority("cross", known("Lower"), "Root", known("Root"), "Lower")
CROSS.end = "260101000000Z"
UNREADABLE = authority("unreadable", known("unrelated"), "Root", known("Root"), "Unrelated")
UNREADABLE.twice = "ku"
STRANGER = authority("stranger", known("stranger"), "Other Root", known("Other Root"), "Stranger")
DECOYS = {
    "alone": lambda chain: chain,
    "twin": lambda chain: chain[:1] + [TWIN] + chain[1:],
    "bare-twin": lambda chain: chain[:1] + [BARE] + chain[1:],
    "cross": lambda chain: chain[:1] + [CROSS] + chain[1:],
    "unreadable": lambda chain: chain + [UNREADABLE],
    "order": lambda chain: chain[:1] + chain[:0:-1],
    "stranger": lambda chain: chain[:1] + [STRANGER] + chain[1:],
}

# Writing.

NUMBERS, SOURCES, LINES, BATCH, QUESTIONS = {}, {}, [], [], {}

# The situations that everybody meets, beside those of ../explanations: each is a file.
SITUATIONS = {
    "authority-first": "authority-first/Lower/alone",
    "private-root": "unknown-root-not-sent/alone",
    "damaged-signature": "signature-damaged/leaf/alone",
    "other-signer": "wrong-issuer-sent/alone",
    "two-issuers": "long-serial-number/Lower/twin",
    "unreadable-intermediate": "duplicate-extension/Lower/alone",
    "algorithms-differ": "algorithms-differ/leaf/alone",
    "null-parameters": "null-parameters/leaf/alone",
    "mailbox-in-subject": "mail-in-subject/Lower/alone",
    "path-length": "path-length/Upper/twin",
}


def number_of(certificate):
    der = certificate.der
    if der not in NUMBERS:
        NUMBERS[der] = (len(NUMBERS), certificate.label)
    return NUMBERS[der][0]


def source_number(der):
    return SOURCES.setdefault(der, len(SOURCES))


def case(label, chain, rule, at, word, *, anchors=None, host=HOST, purpose="server", rules="webPKI", good=None,
         fixed=(), add=(), trust=(), lists=(), responses=(), source=()):
    anchors = [ROOT] if anchors is None else anchors
    parts = {
        "chain": ",".join(str(number_of(one)) for one in chain),
        "anchors": ",".join(str(number_of(one)) for one in anchors),
        "rule": rule, "at": "|".join(str(number_of(one)) for one in at), "word": word.replace(" ", "_"),
        "host": host, "purpose": purpose, "rules": rules,
        "good": ",".join(
            f"{number_of(bad)}:{number_of(right)}" for bad, right in [*fixed, *([good] if good else [])]),
        "add": ",".join(str(number_of(one)) for one in add),
        "trust": ",".join(str(number_of(one)) for one in trust),
        "lists": ",".join(str(source_number(one)) for one in lists),
        "responses": ",".join(str(source_number(one)) for one in responses),
        "source": ",".join(str(source_number(one)) for one in source),
    }
    QUESTIONS[label] = (chain, anchors)
    usual = {"host": HOST, "purpose": "server", "rules": "webPKI"}
    LINES.append(" ".join(
        [label] + [f"{kind}={value}" for kind, value in parts.items() if value and usual.get(kind) != value]))
    line = {
        "id": label, "chain": [base64.b64encode(one.der).decode() for one in chain],
        "anchors": [base64.b64encode(one.der).decode() for one in anchors], "purpose": purpose,
        "rules": rules, "time": TIME}
    if purpose == "server":
        line["host"] = host
    BATCH.append(json.dumps(line))


def pem(certificate):
    text = base64.b64encode(certificate.der).decode()
    lines = [text[start:start + 64] for start in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""])


KINDS = set()


def faults(kind, rule, word, positions, change, *, without=(), parties=None, host=HOST, rules="webPKI",
           purpose="server", at=None):
    """Cases of one kind of fault: at each position, beside each decoy.

    `change` gets a copy of the certificate at the position, and all of the path by name.
    """
    KINDS.add(kind)
    for position in positions:
        path = dict(parties or PARTIES)
        original = path[position]
        broken = original.copy(f"{kind} {position}")
        path[position] = broken
        change(broken, path)
        for decoy, arrange in DECOYS.items():
            if decoy in without or (position, decoy) in without:
                continue
            chain = arrange([path["leaf"], path["Lower"], path["Upper"]])
            case(f"{kind}/{position}/{decoy}", chain, rule, [path[at] if at else broken], word,
                 anchors=[path["Root"]], host=host, rules=rules, purpose=purpose,
                 good=(broken, original))


def both(kind, rule, word, positions, make, **more):
    """The same for faults of a key or a name, which change what is issued below, too."""
    KINDS.add(kind)
    for position in positions:
        good, bad, at = make(position)
        for decoy, arrange in DECOYS.items():
            if decoy in more.get("without", ()) or (position, decoy) in more.get("without", ()):
                continue
            case(f"{kind}/{position}/{decoy}", arrange([bad["leaf"], bad["Lower"], bad["Upper"]]), rule,
                 [bad[at]], word, anchors=[bad["Root"]],
                 fixed=[(bad[one], good[one]) for one in good if bad[one] is not good[one]], **{k: v for k, v in more.items() if k != "without"})


def setting(**values):
    def change(certificate, _):
        for kind, value in values.items():
            setattr(certificate, kind, value)
    return change


def extended(**values):
    def change(certificate, _):
        for kind, value in values.items():
            if value is None:
                certificate.extensions.pop(kind, None)
            else:
                certificate.extensions[kind] = value
    return change


def varied(label, original=LEAF, **values):
    made = original.copy(label)
    made.extensions.update(values)
    return made


ISSUERS, SENT = ["Lower", "Upper"], ["leaf", "Lower", "Upper"]
# A certificate whose signature or key another path does not need is no fault where that path comes
# nearer: beside the expired cross-signed twin, its signatures verify.
BROKEN_LINK = [("Lower", "cross"), ("Upper", "cross")]
NAMED_TWICE = [("Lower", "cross")]

# RFC 5280 §6.1.3 (a)(2).
faults("expired", "expired", "expired", SENT, setting(start="250101000000Z", end="260601000000Z"),
       without=NAMED_TWICE)
faults("not-yet-valid", "notYetValid", "not valid yet", SENT, setting(start="260701000000Z"),
       without=NAMED_TWICE)
# RFC 9525 §6.
faults("wrong-host", "hostName", "not valid for", ["leaf"], extended(san=sequence(dns("www.other.example"))))
faults("no-names", "noHostNames", "no subject alternative names", ["leaf"], extended(san=None))
faults("mail-name-only", "hostName", "not valid for", ["leaf"], extended(san=sequence(mail("a@causes.example"))))
faults("parent-domain", "hostName", "not valid for", ["leaf"], extended(san=sequence(dns("causes.example"))))
faults("wildcard-of-parent", "hostName", "not valid for", ["leaf"],
       extended(san=sequence(dns("*.www.causes.example"))))
faults("address-as-dns", "hostName", "not valid for", ["leaf"], extended(san=sequence(dns("192.0.2.7"))),
       host="192.0.2.7", parties=dict(PARTIES, leaf=varied(
           "leaf with address", san=sequence(dns(HOST), address(192, 0, 2, 7)))))
faults("wide-wildcard", "wildcardTooWide", "wildcard", ["leaf"], extended(san=sequence(dns("*.example"))),
       host="causes.example", without=["cross", "stranger"])
# RFC 5280 §6.1.3 (a)(1): signatures.


def flipped(signature):
    # The last octet belongs to s, so the structure stays.
    return signature[:-1] + bytes([signature[-1] ^ 1])


faults("signature-damaged", "signature", "changed", SENT, setting(damage=flipped), without=BROKEN_LINK)


def other_serial(tbs):
    place = tbs.index(b"\x02\x10\x01") + 5
    return tbs[:place] + bytes([tbs[place] ^ 4]) + tbs[place + 1:]


faults("content-changed", "signature", "changed", SENT, setting(change=other_serial), without=BROKEN_LINK)


def signed_by_other(certificate, _):
    certificate.signer = known("another CA")
    certificate.extensions["aki"] = sequence(tlv(0x80, identifier(certificate.signer)))


faults("other-signer", "signature", "another", SENT, signed_by_other,
       without=[*BROKEN_LINK, ("leaf", "bare-twin")])
# A CA of the name without a key identifier may be the signer after all.
faults("other-signer-or-bare", "signature", "does not verify", ["leaf"], signed_by_other,
       without=DECOYS.keys() - {"bare-twin"})


def signed_by_other_unnamed(certificate, _):
    certificate.signer = known("another CA")
    del certificate.extensions["aki"]


faults("unknown-signer", "signature", "verify", SENT, signed_by_other_unnamed, without=BROKEN_LINK)
faults("algorithms-differ", "algorithmsDiffer", "signatureAlgorithm", SENT, setting(outer=ECDSA384),
       without=BROKEN_LINK)
faults("null-parameters", "signatureParameters", "NULL", SENT,
       setting(inner=sequence(oid("1.2.840.10045.4.3.2"), NULL)), without=BROKEN_LINK)
faults("unknown-algorithm", "unsupportedAlgorithm", "algorithm", SENT,
       setting(inner=sequence(oid("1.3.6.1.4.1.55738.666.2"))), without=BROKEN_LINK)
faults("sha-1", "weakDigest", "SHA-1", SENT, setting(inner=ECDSA_SHA1, digest=hashes.SHA1()),
       without=NAMED_TWICE)


def cut_version(certificate, _):
    certificate.version = 0
    certificate.extensions = {}


faults("version-1", "issuerVersion", "version 1", ISSUERS, cut_version, without=NAMED_TWICE)
faults("no-authority", "basicConstraintsMissing", "basic constraints", ISSUERS, extended(bc=None),
       without=NAMED_TWICE)
faults("not-an-authority", "notCA", "not a CA", ISSUERS, extended(bc=constraints(False)), without=NAMED_TWICE)
faults("no-cert-sign", "keyUsage", "keyCertSign", ISSUERS, extended(ku=usage(0, 6)), without=NAMED_TWICE)
faults("path-length", "pathLength", "at most 0", ["Upper"], extended(bc=constraints(True, 0)))
faults("path-length-of-anchor", "pathLength", "at most 0", ["Root"], extended(bc=constraints(True, 0)))
# RFC 5280 §4.2.1.3, §4.2.1.12.
faults("encipherment-of-data-only", "keyUsage", "key usage", ["leaf"], extended(ku=usage(3)))
faults("no-signing", "keyUsage", "key usage", ["leaf"], extended(ku=usage(6)))
faults("client-only", "extendedKeyUsage", "client", SENT, extended(eku=purposes("client")), without=NAMED_TWICE)
faults("code-signing-only", "extendedKeyUsage", "code signing", SENT, extended(eku=purposes("code")),
       without=NAMED_TWICE)
faults("server-only", "extendedKeyUsage", "server", ["leaf"], extended(eku=purposes("server")),
       purpose="client", parties=dict(PARTIES, leaf=varied(
           "leaf for both", eku=purposes("server", "client"))))
faults("unknown-extension", "unknownCriticalExtension", "not supported", SENT, extended(unknown=NULL),
       without=NAMED_TWICE)
faults("unknown-extension-of-anchor", "unknownCriticalExtension", "not supported", ["Root"],
       extended(unknown=NULL))
# RFC 5280 §4.2.1.10: the leaf has the name, an issuer the constraint.
for place in [*ISSUERS, "Root"]:
    for kind, rule, word, value, change in [
        ("permitted-host", "nameNotPermitted", "www.causes.example", subtrees([dns("other.example")]), {}),
        ("excluded-host", "nameExcluded", "www.causes.example", subtrees((), [dns("causes.example")]), {}),
        ("permitted-address", "nameNotPermitted", "192.0.2.9", subtrees([address(10, 0, 0, 0, 255, 0, 0, 0)]),
         {"san": sequence(dns(HOST), address(192, 0, 2, 9))}),
        ("excluded-directory", "nameExcluded", "O=Causes", subtrees((), [directory(name(HOST))]), {}),
        ("permitted-mail", "nameNotPermitted", "a@causes.example", subtrees([mail("other.example")]),
         {"san": sequence(dns(HOST), mail("a@causes.example"))}),
        ("permitted-uri", "nameNotPermitted", "causes.example", subtrees([uri(".other.example")]),
         {"san": sequence(dns(HOST), uri("https://a.causes.example/"))}),
        ("mail-in-subject", "nameNotPermitted", "emailAddress", subtrees([mail("other.example")]),
         {"subject": name(HOST, attribute("1.2.840.113549.1.9.1", "a@causes.example", 0x16))}),
        ("excluded-mail-in-subject", "nameExcluded", "emailAddress", subtrees((), [mail("causes.example")]),
         {"subject": name(HOST, attribute("1.2.840.113549.1.9.1", "a@causes.example", 0x16))}),
        ("malformed-constraint", "constraintMalformed", "malformed", subtrees([dns("a..example")]),
         {}),
        ("constraint-of-other-form", "constraintUnsupported", "unsupported",
         subtrees([tlv(0x88, oid("1.3.6.1.4.1.55738.1")[2:])]),
         {"san": sequence(dns(HOST), tlv(0x88, oid("1.3.6.1.4.1.55738.2")[2:]))}),
        ("malformed-name", "nameMalformed", "malformed", subtrees([mail("causes.example")]),
         {"san": sequence(dns(HOST), mail("causes.example"))}),
    ]:
        KINDS.add(kind)
        path = dict(PARTIES)
        issuer = path[place] = PARTIES[place].copy(f"{kind} {place}")
        issuer.extensions["nc"] = value
        leaf = path["leaf"] = LEAF.copy(f"{kind} leaf")
        for field, new in change.items():
            if field == "subject":
                leaf.subject = new
            else:
                leaf.extensions[field] = new
        for decoy in ["alone", "twin", "order", "unreadable"]:
            case(f"{kind}/{place}/{decoy}", DECOYS[decoy]([path["leaf"], path["Lower"], path["Upper"]]), rule,
                 [leaf], word, anchors=[path["Root"]], good=(issuer, PARTIES[place]))

POLICY = sequence(sequence(oid("1.3.6.1.4.1.55738.9")))
# RFC 9618 §5.5: Upper demands a policy, the leaf has none. RFC 5280 §4.2.1.5.
faults("policy-demanded", "policyRequired", "policy", ["leaf"], extended(policies=None), without=["cross"],
       parties=dict(
           PARTIES, leaf=varied("leaf with policy", policies=POLICY),
           Lower=varied("Lower with policy", LOWER, policies=POLICY),
           Upper=varied("Upper with policy", UPPER, policies=POLICY, demands=sequence(tlv(0x80, b"\0")))))
faults("mapping-of-any", "mappingOfAnyPolicy", "anyPolicy", ISSUERS,
       extended(mappings=sequence(sequence(oid("2.5.29.32.0"), oid("1.3.6.1.4.1.55738.9")))), without=NAMED_TWICE)
# RFC 7633 §4.2.2.
FEATURE = sequence(integer(5))
faults("feature-missing", "extensionMissing", "tlsFeature", ["leaf"], extended(features=None), without=["cross"],
       parties=dict(
           PARTIES, leaf=varied("leaf with feature", features=FEATURE),
           Lower=varied("Lower with feature", LOWER, features=FEATURE),
           Upper=varied("Upper with feature", UPPER, features=FEATURE)))
# RFC 5280 §4.1.2.2, §4.1.2.6.
faults("long-serial-number", "encoding", "20 bytes", SENT, setting(serial=b"\x01" + digits("long", 20)),
       without=NAMED_TWICE)
faults("negative-serial-number", "encoding", "negative", SENT, setting(serial=b"\x81" + digits("less", 15)),
       without=NAMED_TWICE)


def unnamed(certificate, _):
    certificate.subject = sequence()


faults("empty-subject", "extensionNotCritical", "subjectAltName", ["leaf"], unnamed)
# Keys.


def with_key(kind):
    def change(certificate, _):
        certificate.private = known("leaf", kind)
        certificate.public = public(certificate.private)
        certificate.extensions["ski"] = tlv(4, identifier(certificate.private))
    return change


def with_public(value):
    def change(certificate, _):
        certificate.public = value
        certificate.extensions["ski"] = tlv(4, hashlib.sha1(value).digest())
    return change


def rsa_public(modulus, exponent):
    return sequence(sequence(oid("1.2.840.113549.1.1.1"), NULL),
                    tlv(3, b"\0", sequence(integer(modulus), integer(exponent))))


MODULUS = rsa_key("modulus", 2048).public_key().public_numbers().n
POINT = public(known("leaf"))
faults("short-rsa-key", "weakKey", "1024 bits", ["leaf"], with_key("rsa1024"))
faults("odd-curve", "curveNotAllowed", "secp256k1", ["leaf"], with_key("k256"))
faults("even-modulus", "invalidKey", "invalid public key", ["leaf"], with_public(rsa_public(MODULUS - 1, 65537)))
faults("exponent-of-1", "invalidKey", "invalid public key", ["leaf"], with_public(rsa_public(MODULUS, 1)))
faults("long-exponent", "oversizedExponent", "exponent", ["leaf"],
       with_public(rsa_public(MODULUS, (1 << 40) + 1)), without=["cross"])
faults("point-off-curve", "invalidKey", "invalid public key", ["leaf"],
       with_public(POINT[:-1] + bytes([POINT[-1] ^ 1])))
faults("unknown-kind-of-key", "unsupportedKey", "unsupported public key", ["leaf"],
       with_public(sequence(sequence(oid("1.3.6.1.4.1.55738.666.3")), tlv(3, b"\0", digits("key", 32)))))


def reissued(position, kind):
    """Lower or Upper or Root with another kind of key, and what it issued."""
    def make(_):
        path = dict(PARTIES)
        order = ["Root", "Upper", "Lower", "leaf"]
        issuer = path[position] = PARTIES[position].copy(f"{position} {kind}")
        issuer.private = known(position, kind)
        issuer.public = public(issuer.private)
        if position == "Root":
            issuer.signer = issuer.private
        linked(issuer)
        child = order[order.index(position) + 1]
        path[child] = path[child].copy(f"{child} by {kind}")
        path[child].signer = issuer.private
        linked(path[child])
        return PARTIES, path, position
    return make


for place in ["Lower", "Upper", "Root"]:
    without = ["cross"] if place != "Root" else [
        "cross", "twin", "bare-twin"]
    both("short-rsa-key-of-authority", "weakKey", "1024 bits", [place], reissued(place, "rsa1024"), without=without)
    both("odd-curve-of-authority", "curveNotAllowed", "secp256k1", [place], reissued(place, "k256"), without=without)

# The search: what is missing. RFC 5280 §6.1.3 (a)(4).


def special(kind, chain, rule, at, word, decoys=("alone",), **more):
    KINDS.add(kind.split("/")[0])
    for decoy in decoys:
        case(f"{kind}/{decoy}", DECOYS[decoy](list(chain)), rule, [at], word, **more)


AIA = sequence(sequence(oid("1.3.6.1.5.5.7.48.2"), uri("http://ca.causes.example/lower.crt")))
ONLINE = LEAF.copy("leaf with location")
ONLINE.extensions["aia"] = AIA
special("missing-between/leaf", [LEAF, UPPER], "issuerNotFound", LEAF, "CN=Lower",
        ["alone", "unreadable", "stranger"], add=[LOWER])
special("missing-between/Lower", [LEAF, LOWER], "issuerNotFound", LOWER, "CN=Upper",
        ["alone", "twin", "bare-twin", "unreadable"], add=[UPPER], trust=[UPPER])
special("missing-with-location/leaf", [ONLINE], "issuerNotFound", ONLINE, "CN=Lower",
        ["alone", "unreadable", "stranger"], anchors=[UPPER], add=[LOWER])
special("alone-under-unknown", [LEAF], "issuerNotFound", LEAF, "CN=Lower",
        ["alone", "unreadable"], anchors=[OTHER_ROOT], trust=[LOWER], add=[LOWER])
special("unknown-root-not-sent", [LEAF, LOWER, UPPER], "issuerNotFound", UPPER, "CN=Root",
        ["alone", "twin", "bare-twin", "cross", "unreadable", "order", "stranger"], anchors=[OTHER_ROOT],
        trust=[ROOT])
special("unknown-root-sent", [LEAF, LOWER, UPPER, ROOT], "untrustedRoot", ROOT, "not a trust anchor",
        ["alone", "twin", "bare-twin", "cross", "unreadable", "order", "stranger"], anchors=[OTHER_ROOT],
        trust=[ROOT])
special("no-anchors", [LEAF, LOWER, UPPER, ROOT], "untrustedRoot", ROOT, "not a trust anchor",
        ["alone", "twin", "cross", "unreadable", "order"], anchors=[], trust=[ROOT])
SERVER = Certificate("self-signed", name(HOST), name(HOST), known("self"), known("self"))
SERVER.extensions = dict(LEAF.extensions)
linked(SERVER)
special("self-signed", [SERVER], "untrustedRoot", SERVER, "self-signed", ["alone", "unreadable", "stranger"],
        trust=[SERVER])
RENEWED = authority("renewed root", known("Root again"), "Root", known("Root again"), "Root")
special("root-with-other-key/sent", [LEAF, LOWER, UPPER, ROOT], "untrustedRoot", ROOT, "not a trust anchor",
        ["alone", "twin", "bare-twin", "unreadable", "order", "stranger"], anchors=[RENEWED], trust=[ROOT])
special("root-with-other-key/not-sent", [LEAF, LOWER, UPPER], "signature", UPPER, "another",
        ["alone", "unreadable", "order", "stranger"], anchors=[RENEWED], trust=[ROOT])
special("wrong-issuer-sent", [LEAF, TWIN, UPPER], "signature", LEAF, "another",
        ["alone", "unreadable", "order", "stranger"], add=[LOWER])
special("wrong-issuer-sent/bare", [LEAF, BARE, UPPER], "signature", LEAF, "verify",
        ["alone", "unreadable", "order", "stranger"], add=[LOWER])
RENAMED = LEAF.copy("leaf of another name")
RENAMED.issuer = name("Lower CA")
special("renamed-issuer/leaf", [RENAMED, LOWER, UPPER], "nameChaining", RENAMED, "name",
        ["alone", "unreadable", "order", "stranger"], good=(RENAMED, LEAF))
RENAMED_LOWER = LOWER.copy("Lower of another name")
RENAMED_LOWER.issuer = name("Upper CA")
special("renamed-issuer/Lower", [LEAF, RENAMED_LOWER, UPPER], "nameChaining", RENAMED_LOWER, "name",
        ["alone", "twin", "bare-twin", "unreadable", "order", "stranger"], good=(RENAMED_LOWER, LOWER))
# RFC 8446 §4.4.2: the sender's certificate comes first.
for label, chain in [
    ("Lower", [LOWER, LEAF, UPPER]), ("Upper", [UPPER, LOWER, LEAF]), ("Lower-then-Upper", [LOWER, UPPER, LEAF]),
    ("Root", [ROOT, UPPER, LOWER, LEAF]), ("Upper-then-leaf", [UPPER, LEAF, LOWER]),
]:
    special(f"authority-first/{label}", chain, "leafNotFirst", chain[0], "CN=" + HOST,
            ["alone", "unreadable"])
special("authority-as-server", [LOWER, UPPER], "leafIsCA", LOWER, "CA certificate", ["alone", "unreadable"],
        add=[LEAF])
# RFC 5280 §4.2 and §4.1.2.5: what cannot be read.


def bad_time(certificate, _):
    certificate.end = "269901000000Z"


def twice(certificate, _):
    certificate.twice = "bc"


def shortened(certificate, _):
    certificate.cut = -7


def foreign(certificate, _):
    certificate.version = 6


for kind, change, word in [
    ("duplicate-extension", twice, "twice"), ("malformed-time", bad_time, "validity"),
    ("cut-off", shortened, "cannot be read"), ("version-of-7", foreign, "version"),
]:
    KINDS.add(kind)
    for place in ISSUERS:
        path = dict(PARTIES)
        broken = path[place] = PARTIES[place].copy(f"{kind} {place}")
        change(broken, path)
        for decoy in ["alone", "twin", "bare-twin", "unreadable", "order", "stranger"]:
            case(f"{kind}/{place}/{decoy}",
                 DECOYS[decoy]([path["leaf"], path["Lower"], path["Upper"]]), "issuerUnreadable", [broken], word,
                 good=(broken, PARTIES[place]))

# Beside a fault, what it makes worthless: content that is not signed, or of what is revoked.
for kind, change in {
    "host": extended(san=sequence(dns("www.other.example"))), "usage": extended(ku=usage(6)),
    "unknown-extension": extended(unknown=NULL), "expired": setting(start="250101000000Z", end="260601000000Z"),
    "purpose": extended(eku=purposes("client")),
}.items():
    def damaged(certificate, path, change=change):
        change(certificate, path)
        certificate.damage = flipped
    faults(f"damaged-and-{kind}", "signature", "changed", ["leaf"], damaged)
# RFC 5280 §6.1.3 (a)(1): signatures that were made otherwise than the certificate says.
faults("other-digest", "signature", "was signed with ECDSA with SHA-256", SENT,
       setting(inner=ECDSA384), without=BROKEN_LINK)
RSA_LOWER = reissued("Lower", "rsa2048")(None)[1]
PSS = "1.2.840.113549.1.1.10"


def salted(size):
    sha256 = sequence(oid("2.16.840.1.101.3.4.2.1"))
    mask = sequence(oid("1.2.840.113549.1.1.8"), sha256)
    return sequence(oid(PSS), sequence(tlv(0xA0, sha256), tlv(0xA1, mask), tlv(0xA2, integer(size))))


for kind, word, change in [
    ("other-digest-rsa", "was signed with RSA with SHA-384", setting(inner=RSA256, digest=hashes.SHA384())),
    ("other-padding", "was signed with RSA with SHA-256", setting(inner=salted(32))),
    ("other-salt", "salt 0", setting(
        inner=salted(32), padding=padding.PSS(padding.MGF1(hashes.SHA256()), 0))),
]:
    faults(kind, "signature", word, ["leaf"], change, parties=RSA_LOWER, without=["cross", "twin", "bare-twin"])
# RFC 5280 §6.1.3 (a)(1): keys that verify nothing.

# A group of 2048 bits of RFC 7919 has no use here: the key is read by nothing.
DSA_KEY = sequence(
    sequence(oid("1.2.840.10040.4.1"), sequence(integer(MODULUS), integer(2**255 + 95), integer(3))),
    tlv(3, b"\0", integer(MODULUS // 3)))
X25519_KEY = sequence(sequence(oid("1.3.101.110")), tlv(3, b"\0", digits("x25519", 32)))
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
POINT_BYTES = POINT[-65:]
EXPLICIT_KEY = sequence(
    sequence(oid("1.2.840.10045.2.1"), sequence(
        integer(1), sequence(oid("1.2.840.10045.1.1"), integer(P)),
        sequence(tlv(4, (P - 3).to_bytes(32, "big")), tlv(4, digits("b", 32))), tlv(4, POINT_BYTES),
        integer(P), integer(1))),
    tlv(3, b"\0", POINT_BYTES))
BARE_RSA_KEY = sequence(
    sequence(oid("1.2.840.113549.1.1.1")), tlv(3, b"\0", sequence(integer(MODULUS), integer(65537))))
for kind, word, value in [
    ("dsa-key", "DSA", DSA_KEY), ("x25519-key", "X25519", X25519_KEY),
    ("explicit-curve", "explicit parameters", EXPLICIT_KEY), ("rsa-key-without-null", "NULL", BARE_RSA_KEY),
    ("slh-dsa-key", "SLH-DSA", sequence(sequence(oid("2.16.840.1.101.3.4.3.20")), tlv(3, b"\0", digits("slh", 32)))),
]:
    faults(kind, "unsupportedKey", word, ["leaf", "Lower"], with_public(value), without=BROKEN_LINK)
faults("rsa-signature-of-ec-key", "unsupportedKey", "the key of its issuer is EC P-256", SENT,
       setting(inner=RSA256), without=BROKEN_LINK)
# Signature algorithms that are known by name.
for kind, word, number_ in [
    ("slh-dsa", "SLH-DSA", "2.16.840.1.101.3.4.3.24"), ("composite", "composite ML-DSA", "1.3.6.1.5.5.7.6.45"),
    ("lms", "HSS/LMS", "1.2.840.113549.1.9.16.3.17"), ("merkle-tree", "Merkle Tree", "1.3.6.1.4.1.44363.47.0"),
    ("unsigned", "unsigned", "1.3.6.1.5.5.7.6.36"), ("dsa", "DSA", "2.16.840.1.101.3.4.3.2"),
]:
    faults(f"{kind}-signature", "unsupportedAlgorithm", word, SENT, setting(inner=sequence(oid(number_))),
           without=BROKEN_LINK)
# RFC 5280 §4.1.2.4, §4.1.2.6: empty names.
faults("empty-issuer", "nameChaining", "empty issuer name", SENT, setting(issuer=sequence()),
       without=[*BROKEN_LINK, "twin", "bare-twin"])


def nameless(_):
    path = dict(PARTIES)
    lower = path["Lower"] = LOWER.copy("nameless Lower")
    lower.subject = sequence()
    leaf = path["leaf"] = LEAF.copy("leaf of a nameless CA")
    leaf.issuer = sequence()
    return PARTIES, path, "Lower"


both("empty-subject-of-authority", "emptySubject", "empty subject", ["Lower"], nameless,
     without=["cross", "twin", "bare-twin"])
# A certificate with both names empty is not self-issued: no name says who issued it.
UNNAMED = LEAF.copy("leaf without names")
UNNAMED.subject = UNNAMED.issuer = sequence()
UNNAMED.extensions["san"] = (UNNAMED.extensions["san"], True)
UNLINKED = UNNAMED.copy("leaf without names and identifiers")
del UNLINKED.extensions["aki"]
for label, unnamed in [("", UNNAMED), ("-bare", UNLINKED)]:
    special("empty-issuer-and-subject" + label, [unnamed, LOWER, UPPER], "nameChaining", unnamed, "empty issuer name",
            ["alone", "unreadable", "order", "stranger"], good=(unnamed, LEAF))
special("empty-issuer-and-subject-alone", [UNNAMED], "issuerNotFound", UNNAMED, "empty issuer name",
        ["alone", "unreadable", "stranger"], anchors=[OTHER_ROOT], good=(UNNAMED, LEAF))
SELF_SIGNED = Certificate("self-signed without names", sequence(), sequence(), known("self"), known("self"))
SELF_SIGNED.extensions = dict(LEAF.extensions)
linked(SELF_SIGNED)
special("self-signed-without-names", [SELF_SIGNED], "untrustedRoot", SELF_SIGNED, "self-signed", trust=[SELF_SIGNED])
# RFC 5280 §4.1.2.5: a validity that ends before it begins.
# It breaks two rules, so a path with one expired certificate comes nearer.
faults("validity-inverted", "notYetValid", "never valid", SENT, setting(start="270101000000Z", end="250101000000Z"),
       without=BROKEN_LINK)
faults("validity-inverted-in-the-past", "expired", "never valid", SENT,
       setting(start="260601000000Z", end="260501000000Z"), without=NAMED_TWICE)
# What cannot be seen.
faults("space-after-host", "hostName", "\\20", ["leaf"], extended(san=sequence(dns(HOST + " "))))
faults("space-before-host", "hostName", "\\20", ["leaf"], extended(san=sequence(dns(" " + HOST))))
for label, hidden in [("joiner", "\u200D"), ("override", "\u202E"), ("hyphen", "\u00AD"), ("mark", "\uFEFF")]:
    faults(f"{label}-in-issuer", "nameChaining", f"\\u{{{ord(hidden):X}}}", ["leaf"],
           setting(issuer=name(f"Low{hidden}er")), without=["cross", "twin", "bare-twin", "order"])
# RFC 8446 §4.4.2: the right leaf was sent second.
OTHER_LEAF = varied("leaf of another host", san=sequence(dns("www.other.example")))
OLD_LEAF = LEAF.copy("old leaf")
OLD_LEAF.end = "260605000000Z"
CLIENT_LEAF = varied("client leaf", eku=purposes("client"))
for label, first in [("other-host", OTHER_LEAF), ("expired", OLD_LEAF), ("client", CLIENT_LEAF)]:
    special(f"right-leaf-second/{label}", [first, LEAF, LOWER, UPPER], "leafNotFirst", first, "sent after it",
            ["alone", "unreadable", "stranger"])
    special(f"right-leaf-last/{label}", [first, LOWER, UPPER, LEAF], "leafNotFirst", first, "sent after it",
            ["alone", "unreadable", "stranger"])
# It was, and would not be accepted in the first place either.
for place, chain in [("second", [OTHER_LEAF, OLD_LEAF, LOWER, UPPER]), ("last", [OTHER_LEAF, LOWER, UPPER, OLD_LEAF])]:
    special(f"expired-leaf-{place}", chain, "leafNotFirst", OTHER_LEAF, "but expired at 2026-06-05T00:00:00Z",
            ["alone", "unreadable", "stranger"], good=(OTHER_LEAF, LEAF))
# RFC 6962 §3.1.
faults("precertificate", "unknownCriticalExtension", "precertificate", ["leaf"], extended(poison=NULL))
# RFC 5280 §6.1.3 (a)(4): an issuer's name that is nearly right.
for place, near in [("leaf", "Lower"), ("Lower", "Upper"), ("Upper", "Root")]:
    def misspelt(certificate, _, near=near):
        certificate.issuer = name(near[:-2] + near[:-3:-1])
    faults("misspelt-issuer", "nameChaining", f"CN={near},", [place], misspelt, without=[*BROKEN_LINK, "cross"])

    def misspelt_bare(certificate, path, near=near):
        misspelt(certificate, path)
        del certificate.extensions["aki"]
    faults("misspelt-issuer-bare", "nameChaining", f"CN={near},", [place], misspelt_bare,
           without=[*BROKEN_LINK, "cross"])
# RFC 7633 §4.2.2, RFC 5280 §4.2.1.10.
faults("feature-lacking", "extensionValue", "17", ["leaf"], extended(features=FEATURE), without=["cross"],
       parties=dict(
           PARTIES, leaf=varied("leaf with features", features=sequence(integer(5), integer(17))),
           Lower=varied("Lower with features", LOWER, features=sequence(integer(5), integer(17))),
           Upper=varied("Upper with features", UPPER, features=sequence(integer(5), integer(17)))))

# RFC 5280 §5 and RFC 6960: sources that do not give the status.


def revocations(issuer, revoked=(), start="260614000000Z", end="260622000000Z", more=(), signer=None,
                damage=lambda value: value):
    """A CRL of an issuer."""
    signer = signer or issuer.private
    entries = [
        sequence(tlv(2, one.serial or b"\x01" + digits("serial " + one.label, 15)), tlv(0x17, b"260610000000Z"),
                 sequence(extension(EXTENSION["reason"], tlv(10, bytes([reason])))))
        for one, reason in revoked]
    extensions = [
        extension(EXTENSION["aki"], sequence(tlv(0x80, identifier(signer)))),
        extension(EXTENSION["number"], integer(7)),
        *[extension(EXTENSION[kind], value, kind in CRITICAL) for kind, value in more]]
    tbs = sequence(
        integer(1), ECDSA256, issuer.subject, tlv(0x17, start.encode()), tlv(0x17, end.encode()) if end else b"",
        sequence(*entries) if entries else b"", tlv(0xA0, sequence(*extensions)))
    return sequence(tbs, ECDSA256, tlv(3, b"\0", damage(sign(signer, tbs, hashes.SHA256()))))


def response(one, issuer, status=tlv(0x80), start="20260614000000Z", end="20260622000000Z", signer=None,
             responder=None, sent=(), damage=lambda value: value, serial=None):
    """An OCSP response about a certificate."""
    signer = signer or issuer.private
    own = hashlib.sha1(one.issuer).digest()
    point = public(issuer.private)
    key_hash = hashlib.sha1(point[point.index(b"\x03\x42\x00") + 3:]).digest()
    number_ = tlv(2, serial or b"\x01" + digits("serial " + one.label, 15))
    single = sequence(
        sequence(sequence(oid("1.3.14.3.2.26"), NULL), tlv(4, own), tlv(4, key_hash), number_), status,
        tlv(0x18, start.encode()), tlv(0xA0, tlv(0x18, end.encode())))
    data = sequence(tlv(0xA1, responder or issuer.subject), tlv(0x18, start.encode()), sequence(single))
    certificates = tlv(0xA0, sequence(*[certificate.der for certificate in sent])) if sent else b""
    basic = sequence(
        data, ECDSA256, tlv(3, b"\0", damage(sign(signer, data, hashes.SHA256()))), certificates)
    return sequence(
        tlv(10, b"\0"), tlv(0xA0, sequence(oid("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))


def delegate(label, issuer=LOWER, text=None, **more):
    made = Certificate(label, name(label), name(text or "Lower"), known(label), issuer.private)
    made.extensions = {"ku": usage(0), "eku": purposes("ocsp"), **more}
    return linked(made)


GOOD_LIST, UPPER_LIST = revocations(LOWER), revocations(UPPER)
LEAF_WITH_POINT = varied("leaf with point", points=sequence(sequence(
    tlv(0xA0, tlv(0xA0, uri("http://ca.causes.example/1.crl"))))))
LOWER_WITHOUT = LOWER.copy("Lower without cRLSign")
LOWER_WITHOUT.extensions["ku"] = usage(5)


def scope(*parts):
    return ("scope", sequence(*parts))


def unknown_status(kind, word, lists=(), responses=(), chain=None, decoys=("alone", "unreadable", "order"),
                   source=None):
    chain = chain or [LEAF, LOWER, UPPER]
    for others, beside in [("", []), ("/beside", [UPPER_LIST])]:
        if beside and not lists:
            continue
        special(f"{kind}{others}", chain, "revocationUnknown", chain[0], word, decoys,
                lists=[*lists, *beside], responses=responses, source=[source or GOOD_LIST])


unknown_status("list-expired", "CRL 0 expired at", [revocations(LOWER, end="260614120000Z")])
unknown_status("list-of-the-future", "CRL 0 is not valid before", [revocations(LOWER, start="260620000000Z")])
unknown_status("list-forged", "CRL 0 has a signature", [revocations(LOWER, signer=known("forger"))])
unknown_status("list-damaged", "CRL 0 has a signature", [revocations(LOWER, damage=flipped)])
unknown_status("list-without-end", "CRL 0 has no nextUpdate", [revocations(LOWER, end=None)])
unknown_status("list-of-authorities", "CRL 0 is for other kinds",
               [revocations(LOWER, more=[scope(tlv(0x82, b"\xff"))])])
unknown_status("list-of-other-point", "CRL 0 is for another distribution point", chain=[LEAF_WITH_POINT, LOWER, UPPER],
               lists=[revocations(LOWER, more=[scope(tlv(0xA0, tlv(0xA0, uri("http://ca.causes.example/2.crl"))))])])
unknown_status("list-of-some-reasons", "CRL 0 does not name the certificate as revoked for keyCompromise",
               [revocations(LOWER, more=[scope(tlv(0x83, b"\x06\x40"))])])
unknown_status("list-with-unknown-extension", "CRL 0 has an unsupported critical extension",
               [revocations(LOWER, more=[("unknown", NULL)])])
unknown_status("list-without-right", "CRL 0 is signed by a key whose usage lacks cRLSign", [GOOD_LIST],
               chain=[LEAF, LOWER_WITHOUT, UPPER], decoys=["alone"], source=response(LEAF, LOWER))
special("lists-of-others", [LEAF, LOWER, UPPER], "revocationUnknown", LEAF, "none of the 2 given sources",
        lists=[UPPER_LIST, revocations(ROOT)], source=[GOOD_LIST])
unknown_status("response-expired", "OCSP response 0 expired at", responses=[
    response(LEAF, LOWER, end="20260614120000Z")])
unknown_status("response-about-another", "OCSP response 0 is not about", responses=[
    response(LEAF, LOWER, serial=b"\x11")])
unknown_status("response-unknown", "does not know the certificate", responses=[
    response(LEAF, LOWER, status=tlv(0x82))])
unknown_status("response-later", "tryLater", responses=[sequence(tlv(10, b"\3"))])
unknown_status("response-damaged", "OCSP response 0 has a signature", responses=[
    response(LEAF, LOWER, damage=flipped)])
for kind, word, made, is_sent in [
    ("not-given", "whose certificate was not given", delegate("responder"), False),
    ("expired", "whose certificate expired at", delegate("old responder"), True),
    ("of-other-authority", "has not certified", delegate("far responder", UPPER, "Upper"), True),
    ("without-purpose", "is not for OCSP signing", delegate("weak responder", eku=purposes("server")), True),
    ("without-usage", "digitalSignature", delegate("encrypting responder", ku=usage(2)), True),
    ("with-unknown-extension", "is not accepted: critical extension", delegate("odd responder", unknown=NULL), True),
]:
    if kind == "expired":
        made.start, made.end = "250101000000Z", "260101000000Z"
    unknown_status(f"response-of-responder-{kind}", word, responses=[response(
        LEAF, LOWER, signer=made.private, responder=made.subject, sent=[made] if is_sent else [])])
# RFC 5280 §6.1.3 (a)(3): what is revoked is not to be used, whatever else is wrong with it.
for kind, change in {
    "alone": setting(), "host": extended(san=sequence(dns("www.other.example"))),
    "usage": extended(ku=usage(6)), "expired": setting(end="260614000000Z"),
    "purpose": extended(eku=purposes("client")),
}.items():
    revoked = LEAF.copy(f"revoked {kind}")
    change(revoked, None)
    special(f"revoked-and-{kind}", [revoked, LOWER, UPPER], "revoked", revoked, "was revoked",
            ["alone", "unreadable", "order"], lists=[revocations(LOWER, [(revoked, 1)])], good=(revoked, LEAF))
# RFC 5280 §5.3.1: a hold may end.
HELD = LEAF.copy("held leaf")
special("on-hold", [HELD, LOWER, UPPER], "revoked", HELD, "certificateHold", ["alone", "unreadable", "order"],
        lists=[revocations(LOWER, [(HELD, 6)])], good=(HELD, LEAF))
# RFC 5280 §6.3.3 (g), RFC 6960 §4.2.2.2: signers of tomorrow.
unknown_status("list-of-new-key", "signed with another key", [revocations(
    authority("Lower of the new key", known("new Lower"), "Upper", known("Upper"), "Lower"))])
TOMORROW = delegate("new responder")
TOMORROW.start = "260616000000Z"
unknown_status("response-of-responder-of-tomorrow", "whose certificate is not valid before", responses=[
    response(LEAF, LOWER, signer=TOMORROW.private, responder=TOMORROW.subject, sent=[TOMORROW])])



def list_signer(label, issuer="Upper", signer=None, **more):
    """A certificate of another key of Lower, for CRLs."""
    made = Certificate(label, name("Lower"), name(issuer), known(label), known(signer or issuer))
    made.start, made.end = "260101000000Z", "270101000000Z"
    made.extensions = {"ku": usage(6), **more}
    return linked(made)


# RFC 5280 §6.3.3 (f): another key of the issuer signs its CRLs, if it is certified for that.
for kind, word, made in [
    ("without-right", "CRL 0 is signed by a key whose usage lacks cRLSign", list_signer("weak list signer", ku=usage(5))),
    ("expired", "CRL 0 has a signer whose certificate expired at", list_signer("old list signer")),
    ("of-tomorrow", "CRL 0 has a signer whose certificate is not valid before", list_signer("new list signer")),
    ("of-other-authority", "is not accepted: issuer certificate not found", list_signer("far list signer", "Other Root")),
    ("forged", "is not accepted: signature", list_signer("forged list signer", signer="forger")),
    ("with-unknown-extension", "is not accepted: critical extension", list_signer("odd list signer", unknown=NULL)),
]:
    if kind == "expired":
        made.start, made.end = "250101000000Z", "260101000000Z"
    if kind == "of-tomorrow":
        made.start = "260616000000Z"
    unknown_status(f"list-of-signer-{kind}", word, [revocations(LOWER, signer=made.private)],
                   chain=[LEAF, LOWER, UPPER, made], decoys=["alone", "unreadable", "order"])
REVOKED_SIGNER = list_signer("revoked list signer")
special("list-of-signer-revoked", [LEAF, LOWER, UPPER, REVOKED_SIGNER], "revocationUnknown", LEAF,
        "is not accepted: was revoked", ["alone", "unreadable", "order"], source=[GOOD_LIST], lists=[
            revocations(LOWER, signer=REVOKED_SIGNER.private), revocations(UPPER, [(REVOKED_SIGNER, 1)])])

if __name__ == "__main__":
    (FOLDER / "certificates.txt").write_text("".join(
        f"{number} {label.replace(' ', '_')} {base64.b64encode(der).decode()}\n"
        for der, (number, label) in NUMBERS.items()))
    (FOLDER / "sources.txt").write_text("".join(
        f"{number} {base64.b64encode(der).decode()}\n" for der, number in SOURCES.items()))
    (FOLDER / "cases.txt").write_text("\n".join(LINES) + "\n")
    for situation, label in SITUATIONS.items():
        for file, certificates in zip([f"{situation}.pem", f"{situation}.anchor.pem"], QUESTIONS[label]):
            (FOLDER / file).write_text("".join(map(pem, certificates)))
    print(f"{len(LINES)} cases of {len(KINDS)} kinds, {len(NUMBERS)} certificates")
    if "--batch" in sys.argv:
        pathlib.Path(sys.argv[sys.argv.index("--batch") + 1]).write_text("\n".join(BATCH) + "\n")
