"""Writes the cases `profile-*` and `extension-*` of this folder: what a certificate may say.

    python3 make_profile.py

Each case that is rejected has a control beside it, which differs in one point. Expectations are
stated here, from the paragraph that each case cites.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives.asymmetric import ec
from parts import *

case = Cases(__file__).write


def identifier(name):
    """A key identifier for a name of `KEYS`."""
    return name.encode().ljust(20, b".")


def own(name):
    return extension("2.5.29.14", tlv(4, identifier(name)))


def above(name):
    return extension("2.5.29.35", sequence(tlv(0x80, identifier(name))))


ANCHOR = root(own("Root"))
ISSUER = middle(own("Authority"), above("Root"))
BELOW = above("Authority")


def end(*more, base=(SIGN, SERVER, BELOW, GOOD), **options):
    return leaf(*more, base=base, **options)


def one(name, about, cites, expect, certificate, *, issuer=ISSUER, **options):
    case(name, about, cites, expect, [certificate, issuer], **{"anchors": (ANCHOR,), **options})


# Extensions that are processed, and so may be critical, beside one that is only shown.

STATUS_REQUEST = sequence(integer(5))
one("extension-tls-feature-critical", "TLS features are processed: RFC 7633 §4.2.2", "RFC 5280 §4.2", "accept",
    end(extension("1.3.6.1.5.5.7.1.24", STATUS_REQUEST, True)))
ACCESS = sequence(sequence(oid("1.3.6.1.5.5.7.48.5"), uri("http://bad.example/")))
one("extension-subject-info-critical", "the access to a subject's information is not processed",
    "RFC 5280 §4.2", "reject unknownCriticalExtension at 0", end(extension("1.3.6.1.5.5.7.1.11", ACCESS, True)))

# The limit on exponents.

N = RSA.public_key().public_numbers().n
for bits, expect in ((33, "accept"), (34, "reject oversizedExponent at 0")):
    key = sequence(sequence(oid("1.2.840.113549.1.1.1"), NULL),
        tlv(3, b"\0", sequence(integer(N), integer(2 ** (bits - 1) + 1))))
    one(f"key-rsa-exponent-of-{bits}-bits", "an exponent has 33 bits at most", "limit of the rules", expect,
        end(public_key=key))
