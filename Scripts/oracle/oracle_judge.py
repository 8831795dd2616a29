"""Compares the oracle with the suite of the judge: python3 oracle_judge.py SUITE

A case is compared if the oracle knows its rules, its purpose, its keys and what it expects: the path must be one
of the oracle's valid paths, or no path may be valid, and the rule must be broken by the certificate that is named.
Cases that are explained only by a decision of the library (`HOUSE` in oracle.py) are counted apart.
"""
import base64
import collections
import json
import re
import sys

import oracle

PURPOSES = {"server": "server", "client": "client", "codeSigning": "code", "timeStamping": "time", "ocspSigning": "ocsp",
            "any": "any"}
# What Ed25519 and ECDSA with P-256 and SHA-256 look like in a certificate.
ALGORITHMS = [bytes.fromhex(text) for text in ("300506032b6570", "300a06082a8648ce3d040302")]
# Differences by what the oracle lacks: a part of the case's name, and why.
LACKS = [
    ("indirect::|crl-entry-issuer|crl-for-other-place", "indirect CRLs"),
    ("crl-signer|crl-sha1", "CRLs signed by another key than that of the path, or with SHA-1"),
    ("crl-unreadable|crl-number-too-long", "CRLs that a strict reader refuses"),
    ("critical|no-revocation|extension-no-check", "extensions that are known and change nothing, and noRevAvail"),
    ("quoted", "quotes in mailboxes"), ("nc-excluded", "strings that cannot be compared, of which none passes an exclusion"),
    ("constraint-uri-", "URIs whose host is in doubt"), ("constraint-mapped", "addresses of IPv4 in IPv6"),
    ("root-with-other-key|path-root-cloned", "the name of the reason where a root's name has another key"),
    ("right-leaf", "the guess that another certificate is meant"), ("path-leaf-is-anchor", "a path of the anchor alone"),
]
KNOWN = {
    "issuerNotFound", "untrustedRoot", "signature", "notYetValid", "expired", "revoked", "revocationUnknown", "nameChaining",
    "nameNotPermitted", "nameExcluded", "constraintUnsupported", "constraintMalformed", "nameMalformed", "policyRequired",
    "mappingOfAnyPolicy", "issuerVersion", "basicConstraintsMissing", "notCA", "pathLength", "keyUsage",
    "unknownCriticalExtension", "extendedKeyUsage", "hostName", "noHostNames", "wildcardTooWide", "leafIsCA", "leafNotFirst",
    "any",
}


def ders(texts):
    return [base64.b64decode("".join(line for line in text.splitlines() if not line.startswith("-"))) for text in texts]


def question(case):
    """The question of a case, or why the oracle is not asked."""
    settings = {key: value for key, value in case["settings"].items() if value}
    use, _, peer = settings["purpose"].partition(" ")
    if settings["rules"] not in ("webPKI", "rfc5280", "apple") or set(settings) - {"rules", "purpose", "revocation"}:
        return "not compared, other rules"
    if use not in PURPOSES:
        return "not compared, another purpose"
    if case["rule"] and case["rule"] not in KNOWN:
        return "not compared, a rule that it does not have"
    chain, anchors = ders([case["peer_certificate"], *case["untrusted_intermediates"]]), ders(case["trusted_certs"])
    line = {
        "host": peer or None, "purpose": PURPOSES[use], "rules": settings["rules"], "time": case["validation_time"],
        "revocation": settings.get("revocation", "ignored"),
    }
    for key, values in (("chain", chain), ("anchors", anchors), ("crls", ders(case["crls"])),
                        ("ocsp", ders(case["ocsp_responses"]))):
        line[key] = [base64.b64encode(one).decode() for one in values]
    try:
        asked = oracle.Question(json.dumps(line))
    except Exception:  # It reads well-formed data alone.
        return "not compared, data that it does not read"
    for one in [asked.leaf, *asked.others, *asked.anchors]:
        if len(one.key) not in (32, 65) or not any(algorithm in one.signed for algorithm in ALGORITHMS):
            return "not compared, keys that it does not have"
    return asked


def difference(case, asked):
    """What the oracle says against a case; None if nothing."""
    valid, broken = oracle.decide(asked)
    if case["expected_result"] == "SUCCESS":
        paths = [[one.digest for one in [*path, anchor]] for path, anchor in valid]
        if case["expected_path"] in paths or not case["expected_path"] and valid:
            return None
        return "the path is another" if valid else f"valid, but broken: {sorted({rule for *_, rules in broken for rule, _ in rules})}"
    if valid:
        return f"{case['rule']}, but there is a valid path"
    if case["rule"] == "any":
        return None
    for path, anchor, rules in broken:
        places = [*path, anchor] if anchor else path
        for rule, index in rules:
            named = places[index].digest if index < len(places) else None
            if rule == case["rule"] and (case["certificate"] is None or named in case["certificate"]):
                return None
    return f"{case['rule']} is not broken there, but {sorted({rule for *_, rules in broken for rule, _ in rules})}"


def main(suite):
    cases = json.load(open(suite, encoding="utf-8"))["testcases"]
    counts, without, found = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for case in cases:
        asked = question(case)
        if isinstance(asked, str):
            without[asked] += 1
            continue
        counts["cases"] += 1
        try:
            against = difference(case, asked)
            if against is None and oracle.applied:
                oracle.are_decisions_left_out = True
                counts["by standards" if difference(case, asked) is None else "by decisions"] += 1
            elif against is None:
                counts["by standards"] += 1
        except Exception as error:
            against = f"the oracle ends: {error!r}"
        finally:
            oracle.are_decisions_left_out = False
        lacking = next((why for part, why in LACKS if against and re.search(part, case["id"])), None)
        if lacking:
            counts["lacking"] += 1
            without[f"it lacks {lacking}"] += 1
        elif against:
            found[re.sub(r"\d+", "N", against)].append(case["id"])
    print(f"{len(cases)} cases: {counts['cases']} compared, {counts['by standards']} agree by the standards, "
          f"{counts['by decisions']} by decisions of the library, {counts['lacking']} differ by what the oracle lacks, "
          f"{sum(map(len, found.values()))} otherwise")
    for reason, count in without.most_common():
        print(f"{reason}: {count}")
    for against, labels in sorted(found.items(), key=lambda row: -len(row[1])):
        print(f"DIFFERS: {against}: {len(labels)}, such as {', '.join(labels[:20])}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1])
