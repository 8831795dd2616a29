"""Writes the certificates of this folder: each is named for the check that it breaks, or for none.

    python3 make.py

The files with `good` in their name break nothing but notices. Keys are thrown away.
"""

import datetime
import ipaddress
import pathlib
import random

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
SIGNER = ec.generate_private_key(ec.SECP256R1())
KEY = ec.generate_private_key(ec.SECP256R1())
START = datetime.datetime(2026, 4, 1)


def name(*attributes):
    return x509.Name([x509.NameAttribute(kind, value) for kind, value in attributes])


def write(
    case, *, key=KEY, days=90, start=START, hosts=("www.holdfast-test.org",), addresses=(), subject=(),
    usages=(ExtendedKeyUsageOID.SERVER_AUTH,), serial=None, policies=("2.23.140.1.2.1",), point=True, access=True,
    names=True, ca=None, version=None,
):
    end = start + datetime.timedelta(days=days, seconds=-1)
    builder = (
        x509.CertificateBuilder().subject_name(name(*subject)).issuer_name(name((NameOID.COMMON_NAME, "Issuer")))
        .public_key(key.public_key()).serial_number(serial or random.getrandbits(120) | 1 << 120)
        .not_valid_before(start).not_valid_after(end)
        .add_extension(x509.AuthorityKeyIdentifier(b"k" * 20, None, None), False)
    )
    if ca is not None:
        builder = builder.add_extension(x509.BasicConstraints(ca, None), True)
    builder = builder.add_extension(
        x509.KeyUsage(not ca, False, False, False, False, bool(ca), bool(ca), False, False), True)
    if names:
        general = [x509.DNSName(host) for host in hosts] + [
            x509.IPAddress(ipaddress.ip_address(text)) for text in addresses]
        builder = builder.add_extension(x509.SubjectAlternativeName(general), not subject)
    if usages:
        builder = builder.add_extension(x509.ExtendedKeyUsage(usages), False)
    if policies:
        builder = builder.add_extension(x509.CertificatePolicies(
            [x509.PolicyInformation(x509.ObjectIdentifier(oid), None) for oid in policies]), False)
    if point:
        builder = builder.add_extension(x509.CRLDistributionPoints([x509.DistributionPoint(
            [x509.UniformResourceIdentifier("http://ca.holdfast-test.org/list")], None, None, None)]), False)
    if access:
        builder = builder.add_extension(x509.AuthorityInformationAccess([x509.AccessDescription(
            AuthorityInformationAccessOID.CA_ISSUERS,
            x509.UniformResourceIdentifier("http://ca.holdfast-test.org/issuer"))]), False)
    certificate = builder.sign(SIGNER, hashes.SHA256())
    (HERE / f"{case}.pem").write_bytes(certificate.public_bytes(__import__(
        "cryptography.hazmat.primitives.serialization", fromlist=["Encoding"]).Encoding.PEM))


def is_prime(number):
    return all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7, 11))


def roca_key():
    """A key whose primes are powers of 65,537 modulo the product of many small primes."""
    small = [each for each in range(2, 600) if all(each % other for other in range(2, each))][:100]
    product = 1
    for each in small:
        product *= each
    primes = []
    while len(primes) < 2:
        prime = random.getrandbits(1024 - product.bit_length()) * product + pow(65537, random.getrandbits(60), product)
        if prime.bit_length() == 1024 and prime >> 1022 == 3 and is_prime(prime):
            primes.append(prime)
    p, q = primes
    d = pow(65537, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(65537, p * q)
        ).private_key(unsafe_skip_rsa_key_validation=True)


CN = NameOID.COMMON_NAME
write("good")
write("good-rsa", key=rsa.generate_private_key(65537, 2048))
write("leaf-at-most-200-days", days=201)
write("leaf-at-most-100-days", days=101, start=datetime.datetime(2027, 4, 1))
write("leaf-at-most-47-days", days=48, start=datetime.datetime(2029, 3, 15))
write("server-purpose-alone", start=datetime.datetime(2027, 4, 1),
    usages=(ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH))
write("revocation-source-beyond-7-days", point=False)
write("good-short", point=False, days=7)
write("roca", key=roca_key())
write("key-kind", key=ec.generate_private_key(ec.SECP256K1()))
write("rsa-2048", key=rsa.generate_private_key(65537, 1024))
write("rsa-exponent", key=rsa.generate_private_key(3, 2048))
write("keys-of-whole-bytes", key=rsa.generate_private_key(65537, 2050))
write("serial-entropy", serial=0x1234567)
write("common-name-in-san", subject=((CN, "other.holdfast-test.org"),))
write("no-common-name", subject=((CN, "www.holdfast-test.org"),))
write("no-underscore", hosts=("a_b.holdfast-test.org",))
write("no-internal-name", hosts=("mail.local",))
write("no-reverse-zone", hosts=("1.2.0.192.in-addr.arpa",))
write("no-reserved-address", addresses=("10.0.0.1",))
write("country-code", subject=((NameOID.COUNTRY_NAME, "xx"),))
write("extended-key-usage", usages=())
write("certificate-policies", policies=())
write("issuer-location", access=False)
write("one-reserved-policy", policies=("2.23.140.1.2.1", "2.23.140.1.2.2"))
write("no-any-purpose", usages=(ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE))
write("no-other-purpose", usages=(ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CODE_SIGNING))
write("reserved-label", hosts=("ab--c.holdfast-test.org",))
write("san-syntax", hosts=("-a.holdfast-test.org",))
write("san-present", names=False)
write("ca-subject-key-identifier", ca=True, names=False, usages=())
