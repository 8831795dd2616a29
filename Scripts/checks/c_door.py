"""Compares what the library for other languages says with the tool's `batch`, over the chains of Vectors/causes.

    Scripts/checks/c_door.py LIBRARY TOOL

Every member of the JSON document must be the same, but `input` and `id`, which name lines of a file; and
a trusted answer of the library also has the remarks of `verify` on the order of the chain.
"""
import base64
import ctypes
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
Pointer, Size = ctypes.c_void_p, ctypes.c_size_t
DEMO, EXPLANATIONS = ROOT / "Vectors/demo", ROOT / "Vectors/explanations"

# What is asked for a page: the files of the chain and of the anchors, and what else is entered.
SCENES = {
    "trusted": (DEMO / "chain.pem", DEMO / "root.pem", {"host": "www.demo.example", "time": "2026-11-21T00:00:00"}),
    "pinned": (DEMO / "chain.pem", DEMO / "root.pem", {
        "host": "www.demo.example", "time": "2026-11-21T00:00:00", "pins": ["chain.pem", "backup-request.pem"]}),
    "wrong key": (DEMO / "proxy-chain.pem", DEMO / "proxy-root.pem", {
        "host": "www.demo.example", "time": "2026-11-21T00:00:00", "pins": ["chain.pem", "backup-request.pem"]}),
    "path length": (EXPLANATIONS / "path-length.pem", EXPLANATIONS / "path-length.anchor.pem", {
        "host": "www.shop.example", "time": "2026-06-01T00:00:00"}),
    "hostile": (EXPLANATIONS / "hostile.pem", EXPLANATIONS / "hostile.pem", {
        "purpose": "any", "time": "2026-06-01T00:00:00"}),
}


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", Size)]


class Question(ctypes.Structure):
    _fields_ = [("structure_size", Size), ("purpose", ctypes.c_uint32), ("flags", ctypes.c_uint32),
                ("name", ctypes.c_char_p), ("name_size", Size), ("time", ctypes.c_int64),
                ("chain", ctypes.POINTER(Bytes)), ("chain_count", Size), ("staple", Bytes), ("timestamps", Bytes)]


def load(path):
    library = ctypes.CDLL(path)
    text = [ctypes.c_char_p, Size]
    for name, arguments in {
        "new": [ctypes.POINTER(Pointer)], "free": [Pointer], "add_anchors": [Pointer, *text, ctypes.c_uint32],
        "set_rules": [Pointer, *text], "add_pin": [Pointer, *text, *text], "add_crls": [Pointer, *text], "set_revocation": [Pointer, ctypes.c_uint32],
        "ask": [Pointer, ctypes.POINTER(Question), ctypes.POINTER(Pointer)],
    }.items():
        getattr(library, f"holdfast_policy_{name}").argtypes = arguments
    library.holdfast_answer_borrow_text.argtypes = [Pointer, ctypes.c_uint32, Pointer]
    library.holdfast_answer_borrow_text.restype = ctypes.c_char_p
    library.holdfast_answer_free.argtypes = [Pointer]
    library.holdfast_version.restype = ctypes.c_char_p
    return library


def pem(der):
    return b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"


def answer(library, case):
    """The document of the library about a request of `batch`; None if the policy cannot be made."""
    policy, given = Pointer(), Pointer()
    library.holdfast_policy_new(ctypes.byref(policy))
    anchors = b"".join(pem(base64.b64decode(text)) for text in case["anchors"])
    library.holdfast_policy_add_anchors(policy, anchors, len(anchors), 0)
    rules = case["rules"].encode()
    library.holdfast_policy_set_rules(policy, rules, len(rules))
    for text in case.get("crls", []):
        der = base64.b64decode(text)
        library.holdfast_policy_add_crls(policy, der, len(der))
    if "crls" in case:
        library.holdfast_policy_set_revocation(policy, 3)
    chain = [base64.b64decode(text) for text in case["chain"]]
    array = (Bytes * len(chain))(*[Bytes(der, len(der)) for der in chain])
    host = case.get("host", "").encode() or None
    time = datetime.datetime.fromisoformat(case["time"].replace("Z", "+00:00"))
    question = Question(
        ctypes.sizeof(Question), 1 if host else 2, 0, host, len(host or b""), int(time.timestamp()), array, len(chain))
    status = library.holdfast_policy_ask(policy, ctypes.byref(question), ctypes.byref(given))
    text = library.holdfast_answer_borrow_text(given, 5, None)
    library.holdfast_answer_free(given)
    library.holdfast_policy_free(policy)
    return json.loads(text) if status == 0 else None


def cases():
    folder = ROOT / "Vectors/causes"
    ders = [line.split()[2] for line in (folder / "certificates.txt").read_text().splitlines()]
    sources = [line.split()[1] for line in (folder / "sources.txt").read_text().splitlines()]
    for line in (folder / "cases.txt").read_text().splitlines():
        name, *words = line.split()
        values = dict(word.split("=", 1) for word in words)
        if "responses" in values:
            continue
        number = lambda key, list: [list[int(index)] for index in values.get(key, "").split(",") if index]
        case = {"id": name, "chain": number("chain", ders), "anchors": number("anchors", ders),
                "rules": values.get("rules", "webPKI"), "time": "2026-06-15T12:00:00Z"}
        if values.get("purpose") == "client":
            case["purpose"] = "client"
        else:
            case["host"] = values.get("host", "www.causes.example")
        if "lists" in values:
            case["crls"] = number("lists", sources)
        yield case


def scenes(tool):
    """Each scene: its name, what is entered, and the page of `verify --html`."""
    for name, (chain, anchors, entered) in SCENES.items():
        pins = [subprocess.run([tool, "pin", DEMO / file], capture_output=True, text=True).stdout.split()[0]
                for file in entered.get("pins", [])]
        values = {**entered, "chain": chain.read_text(), "anchors": anchors.read_text(), "pins": pins}
        option = ["--host", entered["host"]] if "host" in entered else ["--purpose", entered["purpose"]]
        page = subprocess.run(
            [tool, "verify", chain, "--anchors", anchors, *option, "--at", entered["time"] + "Z", "--html", "-",
             *(part for pin in pins for part in ("--pin", pin))],
            capture_output=True, text=True, env={**os.environ, "TZ": "UTC"}).stdout
        yield name, values, page


def without_hints(page):
    """A page without hints, which each program has in its own words."""
    return re.sub(r"<h2>What may help</h2>.*?</ul>", "", page, flags=re.S).strip()


def pages(library, tool):
    """Compares the pages of the scenes; 1 if one differs."""
    status = 0
    for name, values, theirs in scenes(tool):
        ours = page(library, values)
        if without_hints(ours) != without_hints(theirs):
            status = 1
            print(f"not ok: {name}: another page than that of verify --html")
    print(f"{len(SCENES)} pages compared")
    return status


def page(library, values):
    """The page of the library about what is entered; the chain is a file."""
    policy, given = Pointer(), Pointer()
    library.holdfast_policy_new(ctypes.byref(policy))
    anchors = values["anchors"].encode()
    library.holdfast_policy_add_anchors(policy, anchors, len(anchors), 0)
    host = values.get("host", "").encode() or None
    for pin in values["pins"]:
        library.holdfast_policy_add_pin(policy, host, len(host), pin.encode(), len(pin))
    time = datetime.datetime.fromisoformat(values["time"] + "+00:00")
    chain = values["chain"].encode()
    question = Question(
        ctypes.sizeof(Question), 1 if host else 7, 2, host, len(host or b""), int(time.timestamp()),
        (Bytes * 1)(Bytes(chain, len(chain))), 1)
    library.holdfast_policy_ask(policy, ctypes.byref(question), ctypes.byref(given))
    text = library.holdfast_answer_borrow_text(given, 6, None) or b""
    library.holdfast_answer_free(given)
    library.holdfast_policy_free(policy)
    return text.decode()


def main(library, tool):
    library = load(library)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.split()[1]
    if library.holdfast_version().decode() != version:
        sys.exit(f"not ok: the library is {library.holdfast_version().decode()}, the tool {version}")
    sys.exit(pages(library, tool) | compare(tool, lambda case: answer(library, case)))


def documents(tool):
    """Each case with the tool's document, read."""
    all = list(cases())
    for demand in (False, True):
        some = [case for case in all if ("crls" in case) == demand]
        lines = "".join(json.dumps(case) + "\n" for case in some)
        done = subprocess.run([tool, "batch", "-", *(["--revocation", "leaf"] if demand else [])],
                              input=lines, capture_output=True, text=True)
        found = done.stdout.splitlines()
        if len(found) != len(some):
            sys.exit(f"not ok: {len(found)} answers to {len(some)} requests: {done.stderr[:400]}")
        yield from zip(some, map(json.loads, found))


def compare(tool, answer):
    """Compares the documents that `answer` returns, None without a policy; 1 if one differs."""
    # A CRL that cannot be read makes a policy unusable, where `batch` goes on with an unknown status.
    count = different = skipped = 0
    for case, theirs in documents(tool):
        count += 1
        ours = answer(case)
        if ours is None:
            skipped += 1
            continue
        for object in (ours, theirs):
            object.pop("id", None), object.pop("input", None)
            if object["verdict"] == "trusted":
                object.pop("hints")
        # The place of a CRL is its number here, and the member of a line there.
        mine = json.dumps(ours)
        other = json.dumps(theirs)
        if mine != other and normal(ours) != normal(theirs):
            different += 1
            if different < 6:
                print(f"not ok: {case['id']}:\n  library: {mine[:1500]}\n  tool:    {other[:1500]}")
    print(f"{count - skipped} documents compared, {different} differ; {skipped} with a CRL that cannot be read")
    return 1 if different or skipped > count // 20 else 0


def normal(value):
    """The document with the places of CRLs by their numbers alone."""
    return json.dumps(value).replace("crls[", "CRL ").replace("]", "")


if __name__ == "__main__":
    main(*sys.argv[1:])
