"""Writes questions that fuzz.c answers, to begin with.

usage: fuzz_seeds.py FOLDER LEAF.der ISSUER.der
"""

import pathlib, struct, sys
folder, *ders = sys.argv[1:]
chain = [pathlib.Path(path).read_bytes() for path in ders]
anchors = pathlib.Path("Vectors/demo/root.pem").read_bytes()
for choice in (0, 1, 127):
    for purpose, host in ((1, b"www.demo.example"), (2, b"")):
        pieces = [anchors, b"**.demo.example", b"sha256/" + b"A" * 43 + b"=", b"", b"", host, *chain]
        body = b"".join(struct.pack(">H", len(piece)) + piece for piece in pieces)
        (pathlib.Path(folder) / f"{choice}-{purpose}").write_bytes(bytes([choice, purpose, 0, 2]) + body)
