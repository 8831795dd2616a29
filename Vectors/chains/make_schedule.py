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


def issued(name, about, cites, expect, start, days, more=0, base=ANSWERS, rules="webPKI schedule", anchor={}, **options):
    """A leaf that is valid for some days, both ends counted, and `more` seconds, below an anchor."""
    begin = datetime.datetime.fromisoformat(start)
    last = begin + datetime.timedelta(days=days, seconds=more - 1)
    case(f"schedule-{name}", about, cites, expect,
        [end(base=base, start=utc(begin), end=utc(last), **options), WIDE], anchors=(OLD,), rules=rules, **anchor,
        time=(begin + datetime.timedelta(hours=1)).isoformat() + "Z")


LIFE = "CA/B BR §6.3.2"
STEPS = ((None, 825, "2018-03-01"), (825, 398, "2020-09-01"), (398, 200, "2026-03-15"), (200, 100, "2027-03-15"),
    (100, 47, "2029-03-15"))
PROGRAM = {"public": True, "program": "any"}
LONG = "reject validityTooLong at 0"
for before, days, first in STEPS:
    for of, where, options in (
        ("", "", {}), ("program-", "below a root of a program: ", {"rules": "webPKI", "anchor": PROGRAM})
    ):
        issued(f"{of}{days}-days-good", f"{where}{days} days to the second, on the first day", LIFE, "accept",
            f"{first}T00:00:00", days, **options)
        issued(f"{of}{days}-days", f"{where}{days} days and a second, on the first day", LIFE, LONG,
            f"{first}T00:00:00", days, 1, **options)
        eve = (datetime.datetime.fromisoformat(first) - datetime.timedelta(seconds=1)).isoformat()
        issued(f"{of}{days}-days-eve", f"{where}a second before, {before or 'any number of'} days are allowed", LIFE,
            "accept", eve, before or 900, **options)
issued("ignored", "two years, and nobody asks for the schedule", LIFE, "accept", "2026-03-15T00:00:00", 730,
    rules="webPKI")
TWO_YEARS = ("2026-03-15T00:00:00", 730)
issued("administrator", "two years below an anchor of the system that no program is known to have", LIFE, "accept",
    *TWO_YEARS, rules="webPKI", anchor={"public": True})
issued("administrator-strict", "the same by rules that bind all public anchors", LIFE, LONG, *TWO_YEARS,
    rules="strict", anchor={"public": True})
issued("company", "two years below a company's anchor that has a condition", LIFE, "accept", *TWO_YEARS,
    rules="webPKI", anchor={"program": "dnsNames=bad.example"})
issued("apple", "two years below a root of a program, by rules that know no schedule", LIFE, "accept", *TWO_YEARS,
    rules="apple", anchor=PROGRAM)
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
