"""holdfast_edwards_neon.h: four numbers of ten limbs of 26 and 25 bits in turns, for p = 2^255 - 19, with
multiplications of 32 bits. No lane wraps in any of its functions: the machine fails where one may."""
from c_machine import Pointer, Vector
from claims import claim, number
from machine import Word

GROUP = "holdfast_edwards_neon.h"
HEADERS = ["edwards_neon"]
P = 2**255 - 19
PREFIX = "holdfast_edwards_neon_"
# The place of each limb.
PLACES = [(51 * i + 1) // 2 for i in range(10)]
# Carried limbs, even and odd ones.
CARRIED = (2**25 + 2**15, 2**24 + 2**15)
# How many of them the limbs of the second factor of a product are the sums of.
SECOND = (3, 4)


def lane(p, four, index):
    total = number(0)
    for place, vector in zip(PLACES, four["limb"]):
        total = total + vector.words[index].poly.scaled(1 << place)
    return p.context.normal(total)


def all_lanes(p, four):
    return [lane(p, four, index) for index in range(4)]


def inputs(p, name, sums):
    """Limbs of sums of so many carried numbers."""
    def word(i, k):
        most = (sums if isinstance(sums, int) else sums[i % 2]) * CARRIED[i % 2]
        return Word(p.fresh(f"{name}{k}.{i}", -most, most), -most, most, "Lane")
    return {"limb": [Vector([word(i, k) for k in range(4)]) for i in range(10)]}


def are_within(p, four, sums, why):
    for i, vector in enumerate(four["limb"]):
        most = (sums if isinstance(sums, int) else sums[i % 2]) * CARRIED[i % 2]
        for word in vector.words:
            p.inside(word, -most, most, why)


def congruent_lanes(p, four, expected):
    for index in range(4):
        p.congruent(lane(p, four, index), expected[index], P, f"lane {index} is not congruent")


def made(p, expected):
    """A carried number in each lane that is congruent to a polynomial."""
    four = inputs(p, "o", 1)
    for index, poly in enumerate(expected):
        first = four["limb"][0].words[index].poly
        rest = lane(p, four, index) - first
        p.context.define(first, poly + p.fresh("k", -1 << 1200, 1 << 1200).scaled(P) - rest)
    return four


def contract_product(p, x, y):
    are_within(p, x, 4, "that the first factor is a sum of four")
    are_within(p, y, SECOND, "that the second factor is a sum of three")
    return made(p, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])


def contract_square(p, x):
    are_within(p, x, 2, "that a number to square is a sum of two")
    return made(p, [p.times(a, a) for a in all_lanes(p, x)])


STEPS = {PREFIX + "product": contract_product, PREFIX + "square": contract_square}


@claim(GROUP, PREFIX + "product()")
def product(p):
    """Of sums of four and of three carried numbers."""
    x, y = inputs(p, "x", 4), inputs(p, "y", SECOND)
    result = p.call(x, y)
    congruent_lanes(p, result, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])
    are_within(p, result, 1, "that limbs are carried")


@claim(GROUP, PREFIX + "square()")
def square(p):
    """Of sums of two."""
    x = inputs(p, "x", 2)
    result = p.call(x)
    congruent_lanes(p, result, [p.times(a, a) for a in all_lanes(p, x)])
    are_within(p, result, 1, "that limbs are carried")


@claim(GROUP, PREFIX + "factors()")
def factors(p):
    """The four numbers, of four words each."""
    given = [p.words(name, 4) for name in "abc"]
    result = p.call(*map(Pointer, given))
    first, second, third = map(p.value, given)
    congruent_lanes(p, result, [first, second, number(2), third])
    are_within(p, result, SECOND, "that the second factor is a sum of three")


def point(p):
    """The words of X, Y, Z, T, each a pair of limbs, and the four numbers."""
    four = inputs(p, "p", 1)
    for index in range(4):
        first = four["limb"][0].words[index].poly
        p.context.define(first, p.fresh(f"P{index}", -1 << 500, 1 << 500) - lane(p, four, index) + first)
    pairs = zip(four["limb"][::2], four["limb"][1::2])
    return [halves for even, odd in pairs for halves in zip(even.words, odd.words)], all_lanes(p, four)


def check_step(p, words, e, f, g, h):
    """X = E F, Y = G H, Z = F G, T = E H."""
    four = {"limb": [Vector([pair[i % 2] for pair in words[4 * (i // 2):4 * (i // 2) + 4]]) for i in range(10)]}
    congruent_lanes(p, four, [p.times(e, f), p.times(g, h), p.times(f, g), p.times(e, h)])
    are_within(p, four, 1, "that limbs are carried")


@claim(GROUP, PREFIX + "double()", contracts=STEPS)
def double(p):
    """RFC 8032 §5.1.4: A = X^2, B = Y^2, H = A + B, E = H - (X + Y)^2, G = A - B, F = 2 Z^2 + G."""
    words, (x, y, z, _) = point(p)
    p.call(Pointer(words))
    x, y, z = (p.context.resolved(n) for n in (x, y, z))
    a, b = p.times(x, x), p.times(y, y)
    h, g = a + b, a - b
    check_step(p, words, h - p.times(x + y, x + y), p.times(z, z).scaled(2) + g, g, h)


for subtracts in (0, 1):
    def add(p, subtracts=subtracts):
        """A = (Y - X) (y - x), B = (Y + X) (y + x), C = T 2dxy, D = 2 Z, E = B - A, F = D - C,
        G = D + C, H = B + A; a subtraction has -x for x."""
        words, numbers = point(p)
        addend = p.words("a", 12)
        sum, difference, third = (p.value(addend[i:i + 4]) for i in (0, 4, 8))
        p.call(Pointer(words), Pointer(addend), subtracts)
        x, y, z, t = (p.context.resolved(n) for n in numbers)
        if subtracts:
            sum, difference, third = difference, sum, -third
        a, b, c = p.times(y - x, difference), p.times(y + x, sum), p.times(t, third)
        d = z.scaled(2)
        check_step(p, words, b - a, d - c, d + c, b + a)
    claim(GROUP, PREFIX + "add()", contracts=STEPS, part="subtracts" if subtracts else "adds")(add)
