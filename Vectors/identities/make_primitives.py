#!/usr/bin/env python3
"""Writes `primitives.txt`: keyed hashes, key derivations and ciphers as other implementations answer.

HMAC comes from Python's `hmac`, PBKDF2 and scrypt from `hashlib`, the key derivation of PKCS #12 from
`openssl kdf`, the ciphers from `openssl enc` with its legacy provider; RC2 with other than 128 bits
of key comes from `openssl` with `-K` of that length. Inputs come from a seed, so every run writes
the same file.
"""
import hashlib, hmac, os, random, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20)
lines = ["# " + line for line in __doc__.strip().splitlines()]


def write(kind, **fields):
  lines.append(" ".join([kind] + [f"{k}={v.hex() if isinstance(v, bytes) else v}" for k, v in fields.items()]))


def openssl(*arguments, data=b""):
  done = subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True)
  return done.stdout


HASHES = {"sha1": 64, "sha224": 64, "sha256": 64, "sha384": 128, "sha512": 128, "sha512_224": 128,
          "sha512_256": 128, "sha3_224": 144, "sha3_256": 136, "sha3_384": 104, "sha3_512": 72}

for name, block in HASHES.items():
  for length in [0, 1, 20, block - 1, block, block + 1, 3 * block]:
    key, message = rng.randbytes(length), rng.randbytes(rng.randrange(3 * block))
    write("hmac", hash=name, key=key, message=message, code=hmac.new(key, message, name).digest())

for name in HASHES:
  for iterations, count in [(1, 16), (2, 70), (10, 129)]:
    password, salt = rng.randbytes(rng.randrange(1, 90)), rng.randbytes(rng.randrange(1, 30))
    key = hashlib.pbkdf2_hmac(name, password, salt, iterations, count)
    write("pbkdf2", hash=name, password=password, salt=salt, iterations=iterations, key=key)

for n, r, p, count in [(2, 1, 1, 16), (16, 1, 1, 64), (16, 3, 2, 40), (64, 8, 1, 32), (32, 2, 5, 100)]:
  password, salt = rng.randbytes(12), rng.randbytes(16)
  key = hashlib.scrypt(password, salt=salt, n=n, r=r, p=p, dklen=count)
  write("scrypt", password=password, salt=salt, n=n, r=r, p=p, key=key)

for name in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA512-224", "SHA512-256"]:
  for purpose in [1, 2, 3]:
    for text, salt_length, iterations, count in [("smeg", 8, 1, 24), ("", 8, 3, 20), ("Grüße 🔑" * 9, 20, 10, 70), (None, 20, 5, 150)]:
      password = b"" if text is None else text.encode("utf-16-be") + b"\0\0"
      salt = rng.randbytes(salt_length)
      out = openssl("kdf", "-keylen", str(count), "-kdfopt", f"digest:{name}", "-kdfopt", f"hexpass:{password.hex()}",
                    "-kdfopt", f"hexsalt:{salt.hex()}", "-kdfopt", f"iter:{iterations}", "-kdfopt", f"id:{purpose}", "PKCS12KDF")
      key = bytes.fromhex(out.decode().strip().replace(":", ""))
      write("pkcs12kdf", hash=name.lower().replace("-", "_"), purpose=purpose, password=password, salt=salt, iterations=iterations, key=key)

for cipher, key_length, block in [("aes-128-cbc", 16, 16), ("aes-192-cbc", 24, 16), ("aes-256-cbc", 32, 16),
                                  ("des-ede3-cbc", 24, 8), ("des-ede-cbc", 16, 8), ("rc2-cbc", 16, 8), ("rc2-40-cbc", 5, 8)]:
  for length in [0, 1, block - 1, block, block + 1, 5 * block, 100]:
    key, vector, text = rng.randbytes(key_length), rng.randbytes(block), rng.randbytes(length)
    encrypted = openssl("enc", f"-{cipher}", "-K", key.hex(), "-iv", vector.hex(), "-provider", "legacy", "-provider", "default", data=text)
    write("cipher", name=cipher, key=key, vector=vector, encrypted=encrypted, text=text)

for name, key_length in [("rc4", 16), ("rc4-40", 5)]:
  for length in [1, 16, 300]:
    key, text = rng.randbytes(key_length), rng.randbytes(length)
    encrypted = openssl("enc", f"-{name}", "-K", key.hex(), "-provider", "legacy", "-provider", "default", data=text)
    write("cipher", name=name, key=key, vector=b"", encrypted=encrypted, text=text)

with open(os.path.join(HERE, "primitives.txt"), "w") as file:
  file.write("\n".join(lines) + "\n")
