"""The requests of Scripts/wire/wire: HoldfastHTTP with nginx, server.py and mitmproxy on this machine."""

import json
import os
import pathlib
import signal
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request

SERVER = pathlib.Path(__file__).parents[2] / "Tests" / "HTTPTestSupport" / "server.py"


class Requests:
    """Runs the program `requests`, and compares what it prints."""

    def __init__(self, wire, library=None):
        self.wire = wire
        self.label = "newer libcurl: " if library else ""
        self.environment = {**os.environ, **({"LD_LIBRARY_PATH": library} if library else {})}
        self.program = os.environ["REQUESTS"]
        self.root = wire.file("root.pem")

    def lines(self, command, url, *more, anchors=None, seconds=120, environment=None):
        words = [self.program, command, url, anchors or self.root,
                 "--address", "wire.example=127.0.0.1", *map(str, more)]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=seconds, check=False, env={**self.environment, **(environment or {})})
        return done.stdout.strip().split("\n") if done.returncode == 0 else [f"status {done.returncode}"]

    def expect(self, name, kind, expected, command, url, *more, **options):
        self.wire.row(self.label + "request: " + name, "", expected, self.lines(command, url, *more, **options)[-1][:28])

    def bounded(self, name, command, url, start, *more, limit=64):
        """The last word is the most memory used, in MiB."""
        words = self.lines(command, url, *more, seconds=600)[-1].split()
        is_right = words[0] == start and int(words[-1]) <= limit
        print("      " + " ".join(words))
        self.wire.row("request: " + name, "", f"{start}, at most {limit} MiB",
                      f"{start}, at most {limit} MiB" if is_right else " ".join(words))


def server(wire, name, *more):
    process = subprocess.Popen(
        [sys.executable, str(SERVER), wire.file(f"{name}.pem"), wire.file(f"{name}.key"), *more],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    wire.processes.append(process)
    return int(process.stdout.readline())


def seen(port, scheme="https"):
    """What a server has seen so far."""
    context = ssl._create_unverified_context() if scheme == "https" else None
    with urllib.request.urlopen(f"{scheme}://127.0.0.1:{port}/log", context=context) as answer:
        return json.load(answer)


def prepare(wire, nginx):
    """Adds nginx's servers for these requests, before it starts."""
    folder = wire.WORK / "files"
    folder.mkdir(exist_ok=True)
    big = folder / "big"
    if not big.exists():
        with open(big, "wb") as out:
            out.truncate(1 << 30)
    more = f"keepalive_requests 100000; client_max_body_size 0; root {folder};"
    files = f"{more} location /big {{ }} location /put/ {{ dav_methods PUT; }}"
    (folder / "put").mkdir(exist_ok=True)
    # nginx's worker may be another user.
    (folder / "put").chmod(0o777)
    return {
        "http1": nginx.server("good", "1.3", files),
        "http2": nginx.server("good", "1.3", files, listen="http2"),
    }


def stapled(run, at):
    for version, group in at:
        for name, expected in [
                ("staple-revoked", "notTrusted revoked"), ("staple-good", "200 HTTP/1.1"),
                ("must-staple", "notTrusted revocationUnknown")]:
            url = f"https://wire.example:{group[name].port}/"
            line = run.lines("get", url, "--revocation", "--http1")[-1]
            run.wire.row(f"request: TLS {version} {name}, required", "nginx", expected,
                         line[:len(expected)] if line.startswith(expected) else line)


def sizes(run, nginx_servers):
    for name, server_ in nginx_servers.items():
        version = {"http1": "HTTP/1.1", "http2": "HTTP/2"}[name]
        base = f"https://wire.example:{server_.port}"
        pins = ["--pin", run.wire.pin("good"), "--pin", run.wire.pin("backup")]
        run.expect(f"nginx, {version}", "nginx", f"200 {version} 14", "get", base + "/", *pins)
        # The certificate is for both names, and the connection to the first is open.
        other = base.replace("wire.example", "localhost") + "/"
        run.expect(f"{version}, another host of the same server", "nginx", f"200 {version} 14", "get",
                   base + "/", "--then", other)
        run.expect(f"{version}, another host without pins", "nginx", "notTrusted unknownHost", "get",
                   base + "/", *pins, "--then", other)
        requests = run.wire.WORK / "nginx" / "access.log"
        before = requests.read_text().count("\n")
        run.expect(f"nginx, {version}, wrong pin", "nginx", "notTrusted pinMismatch", "get", base + "/",
                   "--pin", run.wire.pin("p256"), "--pin", run.wire.pin("backup"))
        time.sleep(0.1)
        run.wire.row(f"request: {version}, wrong pin, requests logged", "nginx", "0",
                     str(requests.read_text().count("\n") - before))
        run.bounded(f"{version}, 1 GB down", "down", base + "/big", str(1 << 30), *pins)
        run.bounded(f"{version}, 1 GB up", "up", base + f"/put/{name}", "201", *pins,
                    "--megabytes", 1024)
        (run.wire.WORK / "files" / "put" / name).unlink(missing_ok=True)
        run.expect(f"{version}, 1,000 requests on 50 connections", "nginx", "1000", "many", base + "/",
                   *pins, "--count", 1000, "--connections", 50)


def behavior(run):
    wire = run.wire
    good, other = server(wire, "good"), server(wire, "p256")
    base = f"https://wire.example:{good}"
    pins = ["--pin", wire.pin("good"), "--pin", wire.pin("backup")]
    to = urllib.parse.quote(f"https://wire.example:{other}/hello", safe="")
    run.expect("redirect from a good to a bad pin", "", "notTrusted pinMismatch", "get",
               f"{base}/redirect?status=307&to={to}", *pins)
    wire.row(run.label + "request: requests at the target of that redirect", "", "0",
             str(len(seen(other)["requests"])))
    for path, expected in [
            ("/short", "connectionLost"), ("/bad-chunk", "connectionLost"),
            ("/cut-chunks", "connectionLost"), ("/garbage", "invalidResponse"),
            ("/header-bomb", "headersTooLong"), ("/interim-bomb", "headersTooLong"),
            ("/switch/0", "invalidResponse"), ("/switch/2000000", "invalidResponse"),
            ("/until-close?end=FIN", "connectionLost"), ("/until-close?end=FIN&version=1.0", "connectionLost"),
            ("/until-close?end=close_notify", "200 HTTP/1.1 5"),
            ("/fields?lines=Content-Length:%203;Content-Length:%205", "invalidResponse"),
            ("/fields?lines=Content-Length:%20%2B5", "invalidResponse"),
            ("/gzip?without=9", "invalidResponse"), ("/gzip?x=y", "200 HTTP/1.1 6000"),
            ("/coded?codings=gzip,gzip", "invalidResponse"),
            ("/coded?codings=gzip&interim=gzip", "invalidResponse")]:
        run.expect("lying server" + path, "", expected, "get", base + path, *pins)
    proxy = server(wire, "good", "--plain", "--proxy")
    through = ["--proxy", f"http://127.0.0.1:{proxy}"]
    run.expect("through CONNECT", "", "200 HTTP/1.1 5", "get", base + "/hello", *pins, *through)
    run.expect("through CONNECT, wrong pin", "", "notTrusted pinMismatch", "get",
               f"https://wire.example:{other}/hello", *pins, *through)
    clients = server(wire, "good", "--clients", wire.file("clients-root.pem"))
    identity = ["--identity", wire.file("client-good.p12"), "secret"]
    run.expect("client certificate", "", "200 HTTP/1.1 5", "get",
               f"https://wire.example:{clients}/hello", *pins, *identity)
    run.expect("a sequence that is longer than announced", "", "requestBody", "long", base + "/echo", *pins)
    sessions = server(wire, "good")
    close = f"https://wire.example:{sessions}/close"
    run.expect("three connections", "", "200 HTTP/1.1 5", "get", close, "--count", 3, *pins)
    wire.row(run.label + "request: sessions resumed by them", "", "2", str(seen(sessions)["resumed"]))
    keys = wire.WORK / "keys"
    keys.unlink(missing_ok=True)
    run.expect("with SSLKEYLOGFILE", "", "200 HTTP/1.1 5", "get", base + "/hello", *pins,
               environment={"SSLKEYLOGFILE": str(keys)})
    wire.row(run.label + "request: keys logged by it", "", "0",
             str(len(keys.read_text().split("\n")) - 1 if keys.exists() else 0))


def newer(wire):
    """The same with another libcurl, if there is one."""
    library = os.environ.get("NEWER_CURL")
    if not library:
        print("ABSENT: a newer libcurl; Scripts/setup --wire looks for one")
        return
    requests = Requests(wire, library)
    requests.expect("the library", "", library[-28:], "library", "https://wire.example/")
    behavior(requests)


def tool(run, port):
    """`holdfast get`: the status of the process, and what it writes."""
    wire = run.wire
    target = wire.WORK / "got"
    base = f"https://wire.example:{port}"

    def get(name, expected, path, *more):
        target.unlink(missing_ok=True)
        done = subprocess.run(
            [wire.TOOL, "get", base + path, "--anchors", run.root, "--connect-to", f"127.0.0.1:{port}",
             "--json", *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        lines = (done.stdout if "-o" in more else done.stderr).split("\n")
        answer = next((line for line in lines if line.startswith("{")), "{}")
        found = json.loads(answer)
        size = target.stat().st_size if target.exists() else len(done.stdout)
        wire.row("get: " + name, "", expected, f"{done.returncode} {found.get('verdict')} {size}")

    pins = ["--pin", wire.pin("good")]
    get("to standard output", "0 trusted 5", "/hello", *pins)
    get("to a file, redirected", "0 trusted 3", "/chain/2", *pins, "-o", target)
    get("a wrong pin", "1 pinMismatch 0", "/hello", "--pin", wire.pin("backup"))
    get("not found", "3 trusted 0", "/nothing", *pins)
    get("a body that is cut", "3 trusted 5", "/short", *pins)
    get("a body that is too long", "3 trusted 0", "/bytes/1000", *pins, "--max-bytes", "10")
    get("too many redirects", "3 trusted 0", "/chain/11", *pins)
    get("no answer in time", "4 unreachable 0", "/hang", *pins, "--max-time", "1")


def signals(run, port):
    """What is left of a download that a signal ends: nothing."""
    wire = run.wire
    folder = wire.WORK / "download"
    folder.mkdir(exist_ok=True)
    for number, status in [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGHUP, -1)]:
        process = subprocess.Popen(
            [wire.TOOL, "get", f"https://wire.example:{port}/drip", "--anchors", run.root, "--connect-to",
             f"127.0.0.1:{port}", "-o", folder / "body"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not list(folder.iterdir()):
            time.sleep(0.1)
        process.send_signal(number)
        wire.row(f"get: {number.name} during a download", "", f"{status} []",
                 f"{process.wait(60)} {[path.name for path in folder.iterdir()]}")


def examples(run, port):
    """Examples/PinnedRequest and Examples/PinnedURLSession, once trusted and once rejected."""
    wire = run.wire
    for name in ("PinnedRequest", "PinnedURLSession"):
        program = pathlib.Path(run.program).with_name(name)
        for expected, pin in [("status 200", "good"), ("no pin of localhost", "p256")]:
            done = subprocess.run(
                [program, f"https://localhost:{port}/hello", run.root, wire.pin(pin), wire.pin("backup")],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
            said = expected if expected in done.stdout else done.stdout[:10]
            wire.row(f"example {name}, pin of {pin}", "", expected, said)


def intercepted(run, port, authority):
    """mitmproxy as a proxy for CONNECT, which makes certificates of its own."""
    wire = run.wire
    through = ["--proxy", f"http://127.0.0.1:{port}"]
    base = f"https://wire.example:{server(wire, 'good')}"
    pins = ["--pin", wire.pin("good"), "--pin", wire.pin("backup")]
    run.expect("mitmproxy, its root unknown", "", "notTrusted issuerNotFound", "get",
               base + "/hello", *through)
    run.expect("mitmproxy, its root an anchor, no pins", "", "200 HTTP/1.1 5", "get",
               base + "/hello", *through, "--http1", anchors=authority)
    run.expect("mitmproxy, its root an anchor, pins", "", "notTrusted pinMismatch", "get",
               base + "/hello", *through, *pins, anchors=authority)


def run(wire, nginx_servers, servers):
    requests = Requests(wire)
    sizes(requests, nginx_servers)
    stapled(requests, servers)
    behavior(requests)
    newer(wire)
    tool(requests, server(wire, "good"))
    signals(requests, server(wire, "good"))
    examples(requests, server(wire, "good"))
    return requests
