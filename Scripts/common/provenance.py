"""Writes how the files of a release were made, as an in-toto statement with SLSA's provenance v1, or checks one.

usage: provenance.py VERSION COMMIT URL COMMAND PACKAGES FILE… >STATEMENT
       provenance.py --check STATEMENT

PACKAGES has a line with name and version for each Debian package of the build. --check reads the statement with
in-toto-attestation from PyPI, which refuses fields that it does not know, and compares the digests with the files
beside it; then it makes sure that damaged copies fail. It exits with 3 if that module is not installed.
"""
import hashlib
import json
import pathlib
import platform
import re
import subprocess
import sys

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "https://slsa.dev/provenance/v1"


def digest(path):
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def statement(version, commit, url, command, packages, *files):
    """The statement. It has no times, so that the same build has the same statement."""
    repository = url.removesuffix(".git")
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    dependencies = [
        {"name": "source", "uri": f"git+{url}@refs/tags/{version}", "digest": {"gitCommit": commit}},
        {"name": "swift", "uri": "pkg:generic/swift@" + re.search(r"Swift version (\S+)", swift)[1]},
    ]
    for line in packages.splitlines():
        name, found = line.split()
        quoted = found.replace(":", "%3A").replace("+", "%2B")
        dependencies.append({"name": name, "uri": f"pkg:deb/debian/{name}@{quoted}?arch={architecture}"})
    return {
        "_type": TYPE,
        "subject": [{"name": path.name, "digest": digest(path)} for path in map(pathlib.Path, sorted(files))],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                # The script is the description of the build, too.
                "buildType": f"{repository}/blob/{version}/Scripts/release",
                "externalParameters": {"repository": url, "ref": f"refs/tags/{version}", "command": command},
                "resolvedDependencies": dependencies,
            },
            # No service builds: a maintainer runs the script, and signs the tag.
            "runDetails": {"builder": {"id": f"{repository}/blob/{version}/Scripts/release#maintainer"}},
        },
    }


def check(text, folder):
    """Raises an error unless in-toto-attestation reads the statement, and the files have its digests."""
    from google.protobuf import json_format
    from in_toto_attestation.predicates.provenance.v1 import provenance_pb2
    from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
    from in_toto_attestation.v1.statement import Statement
    from in_toto_attestation.v1 import statement_pb2

    parsed = Statement.copy_from_pb(json_format.Parse(text, statement_pb2.Statement()))
    parsed.validate()
    if parsed.pb.predicate_type != PREDICATE:
        raise ValueError("another predicate")
    provenance = json_format.Parse(json_format.MessageToJson(parsed.pb.predicate), provenance_pb2.Provenance())
    build = provenance.build_definition
    for dependency in build.resolved_dependencies:
        ResourceDescriptor.copy_from_pb(dependency).validate()
    if not (build.build_type and build.external_parameters and provenance.run_details.builder.id):
        raise ValueError("SLSA requires buildType, externalParameters and builder.id")
    for subject in parsed.pb.subject:
        if dict(subject.digest) != digest(folder / subject.name):
            raise ValueError(f"{subject.name} has another digest")
    return len(parsed.pb.subject)


def damaged(text):
    """Copies of a statement that must fail, each with what was done to it."""
    def copy(change):
        value = json.loads(text)
        change(value)
        return json.dumps(value)

    build = lambda value: value["predicate"]["buildDefinition"]
    yield "type", copy(lambda value: value.update(_type="https://in-toto.io/Statement/v0.1"))
    yield "subject", copy(lambda value: value.update(subject=[]))
    yield "digest", copy(lambda value: value["subject"][0]["digest"].update(sha256="0" * 64))
    yield "no digest", copy(lambda value: value["subject"][0].pop("digest"))
    yield "unknown field", copy(lambda value: build(value).update(materials=[]))
    yield "builder", copy(lambda value: value["predicate"]["runDetails"].pop("builder"))
    yield "dependency", copy(lambda value: build(value)["resolvedDependencies"].append({}))


def main(arguments):
    if arguments[0] != "--check":
        json.dump(statement(*arguments), sys.stdout, indent=2)
        print()
        return 0
    try:
        import in_toto_attestation  # noqa: F401
    except ImportError:
        return 3
    path = pathlib.Path(arguments[1])
    text = path.read_text()
    count = check(text, path.parent)
    for name, copy in damaged(text):
        try:
            check(copy, path.parent)
        except Exception:
            continue
        return f"provenance: a statement whose {name} is damaged passes the check"
    print(f"in-toto-attestation reads {path.name}: the {count} files have its digests, and damaged copies fail")
    return 0


sys.exit(main(sys.argv[1:]))
