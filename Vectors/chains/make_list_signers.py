"""Writes the cases of this folder about who may sign CRLs and which of several counts.

    python3 make_list_signers.py

All in one small world, with keys that are thrown away: Root, below it CA and Other CA, below CA a
leaf. CRLs and OCSP responses are put together byte by byte. Expectations are stated here, from the RFC
that each case cites.
"""
import base64
import datetime
import hashlib
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.name import _ASN1Type

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from encoder import integer, oid, sequence, tlv

FOLDER = pathlib.Path(__file__).parent
SCRIPT = pathlib.Path(__file__).name
NOW = datetime.datetime(2026, 1, 1)
DAY = datetime.timedelta(days=1)
OLD, NEW = NOW - 60 * DAY, NOW - 30 * DAY


def utc(time):
    return tlv(0x17, time.strftime("%y%m%d%H%M%SZ").encode())


def moment(time):
    return tlv(0x18, time.strftime("%Y%m%d%H%M%SZ").encode())


def extension(name, value, critical=False):
    return sequence(oid(name), tlv(1, b"\xff") if critical else b"", tlv(4, value))


SHA256 = hashes.SHA256(), sequence(oid("1.2.840.10045.4.3.2"))
SHA1 = hashes.SHA1(), sequence(oid("1.2.840.10045.4.1"))
HOLD = extension("2.5.29.21", tlv(10, b"\6"))
COMPROMISE = extension("2.5.29.21", tlv(10, b"\1"))
INDIRECT = extension("2.5.29.28", sequence(tlv(0x84, b"\xff")), True)


def entry(serial, *extensions):
    return sequence(
        integer(serial), utc(NOW - 90 * DAY), sequence(*extensions) if extensions else b"")


def issuer_of_entry(name, critical=True):
    return extension("2.5.29.29", sequence(tlv(0xA4, name.public_bytes())), critical)


# The parties.

def name(text, kind=_ASN1Type.UTF8String):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text, kind)])


SERIALS = iter(range(1001, 2000))


class Party:
    def __init__(self, text):
        self.name = name(text)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = None

    def certify(self, other, usages, *extensions, serial=None, authority=False):
        bits = ["digital_signature", "content_commitment", "key_encipherment",
                "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
                "encipher_only", "decipher_only"]
        builder = (
            x509.CertificateBuilder().subject_name(other.name).issuer_name(self.name)
            .public_key(other.key.public_key()).serial_number(serial or next(SERIALS))
            .not_valid_before(NOW - 200 * DAY).not_valid_after(NOW + 100 * DAY)
            .add_extension(x509.KeyUsage(**{bit: bit in usages for bit in bits}), True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(other.key.public_key()), False))
        if authority:
            builder = builder.add_extension(x509.BasicConstraints(True, None), True)
        for value in extensions:
            builder = builder.add_extension(value, False)
        other.certificate = builder.sign(self.key, hashes.SHA256())
        return other

    @property
    def identifier(self):
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        return hashlib.sha1(point).digest()

    def sign(self, tbs, algorithm=SHA256, *more):
        signature = self.key.sign(tbs, ec.ECDSA(algorithm[0]))
        return sequence(tbs, algorithm[1], tlv(3, b"\0" + signature), *more)

    def list(self, *entries, at=OLD, number=1, until=NOW + DAY, extensions=(), algorithm=SHA256):
        tbs = sequence(
            integer(1), algorithm[1], self.name.public_bytes(), utc(at),
            utc(until) if until else b"", sequence(*entries) if entries else b"",
            tlv(0xA0, sequence(
                extension("2.5.29.35", sequence(tlv(0x80, self.identifier))),
                extension("2.5.29.20", integer(number)), *extensions)))
        return "X509 CRL", self.sign(tbs, algorithm)

    def answer(self, *singles, certificate=None):
        tbs = sequence(tlv(0xA2, tlv(4, self.identifier)), moment(NEW), sequence(*singles))
        beside = (
            tlv(0xA0, sequence(certificate.public_bytes(serialization.Encoding.DER)))
            if certificate else b"")
        basic = self.sign(tbs, SHA256, beside)
        return "OCSP RESPONSE", sequence(
            tlv(10, b"\0"), tlv(0xA0, sequence(oid("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))


LEAF_SERIAL, SIGNER_SERIAL = 7001, 20
ROOT, CA, OTHER = Party("Root"), Party("CA"), Party("Other CA")
BOTH = ["key_cert_sign", "crl_sign"]
ROOT.certify(ROOT, BOTH, authority=True)
ROOT.certify(CA, BOTH, authority=True)
ROOT.certify(OTHER, BOTH, authority=True)
NAMES = x509.SubjectAlternativeName([x509.DNSName("www.good.example")])
SERVER = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])


def leaf(*extensions):
    return CA.certify(
        Party("Leaf"), ["digital_signature"], NAMES, SERVER, *extensions, serial=LEAF_SERIAL)


def signer(issuer, *extensions, text="CA"):
    return issuer.certify(Party(text), ["crl_sign"], *extensions, serial=SIGNER_SERIAL)


def single(at, revoked=None, extensions=b""):
    """What an answer says of the leaf; `revoked` is the reason."""
    identifier = sequence(
        sequence(oid("1.3.14.3.2.26"), tlv(5)),
        tlv(4, hashlib.sha1(CA.name.public_bytes()).digest()), tlv(4, CA.identifier),
        integer(LEAF_SERIAL))
    status = (
        tlv(0x80) if revoked is None
        else tlv(0xA1, moment(NOW - 90 * DAY), tlv(0xA0, tlv(10, bytes([revoked])))))
    return sequence(identifier, status, moment(at), tlv(0xA0, moment(NOW + DAY)), extensions)


LEAF, SIGNER, STRANGER, HIGH = leaf(), signer(CA), signer(OTHER), signer(ROOT)


def pem(label, octets):
    text = base64.b64encode(octets).decode()
    lines = [text[place:place + 64] for place in range(0, len(text), 64)]
    return f"-----BEGIN {label}-----\n" + "\n".join(lines) + f"\n-----END {label}-----\n"


def write(case, about, cites, expect, *data, chain=(LEAF, CA), demand="leaf", rules="rfc5280"):
    def certificate(party):
        return pem(
            "CERTIFICATE", party.certificate.public_bytes(serialization.Encoding.DER))
    text = (
        f"about:   {about}\ncites:   {cites}\nmade-by: {SCRIPT} {case}\n"
        f"time:    2026-01-01T00:00:00Z\npurpose: server www.good.example\nrules:   {rules}\n"
        f"revocation: {demand}\nexpect:  {expect}\n"
        + "".join(map(certificate, chain)) + "".join(pem(*item) for item in data)
        + "anchor:\n" + certificate(ROOT))
    (FOLDER / f"{case}.case").write_text(text)


REVOKED, UNKNOWN = "reject revoked at 0", "reject revocationUnknown at 0"
ROOT_LIST = ROOT.list(entry(1))

# Who may sign.
CITE = "RFC 5280 §6.3.3 (f)"
WITH_SIGNER = (LEAF, CA, SIGNER)
for demand, more in [("leaf", []), ("required", [ROOT_LIST])]:
    write(f"crl-revoked-signer-{demand}",
          "a newer list of a signer that is revoked clears neither the signer nor the leaf",
          CITE, REVOKED, CA.list(entry(SIGNER_SERIAL), entry(LEAF_SERIAL)),
          SIGNER.list(entry(1), at=NEW, number=2), *more, chain=WITH_SIGNER, demand=demand)
write("crl-signer-vouches-for-itself",
      "what a signer has signed is no proof that its own certificate is good", CITE, UNKNOWN,
      SIGNER.list(entry(1), at=NEW), ROOT_LIST, chain=WITH_SIGNER, demand="required")
write("crl-signer-good", "a signer that its issuer's list clears may clear the leaf",
      CITE, "accept", CA.list(entry(1)), SIGNER.list(entry(1), at=NEW, number=2), ROOT_LIST,
      chain=WITH_SIGNER, demand="required")
write("crl-signer-revokes", "what a signer of the issuer revokes is revoked", CITE, REVOKED,
      CA.list(entry(1), at=NEW, number=2), SIGNER.list(entry(LEAF_SERIAL)), chain=WITH_SIGNER)
write("crl-signer-of-other-authority",
      "another authority below the anchor cannot make a signer that clears the leaf", CITE,
      REVOKED, CA.list(entry(LEAF_SERIAL)), STRANGER.list(entry(1), at=NEW, number=9),
      chain=(LEAF, CA, STRANGER, OTHER))
write("crl-signer-of-other-authority-alone",
      "a list of a signer that another authority has made is not used", CITE,
      UNKNOWN, STRANGER.list(entry(1), at=NEW), chain=(LEAF, CA, STRANGER, OTHER))
write("crl-signer-of-the-anchor", "a signer that an authority above the issuer has made counts",
      CITE, "accept", HIGH.list(entry(1)), ROOT_LIST, chain=(LEAF, CA, HIGH), demand="required")

# Which of several counts.
CITE = "RFC 5280 §5.3.1"
write("crl-revoked-then-left-out", "a newer list that has left the leaf out does not clear it",
      CITE, REVOKED, CA.list(entry(LEAF_SERIAL, COMPROMISE)),
      CA.list(entry(1), at=NEW, number=2))
write("crl-hold-ended", "a newer list that has left the leaf out ends a hold",
      CITE, "accept", CA.list(entry(LEAF_SERIAL, HOLD)), CA.list(entry(1), at=NEW, number=2))
write("crl-hold-begun", "a hold in the newer list counts",
      CITE, REVOKED, CA.list(entry(1)), CA.list(entry(LEAF_SERIAL, HOLD), at=NEW, number=2))
for kind, reason in [("revoked", COMPROMISE), ("hold", HOLD)]:
    for first, lists in enumerate([(entry(1), entry(LEAF_SERIAL, reason)),
                                   (entry(LEAF_SERIAL, reason), entry(1))]):
        write(f"crl-same-number-{kind}-{first}",
              "of two lists of the same number and time the one that revokes counts",
              CITE, REVOKED, *[CA.list(one) for one in lists])
write("crl-hold-ended-in-the-same-second", "of two lists of a second the higher number is newer",
      "RFC 5280 §5.2.3", "accept", CA.list(entry(LEAF_SERIAL, HOLD)), CA.list(entry(1), number=2))
for kind, at in [("older", OLD - DAY), ("same-second", OLD), ("newer", NEW)]:
    write(f"crl-revokes-ocsp-good-{kind}",
          "a good answer does not undo what a list revokes, whichever is newer",
          CITE, REVOKED, CA.list(entry(LEAF_SERIAL)), CA.answer(single(at)))
write("crl-hold-ocsp-good-same-second", "an answer of the same second does not end a hold",
      CITE, REVOKED, CA.list(entry(LEAF_SERIAL, HOLD)), CA.answer(single(OLD)))
write("crl-hold-ocsp-good-newer", "a newer answer ends a hold",
      CITE, "accept", CA.list(entry(LEAF_SERIAL, HOLD)), CA.answer(single(NEW)))
write("ocsp-revoked-then-good", "a newer answer does not undo a revocation",
      "RFC 6960 §2.2", REVOKED, CA.answer(single(OLD, 1)), CA.answer(single(NEW)))
write("ocsp-hold-then-good", "a newer answer ends a hold",
      "RFC 6960 §2.2", "accept", CA.answer(single(OLD, 6)), CA.answer(single(NEW)))

# What a list covers.
OWN = leaf(x509.CRLDistributionPoints([x509.DistributionPoint(
    None, None, None, [x509.DirectoryName(CA.name)])]))
for kind, serial, expect in [("good", 1, "accept"), ("revoked", LEAF_SERIAL, REVOKED)]:
    write(f"crl-issuer-is-own-{kind}",
          "a cRLIssuer that is the certificate's own issuer counts as if it were left out",
          "RFC 5280 §4.2.1.13", expect, CA.list(entry(serial)), chain=(OWN, CA))
for kind, serial, demand, expect in [
        ("good", 1, "leaf", UNKNOWN), ("revoked", LEAF_SERIAL, "given", REVOKED)]:
    write(f"crl-no-next-update-{kind}",
          "a list without nextUpdate shows only that a certificate is revoked",
          "RFC 5280 §5.1.2.5", expect, CA.list(entry(serial), until=None), demand=demand)
    write(f"crl-sha1-{kind}",
          "a list that rests on SHA-1 shows only that a certificate is revoked",
          "RFC 5280 §6.3.3 (g)", expect, CA.list(entry(serial), algorithm=SHA1), demand=demand,
          rules="webPKI")
    freshest = extension("2.5.29.46", sequence(sequence(tlv(
        0xA0, tlv(0xA0, tlv(0x86, b"http://crl.example/delta"))))), True)
    write(f"crl-critical-freshest-{kind}",
          "a list whose freshestCRL is critical shows only that a certificate is revoked",
          "RFC 5280 §5.2", expect, CA.list(entry(serial), extensions=[freshest]), demand=demand)
write("crl-critical-issuer-alt-name", "a critical issuerAltName is processed by being read",
      "RFC 5280 §5.2.2", "accept", CA.list(entry(1), extensions=[extension(
          "2.5.29.18", sequence(tlv(0x86, b"http://ca.example/")), True)]))

# Names that cannot be compared.
LISTS = CA.certify(Party("Lists"), ["crl_sign"])
INDIRECT_LEAF = leaf(x509.CRLDistributionPoints([x509.DistributionPoint(
    None, None, None, [x509.DirectoryName(LISTS.name)])]))
for kind, issuer, expect in [
        ("same", CA.name, REVOKED), ("other", name("CB"), "accept"),
        ("teletex", name("CA", _ASN1Type.T61String), UNKNOWN),
        ("control", name("CA\x01"), UNKNOWN)]:
    write(f"crl-entry-issuer-{kind}",
          "an entry of this serial number under a name that cannot be compared leaves a doubt",
          "RFC 5280 §5.3.3", expect,
          LISTS.list(entry(LEAF_SERIAL, issuer_of_entry(issuer)), extensions=[INDIRECT]),
          chain=(INDIRECT_LEAF, CA, LISTS))

# What deviates, and is read; strict rules do not take it.
EMPTY_NAMES = x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.17"), sequence())


def responder(*extensions):
    return CA.certify(
        Party("Responder"), ["digital_signature"], x509.OCSPNoCheck(),
        x509.ExtendedKeyUsage([ExtendedKeyUsageOID.OCSP_SIGNING]), *extensions)


TIMESTAMPS = tlv(0xA1, sequence(
    extension("1.3.6.1.4.1.11129.2.4.5", bytes.fromhex("deadbeef"), True)))
PLAIN, ODD = responder(), responder(EMPTY_NAMES)
for case, about, cites, good, revoked in [
        ("crl-empty-entry-extensions", "crlEntryExtensions that are empty", "RFC 5280 §5.1",
         CA.list(sequence(integer(1), utc(OLD), sequence())),
         CA.list(sequence(integer(1), utc(OLD), sequence()), entry(LEAF_SERIAL))),
        ("crl-invalidity-date-utc", "an invalidityDate as UTCTime", "RFC 5280 §5.3.2",
         CA.list(entry(1, extension("2.5.29.24", utc(OLD)))),
         CA.list(entry(LEAF_SERIAL, extension("2.5.29.24", utc(OLD))))),
        ("ocsp-critical-timestamps", "critical timestamps in an answer", "RFC 6962 §3.3",
         CA.answer(single(OLD, None, TIMESTAMPS)), CA.answer(single(OLD, 1, TIMESTAMPS))),
        ("ocsp-responder-empty-names", "a responder with empty alternative names",
         "RFC 5280 §4.2.1.6",
         ODD.answer(single(OLD), certificate=ODD.certificate),
         ODD.answer(single(OLD, 1), certificate=ODD.certificate))]:
    write(case, f"{about}: read, and noted", cites, "accept", good)
    write(f"{case}-strict", f"{about}: strict rules do not take it", cites, UNKNOWN, good,
          rules="strictRFC5280")
    write(f"{case}-strict-revoked", f"{about}: what is revoked is revoked all the same", cites,
          REVOKED, revoked, rules="strictRFC5280", demand="given")
write("crl-strict", "a list as it should be: strict rules take it", "RFC 5280 §5.1", "accept",
      CA.list(entry(1)), rules="strictRFC5280")
write("ocsp-responder-strict", "a responder as it should be: strict rules take it",
      "RFC 6960 §4.2.2.2", "accept", PLAIN.answer(single(OLD), certificate=PLAIN.certificate),
      rules="strictRFC5280")
