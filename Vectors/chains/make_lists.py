"""Writes the cases of this folder about CRLs with odd forms and about the distribution
points that they are for, and about odd names.

    python3 make_lists.py

Certificates and lists are put together byte by byte, because most of these no library writes. Every
key is thrown away. Expectations are stated here, from the paragraph that each case cites.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from parts import *

case = Cases(__file__).write
SERIAL, OTHER_SERIAL = octets("02083A5C1B7E4D209F61"), octets("020811223344556677AA")
UNKNOWN, REVOKED = "reject revocationUnknown at 0", "reject revoked at 0"
# What strict rules want of every certificate, too.
STRICT = [SIGN, SERVER, extension("2.5.29.35", sequence(tlv(0x80, b"\1" * 20)))]
STRICT_ROOT = root(extension("2.5.29.14", tlv(4, b"\2" * 20)))
STRICT_MIDDLE = middle(
    extension("2.5.29.14", tlv(4, b"\1" * 20)), extension("2.5.29.35", sequence(tlv(0x80, b"\2" * 20))))


def place(name):
    return uri(f"http://crl.example/{name}.crl")


def full(*places):
    """The name of a distribution point: [0] of [0] of general names."""
    return tlv(0xA0, tlv(0xA0, *map(place, places)))


def points(*each):
    """Distribution points, each a tuple of places."""
    return extension("2.5.29.31", sequence(*[sequence(full(*places)) for places in each]))


def scope(*places):
    return extension("2.5.29.28", sequence(full(*places)), True)


def ask(name, about, cites, expect, lists, *more, demand="leaf", rules=None, **options):
    """A leaf with the serial number `SERIAL` below a good intermediate, and lists about it."""
    chain, anchors = [leaf(*more, base=STRICT, serial=SERIAL), STRICT_MIDDLE], (STRICT_ROOT,)
    case(name, about, cites, expect, chain, anchors=anchors, lists=lists, revocation=demand,
        **({"rules": rules} if rules else {}), **options)


# Distribution points: RUSTSEC-2026-0049.

POINT = "RFC 5280 §6.3.3 (b)(2)"
two = points(("a",), ("b",))
three = points(("a",), ("b",), ("c",))
one_with_three = points(("a", "b", "c"))
for name, own, theirs, about in (
    ("second-point", two, ("b",), "a list for the second distribution point counts"),
    ("third-point", three, ("c",), "a list for the third distribution point counts"),
    ("second-name", one_with_three, ("b",), "a list for the second name of a distribution point counts"),
    ("third-name", one_with_three, ("c",), "a list for the third name of a distribution point counts"),
    ("second-name-of-list", points(("c",)), ("x", "c"), "a list whose second name is the point's counts"),
    ("second-of-both", three, ("x", "y", "b"), "the third name of a list is that of the second point"),
):
    ask(f"crl-{name}-revokes", f"{about}: it revokes (RUSTSEC-2026-0049)", POINT, REVOKED,
        [revocation_list(SERIAL, extensions=[scope(*theirs)])], GOOD, own, demand="given")
    ask(f"crl-{name}-clears", f"{about}: it shows that nothing is revoked (RUSTSEC-2026-0049)", POINT, "accept",
        [revocation_list(OTHER_SERIAL, extensions=[scope(*theirs)])], GOOD, own)
for name, own, theirs in (("no-point", three, ("d",)), ("no-name", one_with_three, ("d", "x"))):
    ask(f"crl-for-{name}", "a list for a place that the certificate does not name shows nothing", POINT,
        UNKNOWN, [revocation_list(OTHER_SERIAL, extensions=[scope(*theirs)])], GOOD, own)
    ask(f"crl-for-{name}-revokes", "a list for a place that the certificate does not name revokes nothing",
        POINT, "accept", [revocation_list(SERIAL, extensions=[scope(*theirs)])], GOOD, own, demand="given")
for order, name in ((("a", "b"), "first"), (("b", "a"), "last")):
    lists = {
        "a": revocation_list(OTHER_SERIAL, extensions=[scope("a")]),
        "b": revocation_list(SERIAL, extensions=[scope("b")])}
    ask(f"crl-second-point-revokes-{name}", "the list of the first point does not undo that of the second, "
        "in any order", POINT, REVOKED, [lists[place] for place in order], GOOD, two)

# Lists without entries.

EMPTY = "RFC 5280 §5.1.2.6"


def raw_list(revoked, *, version=integer(1), extensions=None, key="Authority", issuer="Authority"):
    """A list of which each part may be wrong."""
    what = sequence(
        version, ED25519, common(issuer), tlv(0x17, b"251201000000Z"), tlv(0x17, b"260201000000Z"), revoked,
        tlv(0xA0, sequence(extension("2.5.29.20", integer(1)))) if extensions is None else extensions)
    return sequence(what, ED25519, tlv(3, b"\0", KEYS[key].sign(what)))


for rules, expect in (
    ("webPKI", "accept"), ("rfc5280", "accept"), ("apple", "accept"), ("strictRFC5280", UNKNOWN),
    ("strict", UNKNOWN)
):
    ask(f"crl-empty-entries-{rules}", "a list whose entries are there but empty revokes nothing; strict rules "
        "do not take it", EMPTY, expect, [raw_list(sequence())], GOOD, rules=rules)
    ask(f"crl-without-entries-{rules}", "a list without entries is the right form of the same", EMPTY, "accept",
        [raw_list(b"")], GOOD, rules=rules)

# Lists that cannot be read: what their issuer has signed must not vanish.


def entries(*serials):
    return sequence(*[sequence(serial, tlv(0x17, b"251101000000Z")) for serial in serials])


NUMBER = extension("2.5.29.20", integer(1))
GOOD_LIST = revocation_list(OTHER_SERIAL)
for name, cites, parts in (
    ("version-3", "RFC 5280 §5.1.2.1", {"version": integer(2)}),
    ("version-1-extensions", "RFC 5280 §5.1.2.7", {"version": b""}),
    ("extension-twice", "RFC 5280 §5.2", {"extensions": tlv(0xA0, sequence(NUMBER, NUMBER))}),
    ("extensions-empty", "RFC 5280 §5.1.2.7", {"extensions": tlv(0xA0, sequence())}),
    ("trailing-field", "RFC 5280 §5.1", {"extensions": tlv(0xA0, sequence(NUMBER)) + NULL}),
):
    about = "a list that cannot be read, by the right issuer"
    bad = raw_list(entries(OTHER_SERIAL, SERIAL), **parts)
    for order, lists in (("first", [bad, GOOD_LIST]), ("last", [GOOD_LIST, bad])):
        ask(f"crl-unreadable-{name}-{order}", f"{about}, may name the leaf: a good list beside it does not hide "
            "that", cites, UNKNOWN, lists, GOOD)
    ask(f"crl-unreadable-{name}-soft", f"{about}, revokes nothing by itself", cites, "accept", [bad, GOOD_LIST],
        GOOD, demand="given")
    ask(f"crl-unreadable-{name}-another", f"{about}, without the serial number of the leaf in it", cites,
        "accept", [raw_list(entries(OTHER_SERIAL), **parts), GOOD_LIST], GOOD)
    ask(f"crl-unreadable-{name}-forged", "a list that cannot be read may be a damaged one if its signature does "
        "not verify", cites, UNKNOWN, [raw_list(entries(SERIAL), key="Other", **parts), GOOD_LIST], GOOD)
    ask(f"crl-unreadable-{name}-stranger", "a list that cannot be read, of another issuer, says nothing", cites,
        "accept", [raw_list(entries(SERIAL), key="Other", issuer="Other", **parts), GOOD_LIST], GOOD)
    ask(f"crl-unreadable-{name}-revoked", "what a list that can be read revokes stays revoked", cites, REVOKED,
        [bad, revocation_list(SERIAL)], GOOD, demand="given")

# Names.

NAME = "RFC 5280 §4.2.1.6"
UPN = oid("1.3.6.1.4.1.311.20.2.3")
for name, value, critical in (
    ("empty", sequence(), False), ("empty-critical", sequence(), True),
    ("other-untagged", sequence(dns(HOST), tlv(0xA0, UPN, tlv(12, b"a@b"))), False),
    ("other-tagged", sequence(dns(HOST), tlv(0xA0, UPN, tlv(0xA0, tlv(12, b"a@b")))), False),
):
    for rules in ("webPKI", "rfc5280", "apple", "strictRFC5280", "strict"):
        is_odd = name != "other-tagged" and rules.startswith("strict")
        expect = "reject encoding at 0" if is_odd else "accept"
        case(f"names-{name}-{rules}", "alternative names without a name, or with an otherName without its [0]: "
            "strict rules do not take them", NAME,
            "unreadable at 0 in subjectAltName" if name == "empty-critical" else expect,
            [leaf(extension("2.5.29.17", value, critical), base=STRICT), STRICT_MIDDLE],
            anchors=(STRICT_ROOT,), purpose="any", rules=rules)

# Mailboxes: RFC 5321 §4.1.2 lets quotes be left out.

for name, own, constraint, tree, expect in (
    ("quoted", '"foo"@example.com', "foo@example.com", "permitted", "reject nameNotPermitted at 0"),
    ("quoted-constraint", "foo@example.com", '"foo"@example.com', "permitted", "reject nameNotPermitted at 0"),
    ("quoted-both", '"foo"@example.com', '"foo"@example.com', "permitted", "accept"),
    ("quoted-escape", '"f\\oo"@example.com', '"foo"@example.com', "permitted", "reject nameNotPermitted at 0"),
    ("quoted-excluded", '"foo"@example.com', "foo@example.com", "excluded", "reject nameExcluded at 0"),
    ("quoted-excluded-constraint", "foo@example.com", '"foo"@example.com', "excluded",
        "reject nameExcluded at 0"),
    ("quoted-host", '"foo"@example.com', "example.com", "permitted", "accept"),
    ("unquoted", "foo@example.com", "foo@example.com", "permitted", "accept"),
):
    case(f"mail-{name}", "quotes of a mailbox: what is permitted is compared as written, what is excluded as "
        "meant", "RFC 5280 §4.2.1.10", expect,
        [leaf(names(mail(own))), middle(subtrees(**{tree: [mail(constraint)]}))], purpose="any")
