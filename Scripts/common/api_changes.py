"""Says which public declarations were added, removed and changed since a version, by Documentation/PublicAPI.txt.

usage: api_changes.py VERSION | --gate

VERSION is a tag or any commit. --gate compares with the newest version, and exits with 1 if a change can break a
caller and CHANGELOG.md does not name the declaration, in a code span of a section above that version.
"""
import collections
import re
import subprocess
import sys

FILE = "Documentation/PublicAPI.txt"
VERSION = re.compile(r"\d+\.\d+\.\d+")
KINDS = "struct|enum|class|actor|protocol|typealias|associatedtype|func|var|let|case|macro"
DECLARED = re.compile(rf"(?:^| )(?:({KINDS}) ([\w.]+|[-+*/=<>!&|^~%?.]+)|(init|subscript)(?=\W))")

Declaration = collections.namedtuple("Declaration", "module owner kind name line")


def declarations(text):
    """The declarations of the file, as often as each stands there."""
    module, found = None, collections.Counter()
    for line in text.splitlines():
        if line.startswith("## "):
            module = line[3:]
        elif line and not line.startswith("#"):
            owner, separator, rest = line.partition("  ")
            owner, rest = (owner, rest) if separator else ("", line)
            match = DECLARED.search(rest.replace("`", ""))
            if match:
                kind, name = match[1] or match[3], match[2] or match[3]
            else:  # A type of another module, with the protocols that it conforms to here.
                kind, name = "conformance", rest.partition(": ")[0]
            found[Declaration(module, owner, kind, name, line)] += 1
    return found


def changes(old, new):
    """The removed, the added, and pairs of the same kind and name whose text is another."""
    key = lambda one: one[:4]
    removed = sorted((old - new).elements())
    added = sorted((new - old).elements())
    changed = []
    for before in list(removed):
        after = next((one for one in added if key(one) == key(before)), None)
        if after:
            changed.append((before, after))
            removed.remove(before)
            added.remove(after)
    return removed, added, changed


def protocols(line):
    """What stands before the protocols of a type, and the protocols."""
    head, _, rest = line.partition(": ")
    return head, set(rest.split(", "))


def breaking(old, removed, added, changed):
    """The declarations whose change can break a caller."""
    broken = list(removed)
    for before, after in changed:
        is_type = not before.owner and before.kind in ("struct", "enum", "class", "actor", "conformance")
        (head, known), (new_head, new) = protocols(before.line), protocols(after.line)
        # One more conformance breaks nothing, and neither does one more case where a switch needs a default.
        if not (is_type and head == new_head and known <= new):
            broken.append(before)
    exhaustive = {(one.module, one.name) for one in old if one.kind == "enum" and "@nonexhaustive" not in one.line}
    return broken + [one for one in added if one.kind == "case" and (one.module, one.owner) in exhaustive]


def unnamed(broken, removed, text):
    """Those that no code span names, such as `Type.member`. The name of a removed type is enough for its members."""
    spans = re.findall(r"`[^`\n]+`", text)

    def named(name):
        return any(re.match(rf"`(?:Holdfast\w*\.)?{re.escape(name)}(?!\w)", span) for span in spans)

    gone = {(one.module, one.name) for one in removed if not one.owner}
    return [one for one in broken if not named(".".join(filter(None, one[1:4:2]))) and not (
        (one.module, one.owner) in gone and named(one.owner))]


def sections(text, version):
    """What CHANGELOG.md says above the section of a version."""
    return text.split(f"\n## {version}\n")[0].partition("\n## ")[2]


def git(*words):
    return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout


def report(removed, added, changed):
    for word, ones in (("removed", removed), ("added", added)):
        for one in ones:
            print(f"{word}  {one.module}: {one.line}")
    for before, after in changed:
        print(f"changed  {before.module}: {before.line}\n     to  {after.line}")
    print(f"{len(removed)} removed, {len(added)} added, {len(changed)} changed")


def self_test():
    def check(before, after, counts, text, missing):
        old, new = (declarations(f"## M\n\n{part}\n") for part in (before, after))
        found = changes(old, new)
        assert tuple(map(len, found)) == counts, (before, after, found)
        left = unnamed(breaking(old, *found), found[0], text)
        assert [one.name for one in left] == missing, (before, after, left)

    check("struct A: P", "struct A: P", (0, 0, 0), "", [])
    check("struct A: P", "struct A: P, Q", (0, 0, 1), "", [])
    check("struct A: P, Q", "struct A: P", (0, 0, 1), "", ["A"])
    check("struct A: P, Q", "struct A: P", (0, 0, 1), "* `A` is no `Q`.", [])
    check("struct A: P", "struct A<B>: P", (0, 0, 1), "", ["A"])
    check("A  func f(_ a: Int)", "A  func g()", (1, 1, 0), "* `A.func` and `A.fg` are gone, A.f too.", ["f"])
    check("A  func f(_ a: Int)", "", (1, 0, 0), "* `A.f(_:)` is gone.", [])
    check("A  func f(_ a: Int)", "", (1, 0, 0), "* `HoldfastPaths.A.f` is gone.", [])
    check("A  var a: Int { get set }", "A  var a: Int { get }", (0, 0, 1), "", ["a"])
    check("A  init(_ a: Int)\nA  init?(b: Int)", "A  init(_ a: Int)", (1, 0, 0), "* `A.init(b:)`", [])
    check("A  static func == (a: A, b: A) -> Bool", "", (1, 0, 0), "", ["=="])
    check("struct A\nA  let a: Int\nA.B  let b: Int", "", (3, 0, 0), "* `A` is gone.", ["b"])
    check("A  let a: Int", "", (1, 0, 0), "* `A` was changed.", ["a"])
    check("enum E", "enum E\nE  case a", (0, 1, 0), "", ["a"])
    check("@nonexhaustive enum E", "@nonexhaustive enum E\nE  case `a`", (0, 1, 0), "", [])
    check("", "enum E\nE  case a", (0, 2, 0), "", [])
    check("Other: P", "Other: P, Q", (0, 0, 1), "", [])
    check("func f()\nfunc f()", "func f()", (1, 0, 0), "", ["f"])
    text = "# C\n\n`top`\n\n## Unreleased\n\n`a`\n\n## 0.2.0\n\n`b`\n\n## 0.1.0\n\n`c`\n"
    assert re.findall("`(.)`", sections(text, "0.1.0")) == ["a", "b"]
    with open(FILE, encoding="utf-8") as file:
        own = declarations(file.read())
    odd = [one for one in own if one.kind == "conformance" and (one.owner or not re.fullmatch(r"[\w.:]+: .+", one.line))]
    assert own and not odd, odd


def gate():
    self_test()
    if git("rev-parse", "--is-shallow-repository").strip() == "true":
        sys.exit("api: this clone has no history, so no version to compare with: git fetch --unshallow --tags")
    tags = [tag for tag in git("tag", "--merged", "HEAD").split() if VERSION.fullmatch(tag)]
    if not tags:
        print("api: no version is published yet, so any declaration may change")
        return 0
    version = max(tags, key=lambda tag: tuple(map(int, tag.split("."))))
    with open("CHANGELOG.md", encoding="utf-8") as file:
        said = sections(file.read(), version)
    old, found = compare(version)
    broken = breaking(old, *found)
    missing = unnamed(broken, found[0], said)
    for one in missing:
        print(f"api: CHANGELOG.md must say what to write instead of this: {one.module}: {one.line}")
    patch = re.match(rf"{re.escape(version.rpartition('.')[0])}\.\d+\n", said)
    if broken and patch:
        print(f"api: {patch[0].strip()} is a patch version, which changes no promise")
    print(f"api: since {version}: {len(broken)} changes that can break a caller, {len(missing)} not in CHANGELOG.md")
    return 1 if missing or broken and patch else 0


def compare(version):
    with open(FILE, encoding="utf-8") as file:
        old, new = declarations(git("show", f"{version}:{FILE}")), declarations(file.read())
    return old, changes(old, new)


def main(word):
    if word == "--gate":
        return gate()
    try:
        report(*compare(word)[1])
    except subprocess.CalledProcessError as error:
        return f"api: {error.stderr.strip()}"
    return 0


sys.exit(main(sys.argv[1]))
