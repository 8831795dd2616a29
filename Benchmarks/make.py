#!/usr/bin/env python3
"""Makes the inputs of the benchmarks that are not in Vectors/bench, so that no measured process
generates a key.

    python3 make.py growth FOLDER    certificates of any number and size for the growth curves, and
                                     a CRL of a thousand entries
    python3 make.py list FILE        a CRL of a million entries
    python3 make.py signatures       signatures.txt, with new keys; needs pyca/cryptography

The first two need Python alone and give the same bytes in every run.
"""
import base64
import hashlib
import pathlib
import sys

HOST = "www.bench.example.com"
MESSAGE = bytes(7 * place % 256 for place in range(1_200))

# P-256. FIPS 186-5 and SEC 2 §2.4.2.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def sum_of(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and a[1] != b[1]:
        return None
    slope = ((3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P) if a == b
             else (b[1] - a[1]) * pow(b[0] - a[0], -1, P))
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def product(number, point):
    result = None
    for bit in f"{number:b}":
        result = sum_of(result, result)
        if bit == "1":
            result = sum_of(result, point)
    return result


def pairs(seed):
    """Yields consecutive numbers, starting from a hash, and their points. They serve as keys and
    nonces of benchmark certificates, which need no secrecy; each point costs one addition."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest(), "big") % N
    point = product(number, G)
    while True:
        yield number, point
        number, point = (number + 1) % N, sum_of(point, G)


KEYS, NONCES = pairs("growth keys"), pairs("growth nonces")


def element(tag, *parts):
    content = b"".join(parts)
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    size = (length.bit_length() + 7) // 8
    return bytes([tag, 128 + size]) + length.to_bytes(size, "big") + content


def sequence(*parts):
    return element(0x30, *parts)


def integer(number):
    return element(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def identifier(dotted):
    first, second, *rest = map(int, dotted.split("."))
    content = b""
    for arc in [first * 40 + second, *rest]:
        groups = [arc & 127]
        while arc := arc >> 7:
            groups.insert(0, arc & 127 | 128)
        content += bytes(groups)
    return element(0x06, content)


def name(common_name):
    value = element(0x0C, common_name.encode())
    return sequence(element(0x31, sequence(identifier("2.5.4.3"), value)))


def extension(dotted, value, is_critical=False):
    critical = b"\x01\x01\xff" if is_critical else b""
    return sequence(identifier(dotted), critical, element(0x04, value))


def host(text):
    return element(0x82, text.encode())


ECDSA = sequence(identifier("1.2.840.10045.4.3.2"))
VALIDITY = sequence(element(0x17, b"260101000000Z"), element(0x17, b"271231235959Z"))


class Authority:
    def __init__(self, common_name):
        self.name = common_name
        self.secret, (x, y) = next(KEYS)
        self.point = b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")

    def signature(self, message):
        nonce, point = next(NONCES)
        digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
        r = point[0] % N
        return sequence(integer(r), integer(pow(nonce, -1, N) * (digest + r * self.secret) % N))

    def sign(self, subject, point, *extensions):
        key = sequence(
            sequence(identifier("1.2.840.10045.2.1"), identifier("1.2.840.10045.3.1.7")),
            element(0x03, b"\0", point))
        # The issuer may choose any key identifier. RFC 5280 §4.2.1.2.
        extensions += (extension("2.5.29.14", element(0x04, point[-20:])),
                       extension("2.5.29.35", sequence(element(0x80, self.point[-20:]))))
        signed = sequence(
            element(0xA0, integer(2)), element(0x02, b"\x01" + point[-15:]), ECDSA,
            name(self.name), VALIDITY, name(subject), key,
            element(0xA3, sequence(*extensions)))
        return sequence(signed, ECDSA, element(0x03, b"\0", self.signature(signed)))

    def certify(self, subject, excluded=0):
        constraints = []
        if excluded:
            trees = [sequence(host(f"x{number}.excluded.example")) for number in range(excluded)]
            constraints = [extension("2.5.29.30", sequence(element(0xA1, *trees)), True)]
        # keyCertSign and cRLSign.
        return self.sign(
            subject.name, subject.point, extension("2.5.29.19", sequence(b"\x01\x01\xff"), True),
            extension("2.5.29.15", b"\x03\x02\x01\x06", True), *constraints)

    def leaf(self, names=1):
        """Makes a server certificate for the host of all questions and for others."""
        others = [host(f"h{number}.bench.example.com") for number in range(1, names)]
        server = identifier("1.3.6.1.5.5.7.3.1")
        return self.sign(
            HOST, self.point, extension("2.5.29.17", sequence(*others, host(HOST))),
            extension("2.5.29.37", sequence(server)))


def growth(folder):
    root, middle = Authority("Growth Root"), Authority("Growth CA")
    strangers = [Authority(f"Stranger {number}") for number in range(1_024)]
    powers = [1 << power for power in range(12)]
    files = {
        "chain": [middle.leaf(), root.certify(middle), root.certify(root)],
        "strangers": [stranger.certify(stranger) for stranger in strangers],
        # CAs with the name of the wanted issuer but other keys.
        "namesakes": [root.certify(Authority("Growth CA")) for _ in range(256)],
        "leaves": [middle.leaf(size) for size in powers],
        "limited": [root.certify(middle, size) for size in powers],
        "ten": [middle.leaf(10)],
    }
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for file, certificates in files.items():
        (pathlib.Path(folder) / f"{file}.der").write_bytes(b"".join(certificates))
    revocation_list(f"{folder}/list.der", 1_000)


def revocation_list(path, entries=1_000_000):
    """Makes a list with unordered serial numbers of eight bytes; half of the entries have a reason."""
    date = element(0x17, b"260501000000Z")
    reason = sequence(extension("2.5.29.21", b"\x0a\x01\x01"))
    content, state = [], 1
    for place in range(entries):
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        serial = ((state ^ state >> 29) >> 1 | 1 << 62) & (2**63 - 1)
        content.append(sequence(
            b"\x02\x08", serial.to_bytes(8, "big"), date, reason if place % 2 else b""))
    signed = sequence(integer(1), ECDSA, sequence(), date, date, sequence(*content))
    pathlib.Path(path).write_bytes(sequence(signed, ECDSA, b"\x03\x02\0\0"))


def signatures():
    """Makes a line `name hash padding SPKI signature` for each key, followed by the numbers of the
    key: modulus and exponent, or the point."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, mldsa, padding, rsa
    pss = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    lines = ["# Signatures of 1,200 bytes, 7 times their place each; made by make.py."]

    def add(title, hash_name, style, key, *arguments):
        public, encoding = key.public_key(), serialization.Encoding
        spki = public.public_bytes(encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        if isinstance(key, rsa.RSAPrivateKey):
            numbers = public.public_numbers()
            parts = [number.to_bytes((number.bit_length() + 7) // 8, "big")
                     for number in (numbers.n, numbers.e)]
        elif isinstance(key, ec.EllipticCurvePrivateKey):
            parts = [public.public_bytes(
                encoding.X962, serialization.PublicFormat.UncompressedPoint)]
        else:
            parts = [public.public_bytes(encoding.Raw, serialization.PublicFormat.Raw)]
        values = [spki, key.sign(MESSAGE, *arguments), *parts]
        lines.append(" ".join(
            [title, hash_name, style, *(base64.b64encode(part).decode() for part in values)]))

    for bits in (2_048, 3_072, 4_096):
        add(f"RSA-{bits}", "sha256", "-", rsa.generate_private_key(65_537, bits),
            padding.PKCS1v15(), hashes.SHA256())
    add("RSA-PSS-2048", "sha256", "pss", rsa.generate_private_key(65_537, 2_048), pss,
        hashes.SHA256())
    for title, hash_name, curve, digest in (
            ("P-256", "sha256", ec.SECP256R1(), hashes.SHA256()),
            ("P-384", "sha384", ec.SECP384R1(), hashes.SHA384()),
            ("P-521", "sha512", ec.SECP521R1(), hashes.SHA512()),
            ("brainpoolP512r1", "sha512", ec.BrainpoolP512R1(), hashes.SHA512())):
        add(title, hash_name, "-", ec.generate_private_key(curve), ec.ECDSA(digest))
    add("Ed25519", "-", "-", ed25519.Ed25519PrivateKey.generate())
    add("Ed448", "-", "-", ed448.Ed448PrivateKey.generate())
    for size, kind in ((44, mldsa.MLDSA44PrivateKey), (65, mldsa.MLDSA65PrivateKey),
                       (87, mldsa.MLDSA87PrivateKey)):
        add(f"ML-DSA-{size}", "-", "-", kind.generate())
    (pathlib.Path(__file__).parent / "signatures.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["growth", folder]:
            growth(folder)
        case ["list", file]:
            revocation_list(file)
        case ["signatures"]:
            signatures()
        case _:
            sys.exit(__doc__)
