"""Writes the cases of this folder that are about the comparison of distinguished names, with keys that
are thrown away.

    python3 make_names.py

Expectations are stated here, from the RFC that each case cites.
"""
import datetime
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.x509.name import _ASN1Type as Type
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = pathlib.Path(__file__).parent
START, END = (datetime.datetime(year, 1, 1) for year in (2025, 2027))
HOST = "www.names.example"
root_key, ca_key, leaf_key = (ed25519.Ed25519PrivateKey.generate() for _ in range(3))


def name(*attributes):
    """A name of attributes, each in a relative name of its own: its type, its text, and its tag."""
    return x509.Name([x509.NameAttribute(oid, text, tag) for oid, text, tag in attributes])


def common(text):
    return (NameOID.COMMON_NAME, text, Type.UTF8String)


def organization(text, tag=Type.UTF8String):
    return (NameOID.ORGANIZATION_NAME, text, tag)


def issue(subject, key, issuer, issuer_key, *extensions):
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(START).not_valid_after(END))
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(issuer_key, None)


CA = (x509.BasicConstraints(True, None), True)
SERVER = [
    (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False),
    (x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)]
ROOT = name(common("Root"))
AUTHORITY = name(common("Authority"))


def write(case, about, cites, expect, subject, excluded=None, permitted=None, authority=AUTHORITY):
    trees = [[x509.DirectoryName(base)] if base else None for base in (permitted, excluded)]
    constraints = [(x509.NameConstraints(*trees), True)] if excluded or permitted else []
    chain = [
        issue(subject, leaf_key, authority, ca_key, *SERVER),
        issue(authority, ca_key, ROOT, root_key, CA, *constraints)]

    def pem(certificate):
        return certificate.public_bytes(serialization.Encoding.PEM).decode()

    text = (
        f"about:   {about}\ncites:   {cites}\nmade-by: make_names.py {case}\n"
        f"time:    2026-01-01T00:00:00Z\npurpose: server {HOST}\nrules:   webPKI\n"
        f"expect:  {expect}\n" + "".join(map(pem, chain)) + "anchor:\n"
        + pem(issue(ROOT, root_key, ROOT, root_key, CA)))
    (FOLDER / f"{case}.case").write_text(text)


EVIL = name(organization("Evil"))
CONSTRAINTS = "RFC 5280 §4.2.1.10"
EXCLUDED = "reject nameExcluded at 0"
PREPARED = "RFC 4518 §2"

# The control, and the same text in types that are compared by their bytes.
write("nc-excluded-utf8", "an excluded name is excluded", CONSTRAINTS, EXCLUDED,
      name(organization("EVIL"), common("Leaf")), excluded=EVIL)
for tag in ("T61String", "VisibleString"):
    word = "teletex" if tag == "T61String" else "visible"
    write(f"nc-excluded-{word}", f"an excluded name does not escape as a {tag}", CONSTRAINTS, EXCLUDED,
          name(organization("Evil", Type[tag]), common("Leaf")), excluded=EVIL)
    write(f"nc-excluded-as-{word}", f"a name does not escape an exclusion that is a {tag}",
          CONSTRAINTS, EXCLUDED, name(organization("EVIL"), common("Leaf")),
          excluded=name(organization("Evil", Type[tag])))
    write(f"nc-permitted-{word}", f"a {tag} is not permitted as the same text in UTF-8", CONSTRAINTS,
          "reject nameNotPermitted at 0", name(organization("Evil", Type[tag]), common("Leaf")),
          permitted=EVIL)
write("nc-permitted-same-teletex", "a TeletexString is permitted where the same bytes are",
      "RFC 5280 §7.1", "accept", name(organization("Good", Type.T61String), common("Leaf")),
      permitted=name(organization("Good", Type.T61String)))

# Text that RFC 4518 would map or fold.
write("nc-excluded-control", "an excluded name does not escape by a control character", PREPARED,
      EXCLUDED, name(organization("Ev\x01il"), common("Leaf")), excluded=EVIL)
write("nc-excluded-wide-letters", "an excluded name does not escape by letters of full width", PREPARED,
      EXCLUDED, name(organization("Ｅｖｉｌ"), common("Leaf")), excluded=EVIL)
write("nc-excluded-letter-case", "an excluded name does not escape by the case of a letter with accent",
      PREPARED, EXCLUDED, name(organization("évil"), common("Leaf")),
      excluded=name(organization("Évil")))

# What is no doubt: another type of attribute, another text before it, and too few relative names.
write("nc-excluded-other-type", "a TeletexString of another type than what is excluded", CONSTRAINTS,
      "accept",
      name((NameOID.ORGANIZATIONAL_UNIT_NAME, "Evil", Type.T61String), common("Leaf")), excluded=EVIL)
write("nc-excluded-other-country", "a TeletexString below another country than what is excluded",
      CONSTRAINTS, "accept",
      name((NameOID.COUNTRY_NAME, "FR", Type.PrintableString), organization("Evil", Type.T61String)),
      excluded=name((NameOID.COUNTRY_NAME, "DE", Type.PrintableString), organization("Evil")))
write("nc-excluded-shorter", "a TeletexString above what is excluded", CONSTRAINTS, "accept",
      name(organization("Evil", Type.T61String)),
      excluded=name(organization("Evil"), common("Leaf")))


def wide(count):
    """A name whose only relative name has so many attributes."""
    kinds = [NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME]
    return x509.Name([x509.RelativeDistinguishedName(
        x509.NameAttribute(kinds[place % 2], f"a{place}", Type.UTF8String)
        for place in range(count))])


write("name-of-16-attributes", "a relative name may have sixteen attributes", "limit of the reader",
      "accept", wide(16), authority=AUTHORITY)
write("name-of-17-attributes", "the number of attributes in a relative name has a bound",
      "limit of the reader", "unreadable at 0", wide(17), authority=AUTHORITY)
