#!/usr/bin/env python3
"""Makes what a server with client certificates sees: its authority, and two clients, one of which is
of another authority of the same name. Keys are new in every run and thrown away. Needs
pyca/cryptography.
"""
import datetime
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def usage(*fields):
    names = [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ]
    return x509.KeyUsage(**{field: field in fields for field in names}), True


def sign(subject, key, issuer, issuer_key, serial, *extensions):
    builder = (
        x509.CertificateBuilder()
        .serial_number(serial).subject_name(name(subject)).issuer_name(name(issuer))
        .public_key(key.public_key())
        .not_valid_before(datetime.datetime(2025, 1, 1))
        .not_valid_after(datetime.datetime(2035, 1, 1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False))
    for value, is_critical in extensions:
        builder = builder.add_extension(value, is_critical)
    return builder.sign(issuer_key, hashes.SHA256())


def main():
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(4)]
    authority = "Demo Clients CA"
    root = sign(
        authority, keys[0], authority, keys[0], 0x5EED1001,
        (x509.BasicConstraints(True, 0), True), usage("key_cert_sign", "crl_sign"))
    clients = []
    for place, (mailbox, issuer_key) in enumerate([("ada", keys[0]), ("eve", keys[1])]):
        address = x509.RFC822Name(f"{mailbox}@demo.example")
        clients.append(sign(
            mailbox, keys[2 + place], authority, issuer_key, 0x5EED1002 + place,
            (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), False),
            usage("digital_signature"), (x509.SubjectAlternativeName([address]), False)))
    pem = [c.public_bytes(serialization.Encoding.PEM).decode() for c in [root] + clients]
    (HERE / "clients-root.pem").write_text(pem[0])
    # A line with a dot is after each.
    (HERE / "clients.pem").write_text("".join(f"{client}.\n" for client in pem[1:]))


if __name__ == "__main__":
    main()
