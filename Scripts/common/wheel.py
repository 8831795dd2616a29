"""Makes the wheel of the Python package with a library, and prints its name. The same input gives the same bytes.

usage: wheel.py LIBRARY SECONDS FOLDER   the files of the wheel get the time, in seconds since 1970

The library says for which processor the wheel is, and of which glibc on it may be installed.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import time
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).parents[2]
# By the number in the header of an ELF file.
PROCESSORS = {62: "x86_64", 183: "aarch64"}
# pip knows no older glibc.
OLDEST = (2, 17)


def platform(library):
    """The platform's name by PEP 600."""
    header = library.read_bytes()[:20]
    if header[:6] != b"\x7fELF\x02\x01":
        raise SystemExit(f"wheel: {library} is not a library of 64 bits")
    processor = PROCESSORS[int.from_bytes(header[18:20], "little")]
    symbols = subprocess.run(["objdump", "-p", library], check=True, capture_output=True, text=True).stdout
    needed = [tuple(map(int, found.split("."))) for found in re.findall(r"\bGLIBC_(\d+(?:\.\d+)+)", symbols)]
    major, minor = max([OLDEST, *(version[:2] for version in needed)])
    return f"manylinux_{major}_{minor}_{processor}"


def metadata(project):
    lines = [
        "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {project['version']}",
        f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
        f"License-Expression: {project['license']['text']}", "License-File: LICENSE", "License-File: NOTICE",
        "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (ROOT / "Bindings/Python/README.md").read_text()


def main(library, seconds, folder):
    library = pathlib.Path(library)
    project = tomllib.loads((ROOT / "Bindings/Python/pyproject.toml").read_text())["project"]
    name = f"{project['name']}-{project['version']}"
    tag = f"py3-none-{platform(library)}"
    about = f"{name}.dist-info"
    files = {f"holdfast/{path.name}": path.read_bytes()
             for path in (ROOT / "Bindings/Python/holdfast").iterdir() if path.suffix in (".py", ".typed")}
    files["holdfast/libholdfast.so.0"] = library.read_bytes()
    for licence in ("LICENSE", "NOTICE"):
        files[f"{about}/licenses/{licence}"] = (ROOT / licence).read_bytes()
    files[f"{about}/METADATA"] = metadata(project).encode()
    files[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: {name}\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    rows = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(content)}\n")
    files[f"{about}/RECORD"] = "".join(rows + [f"{about}/RECORD,,\n"]).encode()
    wheel = pathlib.Path(folder) / f"{name}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # By convention dist-info is last.
        for path in sorted(files, key=lambda path: (path.startswith(about), path)):
            entry = zipfile.ZipInfo(path, time.gmtime(int(seconds))[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.endswith(".so.0") else 0o100644) << 16
            archive.writestr(entry, files[path])
    print(wheel.name)


main(*sys.argv[1:])
