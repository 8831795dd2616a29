"""Compares the public declarations in symbol graphs with Documentation/PublicAPI.txt.

usage: public_api.py GRAPHS [--write]

GRAPHS has a folder for each module. Prints the difference and exits with 1 if there is one; --write
writes the file instead. A module without a folder keeps its part of the file.
"""
import difflib
import json
import pathlib
import sys

FILE = pathlib.Path("Documentation/PublicAPI.txt")
HEAD = ["# The public declarations of each module. Scripts/api writes this file.", ""]
# Every type conforms to them, or the compiler derives them.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
TYPES = {"swift.struct": "struct", "swift.enum": "enum", "swift.class": "class",
         "swift.protocol": "protocol"}


RELATIONS = {"sameType": "==", "conformance": ":", "superclass": ":"}


def names(graphs):
    """Returns the names by the identifiers that relationships have, with the standard types'."""
    found = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"])
             for graph in graphs for symbol in graph["symbols"]}
    return {"s:Sa": "Array", **found}


def constraints(symbol):
    """Returns the requirements of an extension on its generic parameters."""
    found = symbol.get("swiftExtension", {}).get("constraints", [])
    texts = ["%s %s %s" % (one["lhs"], RELATIONS[one["kind"]], one["rhs"]) for one in found]
    return " where " + ", ".join(texts) if texts else ""


def declarations(graphs, names):
    """Returns the lines of one module, sorted by name."""
    own = {symbol["identifier"]["precise"] for graph in graphs for symbol in graph["symbols"]}
    conformances, lines = {}, []
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] not in ("conformsTo", "inheritsFrom"):
                continue
            target = relation["target"]
            protocol = names.get(target) or relation["targetFallback"].split(".", 1)[-1]
            if protocol not in IMPLIED:
                conformances.setdefault(relation["source"], set()).add(protocol)
    for graph in graphs:
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            kind = symbol["kind"]["identifier"]
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            text = " ".join(text.split())
            if kind in TYPES:
                protocols = sorted(conformances.get(symbol["identifier"]["precise"], []))
                # The declaration itself names only generic parameters and a protocol's parents.
                start = text.split(" where ")[0].split(" : ")[0]
                start = start.rsplit(path[-1], 1)
                line = start[0] + ".".join(path) + start[1]
                line += ": " + ", ".join(protocols) if protocols else ""
            elif len(path) > 1:
                line = ".".join(path[:-1]) + "  " + text
            else:
                line = text
            lines.append((path, line + constraints(symbol)))
    # Types of other modules that get a conformance here.
    for source, protocols in conformances.items():
        if source not in own:
            name = names.get(source, source)
            lines.append((name.split("."), name + ": " + ", ".join(sorted(protocols))))
    return [line for _, line in sorted(lines)]


def main():
    graphs = pathlib.Path(sys.argv[1])
    old = FILE.read_text().splitlines() if FILE.exists() else []
    parts, module = {}, None
    for line in old:
        if line.startswith("## "):
            module = line[3:]
            parts[module] = []
        elif module and line:
            parts[module].append(line)
    read = {folder.name: [json.loads(path.read_text()) for path in folder.glob("*.symbols.json")]
            for folder in graphs.iterdir()}
    known = names([graph for graphs in read.values() for graph in graphs])
    for module, graphs in read.items():
        parts[module] = declarations(graphs, known)
    new = list(HEAD)
    for module in sorted(parts):
        new += ["## " + module, "", *parts[module], ""]
    new.pop()
    if "--write" in sys.argv:
        FILE.write_text("\n".join(new) + "\n")
        return 0
    difference = list(difflib.unified_diff(old, new, str(FILE), "the code", lineterm="", n=0))
    if difference:
        print(*difference, sep="\n")
        print("the public API has changed: run Scripts/api, and tell CHANGELOG.md what moved")
    return 1 if difference else 0


sys.exit(main())
