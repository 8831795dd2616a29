#!/usr/bin/env python3
"""Packs what the PyPI package cryptography-vectors carries and Holdfast can run.

    pip download --no-deps cryptography-vectors==50.0.2
    Vectors/published/make.py cryptography_vectors-50.0.2-py3-none-any.whl

It writes PKITS with the table `pkits.txt` beside this script, the signatures in the form of Project
Wycheproof's files, NIST's SHA files as they were published, and `SHA256SUMS`. The same wheel gives
the same bytes.
"""
import base64
import hashlib
import json
import lzma
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
WHEEL = "51641f03a3eb4edbe9fb68e3a3574d25f86aa502d06391fffa886330d02778a0"
ROOT = "cryptography_vectors/"
POLICY = "2.16.840.1.101.3.2.1.48."
ANY = "2.5.29.32.0"


def pack(name, data):
    path = os.path.join(HERE, name + ".xz")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    print(f"{os.path.getsize(path):9d} {name}.xz")


def pack_json(name, document):
    pack(name, json.dumps(document, separators=(",", ":")).encode())


def elements(der, start, end):
    """The elements of a part of DER: tag, first byte of the element, of its content, its end."""
    while start < end:
        length, content = der[start + 1], start + 2
        if length & 0x80:
            size = length & 0x7F
            length, content = int.from_bytes(der[content:content + size], "big"), content + size
        yield der[start], start, content, content + length
        start = content + length


def signed_data(text):
    """The certificates and the lists in the signature of an S/MIME message. RFC 5652 §5.1."""
    body = text[text.rindex('filename="smime.p7s"') + len('filename="smime.p7s"'):]
    der = base64.b64decode("".join(body.split("\n------")[0].split()))
    _, _, content, end = next(elements(der, 0, len(der)))
    _, _, content, end = list(elements(der, content, end))[1]
    _, _, content, end = next(elements(der, content, end))
    found = {0xA0: [], 0xA1: []}
    for tag, _, content, end in elements(der, content, end):
        if tag in found:
            found[tag] = [der[start:end] for _, start, _, end in elements(der, content, end)]
    return found[0xA0], found[0xA1]


def folder(wheel, path, ending):
    names = [name for name in wheel.namelist() if name.startswith(ROOT + path)]
    return {
        os.path.basename(name)[:-len(ending)]: wheel.read(name)
        for name in sorted(names) if name.endswith(ending)}


def pkits(wheel):
    certificates = folder(wheel, "x509/PKITS_data/certs/", ".crt")
    lists = folder(wheel, "x509/PKITS_data/crls/", ".crl")
    certificate_names = {der: name for name, der in certificates.items()}
    list_names = {der: name for name, der in reversed(lists.items())}
    messages = {}
    for text in folder(wheel, "x509/PKITS_data/smime/", ".eml").values():
        text = text.decode()
        title = re.search(r"^Subject: (.*?)\s*$", text, re.M).group(1)
        chain, crls = signed_data(text)
        messages[re.sub(r"Test (\d+)$", r"Test\1", title)] = (
            [certificate_names[der] for der in chain], [list_names[der] for der in crls])
    tests, section = [], ""
    with open(os.path.join(HERE, "pkits.txt")) as file:
        for line in file:
            if line.startswith("## "):
                section = line[3:].strip().split(" ", 1)[1]
            if line.startswith("#") or not line.strip():
                continue
            tests.append(pkits_test(line, section, messages, certificates, lists))
    if {test["name"] for test in tests} != set(messages):
        sys.exit("pkits.txt does not have every test")
    used = {name for test in tests for name in test["intermediates"] + [test["end_entity"]]}
    used_lists = {name for test in tests for name in test["crls"]}
    used.add("TrustAnchorRootCertificate")
    encode = lambda items, names: {
        name: base64.b64encode(items[name]).decode() for name in sorted(names)}
    return {
        "origin": "NIST PKITS 1.0.1", "count": len(tests),
        "certificates": encode(certificates, used), "crls": encode(lists, used_lists),
        "tests": tests}


def pkits_test(line, section, messages, certificates, lists):
    number, expected, title, *rest = line.strip().split("  ")
    settings = dict((word.split("=") + [""])[:2] for word in " ".join(rest).split())
    chain, crls = messages[title]
    if "files" in settings:
        files = settings["files"].split(",")
        chain = [name for name in files if name in certificates]
        crls = [name for name in files if name in lists]
    end, = [name for name in chain if name.endswith("EE")]
    policies = lambda words: [
        ANY if word == "any" else POLICY + word for word in words.split(",") if word != "none"]
    test = {
        "id": number, "name": title, "section": section,
        "trust_anchor": "TrustAnchorRootCertificate",
        "intermediates": [name for name in chain if name not in (end, "TrustAnchorRootCertificate")],
        "end_entity": end, "crls": sorted(set(crls)),
        "initial_policy_set": policies(settings.get("initial", "any")),
        "initial_explicit_policy": "explicit" in settings,
        "initial_policy_mapping_inhibit": "no-mapping" in settings,
        "initial_inhibit_any_policy": "no-any" in settings,
        "validation_time": "2020-01-01T00:00:00Z", "expected": expected,
        "uses": ["dsa"] if "dsa" in settings else []}
    if "gives" in settings:
        test["user_constrained_policy_set"] = policies(settings["gives"])
    return test


def records(wheel, path):
    """The records of a response file of NIST: what a line sets holds for the lines below it."""
    values = {}
    for line in wheel.read(ROOT + path).decode().splitlines():
        if match := re.match(r"\[(.*)\]", line):
            values["section"] = match.group(1).strip()
        elif match := re.match(r"(\w+) *=(.*)", line):
            values[match.group(1)] = match.group(2).strip()
            if match.group(1) in ("Result", "SIGNATURE", "ctx"):
                yield dict(values)
                values.pop("CONTEXT", None)


def wycheproof(name, algorithm, groups):
    count = 0
    for group in groups:
        for test in group["tests"]:
            count += 1
            test["tcId"] = count
    pack_json(f"signatures/{name}.json", {
        "algorithm": algorithm, "numberOfTests": count, "testGroups": groups})


def test(message, signature, result, comment=""):
    return {"comment": comment, "msg": message, "sig": signature,
            "result": "valid" if result else "invalid"}


def grouped(cases):
    """Cases with the same key and parameters in one group."""
    groups = {}
    for parameters, case in cases:
        key = json.dumps(parameters, sort_keys=True)
        groups.setdefault(key, dict(parameters, tests=[]))["tests"].append(case)
    return list(groups.values())


def hash_name(word):
    return "SHA-" + word.replace("SHA", "").strip("-")


def rsa(wheel, path, kind):
    for item in records(wheel, path):
        sha = hash_name(item["SHAAlg"])
        parameters = {
            "type": kind, "sha": sha, "keySize": int(item["section"].split("=")[1]),
            "publicKey": {"modulus": item["n"], "publicExponent": item["e"]}}
        if kind == "RsassaPssVerify":
            parameters.update(mgf="MGF1", mgfSha=sha, sLen=len(item["SaltVal"]) // 2)
        yield parameters, test(
            item["Msg"], item["S"], item["Result"].startswith("P"), item["Result"][2:])


CURVES = {"P-192": ("secp192r1", 24), "P-224": ("secp224r1", 28), "P-256": ("secp256r1", 32),
          "P-384": ("secp384r1", 48), "P-521": ("secp521r1", 66)}


def ecdsa(wheel):
    for item in records(wheel, "asymmetric/ECDSA/FIPS_186-3/SigVer.rsp"):
        curve, sha = item["section"].split(",")
        if curve not in CURVES:
            continue
        name, size = CURVES[curve]
        fixed = lambda digits: f"{int(digits, 16):0{2 * size}x}"
        yield {
            "type": "EcdsaP1363Verify", "sha": sha,
            "publicKey": {"curve": name,
                          "uncompressed": "04" + fixed(item["Qx"]) + fixed(item["Qy"])},
        }, test(item["Msg"], fixed(item["R"]) + fixed(item["S"]), item["Result"].startswith("P"),
                item["Result"][2:])


def ed25519(wheel):
    text = wheel.read(ROOT + "asymmetric/Ed25519/sign.input").decode()
    for line in text.split():
        _, key, message, signed = line.split(":")[:4]
        yield ({"type": "EddsaVerify", "publicKey": {"curve": "edwards25519", "pk": key}},
               test(message, signed[:128], True))


def ed448(wheel):
    # Certificates have no context string, so the one case with such a string is left out.
    for item in records(wheel, "asymmetric/Ed448/rfc8032.txt"):
        if "CONTEXT" not in item:
            yield ({"type": "EddsaVerify", "publicKey": {"curve": "edwards448", "pk": item["PUBLIC"]}},
                   test(item["MESSAGE"], item["SIGNATURE"], True))


def mldsa(wheel, level):
    for item in records(wheel, f"asymmetric/MLDSA/kat_MLDSA_{level}_det_pure.rsp"):
        signature = item["sm"][:len(item["sm"]) - len(item["msg"])]
        yield {"type": "MlDsaVerify", "publicKey": item["pk"]}, dict(
            test(item["msg"], signature, True), ctx=item["ctx"])


def points(wheel):
    tests = []
    for path in ("FIPS_186-2/PKV.rsp", "FIPS_186-3/PKV.rsp"):
        for number, item in enumerate(records(wheel, "asymmetric/ECDSA/" + path), 1):
            if item["section"] in CURVES:
                tests.append({
                    "id": f"{path}/{number}", "curve": item["section"],
                    "qx": item["Qx"], "qy": item["Qy"], "reason": item["Result"][2:],
                    "expected": "accept" if item["Result"].startswith("P") else "reject"})
    return {"origin": "NIST CAVP", "count": len(tests), "tests": tests}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != WHEEL:
        sys.exit(f"{sys.argv[1]}: SHA-256 is {found}, expected {WHEEL}")
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        pack_json("pkits.json", pkits(wheel))
        pack_json("cavp-ecdsa-pkv.json", points(wheel))
        sources = "asymmetric/RSA/FIPS_186-2/"
        wycheproof("cavp_rsa_pkcs1", "RSASSA-PKCS1-v1_5", grouped(
            rsa(wheel, sources + "SigVer15_186-3.rsp", "RsassaPkcs1Verify")))
        wycheproof("cavp_rsa_pss", "RSASSA-PSS", grouped(
            rsa(wheel, sources + "SigVerPSS_186-3.rsp", "RsassaPssVerify")))
        wycheproof("cavp_ecdsa_p1363", "ECDSA", grouped(ecdsa(wheel)))
        wycheproof("ed25519", "EDDSA", grouped(ed25519(wheel)))
        wycheproof("ed448", "EDDSA", grouped(ed448(wheel)))
        for level in (44, 65, 87):
            wycheproof(f"mldsa_{level}", f"ML-DSA-{level}", grouped(mldsa(wheel, level)))
        # Long messages of three functions: those of all seven would be 4 MB.
        for name in sorted(wheel.namelist()):
            if re.search(r"/SHA[12]/SHA[0-9_]*(ShortMsg|Monte)\.rsp$", name) or re.search(
                    r"/SHA[12]/SHA(1|256|512)LongMsg\.rsp$", name):
                pack("sha-cavp/" + os.path.basename(name), wheel.read(name))
    sums = []
    for path, _, names in os.walk(HERE):
        for name in names:
            if name.endswith(".xz"):
                file = os.path.join(path, name)
                with open(file, "rb") as content:
                    digest = hashlib.sha256(content.read()).hexdigest()
                sums.append(f"{digest}  {os.path.relpath(file, HERE)}\n")
    with open(os.path.join(HERE, "SHA256SUMS"), "w") as file:
        file.writelines(sorted(sums, key=lambda line: line.split()[1]))


main()
