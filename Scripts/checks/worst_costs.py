"""Makes the most expensive inputs of at most 4 MiB, runs the tool on each, and prints a table.

    python3 worst_costs.py TOOL [NAME …]

Some need no key: certificates whose signatures are nothing. Others need a customer of an authority: they
are signed here, with keys that are thrown away. With names, only those inputs are made. Time is that of
the processor, user and system, the least of three runs. The exit status is 1 if one takes longer than
the limit and is not answered by `exhausted`.
"""
import base64
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Vectors"))
from encoder import integer, oid, tlv as der

LIMIT = 0.5
MOST = 4 << 20
TIME = "2026-01-01T00:00:00Z"
HOST = "www.good.example"
INPUTS = {}


def worst(function):
    INPUTS[function.__name__.replace("_", "-")] = function
    return function


def bits(content):
    return der(3, b"\0", content)


def attribute(text, kind="2.5.4.3", tag=0x0C):
    return der(0x30, oid(kind), der(tag, text if isinstance(text, bytes) else text.encode()))


def name(*sets):
    """Encodes a name from relative names, each a text or a list of attributes."""
    return der(0x30, *(
        der(0x31, *([attribute(part)] if isinstance(part, (str, bytes)) else part))
        for part in sets))


def extension(kind, value, critical=False):
    return der(0x30, oid(kind), b"\1\1\xff" if critical else b"", der(4, value))


def dns(text):
    return der(0x82, text.encode())


ED25519 = der(0x30, oid("1.3.101.112"))
CA = extension("2.5.29.19", der(0x30, b"\1\1\xff"), True)


def alternative(*names):
    return extension("2.5.29.17", der(0x30, *names))


def constraints(permitted=(), excluded=()):
    def trees(tag, bases):
        return der(tag, *(der(0x30, base) for base in bases)) if bases else b""
    return extension("2.5.29.30", der(0x30, trees(0xA0, permitted), trees(0xA1, excluded)), True)


def identifiers(own, issuers):
    return (extension("2.5.29.14", der(4, own))
            + extension("2.5.29.35", der(0x30, der(0x80, issuers))))


class Key:
    def __init__(self):
        self.private = ed25519.Ed25519PrivateKey.generate()
        self.info = self.private.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


KEYS = [Key() for _ in range(12)]
ROOT, LEAF = KEYS[0], KEYS[1]
count = 0


def certificate(subject, issuer, *extensions, key=LEAF, signer=None, info=None, serial=None):
    """Makes a certificate; without a signer its signature is only a number."""
    global count
    count += 1
    if isinstance(subject, str):
        subject = name(subject)
    if isinstance(issuer, str):
        issuer = name(issuer)
    tbs = der(
        0x30, der(0xA0, integer(2)), serial or integer(count), ED25519, issuer,
        der(0x30, der(0x17, b"250101000000Z"), der(0x17, b"270101000000Z")), subject,
        info or key.info, der(0xA3, der(0x30, *extensions)) if extensions else b"")
    signature = signer.private.sign(tbs) if signer else count.to_bytes(64, "big")
    return der(0x30, tbs, ED25519, bits(signature))


ROOT_CERTIFICATE = certificate("Root", "Root", CA, key=ROOT, signer=ROOT)
SERVER = alternative(dns(HOST))


def leaf(issuer="Root", *extensions, signer=ROOT, subject="Leaf", names=SERVER):
    return certificate(subject, issuer, names, *extensions, signer=signer)


def pem(content, label="CERTIFICATE"):
    text = base64.b64encode(content).decode()
    lines = "\n".join(text[place:place + 64] for place in range(0, len(text), 64))
    return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n"


class Case:
    """An input: the files, and the command that reads them."""

    # The number of validations; each may take as long as the limit.
    questions = 1

    def __init__(self, about, files, *command):
        self.about = about
        self.files = {key: value if isinstance(value, bytes) else value.encode()
                      for key, value in files.items()}
        self.command = command


def verify(about, chain, *more, anchors=(ROOT_CERTIFICATE,), **files):
    """Makes a chain for `verify`, cut to the size limit."""
    return Case(
        about, {"chain.pem": fit(map(pem, chain)), "root.pem": "".join(map(pem, anchors)), **files},
        "verify", "chain.pem", "--anchors", "root.pem", "--host", HOST, "--at", TIME, *more)


def fit(texts):
    whole, size = [], 0
    for text in texts:
        size += len(text)
        if size > MOST:
            break
        whole.append(text)
    return "".join(whole)


def batch(about, chain, anchors=(ROOT_CERTIFICATE,), **more):
    """Makes a line for `batch`."""
    line = {"chain": [], "anchors": list(map(text, anchors)), "host": HOST, "time": TIME,
            "rules": "rfc5280", **more}
    size = len(json.dumps(line))
    for item in map(text, chain):
        size += len(item) + 4
        if size > MOST or len(line["chain"]) == 256:
            break
        line["chain"].append(item)
    return Case(about, {"lines.ndjson": json.dumps(line) + "\n"}, "batch", "lines.ndjson", "--jobs", "1")


def text(content):
    return base64.b64encode(content).decode()


# Merkle trees.

TREES = pathlib.Path(__file__).parents[2] / "Vectors" / "merkle" / "trust-05.json"


def vector(size, content):
    """Encodes bytes after their length, as TLS does."""
    return len(content).to_bytes(size, "big") + content


def below_a_tree(about, hashes, *cosignatures, start=0, end=1 << 20, log=2):
    """Makes a chain of CAs with one name, each with another proof in the tree of the vectors."""
    trust = TREES.read_text()
    tree = x509.load_der_x509_certificate(base64.b64decode(json.loads(trust)["trees"][0]["certificate"]))
    algorithm = der(0x30, oid("1.3.6.1.4.1.44363.47.0"))
    validity = der(0x30, der(0x17, b"260101000000Z"), der(0x17, b"261231000000Z"))
    signatures = b"".join(vector(1, name) + vector(2, signature) for name, signature in cosignatures)

    def authority(index):
        proof = b"\0\0" + start.to_bytes(6, "big") + end.to_bytes(6, "big")
        proof += vector(2, index.to_bytes(32, "big") * hashes) + vector(2, signatures)
        tbs = der(
            0x30, der(0xA0, integer(2)), integer(log << 48 | index), algorithm, tree.subject.public_bytes(),
            validity, name("Same"), LEAF.info, der(0xA3, der(0x30, CA)))
        return der(0x30, tbs, algorithm, bits(proof))
    chain = [leaf("Same", signer=None)] + [authority(start + number) for number in range(9000)]
    return verify(about, chain, "--merkle-trust", "trust.json", **{"trust.json": trust})


@worst
def proofs_of_a_landmark():
    return below_a_tree("3,460 CAs in a Merkle tree, whose proofs lead to another hash", 20)


@worst
def proofs_of_cosigners():
    cosignatures = [(bytes([0x81, 0, number]), bytes(8)) for number in range(128)]
    return below_a_tree(
        "1,320 CAs in a Merkle tree, with cosignatures of 128 unknown cosigners", 9, *cosignatures,
        start=1024, end=1536, log=1)


# Names.

def wide(number, size):
    """Makes a relative name of many attributes, the same for each call but in another order."""
    parts = [attribute(f"a{place:05}") for place in range(size)]
    turn = number % size
    return name(parts[turn:] + parts[:turn])


@worst
def wide_relative_names():
    chain = [certificate("Leaf", wide(0, 600), SERVER)]
    chain += [certificate(wide(n, 600), wide(n + 1, 600), CA) for n in range(1, 256)]
    return batch("256 certificates, each name one RDN of 600 attributes in another order", chain)


@worst
def wide_relative_names_in_a_file():
    lines = json.loads(wide_relative_names().files["lines.ndjson"])
    return verify("the same in a PEM file", (base64.b64decode(item) for item in lines["chain"]))


@worst
def names_of_16_attributes():
    def folded(number):
        letters = "".join(
            c.upper() if number >> i & 1 else c for i, c in enumerate("abcdefgh")) * 80
        parts = [attribute(letters + chr(65 + place)) for place in range(16)]
        return name(parts[number % 16:] + parts[:number % 16])
    chain = [certificate("Leaf", folded(0), SERVER)]
    chain += [certificate(folded(n), folded(n + 1), CA) for n in range(1, 256)]
    return batch("255 CAs with equal names of 10 kB, each in another case and order", chain)


@worst
def anchors_of_one_long_name():
    small, large = "ab" * 5000, "AB" * 5000
    chain = [leaf("N", signer=None)]
    chain += [certificate("N", large, CA) for _ in range(110)]
    anchors = [certificate(small, small, CA) for _ in range(110)]
    return batch("110 anchors with one name of 10 kB, and 110 CAs with that issuer in another case", chain, anchors)


@worst
def many_anchors_of_one_name():
    chain = [leaf("Same", signer=None)]
    chain += [certificate("Same", "Same", CA) for _ in range(255)]
    anchors = [certificate("Same", "Same", identifiers(bytes(20), bytes(20)), CA)
               for _ in range(7000)]
    size = sum(len(pem(anchor)) for anchor in anchors)
    while size > MOST - 200_000:
        size -= len(pem(anchors.pop()))
    return verify(f"{len(anchors)} anchors and 255 CAs, all with one name", chain, anchors=anchors)


@worst
def long_key_identifiers():
    same = b"\xA5" * 5000
    chain = [certificate("Leaf", "Same", SERVER, identifiers(same + b"\0\0", same + b"\0\0"))]
    chain += [certificate("Same", "Same", CA, identifiers(
        same + n.to_bytes(2, "big"), same + (n * 7 % 256).to_bytes(2, "big"))) for n in range(256)]
    return batch("256 CAs with one name, and key identifiers of 5 kB that differ at the end", chain)


@worst
def same_name_and_identifiers():
    same = bytes(20)
    chain = [certificate("Leaf", "Same", SERVER, identifiers(same, same))]
    chain += [certificate("Same", "Same", CA, identifiers(same, same),
                          info=Key().info) for _ in range(256)]
    return batch("256 CAs with one name and one key identifier, but different keys", chain)


@worst
def mesh():
    chain = [certificate("Leaf", "N0", SERVER)]
    chain += [certificate(f"N{a}", f"N{b}", CA, info=KEYS[a % 12].info)
              for a in range(16) for b in range(16) if a != b]
    return verify("16 CAs, each issued by all others", chain)


@worst
def mesh_explained():
    case = mesh()
    case.about += ", with every broken rule of each path"
    case.command = (*case.command, "-v")
    return case


@worst
def long_names_in_rejections():
    long = "long name " * 1000
    chain = [certificate("Leaf", long + "0", SERVER)]
    chain += [certificate(f"{long}{n}", f"{long}{n + 1}", CA) for n in range(256)]
    return batch("a chain of 140 CAs with names of 10 kB that leads to no anchor", chain)


@worst
def many_long_rejections():
    chain = [certificate("Leaf", "Same", SERVER)]
    chain += [certificate("Same", name("Other", "ÄÖ" * 3000), CA) for n in range(220)]
    return batch("220 CAs with one name, whose issuers have names of 12 kB and are missing", chain)


@worst
def long_names_explained():
    case = verify("the same, explained in JSON", [], "-v")
    lines = json.loads(many_long_rejections().files["lines.ndjson"])
    case.files["chain.pem"] = fit(pem(base64.b64decode(item)) for item in lines["chain"]).encode()
    case.command += ("--json",)
    return case


@worst
def long_serial_numbers():
    chain = [certificate("Leaf", "Same", SERVER)]
    chain += [certificate(der(0x30), "Same", CA, serial=der(2, b"\1" * 40000)) for n in range(64)]
    chain += [certificate("Same", "Nowhere", CA, serial=der(2, b"\1" * 40000)) for n in range(60)]
    return batch("70 certificates with serial numbers of 40 kB", chain)


@worst
def mesh_on_a_page():
    case = mesh()
    case.about = "the 16 CAs as an HTML page"
    case.command = (*case.command, "--html", "-")
    return case


@worst
def long_names_on_a_page():
    case = long_names_explained()
    case.about = "the 220 CAs as an HTML page"
    case.command = (*[part for part in case.command if part != "--json"], "--html", "-")
    return case


@worst
def graph_of_a_mesh():
    return Case("the graph of 32 CAs, each issued by all others", {"chain.pem": fit(
        pem(certificate(f"N{a}", f"N{b}", CA, info=KEYS[a % 12].info))
        for a in range(32) for b in range(32) if a != b)}, "graph", "chain.pem")


@worst
def graph_of_one_name():
    return Case("the graph of 9,000 certificates with one name", {"chain.pem": fit(
        pem(certificate("Same", "Same", CA)) for _ in range(9000))}, "graph", "chain.pem")


@worst
def graph_of_long_names():
    case = long_names_explained()
    return Case("the graph of 220 certificates with names of 12 kB", case.files, "graph", "chain.pem")


@worst
def many_oddities_explained():
    odd = der(0x31, attribute("b"), attribute("a"))
    subject = [der(0x30, odd * 1000, der(0x31, attribute(f"N{n}"))) for n in range(9)]
    chain = [certificate(der(0x30, odd * 1000), subject[0], SERVER)]
    chain += [certificate(subject[n], subject[n + 1], CA) for n in range(8) for _ in range(6)]
    return verify("48 CAs with 2,000 encoding deviations each, with every broken rule", chain,
                  "--rules", "strict", "--json", "-v")


@worst
def one_signature_on_all():
    def copy(number):
        return certificate("Same", "Same", CA, serial=integer(number))[:-64] + bytes(64)
    return verify("8,000 certificates with one name and one signature, as an HTML page",
                  [leaf("Same", signer=None)] + [copy(n) for n in range(8000)], "--html", "-")


# Signed paths that the customer of a CA can make: layers of CAs, where all CAs of a layer share a key,
# so that each signature is verified once and there are 9 ** 8 paths.

def layers(*extensions, width=9, depth=8, ends=(), names=SERVER):
    chain = [leaf("L0", *ends, signer=KEYS[2], names=names)]
    for layer in range(depth):
        issuer, signer = ("Root", ROOT) if layer == depth - 1 else (f"L{layer + 1}", KEYS[layer + 3])
        chain += [certificate(f"L{layer}", issuer, CA, *extensions, key=KEYS[layer + 2], signer=signer)
                  for _ in range(width)]
    return chain


@worst
def paths_with_constraints():
    bases = [dns(f"d{n}.example") for n in range(1800)]
    return verify("72 CAs in 8 layers with 1,800 excluded subtrees each, all correctly signed",
                  layers(constraints(excluded=bases + [dns("good.example")])), "--rules", "rfc5280")


@worst
def paths_with_mailbox_constraints():
    bases = [der(0x81, (f"{n}" + "a" * 1500 + "@example.com").encode()) for n in range(16)]
    people = alternative(dns(HOST), *(der(0x81, f"p{n}@example.com".encode()) for n in range(120)))
    return verify("the same with 16 excluded mailboxes of 1.5 kB each, and 120 mailboxes in the leaf",
                  layers(constraints(excluded=bases + [dns("good.example")]), names=people),
                  "--rules", "rfc5280")


@worst
def paths_with_names():
    names = alternative(*(dns(f"h{n}") for n in range(4500)))
    return verify("the same with 4,500 DNS names and one excluded subtree each",
                  layers(names, constraints(excluded=[dns("good.example")])), "--rules", "rfc5280")


@worst
def paths_with_policies():
    notice = der(0x30, oid("1.3.6.1.5.5.7.2.1"), der(0x16, b"x" * 100))
    policies = extension("2.5.29.32", der(0x30, *(
        der(0x30, oid(f"1.2.3.{n}"), der(0x30, notice)) for n in range(256))), True)
    return verify("the same with 256 policies each, and a policy required that the leaf lacks",
                  layers(policies, extension("2.5.29.36", der(0x30, der(0x80, b"\0")), True)),
                  "--rules", "rfc5280")


@worst
def paths_with_mappings():
    names = [oid(f"1.2.3.{n}") for n in range(16)]
    policies = extension("2.5.29.32", der(0x30, *(der(0x30, item) for item in names)))
    mappings = extension("2.5.29.33", der(0x30, *(der(0x30, a, b) for a in names for b in names)))
    return verify("the same with 16 policies each, mapped to all 16",
                  layers(policies, mappings, constraints(excluded=[dns("good.example")]),
                         ends=(policies,)), "--rules", "rfc5280")


@worst
def paths_explained():
    case = paths_with_constraints()
    case.about = "the 1,800 subtrees again, with every broken rule of each path"
    case.command = (*case.command, "-v")
    return case


def below(about, constraint, names, *more):
    authority = certificate("A", "Root", CA, constraint, key=KEYS[2], signer=ROOT)
    return verify(about, [leaf("A", signer=KEYS[2], names=alternative(*names)), authority], *more)


@worst
def names_and_constraints():
    return below("3,500 DNS names under 3,000 excluded subtrees",
                 constraints(excluded=[dns(f"d{n}.example") for n in range(3000)]),
                 [dns(HOST)] + [dns(f"h{n}.e{n}.net") for n in range(3500)], "--rules", "rfc5280")


@worst
def doubtful_names_and_constraints():
    def directory(text, tag):
        return der(0xA4, name([attribute(text, "2.5.4.10", tag)]))
    return below("1,800 directory names in TeletexString under 1,800 excluded ones",
                 constraints(excluded=[directory(f"d{n:05}", 0x0C) for n in range(1800)]),
                 [dns(HOST)] + [der(0xA4, name([attribute(f"e{n:05}", "2.5.4.3", 0x14)]))
                                for n in range(1800)], "--rules", "rfc5280")


@worst
def long_doubtful_names():
    def directory(text, tag):
        return der(0xA4, name(*([attribute(part, "2.5.4.10", tag)] for part in text)))
    return below("8 directory names of 500 RDNs under 8 excluded ones that differ at the end",
                 constraints(excluded=[directory(["d"] * 500 + [f"e{n}"], 0x14) for n in range(8)]),
                 [dns(HOST)] + [directory(["D"] * 500 + [f"f{n}"], 0x14) for n in range(8)],
                 "--rules", "rfc5280")


# Keys.

@worst
def keys_of_16_kilobytes():
    def rsa(number):
        modulus = (1 << 131071) + 2 * number + 1
        return der(0x30, der(0x30, oid("1.2.840.113549.1.1.1"), b"\5\0"),
                   bits(der(0x30, integer(modulus), integer(65537))))
    chain = [certificate("Leaf", "Same", SERVER)]
    chain += [certificate("Same", "Root", CA, info=rsa(n)) for n in range(180)]
    return batch("180 RSA keys of 131,072 bits", chain)


@worst
def slow_keys():
    algorithm = der(0x30, oid("1.2.840.113549.1.1.11"), b"\5\0")

    def rsa(number):
        modulus = (1 << 16384) - 2 * number - 1
        return der(0x30, der(0x30, oid("1.2.840.113549.1.1.1"), b"\5\0"),
                   bits(der(0x30, integer(modulus), integer((1 << 33) - 1))))
    tbs = der(0x30, der(0xA0, integer(2)), integer(1), algorithm, name("Same"),
              der(0x30, der(0x17, b"250101000000Z"), der(0x17, b"270101000000Z")), name("Leaf"),
              LEAF.info, der(0xA3, der(0x30, SERVER)))
    chain = [der(0x30, tbs, algorithm, bits(b"\x55" * 2048))]
    chain += [certificate("Same", "Root", CA, info=rsa(n)) for n in range(200)]
    return batch("200 RSA keys of 16,384 bits with the longest exponent", chain)


# Encodings.

@worst
def many_small_blocks():
    return Case("10,000 PEM blocks without a certificate in them", {
        "chain.pem": "".join(pem(bytes(200)) for _ in range(10000)), "root.pem": pem(ROOT_CERTIFICATE)},
        "verify", "chain.pem", "--anchors", "root.pem", "--host", HOST, "--at", TIME)


@worst
def many_certificates():
    small = [certificate("A", "B") for _ in range(10000)]
    return verify("a chain of 9,000 small certificates", [leaf()] + small)


@worst
def lines_that_are_no_pem():
    return Case("150,000 BEGIN lines without an END", {
        "chain.pem": "-----BEGIN CERTIFICATE-----\n" * (MOST // 28), "root.pem": pem(ROOT_CERTIFICATE)},
        "verify", "chain.pem", "--anchors", "root.pem", "--host", HOST, "--at", TIME)


@worst
def deep_nesting():
    def nested(depth):
        content = b"\5\0"
        for _ in range(depth):
            content = der(0x30, content)
        return content
    deep = name([der(0x30, oid("2.5.4.3"), nested(30))] * 8, *(
        [der(0x30, oid("2.5.4.3"), nested(30))] for _ in range(500)))
    chain = [certificate(deep, "Root", SERVER) for _ in range(70)]
    chain += [certificate(der(0x30, der(0x31, der(0x30, oid("2.5.4.3"), nested(9000)))), "Root")
              for _ in range(60)]
    return batch("values nested to 30 levels, and to 9,000", chain)


@worst
def many_extensions():
    chain = [certificate("Leaf", "Root", SERVER, *(
        extension(f"1.2.3.{n}", b"x" * 700) for n in range(62))) for _ in range(60)]
    chain += [certificate("Leaf", "Root", *(
        extension(f"1.2.3.{n}", b"") for n in range(4000))) for _ in range(40)]
    return batch("60 certificates with 63 extensions, 40 with 4,000", chain)


@worst
def batch_of_short_lines():
    case = Case("1.4 million lines with an empty object", {"lines.ndjson": "{}\n" * (MOST // 3)},
                "batch", "lines.ndjson", "--anchors", "root.pem", "--jobs", "1")
    case.questions = MOST // 3
    return case


@worst
def batch_of_a_long_line():
    return Case("a line of 4 MiB of opening brackets", {"lines.ndjson": '{"chain":' + "[" * (MOST - 20)},
                "batch", "lines.ndjson", "--anchors", "root.pem", "--jobs", "1")


@worst
def batch_of_a_long_string():
    return Case("a line with a string of 700,000 escapes", {"lines.ndjson": '{"host":"' + "\\u0061" * (MOST // 6 - 9) + '"}'},
                "batch", "lines.ndjson", "--anchors", "root.pem", "--jobs", "1")


@worst
def inspected_small():
    return Case("9,000 small certificates", {"chain.pem": fit(
        pem(certificate("A", "B")) for _ in range(9000))}, "inspect", "chain.pem")


@worst
def inspected():
    case = paths_with_names()
    return Case("the 72 certificates with 4,500 names each", case.files, "inspect", "chain.pem", "--json")


# Revocation.

def revocation_list(entries, issuer="Root", signer=ROOT, *extensions):
    tbs = der(0x30, integer(1), ED25519, name(issuer), der(0x17, b"251201000000Z"),
              der(0x17, b"260201000000Z"), der(0x30, *entries) if entries else b"",
              der(0xA0, der(0x30, extension("2.5.29.20", integer(1)), *extensions)))
    return der(0x30, tbs, ED25519, bits(signer.private.sign(tbs)))


@worst
def revocation_list_of_4_megabytes():
    entries = [der(0x30, integer(n + (1 << 40)), der(0x17, b"251101000000Z")) for n in range(160_000)]
    return verify("a CRL with 160,000 entries", [leaf()], "--crl", "list.crl", "--revocation",
                  "required", **{"list.crl": revocation_list(entries)[:MOST]})


@worst
def many_revocation_lists():
    lists = "".join(pem(revocation_list([], "Root", KEYS[n % 12]), "X509 CRL") for n in range(9000))
    return verify("9,000 CRLs of the right issuer, most signed with another key", [leaf()], "--crl", "list.pem",
                  "--revocation", "required", **{"list.pem": lists[:MOST]})


@worst
def signers_off_the_path():
    usage = extension("2.5.29.15", der(3, b"\1\2"), True)
    chain = [leaf()] + [certificate("Root", "Root", usage, CA, info=KEYS[n % 12].info)
                        for n in range(250)]
    lists = "".join(pem(revocation_list([], "Root", KEYS[n % 12]), "X509 CRL") for n in range(250))
    return verify("250 CRLs, and 250 certificates that may have signed them", chain, "--crl",
                  "list.pem", "--revocation", "required", **{"list.pem": lists})


@worst
def staple_of_1_megabyte():
    def single(number):
        digest = der(0x30, oid("1.3.14.3.2.26"), b"\5\0")
        padding = der(0x30, oid("1.3.6.1.4.1.55738.1"), der(4, bytes(880)))
        return der(0x30, der(0x30, digest, der(4, number.to_bytes(20, "big")), der(4, bytes(20)),
                             integer(number)), b"\x80\0", der(0x18, b"20251201000000Z"),
                   der(0xA1, der(0x30, padding)))
    data = der(0x30, der(0xA1, name("Root")), der(0x18, b"20251201000000Z"),
               der(0x30, *(single(n) for n in range(1_000))))
    basic = der(0x30, data, ED25519, bits(ROOT.private.sign(data)))
    answer = der(0x30, der(10, b"\0"), der(0xA0, der(
        0x30, oid("1.3.6.1.5.5.7.48.1.1"), der(4, basic))))
    return verify("an OCSP response of 1 MiB about 1,000 other certificates", [leaf()], "--ocsp",
                  "answer.der", "--revocation", "required", **{"answer.der": answer})


# Merkle trees.

TREE = "1.3.6.1.4.1.44363.47"


def proof(cosignatures, extensions=b"", hashes=b"", end=1):
    """Makes a proof of the entry 0 of a log, among those before `end`. Draft -06."""
    def vector(size, content):
        return len(content).to_bytes(size, "big") + content
    wire = b"".join(vector(1, who) + vector(2, value) for who, value in cosignatures)
    return (vector(2, extensions) + bytes(6) + end.to_bytes(6, "big") + vector(2, hashes)
            + vector(3, wire))


def in_a_tree(subject, info, make, *extensions):
    """Makes a certificate of the entry 0 of log 1, with the proof that `make` returns for its hash."""
    algorithm = der(0x30, oid(f"{TREE}.0"))
    issuer = name([attribute(b"\1", f"{TREE}.3", 13)])
    parts = (der(0xA0, integer(2)), issuer,
             der(0x30, der(0x17, b"250101000000Z"), der(0x17, b"270101000000Z")), name(subject))
    rest = der(0xA3, der(0x30, *extensions))
    key = info[2:] if info[1] < 128 else info[2 + info[1] - 128:]
    entry = (b"\0\0\0\0\1" + b"".join(parts) + key[:2 + key[1]]
             + der(4, hashlib.sha256(info).digest()) + rest)
    tbs = der(0x30, parts[0], integer(1 << 48), algorithm, *parts[1:], info, rest)
    return der(0x30, tbs, algorithm, bits(make(hashlib.sha256(entry).digest())))


def in_trees(about, chain, cosigners=()):
    """Asks about a chain below the tree of the CA 1, all of whose cosigners must sign."""
    unsigned = der(0x30, oid("1.3.6.1.5.5.7.6.36"))
    authority = der(0x30, ED25519, integer(1 << 48), integer((1 << 64) - 1))
    tbs = der(
        0x30, der(0xA0, integer(2)), integer(1), unsigned, name("nobody"),
        der(0x30, der(0x17, b"250101000000Z"), der(0x17, b"270101000000Z")),
        name([attribute(b"\1", f"{TREE}.3", 13)]), ROOT.info, der(0xA3, der(
            0x30, CA, extension("2.5.29.15", bits(b"\4"), True),
            extension(f"{TREE}.4", authority, True))))
    trust = {"merkle_trust": 1, "good_until": "2026-06-01T00:00:00Z", "trees": [{
        "draft": "06", "certificate": text(der(0x30, tbs, unsigned, bits(b""))),
        "cosigners": [{"id": who, "key": text(key)} for who, key in cosigners],
        "quorums": [{"count": len(cosigners), "of": [who for who, _ in cosigners]}]
        if cosigners else []}]}
    return verify(about, chain, "--merkle-trust", "trust.json", **{"trust.json": json.dumps(trust)})


def subtree_signature(value, end=1):
    """The CA's own signature on the entries before `end`."""
    origin = b"oid/1.3.6.1.4.1.1"
    message = (b"subtree/v1\n\0" + bytes([len(origin)]) + origin + bytes(8)
               + bytes([len(origin) + 4]) + origin + b".0.1" + bytes(8) + end.to_bytes(8, "big")
               + value)
    return ROOT.private.sign(message)


@worst
def proofs_with_many_bad_signatures():
    lattice = der(0x30, oid("2.16.840.1.101.3.4.3.19"))
    cosigners = [(str(2 + number), der(0x30, lattice, bits(random.Random(number).randbytes(2592))))
                 for number in range(12)]
    # All but the hints, which are none, is random: most such signatures are wrong only at the end.
    wrong = random.Random(99).randbytes(4627 - 83) + bytes(83)

    def make(value):
        return proof([(b"\1", subtree_signature(value))]
                     + [(bytes([int(who)]), wrong) for who, _ in cosigners])
    certificates = [
        in_a_tree("CA in a tree", KEYS[2].info, make, CA, extension(
            "1.3.6.1.4.1.55738.1", number.to_bytes(2, "big")))
        for number in range(60)]
    return in_trees("CAs in a tree with 12 bad signatures of ML-DSA-87 each, as many as fit",
                    [leaf("CA in a tree", signer=KEYS[2])] + certificates, cosigners)


@worst
def proofs_of_many_hashes():
    def make(value):
        return proof([(b"\1", bytes(64))], hashes=bytes(48 * 32), end=(1 << 48) - 1)
    certificates = [
        in_a_tree("CA in a tree", KEYS[2].info, make, CA, alternative(dns("a" * 63)), extension(
            "1.3.6.1.4.1.55738.1", number.to_bytes(9_000, "big")))
        for number in range(255)]
    return in_trees("255 CAs in a tree by 48 hashes, and bad signatures",
                    [leaf("CA in a tree", signer=KEYS[2])] + certificates)


def run(tool, case, folder):
    """Runs a case; returns time, peak memory, outcome and the length of the output."""
    folder = pathlib.Path(folder)
    (folder / "root.pem").write_text(pem(ROOT_CERTIFICATE))
    for file, content in case.files.items():
        (folder / file).write_bytes(content)
    command = [sys.executable, "-S", "-E", "-c", MEASURE, str(folder), tool, *case.command]
    measured = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    status, seconds, memory = map(float, measured.split())
    text = (folder / "out").read_text(errors="replace")
    return seconds, int(memory) // 1024, outcome(int(status), text), len(text)


# A process is charged for the memory of the process that forked it, so a small one must fork.
MEASURE = """
import os, sys
os.chdir(sys.argv[1])
child = os.fork()
if child == 0:
    for number, file in [(1, "out"), (2, "err")]:
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.execv(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


def outcome(status, text):
    for limit in ["publicKeyOperations", "steps", "work", "pathLength", "candidates"]:
        if f" {limit} reached" in text or f'"limit":{{"name":"{limit}"' in text:
            return f"exhausted: {limit}"
    if '"verdict":"exhausted"' in text:
        return "exhausted"
    if status < 0:
        return f"ended by signal {-status}"
    if text.startswith("<") or text.startswith("digraph"):
        return "answered"
    for word in ["unreadable", "rejected", "trusted"]:
        if f'"verdict":"{word}"' in text or text.startswith((f"✓ {word}", f"✗ {word}")):
            return word
    return {0: "answered", 1: "rejected", 2: "usage", 3: "unreadable", 4: "unreachable"}.get(status, str(status))


def main(tool, *chosen):
    tool = os.path.abspath(tool)
    if unknown := set(chosen) - set(INPUTS):
        sys.exit(f"no input is called {', '.join(sorted(unknown))}; there are: {' '.join(INPUTS)}")
    print("| input | command | size | time | memory | answer | outcome |")
    print("|---|---|---|---|---|---|---|")
    is_good = True
    for key, make in INPUTS.items():
        if chosen and key not in chosen:
            continue
        case = make()
        size = max(len(content) for content in case.files.values())
        assert size <= MOST + 64, f"{key} has {size} bytes"
        with tempfile.TemporaryDirectory() as folder:
            runs = [run(tool, case, folder) for _ in range(3)]
        seconds, memory, ending, answer = min(runs)
        # Commands that only show files have no budget.
        judges = case.command[0] in ("verify", "batch")
        slow = judges and seconds > LIMIT * case.questions
        is_good = is_good and not slow and not ending.startswith("ended")
        print(f"| {case.about} | `{case.command[0]}` | {size / 1e6:.1f} MB "
              f"| {seconds * 1000:.0f} ms | {memory} MiB "
              f"| {answer / 1e3:.1f} kB | {ending}{' **slow**' if slow else ''} |", flush=True)
        if chosen:
            print(key, file=sys.stderr)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
