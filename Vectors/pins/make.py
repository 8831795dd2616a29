#!/usr/bin/env python3
"""Makes the chains of the pinning tests: what a server sends, and what somebody in between would.

Names, serial numbers and times are fixed. Keys are new in every run and thrown away, so a further
run gives other octets: the committed files came out of one. Needs pyca/cryptography.

Every file is a chain as it is sent, the server's certificate first. `anchors.pem` holds the three
roots that the system trusts: the good one, the second one that signed the good intermediate across,
and the one that somebody in between has bought from or installed.
"""
import datetime
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
HOSTS = ["good.com", "www.good.com", "*.good.com", "*.b.good.com"]
SERIALS = iter(range(0x9100, 0x9200))


def name(common_name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def key():
    return ec.generate_private_key(ec.SECP256R1())


def certificate(subject, subject_key, issuer, issuer_key, hosts=None, path_length=None,
                is_authority=None, last=2035):
    is_authority = hosts is None if is_authority is None else is_authority
    public_key = subject_key.public_key()
    builder = (
        x509.CertificateBuilder().serial_number(next(SERIALS)).subject_name(name(subject))
        .issuer_name(name(issuer)).public_key(public_key)
        .not_valid_before(datetime.datetime(2025, 1, 1))
        .not_valid_after(datetime.datetime(last, 1, 1))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=path_length), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), False)
    )
    if subject != issuer:
        identifier = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
        builder = builder.add_extension(identifier, False)
    if hosts is not None:
        names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
        builder = builder.add_extension(names, False)
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        builder = builder.add_extension(usage, False)
    return builder.sign(issuer_key, hashes.SHA256())


def write(file, *chain):
    pem = b"".join(one.public_bytes(serialization.Encoding.PEM) for one in chain)
    (HERE / f"{file}.pem").write_bytes(pem)


def main():
    root_key, second_key, proxy_key, issuing_key, leaf_key = (key() for _ in range(5))
    root = certificate("Good Root", root_key, "Good Root", root_key)
    second = certificate("Second Root", second_key, "Second Root", second_key)
    proxy = certificate("Proxy Root", proxy_key, "Proxy Root", proxy_key)
    issuing = certificate("Good Issuing", issuing_key, "Good Root", root_key)
    across = certificate("Good Issuing", issuing_key, "Second Root", second_key)
    leaf = certificate("good.com", leaf_key, "Good Issuing", issuing_key, HOSTS)
    expired = certificate("good.com", leaf_key, "Good Issuing", issuing_key, HOSTS, last=2026)
    write("anchors", root, second, proxy)
    write("good", leaf, issuing)
    write("good-with-root", leaf, issuing, root)
    write("good-expired", expired, issuing)
    write("good-across", leaf, across)
    write("good-both", leaf, across, issuing)
    write("good-renewed", certificate("good.com", leaf_key, "Good Issuing", issuing_key, HOSTS),
          issuing)

    # Somebody in between, with a certificate for the host that the system trusts.
    proxy_leaf = certificate("good.com", key(), "Proxy Root", proxy_key, HOSTS)
    write("proxy", proxy_leaf)
    write("proxy-with-leaf", proxy_leaf, leaf)
    write("proxy-with-intermediate", proxy_leaf, issuing)
    write("proxy-with-all", proxy_leaf, leaf, issuing, root)
    # The same with an issuer of the good one's name, and the good one beside it.
    namesake_key = key()
    namesake = certificate("Good Issuing", namesake_key, "Proxy Root", proxy_key)
    namesake_leaf = certificate("good.com", key(), "Good Issuing", namesake_key, HOSTS)
    write("proxy-namesake", namesake_leaf, issuing, namesake)

    # A customer of the good authority signs with his certificate, which is no authority's; his key
    # is also that of an authority of the same name below the proxy.
    customer_key = key()
    customer = certificate("Customer", customer_key, "Good Issuing", issuing_key, ["customer.com"])
    double = certificate("Customer", customer_key, "Proxy Root", proxy_key)
    customer_leaf = certificate("good.com", key(), "Customer", customer_key, HOSTS)
    write("customer-signs", customer_leaf, customer, issuing)
    write("customer-signs-double", customer_leaf, customer, issuing, double)
    # An authority that may have none below it, and has.
    narrow_key, below_key = key(), key()
    narrow = certificate("Narrow", narrow_key, "Good Root", root_key, path_length=0)
    below = certificate("Below", below_key, "Narrow", narrow_key)
    write("path-length", certificate("good.com", key(), "Below", below_key, HOSTS), below, narrow)
    # Another customer's certificate, of the right authority and for the wrong host.
    write("other-host", certificate("customer.com", key(), "Good Issuing", issuing_key,
                                    ["customer.com"]), issuing)
    alone_key = key()
    write("self-signed", certificate("good.com", alone_key, "good.com", alone_key, HOSTS))
    other_key = key()
    write("self-signed-other", certificate("good.com", other_key, "good.com", other_key, HOSTS))


if __name__ == "__main__":
    main()
