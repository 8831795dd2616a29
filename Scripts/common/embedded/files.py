"""Asks programs about files, and compares what they answer, byte for byte.

    files.py cases FOLDER                    writes files and command lines about them: FOLDER/lines.txt
    files.py ask TOOL FOLDER > ANSWERS       runs the tool for each, and writes its answers as tool/Main.swift does
    files.py compare FOLDER ANSWERS ANSWERS  compares two programs' answers; the last line has the counts

The cases are ours: the chains of Vectors/causes, chains, flaws and paths for `verify`, each file of them and of the
other vectors for `inspect`, and configurations of pins for `pins` and `verify --pins`.
"""
import base64
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
VECTORS = ROOT / "Vectors"
TIME = "2026-06-15T12:00:00Z"
FORMATS = ["trustKit", "nsPinnedDomains", "android", "okHttp", "curl"]
BLOCK = re.compile(r"-----BEGIN ([^-]+)-----.*?-----END [^-]+-----\n?", re.S)
USES = {"client", "code", "time", "ocsp", "any"}
# What is asked of a chain whose purpose has a name.
NAMED = {"server": ["--host"], "email": ["--purpose", "email", "--email"]}


def pem(ders):
    return "".join(f"-----BEGIN CERTIFICATE-----\n{base64.encodebytes(der).decode()}-----END CERTIFICATE-----\n" for der in ders)


class Files:
    """The folder of the files, in which every command line is run."""

    def __init__(self, folder):
        self.folder, self.names = folder, {}

    def add(self, name, data):
        """Writes a file, or returns the name of one with the same bytes."""
        data = data.encode() if isinstance(data, str) else data
        if data not in self.names:
            self.names[data] = name
            (self.folder / name).write_bytes(data)
        return self.names[data]


def causes(files):
    folder = VECTORS / "causes"
    ders = [base64.b64decode(line.split()[2]) for line in (folder / "certificates.txt").read_text().splitlines()]
    sources = [base64.b64decode(line.split()[1]) for line in (folder / "sources.txt").read_text().splitlines()]
    for number, line in enumerate((folder / "cases.txt").read_text().splitlines()):
        values = dict(word.split("=", 1) for word in line.split()[1:])
        some = lambda key, list: [list[int(index)] for index in values.get(key, "").split(",") if index]
        words = ["verify", files.add(f"cause-{number}.pem", pem(some("chain", ders))), "--anchors",
                 files.add(f"cause-{number}-anchors.pem", pem(some("anchors", ders))), "--at", TIME]
        words += ["--rules", values["rules"]] if "rules" in values else []
        client = values.get("purpose") == "client"
        words += ["--purpose", "client"] if client else ["--host", values.get("host", "www.causes.example")]
        for key, option in ("lists", "--crl"), ("responses", "--ocsp"):
            for der in some(key, sources):
                words += [option, files.add(f"source-{len(files.names)}.der", der)]
        if "--crl" in words or "--ocsp" in words:
            words += ["--revocation", "leaf"]
        yield words + ["--json"]
        yield words


def chains(files):
    for path in sorted(itertools.chain.from_iterable(VECTORS.glob(f"{name}/*.case") for name in ("chains", "flaws", "paths"))):
        text = path.read_text()
        values = dict(re.findall(r"^([a-z-]+): +(.*)$", text, re.M))
        head, _, anchors = text.partition("\nanchor:")
        sent = collections.defaultdict(str)
        for block in BLOCK.finditer(head):
            sent[block[1]] += block[0]
        use, _, name = values["purpose"].partition(" ")
        words = ["verify", files.add(f"{path.stem}.pem", sent["CERTIFICATE"] or head)]
        words += ["--anchors", files.add(f"{path.stem}-anchors.pem", anchors or "none")]
        words += ["--at", values["time"], "--rules", values["rules"].split()[0]]
        words += [*NAMED[use], name] if use in NAMED and name else ["--purpose", use if use in USES else "any"]
        for label, option in ("X509 CRL", "--crl"), ("OCSP RESPONSE", "--ocsp"):
            if sent[label]:
                words += [option, files.add(f"{path.stem}{option}.pem", sent[label])]
        if len(sent) > 1:
            words += ["--revocation", "leaf"]
        yield words + ["-v"]
        yield words + ["--json"]
        yield ["inspect", files.add(path.name, path.read_bytes()), "--at", TIME]


def contents(files):
    kinds = {".pem", ".der", ".p12", ".pfx", ".p7b", ".crl", ".key", ".txt"}
    for path in sorted(VECTORS.rglob("*")):
        if path.suffix in kinds and path.stat().st_size < 1 << 18 and "slow" not in path.name:
            name = str(path.relative_to(VECTORS)).replace("/", "-")
            words = ["inspect", files.add(name, path.read_bytes()), "--at", TIME]
            yield words
            yield words + ["--json"]


def pins(files):
    demo = ["--at", TIME, "--host", "www.demo.example"]
    chain, root = (files.add(f"demo-{name}.pem", (VECTORS / f"demo/{name}.pem").read_bytes()) for name in ("chain", "root"))
    golden = ROOT / "Tests/HoldfastToolTests/Golden/inputs"
    found = [(path, None) for path in sorted(golden.iterdir()) if path.suffix in (".plist", ".xml")]
    found += [(path, name) for name in FORMATS for path in sorted((ROOT / f"Fuzz/corpus/{name}").iterdir())]
    for path, form in found:
        file = files.add(f"pins-{form}-{path.name}", path.read_bytes())
        words = [file] + (["--format", form] if form else [])
        yield ["pins", "lint", *words, "--at", TIME]
        yield ["pins", "lint", *words, "--chain", chain, "--at", TIME, "--json"]
        for target in FORMATS:
            yield ["pins", "convert", *words, "--to-format", target, "--place", "leaf"]
        for option in [], ["--json"]:
            yield ["pins", "simulate", *words, "--chain", chain, "--anchors", root, "--from", TIME, *option]
        yield ["verify", chain, "--anchors", root, *demo, "--pins", *words, "--json"]
        yield ["verify", chain, "--anchors", root, *demo, "--pins", *words]


def write_cases(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = Files(folder)
    lines = ["\t".join(words) for kind in (causes, chains, contents, pins) for words in kind(files)]
    (folder / "lines.txt").write_text("".join(line + "\n" for line in lines))
    print(f"{len(lines)} command lines about {len(files.names)} files")


def ask(tool, folder):
    def answer(line):
        # Nothing is asked: there is no terminal.
        done = subprocess.run([tool, *line.split("\t")], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              start_new_session=True)
        return f"{done.returncode} {len(done.stdout)} {len(done.stderr)}\n".encode() + done.stdout + done.stderr

    lines = (pathlib.Path(folder) / "lines.txt").read_text().splitlines()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        for found in threads.map(answer, lines):
            sys.stdout.buffer.write(found)


def answers(path):
    """Each answer: the status, the results, the messages."""
    data, place = pathlib.Path(path).read_bytes(), 0
    while place < len(data):
        end = data.index(b"\n", place) + 1
        status, results, messages = map(int, data[place:end].split())
        yield status, data[end:end + results], data[end + results:end + results + messages]
        place = end + results + messages


def compare(folder, one, other):
    lines = (pathlib.Path(folder) / "lines.txt").read_text().splitlines()
    counts, statuses, different = collections.Counter(), collections.Counter(), 0
    ours, theirs = list(answers(one)), list(answers(other))
    for line, left, right in zip(lines, ours, theirs):
        counts[line.split("\t")[0]] += 1
        statuses[left[0]] += 1
        if left != right:
            different += 1
            if different <= 10:
                print(f"FAILED {line}\n  {left}\n  {right}"[:4000])
    for found, name in (ours, one), (theirs, other):
        if len(found) != len(lines):
            print(f"FAILED {name}: {len(found)} answers to {len(lines)} command lines")
            different += len(lines) - len(found)
    # Command lines that are not understood show nothing.
    if statuses[2] * 20 > len(lines):
        print(f"FAILED {statuses[2]} command lines are not understood")
        different += statuses[2]
    kinds = ", ".join(f"{count} of {name}" for name, count in sorted(counts.items()))
    print(f"{sum(counts.values())} answers ({kinds}), {different} differ from the tool's")
    return 1 if different or not lines else 0


if __name__ == "__main__":
    work = {"cases": write_cases, "ask": ask, "compare": compare}
    if len(sys.argv) < 3 or sys.argv[1] not in work:
        sys.exit(__doc__)
    sys.exit(work[sys.argv[1]](*sys.argv[2:]))
