"""DER as X.690 has it, in few lines: the header of an element, and the content of universal types.

What is wrong is raised as `Bad`: the problem, the byte and, if it is about one, the tag.
"""
from times import moment
from wrong import Bad

NEVER_PRIMITIVE = {0, 8, 11, 15, 16, 17, 29}  # X.680 §8.4: reserved, or of constructed types
CONSTRUCTED = {0x28, 0x2B, 0x30, 0x31, 0x3D}  # EXTERNAL, EMBEDDED PDV, SEQUENCE, SET, CHARACTER STRING
LONGEST_OID = 47  # a limit of the library
ALPHABETS = {  # X.680 §41
    0x13: frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"),
    0x12: frozenset(b"0123456789 "), 0x16: frozenset(range(128)), 0x1A: frozenset(range(32, 127)),
}  # fmt: skip


def header(data, start, end, expected=None):
    """The tag, and where the content begins and ends. X.690 §8.1, §10.1."""
    if start == end:
        raise Bad("missing", start, expected or 0)
    if data[start] & 31 == 31:
        raise Bad("highTag", start)
    if end - start < 2:
        raise Bad("truncated", start)
    length, content = data[start + 1], start + 2
    if length >= 128:
        count = length - 128
        if count == 0:
            raise Bad("indefiniteLength", start + 1)
        if count > end - content:
            raise Bad("truncated", start + 1)
        length = int.from_bytes(data[content : content + count], "big")
        if data[content] == 0 or length < 128:
            raise Bad("overlongLength", start + 1)
        if length >= 1 << 31:
            raise Bad("excessiveLength", start + 1)
        content += count
    if length > end - content:
        raise Bad("truncated", start + 1)
    if expected is not None and data[start] != expected:
        raise Bad("unexpectedTag", start, data[start])
    return data[start], content, content + length


def check(data, tag, start, end):
    """Checks the content of an element, and all that is inside it."""
    if tag & 0xC0 == 0 and tag not in CONSTRUCTED:
        if tag & 0x20 or tag in NEVER_PRIMITIVE:
            raise Bad("unexpectedChoice", start, tag)  # §8.1.2.5, §10.2
        if tag == 1 and (end - start != 1 or data[start] not in (0, 255)):
            raise Bad("badBoolean", start)  # §11.1
        if tag in (2, 10) and (start == end or end - start > 1 and (
                data[start], data[start + 1] >> 7) in ((0, 0), (255, 1))):
            raise Bad("badInteger", start)  # §8.3.2
        if tag == 3 and (start == end or data[start] > 7 or data[start] and (
                end - start == 1 or data[end - 1] % (1 << data[start]))):
            raise Bad("badBitString", start)  # §8.6.2, §11.2.1
        if tag == 5 and start < end:
            raise Bad("badNull", start)  # §8.8.2
        if tag == 6:
            check_oid(data[start:end], start)
        if tag in (23, 24):
            moment(data[start:end], start, tag, may_have_fraction=tag == 24)  # §11.7
        if tag in (12, 28, 30) or tag in ALPHABETS:
            check_text(data[start:end], start, tag)
    elif tag & 0x20:
        while start < end:
            inner, content, start_of_next = header(data, start, end)
            check(data, inner, content, start_of_next)
            start = start_of_next


def check_oid(value, start):
    """§8.19.2: the last number ends, and each begins without bytes that it does not need."""
    if not 1 <= len(value) <= LONGEST_OID:
        raise Bad("badObjectIdentifier", start)
    if value[-1] >= 128:
        raise Bad("badObjectIdentifier", start + len(value) - 1)
    for place, byte in enumerate(value):
        if byte == 128 and (place == 0 or value[place - 1] < 128):
            raise Bad("badObjectIdentifier", start + place)


def check_text(value, start, tag):
    for place, byte in enumerate(value):
        if tag in ALPHABETS and byte not in ALPHABETS[tag]:
            raise Bad("badString", start + place, tag)
    try:
        value.decode({12: "utf-8", 28: "utf-32-be", 30: "utf-16-be"}.get(tag, "latin-1"))
        is_right = tag != 30 or not any(0xD8 <= byte <= 0xDF for byte in value[::2])  # §8.23.8: no pairs
    except UnicodeDecodeError:
        is_right = False
    if not is_right:
        first = next((place for place, byte in enumerate(value) if byte >= 128), 0) if tag == 12 else 0
        raise Bad("badString", start + first, tag)
