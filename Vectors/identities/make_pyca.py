#!/usr/bin/env python3
"""Writes `pyca.txt`: what pyca/cryptography reads from the folders `pkcs12` and `asymmetric/PKCS8` of the
package `cryptography_vectors` (PyPI, Apache-2.0 OR BSD-3-Clause), which is not copied here. The tests
look for it as `Vectors/External/cryptography_vectors`:

    pip install --no-deps --target Vectors/External cryptography-vectors

A line has the file, its password (UTF-8 in hexadecimal; `absent`), and either the SHA-256 of the
certificate, of the further certificates and of the key (of the modulus for RSA, of the
SubjectPublicKeyInfo otherwise), and the name, or `error=rejected` where pyca has none of its passwords that opens the file.
"""
import glob, hashlib, os, sys, warnings

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../External/cryptography_vectors")
PASSWORDS = [None, b"password", b"cryptography", b"foobar", b"baz", b"123456", b"PolarSSLTest", b"hunter2",
             b"Red Hat Enterprise Linux 7.4"]
lines = ["# " + line if line else "#" for line in __doc__.strip().splitlines()]


def sha(data): return hashlib.sha256(data).hexdigest()
def der(thing): return thing.public_bytes(serialization.Encoding.DER)


def spki(key):
  public = key.public_key()
  if isinstance(public, rsa.RSAPublicKey):
    n = public.public_numbers().n
    return n.to_bytes((n.bit_length() + 7) // 8, "big")
  return public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


def attempt(load):
  for password in PASSWORDS:
    try:
      return password, load(password)
    except Exception:
      continue
  return None


def write(kind, file, result, fields):
  if result is None:
    lines.append(f"{kind} file={file} error=rejected")
    return
  password = result[0]
  text = " ".join(f"{k}={v}" for k, v in fields(result[1]).items() if v is not None)
  lines.append(f"{kind} file={file} password={'absent' if password is None else password.hex()} {text}")


for path in sorted(glob.glob(f"{ROOT}/pkcs12/*.p12")):
  data = open(path, "rb").read()
  def fields(loaded):
    return {"leaf": sha(der(loaded.cert.certificate)) if loaded.cert else None, "key": sha(spki(loaded.key)) if loaded.key else None,
            "others": ",".join(sha(der(c.certificate)) for c in loaded.additional_certs) or None,
            "name": loaded.cert.friendly_name.hex() if loaded.cert and loaded.cert.friendly_name else None}
  write("pkcs12", "pkcs12/" + os.path.basename(path), attempt(lambda p: pkcs12.load_pkcs12(data, p)), fields)

for path in sorted(glob.glob(f"{ROOT}/asymmetric/PKCS8/*.pem")):
  data = open(path, "rb").read()
  if b"PRIVATE KEY" not in data:
    continue
  write("pkcs8", "asymmetric/PKCS8/" + os.path.basename(path),
        attempt(lambda p: serialization.load_pem_private_key(data, p)), lambda key: {"key": sha(spki(key))})

with open(os.path.join(HERE, "pyca.txt"), "w") as file:
  file.write("\n".join(lines) + "\n")
