#!/usr/bin/env python3
"""Makes what the benchmarks measure: seven chains of a public web server, a mesh of authorities
that leads nowhere, and many names under many constraints.

    python3 make.py

Names, times and shapes are fixed. Keys are new in every run and thrown away, so a further run gives
other octets: the committed files came out of one. Needs pyca/cryptography.
"""
import datetime
import hashlib
import itertools
import json
import pathlib
import secrets
import shutil

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
HOST, OTHER = "www.bench.example.com", "www.other.example.net"
TIME = datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.timezone.utc)
# Leaves of one issuer, for a server that shows a new one each time.
LEAVES = 16

KEYS = {
    "rsa2048": lambda: rsa.generate_private_key(65_537, 2_048),
    "rsa4096": lambda: rsa.generate_private_key(65_537, 4_096),
    "p256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "ed25519": ed25519.Ed25519PrivateKey.generate,
}
CHAINS = {
    "a_rsa2048": ("rsa2048", "rsa2048", "rsa2048"),
    "b_p256": ("p256", "p256", "p256"),
    "c_p256_p384root": ("p384", "p256", "p256"),
    "d_rsa4096root_mixed": ("rsa4096", "rsa2048", "p256"),
    "e_p384": ("p384", "p384", "p384"),
    "f_rsapss2048": ("rsa2048", "rsa2048", "rsa2048"),
    "g_ed25519": ("ed25519", "ed25519", "ed25519"),
}
WITH_MANY_LEAVES = {"a_rsa2048", "b_p256", "e_p384"}


def digest(key):
    """What a key of this kind usually signs with; Ed25519 hashes by itself."""
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return None
    is_long = isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name == "secp384r1"
    return hashes.SHA384() if is_long else hashes.SHA256()


def name(common_name, organization="Holdfast Bench"):
    parts = [(NameOID.COUNTRY_NAME, "SE"), (NameOID.ORGANIZATION_NAME, organization)]
    parts = parts if organization else []
    return x509.Name([
        x509.NameAttribute(kind, value)
        for kind, value in parts + [(NameOID.COMMON_NAME, common_name)]])


def usage(*fields):
    names = [
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
        "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    ]
    return x509.KeyUsage(**{field: field in fields for field in names}), True


def authority(length=None):
    return [
        (x509.BasicConstraints(True, length), True),
        usage("digital_signature", "key_cert_sign", "crl_sign"),
    ]


def web():
    both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    return x509.ExtendedKeyUsage(both), False


def addresses(ca, *, answers=False):
    """Where the list, the issuer and, for a leaf, the answers of an authority are."""
    def uri(text):
        return x509.UniformResourceIdentifier(text)
    kinds = [(AuthorityInformationAccessOID.CA_ISSUERS, "i")]
    kinds = [(AuthorityInformationAccessOID.OCSP, "o")] * answers + kinds
    access = [
        x509.AccessDescription(kind, uri(f"http://{ca}.{letter}.bench.example"))
        for kind, letter in kinds]
    point = x509.DistributionPoint([uri(f"http://{ca}.c.bench.example/120.crl")], None, None, None)
    # Baseline Requirements §7.1.6.1: domain validated.
    policy = x509.PolicyInformation(x509.ObjectIdentifier("2.23.140.1.2.1"), None)
    return [
        (x509.AuthorityInformationAccess(access), False),
        (x509.CRLDistributionPoints([point]), False),
        (x509.CertificatePolicies([policy]), False),
    ]


def timestamps():
    """Two timestamps of the form that RFC 6962 §3.2 has; nobody verifies them."""
    def one():
        body = b"\0" + secrets.token_bytes(32) + int(TIME.timestamp() * 1e3).to_bytes(8, "big")
        numbers = [b"\x02\x20\x5a" + secrets.token_bytes(31) for _ in range(2)]
        signature = b"\x30\x44" + b"".join(numbers)
        body += b"\0\0\x04\x03" + len(signature).to_bytes(2, "big") + signature
        return len(body).to_bytes(2, "big") + body
    both = one() + one()
    octets = len(both).to_bytes(2, "big") + both
    value = b"\x04\x81" + bytes([len(octets)]) + octets
    return x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2"), value), False


class Party:
    def __init__(self, subject, kind="p256"):
        self.subject, self.key = subject, KEYS[kind]()

    def sign(self, other, first, last, extensions, pss=False):
        builder = (
            x509.CertificateBuilder()
            .serial_number(int.from_bytes(b"\x01" + secrets.token_bytes(15), "big"))
            .issuer_name(self.subject).subject_name(other.subject)
            .public_key(other.key.public_key())
            .not_valid_before(datetime.datetime(*first)).not_valid_after(datetime.datetime(*last)))
        identifier = x509.SubjectKeyIdentifier.from_public_key(other.key.public_key())
        extensions = extensions + [(identifier, False)]
        if other is not self:
            issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
            extensions = extensions + [(issuer, False)]
        for value, is_critical in extensions:
            builder = builder.add_extension(value, is_critical)
        options = {}
        if pss:
            options["rsa_padding"] = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
        certificate = builder.sign(self.key, digest(self.key), **options)
        return certificate.public_bytes(serialization.Encoding.DER)


ROOT_TIME = (2020, 1, 1), (2040, 1, 1)
MIDDLE_TIME = (2024, 3, 13), (2029, 3, 12)
LEAF_TIME = (2026, 10, 15), (2027, 1, 13)


def leaf_extensions(names, usages=("digital_signature",), full=True):
    extensions = [
        usage(*usages), web(), (x509.BasicConstraints(False, None), True),
        (x509.SubjectAlternativeName([x509.DNSName(host) for host in names]), False),
    ]
    return extensions + (addresses("e1", answers=True) + [timestamps()] if full else [])


def write(folder, files):
    shutil.rmtree(HERE / folder, ignore_errors=True)
    (HERE / folder).mkdir()
    for file, octets in files.items():
        (HERE / folder / f"{file}.der").write_bytes(octets)


def chain(identifier, kinds):
    pss = "pss" in identifier
    root = Party(name(f"Bench Root {identifier}"), kinds[0])
    middle = Party(name(f"Bench Intermediate {identifier}"), kinds[1])
    usages = ["digital_signature"] + ["key_encipherment"] * kinds[2].startswith("rsa")
    hosts = [HOST, "bench.example.com", "*.api.bench.example.com"]

    def leaf():
        end = Party(name(HOST, None), kinds[2])
        return middle.sign(end, *LEAF_TIME, leaf_extensions(hosts, usages), pss)
    files = {
        "root": root.sign(root, *ROOT_TIME, authority(), pss),
        "intermediate": root.sign(
            middle, *MIDDLE_TIME, authority(0) + [web()] + addresses("r1"), pss),
        "leaf": leaf(),
    }
    if identifier in WITH_MANY_LEAVES:
        files["leaves"] = b"".join(leaf() for _ in range(LEAVES))
    write(identifier, files)
    keys = dict(zip(("root_key", "intermediate_key", "leaf_key"), kinds))
    return {"id": identifier, **keys, "pss": pss}


def mesh(size):
    """Authorities that have all signed each other, below an anchor of the right name whose key is
    another than that which signed them: every path is tried, none holds."""
    anchor, signer = Party(name("Mesh Root")), Party(name("Mesh Root"))
    parties = [Party(name(f"Mesh CA {number}")) for number in range(size)]
    end = Party(name(HOST, None))
    certificates = [
        issuer.sign(subject, *MIDDLE_TIME, authority())
        for subject, issuer in itertools.product(parties, parties + [signer])
        if subject is not issuer]
    write(f"path_mesh_{size}", {
        "leaf": parties[0].sign(end, *LEAF_TIME, leaf_extensions([HOST], full=False)),
        "anchor": anchor.sign(anchor, *ROOT_TIME, authority()),
        **{f"{number:03}": octets for number, octets in enumerate(certificates)},
    })
    return {"id": f"path_mesh_{size}", "intermediates": len(certificates)}


def constraints(names, subtrees):
    """Names, none of which is in any of the subtrees that their authority excludes, and all in the
    last one that it permits."""
    root, middle = Party(name("Constrained Root")), Party(name("Constrained CA"))
    end = Party(name(HOST, None))
    half = subtrees // 2
    permitted = [x509.DNSName(f"p{n}.permitted.example.org") for n in range(half - 1)]
    excluded = [x509.DNSName(f"x{n}.excluded.example.org") for n in range(subtrees - half)]
    limits = x509.NameConstraints(permitted + [x509.DNSName("bench.example.com")], excluded)
    hosts = [HOST] + [f"h{n}.bench.example.com" for n in range(names - 1)]
    identifier = f"path_nc_{names}x{subtrees}"
    write(identifier, {
        "leaf": middle.sign(end, *LEAF_TIME, leaf_extensions(hosts, full=False)),
        "000": root.sign(middle, *MIDDLE_TIME, authority(0) + [(limits, True)]),
        "anchor": root.sign(root, *ROOT_TIME, authority()),
    })
    return {"id": identifier, "intermediates": 1}


def main():
    manifest = {
        "hostname": HOST, "wrong_hostname": OTHER, "time": TIME.isoformat(),
        "time_unix": int(TIME.timestamp()),
        "chains": [chain(*item) for item in CHAINS.items()],
        "pathological": [mesh(8), constraints(1_000, 100)],
    }
    files = sorted(HERE.glob("*/*.der"))
    octets = b"".join(file.read_bytes() for file in files)
    manifest["files"], manifest["sha256"] = len(files), hashlib.sha256(octets).hexdigest()
    (HERE / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


if __name__ == "__main__":
    main()
