"""Writes the suite of the judge: our own cases in x509-limbo's schema, with the reasons.

    python3 make.py [FILE] [--sample N] [--digest]
    python3 make.py --rules

FILE is Vectors/External/judge.json otherwise; `-` is standard output. The cases come from ../causes, ../chains,
../flaws, ../paths, ../merkle and from families.py; all of them are files of this repository, so the same bytes come out
each time. --sample N writes each N-th case of families.py alone. --digest prints the SHA-256 instead of a file.
--rules prints how many cases name each rule.
Of packages it needs pyca/cryptography where two paths have the same names: the one whose signatures verify is
the path then.
"""
import base64
import functools
import hashlib
import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
VECTORS = FOLDER.parent
RULES = dict((row[0], row[1:]) for row in (
    line.split(" | ") for line in (FOLDER / "rules.txt").read_text().splitlines()))
# More precise sections than those of the rules, for kinds of ../causes.
SECTIONS = {
    "address-as-dns": "RFC 9525 §6.4", "wide-wildcard": "CA/B BR §3.2.2.6", "path-length-of-anchor": "RFC 5280 §6.1.1 (d)",
    "unknown-extension-of-anchor": "RFC 5937 §3.2", "long-serial-number": "RFC 5280 §4.1.2.2",
    "negative-serial-number": "RFC 5280 §4.1.2.2", "empty-subject": "RFC 5280 §4.1.2.6", "empty-issuer": "RFC 5280 §4.1.2.4",
    "feature-missing": "RFC 7633 §4.2.2", "feature-lacking": "RFC 7633 §4.2.2", "precertificate": "RFC 6962 §3.1",
    "unsigned-signature": "RFC 9925 §3", "validity-inverted": "RFC 5280 §4.1.2.5", "dsa-key": "CA/B BR §6.1.5",
    "explicit-curve": "RFC 5480 §2.1.1", "rsa-key-without-null": "RFC 3279 §2.3.1", "duplicate-extension": "RFC 5280 §4.2",
    "malformed-time": "RFC 5280 §4.1.2.5", "version-of-7": "RFC 5280 §4.1.2.1", "even-modulus": "CA/B BR §6.1.6",
}
# Answers that are decisions of this suite, by kind of ../causes, by rule or by section, with the reason.
MAIL = ("RFC 5280 §4.2.1.10 constrains an emailAddress of the subject where there are no alternative names; this suite does so "
        "where there are, too, for a name that is compared should be bound")
TLS_USAGE = "RFC 5280 §6.1 does not look at a leaf's key usage; §4.2.1.3 says what a key is for, and TLS signs or agrees on keys"
HOUSE = {
    "list-without-end": "RFC 5280 §5.1.2.5 makes nextUpdate mandatory for CAs; §6.3.3 (a) does not say how long such a CRL holds",
    "list-of-the-future": "RFC 5280 §6.3.3 does not compare thisUpdate; by §5.1.2.4 it is the issue date, so the CRL is not out yet",
    "mail-in-subject": MAIL, "excluded-mail-in-subject": MAIL, "no-signing": TLS_USAGE, "encipherment-of-data-only": TLS_USAGE,
    "RFC 5280 §4.1.2.6": MAIL,
    "leafNotFirst": "RFC 8446 §4.4.2 puts the end entity first; that another certificate is meant is a guess that helps to mend it",
    "leafIsAnchor": "RFC 5280 §6.1 leaves a path without a certificate below the anchor to the caller, who has forbidden it here",
    "oversizedKey": "no standard has a greatest size: a limit of work",
    "oversizedExponent": "no standard has a greatest size: a limit of work",
    "constraintMalformed": "RFC 5280 §4.2.1.10 says what a constraint looks like; what cannot be compared excludes all names here",
    "nameMalformed": "RFC 5280 §4.2.1.6 says what a name looks like; one that cannot be compared is outside of all subtrees here",
    "limit of": "no standard has a limit here: a limit of work",
}
PROOF = bytes.fromhex("060a2b0601040182da4b2f00")  # The algorithm of a certificate in a Merkle tree.
AUTHORITY_KEY, POLICY_CONSTRAINTS, POLICY_MAPPINGS = (bytes([6, 3, 0x55, 0x1D, arc]) for arc in (35, 36, 33))
# Rules that are broken, too, so that a verifier that names them is right: of a kind, and of a rule.
ALSO = {
    "other-signer": ["issuerNotFound"], "other-signer-or-bare": ["issuerNotFound"], "wrong-issuer-sent": ["issuerNotFound"],
    "root-with-other-key": ["issuerNotFound", "signature"], "self-signed": ["issuerNotFound"],
    "damaged-and-host": ["hostName"], "damaged-and-usage": ["keyUsage"], "damaged-and-expired": ["expired"],
    "damaged-and-unknown-extension": ["unknownCriticalExtension"], "damaged-and-purpose": ["extendedKeyUsage"],
    "revoked-and-host": ["hostName"], "revoked-and-usage": ["keyUsage"], "revoked-and-expired": ["expired"],
    "revoked-and-purpose": ["extendedKeyUsage"], "validity-inverted": ["expired"],
    "validity-inverted-in-the-past": ["notYetValid"], "empty-issuer": ["emptyIssuer", "issuerNotFound"],
    "authority-as-server": ["hostName", "noHostNames", "extendedKeyUsage", "keyUsage"], "no-names": ["hostName"],
    "version-1": ["basicConstraintsMissing", "keyUsage", "notCA"], "no-authority": ["notCA"],
}
ALSO_OF_RULE = {
    "leafNotFirst": ["hostName", "noHostNames", "leafIsCA", "expired", "keyUsage", "extendedKeyUsage"],
    "issuerUnreadable": ["issuerNotFound", "unreadable", "signature"], "nameChaining": ["issuerNotFound"],
    "untrustedRoot": ["issuerNotFound"], "issuerNotFound": ["untrustedRoot"], "basicConstraintsMissing": ["notCA"],
    "unsupportedAlgorithm": ["signature"], "unsupportedKey": ["signature", "unreadable", "unsupportedAlgorithm"],
    "invalidKey": ["unreadable", "unsupportedKey"], "algorithmsDiffer": ["signature", "unreadable"],
    "signatureParameters": ["signature", "unreadable", "unsupportedAlgorithm"], "weakDigest": ["signature", "unsupportedAlgorithm"],
    "noHostNames": ["hostName"], "encoding": ["unreadable"], "nameMalformed": ["constraintUnsupported", "unreadable"],
    "constraintMalformed": ["constraintUnsupported", "unreadable", "nameNotPermitted"], "unreadable": ["encoding"],
    "constraintUnsupported": ["nameNotPermitted"], "weakKey": ["signature"], "curveNotAllowed": ["unsupportedKey", "signature"],
}


# A reader of the few fields that a path needs.


def element(der, place=0):
    """The tag, content and end of an element."""
    length, start = der[place + 1], place + 2
    if length & 128:
        size = length & 127
        length, start = int.from_bytes(der[start:start + size], "big"), start + size
    if start + length > len(der):
        raise IndexError
    return der[place], der[start:start + length], start + length


def elements(content):
    place, found = 0, []
    while place < len(content):
        _, _, end = element(content, place)
        found.append(content[place:end])
        place = end
    return found


@functools.cache
def outline(der):
    """The issuer, subject, validity and certificate of pyca; None if it cannot be read."""
    try:
        fields = elements(element(elements(element(der)[1])[0])[1])
        fields = fields[1:] if fields[0][0] == 0xA0 else fields
        first, last = ("20" * (one[0] == 0x17) + element(one)[1].decode() for one in elements(element(fields[3])[1]))
        return fields[2], fields[4], first, last
    except (IndexError, ValueError):
        return None


def is_signed(certificate, issuer):
    from cryptography import x509
    try:
        x509.load_der_x509_certificate(certificate).verify_directly_issued_by(x509.load_der_x509_certificate(issuer))
        return True
    except Exception:
        return False


def only_path(chain, anchors, time):
    """The path to an anchor, if no other leads there by names, times and signatures."""
    now = re.sub("[^0-9]", "", time) + "Z"
    readable = [one for one in dict.fromkeys([*anchors, *chain[1:]]) if outline(one)]

    steps = 0

    def paths(path):
        nonlocal steps
        steps += 1
        if path[-1] in anchors or steps > 2000:
            return [path]
        found = []
        for one in readable:
            if one not in path and outline(one)[1] == outline(path[-1])[0] and len(path) < 12:
                found += paths([*path, one])
        return found

    if not outline(chain[0]):
        return None
    found = paths([chain[0]])
    if steps > 2000:
        return None
    if len(found) > 1:
        # An anchor's validity binds no verifier.
        found = [path for path in found if all(outline(one)[2] <= now <= outline(one)[3] for one in path[:-1])]
    if len(found) > 1:
        found = [path for path in found if all(map(is_signed, path, path[1:]))]
    return found[0] if len(found) == 1 else None


# Cases.


def pem(der, label="CERTIFICATE"):
    text = base64.b64encode(der).decode()
    lines = [text[place:place + 64] for place in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def named(der):
    return hashlib.sha256(der).hexdigest()


def basis(rule, section, reasoning):
    """Who asks for it: see README.md."""
    if reasoning:
        return "house"
    if rule in RULES:
        return "issuance" if section.startswith(("RFC 3161", "RFC 6960 §4.2.2.2")) else RULES[rule][0]
    if rule == "unreadable":
        return "issuance"
    if section.startswith("CA/B"):
        return "web"
    if section.startswith(("Chrome", "Mozilla", "root program")):
        return "program"
    if section.startswith("draft-"):
        return "draft"
    return "validation" if re.match(
        r"RFC (5280 §6|9525|9618|8550|6960|5280 §4\.2\.1\.1[02]|5280 §4\.1\.2\.5$)|X509-SVID|SPIFFE", section) else "issuance"


LIMBO_USES = {"email": "emailProtection", "codeSigning": "codeSigning", "timeStamping": "timeStamping",
              "ocspSigning": "OCSPSigning", "any": "anyExtendedKeyUsage", "client": "clientAuth", "server": "serverAuth"}


def testcase(label, about, section, chain, anchors, *, time, purpose, rules="webPKI", rule=None, at=(), also=(), path=None,
             lists=(), responses=(), revocation=None, house=None, settings=(), control=None):
    use, _, peer = purpose.partition(" ")
    name = None
    if peer and use != "spiffe":  # The schema has no kind of name for it.
        is_address = ":" in peer or peer.replace(".", "").isdigit()
        name = {"kind": "RFC822" if use == "email" else "IP" if is_address else "DNS", "value": peer}
    settings = {key: value for key, value in dict(settings).items() if value}
    preset, *changes = rules.split()
    requires = ["status"] * (rule == "revocationUnknown") + ["crl"] * bool(lists) + ["ocsp"] * bool(responses)
    if revocation not in (None, "leaf"):
        requires.append(f"revocation:{revocation}")
    if use not in ("server", "client"):
        requires.append(f"purpose:{use}")
    if preset != "webPKI":
        requires.append(f"rules:{preset}")
    requires += [change.partition("=")[0] for change in changes]
    requires += sorted(settings)
    if any(one in der for der in [*chain, *anchors] for one in (POLICY_CONSTRAINTS, POLICY_MAPPINGS)) or rule == "policyRequired":
        requires.append("policies")
    house = house or HOUSE["limit of"] if section.startswith("limit of") else house
    if RULES.get(rule, [""])[0] == "house":
        house = house or HOUSE[rule]
    kind = basis(rule, section, house)
    lacks_identifier = any(AUTHORITY_KEY not in one for one in chain if one not in anchors)
    if rule and lacks_identifier:
        also = [*also, "extensionMissing"]
    if kind == "validation" and not rule and lacks_identifier:
        # It leaves out what a CA must write, so a stricter verifier may refuse it.
        kind = "issuance"
    if rule == "unsupportedKey" and list(at) == [chain[0]] and "signature" not in label:
        kind = "web"  # Nothing is verified with the key of a leaf.
    depth = next((int(change.partition("=")[2]) for change in changes if change.startswith("maximumPathLength")), None)
    features = ["has-crl"] * bool(lists) + ["max-chain-depth"] * (depth is not None)
    if preset.startswith("strict"):
        features.append("pedantic-rfc5280")
    case = {
        "id": label, "conflicts_with": [], "features": features, "importance": "undetermined", "description": about,
        "validation_kind": "SERVER" if use == "server" else "CLIENT", "trusted_certs": [pem(one) for one in anchors],
        "untrusted_intermediates": [pem(one) for one in chain[1:]], "peer_certificate": pem(chain[0]),
        "peer_certificate_key": None, "validation_time": time, "signature_algorithms": [], "key_usage": [],
        "extended_key_usage": [LIMBO_USES[use]] if use in LIMBO_USES else [],
        "expected_result": "FAILURE" if rule else "SUCCESS",
        "expected_peer_name": name if use == "server" else None,
        "expected_peer_names": [name] if name and use != "server" else [],
        "max_chain_depth": depth, "crls": [pem(one, "X509 CRL") for one in lists],
        "ocsp_responses": [pem(one, "OCSP RESPONSE") for one in responses],
        "rule": rule, "also": sorted(set(also) - {rule}), "section": section, "basis": kind, "reasoning": house,
        "certificate": [named(one) for one in at] or None,
        "expected_path": [named(one) for one in path] if path else None,
        "requires": requires, "control": control,
        "settings": {"rules": rules, "purpose": purpose, "revocation": revocation, **settings},
    }
    assert re.fullmatch(r"([A-Za-z][A-Za-z0-9-.]+::)*([A-Za-z][A-Za-z0-9-.]+)", label), label
    assert not rule or rule == "unreadable" or rule in RULES or rule == "any", (label, rule)
    return case


def blocks(text, label):
    return [base64.b64decode(body) for body in re.findall(
        f"-----BEGIN {label}-----\n(.*?)-----END {label}-----", text, re.S)]


def written():
    """The cases of .case files."""
    for folder in ("chains", "flaws", "paths"):
        for file in sorted((VECTORS / folder).glob("*.case")):
            text = file.read_text()
            head = text.partition("-----BEGIN")[0]
            values = dict(re.findall(r"^([a-z-]+): *(.*)$", head, re.M))
            sent, _, trusted = text.partition("\nanchor:")
            chain, anchors = blocks(sent, "CERTIFICATE"), blocks(trusted, "CERTIFICATE")
            verdict, *words = values["expect"].split()
            rule, at = None, []
            every = chain + anchors
            if verdict == "unreadable":
                index = int(words[1]) if len(words) > 1 else 0
                rule = "unreadable" if index == 0 else "issuerUnreadable"
                # What cannot be read among the anchors is no anchor.
                if index >= len(chain):
                    rule = "issuerNotFound" if len(chain) == 1 or outline(chain[-1]) else "issuerUnreadable"
                else:
                    at = [every[index]]
            elif verdict == "reject":
                rule = words[0] if words else "any"
                path = only_path(chain, anchors, values["time"]) or chain + anchors[:1]
                if len(words) > 2 and int(words[2]) < len(path):
                    at = [path[int(words[2])]]
            yield testcase(
                f"{folder}::{file.stem}", values["about"], values["cites"], chain, anchors, time=values["time"],
                purpose=values["purpose"], rules=values.get("rules", "webPKI"), rule=rule, at=at,
                also=ALSO_OF_RULE.get(rule, []), path=None if rule else only_path(chain, anchors, values["time"]),
                house=HOUSE.get(values["cites"]) if rule in ("nameNotPermitted", "nameExcluded") else None,
                lists=blocks(sent, "X509 CRL"), responses=blocks(sent, "OCSP RESPONSE"),
                revocation=values.get("revocation"),
                settings={key: values.get(key) for key in ("public", "program", "logged", "domains")})


def table(file):
    rows = (line.split() for line in file.read_text().splitlines())
    return [base64.b64decode(row[-1]) for row in rows]


def caused():
    """The cases of ../causes, and the question without the fault."""
    folder = VECTORS / "causes"
    ders, sources = table(folder / "certificates.txt"), table(folder / "sources.txt")
    time, controls = "2026-06-15T12:00:00Z", {}
    for line in (folder / "cases.txt").read_text().splitlines():
        label, *pairs = line.split()
        values = dict(pair.split("=", 1) for pair in pairs)

        def all_of(key, among=ders, separator=","):
            return [among[int(one)] for one in values.get(key, "").split(separator) if one]

        kind, rule = label.split("/")[0], values["rule"]
        host = values.get("host", "www.causes.example")
        purpose = f"server {host}" if values.get("purpose", "server") == "server" else values["purpose"]
        common = {"time": time, "purpose": purpose, "rules": values.get("rules", "webPKI")}
        chain, anchors = all_of("chain"), all_of("anchors")
        lists, responses, source = all_of("lists", sources), all_of("responses", sources), all_of("source", sources)
        revocation = "leaf" if lists or responses else None
        fixed = {ders[int(bad)]: ders[int(good)] for bad, good in (
            pair.split(":") for pair in values.get("good", "").split(",") if pair)}
        right = [fixed.get(one, one) for one in chain]
        trusted = [fixed.get(one, one) for one in anchors]
        if not fixed and not source:
            right += [one for one in all_of("add") if one not in right]
            trusted += [one for one in all_of("trust") if one not in trusted]
        if rule == "leafNotFirst" and not fixed:
            # The right leaf is the other certificate of the first one's subject.
            wanted = [one for one in chain[1:] if outline(one)[1] == outline(chain[0])[1]]
            right = [*wanted, *(one for one in chain if one not in wanted)] if wanted else None
        # A source that gives the status stands instead of those that do not.
        is_list = [one for one in source if sources.index(one) >= 0 and len(elements(element(one)[1])) == 3]
        good = {"lists": is_list, "responses": [one for one in source if one not in is_list]} if source else {}
        control = None
        if right and rule not in ("leafIsCA",) and (right != chain or trusted != anchors or source) and not (
                kind.startswith("self-signed") or (kind.startswith("revoked") and not fixed)):
            question = (tuple(right), tuple(trusted), purpose, tuple(source), common["rules"], tuple(lists) if not source else ())
            control = f"controls::{label.replace('/', '::')}"
            if question in controls:
                control = controls[question]
            else:
                path = only_path(right, trusted, time)
                if path:
                    controls[question] = control
                    sources_of_status = good or {"lists": lists, "responses": responses}
                    yield testcase(
                        control, f"without the fault of {label}", "RFC 5280 §6.1", right, trusted, path=path,
                        revocation=revocation, **sources_of_status, **common)
                else:
                    control = None
        yield testcase(
            f"causes::{label.replace('/', '::')}", f"{kind.replace('-', ' ')}: {values['word'].replace('_', ' ')}",
            SECTIONS.get(kind, RULES[rule][1]), chain, anchors, rule=rule, at=all_of("at", separator="|"),
            also=[*ALSO.get(kind, []), *ALSO_OF_RULE.get(rule, [])], lists=lists, responses=responses,
            revocation=revocation, control=control, house=HOUSE.get(kind), **common)


def families():
    """The cases of families.py."""
    ders, sources = table(FOLDER / "certificates.txt"), table(FOLDER / "sources.txt")
    for line in (FOLDER / "families.txt").read_text().splitlines():
        label, *pairs = line.split()
        values = {key: value.replace("_", " ") for key, value in (pair.split("=", 1) for pair in pairs)}

        def all_of(key, among=ders):
            return [among[int(one)] for one in values.get(key, "").split(",") if one]

        rule = None if values["expect"] == "accept" else values["expect"]
        chain, anchors = all_of("chain"), all_of("anchors")
        yield testcase(
            f"families::{'::'.join(part if len(part) > 1 and part[0].isalpha() else 'case-' + part for part in label.split('/'))}",
            values["about"], values["cites"], chain, anchors, time="2026-06-15T12:00:00Z",
            purpose=values.get("purpose", f"server {values.get('host', 'www.causes.example')}"),
            rules=values.get("rules", "webPKI"), rule=rule, at=all_of("at"), path=all_of("path"),
            also=[*values.get("also", "").split(), *ALSO_OF_RULE.get(rule, [])], lists=all_of("lists", sources),
            responses=all_of("responses", sources), revocation=values.get("revocation"), house=values.get("house"))


def in_trees():
    """The cases of ../merkle."""
    folder = VECTORS / "merkle"
    ders = {name: base64.b64decode(body) for name, body in re.findall(
        "(\\S+)\n-----BEGIN CERTIFICATE-----\n(.*?)-----END", (folder / "certificates.pem").read_text(), re.S)}
    for line in (folder / "cases.txt").read_text().splitlines()[1:]:
        label, trust, time, names, verdict, *pairs = line.split()
        values = {key: value.replace("_", " ") for key, value in (pair.split("=", 1) for pair in pairs)}
        rule = values.get("rule")
        chain = [ders[name] for name in names.split(",")]
        text = (folder / f"{trust}.json").read_text()
        anchors = [base64.b64decode(tree["certificate"]) for tree in json.loads(text)["trees"]]
        # Of a rule about proofs and entries it is the certificate that has one.
        is_of_tree = rule and (rule.startswith("merkle") or rule == "revoked")
        of_proof = [one for one in chain if PROOF in one] if is_of_tree else []
        yield testcase(
            f"merkle::{label}", values.get("text", label.replace("-", " ")),
            RULES[rule][1] if rule else "draft-ietf-plants-merkle-tree-certs §7.2", chain, anchors, time=time,
            purpose="server tree.example", rule=rule, at=(of_proof or chain) if rule else [], also=ALSO_OF_RULE.get(rule, []),
            path=None if rule else chain + anchors, settings={"trees": text})


def suite(sample=None):
    cases = list(families())[::sample] if sample else [*caused(), *families(), *written(), *in_trees()]
    assert len({case["id"] for case in cases}) == len(cases)
    rows = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    return f'{{"version": 1, "count": {len(cases)}, "testcases": [\n{rows}\n]}}\n', cases


def count_of_rules():
    """How many cases name each rule, by their lines alone."""
    lines = (VECTORS / "causes" / "cases.txt").read_text() + (FOLDER / "families.txt").read_text()
    lines += (VECTORS / "merkle" / "cases.txt").read_text()
    named = re.findall(r" (?:rule|expect)=(\w+)", lines)
    for folder in ("chains", "flaws", "paths"):
        for file in (VECTORS / folder).glob("*.case"):
            named += re.findall(r"^expect: +reject (\w+)", file.read_text().partition("-----")[0], re.M)
    return {rule: named.count(rule) for rule in RULES}


def main(words):
    if words == ["--rules"]:
        return print("".join(f"{rule} {count}\n" for rule, count in count_of_rules().items()), end="")
    sample = int(words[words.index("--sample") + 1]) if "--sample" in words else None
    text, cases = suite(sample)
    files = [word for word in words if not word.startswith("--") and word != str(sample)]
    if "--digest" in words:
        return print(hashlib.sha256(text.encode()).hexdigest())
    if files == ["-"]:
        return sys.stdout.write(text)
    file = pathlib.Path(files[0]) if files else VECTORS / "External" / "judge.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    successes = sum(case["expected_result"] == "SUCCESS" for case in cases)
    rules = {case["rule"] for case in cases}
    print(f"{len(cases)} cases, {successes} with a valid path, {sum(bool(case['expected_path']) for case in cases)} that name it, "
          f"{len(rules & set(RULES))} of {len(RULES)} rules: {file}")
    missing = sorted(set(RULES) - rules)
    if missing:
        sys.exit(f"rules without a case: {', '.join(missing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
