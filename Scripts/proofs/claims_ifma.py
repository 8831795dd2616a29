"""holdfast_ifma.h: Montgomery products in limbs of 52 bits, eight in a register, for R = 2^(52 rows).

A row is proved for any state of the sums, by running the body of its loop once:
    2^52 S' = S + b A + m N,  m < 2^52.
So after all rows R S = A B + M N with M < R; with N < R / 4 and A, B < 2N, S < 4 N^2 / R + N < 2N.
"""
from algebra import ONE, ZERO
from c_machine import Pointer
from claims import claim

GROUP = "holdfast_ifma.h"
HEADERS = ["ifma"]
BITS = 52
LIMB = 2**52 - 1
# What a lane may hold when a row begins: 80 rows of less than 2^54.
LANE = 80 * 2**54


def lanes(blocks):
    return [word for vector in blocks for word in vector.words]


def value(p, blocks):
    return p.value(lanes(blocks), BITS)


def state(p, name, blocks, most):
    return [p.lanes(p.words(f"{name}{j}.", 8, most)) for j in range(blocks)]


def parts_of(p, title, loop_variable):
    """The statements before a loop, its body, and those after it."""
    body = p.program.functions[title].body[2]
    place = next(i for i, s in enumerate(body) if s[0] == "for" and s[2][0] == "declare"
                 and s[2][3][0][0] == loop_variable)
    return body[:place], body[place][5], body[place + 1:]


def begin(p, title, blocks, rows):
    """The frame when the loop begins, for arguments of any value."""
    count = 8 * blocks
    left, right, modulus = (p.words(name, count, LIMB) for name in ("a", "b", "n"))
    inverse = p.word("inverse", LIMB)
    # n0 * inverse = -1 modulo 2^52
    p.context.relate(modulus[0].poly, inverse.poly,
                     p.fresh("w", -(2**52), 2**52).scaled(1 << 52) - ONE)
    frame = {"result": Pointer([None] * count), "left": Pointer(left), "right": Pointer(right),
             "modulus": Pointer(modulus), "negated_inverse": inverse, "blocks": blocks, "rows": rows}
    before, body, after = parts_of(p, title, "row")
    p.c.file = p.program.functions[title].file
    for statement in before:
        p.c.run(statement, frame)
    return frame, body, left, right, modulus


def gains(p, before, after, most, why):
    """That lane i has at most `most` more than lane i + 1 could have, by the sums of the bounds."""
    before = lanes(before)[1:] + [p.c.lane(0)]
    for index, (old, new) in enumerate(zip(before, lanes(after))):
        # The lowest lane takes the carry as well, which is dropped with it in the next row.
        room = most + (2**10 if index == 0 else 0)
        if new.high - old.high > room:
            p.fail(f"{why}: {new.high - old.high - most:#x} more in lane {index}")


@claim(GROUP, "holdfast_ifma_move()")
def move(p):
    blocks = state(p, "x", 3, LANE)
    before = lanes(blocks)
    p.call(blocks, 3)
    for old, new in zip(before[1:] + [p.c.lane(0)], lanes(blocks)):
        p.equal(new.poly, old.poly)


@claim(GROUP, "holdfast_ifma_rows()", wide=True)
def rows(p):
    """Ten blocks, as for 80 limbs."""
    blocks = 10
    frame, body, left, right, modulus = begin(p, "holdfast_ifma_rows", blocks, 80)
    frame["sum"] = before = state(p, "s", blocks, LANE)
    before = list(before)
    frame["row"] = 7
    p.c.run(body, frame)
    m = frame["m"].words[0]
    p.at_most(m, LIMB, "that a multiple has 52 bits")
    p.equal(value(p, frame["sum"]).scaled(1 << 52),
            value(p, before) + p.times(right[7].poly, p.value(left, BITS))
            + p.times(m.poly, p.value(modulus, BITS)))
    gains(p, before, frame["sum"], 2**54 - 1, "that a lane gains less than 2^54")


for blocks, rows_ in ((5, 40), (8, 60)):
    def split_rows(p, blocks=blocks, rows_=rows_):
        """The sums of both kinds together; those with `left` have the lower halves of the next limb."""
        frame, body, left, right, modulus = begin(p, "holdfast_ifma_split_rows", blocks, rows_)
        # Each kind has half of what a lane may hold.
        before = state(p, "s", blocks, LANE // 2)
        multiples = state(p, "t", blocks, LANE // 2)
        frame["sum"], frame["multiples"] = list(before), list(multiples)
        frame["lowest"] = p.c.each(p.machine.sum, before[0], multiples[0])
        frame["b"] = p.c.do_mm512_set1_epi64(right[7])
        frame["row"] = 7
        p.c.run(body, frame)
        m = frame["m"].words[0]
        p.at_most(m, LIMB, "that a multiple has 52 bits")
        halves = [p.context.floor(p.times(a.poly, right[7].poly), 52) for a in left]
        upper = sum((h.scaled(1 << (52 * (i + 1))) for i, h in enumerate(halves)), ZERO)
        lower = ZERO
        for i, a in enumerate(left):
            product = p.times(a.poly, right[8].poly)
            lower = lower + (product - p.context.floor(product, 52).scaled(1 << 52)).scaled(1 << (52 * i))
        total = value(p, frame["sum"]) + value(p, frame["multiples"])
        p.equal((total - lower).scaled(1 << 52),
                value(p, before) + value(p, multiples) + upper
                + p.times(m.poly, p.value(modulus, BITS)))
        for word, other in zip(frame["lowest"].words, frame["multiples"][0].words):
            p.equal(word.poly, other.poly, "the lowest block is not that of both")
        for index, word in enumerate(frame["sum"][0].words):
            p.equal(word.poly, ZERO, "the lowest block of the one kind is not in the other")
        # The lowest block moves to the other kind, and gains what both gain.
        gains(p, before[1:], frame["sum"][1:], 2**53 - 1, "that a lane gains less than 2^53")
        gains(p, multiples[1:], frame["multiples"][1:], 2**53 - 1, "that a lane gains less than 2^53")
    claim(GROUP, "holdfast_ifma_split_rows()", wide=True, part=f"{8 * blocks} limbs")(split_rows)


@claim(GROUP, "holdfast_ifma_store()")
def store(p):
    """Limbs of 52 bits of the same number, but for what lies above the last."""
    blocks = 5
    sums = state(p, "s", blocks, 2 * LANE)
    before = value(p, sums)
    carries, masks = {}, []

    def bit(mask, place):
        masks.append(mask)
        return carries.setdefault(place, p.fresh(f"c{place}", 0, 1) if place else ZERO)
    p.c.watch["bit"] = bit
    result = [None] * (8 * blocks)
    moved = list(sums)
    p.call(Pointer(result), Pointer(moved), blocks)
    frame = p.c.frames["holdfast_ifma_store"]
    over, full = frame["over"].bits, frame["full"].bits
    # The bits of `one_more` are those of the carries: c' = over | (full & c), by bit vectors.
    if not p.context.solver.is_carry(masks[0], frame["over"], frame["full"]):
        p.fail("the sum of the masks is not the carries")
    # The lanes before the carries have the number, but for the bits above the last of them.
    lanes_before = []
    for index, word in enumerate(result):
        carry = carries[index]
        p.at_most(word, LIMB, "that a limb has 52 bits")
        lane = p.context.normal(moved_lane(p, frame, index) - carry)
        lanes_before.append(lane)
        quotient = p.context.floor(lane + carry, 52)
        p.equal(word.poly, lane + carry - quotient.scaled(1 << 52))
        # That quotient is the next carry, whether the lane has a carry or not.
        p.equal(over[index], p.context.floor(lane, 52), "a lane above 52 bits")
        p.equal(over[index] + full[index], p.context.floor(lane.plus(1), 52), "a full lane")
    total = sum((lane.scaled(1 << (52 * i)) for i, lane in enumerate(lanes_before)), ZERO)
    p.congruent(total, before, 1 << (52 * 8 * blocks), "the lanes are another number")


def moved_lane(p, frame, index):
    """A lane of the sums at the end, with the carry that was added."""
    return frame["sum"].read(index // 8).words[index % 8].poly


@claim(GROUP, "holdfast_ifma_product()")
def dispatch(p):
    """The blocks and rows of each size; R is more than four times the longest modulus."""
    calls = []
    names = ("holdfast_ifma_rows", "holdfast_ifma_split_rows")
    p.c.contracts = {name: (lambda c, *given, name=name: calls.append((name, given[5:]))) for name in names}
    for limbs, bits in ((40, 2078), (64, 3118), (80, 4158)):
        calls.clear()
        p.call(Pointer([]), Pointer([]), Pointer([]), Pointer([]), p.constant(0), limbs)
        ((name, (blocks, rows)),) = calls
        if 8 * blocks != limbs or bits + 2 > 52 * rows or rows > limbs:
            p.fail(f"{limbs} limbs in {blocks} blocks and {rows} rows")
        if (name == "holdfast_ifma_rows") != (blocks > 8):
            p.fail(f"{blocks} blocks do not fit into {name}")
    calls.clear()
    p.call(Pointer([]), Pointer([]), Pointer([]), Pointer([]), p.constant(0), 48)
    if calls:
        p.fail("48 limbs are no size")
