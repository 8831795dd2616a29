"""Writes the cases of this folder that are about noRevAvail, RFC 9608, with keys that are thrown away.

    python3 make_no_revocation.py
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from parts import *

case = Cases(__file__).write
UNKNOWN = "reject revocationUnknown at 0"

IDENTIFIER = extension("2.5.29.35", sequence(tlv(0x80, b"12345678")))
ABSENT, CRITICAL = extension("2.5.29.56", NULL), extension("2.5.29.56", NULL, True)
PLACE = sequence(sequence(tlv(0xA0, tlv(0xA0, uri("http://crl.bad.example/")))))
LISTS, FRESHEST = extension("2.5.29.31", PLACE), extension("2.5.29.46", PLACE)
OCSP = extension(
    "1.3.6.1.5.5.7.1.1", sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), uri("http://ocsp.bad.example/"))))
ISSUERS = extension(
    "1.3.6.1.5.5.7.1.1", sequence(sequence(oid("1.3.6.1.5.5.7.48.2"), uri("http://ca.bad.example/"))))


def one(name, about, section, expect, *more, issuer=MIDDLE, rules="rfc5280", revocation="leaf"):
    end = leaf(GOOD, IDENTIFIER, *more)
    case(
        f"no-revocation-{name}", about, f"RFC 9608 §{section}", expect, [end, issuer], rules=rules,
        revocation=revocation)


def strict(name, about, section, expect, *more, **options):
    one(f"{name}-strict", about, section, expect, *more, rules="strictRFC5280", revocation=None, **options)


one("available", "revocation is not asked about a leaf with noRevAvail", 4, "accept", ABSENT)
one("available-issuers", "a place of CA certificates points to no revocation", 3, "accept", ABSENT, ISSUERS)
one("absent", "without noRevAvail the status is unknown", 4, UNKNOWN)
one("critical", "a critical noRevAvail is known", 2, "accept", CRITICAL)
strict("critical", "noRevAvail must not be critical", 2, "reject extensionCritical at 0", CRITICAL)
for name, what, pointer in (
    ("lists", "CRL distribution points", LISTS), ("freshest", "a freshest CRL", FRESHEST),
    ("ocsp", "an OCSP responder", OCSP)):
    one(f"beside-{name}", f"noRevAvail does not count beside {what}", 3, UNKNOWN, ABSENT, pointer)
    strict(
        f"beside-{name}", f"noRevAvail must not be beside {what}", 3, "reject extensionMisplaced at 0",
        ABSENT, pointer)
one("authority", "noRevAvail does not count in a CA certificate", 2, "reject revocationUnknown at 1",
    ABSENT, issuer=middle(ABSENT), revocation="required")
strict("authority", "noRevAvail must not be in a CA certificate", 2, "reject extensionMisplaced at 1",
       issuer=middle(IDENTIFIER, ABSENT))
