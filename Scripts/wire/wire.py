"""Runs real servers and proxies on this machine and checks the tool's verdicts. See Scripts/wire/wire."""

import asyncio
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "HTTPTestSupport"))
from server import listen, pump

import wire_fetch
import wire_fetch_tool
import wire_http
import wire_raw

TOOL, WIRE, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
MATERIAL = WORK / "material"
LOGS = WORK / "logs"
processes = []
ports = set()
rows = []
wrong = []


def file(name):
    return str(MATERIAL / name)


def pin(name):
    return (MATERIAL / f"{name}.pin").read_text()


def free_port():
    """Returns a free port, each only once, because two nginx servers could share one."""
    while True:
        with socket.socket(socket.AF_INET6) as probe:
            probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            probe.bind(("::", 0))
            port = probe.getsockname()[1]
        if port not in ports:
            ports.add(port)
            return port


def start(words, log, **more):
    with open(log, "wb") as out:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, **more)
    processes.append(process)
    return process


def wait_for(port, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"wire: no server on port {port}")


def settled(read):
    """What is read as soon as it is something, or after five seconds: a server's log is written late."""
    end = time.monotonic() + 5
    while not (found := read()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class Server:
    """A port, and the log in which its server records the alerts that it receives."""

    def __init__(self, kind, port, log):
        self.kind, self.port, self.log = kind, port, log

    def alert(self, before):
        """Returns the number of the alert logged since the mark, or None."""
        found = settled(lambda: re.findall(r"SSL alert number (\d+)",
                                           self.log.read_bytes()[before:].decode(errors="replace")))
        return int(found[-1]) if found else None

    def size(self):
        return self.log.stat().st_size if self.log.exists() else 0


def s_server(name, version, extra=()):
    port = free_port()
    log = LOGS / f"s_server-{name}-{version}.log"
    words = ["openssl", "s_server", "-accept", str(port), "-cert", file(f"{name}.pem"),
             "-cert_chain", file(f"{name}.pem"), "-key", file(f"{name}.key"), f"-tls{version.replace('.', '_')}",
             "-www", *extra]
    start(words, log)
    return Server("s_server", port, log)


class Nginx:
    """One nginx with a port for each chain and TLS version."""

    def __init__(self):
        self.blocks = []
        self.folder = WORK / "nginx"
        self.folder.mkdir(exist_ok=True)

    def server(self, name, version, extra="", listen=""):
        port = free_port()
        log = LOGS / f"nginx-{port}.log"
        staple = ""
        if (MATERIAL / f"{name}.ocsp").exists():
            staple = f"ssl_stapling on; ssl_stapling_file {file(name + '.ocsp')};"
        self.blocks.append(f"""
          server {{
            listen 127.0.0.1:{port} ssl {listen}; listen [::1]:{port} ssl {listen}; server_name wire.example;
            ssl_certificate {file(name + '.pem')}; ssl_certificate_key {file(name + '.key')};
            ssl_protocols TLSv{version}; {staple} {extra}
            error_log {log} info;
            location / {{ return 200 "verified $ssl_client_verify\\n"; }}
          }}""")
        return Server("nginx", port, log)

    def start(self):
        f = self.folder
        temporary = " ".join(
            f"{kind}_temp_path {f}/{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (f / "nginx.conf").write_text(f"""
          daemon off; worker_processes 1; pid {f}/pid; error_log {f}/error.log;
          events {{ worker_connections 512; }}
          http {{ access_log {f}/access.log; {temporary} ssl_session_cache off; {''.join(self.blocks)} }}
          """)
        self.process = start([shutil.which("nginx") or "/usr/sbin/nginx", "-p", str(f), "-c", str(f / "nginx.conf")],
                             LOGS / "nginx.log")


def row(name, server, expected, got, alert="", expected_alert=""):
    is_right = expected == got and str(alert or "") == str(expected_alert or "")
    rows.append(is_right)
    mark = "ok   " if is_right else "WRONG"
    line = (f"{mark} {name:46} {server:9} {expected:28} {got:28} "
            f"{expected_alert or '-'!s:>4} {alert or '-'!s:>4}")
    if not is_right:
        wrong.append(line)
    print(line, flush=True)


FIELDS = ["presented", "tls", "staple", "daysLeft", "endings"]
TLS_FIELDS = ["version", "cipher", "alpn", "resumed", "requestsCertificate", "clientCertificate"]


def document(line):
    """Parses a line of `holdfast connect --json`, whose section must have exactly these fields."""
    answer = json.loads(line)
    found = answer["connection"]
    if list(found) != FIELDS or found["tls"] is not None and list(found["tls"]) != TLS_FIELDS:
        raise SystemExit(f"wire: other fields in {line}")
    return answer | found


def connect(port, *more, address="127.0.0.1", host="wire.example", upki=False):
    """Returns the document of `holdfast connect --json` and the exit status.

    With upki, its cache is among the material; else there is none, whatever is on this machine."""
    places = {"HOME": str(MATERIAL), "XDG_CONFIG_HOME": str(MATERIAL),
              "XDG_CACHE_HOME": file("cache" if upki else "no-cache")}
    words = [TOOL, "connect", f"{address}:{port}", "--servername", host, "--json", *more]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, check=False, env=os.environ | places)
    if not done.stdout:
        return {"verdict": done.stderr.strip(), "rule": None}, done.returncode
    return document(done.stdout), done.returncode


STATUS = {"trusted": 0, "rejected": 1, "pinMismatch": 1, "exhausted": 1, "unreadable": 3, "unreachable": 4}


def judge(name, server, expected, *more, alert=None, address="127.0.0.1", host="wire.example",
          check=None, upki=False):
    before = server.size()
    found, status = connect(server.port, *more, address=address, host=host, upki=upki)
    got = found["verdict"] + (f" {found['rule']}" if found["rule"] not in (None, found["verdict"]) else "")
    if status != STATUS.get(found["verdict"]):
        got += f" status {status}"
    if check and not check(found):
        got += " (details differ)"
    row(name, server.kind, expected, got, server.alert(before) if alert or got != expected else None, alert)


def trusted_roots():
    return ["--anchors", file("root.pem")]


def certificates(nginx):
    """Chains from nginx under each version; HoldfastOpenSSLTests has all kinds of them in memory."""
    root = trusted_roots()
    names = ["good", "rsa", "self-signed", "other-host", "expired", "no-intermediate", "staple-good",
             "staple-revoked", "must-staple", "large", "filter-revoked", "filter-good"]
    servers = [(version, {name: nginx.server(name, version) for name in names}) for version in ("1.2", "1.3")]
    nginx.mutual = {v: nginx.server("good", v, f"ssl_client_certificate {file('clients-root.pem')};"
                                    " ssl_verify_client on;") for v in ("1.2", "1.3")}
    nginx.requests = wire_http.prepare(sys.modules[__name__], nginx)
    nginx.start()
    for _, group in servers:
        for server in group.values():
            wait_for(server.port)
    for version, at in servers:
        tls = f"TLS {version} "
        # In TLS 1.2 OpenSSL itself chooses the alert for a rejection due to the stapled response.
        late = 113 if version == "1.2" else None
        judge(tls + "good", at["good"], "trusted", *root,
              check=lambda f: f["tls"]["version"] == f"TLSv{version}" and len(f["path"]) == 3
              and f["daysLeft"] in (88, 89) and f["staple"] == "none")
        judge(tls + "wrong pin", at["good"], "pinMismatch", *root, "--pin", pin("backup"),
              alert=42)
        judge(tls + "expired", at["expired"], "rejected expired", *root, alert=45)
        judge(tls + "missing intermediate", at["no-intermediate"], "rejected issuerNotFound",
              *root, alert=48)
        judge(tls + "revoked by the staple", at["staple-revoked"], "rejected revoked", *root,
              alert=late or 44, check=lambda f: f["staple"] == "revoked")
        judge(tls + "good by the staple, required", at["staple-good"], "trusted", *root,
              "--revocation", "leaf", check=lambda f: f["staple"] == "good")
        judge(tls + "promised staple absent (must-staple)", at["must-staple"],
              "rejected revocationUnknown", *root, alert=late or 42)
        judge(tls + "no timestamps, required", at["good"], "rejected insufficientTransparency", *root,
              "--log-list", file("logs.json"), "--ct", "require", alert=42)
        # upki's filters are used without being asked for.
        judge(tls + "revoked by upki's filter", at["filter-revoked"], "rejected revoked", *root, upki=True,
              alert=44, check=lambda f: "upki" in f["input"])
        judge(tls + "good by upki's filter, required", at["filter-good"], "trusted", *root,
              "--revocation", "leaf", upki=True,
              check=lambda f: f["revocation"][0]["status"] == "good" and "upki" in f["input"])
        judge(tls + "upki's filter ignored", at["filter-revoked"], "trusted", *root,
              "--revocation", "ignored", upki=True, check=lambda f: "upki" not in f["input"])
        judge(tls + "over IPv6", at["good"], "trusted", *root, address="[::1]")
        pieces = Server(at["large"].kind, listen(relay, at["large"].port), at["large"].log)
        judge(tls + "16 kB of certificates in small pieces", pieces, "trusted", *root)
    return servers


def relay(client, port):
    """Relays another port's answers in pieces of 500 bytes."""
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with socket.create_connection(("127.0.0.1", port)) as server:
        threading.Thread(target=pump, args=(client, server), daemon=True).start()
        pump(server, client, 500)


def badly_behaved():
    """Servers that hang, reset, close, or do not speak TLS."""
    def behave(connection, kind):
        if kind == "hangs":
            time.sleep(20)
        elif kind == "resets":
            connection.recv(65536)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif kind == "sends garbage":
            connection.sendall(b"HTTP/1.0 400 this is no TLS\r\n\r\n" * 10)
            connection.recv(65536)
        elif kind == "sends half a record":
            connection.recv(65536)
            connection.sendall(bytes([22, 3, 3, 64, 0]) + bytes(200))
        elif kind == "closes":
            connection.recv(65536)

    expected = {"hangs": "no answer in time", "resets": "the server closed the connection",
                "closes": "the server closed the connection",
                "sends half a record": "the server closed the connection",
                "sends garbage": "the server does not speak TLS: its answer begins with "
                '"HTTP/1.0 400 this is no TLS"'}
    for kind, reason in expected.items():
        seconds = "1" if kind == "hangs" else "20"
        found, status = connect(listen(behave, kind), *trusted_roots(), "--timeout", seconds)
        row(f"a server that {kind}", "python", "unreachable 4", f"{found['verdict']} {status}")
        if found.get("reason") != reason:
            row(f"  its reason", "python", reason, str(found.get("reason")))

    def missing(connection, drips):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file("good.pem"), file("good.key"))
        with context.wrap_socket(connection, server_side=True) as secured:
            secured.recv(65536)
            secured.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\n" + bytes(10))
            for _ in range(20 if drips else 0):
                time.sleep(1)
                secured.sendall(b" ")

    # A page about an error is not read, so no server can hold one up with it.
    for kind in ("drips", "ends early"):
        port = listen(missing, kind == "drips")
        done = subprocess.run(
            [TOOL, "get", f"https://wire.example:{port}/", "--json", "--connect-to", f"127.0.0.1:{port}",
             *trusted_roots()], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=10, check=False)
        found = json.loads(done.stderr.splitlines()[0])["response"]
        row(f"an error's page that {kind}", "python", "404 None", f"{found['status']} {found['size']}")


def hostile():
    """Servers that keep sending, and certificates that are not DER on the wire."""
    def attempt(name, port, expected, seconds):
        # A connection that never ends fails by the limit of `connect`, 60 seconds.
        found, _ = connect(port, *trusted_roots(), "--timeout", seconds)
        row(name, "python", expected, re.sub(r"\d+ bytes", "N bytes", found.get("reason", found["verdict"])))

    attempt("a flood before the handshake", listen(wire_raw.flood, None),
            "the server sent N bytes without completing the handshake", "20")
    attempt("a byte now and then", listen(wire_raw.drip, 0.2), "no answer in time", "1")
    blocks = re.findall(r"-----BEGIN.*?-----END CERTIFICATE-----\n",
                        (MATERIAL / "good.pem").read_text(), re.DOTALL)
    leaf, *issuers = (ssl.PEM_cert_to_DER_cert(block) for block in blocks)
    for version in ("1.2", "1.3"):
        for name, der in wire_raw.encodings(leaf).items():
            port = listen(wire_raw.send_chain, [der, *issuers], version)
            found, _ = connect(port, *trusted_roots(), "--timeout", "20")
            # What is DER is trusted, and the server then has nothing more to say.
            row(f"TLS {version} certificate: {name}", "python",
                "unreachable" if name == "DER" else "unreadable", found["verdict"])


def start_tls():
    """STARTTLS servers of four protocols, with a valid certificate and with that of another host."""
    def line(connection):
        text = b""
        while not text.endswith(b"\n"):
            byte = connection.recv(1)
            if not byte:
                return text
            text += byte
        return text

    def smtp(connection):
        connection.sendall(b"220-wire.example\r\n220 ready\r\n")
        line(connection)
        connection.sendall(b"250-wire.example\r\n250-STARTTLS\r\n250 HELP\r\n")
        line(connection)
        connection.sendall(b"220 go ahead\r\n")

    def imap(connection):
        connection.sendall(b"* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n")
        line(connection)
        connection.sendall(b"a OK begin\r\n")

    def pop3(connection):
        connection.sendall(b"+OK ready\r\n")
        line(connection)
        connection.sendall(b"+OK begin\r\n")

    def postgres(connection):
        connection.recv(8)
        connection.sendall(b"S")

    def rejecting(connection):
        connection.sendall(b"220 ready\r\n")
        line(connection)
        connection.sendall(b"250 HELP\r\n")
        line(connection)
        connection.sendall(b"502 no such command\r\n")
        raise OSError("rejected")

    def serve(connection, begin, context):
        begin(connection)
        context.wrap_socket(connection, server_side=True).close()

    for begin in (smtp, imap, pop3, postgres):
        for name, expected in (("good", "trusted"), ("other-host", "rejected hostName")):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file(f"{name}.pem"), file(f"{name}.key"))
            found, _ = connect(listen(serve, begin, context), *trusted_roots(), "--starttls", begin.__name__)
            got = found["verdict"] + (f" {found['rule']}" if found["rule"] not in (None, found["verdict"]) else "")
            row(f"STARTTLS of {begin.__name__}, {name}", "python", expected, got)
    found, _ = connect(listen(serve, rejecting, None), *trusted_roots(), "--starttls", "smtp")
    row("STARTTLS rejected by the server", "python", "unreachable", found["verdict"])


def mutual(nginx):
    """Client certificates: ours shown to nginx, and those of clients checked by our server."""
    for version, server in nginx.mutual.items():
        for identity, expected in [
                ("client-good.p12", "verified SUCCESS"),
                ("client-expired", "the client certificate cannot be used: CN=ada expired"), ("client-foreign", "400"), ("", "400")]:
            words = [WIRE, "get", str(MATERIAL), str(server.port), "/"]
            words += [identity] if identity else []
            done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
            seen = done.stdout.strip()
            row(f"TLS {version} nginx asks a client: {identity or 'none'}", "nginx", expected,
                expected if expected in seen else seen[:60] or done.stderr[-60:])
        identity = ["--identity", file("client-good.p12"), "--password-file", file("password")]
        foreign = MATERIAL / "client-foreign-both.pem"
        foreign.write_bytes(b"".join((MATERIAL / f"client-foreign.{kind}").read_bytes()
                                     for kind in ("pem", "key")))
        for name, words, expected in [
                ("none", [], "absent none was given"), ("good", identity, "accepted "),
                ("foreign", ["--identity", str(foreign)], "accepted may have refused")]:
            done = subprocess.run(
                [TOOL, "get", f"https://wire.example:{server.port}/", "--json", "--connect-to",
                 f"127.0.0.1:{server.port}", *trusted_roots(), *words],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False)
            answer, *notes = done.stderr.splitlines() or ["{}"]
            tls = (json.loads(answer).get("connection") or {}).get("tls") or {}
            said = next((words for words in ("none was given", "may have refused") if words in "".join(notes)), "")
            row(f"TLS {version} get --identity, {name}: what nginx thinks of it", "nginx", f"TLSv{version} {expected}",
                f"{tls.get('version')} {tls.get('clientCertificate')} {said}")
    port = free_port()
    log = LOGS / "serve.log"
    start([WIRE, "serve", str(MATERIAL), str(port)], log)
    wait_for(port)
    time.sleep(0.2)
    for version in ("1.2", "1.3"):
        for name, expected in [
                ("client-good", "welcome ada"),
                ("client-expired", "rejected expired certificateExpired"),
                ("client-foreign", "rejected issuerNotFound unknownCA"),
                ("", "no certificate")]:
            before = log.stat().st_size
            words = ["curl", "-s", "--max-time", "10", f"--tls-max", version, f"--tlsv{version}",
                     "--cacert", file("root.pem"), "--resolve", f"wire.example:{port}:127.0.0.1",
                     f"https://wire.example:{port}/"]
            if name:
                words += ["--cert", file(f"{name}.pem"), "--key", file(f"{name}.key")]
            subprocess.run(words, capture_output=True, timeout=30, check=False)
            got = settled(lambda: log.read_text()[before:].strip())
            row(f"TLS {version} our server asks curl: {name or 'none'}", "ours", expected, got)


def command_line(servers):
    """What `connect` writes, offers and shows in addition to its verdicts."""
    at = servers[-1][1]
    good, expired = at["good"], at["expired"]
    folder = WORK / "connect"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()

    def run(*words):
        done = subprocess.run([TOOL, "connect", *words, *trusted_roots()], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)
        return done.stdout, done.stderr, done.returncode

    def one(server, *words):
        return run(f"127.0.0.1:{server.port}", "--servername", "wire.example", *words)

    def expect(name, server, expected, got):
        row("connect " + name, server, str(expected), str(got))

    chain, page = folder / "chain.pem", folder / "page.html"
    for server, status in [(good, 0), (expired, 1)]:
        chain.unlink(missing_ok=True)
        name = "good" if server is good else "expired"
        expect(f"--save-chain, {name}", "nginx", (status, True), (
            one(server, "--save-chain", str(chain))[2],
            chain.read_bytes() == (MATERIAL / f"{name}.pem").read_bytes()))
    expect("--save-chain, a file that is there", "nginx", (3, True), (
        one(good, "--save-chain", str(chain))[2],
        chain.read_bytes() == (MATERIAL / "expired.pem").read_bytes()))
    expect("--save-chain --force", "nginx", (0, True), (
        one(good, "--save-chain", str(chain), "--force")[2],
        chain.read_bytes() == (MATERIAL / "good.pem").read_bytes()))
    for server, status, word in [(good, 0, "Wire CA"), (expired, 1, "expired")]:
        text, _, got = one(server, "--html", str(page), "--force")
        html = page.read_text()
        expect(f"--html, {word}", "nginx", (status, True, True), (
            got, html.startswith("<!DOCTYPE html>") and word in html and "<svg" in html, word in text))
    for offered, chosen in [("http/1.1", "http/1.1"), ("x/1", None), (None, None)]:
        found, status = connect(good.port, *trusted_roots(), *(["--alpn", offered] if offered else []))
        # A server that supports none of the protocols ends the connection. RFC 7301 §3.2.
        verdict = "unreachable" if offered == "x/1" else "trusted"
        got = found["tls"]["alpn"] if found["tls"] else None
        expect(f"--alpn {offered}", "nginx", (verdict, chosen), (found["verdict"], got))

    asking = s_server("good", "1.2", ["-Verify", "1", "-verify_return_error", "-CAfile",
                                      file("clients-root.pem")])
    wait_for(asking.port)
    identity = ["--identity", file("client-good.p12"), "--password-file", file("password")]
    both = folder / "ada.pem"
    both.write_bytes((MATERIAL / "client-good.key").read_bytes()
                     + (MATERIAL / "client-good.pem").read_bytes())
    for name, words, expected in [("PKCS #12", identity, ("trusted", 0)),
                                  ("PEM", ["--identity", str(both)], ("trusted", 0)),
                                  ("none", [], ("unreachable", 4))]:
        found, status = connect(asking.port, *trusted_roots(), *words)
        expect(f"--identity, {name}", "s_server", (*expected, True), (
            found["verdict"], status, found["tls"]["requestsCertificate"]))
    # The server's alert is handshake_failure, which may mean anything.
    expect("--identity, none, and why", "s_server", ("absent", True), (
        found["tls"]["clientCertificate"], "none was given (alert 40" in found["reason"]))
    # Under TLS 1.3 the client's handshake ends before the server has looked at its certificate.
    for name, roots, expected in [("knows", "clients-root.pem", ("trusted", 0, "accepted", "")),
                                  ("does not know", "root.pem",
                                   ("unreachable", 4, None, "(alert 48, unknown_ca)"))]:
        server = s_server("good", "1.3", ["-Verify", "1", "-verify_return_error", "-CAfile",
                                          file(roots)])
        wait_for(server.port)
        found, status = connect(server.port, *trusted_roots(), *identity)
        expect(f"--identity, TLS 1.3, of a CA that the server {name}", "s_server", expected, (
            found["verdict"], status, found["tls"]["clientCertificate"],
            found["reason"][found["reason"].find("(alert"):] if status else ""))
    asks = "asks for a client certificate"
    for name, server, expected in [("1.2 that requires a certificate", asking, True),
                                   ("1.3 that asks for one", s_server("good", "1.3", ["-verify", "1"]), True),
                                   ("1.3 that does not ask", good, False)]:
        wait_for(server.port)
        found, _ = connect(server.port, *trusted_roots())
        expect(f"TLS {name}", server.kind, (expected, expected), (
            found["tls"]["requestsCertificate"], asks in one(server)[0]))

    one_store(good, folder)

    closed = free_port()
    hosts = folder / "hosts.txt"
    lines = [f"localhost:{good.port}", f"localhost:{expired.port}  # old", f"localhost:{closed}"]
    hosts.write_text("nowhere.invalid\n\nwww.nowhere.invalid:8443\n")
    lines_seen, _, got = run("--hosts", str(hosts))
    expect("--hosts, names without an address", "none", (4, [1, 1]), (
        got, [line.count("nowhere.invalid") for line in lines_seen.splitlines()]))
    for count, status in [(1, 0), (2, 1), (3, 4)]:
        hosts.write_text("# our servers\n\n" + "\n".join(lines[:count]) + "\n")
        rows_seen, _, got = run("--hosts", str(hosts))
        documents, _, again = run("--hosts", str(hosts), "--json")
        words = [document(line)["verdict"] for line in documents.splitlines()]
        expect(f"--hosts, {count} of them", "nginx", (
            status, status, ["trusted", "rejected", "unreachable"][:count], True), (
            got, again, words, count == 1 or rows_seen.count("\n") == count))
    hosts.write_text("\n".join([lines[0], lines[2]]))
    expect("--hosts, one unreachable", "nginx", 4, run("--hosts", str(hosts))[2])
    hosts.write_text("# nothing\n")
    expect("--hosts, an empty file", "none", 3, run("--hosts", str(hosts))[2])


def one_store(server, folder):
    """The same chain, store and time give the same answer in verify, batch and connect."""
    chain, requests, store = MATERIAL / "good.pem", folder / "requests", folder / "store.json"
    blocks = re.findall("-----BEGIN CERTIFICATE-----(.*?)-----END", chain.read_text(), re.S)
    requests.write_text(json.dumps({"chain": ["".join(block.split()) for block in blocks],
                                    "host": "wire.example"}) + "\n")
    for name, conditions, expected in [
        ("no condition", [{}], "trusted"), ("distrust", [], "rejected programDistrust"),
        ("a date", [{"issuedUntil": "2020-01-01T00:00:00Z"}], "rejected programIssuance"),
        ("a name", [{"dnsNames": ["other.example"]}], "rejected programName"),
    ]:
        anchor = {"certificate": (MATERIAL / "root.pem").read_text(), "conditions": conditions}
        store.write_text(json.dumps({"name": "Wire", "anchors": [anchor]}))
        trust = ["--trust", str(store), "--json"]
        found = []
        for words in (["verify", str(chain), "--host", "wire.example"], ["verify", "-v", str(chain), "--host", "wire.example"],
                      ["batch", str(requests)],
                      ["connect", f"127.0.0.1:{server.port}", "--servername", "wire.example"]):
            done = subprocess.run([TOOL, *words, *(trust if words[0] != "batch" else trust[:2])], capture_output=True,
                                  stdin=subprocess.DEVNULL, text=True, timeout=60, check=False)
            answer = json.loads(done.stdout)
            found.append((answer["verdict"], answer["rule"], answer["reason"], answer["input"].get("trust"),
                          answer["rejections"][:1]))
        got = f"{found[0][0]} {found[0][1] or ''}".strip()
        row(f"connect and 3 others, a store with {name}", "nginx", expected,
            got if all(each == found[0] for each in found) else f"different: {found}")


def intercepted(servers):
    """mitmproxy between the client and nginx."""
    if not shutil.which("mitmdump"):
        print("ABSENT: mitmproxy")
        return
    at = dict(servers)  # The last one of a version is nginx.
    folder = WORK / "mitmproxy"
    port = free_port()
    log = LOGS / "mitmproxy.log"
    start(["mitmdump", "--mode", f"reverse:https://127.0.0.1:{at['1.3']['good'].port}", "-p", str(port),
           "--listen-host", "127.0.0.1", "--ssl-insecure", "--set", f"confdir={folder}",
           "--set", "keep_host_header=true"], log)
    wait_for(port, 30)
    proxy = Server("mitmproxy", port, log)
    authority = str(folder / "mitmproxy-ca-cert.pem")
    both = [*trusted_roots(), "--anchors", authority]
    pins = ["--pin", pin("good"), "--pin", pin("backup")]
    own = subprocess.run([TOOL, "pin", authority], capture_output=True, text=True, check=True)
    judge("a proxy whose CA is unknown", proxy, "rejected issuerNotFound", *trusted_roots())
    judge("a proxy whose CA is trusted, without pins", proxy, "trusted", *both)
    judge("a proxy whose CA is trusted, with pins", proxy, "pinMismatch", *both, *pins)
    judge("a proxy whose CA is pinned", proxy, "trusted", *both, *pins,
          "--pin", own.stdout.split()[0])


def explicit_proxy(requests, servers):
    """mitmproxy as a client's proxy; see `intercepted`."""
    if not shutil.which("mitmdump"):
        return
    folder = WORK / "mitmproxy"
    port = free_port()
    start(["mitmdump", "-p", str(port), "--listen-host", "127.0.0.1", "--ssl-insecure",
           "--set", f"confdir={folder}"], LOGS / "mitmproxy-explicit.log")
    wait_for(port, 30)
    wire_http.intercepted(requests, port, str(folder / "mitmproxy-ca-cert.pem"))


def curl_example(nginx, servers):
    """Examples/CurlClient: nginx's request log shows that a rejection precedes the request."""
    client = os.environ.get("CURL_CLIENT")
    if not client:
        print("ABSENT: the development files of libcurl")
        return
    requests = WORK / "nginx" / "access.log"
    at = servers[-1][1]
    for name, pins, status, count in [("good", "good", 0, 1), ("good", "p256", 1, 0),
                                      ("expired", "expired", 1, 0), ("other-host", "other-host", 1, 0)]:
        before = requests.read_text().count("\n")
        done = subprocess.run(
            [client, f"https://wire.example:{at[name].port}/", file("root.pem"), pin(pins), pin("backup"),
             f"127.0.0.1:{at[name].port}"], capture_output=True, text=True, timeout=30, check=False)
        time.sleep(0.1)
        seen = settled(lambda: requests.read_text().count("\n") - before) if count else (
            requests.read_text().count("\n") - before)
        row(f"curl, {name}, pinned to {pins}", "nginx", f"status {status}, requests {count}",
            f"status {done.returncode}, requests {seen}")
        print("      " + (done.stdout + done.stderr).strip().split("\n")[0])


def many(servers):
    """1,000 connections through one context from 64 threads."""
    at = servers[-1][1]
    bad = {"expired": "expired", "other-host": "hostName", "self-signed": "untrustedRoot",
           "no-intermediate": "issuerNotFound", "staple-revoked": "revoked"}
    words = [WIRE, "storm", str(MATERIAL), "1000", "64", f"{at['good'].port}=accepted"]
    words += [f"{at[name].port}={rule}" for name, rule in bad.items()]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    print(done.stdout + done.stderr, end="")
    row("1,000 connections, 64 threads, 1 in 10 rejected", "nginx", "0", str(done.returncode))


def stop(*_):
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(3)
        except subprocess.TimeoutExpired:
            process.kill()


def main():
    began = time.monotonic()
    LOGS.mkdir(parents=True, exist_ok=True)
    try:
        nginx = Nginx()
        print(f"      {'case':46} {'server':9} {'expected':28} {'got':28} alert expected, seen")
        servers = certificates(nginx)
        badly_behaved()
        hostile()
        start_tls()
        mutual(nginx)
        command_line(servers)
        intercepted(servers)
        curl_example(nginx, servers)
        requests = wire_http.run(sys.modules[__name__], nginx.requests, servers)
        explicit_proxy(requests, servers)
        many(servers)
        wire_fetch_tool.run(wire_fetch.run(sys.modules[__name__]))
        if len(sys.argv) > 4:
            words = [part.format(good=servers[-1][1]["good"].port, rsa=servers[-1][1]["rsa"].port,
                                 material=MATERIAL, wire=WIRE) for part in sys.argv[4:]]
            status = subprocess.run(words, check=False).returncode
            row(" ".join(pathlib.Path(word).name for word in words), "", "0", str(status))
    finally:
        stop()
    for line in wrong:
        print(line)
    print(f"wire: {rows.count(True)} of {len(rows)} as expected, "
          f"{time.monotonic() - began:.0f} s")
    sys.exit(0 if all(rows) else 1)


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
main()
