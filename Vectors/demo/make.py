#!/usr/bin/env python3
"""Makes the demo: a server's chain and root, what an intercepting proxy would show instead, and a
request for the server's backup key.

Names, serial numbers and times are fixed. Keys are new in every run and thrown away, so a further
run gives other octets: the committed files came out of one. Needs pyca/cryptography.
"""
import datetime
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
HOST = "www.demo.example"


def name(common_name, organization=None, country=None):
    parts = [(NameOID.COUNTRY_NAME, country), (NameOID.ORGANIZATION_NAME, organization)]
    attributes = [x509.NameAttribute(kind, value) for kind, value in parts if value]
    return x509.Name(attributes + [x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def year(number):
    return datetime.datetime(number, 1, 1)


def usage(*names):
    fields = [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ]
    return x509.KeyUsage(**{field: field in names for field in fields})


def certificate(serial, subject, key, issuer, issuer_key, first, last, extensions, digest):
    public_key, issuer_public_key = key.public_key(), issuer_key.public_key()
    builder = (
        x509.CertificateBuilder()
        .serial_number(serial).subject_name(subject).public_key(public_key).issuer_name(issuer)
        .not_valid_before(year(first)).not_valid_after(year(last))
    )
    for value, is_critical in extensions:
        builder = builder.add_extension(value, is_critical)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), False)
    if issuer != subject:
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_public_key)
        builder = builder.add_extension(identifier, False)
    return builder.sign(issuer_key, digest)


def authority(path_length):
    return [
        (x509.BasicConstraints(ca=True, path_length=path_length), True),
        (usage("key_cert_sign", "crl_sign"), True),
    ]


def addresses(ca):
    crl = x509.UniformResourceIdentifier(f"http://crl.demo.example/{ca}.crl")
    point = x509.DistributionPoint([crl], None, None, None)
    cer = x509.UniformResourceIdentifier(f"http://ca.demo.example/{ca}.cer")
    access = x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, cer)
    return [
        (x509.CRLDistributionPoints([point]), False),
        (x509.AuthorityInformationAccess([access]), False),
    ]


def policy():
    # Baseline Requirements §7.1.6.1: domain validated.
    oid = x509.ObjectIdentifier("2.23.140.1.2.1")
    return x509.CertificatePolicies([x509.PolicyInformation(oid, None)]), False


def server(key_usages, names, ca):
    return [
        (x509.BasicConstraints(ca=False, path_length=None), True),
        (usage(*key_usages), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
        (x509.SubjectAlternativeName([x509.DNSName(host) for host in names]), False),
    ] + ([policy()] + addresses(ca) if ca else [])


def write(file, *things):
    pem = b"".join(thing.public_bytes(serialization.Encoding.PEM) for thing in things)
    (HERE / file).write_bytes(pem)


def main():
    root_key, issuing_key = (ec.generate_private_key(ec.SECP384R1()) for _ in range(2))
    leaf_key, backup_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root_name = name("Demo Root X1", "Demo Trust", "SE")
    issuing_name = name("Demo Issuing CA 7", "Demo Trust", "SE")
    leaf_name = name(HOST, "Demo Bakery", "SE")
    root = certificate(
        0x5EED0001, root_name, root_key, root_name, root_key, 2020, 2045, authority(None),
        hashes.SHA384())
    issuing = certificate(
        0x5EED0002, issuing_name, issuing_key, root_name, root_key, 2024, 2036,
        authority(0) + [
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False), policy(),
        ] + addresses("root-x1"),
        hashes.SHA384())
    leaf = certificate(
        0x5EED0003, leaf_name, leaf_key, issuing_name, issuing_key, 2025, 2035,
        server(["digital_signature"], [HOST, "demo.example"], "issuing-7"), hashes.SHA384())
    write("chain.pem", leaf, issuing)
    write("root.pem", root)

    request = (
        x509.CertificateSigningRequestBuilder().subject_name(leaf_name)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)
        .sign(backup_key, hashes.SHA256())
    )
    write("backup-request.pem", request)

    proxy_root_key, proxy_key = (rsa.generate_private_key(65537, 2048) for _ in range(2))
    proxy_name = name("Intercepting Proxy CA", "Somebody in the Middle")
    proxy_root = certificate(
        0xBAD0001, proxy_name, proxy_root_key, proxy_name, proxy_root_key, 2025, 2035,
        authority(None), hashes.SHA256())
    proxy = certificate(
        0xBAD0002, name(HOST), proxy_key, proxy_name, proxy_root_key, 2025, 2035,
        server(["digital_signature", "key_encipherment"], [HOST], None), hashes.SHA256())
    write("proxy-chain.pem", proxy)
    write("proxy-root.pem", proxy_root)


if __name__ == "__main__":
    main()
