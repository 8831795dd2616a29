"""Makes questions about chains for Scripts/oracle/oracle.py: random graphs of up to six CAs.

Every question is made of its number alone: the keys are Ed25519, whose signatures are
deterministic, and are derived from their names.
"""
import base64
import functools
import hashlib
import ipaddress
import json
import pathlib
import random
import sys

from cryptography.hazmat.primitives.asymmetric import ed25519

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Vectors"))
from encoder import integer, oid, sequence, tlv  # noqa: E402

KINDS = ["graph", "names", "policies", "usages", "revocation", "responses", "mixed", "time", "ocsp", "spellings", "mailboxes", "sources", "strict"]
MAXIMUM_AUTHORITIES = 6
TIME, BEFORE, SOON = "20260615120000", "20260615113000", "20260615123000"
TRUE, ED25519 = b"\1\1\xff", sequence(oid("1.3.101.112"))


@functools.cache
def private_key(label):
    return ed25519.Ed25519PrivateKey.from_private_bytes(hashlib.sha256(label.encode()).digest())


@functools.cache
def public_key(label):
    point = private_key(label).public_key().public_bytes_raw()
    return sequence(ED25519, tlv(3, b"\0", point))


def key_bits(label):
    return private_key(label).public_key().public_bytes_raw()


def key_identifier(label):
    return hashlib.sha1(public_key(label)).digest()


# Parts of certificates.

identifier = functools.cache(oid)


def attribute(kind, value, tag=0x0C):
    return tlv(0x31, sequence(identifier(kind), tlv(tag, value.encode())))


def distinguished(*attributes):
    """A name of pairs or triples: the kind, the text and, if it is no UTF8String, the tag."""
    return sequence(*[attribute(*each) for each in attributes])


COMMON, COUNTRY, ORGANIZATION, MAIL = "2.5.4.3", "2.5.4.6", "2.5.4.10", "1.2.840.113549.1.9.1"


def time(digits):
    """UTCTime until 2049: RFC 5280 §4.1.2.5."""
    return tlv(0x17, digits[2:].encode(), b"Z") if digits < "2050" else tlv(0x18, digits.encode(), b"Z")


def generalized(digits):
    return tlv(0x18, digits.encode(), b"Z")


def bits(*numbers):
    """A BIT STRING of named bits: X.690 §11.2.2."""
    value = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        value[number // 8] |= 0x80 >> number % 8
    return tlv(3, bytes([7 - max(numbers) % 8]), bytes(value))


def dns(text):
    return tlv(0x82, text.encode())


def mail(text):
    return tlv(0x81, text.encode())


def uri(text):
    return tlv(0x86, text.encode())


def address(text):
    return tlv(0x87, ipaddress.ip_address(text).packed)


def network(text):
    range_ = ipaddress.ip_network(text)
    return tlv(0x87, range_.network_address.packed + range_.netmask.packed)


def directory(*attributes):
    return tlv(0xA4, distinguished(*attributes))


def host_name(host):
    try:
        return address(host)
    except ValueError:
        return dns(host)


SERVER, CLIENT, CODE, ANY = "1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.3", "2.5.29.37.0"
# The purposes of signers, by kind of question.
SIGNERS = {"time": "1.3.6.1.5.5.7.3.8", "ocsp": "1.3.6.1.5.5.7.3.9"}
OWN_POLICIES = ["1.3.6.1.4.1.99999.10.%d" % number for number in range(4)]
ANY_POLICY = "2.5.29.32.0"


class Certificate:
    """A certificate before it is signed; a feature changes its fields."""

    def __init__(self, subject, key, issuer, signer, serial):
        self.subject, self.key, self.issuer, self.signer, self.serial = subject, key, issuer, signer, serial
        self.not_before, self.not_after, self.version = "20250101000000", "20300101000000", 3
        self.extensions = {}

    def set(self, kind, value, critical=False):
        self.extensions[kind] = sequence(identifier(kind), TRUE if critical else b"", tlv(4, value))

    def remove(self, kind):
        self.extensions.pop(kind, None)

    def encoded(self):
        extensions = tlv(0xA3, sequence(*self.extensions.values())) if self.extensions else b""
        signed = sequence(
            tlv(0xA0, integer(self.version - 1)) if self.version > 1 else b"",
            integer(self.serial), ED25519, self.issuer,
            sequence(time(self.not_before), time(self.not_after)), self.subject, public_key(self.key),
            extensions if self.version == 3 else b"",
        )  # fmt: skip
        return sequence(signed, ED25519, tlv(3, b"\0", private_key(self.signer).sign(signed)))


def constraints(certificate, is_authority=True, length=None, critical=True):
    inside = [TRUE if is_authority else b"", b"" if length is None else integer(length)]
    certificate.set("2.5.29.19", sequence(*inside), critical)


def key_usage(certificate, *numbers):
    certificate.set("2.5.29.15", bits(*numbers), True)


def usages(certificate, *kinds, critical=False):
    certificate.set("2.5.29.37", sequence(*map(identifier, kinds)), critical)


def alternative_names(certificate, *names):
    certificate.set("2.5.29.17", sequence(*names))


def policies(certificate, kinds):
    certificate.set("2.5.29.32", sequence(*[sequence(identifier(kind)) for kind in kinds]))


def subtrees(certificate, permitted, excluded, critical=True):
    parts = [tlv(tag, *trees) for tag, trees in ((0xA0, permitted), (0xA1, excluded)) if trees]
    certificate.set("2.5.29.30", sequence(*parts), critical)


# Names and constraints that come near each other.

HOSTS = ["www.example.com", "example.com", "a.b.example.com", "www.example.org", "192.0.2.7", "2001:db8::7"]
DNS_NAMES = [
    "www.example.com", "example.com", "a.b.example.com", "*.example.com", "*.b.example.com", "WWW.Example.COM",
    "www.example.org", "*.org", "notexample.com", "www.example.com.evil.net", "x.www.example.com",
]  # fmt: skip
DNS_TREES = [
    "example.com", ".example.com", "www.example.com", "com", "EXAMPLE.com", "b.example.com", "example.org", "",
    "ample.com", "a.b.example.com", "x.www.example.com",
]  # fmt: skip
MAILS = ["a@example.com", "a@sub.example.com", "A@example.com", "b@EXAMPLE.com", "a@example.org"]
MAIL_TREES = ["example.com", ".example.com", "a@example.com", "EXAMPLE.COM", "sub.example.com", "example.org"]
URIS = [
    "https://www.example.com/x", "https://example.com", "https://sub.www.example.com:8443/", "urn:x:y",
    "https://192.0.2.7/", "https://user@www.example.com/", "HTTP://WWW.EXAMPLE.COM/?a=@b.org",
    "ldap://host.example.org/x",
]  # fmt: skip
URI_TREES = ["www.example.com", ".example.com", "example.com", "WWW.example.com", ".com", "host.example.org"]
ADDRESSES = ["192.0.2.7", "192.0.3.7", "10.1.2.3", "2001:db8::7", "2001:db9::1"]
NETWORKS = ["192.0.2.0/24", "192.0.2.7/32", "0.0.0.0/0", "10.0.0.0/8", "2001:db8::/32", "::/0", "192.0.2.0/29"]
DIRECTORIES = [
    [(COUNTRY, "US", 0x13), (ORGANIZATION, "Leaf")], [(COUNTRY, "US", 0x13), (ORGANIZATION, "LEAF")],
    [(COUNTRY, "US", 0x13), (ORGANIZATION, " Leaf  ")], [(COUNTRY, "US", 0x13), (ORGANIZATION, "Leaf", 0x13)],
    [(COUNTRY, "DE", 0x13), (ORGANIZATION, "Leaf")], [(ORGANIZATION, "Leaf"), (COUNTRY, "US", 0x13)],
    [(COUNTRY, "US", 0x13), (ORGANIZATION, "Leaf"), (COMMON, "x")],
    [(COUNTRY, "US", 0x13), (ORGANIZATION, "Two  Words")], [(COUNTRY, "US", 0x13), (ORGANIZATION, "two words", 0x13)],
]  # fmt: skip
DIRECTORY_TREES = [
    [(COUNTRY, "US", 0x13)], [(COUNTRY, "US", 0x13), (ORGANIZATION, "Leaf")],
    [(COUNTRY, "us", 0x13), (ORGANIZATION, "leaf", 0x13)], [(COUNTRY, "DE", 0x13)], [(ORGANIZATION, "Leaf")], [(COUNTRY, "US", 0x13), (ORGANIZATION, "Two Words")], [],
]  # fmt: skip
# Names and constraints that are not in the syntax of their form, or at its edge.
ODD_NAMES = [
    dns("www.example.com."), dns("under_score.example.com"), dns("www..example.com"), dns(""), dns("*"),
    dns("w*.example.com"), dns("*.*.example.com"), dns("-www.example.com"), dns(" www.example.com"), dns("*.com"),
    dns("www.*.com"), dns("xn--bcher-kva.example.com"), dns(".example.com"), dns("192.0.2.7"),
    mail("root"), mail("a@b@example.com"), mail(""), mail("@example.com"), mail("a@"), mail('"a b"@example.com'),
    uri("https:///x"), uri("/relative"), uri(""), uri("https://[2001:db8::7]/"), uri("https://www.example.com./"),
    uri("https://www.example.com?x"), uri("https://www.example.com#@evil.org/"), uri("https://a b/"),
    tlv(0x87, bytes(12) + bytes([192, 0, 2, 7])),
]  # fmt: skip
ODD_TREES = [
    dns("*.example.com"), dns("example.com."), dns("."), dns("a..b"), dns("exa mple.com"),
    dns("under_score.example.com"), dns("..example.com"), dns("-example.com"), dns("192.0.2.7"),
    mail("a@b@example.com"), mail(""), mail("@example.com"), mail("a@"), mail("*@example.com"),
    mail("a@.example.com"), uri(""), uri("https://www.example.com"), uri("192.0.2.7"), uri("."), uri("www.example.com."),
    uri("*.example.com"),
    tlv(0x87, bytes([192, 0, 2, 7, 255, 255, 255, 0])), tlv(0x87, bytes(32)),
]  # fmt: skip
OTHER_FORM = tlv(0xA0, oid("1.3.6.1.4.1.99999.5"), tlv(0xA0, tlv(0x0C, b"x")))
REGISTERED = tlv(0x88, oid("1.2.3.4")[2:])


def wide_mailbox(text):
    """A SmtpUTF8Mailbox: RFC 9598 §3."""
    return tlv(0xA0, identifier("1.3.6.1.5.5.7.8.9"), tlv(0xA0, tlv(0x0C, text.encode())))


WIDE_MAILBOXES = ["ü@example.com", "ü@sub.example.com", "ü@EXAMPLE.com", "ü@example.org"]


def constrain_mailboxes(rng, certificate):
    """Mostly constraints on mailboxes, which bind those beyond ASCII: RFC 9598 §6."""
    trees = [sequence(mail(rng.choice(MAIL_TREES))) for _ in range(rng.choice((1, 1, 2)))]
    if rng.random() < 0.3:
        trees = [sequence(dns("")), *([random_tree(rng)] if rng.random() < 0.3 else [])]
    subtrees(certificate, *((trees, []) if rng.random() < 0.5 else ([], trees)), rng.random() < 0.9)


def change_mailboxes(rng, leaf):
    names = [wide_mailbox(rng.choice(WIDE_MAILBOXES)) for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    names += [mail(rng.choice(MAILS)) for _ in range(rng.choice((0, 0, 1)))]
    alternative_names(leaf, dns("www.example.com"), *names)


def random_name(rng):
    if rng.random() < 0.08:
        return rng.choice(ODD_NAMES)
    form = rng.randrange(11)
    if form < 4:
        return dns(rng.choice(DNS_NAMES))
    if form < 6:
        return address(rng.choice(ADDRESSES))
    if form == 6:
        return mail(rng.choice(MAILS))
    if form == 7:
        return uri(rng.choice(URIS))
    if form < 10:
        return directory(*rng.choice(DIRECTORIES))
    return rng.choice([OTHER_FORM, REGISTERED])


def random_tree(rng):
    if rng.random() < 0.08:
        return sequence(rng.choice(ODD_TREES))
    form = rng.randrange(12)
    if form < 4:
        base = dns(rng.choice(DNS_TREES))
    elif form < 6:
        base = network(rng.choice(NETWORKS))
    elif form == 6:
        base = mail(rng.choice(MAIL_TREES))
    elif form == 7:
        base = uri(rng.choice(URI_TREES))
    elif form < 11:
        base = directory(*rng.choice(DIRECTORY_TREES))
    else:
        base = rng.choice([OTHER_FORM, REGISTERED])
    return sequence(base, tlv(0x81, b"\5") if rng.random() < 0.02 else b"")


def constrain_names(rng, certificate):
    permitted = [random_tree(rng) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    excluded = [random_tree(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    if permitted or excluded:
        # Half of them leave room for the host, or few questions would reach anything else.
        if permitted and rng.random() < 0.6:
            permitted.append(sequence(dns("")))
            permitted.append(sequence(directory()))
        subtrees(certificate, permitted, excluded, rng.random() < 0.9)


# Features of an issuer's certificate and of a leaf.

def change_validity(rng, certificate):
    certificate.not_before, certificate.not_after = rng.choice([
        (TIME, "20300101000000"), ("20250101000000", TIME), ("20260615120001", "20300101000000"),
        ("20250101000000", "20260615115959"), ("20250101000000", "20260101000000"),
        ("20270101000000", "20300101000000"), ("20250101000000", "20500101000000"),
        ("20300101000000", "20250101000000"),
    ])  # fmt: skip


def change_authority(rng, certificate):
    choice = rng.randrange(8)
    if choice == 0:
        certificate.remove("2.5.29.19")
    elif choice == 1:
        constraints(certificate, is_authority=False)
    elif choice == 2:
        certificate.version = 1
    elif choice == 3:
        key_usage(certificate, *rng.choice([(0,), (6,), (0, 6)]))
    elif choice == 4:
        certificate.remove("2.5.29.15")
    else:
        constraints(certificate, length=rng.randrange(3), critical=rng.random() < 0.8)


def change_usages(rng, certificate):
    usages(certificate, *rng.sample([SERVER, CLIENT, CODE, ANY, "1.3.6.1.5.5.7.3.8"], rng.choice((1, 1, 2, 3))))


def change_signer(rng, certificate):
    """The usages of a signer, or of a CA that may restrict one."""
    if rng.random() < 0.15:
        certificate.remove("2.5.29.37")
        return
    kinds = rng.sample([*SIGNERS.values(), *SIGNERS.values(), SERVER, CODE, ANY], rng.choice((1, 1, 1, 2, 3)))
    usages(certificate, *dict.fromkeys(kinds), critical=rng.random() < 0.6)


def change_signature(rng, certificate):
    certificate.signer = "stranger"


def add_unknown(rng, certificate):
    certificate.set("1.3.6.1.4.1.99999.7", b"\5\0", rng.random() < 0.5)


def change_policies(rng, certificate, is_leaf=False):
    if rng.random() < 0.85:
        kinds = rng.sample([*OWN_POLICIES, ANY_POLICY, ANY_POLICY], rng.choice((1, 1, 2, 3)))
        policies(certificate, dict.fromkeys(kinds))
    else:
        certificate.remove("2.5.29.32")
    if is_leaf and rng.random() < 0.9:
        return
    if rng.random() < 0.35:
        pool = OWN_POLICIES + ([ANY_POLICY] if rng.random() < 0.05 else [])
        pairs = {(rng.choice(pool), rng.choice(pool)) for _ in range(rng.choice((1, 1, 2, 3)))}
        pairs = [sequence(identifier(a), identifier(b)) for a, b in sorted(pairs)]
        certificate.set("2.5.29.33", sequence(*pairs), rng.random() < 0.6)
    if rng.random() < 0.4:
        explicit = tlv(0x80, bytes([rng.randrange(4)])) if rng.random() < 0.8 else b""
        inhibit = tlv(0x81, bytes([rng.randrange(3)])) if rng.random() < 0.4 else b""
        if explicit or inhibit:
            certificate.set("2.5.29.36", sequence(explicit, inhibit), True)
    if rng.random() < 0.25:
        certificate.set("2.5.29.54", integer(rng.randrange(3)), True)


def change_names(rng, leaf, host):
    names = [random_name(rng) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    if rng.random() < 0.85:
        names.insert(rng.randrange(len(names) + 1), host_name((host or "www.example.com").rstrip(".")))
    if rng.random() < 0.1:
        leaf.remove("2.5.29.17")
    elif names:
        alternative_names(leaf, *names)
    if rng.random() < 0.4:
        leaf.subject = distinguished(*rng.choice(DIRECTORIES))
    elif rng.random() < 0.1:
        leaf.subject = distinguished((COMMON, "leaf"), (MAIL, rng.choice(MAILS), 0x16))


def elements_of(encoded):
    """The content of a short name."""
    return encoded[2:] if encoded[1] < 0x80 else encoded[3:]


def change_profile(rng, certificate):
    """What a CA must write, or must not: RFC 5280 §4.2."""
    choice = rng.randrange(12)
    if choice == 0:
        certificate.remove("2.5.29.35")
    elif choice == 1:
        certificate.remove("2.5.29.14")
    elif choice == 2:
        certificate.set("2.5.29.14", tlv(4, key_identifier(certificate.key)), True)
    elif choice == 3:
        certificate.set("2.5.29.35", sequence(tlv(0x80, key_identifier(certificate.signer))), True)
    elif choice == 4:
        certificate.set("2.5.29.35", b"\x30\0")
    elif choice == 5:
        constraints(certificate, is_authority="2.5.29.19" in certificate.extensions, critical=rng.random() < 0.5)
    elif choice == 6:
        certificate.remove("2.5.29.15")
    elif choice == 7:
        certificate.set("2.5.29.15", bits(*rng.choice([(0,), (0, 5), (5, 6), (0, 6)])), rng.random() < 0.7)
    elif choice == 8:
        subtrees(certificate, [sequence(dns("")), sequence(network("0.0.0.0/0")), sequence(network("::/0"))], [], rng.random() < 0.6)
    elif choice == 9:
        certificate.set("2.5.29.36", sequence(tlv(0x81, b"\1")), rng.random() < 0.6)
    elif choice == 10:
        certificate.set("2.5.29.54", integer(1), rng.random() < 0.6)
    else:
        certificate.version = 1


def entry(rng, serial, reason, issuer, chance, has_dates=False):
    """An entry of a list, which may have an unknown extension, or name an issuer: the list's or another."""
    more = b""
    if reason is not None:
        more += sequence(identifier("2.5.29.21"), tlv(4, tlv(10, bytes([reason]))))
    if rng.random() < 0.03:
        critical = TRUE if rng.random() < 0.7 else b""
        more += sequence(identifier("1.3.6.1.4.1.99999.9"), critical, tlv(4, b"\5\0"))
    if rng.random() < chance:
        named = issuer if rng.random() < 0.4 else distinguished((COMMON, "Other"))
        critical = TRUE if rng.random() < 0.9 else b""
        more += sequence(identifier("2.5.29.29"), critical, tlv(4, sequence(tlv(0xA4, named))))
    # A date of the future revokes, too: RFC 5280 §6.3.3 (j) looks for an entry alone.
    date = rng.choice((b"260520000000Z", b"270520000000Z")) if has_dates else b"260520000000Z"
    return sequence(integer(serial), tlv(0x17, date), sequence(more) if more else b"")


# How often each feature is, by kind of question: of an issuer's certificate, then of a leaf.
ISSUER_FEATURES = {
    "graph": [(change_validity, 0.1), (change_authority, 0.25), (change_usages, 0.12), (change_signature, 0.07),
              (constrain_names, 0.05)],
    "names": [(constrain_names, 0.55), (change_validity, 0.03), (change_authority, 0.03)],
    "policies": [(change_policies, 0.85), (change_validity, 0.03), (change_authority, 0.03)],
    "usages": [(change_usages, 0.35), (change_authority, 0.3), (change_validity, 0.2), (add_unknown, 0.06)],
    "revocation": [(change_validity, 0.03), (change_authority, 0.04)],
    "responses": [(change_validity, 0.03), (change_authority, 0.04)],
    "mixed": [(change_validity, 0.06), (change_authority, 0.1), (change_usages, 0.1), (change_signature, 0.03),
              (constrain_names, 0.12), (change_policies, 0.25), (add_unknown, 0.04)],
    "time": [(change_signer, 0.25), (change_authority, 0.08), (change_validity, 0.04)],
    "ocsp": [(change_signer, 0.25), (change_authority, 0.08), (change_validity, 0.04)],
    "spellings": [(change_validity, 0.03), (change_authority, 0.03), (constrain_names, 0.1)],
    "mailboxes": [(constrain_mailboxes, 0.4), (change_authority, 0.03)],
    "sources": [(change_authority, 0.03)],
    "strict": [(change_profile, 0.2), (change_validity, 0.03)],
}  # fmt: skip
LEAF_FEATURES = {
    "graph": [(change_validity, 0.03)],
    "names": [],
    "policies": [],
    "usages": [(change_usages, 0.5), (change_validity, 0.1), (add_unknown, 0.08)],
    "revocation": [],
    "responses": [],
    "mixed": [(change_usages, 0.1), (change_validity, 0.05), (add_unknown, 0.03), (change_signature, 0.03)],
    "time": [(change_signer, 0.5), (change_validity, 0.04), (add_unknown, 0.03)],
    "ocsp": [(change_signer, 0.5), (change_validity, 0.04), (add_unknown, 0.03)],
    "spellings": [],
    "mailboxes": [(change_mailboxes, 0.9)],
    "sources": [],
    "strict": [(change_profile, 0.3)],
}


# The graph.

class Question:
    def __init__(self, kind, number):
        self.rng = rng = random.Random(f"{kind} {number}")
        self.kind, self.number = kind, number
        self.host, self.lists, self.responses = rng.choice(HOSTS), [], []
        if kind in ("names", "mixed") and rng.random() < 0.1:
            self.host = rng.choice(("WWW.Example.COM", "www.example.com.", "2001:DB8:0:0:0:0:0:7", "x.org"))
        self.rules = rng.choice(("webPKI", "webPKI", "apple", "rfc5280", "rfc5280", "rfc5280", "rfc5280"))
        if kind == "strict":
            self.rules = "strictRFC5280"
        self.purpose = "server"
        if kind == "usages" and rng.random() < 0.4:
            self.purpose = rng.choice(("client", "code", "any", "time"))
        if kind in SIGNERS:
            self.purpose = kind
        if kind == "mailboxes":
            self.host = "www.example.com"
        elif kind not in ("names", "mixed") and rng.random() < 0.1:
            self.host = None
        self.entities = rng.randrange(1, 5)
        self.has_lists = kind in ("revocation", "responses", "sources") or kind == "mixed" and rng.random() < 0.3
        self.make_graph()
        self.apply_features()
        if self.has_lists:
            self.demand = rng.choice(("given", "leaf", "required", "required"))
            self.make_lists()
        else:
            self.demand = None

    def entity(self, number):
        """The name of a CA, in one of the spellings that RFC 5280 §7.1 makes equal."""
        if self.kind == "spellings":
            return self.spelled(number)
        words = [f"CA {number}", f"ca {number}", f"CA  {number} "]
        text = words[0] if self.rng.random() < 0.93 else self.rng.choice(words)
        return distinguished((ORGANIZATION, "Graph"), (COMMON, text, self.rng.choice((0x0C, 0x13))))

    def spelled(self, number):
        """The name of a CA in strings of all types that are compared as text, or of one that is not."""
        rng = self.rng
        is_wide = number == 1 and self.number % 8 == 0
        words = [f"Cä {number}", f"CÄ {number}"] if is_wide else [f"CA {number}", f"ca {number}", f" Ca   {number}"]
        text, tag = rng.choice(words), rng.choice((0x0C, 0x1E, 0x1C) if is_wide else (0x0C, 0x0C, 0x13, 0x16, 0x1E, 0x1C))
        if rng.random() < 0.03:
            # Other types are compared byte by byte; other letters, and no space, are another name.
            text, tag = rng.choice([("CA %d" % number, 0x14), ("CB %d" % number, 0x0C), ("CA%d" % number, 0x13)])
        code = {0x1E: "utf-16-be", 0x1C: "utf-32-be"}.get(tag, "utf-8")
        common = tlv(0x31, sequence(identifier(COMMON), tlv(tag, text.encode(code))))
        return sequence(attribute(ORGANIZATION, rng.choice(("Graph", "GRAPH"))), common)

    def issue(self, subject, issuer, key=None, signer=None):
        """The certificate of one CA by another; some CAs have a second key under the same name."""
        rng = self.rng
        key = key or f"{subject}" + self.second_key()
        signer = signer or f"{issuer}" + self.second_key()
        name, above = self.entity(subject), self.entity(issuer)
        made = Certificate(name, key, above, signer, rng.getrandbits(63) + 1)
        constraints(made)
        if rng.random() < 0.9:
            key_usage(made, 5, 6)
        if self.has_identifiers:
            made.set("2.5.29.14", tlv(4, key_identifier(key)))
            # A hint that may be wrong: §6.1 chains by names alone.
            if rng.random() < 0.9:
                made.set("2.5.29.35", sequence(tlv(0x80, key_identifier(signer if rng.random() < 0.95 else "other"))))
        return made

    def second_key(self):
        """A suffix for the second key of a CA. Who signs a CRL with it is a question of its own."""
        return "b" if self.rng.random() < 0.1 and not self.has_lists else ""

    def make_graph(self):
        rng = self.rng
        self.has_identifiers = rng.random() < 0.5 or self.kind == "strict"
        last = self.entities - 1
        # A line from the anchor down, which questions without features trust, then other edges.
        line = list(range(rng.randrange(1, self.entities + 1)))
        self.anchors = [self.issue(0, 0, "0", "0")]
        self.authorities = [
            self.issue(below, above, f"{below}", f"{above}") for above, below in zip(line, line[1:])]
        if rng.random() < 0.25:
            other = rng.randrange(self.entities)
            self.anchors.append(self.issue(other, other, f"{other}", f"{other}"))
        while len(self.authorities) < MAXIMUM_AUTHORITIES - len(self.anchors) and rng.random() < 0.65:
            self.authorities.append(self.issue(rng.randrange(self.entities), rng.randrange(self.entities)))
        if rng.random() < 0.08 and self.authorities:
            self.authorities.pop(rng.randrange(len(self.authorities)))
        issuer = line[-1] if rng.random() < 0.9 else last
        leaf = Certificate(
            distinguished((COMMON, "leaf")), "leaf", self.entity(issuer), f"{issuer}", rng.getrandbits(63) + 1)
        alternative_names(leaf, host_name((self.host or "www.example.com").rstrip(".")))
        if rng.random() < 0.8:
            key_usage(leaf, *rng.choice([(0,), (0,), (0, 2), (4,), (1,)]))
        if rng.random() < 0.8:
            usages(leaf, *rng.choice([(SERVER,), (SERVER, CLIENT), (ANY,)]))
        if self.kind in SIGNERS:
            usages(leaf, SIGNERS[self.kind], critical=True)
            # An anchor that another one may have issued.
            if self.authorities and rng.random() < 0.2:
                self.anchors.append(rng.choice(self.authorities))
        if rng.random() < 0.2 and self.kind != "strict":
            constraints(leaf, is_authority=rng.random() < 0.2)
        if self.has_identifiers:
            leaf.set("2.5.29.35", sequence(tlv(0x80, key_identifier(f"{issuer}"))))
        self.leaf = leaf

    def apply_features(self):
        rng = self.rng
        for made in self.authorities + self.anchors:
            for change, chance in ISSUER_FEATURES[self.kind]:
                # An anchor that is wrong spoils all, so that is rarer.
                if rng.random() < chance * (0.25 if made in self.anchors else 1) and change != change_signature:
                    change(rng, made)
                elif change is change_signature and rng.random() < chance and made in self.authorities:
                    change(rng, made)
        for change, chance in LEAF_FEATURES[self.kind]:
            if rng.random() < chance:
                change(rng, self.leaf)
        if self.kind == "names" or self.kind == "mixed" and rng.random() < 0.4:
            change_names(rng, self.leaf, self.host)
        if self.kind == "policies" or self.kind == "mixed" and rng.random() < 0.3:
            change_policies(rng, self.leaf, is_leaf=True)

    # Revocation.

    def make_lists(self):
        rng = self.rng
        for below in [self.leaf, *self.authorities]:
            if rng.random() < 0.3:
                names = [uri(rng.choice(POINTS))]
                parts = [tlv(0xA0, self.directory_point(below) if self.has_directory_points() else tlv(0xA0, *names))]
                if rng.random() < 0.1:
                    parts.append(tlv(0x81, bits(1, 3)[2:]))
                below.set("2.5.29.31", sequence(sequence(*parts)))
        for below in [self.leaf, *self.authorities]:
            for _ in range(rng.choice((0, 1, 1, 1, 1, 2)) if self.kind != "responses" or rng.random() < 0.3 else 0):
                state = rng.getstate()
                self.lists.append(self.make_list(below))
                if rng.random() < 0.15:
                    # The same again, with other entries: a delta CRL, whose base it may be.
                    after = rng.getstate()
                    rng.setstate(state)
                    self.lists.append(self.make_list(below, random.Random(rng.random())))
                    rng.setstate(after)
            if self.kind in ("responses", "sources") or self.kind == "mixed" and rng.random() < 0.3:
                for _ in range(rng.choice((0, 1, 1, 1, 2))):
                    self.responses.append(self.make_response(below))
        rng.shuffle(self.lists)

    def has_directory_points(self):
        return self.kind == "sources" and self.rng.random() < 0.6

    def directory_point(self, below):
        """A point by a distinguished name: relative to the issuer, in full, or of the issuer itself, which is the
        point of lists that no certificate points to."""
        more = attribute(COMMON, self.rng.choice(("1", "2")))
        choice = self.rng.randrange(4)
        if choice == 0:
            return tlv(0xA1, more[2:])
        issuers = elements_of(below.issuer)
        if choice == 1:
            return tlv(0xA0, tlv(0xA4, sequence(issuers, more)))
        return tlv(0xA0, tlv(0xA4, below.issuer if choice == 2 else distinguished((COMMON, "Other"))))

    def make_list(self, below, delta=None):
        """A CRL of the issuer of a certificate; a delta CRL, with its own source of chance."""
        rng = self.rng
        # Not within minutes of the question: how exact clocks are is a setting.
        this_update = rng.choice(["20260601000000"] * 8 + ["20260610000000", "20260501000000", SOON, BEFORE])
        next_update = rng.choice(["20260701000000"] * 9 + ["20260614000000", SOON, BEFORE, None])
        serials = {rng.getrandbits(63) + 1: None for _ in range(rng.randrange(3))}
        is_listed, reason = rng.random() < 0.25, rng.choice([None] * 6 + [1, 4, 5, 6, 6, 6, 9])
        if delta:
            is_listed, reason = delta.random() < 0.5, delta.choice([None, 1, 6, 6, 8, 8, 8])
        if is_listed:
            serials[below.serial] = reason
        is_indirect, details = rng.random() < 0.1, random.Random(rng.random())
        entries = [
            entry(details, serial, reason, below.issuer, 0.4 if is_indirect else 0.03, self.kind == "sources")
            for serial, reason in serials.items()]
        number = rng.randrange(1, 9)
        extensions = [sequence(identifier("2.5.29.20"), tlv(4, integer(number)))]
        if delta:
            number += delta.choice((0, 1, 1, 2))
            base = integer(max(0, number - delta.choice((0, 1, 1, 2))))
            extensions = [
                sequence(identifier("2.5.29.20"), tlv(4, integer(number))),
                sequence(identifier("2.5.29.27"), TRUE, tlv(4, base)),
            ]
        if is_indirect or rng.random() < (0.5 if self.kind == "sources" else 0.3):
            parts = []
            # A point of a certificate names direct lists, so the indirect ones here are for no point.
            if rng.random() < 0.5 and not is_indirect:
                parts.append(tlv(0xA0, self.directory_point(below) if self.has_directory_points() else tlv(
                    0xA0, *map(uri, rng.sample(POINTS, rng.choice((1, 1, 2)))))))
            only = rng.choice((None, None, 0x81, 0x82, 0x85))
            if only in (0x81, 0x82):
                parts.append(tlv(only, b"\xff"))
            if rng.random() < 0.25:
                reasons = rng.choice([(1, 3), (2, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8)])
                parts.append(tlv(0x83, bits(*reasons)[2:]))
            if is_indirect:
                parts.append(tlv(0x84, b"\xff"))
            if only == 0x85:
                parts.append(tlv(only, b"\xff"))
            if parts:
                critical = b"" if is_indirect and rng.random() < 0.2 else TRUE
                extensions.append(sequence(identifier("2.5.29.28"), critical, tlv(4, sequence(*parts))))
        if rng.random() < 0.03:
            extensions.append(sequence(identifier("1.3.6.1.4.1.99999.9"), TRUE, tlv(4, b"\5\0")))
        signer = below.signer if rng.random() < 0.95 else "stranger"
        signed = sequence(
            integer(1), ED25519, below.issuer, time(this_update), time(next_update) if next_update else b"",
            sequence(*entries) if entries else b"", tlv(0xA0, sequence(*extensions)),
        )  # fmt: skip
        return sequence(signed, ED25519, tlv(3, b"\0", private_key(signer).sign(signed)))

    def make_response(self, below):
        """An OCSP response about a certificate, or about one that it is not."""
        rng = self.rng
        status = rng.choice([tlv(0x80)] * 6 + [tlv(0x82), self.revoked(), self.revoked()])
        this_update = rng.choice(["20260614000000"] * 8 + ["20260501000000", SOON, BEFORE])
        next_update = rng.choice(["20260616000000"] * 8 + ["20260614120000", SOON, BEFORE, None])
        signer, certificates = below.signer, []
        has_more = self.kind == "sources"
        if has_more and rng.random() < 0.1:
            return sequence(tlv(10, bytes([rng.choice((1, 2, 3, 5, 6))])))
        if rng.random() < 0.5:
            signer = "responder"
            made = Certificate(
                distinguished((COMMON, "responder")), signer, below.issuer,
                below.signer if rng.random() < 0.93 else "stranger", rng.getrandbits(63) + 1)
            usages(made, "1.3.6.1.5.5.7.3.9" if rng.random() < 0.93 else SERVER)
            key_usage(made, 0)
            made.set("1.3.6.1.5.5.7.48.1.5", b"\5\0")
            if rng.random() < 0.06:
                change_validity(rng, made)
            if has_more and rng.random() < 0.4:
                self.change_delegate(made)
            certificates = [made.encoded()]
            if has_more and rng.random() < 0.2:
                # Another certificate before it, or none at all.
                certificates = [self.leaf.encoded(), *certificates] if rng.random() < 0.7 else []
        elif rng.random() < 0.05:
            signer = "stranger"
        subject = distinguished((COMMON, "responder")) if signer == "responder" else below.issuer
        responder = tlv(0xA1, subject)
        if rng.random() < 0.5:
            responder = tlv(0xA2, tlv(4, hashlib.sha1(key_bits(signer)).digest()))
        about = sequence(
            sequence(identifier("1.3.14.3.2.26"), b"\5\0"), tlv(4, hashlib.sha1(below.issuer).digest()),
            tlv(4, hashlib.sha1(key_bits(below.signer)).digest()),
            integer(below.serial + (rng.random() < 0.05)),
        )  # fmt: skip
        unknown = b""
        if rng.random() < 0.05:
            critical = TRUE if rng.random() < 0.7 else b""
            unknown = sequence(sequence(identifier("1.3.6.1.4.1.99999.9"), critical, tlv(4, b"\5\0")))
        single = sequence(
            about, status, generalized(this_update), tlv(0xA0, generalized(next_update)) if next_update else b"",
            tlv(0xA1, unknown) if unknown else b"")
        singles, more = [single], b""
        if has_more and rng.random() < 0.3:
            # A status of another certificate beside it.
            singles.insert(rng.randrange(2), self.other_single(below, this_update))
        if has_more and rng.random() < 0.15:
            critical = TRUE if rng.random() < 0.6 else b""
            more = tlv(0xA1, sequence(sequence(identifier("1.3.6.1.4.1.99999.9"), critical, tlv(4, b"\5\0"))))
        data = sequence(responder, generalized(this_update), sequence(*singles), more)
        basic = sequence(
            data, ED25519, tlv(3, b"\0", private_key(signer).sign(data)),
            tlv(0xA0, sequence(*certificates)) if certificates else b"")
        return sequence(
            tlv(10, b"\0"), tlv(0xA0, sequence(identifier("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))

    def change_delegate(self, made):
        """What a certificate of a responder may have: RFC 6960 §4.2.2.2."""
        choice = self.rng.randrange(6)
        if choice == 0:
            made.remove("2.5.29.37")
        elif choice == 1:
            usages(made, ANY)
        elif choice == 2:
            usages(made, SERVER, SIGNERS["ocsp"])
        elif choice == 3:
            add_unknown(self.rng, made)
        elif choice == 4:
            made.remove("1.3.6.1.5.5.7.48.1.5")
        else:
            made.issuer = distinguished((COMMON, "Other"))

    def other_single(self, below, this_update):
        """The status of a certificate that is not asked about, of the same issuer."""
        about = sequence(
            sequence(identifier("1.3.14.3.2.26"), b"\5\0"), tlv(4, hashlib.sha1(below.issuer).digest()),
            tlv(4, hashlib.sha1(key_bits(below.signer)).digest()), integer(self.rng.getrandbits(63) + 1))
        return sequence(about, self.rng.choice((tlv(0x80), self.revoked())), generalized(this_update))

    def revoked(self):
        reason = self.rng.choice([None, None, 1, 6])
        # A date of the future revokes, too: RFC 6960 §2.2 looks at the status alone.
        date = self.rng.choice(("20260520000000", "20270520000000")) if self.kind == "sources" else "20260520000000"
        return tlv(0xA1, generalized(date), tlv(0xA0, tlv(10, bytes([reason]))) if reason else b"")

    def line(self):
        """The question as `holdfast batch` reads it."""
        def texts(values):
            return [base64.b64encode(value).decode() for value in values]
        others = [one.encoded() for one in self.authorities]
        self.rng.shuffle(others)
        if self.rng.random() < 0.1:
            others.append(self.anchors[0].encoded())
        asked = {
            "id": f"{self.kind} {self.number}", "chain": texts([self.leaf.encoded(), *others]),
            "host": self.host, "purpose": self.purpose, "rules": self.rules,
            "time": f"{TIME[:4]}-{TIME[4:6]}-{TIME[6:8]}T{TIME[8:10]}:{TIME[10:12]}:{TIME[12:]}Z",
            "anchors": texts(one.encoded() for one in self.anchors),
        }  # fmt: skip
        if self.purpose != "server":
            del asked["host"]
        if self.demand:
            asked["crls"], asked["revocation"] = texts(self.lists), self.demand
            if self.responses:
                asked["ocsp"] = texts(self.responses)
        return (json.dumps(asked) + "\n").encode()


POINTS = ["http://crl.example.com/1", "http://crl.example.com/2"]


def make(kind, number):
    """The line of one question."""
    return Question(kind, number).line()
