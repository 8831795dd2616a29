"""Writes twelve broken chains, each with keys of its own that are thrown away, and what `holdfast
verify -v` says of them.

    python3 make.py              the chains, and `cases.txt` with the question and the answer
    python3 make.py HOLDFAST     the texts, by the tool, for the chains that are there

Which certificate, which field and which rule must be named is stated here, from the RFC. The texts
are read by eye before they are committed.
"""
import datetime
import pathlib
import subprocess
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = pathlib.Path(__file__).parent
NOW = datetime.datetime(2026, 6, 1)
AT = "2026-06-01T00:00:00Z"
DAY = datetime.timedelta(days=1)
HOST = "www.shop.example"


def name(text):
    return x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "SE"),
        x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Explained"),
        x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Party:
    def __init__(self, text, key=None):
        self.name = name(text)
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.certificate = None

    def sign(self, other, *extensions, usage=None, length=None, end=NOW + 300 * DAY,
             hash=hashes.SHA256()):
        """`usage` is None for an authority."""
        public = other.key.public_key()
        builder = (
            x509.CertificateBuilder().subject_name(other.name).issuer_name(self.name)
            .public_key(public).serial_number(x509.random_serial_number())
            .not_valid_before(NOW - 90 * DAY).not_valid_after(end)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False))
        bits = [False] * 9
        if usage is None:
            bits[5] = bits[6] = True
            builder = builder.add_extension(x509.BasicConstraints(True, length), True)
        else:
            bits[0] = True
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), False)
            builder = builder.add_extension(
                x509.SubjectAlternativeName([x509.DNSName(HOST)]), False)
            builder = builder.add_extension(x509.AuthorityInformationAccess([
                x509.AccessDescription(
                    x509.oid.AuthorityInformationAccessOID.CA_ISSUERS,
                    x509.UniformResourceIdentifier("http://ca.example/issuing.crt"))]), False)
        builder = builder.add_extension(x509.KeyUsage(*bits), True)
        for value, critical in extensions:
            builder = builder.add_extension(value, critical)
        other.certificate = builder.sign(self.key, hash)
        return other


SERVER = ExtendedKeyUsageOID.SERVER_AUTH
CASES = []


def case(label, chain, anchor, index, field, rule, *options):
    def pem(party):
        return party.certificate.public_bytes(serialization.Encoding.PEM).decode()
    (FOLDER / f"{label}.pem").write_text("".join(map(pem, chain)))
    (FOLDER / f"{label}.anchor.pem").write_text(pem(anchor))
    options = " ".join(options or ["--host", HOST])
    CASES.append(f"{label} {index} {field} {rule} {options}")


def authorities(*extensions, length=None, end=NOW + 900 * DAY, **keys):
    root = Party("Explained Root")
    root.sign(root, end=NOW + 3000 * DAY)
    issuing = root.sign(
        Party("Explained Issuing CA", **keys), *extensions, length=length, end=end)
    return root, issuing


def make():
    root, issuing = authorities()
    leaf = issuing.sign(Party(HOST), usage=SERVER, end=NOW - DAY)
    case("expired-leaf", [leaf, issuing], root, 0, "notAfter", "expired")

    root, issuing = authorities(end=NOW - DAY)
    leaf = issuing.sign(Party(HOST), usage=SERVER)
    case("expired-intermediate", [leaf, issuing], root, 1, "notAfter", "expired")

    root, issuing = authorities()
    leaf = issuing.sign(Party(HOST), usage=SERVER)
    case("wrong-host", [leaf, issuing], root, 0, "subjectAltName", "hostName",
         "--host", "www.bank.example")
    case("missing-intermediate", [leaf], root, 0, "issuer", "issuerNotFound")
    stranger = Party("Another Root")
    stranger.sign(stranger)
    case("unknown-root", [leaf, issuing, root], stranger, 2, "issuer", "untrustedRoot")
    case("pin-mismatch", [leaf, issuing], root, 0, "-", "pins",
         "--host", HOST, "--pin", "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

    root, issuing = authorities(length=0)
    below = issuing.sign(Party("Explained Sub CA"))
    leaf = below.sign(Party(HOST), usage=SERVER)
    case("path-length", [leaf, below, issuing], root, 2, "basicConstraints", "pathLength")

    root, issuing = authorities(
        (x509.NameConstraints([x509.DNSName("bank.example")], None), True))
    leaf = issuing.sign(Party(HOST), usage=SERVER)
    case("name-constraint", [leaf, issuing], root, 0, "subjectAltName", "nameNotPermitted")

    root = Party("Explained Root")
    root.sign(root, end=NOW + 3000 * DAY)
    issuing = root.sign(Party(
        "Explained Issuing CA", key=rsa.generate_private_key(65537, 2048)))
    leaf = issuing.sign(Party(HOST), usage=SERVER)
    leaf.certificate = with_sha1(leaf.certificate, issuing.key)
    case("sha-1", [leaf, issuing], root, 0, "signature", "weakDigest")

    root, issuing = authorities(key=rsa.generate_private_key(65537, 1024))
    leaf = issuing.sign(Party(HOST), usage=SERVER)
    case("rsa-1024", [leaf, issuing], root, 1, "subjectPublicKeyInfo", "weakKey")

    root, issuing = authorities()
    leaf = issuing.sign(
        Party(HOST),
        (x509.UnrecognizedExtension(
            x509.ObjectIdentifier("1.3.6.1.4.1.55738.666.1"), b"\x05\x00"), True),
        usage=SERVER)
    case("critical-extension", [leaf, issuing], root, 0, "extension 1.3.6.1.4.1.55738.666.1",
         "unknownCriticalExtension")

    root, issuing = authorities()
    leaf = issuing.sign(Party(HOST), usage=ExtendedKeyUsageOID.CLIENT_AUTH)
    case("key-usage", [leaf, issuing], root, 0, "extKeyUsage", "extendedKeyUsage")
    hostile()
    lines = [line.replace("extension 1", "extension_1") for line in CASES]
    (FOLDER / "cases.txt").write_text(
        "# case, certificate, field, rule, what is asked\n" + "\n".join(lines) + "\n")


def hostile():
    """Names of markup, quotes, control and bidirectional characters, for the pages and pictures."""
    texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'; }\\\" -> \u202egnp.exe",
        "]]></style><svg onload=\"x\">&amp;"]
    parties = [Party(text) for text in texts]
    parties[0].sign(parties[0])
    for issuer, subject in zip(parties, parties[1:]):
        issuer.sign(subject)
    (FOLDER / "hostile.pem").write_text("".join(
        party.certificate.public_bytes(serialization.Encoding.PEM).decode()
        for party in reversed(parties)))


def with_sha1(certificate, key):
    """The same certificate signed over SHA-1, which no library signs any more: both algorithm
    identifiers differ from those of SHA-256 in their last arc alone."""
    sha256 = bytes.fromhex("06092a864886f70d01010b")
    sha1 = bytes.fromhex("06092a864886f70d010105")
    tbs = certificate.tbs_certificate_bytes.replace(sha256, sha1)
    signature = key.sign(tbs, padding.PKCS1v15(), hashes.SHA1())
    der = certificate.public_bytes(serialization.Encoding.DER)
    der = der.replace(certificate.tbs_certificate_bytes, tbs).replace(sha256, sha1)
    return x509.load_der_x509_certificate(der.replace(certificate.signature, signature))


def explain(tool):
    for line in (FOLDER / "cases.txt").read_text().splitlines()[1:]:
        label, _, _, _, *options = line.split(" ")
        answer = subprocess.run(
            [tool, "verify", "-v", FOLDER / f"{label}.pem", "--anchors", FOLDER / f"{label}.anchor.pem",
             "--at", AT, *options], capture_output=True, text=True)
        (FOLDER / f"{label}.txt").write_text(answer.stdout)
        print(f"{label}: {answer.returncode} {answer.stderr}")


if len(sys.argv) > 1:
    explain(sys.argv[1])
else:
    make()
