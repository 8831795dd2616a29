"""holdfast_p384.h: four numbers of eight limbs of 48 bits, for p = 2^384 - 2^128 - 2^96 + 2^32 - 1; and the law of
the group, which the steps of all curves compute."""
from claims import claim, number
from curve_lanes import (BITS, KINDS, UNIT, WORD, Curve, check_product, congruent_lanes, declare_steps, inputs)

P = 2**384 - 2**128 - 2**96 + 2**32 - 1
# The limbs of a multiple of p have more than 48 bits: the lowest of p is 2^48 + 2^32 - 1.
CURVE = Curve("p384", P, 8, 1, (WORD, UNIT), 2**48 + 2**32 - 1, 2**48 + 2**32 - 1)
GROUP = CURVE.group
HEADERS = ["carry", "lanes", "p384"]
IFMA = "holdfast_p384_ifma_"


def limb_of_p(index):
    """The limbs that p is written with, as powers of two."""
    return 2**48 - 1 + (2**32 if index == 0 else -(2**32) - 1 if index == 2 else 0)


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
    x, y = (inputs(p, "doubles", name, [(-(2**51), 2**51)])["limb"][0] for name in "xy")
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


for kind in KINDS:
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
            congruent_lanes(p, CURVE, {"limb": sums}, [
                a + p.lane({"limb": upper}, lane, BITS).scaled(2**384) for lane, a in enumerate(before)])
            least = -(2**48) - 2**44 if kind == "ifma" else -(2**60)
            for a, b in zip(old, sums):
                for x, y in zip(a.words, b.words):
                    p.at_least(y.poly - x.poly, least, "what a fold takes from a limb")
    claim(GROUP, CURVE.title(kind, "fold()"))(fold)


def product(p, curve, kind):
    """Of limbs below 2^52: below 2^48 + 2^15. Of doubles of five and six units: one unit."""
    check_product(p, curve, kind)
    limbs = p.c.frames[curve.title(kind, "columns")]["product"]
    for limb in (limbs.read(i) for i in range(16)):
        for word in limb.words:
            p.below(word, 2**60 if kind == "ifma" else 2**55, "that the sixteen limbs are below their bound")
    for word in p.c.frames[curve.title(kind, "carried")]["top"].words:
        p.below(word, 2**15, "that the bits above the last limb are less than 2^15")


declare_steps(CURVE, product)


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
