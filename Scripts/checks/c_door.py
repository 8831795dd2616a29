"""Compares what the library for other languages says with the tool's `batch`, over the chains of Vectors/causes.

    Scripts/checks/c_door.py LIBRARY TOOL

Every member of the JSON document must be the same, but `input` and `id`, which name lines of a file; and
a trusted answer of the library also has the remarks of `verify` on the order of the chain.
"""
import base64
import ctypes
import datetime
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
Pointer, Size = ctypes.c_void_p, ctypes.c_size_t


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
        "set_rules": [Pointer, *text], "add_crls": [Pointer, *text], "set_revocation": [Pointer, ctypes.c_uint32],
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


def main(library, tool):
    library = load(library)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.split()[1]
    if library.holdfast_version().decode() != version:
        sys.exit(f"not ok: the library is {library.holdfast_version().decode()}, the tool {version}")
    # A CRL that cannot be read makes a policy unusable, where `batch` goes on with an unknown status.
    all = list(cases())
    different = skipped = 0
    for demand in (False, True):
        some = [case for case in all if ("crls" in case) == demand]
        lines = "".join(json.dumps(case) + "\n" for case in some)
        done = subprocess.run([tool, "batch", "-", *(["--revocation", "leaf"] if demand else [])],
                              input=lines, capture_output=True, text=True)
        found = done.stdout.splitlines()
        if len(found) != len(some):
            sys.exit(f"not ok: {len(found)} answers to {len(some)} requests: {done.stderr[:400]}")
        for case, line in zip(some, found):
            theirs, ours = json.loads(line), answer(library, case)
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
    print(f"{len(all) - skipped} documents compared, {different} differ; {skipped} with a CRL that cannot be read")
    sys.exit(1 if different or skipped > len(all) // 20 else 0)


def normal(value):
    """The document with the places of CRLs by their numbers alone."""
    return json.dumps(value).replace("crls[", "CRL ").replace("]", "")


if __name__ == "__main__":
    main(*sys.argv[1:])
