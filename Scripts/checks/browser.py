"""Compares what holdfast.wasm says with the tool, in Node and in the page that explains a chain.

    Scripts/checks/browser.py causes holdfast.wasm TOOL      the documents of the causes, in Node
    Scripts/checks/browser.py page PAGE.html TOOL BROWSER    the page, whose form is filled in

The page must say of each cause what the tool says, show what `verify --html` shows, fit a phone of 390 pixels in the
light and in the dark scheme, and send no request.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import c_door

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "Vectors/demo"


class Browser:
    """A headless browser with one page, over the pipes of its protocol of development tools."""

    def __init__(self, program, folder):
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser), os.close(from_browser)
        self.number, self.rest, self.session, self.requests, self.complaints = 0, b"", None, [], []
        pages = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self.session = self.call(
            "Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in "Page", "Network", "Runtime", "Log":
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            found = self.receive()
            if found.get("id") == self.number:
                if "error" in found:
                    sys.exit(f"not ok: {method}: {found['error']}")
                return found["result"]

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.input, 1 << 20)
            if not piece:
                sys.exit("not ok: the browser has ended")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.complaints.append(json.dumps(message["params"])[:500])
        return message

    def evaluate(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            sys.exit(f"not ok: {json.dumps(found['exceptionDetails'])[:800]}")
        return found["result"].get("value")

    def show(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(picture))


# Fills in the form and presses its button; returns the first line of the answer.
FILL = """
function ask(values) {
  const form = document.querySelector("form");
  form.reset();
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  form.requestSubmit();
  return document.querySelector("main h1").textContent;
}"""


def pem(texts):
    return "".join(c_door.pem(base64.b64decode(text)).decode() for text in texts)


def form(case):
    """A case of the causes as the values of the form."""
    values = {"chain": pem(case["chain"]), "anchors": pem(case["anchors"]), "rules": case["rules"], "time": case["time"][:-1]}
    return values | ({"host": case["host"]} if "host" in case else {"purpose": case["purpose"]})


def causes(browser, tool):
    """The sentences of the causes with roots, which the page asks for, and without CRLs; returns how many differ."""
    some = [(case, document) for case, document in c_door.documents(tool) if "crls" not in case and case["anchors"]]
    found = []
    for start in range(0, len(some), 50):
        values = [form(case) for case, _ in some[start:start + 50]]
        found += browser.evaluate(f"{json.dumps(values)}.map(ask)")
    different = 0
    for (case, document), line in zip(some, found):
        if not line.startswith(("✓ trusted: " if document["verdict"] == "trusted" else "✗ rejected: ") + document["reason"]):
            different += 1
            if different < 6:
                print(f"not ok: {case['id']}: {line}; the tool says: {document['reason']}")
    print(f"{len(some)} sentences compared, {different} differ")
    return different


def scenes(browser, tool, out):
    """What the page shows beside what `verify --html` writes, and how it fits; returns what is wrong."""
    wrong = []
    for name, values, page in c_door.scenes(tool):
        entered = json.dumps({**values, "pins": "\n".join(values["pins"])})
        shown = browser.evaluate(f"ask({entered}), document.querySelector('main').innerHTML")
        theirs, style = browser.evaluate(
            f"(page => [page.body.innerHTML, page.querySelector('style').textContent])"
            f"(new DOMParser().parseFromString({json.dumps(page)}, 'text/html'))")
        if c_door.without_hints(shown) != c_door.without_hints(theirs):
            wrong.append(f"{name}: not what verify --html shows")
            (out / "shown.html").write_text(shown), (out / "theirs.html").write_text(theirs)
        if browser.evaluate("document.querySelector('style').textContent") != style:
            wrong.append(f"{name}: another style than that of verify --html")
        colors = set()
        for width, scheme in (390, "light"), (390, "dark"), (1300, "light"):
            browser.show(width, scheme)
            needed = browser.evaluate("document.documentElement.scrollWidth")
            if needed > width:
                wrong.append(f"{name}: {needed} pixels wide on a page of {width}")
            browser.picture(out / f"{name.replace(' ', '-')}-{width}-{scheme}.png")
            colors.add(tuple(browser.evaluate(
                "['body', 'textarea', 'main h1'].map(each => getComputedStyle(document.querySelector(each)).backgroundColor)")))
        if len(colors) != 2:
            wrong.append(f"{name}: the same colors in both schemes")
    return wrong


# What is entered, and what the page says before anything is judged.
MISTAKES = [
    ({"chain": "x", "anchors": "x"}, "✗ The host is missing."),
    ({"host": "a.example", "chain": "x"}, "✗ The roots to trust are missing."),
    ({"host": "a.example", "anchors": "{root}"}, "✗ The chain is missing."),
    ({"host": "a.example", "chain": "x", "anchors": "x"}, "✗ "),
    ({"host": "a.example", "purpose": "client", "chain": "x", "anchors": "x"}, "✗ A host and pins go with a server."),
    ({"host": "a.example", "anchors": "{root}", "chain": "-----BEGIN CERTIFICATE-----\n*"}, "✗ unreadable: "),
    ({"host": "https://a.example/", "anchors": "{root}", "chain": "{chain}"}, "✗ rejected: "),
    ({"host": "a.example", "anchors": "{root}", "chain": "{chain}", "pins": "sha256/AAAA"}, "✗ pin of a.example: "),
]


def mistakes(browser):
    files = {"{root}": (DEMO / "root.pem").read_text(), "{chain}": (DEMO / "chain.pem").read_text()}
    for entered, expected in MISTAKES:
        line = browser.evaluate(f"ask({json.dumps({name: files.get(text, text) for name, text in entered.items()})})")
        if not line.startswith(expected):
            yield f"{entered}: {line}"


def open_page(page, tool, program):
    out = pathlib.Path(page).resolve().parent
    wrong = []
    # The browser may write into its profile until it has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            browser.call("Page.navigate", url=pathlib.Path(page).resolve().as_uri())
            ready = "new Promise(done => { const wait = () => document.querySelector('button:enabled') ? done(true) : " \
                    "document.querySelector('main h1.bad') ? done(document.querySelector('main').textContent) : " \
                    "setTimeout(wait, 20); wait(); })"
            if (found := browser.evaluate(ready)) is not True:
                sys.exit(f"not ok: the page does not start: {found}")
            browser.evaluate(FILL + "; window.ask = ask")
            wrong += mistakes(browser)
            wrong += scenes(browser, tool, out)
            if causes(browser, tool):
                wrong.append("other sentences than the tool's")
            # The browser draws parts of the form from pictures of its own, which are data.
            wrong += [f"a request: {each}" for each in browser.requests[1:] if not each.startswith("data:")]
            wrong += [f"a complaint: {each}" for each in browser.complaints]
            blocked = browser.evaluate(
                "new Promise(done => { addEventListener('securitypolicyviolation', event => done(event.effectiveDirective)); "
                "fetch('https://holdfast.invalid/').catch(() => {}); })")
            if blocked != "connect-src":
                wrong.append(f"a request is not blocked: {blocked}")
        finally:
            browser.process.kill()
            browser.process.wait()
    for each in wrong:
        print(f"not ok: {each}")
    print(f"the page: {len(c_door.SCENES)} scenes, {len(MISTAKES)} mistakes; pictures in {out}")
    return 1 if wrong else 0


def compare_in_node(wasm, tool):
    script = pathlib.Path(__file__).with_name("browser_node.mjs")
    node = subprocess.Popen(["node", script, wasm], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(case):
        node.stdin.write(json.dumps(case) + "\n")
        node.stdin.flush()
        return json.loads(node.stdout.readline())

    return c_door.compare(tool, answer)


if __name__ == "__main__":
    work = {"causes": compare_in_node, "page": open_page}
    if len(sys.argv) < 4 or sys.argv[1] not in work:
        sys.exit(__doc__)
    sys.exit(work[sys.argv[1]](*sys.argv[2:]))
