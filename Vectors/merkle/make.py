#!/usr/bin/env python3
"""Writes the vectors of Merkle Tree Certificates: drafts -05 and -06 of
draft-ietf-plants-merkle-tree-certs, valid and broken.

certificates.pem   each certificate, after a line with its name
NAME.pem           chains for a command line
trust-*.json       what a caller trusts, in the format of Holdfast
cases.txt          `name trust time chain verdict`, and for a rejection
                   `rule=NAME text=WORDS`, with _ for spaces; chain is names
                   joined by commas

The script follows the drafts and shares no code with the library: it has its
own DER, trees and proofs. ECDSA and Ed25519 are pyca/cryptography's, ML-DSA
is dilithium-py's. All keys come from fixed numbers, and all signatures are
deterministic, so the same bytes come out each time.
"""

import base64
import hashlib
import json
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87

HERE = pathlib.Path(__file__).parent
NOW = "2026-06-01T00:00:00Z"
HOST = "tree.example"


def tlv(tag, *parts):
    content = b"".join(parts)
    size = len(content)
    if size < 128:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def base128(number):
    groups = [number & 0x7F]
    while number := number >> 7:
        groups.insert(0, number & 0x7F | 0x80)
    return bytes(groups)


def oid(text):
    first, second, *rest = map(int, text.split("."))
    return tlv(6, base128(40 * first + second), *map(base128, rest))


def relative(text):
    return b"".join(base128(int(arc)) for arc in text.split("."))


def integer(number):
    return tlv(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def vector(size, content):
    return len(content).to_bytes(size, "big") + content


def sequence(*parts):
    return tlv(0x30, *parts)


def bits(content, unused=0):
    return tlv(3, bytes([unused]), content)


def sha(content):
    return hashlib.sha256(content).digest()


ARC = "1.3.6.1.4.1.44363.47"
PROOF = sequence(oid(ARC + ".0"))
ECDSA = {256: "1.2.840.10045.4.3.2", 384: "1.2.840.10045.4.3.3"}


class Key:
    """A key that signs: SubjectPublicKeyInfo, algorithm, and signatures."""

    def __init__(self, kind, seed):
        self.kind = kind
        if kind in ("p256", "p384"):
            self.bits = int(kind[1:])
            curve = {256: ec.SECP256R1(), 384: ec.SECP384R1()}[self.bits]
            self.private = ec.derive_private_key(1000003 + seed, curve)
            self.algorithm = sequence(oid(ECDSA[self.bits]))
        elif kind == "ed25519":
            self.private = ed25519.Ed25519PrivateKey.from_private_bytes(sha(b"%d" % seed))
            self.algorithm = sequence(oid("1.3.101.112"))
        else:
            self.set, number = {
                "mldsa44": (ML_DSA_44, 17), "mldsa65": (ML_DSA_65, 18), "mldsa87": (ML_DSA_87, 19)
            }[kind]
            self.public, self.private = self.set.key_derive(sha(b"%d" % seed))
            self.algorithm = sequence(oid(f"2.16.840.1.101.3.4.3.{number}"))
            self.spki = sequence(self.algorithm, bits(self.public))
            return
        self.spki = self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, message):
        if self.kind == "ed25519":
            return self.private.sign(message)
        if self.kind in ("p256", "p384"):
            digest = {256: hashes.SHA256(), 384: hashes.SHA384()}[self.bits]
            return self.private.sign(message, ec.ECDSA(digest, deterministic_signing=True))
        return self.set.sign(self.private, message, deterministic=True)


# Trees.


def split(count):
    size = 1
    while 2 * size < count:
        size *= 2
    return size


def tree_hash(leaves):
    if len(leaves) == 1:
        return leaves[0]
    middle = split(len(leaves))
    return sha(b"\1" + tree_hash(leaves[:middle]) + tree_hash(leaves[middle:]))


def inclusion(index, leaves):
    if len(leaves) == 1:
        return []
    middle = split(len(leaves))
    if index < middle:
        return inclusion(index, leaves[:middle]) + [tree_hash(leaves[middle:])]
    return inclusion(index - middle, leaves[middle:]) + [tree_hash(leaves[:middle])]


def path_of(start, end, index):
    """For each level from the entry up: whether the sibling is on the left."""
    if end - start == 1:
        return []
    middle = start + split(end - start)
    if index < middle:
        return path_of(start, middle, index) + [False]
    return path_of(middle, end, index) + [True]


# Certificates.


def extension(number, critical, value):
    return sequence(oid(number), tlv(1, b"\xff") if critical else b"", tlv(4, value))


def time(text):
    return tlv(0x17, text.encode())


VALIDITY = sequence(time("260101000000Z"), time("261231235959Z"))


def common_name(text):
    return sequence(tlv(0x31, sequence(oid("2.5.4.3"), tlv(12, text.encode()))))


def server_extensions(host=HOST, empty=False, more=b""):
    return tlv(0xA3, sequence(
        extension("2.5.29.15", True, bits(b"\x80", 7)),
        extension("2.5.29.37", False, sequence(oid("1.3.6.1.5.5.7.3.1"))),
        extension("2.5.29.17", empty, sequence(tlv(0x82, host.encode()))), more))


def authority_extensions(*more, length=None):
    constraints = sequence(tlv(1, b"\xff"), b"" if length is None else integer(length))
    return tlv(0xA3, sequence(
        extension("2.5.29.15", True, bits(b"\x04", 2)),
        extension("2.5.29.19", True, constraints), *more))


class Authority:
    """A CA with its log, which has entries that no certificate uses between the others."""

    def __init__(self, draft, name, key, cosigners, quorums, least=None, most=None):
        self.draft, self.id, self.key = draft, name, key
        self.cosigners = cosigners
        self.keys = {name: key, **cosigners}
        self.quorums = quorums
        self.least = 1 << 48 if least is None else least
        self.most = (1 << 64) - 1 if most is None else most
        if draft == "05":
            value = sequence(oid(ARC + ".1"), tlv(12, name.encode()))
        else:
            value = sequence(oid(ARC + ".3"), tlv(13, relative(name)))
        self.name = sequence(tlv(0x31, value))
        self.subtrees, self.revoked = [], []

    def certificate(self):
        """The unsigned certificate of the CA. RFC 9925."""
        hash_part = sequence(oid("2.16.840.1.101.3.4.2.1")) if self.draft == "05" else b""
        value = sequence(hash_part, self.key.algorithm, integer(self.least), integer(self.most))
        number = ARC + (".2" if self.draft == "05" else ".4")
        unsigned = sequence(oid("1.3.6.1.5.5.7.6.36"))
        nobody = sequence(tlv(0x31, sequence(oid("1.3.6.1.5.5.7.25.1"), tlv(12))))
        tbs = sequence(
            tlv(0xA0, integer(2)), integer(1), unsigned, nobody, VALIDITY, self.name,
            self.key.spki, authority_extensions(extension(number, True, value)))
        return sequence(tbs, unsigned, bits(b""))

    def message(self, cosigner, log, start, end, hash_value):
        prefix = b"oid/1.3.6.1.4.1."
        origin = prefix + f"{self.id}.0.{log}".encode()
        return (b"subtree/v1\n\0" + vector(1, prefix + cosigner.encode()) + bytes(8)
                + vector(1, origin) + start.to_bytes(8, "big") + end.to_bytes(8, "big")
                + hash_value)

    def trust(self, **changes):
        value = {
            "draft": self.draft,
            "certificate": base64.b64encode(self.certificate()).decode(),
            "cosigners": [
                {"id": name, "key": base64.b64encode(key.spki).decode()}
                for name, key in self.cosigners.items()],
            "quorums": [{"count": count, "of": of} for count, of in self.quorums],
            "subtrees": [
                {"log": log, "start": start, "end": end,
                 "hash": base64.b64encode(value).decode()}
                for log, start, end, value in self.subtrees],
            "revoked": [{"first": str(a), "last": str(b)} for a, b in self.revoked],
        }
        value.update(changes)
        return {"merkle_trust": 1, "good_until": "2026-12-31T23:59:59Z", "trees": [value]}


def entry_hash(draft_extensions, fields):
    """MTH of one entry, from the fields of its certificate."""
    version, issuer, validity, subject, spki, rest = fields
    inner = spki[2 if spki[1] < 128 else 2 + (spki[1] & 0x7F):]
    size = 2 + inner[1]
    return sha(
        b"\0" + vector(2, draft_extensions) + b"\0\1" + version + issuer + validity + subject
        + inner[:size] + tlv(4, sha(spki)) + rest)


def make(
    ca, index, start, end, cosigners, *, log=1, subject=None, spki=None, extensions=None,
    entry_extensions=b"", change=None, signatures=None, hash_change=None, outer=PROOF, inner=PROOF,
    serial=None, unused=0, trust=False, issuer=None,
):
    """A certificate in a tree whose other leaves are made of their numbers.

    A subtree of up to 4,096 entries is made whole; of a larger one, only the
    siblings of the entry's path exist.
    """
    subject = common_name("Server in a tree") if subject is None else subject
    spki = LEAF.spki if spki is None else spki
    rest = server_extensions() if extensions is None else extensions
    fields = (tlv(0xA0, integer(2)), issuer or ca.name, VALIDITY, subject, spki, rest)
    leaf = entry_hash(entry_extensions, fields)
    if end - start <= 4096 and start <= index < end:
        leaves = [sha(b"leaf %d" % number) for number in range(start, end)]
        leaves[index - start] = leaf
        proof, value = inclusion(index - start, leaves), tree_hash(leaves)
    elif start <= index < end:
        value, proof = leaf, []
        for number, is_left in enumerate(path_of(start, end, index)):
            sibling = sha(b"sibling %d" % number)
            value = sha(b"\1" + (sibling + value if is_left else value + sibling))
            proof.append(sibling)
    else:
        proof, value = [sha(b"nothing")], sha(b"nothing")
    if trust:
        ca.subtrees.append((log, start, end, value))
    if hash_change:
        proof = hash_change(proof)
    if signatures is None:
        signatures = [
            (relative(name), ca.keys[name].sign(ca.message(name, log, start, end, value)))
            for name in cosigners]
        signatures.sort(key=lambda pair: (len(pair[0]), pair[0]))
    elif callable(signatures):
        signatures = signatures(value)
    wire = b"".join(vector(1, name) + vector(2, signature) for name, signature in signatures)
    value = (vector(2, entry_extensions) + start.to_bytes(6, "big") + end.to_bytes(6, "big")
             + vector(2, b"".join(proof)) + vector(2 if ca.draft == "05" else 3, wire))
    if change:
        value = change(value)
    serial = integer(log << 48 | index) if serial is None else serial
    tbs = sequence(fields[0], serial, inner, *fields[1:])
    return sequence(tbs, outer, bits(value, unused))


def flip(offset, bit=0):
    def change(value):
        value = bytearray(value)
        value[offset] ^= 1 << bit
        return bytes(value)
    return change


LEAF = Key("p256", 1)
certificates, cases, trusts = {}, [], {}


def one(name, trust, certificate, verdict, rule=None, text=None, chain=None, when=NOW):
    if certificate is not None:
        certificates[name] = certificate
    words = [name, trust, when, ",".join(chain or [name]), verdict]
    if rule:
        words.append("rule=" + rule)
    if text:
        words.append("text=" + text.replace(" ", "_"))
    cases.append(" ".join(words))


def both(draft):
    """The cases of a draft, with signatures that are short."""
    t = f"trust-{draft}"
    ca = Authority(
        draft, "32473.1", Key("p256", 2),
        {"32473.2.1": Key("ed25519", 3), "32473.2.2": Key("p384", 4), "32473.3": Key("p256", 5)},
        [(1, ["32473.2.1", "32473.2.2"])], least=(1 << 48) + 8, most=(3 << 48) - 1)
    ca.revoked += [((1 << 48) + 500, (1 << 48) + 509), ((1 << 48) + 900, (1 << 48) + 900)]
    enough = ["32473.1", "32473.2.1"]
    where = lambda index, log=1: f"entry {index} of log {log} in the tree of 32473.1: "

    def good(name, *arguments, **options):
        one(f"{name}-{draft}", t, make(ca, *arguments, **options), "accept")

    def bad(name, text, *arguments, rule="merkleTreeProof", **options):
        one(f"{name}-{draft}", t, make(ca, *arguments, **options), "reject", rule, text)

    good("standalone", 10, 8, 16, enough)
    good("other-cosigner", 10, 8, 16, ["32473.1", "32473.2.2"])
    good("all-cosigners", 10, 8, 16, ["32473.1", "32473.2.1", "32473.2.2", "32473.3"])
    good("one-entry", 9, 9, 10, enough)
    good("first", 64, 64, 128, enough)
    good("last-unbalanced", 130, 128, 131, enough)
    good("unbalanced", 130, 0, 131, enough)
    good("next-log", 10, 8, 16, enough, log=2)
    good("greatest-index", (1 << 48) - 2, 0, (1 << 48) - 1, enough, log=2)
    good("entry-extensions", 10, 8, 16, enough, entry_extensions=b"\0\1\0\0\0\2\0\3abc")
    good("empty-subject", 10, 8, 16, enough, subject=sequence(),
         extensions=server_extensions(empty=True))
    good("unknown-cosigner", 10, 8, 16, enough, signatures=lambda value: sorted([
        (relative(name), ca.keys[name].sign(ca.message(name, 1, 8, 16, value))) for name in enough
    ] + [(relative("32473.9"), b"unknown")], key=lambda pair: (len(pair[0]), pair[0])))
    good("landmark", 700, 512, 1024, [], trust=True)
    good("landmark-of-million", 70000, 0, 1 << 20, [], trust=True, log=2)
    good("landmark-and-signatures", 300, 256, 512, ["32473.3"], trust=True)

    bad("no-ca", where(10) + "no cosignature of 32473.1", 10, 8, 16, ["32473.2.1", "32473.2.2"])
    bad("no-quorum", where(10) + "no cosignature of 32473.2.1, and 0 of 1 count", 10, 8, 16,
        ["32473.1", "32473.3"])
    bad("no-signatures", where(10) + "no cosignatures, and the subtree of the entries 8 to 16 is "
        "not trusted", 10, 8, 16, [])
    bad("other-landmark", where(700) + "the trusted subtree of the entries 512 to 1024 has another "
        "hash", 700, 512, 1024, enough, subject=common_name("Another"))
    bad("ca-signature", where(10) + "the cosignature of 32473.1 does not verify", 10, 8, 16, enough,
        signatures=lambda value: [
            (relative("32473.1"), ca.keys["32473.1"].sign(ca.message("32473.1", 1, 8, 15, value))),
            (relative("32473.2.1"),
             ca.keys["32473.2.1"].sign(ca.message("32473.2.1", 1, 8, 16, value)))])
    bad("signature-of-other-log", where(10) + "the cosignature of 32473.1 does not verify",
        10, 8, 16, enough, signatures=lambda value: [
            (relative(name), ca.keys[name].sign(ca.message(name, 2, 8, 16, value)))
            for name in enough])
    bad("signature-as-other", where(10) + "the cosignature of 32473.1 does not verify",
        10, 8, 16, enough, signatures=lambda value: [
            (relative(name), ca.keys[name].sign(ca.message("32473.3", 1, 8, 16, value)))
            for name in enough])
    bad("hash-flipped", where(10) + "the cosignature of 32473.1 does not verify", 10, 8, 16, enough,
        hash_change=lambda proof: [proof[0], flip(31, 7)(proof[1]), proof[2]])
    bad("hash-missing", where(10) + "the inclusion proof has too few hashes", 10, 8, 16, enough,
        hash_change=lambda proof: proof[:-1])
    bad("hash-added", where(10) + "the inclusion proof has too many hashes", 10, 8, 16, enough,
        hash_change=lambda proof: proof + [bytes(32)])
    bad("hashes-of-no-number", where(10) + "the inclusion proof is not a whole number of hashes",
        10, 8, 16,
        enough, hash_change=lambda proof: proof[:2] + [proof[2][:31]])
    bad("outside", where(16) + "not among the entries 8 to 16 of the proof", 16, 8, 16, enough)
    bad("no-subtree", where(10) + "the range of the proof is no subtree", 10, 9, 12, enough)
    bad("empty-subtree", where(10) + "the range of the proof is no subtree", 10, 10, 10, enough)
    bad("other-index", where(11) + "the cosignature of 32473.1 does not verify", 10, 8, 16, enough,
        serial=integer(1 << 48 | 11))
    bad("log-zero", "the serial number is not one of an entry", 10, 8, 16, enough,
        serial=integer(10))
    bad("serial-too-long", "the serial number is not one of an entry", 10, 8, 16, enough,
        serial=integer(1 << 64 | 10))
    other = "the serial number is not one that the CA's certificate allows"
    bad("too-early", where(7) + other, 7, 0, 8, enough)
    bad("too-late", where(10, 3) + other, 10, 8, 16, enough, log=3)
    for name, index in [("first", 500), ("last", 509)]:
        bad(f"revoked-{name}", where(index) + "the serial number is revoked", index, 496, 512, enough,
            rule="revoked")
    good("not-revoked", 510, 496, 512, enough)
    bad("revoked-landmark", where(900) + "the serial number is revoked", 900, 768, 1024, [],
        rule="revoked", trust=True)
    bad("landmark-of-other-log", where(700, 2) + "no cosignatures, and the subtree of the entries "
        "512 to 1024 is not trusted", 700, 512, 1024, [], log=2)
    bad("landmark-inside",
        where(700) + "no cosignatures, and the subtree of the entries 640 to 704 "
        "is not trusted", 700, 640, 704, [])
    bad("negative-serial", "the serial number is not one of an entry", 10, 8, 16, enough,
        serial=tlv(2, b"\xff\1\0\0\0\0\0\x0a"))
    bad("too-many-cosignatures", where(10) + "more than 256 cosignatures", 10, 8, 16, enough,
        signatures=lambda value: [(relative(str(128 + number)), b"") for number in range(257)])
    bad("repeated-issuer", None, 10, 8, 16, enough, rule="unsupportedAlgorithm",
        issuer=sequence(*2 * [ca.name[2:]]))
    bad("unknown-issuer", None, 10, 8, 16, enough, rule="unsupportedAlgorithm",
        issuer=Authority(draft, "32473.8", LEAF, {}, []).name)
    bad("no-such-extension", None, 10, 8, 16, enough, rule="unknownCriticalExtension",
        extensions=server_extensions(more=extension("1.3.6.1.4.1.55738.9", True, b"\5\0")))
    bad("trailing-byte", where(10) + "bytes follow the proof", 10, 8, 16, enough,
        change=lambda value: value + b"\0")
    bad("cut", where(10) + "a length exceeds the proof",
        10, 8, 16, enough, change=lambda value: value[:-1])
    bad("empty", where(10) + "a length exceeds the proof",
        10, 8, 16, enough, change=lambda value: b"")
    bad("order", where(10) + "the cosigners are not in order",
        10, 8, 16, enough, signatures=lambda value: [
        (relative(name), ca.keys[name].sign(ca.message(name, 1, 8, 16, value)))
        for name in reversed(enough)])
    bad("twice", where(10) + "a cosigner has a second signature",
        10, 8, 16, enough, signatures=lambda value: [
        (relative(name), ca.keys[name].sign(ca.message(name, 1, 8, 16, value)))
        for name in ["32473.1", "32473.1", "32473.2.1"]])
    bad("empty-cosigner", where(10) + "a cosigner has an empty ID", 10, 8, 16, enough,
        signatures=lambda value: [(b"", b"")])
    bad("extension-order", where(10) + "the extensions of the entry are not in order",
        10, 8, 16, enough,
        entry_extensions=b"\0\2\0\0\0\1\0\0")
    bad("extension-twice", where(10) + "the extensions of the entry are not in order",
        10, 8, 16, enough,
        entry_extensions=b"\0\1\0\0\0\1\0\0")
    bad("extension-cut", where(10) + "a length exceeds the proof", 10, 8, 16, enough,
        entry_extensions=b"\0\1\0\4")
    bad("parameters",
        where(10) + "the algorithm of a proof is not in both places, without parameters",
        10, 8, 16, enough, inner=sequence(oid(ARC + ".0"), tlv(5)),
        outer=sequence(oid(ARC + ".0"), tlv(5)))
    bad("inner-parameters",
        where(10) + "the algorithm of a proof is not in both places, without parameters",
        10, 8, 16, enough,
        inner=sequence(oid(ARC + ".0"), tlv(5)))
    bad("other-inner-algorithm", None, 10, 8, 16, enough, rule="merkleTreeProof",
        inner=sequence(oid(ECDSA[256])))
    bad("other-outer-algorithm", None, 10, 8, 16, enough, rule="merkleTreeProof",
        outer=sequence(oid(ECDSA[256])))
    bad("other-host", None, 10, 8, 16, enough, rule="hostName",
        extensions=server_extensions("other.example"))
    tbs = sequence(
        tlv(0xA0, integer(2)), integer(1 << 48 | 10), sequence(oid(ECDSA[256])), ca.name, VALIDITY,
        common_name("Signed"), LEAF.spki, server_extensions())
    one(f"signed-{draft}", t, sequence(tbs, sequence(oid(ECDSA[256])), bits(ca.key.sign(tbs))),
        "reject", "merkleTreeProof", "signed with the key of a tree, which signs no certificates")

    # CAs in the tree, and certificates that they signed.
    sub, lower = Key("p256", 6), Key("p256", 10)

    def signed(name, issuer, key, subject, spki, extensions):
        tbs = sequence(
            tlv(0xA0, integer(2)), integer(77), sequence(oid(ECDSA[256])), common_name(issuer),
            VALIDITY, common_name(subject), spki, extensions)
        certificates[f"{name}-{draft}"] = sequence(
            tbs, sequence(oid(ECDSA[256])), bits(key.sign(tbs)))

    def authority(name, index, *arguments, extensions=None, **options):
        certificates[f"{name}-{draft}"] = make(
            ca, index, *arguments, subject=common_name("CA in a tree"), spki=sub.spki,
            extensions=extensions or authority_extensions(length=0), **options)

    def chain(name, *others, rule=None, text=None, when=NOW):
        one(f"{name}-{draft}", t, None, "reject" if rule else "accept", rule, text,
            chain=[f"{other}-{draft}" for other in others], when=when)

    def permitted(name):
        bases = tlv(0xA0, sequence(tlv(0x82, name.encode())))
        return extension("2.5.29.30", True, sequence(bases))

    authority("sub-ca", 20, 16, 24, enough)
    authority("sub-ca-of-landmark", 600, 512, 1024, [])
    authority("sub-ca-broken", 21, 16, 24, enough,
              hash_change=lambda proof: [flip(0)(proof[0])] + proof[1:])
    authority("sub-ca-of-landmark-2", 300, 0, 1 << 10, [], log=2, trust=True)
    authority("sub-ca-constrained", 22, 16, 24, enough,
              extensions=authority_extensions(permitted("other.example")))
    authority("sub-ca-permitted", 23, 16, 24, enough,
              extensions=authority_extensions(permitted("tree.example")))
    authority("sub-ca-revoked", 505, 496, 512, enough)
    authority("not-a-ca", 19, 16, 24, enough, extensions=server_extensions())
    signed("below", "CA in a tree", sub, "Below", LEAF.spki, server_extensions())
    signed("lower", "CA in a tree", sub, "Lower CA", lower.spki, authority_extensions())
    signed("below-lower", "Lower CA", lower, "Below", LEAF.spki, server_extensions())
    signed("below-other-key", "CA in a tree", lower, "Below", LEAF.spki, server_extensions())
    chain("below-sub-ca", "below", "sub-ca")
    chain("below-sub-ca-of-landmark", "below", "sub-ca-of-landmark-2")
    chain("below-permitted", "below", "sub-ca-permitted")
    chain("below-two", "below-lower", "lower", "sub-ca-permitted")
    chain("below-broken", "below", "sub-ca-broken", rule="merkleTreeProof",
          text=where(21) + "the cosignature of 32473.1 does not verify")
    chain("below-other-landmark", "below", "sub-ca-of-landmark", rule="merkleTreeProof",
          text=where(600) + "the trusted subtree of the entries 512 to 1024 has another hash")
    chain("below-revoked", "below", "sub-ca-revoked", rule="revoked",
          text=where(505) + "the serial number is revoked")
    chain("below-constrained", "below", "sub-ca-constrained", rule="nameNotPermitted")
    chain("below-path-length", "below-lower", "lower", "sub-ca", rule="pathLength")
    chain("below-no-ca", "below", "not-a-ca", rule="basicConstraintsMissing")
    chain("below-with-other-key", "below-other-key", "sub-ca", rule="signature")
    chain("below-expired", "below", "sub-ca", rule="expired", when="2027-01-01T00:00:00Z")

    # A tree's CA is an anchor and nothing else.
    one(f"expired-{draft}", t, None, "reject", "expired", None, chain=[f"standalone-{draft}"],
        when="2027-01-01T00:00:00Z")
    trusts[t] = ca.trust()
    old = ca.trust()
    old["good_until"] = "2026-05-31T23:59:59Z"
    trusts[f"trust-old-{draft}"] = old
    one(f"outdated-{draft}", f"trust-old-{draft}", None, "reject", "merkleTreeOutdated",
        where(10) + "not evaluated: what is known of the tree ended at 2026-05-31T23:59:59Z",
        chain=[f"standalone-{draft}"])
    one(f"outdated-landmark-{draft}", f"trust-old-{draft}", None, "reject", "merkleTreeOutdated",
        where(700) + "not evaluated: what is known of the tree ended at 2026-05-31T23:59:59Z",
        chain=[f"landmark-{draft}"])


def lattices():
    """ML-DSA of each size, as a CA's key and as a cosigner's: -06 alone, once each."""
    ca = Authority(
        "06", "32473.4", Key("mldsa44", 7),
        {"32473.5.1": Key("mldsa65", 8), "32473.5.2": Key("mldsa87", 9)},
        [(2, ["32473.5.1", "32473.5.2"])])
    all_of_them = ["32473.4", "32473.5.1", "32473.5.2"]
    one("lattices", "trust-lattices", make(ca, 5, 4, 8, all_of_them), "accept")
    one("lattices-one-of-two", "trust-lattices", make(ca, 5, 4, 8, all_of_them[:2]), "reject",
        "merkleTreeProof",
        "entry 5 of log 1 in the tree of 32473.4: no cosignature of 32473.5.2, and 1 of 2 count")
    trusts["trust-lattices"] = ca.trust()
    pair = Authority(
        "06", "32473.6", Key("mldsa44", 11), {"32473.7": Key("mldsa44", 12)}, [(1, ["32473.7"])])
    one("pair", "trust-pair", make(pair, 70000, 0, 1 << 20, ["32473.6", "32473.7"]), "accept")
    trusts["trust-pair"] = pair.trust()


both("05")
both("06")
lattices()
one("draft-06-as-05", "trust-05", make(
    Authority("06", "32473.1", Key("p256", 2), {"32473.2.1": Key("ed25519", 3)}, []), 10, 8, 16,
    ["32473.1"], issuer=Authority("05", "32473.1", LEAF, {}, []).name), "reject",
    "merkleTreeProof", "bytes follow the proof")
one("draft-05-as-06", "trust-06", make(
    Authority("05", "32473.1", Key("p256", 2), {"32473.2.1": Key("ed25519", 3)}, []), 10, 8, 16,
    ["32473.1"], issuer=Authority("06", "32473.1", LEAF, {}, []).name), "reject",
    "merkleTreeProof", "a length exceeds the proof")


def pem(der):
    text = base64.b64encode(der).decode()
    lines = [text[i:i + 64] for i in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----"])


(HERE / "certificates.pem").write_text(
    "".join(f"{name}\n{pem(der)}\n" for name, der in certificates.items()))
# Chains for a command line: each kind of reason once.
for name in [
    "standalone-06", "landmark-05", "no-ca-06", "no-quorum-06", "ca-signature-06",
    "hash-flipped-06", "hash-missing-06", "other-landmark-06", "no-signatures-06", "revoked-first-06", "outside-06",
    "order-06", "log-zero-06", "signed-06",
]:
    (HERE / f"{name}.pem").write_text(pem(certificates[name]) + "\n")
for name in ["sub-ca-06", "sub-ca-broken-06"]:
    (HERE / f"below-{name}.pem").write_text(
        "".join(pem(certificates[part]) + "\n" for part in ["below-06", name]))
for name, value in trusts.items():
    (HERE / f"{name}.json").write_text(json.dumps(value, indent=1) + "\n")
(HERE / "cases.txt").write_text(
    "# name trust time chain verdict [rule] [text]\n" + "\n".join(cases) + "\n")
print(len(certificates), "certificates,", len(cases), "cases")
