"""Writes Wycheproof's signatures and NIST's digests and points as lines; `Signatures.swift` says what they are.

usage: signatures.py FOLDER > LINES, FOLDER being that of HOLDFAST_VECTORS.
What our library does not claim is left out, as `WycheproofRunner` does it.
"""

import glob
import io
import json
import lzma
import os
import sys
import tarfile

HASHES = {"SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/224", "SHA-512/256",
          "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512"}
LENGTHS = {"secp224r1": 28, "secp256r1": 32, "secp384r1": 48, "secp521r1": 66, "secp256k1": 32,
           "brainpoolP256r1": 32, "brainpoolP384r1": 48, "brainpoolP512r1": 64}


def documents(folder):
    for path in sorted(glob.glob(folder + "/wycheproof*.tar.xz") + glob.glob(folder + "/second/wycheproof*.tar.xz")):
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                if member.name.endswith(".json"):
                    yield os.path.basename(member.name), json.load(io.TextIOWrapper(archive.extractfile(member), "utf-8"))


def even(number):
    """A number's hexadecimal digits, without leading zero bytes."""
    digits = number.lstrip("0")
    return "0" * (len(digits) % 2) + digits


def der(signature, length):
    """r and s side by side as an ECDSA-Sig-Value; nothing if they have another length."""
    if len(signature) != 2 * length:
        return b""
    body = b""
    for number in (signature[:length], signature[length:]):
        number = number.lstrip(b"\0")
        if not number or number[0] & 0x80:
            number = b"\0" + number
        body += bytes([2, len(number)]) + number
    return bytes([0x30]) + (bytes([len(body)]) if len(body) < 128 else bytes([0x81, len(body)])) + body


def columns(document, group):
    """The kind, the hashes, the length of the salt and the key of a group; None if it is not claimed."""
    kind, hash_name = group["type"], group.get("sha")
    key = group.get("publicKey") or group.get("key") or {}
    if kind in ("EcdsaVerify", "EcdsaP1363Verify"):
        if key["curve"] in LENGTHS and hash_name in HASHES:
            return [key["curve"], hash_name, "", "", key["uncompressed"], ""]
    elif kind == "EddsaVerify":
        return ["ed448" if len(key["pk"]) == 114 else "ed25519", "", "", "", key["pk"], ""]
    elif kind == "MlDsaVerify":
        return [document["algorithm"], "", "", "", group["publicKey"], ""]
    elif kind in ("RsassaPkcs1Verify", "RsassaPssVerify", "RsassaPssWithParametersVerify"):
        numbers = [even(key.get("modulus") or group["n"]), even(key.get("publicExponent") or group["e"])]
        if not 1024 <= int(numbers[0], 16).bit_length() <= 16384 or hash_name not in HASHES:
            return None
        if kind == "RsassaPkcs1Verify":
            return None if hash_name.startswith("SHA3") else ["rsa", hash_name, "", "", *numbers]
        if group.get("mgf") == "MGF1" and group.get("mgfSha") in HASHES:
            return ["pss", hash_name, group["mgfSha"], str(group.get("sLen", 0)), *numbers]
    return None


def digests(folder):
    """The short messages of NIST's files, each with its digest."""
    for path in sorted(glob.glob(folder + "/sha-cavp*.tar.xz") + glob.glob(folder + "/second/sha-cavp*.tar.xz")):
        with tarfile.open(path) as archive:
            for member in sorted(archive.getmembers(), key=lambda member: member.name):
                name = os.path.basename(member.name)
                if not name.endswith("ShortMsg.rsp"):
                    continue
                hash_name = "SHA-" + name[3:-len("ShortMsg.rsp")].replace("_", "/")
                values = {}
                for line in io.TextIOWrapper(archive.extractfile(member), "ascii"):
                    field, _, value = line.partition(" = ")
                    values[field] = value.strip()
                    if field == "MD":
                        message = values["Msg"][:int(values["Len"]) // 4]
                        yield ["digest", hash_name, "", "", "", "", message, values["MD"], "", "valid",
                               f"{name}#{values['Len']}"]


def points(folder):
    """NIST's points on the curves that are claimed, valid and not."""
    for path in sorted(glob.glob(folder + "/cavp-ecdsa-pkv*.json.xz")):
        with lzma.open(path) as file:
            tests = json.load(file)["tests"]
        for test in tests:
            curve = test["curve"].replace("P-", "secp") + "r1"
            if curve in LENGTHS:
                key = "04" + "".join(test[name].lstrip("0").zfill(2 * LENGTHS[curve]) for name in ("qx", "qy"))
                yield ["point", curve, "", "", key, "", "", "", "",
                       "valid" if test["expected"] == "accept" else "invalid", test["id"]]


for row in [*digests(sys.argv[1]), *points(sys.argv[1])]:
    print(*row)
for name, document in documents(sys.argv[1]):
    for group in document["testGroups"]:
        row = columns(document, group)
        if row is None:
            continue
        for test in group["tests"]:
            signature = test["sig"]
            if group["type"] == "EcdsaP1363Verify":
                signature = der(bytes.fromhex(signature), LENGTHS[row[0]]).hex()
            print(*row, test.get("msg", ""), signature, test.get("ctx", ""), test["result"],
                  f"{name}#{test['tcId']}")
