"""holdfast_p384.h: four numbers of eight limbs of 48 bits, for p = 2^384 - 2^128 - 2^96 + 2^32 - 1, as
52-bit words and as doubles. The steps are proved for both kinds from what their products are proved to do."""
from c_machine import Pointer
from claims import claim, number

GROUP = "holdfast_p384.h"
HEADERS = ["carry", "lanes", "p384"]
P = 2**384 - 2**128 - 2**96 + 2**32 - 1
BITS = 48
# Limbs of a product of words; those of X and Y have limbs of 4p and 2p more: the lowest of p is
# 2^48 + 2^32 - 1. Of doubles, one unit; those of X and Y have four and two.
MORE = 2**48 + 2**32 - 1
UNIT = 2**47 + 2**31
WORD = 2**48 + 2**15 - 1
PRODUCT = {"ifma": (0, WORD), "doubles": (-UNIT, UNIT)}
STORED = {"ifma": [(0, WORD + 4 * MORE), (0, WORD + 2 * MORE), (0, WORD), (0, WORD)],
          "doubles": [(-4 * UNIT, 4 * UNIT), (-2 * UNIT, 2 * UNIT), (-UNIT, UNIT), (-UNIT, UNIT)]}
# The factors of a product.
FACTORS = {"ifma": ((0, 2**52 - 1), (0, 2**52 - 1)),
           "doubles": ((-5 * UNIT, 5 * UNIT), (-6 * UNIT, 6 * UNIT))}
ADDEND = 2**48 - 1
IFMA = "holdfast_p384_ifma_"


def limb_of_p(index):
    """The limbs that p is written with, as powers of two."""
    return 2**48 - 1 + (2**32 if index == 0 else -(2**32) - 1 if index == 2 else 0)


def all_lanes(p, four):
    return [p.lane(four, lane, BITS) for lane in range(4)]


def congruent_lanes(p, found, expected, lanes=range(4)):
    for lane in lanes:
        p.congruent(p.lane(found, lane, BITS), expected[lane], P, f"lane {lane} is not congruent")


def words_of(four):
    return four if isinstance(four, list) else [w for limb in four["limb"] for w in limb.words]


def are_within(p, four, bounds, why):
    for word in words_of(four):
        p.inside(word, *bounds, why)


def steps(kind):
    """What a product does, for the proofs of what calls it."""
    def product(p, x, y):
        for factor, bounds in zip((x, y), FACTORS[kind]):
            are_within(p, factor, bounds, "that a limb of a factor is in its bounds")
        expected = [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))]
        return p.fours([p.fresh_lane("o", 8, BITS, PRODUCT[kind], poly, P) for poly in expected])
    return {f"holdfast_p384_{kind}_product": product}


def inputs(p, kind, name, bounds, count=8):
    bounds = bounds if isinstance(bounds, list) else [bounds] * 4
    return p.four(name, count, [high for _, high in bounds], low=[low for low, _ in bounds],
                  type="Double" if kind == "doubles" else None)


@claim(GROUP, IFMA + "multiple()")
def multiple(p):
    """The limbs of p."""
    total = sum(p.call(i, 3).words[0].poly.constant << (48 * i) for i in range(8))
    p.equal(number(total), number(3 * P))


@claim(GROUP, IFMA + "minus()")
def minus(p):
    x, y = (p.four(name, 1, 2**51)["limb"][0] for name in "xy")
    for index in range(8):
        for a, b, found in zip(x.words, y.words, p.call(index, x, y, 6).words):
            p.equal(found.poly, a.poly - b.poly + number(6 * limb_of_p(index)))


@claim(GROUP, "holdfast_p384_doubles_minus()")
def minus_doubles(p):
    x, y = (inputs(p, "doubles", name, (-2**51, 2**51), 1)["limb"][0] for name in "xy")
    for a, b, found in zip(x.words, y.words, p.call(0, x, y, 6).words):
        p.equal(found.poly, a.poly - b.poly)


@claim(GROUP, "holdfast_shifted_right()")
def shifted_right(p):
    """Rounded down, of numbers below 2^62 in size."""
    x = p.four("x", 1, 2**62 - 1, low=1 - 2**62)["limb"][0]
    for word, found in zip(x.words, p.call(x, 16).words):
        rest = word.poly - found.poly.scaled(1 << 16)
        p.at_least(rest, 0, "that it is rounded down")
        p.at_least(-rest, 1 - 2**16, "that no more is dropped than the lower bits")


for kind in ("ifma", "doubles"):
    PREFIX = f"holdfast_p384_{kind}_"

    def fold(p, kind=kind):
        """Adds upper * 2^384; takes at most 2^48 + 2^44 from a limb if those of `upper` are below 2^60. Of
        doubles they are below 2^58 in size, and it takes at most 2^60."""
        for count in (8, 3):
            low = 0 if kind == "ifma" else -(2**58)
            sums = p.four("s", count + 3, 2**61, low=2 * low)["limb"]
            upper = p.four("u", count, 2**60 - 1 if kind == "ifma" else 2**58, low=low)["limb"]
            before = [p.lane({"limb": sums}, lane, BITS) for lane in range(4)]
            old = list(sums)
            p.call(sums, upper, count)
            congruent_lanes(p, {"limb": sums}, [
                a + p.lane({"limb": upper}, lane, BITS).scaled(2**384) for lane, a in enumerate(before)])
            least = -(2**48) - 2**44 if kind == "ifma" else -(2**60)
            for a, b in zip(old, sums):
                for x, y in zip(a.words, b.words):
                    p.at_least(y.poly - x.poly, least, "what a fold takes from a limb")
    claim(GROUP, PREFIX + "fold()")(fold)

    def product(p, kind=kind):
        """Of limbs below 2^52: below 2^48 + 2^15. Of doubles of five and six units: one unit."""
        x, y = (inputs(p, kind, name, bounds) for name, bounds in zip("xy", FACTORS[kind]))
        result = p.call(x, y)
        congruent_lanes(p, result, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))])
        are_within(p, result, PRODUCT[kind], "that limbs of a product are in their bounds")
        limbs = p.c.frames[f"holdfast_p384_{kind}_columns"]["product"]
        for limb in (limbs.read(i) for i in range(16)):
            for word in limb.words:
                p.below(word, 2**60 if kind == "ifma" else 2**55, "that the sixteen limbs are below their bound")
        for word in p.c.frames[f"holdfast_p384_{kind}_carried"]["top"].words:
            p.below(word, 2**15, "that the bits above the last limb are less than 2^15")
    claim(GROUP, PREFIX + "product()")(product)

    def double(p, kind=kind):
        """U = 2Y, V = U^2, W = U V, S = X V, L = 3 (X - ZZ) (X + ZZ); "dbl-2008-s-1" with a = -3."""
        words, numbers = point(p, kind)
        p.call(Pointer(words))
        x, y, zz, zzz = (p.context.resolved(n) for n in numbers)
        u = y.scaled(2)
        v = p.times(u, u)
        w, s = p.times(u, v), p.times(x, v)
        slope = p.times(x - zz, x + zz).scaled(3)
        new_x = p.times(slope, slope) - s.scaled(2)
        new_y = p.times(slope, s - new_x) - p.times(w, y)
        check_step(p, kind, words, [new_x, new_y, p.times(v, zz), p.times(w, zzz)])
    claim(GROUP, PREFIX + "double()", contracts=steps(kind))(double)

    for subtracts in (0, 1):
        PART = "subtracts" if subtracts else "adds"

        def add(p, kind=kind, subtracts=subtracts):
            """"madd-2008-s": P = x ZZ - X, R = y ZZZ - Y, Q = X P^2; a subtraction has -y for y."""
            words, numbers = point(p, kind)
            given, (ax, ay) = addend(p, kind)
            p.call(Pointer(words), Pointer(given), subtracts)
            x, y, zz, zzz = (p.context.resolved(n) for n in numbers)
            ay = -ay if subtracts else ay
            d, r = p.times(ax, zz) - x, p.times(ay, zzz) - y
            dd = p.times(d, d)
            ddd, q = p.times(d, dd), p.times(x, dd)
            new_x = p.times(r, r) - ddd - q.scaled(2)
            new_y = p.times(r, q - new_x) - p.times(y, ddd)
            check_step(p, kind, words, [new_x, new_y, p.times(zz, dd), p.times(zzz, ddd)])
        claim(GROUP, PREFIX + "add()", contracts=steps(kind), part=PART)(add)

        def begin(p, kind=kind, subtracts=subtracts):
            given, (ax, ay) = addend(p, kind)
            words = [p.constant(0)] * 32
            p.call(Pointer(words), Pointer(given), subtracts)
            check_step(p, kind, words, [ax, -ay if subtracts else ay, number(1), number(1)])
        claim(GROUP, PREFIX + "begin()", contracts=steps(kind), part=PART)(begin)


def point(p, kind):
    """The 32 words of X, Y, ZZ, ZZZ, and the four numbers."""
    four = p.named("P", inputs(p, kind, "p", STORED[kind]), BITS)
    words = words_of(four)
    for word in words:
        word.type = "Double" if kind == "doubles" else "UInt64"
    return words, all_lanes(p, four)


def check_step(p, kind, words, expected):
    congruent_lanes(p, words, expected)
    for index, word in enumerate(words):
        p.inside(word, *STORED[kind][index % 4], "that a step leaves limbs as it takes them")


def addend(p, kind):
    """Words of x and y in turns, limbs of 48 bits, and the two numbers."""
    names = []
    words = p.words("a", 16, ADDEND)
    if kind == "doubles":
        for word in words:
            word.type = "Double"
    for place, name in enumerate("xy"):
        total = p.value(words[place::2], BITS)
        first = words[place].poly
        whole = p.fresh(name, 0, 1 << 400)
        p.context.define(first, whole - total + first)
        names.append(p.context.resolved(p.value(words[place::2], BITS)))
    return words, names


@claim(GROUP, "holdfast_p384_ifma_double()", part="group law", proof="for Y and ZZ that are not zero; else ZZ stays zero")
def double_law(p):
    """The formulas that the step was compared with: x = X / ZZ, y = Y / ZZZ, ZZ = z^2, ZZZ = z^3, and the
    slope (3 x^2 - 3) / 2y."""
    x, y, z = (p.fresh(name, 0, 1 << 400) for name in "xyz")
    square = p.times(z, z)
    zz, zzz = square, p.times(square, z)
    u = y.scaled(2)
    v = p.times(u, u)
    w, s = p.times(u, v), p.times(x, v)
    slope = p.times(x - zz, x + zz).scaled(3)
    new_x = p.times(slope, slope) - s.scaled(2)
    new_y = p.times(slope, s - new_x) - p.times(w, y)
    # slope / (u z) is the tangent's; its square minus 2 x / z^2 has the denominator (u z)^2 = V ZZ.
    p.equal(new_x, p.times(slope, slope) - p.times(x, v).scaled(2), "x is another one")
    p.equal(p.times(v, zz), p.times(p.times(u, z), p.times(u, z)), "ZZ' is not the square of 2 y z")
    p.equal(p.times(w, zzz), p.times(p.times(v, zz), p.times(u, z)), "ZZZ' is not its cube")
    # lambda (x - x') - y, times (u z)^3: slope (x u^2 - new_x) - y u^3
    p.equal(new_y, p.times(slope, p.times(x, p.times(u, u)) - new_x) - p.times(y, w), "y is another one")


@claim(GROUP, "holdfast_p384_ifma_add()", part="group law",
       proof="for two points with different x; for P + P and P - P, and from infinity, ZZ becomes zero and stays so")
def add_law(p):
    """The chord's slope is R / (z P): x' = R^2 / (z P)^2 - X / ZZ - x, y' = slope (X / ZZ - x') - Y / ZZZ."""
    x, y, z, ax, ay = (p.fresh(name, 0, 1 << 400) for name in ("x", "y", "z", "a", "b"))
    zz = p.times(z, z)
    zzz = p.times(zz, z)
    d, r = p.times(ax, zz) - x, p.times(ay, zzz) - y
    dd = p.times(d, d)
    ddd, q = p.times(d, dd), p.times(x, dd)
    new_x = p.times(r, r) - ddd - q.scaled(2)
    new_y = p.times(r, q - new_x) - p.times(y, ddd)
    p.equal(new_x, p.times(r, r) - p.times(dd, x + p.times(ax, zz)), "x is another one")
    p.equal(new_y, p.times(r, p.times(x, dd) - new_x) - p.times(y, ddd), "y is another one")
    p.equal(p.times(zz, dd), p.times(p.times(z, d), p.times(z, d)), "ZZ' is not the square of z P")
    p.equal(p.times(zzz, ddd), p.times(p.times(zz, dd), p.times(z, d)), "ZZZ' is not its cube")
