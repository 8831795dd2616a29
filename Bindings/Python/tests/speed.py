"""What verdicts and requests cost from Python. Scripts/checks/c-speed runs it.

usage: speed.py verify LEAF.der ISSUER.der   prints microseconds of a warm verdict
       speed.py requests FOLDER              prints how much longer a request with pins takes than with truststore
"""

import os
import pathlib
import ssl
import statistics
import subprocess
import sys
import time

import holdfast


def verify(*paths):
    chain = [pathlib.Path(path).read_bytes() for path in paths]
    policy = holdfast.Policy("Vectors/demo/root.pem")
    best = float("inf")
    # Short enough that some of them are not interrupted.
    for _ in range(1_000):
        start = time.perf_counter()
        for _ in range(20):
            assert policy.verify(chain, host="www.demo.example", time=1782000000).trusted
        best = min(best, (time.perf_counter() - start) / 20)
    print(f"{best * 1e6:.2f}")


SERVER = """
import socket, ssl, sys, threading
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1] + "/leaf.pem", sys.argv[1] + "/leaf.key")
listener = socket.create_server(("localhost", 0), backlog=64)
print(listener.getsockname()[1], flush=True)
while True:
    try:
        with context.wrap_socket(listener.accept()[0], server_side=True) as connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
    except OSError:
        pass
"""


def certificates(folder):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "root.key", "-out", "root.pem", "-days", "30", "-subj", "/CN=Root",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", *key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=localhost")
    (folder / "leaf.ext").write_text("subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n"
                                     "keyUsage=digitalSignature\nauthorityKeyIdentifier=keyid\n")
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "root.pem", "-CAkey", "root.key", "-days", "20",
            "-set_serial", "77", "-extfile", "leaf.ext", "-out", "leaf.pem")


def requests(folder):
    folder = pathlib.Path(folder)
    try:
        import requests
        import requests.adapters
        import truststore
    except ImportError:
        sys.exit(1)
    certificates(folder)
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(folder)], stdout=subprocess.PIPE, text=True)
    url = f"https://localhost:{server.stdout.readline().strip()}/"

    class Adapter(requests.adapters.HTTPAdapter):
        def __init__(self, context):
            self.context = context
            super().__init__()

        def init_poolmanager(self, *words, **more):
            return super().init_poolmanager(*words, ssl_context=self.context, **more)

    policy = holdfast.Policy(folder / "root.pem", pins={"localhost": [pin(folder)]})
    theirs = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # For each connection requests reads the roots of `verify`, and truststore those of the system. They are this one
    # alone, so that what is compared is the handshake and the verdict.
    os.environ["SSL_CERT_FILE"], os.environ["SSL_CERT_DIR"] = str(folder / "root.pem"), str(folder / "none")
    sessions = []
    for context in (holdfast.SSLContext(policy=policy), theirs):
        session = requests.Session()
        session.trust_env = False
        session.verify = str(folder / "root.pem")
        session.mount("https://", Adapter(context))
        sessions.append(session)
    # One after the other, so that load is the same for both.
    times = ([], [])
    try:
        for round in range(650):
            for which in (0, 1) if round % 2 else (1, 0):
                start = time.perf_counter()
                assert sessions[which].get(url).content == b"ok"
                if round >= 50:
                    times[which].append(time.perf_counter() - start)
    finally:
        server.kill()
    # The lower half, because what interrupts makes times longer only.
    ours, others = (statistics.mean(sorted(part)[: len(part) // 2]) for part in times)
    print(f"{ours / others:.3f}")
    print(f"{ours * 1e6:.0f} us a request with pins, {others * 1e6:.0f} us with truststore", file=sys.stderr)


def pin(folder):
    key = subprocess.run("openssl x509 -in leaf.pem -pubkey -noout | openssl pkey -pubin -outform DER | "
                         "openssl dgst -sha256 -binary | base64", shell=True, cwd=folder, check=True,
                         capture_output=True, text=True)
    return "sha256/" + key.stdout.strip()


{"verify": verify, "requests": requests}[sys.argv[1]](*sys.argv[2:])
