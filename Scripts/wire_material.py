"""Makes the keys, certificates and OCSP responses for Scripts/wire, new for each run.

    python3 Scripts/wire_material.py DIRECTORY

NAME.pem is a chain as a server sends it, NAME.key its key; roots are *-root.pem.
"""

import datetime
import hashlib
import ipaddress
import json
import pathlib
import sys
from base64 import b64encode

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509 import ocsp
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)
FOLDER = pathlib.Path(sys.argv[1])


class Entity:
    """A certificate, its key and its issuer; a root is its own issuer."""

    def __init__(self, name, issuer=None, key=None, hosts=(), days=90, age=1, ca=False,
                 client=False, extra=()):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.issuer = issuer
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        signer = issuer or self
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.name).issuer_name(signer.name)
            .public_key(self.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(NOW - age * DAY).not_valid_after(NOW - age * DAY + days * DAY)
            .add_extension(x509.BasicConstraints(ca, None), True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(
                signer.key.public_key()), False)
            .add_extension(usage(ca), True))
        if hosts:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([general_name(host) for host in hosts]), False)
        if not ca:
            purpose = ExtendedKeyUsageOID.CLIENT_AUTH if client else ExtendedKeyUsageOID.SERVER_AUTH
            builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), False)
        for extension in extra:
            builder = builder.add_extension(extension, False)
        digest = None if isinstance(signer.key, ed25519.Ed25519PrivateKey) else hashes.SHA256()
        self.certificate = builder.sign(signer.key, digest)

    @property
    def chain(self):
        """Returns the certificates up to the root, without the root."""
        return [] if self.issuer is None else [self.certificate] + self.issuer.chain

    @property
    def pin(self):
        key = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return "sha256/" + b64encode(hashlib.sha256(key).digest()).decode()

    def write(self, name, chain=None):
        certificates = chain if chain is not None else self.chain or [self.certificate]
        pem = b"".join(c.public_bytes(serialization.Encoding.PEM) for c in certificates)
        (FOLDER / f"{name}.pem").write_bytes(pem)
        (FOLDER / f"{name}.issuers").write_bytes(pem.partition(b"\n-----BEGIN")[2] and b"".join(
            c.public_bytes(serialization.Encoding.PEM) for c in certificates[1:]))
        (FOLDER / f"{name}.key").write_bytes(self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()))
        (FOLDER / f"{name}.pin").write_text(self.pin)


def usage(ca):
    return x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False)


def general_name(host):
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def response(leaf, status, end=NOW + DAY):
    """Makes an OCSP response signed by the issuer itself."""
    revoked = status == ocsp.OCSPCertStatus.REVOKED
    answer = (
        ocsp.OCSPResponseBuilder()
        .add_response(leaf.certificate, leaf.issuer.certificate, hashes.SHA1(), status,
                      NOW - 2 * DAY, end, NOW - 2 * DAY if revoked else None,
                      x509.ReasonFlags.key_compromise if revoked else None)
        .responder_id(ocsp.OCSPResponderEncoding.HASH, leaf.issuer.certificate))
    return answer.sign(leaf.issuer.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def timestamps(name, leaf):
    """Writes a log list with two logs and, for a server, what they have signed: extension 18."""
    def sized(data, size=2):
        return len(data).to_bytes(size, "big") + data

    operators, items = [], b""
    for number in (1, 2):
        key = ec.generate_private_key(ec.SECP256R1())
        public = key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        identifier = hashlib.sha256(public).digest()
        moment = int((NOW - DAY).timestamp() * 1000).to_bytes(8, "big")
        # RFC 6962 §3.2: version, kind of signature, time, kind of entry, certificate, no extensions.
        der = leaf.certificate.public_bytes(serialization.Encoding.DER)
        signed = b"\0\0" + moment + b"\0\0" + sized(der, 3) + sized(b"")
        signature = key.sign(signed, ec.ECDSA(hashes.SHA256()))
        items += sized(b"\0" + identifier + moment + sized(b"") + b"\4\3" + sized(signature))
        operators.append({"name": f"Operator {number}", "email": [], "logs": [{
            "description": f"Log {number}", "log_id": b64encode(identifier).decode(),
            "key": b64encode(public).decode(), "mmd": 86400, "url": "https://log.example/",
            "state": {"usable": {"timestamp": "2024-01-01T00:00:00Z"}}}]})
    (FOLDER / "logs.json").write_text(json.dumps({
        "version": "1", "log_list_timestamp": (NOW - DAY).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "operators": operators}))
    # Context 0x11C0: asked for by the client, sent in TLS 1.2 and with a certificate in TLS 1.3.
    info = (0x11C0).to_bytes(4, "big") + (18).to_bytes(2, "big") + sized(sized(items))
    label = "SERVERINFOV2 FOR CT"
    (FOLDER / f"{name}.serverinfo").write_text(
        f"-----BEGIN {label}-----\n{b64encode(info).decode()}\n-----END {label}-----\n")


def filters(authority, hosts):
    """Writes upki's cache with one filter, and three servers: revoked, good, and newer than the filter."""
    log, end = hashlib.sha256(b"log").digest(), NOW - DAY / 2
    serials = {}
    for name, moment in [("filter-revoked", end - DAY / 4), ("filter-good", end - DAY / 4),
                         ("filter-new", end + DAY / 4)]:
        # RFC 6962 §3.2 and §3.3, with an empty signature: revocation does not depend on it.
        item = (b"\0" + log + int(moment.timestamp() * 1000).to_bytes(8, "big")
                + b"\0\0\4\3\0\0")
        items = len(item).to_bytes(2, "big") + item
        value = len(items).to_bytes(2, "big") + items
        leaf = Entity("wire.example", authority, hosts=hosts, extra=[x509.UnrecognizedExtension(
            x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2"), bytes([4, len(value)]) + value)])
        leaf.write(name)
        number = leaf.certificate.serial_number
        serials[name] = number.to_bytes(number.bit_length() // 8 + 1, "big")
    key = authority.key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    # Version 4 with one log and one issuer: one row without columns, so that every certificate is in the
    # set but the exceptions; the set is that of the good ones.
    revoked = serials["filter-revoked"]
    data = (b"\4\0" + (1).to_bytes(2, "big") + log + bytes(8)
            + int(end.timestamp() * 1000).to_bytes(8, "big")
            + (1).to_bytes(4, "big") + hashlib.sha256(key).digest()
            + (1).to_bytes(4, "big") + b"\0" + bytes(4) + (1).to_bytes(4, "big") + bytes(4) + b"\1"
            + (1).to_bytes(2, "big") + bytes([len(revoked)]) + revoked + bytes(5))
    folder = FOLDER / "cache" / "upki" / "revocation"
    folder.mkdir(parents=True)
    name = end.strftime("%Y%m%d-0-default.filter")
    (folder / name).write_bytes(data)
    (folder / "manifest.json").write_text(json.dumps({
        "generated_at": int(end.timestamp()), "comment": "made",
        "filters": [{"filename": name, "size": len(data), "hash": hashlib.sha256(data).hexdigest()}]}))
    index = b"upkiidx1" + (1).to_bytes(2, "big") + (1).to_bytes(4, "big")
    index += name.encode().ljust(32, b"\0") + log
    index += (len(index) + 10).to_bytes(8, "big") + (1).to_bytes(2, "big")
    index += bytes(2 + 8) + int(end.timestamp() * 1000).to_bytes(8, "big")
    (folder / "index.bin").write_bytes(index)
    (FOLDER / "revoked.filter").write_bytes(data)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    hosts = ["wire.example", "localhost", "127.0.0.1", "::1"]
    root = Entity("Wire Root", days=3650, ca=True)
    root.write("root")
    authority = Entity("Wire CA", root, days=1000, ca=True)
    authority.write("authority")
    keys = {
        "rsa": rsa.generate_private_key(65537, 2048),
        "p256": ec.generate_private_key(ec.SECP256R1()),
        "p384": ec.generate_private_key(ec.SECP384R1()),
        "ed25519": ed25519.Ed25519PrivateKey.generate(),
    }
    for name, key in keys.items():
        Entity("wire.example", authority, key, hosts).write(name)
    good = Entity("wire.example", authority, hosts=hosts)
    good.write("good")
    logged = Entity("wire.example", authority, hosts=hosts)
    logged.write("logged")
    timestamps("logged", logged)
    filters(authority, hosts)
    good.write("no-intermediate", [good.certificate])
    Entity("backup").write("backup")
    Entity("wire.example", hosts=hosts).write("self-signed")
    Entity("other.example", authority, hosts=["other.example"]).write("other-host")
    Entity("wire.example", authority, hosts=hosts, days=10, age=20).write("expired")
    Entity("wire.example", authority, hosts=hosts, days=10, age=9).write("short")

    for name, status in [("staple-good", ocsp.OCSPCertStatus.GOOD),
                         ("staple-revoked", ocsp.OCSPCertStatus.REVOKED)]:
        leaf = Entity("wire.example", authority, hosts=hosts)
        leaf.write(name)
        (FOLDER / f"{name}.ocsp").write_bytes(response(leaf, status))
    for name, status, end in [("staple-forged", ocsp.OCSPCertStatus.GOOD, NOW + DAY),
                              ("staple-expired", ocsp.OCSPCertStatus.GOOD, NOW - DAY),
                              ("staple-unknown", ocsp.OCSPCertStatus.UNKNOWN, NOW + DAY)]:
        leaf = Entity("wire.example", authority, hosts=hosts)
        leaf.write(name)
        answer = bytearray(response(leaf, status, end))
        # The signature is the last field.
        answer[-1] ^= name == "staple-forged"
        (FOLDER / f"{name}.ocsp").write_bytes(answer)
    promise = [x509.TLSFeature([x509.TLSFeatureType.status_request])]
    for name, ending, end in [("must-staple", "status", NOW + DAY),
                              ("must-staple-good", "ocsp", NOW + DAY),
                              ("must-staple-stale", "ocsp", NOW - DAY / 2)]:
        leaf = Entity("wire.example", authority, hosts=hosts, extra=promise)
        leaf.write(name)
        (FOLDER / f"{name}.{ending}").write_bytes(
            response(leaf, ocsp.OCSPCertStatus.GOOD, end))
    crl = (x509.CertificateRevocationListBuilder().issuer_name(root.name)
           .last_update(NOW - DAY).next_update(NOW + DAY)
           .add_extension(x509.CRLNumber(1), False)
           .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(
               root.key.public_key()), False))
    (FOLDER / "root.crl").write_bytes(
        crl.sign(root.key, hashes.SHA256()).public_bytes(serialization.Encoding.DER))

    deep = root
    for number in range(8):
        deep = Entity(f"Wire CA {number + 1}", deep, days=1000, ca=True)
    Entity("wire.example", deep, hosts=hosts).write("deep")
    names = [f"host-{number:04}.wire.example" for number in range(600)]
    Entity("wire.example", authority, hosts=hosts + names).write("large")

    clients = Entity("Wire Clients Root", days=3650, ca=True)
    clients.write("clients-root")
    foreign = Entity("Foreign Root", days=3650, ca=True)
    foreign.write("foreign-root")
    ada = Entity("ada", clients, client=True)
    ada.write("client-good")
    Entity("ada", clients, client=True, days=10, age=20).write("client-expired")
    Entity("ada", clients, client=True, days=10, age=9).write("client-short")
    Entity("ada", foreign, client=True).write("client-foreign")
    # A client below the anchor of the servers, with a server's names.
    Entity("wire.example", root, hosts=hosts, client=True).write("client-of-root")
    for name, entity in [("client-good", ada)]:
        (FOLDER / f"{name}.p12").write_bytes(pkcs12.serialize_key_and_certificates(
            b"ada", entity.key, entity.certificate, [clients.certificate],
            serialization.BestAvailableEncryption(b"secret")))
    (FOLDER / "password").write_text("secret\n")


main()
