#!/usr/bin/env python3
"""Makes Fuzz/pool.txt, the certificates of the target `path` and a chain with a list for `list` and
`answer`, and Fuzz/corpus, a few small seeds for each target, from Vectors. Needs pyca/cryptography, which
also checks each signature of the pool.

usage: Fuzz/make_corpus.py [pool]    (the pool is made anew only if that is asked for)
"""
import base64
import datetime
import glob
import gzip
import hashlib
import hmac
import ipaddress
import json
import os
import re
import sys
import zlib

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.x509 import ocsp
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(os.path.dirname(HERE), "Vectors")
sys.path.insert(0, VECTORS)
from parts import NULL, extension, integer, oid, sequence, tlv

# Has a chain of three for CRLs, and a good CRL beside the CRL that the case is about.
LISTED = VECTORS + "/chains/crl-unreadable-version-3-first.case"
DOCTYPE = ('<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
           '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n')
YEAR = datetime.timedelta(days=365)
START = datetime.datetime(2025, 1, 1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def certificate(subject, key, issuer, signer, ca=None, path=None, years=2, start=START, hosts=(),
                usage=ExtendedKeyUsageOID.SERVER_AUTH, more=()):
    builder = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
               .public_key(key.public_key()).serial_number(x509.random_serial_number())
               .not_valid_before(start).not_valid_after(start + years * YEAR))
    if ca is not None:
        builder = builder.add_extension(x509.BasicConstraints(ca, path), critical=True)
    if ca:
        builder = builder.add_extension(
            x509.KeyUsage(False, False, False, False, False, True, True, False, False), critical=True)
    else:
        builder = builder.add_extension(
            x509.KeyUsage(True, False, False, False, False, False, False, False, False), critical=True)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    if hosts:
        names = [x509.IPAddress(ipaddress.ip_address(host)) if host[0].isdigit()
                 else x509.DNSName(host) for host in hosts]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    builder = builder.add_extension(
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    if issuer != subject or signer is not key:
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    for extension, critical in more:
        builder = builder.add_extension(extension, critical=critical)
    is_edwards = isinstance(signer, ed25519.Ed25519PrivateKey)
    return builder.sign(signer, None if is_edwards else hashes.SHA256())


def make_pool():
    curve = ec.SECP256R1()
    one, two, three, four, five, six = (ec.generate_private_key(curve) for _ in range(6))
    edwards = ed25519.Ed25519PrivateKey.generate()
    names = ("www.example.com", "*.b.example.com")
    permitted = x509.NameConstraints([x509.DNSName("example.com")], None)
    excluded = x509.NameConstraints(None, [x509.DNSName("example.com")])
    odd = x509.UnrecognizedExtension(ObjectIdentifier("1.3.6.1.4.1.99999.7"), b"\x05\x00")
    return [
        certificate("Root", one, "Root", one, True, years=20),
        certificate("Root", two, "Root", two, True, years=20),
        certificate("Other", edwards, "Other", edwards, True, years=20),
        certificate("Old", three, "Old", three, True, years=1),
        certificate("A", four, "Root", one, True, years=10),
        certificate("A", four, "Root", two, True, years=10),
        certificate("A", four, "Other", edwards, True, 0, years=10),
        certificate("A", four, "Old", three, True, years=10),
        certificate("B", five, "A", four, True, 0, years=10),
        certificate("B", five, "Root", one, True, years=1),
        certificate("B", five, "A", four, True, years=10, more=[(permitted, True)]),
        certificate("B", five, "A", four, True, years=10, more=[(excluded, True)]),
        certificate("B", five, "A", four, False, years=10),
        certificate("B", five, "A", one, True, years=10),
        certificate("C", edwards, "B", five, True, years=10),
        certificate("A", four, "B", five, True, years=10),
        certificate("Leaf", six, "A", four, False, hosts=names),
        certificate("Leaf", six, "B", five, False, hosts=names),
        certificate("Leaf", six, "C", edwards, False, hosts=names),
        certificate("Leaf", six, "Root", one, False, hosts=names),
        certificate("Leaf", six, "A", five, False, hosts=names),
        certificate("Leaf", six, "B", five, False, hosts=("other.test",)),
        certificate("Leaf", six, "B", five, False, hosts=("192.0.2.1",)),
        certificate("Leaf", six, "B", five, False, hosts=()),
        certificate("Leaf", six, "A", four, False, hosts=names, years=1),
        certificate("Leaf", six, "A", four, False, hosts=names, start=START + 3 * YEAR),
        certificate("Leaf", six, "A", four, False, hosts=names,
                    usage=ExtendedKeyUsageOID.CLIENT_AUTH),
        certificate("Leaf", six, "A", four, False, hosts=names, more=[(odd, True)]),
        certificate("Leaf", six, "A", four, False, hosts=names, more=[(odd, False)]),
        certificate("Leaf", six, "Leaf", six, False, hosts=names),
        certificate("Leaf", six, "Leaf", six, True, hosts=names),
        certificate("Leaf", six, "Other", edwards, False, hosts=names),
        *map(x509.load_der_x509_certificate, blocks(LISTED, "CERTIFICATE")),
    ]


def is_signed(child, issuer):
    """Whether pyca verifies the signature and the names are chained."""
    key = issuer.public_key()
    try:
        if child.issuer != issuer.subject:
            return False
        if isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(child.signature, child.tbs_certificate_bytes)
        else:
            key.verify(child.signature, child.tbs_certificate_bytes, ec.ECDSA(hashes.SHA256()))
        return True
    except (InvalidSignature, TypeError):
        return False


def write_pool():
    pool = make_pool()
    with open(os.path.join(HERE, "pool.txt"), "w") as file:
        for child in pool:
            numbers = [str(i) for i, issuer in enumerate(pool) if is_signed(child, issuer)]
            file.write("issuers: %s\n" % " ".join(numbers))
            file.write(child.public_bytes(serialization.Encoding.PEM).decode())
        *_, good = blocks(LISTED, "X509 CRL")
        file.write(x509.load_der_x509_crl(good).public_bytes(serialization.Encoding.PEM).decode())


def seed(target, label, data):
    folder = os.path.join(HERE, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, label), "wb") as file:
        file.write(data)


def blocks(path, label):
    with open(path, encoding="utf-8") as file:
        for body in re.findall("-----BEGIN %s-----\n(.*?)-----END" % label, file.read(), re.S):
            yield base64.b64decode(body)


def write_seeds():
    for path in sorted(glob.glob(VECTORS + "/paths/*.case"))[::6]:
        label = os.path.basename(path)[:-5]
        data = next(blocks(path, "CERTIFICATE"))
        seed("certificate", label, data)
        seed("name", label, bytes([128]) + data[:200])
    # Of all certificates those with an identifier that none before them has.
    seen = set()
    for path in sorted(glob.glob(VECTORS + "/*/*.case")):
        if "/profile-" in path:
            continue
        for index, data in enumerate(blocks(path, "CERTIFICATE")):
            found = {data[at:at + 2 + data[at + 1]] for at in range(len(data) - 12)
                     if data[at] == 6 and 3 <= data[at + 1] <= 10}
            if len(data) <= 2500 and (found - seen or "constraint-range" in path):
                seed("certificate", "%s-%d" % (os.path.basename(path)[:-5], index), data)
            seen |= found
    chain = list(blocks(VECTORS + "/demo/chain.pem", "CERTIFICATE"))
    for index, data in enumerate(chain):
        seed("certificate", "demo-%d" % index, data)
    leaf, issuer = (x509.load_der_x509_certificate(data) for data in chain[:2])
    for algorithm in (hashes.SHA1(), hashes.SHA256()):
        query = ocsp.OCSPRequestBuilder().add_certificate(leaf, issuer, algorithm)
        query = query.add_extension(x509.OCSPNonce(b"0123456789abcdef"), critical=False)
        seed("request", "ocsp-" + algorithm.name, query.build().public_bytes(serialization.Encoding.DER))
    for index, data in enumerate(blocks(VECTORS + "/revocation/lists.pem", "X509 CRL")):
        seed("list", str(index), data)
    for index, data in enumerate(blocks(VECTORS + "/revocation/answers.pem", "OCSP RESPONSE")):
        seed("answer", str(index), data)
    for data in blocks(VECTORS + "/demo/backup-request.pem", "CERTIFICATE REQUEST"):
        seed("request", "backup", data)
    for label in ("demo/root.pem", "demo/backup-request.pem", "identities/files/pem-sec1.pem"):
        with open(os.path.join(VECTORS, label), "rb") as file:
            seed("pem", label.replace("/", "-"), file.read())
    subject = bytes.fromhex("310b3009060355040613025345") + bytes.fromhex(
        "311430120603550403130b") + b"example.com"
    seed("name", "plain", bytes([200]) + subject + b"\x82\x0bexample.com")
    for index, text in enumerate(["www.example.com", "*.example.com", "192.0.2.1", "2001:db8::1",
                                  "[::1]", "xn--bcher-kva.example", "b\u00fccher.example", "a."]):
        seed("host", str(index), text.encode())
    pin = "rwZTKgHwjj31Cl38xB0i+FY7DbwQQwRBd52DCnyRQDo="
    for index, text in enumerate(["sha256/" + pin, "sha256//" + pin, "pin-sha256=\"%s\"" % pin, "ab" * 32,
                                  "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk="]):
        seed("pin", str(index), text.encode())
    plist = '<?xml version="1.0"?>\n<plist version="1.0"><dict>%s</dict></plist>\n'
    seed("trustKit", "plain", (plist % (
        "<key>TSKPinnedDomains</key><dict><key>example.com</key><dict><key>TSKIncludeSubdomains</key>"
        "<true/><key>TSKExpirationDate</key><string>2027-01-01</string><key>TSKPublicKeyHashes</key>"
        "<array><string>%s</string><string>%s</string></array></dict></dict>" % (pin, pin))).encode())
    seed("nsPinnedDomains", "plain", (plist % (
        "<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>example.com</key>"
        "<dict><key>NSIncludesSubdomains</key><true/><key>NSPinnedCAIdentities</key><array><dict>"
        "<key>SPKI-SHA256-BASE64</key><string>%s</string></dict></array></dict></dict></dict>" % pin)
        ).encode())
    seed("android", "plain", (
        '<?xml version="1.0" encoding="utf-8"?>\n<network-security-config><domain-config>'
        '<domain includeSubdomains="true">example.com</domain><pin-set expiration="2027-01-01">'
        '<pin digest="SHA-256">%s</pin></pin-set><trust-anchors><certificates src="system"/>'
        '</trust-anchors></domain-config></network-security-config>\n' % pin).encode())
    seed("trustKit", "options", (plist.replace("<plist", DOCTYPE + "<plist") % (
        "<key>TSKPinnedDomains</key><dict><key>example.com</key><dict><key>TSKEnforcePinning</key><false/>"
        "<key>TSKIncludeSubdomains</key><true/><key>TSKPublicKeyAlgorithms</key><array>"
        "<string>TSKAlgorithmRsa2048</string></array><key>TSKDisableDefaultReportUri</key><true/>"
        "<key>TSKPublicKeyHashes</key><array><string>%s</string><string>%s</string></array></dict>"
        "<key>open.example.com</key><dict><key>TSKExcludeSubdomainFromParentPolicy</key><true/></dict>"
        "</dict>" % (pin, pin)
    )).encode())
    seed("nsPinnedDomains", "beside", (plist % (
        "<key>Version</key><integer>3</integer><key>Size</key><real>1.5</real><key>Names</key><array/>"
        "<key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>example.com</key>"
        "<dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>%s"
        "</string></dict></array></dict></dict></dict>" % pin)).encode())
    seed("android", "options", (
        '<?xml version="1.0" encoding="utf-8"?>\n<network-security-config><base-config '
        'cleartextTrafficPermitted="false"><trust-anchors><certificates src="user" overridePins="true"/>'
        '</trust-anchors></base-config><domain-config><domain includeSubdomains="true">example.com'
        '</domain><pin-set><pin digest="SHA-256">%s</pin></pin-set><trust-anchors><certificates '
        'src="@raw/own" overridePins="true"/></trust-anchors><domain-config><domain>open.example.com'
        '</domain><pin-set/></domain-config></domain-config><debug-overrides><trust-anchors>'
        '<certificates src="user"/></trust-anchors></debug-overrides></network-security-config>\n' % pin
    ).encode())
    seed("android", "twice", (
        '<network-security-config><domain-config><domain>example.com</domain><domain>example.com</domain>'
        '<pin-set/><pin-set/></domain-config></network-security-config>').encode())
    seed("okHttp", "code", (
        'CertificatePinner.Builder().add("**.example.com", "sha256/%s").build()\n' % pin).encode())
    seed("curl", "plain", ("sha256//%s;sha256//%s" % (pin, pin)).encode())
    seed("okHttp", "plain", ("*.example.com sha256/%s\n" % pin).encode())
    files = VECTORS + "/identities/files/"
    for label in ("openssl-default.p12", "openssl-legacy.p12", "openssl-nomac.p12", "own-ber-indefinite.p12",
                  "own-pbmac1-sha256-sha256.p12", "own-scrypt.p12", "own-secret.p12", "own-nested-15.p12",
                  "openssl-pbe-sha1-rc2-40.p12", "openssl-pbe-sha1-rc4-128.p12"):
        with open(files + label, "rb") as file:
            seed("pkcs12", label, file.read())
    for label in ("p7-ber.p7b", "p7-list.p7c", "p7-pem.p7b", "pem-encrypted-scrypt.pem", "pem-sec1.pem",
                  "pem-pkcs8-ed25519.pem", "pem-pkcs1.pem", "pem-encrypted-rc2.pem",
                  "pem-encrypted-v1-rc2-128.pem", "pem-encrypted-v1-rc4-40.pem"):
        with open(files + label, "rb") as file:
            seed("identity", label, file.read())
    for label, block in (("pem-pkcs8-ed25519", "PRIVATE KEY"), ("pem-sec1", "EC PRIVATE KEY"),
                         ("pem-encrypted-rc2", "ENCRYPTED PRIVATE KEY")):
        for data in blocks(files + label + ".pem", block):
            seed("identity", label + ".der", data)
    chains = {"good": [16, 4], "cross": [16, 5, 4], "deep": [17, 8, 5], "loop": [17, 10, 15, 8, 5],
              "edwards": [18, 14, 10, 4], "forged": [20, 4], "mixed": [16, 6, 7, 5]}
    for label, numbers in chains.items():
        for rules in range(5):
            body = bytes([255, 1, 0, rules]) + b"".join(bytes([n, 0, 0]) for n in numbers)
            seed("path", "%s-%d" % (label, rules), body)
    seed("path", "changed", bytes([255, 1, 0, 1, 16, 250, 1, 4, 0, 0]))


def write_store_seeds():
    """Stores of one small root in each format, and the certificates of Vectors/lint."""
    with open(VECTORS + "/demo/root.pem", encoding="ascii") as file:
        pem = file.read()
    root = x509.load_pem_x509_certificate(pem.encode())
    der = root.public_bytes(serialization.Encoding.DER)

    def octal(data):
        return "MULTILINE_OCTAL\n" + "".join("\\%03o" % byte for byte in data) + "\nEND\n"

    number = root.serial_number.to_bytes(root.serial_number.bit_length() // 8 + 1, "big")
    key = ('CKA_LABEL UTF8 "Root"\nCKA_ISSUER ' + octal(root.issuer.public_bytes()) + "CKA_SERIAL_NUMBER "
           + octal(bytes([2, len(number)]) + number))
    trust = (
        "\nCKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST\n" + key + "CKA_CERT_SHA1_HASH " + octal(hashlib.sha1(der).digest())
        + "CKA_TRUST_SERVER_AUTH CK_TRUST CKT_NSS_TRUSTED_DELEGATOR\n")
    certdata = (
        "BEGINDATA\nCKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\n" + key + "CKA_VALUE " + octal(der)
        + "CKA_NSS_SERVER_DISTRUST_AFTER " + octal(b"241130235959Z") + trust)
    seed("certdata", "root", certdata.encode())
    seed("certdata", "damaged", (certdata.replace("END\n", "", 1) + certdata).encode())
    seed("certdata", "distrusted", (certdata + trust.replace("TRUSTED_DELEGATOR", "NOT_TRUSTED")).encode())
    public = root.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    p11_kit = (
        '[p11-kit-object-v1]\nlabel: "Root"\ntrusted: true\nnss-server-distrust-after: "241130235959Z"\n' + pem
        + '\n[p11-kit-object-v1]\nclass: x-certificate-extension\nobject-id: 2.5.29.37\n'
        + 'value: "0%0a%06%08%2b%06%01%05%05%07%03%01"\n' + public)
    seed("p11Kit", "root", p11_kit.encode())
    quoted = ['"' + "".join("%%%02x" % byte for byte in data) + '"' for data in (
        root.issuer.public_bytes(), bytes([2, len(number)]) + number)]
    seed("p11Kit", "distrusted", (
        p11_kit + "[p11-kit-object-v1]\nclass: certificate\nissuer: %s\nserial-number: %s\nx-distrusted: true\n"
        % tuple(quoted)).encode())
    seed("p11Kit", "damaged", (p11_kit.replace("-----END CERTIFICATE-----\n", "") + p11_kit).encode())
    chrome = (
        'version_major: 34\ntrust_anchors {\n  sha256_hex: "%s"\n  display_name: \'R\'\n  constraints: {\n'
        "    sct_not_after_sec: 0x5AF\n    max_version_exclusive: \"125\"\n"
        '    permitted_dns_names: ["tr", ".example"]\n  }\n  enforce_anchor_expiry: true\n}\n'
        % hashlib.sha256(der).hexdigest())
    seed("chromeStore", "root", (chrome + "\0" + pem).encode())
    seed("chromeStore", "damaged", (chrome[:-2] + chrome + "\0" + pem).encode())
    seed("companyStore", "root", json.dumps({
        "name": "Example", "date": "2026-11-01T00:00:00Z", "anchors": [
            {"label": "Root", "certificate": pem, "public": True, "conditions": [
                {"issuedUntil": "2025-06-01T00:00:00Z", "dnsNames": ["a.example"], "purposes": ["1.3.6.1.5.5.7.3.1"],
                 "policies": ["1.2.3"], "expires": True}]}]}).encode())
    for path in sorted(glob.glob(VECTORS + "/lint/*.pem")):
        seed("lint", os.path.basename(path)[:-4], next(blocks(path, "CERTIFICATE")))


def write_new_seeds():
    """What `write_seeds` does not find by itself: odd lists and names, breaches of profiles, costly keys."""
    cases = VECTORS + "/chains/"
    labels = sorted(glob.glob(cases + "profile-*.case"))
    labels = [path for path in labels if not path.endswith("-good.case")]
    labels += [cases + label + ".case" for label in (
        "names-empty-strict", "names-empty-critical-strict", "names-other-untagged-strict")]
    for path in labels:
        with open(path, encoding="utf-8") as file:
            place = re.search("^expect: .* at ([0-9]+)$", file.read(), re.M)
        index = int(place[1]) if place else 0
        seed("certificate", os.path.basename(path)[:-5], list(blocks(path, "CERTIFICATE"))[index])
    for path in sorted(glob.glob(cases + "crl-unreadable-*-first.case")) + [
            cases + "crl-empty-entries-strict.case", cases + "crl-second-point-revokes.case"]:
        seed("list", os.path.basename(path)[:-5], next(blocks(path, "X509 CRL")))
    for index, (base, mailbox) in enumerate((
            (b"foo@example.com", b'"foo"@example.com'),
            (b'"f\\"o o"@example.com', b'"f\\"o\\ o"@example.com'),
            (b"example.com", b'"a@b"@example.com'), (b'"foo"@EXAMPLE.com', b'"foo@example.com'))):
        base, names = tlv(0x81, base), tlv(0x81, mailbox)
        count = 1 + len(base) + len(names)
        seed("name", "quoted-%d" % index, bytes([-(-len(base) * 256 // count)]) + base + names)
    odd = [extension("1.3.6.1.5.5.7.1.24", sequence(integer(5)), True), extension("2.5.29.17", sequence())]
    edwards = sequence(oid("1.3.101.112"))
    signed = sequence(integer(0), sequence(), sequence(edwards, tlv(3, bytes(33))), tlv(
        0xA0, sequence(oid("1.2.840.113549.1.9.14"), tlv(0x31, sequence(*odd)))))
    seed("request", "odd-extensions", sequence(signed, edwards, tlv(3, bytes(65))))
    keyed = {"sha1": oid("1.2.840.113549.2.7"), "sha512": oid("1.2.840.113549.2.11")}
    data = oid("1.2.840.113549.1.7.1")

    def derivation(length, function):
        return sequence(oid("1.2.840.113549.1.5.12"), sequence(
            tlv(4, b"saltsalt"), integer(16), integer(length), sequence(keyed[function], NULL)))

    def file(contents, mac=b""):
        return sequence(integer(3), sequence(data, tlv(0xA0, tlv(4, contents))), mac)

    for length, function in ((20, "sha1"), (64, "sha1"), (65, "sha512")):
        contents = sequence()
        key = hashlib.pbkdf2_hmac(function, b"secret", b"saltsalt", 16, length)
        scheme = sequence(oid("1.2.840.113549.1.5.14"), sequence(
            derivation(length, function), sequence(keyed[function], NULL)))
        mac = sequence(sequence(scheme, tlv(4, hmac.digest(key, contents, function))),
                       tlv(4, b"NOT USED"), integer(1))
        seed("pkcs12", "pbmac1-%s-%d.p12" % (function, length), file(contents, mac))
    cipher = sequence(oid("1.2.840.113549.3.2"), sequence(integer(58), tlv(4, bytes(8))))
    scheme = sequence(oid("1.2.840.113549.1.5.13"), sequence(derivation(128, "sha1"), cipher))
    encrypted = sequence(integer(0), sequence(data, scheme, tlv(0x80, bytes(16))))
    contents = sequence(sequence(oid("1.2.840.113549.1.7.6"), tlv(0xA0, encrypted)))
    seed("pkcs12", "rc2-128.p12", file(contents))


def write_log_seeds():
    """Lists, values and timestamps for `logList`, `json` and `timestamps`."""
    with open(VECTORS + "/transparency/logs.json", encoding="utf-8") as file:
        whole = json.load(file)
    logs = [log for operator in whole["operators"] for log in operator["logs"]]
    for index, log in enumerate(logs[number] for number in (0, 3, 9, len(logs) - 1)):
        operator = {"name": "A", "email": [], "logs": [log], "tiled_logs": []}
        seed("logList", str(index), json.dumps({**whole, "operators": [operator]}).encode())
        seed("json", "log-%d" % index, json.dumps(log).encode())
    for label, text in (("state", '{"retired":{"timestamp":"2026-01-01T00:00:00.5Z"}}'),
                        ("escapes", r'"\u00e9\ud83d\ude00\n"'), ("deep", "[[[[{}]]]]"),
                        ("numbers", "[-0.5e+10,0,1E2,true,false,null]")):
        seed("json", label, text.encode())
    with open(HERE + "/pool.txt", "rb") as file:
        leaf = x509.load_pem_x509_certificates(file.read())[-3]
    log = hashlib.sha256(leaf.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).digest()

    def vector(data):
        return len(data).to_bytes(2, "big") + data

    def timestamp(extensions):
        return (bytes(1) + log + (1_767_225_600_000).to_bytes(8, "big") + vector(extensions)
                + bytes([4, 3]) + vector(sequence(integer(1), integer(1))))

    one, two = timestamp(b""), timestamp(bytes.fromhex("0000050000000007"))
    for label, data in (("one", one), ("index", two), ("empty", vector(b"")),
                        ("list", vector(vector(one) + vector(two) + vector(b"\1")))):
        seed("timestamps", label, data)


def write_filter_seeds():
    """Small clubcards for `filter`, in both versions: columns of a few bits, exceptions, an inverted issuer."""
    issuers = [(1, 64, 2, 0, 64, 0, 0, [b"\1", b"\0\x80"]), (2, 0, 0, 0, 0, 0, 1, []),
               (3, 1, 1, 70, 1, 300, 1, [b"\7" * 20])]
    columns = [[0x0123456789ABCDEF] * 6, [0xFEDCBA9876543210] * 6]
    for version in (3, 4):
        def number(value, width):
            return value.to_bytes(8, "little") if version == 3 else value.to_bytes(width, "big")

        def words(column):
            return number(len(column), 4) + b"".join(number(word, 8) for word in column)

        data = bytes([version, 0]) + number(2, 2)
        for log in (1, 2):
            data += bytes([log] * 32) + number(1_700_000_000_000, 8) + number(1_800_000_000_000, 8)
        data += number(len(issuers), 4)
        for issuer, rows, rank, offset, exact_rows, exact_offset, inverted, exceptions in issuers:
            if version == 3:
                data += number(32, 0)
            data += bytes([issuer] * 32) + number(rows, 4)
            if version == 3:
                data += number(exact_rows, 4) + number(rank, 1) + number(offset, 4)
            else:
                data += number(rank, 1) + number(offset, 4) + number(exact_rows, 4)
            data += number(exact_offset, 4) + bytes([inverted]) + number(len(exceptions), 2)
            data += b"".join(number(len(serial), 1) + serial for serial in exceptions)
        data += number(len(columns), 1) + b"".join(words(column) for column in columns)
        seed("filter", "version-%d" % version, data + words([0xAAAAAAAAAAAAAAAA] * 5))


def write_gzip_seeds():
    """Streams of each kind of block, with each optional field, and two in one."""
    text = bytes(97 + (number * number >> 4) % 23 for number in range(400))

    def deflated(strategy, level=9):
        coder = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
        return coder.compress(text) + coder.flush()

    def stream(body, flags=0, fields=b""):
        head = bytes([0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3])
        return head + fields + body + zlib.crc32(text).to_bytes(4, "little") + len(text).to_bytes(4, "little")

    dynamic = deflated(zlib.Z_DEFAULT_STRATEGY)
    for label, data in (("dynamic", stream(dynamic)), ("fixed", stream(deflated(zlib.Z_FIXED))),
                        ("stored", stream(deflated(zlib.Z_DEFAULT_STRATEGY, 0))),
                        ("literals", stream(deflated(zlib.Z_HUFFMAN_ONLY))),
                        ("fields", stream(dynamic, 0x1D, b"\2\0ab" + b"name\0" + b"comment\0")),
                        ("two", 2 * stream(dynamic)), ("cut", stream(dynamic)[:-3]),
                        ("more", stream(dynamic) + b"more"), ("empty", gzip.compress(b"", mtime=0))):
        seed("gzip", label, b"\x80" + data)


def write_merkle_seeds():
    """Proofs of both drafts, after the byte that selects one, and a document of trust."""
    folder = VECTORS + "/merkle"
    text = open(folder + "/certificates.pem").read()
    blocks = dict(re.findall(r"(\S+)\n-----BEGIN CERTIFICATE-----\n(.*?)\n-----END", text, re.S))
    for label in ("standalone-05", "landmark-05", "standalone-06", "entry-extensions-06"):
        loaded = x509.load_der_x509_certificate(base64.b64decode(blocks[label]))
        seed("merkle", label, bytes([label.endswith("06")]) + loaded.signature)
    seed("merkle", "trust", open(folder + "/trust-06.json", "rb").read())


if __name__ == "__main__":
    if sys.argv[1:] == ["pool"]:
        write_pool()
    write_seeds()
    write_new_seeds()
    write_log_seeds()
    write_filter_seeds()
    write_store_seeds()
    write_gzip_seeds()
    write_merkle_seeds()
