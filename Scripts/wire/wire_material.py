"""Makes what the servers and clients of Scripts/wire/wire present: fresh keys, valid from yesterday.

    python3 Scripts/wire/wire_material.py DIRECTORY

NAME.pem is a chain as a server sends it, NAME.key its key; roots are *root.pem.
"""

import hashlib
import json
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12

import pki
from pki import CLIENT, DAY, GOOD, NOW, REVOKED, certificate

FOLDER = pathlib.Path(sys.argv[1])
HOSTS = ["wire.example", "localhost", "127.0.0.1", "::1"]
PROMISE = x509.TLSFeature([x509.TLSFeatureType.status_request])


def write(name, chain, holder=None):
    """Writes a chain with the key of its first certificate, and the pin of that key."""
    (FOLDER / f"{name}.pem").write_bytes(pki.pem(*chain))
    (FOLDER / f"{name}.key").write_bytes(pki.private_pem(holder or name))
    (FOLDER / f"{name}.pin").write_text(pki.pin(chain[0]))


def server(name, names=HOSTS, **more):
    """Makes a server's certificate by the CA, with a key of its own."""
    leaf = certificate("wire.example", "Wire CA", is_ca=False, names=names, holder=name, **more)
    write(name, [leaf, AUTHORITY])
    return leaf


def filters():
    """Writes upki's cache with one filter, and two servers, of which it has one as revoked."""
    log, end = hashlib.sha256(b"log").digest(), NOW - DAY / 2
    serials = {}
    for name in ("filter-revoked", "filter-good"):
        serials[name] = server(name, extra=[pki.timestamp(log, end - DAY / 4)]).serial_number
    data = pki.clubcard(AUTHORITY, log, end, serials["filter-revoked"])
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


FOLDER.mkdir(parents=True, exist_ok=True)
pki.KEYS["rsa"] = rsa.generate_private_key(65537, 2048)
ROOT = certificate("Wire Root", "Wire Root", days=(1, 3650))
AUTHORITY = certificate("Wire CA", "Wire Root", days=(1, 1000))
write("root", [ROOT], "Wire Root")

good = server("good", days=(1, 89))
write("no-intermediate", [good], "good")
for name in ("rsa", "p256"):
    server(name)
server("expired", days=(20, -10))
server("other-host", names=["other.example"])
server("large", names=HOSTS + [f"host-{number:04}.wire.example" for number in range(600)])
for name, status in [("staple-good", GOOD), ("staple-revoked", REVOKED)]:
    (FOLDER / f"{name}.ocsp").write_bytes(pki.answer(server(name), AUTHORITY, status))
server("must-staple", extra=[PROMISE])
write("self-signed", [certificate(
    "wire.example", "wire.example", is_ca=False, names=HOSTS, holder="self-signed", signer="self-signed")])
write("backup", [certificate("backup", "backup", is_ca=False)])
filters()

for name in ("Wire Clients Root", "Foreign Root"):
    write(name.lower().replace("wire ", "").replace(" ", "-"), [certificate(name, name, days=(1, 3650))], name)
for name, issuer, days in [("client-good", "Wire Clients Root", (1, 30)),
                           ("client-expired", "Wire Clients Root", (20, -10)),
                           ("client-foreign", "Foreign Root", (1, 30))]:
    write(name, [certificate("ada", issuer, is_ca=False, purpose=CLIENT, days=days, holder=name)])
ada, authority = (x509.load_pem_x509_certificate((FOLDER / f"{name}.pem").read_bytes())
                  for name in ("client-good", "clients-root"))
(FOLDER / "client-good.p12").write_bytes(pkcs12.serialize_key_and_certificates(
    b"ada", pki.key("client-good"), ada, [authority], serialization.BestAvailableEncryption(b"secret")))
(FOLDER / "password").write_text("secret\n")
# A list that is too old is not used.
logs = json.loads((pathlib.Path(__file__).parents[2] / "Vectors/transparency/logs.json").read_text())
logs["log_list_timestamp"] = (NOW - DAY).strftime("%Y-%m-%dT%H:%M:%SZ")
(FOLDER / "logs.json").write_text(json.dumps(logs))
