"""holdfast_edwards.h: four numbers of five limbs of 51 bits, for p = 2^255 - 19, as 52-bit words and as
doubles. The steps are proved for both kinds from what their products and carries are proved to do."""
from c_machine import Pointer
from claims import claim, number

GROUP = "holdfast_edwards.h"
HEADERS = ["carry", "lanes", "edwards"]
P = 2**255 - 19
BITS = 51
# Carried limbs, and those of the other factor of a product.
CARRIED = {"ifma": (0, 2**51 + 2**15 - 1), "doubles": (-(2**50) - 2**13, 2**50 + 2**13)}
FACTOR = {"ifma": (0, 2**52 - 1), "doubles": (-(2**51) - 2**15, 2**51 + 2**15)}
# What can be carried.
SUM = {"ifma": (0, 2**61 - 1), "doubles": (1 - 2**53, 2**53 - 1)}
IFMA, DOUBLES = "holdfast_edwards_ifma_", "holdfast_edwards_doubles_"


def all_lanes(p, four):
    return [p.lane(four, lane, BITS) for lane in range(4)]


def congruent_lanes(p, found, expected):
    for lane in range(4):
        p.congruent(p.lane(found, lane, BITS), expected[lane], P, f"lane {lane} is not congruent")


def words_of(four):
    return four if isinstance(four, list) else [w for limb in four["limb"] for w in limb.words]


def are_within(p, four, bounds, why):
    for word in words_of(four):
        p.inside(word, *bounds, why)


def is_within(four, bounds):
    return all(bounds[0] <= word.low and word.high <= bounds[1] for word in words_of(four))


def fresh(p, kind, expected):
    return p.fours([p.fresh_lane("o", 5, BITS, CARRIED[kind], poly, P) for poly in expected])


def steps(kind):
    """What the products and carries of a kind do, for the proofs of what calls them."""
    def carried(p, x):
        are_within(p, x, SUM[kind], "that a limb can be carried")
        return fresh(p, kind, all_lanes(p, x))

    def product(p, x, y):
        # One factor is carried, or both are as those of 52 bits may be.
        if kind == "doubles" and not is_within(x, CARRIED[kind]):
            x, y = y, x
        are_within(p, x, (CARRIED if kind == "doubles" else FACTOR)[kind], "that a factor is carried")
        are_within(p, y, FACTOR[kind], "that a limb of a factor is in its bounds")
        return fresh(p, kind, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])

    def square(p, x):
        return product(p, x, x)
    prefix = f"holdfast_edwards_{kind}_"
    return {prefix + "carried": carried, prefix + "product": product, prefix + "square": square}


CARRY = {IFMA + "carried": steps("ifma")[IFMA + "carried"]}


def inputs(p, kind, name, bounds):
    return p.four(name, 5, bounds[1], low=bounds[0], type="Double" if kind == "doubles" else None)


@claim(GROUP, "holdfast_edwards_ifma_negated()")
def negated(p):
    """In some lanes limb of 4p minus x, not negative for x below 2^52."""
    for index in range(5):
        x = p.four("x", 1, FACTOR["ifma"][1])["limb"][0]
        limb = 4 * (P >> (51 * index) & (2**51 - 1))
        for lane, (word, found) in enumerate(zip(x.words, p.call(index, x, 9).words)):
            p.equal(found.poly, number(limb) - word.poly if 9 >> lane & 1 else word.poly)
            p.at_least(found.poly, 0, "that a difference is not negative")


@claim(GROUP, "holdfast_edwards_doubles_negated()")
def negated_doubles(p):
    x = inputs(p, "doubles", "x", CARRIED["doubles"])["limb"][0]
    for lane, (word, found) in enumerate(zip(x.words, p.call(0, x, 9).words)):
        p.equal(found.poly, -word.poly if 9 >> lane & 1 else word.poly)


@claim(GROUP, "holdfast_edwards_times19()")
def times19(p):
    x = p.four("x", 1, 2**59)["limb"][0]
    for word, found in zip(x.words, p.call(x).words):
        p.equal(found.poly, word.poly.scaled(19))


for kind in ("ifma", "doubles"):
    PREFIX = f"holdfast_edwards_{kind}_"

    def carried(p, kind=kind):
        """Of limbs below 2^61, or doubles below 2^53 in size."""
        x = inputs(p, kind, "x", SUM[kind])
        result = p.call(x)
        congruent_lanes(p, result, all_lanes(p, x))
        are_within(p, result, CARRIED[kind], "that limbs are carried")
    claim(GROUP, PREFIX + "carried()")(carried)

    def product(p, kind=kind):
        """Of limbs below 2^52, or of doubles of which one is carried and the other up to 2^51 + 2^15."""
        x = inputs(p, kind, "x", (CARRIED if kind == "doubles" else FACTOR)[kind])
        y = inputs(p, kind, "y", FACTOR[kind])
        result = p.call(x, y)
        congruent_lanes(p, result, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])
        are_within(p, result, CARRIED[kind], "that limbs are carried")
    claim(GROUP, PREFIX + "product()", contracts=CARRY)(product)

    def square(p, kind=kind):
        x = inputs(p, kind, "x", (CARRIED if kind == "doubles" else FACTOR)[kind])
        result = p.call(x)
        congruent_lanes(p, result, [p.times(a, a) for a in all_lanes(p, x)])
        are_within(p, result, CARRIED[kind], "that limbs are carried")
    claim(GROUP, PREFIX + "square()", contracts=CARRY)(square)

    def factors(p, kind=kind):
        """The four numbers, of four words each."""
        given = [p.words(name, 4) for name in "abc"]
        result = p.call(*map(Pointer, given))
        first, second, third = map(p.value, given)
        congruent_lanes(p, result, [first, second, number(2), third])
        are_within(p, result, FACTOR[kind], "that a limb of a factor is in its bounds")
    claim(GROUP, PREFIX + "factors()")(factors)

    def double(p, kind=kind):
        """RFC 8032 §5.1.4: A = X^2, B = Y^2, H = A + B, E = H - (X + Y)^2, G = A - B, F = 2 Z^2 + G."""
        words, (x, y, z, t) = point(p, kind)
        p.call(Pointer(words))
        x, y, z = (p.context.resolved(n) for n in (x, y, z))
        a, b = p.times(x, x), p.times(y, y)
        h, g = a + b, a - b
        e = h - p.times(x + y, x + y)
        f = p.times(z, z).scaled(2) + g
        check_step(p, kind, words, e, f, g, h)
    claim(GROUP, PREFIX + "double()", contracts=steps(kind))(double)

    for subtracts in (0, 1):
        def add(p, kind=kind, subtracts=subtracts):
            """A = (Y - X) (y - x), B = (Y + X) (y + x), C = T 2dxy, D = 2 Z, E = B - A, F = D - C,
            G = D + C, H = B + A; a subtraction has -x for x."""
            words, numbers = point(p, kind)
            addend = p.words("a", 12)
            sum, difference, third = (p.value(addend[i:i + 4]) for i in (0, 4, 8))
            p.call(Pointer(words), Pointer(addend), subtracts)
            x, y, z, t = (p.context.resolved(n) for n in numbers)
            if subtracts:
                sum, difference, third = difference, sum, -third
            a, b, c = p.times(y - x, difference), p.times(y + x, sum), p.times(t, third)
            d = z.scaled(2)
            check_step(p, kind, words, b - a, d - c, d + c, b + a)
        claim(GROUP, PREFIX + "add()", contracts=steps(kind), part="subtracts" if subtracts else "adds")(add)


def point(p, kind):
    """The 20 words of X, Y, Z, T, and the four numbers."""
    four = p.named("P", inputs(p, kind, "p", CARRIED[kind]), BITS)
    words = words_of(four)
    for word in words:
        word.type = "Double" if kind == "doubles" else "UInt64"
    return words, all_lanes(p, four)


def check_step(p, kind, words, e, f, g, h):
    """X = E F, Y = G H, Z = F G, T = E H."""
    expected = [p.times(e, f), p.times(g, h), p.times(f, g), p.times(e, h)]
    congruent_lanes(p, words, expected)
    are_within(p, words, CARRIED[kind], "that limbs are carried")
