"""A DER encoder in a few lines, for the scripts that write certificates no library would write."""


def tlv(tag, *parts):
    content = b"".join(parts)
    if len(content) < 128:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content


def sequence(*parts):
    return tlv(0x30, *parts)


def integer(value, octets=None):
    """Encodes a number in as many octets as it needs, or in `octets`."""
    size = octets or (value if value >= 0 else ~value).bit_length() // 8 + 1
    return tlv(2, value.to_bytes(size, "big", signed=True))


def oid(text):
    first, second, *rest = map(int, text.split("."))
    content = b""
    for arc in [first * 40 + second, *rest]:
        digits = [arc & 127]
        while arc := arc >> 7:
            digits.append(arc & 127 | 128)
        content += bytes(reversed(digits))
    return tlv(6, content)
