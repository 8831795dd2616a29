"""Makes certificates, CRLs and OCSP responses for the scripts. All keys are thrown away."""

import datetime
import hashlib
import ipaddress
from base64 import b64encode

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509 import ocsp
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
DER, PEM = serialization.Encoding.DER, serialization.Encoding.PEM
GOOD, REVOKED, UNKNOWN = ocsp.OCSPCertStatus.GOOD, ocsp.OCSPCertStatus.REVOKED, ocsp.OCSPCertStatus.UNKNOWN
SERVER, CLIENT = ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH
KEYS = {}


def key(name):
    """Everybody of one name has one key, on P-256 unless KEYS has another."""
    if name not in KEYS:
        KEYS[name] = ec.generate_private_key(ec.SECP256R1())
    return KEYS[name]


def name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])


def general_name(text):
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def points(urls):
    return [x509.DistributionPoint([x509.UniformResourceIdentifier(url)], None, None, None) for url in urls]


def certificate(subject, issuer, serial=None, issuers=(), responders=(), lists=(), deltas=(), days=(1, 30),
                is_ca=True, names=(), purpose=SERVER, extra=(), holder=None, signer=None):
    """Makes a certificate, valid from `days[0]` ago until `days[1]` from now.

    Its key is that of `holder`, or of its subject; it is signed by the key of `signer`, or of its issuer."""
    own, signing = key(holder or subject).public_key(), key(signer or issuer)
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        .public_key(own).serial_number(serial or x509.random_serial_number())
        .not_valid_before(NOW - days[0] * DAY).not_valid_after(NOW + days[1] * DAY)
        .add_extension(x509.BasicConstraints(is_ca, None), True)
        .add_extension(x509.KeyUsage(not is_ca, False, False, False, False, is_ca, is_ca, False, False), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(own), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), False))
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName([general_name(text) for text in names]), False)
    if not is_ca:
        builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), False)
    methods = AuthorityInformationAccessOID
    access = [x509.AccessDescription(method, x509.UniformResourceIdentifier(url))
              for method, urls in [(methods.OCSP, responders), (methods.CA_ISSUERS, issuers)] for url in urls]
    if access:
        builder = builder.add_extension(x509.AuthorityInformationAccess(access), False)
    if lists:
        builder = builder.add_extension(x509.CRLDistributionPoints(points(lists)), False)
    if deltas:
        builder = builder.add_extension(x509.FreshestCRL(points(deltas)), False)
    for extension in extra:
        builder = builder.add_extension(extension, False)
    return builder.sign(signing, None if isinstance(signing, ed25519.Ed25519PrivateKey) else hashes.SHA256())


def crl(issuer, revoked=(), number=1, base=None, shard=None, signer=None, days=(1, 6)):
    """Makes a CRL; with a base it is a delta CRL."""
    builder = (
        x509.CertificateRevocationListBuilder().issuer_name(name(issuer))
        .last_update(NOW - days[0] * DAY).next_update(NOW + days[1] * DAY)
        .add_extension(x509.CRLNumber(number), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key(issuer).public_key()), False))
    for serial in revoked:
        builder = builder.add_revoked_certificate(
            x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(NOW - DAY).build())
    if base:
        builder = builder.add_extension(x509.DeltaCRLIndicator(base), True)
    if shard:
        builder = builder.add_extension(x509.IssuingDistributionPoint(
            [x509.UniformResourceIdentifier(shard)], None, False, False, None, False, False), True)
    return builder.sign(key(signer or issuer), hashes.SHA256()).public_bytes(DER)


def answer(leaf, issuer, status, days=(1, 6)):
    """Makes an OCSP response, signed by the key of the issuer's name."""
    is_revoked = status == REVOKED
    builder = ocsp.OCSPResponseBuilder().add_response(
        cert=leaf, issuer=issuer, algorithm=hashes.SHA1(), cert_status=status,
        this_update=NOW - days[0] * DAY, next_update=NOW + days[1] * DAY,
        revocation_time=NOW - days[0] * DAY if is_revoked else None,
        revocation_reason=x509.ReasonFlags.key_compromise if is_revoked else None)
    signer = key(issuer.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value)
    return builder.responder_id(ocsp.OCSPResponderEncoding.HASH, issuer).sign(
        signer, hashes.SHA256()).public_bytes(DER)


def timestamp(log, time):
    """The extension with one timestamp of a log, whose signature is empty: revocation does not depend on it.

    RFC 6962 §3.2 and §3.3."""
    item = b"\0" + log + int(time.timestamp() * 1000).to_bytes(8, "big") + b"\0\0\4\3\0\0"
    items = len(item).to_bytes(2, "big") + item
    value = len(items).to_bytes(2, "big") + items
    return x509.UnrecognizedExtension(
        x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2"), bytes([4, len(value)]) + value)


def clubcard(issuer, log, end, revoked):
    """Makes a filter that has one serial number of one issuer as revoked, of one log, until a time.

    It is of version 4: one row without columns, so that every certificate is in the set but the exceptions; the set
    is that of the good ones."""
    serial = revoked.to_bytes(revoked.bit_length() // 8 + 1, "big")
    return (b"\4\0" + (1).to_bytes(2, "big") + log + bytes(8) + int(end.timestamp() * 1000).to_bytes(8, "big")
            + (1).to_bytes(4, "big") + hashlib.sha256(public_key(issuer)).digest()
            + (1).to_bytes(4, "big") + b"\0" + bytes(4) + (1).to_bytes(4, "big") + bytes(4) + b"\1"
            + (1).to_bytes(2, "big") + bytes([len(serial)]) + serial + bytes(5))


def forged(response):
    """Changes the last byte, which is the signature's."""
    return response[:-1] + bytes([response[-1] ^ 1])


def public_key(certificate):
    return certificate.public_key().public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def pin(certificate):
    return "sha256/" + b64encode(hashlib.sha256(public_key(certificate)).digest()).decode()


def pem(*certificates):
    return b"".join(certificate.public_bytes(PEM) for certificate in certificates)


def private_pem(holder):
    return key(holder).private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
