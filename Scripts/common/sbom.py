"""Writes what a built tool consists of as SPDX 2.3 JSON: itself, Swift's runtime, which is linked
statically, and the libraries that it loads, with their versions and licences.

usage: sbom.py VERSION COMMIT SECONDS TOOL URL
"""

import datetime
import hashlib
import json
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


def main(version, commit, seconds, tool, url):
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))
    gcc = output("gcc", "-dumpfullversion").strip()
    packages = [
        package(
            "holdfast", "holdfast", version, "Apache-2.0", url,
            f"pkg:swift/{url.removeprefix('https://').removesuffix('.git')}@{version}", OURS,
            "Copyright the Holdfast authors", "APPLICATION", f"git+{url}@{commit}"),
        package(
            "swift", "Swift standard library, runtime and libdispatch", swift.group(1) if swift else "NOASSERTION",
            "Apache-2.0 WITH Swift-exception", "https://www.swift.org"),
        package(
            "libstdcpp", "GNU C++ library and libgcc", gcc or "NOASSERTION",
            "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org"),
    ]
    with open(tool, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    packages[0]["checksums"] = [{"algorithm": "SHA256", "checksumValue": digest}]
    links = [("swift", "STATIC_LINK"), ("libstdcpp", "STATIC_LINK")]
    for path in re.findall(r"(/\S+)", output("ldd", tool)):
        stem = re.sub(r"(-x86-64|-aarch64)?\.so.*", "", path.rsplit("/", 1)[1])
        row = next((row for row in LIBRARIES if row[0] == stem), None)
        if row is None:
            sys.exit(f"sbom: {path} is in no row: add its licence")
        identifier = re.sub(r"[^A-Za-z0-9]", "", row[1])
        if not any(known["SPDXID"] == f"SPDXRef-{identifier}" for known in packages):
            found, purl = installed(path)
            packages.append(package(identifier, row[1], found, row[2], row[3], purl))
            links.append((identifier, "DYNAMIC_LINK"))
    created = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
    json.dump({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"holdfast-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/holdfast-{version}-{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [OURS, f"Tool: sbom.py-{version}"],
            "comment": f"Built from commit {commit}. What is linked dynamically has the version with which "
                       "the tool was built; newer ones of the same ABI take its place.",
        },
        "packages": packages,
        "relationships": [{
            "spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
            "relatedSpdxElement": "SPDXRef-holdfast",
        }] + [{
            "spdxElementId": "SPDXRef-holdfast", "relationshipType": kind,
            "relatedSpdxElement": f"SPDXRef-{other}",
        } for other, kind in links],
    }, sys.stdout, indent=2)
    print()


main(*sys.argv[1:])
