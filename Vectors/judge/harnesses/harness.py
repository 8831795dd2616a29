"""What the harnesses in Python share: they read the suite, skip what the peer cannot be asked, and print lines of JSON.

The first line is `{"peer": NAME, "does": […]}`; then comes one for each case: `id`, `result` (SUCCESS, FAILURE or
SKIPPED), `reason` (the peer's own word, or null), `path` (SHA-256 of each certificate, or null) and `microseconds`.
"""
import base64
import datetime
import hashlib
import json
import re
import sys
import time


def der(text):
    return base64.b64decode("".join(re.findall(r"^[A-Za-z0-9+/=]+$", text, re.M)))


class Question:
    """A case, with certificates as DER."""

    def __init__(self, case):
        self.leaf = der(case["peer_certificate"])
        self.intermediates = [der(text) for text in case["untrusted_intermediates"]]
        self.anchors = [der(text) for text in case["trusted_certs"]]
        self.crls = [der(text) for text in case["crls"]]
        self.responses = [der(text) for text in case["ocsp_responses"]]
        self.time = datetime.datetime.fromisoformat(case["validation_time"].replace("Z", "+00:00"))
        self.use = case["settings"]["purpose"].split()[0]
        name = case["expected_peer_name"] or next(iter(case["expected_peer_names"]), {})
        self.kind, self.name = name.get("kind"), name.get("value")


def fingerprint(certificate):
    return hashlib.sha256(certificate).hexdigest()


def run(peer, does, answer):
    """Answers each case: `answer` returns the result, the reason and the path."""
    print(json.dumps({"peer": peer, "does": sorted(does)}))
    for case in json.load(open(sys.argv[1], encoding="utf-8"))["testcases"]:
        line = {"id": case["id"], "result": "SKIPPED", "reason": None, "path": None, "microseconds": None}
        lacking = set(case["requires"]) - set(does)
        if lacking:
            line["reason"] = ", ".join(sorted(lacking))
        else:
            question = Question(case)
            start = time.perf_counter_ns()
            result, reason, path = answer(question)
            line["microseconds"] = (time.perf_counter_ns() - start) // 1000
            line |= {"result": result, "reason": reason, "path": [fingerprint(one) for one in path] if path else None}
        print(json.dumps(line))
