"""Makes the page that explains a chain in a browser: one file with the module of WebAssembly in it.

    Scripts/common/browser_page.py holdfast.wasm PAGE.html

Its script stands alone in its Content-Security-Policy, by a digest; nothing else runs, and nothing is fetched. The
style is that of the page that `holdfast verify --html` writes.
"""
import base64
import gzip
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ROOT / "Bindings/JavaScript"


def style():
    """The style of Page.swift, whose lines end in a backslash where the text goes on."""
    source = (ROOT / "Sources/HoldfastAnswers/Page/Page.swift").read_text()
    text = re.search(r'static let style = """\n(.*?)\n    """', source, re.S)[1]
    return re.sub(r"^    ", "", text, flags=re.M).replace("\\\n", "")


def main(wasm, page):
    script = (PARTS / "holdfast.mjs").read_text() + (PARTS / "page/page.mjs").read_text()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    packed = gzip.compress(pathlib.Path(wasm).read_bytes(), 9, mtime=0)
    values = {"hash": f"'sha256-{digest}'", "style": style(), "script": script, "wasm": base64.b64encode(packed).decode()}
    template = (PARTS / "page/page.html").read_text()
    text = re.sub(r"{{(\w+)}}", lambda match: values[match[1]], template)
    pathlib.Path(page).write_text(text)
    sent = len(gzip.compress(text.encode(), 9))
    print(f"{page}: {len(text):,} bytes, {sent:,} compressed; holdfast.wasm {pathlib.Path(wasm).stat().st_size:,}, {len(packed):,}")
    if sent > 1_000_000:
        sys.exit("browser_page.py: more than 1 MB compressed, which Scripts/common/c-library keeps to with binaryen")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
