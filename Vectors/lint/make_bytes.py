"""Writes the certificates of this folder that no library would make, and those that need no key of a kind.

    python3 make_bytes.py

Each is named for the check that it breaks; `make.py` writes the others. Keys are thrown away.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives.asymmetric import ec

import parts
from encoder import integer, oid, sequence, tlv
from parts import SERVER, SIGN, above, authority, attribute, dns, extension, mail, names, own, policies, uri

HERE = pathlib.Path(__file__).parent
KEY = parts.public(ec.generate_private_key(ec.SECP256R1()))
SAN = names(dns("www.holdfast-test.org"))
VALIDATED = policies(oid("2.23.140.1.2.1"))
PLACE = uri("http://ca.holdfast-test.org/")
CERT_SIGN, CRL_SIGN = parts.CERT_SIGN, extension("2.5.29.15", bytes.fromhex("03020102"), True)


def points(place, *more):
    return extension("2.5.29.31", sequence(sequence(tlv(0xA0, tlv(0xA0, place)), *more)))


def access(method="1.3.6.1.5.5.7.48.2", place=PLACE):
    return extension("1.3.6.1.5.5.7.1.1", sequence(sequence(oid(method), place)))


def notice(tag, text):
    qualifier = sequence(oid("1.3.6.1.5.5.7.2.2"), sequence(tlv(tag, text)))
    return extension("2.5.29.32", sequence(sequence(oid("2.23.140.1.2.1"), sequence(qualifier))))


def timestamp(milliseconds):
    item = b"\0" + bytes(32) + milliseconds.to_bytes(8, "big") + b"\0\0\4\3\0\0"
    items = len(item).to_bytes(2, "big") + item
    return extension("1.3.6.1.4.1.11129.2.4.2", tlv(4, len(items).to_bytes(2, "big") + items))


# What a server's certificate has unless the case has another one.
SERVERS = {"usage": SIGN, "purpose": SERVER, "key": above("Authority"), "names": SAN, "policies": VALIDATED,
           "points": points(PLACE), "access": access()}
AUTHORITIES = {"is": authority(), "usage": CERT_SIGN, "own": own("Authority"), "key": above("Root")}


def write(case, der):
    (HERE / f"{case}.pem").write_text(parts.pem(der))


def server(case, *more, subject=sequence(), start=b"260401000000Z", end=b"260629235959Z", options={}, **instead):
    extensions = [each for each in {**SERVERS, **instead}.values() if each] + list(more)
    write(case, parts.certificate("Leaf", "Authority", extensions, subject_name=subject, start=start, end=end,
                                  public_key=KEY, **options))


def issuer(case, *more, **instead):
    extensions = [each for each in {**AUTHORITIES, **instead}.values() if each] + list(more)
    write(case, parts.certificate("Authority", "Root", extensions, start=b"260401000000Z", end=b"280401000000Z",
                                  public_key=KEY))


ORGANIZATION = sequence(oid("2.5.4.10"), tlv(0x0C, b"A"))
UNIT = sequence(oid("2.5.4.11"), tlv(0x0C, b"B"))

server("version-3", options={"version": 0, "raw": b""})
server("der-encoding", usage=extension("2.5.29.15", bytes.fromhex("03020080"), True))
server("no-unique-identifiers", options={"unique": tlv(0x81, b"\0\1")})
server("noncritical-extensions", key=extension(
    "2.5.29.35", sequence(tlv(0x80, parts.identifier("Authority"))), True))
issuer("critical-extensions", extension("2.5.29.54", integer(0)))
server("authority-key-identifier", key=None)
ISSUED = tlv(0xA1, parts.directory(parts.common("Root"))) + tlv(0x82, b"\1")
server("authority-key-identifier-value", key=extension("2.5.29.35", sequence(ISSUED)))
server("authority-key-identifier-alone", key=extension(
    "2.5.29.35", sequence(tlv(0x80, parts.identifier("Authority")), ISSUED)))
server("no-cert-sign", usage=CERT_SIGN)
issuer("ca-basic-constraints-critical", **{"is": extension("2.5.29.19", sequence(parts.TRUE))})
issuer("ca-key-usage", usage=None)
issuer("ca-cert-sign", usage=CRL_SIGN)
server("location-uri", access=access(place=uri("issuer.cer")))
issuer("name-constraints-syntax", parts.subtrees([dns(".holdfast-test.org")]))
server("email-in-san", subject=sequence(attribute("1.2.840.113549.1.9.1", "a@holdfast-test.org", 0x16)))
server("notice-encoding", policies=notice(0x1A, b"A notice"))
server("notice-length", policies=notice(0x0C, b"A" * 201))
server("attribute-types", subject=sequence(attribute("2.5.4.6", "DE")))
server("attribute-alone", subject=sequence(tlv(0x31, ORGANIZATION, UNIT)))
server("attribute-repeated", subject=sequence(tlv(0x31, ORGANIZATION), tlv(0x31, ORGANIZATION)))
server("san-forms", names=names(dns("www.holdfast-test.org"), mail("a@holdfast-test.org")))
server("no-any-policy", policies=policies(oid("2.23.140.1.2.1"), oid("2.5.29.32.0")))
server("information-access-methods", access=access("1.3.6.1.5.5.7.48.3"))
server("information-access-http", access=access(place=uri("ldap://ca.holdfast-test.org/")))
server("distribution-point-http", points=points(uri("ldap://ca.holdfast-test.org/")))
server("distribution-point-fields", points=points(PLACE, tlv(0x81, b"\6\x40")))
server("serial-positive", options={"serial": integer(-1 << 70)})
server("serial-at-most-20-bytes", options={"serial": integer(1 << 170)})
server("validity-order", start=b"260629235959Z", end=b"260401000000Z")
server("timestamps-present")
# 2026-04-04.
server("timestamps-in-time", timestamp(1_775_260_800_000))
server("no-poison", extension("1.3.6.1.4.1.11129.2.4.3", parts.NULL, True))
server("no-sha1-signature", start=b"160401000000Z", end=b"160629235959Z",
       options={"inner": sequence(oid("1.2.840.10045.4.1"))})
server("leaf-at-most-825-days", start=b"180401000000Z", end=b"200704000000Z")
server("leaf-at-most-398-days", start=b"210401000000Z", end=b"220504000000Z")
server("revocation-source-beyond-10-days", start=b"240401000000Z", end=b"240629235959Z", points=None)
