"""holdfast_p256.h: four numbers of six limbs of 48 bits, for p = 2^256 - 2^224 + 2^192 + 2^96 - 1, times 2^288."""
from algebra import ZERO
from claims import claim, number
from curve_lanes import Curve, check_product, declare_steps

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
# 2^16 p has limbs of up to 2^48 + 2^16 - 1, and the last of 2^32 - 2.
CURVE = Curve("p256", P, 6, 2**288, (2**30 - 1,), 2**48 + 2**16 - 1, 2**32 - 2,
              kinds=("ifma",))
GROUP = CURVE.group
HEADERS = ["carry", "lanes", "p256"]


def total(p, count, *arguments):
    """The number whose limbs a function gives."""
    limbs = [p.call(index, *arguments).poly for index in range(count)]
    return sum((limb.scaled(1 << (48 * index)) for index, limb in enumerate(limbs)), ZERO)


@claim(GROUP, "holdfast_p256_limb()")
def limb(p):
    """The limbs of 2^16 p, and zeros on both sides."""
    p.equal(total(p, 12), number(P << 16))
    p.equal(p.call(-1).poly, ZERO)


@claim(GROUP, "holdfast_p256_taken()")
def taken(p):
    """What limbs take of each other is nothing in all."""
    for first, last in ((0, 5), (0, 6), (2, 5), (10, 11)):
        for count in (1, 2):
            p.equal(total(p, 12, first, last, count), ZERO)


@claim(GROUP, "holdfast_p256_ifma_minus()")
def minus(p):
    """With a multiple of p."""
    x, y = (p.four(name, 1, 2**51)["limb"][0] for name in "xy")
    multiple = 0
    for index in range(6):
        words = p.call(index, x, y, 6).words
        more = (words[0].poly - x.words[0].poly + y.words[0].poly).constant
        for a, b, found in zip(x.words, y.words, words):
            p.equal(found.poly, a.poly - b.poly + number(more))
        multiple += more << (48 * index)
    p.equal(number(multiple), number(6 * P << 16))


def product(p, curve, kind):
    """The limbs that are cleared are not negative, and below 2^62."""
    p.c.after[curve.title(kind, "columns")] = lambda frame: [
        p.inside(word, -1, 2**60, "that the twelve limbs are in their bounds")
        for index in range(12) for word in frame["product"].read(index).words]
    check_product(p, curve, kind)
    limbs = p.c.frames[curve.title(kind, "reduce")]["sum"]
    for index in range(6):
        for word in limbs.read(index).words:
            p.inside(word, 0, 2**62, "that a limb that is cleared is in its bounds")


declare_steps(CURVE, product)
