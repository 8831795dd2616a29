"""The fetching of Scripts/wire/wire, continued: `get` and `batch` with --fetch, its line on a terminal, and
staples in libssl and nginx."""

import base64
import json
import os
import pty
import shutil
import ssl
import subprocess
import time

from server import Server

from pki import DER, GOOD, REVOKED, answer, crl, private_pem
from wire_fetch import HOST

WEB = "web.localhost"


def run(fetching):
    for part in (get, connect, batch, terminal, staples):
        part(fetching)


class Web(Server):
    """An HTTPS server that sends one chain."""

    def __init__(self, fetching, chain, location=None, version=ssl.TLSVersion.TLSv1_3):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = context.maximum_version = version
        context.load_cert_chain(*files(fetching, "web", chain))
        super().__init__(context=context)
        if location:
            self.serve("/", b"", 302, Location=location)
        else:
            self.serve("/", b"a body\n")


def files(fetching, prefix, chain):
    """The names of a chain's file and its key's."""
    chain_file = fetching.write(f"{prefix}-{chain[0].serial_number}.pem", *chain)
    key_file = fetching.folder / f"{prefix}-{chain[0].serial_number}.key"
    key_file.write_bytes(private_pem(HOST))
    return chain_file, str(key_file)


def options(fetching, kinds, *more):
    words = ["--anchors", str(fetching.folder / "root.pem"), "--rules", "rfc5280"]
    if kinds:
        words += ["--fetch", kinds, "--fetch-port", str(fetching.server.port), "--fetch-from", "127.0.0.0/8"]
    return [*words, *more]


def get(fetching):
    """Every row: the status, the body, and how many requests the servers were sent."""
    serve, wire = fetching.server.serve, fetching.wire
    issuer = serve("/get-issuer", fetching.ca.public_bytes(DER))

    def leaf(path, status):
        made = fetching.leaf(names=[HOST, WEB], issuers=[issuer], responders=[fetching.server.url(path)])
        serve(path, answer(made, fetching.ca, status))
        return made

    def expect(what, expected, web, kinds, *more, also=None):
        words = [wire.TOOL, "get", web.url("/", WEB), *options(fetching, kinds, *more)]
        start = time.monotonic()
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        got = f"{done.returncode}, {done.stdout.strip() or 'no body'}, {len(web.seen)} requests"
        if also:
            got += f", {also(done.stderr, time.monotonic() - start)}"
        wire.row(f"fetch: get, {what}", "", expected, got)

    fine = leaf("/get-good", GOOD)
    expect("nothing is fetched", "1, no body, 0 requests, hint", Web(fetching, [fine]), None,
           also=lambda text, _: "hint" if "--fetch issuers gets it" in text else text)
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        tls = "TLS 1.2" if version == ssl.TLSVersion.TLSv1_2 else "TLS 1.3"
        expect(f"{tls}, a missing issuer", "0, a body, 1 requests, told",
               Web(fetching, [fine], version=version), "issuers",
               also=lambda text, _: "told" if f"fetched: issuers {issuer}" in text else text)
        expect(f"{tls}, good by OCSP, required", "0, a body, 1 requests",
               Web(fetching, [fine], version=version), "all", "--revocation", "leaf")
        expect(f"{tls}, revoked by OCSP", "1, no body, 0 requests",
               Web(fetching, [leaf(f"/get-revoked-{tls[-1]}", REVOKED), fetching.ca], version=version), "ocsp")
    silent = fetching.leaf(names=[WEB], responders=[fetching.server.url("/get-none")])
    expect("no response, soft", "0, a body, 1 requests", Web(fetching, [silent, fetching.ca]), "ocsp")
    expect("no response, hard", "1, no body, 0 requests", Web(fetching, [silent, fetching.ca]), "ocsp",
           "--revocation", "leaf")
    plain = fetching.leaf(names=[WEB])
    expect("nothing that could be asked", "0, a body, 1 requests", Web(fetching, [plain, fetching.ca]), "all")
    wrong = fetching.leaf(issuers=[fetching.server.url("/get-wrong")])
    expect("another host: nothing is asked", "1, no body, 0 requests, 0", Web(fetching, [wrong]), "all",
           also=lambda *_: fetching.server.count("/get-wrong"))
    # Each server has its own chain, and both lack the issuer.
    second = Web(fetching, [leaf("/get-second", GOOD)])
    first = Web(fetching, [fine], location=second.url("/", WEB))
    expect("a redirect to another chain", "0, a body, 2 requests, 1 there", first, "issuers",
           also=lambda *_: f"{len(second.seen)} there")
    revoked_second = Web(fetching, [leaf("/get-second-revoked", REVOKED)])
    first = Web(fetching, [fine], location=revoked_second.url("/", WEB))
    expect("a redirect to a revoked one", "1, no body, 2 requests, 0 there", first, "issuers,ocsp",
           also=lambda *_: f"{len(revoked_second.seen)} there")

    def drip():
        while True:
            yield b"0"
            time.sleep(0.2)
    slow = fetching.leaf(names=[WEB], issuers=[fetching.server.stream(
        "/get-slow", "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", drip)])
    expect("--max-time ends fetching, too", "4, no body, 0 requests, in time", Web(fetching, [slow]), "issuers",
           "--max-time", "2", also=lambda _, seconds: "in time" if seconds < 30 else f"{seconds} s")
    cache = str(fetching.folder / f"get-cache-{time.monotonic_ns()}")
    kept = fetching.leaf(names=[WEB], issuers=[serve("/get-kept", fetching.ca.public_bytes(DER))])
    for _ in range(2):
        expect("--cache, twice", "0, a body, 1 requests, 1", Web(fetching, [kept]), "issuers", "--cache", cache,
               also=lambda *_: fetching.server.count("/get-kept"))


def connect(fetching):
    """Many hosts whose chains lack the same issuer ask for it once, and only it makes them valid."""
    url = fetching.server.serve("/connect-issuer", fetching.ca.public_bytes(DER))
    webs = [Web(fetching, [fetching.leaf(issuers=[url])]) for _ in range(8)]
    done = subprocess.run(
        [fetching.wire.TOOL, "connect", *[f"127.0.0.1:{web.port}" for web in webs], "--servername", HOST, "--json",
         *options(fetching, "issuers")], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    verdicts = {json.loads(line)["verdict"] for line in done.stdout.splitlines()}
    fetching.wire.row("fetch: connect, 8 hosts and one issuer: requests for it", "", "0 {'trusted'} 1",
                      f"{done.returncode} {verdicts} {fetching.server.count('/connect-issuer')}")


def batch(fetching):
    serve, wire = fetching.server.serve, fetching.wire

    def run_lines(leaves, kinds, *more, chain=()):
        """The answers, and the seconds that they took."""
        lines = "".join(json.dumps({
            "id": number, "host": HOST,
            "chain": [base64.b64encode(made.public_bytes(DER)).decode() for made in (leaf, *chain)],
        }) + "\n" for number, leaf in enumerate(leaves))
        start = time.monotonic()
        done = subprocess.run([wire.TOOL, "batch", *options(fetching, kinds, *more)], input=lines,
                              capture_output=True, text=True, timeout=120, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()], time.monotonic() - start

    def expect(what, expected, got):
        wire.row(f"fetch: batch, {what}", "", str(expected), str(got))

    def verdicts(found):
        return [found.count(word) for word in ("trusted", "rejected")]

    url = serve("/batch-issuer", fetching.ca.public_bytes(DER))
    leaves = [fetching.leaf(issuers=[url]) for _ in range(40)]
    found, _ = run_lines(leaves, "issuers")
    expect("40 lines, one issuer: trusted, rejected", [40, 0], verdicts([one["verdict"] for one in found]))
    expect("in their order", True, list(range(40)) == [one["id"] for one in found])
    expect("requests for it", 1, fetching.server.count("/batch-issuer"))
    expect("what was asked is in each answer", {1}, {len(one["input"]["fetched"]) for one in found})
    server = fetching.server
    slow = [fetching.leaf(issuers=[server.stream(f"/batch-slow-{number}", "", lambda: time.sleep(1) or [])])
            for number in range(16)]
    found, seconds = run_lines(slow, "issuers", "--fetch-rate", "1000")
    expect("lines wait for slow servers side by side", ([0, 16], True),
           (verdicts([one["verdict"] for one in found]), seconds < 14))
    found, _ = run_lines(leaves, None)
    expect("without --fetch", [0, 40], verdicts([one["verdict"] for one in found]))
    cache = str(fetching.folder / f"batch-cache-{time.monotonic_ns()}")
    for _ in range(2):
        found, _ = run_lines(leaves, "issuers", "--cache", cache)
    expect("twice with --cache: requests in all", 2, fetching.server.count("/batch-issuer"))
    # A CRL for each leaf, all of one host; one in four revokes.
    listed = []
    for number in range(8):
        leaf = fetching.leaf(lists=[fetching.server.url(f"/batch-{number}.crl")])
        serve(f"/batch-{number}.crl", crl("Fetch CA", [leaf.serial_number] if number % 4 == 0 else []))
        listed.append(leaf)
    for rate, slowest in ((4, 1.7), (100, 0)):
        found, seconds = run_lines(listed, "crl", "--fetch-rate", str(rate), "--revocation", "leaf",
                                   chain=[fetching.ca])
        expect(f"8 CRLs, --fetch-rate {rate}: trusted, rejected", [6, 2], verdicts([one["verdict"] for one in found]))
        expect(f"--fetch-rate {rate} takes its time", True, seconds > slowest)
    found, seconds = run_lines(listed[1:4], "crl", "--fetch-rate", "1", "--jobs", "1", "--revocation", "leaf",
                               chain=[fetching.ca])
    expect("one thread waits for its host's turn", (3, True),
           (verdicts([one["verdict"] for one in found])[0], seconds > 1.9))


def terminal(fetching):
    """What is asked is shown on a terminal, and taken off it; nowhere else, and not with --quiet."""
    url = fetching.server.serve("/terminal", fetching.ca.public_bytes(DER))
    file = fetching.write("terminal.pem", fetching.leaf(issuers=[url]))
    words = [fetching.wire.TOOL, "verify", file, "--host", HOST, *options(fetching, "issuers")]
    shown = b"asking ca.localhost for issuers"
    for what, more, expected in [("shown", (), (True, True)), ("--quiet", ("--quiet",), (False, False))]:
        master, slave = pty.openpty()
        process = subprocess.Popen([*words, *more], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
        status = process.wait(timeout=60)
        os.set_blocking(master, False)
        try:
            text = os.read(master, 1 << 16)
        except BlockingIOError:
            text = b""
        os.close(slave)
        os.close(master)
        fetching.wire.row(f"fetch: the line on a terminal, {what}", "", f"0 {expected}",
                          f"{status} {(shown in text, text.endswith(b' ' * len(shown) + bytes([13])))}")
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    fetching.wire.row("fetch: the line where there is no terminal", "", "b''", str(done.stderr))


def staples(fetching):
    """StapleSource: what it has fetched is stapled by a server of libssl, and by nginx from its file."""
    wire, server = fetching.wire, fetching.server
    leaf = fetching.leaf(responders=[server.url("/staple-source")])
    server.serve("/staple-source", answer(leaf, fetching.ca, GOOD))
    chain, key = files(fetching, "staple-source", [leaf, fetching.ca])
    target = fetching.folder / "staple-source.der"
    target.unlink(missing_ok=True)
    port = wire.free_port()
    log = wire.LOGS / "staple.log"
    wire.start([wire.WIRE, "staple", str(wire.MATERIAL), str(port), str(server.port), chain, key,
                str(fetching.folder / "root.pem"), str(target)], log)
    wire.wait_for(port)
    root = ["--anchors", str(fetching.folder / "root.pem"), "--rules", "rfc5280", "--revocation", "leaf"]

    def judge(name, kind, port):
        for version in ("1.2", "1.3"):
            found, status = wire.connect(port, *root, "--tls", version, host=HOST)
            wire.row(f"fetch: TLS {version} {name}", kind, "trusted, good, 0",
                     f"{found['verdict']}, {found.get('staple')}, {status}")

    judge("StapleSource in a server of libssl", "libssl", port)
    wire.row("fetch: the responder was asked", "libssl", "1", str(server.count("/staple-source")))
    wire.row("fetch: its file is the response", "", "True",
             str(target.exists() and target.read_bytes() == server.paths["/staple-source"][2]))
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    folder = fetching.folder / "nginx"
    folder.mkdir(exist_ok=True)
    port, old = wire.free_port(), wire.free_port()
    paths = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in (
        "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"""
      daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
      events {{ worker_connections 64; }}
      http {{ access_log off; {paths}
        server {{ listen 127.0.0.1:{port} ssl; server_name {HOST}; ssl_protocols TLSv1.2 TLSv1.3;
          ssl_certificate {chain}; ssl_certificate_key {key};
          ssl_stapling on; ssl_stapling_file {target}; }}
        server {{ listen 127.0.0.1:{old} ssl; server_name {HOST}; ssl_protocols TLSv1.2;
          ssl_certificate {chain}; ssl_certificate_key {key};
          ssl_stapling on; ssl_stapling_file {target}; location / {{ return 200 "a body\\n"; }} }} }}
      """)
    wire.start([program, "-p", str(folder), "-c", str(folder / "nginx.conf")], wire.LOGS / "nginx-staple.log")
    wire.wait_for(port)
    judge("StapleSource's file in nginx", "nginx", port)
    # Below TLS 1.3 the staple follows the certificates, so that nothing is to be fetched for them.
    for kinds in ("issuers", "all"):
        done = subprocess.run(
            [wire.TOOL, "get", f"https://{HOST}/", "--connect-to", f"127.0.0.1:{old}", *options(
                fetching, kinds, "--revocation", "leaf")], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=60, check=False)
        wire.row(f"fetch: get --fetch {kinds}, TLS 1.2, good by the staple", "nginx", "0 a body",
                 f"{done.returncode} {done.stdout.strip()}")
