"""Runs programs for arm64 under qemu, and tells which blocks of instructions ran, and how often."""
import os
import subprocess
import sys
import tempfile

# How the lines of signatures.py begin of what is measured, and how many hexadecimal digits an RSA key has.
OPERATIONS = {"RSA-2048": ("rsa SHA-256 ", 512), "RSA-4096": ("rsa SHA-512 ", 1024), "Ed25519": ("ed25519 ", 64),
              "P-256": ("secp256r1 SHA-256 ", None), "P-384": ("secp384r1 SHA-384 ", None),
              "P-521": ("secp521r1 SHA-512 ", None)}


def line_of(lines, beginning, digits):
    """The first valid signature of a kind."""
    for line in lines:
        fields = line.split(" ")
        if line.startswith(beginning) and fields[9] == "valid" and digits in (None, len(fields[4].lstrip("0"))):
            return line
    sys.exit(f"no line of {beginning}")


def ends(word):
    """Whether an instruction can end a block: a branch, a return or a call of the system."""
    return (word & 0x7C000000 in (0x14000000, 0x34000000) or word >> 24 in (0x54, 0xD4) or word >> 25 == 0x6B)


def read_only(line):
    """A line with the same numbers, of which only the hash of the message is asked, and compared with the signature."""
    fields = line.split(" ")
    fields[0], fields[9] = "digest", "invalid"
    return " ".join(fields)


def add(runs, found, times):
    for words, count in found.items():
        runs[words] = runs.get(words, 0) + times * count


class Runner:
    """Runs programs for a processor of qemu's."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.plugin = os.path.join(self.folder.name, "blocks.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "blocks.c")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", self.plugin, source], check=True)

    def run(self, program, processor, text):
        """How often each block of instructions runs. qemu also ends a block where a page of memory ends: the two parts
        are put together, as a model would repeat each by itself, and no loop."""
        blocks = os.path.join(self.folder.name, "blocks.txt")
        subprocess.run(["qemu-aarch64", "-cpu", processor, "-plugin", self.plugin, *program], input=text, text=True,
                       check=True, env={**os.environ, "BLOCKS": blocks}, stdout=subprocess.DEVNULL)
        counts, code, found = {}, {}, {}
        with open(blocks, encoding="ascii") as file:
            for line in file:
                place, runs, *words = line.split()
                place = int(place, 16)
                counts[place] = counts.get(place, 0) + int(runs)
                code[place] = tuple(words)
        for place in sorted(code):
            words, after = code[place], place + 4 * len(code[place])
            if after % 4096 == 0 and after in code and not ends(int(words[-1], 16)):
                both = min(counts[place], counts[after])
                counts[place] -= both
                counts[after] -= both
                add(found, {words + code[after]: both}, 1)
        for place, words in code.items():
            add(found, {words: counts[place]}, 1)
        return found

    def line(self, program, processor, line):
        """The same of one line of input: a tenth of the difference between twelve and two."""
        runs = {}
        for count, times in ((2, -0.1), (12, 0.1)):
            add(runs, self.run(program, processor, f"{line}\n" * count), times)
        return runs

    def verification(self, program, processor, line):
        """The same of the verification that a line asks, with its key, but without the text and the hash."""
        runs = self.line(program, processor, line)
        add(runs, self.line(program, processor, read_only(line)), -1)
        return runs


def instructions(runs):
    return sum(len(words) * count for words, count in runs.items())
