"""A certificate as the ASN.1 of RFC 5280 has it: whether bytes are one that conforms.

A type is a pair: the tags that it may begin with, and a function that reads one value between two
places and returns where the value ends.
"""
from model import check, header
from times import moment
from wrong import Bad


def primitive(tag, kind=None, rule=None):
    """A value of the universal type `kind`, which the tag is of if it is not implicit."""
    def read(data, start, end):
        _, inside, after = header(data, start, end, tag)
        check(data, kind or tag, inside, after)
        if rule and not rule(data[inside:after]):
            raise Bad("badValue", inside)
        return after
    return {tag}, read


def sequence(*fields, tag=0x30, rule=None):
    """Fields in their order; a list is a field that may be absent."""
    def read(data, start, end):
        _, place, after = header(data, start, end, tag)
        values = []
        for field in fields:
            tags, read_one = field[0] if isinstance(field, list) else field
            if isinstance(field, list) and (place == after or data[place] not in tags):
                values.append(None)
                continue
            begin, place = place, read_one(data, place, after)
            values.append(data[begin:place])
        if place < after:
            raise Bad("trailingData", place)
        if rule and not rule(*values):
            raise Bad("badValue", start)
        return after
    return {tag}, read


def many(kind, tag=0x30, least=1, is_sorted=False, rule=None):
    """SEQUENCE OF or SET OF."""
    def read(data, start, end):
        _, place, after = header(data, start, end, tag)
        values = []
        while place < after:
            begin, place = place, kind[1](data, place, after)
            values.append(data[begin:place])
        if len(values) < least or is_sorted and values != sorted(values) or rule and not rule(values):
            raise Bad("badValue", start)
        return after
    return {tag}, read


def choice(*kinds):
    def read(data, start, end):
        if start == end:
            raise Bad("missing", start)
        for tags, read_one in kinds:
            if data[start] in tags:
                return read_one(data, start, end)
        raise Bad("unexpectedChoice", start)
    return set().union(*(tags for tags, _ in kinds)), read


def explicit(number, kind):
    return sequence(kind, tag=0xA0 | number)


def read_any(data, start, end):
    tag, inside, after = header(data, start, end)
    check(data, tag, inside, after)
    return after


ANY = set(range(256)), read_any


def content(value):
    _, start, end = header(value, 0, len(value))
    return value[start:end]


def is_natural(value):
    return value[0] < 128


def is_named_bits(value):
    """X.690 §11.2.2: the last bit is set; RFC 5280 §4.2.1.3: at least one is."""
    return len(value) > 1 and value[-1] >> value[0] & 1 == 1


OID = primitive(6)
NATURAL = primitive(2, rule=is_natural)
TRUE = primitive(1, rule=lambda value: value == b"\xff")  # DEFAULT FALSE: X.690 §11.5
OCTETS, NULL = primitive(4), primitive(5)
NAMED_BITS = primitive(3, rule=is_named_bits)

# Names, §4.1.2.4 and §4.2.1.6.
ATTRIBUTE = sequence(OID, ANY)
RELATIVE = many(ATTRIBUTE, 0x31, is_sorted=True)
NAME = many(RELATIVE, least=0)


def general_name(address_sizes, address_rule=lambda value: True):
    # Of x400Address and ediPartyName only that they are DER.
    return choice(
        sequence(OID, explicit(0, ANY), tag=0xA0), primitive(0x81, 22), primitive(0x82, 22), many(ANY, 0xA3, least=0),
        explicit(4, NAME), many(ANY, 0xA5, least=0), primitive(0x86, 22),
        primitive(0x87, 4, lambda value: len(value) in address_sizes and address_rule(value)),
        primitive(0x88, 6),
    )  # fmt: skip


def is_network(value):
    """§4.2.1.10: an address and a mask of ones, then zeros."""
    mask = int.from_bytes(value[len(value) // 2 :], "big")
    inverse = mask ^ (1 << 4 * len(value)) - 1
    return inverse & inverse + 1 == 0


GENERAL_NAME = general_name((4, 16))
GENERAL_NAMES = many(GENERAL_NAME)
# The minimum is DEFAULT 0.
MINIMUM = primitive(0x80, 2, lambda value: 0 < value[0] < 128)
SUBTREE = sequence(general_name((8, 32), is_network), [MINIMUM], [primitive(0x81, 2, is_natural)])

# Extensions, §4.2.
REASONS = primitive(0x81, 3, is_named_bits)
POINT_NAME = explicit(0, choice(many(GENERAL_NAME, 0xA0), many(ATTRIBUTE, 0xA1, is_sorted=True)))
POINT = sequence([POINT_NAME], [REASONS], [many(GENERAL_NAME, 0xA2)], rule=lambda name, _, issuer: name or issuer)
# A qualifier is ANY, defined by its identifier: what else it is does not matter here.
POLICY = sequence(OID, [many(sequence(OID, ANY))])


def are_distinct(values, first=lambda value: value):
    return len(values) == len({first(value) for value in values})


def first_of(value):
    inside = content(value)
    return inside[: header(inside, 0, len(inside))[2]]


def is_uint16(value):
    return 0 <= int.from_bytes(value, "big", signed=True) < 1 << 16


EXTENSIONS = {
    "551d09": many(ANY),  # §4.2.1.8; the attributes are only shown
    "551d0e": OCTETS,
    "551d0f": NAMED_BITS,
    "551d11": GENERAL_NAMES,
    "551d12": GENERAL_NAMES,
    "551d13": sequence([TRUE], [NATURAL], rule=lambda is_authority, length: is_authority or not length),
    "551d1e": sequence([many(SUBTREE, 0xA0)], [many(SUBTREE, 0xA1)], rule=lambda *parts: any(parts)),
    "551d1f": many(POINT),
    "551d20": many(POLICY, rule=lambda values: are_distinct(values, first_of)),
    "551d21": many(sequence(OID, OID)),
    "551d23": sequence([primitive(0x80, 4)], [many(GENERAL_NAME, 0xA1)], [primitive(0x82, 2)],
                       rule=lambda _, issuer, serial: (issuer is None) == (serial is None)),
    "551d24": sequence(
        [primitive(0x80, 2, is_natural)], [primitive(0x81, 2, is_natural)], rule=lambda *parts: any(parts)),
    "551d25": many(OID),
    "551d2e": many(POINT),
    "551d36": NATURAL,
    "551d38": NULL,  # RFC 9608
    "2b06010505070101": many(sequence(OID, GENERAL_NAME)),
    "2b0601050507010b": many(sequence(OID, GENERAL_NAME)),
    "2b06010505070118": many(primitive(2, rule=is_uint16)),  # RFC 7633
}


def read_extension(data, start, end):
    _, place, after = header(data, start, end, 0x30)
    value = OID[1](data, place, after)
    kind = content(data[place:value]).hex()
    if value < after and data[value] == 1:
        value = TRUE[1](data, value, after)
    _, inside, last = header(data, value, after, 4)
    if last < after:
        raise Bad("trailingData", last)
    if kind in EXTENSIONS and EXTENSIONS[kind][1](data, inside, last) < last:
        raise Bad("trailingData", inside)
    return after


# Algorithms and keys: RFC 8410, RFC 3279, RFC 5480.
PARAMETERS = {"2b6570": None, "2b6571": None, "2a8648ce3d040302": None, "2a8648ce3d040303": None,
              "2a8648ce3d040304": None, "2a864886f70d01010b": NULL, "2a864886f70d01010c": NULL,
              "2a864886f70d01010d": NULL, "2a864886f70d010101": NULL}  # fmt: skip


def read_algorithm(data, start, end):
    _, place, after = header(data, start, end, 0x30)
    value = OID[1](data, place, after)
    known = PARAMETERS.get(content(data[place:value]).hex(), ANY)
    if value < after or known is NULL:
        if known is None:
            raise Bad("trailingData", value)
        value = known[1](data, value, after)
    if value < after:
        raise Bad("trailingData", value)
    return after


ALGORITHM = {0x30}, read_algorithm
BITS_OF_BYTES = primitive(3, rule=lambda value: value[0] == 0)
# Whether a key is one, such as by its length, is not a question of its encoding.
KEY = sequence(ALGORITHM, BITS_OF_BYTES)


def time(tag, rule):
    def read(data, start, end):
        _, inside, after = header(data, start, end, tag)
        if not rule(moment(data[inside:after], inside, tag)):
            raise Bad("badTime", start)
        return after
    return {tag}, read


START_OF_2050 = moment(b"20500101000000Z", 0, 24)
TIME = choice(time(23, lambda second: True), time(24, lambda second: second >= START_OF_2050))
SERIAL = primitive(2, rule=lambda value: 0 < int.from_bytes(value, "big", signed=True) and len(value) <= 20)
UNIQUE_ID = [primitive(0x81, 3)], [primitive(0x82, 3)]
SIGNED = sequence(
    [explicit(0, primitive(2, rule=lambda value: value in (b"\1", b"\2")))], SERIAL, ALGORITHM, NAME,
    sequence(TIME, TIME), NAME, KEY, *UNIQUE_ID,
    [explicit(3, many(({0x30}, read_extension), rule=lambda values: are_distinct(values, first_of)))],
    rule=lambda version, *fields: (not fields[-1] or version == b"\xa0\3\2\1\2")
    and (version or not fields[-2] and not fields[-3]),
)  # fmt: skip
CERTIFICATE = sequence(SIGNED, ALGORITHM, BITS_OF_BYTES)


def conforms(data):
    """Whether bytes are a certificate, and the algorithm inside is that outside: §4.1.1.2."""
    try:
        if CERTIFICATE[1](data, 0, len(data)) < len(data):
            return False
        signed, algorithm, _ = split(content(data))
        fields = split(content(signed))
        return algorithm == fields[2 if fields[0][0] == 0xA0 else 1]
    except Bad:
        return False


def split(data):
    """The elements of bytes."""
    values = []
    while data:
        after = header(data, 0, len(data))[2]
        values.append(data[:after])
        data = data[after:]
    return values
