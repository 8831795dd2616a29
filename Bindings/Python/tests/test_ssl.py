"""Contexts, against servers of the standard library with certificates of OpenSSL's command."""

import asyncio
import contextlib
import pathlib
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.request

import holdfast

_Standard = ssl.SSLContext


def openssl(*words: str, folder: pathlib.Path) -> str:
    done = subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


class Server:
    """Answers each connection with one response, and counts what it has read."""

    def __init__(self, folder: pathlib.Path, version: ssl.TLSVersion | None = None) -> None:
        context = _Standard(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "chain.pem", folder / "leaf.key")
        if version:
            context.maximum_version = version
        self.read = b""
        self.socket = socket.create_server(("localhost", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"https://localhost:{self.port}/"
        self.context = context
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), self.context.wrap_socket(connection, server_side=True) as tls:
                tls.settimeout(5)
                read = tls.recv(4096)
                self.read += read
                if read:
                    tls.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")


class Contexts(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = folder = pathlib.Path(cls.scratch.name)
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        openssl("req", "-x509", *key, "-keyout", "root.key", "-out", "root.pem", "-days", "30", "-subj", "/CN=Root",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
                folder=folder)
        openssl("req", *key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=localhost", folder=folder)
        (folder / "leaf.ext").write_text("subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n"
                                         "keyUsage=digitalSignature\nauthorityKeyIdentifier=keyid\n")
        openssl("x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-days", "20",
                "-set_serial", "77", "-extfile", "leaf.ext", "-out", "leaf.pem", folder=folder)
        (folder / "chain.pem").write_text((folder / "leaf.pem").read_text())
        cls.policy = holdfast.Policy(folder / "root.pem")
        cls.wrong_pin = holdfast.Policy(
            folder / "root.pem", pins={"localhost": ["sha256/MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI="]})

    @classmethod
    def tearDownClass(cls) -> None:
        cls.scratch.cleanup()

    def get(self, url: str, policy: holdfast.Policy) -> bytes:
        with urllib.request.urlopen(url, context=holdfast.SSLContext(policy=policy), timeout=10) as response:
            return response.read()

    def test_a_trusted_server_answers(self):
        for version in (None, ssl.TLSVersion.TLSv1_2):
            server = Server(self.folder, version)
            self.assertEqual(self.get(server.url, self.policy), b"hello")

    def test_nothing_is_sent_to_a_server_that_is_rejected(self):
        for version in (None, ssl.TLSVersion.TLSv1_2):
            server = Server(self.folder, version)
            with self.assertRaises(urllib.error.URLError) as caught:
                self.get(server.url, self.wrong_pin)
            self.assertIsInstance(caught.exception.reason, ssl.SSLCertVerificationError)
            self.assertIn("no pin of localhost", str(caught.exception.reason))
            self.assertEqual(server.read, b"")

    def test_the_reason_is_in_the_exception(self):
        server = Server(self.folder)
        with self.assertRaises(urllib.error.URLError) as caught:
            self.get(server.url.replace("localhost", "127.0.0.1"), self.policy)
        self.assertIn("127.0.0.1", str(caught.exception.reason))
        self.assertEqual(caught.exception.reason.holdfast_answer.code, "host_name")

    def test_a_handshake_that_waits_is_made_before_data_is_sent(self):
        server = Server(self.folder)
        for policy, is_trusted in ((self.policy, True), (self.wrong_pin, False)):
            raw = socket.create_connection(("localhost", server.port))
            tls = holdfast.SSLContext(policy=policy).wrap_socket(
                raw, server_hostname="localhost", do_handshake_on_connect=False)
            server.read = b""
            if is_trusted:
                tls.sendall(b"GET / HTTP/1.1\r\n\r\n")
                self.assertTrue(tls.recv(100).startswith(b"HTTP/1.1 200"))
            else:
                with self.assertRaises(ssl.SSLCertVerificationError):
                    tls.sendall(b"GET / HTTP/1.1\r\n\r\n")
                self.assertEqual(server.read, b"")
            tls.close()

    def test_a_resumed_session_is_judged_again(self):
        for version in (ssl.TLSVersion.TLSv1_2, None):
            server = Server(self.folder, version)
            context = holdfast.SSLContext(policy=self.policy)

            def connect(session=None):
                raw = socket.create_connection(("localhost", server.port))
                tls = context.wrap_socket(raw, server_hostname="localhost", session=session)
                tls.sendall(b"GET / HTTP/1.1\r\n\r\n")
                tls.recv(4096)
                return tls

            first = connect()
            second = connect(first.session)
            self.assertTrue(second.session_reused)
            self.assertTrue(second.holdfast_answer.trusted)
            context._policy = self.wrong_pin
            with self.assertRaises(ssl.SSLCertVerificationError):
                connect(first.session)
            first.close(), second.close()

    def test_asyncio(self):
        server = Server(self.folder)

        async def ask(policy):
            reader, writer = await asyncio.open_connection(
                "localhost", server.port, ssl=holdfast.SSLContext(policy=policy))
            writer.write(b"GET / HTTP/1.1\r\n\r\n")
            read = await reader.read()
            writer.close()
            return read

        self.assertTrue(asyncio.run(ask(self.policy)).endswith(b"hello"))
        server.read = b""
        with self.assertRaises(ssl.SSLCertVerificationError):
            asyncio.run(ask(self.wrong_pin))
        self.assertEqual(server.read, b"")

    def test_a_host_is_needed(self):
        server = Server(self.folder)
        context = holdfast.SSLContext(policy=self.policy)
        context.check_hostname = False
        with socket.create_connection(("localhost", server.port)) as raw:
            with self.assertRaises(ssl.SSLCertVerificationError):
                context.wrap_socket(raw, server_hostname="localhost")
        with self.assertRaises(ValueError):
            holdfast.SSLContext(policy=self.policy).verify_mode = ssl.CERT_NONE

    def test_injected_into_the_standard_library(self):
        server = Server(self.folder)
        holdfast.inject_into_ssl(self.policy)
        try:
            with urllib.request.urlopen(server.url, timeout=10) as response:
                self.assertEqual(response.read(), b"hello")
            context = ssl.create_default_context()
            self.assertIsInstance(context, holdfast.SSLContext)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            self.assertEqual(context.minimum_version, ssl.TLSVersion.TLSv1_3)
            context.options |= ssl.OP_NO_TICKET
            self.assertTrue(context.options & ssl.OP_NO_TICKET)
            self.assertFalse(isinstance(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), holdfast.SSLContext))
        finally:
            holdfast.extract_from_ssl()
        self.assertIs(ssl.SSLContext, _Standard)


class Packages(unittest.TestCase):
    """requests, httpx, urllib3 and aiohttp, where they are installed."""

    setUpClass = classmethod(Contexts.setUpClass.__func__)
    tearDownClass = classmethod(Contexts.tearDownClass.__func__)

    def fetch(self, name, url):
        if name == "requests":
            import requests
            return requests.get(url, timeout=10).content
        if name == "urllib3":
            import urllib3
            return urllib3.PoolManager(retries=False).request("GET", url).data
        if name == "httpx":
            import httpx
            return httpx.get(url, timeout=10).content
        import aiohttp

        async def get():
            async with aiohttp.ClientSession() as session, session.get(url) as response:
                return await response.read()
        return asyncio.run(get())

    def test_packages(self):
        for name in ("requests", "urllib3", "httpx", "aiohttp"):
            with self.subTest(name):
                try:
                    __import__(name)
                except ImportError:
                    self.skipTest(f"{name} is not installed")
                server = Server(self.folder)
                holdfast.inject_into_ssl(self.policy)
                try:
                    self.assertEqual(self.fetch(name, server.url), b"hello")
                    server.read = b""
                    holdfast.inject_into_ssl(self.wrong_pin)
                    with self.assertRaisesRegex(Exception, "no pin of localhost"):
                        self.fetch(name, server.url)
                    self.assertEqual(server.read, b"")
                finally:
                    holdfast.extract_from_ssl()


if __name__ == "__main__":
    unittest.main()
