#!/usr/bin/env python3
"""Writes readers.txt and headers.txt: what the model makes of every short input.

An expectation is a decision diagram over the bytes of the input. A line `node` has, for each value
of a byte, an outcome or a node for the next byte; equal nodes are one. A line `case` has a reader,
the bytes that are the same in all inputs, how many more bytes follow, and the node for the first.
A line `middle` has an input of which two bytes, from the place after it on, take all values. A line
`calendar` has the second at which the year 0 begins, and a bit for each year: whether it is a leap
year. A line `header` has the bytes of a length and how many zeros follow them; its node is for the tag.
An outcome is `=` and the number that the reader returns, or the problem, `@` and the byte, and
perhaps `/` and the tag that the problem is about.

    make.py            writes the files
    make.py --check    says whether they are what the model says, by the exit status
"""
import calendar
import pathlib
import sys

from model import check, header
from times import moment
from wrong import Bad

FOLDER = pathlib.Path(__file__).parent


# The readers. A place in the input is a number: that of the first byte times 256, and of the end.

def place(data, tag):
    _, start, end = header(data, 0, len(data), tag)
    return start, end


def read_any(data):
    tag, start, end = header(data, 0, len(data))
    return tag << 16 | start << 8 | end


def read_sequence(data):
    start, end = place(data, 0x30)
    return start << 8 | end


def read_elements(data):
    start, end = place(data, 0x30)
    if start == end:
        raise Bad("empty", 0)
    return start << 8 | end


def read_optional(data):
    if not data or data[0] != 2:
        return 0
    start, end = place(data, 2)
    return start << 8 | end


def read_explicit(data):
    """[0] EXPLICIT NULL OPTIONAL."""
    if not data or data[0] != 0xA0:
        return 0
    start, end = place(data, 0xA0)
    _, inner, after = header(data, start, end, 5)
    check(data, 5, inner, after)
    if after < end:
        raise Bad("trailingData", after)
    return 1


def read_checked(data, tag):
    start, end = place(data, tag)
    check(data, tag, start, end)
    return start, end


def read_boolean(data):
    start, _ = read_checked(data, 1)
    return int(data[start] == 255)


def read_integer(data):
    start, end = read_checked(data, 2)
    return start << 8 | end


def unsigned(data):
    start, end = read_checked(data, 2)
    if data[start] >= 128:
        raise Bad("integerOutOfRange", start)
    return (start + 1 if data[start] == 0 and end - start > 1 else start), end


def read_unsigned(data):
    start, end = unsigned(data)
    return start << 8 | end


def read_number(data):
    """A number of at most 1,000."""
    start, end = unsigned(data)
    if int.from_bytes(data[start:end], "big") > 1000:
        raise Bad("integerOutOfRange", start)
    return int.from_bytes(data[start:end], "big")


def read_null(data):
    read_checked(data, 5)
    return 0


def read_bits(data):
    start, end = read_checked(data, 3)
    return data[start] << 16 | start + 1 << 8 | end


def read_bytes(data):
    start, end = read_checked(data, 3)
    if data[start] > 0:
        raise Bad("badBitString", start)
    return start + 1 << 8 | end


def read_oid(data):
    start, end = read_checked(data, 6)
    return start << 8 | end


def read_time(data):
    tag, start, end = header(data, 0, len(data))
    if tag not in (23, 24):
        raise Bad("unexpectedChoice", 0, tag)
    return moment(data[start:end], start, tag)


def read_generalized(data):
    start, end = place(data, 24)
    return moment(data[start:end], start, 24)


def read_structure(data):
    return place(data, 0x30)[1]


def read_nested(data):
    """Any number of elements, valid at any depth."""
    check(data, 0x30, 0, len(data))
    return 0


READERS = {
    "any": read_any, "sequence": read_sequence, "elements": read_elements, "optional": read_optional,
    "explicit": read_explicit, "boolean": read_boolean, "integer": read_integer, "unsigned": read_unsigned,
    "number": read_number, "null": read_null, "bits": read_bits, "bytes": read_bytes, "oid": read_oid,
    "time": read_time, "generalized": read_generalized, "structure": read_structure, "nested": read_nested,
}  # fmt: skip


# The diagrams.

class Watched(bytes):
    """Bytes that record how far a reader looks: bytes after that make no difference."""

    furthest = -1

    def __getitem__(self, key):
        if isinstance(key, slice):
            last = range(*key.indices(len(self)))[-1:]
            self.furthest = max(self.furthest, *last) if last else self.furthest
            return bytes.__getitem__(self, key)
        self.furthest = max(self.furthest, key % len(self))
        return bytes.__getitem__(self, key)


class Diagrams:
    def __init__(self):
        self.nodes, self.lines = {}, []

    def node(self, targets):
        """The name of the node with these 256 targets."""
        runs, first = [], 0
        for value in range(1, 257):
            if value == 256 or targets[value] != targets[first]:
                runs.append(f"{first}-{value - 1}:{targets[first]}")
                first = value
        text = " ".join(runs)
        if text not in self.nodes:
            self.nodes[text] = f"n{len(self.nodes)}"
            self.lines.append(f"node {self.nodes[text]} {text}")
        return self.nodes[text]

    def outcome(self, reader, data):
        """What a reader makes of bytes."""
        try:
            return f"={READERS[reader](data)}"
        except Bad as bad:
            return str(bad)

    def diagram(self, reader, known, free):
        """The target for a known beginning and `free` bytes after it."""
        watched = Watched(known + bytes(free))
        target = self.outcome(reader, watched)
        if watched.furthest < len(known):
            for _ in range(free):
                target = self.node([target] * 256)
            return target
        beginnings = [known + bytes([value]) for value in range(256)]
        if free == 1:
            return self.node([self.outcome(reader, data) for data in beginnings])
        return self.node([self.diagram(reader, data, free - 1) for data in beginnings])

    def add(self, reader, known, free):
        target = self.diagram(reader, known, free)
        self.lines.append(f"case {reader} {known.hex() or '-'} {free} {target}")

    def write(self, name, is_check):
        text = "".join(line + "\n" for line in [f"# Made by make.py.", *self.lines])
        path = FOLDER / name
        if not is_check:
            path.write_text(text)
        return path.exists() and path.read_text() == text


def readers():
    diagrams = Diagrams()
    for reader in READERS:
        for free in range(4):
            diagrams.add(reader, b"", free)
    # Contents of two bytes, of every type; of three and four, where bytes depend on each other.
    for tag in range(256):
        diagrams.add("nested", bytes([tag, 2]), 2)
    diagrams.add("explicit", b"\xa0", 3)
    for reader in ("integer", "unsigned"):
        diagrams.add(reader, b"\2\3", 3)
    diagrams.add("number", b"\2\2", 2)
    diagrams.add("number", b"\2\3\0", 2)
    for first in (0x00, 0x01, 0x2A, 0x7F, 0x80, 0x81, 0xFF):
        diagrams.add("oid", bytes([6, 3, first]), 2)
    for first in (0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xFF):
        diagrams.add("nested", bytes([12, 3, first]), 2)
    for first in (0xE0, 0xED, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8):
        diagrams.add("nested", bytes([12, 4, first, 0x80]), 2)
        diagrams.add("nested", bytes([12, 4, first, 0x90]), 2)
    for plane in (0x0000, 0x0001, 0x0010, 0x0011, 0x0100):
        diagrams.add("nested", bytes([28, 4]) + plane.to_bytes(2, "big"), 2)
    # Two digits of a time, and what may stand for them.
    for text in (b"240229235959Z", b"491231000000Z", b"500101120000Z", b"20000229235959Z", b"19000228000000Z"):
        tag = 23 if len(text) == 13 else 24
        for start in [*range(0, len(text) - 1, 2), len(text) - 2]:
            add_time(diagrams, bytes([tag, len(text)]) + text, 2 + start)
    leap = [calendar.isleap(year) for year in range(10_000)]
    bits = sum(1 << 9_999 - year for year in range(10_000) if leap[year])
    first = moment(b"00000101000000Z", 0, 24)
    diagrams.lines.append(f"calendar {first} {bits:02500x}")
    return diagrams


def add_time(diagrams, data, start):
    """A case in the middle: the two bytes at `start` are free, and others follow."""
    def outcome(first, second):
        return diagrams.outcome("time", data[:start] + bytes([first, second]) + data[start + 2 :])
    target = diagrams.node([diagrams.node([outcome(a, b) for b in range(256)]) for a in range(256)])
    diagrams.lines.append(f"middle time {data.hex()} {start} {target}")


BOUNDARIES = [0, 1, 2, 126, 127, 128, 129, 254, 255, 256, 257, 65_534, 65_535, 65_536, 65_537,
              (1 << 24) - 1, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 64) - 1]  # fmt: skip


def lengths():
    """The bytes of each length in every form, and of lengths that are none."""
    for value in BOUNDARIES:
        shortest = value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")
        if value < 128:
            yield bytes([value]), value
        for zeros in (0, 1, 2, 3, 4, 100):
            if zeros + len(shortest) < 127:
                yield bytes([128 + zeros + len(shortest)]) + bytes(zeros) + shortest, value
    yield b"\x80", 0
    yield b"\x80\0\0", 0
    yield b"\xff", 0
    yield b"\xff" + bytes(126) + b"\1", 0
    for count in (1, 2, 3, 4, 5, 8, 126):
        yield bytes([128 + count]) + b"\1" * (count - 1), 0


def headers():
    diagrams = Diagrams()
    for length, value in lengths():
        counts = {0, 1, value - 1, value, value + 1} if value <= 65_537 else {0, 1, 200}
        for count in sorted(one for one in counts if one >= 0):
            targets = [diagrams.outcome("any", bytes([tag]) + length + bytes(count)) for tag in range(256)]
            # The places do not fit into a byte here: what is read is the whole input, or all but its end.
            diagrams.lines.append(f"header {length.hex()} {count} {diagrams.node(targets)}")
    return diagrams


def main():
    is_check = "--check" in sys.argv
    is_same = [headers().write("headers.txt", is_check), readers().write("readers.txt", is_check)]
    if not all(is_same):
        sys.exit("the model says something else than the files")


if __name__ == "__main__":
    main()
