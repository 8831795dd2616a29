"""Compares what verifiers say with the suite of the judge: `Scripts/judge run` calls it.

    python3 compare.py SUITE ANSWERS… [--markdown FILE] [--picture FILE] [--differences FILE]

ANSWERS are the lines that a harness printed. A verifier's reason counts only if REASONS maps its word to rules of
ours: what stands there for every failure is no reason. A verdict that differs is a house rule's if the
case is not about validation (see README.md), else the verifier's own; where all other verifiers agree against
the suite, the case is to be judged again before anybody is told.
"""
import json
import pathlib
import statistics
import sys

ENDS = ["issuerNotFound", "untrustedRoot"]
NAMES = ["nameNotPermitted", "nameExcluded"]
# By verifier: a part of its word, and the rules that it may stand for; the first part that is there counts. An
# empty list stands behind a word that the verifier says whenever it found no path.
REASONS = {
    "Holdfast": [],
    "OpenSSL": [
        ("unable to get certificate CRL", ["revocationUnknown"]), ("CRL", ["revocationUnknown"]),
        ("unable to get local issuer", ENDS), ("self-signed certificate", ENDS), ("certificate signature failure", ["signature"]),
        ("permitted subtree", ["nameNotPermitted"]), ("excluded subtree", ["nameExcluded"]), ("email address mismatch", ["emailAddress"]),
        ("mismatch", ["hostName"]), ("unsuitable certificate purpose", ["extendedKeyUsage", "keyUsage", "extendedKeyUsageMissing"]),
        ("key too weak", ["weakKey", "curveNotAllowed"]), ("certificate revoked", ["revoked"]), ("has expired", ["expired"]),
        ("invalid CA certificate", ["notCA", "basicConstraintsMissing", "issuerVersion"]), ("not yet valid", ["notYetValid"]),
        ("unhandled critical extension", ["unknownCriticalExtension"]), ("digest algorithm too weak", ["weakDigest"]),
        ("path length", ["pathLength"]), ("unsupported or invalid name syntax", ["nameMalformed", "constraintMalformed"]),
        ("unsupported name constraint", ["constraintUnsupported"]), ("minimum and maximum", ["constraintUnsupported"]),
        ("format error in certificate's not", ["unreadable"]), ("unreadable", ["unreadable"]),
    ],
    "GnuTLS": [
        ("signer not found", ENDS), ("signer not CA", ["notCA", "basicConstraintsMissing", "issuerVersion", "pathLength"]),
        ("insecure algorithm", ["weakDigest", "weakKey"]), ("not activated", ["notYetValid"]), ("expired", ["expired"]),
        ("signature failure", ["signature"]), ("unexpected owner", ["hostName", "emailAddress"]),
        ("signer constraints", [*NAMES, "pathLength"]), ("purpose mismatch", ["extendedKeyUsage", "keyUsage"]),
        ("revocation data", ["revocationUnknown"]), ("revoked", ["revoked"]),
        ("unknown critical", ["unknownCriticalExtension"]), ("unreadable", ["unreadable"]),
    ],
    "Go": [
        ("invalid signature", ["signature"]), ("ECDSA verification failure", ["signature"]), ("verification error", ["signature"]),
        ("cannot verify signature", ["unsupportedAlgorithm", "unsupportedKey", "weakDigest"]),
        ("parent certificate cannot sign", ["notCA", "keyUsage", "basicConstraintsMissing", "issuerVersion"]),
        ("UnknownAuthorityError", []), ("CertificateInvalidError 0", ["notCA", "basicConstraintsMissing", "keyUsage"]),
        ("is before", ["notYetValid"]), ("is after", ["expired"]), ("is excluded by", ["nameExcluded"]),
        ("is not permitted by", ["nameNotPermitted"]), ("CertificateInvalidError 3", ["pathLength"]),
        ("CertificateInvalidError 4", ["extendedKeyUsage"]), ("CertificateInvalidError 9", ["extendedKeyUsage"]),
        ("HostnameError", ["hostName"]), ("UnhandledCriticalExtension", ["unknownCriticalExtension"]),
        ("cannot parse rfc822Name", ["nameMalformed"]), ("cannot parse dnsName", ["nameMalformed"]), ("unreadable", ["unreadable"]),
    ],
    "pyca": [
        ("Forbidden signature algorithm", ["unsupportedAlgorithm", "weakDigest", "signatureParameters", "algorithmNotAllowed"]),
        ("signature does not match", ["signature"]), ("no matching subjectAltName", ["hostName"]),
        ("2.5.29.35: Certificate is missing", ["extensionMissing"]), ("Neither EKU nor anyEKU", ["extendedKeyUsage"]),
        ("no subjectAltName", ["noHostNames"]), ("no basicConstraints", ["basicConstraintsMissing"]),
        ("unsupported directoryName constraint", ["constraintUnsupported"]),
        ("no interior errors", []), ("no permitted name", ["nameNotPermitted"]), ("excluded name", ["nameExcluded"]),
        ("unsupported name constraint", ["constraintUnsupported"]), ("malformed SAN", ["nameMalformed"]),
        ("name constraint: ", ["constraintMalformed"]), ("is too weak", ["weakKey"]), ("required EKU", ["extendedKeyUsage"]),
        ("Forbidden public key", ["unsupportedKey", "curveNotAllowed", "algorithmNotAllowed", "invalidKey"]),
        ("not valid at validation time", ["expired", "notYetValid"]), ("unaccounted-for critical", ["unknownCriticalExtension"]),
        ("path length", ["pathLength"]), ("X509v3", ["issuerVersion", "version"]),
        ("cA must be asserted", ["notCA", "basicConstraintsMissing"]), ("cA must not be asserted", ["leafIsCA"]),
        ("keyCertSign must be asserted", ["keyUsage"]), ("serial number", ["encoding"]), ("mismatch between", ["algorithmsDiffer"]),
        ("non-empty Issuer", ["emptyIssuer", "emptySubject"]), ("MUST be critical when subject", ["extensionNotCritical"]),
        ("duplicate extension", ["issuerUnreadable", "unreadable"]), ("criticality", ["extensionCritical", "extensionNotCritical"]),
        ("unreadable", ["unreadable"]), ("ASN.1 parsing", ["unreadable"]), ("InvalidVersion", ["unreadable"]),
    ],
    "rustls-webpki": [
        ("UnknownIssuer", []), ("InvalidSignatureForPublicKey", ["signature"]), ("CertExpired", ["expired"]),
        ("CertNotValidYet", ["notYetValid"]), ("CertNotValidForName", ["hostName", "noHostNames"]), ("NameConstraintViolation", NAMES),
        ("MalformedDnsIdentifier", ["nameMalformed"]), ("MalformedNameConstraint", ["constraintMalformed"]),
        ("InvalidNetworkMaskConstraint", ["constraintMalformed"]), ("UnsupportedNameType", ["constraintUnsupported"]),
        ("PathLenConstraintViolated", ["pathLength"]), ("RequiredEkuNotFound", ["extendedKeyUsage"]),
        ("CaUsedAsEndEntity", ["leafIsCA"]), ("EndEntityUsedAsCa", ["notCA", "basicConstraintsMissing"]),
        ("IssuerNotCertSigner", ["keyUsage"]), ("KeyUsageMissingDigitalSignature", ["keyUsage"]),
        ("UnsupportedCertVersion", ["version", "issuerVersion", "unreadable"]), ("UnsupportedCriticalExtension", ["unknownCriticalExtension"]),
        ("UnsupportedSignatureAlgorithm", ["unsupportedAlgorithm", "unsupportedKey", "weakDigest"]),
        ("SignatureAlgorithmMismatch", ["algorithmsDiffer"]), ("BadDer", ["unreadable", "issuerUnreadable"]),
        ("ExtensionValueInvalid", ["unreadable"]), ("MalformedExtensions", ["unreadable"]), ("TrailingData", ["unreadable"]),
        ("EmptyEkuExtension", ["unreadable"]), ("InvalidSerialNumber", ["unreadable"]),
        ("InvalidCertValidity", ["expired", "notYetValid"]),
    ],
}
COLUMNS = ["verifier", "cases asked", "verdicts right", "reasons named", "reasons right", "paths named", "paths right",
           "differs by a house rule", "differs otherwise", "median µs"]


def rules_of(peer, word):
    """The rules that a verifier's word stands for; none if it is no reason."""
    kind = next((kind for kind in REASONS if peer.startswith(kind)), None)
    if kind == "Holdfast":
        return {word} if word else set()
    words = word.split(", ") if kind == "GnuTLS" and word else [word or ""]
    found = set()
    for one in words:
        found |= set(next((rules for part, rules in REASONS.get(kind, []) if part in one), []))
    return found


class Peer:
    """A verifier's answers, counted."""

    def __init__(self, cases, file):
        first, *lines = map(json.loads, open(file, encoding="utf-8"))
        self.name = first["peer"]
        self.wrong, self.times = [], []
        self.asked = self.right = self.said = self.said_right = self.paths = self.paths_right = 0
        self.answers = {line["id"]: line for line in lines}
        for case in cases:
            line = self.answers.get(case["id"], {"result": "MISSING"})
            if line["result"] == "SKIPPED":
                continue
            self.asked += 1
            if line.get("microseconds") is not None:
                self.times.append(line["microseconds"])
            if line["result"] != case["expected_result"]:
                self.wrong.append(case["id"])
                continue
            self.right += 1
            if line["result"] == "FAILURE" and case["rule"] != "any":
                named = rules_of(self.name, line["reason"])
                self.said += bool(named)
                self.said_right += bool(named & {case["rule"], *case["also"]})
            if line["result"] == "SUCCESS" and line["path"] and case["expected_path"]:
                self.paths += 1
                self.paths_right += line["path"] == case["expected_path"]


def share(part, whole):
    return f"{part:,} ({100 * part / whole:.1f} %)" if whole else "–"


def picture(peers):
    """Two bars for each verifier: verdicts and reasons, as shares of what it was asked."""
    height = 44 * len(peers) + 40
    rows = []
    for index, peer in enumerate(peers):
        top = 30 + 44 * index
        failures = max(peer.said, 1)
        for line, (label, part, whole) in enumerate([
                ("verdicts", peer.right, peer.asked), ("reasons", peer.said_right, failures)]):
            width, y = 360 * part / max(whole, 1), top + 18 * line
            rows.append(f'<rect x="210" y="{y}" width="360" height="14" class="all"/>'
                        f'<rect x="210" y="{y}" width="{width:.1f}" height="14" class="{label}"/>'
                        f'<text x="578" y="{y + 12}">{100 * part / max(whole, 1):.1f} % of {label}</text>')
        rows.append(f'<text x="0" y="{top + 20}">{peer.name}</text>')
    style = ("text{font:13px sans-serif;fill:#333}.all{fill:#e4e4e4}.verdicts{fill:#2a6f97}.reasons{fill:#c77d2e}"
             "@media(prefers-color-scheme:dark){text{fill:#ddd}.all{fill:#444}}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" role="img">'
            f"<title>Verdicts and reasons that are right, of those given</title><style>{style}</style>"
            + "".join(rows) + "</svg>\n")


def main(words):
    options = {words[place]: words[place + 1] for place in range(len(words)) if words[place].startswith("--")}
    files = [word for word in words if not word.startswith("--") and word not in options.values()]
    cases = json.load(open(files[0], encoding="utf-8"))["testcases"]
    of = {case["id"]: case for case in cases}
    peers = [Peer(cases, file) for file in files[1:]]
    others = [peer for peer in peers if peer.name != "Holdfast"]
    to_judge = []
    for case in cases:
        asked = [peer for peer in others if peer.answers.get(case["id"], {}).get("result") in ("SUCCESS", "FAILURE")]
        if case["basis"] == "validation" and len(asked) > 2 and all(case["id"] in peer.wrong for peer in asked):
            to_judge.append(case["id"])
    lines, details = ["| " + " | ".join(COLUMNS) + " |", "|---" + "|---:" * (len(COLUMNS) - 1) + "|"], []
    for peer in peers:
        house = [one for one in peer.wrong if of[one]["basis"] != "validation"]
        own = [one for one in peer.wrong if one not in house]
        lines.append("| " + " | ".join([
            peer.name, f"{peer.asked:,}", share(peer.right, peer.asked), f"{peer.said:,}", share(peer.said_right, peer.said),
            f"{peer.paths:,}", share(peer.paths_right, peer.paths), f"{len(house):,}", f"{len(own):,}",
            f"{round(statistics.median(peer.times)):,}" if peer.times else "–"]) + " |")
        for kind, ids in (("house", house), ("own", own)):
            details += [f"{peer.name}: {kind}: {one}: {peer.answers.get(one, {}).get('reason') or 'no reason'}" for one in ids]
        details += [
            f"{peer.name}: path: {one['id']}" for one in cases
            if one["expected_path"] and (peer.answers.get(one["id"], {}).get("path") or one["expected_path"]) != one["expected_path"]]
    details += [f"to be judged again: {one}" for one in to_judge]
    print("\n".join(lines))
    print(f"{len(cases)} cases; {len(to_judge)} to be judged again, because every other verifier differs")
    if "--markdown" in options:
        pathlib.Path(options["--markdown"]).write_text("\n".join(lines) + "\n")
    if "--picture" in options:
        pathlib.Path(options["--picture"]).write_text(picture(peers))
    if "--differences" in options:
        pathlib.Path(options["--differences"]).write_text("\n".join(details) + "\n")
    failed = [peer for peer in peers if peer.name == "Holdfast" and peer.wrong]
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
