"""The fetching of Scripts/wire/wire: `holdfast verify --fetch` and servers of a CA on this machine.

The names end with .localhost, which libcurl resolves to loopback; --fetch-from permits that."""

import concurrent.futures
import json
import os
import signal
import subprocess
import time

from server import Server

from pki import DER, GOOD, REVOKED, answer, certificate, crl, forged, pem

HOST = "fetch.example"


def run(wire):
    fetching = Fetching(wire)
    fetching.run()
    return fetching


class Fetching:
    def __init__(self, wire):
        self.wire = wire
        self.folder = wire.WORK / "fetch"
        self.folder.mkdir(exist_ok=True)
        self.server = Server()
        self.root = certificate("Fetch Root", "Fetch Root", 1)
        self.ca = certificate("Fetch CA", "Fetch Root", 2)
        self.write("root.pem", self.root)
        self.serial = 100
        self.pool = concurrent.futures.ThreadPoolExecutor(8)
        self.rows = []

    def write(self, file, *certificates):
        path = self.folder / file
        path.write_bytes(pem(*certificates))
        return str(path)

    def leaf(self, names=(HOST,), **places):
        self.serial += 1
        return certificate(HOST, "Fetch CA", self.serial, is_ca=False, names=names, **places)

    def verify(self, chain, what, *more, ranges=("127.0.0.0/8",), env=None):
        """The document of `verify --fetch`."""
        file = self.write(f"{chain[0].serial_number}-{time.monotonic_ns()}.pem", *chain)
        words = [self.wire.TOOL, "verify", file, "--host", HOST, "--anchors", str(self.folder / "root.pem"),
                 "--rules", "rfc5280", "--json", "--fetch", what, "--fetch-port", str(self.server.port), *more]
        for text in ranges:
            words += ["--fetch-from", text]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False, env=os.environ | (env or {}))
        return json.loads(done.stdout) if done.stdout.startswith("{") else {"verdict": done.stderr.strip()}

    def expect(self, what, expected, chain, kinds, *more, seen=None, **options):
        """A row: the verdict, the broken rule, and what the last thing that was fetched has come to.

        `seen` is a path and how often it must have been asked for."""
        def work():
            document = self.verify(chain, kinds, *more, **options)
            fetched = (document.get("input") or {}).get("fetched") or [{"outcome": "nothing"}]
            last = fetched[-1]
            words = [document["verdict"]] + ([document["rule"]] if document.get("rule") else [])
            got = " ".join(words) + ", " + (last.get("reason") or last["outcome"])
            if not seen:
                return what, expected, got
            return what, f"{seen[1]} requests, {expected}", f"{self.server.count(seen[0])} requests, {got}"
        self.rows.append(self.pool.submit(work))

    def flush(self):
        for row in self.rows:
            what, expected, got = row.result()
            # A reason is compared by its beginning.
            self.wire.row("fetch: " + what, "", expected, got[:len(expected)])
        self.rows = []

    def run(self):
        self.issuers()
        self.responses()
        self.lists()
        self.redirects()
        self.transport()
        self.addresses()
        self.flush()
        self.caches()
        self.staple()

    def issuers(self):
        path = "/issuer-in-DER"
        leaf = self.leaf(issuers=[self.server.serve(path, self.ca.public_bytes(DER))])
        self.expect("an issuer", "trusted, fetched", [leaf], "issuers", seen=(path, 1))
        self.expect("no answer", "rejected issuerNotFound, the server answered with status 404",
                    [self.leaf(issuers=[self.server.url("/none")])], "issuers")
        self.expect("issuers are not among --fetch", "rejected issuerNotFound, nothing", [leaf], "ocsp,crl")

    def responses(self):
        # What settles nothing is asked for by POST, too.
        for what, make, expected, requests in [
            ("good", lambda leaf: answer(leaf, self.ca, GOOD), "trusted, fetched", 1),
            ("revoked", lambda leaf: answer(leaf, self.ca, REVOKED), "rejected revoked, fetched", 1),
            ("forged", lambda leaf: forged(answer(leaf, self.ca, GOOD)),
             "rejected revocationUnknown, it does not help", 2),
        ]:
            path = f"/ocsp-{what}"
            leaf = self.leaf(responders=[self.server.url(path)])
            self.server.serve(path, make(leaf))
            self.expect(f"OCSP {what}", expected, [leaf, self.ca], "ocsp", "--revocation", "leaf",
                        seen=(path, requests))
        path = "/ocsp-post-only"
        leaf = self.leaf(responders=[self.server.url(path)])
        self.server.serve(path, answer(leaf, self.ca, GOOD))
        self.server.paths["GET", path] = (405, {}, b"")
        self.expect("OCSP by POST, as a GET is refused", "trusted, fetched", [leaf, self.ca], "ocsp",
                    "--revocation", "leaf", seen=(path, 2))

    def lists(self):
        serve = self.server.serve
        leaf = self.leaf(lists=[serve("/good.crl", crl("Fetch CA"))])
        self.expect("CRL", "trusted, fetched", [leaf, self.ca], "crl", "--revocation", "leaf", seen=("/good.crl", 1))
        leaf = self.leaf(lists=[self.server.url("/revoked.crl")])
        serve("/revoked.crl", crl("Fetch CA", [leaf.serial_number]))
        self.expect("CRL that revokes", "rejected revoked, fetched", [leaf, self.ca], "crl")
        leaf = self.leaf(lists=[serve("/long.crl", bytes((5 << 20) + 1))])
        self.expect("CRL of 5 MiB and a byte", "trusted, the response exceeds 5242880 bytes", [leaf, self.ca], "crl")

    def redirects(self):
        der = self.ca.public_bytes(DER)
        self.server.serve("/issuer", der)
        for count in range(1, 4):
            self.server.serve(f"/hop-{count}", b"", 302,
                              Location="/issuer" if count == 1 else self.server.url(f"/hop-{count - 1}"))
        self.server.serve("/circle", b"", 301, Location="/circle")
        for what, path, expected in [
            ("one redirect", "/hop-1", "trusted, fetched"), ("two redirects", "/hop-2", "trusted, fetched"),
            ("three redirects", "/hop-3", "rejected issuerNotFound, more than 2 redirects"),
            ("redirects in a circle", "/circle", "rejected issuerNotFound, more than 2 redirects"),
        ]:
            self.expect(what, expected, [self.leaf(issuers=[self.server.url(path)])], "issuers")
        self.flush()
        # The range that is allowed here has the address of this machine, however it is written; nothing
        # listens at port 80.
        allowed = [f"http://127.0.0.1:{self.server.port}/issuer", f"http://2130706433:{self.server.port}/issuer",
                   f"http://0x7f.1:{self.server.port}/issuer"]
        for index, location in enumerate(allowed + [
            f"http://[::1]:{self.server.port}/issuer", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "gopher://ca.localhost/",
            f"https://ca.localhost:{self.server.port}/issuer", "http://ca.localhost:22/", "http://localhost/issuer",
            f"http://user:word@ca.localhost:{self.server.port}/issuer", "dict://ca.localhost/", "//[fe80::1]/",
        ]):
            url = self.server.serve(f"/away-{index}", b"", 302, Location=location)
            document = self.verify([self.leaf(issuers=[url])], "issuers")
            reason = document["input"]["fetched"][-1].get("reason", "fetched")
            said = next((words for words in ["is not fetched", "cannot connect"] if words in reason), reason)
            expected = "fetched" if location in allowed else \
                "cannot connect" if location == "http://localhost/issuer" else "is not fetched"
            self.wire.row(f"fetch: redirect to {location}", "", expected, said)
        self.wire.row("fetch: requests after these redirects", "", "5", str(self.server.count("/issuer")))

    def transport(self):
        der = self.ca.public_bytes(DER)
        head = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

        def endless():
            while True:
                yield bytes(1 << 16)

        def drip():
            for byte in der:
                yield bytes([byte])
                time.sleep(0.2)

        def headers():
            while True:
                yield b"X-More: " + b"x" * 1000 + b"\r\n"

        lost = "rejected issuerNotFound, invalid response"
        for what, first, pieces, expected in [
            ("a flood", head + "\r\n", endless, "rejected issuerNotFound, the response exceeds 65536 bytes"),
            ("a flood of headers", head, headers, "rejected issuerNotFound, the response exceeds 16384 bytes"),
            ("a drip", head + f"Content-Length: {len(der)}\r\n\r\n", drip, "rejected issuerNotFound, no answer in time"),
            ("a length that is a lie, too long", head + "Content-Length: 9999\r\n\r\n", lambda: [der], lost),
            ("a length that is a lie, too short", head + "Content-Length: 10\r\n\r\n", lambda: [der],
             "rejected issuerNotFound, it cannot be read"),
            ("a length of 10^18", head + f"Content-Length: {10**18}\r\n\r\n", lambda: [der],
             "rejected issuerNotFound"),
            ("compression that was not asked for", head + "Content-Encoding: gzip\r\n\r\n", lambda: [b"\x1f\x8b"],
             "rejected issuerNotFound, it cannot be read"),
            ("no HTTP", "SSH-2.0-none\r\n", lambda: [], "rejected issuerNotFound"),
        ]:
            path = "/" + what.replace(" ", "-").replace(",", "").replace("^", "")
            self.expect(what, expected, [self.leaf(issuers=[self.server.stream(path, first, pieces)])], "issuers")

    def addresses(self):
        self.server.serve("/private", self.ca.public_bytes(DER))
        refused = "rejected issuerNotFound, ca.localhost is at"
        self.expect("loopback without permission", refused, [self.leaf(issuers=[self.server.url("/private")])],
                    "issuers", ranges=(), seen=("/private", 0))
        self.expect("permission for another network", refused, [self.leaf(issuers=[self.server.url("/private")])],
                    "issuers", ranges=("10.0.0.0/8",), seen=("/private", 0))
        resolver = self.resolver()
        if not resolver:
            print("ABSENT: a C compiler, the resolver that changes its mind is not tried")
            return
        # The name is first at an address that is allowed, then at another one. Requests for issuers and
        # for status go through clients of their own, and each asks for the address.
        Server("127.0.0.2", self.server.port).serve("/moves", self.ca.public_bytes(DER))
        leaf = self.leaf(issuers=[self.server.url("/moves", "moves.example")],
                         responders=[self.server.url("/moves-too", "moves.example")])
        self.expect("a name that moves after it was checked", "trusted, moves.example is at 127.0.0.1",
                    [leaf], "issuers,ocsp", ranges=("127.0.0.2/32",), env={"LD_PRELOAD": resolver},
                    seen=("/moves-too", 0))

    def resolver(self):
        """A getaddrinfo that answers 127.0.0.2 at first, and 127.0.0.1 afterwards."""
        source, library = self.folder / "resolver.c", self.folder / "resolver.so"
        source.write_text("""
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <netdb.h>
            #include <stdatomic.h>
            #include <string.h>
            static atomic_int calls;
            int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **list) {
              int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
                  dlsym(RTLD_NEXT, "getaddrinfo");
              if (host && strstr(host, "moves.example")) host = calls++ ? "127.0.0.1" : "127.0.0.2";
              return real(host, port, hints, list);
            }
            """)
        done = subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=False,
                              capture_output=True)
        return str(library) if done.returncode == 0 else None

    def caches(self):
        cache = self.folder / f"cache-{time.monotonic_ns()}"
        leaf = self.leaf(issuers=[self.server.serve("/kept", self.ca.public_bytes(DER))],
                         lists=[self.server.serve("/kept.crl", crl("Fetch CA"), ETag='"1"', Cache_Control="max-age=1")])
        more = ("issuers,crl", "--revocation", "leaf", "--cache", str(cache))
        self.expect("into a cache", "trusted, fetched", [leaf], *more)
        self.flush()
        self.expect("from the cache, by another process", "trusted, cached", [leaf], *more, seen=("/kept", 1))
        self.flush()
        self.wire.row("fetch: the folder is its owner's", "", "0o700", oct(cache.stat().st_mode & 0o777))
        for _ in range(8):
            self.expect("eight processes with one cache", "trusted, cached", [leaf], *more, seen=("/kept", 1))
        self.flush()
        self.killed()
        self.full()

    def killed(self):
        """Processes that are killed while they write leave nothing that is half."""
        cache = self.folder / f"killed-{time.monotonic_ns()}"
        leaf = self.leaf(issuers=[self.server.url("/kept")], lists=[self.server.url("/kept.crl")])
        file = self.write("killed.pem", leaf)
        words = [self.wire.TOOL, "verify", file, "--host", HOST, "--anchors", str(self.folder / "root.pem"),
                 "--rules", "rfc5280", "--fetch", "all", "--fetch-port", str(self.server.port), "--fetch-from",
                 "127.0.0.0/8", "--cache", str(cache)]
        for turn in range(40):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.001 * turn)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.expect("after 40 processes were killed", "trusted, ", [leaf], "issuers,crl", "--revocation", "leaf",
                    "--cache", str(cache))
        self.flush()

    def full(self):
        """A full disk costs the cache, not the answer."""
        folder = self.folder / "full"
        folder.mkdir(exist_ok=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,mode=700", "none", str(folder)], check=False,
                          capture_output=True).returncode:
            print("ABSENT: mount, a full disk is not tried")
            return
        try:
            leaf = self.leaf(issuers=[self.server.url("/kept")], lists=[self.server.serve("/full.crl", crl(
                "Fetch CA", range(10_000, 10_400)))])
            self.expect("into a cache on a full disk", "trusted, fetched", [leaf], "issuers,crl", "--revocation",
                        "leaf", "--cache", str(folder))
            self.flush()
        finally:
            subprocess.run(["umount", str(folder)], check=False)

    def staple(self):
        """`holdfast fetch --staple`: the file for nginx is written if the response is good, and only then."""
        leaf = self.leaf(responders=[self.server.url("/staple")])
        file, target = self.write("staple.pem", leaf, self.ca), self.folder / "staple.der"
        target.unlink(missing_ok=True)
        words = [self.wire.TOOL, "fetch", file, "--anchors", str(self.folder / "root.pem"), "--rules", "rfc5280",
                 "--fetch-port", str(self.server.port), "--fetch-from", "127.0.0.0/8", "--staple", str(target), "--force"]
        response = answer(leaf, self.ca, GOOD)
        for what, body, status in [("good", response, 0), ("revoked", answer(leaf, self.ca, REVOKED), 1),
                                   ("forged", forged(response), 1)]:
            self.server.serve("/staple", body)
            done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
            kept = target.exists() and target.read_bytes() == response
            self.wire.row(f"fetch: a {what} response for nginx", "", f"{status} True", f"{done.returncode} {kept}")
