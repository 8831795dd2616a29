"""Writes the cases of this folder that are about revocation, with keys that are thrown away.

    python3 make_revocation.py

CRLs and OCSP responses are put together octet by octet, because most of them are wrong in a way that no
library would write. Expectations are stated here, from the RFC that each case cites.
"""
import datetime
import hashlib
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from encoder import integer, oid, sequence, tlv

FOLDER = pathlib.Path(__file__).parent
NOW = datetime.datetime(2026, 1, 1)
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def when(time):
    return tlv(0x17, time.strftime("%y%m%d%H%M%SZ").encode())


def moment(time):
    return tlv(0x18, time.strftime("%Y%m%d%H%M%SZ").encode())


def extension(name, value, critical=False):
    return sequence(oid(name), tlv(1, b"\xff") if critical else b"", tlv(4, value))


ECDSA = sequence(oid("1.2.840.10045.4.3.2"))
CRL_NUMBER, DELTA, POINT = "2.5.29.20", "2.5.29.27", "2.5.29.28"
UNKNOWN = "1.3.6.1.4.1.55738.666.1"


def signed(key, tbs):
    signature = key.sign(tbs, ec.ECDSA(hashes.SHA256()))
    return ECDSA, tlv(3, b"\0" + signature)


# The parties.

def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Party:
    def __init__(self, text):
        self.name = name(text)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = None

    def sign(self, other, *extensions, usage=None, start=NOW - 100 * DAY, end=NOW + 100 * DAY):
        """`usage` is nil for an authority."""
        builder = (
            x509.CertificateBuilder().subject_name(other.name).issuer_name(self.name)
            .public_key(other.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(start).not_valid_after(end)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False))
        bits = [False] * 9
        if usage is None:
            bits[5] = bits[6] = True
            builder = builder.add_extension(x509.BasicConstraints(True, None), True)
        else:
            bits[0] = True
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), False)
        builder = builder.add_extension(x509.KeyUsage(*bits), True)
        for value in extensions:
            builder = builder.add_extension(value, False)
        other.certificate = builder.sign(self.key, hashes.SHA256())
        return other

    @property
    def key_octets(self):
        return self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    def issue_list(self, *entries, this=NOW - DAY, following=NOW + DAY, extensions=None):
        extensions = [extension(CRL_NUMBER, integer(1))] if extensions is None else extensions
        tbs = sequence(
            integer(1), ECDSA, self.name.public_bytes(), when(this),
            when(following) if following else b"",
            sequence(*entries) if entries else b"",
            tlv(0xA0, sequence(*extensions)) if extensions else b"")
        return "X509 CRL", sequence(tbs, *signed(self.key, tbs))

    def answer(self, *singles, certificate=None):
        tbs = sequence(
            tlv(0xA2, tlv(4, hashlib.sha1(self.key_octets).digest())), moment(NOW),
            sequence(*singles))
        beside = b""
        if certificate:
            beside = tlv(0xA0, sequence(
                certificate.public_bytes(serialization.Encoding.DER)))
        basic = sequence(tbs, *signed(self.key, tbs), beside)
        return "OCSP RESPONSE", sequence(
            tlv(10, b"\0"),
            tlv(0xA0, sequence(oid("1.3.6.1.5.5.7.48.1.1"), tlv(4, basic))))


def entry(serial, date=NOW - DAY, *extensions):
    number = serial if isinstance(serial, bytes) else integer(serial)
    return sequence(number, when(date), sequence(*extensions) if extensions else b"")


def single(issuer, serial, revoked=False):
    identifier = sequence(
        sequence(oid("1.3.14.3.2.26"), tlv(5)),
        tlv(4, hashlib.sha1(issuer.name.public_bytes()).digest()),
        tlv(4, hashlib.sha1(issuer.key_octets).digest()), integer(serial))
    status = tlv(0xA1, moment(NOW - DAY)) if revoked else tlv(0x80)
    return sequence(identifier, status, moment(NOW - DAY), tlv(0xA0, moment(NOW + DAY)))


ROOT = Party("Root")
ROOT.sign(ROOT)
SERVER, OCSP = ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.OCSP_SIGNING


def leaf(*extensions):
    names = x509.SubjectAlternativeName([x509.DNSName("www.good.example")])
    return ROOT.sign(Party("Leaf"), names, *extensions, usage=SERVER)


LEAF = leaf()
SERIAL = LEAF.certificate.serial_number


def pem(label, octets):
    import base64
    text = base64.b64encode(octets).decode()
    lines = [text[place:place + 64] for place in range(0, len(text), 64)]
    return f"-----BEGIN {label}-----\n" + "\n".join(lines) + f"\n-----END {label}-----\n"


def write(case, about, cites, expect, *data, chain=None, anchor=None, demand="leaf"):
    def certificate(value):
        return pem("CERTIFICATE", value.public_bytes(serialization.Encoding.DER))
    text = (
        f"about:   {about}\ncites:   {cites}\nmade-by: make_revocation.py {case}\n"
        f"time:    2026-01-01T00:00:00Z\npurpose: server www.good.example\nrules:   rfc5280\n"
        f"revocation: {demand}\nexpect:  {expect}\n"
        + "".join(map(certificate, chain or [LEAF.certificate]))
        + "".join(pem(*item) for item in data)
        + "anchor:\n" + certificate(anchor or ROOT.certificate))
    (FOLDER / f"{case}.case").write_text(text)


UNKNOWN_STATUS = "reject revocationUnknown at 0"
write("crl-names-the-leaf", "a list that names the leaf revokes it",
      "RFC 5280 §6.3.3 (j)", "reject revoked at 0", ROOT.issue_list(entry(SERIAL)),
      demand="given")
write("crl-names-another", "a list that names another serial number covers the leaf",
      "RFC 5280 §6.3.3 (l)", "accept", ROOT.issue_list(entry(SERIAL + 1)))
write("crl-none", "without a list nothing is known where something must be",
      "RFC 5280 §6.3.3", UNKNOWN_STATUS)
write("crl-stale", "a list is not used a second after its next update (CVE-2011-3207)",
      "RFC 5280 §5.1.2.5", UNKNOWN_STATUS, ROOT.issue_list(following=NOW - SECOND))
write("crl-without-next-update", "a list that does not say until when it holds is not used",
      "RFC 5280 §5.1.2.5", UNKNOWN_STATUS, ROOT.issue_list(following=None))
write("crl-from-the-future", "a list of tomorrow is not used",
      "RFC 5280 §5.1.2.4", UNKNOWN_STATUS, ROOT.issue_list(this=NOW + SECOND))
write("crl-times-swapped", "a list whose next update is before its issue is not used",
      "RFC 5280 §5.1.2.5", UNKNOWN_STATUS,
      ROOT.issue_list(this=NOW - DAY, following=NOW - 2 * DAY))
write("crl-entry-of-the-future", "an entry counts whatever its date (CVE-2020-36425)",
      "RFC 5280 §6.3.3 (i)", "reject revoked at 0",
      ROOT.issue_list(entry(SERIAL, NOW + 365 * DAY)))
write("crl-critical-extension", "a list with an unknown critical extension is not used",
      "RFC 5280 §5.2", UNKNOWN_STATUS,
      ROOT.issue_list(extensions=[extension(UNKNOWN, tlv(5), True)]))
write("crl-entry-critical-extension",
      "a list one of whose entries has an unknown critical extension is not used",
      "RFC 5280 §5.3", UNKNOWN_STATUS,
      ROOT.issue_list(entry(SERIAL + 1, NOW - DAY, extension(UNKNOWN, tlv(5), True))))
write("crl-delta-without-number", "a delta CRL without a number is not used (CVE-2026-28388)",
      "RFC 5280 §5.2.4", UNKNOWN_STATUS,
      ROOT.issue_list(extensions=[extension(DELTA, integer(1), True)]))
write("crl-number-too-long", "a list number has at most 20 octets",
      "RFC 5280 §5.2.3", UNKNOWN_STATUS,
      ROOT.issue_list(extensions=[extension(CRL_NUMBER, tlv(2, b"\1" * 21))]))
write("crl-empty-reasons", "a scope of no reasons at all is not read (RUSTSEC-2026-0104)",
      "RFC 5280 §5.2.5", UNKNOWN_STATUS,
      ROOT.issue_list(extensions=[extension(POINT, bytes.fromhex("3003830100"), True)]))
write("crl-odd-serials", "serial numbers of zero, below zero and of 21 octets are only compared",
      "RFC 5280 §4.1.2.2", "accept",
      ROOT.issue_list(entry(0), entry(-36), entry(tlv(2, b"\1" * 21))))
write("crl-for-other-place", "a point with reasons, another issuer and a relative name",
      "RFC 5280 §6.3.3 (b)(1)", UNKNOWN_STATUS, ROOT.issue_list(),
      chain=[leaf(x509.CRLDistributionPoints([x509.DistributionPoint(
          None, x509.RelativeDistinguishedName(
              [x509.NameAttribute(NameOID.COMMON_NAME, "Relative")]),
          frozenset([x509.ReasonFlags.key_compromise]),
          [x509.DirectoryName(name("Somebody else"))])])).certificate])
write("crl-many-places", "a thousand places to fetch from change nothing (CVE-2022-40617)",
      "RFC 5280 §4.2.1.13", "accept", ROOT.issue_list(),
      chain=[leaf(x509.CRLDistributionPoints([x509.DistributionPoint(
          [x509.UniformResourceIdentifier(f"http://crl.example/{index}")], None, None, None)
          for index in range(1000)])).certificate])

write("ocsp-good", "an answer that the issuer has signed",
      "RFC 6960 §3.2", "accept", ROOT.answer(single(ROOT, SERIAL)), demand="required")
write("ocsp-other-serial", "an answer for another serial number says nothing (CVE-2026-58062)",
      "RFC 6960 §3.2", UNKNOWN_STATUS, ROOT.answer(single(ROOT, SERIAL + 1)))
write("ocsp-second-record", "the record for the leaf counts, wherever it stands (CVE-2026-3832)",
      "RFC 6960 §3.2", "reject revoked at 0",
      ROOT.answer(single(ROOT, SERIAL + 1), single(ROOT, SERIAL, True)))
write("ocsp-two-records", "of two records of one moment the worse one counts (CVE-2026-3832)",
      "RFC 6960 §3.2", "reject revoked at 0",
      ROOT.answer(single(ROOT, SERIAL, True), single(ROOT, SERIAL)))


def delegated(case, about, signer):
    write(case, about, "RFC 6960 §4.2.2.2", UNKNOWN_STATUS,
          signer.answer(single(ROOT, SERIAL), certificate=signer.certificate))


other = Party("Other root")
other.sign(other)
lonely = Party("Responder")
write("ocsp-delegated", "an answer that a responder of the issuer has signed",
      "RFC 6960 §4.2.2.2", "accept",
      (responder := ROOT.sign(Party("Responder"), x509.OCSPNoCheck(), usage=OCSP)).answer(
          single(ROOT, SERIAL), certificate=responder.certificate))
delegated("ocsp-signer-without-usage", "a signer that is not for OCSP (CVE-2026-32144)",
          ROOT.sign(Party("Responder"), usage=SERVER))
delegated("ocsp-signer-of-another", "a signer of another authority (CVE-2026-32144)",
          other.sign(Party("Responder"), x509.OCSPNoCheck(), usage=OCSP))
delegated("ocsp-signer-expired", "a signer that has expired (CVE-2026-42791)",
          ROOT.sign(Party("Responder"), x509.OCSPNoCheck(), usage=OCSP, end=NOW - SECOND))
delegated("ocsp-signer-self-signed", "a signer that nobody has named (CVE-2022-1343)",
          lonely.sign(lonely, x509.OCSPNoCheck(), usage=OCSP))

middle = ROOT.sign(Party("Middle"))
below = middle.sign(
    Party("Leaf"), x509.SubjectAlternativeName([x509.DNSName("www.good.example")]), usage=SERVER)
write("ocsp-partial-chain", "an anchor that is no root, and an answer for all (CVE-2026-35188)",
      "RFC 6960 §4.2.2.2", "accept",
      middle.answer(single(middle, below.certificate.serial_number)),
      chain=[below.certificate], anchor=middle.certificate, demand="required")
