"""Writes the cases of this folder, each with keys of its own that are thrown away.

    python3 make_chains.py

Expectations are stated here, from the RFC that each case cites.
"""
import datetime
import ipaddress
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = pathlib.Path(__file__).parent
START = datetime.datetime(2025, 1, 1)
END = datetime.datetime(2027, 1, 1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)] if text else [])


class Party:
    def __init__(self, subject, key=None):
        self.subject = subject if isinstance(subject, x509.Name) else name(subject)
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.certificate = None

    def sign(self, other, *extensions, authority=True, length=None, start=START, end=END):
        builder = (
            x509.CertificateBuilder()
            .subject_name(other.subject).issuer_name(self.subject)
            .public_key(other.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(start).not_valid_after(end)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(other.key.public_key()), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False)
        )
        if authority:
            usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
            builder = builder.add_extension(x509.BasicConstraints(True, length), True)
        else:
            usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
            builder = builder.add_extension(
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        builder = builder.add_extension(usage, True)
        for value, critical in extensions:
            builder = builder.add_extension(value, critical)
        other.certificate = builder.sign(self.key, hashes.SHA256())
        return other.certificate


def constraints(permitted=None, excluded=None):
    return (x509.NameConstraints(permitted, excluded), True)


def names(*values):
    return (x509.SubjectAlternativeName(list(values)), False)


def policies(*oids):
    information = [x509.PolicyInformation(x509.ObjectIdentifier(oid), None) for oid in oids]
    return (x509.CertificatePolicies(information), False)


def write(case, about, cites, expect, chain, anchors, purpose="server www.bad.example",
          rules="webPKI", time="2026-01-01T00:00:00Z"):
    def pem(certificate):
        return certificate.public_bytes(serialization.Encoding.PEM).decode()
    text = (
        f"about:   {about}\ncites:   {cites}\nmade-by: make_chains.py {case}\n"
        f"time:    {time}\npurpose: {purpose}\nrules:   {rules}\nexpect:  {expect}\n"
        + "".join(map(pem, chain)) + "anchor:\n" + "".join(map(pem, anchors)))
    (FOLDER / f"{case}.case").write_text(text)


def three(intermediate=(), leaf=(), subject="Leaf", root=(), **options):
    top, middle, end = Party("Root"), Party("Intermediate"), Party(subject)
    top.sign(top, *root)
    top.sign(middle, *intermediate, **options)
    middle.sign(end, *leaf, authority=False)
    return [end.certificate, middle.certificate], [top.certificate]


DNS, IP = x509.DNSName, x509.IPAddress
bad = names(DNS("www.bad.example"))

write("nc-excluded-below", "an excluded DNS subtree covers the names below it",
      "RFC 5280 §4.2.1.10", "reject nameExcluded at 0",
      *three([constraints(excluded=[DNS("bad.example")])], [bad]))
write("nc-permitted-below", "a permitted DNS subtree covers the names below it",
      "RFC 5280 §4.2.1.10", "accept",
      *three([constraints([DNS("bad.example")])], [bad]))
write("nc-suffix-is-no-label", "a subtree covers whole labels only",
      "RFC 5280 §4.2.1.10", "reject nameNotPermitted at 0",
      *three([constraints([DNS("d.example")])], [bad]))
write("nc-wildcard-over-excluded", "a wildcard that could stand for an excluded name is excluded",
      "RFC 5280 §4.2.1.10", "reject nameExcluded at 0",
      *three([constraints(excluded=[DNS("mail.bad.example")])], [names(DNS("*.bad.example"))]))
write("nc-mailbox-in-subject", "a mailbox in the subject is constrained like one beside it",
      "RFC 5280 §4.2.1.10", "reject nameNotPermitted at 0",
      *three([constraints([x509.RFC822Name("good.example")])], [bad],
             x509.Name([x509.NameAttribute(NameOID.EMAIL_ADDRESS, "a@bad.example")])))
write("nc-uri-without-host", "a URI without a host is rejected where URIs are constrained",
      "RFC 5280 §4.2.1.10", "reject nameMalformed at 0",
      *three([constraints(excluded=[x509.UniformResourceIdentifier("evil.example")])],
             [names(DNS("www.bad.example"), x509.UniformResourceIdentifier("urn:a:b"))]))
write("nc-other-version", "a permitted IPv4 block permits no IPv6 address",
      "RFC 5280 §4.2.1.10", "reject nameNotPermitted at 0",
      *three([constraints([IP(ipaddress.ip_network("192.0.2.0/24"))])],
             [names(IP(ipaddress.ip_address("2001:db8::1")))]), purpose="server 2001:db8::1")
write("host-common-name", "a host in the common name only is in no name",
      "RFC 9525 §2", "reject noHostNames at 0", *three([], [], "www.bad.example"))
write("host-address-as-dns-name", "an address spelt in a dNSName is no address",
      "RFC 9525 §6.4", "reject hostName at 0",
      *three([], [names(DNS("192.0.2.1"))]), purpose="server 192.0.2.1")
write("host-wildcard-one-label", "a wildcard stands for one label",
      "RFC 9525 §6.3", "reject hostName at 0", *three([], [names(DNS("*.example"))]))
write("host-wildcard", "a wildcard stands for a whole label",
      "RFC 9525 §6.3", "accept", *three([], [names(DNS("*.bad.example"))]))
write("expired-intermediate", "every certificate below the anchor must be valid",
      "RFC 5280 §6.1.3 (a)(2)", "reject expired at 1",
      *three([], [bad], end=datetime.datetime(2025, 6, 1)))

P1, P2 = "1.3.6.1.4.1.32473.1", "1.3.6.1.4.1.32473.2"
required = (x509.PolicyConstraints(0, None), True)
write("policy-required", "a required policy must be in every certificate",
      "RFC 5280 §6.1.5 (g)", "reject policyRequired at 0",
      *three([policies(P1), required], [bad, policies(P2)]))
write("policy-kept", "a policy that every certificate has satisfies the requirement",
      "RFC 5280 §6.1.5 (g)", "accept",
      *three([policies(P1), required], [bad, policies(P1, P2)]))

root, old, leaf = Party("Root"), Party("Authority"), Party("Leaf")
new = Party("Authority")
root.sign(root)
root.sign(old, length=0)
first = old.certificate
old.sign(new, length=0)
new.sign(leaf, bad, authority=False)
write("pathlen-self-issued-rollover", "a self-issued certificate does not count for pathLen",
      "RFC 5280 §6.1.4 (l)", "accept", [leaf.certificate, first, new.certificate],
      [root.certificate])
below = Party("Below")
old.sign(below)
below.sign(leaf, bad, authority=False)
write("pathlen-exceeded", "below pathLen 0 there is no further authority",
      "RFC 5280 §6.1.4 (l)", "reject pathLength",
      [leaf.certificate, below.certificate, first], [root.certificate])
