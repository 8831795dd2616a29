"""Writes the cases `schedule-*` of this folder: what servers' certificates must be, by their issuance.

    python3 make_schedule.py

Each date and each limit has a case on both sides of its second. Expectations are stated here, from the
paragraph that each case cites.
"""

import datetime
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from cryptography.hazmat.primitives.asymmetric import rsa
from parts import *

case = Cases(__file__).write
OLD = root(own("Root"), start=b"150101000000Z", end=b"450101000000Z")
WIDE = middle(own("Authority"), above("Root"), start=b"150101000000Z", end=b"450101000000Z")
POINT = extension("2.5.29.31", sequence(sequence(tlv(0xA0, tlv(0xA0, uri("http://ca.example/list"))))))
OCSP = extension("1.3.6.1.5.5.7.1.1", sequence(sequence(oid("1.3.6.1.5.5.7.48.1"), uri("http://ca.example/"))))
ANSWERS = (SIGN, SERVER, BELOW, GOOD, POINT)


def utc(time):
    return time.strftime("%y%m%d%H%M%SZ").encode()


def issued(name, about, cites, expect, start, days, more=0, base=ANSWERS, rules="webPKI schedule", **options):
    """A leaf that is valid for some days, both ends counted, and `more` seconds."""
    begin = datetime.datetime.fromisoformat(start)
    last = begin + datetime.timedelta(days=days, seconds=more - 1)
    case(f"schedule-{name}", about, cites, expect,
        [end(base=base, start=utc(begin), end=utc(last), **options), WIDE], anchors=(OLD,), rules=rules,
        time=(begin + datetime.timedelta(hours=1)).isoformat() + "Z")


LIFE = "CA/B BR §6.3.2"
STEPS = ((None, 825, "2018-03-01"), (825, 398, "2020-09-01"), (398, 200, "2026-03-15"), (200, 100, "2027-03-15"),
    (100, 47, "2029-03-15"))
for before, days, first in STEPS:
    bad = "reject validityTooLong at 0"
    issued(f"{days}-days-good", f"{days} days to the second, on the first day", LIFE, "accept", f"{first}T00:00:00", days)
    issued(f"{days}-days", f"{days} days and a second, on the first day", LIFE, bad, f"{first}T00:00:00", days, 1)
    eve = (datetime.datetime.fromisoformat(first) - datetime.timedelta(seconds=1)).isoformat()
    issued(f"{days}-days-eve", f"a second before, {before or 'any number of'} days are allowed", LIFE, "accept", eve,
        before or 900)
issued("ignored", "two years, and nobody asks for the schedule", LIFE, "accept", "2026-03-15T00:00:00", 730,
    rules="webPKI")
issued("private", "two years below an anchor that is not public, where only those are bound", LIFE, "accept",
    "2026-03-15T00:00:00", 730, rules="strict")
CLIENTS = extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"), oid("1.3.6.1.5.5.7.3.2")))
PURPOSE = "Chrome Root Program Policy 1.8"
issued("purpose-eve", "for clients too, a second before that ends", PURPOSE, "accept", "2027-03-14T23:59:59", 90,
    base=(SIGN, CLIENTS, BELOW, GOOD, POINT))
issued("purpose", "for clients too", PURPOSE, "reject extendedKeyUsageForbidden at 0", "2027-03-15T00:00:00", 90,
    base=(SIGN, CLIENTS, BELOW, GOOD, POINT))
SOURCE = "CA/B BR §7.1.2.11.2"
NONE = (SIGN, SERVER, BELOW, GOOD)
MISSING = "reject extensionMissing at 0"
for first, days in (("2024-03-15", 10), ("2026-03-15", 7)):
    issued(f"source-{days}-days-good", f"{days} days need no source of revocation", SOURCE, "accept",
        f"{first}T00:00:00", days, base=NONE)
    issued(f"source-{days}-days", f"{days} days and a second need one", SOURCE, MISSING, f"{first}T00:00:00", days, 1,
        base=NONE)
issued("source-eve", "a second before, 90 days need none", SOURCE, "accept", "2024-03-14T23:59:59", 90, base=NONE)
issued("source-ocsp", "a responder is a source, too", SOURCE, "accept", "2026-03-15T00:00:00", 90, base=(*NONE, OCSP))
KEY = public(rsa.generate_private_key(65537, 2050))
issued("key-eve", "a modulus of 2,050 bits, a second before", "CA/B BR §6.1.5", "accept", "2023-09-14T23:59:59", 90,
    public_key=KEY)
issued("key", "a modulus of 2,050 bits", "CA/B BR §6.1.5", "reject keySizeNotWholeBytes at 0", "2023-09-15T00:00:00",
    90, public_key=KEY)
