"""holdfast_p521.h: four numbers of eleven limbs of 48 bits, for p = 2^521 - 1, as doubles."""
from claims import claim
from curve_lanes import UNIT, Curve, check_product, declare_steps, inputs

P = 2**521 - 1
CURVE = Curve("p521", P, 11, 1, (None, UNIT), 0, 0, kinds=("doubles",))
GROUP = CURVE.group
HEADERS = ["carry", "lanes", "p521"]


@claim(GROUP, "holdfast_p521_doubles_minus()")
def minus(p):
    x, y = (inputs(p, "doubles", name, [(-(2**51), 2**51)])["limb"][0] for name in "xy")
    for a, b, found in zip(x.words, y.words, p.call(0, x, y, 6).words):
        p.equal(found.poly, a.poly - b.poly)


def product(p, curve, kind):
    """Of limbs of five and six units: one unit. Sums stay below 2^62."""
    check_product(p, curve, kind)
    limbs = p.c.frames[curve.title(kind, "product")]["sum"]
    for index in range(11):
        for word in limbs[index].words:
            p.inside(word, -(2**62) + 1, 2**62 - 1, "that the sums are below 2^62 in size")


declare_steps(CURVE, product)
