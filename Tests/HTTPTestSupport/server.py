"""A server for the tests of HoldfastHTTP, with TLS and HTTP/1.1, that can behave badly.

    python3 server.py CHAIN KEY [--clients CA [--optional]] [--proxy] [--kind ANSWER] [--plain]    prints the port

The path says what happens; GET /log returns the requests so far as JSON. Byte by byte, because
Python's own server would not lie. Scripts import `Server`, whose paths they choose, and `listen`.
"""

import gzip
import hashlib
import json
import os
import socket
import ssl
import sys
import threading
import time
import urllib.parse

log = []
counts = {"connections": 0, "handshakes": 0, "resumed": 0, "open": 0, "cut": 0}
lock = threading.Lock()
bombs = {}


class Reader:
    """Reads a connection by lines and by numbers of bytes. A message that is cut is an EOFError."""

    def __init__(self, connection):
        self.connection, self.rest = connection, b""

    def receive(self):
        piece = self.connection.recv(1 << 20)
        if not piece:
            raise EOFError
        self.rest += piece

    def line(self):
        while b"\n" not in self.rest:
            self.receive()
        line, self.rest = self.rest.split(b"\n", 1)
        return line.rstrip(b"\r")

    def first_line(self):
        """The first line of a message; None if the client has sent no other one."""
        try:
            return self.line()
        except EOFError:
            if self.rest:
                raise
            return None

    def bytes(self, count, take):
        while count > 0:
            if not self.rest:
                self.receive()
            piece, self.rest = self.rest[:count], self.rest[count:]
            count -= len(piece)
            take(piece)


def read_body(reader, headers):
    digest, size = hashlib.sha256(), [0]

    def take(piece):
        digest.update(piece)
        size[0] += len(piece)
    if headers.get("transfer-encoding") == "chunked":
        while count := int(reader.line().split(b";")[0], 16):
            reader.bytes(count, take)
            reader.line()
        reader.line()
    else:
        reader.bytes(int(headers.get("content-length", 0)), take)
    return {"size": size[0], "sha256": digest.hexdigest()}


def simple(status, body=b"", *fields):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def bomb(size):
    """A gzip body that grows to `size` bytes."""
    if size not in bombs:
        bombs[size] = gzip.compress(bytes(size), 9)
    return bombs[size]


def behave(connection, path, query, entry):
    """Answers a request; returns whether the connection stays open."""
    send = connection.sendall
    name = path.split("/")[1]
    if name == "log":
        with lock:
            send(simple("200 OK", json.dumps({"requests": log, **counts}).encode()))
    elif name == "hello":
        send(simple("200 OK", b"hello", "X-Name: one", "x-name: two"))
    elif name == "client":
        # As nginx answers a client that it has asked for a certificate.
        isKnown = connection.getpeercert(True)
        fields = ["Connection: close"] if "close" in query else []
        send(simple("200 OK", b"hello", *fields) if isKnown else
             simple("400 Bad Request", b"No required SSL certificate was sent", *fields))
        return not fields
    elif name == "status":
        send(simple(path.split("/")[2] + " Text", b"body"))
    elif name == "echo":
        send(simple("200 OK", json.dumps(entry).encode(), "Content-Type: application/json"))
    elif name == "big":
        _, _, status, size = path.split("/")
        fields = f"Content-Length: {size}\r\nLocation: {query.get('to', '')}"
        send(f"HTTP/1.1 {status} Text\r\n{fields}\r\n\r\n".encode())
        try:
            for _ in range(int(size) // 50000):
                send(bytes(50000))
        except OSError:
            with lock:
                counts["cut"] += 1
            return False
    elif name == "redirect":
        cookies = ["Set-Cookie: " + query["cookie"]] if "cookie" in query else []
        send(simple(query["status"] + " Moved", b"x" * int(query.get("size", 0)),
                    "Location: " + query["to"], *cookies))
    elif name == "chain":
        left = int(path.split("/")[2])
        send(simple("302 Found", b"", f"Location: /chain/{left - 1}") if left else simple("200 OK", b"end"))
    elif name == "bytes":
        size = int(path.split("/")[2])
        send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        piece = bytes(range(256)) * 256
        while size:
            send(piece[:size])
            size -= min(size, len(piece))
    elif name == "chunks":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n"
             b"0\r\nX-Trailer: late\r\n\r\n")
    elif name == "hang":
        time.sleep(float(query.get("seconds", 5)))
        return False
    elif name == "hang-header":
        send(b"HTTP/1.1 200 OK\r\nContent-Le")
        time.sleep(float(query.get("seconds", 5)))
        return False
    elif name == "hang-body":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello")
        time.sleep(float(query.get("seconds", 5)))
        return False
    elif name == "drip":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(100):
            send(b"x")
            time.sleep(0.1)
        return False
    elif name == "short":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello")
        return False
    elif name == "bad-chunk":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n")
        return False
    elif name == "cut-chunks":
        send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        return False
    elif name == "garbage":
        send(b"\x00\xff\x00\xff" * 64)
        return False
    elif name == "negative":
        send(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")
        return False
    elif name == "header-bomb":
        send(b"HTTP/1.1 200 OK\r\n")
        for number in range(100000):
            send(f"X-{number}: {'y' * 1000}\r\n".encode())
        return False
    elif name == "interim-bomb":
        for _ in range(100000):
            send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
        return False
    elif name == "interim":
        send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + simple("200 OK", b"hello"))
    elif name == "folded":
        send(b"HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n")
    elif name == "bomb":
        body = bomb(int(path.split("/")[2]))
        send(simple("200 OK", body, "Content-Encoding: gzip"))
    elif name == "gzip":
        # Perhaps without the last bytes, though the message is whole.
        body = gzip.compress(b"hello " * 1000)
        send(simple("200 OK", body[:len(body) - int(query.get("without", 0))],
                    f"Content-Encoding: {query.get('name', 'gzip')}"))
    elif name == "coded":
        # Each word of `codings` is the value of a field; what is sent is gzip in gzip.
        body = gzip.compress(gzip.compress(b"hello " * 1000))
        interim = query.get("interim", "").split(";")
        if interim != [""]:
            send(("HTTP/1.1 103 Early Hints\r\n" + "".join(
                f"Content-Encoding: {value}\r\n" for value in interim) + "\r\n").encode())
        status = "302 Found" if "redirect" in query else "200 OK"
        send(simple(status, body, *(f"{query.get('name', 'Content-Encoding')}: {value}"
                                    for value in query["codings"].split(";")), "Location: /hello"))
    elif name == "empty-blocks":
        # RFC 1951 §3.2.4: a stored block of no byte, again and again, until the client has enough.
        send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03")
        while True:
            send(b"\0\0\0\xff\xff" * 13107)
    elif name == "switch":
        send(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
        send(b"x" * int(path.split("/")[2]))
        time.sleep(60)
        return False
    elif name == "endless":
        send(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            send(b"x" * 65536)
    elif name == "until-close":
        # The body ends with the connection, which a FIN alone does not say.
        send(f"HTTP/{query.get('version', '1.1')} 200 OK\r\n\r\nhello".encode())
        if query["end"] == "close_notify":
            connection.unwrap()
        return False
    elif name == "fields":
        # Any head, and five bytes or another body.
        head = f"HTTP/{query.get('version', '1.1')} 200 OK\r\n" + query["lines"].replace(";", "\r\n")
        send((head + "\r\n\r\n" + query.get("body", "hello")).encode())
        connection.unwrap()
        return False
    elif name == "close":
        send(simple("200 OK", b"hello", "Connection: close"))
        return False
    elif name == "vanish":
        # No answer at all, once the request is there.
        return False
    elif name == "drop":
        # The answer promises to go on, and the connection ends.
        send(simple("200 OK", b"hello"))
        return False
    else:
        send(simple("404 Not Found"))
    return True


def read_fields(reader):
    fields = {}
    while text := reader.line():
        name, _, value = text.decode("latin-1").partition(":")
        fields[name.lower()] = value.strip()
    return fields


def serve(connection):
    reader = Reader(connection)
    while (line := reader.first_line()) is not None:
        method, target, _ = line.decode().split(" ", 2)
        headers = read_fields(reader)
        url = urllib.parse.urlsplit(target)
        # A request without a body is one that was cut.
        name = getattr(connection, "asked_name", None)
        entry = {"method": method, "target": target, "headers": headers, "name": name, "body": None}
        if url.path != "/log":
            with lock:
                log.append(entry)
        entry["body"] = read_body(reader, headers)
        query = dict(urllib.parse.parse_qsl(url.query))
        if method == "HEAD":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        elif not behave(connection, url.path, query, entry):
            return


def listen(handle, *arguments, address="127.0.0.1", port=0):
    """Handles each connection to a port in a thread of its own; returns the port."""
    listener = socket.create_server((address, port), backlog=1024)

    def run(connection):
        try:
            handle(connection, *arguments)
        except (OSError, ValueError, EOFError):
            pass
        finally:
            try:
                connection.close()
            except OSError:
                pass

    def accept():
        while True:
            threading.Thread(target=run, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


class Server:
    """Serves each path as it is told, one request for each connection, and counts what it is asked."""

    def __init__(self, address="127.0.0.1", port=0, context=None):
        self.paths, self.seen, self.context = {}, [], context
        self.port = listen(self.answer, address=address, port=port)

    def answer(self, connection):
        if self.context:
            with self.context.wrap_socket(connection, server_side=True) as connection:
                self.reply(connection)
        else:
            self.reply(connection)

    def reply(self, connection):
        reader = Reader(connection)
        method, target, _ = reader.line().decode().split(" ", 2)
        headers = read_fields(reader)
        read_body(reader, headers)
        self.seen.append(target)
        path = target if target in self.paths else "/" + target.split("/")[1]
        reply = self.paths.get((method, path)) or self.paths.get(path, (404, {}, b""))
        if callable(reply):
            return reply(connection)
        status, fields, body = reply
        if "if-none-match" in headers and headers["if-none-match"] == fields.get("ETag"):
            status, body = 304, b""
        connection.sendall(simple(f"{status} Status", body, "Connection: close",
                                  *(f"{field}: {value}" for field, value in fields.items())))

    def url(self, path, host="ca.localhost"):
        return f"{'https' if self.context else 'http'}://{host}:{self.port}{path}"

    def serve(self, path, body, status=200, **fields):
        self.paths[path] = (status, {field.replace("_", "-"): value for field, value in fields.items()}, body)
        return self.url(path)

    def stream(self, path, head, pieces):
        """Sends a head, then pieces as long as the client reads."""
        def reply(connection):
            connection.sendall(head.encode())
            for piece in pieces():
                connection.sendall(piece)
        self.paths[path] = reply
        return self.url(path)

    def count(self, path):
        return sum(1 for seen in self.seen if seen == path or seen.startswith(path + "/"))


def pump(source, target, size=65536):
    try:
        while data := source.recv(size):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nSMUGGLED"
TUNNEL = b"HTTP/1.1 200 Connected\r\n\r\n"

# What a proxy that lies answers to CONNECT: what it sends at once, what after the client's next bytes.
ANSWERS = {
    "early": (TUNNEL + RESPONSE, b""),
    "plain": (TUNNEL, RESPONSE),
    "body": (RESPONSE, b""),
    "forbidden": (RESPONSE.replace(b"200 OK", b"403 No"), b""),
    "redirect": (b"HTTP/1.1 302 No\r\nLocation: https://b.example/\r\nContent-Length: 0\r\n\r\n", b""),
    "garbage": (b"\0\xff" * 1000, b""),
    "long": (b"HTTP/1.1 200 OK\r\n" + b"X-A: " + b"a" * 2000000, b""),
    "interim": (b"HTTP/1.1 100 Continue\r\n\r\n" * 100000, b""),
}


def lie(connection, answer):
    connection.sendall(answer[0])
    connection.recv(65536)
    connection.sendall(answer[1])
    time.sleep(0.3)


def tunnel(connection, wants, kind):
    """Serves CONNECT; with credentials only, if `wants` is their encoding."""
    reader = Reader(connection)
    while (line := reader.first_line()) is not None:
        method, target, _ = line.decode().split(" ", 2)
        headers = read_fields(reader)
        if target.endswith("/log"):
            with lock:
                connection.sendall(simple("200 OK", json.dumps({"requests": log, **counts}).encode()))
            continue
        with lock:
            log.append({"method": method, "target": target, "headers": headers})
        if method != "CONNECT":
            connection.sendall(simple("405 Only CONNECT"))
        elif kind in ANSWERS:
            return lie(connection, ANSWERS[kind])
        elif wants and headers.get("proxy-authorization") != "Basic " + wants:
            connection.sendall(simple("407 Who are you"))
        else:
            host, _, port = target.rpartition(":")
            origin = socket.create_connection((host.strip("[]"), int(port)))
            connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
            threading.Thread(target=pump, args=(origin, connection), daemon=True).start()
            return pump(connection, origin)


def answer_socks(connection):
    """Plays a SOCKS proxy, which is every origin itself; logs the host that is asked for. RFC 1928."""
    connection.recv(2 + 255)
    connection.sendall(b"\x05\x00")
    request = connection.recv(4 + 256 + 2)
    isName = request[3] == 3
    host = request[5:-2].decode() if isName else request[4:-2].hex()
    with lock:
        log.append({"method": "SOCKS", "target": f"{'name' if isName else 'address'} {host}", "headers": {}})
    connection.sendall(b"\x05\x00\x00\x01" + bytes(6))


def handle(connection, context, proxy, wants, kind):
    with lock:
        counts["connections"] += 1
    if kind == "closes":
        # The ClientHello is read, so that the end is not a reset.
        connection.recv(65536)
        return connection.close()
    if kind == "hello-requests":
        # RFC 5246 §7.4.1.1: a client ignores them in a handshake. Each is in four records of a byte.
        connection.recv(65536)
        while True:
            connection.sendall(b"\x16\x03\x03\x00\x01\x00" * 100000)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context:
        connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
    with connection:
        if context:
            try:
                connection.do_handshake()
            except ssl.SSLError:
                # The alert is lost if the connection is reset for what the client has sent meanwhile.
                connection.settimeout(2)
                socket.socket.shutdown(connection, socket.SHUT_WR)
                while socket.socket.recv(connection, 65536):
                    pass
                return
            with lock:
                counts["handshakes"] += 1
                counts["resumed"] += bool(connection.session_reused)
        else:
            first = connection.recv(1, socket.MSG_PEEK)
            if first == b"\x16":
                # As servers of HTTP answer a ClientHello.
                return connection.sendall(simple("400 Bad Request"))
            if first == b"\x05":
                answer_socks(connection)
        with lock:
            counts["open"] += 1
        try:
            if proxy:
                tunnel(connection, wants, kind)
            else:
                serve(connection)
        finally:
            with lock:
                counts["open"] -= 1


def main():
    words = sys.argv[1:]
    context = None
    if "--plain" not in words:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(words[0], words[1])
        context.sni_callback = lambda connection, name, _: setattr(connection, "asked_name", name)
        if "--tls1.2" in words:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
        if "--clients" in words:
            context.verify_mode = ssl.CERT_OPTIONAL if "--optional" in words else ssl.CERT_REQUIRED
            context.load_verify_locations(words[words.index("--clients") + 1])
    wants = words[words.index("--credentials") + 1] if "--credentials" in words else None
    kind = words[words.index("--kind") + 1] if "--kind" in words else None
    print(listen(handle, context, "--proxy" in words, wants, kind), flush=True)
    # Ends with the process that has started it.
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
