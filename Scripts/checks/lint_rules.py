"""The rules of STYLE.md that a machine can see, each with samples that it must reject and accept."""
import os
import re
import subprocess
import sys

# A token that hides code: a comment, a raw or multi-line string, a string.
TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>#+".*?"#+|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*")',
    re.S)
FOLDERS = ["Sources", "Tests", "Benchmarks", "Examples", "Fuzz", "Scripts", "Documentation", ".ci"]
LOOSE = ["Package.swift", "README.md", "SECURITY.md", "CONTRIBUTING.md", "AUDIT.md", "Vectors/README.md"]
BESIDE = ["HoldfastConformance", "HoldfastConformanceTool", "HoldfastJSON", "HoldfastSystem", "HoldfastTool"]
# Foundation's sessions are its subject.
WITH_FOUNDATION = ["HoldfastURLSession"]
SYSTEM = r"^\s*(?:\w+ )*import (?:\w+ )?(?:Glibc|Musl|Darwin|Android|CHoldfastPlatform)\b"


class File:
    """The lines of a file, taken apart: `code` without comments and strings, and the `prose`."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        parts = path.split("/")
        self.target = parts[1] if parts[0] == "Sources" and len(parts) > 2 else None
        self.is_swift = path.endswith(".swift")
        self.is_code = path.endswith((".swift", ".h", ".c"))
        self.is_library = self.is_swift and self.target not in (None, "HoldfastTool")
        self.is_core = self.is_library and self.target not in BESIDE + ["HoldfastConfigurations"]
        self.lines = text.split("\n")
        self.code, self.prose = [""] * len(self.lines), self.lines
        if self.is_code:
            self.code, self.prose = split(text)


def split(text):
    """The lines of the code, and those of the comments and strings."""
    code, prose, end = "", "", 0
    for token in TOKEN.finditer(text):
        before = text[end:token.start()]
        # What is interpolated into a string is code again.
        inside = re.findall(r"\\\(([^()]*)\)", token.group()) if token["text"] else []
        code += before + " ".join(inside) + "\n" * token.group().count("\n")
        prose += "\n" * before.count("\n") + token.group() + " "
        end = token.end()
    rest = text[end:]
    return (code + rest).split("\n"), (prose + "\n" * rest.count("\n")).split("\n")


def each(part, pattern, scope=lambda file: file.is_code):
    """A rule about single lines: the part of a line must not match the pattern."""
    found = re.compile(pattern)
    return lambda file: [
        number for number, line in enumerate(getattr(file, part), 1) if found.search(line)
    ] if scope(file) else []


def file_length(file):
    return [0] if file.is_code and len(file.lines) > 401 else []


def safety(file):
    breaches, start = [], 0
    for number, line in enumerate(file.lines + [""]):
        if line.strip():
            continue
        paragraph = range(start, number)
        start = number + 1
        if not any("// SAFETY:" in file.lines[index] for index in paragraph):
            breaches += [index + 1 for index in paragraph if UNSAFE.search(file.code[index])]
    return breaches if file.is_code else []


def standard_extensions(file):
    breaches, inside = [], False
    for number, line in enumerate(file.code, 1):
        if line.startswith("extension "):
            inside = bool(STANDARD.match(line))
        elif line.startswith("}"):
            inside = False
        elif inside and re.match(r"  \S", line) and re.search(r"\b(func|var|let|init|subscript)\b", line):
            if not re.search(r"\b(fileprivate|private)\b", line):
                breaches.append(number)
    return breaches if file.is_library else []


def script_help(file):
    is_script = re.match(r"Scripts/(\w+/)?[^./]+$", file.path) and file.text.startswith("#!")
    answers = re.search(r"/help\.bash\"$|--help|argparse", file.text, re.M)
    return [1] if is_script and not answers else []


UNSAFE = re.compile(r"\bunsafe\b(?!\))")
STANDARD = re.compile(
    r"extension (\[|(Array|ArraySlice|ContiguousArray|InlineArray|Span|RawSpan|String|Substring|"
    r"Character|U?Int\d*|UInt128|Bool|Range|Sequence|Collection|Dictionary|Set|Optional|Data|Date)\b)")
TRAPS = (
    r"\b(fatalError|preconditionFailure|precondition|assert|assertionFailure)\b"
    r"|\b(try|as)!|[\w)\]>]!(?!=)|[\w)\]]! ?[=!]=")
CITATIONS = (
    r"\bRFC[-_]?\d{4}|\bRFC {2,}\d|\bRFC \d+(,? [Ss]ec|, ?§| \d+\.\d|§)|\b[Ss]ection \d|§ \d"
    r"|§\d[\d.]*\([a-z]")
DEAD = (
    r"^\s*// *((let|var) \w+ ?(=|: [A-Z\[])|import [A-Z]\w*$|\}$"
    r"|(public |package |private |static )*(func \w+[(<].*|init\(.*\) ?)\{?$"
    r"|(if|guard|for|while|switch|else) .*\{$|(try )?\w+(\.\w+)*\(.*\)$)")
WORDS = re.compile(
    r"(?i:\b(whoever|nobody|of whom|as it stands|is said|mended|the one that|so many|somebody)\b)"
    r"|\bis none\b|\b[Oo]ctets?\b")
# What is in a line of prose and is not prose: interpolated code, names, members of JSON.
NAMES = re.compile(r'\\\((?:[^()]|\([^()]*\))*\)|`[^`]*`|"\w+"')
any_file = lambda file: True
in_sources = lambda file: file.is_swift and file.target is not None

# Name, check, path of the samples, what it must reject, what it must accept.
S = "Sources/HoldfastDER/Sample.swift"
RULES = [
    ("file-length", file_length, S, ["a\n" * 401], ["a\n" * 400]),
    ("unsafe", each("code", UNSAFE.pattern), S, ["let x = unsafe p.pointee"],
     ["let unsafely = 1", "// unsafe is a word", 'print("unsafe")']),
    ("safety-comment", safety, S, ["// why\nlet a = unsafe b()", "// SAFETY: x\n\nunsafe f()"],
     ["// SAFETY: p lives on\nlet a = unsafe b()", "unsafe f()  // SAFETY: it does"]),
    ("trap", each("code", TRAPS, in_sources), S,
     ["let a = b!", "a()!.c", "x = try! f()", "let a = b as! C", "var a: Int!", "a[0]! += 1",
      "fatalError()", "precondition(a > 0)", "assert(a)", 'print("\\(a!)")', "if a! == b {}"],
     ["if a != b {}", "guard !a else { return }", "f(!a, [!b])", "// stop! here", '"a!"',
      'let s = #"a!"#', "/* a! */", "assertion(a)", 'let a = """\nb!\n"""']),
    ("swallowed-error", each("code", r"\btry\?", lambda file: file.is_core), S,
     ["let a = try? b()"], ["let a = try b()"]),
    ("print", each("code", r"\b(print|debugPrint|dump)\(", lambda file: file.is_library), S,
     ["print(a)", "dump(a)"], ["printed(a)", "// print(a)", "let print = 1"]),
    ("unchecked-sendable", each("code", r"@unchecked Sendable|nonisolated\(unsafe\)"), S,
     ["final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1"],
     ["struct A: Sendable {}"]),
    ("standard-extension", standard_extensions, S,
     ["extension Array {\n  func f() {}\n}", "extension [UInt8] {\n  package var a: Int { 1 }\n}"],
     ["extension Array {\n  fileprivate func f() {\n    let a = 1\n  }\n}",
      "extension OID {\n  func f() {}\n}"]),
    ("gmp-memory", each("code", r"mp_set_memory_functions"), S,
     ["mp_set_memory_functions(a, b, c)"], ["mpn_sqr(a, b, 4)"]),
    ("gmp-import", each("code", r"\bimport CHoldfastGMP\b"), S,
     ["internal import CHoldfastGMP"], ["// import CHoldfastGMP"]),
    ("system-import", each("code", SYSTEM, in_sources), S,
     ["import Glibc", "internal import Darwin"], ["import Synchronization"]),
    ("foundation", each("code", r"\bimport (\w+ )?Foundation",
                        lambda file: file.is_library
                        and file.target not in BESIDE + WITH_FOUNDATION), S,
     ["import Foundation", "import struct Foundation.Data", "import FoundationEssentials"],
     ['let text = "import Foundation"', "// import of anything"]),
    ("unsafe-flags", each("code", r"\bunsafeFlags\b", lambda file: file.path == "Package.swift"),
     "Package.swift", [".unsafeFlags([a])"], [".strictMemorySafety()"]),
    ("citation", each("prose", CITATIONS, any_file), S,
     ["// RFC5280 §4", "// RFC 5280, §4.1", "/// RFC 5280 section 4.2", "// see Section 4.2",
      "// § 4.1", "// RFC 5280 4.2.1.10", "// RFC 5280 §6.1.4(k)", 'let a = "RFC-8017"'],
     ["// RFC 5280 §6.1.4 (k)", "// X.690 §8.1.3", 'let a = "RFC 5280 §6.1.3 (a)(2)"',
      "// this section is short", "// https://www.rfc-editor.org/rfc/rfc5280", "// FIPS 186-5 §6.4"]),
    ("open-end", each("prose", r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", lambda file: file.is_swift),
     S, ["// TO" "DO: later"], ["// nothing to do"]),
    ("dead-code", each("lines", DEAD, lambda file: file.is_swift), S,
     ["// let a = 1", "// func f(a: Int) {", "// if a == b {", "// }", "// import Foundation",
      "// reader.skip(4)"],
     ["// let the reader decide", "// if it ends here, it is malformed", "/// let a = 1",
      "// Returns f(x), not x.", "let a = 1  // f(x)"]),
    ("script-help", script_help, "Scripts/sample", ["#!/usr/bin/env bash\nswift build\n"],
     ['#!/usr/bin/env bash\nsource "$(dirname "$0")/help.bash"\n', "#!/usr/bin/env python3\nimport argparse\n"]),
    ("machine-path", each("lines", r"""(^|[\s"'`(=:])/(ho""" r"""me|Users|ro""" r"""ot|wo""" r"""rk|tm""" r"""p)/""", any_file),
     S, ["// see /wo" "rk/notes"],
     ["// /etc/ssl/certs", "// the work/life balance", "// https://example.com/home/a"]),
]

# Rule, path, reason. One that is no longer needed is an error.
ALLOWED = [
    ("gmp-import", "Sources/HoldfastSignatures/Integers/GMPLimbs.swift", "the one file that calls GMP"),
    ("unsafe", "Sources/HoldfastSignatures/Integers/GMPLimbs.swift", "GMP takes pointers"),
    ("unsafe", "Sources/HoldfastSignatures/Integers/SwiftLimbs.swift",
     "the inner loop of the division without bounds checks"),
    ("unsafe", "Sources/HoldfastSignatures/Integers/Montgomery.swift",
     "the inner loop of the reduction without bounds checks and with carry flags"),
    ("unsafe", "Sources/HoldfastSignatures/VectorKind.swift",
     "products in vectors are reached through C headers that take pointers"),
    ("unsafe", "Sources/HoldfastSignatures/RSA/VectorMontgomery.swift",
     "products in vectors are reached through C headers that take pointers"),
    ("unsafe", "Sources/HoldfastSignatures/EdwardsCurves/VectorEdwardsPoint.swift",
     "products in vectors are reached through C headers that take pointers"),
    ("unsafe", "Sources/HoldfastSignatures/Curves/VectorPoint.swift",
     "products in vectors are reached through C headers that take pointers"),
    ("unsafe", "Sources/HoldfastSignatures/MLDSA/MLDSATransform.swift",
     "vectors are reached through a C header that takes pointers"),
    ("unsafe", "Sources/HoldfastHashes/KeccakStates.swift",
     "vectors are reached through a C header that takes pointers"),
    ("unsafe", "Sources/HoldfastBase/Platform.swift", "the clock and the files are C functions"),
    ("unsafe", "Sources/HoldfastC/Memory.swift", "C passes pointers"),
    ("unsafe", "Sources/HoldfastC/PolicyFunctions.swift", "C passes pointers"),
    ("unsafe", "Sources/HoldfastC/AnswerFunctions.swift", "C passes pointers"),
    ("system-import", "Sources/HoldfastBase/Platform.swift", "the core's one door to the C library"),
    ("unsafe", "Sources/HoldfastBase/WithoutRuntime.swift", "a lock of the C library, where Swift has none"),
    ("system-import", "Sources/HoldfastBase/WithoutRuntime.swift", "a lock of the C library"),
    ("unchecked-sendable", "Sources/HoldfastBase/WithoutRuntime.swift", "the lock orders what is done with the value"),
    ("unsafe", "Sources/HoldfastSystem/System.swift",
     "output, terminals, signals and programs are C functions"),
    ("system-import", "Sources/HoldfastSystem/System.swift", "the tool's door to the C library"),
    ("unsafe", "Sources/HoldfastSystem/System+Files.swift", "files are named by C strings"),
    ("system-import", "Sources/HoldfastSystem/System+Files.swift", "the door to the C library"),
    ("swallowed-error", "Sources/HoldfastCertificates/DERList.swift",
     "the elements were read by the same initializer before"),
    ("swallowed-error", "Sources/HoldfastCertificates/Names/DistinguishedName+Matching.swift",
     "the relative names were read when the name was made"),
    ("swallowed-error", "Sources/HoldfastCertificates/Extensions/CertificatePolicies.swift",
     "the policies were read with the certificate"),
    ("swallowed-error", "Sources/HoldfastCertificates/Extensions/SubtreeIndex.swift",
     "cannot fail: reading the constraints has checked every subtree"),
    ("swallowed-error", "Sources/HoldfastCertificates/DERContent.swift",
     "bytes that are nothing known count as a certificate"),
    ("trap", "Sources/HoldfastCertificates/DERList.swift",
     "an index out of range is the programmer's mistake"),
    ("trap", "Sources/HoldfastDER/OID.swift",
     "an identifier that is misspelt in source code is the programmer's mistake"),
    ("trap", "Sources/HoldfastBase/Timestamp.swift",
     "a time that is misspelt in source code is the programmer's mistake"),
    ("trap", "Sources/HoldfastOnline/PublicAddress.swift",
     "a row of its table that cannot be read must not vanish"),
    ("trap", "Sources/HoldfastSignatures/Fields/FixedField+Curves.swift",
     "a constant in source code that is not an element of its field is the programmer's mistake"),
    ("unsafe", "Sources/HoldfastHashes/SHA1.swift",
     "the SHA instructions are reached through a C header that takes pointers"),
    ("unsafe", "Sources/HoldfastHashes/SHA256.swift",
     "the SHA instructions are reached through a C header that takes pointers"),
    ("unsafe", "Sources/HoldfastHashes/SHA256+Portable.swift",
     "the schedule in memory without bounds checks halves the time"),
    ("unsafe", "Sources/HoldfastHashes/SHA512+Rounds.swift",
     "the schedule in memory without bounds checks halves the time"),
    ("unsafe", "Sources/HoldfastHashes/VectorShifts.swift",
     "SSE2 shifts take another vector type of the same size"),
    ("standard-extension", "Sources/HoldfastHashes/BlockHash.swift",
     "loads and rotations that all hash functions of this module share"),
    ("standard-extension", "Sources/HoldfastAnswers/Reports/Document.swift",
     "texts, numbers and lists of them are values of documents"),
    ("unsafe", "Tests/TestSupport/EmulatedVector.swift",
     "the emulated vectors are reached through a C header that takes pointers"),
    ("unsafe", "Sources/HoldfastSystem/Secrets.swift",
     "a terminal without echo is made by C functions"),
    ("system-import", "Sources/HoldfastSystem/Secrets.swift",
     "a terminal without echo is made by C functions"),
    ("unsafe", "Sources/HoldfastSystem/FileOutput.swift",
     "replacing a file as a whole takes C functions"),
    ("system-import", "Sources/HoldfastSystem/FileOutput.swift",
     "replacing a file as a whole takes C functions"),
    ("unsafe", "Fuzz/Sources/fuzz/Entry.swift", "libFuzzer lends each input as a pointer"),
    ("foundation", "Sources/HoldfastCompatibility/MainBundle.swift",
     "Foundation's bundles, which have no certificates here, under the trait Curl"),
    ("foundation", "Sources/HoldfastCompatibility/URLSessionConfiguration+Policies.swift",
     "Foundation's sessions that ask a policy, under the trait Curl"),
    ("standard-extension", "Sources/HoldfastCompatibility/AlamofireExtension.swift",
     "Alamofire evaluates with an array of evaluators"),
    ("unchecked-sendable", "Sources/HoldfastCompatibility/Alamofire5.swift",
     "ServerTrustManager is open, as Alamofire's is; its own properties are constants"),
    ("unchecked-sendable", "Sources/HoldfastCompatibility/Alamofire4.swift",
     "ServerTrustPolicyManager is open, as Alamofire's is; its property is a constant"),
    ("unchecked-sendable", "Tests/HoldfastCompatibilityTests/EvaluatorTests.swift",
     "it inherits from an open class as ported code does"),
    ("unchecked-sendable", "Tests/HoldfastCompatibilityTests/ChallengeTests.swift",
     "it inherits from an open class as ported code does"),
    ("unchecked-sendable", "Tests/HoldfastURLSessionTests/ChangedPolicyTests.swift",
     "it inherits from open classes as ported code does"),
    ("unchecked-sendable", "Tests/FirstGuess/AlamofireGuesses.swift",
     "it inherits from an open class as ported code does"),
    ("unchecked-sendable", "Tests/ReadmeTests/Ports.swift",
     "it inherits from an open class as ported code does"),
    ("unsafe", "Sources/HoldfastOpenSSL/Socket.swift", "sockets are C functions"),
    ("system-import", "Sources/HoldfastOpenSSL/Socket.swift", "sockets are C functions"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSError.swift", "OpenSSL's names are C strings"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSClient.swift", "OpenSSL takes pointers"),
    ("unsafe", "Sources/HoldfastOpenSSL/Identity+Install.swift", "OpenSSL takes pointers"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSConnection.swift", "OpenSSL takes pointers"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSSessions.swift", "OpenSSL's sessions"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSRecords.swift", "OpenSSL keeps our objects for us"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSVerifier+Install.swift", "OpenSSL's contexts"),
    ("unsafe", "Sources/HoldfastOpenSSL/TLSCallbacks.swift", "OpenSSL calls back"),
    ("unsafe", "Sources/HoldfastHTTP/BodySource.swift", "libcurl lends room for bytes"),
    ("unsafe", "Sources/HoldfastHTTP/Exchange.swift", "libcurl lends the bytes of a response"),
    ("unsafe", "Sources/HoldfastHTTP/FileQueue.swift", "an executor runs jobs that it does not own"),
    ("unsafe", "Sources/HoldfastHTTP/HTTPDecision.swift", "libcurl lends OpenSSL's objects"),
    ("unsafe", "Sources/HoldfastHTTP/RequestURL.swift", "libcurl parses URLs"),
    ("unsafe", "Sources/HoldfastHTTP/Transfer.swift", "libcurl takes pointers"),
    ("unsafe", "Sources/HoldfastHTTP/TransferCallbacks.swift", "libcurl calls back"),
    ("unsafe", "Sources/HoldfastHTTP/TransferHandle.swift", "libcurl takes pointers"),
    ("unsafe", "Sources/HoldfastHTTP/TransferLoop.swift", "libcurl takes pointers"),
    ("unsafe", "Sources/HoldfastURLSession/SessionRequest.swift",
     "an input stream reads into a buffer"),
    ("unchecked-sendable", "Sources/HoldfastURLSession/SessionRequest.swift",
     "an input stream of Foundation is read by one task"),
    ("unchecked-sendable", "Sources/HoldfastURLSession/PinnedURLProtocol.swift",
     "a protocol of Foundation is called back by one task"),
    ("unchecked-sendable", "Sources/HoldfastHTTP/TransferLoop.swift",
     "libcurl's handles are used by one thread, and its wake-up by any"),
    ("unchecked-sendable", "Sources/HoldfastHTTP/Exchange.swift",
     "bytes that a lock's closure copies"),
    ("unchecked-sendable", "Sources/HoldfastHTTP/BodySource.swift",
     "libcurl's room is filled under a lock, in the call that lends it"),
    ("unchecked-sendable", "Sources/HoldfastOpenSSL/TLSSessions.swift",
     "OpenSSL counts the references to sessions across threads"),
    ("unchecked-sendable", "Sources/HoldfastOpenSSL/TLSClient.swift",
     "OpenSSL counts the references to contexts across threads"),
    ("trap", "Sources/HoldfastOpenSSL/TLSRecords.swift",
     "without an index for its records nothing can be verified; OpenSSL gives it out once"),
    ("unsafe", "Tests/HoldfastConfigurationsTests/FilesTrustTests.swift",
     "a link that takes another's name at once is a C function"),
    ("unsafe", "Tests/HoldfastOpenSSLTests/MemoryContext.swift", "OpenSSL's contexts and keys"),
    ("unsafe", "Tests/HoldfastOpenSSLTests/MemoryHandshake.swift", "OpenSSL's connections"),
    ("unsafe", "Tests/HoldfastOpenSSLTests/SocketHandshake.swift", "OpenSSL's connections on sockets"),
    ("unsafe", "Tests/HoldfastOpenSSLTests/AddressTests.swift",
     "a socket that drops connections is made by C functions"),
    ("unsafe", "Tests/HoldfastHTTPTests/KeyLogTests.swift", "OpenSSL's contexts"),
    ("unchecked-sendable", "Tests/Threads/canary.swift",
     "its race is on purpose: the thread sanitizer must find it"),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return File(path, file.read())


def tree():
    for path in LOOSE:
        if os.path.exists(path):
            yield read(path)
    for top in FOLDERS:
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name != ".build")
            for name in sorted(names):
                path = f"{folder}/{name}"
                is_text = name.endswith((".swift", ".h", ".c", ".md", ".py"))
                if (is_text or top in ("Scripts", ".ci")) and path != "Scripts/checks/lint_rules.py":
                    if not name.endswith(".pyc"):
                        yield read(path)


BEST = "Benchmarks/best.txt"


def best_counts(text):
    """The best counts of each case, and the accepted lines."""
    rows, accepted = {}, []
    for line in text.split("\n"):
        words = line.split()
        if line.startswith("  accepted"):
            accepted.append(line)
        elif len(words) == 5 and not line.startswith("#"):
            rows[words[0]] = [int(word) if word.isdigit() else None for word in words[1:4]]
    return rows, accepted


def best_breaches():
    """What is wrong in the file of the best counts: they never rise, and what is worse has a reason."""
    if not os.path.exists(BEST):
        return []
    with open(BEST, encoding="utf-8") as file:
        rows, accepted = best_counts(file.read())
    wrong = [f"{BEST}: a reason is missing: {line.strip()}" for line in accepted
             if not re.fullmatch(r"  accepted [\d-]+ [\d-]+ [\d-]+: \S.{19,}", line)]

    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True).stdout

    for commit in git("log", "--format=%h", "--", BEST).split():
        for name, before in best_counts(git("show", f"{commit}:{BEST}"))[0].items():
            for old, new in zip(before, rows.get(name, before)):
                if old is not None and new is not None and new > old:
                    wrong.append(f"{BEST}: {name}: {new} is not the best: {commit} has {old}")
    return wrong


REVOKED = "Documentation/Assurance/RevokedCertificates.md"
THREATS = "Documentation/ThreatModel.md"


def lost_tests(files):
    """The tests that the threat model and the article about revoked certificates name, and that do not exist."""
    texts = {file.path: file.text for file in files}
    tests = {path: text for path, text in texts.items() if path.startswith("Tests/")}
    wrong = []
    for document, pattern, folders in [
            (REVOKED, r"`()([a-z]\w*)`", ("Tests/HoldfastOnlineTests/", "Tests/HoldfastPathsTests/")),
            (THREATS, r"`(\w+Tests)\.(\w+)`", ("Tests/",))]:
        rows = "\n".join(line for line in texts[document].split("\n") if line.startswith("| "))
        names = sorted(set(re.findall(pattern, rows)))
        wrong += [] if len(names) > 20 else [f"{document}: the table names no tests"]
        wrong += [f"{document}: there is no test {suite and suite + '.'}{name}" for suite, name in names
                  if not any(re.search(rf"\bfunc {name}\(", text) for path, text in tests.items()
                             if path.startswith(folders) and path.endswith(f"{suite}.swift"))]
    return wrong


def unlisted_imports(manifest, files):
    """The imports of modules of this package that Package.swift does not list for their target. There
    each target depends on all that lies below what is listed, so no build finds them."""
    targets = manifest.split("\n  targets: [\n")[1].split("\n  ],\n")[0]
    listed = {names[0]: set(names) for names in (
        re.findall(r'"(\w+)"', text) for text in re.split(r"\n    (?=[.\w])", targets)) if names}
    wrong = [] if len(listed) > 40 else ["Package.swift: its targets are not understood"]
    for file in files:
        target = re.match(r"(?:Sources|Tests)/(\w+)/", file.path)
        if not file.is_swift or not target or target[1] not in listed:
            continue
        for number, line in enumerate(file.code, 1):
            name = re.match(r"\s*(?:[@\w()]+ )*import (?:(?:struct|enum|func|class) )?(Holdfast\w*)", line)
            if name and name[1] not in listed[target[1]]:
                wrong.append(f"{file.path}:{number}: Package.swift does not list {name[1]} for {target[1]}")
    return wrong


EQUIVALENT = "Scripts/oracle/mutants.equivalent"


def lost_mutants(files):
    """The changes without a visible difference whose line of code is no longer there."""
    lines = {file.path: {line.strip() for line in file.lines} for file in files}
    rows = [line.split("\t") for line in lines[EQUIVALENT] if line]
    return [f"{EQUIVALENT}: {path} has no line {line}" for path, line, *_ in sorted(rows)
            if line not in lines.get(path, ())]


def samples_fail():
    wrong = []
    for name, check, path, bad, good in RULES:
        wrong += [f"{name} does not see: {text[:60]}" for text in bad if not check(File(path, text))]
        wrong += [f"{name} rejects: {text[:60]}" for text in good if check(File(path, text))]
    return wrong


def main():
    wrong = samples_fail()
    files = list(tree())
    if "--words" in sys.argv:
        total = 0
        for file in files:
            count = sum(len(WORDS.findall(NAMES.sub("", line))) for line in file.prose)
            total += count
            if count:
                print(f"{count:4} {file.path}")
        print(f"{total:4} in all")
        return 0
    unused = {(rule, path) for rule, path, _ in ALLOWED}
    for file in files:
        for name, check, *_ in RULES:
            breaches = check(file)
            if breaches and any((name, file.path) == entry[:2] for entry in ALLOWED):
                unused.discard((name, file.path))
            else:
                wrong += [f"{file.path}:{number}: {name}: "
                          f"{file.lines[number - 1].strip() if number else 'above 400 lines'}"
                          for number in breaches]
    wrong += [f"{path}: no longer needs its allowance from {rule}" for rule, path in sorted(unused)]
    wrong += best_breaches()
    wrong += lost_tests(files)
    wrong += lost_mutants(files)
    wrong += unlisted_imports(next(file.text for file in files if file.path == "Package.swift"), files)
    print("\n".join(wrong) or f"lint: {len(RULES)} rules hold in {len(files)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
