"""Reads what Scripts/oracle/oracle.py decides about: well-formed certificates, CRLs and OCSP responses.

Every key is one of Ed25519, as in what Scripts/oracle/oracle_questions.py makes, or one of P-256 with SHA-256.
"""
import functools
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

# DER, X.690: only what is well formed is read.


def elements(data):
    """The elements of `data`: the tag, the content and the whole of each."""
    found, place = [], 0
    while place < len(data):
        start, tag, length = place, data[place], data[place + 1]
        place += 2
        if length >= 0x80:
            size = length & 0x7F
            length = int.from_bytes(data[place : place + size], "big")
            place += size
        if place + length > len(data):
            raise ValueError("not DER")
        found.append((tag, data[place : place + length], data[start : place + length]))
        place += length
    return found


def content(data):
    """The content of the one element of `data`."""
    ((_, inside, _),) = elements(data)
    return inside


def dotted(data):
    """An object identifier as text. X.690 §8.19."""
    arcs, value = [], 0
    for byte in data:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            arcs.append(value)
            value = 0
    first = min(arcs[0] // 40, 2)
    return ".".join(map(str, [first, arcs[0] - 40 * first, *arcs[1:]]))


def moment(tag, text):
    """A time as fourteen digits. RFC 5280 §4.1.2.5: UTCTime means 1950 to 2049."""
    digits = text.decode()[:-1]
    return ("19" if digits[:2] >= "50" else "20") + digits if tag == 0x17 else digits


def bit_set(data):
    """The numbers of the bits that a BIT STRING asserts."""
    return {8 * place + bit for place, byte in enumerate(data[1:]) for bit in range(8) if byte << bit & 0x80}


def name(data):
    """A distinguished name as it is compared: a sequence of sets of attributes. RFC 5280 §7.1."""
    return tuple(
        frozenset(attribute(*elements(pair)) for _, pair, _ in elements(relative))
        for _, relative, _ in elements(data)
    )


# The types of strings that are compared as text: RFC 4518 §2.1.
STRINGS = {0x0C: "utf-8", 0x13: "ascii", 0x16: "ascii", 0x1C: "utf-32-be", 0x1E: "utf-16-be"}


def attribute(kind, value):
    """An attribute as it is compared: without regard to case, and to spaces but between words."""
    tag, data, _ = value
    if tag in STRINGS:
        return dotted(kind[1]), "text", " ".join(lower(data.decode(STRINGS[tag])).split())
    return dotted(kind[1]), tag, data


def is_folded_alike(one):
    """Whether letters of another script, which `lower` does not fold, leave a name as it is."""
    return all(text == " ".join(text.casefold().split()) for relative in one for _, kind, text in relative if kind == "text")


def lower(text):
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)


# Certificates and CRLs, RFC 5280 §4 and §5.

KEY_USAGE, ALTERNATIVE_NAMES, BASIC_CONSTRAINTS = "2.5.29.15", "2.5.29.17", "2.5.29.19"
NAME_CONSTRAINTS, DISTRIBUTION_POINTS, POLICIES = "2.5.29.30", "2.5.29.31", "2.5.29.32"
MAPPINGS, POLICY_CONSTRAINTS, EXTENDED_USAGE = "2.5.29.33", "2.5.29.36", "2.5.29.37"
INHIBIT_ANY_POLICY, ANY_POLICY, ANY_USAGE = "2.5.29.54", "2.5.29.32.0", "2.5.29.37.0"
CRL_NUMBER, DELTA_INDICATOR, ISSUING_POINT = "2.5.29.20", "2.5.29.27", "2.5.29.28"
REASON, INVALIDITY, AUTHORITY_KEY, SUBJECT_KEY = "2.5.29.21", "2.5.29.24", "2.5.29.35", "2.5.29.14"
ENTRY_ISSUER = "2.5.29.29"
PROCESSED = {
    KEY_USAGE, ALTERNATIVE_NAMES, BASIC_CONSTRAINTS, NAME_CONSTRAINTS, POLICIES, MAPPINGS,
    POLICY_CONSTRAINTS, EXTENDED_USAGE, INHIBIT_ANY_POLICY,
}  # fmt: skip
MAIL_ATTRIBUTE = "1.2.840.113549.1.9.1"
DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_AGREEMENT, KEY_CERT_SIGN, CRL_SIGN = 0, 2, 4, 5, 6


def read_extensions(data):
    """Extensions by identifier: whether each is critical, and its value."""
    found = {}
    for _, extension, _ in elements(data):
        parts = elements(extension)
        found[dotted(parts[0][1])] = len(parts) == 3, parts[-1][1]
    return found


class Certificate:
    def __init__(self, der):
        self.der, self.digest = der, hashlib.sha256(der).hexdigest()
        (_, signed, self.signed), _, (_, signature, _) = elements(content(der))
        self.signature = signature[1:]
        fields = elements(signed)
        self.version = 1
        if fields[0][0] == 0xA0:
            self.version = int.from_bytes(content(fields.pop(0)[1]), "big") + 1
        self.serial = int.from_bytes(fields[0][1], "big", signed=True)
        self.issuer, self.subject = name(fields[2][1]), name(fields[4][1])
        self.issuer_der, self.subject_der = fields[2][2], fields[4][2]
        self.not_before, self.not_after = (moment(tag, text) for tag, text, _ in elements(fields[3][1]))
        # The bits of the key: RFC 8410 §4, RFC 5480 §2.2.
        self.key = elements(fields[5][1])[1][1][1:]
        self.subject_attributes = [
            (dotted(pair[0][1]), pair[1][1])
            for _, relative, _ in elements(fields[4][1])
            for pair in (elements(one) for _, one, _ in elements(relative))
        ]
        self.extensions = {}
        if fields[-1][0] == 0xA3:
            self.extensions = read_extensions(content(fields[-1][1]))
        self.is_self_issued = self.issuer == self.subject
        self.read_values()

    def value(self, kind):
        return self.extensions[kind][1] if kind in self.extensions else None

    def read_values(self):
        self.has_constraints, self.is_authority, self.path_length = False, False, None
        if (value := self.value(BASIC_CONSTRAINTS)) is not None:
            self.has_constraints = True
            for tag, data, _ in elements(content(value)):
                if tag == 1:
                    self.is_authority = data != b"\0"
                else:
                    self.path_length = int.from_bytes(data, "big")
        value = self.value(KEY_USAGE)
        self.key_usage = None if value is None else bit_set(content(value))
        value = self.value(EXTENDED_USAGE)
        self.usages = None if value is None else {dotted(data) for _, data, _ in elements(content(value))}
        value = self.value(ALTERNATIVE_NAMES)
        self.names = None if value is None else [(tag & 0x1F, data) for tag, data, _ in elements(content(value))]
        value = self.value(POLICIES)
        self.policies = None if value is None else [
            dotted(elements(one)[0][1]) for _, one, _ in elements(content(value))]
        value = self.value(MAPPINGS)
        self.mappings = [] if value is None else [
            tuple(dotted(data) for _, data, _ in elements(pair)) for _, pair, _ in elements(content(value))]
        self.require_explicit = self.inhibit_mapping = self.inhibit_any = None
        for tag, data, _ in elements(content(self.value(POLICY_CONSTRAINTS) or b"\x30\0")):
            if tag == 0x80:
                self.require_explicit = int.from_bytes(data, "big")
            else:
                self.inhibit_mapping = int.from_bytes(data, "big")
        if (value := self.value(INHIBIT_ANY_POLICY)) is not None:
            self.inhibit_any = int.from_bytes(content(value), "big")
        self.permitted, self.excluded = [], []
        for tag, trees, _ in elements(content(self.value(NAME_CONSTRAINTS) or b"\x30\0")):
            for _, tree, _ in elements(trees):
                (form, base, _), *bounds = elements(tree)
                (self.permitted if tag == 0xA0 else self.excluded).append((form & 0x1F, base, bool(bounds)))
        self.points = [
            point(data, self.issuer) for _, data, _ in elements(content(self.value(DISTRIBUTION_POINTS) or b"\x30\0"))]


def point_names(data, issuer):
    """The names of a DistributionPointName; one that is relative goes on from the issuer. RFC 5280 §4.2.1.13."""
    ((tag, inside, _),) = elements(data)
    if tag == 0xA1:
        return {(*issuer, frozenset(attribute(*elements(pair)) for _, pair, _ in elements(inside)))}
    return {name(content(data)) if kind == 0xA4 else whole for kind, data, whole in elements(inside)}


def point(data, issuer):
    """The names of a distribution point, and its reasons; nil for all reasons. RFC 5280 §4.2.1.13."""
    names, reasons = None, None
    for tag, inside, _ in elements(data):
        if tag == 0xA0:
            names = point_names(inside, issuer)
        elif tag == 0x81:
            reasons = bit_set(inside)
    return names, reasons


class List:
    """A CRL. RFC 5280 §5."""

    def __init__(self, der):
        (_, signed, self.signed), _, (_, signature, _) = elements(content(der))
        self.signature = signature[1:]
        fields = elements(signed)[2:]
        self.issuer = name(fields.pop(0)[1])
        self.this_update = moment(*fields.pop(0)[:2])
        self.next_update = moment(*fields.pop(0)[:2]) if fields and fields[0][0] in (0x17, 0x18) else None
        self.entries, self.dates, self.extensions = {}, {}, {}
        self.has_unknown_critical = False
        entries = b""
        for tag, data, _ in fields:
            if tag == 0x30:
                entries = data
            else:
                self.extensions = read_extensions(content(data))
        self.number, self.base = (
            int.from_bytes(content(self.extensions[kind][1]), "big") if kind in self.extensions else None
            for kind in (CRL_NUMBER, DELTA_INDICATOR))
        self.issue = self.this_update, self.number
        self.scope = self.extensions.get(ISSUING_POINT)
        self.has_unknown_critical |= any(
            critical and kind not in (CRL_NUMBER, DELTA_INDICATOR, ISSUING_POINT, AUTHORITY_KEY)
            for kind, (critical, _) in self.extensions.items())
        self.names, self.reasons, self.only = None, None, set()
        for tag, data, _ in elements(content(self.extensions.get(ISSUING_POINT, (0, b"\x30\0"))[1])):
            if tag == 0xA0:
                self.names = point_names(data, self.issuer)
            elif tag == 0x83:
                self.reasons = bit_set(data)
            else:
                self.only.add({0x81: "users", 0x82: "authorities", 0x85: "attributes", 0x84: "indirect"}[tag])
        self.read_entries(entries)

    def read_entries(self, data):
        """The reasons by serial number, of the certificates of this issuer. §5.3.3: an entry of an indirect
        list is about the issuer that it names, or the one before it; in any other list no entry can name
        one, so that the list cannot be processed, and an entry is about this issuer."""
        is_indirect = "indirect" in self.only and self.scope[0]
        issuer = self.issuer
        for _, entry, _ in elements(data):
            parts = elements(entry)
            more = read_extensions(parts[2][1]) if len(parts) == 3 else {}
            self.has_unknown_critical |= any(
                critical and kind not in (REASON, INVALIDITY, ENTRY_ISSUER) for kind, (critical, _) in more.items())
            if ENTRY_ISSUER in more:
                self.has_unknown_critical |= not is_indirect
                (_, named, _), = elements(content(more[ENTRY_ISSUER][1]))
                issuer = name(content(named))
            if not is_indirect or issuer == self.issuer:
                reason = content(more[REASON][1])[0] if REASON in more else 0
                serial = int.from_bytes(parts[0][1], "big", signed=True)
                self.entries[serial], self.dates[serial] = reason, moment(*parts[1][:2])


class Response:
    """An OCSP response. RFC 6960 §4.2.1."""

    def __init__(self, der):
        (_, outcome, _), *wrapped = elements(content(der))
        self.singles = []
        # §2.3: an error is not signed, and says nothing of a certificate.
        if outcome != b"\0":
            return
        ((_, wrapped, _),) = wrapped
        basic = elements(content(elements(content(wrapped))[1][1]))
        (_, data, self.signed), _, (_, signature, _) = basic[:3]
        self.signature = signature[1:]
        self.certificates = [
            Certificate(whole) for _, certs, _ in basic[3:] for _, _, whole in elements(content(certs))]
        (responder_tag, responder, _), produced_at, (_, singles, _), *more = elements(data)
        self.has_unknown_critical = any(
            critical for _, inside, _ in more for critical, _ in read_extensions(content(inside)).values())
        self.produced_at = moment(*produced_at[:2])
        self.by_name = name(content(responder)) if responder_tag == 0xA1 else None
        self.by_key = content(responder) if responder_tag == 0xA2 else None
        self.singles = [self.read(elements(single)) for _, single, _ in elements(singles)]

    def read(self, fields):
        """The certificate that is meant, the status, its reason and date, the two times, and whether a critical
        extension is unknown: none of them is known here."""
        (_, identifier, _), (status, revoked, _), this_update, *more = fields
        _, (_, name_hash, _), (_, key_hash, _), (_, serial, _) = elements(identifier)
        meant = name_hash, key_hash, int.from_bytes(serial, "big", signed=True)
        reason, date = 0, None
        if status == 0xA1:
            date = moment(*elements(revoked)[0][:2])
            reason = next((content(inside)[0] for tag, inside, _ in elements(revoked) if tag == 0xA0), 0)
        next_update = [moment(*elements(inside)[0][:2]) for tag, inside, _ in more if tag == 0xA0]
        kind = {0x80: "good", 0xA1: "revoked", 0x82: "unknown"}[status]
        has_unknown_critical = self.has_unknown_critical or any(
            critical for tag, inside, _ in more if tag == 0xA1
            for critical, _ in read_extensions(content(inside)).values())
        end = next_update[0] if next_update else None
        return meant, kind, reason, date, moment(*this_update[:2]), end, has_unknown_critical


@functools.lru_cache(1 << 16)
def verifies(key, signed, signature):
    try:
        if len(key) == 65:
            point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
            point.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
        else:
            ed25519.Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
        return True
    except (InvalidSignature, ValueError):
        return False
