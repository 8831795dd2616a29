#!/usr/bin/env python3
"""Makes the vectors of Certificate Transparency in this folder, with keys that are thrown away.

logs.json       a log list of our own: its keys, states, operators and one of each kind of problem
logs.sig        its detached signature; logs-key.pem verifies it
policies.txt    one line a case: what a policy must say of a set of timestamps
signed.ndjson   certificates with timestamps, and the status of each that must be reported

Every expectation is written here from the policy documents (Chrome's ct_policy.md, Apple's 103214, Mozilla's
wiki) and from RFC 6962, not computed by the library.

usage: Vectors/transparency/make.py [policies]    (only policies.txt, which has no keys)
"""
import base64
import datetime
import hashlib
import json
import os
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509 import ocsp
from cryptography.x509.oid import NameOID, ObjectIdentifier

HERE = os.path.dirname(os.path.abspath(__file__))
LISTED = "2026-06-01T00:00:00Z"
DAY = 86_400

# Name, operator, interface, state, since, and what else. The letter is the operator.
LOGS = [
    ("a1", "Aleph", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("a2", "Aleph", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("a3", "Aleph", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("b1", "Beth", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("b2", "Beth", "rfc6962", "readonly", "2025-12-01T00:00:00Z", {}),
    ("c1", "Gimel", "rfc6962", "qualified", "2026-01-01T00:00:00Z", {}),
    ("c2", "Gimel", "rfc6962", "qualified", "2026-06-20T00:00:00Z", {}),
    ("t1", "Aleph", "tiled", "usable", "2025-01-01T00:00:00Z", {}),
    ("t2", "Beth", "tiled", "usable", "2025-01-01T00:00:00Z", {}),
    ("t3", "Gimel", "tiled", "usable", "2025-01-01T00:00:00Z", {}),
    ("r1", "Daleth", "rfc6962", "retired", "2026-03-01T00:00:00Z", {}),
    ("r2", "He", "rfc6962", "retired", "2026-03-01T12:00:00.500Z", {}),
    ("r3", "Daleth", "rfc6962", "retired", "2026-06-20T00:00:00Z", {}),
    ("p1", "Waw", "rfc6962", "pending", "2026-01-01T00:00:00Z", {}),
    ("x1", "Waw", "rfc6962", "rejected", "2026-01-01T00:00:00Z", {}),
    ("n1", "Waw", "rfc6962", None, None, {}),
    ("m1", "Waw", "rfc6962", "usable", "2024-01-01T00:00:00Z", {"log_type": "test"}),
    # Run by Aleph until the first day of 2026, by Zayin since.
    ("o1", "Zayin", "rfc6962", "usable", "2024-01-01T00:00:00Z",
     {"previous_operators": [{"name": "Aleph", "end_time": "2026-01-01T00:00:00Z"}]}),
    # Run by Heth until 2025, by Aleph until 2026, by Zayin since.
    ("o2", "Zayin", "rfc6962", "usable", "2024-01-01T00:00:00Z",
     {"previous_operators": [{"name": "Heth", "end_time": "2025-01-01T00:00:00Z"},
                             {"name": "Aleph", "end_time": "2026-01-01T00:00:00Z"}]}),
    # Keys: RSA of 2,048 and of 1,024 bits, and on P-384.
    ("k1", "Yodh", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("k2", "Yodh", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("k3", "Yodh", "rfc6962", "usable", "2024-01-01T00:00:00Z", {}),
    ("i1", "Beth", "rfc6962", "usable", "2024-01-01T00:00:00Z",
     {"temporal_interval": {"start_inclusive": "2026-01-01T00:00:00Z",
                            "end_exclusive": "2026-07-01T00:00:00Z"}}),
]


# Policies. A case: name, policy, lifetime in seconds, time of the evaluation, timestamps, verdict. A
# timestamp is its delivery (e, t, o), log and time. The verdict is `complies`, or the reason.

NOW = "2026-06-10T00:00:00Z"
T = "2026-05-01T00:00:00.000Z"
DAYS90 = 90 * DAY


def stamps(text, time=T):
    """`e:a1 e:b1@2026-01-01T00:00:00.000Z` with the time added where there is none."""
    return " ".join(word if "@" in word else f"{word}@{time}" for word in text.split())


def policies():
    cases = []

    def add(name, policy, text, verdict, lifetime=DAYS90, now=NOW):
        cases.append((name, policy, lifetime, now, stamps(text), verdict))

    chrome_like = ("chrome", "mozilla")
    # How many logs, by lifetime: two up to 180 days, three above. Chrome and Mozilla take the difference of
    # the two ends, Apple counts the last second too, so that its boundary is a second earlier.
    limit = 180 * DAY
    for policy in chrome_like:
        for lifetime, needed in ((DAY, 2), (limit - 1, 2), (limit, 2), (limit + 1, 3), (398 * DAY, 3),
                                 (825 * DAY, 3)):
            for text, count in (("e:a1", 1), ("e:a1 e:b1", 2), ("e:a1 e:b1 e:c1", 3)):
                verdict = "complies" if count >= needed else f"logs {count} {needed}"
                add(f"{policy}-{count}-of-{lifetime}s", policy, text, verdict, lifetime)
    for lifetime, needed in ((DAY, 2), (limit - 2, 2), (limit - 1, 2), (limit, 3), (limit + 1, 3),
                             (398 * DAY - 1, 3)):
        for text, count in (("e:a1", 1), ("e:a1 e:b1", 2), ("e:a1 e:b1 e:c1", 3)):
            verdict = "complies" if count >= needed else f"logs {count} {needed}"
            add(f"apple-{count}-of-{lifetime}s", "apple", text, verdict, lifetime)
    add("apple-398-days-and-1s", "apple", "e:a1 e:b1 e:c1", "lifetime", 398 * DAY)
    add("apple-825-days", "apple", "e:a1 e:b1 e:c1", "lifetime", 825 * DAY)

    # Operators.
    for policy in chrome_like:
        add(f"{policy}-one-operator", policy, "e:a1 e:a2", "operators 1 2")
        add(f"{policy}-one-operator-three-logs", policy, "e:a1 e:a2 e:a3", "operators 1 2")
        add(f"{policy}-two-operators-long", policy, "e:a1 e:a2 e:b1", "complies", limit + 1)
        add(f"{policy}-one-operator-long", policy, "e:a1 e:a2 e:a3", "operators 1 2", limit + 1)
        # A log whose operator changed is the former operator's before the change.
        add(f"{policy}-operator-before-change", policy, "e:a1 e:o1@2025-12-31T23:59:59.999Z",
            "operators 1 2")
        add(f"{policy}-operator-at-change", policy, "e:a1 e:o1@2026-01-01T00:00:00.000Z", "complies")
        add(f"{policy}-operator-first-of-three", policy, "e:a1 e:o2@2024-12-31T23:59:59.999Z", "complies")
        add(f"{policy}-operator-second-of-three", policy, "e:a1 e:o2@2025-01-01T00:00:00.000Z",
            "operators 1 2")
        add(f"{policy}-operator-last-of-three", policy, "e:a1 e:o2@2026-01-01T00:00:00.000Z", "complies")
        add(f"{policy}-operator-of-two-changed", policy,
            "e:o1@2026-01-01T00:00:00.000Z e:o2@2026-01-01T00:00:00.000Z", "operators 1 2")
    add("apple-one-operator", "apple", "e:a1 e:a2", "logsPerOperator 1 2 1")
    add("apple-one-operator-three-logs", "apple", "e:a1 e:a2 e:a3", "logsPerOperator 1 2 1")
    add("apple-two-operators-long", "apple", "e:a1 e:a2 e:b1", "complies", limit)
    add("apple-one-operator-long", "apple", "e:a1 e:a2 e:a3", "logsPerOperator 2 3 2", limit)
    add("apple-one-operator-long-beside", "apple", "e:a1 e:a2 e:a3 e:b1", "complies", limit)
    add("apple-operator-before-change", "apple", "e:a1 e:o1@2025-12-31T23:59:59.999Z",
        "logsPerOperator 1 2 1")
    add("apple-operator-at-change", "apple", "e:a1 e:o1@2026-01-01T00:00:00.000Z", "complies")

    # The same log twice counts once; more never hurts.
    for policy in ("chrome", "mozilla", "apple"):
        add(f"{policy}-same-log-twice", policy, "e:a1 e:a1@2026-05-02T00:00:00.000Z", "logs 1 2")
        add(f"{policy}-same-log-twice-and-another", policy, "e:a1 e:a1@2026-05-02T00:00:00.000Z e:b1",
            "complies")
        add(f"{policy}-more", policy, "e:a1 e:b1 e:p1 e:x1 e:n1 e:a2 e:a3 e:b2 e:c1", "complies")
        add(f"{policy}-none", policy, "", "noTimestamp")
        # States: qualified, usable and read-only count; pending, rejected, none and test never do.
        add(f"{policy}-usable", policy, "e:a1 e:b1", "complies")
        add(f"{policy}-readonly", policy, "e:a1 e:b2", "complies")
        add(f"{policy}-qualified", policy, "e:a1 e:c1", "complies")
        add(f"{policy}-not-yet-qualified", policy, "e:a1 e:c2", "logs 1 2")
        add(f"{policy}-now-qualified", policy, "e:a1 e:c2", "complies", now="2026-06-20T00:00:00Z")
        add(f"{policy}-pending", policy, "e:a1 e:p1", "logs 1 2")
        add(f"{policy}-rejected", policy, "e:a1 e:x1", "logs 1 2")
        add(f"{policy}-no-state", policy, "e:a1 e:n1", "logs 1 2")
        add(f"{policy}-test-log", policy, "e:a1 e:m1", "logs 1 2")
        add(f"{policy}-only-pending", policy, "e:p1 e:x1 e:n1", "noTimestamp")
        # Retirement: the timestamp must be older, and one log must be approved now.
        add(f"{policy}-retired-later", policy, "e:a1@2026-02-28T23:59:59.999Z e:r1@2026-02-28T23:59:59.999Z",
            "complies")
        add(f"{policy}-retired-at-the-time", policy,
            "e:a1@2026-02-28T23:59:59.999Z e:r1@2026-03-01T00:00:00.000Z", "logs 1 2")
        add(f"{policy}-retired-before", policy, "e:a1 e:r1", "logs 1 2")
        add(f"{policy}-retired-by-a-millisecond", policy,
            "e:a1@2026-03-01T12:00:00.000Z e:r2@2026-03-01T12:00:00.499Z", "complies")
        add(f"{policy}-retired-at-the-millisecond", policy,
            "e:a1@2026-03-01T12:00:00.000Z e:r2@2026-03-01T12:00:00.500Z", "logs 1 2")
        add(f"{policy}-retires-next-week", policy, "e:a1 e:r3", "complies")
        add(f"{policy}-retires-this-second", policy, "e:a1 e:r3", "complies",
            now="2026-06-20T00:00:00Z")
        add(f"{policy}-only-retiring-next-week", policy, "e:r3 e:b1", "complies",
            now="2026-06-19T23:59:59Z")
    for policy, none in (("chrome", "noTimestamp"), ("mozilla", "approvedLogs 0 1"),
                         ("apple", "approvedLogs 0 1")):
        add(f"{policy}-only-retired", policy,
            "e:r1@2026-01-01T00:00:00.000Z e:r2@2026-01-01T00:00:00.000Z", none)
    # Chrome alone looks at the earliest timestamp from a log that is not retired.
    for policy, verdict in (("chrome", "logs 1 2"), ("mozilla", "complies"), ("apple", "complies")):
        add(f"{policy}-retired-and-first-seen-later", policy,
            "e:a1@2026-03-01T00:00:00.000Z e:r1@2026-01-01T00:00:00.000Z", verdict)
        add(f"{policy}-retired-and-first-seen-before", policy,
            "e:a1@2026-02-28T23:59:59.999Z e:r1@2026-01-01T00:00:00.000Z", "complies")
    add("chrome-first-seen-by-any", "chrome",
        "e:a1@2026-05-01T00:00:00.000Z e:a2@2026-02-01T00:00:00.000Z e:r1@2026-01-01T00:00:00.000Z",
        "complies")
    add("chrome-first-seen-by-pending", "chrome",
        "e:a1@2026-05-01T00:00:00.000Z e:p1@2026-01-01T00:00:00.000Z e:r1@2026-01-01T00:00:00.000Z",
        "logs 1 2")
    add("chrome-first-seen-by-tls", "chrome",
        "e:a1@2026-05-01T00:00:00.000Z t:a2@2026-02-01T00:00:00.000Z e:r1@2026-01-01T00:00:00.000Z",
        "complies")

    # Deliveries. By TLS two logs approved now, of two operators; Chrome no longer takes OCSP.
    for policy in chrome_like:
        add(f"{policy}-tls", policy, "t:a1 t:b1", "complies")
        add(f"{policy}-tls-long", policy, "t:a1 t:b1", "complies", 398 * DAY)
        add(f"{policy}-tls-one", policy, "t:a1", "approvedLogs 1 2")
        add(f"{policy}-tls-one-operator", policy, "t:a1 t:a2", "operators 1 2")
        add(f"{policy}-tls-same-log", policy, "t:a1 t:a1@2026-05-02T00:00:00.000Z", "approvedLogs 1 2")
        add(f"{policy}-tls-retired", policy, "t:a1@2026-01-01T00:00:00.000Z t:r1@2026-01-01T00:00:00.000Z",
            "approvedLogs 1 2")
        add(f"{policy}-tls-beside-embedded", policy, "e:a1 t:b1", "logs 1 2")
        add(f"{policy}-tls-and-embedded-one-operator", policy, "e:a1 e:a2 t:a1 t:b1", "complies")
    add("chrome-ocsp", "chrome", "o:a1 o:b1", "noTimestamp")
    add("chrome-ocsp-beside-tls", "chrome", "o:b1 t:a1", "approvedLogs 1 2")
    add("mozilla-ocsp", "mozilla", "o:a1 o:b1", "complies")
    add("mozilla-ocsp-and-tls", "mozilla", "o:a1 t:b1", "complies")
    add("mozilla-ocsp-one-operator", "mozilla", "o:a1 t:a2", "operators 1 2")
    for letter in "to":
        add(f"apple-{letter}-two", "apple", f"{letter}:a1 {letter}:b1", "complies")
        add(f"apple-{letter}-two-one-operator", "apple", f"{letter}:a1 {letter}:a2", "complies")
        add(f"apple-{letter}-one", "apple", f"{letter}:a1", "approvedLogs 1 2")
        add(f"apple-{letter}-beside-embedded", "apple", f"e:a1 {letter}:b1", "complies")
        add(f"apple-{letter}-beside-embedded-one-operator", "apple", f"e:a1 {letter}:a2", "complies")
        add(f"apple-{letter}-long", "apple", f"e:a1 {letter}:b1", "complies", 390 * DAY)
        add(f"apple-{letter}-same-log", "apple", f"e:a1 {letter}:a1", "logs 1 2")
        add(f"apple-{letter}-retired", "apple",
            f"{letter}:a1@2026-01-01T00:00:00.000Z {letter}:r1@2026-01-01T00:00:00.000Z",
            "approvedLogs 1 2")

    # Apple wants one log with the interface of RFC 6962.
    add("apple-tiled", "apple", "e:t1 e:t2", "rfc6962Log")
    add("apple-tiled-long", "apple", "e:t1 e:t2 e:t3", "rfc6962Log", 390 * DAY)
    add("apple-tiled-but-one", "apple", "e:t1 e:b1", "complies")
    add("apple-tiled-by-tls", "apple", "t:t1 t:t2", "rfc6962Log")
    add("apple-tiled-by-tls-but-one", "apple", "t:t1 t:b1", "complies")
    add("apple-tiled-and-retired", "apple", "e:t1@2026-02-01T00:00:00.000Z e:r1@2026-02-01T00:00:00.000Z",
        "complies")
    add("apple-tiled-and-pending", "apple", "e:t1 e:t2 e:p1", "rfc6962Log")
    add("chrome-tiled", "chrome", "e:t1 e:t2", "complies")
    add("mozilla-tiled", "mozilla", "e:t1 e:t2", "complies")

    # A number of logs.
    add("count-0-none", "count(0)", "", "complies")
    for count in (1, 2, 3):
        text = " ".join(["e:a1", "t:a2", "o:a3"][:count])
        add(f"count-{count}", f"count({count})", text, "complies")
        add(f"count-{count}-one-less", f"count({count})", " ".join(text.split()[1:]),
            "noTimestamp" if count == 1 else f"logs {count - 1} {count}")
    add("count-same-log", "count(2)", "e:a1 t:a1", "logs 1 2")
    add("count-pending", "count(1)", "e:p1", "noTimestamp")
    add("count-retired-later", "count(1)", "e:r1@2026-02-28T23:59:59.999Z", "complies")
    add("count-retired-before", "count(1)", "e:r1", "noTimestamp")

    # The age of the list: 70 days, to the second; a list from the future says nothing.
    for policy in ("chrome", "apple", "mozilla", "count(1)"):
        add(f"{policy}-list-70-days", policy, "e:a1 e:b1", "complies", now="2026-08-10T00:00:00Z")
        add(f"{policy}-list-70-days-and-1s", policy, "e:a1 e:b1", "staleList", now="2026-08-10T00:00:01Z")
        add(f"{policy}-list-of-now", policy, "e:a1 e:b1", "complies", now=LISTED)
        add(f"{policy}-list-of-next-second", policy, "e:a1 e:b1", "listFromTheFuture",
            now="2026-05-31T23:59:59Z")

    # Timestamps ahead of the clock do not count; those of the same second do.
    add("chrome-this-second", "chrome", "e:a1 e:b1@2026-06-10T00:00:00.999Z", "complies")
    add("chrome-next-second", "chrome", "e:a1 e:b1@2026-06-10T00:00:01.000Z", "logs 1 2")
    add("apple-next-second", "apple", "e:a1 e:b1@2026-06-10T00:00:01.000Z", "logs 1 2")
    add("mozilla-next-second", "mozilla", "e:a1 e:b1@2026-06-10T00:00:01.000Z", "logs 1 2")

    names = [case[0] for case in cases]
    assert len(set(names)) == len(names), [name for name in names if names.count(name) > 1]
    with open(f"{HERE}/policies.txt", "w") as file:
        file.write("# Made by make.py: name | policy | lifetime in seconds | now | timestamps | verdict\n"
                   "# A timestamp is its delivery (e, t, o), its log in logs.json, and its time.\n")
        for name, policy, lifetime, now, text, verdict in cases:
            file.write(f"{name} | {policy} | {lifetime} | {now} | {text or '-'} | {verdict}\n")
    print(len(cases), "policy cases")


# Signed vectors: keys of logs, certificates, timestamps.


def spki(key):
    return key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def text(data):
    return base64.b64encode(data).decode()


def milliseconds(time):
    moment = datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%S.%fZ")
    return (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(milliseconds=1)


class Log:
    def __init__(self, name, operator, interface, state, since, more):
        self.name, self.operator, self.interface = name, operator, interface
        self.key = {"k1": lambda: rsa.generate_private_key(65537, 2048),
                    "k2": lambda: rsa.generate_private_key(65537, 1024),
                    "k3": lambda: ec.generate_private_key(ec.SECP384R1())}.get(
            name, lambda: ec.generate_private_key(ec.SECP256R1()))()
        self.id = hashlib.sha256(spki(self.key)).digest()
        self.entry = {"description": name, "log_id": text(self.id), "key": text(spki(self.key)),
                      "mmd": 86400}
        if interface == "tiled":
            self.entry |= {"submission_url": f"https://{name}.example/log/",
                           "monitoring_url": f"https://{name}.example/tile/"}
        else:
            self.entry["url"] = f"https://{name}.example/"
        if state:
            self.entry["state"] = {state: {"timestamp": since}}
        self.entry |= more

    def sign(self, data, digest=None):
        digest = digest or hashes.SHA256()
        if isinstance(self.key, rsa.RSAPrivateKey):
            return self.key.sign(data, padding.PKCS1v15(), digest)
        return self.key.sign(data, ec.ECDSA(digest))


def log_list(logs):
    names = list(dict.fromkeys(log.operator for log in logs))
    operators = []
    for name in names:
        operator = {"name": name, "email": ["ct@example.com"],
                    "logs": [log.entry for log in logs
                             if log.operator == name and log.interface == "rfc6962"]}
        tiled = [log.entry for log in logs if log.operator == name and log.interface == "tiled"]
        if tiled:
            operator["tiled_logs"] = tiled
        operators.append(operator)
    # An operator without logs, and members that are unknown here.
    operators.insert(1, {"name": "Bogus", "email": [], "logs": [], "tiled_logs": []})
    return {"version": "1.0", "log_list_timestamp": LISTED, "assetVersionV2": 7, "is_all_logs": False,
            "operators": operators}


def u(number, size):
    return number.to_bytes(size, "big")


def vector(data):
    return u(len(data), 2) + data


def x509_entry(der):
    return u(0, 2) + u(len(der), 3) + der


def precert_entry(issuer, tbs):
    return u(1, 2) + hashlib.sha256(spki(issuer)).digest() + u(len(tbs), 3) + tbs


def sct(log, entry, time=T, extensions=b"", numbers=(4, None), digest=None, claimed=None, version=0):
    """A timestamp. `claimed` is a time that differs from the signed one."""
    moment = u(milliseconds(time), 8)
    signature = log.sign(u(version, 1) + b"\0" + moment + entry + vector(extensions), digest)
    kind = numbers[1] if numbers[1] is not None else 1 if isinstance(log.key, rsa.RSAPrivateKey) else 3
    shown = u(milliseconds(claimed), 8) if claimed else moment
    return (u(version, 1) + log.id + shown + vector(extensions) + u(numbers[0], 1) + u(kind, 1)
            + vector(signature))


def scts(*items):
    return vector(b"".join(vector(item) for item in items))


def tlv(tag, content):
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


LIST = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
POISON = ObjectIdentifier("1.3.6.1.4.1.11129.2.4.3")


def name(common):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


class Authority:
    def __init__(self, common="Root"):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = name(common)
        self.certificate = (
            self.builder(self.name, self.key).add_extension(x509.BasicConstraints(True, None), True)
            .sign(self.key, hashes.SHA256()))

    def builder(self, subject, key, serial=1):
        return (x509.CertificateBuilder().issuer_name(self.name).subject_name(subject)
                .public_key(key.public_key()).serial_number(serial)
                .not_valid_before(datetime.datetime(2026, 4, 15))
                .not_valid_after(datetime.datetime(2026, 7, 13, 23, 59, 59)))

    def certificate_of(self, key, extensions, serial):
        builder = self.builder(name("leaf"), key, serial)
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, hashes.SHA256())


class Leaf:
    """A certificate with room for a list of timestamps among its extensions."""

    def __init__(self, authority, hosts=("www.example.com",), at=1, bare=False, serial=7):
        self.authority, self.at, self.serial = authority, at, serial
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.extensions = [] if bare else [
            (x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), False),
            (x509.BasicConstraints(False, None), True)]
        plain = self.made(self.extensions)
        self.tbs = plain.tbs_certificate_bytes
        self.entry = precert_entry(authority.key, self.tbs)
        self.plain = plain

    def made(self, extensions):
        return self.authority.certificate_of(self.key, extensions, self.serial)

    def with_value(self, value):
        extra = (x509.UnrecognizedExtension(LIST, value), False)
        return self.made(self.extensions[:self.at] + [extra] + self.extensions[self.at:])

    def embedding(self, *items):
        return self.with_value(tlv(4, scts(*items)))


def signed(logs):
    log = {each.name: each for each in logs}
    root, other = Authority(), Authority()
    cases = []

    def add(name, certificate, expected, leaf_index=None, tls=None, ocsp=None, now=NOW, anchor="certificate",
            issuer=root, omitted=0, path=True):
        der = lambda each: text(each.public_bytes(serialization.Encoding.DER))
        cases.append({
            "name": name, "leaf": der(certificate), "root": der(issuer.certificate), "anchor": anchor,
            "now": now, "tls": None if tls is None else text(tls),
            "ocsp": None if ocsp is None else text(ocsp), "expected": expected,
            "leafIndex": leaf_index, "omitted": omitted, "path": path})

    leaf = Leaf(root)
    good = [sct(log[each], leaf.entry) for each in ("a1", "b1", "k1")]
    add("embedded-three", leaf.embedding(*good), ["verified"] * 3)
    p256 = [sct(log[each], leaf.entry) for each in ("a1", "b1", "c1")]
    add("embedded-three-p256", leaf.embedding(*p256), ["verified"] * 3)
    add("embedded-anchor-without-certificate", leaf.embedding(*good), ["verified"] * 3, anchor="key")
    for at, where in ((0, "first"), (2, "last")):
        each = Leaf(root, at=at)
        add(f"embedded-{where}", each.embedding(sct(log["a1"], each.entry)), ["verified"])
    bare = Leaf(root, bare=True, at=0)
    add("embedded-alone", bare.embedding(sct(log["a1"], bare.entry)), ["verified"])
    # The list taken out, the lengths of the extensions and of the certificate cross the forms of a length.
    sizes = set()
    for letters in range(1, 64):
        for hosts in (1, 2, 3, 4):
            each = [f"{'h' * letters}{number}.example" for number in range(hosts)]
            size = len(tlv(0x30, x509.SubjectAlternativeName(
                [x509.DNSName(host) for host in each]).public_bytes()))
            if size in (94, 95, 96, 97, 98, 99, 100, 220, 221, 222, 223, 224, 225, 226) and size not in sizes:
                sizes.add(size)
                made = Leaf(root, hosts=each)
                add(f"embedded-size-{size}", made.embedding(sct(log["a1"], made.entry)), ["verified"])

    # What is signed.
    bad = ["badSignature"]
    add("other-issuer", leaf.embedding(sct(log["a1"], precert_entry(other.key, leaf.tbs))), bad)
    add("entry-of-certificate", leaf.embedding(
        sct(log["a1"], x509_entry(leaf.plain.public_bytes(serialization.Encoding.DER)))), bad)
    add("other-certificate", leaf.embedding(sct(log["a1"], Leaf(root).entry)), bad)
    add("poisoned-certificate-as-entry", leaf.embedding(sct(log["a1"], precert_entry(
        root.key, leaf.made(leaf.extensions + [
            (x509.UnrecognizedExtension(POISON, b"\5\0"), True)]).tbs_certificate_bytes))), bad)
    odd = Leaf(root)
    odd.extensions.append((x509.UnrecognizedExtension(POISON, b"\5\0"), False))
    add("poison-not-critical-unsigned", odd.embedding(sct(log["a1"], odd.entry)), bad)
    odd.entry = precert_entry(root.key, odd.made(odd.extensions).tbs_certificate_bytes)
    add("poison-not-critical-signed", odd.embedding(sct(log["a1"], odd.entry)), ["verified"])
    add("other-time", leaf.embedding(sct(log["a1"], leaf.entry, claimed="2026-05-01T00:00:00.001Z")), bad)
    add("other-log-signed", leaf.embedding(
        log["a1"].id.join([b"\0", sct(log["a2"], leaf.entry)[33:]])), bad)
    add("two-good-one-bad", leaf.embedding(good[0], sct(log["a2"], precert_entry(other.key, leaf.tbs)), good[1]),
        ["verified", "badSignature", "verified"])
    add("unknown-log", leaf.embedding(sct(Log("z", "Z", "rfc6962", None, None, {}), leaf.entry), good[0]),
        ["unknownLog", "verified"])
    twice = good[0][:-1] + bytes([good[0][-1] ^ 1])
    add("last-bit-flipped", leaf.embedding(twice), bad)

    # Algorithms.
    add("rsa-2048", leaf.embedding(good[2]), ["verified"])
    add("rsa-1024", leaf.embedding(sct(log["k2"], leaf.entry)), bad)
    add("p384", leaf.embedding(sct(log["k3"], leaf.entry)), bad)
    add("p384-sha384", leaf.embedding(sct(log["k3"], leaf.entry, numbers=(5, None), digest=hashes.SHA384())), bad)
    for hash_number, kind in ((5, 3), (2, 3), (0, 3), (4, 1), (4, 0), (4, 2), (8, 4)):
        add(f"numbers-{hash_number}-{kind}", leaf.embedding(
            sct(log["a1"], leaf.entry, numbers=(hash_number, kind))), bad)
    add("sha384-said-and-done", leaf.embedding(
        sct(log["a1"], leaf.entry, numbers=(5, 3), digest=hashes.SHA384())), bad)
    add("sha384-done", leaf.embedding(sct(log["a1"], leaf.entry, digest=hashes.SHA384())), bad)
    add("rsa-numbers-of-ecdsa", leaf.embedding(sct(log["k1"], leaf.entry, numbers=(4, 3))), bad)
    head, signature = good[0][:45], good[0][47:]
    add("signature-empty", leaf.embedding(head + vector(b"")), bad)
    add("signature-trailing", leaf.embedding(head + vector(signature + b"\0")), bad)
    add("signature-long-length", leaf.embedding(
        head + vector(b"\x30\x81" + signature[1:])), bad)

    # Shapes.
    add("version-2", leaf.embedding(sct(log["a1"], leaf.entry, version=1), good[0]),
        ["unsupportedVersion", "verified"])
    add("version-255", leaf.embedding(b"\xff" + good[1][1:], good[0]), ["unsupportedVersion", "verified"])
    add("version-2-alone-of-one-byte", leaf.embedding(b"\1", good[0]), ["unsupportedVersion", "verified"])
    add("item-empty", leaf.embedding(b"", good[0]), ["malformed", "verified"])
    add("item-junk-behind", leaf.embedding(good[1] + b"\0", good[0]), ["malformed", "verified"])
    add("item-byte-short", leaf.embedding(good[1][:-1], good[0]), ["malformed", "verified"])
    for size in (1, 32, 33, 40, 41, 42, 43, 44, 46):
        add(f"item-of-{size}", leaf.embedding(good[1][:size], good[0]), ["malformed", "verified"])
    listed = scts(good[0], good[1])
    add("list-empty", leaf.with_value(tlv(4, b"\0\0")), ["malformed"])
    add("list-nothing", leaf.with_value(tlv(4, b"")), ["malformed"])
    add("list-of-one-byte", leaf.with_value(tlv(4, b"\0")), ["malformed"])
    add("list-length-long", leaf.with_value(tlv(4, u(len(listed) - 1, 2) + listed[2:])), ["malformed"])
    add("list-length-short", leaf.with_value(tlv(4, u(len(listed) - 3, 2) + listed[2:])), ["malformed"])
    add("list-junk-behind", leaf.with_value(tlv(4, listed + b"\0")), ["malformed"])
    add("list-item-cut", leaf.with_value(tlv(4, vector(vector(good[0]) + vector(good[1])[:-1]))),
        ["verified", "malformed"])
    add("list-one-byte-left", leaf.with_value(tlv(4, vector(vector(good[0]) + b"\0"))),
        ["verified", "malformed"])
    add("list-wrapped-twice", leaf.with_value(tlv(4, tlv(4, listed))), ["malformed"])
    add("list-of-64", leaf.embedding(*[good[0]] * 64), ["verified"] * 64)
    add("list-of-65", leaf.embedding(*[good[0]] * 65), ["verified"] * 64, omitted=1)
    add("list-of-80", leaf.embedding(*[good[0]] * 80), ["verified"] * 64, omitted=16)

    # Extensions of static logs.
    def extension(kind, data):
        return u(kind, 1) + vector(data)

    for label, extensions, index in (
        ("0", extension(0, u(0, 5)), 0), ("305419896", extension(0, u(305419896, 5)), 305419896),
        ("most", extension(0, u(2**40 - 1, 5)), 2**40 - 1),
        ("behind-unknown", extension(9, b"abc") + extension(0, u(5, 5)), 5),
        ("before-unknown", extension(0, u(5, 5)) + extension(9, b""), 5),
        ("unknown-alone", extension(9, b"abc"), None), ("of-4-bytes", extension(0, u(5, 4)), None),
        ("of-6-bytes", extension(0, u(5, 6)), None),
        ("twice", extension(0, u(5, 5)) * 2, None),
        ("unknown-twice", extension(9, b"") * 2 + extension(0, u(5, 5)), None),
        ("cut", extension(0, u(5, 5))[:-1], None), ("junk", b"junk", None),
    ):
        add(f"leaf-index-{label}", leaf.embedding(sct(log["t1"], leaf.entry, extensions=extensions)),
            ["verified"], leaf_index=index)
    item = sct(log["t1"], leaf.entry, extensions=extension(0, u(5, 5)))
    add("leaf-index-changed", leaf.embedding(item.replace(u(5, 5), u(6, 5), 1)), bad, leaf_index=6)

    # Time and state.
    add("same-second", leaf.embedding(sct(log["a1"], leaf.entry, time="2026-06-10T00:00:00.999Z")), ["verified"])
    add("next-second", leaf.embedding(sct(log["a1"], leaf.entry, time="2026-06-10T00:00:01.000Z")),
        ["inTheFuture"])
    add("retired-before", leaf.embedding(sct(log["r1"], leaf.entry)), ["logRetired"])
    add("retired-later", leaf.embedding(sct(log["r1"], leaf.entry, time="2026-02-28T23:59:59.999Z")), ["verified"])
    add("retired-at-the-time", leaf.embedding(sct(log["r1"], leaf.entry, time="2026-03-01T00:00:00.000Z")),
        ["logRetired"])
    add("pending", leaf.embedding(sct(log["p1"], leaf.entry)), ["verified"])
    last = u(2**64 - 1, 8)
    add("end-of-time", leaf.embedding(
        b"\0" + log["a1"].id + last + vector(b"") + b"\4\3"
        + vector(log["a1"].sign(b"\0\0" + last + leaf.entry + vector(b"")))), ["inTheFuture"])

    # Other deliveries.
    der = leaf.plain.public_bytes(serialization.Encoding.DER)
    entry = x509_entry(der)
    delivered = [sct(log[each], entry) for each in ("a1", "b1", "k1")]
    add("tls-three", leaf.plain, ["verified"] * 3, tls=scts(*delivered))
    add("tls-anchor-without-certificate", leaf.plain, ["verified"] * 3, tls=scts(*delivered), anchor="key")
    add("tls-embedded-kind", leaf.plain, bad, tls=scts(good[0]))
    add("tls-bad-between", leaf.plain, ["verified", "malformed", "verified"],
        tls=scts(delivered[0], b"\0", delivered[1]))
    add("tls-empty", leaf.plain, ["malformed"], tls=b"")
    add("tls-junk", leaf.plain, ["malformed"], tls=b"\0\1\0\0")
    both = leaf.embedding(good[0])
    over = x509_entry(both.public_bytes(serialization.Encoding.DER))
    add("tls-beside-embedded", both, ["verified", "verified"], tls=scts(sct(log["b1"], over)))

    def response(certificate, items, about=None):
        value = tlv(4, scts(*items))
        body = (ocsp.OCSPResponseBuilder()
                .add_response(about or certificate, root.certificate, hashes.SHA1(), ocsp.OCSPCertStatus.GOOD,
                              datetime.datetime(2026, 6, 9), datetime.datetime(2026, 6, 16), None, None)
                .responder_id(ocsp.OCSPResponderEncoding.HASH, root.certificate)
                .sign(root.key, hashes.SHA256())).public_bytes(serialization.Encoding.DER)
        return with_single_extension(body, value)

    add("ocsp-three", leaf.plain, ["verified"] * 3, ocsp=response(leaf.plain, delivered))
    add("ocsp-of-another", leaf.plain, [], ocsp=response(leaf.plain, delivered, Leaf(root, serial=8).plain))
    add("ocsp-embedded-kind", leaf.plain, bad, ocsp=response(leaf.plain, good[:1]))
    add("all-deliveries", both, ["verified"] * 3, tls=scts(sct(log["b1"], over)),
        ocsp=response(both, [sct(log["c1"], over)]))
    add("none", leaf.plain, [])
    add("precertificate", leaf.made(leaf.extensions + [(x509.UnrecognizedExtension(POISON, b"\5\0"), True)]), [],
        path=False)

    with open(f"{HERE}/signed.ndjson", "w") as file:
        for case in cases:
            file.write(json.dumps(case) + "\n")
    print(len(cases), "signed cases")


def elements(der):
    """The tag, the whole and the content of each element."""
    found, offset = [], 0
    while offset < len(der):
        size, start = der[offset + 1], offset + 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(der[offset + 2:start], "big")
        found.append((der[offset], der[offset:start + size], der[start:start + size]))
        offset = start + size
    return found


def with_single_extension(response, value):
    """Puts timestamps into the single response of an OCSP response. Its signature is no longer valid, and
    need not be."""
    extension = tlv(0x30, bytes.fromhex("060A2B06010401D679020405") + tlv(4, value))
    status, wrapped = elements(elements(response)[0][2])
    kind, octets = elements(elements(wrapped[2])[0][2])
    data, *rest = elements(elements(octets[2])[0][2])
    fields = elements(data[2])
    at = next(index for index, field in enumerate(fields) if field[0] == 0x30)
    single = elements(fields[at][2])[0]
    changed = tlv(0x30, tlv(0x30, single[2] + tlv(0xA1, tlv(0x30, extension))))
    data = tlv(0x30, b"".join(field[1] for field in fields[:at]) + changed
               + b"".join(field[1] for field in fields[at + 1:]))
    basic = tlv(0x30, data + b"".join(part[1] for part in rest))
    return tlv(0x30, status[1] + tlv(0xA0, tlv(0x30, kind[1] + tlv(4, basic))))


def main():
    policies()
    if "policies" in sys.argv[1:]:
        return
    logs = [Log(*each) for each in LOGS]
    document = json.dumps(log_list(logs), indent=1).encode()
    key = rsa.generate_private_key(65537, 2048)
    with open(f"{HERE}/logs.json", "wb") as file:
        file.write(document)
    with open(f"{HERE}/logs.sig", "wb") as file:
        file.write(key.sign(document, padding.PKCS1v15(), hashes.SHA256()))
    with open(f"{HERE}/logs-key.pem", "wb") as file:
        file.write(key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo))
    signed(logs)


main()
