"""Compares the verdicts of `holdfast batch` and pyca/cryptography on generated chains.

Scripts/oracle/differential prepares what this needs, and has the options.
"""
import argparse
import base64
import collections
import concurrent.futures
import datetime
import hashlib
import ipaddress
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import warnings

EXAMPLES, EXAMPLES_OF_A_KIND = 20, 6
TRUSTED = "trusted"
# The verdict where a program ended without one.
CRASHED = "crashed"

# Messages of pyca that do not say what is wrong with the path.
VAGUE = (r"signature does not match|no interior errors|no anchor can|not valid at|max depth"
         r"|path length|ParseError|match(ed|ing) (SAN|subjectAltName)|unsatisfiable|basicConstraints|mismatch|X509v3|alone")
# The OIDs of name constraints and alternative names.
CONSTRAINTS, NAMES = bytes.fromhex("0603551d1e"), bytes.fromhex("0603551d11")

# The classes: whose verdict is more lenient, our rule, what pyca says, the name, why. The first row
# that matches counts. Our rule is that of the preset `strict` where we trust: what it rejects and
# the preset in question does not.
CLASSES = [
    ("pyca is stricter", "", r"^extension policy: .*(2\.5\.29\.35: .*missing|authorityKeyIdentifier must)",
     "no authority key identifier, or one without a key identifier",
     "RFC 5280 §4.2.1.1 asks CAs for it, §6.1 does not use it; `strict` rejects it"),
    ("pyca is stricter", "", r"^extension policy: .*(incorrect criticality|EE subjectAltName MUST)",
     "an extension is critical that should not be, or the reverse",
     "RFC 5280 §4.2 and BR §7.1.2 ask CAs for it, §6.1 does not; `strict` rejects it"),
    ("pyca is stricter", r"^strict: (extendedKeyUsage(Any|Missing)|keyUsage)", r"^extension policy: .*EKU",
     "the leaf has anyExtendedKeyUsage for serverAuth",
     "RFC 5280 §4.2.1.12 leaves it to the application; BR §7.1.2.7.10; `strict` rejects it"),
    ("pyca is stricter", "", r"^extension policy: EE keyUsage must not assert keyCertSign",
     "a leaf that is no CA asserts keyCertSign",
     "RFC 5280 §4.2.1.9 asks CAs; it can sign no path: §6.1.4 (k); `strict` rejects it"),
    ("pyca is stricter", "", r"^extension policy: .*2\.5\.29\.15: .*missing",
     "a CA has no key usage", "RFC 5280 §6.1.4 (n) checks it if present; `strict` rejects it"),
    ("pyca is stricter", "", r"^extension policy: .*2\.5\.29\.30: .*prohibited",
     "a leaf has name constraints",
     "RFC 5280 §4.2.1.10 asks CAs; §6.1.4 (g) uses those of CAs only; `strict` rejects it"),
    ("pyca is stricter", "^(strict: extensionMisplaced|any path)", r"malformed RFC822 name constraint",
     "a leaf has name constraints",
     "RFC 5280 §4.2.1.10 asks CAs; §6.1.4 (g) uses those of CAs only; `strict` rejects it"),
    ("pyca is stricter", "certificate with name constraints has names", r"matched SAN",
     "a certificate's own names are compared with its own name constraints",
     "RFC 5280 §6.1.3 (b), (c) and §6.1.4 (g): they constrain the certificates below"),
    ("pyca is stricter", "", r"unsatisfiable .*malformed SAN",
     "a name that pyca cannot parse, below name constraints that permit it",
     "RFC 5280 §4.2.1.10; labels such as `under_score`; `strict` rejects the syntax"),
    ("pyca is stricter", "", r"malformed DNS name constraint",
     "a constraint on DNS names with a leading dot, an empty one, one with other characters",
     "RFC 5280 §4.2.1.10; such CAs exist, and others read a leading dot as we do"),
    ("pyca is stricter", "", r"unsupported directoryName|unsupported name constraint",
     "not supported by pyca: name constraints of directory names and URIs",
     "RFC 5280 §4.2.1.10"),
    ("pyca is stricter", "", r"unaccounted-for critical",
     "not supported by pyca: policies, and other critical extensions that we know",
     "RFC 9618 §5; RFC 5280 §4.2"),
    ("pyca is stricter", "^strict", r"Forbidden public key algorithm|Forbidden signature algorithm",
     "not supported by pyca: Ed25519 and Ed448, SHA-224, other parameters of RSASSA-PSS, and "
     "parameters that are absent or written out",
     "RFC 8410, RFC 4055 §2.1, §3.1; `strict` rejects those that BR §7.1.3.2 does"),
    ("pyca is stricter", "", r"validity dates between 1950 and 2049",
     "a GeneralizedTime before 2050", "RFC 5280 §4.1.2.5 asks CAs; `strict` rejects it"),
    ("pyca is stricter", "",
     r"DEFAULT value|EncodedDefault|InvalidSetOrdering|SET value was ordered|unexpected tag",
     "a default value written out, a SET OF in another order, an otherName without its tag",
     "X.690 §11.5, §11.6, RFC 5280 §4.2.1.6: deviations that CAs made; `strict` rejects them"),
    ("pyca is stricter", "", r"ValueError: invalid domain name",
     "not asked: a host with a trailing dot or an underscore",
     "RFC 1034 §3.1 and RFC 2181 §11 allow both in DNS"),
    ("pyca is stricter", "IPv4-mapped", r"no matching subjectAltName",
     "the host is an IPv4-mapped address, and the certificate has the IPv4 address",
     "RFC 4291 §2.5.5.2: both are one host, and URL parsers and resolvers take one for the other"),
    ("pyca is stricter", "outside its validity", r".",
     "the anchor's certificate is outside its validity",
     "RFC 5280 §6.1.1 (d): an anchor is a name and a key; `strict` and `apple` check it"),
    ("pyca is stricter", "",
     r"X509v3|serial|non-empty Issuer|mismatch between|basicConstraints|no anchor can be parsed",
     "the anchor's certificate breaks a rule for certificates",
     "RFC 5280 §6.1.1 (d): the same; `strict` checks its constraints and encoding"),
    ("pyca is stricter", "names are equal", r"no interior errors|signature does not match",
     "names that are equal, but not byte for byte",
     "RFC 5280 §7.1 and §6.1.3 (a)(4): case, spaces and string types; `strict` rejects it"),
    ("pyca is stricter", "self-issued", r"signature does not match|no interior errors|path length",
     "a CA's new key, certified by its old key under its own name",
     "RFC 5280 §6.1 and §4.2.1.9: self-issued certificates are part of paths, and not counted"),
    ("pyca is stricter", "", r"max depth|trusts this path alone|signature check limit",
     "pyca finds the path only if nothing else is there",
     "the limits of the two searches differ"),
    ("pyca is stricter", "pyca cannot parse", r".",
     "a certificate with a value that pyca cannot parse",
     "a deviation of the encoding, or an attribute of another type (RFC 5280 appendix A.1)"),
    ("pyca is stricter", "", r"duplicate attributes|X500_UNIQUE|location: \[\"(subject|issuer)\"",
     "an attribute of another type in the subject, or one twice",
     "RFC 5280 §4.1.2.4 and appendix A.1 ask CAs; `strict` rejects it"),
    ("pyca is laxer", r"^unreadable|as a CA is unreadable", "",
     "a certificate is not DER, or a field is not what RFC 5280 defines",
     "X.690 §10, §11, RFC 5280 §4.1, §4.2: also where the validation does not use the field"),
    ("pyca is laxer",
     r"^(invalidKey|unsupportedKey|weakKey|curveNotAllowed|oversizedExponent)"
     r"|elsewhere (invalidKey|weakKey)", "",
     "a leaf's key is impossible, unknown or too weak, or a CA has 2,047 bits or a hybrid point",
     "RFC 5280 §6.1.5, RFC 5480 §2.2, BR §6.1.5, §6.1.6"),
    ("pyca is laxer", r"^encoding \(RFC 5280 §4\.1\.2\.2|elsewhere encoding \(RFC 5280 §4\.1\.2\.2", "",
     "a serial number of 21 bytes", "RFC 5280 §4.1.2.2"),
    ("pyca is laxer", r"^keyUsage", "",
     "a leaf's key usage allows nothing that TLS needs", "RFC 5280 §4.2.1.3, §4.2.1.12"),
    ("pyca is laxer", r"^(nameNotPermitted|nameExcluded|nameMalformed)", "",
     "name constraints apply to the subject and its e-mail address too",
     "RFC 5280 §4.2.1.10, §6.1.3 (b), (c)"),
    ("pyca is laxer", r"^constraint(Unsupported|Malformed)", "",
     "name constraints that cannot be evaluated for a name of their form",
     "RFC 5280 §4.2.1.10: process the constraint or reject; minimum and maximum included"),
    ("pyca is laxer", r"^(policyRequired|mappingOfAnyPolicy)", "",
     "not supported by pyca: policies whose extensions are not critical",
     "RFC 9618 §5.5 (g), RFC 5280 §6.1.4 (a)"),
    ("pyca is laxer", r"^extensionMissing \(RFC 7633", "",
     "not supported by pyca: the TLS features that a CA requires of certificates below", "RFC 7633 §4.1"),
    ("pyca is laxer", r"^wildcardTooWide", "", "a wildcard for a top-level domain", "BR §3.2.2.6"),
    ("pyca is laxer", r"^hostName .* of an IPv4-mapped host$", "",
     "the host is an IPv4-mapped address, and so is that of the certificate",
     "RFC 4291 §2.5.5.2: the host is the IPv4 address, which the certificate does not have"),
    ("pyca is laxer", r"^host: ", "",
     "not asked: a host that URL parsers read as an IPv4 address, such as `0x7f.1`",
     "RFC 3986 §7.4"),
    ("pyca is laxer", r"^(weakDigest|unsupportedAlgorithm)", "",
     "a leaf that is an anchor, signed with an algorithm that is weak or unknown", "BR §7.1.3.2"),
]


# Answers.

def pyca_answer(request, is_liberal):
    """The verdict of pyca on a request, and its message; liberal: no extension is required."""
    from cryptography import x509
    from cryptography.x509 import verification
    anchors = [found for found in map(readable, request["anchors"]) if found]
    if not anchors:
        return "rejected", "no anchor can be parsed"
    try:
        leaf = x509.load_der_x509_certificate(base64.b64decode(request["chain"][0]))
        # As with us, those that cannot be parsed do not spoil the others.
        others = [found for found in map(readable, request["chain"][1:]) if found]
        try:
            subject = x509.IPAddress(ipaddress.ip_address(request["host"]))
        except ValueError:
            subject = x509.DNSName(request["host"])
        moment = datetime.datetime.strptime(request["time"], "%Y-%m-%dT%H:%M:%SZ")
        builder = verification.PolicyBuilder().store(verification.Store(anchors)).time(moment)
        if is_liberal:
            # pyca requires these two in any policy.
            leaves, authorities = (
                verification.ExtensionPolicy.permit_all().require_present(
                    extension, verification.Criticality.AGNOSTIC, None)
                for extension in (x509.SubjectAlternativeName, x509.BasicConstraints))
            builder = builder.extension_policies(ca_policy=authorities, ee_policy=leaves)
        builder.build_server_verifier(subject).verify(leaf, others)
        return TRUSTED, ""
    except verification.VerificationError as error:
        return "rejected", plain(str(error))
    except Exception as error:
        return "rejected", plain(f"{type(error).__name__}: {error}")


def readable(text):
    """A certificate, or None."""
    from cryptography import x509
    try:
        return x509.load_der_x509_certificate(base64.b64decode(text))
    except Exception:
        return None


def plain(message):
    """A message of pyca without what differs from certificate to certificate."""
    message = re.sub(r" ?\(encountered processing.*", "", message, flags=re.S)
    message = re.sub(r"(validation failed|candidates exhausted|fatal error): ", "", message)
    message = re.sub(r"AlgorithmIdentifier \{.*", "", message, flags=re.S)
    message = re.sub(r"(malformed [\w ]*?(SAN|constraints?)):? .*", r"\1", message, flags=re.S)
    message = re.sub(r"\(got Tag.*|\(needed at least.*|\(expected.*", "", message, flags=re.S)
    message = re.sub(r"\{ (needed|actual): .*?\}(?= \}|, location| *$)", "", message)
    message = re.sub(r"(?<=[\[ ])\d+, |, \d+(?=[\],])|\[\d+\]", "", message)
    message = re.sub(r"^InvalidVersion: .*", "InvalidVersion", message)
    return " ".join(message.split()).rstrip(": ")[:200]


def answer_as_pyca(is_liberal):
    """Answers each line of the input, as `holdfast batch` does."""
    for line in sys.stdin:
        verdict, message = pyca_answer(json.loads(line), is_liberal)
        sys.stdout.write(f"{verdict}\t{message}\n")


def ask(command, lines, read):
    """An answer for each line; where a program ends early, the line that ends it is looked for."""
    if not lines:
        return []
    with tempfile.TemporaryFile() as file:
        file.write(b"".join(lines))
        file.seek(0)
        try:
            run = subprocess.run(command, stdin=file, capture_output=True, timeout=900)
            answers = run.stdout.splitlines()
            # Exit status 1 of `batch`: at least one line is not trusted.
            if len(answers) == len(lines) and run.returncode in (0, 1, 3):
                return [read(answer) for answer in answers]
            end = f"exit status {run.returncode}"
        except subprocess.TimeoutExpired:
            end = "no end after 900 s"
    if len(lines) == 1:
        return [(CRASHED, end, [])]
    half = len(lines) // 2
    return ask(command, lines[:half], read) + ask(command, lines[half:], read)


def read_ours(line):
    """Our verdict, our rule, and the path."""
    answer = json.loads(line)
    rule, citation = answer.get("rule"), answer.get("citation")
    reason = f"{rule} ({citation})" if citation else rule or answer["reason"]
    if rule in ("signature", "extendedKeyUsage"):
        # It is the rule of one candidate; pyca may have taken another.
        others = {f"{other['rule']} ({other['citation']})" for other in answer["rejections"]}
        reason += "".join(f", elsewhere {other}" for other in sorted(others - {reason}))
    unread = answer["input"]["unreadable"]
    if answer["verdict"] == "unreadable":
        found = re.match(r"(?:chain|anchors)\[\d+\]: (?:(\w+): )?.*\[(.*)\]$", reason)
        reason = f"unreadable: {found[1]} ({found[2]})" if found else reason
    elif unread and answer["verdict"] != TRUSTED:
        reason += f", as a CA is unreadable ({unread[0]['rule']})"
    return answer["verdict"], reason[:200], answer["path"]


def read_strict(line):
    """The verdict, our rule, and the rules of all that is wrong."""
    verdict, rule, _ = read_ours(line)
    others = json.loads(line).get("rejections") or []
    return verdict, rule, [f"{other['rule']} ({other['citation']})" for other in others]


def read_theirs(line):
    verdict, _, message = line.decode().partition("\t")
    return verdict, message


def reduced(line, path):
    """The request with nothing but a path of ours: pyca's message is about its last attempt."""
    request = json.loads(line)
    ders = {hashlib.sha256(base64.b64decode(text)).hexdigest(): text
            for text in request["chain"] + request["anchors"]}
    texts = [ders[digest] for digest in path]
    request["chain"], request["anchors"] = texts[:-1] or texts, texts[-1:]
    return (json.dumps(request) + "\n").encode()


def is_mapped(line):
    """Whether the host of a request is an IPv4-mapped address."""
    try:
        return getattr(ipaddress.ip_address(json.loads(line)["host"]), "ipv4_mapped", None) is not None
    except ValueError:
        return False


def facts(line):
    """What is unusual about the path of a reduced request."""
    from cryptography import x509
    from cryptography.x509.oid import PublicKeyAlgorithmOID as kinds
    request = json.loads(line)
    certificates = [readable(text) for text in request["chain"] + request["anchors"]]
    try:
        names = [(found.issuer.public_bytes(), found.subject.public_bytes()) for found in certificates]
        begin, end = certificates[-1].not_valid_before_utc, certificates[-1].not_valid_after_utc
    except (AttributeError, TypeError, ValueError):
        return "pyca cannot parse a certificate of the path"
    moment = datetime.datetime.strptime(request["time"] + "+0000", "%Y-%m-%dT%H:%M:%SZ%z")
    unusual = {
        "the host is IPv4-mapped": is_mapped(line),
        "the leaf is an anchor": certificates[0] == certificates[-1],
        "the anchor is outside its validity": not begin <= moment <= end,
        "names are equal, but not byte for byte":
            any(a[0] != b[1] for a, b in zip(names, names[1:])),
        "a CA below the anchor is self-issued": any(a == b for a, b in names[1:-1]),
        "a CA has an Ed25519 or Ed448 key":
            any(a.public_key_algorithm_oid in (kinds.ED25519, kinds.ED448) for a in certificates[1:]),
        "a certificate with name constraints has names of its own":
            any(CONSTRAINTS in a.tbs_certificate_bytes and NAMES in a.tbs_certificate_bytes
                for a in certificates),
    }
    return ", ".join(name for name, holds in unusual.items() if holds) or "nothing unusual"


# Pieces.

class Comparison:
    def __init__(self, options):
        self.options = options
        self.holdfast = str(pathlib.Path(options.generator, "holdfast").resolve())
        self.state = load(options.state) or {
            "piece size": options.piece_size, "kinds": options.kinds, "rules": options.rules,
            "first seed": options.first_seed, "pieces": 0, "versions": [], "counts": {},
            "classes": {}}
        for key, value in (("piece size", options.piece_size), ("kinds", options.kinds),
                           ("rules", options.rules), ("first seed", options.first_seed)):
            if self.state[key] != value:
                sys.exit(f"differential: {options.state} is of another run: its {key} is "
                         f"{self.state[key]}, not {value}")

    def run(self):
        end = time.monotonic() + self.options.seconds
        self.note_versions()
        # A piece is made while the one before it is answered.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            start, next_piece = time.monotonic(), None
            while self.state["pieces"] < self.options.pieces and time.monotonic() < end:
                number = self.state["pieces"]
                piece = (next_piece or pool.submit(self.make, number)).result()
                next_piece = None
                if number + 1 < self.options.pieces:
                    next_piece = pool.submit(self.make, number + 1)
                self.add(*piece)
                self.state["pieces"] += 1
                store(self.state, self.options.state)
                seconds, start = time.monotonic() - start, time.monotonic()
                print(f"piece {number}: {piece[0]}, {seconds:.0f} s", flush=True)

    def note_versions(self):
        import cryptography
        versions = {"holdfast": self.options.commit, "pyca": cryptography.__version__,
                    "date": datetime.date.today().isoformat()}
        known = self.state["versions"]
        if not known or {**known[-1], "from piece": 0} != {**versions, "from piece": 0}:
            known.append({**versions, "from piece": self.state["pieces"]})

    def add(self, kind, seed, lines, labels):
        """Counts what the two programs answer to a piece."""
        ours_command = self.command(self.state["rules"])
        theirs_command = [sys.executable, __file__, "--answer-as-pyca"]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            theirs = pool.submit(ask, theirs_command + ["default"], lines, read_theirs)
            ours = ask(ours_command, lines, read_ours)
            theirs = theirs.result()
        lenient = [index for index in range(len(lines))
                   if ours[index][0] == TRUSTED and theirs[index][0] != TRUSTED]
        paths = [reduced(lines[index], ours[index][2]) for index in lenient]
        strict = ask(self.command("strict"), paths, read_strict)
        liberal = ask(theirs_command + ["liberal"], paths, read_theirs)
        default = ask(theirs_command + ["default"], paths, read_theirs)
        reasons = dict(zip(lenient, map(self.reason, paths, strict, liberal, default)))
        counts = self.state["counts"].setdefault(kind, collections.Counter())
        for index, (label, our, their) in enumerate(zip(labels, ours, theirs)):
            self.count(counts, our[0], their[0])
            where = {"kind": kind, "seed": seed, "id": label[0], "label": label[1][:300]}
            if CRASHED in (our[0], their[0]):
                self.note(("a program ended", f"ours: {our[:2]}", f"pyca: {their[:2]}"), where, lines[index])
            elif our[0] == TRUSTED != their[0]:
                where["strict"], fact, message = reasons[index]
                self.note(("pyca is stricter", fact, message), where, lines[index])
            elif their[0] == TRUSTED != our[0]:
                rule = our[1] + (" of an IPv4-mapped host" if is_mapped(lines[index]) else "")
                self.note(("pyca is laxer", rule, "trusted"), where, lines[index])
            expected = re.match(r"oracle ([+-])", label[1])
            if expected and (expected[1] == "+") != (our[0] == TRUSTED):
                self.note(("the generator differs", our[1], f"oracle {expected[1]}"), where, lines[index])

    def reason(self, path, strict, liberal, default):
        """Why pyca rejects a path of ours: our strict rule, what is unusual about it, the message."""
        message = liberal[1]
        if default[0] == TRUSTED:
            message = "pyca trusts this path alone"
        elif liberal[0] == TRUSTED:
            message = f"extension policy: {default[1]}"
        # Of several things that are wrong, what pyca's message is about.
        meant = r"extensionMisplaced" if "RFC822" in message else r"extendedKeyUsage(Any|Missing)|keyUsage"
        rule = TRUSTED if strict[0] == TRUSTED else next(
            (rule for rule in strict[2] if re.match(meant, rule)), strict[1])
        fact = "any path"
        if re.search(r"EKU|Forbidden|malformed RFC822", message):
            fact = f"strict: {rule}"
        elif re.search(VAGUE, message):
            fact = facts(path)
        return rule, fact, message

    def make(self, number):
        """The kind and the seed of a piece, its lines, and the id and label of each."""
        kind = self.state["kinds"][number % len(self.state["kinds"])]
        seed, size = self.state["first seed"] + number, self.state["piece size"]
        with tempfile.TemporaryDirectory() as folder:
            cases, labels = os.path.join(folder, "cases"), os.path.join(folder, "labels")
            subprocess.run(
                [sys.executable, os.path.join(self.options.generator, "gen.py"), str(seed),
                 str(number * size), str(size), kind, cases, labels], check=True)
            with open(cases, "rb") as file:
                lines = file.readlines()
            with open(labels, encoding="utf-8", errors="replace") as file:
                rows = [line.rstrip("\n").split("\t", 1) for line in file.read().split("\n") if line]
        if len(lines) != len(rows):
            sys.exit(f"differential: seed {seed} of {kind}: {len(lines)} cases, {len(rows)} labels")
        return kind, seed, lines, rows

    def command(self, rules):
        return [self.holdfast, "batch", "-", "--jobs", "1", "--rules", rules]

    def count(self, counts, ours, theirs):
        for name in ("chains", f"ours {ours}", f"pyca {theirs}"):
            counts[name] = counts.get(name, 0) + 1
        trusted = (ours == TRUSTED, theirs == TRUSTED)
        name = {(True, True): "both trust", (False, False): "both reject",
                (True, False): "only we trust", (False, True): "only pyca trusts"}[trusted]
        counts[name] = counts.get(name, 0) + 1

    def note(self, key, where, line):
        """Counts a disagreement, with some of the chains as examples."""
        found = self.state["classes"].setdefault(
            " | ".join(key), {"counts": {}, "examples": [], "requests": []})
        kind = where["kind"]
        found["counts"][kind] = found["counts"].get(kind, 0) + 1
        same = sum(example["kind"] == kind for example in found["examples"])
        if len(found["examples"]) < EXAMPLES and same < EXAMPLES_OF_A_KIND:
            found["examples"].append(where)
            # A key of the generator is not the same elsewhere, so two chains are kept as they were.
            if len(found["requests"]) < 2:
                found["requests"].append(line.decode().rstrip())


def load(path):
    try:
        with open(path) as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def store(state, path):
    """Replaces the file as a whole: there is always a state to go on from."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(state, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


# The report.

def explained(key):
    """The class of a disagreement, or None."""
    direction, rule, message = key.split(" | ", 2)
    for row in CLASSES:
        if row[0] == direction and re.search(row[1], rule) and re.search(row[2], message):
            return direction, row[3], row[4]
    return None


def grouped(state):
    """The counts of the classes, and the disagreements that are in none."""
    classes, others = collections.Counter(), []
    for key, found in state["classes"].items():
        row = explained(key)
        if row:
            classes[row] += sum(found["counts"].values())
        else:
            others.append((key, found))
    return classes, others


def report(state):
    kinds, names = state["counts"], ["chains", "both trust", "both reject", "only we trust",
                                     "only pyca trusts"]
    print("| kind | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for kind, counts in list(kinds.items()) + [("all", total(kinds))]:
        print(f"| {kind} | " + " | ".join(f"{counts.get(name, 0):,}" for name in names) + " |")
    classes, others = grouped(state)
    for direction, title in (("pyca is stricter", "only we trust"),
                             ("pyca is laxer", "only pyca trusts")):
        print(f"\n| {title} | chains | what says so |\n|---|---|---|")
        for (side, name, why), count in classes.most_common():
            if side == direction:
                print(f"| {name} | {count:,} | {why} |")
    for key, found in sorted(others, key=lambda row: -sum(row[1]["counts"].values())):
        example = found["examples"][0]
        print(f"\nNOT EXPLAINED: {key}: {sum(found['counts'].values()):,}, such as {example['kind']}, "
              f"seed {example['seed']}, id {example['id']}")
    print(f"\nRules `{state['rules']}`, {state['pieces']} pieces of {state['piece size']:,} chains, "
          f"seeds {state['first seed']} to {state['first seed'] + state['pieces'] - 1}.")
    for version in state["versions"]:
        print(f"From piece {version['from piece']}: Holdfast {version['holdfast']}, "
              f"pyca/cryptography {version['pyca']}, {version['date']}.")


def total(kinds):
    sums = collections.Counter()
    for counts in kinds.values():
        sums.update(counts)
    return sums


def main():
    parser = argparse.ArgumentParser(prog="Scripts/oracle/differential")
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--piece-size", type=int, default=10000)
    parser.add_argument("--kinds", default="feat,tree,raw,graph", type=lambda text: text.split(","))
    parser.add_argument("--state", default=".build/differential/state.json")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--rules", default="webPKI")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--generator", help=argparse.SUPPRESS)
    parser.add_argument("--commit", default="unknown", help=argparse.SUPPRESS)
    parser.add_argument("--answer-as-pyca", choices=["default", "liberal"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    # pyca warns of serial numbers that a later version will not read.
    warnings.simplefilter("ignore")
    if options.answer_as_pyca:
        return answer_as_pyca(options.answer_as_pyca == "liberal")
    if options.report:
        state = load(options.state)
        if state is None:
            sys.exit(f"differential: there is no state in {options.state}")
    else:
        comparison = Comparison(options)
        comparison.run()
        state = comparison.state
    report(state)
    sys.exit(1 if grouped(state)[1] else 0)


if __name__ == "__main__":
    main()
