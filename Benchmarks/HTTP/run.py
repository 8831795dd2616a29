"""Compares requests with pins with those of libcurl alone and of URLSession, on this machine.

    run.py FOLDER [--quick] [--tsv FILE]    FOLDER has the programs alone, pinned and session

nginx serves; each client is a process of its own. In every round all take turns, in alternating order; ratios
are taken within a round. `Scripts/bench --http` builds the programs and runs this.
"""

import base64
import hashlib
import os
import pathlib
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HOST = "localhost"
SUBJECTS = [
    # name, port, requests, at the same time, connections, version
    ("reused, one at a time", "keep", 1000, 1, 1, "1.1"),
    ("reused, 16 at once on 8 connections", "keep", 4000, 16, 8, "1.1"),
    ("reused, 64 at once on 16 connections", "keep", 4000, 64, 16, "1.1"),
    ("reused, HTTP/2, 16 at once on 1 connection", "http2", 4000, 16, 1, "2"),
    ("new connections, one at a time", "close", 100, 1, 1, "1.1"),
    ("new connections, 16 at once", "close", 200, 16, 16, "1.1"),
]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True)


def make_certificates(folder):
    """A root, a CA and a server; returns the pins of the server and of a key that is not used."""
    ca = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign"]
    leaf = ["basicConstraints=critical,CA:FALSE", "keyUsage=critical,digitalSignature",
            "extendedKeyUsage=serverAuth", f"subjectAltName=DNS:{HOST}"]
    pins = []
    for name, issuer, extensions in [("root", None, ca), ("ca", "root", ca), ("server", "ca", leaf),
                                     ("backup", "ca", leaf)]:
        words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "30", "-subj", f"/CN={name}", "-out", folder / f"{name}.pem",
                 "-keyout", folder / f"{name}.key"]
        if issuer:
            words += ["-CA", folder / f"{issuer}.pem", "-CAkey", folder / f"{issuer}.key"]
        run(*words, *(word for text in extensions for word in ("-addext", text)))
        key = run("openssl", "pkey", "-in", folder / f"{name}.key", "-pubout", "-outform", "DER").stdout
        pins.append("sha256/" + base64.b64encode(hashlib.sha256(key).digest()).decode())
    chain = (folder / "server.pem").read_text() + (folder / "ca.pem").read_text()
    (folder / "chain.pem").write_text(chain)
    return pins[2:]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start_server(folder):
    """Starts nginx with one worker; returns the process and the ports. All handshakes are full ones."""
    ports = {name: free_port() for name in ("keep", "http2", "close")}
    servers = ""
    for name, port in ports.items():
        kept = "keepalive_timeout 0;" if name == "close" else "keepalive_requests 1000000000;"
        servers += f"""
  server {{
    listen 127.0.0.1:{port} ssl{" http2" if name == "http2" else ""};
    ssl_certificate {folder}/chain.pem; ssl_certificate_key {folder}/server.key;
    ssl_protocols TLSv1.3; ssl_session_tickets off; ssl_session_cache off; {kept}
    location / {{ return 200 "{"x" * 1024}"; }}
    location /slow {{ limit_rate 400; return 200 "{"x" * 1024}"; }}
  }}"""
    (folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;{servers}
}}
""")
    environment = dict(os.environ, PATH=os.environ["PATH"] + ":/usr/sbin")
    process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf", "-p", folder], env=environment,
                               stderr=subprocess.DEVNULL)
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", ports["close"])).close()
            return process, ports
        except OSError:
            time.sleep(0.05)
    sys.exit("bench: nginx does not start")


class Client:
    """A program that answers each turn with two numbers of nanoseconds."""

    def __init__(self, name, *words):
        self.name = name
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def turn(self, url, count, concurrency, connections, version):
        """The microseconds of a request, and those of the processor."""
        print(url, count, concurrency, connections, version, file=self.process.stdin, flush=True)
        elapsed, used = map(int, self.process.stdout.readline().split())
        if elapsed == 0:
            sys.exit(f"bench: a request of {self.name} has failed")
        return elapsed / count / 1000, used / count / 1000

    def memory(self):
        """The private memory in KiB, and the number of sockets."""
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        lines = [line.split() for line in (folder / "smaps_rollup").read_text().splitlines()[1:]]
        names = [os.readlink(entry) for entry in (folder / "fd").iterdir()]
        size = sum(int(line[1]) for line in lines if line[0] in ("Private_Dirty:", "Private_Clean:"))
        return size, sum(name.startswith("socket:") for name in names)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(clients, rounds, scale, *turn):
    """Returns the times of each client, one pair for each round."""
    url, count, *rest = turn
    count = max(count // scale, rest[0])
    times = {client.name: [] for client in clients}
    for client in clients:
        client.turn(url, count, *rest)
    for number in range(rounds):
        for client in clients[::1 if number % 2 == 0 else -1]:
            times[client.name].append(client.turn(url, count, *rest))
    return times


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive")


def main():
    programs = pathlib.Path(sys.argv[1])
    rounds, scale = (5, 4) if "--quick" in sys.argv else (15, 1)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        pins = make_certificates(folder)
        root = str(folder / "root.pem")
        server, ports = start_server(folder)

        def clients():
            yield Client("libcurl alone", programs / "alone", root)
            yield Client("libcurl for callers", programs / "alone", root, "--callers")
            yield Client("pinned", programs / "pinned", root, HOST, *pins)
            yield Client("pinned, own thread", programs / "pinned", "--own-thread", root, HOST, *pins)
            # On Linux a session has the anchors of the system, here in a mount namespace of its own.
            yield Client("URLSession", "unshare", "-rm", "sh", "-c", 'mount --bind "$0" "$1" && exec "$2"',
                         root, "/etc/ssl/certs/ca-certificates.crt", programs / "session")
        try:
            lines = table(list(clients()), Client("a thread", programs / "pinned"), ports, rounds, scale)
            lines += ["", "idle connection\tclient\tKiB\tconnections"]
            for client in clients():
                if client.name != "URLSession":  # It has no more than a few connections.
                    lines.append(idle(client, f"https://{HOST}:{ports['keep']}/"))
        finally:
            server.terminate()
            server.wait()
    head = [f"# HTTPS requests of 1 KiB to nginx on the same machine, {platform.machine()}, {os.cpu_count()} cores;"
            f" medians of {rounds} rounds in which all take turns."]
    text = "\n".join(head + lines) + "\n"
    if "--tsv" in sys.argv:
        pathlib.Path(sys.argv[sys.argv.index("--tsv") + 1]).write_text(text)


def show(lines, line):
    print(line.expandtabs(24), flush=True)
    lines.append(line)


def table(clients, thread, ports, rounds, scale):
    lines = []
    show(lines, "subject\tclient\tµs\tquartile1\tquartile3\tprocessor µs\trequests/s\tto libcurl alone\tfor callers")
    for subject, port, *turn in SUBJECTS:
        times = measure(clients, rounds, scale, f"https://{HOST}:{ports[port]}/", *turn)
        peers = [[wall for wall, _ in times[name]] for name in ("libcurl alone", "libcurl for callers")]
        for name, pairs in times.items():
            walls = [wall for wall, _ in pairs]
            low, median, high = quartiles(walls)
            used = statistics.median(used for _, used in pairs)
            ratios = [statistics.median(one / other for one, other in zip(peer, walls)) for peer in peers]
            show(lines, f"{subject}\t{name}\t{median:.1f}\t{low:.1f}\t{high:.1f}\t{used:.1f}\t"
                        f"{1e6 / median:.0f}\t" + "\t".join(f"{ratio:.2f}" for ratio in ratios))
        count, concurrency, *rest = turn
        (walls, used) = zip(*measure([thread], rounds, scale, "-", count, concurrency, *rest)["a thread"])
        show(lines, f"{subject}\ta thread and back\t{statistics.median(walls):.1f}\t\t\t"
                    f"{statistics.median(used):.1f}")
    return lines


def idle(client, url, count=200):
    """The private memory for each of many idle connections."""
    client.turn(url, 10, 1, count, "1.1")
    before, first = client.memory()
    # Each response takes some seconds, so all connections are open at once.
    client.turn(url + "slow", count, count, count, "1.1")
    after, last = client.memory()
    client.close()
    line = f"idle connection\t{client.name}\t{(after - before) / max(1, last - first):.0f}\t{last - first + 1}"
    print(line.expandtabs(24), flush=True)
    return line


main()
