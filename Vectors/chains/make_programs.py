"""Writes the cases `program-*` of this folder: what root programs demand of paths to an anchor.

    python3 make_programs.py

Each limit has a case on both sides of its second. Expectations are stated here, by the meaning that
Mozilla's certdata.txt and Chrome's root_store.proto give to the limit.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from parts import *

case = Cases(__file__).write
MOZILLA = "Mozilla, CKA_NSS_SERVER_DISTRUST_AFTER"
CHROME = "Chrome, root_store.proto ConstraintSet"
LIMIT = "2025-06-01T00:00:00Z"
LAST, NEXT = b"250601000000Z", b"250601000001Z"


def pair(name, about, cites, program, good, bad, rule, place=0):
    """A case that is accepted and one that breaks the rule; each a leaf and more options."""
    for more, expect, (what, options) in (
        ("-good", "accept", good), ("", f"reject {rule} at {place}", bad)
    ):
        case(f"program-{name}{more}", about, cites, expect, [what, ISSUER],
            **{"anchors": (ANCHOR,), "program": program, **options})


PLAIN = end()
pair("issued-until", "a leaf issued in the last second, and one a second later", MOZILLA,
    f"issuedUntil={LIMIT}", (end(start=LAST), {}), (end(start=NEXT), {}), "programIssuance")
pair("issued-after", "a leaf issued a second after the limit, and one in its second", CHROME,
    f"issuedAfter={LIMIT}", (end(start=NEXT), {}), (end(start=LAST), {}), "programIssuance")
pair("backdated", "a leaf of January; a log saw it in the last second, or a second later", MOZILLA,
    f"issuedUntil={LIMIT}", (PLAIN, {"logged": LIMIT}), (PLAIN, {"logged": "2025-06-01T00:00:01Z"}),
    "programLogTime")
case("program-backdated-no-log", "no timestamp verifies, so notBefore decides", MOZILLA, "accept",
    [PLAIN, ISSUER], anchors=(ANCHOR,), program=f"issuedUntil={LIMIT}", logged="none")
pair("logged-until", "the first timestamp is of the last second, or a second later", CHROME,
    f"loggedUntil={LIMIT}", (PLAIN, {"logged": f"{LIMIT} 2025-06-02T00:00:00Z"}),
    (PLAIN, {"logged": "2025-06-01T00:00:01Z 2025-06-02T00:00:00Z"}), "programLogTime")
pair("logged-after", "all timestamps are later than the limit, or one is of its second", CHROME,
    f"loggedAfter={LIMIT}", (PLAIN, {"logged": "2025-06-01T00:00:01Z 2025-06-02T00:00:00Z"}),
    (PLAIN, {"logged": f"{LIMIT} 2025-06-02T00:00:00Z"}), "programLogTime")
pair("logged-none", "at least one timestamp must verify", CHROME, f"loggedUntil={LIMIT}",
    (PLAIN, {"logged": LIMIT}), (PLAIN, {"logged": "none"}), "programLogTime")
pair("logged-unknown", "nobody looked at timestamps, so notBefore takes their place", CHROME,
    f"loggedUntil={LIMIT}", (end(start=LAST), {}), (end(start=NEXT), {}), "programLogTime")
for more, good, bad in (
    ("name", "WWW.bad.Example", "www.worse.example"), ("name-wildcard", "*.bad.example", "*.example"),
    ("name-label", "bad.example", "notbad.example"),
):
    pair(more, "every DNS name is the permitted one or lies below it", CHROME, "dnsNames=bad.example", *[
        (end(base=(SIGN, SERVER, BELOW, names(dns(each)))), {"purpose": "server"}) for each in (good, bad)
    ], "programName")
pair("name-dot", "a dot before the permitted name changes nothing", CHROME, "dnsNames=.example", *[
    (end(base=(SIGN, SERVER, BELOW, names(dns(each)))), {"purpose": "server"})
    for each in ("www.bad.example", "www.example.org")], "programName")
pair("name-second", "the first name is permitted, the second not", CHROME, "dnsNames=bad.example", *[
    (end(base=(SIGN, SERVER, BELOW, names(*map(dns, each)))), {"purpose": "server"})
    for each in ((HOST, "bad.example"), (HOST, "example.org"))], "programName")
MAIL = "1.3.6.1.5.5.7.3.4"
pair("purpose", "an anchor for servers, and one for e-mail only", MOZILLA, None, (PLAIN, {
    "program": "purposes=1.3.6.1.5.5.7.3.1"}), (PLAIN, {"program": f"purposes={MAIL}"}), "programPurpose", 2)
OWN = oid("1.3.6.1.4.1.99999.1")
middle_of_policy = middle(own("Authority"), above("Root"), policies(OWN))
for more, policy, expect in (("-good", "1", "accept"), ("", "2", "reject programPolicy at 0")):
    case(f"program-policy{more}", "the path is valid for the policy 1", "RFC 5280 §6.1.6", expect,
        [end(policies(OWN)), middle_of_policy], anchors=(ANCHOR,), program=f"policies=1.3.6.1.4.1.99999.{policy}")
SHORT = root(own("Root"), end=b"260101000000Z")
for more, time, expect in (
    ("-good", "2026-01-01T00:00:00Z", "accept"), ("", "2026-01-01T00:00:01Z", "reject programExpiry at 2")
):
    case(f"program-expiry{more}", "the anchor's last second, and the next", CHROME, expect,
        [PLAIN, ISSUER], anchors=(SHORT,), program="expiry", time=time)
case("program-expiry-not-enforced", "the anchor has expired, and the program does not mind", CHROME,
    "accept", [PLAIN, ISSUER], anchors=(SHORT,), program=f"issuedUntil={LIMIT}", time="2026-01-01T00:00:01Z")
pair("alternatives", "the second of two sets holds, or none does", CHROME, None,
    (PLAIN, {"program": f"issuedAfter={LIMIT} or dnsNames=bad.example"}),
    (PLAIN, {"program": f"issuedAfter={LIMIT} or dnsNames=good.example issuedAfter={LIMIT}"}),
    "programIssuance")
case("program-distrust", "an anchor that the program does not trust", MOZILLA,
    "reject programDistrust at 2", [PLAIN, ISSUER], anchors=(ANCHOR,), program="none")
