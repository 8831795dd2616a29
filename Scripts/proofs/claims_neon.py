"""holdfast_neon.h: Montgomery products in limbs of 28 bits, with multiplications of 32 bits.

The whole product is proved for numbers of eight limbs; for the lengths of keys it is proved that no sum of a column
leaves 64 bits. With n' = 2^56 m - 1 below R / 4 and A, B < 2 n', R S = A B + D n' with D < R, so
S < 4 n'^2 / R + n' < 2 n' < R: nothing is carried out of the last limb."""
from algebra import ZERO
from c_machine import Pointer, Vector
from claims import claim
from machine import Word

GROUP = "holdfast_neon.h"
HEADERS = ["neon"]
BITS = 28
LIMB = 2**28 - 1
PREFIX = "holdfast_neon_"


def limbs(p, name, count):
    return p.words(name, count, LIMB, "UInt32")


def modulus_of(p, count):
    """m has two limbs less than numbers, and zeros around it."""
    return [p.constant(0, "UInt32")] * 4 + limbs(p, "m", count - 2) + [p.constant(0, "UInt32")] * 6


for squares in (0, 1):
    def compute(p, squares=squares):
        """R S = A B + D n' for a number D of digits."""
        blocks, digits, carries = 2, [], []
        count = 4 * blocks
        left = limbs(p, "a", count)
        right = left if squares else limbs(p, "b", count)
        modulus = modulus_of(p, count)
        result = [None] * count

        def after(frame):
            if frame["k"] < blocks:
                digits.extend(frame[f"d{i}"] for i in range(4))
        p.c.after[PREFIX + "block"] = after
        p.c.after[PREFIX + "compute"] = lambda frame: carries.append(frame["carry"])
        p.call(Pointer(result), Pointer(left), Pointer(right), Pointer(modulus, 4), squares, blocks)
        if len(digits) != count:
            p.fail(f"{len(digits)} digits")
        for word in result + digits:
            p.inside(word, 0, LIMB, "that a limb has 28 bits")
        d, m = p.value(digits, BITS), p.value(modulus[4:], BITS)
        p.equal((p.value(result, BITS) + carries[0].poly.scaled(1 << (BITS * count))).scaled(1 << (BITS * count)),
                p.times(p.value(left, BITS), p.value(right, BITS)) + p.times(d, m).scaled(1 << 56) - d)
    claim(GROUP, PREFIX + "compute()", part="squares" if squares else "products")(compute)


for limbs_ in (76, 112):
    def columns(p, count=limbs_):
        """Of a column only the bound is kept, in the middle, where columns have the most products; there is room
        for 2^58 of carries and products of digits."""
        def most(bounds):
            if max(bounds) >= 2**64 - 2**58:
                p.fail("a column may not fit")
            return Vector([Word(ZERO, 0, bound, "Lane") for bound in bounds])

        def add(total, x, y, lane, first):
            return most([t.high + a.high * y.words[lane].high
                         for t, a in zip(total.words, x.words[first:first + 2])])
        p.c.do_vmlal_laneq_u32 = lambda total, x, y, lane: add(total, x, y, lane, 0)
        p.c.do_vmlal_high_laneq_u32 = lambda total, x, y, lane: add(total, x, y, lane, 2)
        p.c.do_vaddq_u64 = lambda x, y: most([a.high + b.high for a, b in zip(x.words, y.words)])
        p.c.do_vgetq_lane_u64 = lambda x, lane: p.word("u", x.words[lane].high)
        zeros = [p.constant(0, "UInt32")] * 4
        x, right, digits = ([*limbs(p, name, count), *zeros] for name in "abd")
        twice = [p.word(f"t{i}", 2 * LIMB, "UInt32") for i in range(count)] + zeros
        for squares in (0, 1):
            for k in range(count // 4 - 2, count // 4 + 2):
                p.call(Pointer([None] * count), Pointer(list(digits)), Pointer(zeros + x, 4), Pointer(twice),
                       Pointer(right), Pointer(modulus_of(p, count), 4), p.word("carry", 2**37), k, k % 2, squares,
                       count // 4)
    claim(GROUP, PREFIX + "block()", part=f"{limbs_} limbs")(columns)


@claim(GROUP, PREFIX + "product()")
def dispatch(p):
    """Squares and products of whole blocks; R is more than four times the multiple of the longest modulus."""
    calls = []
    p.c.contracts = {PREFIX + "compute": lambda c, *given: calls.append(given[4:])}
    numbers = [Pointer([None]) for _ in range(3)]
    for count, bits in ((76, 2070), (112, 3078)):
        for squares in (0, 1):
            calls.clear()
            p.call(numbers[0], numbers[0], numbers[1 - squares], numbers[2], count)
            if calls != [(squares, count // 4)] or bits + 56 + 2 > BITS * count:
                p.fail(f"{count} limbs")
    calls.clear()
    for count in (0, 78, 116):
        p.call(numbers[0], numbers[0], numbers[1], numbers[2], count)
    if calls:
        p.fail("other sizes are computed")
