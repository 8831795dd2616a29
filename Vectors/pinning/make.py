#!/usr/bin/env python3
"""Makes certificates.pem, lists.pem, scenarios.txt and keys.txt: what pinning is tested with.

Names, serial numbers and times are fixed; keys are new in every run and thrown away, so a further
run gives other octets. Needs pyca/cryptography and openssl.

scenarios.txt: every combination below of what is sent, trusted and pinned is put to `openssl
verify`, path by path; of those with the same answers the first is kept. Which certificates
signatures lead to is found with pyca/cryptography. The columns are named in the file.
"""
import base64
import datetime
import hashlib
import itertools
import pathlib
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, ed448, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
HOST = "www.pins.example"
TIME = "1767225600"  # 2026-01-01T00:00:00Z
DER, PEM = serialization.Encoding.DER, serialization.Encoding.PEM

certificates = {}
keys = {}


def key(name):
    return keys.setdefault(name, ec.generate_private_key(ec.SECP256R1()))


def distinguished(common_name):
    return x509.Name([
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Pins Example"),
        x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def usage(*names):
    fields = [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ]
    return x509.KeyUsage(**{field: field in names for field in fields})


def make(name, subject, subject_key, issuer, issuer_key, *, ca=None, hosts=(), client=False,
         mail=False, years=(2024, 2034)):
    """Adds a certificate. `ca` is None for a leaf, else the path length, -1 for none."""
    subject_key, issuer_key = (key(k) if isinstance(k, str) else k
                               for k in (subject_key, issuer_key))
    builder = (
        x509.CertificateBuilder()
        .serial_number(0x51A0000 + len(certificates))
        .subject_name(distinguished(subject)).issuer_name(distinguished(issuer))
        .public_key(subject_key.public_key())
        .not_valid_before(datetime.datetime(years[0], 1, 1))
        .not_valid_after(datetime.datetime(years[1], 1, 1)))
    if ca is not None:
        builder = builder.add_extension(
            x509.BasicConstraints(True, None if ca < 0 else ca), True)
        builder = builder.add_extension(usage("key_cert_sign", "crl_sign"), True)
        if mail:
            purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION])
            builder = builder.add_extension(purpose, False)
    else:
        builder = builder.add_extension(x509.BasicConstraints(False, None), True)
        builder = builder.add_extension(usage("digital_signature"), True)
        purpose = ExtendedKeyUsageOID.CLIENT_AUTH if client else ExtendedKeyUsageOID.SERVER_AUTH
        builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), False)
        if hosts:
            names = x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts])
            builder = builder.add_extension(names, False)
    if not isinstance(issuer_key, (ed25519.Ed25519PrivateKey, ed448.Ed448PrivateKey)):
        digest = hashes.SHA256()
    else:
        digest = None
    certificates[name] = builder.sign(issuer_key, digest)
    return certificates[name]


def make_authorities():
    make("root-1", "Root 1", "r1", "Root 1", "r1", ca=-1)
    make("root-2", "Root 2", "r2", "Root 2", "r2", ca=-1)
    make("root-1-expired", "Root 1", "r1", "Root 1", "r1", ca=-1, years=(2014, 2024))
    make("root-1-cross", "Root 1", "r1", "Root 2", "r2", ca=-1)
    make("issuing", "Issuing", "i", "Root 1", "r1", ca=0)
    make("issuing-cross", "Issuing", "i", "Root 2", "r2", ca=0)
    make("issuing-expired", "Issuing", "i", "Root 1", "r1", ca=0, years=(2014, 2024))
    make("issuing-mail", "Issuing", "i", "Root 1", "r1", ca=0, mail=True)
    make("leaf", HOST, "l", "Issuing", "i", hosts=[HOST])
    make("leaf-again", HOST, "l", "Issuing", "i", hosts=[HOST])
    make("leaf-client", HOST, "c", "Issuing", "i", hosts=[HOST], client=True)
    make("leaf-expired", HOST, "x", "Issuing", "i", hosts=[HOST], years=(2023, 2025))
    make("leaf-revoked", HOST, "v", "Issuing", "i", hosts=[HOST])
    make("self", "self.pins.example", "s", "self.pins.example", "s", hosts=[HOST])
    make("self-client", "self.pins.example", "sc", "self.pins.example", "sc", hosts=[HOST],
         client=True)
    make("stranger", "Stranger", "z", "Stranger", "z", ca=-1)


def make_attacks():
    # Whoever stands in the middle has an authority that the system trusts.
    make("bad-root", "Bad Root", "br", "Bad Root", "br", ca=-1)
    make("bad-issuing", "Bad Issuing", "bi", "Bad Root", "br", ca=-1)
    make("bad-leaf", HOST, "bl", "Bad Issuing", "bi", hosts=[HOST])
    # An intermediate with the name of the genuine one, and a leaf under it.
    make("bad-twin", "Issuing", "bt", "Bad Root", "br", ca=-1)
    make("bad-twin-leaf", HOST, "bl", "Issuing", "bt", hosts=[HOST])
    # A customer of the genuine authority, whose key is that of an authority elsewhere.
    make("customer", "customer.example", "cu", "Issuing", "i", hosts=["customer.example"])
    make("customer-authority", "customer.example", "cu", "Bad Root", "br", ca=-1)
    make("customer-leaf", HOST, "bl", "customer.example", "cu", hosts=[HOST])
    # An authority below one that allows none below itself.
    make("sub-issuing", "Sub Issuing", "si", "Issuing", "i", ca=-1)
    make("sub-leaf", HOST, "bl", "Sub Issuing", "si", hosts=[HOST])
    # The server's next key, under the other authority.
    make("leaf-next", HOST, "n", "Issuing", "i", hosts=[HOST])
    make("leaf-non-ascii", HOST, "na", "Issuing", "i", hosts=["xn--hst-sna.pins.example"])


def element(tag, content):
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def parts(der):
    """The elements inside of an element."""
    def one(at):
        size, start = der[at + 1], at + 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(der[at + 2:start], "big")
        return start, start + size
    at, end = one(0)
    found = []
    while at < end:
        following = one(at)[1]
        found.append(der[at:following])
        at = following
    return found


def subject_public_key_info(der):
    """RFC 5280 section 4.1: the sixth field after the version."""
    fields = parts(parts(der)[0])
    return fields[6 if fields[0][0] == 0xA0 else 5]


def make_assistant():
    """A self-signed certificate as macOS' Certificate Assistant makes it: the inner signature
    algorithm has no parameters, the outer one has NULL."""
    private = rsa.generate_private_key(65537, 2048)
    der = make("assistant", "assistant.pins.example", private, "assistant.pins.example", private,
               hosts=[HOST]).public_bytes(DER)
    tbs, outer, _ = parts(der)
    fields = parts(tbs)
    fields[2] = element(0x30, parts(fields[2])[0])
    tbs = element(0x30, b"".join(fields))
    signature = private.sign(tbs, padding.PKCS1v15(), hashes.SHA256())
    der = element(0x30, tbs + outer + element(0x03, b"\0" + signature))
    certificates["assistant"] = x509.load_der_x509_certificate(der)


def with_key(der, info):
    """The certificate with another key. Its signature is wrong then: only the key is of use."""
    tbs, outer, signature = parts(der)
    fields = parts(tbs)
    fields[6] = info
    return element(0x30, element(0x30, b"".join(fields)) + outer + signature)


def key_certificates():
    """Name, DER and whether OpenSSL 3.0 knows the key, for each kind of key."""
    kinds = {f"rsa-{bits}": rsa.generate_private_key(65537, bits)
             for bits in (1024, 2048, 3072, 4096, 8192)}
    kinds["rsa-2048-e3"] = rsa.generate_private_key(3, 2048)
    kinds |= {"p256": ec.generate_private_key(ec.SECP256R1()),
              "p384": ec.generate_private_key(ec.SECP384R1()),
              "p521": ec.generate_private_key(ec.SECP521R1()),
              "ed25519": ed25519.Ed25519PrivateKey.generate(),
              "ed448": ed448.Ed448PrivateKey.generate()}
    for name, private in kinds.items():
        certificate = make(name, name, private, name, private, hosts=[HOST])
        del certificates[name]
        yield name, certificate.public_bytes(DER), True
    for name, curve in (("p256", ec.SECP256R1()), ("p384", ec.SECP384R1()),
                        ("p521", ec.SECP521R1())):
        public = ec.generate_private_key(curve).public_key()
        info = public.public_bytes(DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        point = public.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.CompressedPoint)
        info = element(0x30, parts(info)[0] + element(0x03, b"\0" + point))
        yield f"{name}-compressed", with_key(certificates["self"].public_bytes(DER), info), True
    # RFC 9881 section 4. OpenSSL 3.0 does not know these; a key is any octets of the right number.
    for number, size in ((17, 1312), (18, 1952), (19, 2592)):
        oid = bytes([0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, number])
        octets = hashlib.shake_256(bytes([number])).digest(size)
        info = element(0x30, element(0x30, oid) + element(0x03, b"\0" + octets))
        name = {17: "mldsa-44", 18: "mldsa-65", 19: "mldsa-87"}[number]
        yield name, with_key(certificates["self"].public_bytes(DER), info), False


def openssl(*arguments, stdin=None):
    done = subprocess.run(["openssl", *arguments], input=stdin, capture_output=True)
    return done.returncode == 0, done.stdout


def pem(der):
    lines = base64.encodebytes(der).decode().replace("\n", "")
    body = "\n".join(lines[i:i + 64] for i in range(0, len(lines), 64))
    return f"-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n"


def write_keys(blocks):
    lines = ["# key, pin, who has extracted the SubjectPublicKeyInfo"]
    for name, der, is_known in key_certificates():
        info = subject_public_key_info(der)
        source = "parts"
        if is_known:
            public = openssl("x509", "-inform", "DER", "-noout", "-pubkey", stdin=der)[1]
            extracted = openssl("pkey", "-pubin", "-outform", "DER", stdin=public)[1]
            assert extracted == info, name
            source = "openssl"
        pin = base64.b64encode(hashlib.sha256(info).digest()).decode()
        lines.append(f"{name}\t{pin}\t{source}")
        blocks.append(f"# key-{name}\n" + pem(der))
    (HERE / "keys.txt").write_text("\n".join(lines) + "\n")


class Judge:
    """Which paths are valid, by `openssl verify`, and what signatures lead to."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.known = {}
        for name, certificate in certificates.items():
            (self.folder / name).write_bytes(certificate.public_bytes(PEM))
        self.issued = {}

    def is_issued(self, child, issuer):
        pair = child, issuer
        if pair not in self.issued:
            try:
                certificates[child].verify_directly_issued_by(certificates[issuer])
                self.issued[pair] = True
            except Exception:
                self.issued[pair] = False
        return self.issued[pair]

    def paths(self, path, sent, anchors):
        if path[-1] in anchors:
            yield path
            return
        for anchor in anchors:
            if self.is_issued(path[-1], anchor):
                yield path + (anchor,)
        for other in sent:
            if other not in path and other not in anchors and self.is_issued(path[-1], other):
                yield from self.paths(path + (other,), sent, anchors)

    def linked(self, leaf, sent, anchors):
        found = [leaf]
        for child in found:
            for issuer in itertools.chain(anchors, sent):
                if issuer not in found and self.is_issued(child, issuer):
                    found.append(issuer)
        return found

    def is_valid(self, path, purpose, host):
        question = path, purpose, host
        if question not in self.known:
            arguments = ["verify", "-no-CAfile", "-no-CApath", "-no-CAstore", "-partial_chain",
                         "-attime", TIME, "-trusted", str(self.folder / path[-1])]
            for name in path[1:-1]:
                arguments += ["-untrusted", str(self.folder / name)]
            if purpose:
                arguments += ["-purpose", "sslserver"]
            if host:
                arguments += ["-verify_hostname", host]
            # OpenSSL may find a shorter path than the one that is asked about.
            is_valid, chain = openssl(
                *arguments, "-show_chain", str(self.folder / path[0]))
            self.known[question] = is_valid and chain.count(b"depth=") == len(path)
        return self.known[question]

    def valid_paths(self, leaf, sent, anchors, purpose, host):
        return [path for path in self.paths((leaf,), sent, anchors)
                if self.is_valid(path, purpose, host)]


def key_octets(names):
    return {subject_public_key_info(certificates[name].public_bytes(DER)) for name in names}


POLICIES = {"basic": (False, None), "ssl": (True, None), "host": (True, "host")}


def answers(judge, leaf, sent, system, pinned, host):
    """What AFNetworking's and Alamofire's tables ask, or None where paths of the same chain differ
    in their hits, so that it is a matter of which one a system chooses."""
    row = {}
    for policy, (purpose, named) in POLICIES.items():
        for kind, anchors in (("sys", system), ("pin", pinned)):
            paths = judge.valid_paths(leaf, sent, anchors, purpose, host if named else None)
            row[f"{kind}-{policy}"] = bool(paths)
            row[f"{kind}-{policy}-paths"] = paths
    linked = {"sys": judge.linked(leaf, sent, system), "pin": judge.linked(leaf, sent, pinned)}
    row["cert-sys"] = bool(set(linked["sys"]) & set(pinned))
    row["cert-pin"] = bool(set(linked["pin"]) & set(pinned))
    row["key-sys"] = bool(key_octets(linked["sys"]) & key_octets(pinned))
    for policy in POLICIES:
        paths = row.pop(f"sys-{policy}-paths")
        if paths:
            if any(set(path) & set(pinned) for path in paths) != row["cert-sys"]:
                return None
            if any(key_octets(path) & key_octets(pinned) for path in paths) != row["key-sys"]:
                return None
        row.pop(f"pin-{policy}-paths")
    return row


COLUMNS = [f"{kind}-{policy}" for kind in ("sys", "pin") for policy in POLICIES]
COLUMNS += ["cert-sys", "cert-pin", "key-sys"]


def write_scenarios(judge):
    leaves = ["leaf", "leaf-client", "leaf-expired", "self", "self-client"]
    sends = [(), ("issuing",), ("issuing-cross",), ("issuing", "issuing-cross"),
             ("issuing", "root-1"), ("root-1",), ("issuing-expired", "issuing-cross"),
             ("issuing-cross", "root-1-expired", "issuing"), ("issuing-mail",),
             ("issuing-mail", "issuing-cross"),
             ("issuing-mail", "issuing-cross", "root-1-expired")]
    systems = [("root-1",), ("root-2",), (), ("root-1", "root-2"), ("self",), ("self-client",),
               ("root-1-expired",)]
    singles = ["leaf", "leaf-again", "leaf-client", "leaf-expired", "issuing", "issuing-cross",
               "issuing-expired", "issuing-mail", "root-1", "root-1-expired", "root-2", "self",
               "self-client", "stranger"]
    pins = [()] + [(name,) for name in singles] + [
        ("stranger", "leaf"), ("root-1-expired", "issuing"), ("leaf-again", "root-2"),
        ("leaf-again", "stranger"), ("root-1-expired", "stranger")]
    lines = [
        "# What is sent, trusted and pinned, and the answers: whether a valid path leads to the",
        "# system's anchors or to the pins, by the basic policy, for a TLS server, for the host;",
        "# whether a pinned certificate is linked with the system's anchors and with the pins, and",
        "# whether a pinned key is. Time: 2026-01-01T00:00:00Z.",
        "\t".join(["sent", "system", "pinned", "host"] + COLUMNS)]
    seen = set()
    for leaf, sent, system, pinned, host in itertools.product(
            leaves, sends, systems, pins, [HOST, "other.pins.example"]):
        row = answers(judge, leaf, sent, system, pinned, host)
        if row is None:
            continue
        values = tuple(row[column] for column in COLUMNS) + (bool(pinned),)
        if values in seen:
            continue
        seen.add(values)
        lines.append("\t".join(
            [",".join((leaf,) + sent), ",".join(system) or "-", ",".join(pinned) or "-", host]
            + [str(int(row[column])) for column in COLUMNS]))
    (HERE / "scenarios.txt").write_text("\n".join(lines) + "\n")
    print(len(lines) - 5, "scenarios")


def revocation_list(issuer, issuer_key, revoked):
    builder = (
        x509.CertificateRevocationListBuilder().issuer_name(distinguished(issuer))
        .last_update(datetime.datetime(2025, 12, 31)).next_update(datetime.datetime(2026, 1, 31)))
    for name in revoked:
        entry = (
            x509.RevokedCertificateBuilder().serial_number(certificates[name].serial_number)
            .revocation_date(datetime.datetime(2025, 12, 1)).build())
        builder = builder.add_revoked_certificate(entry)
    builder = builder.add_extension(x509.CRLNumber(1), False)
    builder = builder.add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_public_key(key(issuer_key).public_key()), False)
    return builder.sign(key(issuer_key), hashes.SHA256()).public_bytes(PEM).decode()


def main():
    make_authorities()
    make_attacks()
    make_assistant()
    with tempfile.TemporaryDirectory() as folder:
        write_scenarios(Judge(folder))
    blocks = [f"# {name}\n" + pem(certificate.public_bytes(DER))
              for name, certificate in certificates.items()]
    write_keys(blocks)
    (HERE / "certificates.pem").write_text("".join(blocks))
    (HERE / "lists.pem").write_text(
        revocation_list("Issuing", "i", ["leaf-revoked"]) + revocation_list("Root 1", "r1", []))


if __name__ == "__main__":
    main()
