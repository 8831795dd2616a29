"""holdfast_edwards.h: four numbers of five limbs of 51 bits, for p = 2^255 - 19."""
from c_machine import Pointer
from claims import claim, number

GROUP = "holdfast_edwards.h"
HEADERS = ["carry", "lanes", "edwards"]
P = 2**255 - 19
BITS = 51
CARRIED = 2**51 + 2**15 - 1
FACTOR = 2**52 - 1


def all_lanes(p, four):
    return [p.lane(four, lane, BITS) for lane in range(4)]


def congruent_lanes(p, found, expected):
    for lane in range(4):
        p.congruent(p.lane(found, lane, BITS), expected[lane], P, f"lane {lane} is not congruent")


def is_carried(p, four):
    words = four if isinstance(four, list) else [w for limb in four["limb"] for w in limb.words]
    for word in words:
        p.at_most(word, CARRIED, "that limbs are carried")


def is_factor(p, four):
    for limb in four["limb"]:
        for word in limb.words:
            p.at_most(word, FACTOR, "that a limb of a factor is below 2^52")


def fresh(p, expected):
    return p.fours([p.fresh_lane("o", 5, BITS, CARRIED, poly, P) for poly in expected])


def contract_carried(p, x):
    for limb in x["limb"]:
        for word in limb.words:
            p.below(word, 2**61, "that a limb to be carried is below 2^61")
    return fresh(p, all_lanes(p, x))


def contract_product(p, x, y):
    is_factor(p, x)
    is_factor(p, y)
    return fresh(p, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])


def contract_square(p, x):
    return contract_product(p, x, x)


CARRY = {"holdfast_edwards_carried": contract_carried}
STEPS = {"holdfast_edwards_carried": contract_carried, "holdfast_edwards_product": contract_product,
         "holdfast_edwards_square": contract_square}


@claim(GROUP, "holdfast_edwards_minus()")
def minus(p):
    """Limb of 4p minus x, not negative for x below 2^52."""
    for index in range(5):
        x = p.four("x", 1, FACTOR)["limb"][0]
        limb = 4 * (P >> (51 * index) & (2**51 - 1))
        for word, found in zip(x.words, p.call(index, x).words):
            p.equal(found.poly, number(limb) - word.poly)
            p.at_least(found.poly, 0, "that a difference is not negative")


@claim(GROUP, "holdfast_edwards_times19()")
def times19(p):
    x = p.four("x", 1, 2**59)["limb"][0]
    for word, found in zip(x.words, p.call(x).words):
        p.equal(found.poly, word.poly.scaled(19))


@claim(GROUP, "holdfast_edwards_carried()")
def carried(p):
    """Of limbs below 2^61."""
    x = p.four("x", 5, 2**61 - 1)
    result = p.call(x)
    congruent_lanes(p, result, all_lanes(p, x))
    is_carried(p, result)


@claim(GROUP, "holdfast_edwards_product()", contracts=CARRY)
def product(p):
    """Of limbs below 2^52; what is carried is below 2^61."""
    x, y = p.four("x", 5, FACTOR), p.four("y", 5, FACTOR)
    result = p.call(x, y)
    congruent_lanes(p, result, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])
    is_carried(p, result)


@claim(GROUP, "holdfast_edwards_square()", contracts=CARRY)
def square(p):
    x = p.four("x", 5, FACTOR)
    result = p.call(x)
    congruent_lanes(p, result, [p.times(a, a) for a in all_lanes(p, x)])
    is_carried(p, result)


def point(p):
    """The 20 words of X, Y, Z, T, and the four numbers."""
    four = p.named("P", p.four("p", 5, CARRIED), BITS)
    words = [word for limb in four["limb"] for word in limb.words]
    for word in words:
        word.type = "UInt64"
    return words, all_lanes(p, four)


def check_step(p, words, e, f, g, h):
    """X = E F, Y = G H, Z = F G, T = E H."""
    expected = [p.times(e, f), p.times(g, h), p.times(f, g), p.times(e, h)]
    congruent_lanes(p, words, expected)
    is_carried(p, words)


@claim(GROUP, "holdfast_edwards_double()", contracts=STEPS)
def double(p):
    """RFC 8032 §5.1.4: A = X^2, B = Y^2, H = A + B, E = H - (X + Y)^2, G = A - B, F = 2 Z^2 + G."""
    words, (x, y, z, t) = point(p)
    p.call(Pointer(words))
    x, y, z = (p.context.resolved(n) for n in (x, y, z))
    a, b = p.times(x, x), p.times(y, y)
    h, g = a + b, a - b
    e = h - p.times(x + y, x + y)
    f = p.times(z, z).scaled(2) + g
    check_step(p, words, e, f, g, h)


for subtracts in (0, 1):
    def add(p, subtracts=subtracts):
        """A = (Y - X) (y - x), B = (Y + X) (y + x), C = T 2dxy, D = 2 Z, E = B - A, F = D - C, G = D + C,
        H = B + A; a subtraction has -x for x."""
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
    claim(GROUP, "holdfast_edwards_add()", contracts=STEPS, part="subtracts" if subtracts else "adds")(add)
