"""Writes what a release consists of as SPDX 2.3 JSON, with versions and licences.

usage: sbom.py VERSION COMMIT SECONDS URL --tool TOOL
       sbom.py VERSION COMMIT SECONDS URL --library ARCHIVE [TRAIT…]

Of a built tool: itself, Swift's runtime, which is linked statically, and the libraries that it loads. Of the
libraries, whose source is in an archive: what they link and fetch with these traits and no others, and as optional
what they do with all. Package.swift and the module maps say that.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

OURS = "Organization: The Holdfast authors"
# A library's name before ".so", its name as a project, its licence by SPDX, and where it comes from.
LIBRARIES = [
    ("libgmp", "GMP", "LGPL-3.0-or-later OR GPL-2.0-or-later", "https://gmplib.org"),
    ("libssl", "OpenSSL", "Apache-2.0", "https://www.openssl.org"),
    ("libcrypto", "OpenSSL", "Apache-2.0", "https://www.openssl.org"),
    ("libcurl", "libcurl", "curl", "https://curl.se"),
    ("libc", "GNU C Library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc"),
    ("libm", "GNU C Library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc"),
    ("ld-linux", "GNU C Library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc"),
]
# The licence of a package that is fetched.
FETCHED = {"swift-nio": "Apache-2.0", "swift-nio-ssl": "Apache-2.0"}


def output(*words):
    found = subprocess.run(words, capture_output=True, text=True)
    return found.stdout if found.returncode == 0 else ""


def installed(path):
    """The Debian package that a file belongs to, as its version and its package URL."""
    for name in (path, path.removeprefix("/usr"), "/usr" + path):
        owner = output("dpkg", "-S", name).split(":")[0]
        if owner:
            found, architecture = output("dpkg-query", "-W", "-f=${Version} ${Architecture}\n", owner).split("\n")[0].split()
            quoted = found.replace(":", "%3A").replace("+", "%2B")
            return found, f"pkg:deb/debian/{owner}@{quoted}?arch={architecture}"
    return "NOASSERTION", None


def package(identifier, name, version, licence, home, purl=None, supplier="NOASSERTION",
            copyrights="NOASSERTION", purpose="LIBRARY", download="NOASSERTION"):
    known = {
        "SPDXID": f"SPDXRef-{identifier}",
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": download,
        "homepage": home,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": copyrights,
        "filesAnalyzed": False,
        "primaryPackagePurpose": purpose,
    }
    if purl:
        known["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return known


def ours(version, commit, url, path, **more):
    """The package that a document describes, with the digest of its file."""
    digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    known = package(
        "holdfast", "holdfast", version, "Apache-2.0", url,
        f"pkg:swift/{url.removeprefix('https://').removesuffix('.git')}@{version}", OURS,
        "Copyright the Holdfast authors", download=f"git+{url}@{commit}", **more)
    known["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    return known


def swift():
    known = re.search(r"Swift version (\S+)", output("swift", "--version"))
    return package(
        "swift", "Swift standard library, runtime and libdispatch", known.group(1) if known else "NOASSERTION",
        "Apache-2.0 WITH Swift-exception", "https://www.swift.org")


def found(name):
    """The file that the linker finds by a name."""
    return output("realpath", output("gcc", f"-print-file-name={name}").strip()).strip()


def library(stem, path):
    """The package of a library of the system."""
    row = next((row for row in LIBRARIES if row[0] == stem), None)
    if row is None:
        sys.exit(f"sbom: {path} is in no row: add its licence")
    version, purl = installed(path)
    return package(re.sub(r"[^A-Za-z0-9]", "", row[1]), row[1], version, row[2], row[3], purl)


def of_tool(version, commit, url, tool):
    """The packages of a built tool, each with its relation to the tool."""
    gcc = output("gcc", "-dumpfullversion").strip()
    parts = [
        (ours(version, commit, url, tool, purpose="APPLICATION"), None),
        (swift(), "STATIC_LINK"),
        (package("libstdcpp", "GNU C++ library and libgcc", gcc or "NOASSERTION",
                 "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"), "STATIC_LINK"),
    ]
    for path in re.findall(r"(/\S+)", output("ldd", tool)):
        stem = re.sub(r"(-x86-64|-aarch64)?\.so.*", "", path.rsplit("/", 1)[1])
        parts.append((library(stem, path), "DYNAMIC_LINK"))
    return parts


def needs(manifest, traits):
    """What the libraries link and fetch with these traits: names of libraries, and of packages."""
    targets = {target["name"]: target for target in manifest["targets"]}
    enabled = set(traits)
    while more := {name for trait in manifest["traits"] if trait["name"] in enabled
                   for name in trait["enabledTraits"]} - enabled:
        enabled |= more
    linked, fetched, known = set(), set(), set()
    open_ = [name for product in manifest["products"] if "library" in product["type"] for name in product["targets"]]
    while open_:
        name = open_.pop()
        if name in known:
            continue
        known.add(name)
        if targets[name]["type"] == "system":
            text = pathlib.Path(f"Sources/{name}/module.modulemap").read_text()
            linked |= {f"lib{stem}" for stem in re.findall(r'link "(\w+)"', text)}
        for dependency in targets[name]["dependencies"]:
            (kind, (first, *rest)), = dependency.items()
            condition = (rest[-1] or {}).get("traits") if rest else None
            if condition and not enabled & set(condition):
                continue
            if kind == "product":
                fetched.add(rest[0])
            else:
                open_.append(first)
    return linked, fetched


def of_library(version, commit, url, archive, *traits):
    """The packages of the libraries with these traits, each with its relation to them."""
    manifest = json.loads(output("swift", "package", "dump-package"))
    linked, fetched = needs(manifest, traits)
    all_linked, all_fetched = needs(manifest, [trait["name"] for trait in manifest["traits"]])
    parts = [(ours(version, commit, url, archive, purpose="LIBRARY"), None), (swift(), "DEPENDS_ON"),
             (library("libc", found("libc.so.6")), "DYNAMIC_LINK")]
    for stem in sorted(all_linked):
        parts.append((library(stem, found(f"{stem}.so")), "DYNAMIC_LINK" if stem in linked else "OPTIONAL_DEPENDENCY_OF"))
    for one in manifest["dependencies"]:
        (source,), = one.values()
        name, home = source["identity"], source["location"]["remote"][0]["urlString"]
        wanted = source["requirement"]["range"][0]["lowerBound"]
        if name in all_fetched:
            parts.append((package(name, name, f">={wanted}", FETCHED[name], home, f"pkg:swift/{home[8:-4]}"),
                          "DEPENDS_ON" if name in fetched else "OPTIONAL_DEPENDENCY_OF"))
    return parts


def main(version, commit, seconds, url, mode, path, *traits):
    if mode == "--tool":
        parts, name, about = of_tool(version, commit, url, path), "holdfast", f"Built from commit {commit}."
    else:
        parts, name = of_library(version, commit, url, path, *traits), "-".join(["holdfast-library", *traits])
        about = (f"The libraries of commit {commit}, built from source with "
                 f"{'the traits ' + ', '.join(traits) if traits else 'no traits'}; other traits need what is optional.")
    created = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    digest = parts[0][0]["checksums"][0]["checksumValue"]
    packages, relations = {}, []
    for known, kind in parts:
        # Two libraries may be of one package, as OpenSSL's are.
        if packages.setdefault(known["SPDXID"], known) is not known:
            continue
        ends = ["SPDXRef-holdfast", known["SPDXID"]]
        if kind is None:
            kind, ends[0] = "DESCRIBES", "SPDXRef-DOCUMENT"
        if kind.endswith("_OF"):
            ends.reverse()
        relations.append({"spdxElementId": ends[0], "relationshipType": kind, "relatedSpdxElement": ends[1]})
    json.dump({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{version}-{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [OURS, f"Tool: sbom.py-{version}"],
            "comment": f"{about} What is linked dynamically has the version with which "
                       "the release was made; newer ones of the same ABI take its place.",
        },
        "packages": list(packages.values()),
        "relationships": relations,
    }, sys.stdout, indent=2)
    print()


main(*sys.argv[1:])
