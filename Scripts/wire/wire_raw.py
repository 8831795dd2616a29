"""Servers that send what no TLS library would: certificates that are not DER, floods, drips.

They take part in a handshake only as far as the client judges the certificates."""

import hashlib
import hmac
import os
import struct
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

RECORD, VERSION = b"\x16\x03\x03", b"\x03\x03"


def vector(size, *parts):
    content = b"".join(parts)
    return len(content).to_bytes(size, "big") + content


def message(kind, content):
    return bytes([kind]) + vector(3, content)


def receive(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


def client_hello(connection):
    """Returns the ClientHello with its header, its session id, and the client's key for X25519."""
    _, _, size = struct.unpack(">BHH", receive(connection, 5))
    hello = receive(connection, size)
    at = 4 + 2 + 32
    session = hello[at + 1:at + 1 + hello[at]]
    at += 1 + len(session)
    at += 2 + int.from_bytes(hello[at:at + 2], "big")
    at += 1 + hello[at] + 2
    key = None
    while at < len(hello):
        kind, length = struct.unpack(">HH", hello[at:at + 4])
        if kind == 51:  # key_share
            shares = hello[at + 6:at + 4 + length]
            while shares:
                group, count = struct.unpack(">HH", shares[:4])
                if group == 29:
                    key = shares[4:4 + count]
                shares = shares[4 + count:]
        at += 4 + length
    return hello, session, key


def certificate_message(chain, version):
    extensions = b"\0\0" if version == "1.3" else b""
    entries = b"".join(vector(3, der) + extensions for der in chain)
    return message(11, (b"\0" if version == "1.3" else b"") + vector(3, entries))


def send_chain(connection, chain, version):
    """Sends everything up to the Certificate message, and waits for the client's alert."""
    hello, session, key = client_hello(connection)
    if version == "1.2":
        extensions = b"\xff\x01\x00\x01\x00"  # renegotiation_info, empty
        answer = message(2, VERSION + os.urandom(32) + vector(1, session) + b"\xc0\x2b\0"
                         + vector(2, extensions))
        connection.sendall(RECORD + vector(2, answer, certificate_message(chain, version)))
    else:
        own = x25519.X25519PrivateKey.generate()
        public = own.public_key().public_bytes(
            serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        extensions = (b"\0\x2b" + vector(2, b"\x03\x04")
                      + b"\0\x33" + vector(2, b"\0\x1d", vector(2, public)))
        answer = message(2, VERSION + os.urandom(32) + vector(1, session) + b"\x13\x01\0"
                         + vector(2, extensions))
        secret = own.exchange(x25519.X25519PublicKey.from_public_bytes(key))
        rest = message(8, vector(2)) + certificate_message(chain, version)
        connection.sendall(RECORD + vector(2, answer) + encrypted(rest, secret, hello + answer))
    connection.settimeout(1)
    return connection.recv(4096)


def encrypted(content, secret, transcript):
    """Returns records of handshake messages under TLS_AES_128_GCM_SHA256. RFC 8446 §5.2, §7.1."""
    def extract(salt, key):
        return hmac.digest(salt, key, "sha256")

    def expand(key, label, context, size):
        info = struct.pack(">H", size) + vector(1, b"tls13 " + label) + vector(1, context)
        return hmac.digest(key, info + b"\1", "sha256")[:size]

    empty = hashlib.sha256(b"").digest()
    early = extract(bytes(32), bytes(32))
    handshake = extract(expand(early, b"derived", empty, 32), secret)
    traffic = expand(handshake, b"s hs traffic", hashlib.sha256(transcript).digest(), 32)
    cipher, start = AESGCM(expand(traffic, b"key", b"", 16)), expand(traffic, b"iv", b"", 12)
    records = b""
    for number, at in enumerate(range(0, len(content), 16000)):
        plain = content[at:at + 16000] + b"\x16"
        header = b"\x17\x03\x03" + struct.pack(">H", len(plain) + 16)
        nonce = (int.from_bytes(start, "big") ^ number).to_bytes(12, "big")
        records += header + cipher.encrypt(nonce, plain, header)
    return records


def pieces(der):
    """Returns the elements of a sequence."""
    def split(data):
        found = []
        while data:
            size, head = data[1], 2
            if size & 0x80:
                head += size & 0x7F
                size = int.from_bytes(data[2:head], "big")
            found.append((data[:head], data[head:head + size]))
            data = data[head + size:]
        return found
    return split(split(der)[0][1])


def encoded(tag, content):
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def encodings(der):
    """Returns other encodings of a certificate: the same signed part, with the same signature."""
    tbs, algorithm, signature = pieces(der)
    signed, of, value = (b"".join(part) for part in (tbs, algorithm, signature))
    bits = signature[1]
    inner = signed + of + value
    return {
        "DER": der,
        "a length in four bytes": b"\x30\x84" + len(inner).to_bytes(4, "big") + inner,
        "an indefinite length": b"\x30\x80" + inner + b"\0\0",
        "a signature with a long length": encoded(
            0x30, signed + of + b"\x03\x83" + len(bits).to_bytes(3, "big") + bits),
        "a constructed signature": encoded(0x30, signed + of + encoded(0x23, value)),
        "an algorithm with a long length": encoded(
            0x30, signed + b"\x30\x81" + bytes([len(algorithm[1])]) + algorithm[1] + value),
    }


def flood(connection, _):
    """Sends HelloRequests for ever: a client ignores each of them. RFC 5246 §7.4.1.1."""
    client_hello(connection)
    records = (RECORD + vector(2, bytes(16384))) * 16
    while True:
        connection.sendall(records)


def drip(connection, seconds):
    """Sends a byte of a record now and then."""
    client_hello(connection)
    connection.sendall(RECORD + b"\x40\0")
    while True:
        connection.sendall(b"\0")
        time.sleep(seconds)
