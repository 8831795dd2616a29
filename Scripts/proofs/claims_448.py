"""Ed448Field.swift: eight limbs of 56 bits, for p = 2^448 - 2^224 - 1. Tight limbs are below
2^56 + 2^16, factors below 2^60."""
from claims import claim, number
from swift_machine import Struct

GROUP = "448"
FILES = ["Limbs128", "Ed448Field", "Ed448Point"]
P = 2**448 - 2**224 - 1
TYPE = "Ed448Field"
TIGHT = 2**56 + 2**16 - 1
SUM = 2 * TIGHT
FACTOR = 2**60


def made(words):
    return Struct(TYPE, {"limbs": words})


def element(p, name, most):
    return made(p.words(name, 8, most))


def limbs(of):
    return of.fields["limbs"]


def value(p, of):
    return p.value(limbs(of), bits=56)


def is_tight(p, of):
    for limb in limbs(of):
        p.at_most(limb, TIGHT, "that the result is tight")


def tight(p, poly):
    """A tight element that is congruent to a polynomial: what a product is."""
    words = p.words("o", 8, TIGHT)
    rest = p.value(words, bits=56) - words[0].poly
    p.context.define(words[0].poly, poly + p.fresh("k", -1 << 1200, 1 << 1200).scaled(P) - rest)
    return made(words)


def factor(p, of):
    for limb in limbs(of):
        p.at_most(limb, FACTOR, "that a limb of a factor is at most 2^60")
    return value(p, of)


def contract_product(p, a, b):
    if isinstance(b, Struct):
        return tight(p, p.times(factor(p, a), factor(p, b)))
    small = p.swift.coerce(b, ("name", "UInt64"), None)
    p.below(small, 2**18, "that a small factor is below 2^18")
    return tight(p, p.times(factor(p, a), small.poly))


def contract_square(p):
    return tight(p, p.times(factor(p, p.this), value(p, p.this)))


def contract_reduced(p):
    """Congruent, and the only such number below p; limbs of 56 bits are the only ones of their number."""
    if all(limb.high < 2**56 for limb in limbs(p.this)):
        if not p.context.decide(p.context.is_not_negative(value(p, p.this) - number(P))):
            return p.this
    words = p.words("c", 8, 2**56 - 1)
    total = p.value(words, bits=56)
    p.context.require(number(P - 1) - total)
    rest = total - words[0].poly
    p.context.define(words[0].poly, value(p, p.this) + p.fresh("k", -(2**16), 0).scaled(P) - rest)
    return made(words)


CONTRACTS = {}


@claim(GROUP, "Ed448Field.carried")
def carried(p):
    """Of limbs up to 2^63: below 2^56 + 2^8."""
    x = element(p, "x", 2**63)
    result = p.call(this=x)
    p.congruent(value(p, result), value(p, x), P)
    for limb in limbs(result):
        p.at_most(limb, 2**56 + 2**8 - 1, "that limbs are below 2^56 + 2^8")


@claim(GROUP, "Ed448Field.reduced")
def reduced(p):
    """The canonical form. Of limbs up to 2^63."""
    x = element(p, "x", 2**63)
    result = p.call(this=x)
    p.congruent(value(p, result), value(p, x), P)
    p.below(value(p, result), P, "that the number is below p")
    for limb in limbs(result):
        p.below(limb, 2**56, "that a limb has 56 bits")


@claim(GROUP, "Ed448Field.init(_:)", contracts={"Ed448Field.reduced": contract_reduced})
def from_bytes(p):
    """nil exactly if the 56 bytes are not below p."""
    bytes = p.words("b", 56, 255, "UInt8")
    result = p.call(bytes, title="Ed448Field.init(_:)", choose=1)
    if result is None:
        p.at_least(p.value(bytes, bits=8), P, "that what is refused is not below p")
    else:
        p.below(p.value(bytes, bits=8), P, "that what is taken is below p")
        p.equal(value(p, result), p.value(bytes, bits=8))


@claim(GROUP, "Ed448Field.bytes", contracts={"Ed448Field.reduced": contract_reduced})
def bytes(p):
    x = element(p, "x", TIGHT)
    result = p.call(this=x)
    p.congruent(p.value(result, bits=8), value(p, x), P)
    p.below(p.value(result, bits=8), P, "that the number is below p")


@claim(GROUP, "Ed448Field.+(_:_:)")
def sum(p):
    """Of two tight numbers: below 2^60, limb by limb."""
    a, b = element(p, "a", TIGHT), element(p, "b", TIGHT)
    result = p.call(a, b)
    p.equal(value(p, result), value(p, a) + value(p, b))
    for limb in limbs(result):
        p.below(limb, FACTOR, "that a limb of the sum is below 2^60")


@claim(GROUP, "Ed448Field.-(_:_:)")
def difference(p):
    """Of sums of two tight numbers: 4p more, no limb negative, all below 2^60."""
    a, b = element(p, "a", SUM), element(p, "b", SUM)
    result = p.call(a, b)
    p.equal(value(p, result), value(p, a) - value(p, b) + number(4 * P))
    for limb in limbs(result):
        p.below(limb, FACTOR, "that a limb of the difference is below 2^60")


@claim(GROUP, "Ed448Field.*(_:small:)")
def product_with_small(p):
    a, small = element(p, "a", FACTOR), p.word("small", 2**18 - 1)
    result = p.call(a, small, title="Ed448Field.*(_:_:)", choose=0)
    p.congruent(value(p, result), p.times(value(p, a), small.poly), P)
    is_tight(p, result)


@claim(GROUP, "Ed448Field.folding(_:_:)")
def folding(p):
    """Of two numbers below 2^71, to limbs of 56 bits: tight."""
    x = element(p, "x", 2**56 - 1)
    low, high = (p.word(name, 2**71 - 1, "UInt128") for name in ("low", "high"))
    result = p.call(low, high, this=x)
    expected = value(p, x) + low.poly.scaled(2**224) + high.poly.scaled(2**224 + 1)
    p.equal(value(p, result), expected)
    is_tight(p, result)


def contract_folding(p, low, high):
    for column in (low, high):
        p.below(column, 2**71, "that what is folded is below 2^71")
    return tight(p, value(p, p.this) + low.poly.scaled(2**224) + high.poly.scaled(2**224 + 1))


FOLDING = {"Ed448Field.folding(_:_:)": contract_folding}


@claim(GROUP, "Ed448Field.*(_:_:)", contracts=FOLDING)
def product(p):
    """Of limbs up to 2^60; the columns are below 2^126, and none becomes negative."""
    a, b = element(p, "a", FACTOR), element(p, "b", FACTOR)
    result = p.call(a, b, title="Ed448Field.*(_:_:)", choose=1)
    p.congruent(value(p, result), p.times(value(p, a), value(p, b)), P)
    is_tight(p, result)


@claim(GROUP, "Ed448Field.squared", contracts=FOLDING)
def squared(p):
    a = element(p, "a", FACTOR)
    result = p.call(this=a)
    p.congruent(value(p, result), p.times(value(p, a), value(p, a)), P)
    is_tight(p, result)


@claim(GROUP, "Ed448Field.isZero", contracts={"Ed448Field.reduced": contract_reduced})
def is_zero(p):
    x = element(p, "x", SUM)
    if p.swift.truth(p.call(this=x)):
        p.congruent(value(p, x), number(0), P)


EXPONENTS = {
    "Ed448Field.*(_:_:)": lambda p, a, b: Struct(TYPE, {"exponent": a.fields["exponent"] + b.fields["exponent"]}),
    "Ed448Field.squared": lambda p: Struct(TYPE, {"exponent": 2 * p.this.fields["exponent"]}),
}


@claim(GROUP, "Ed448Field.powerOfThreeQuarters", contracts=EXPONENTS)
def root(p):
    """The power (p - 3) / 4."""
    if p.call(this=Struct(TYPE, {"exponent": 1})).fields["exponent"] != (P - 3) // 4:
        p.fail("the exponent is another number")


# The steps on points call no operation beyond its bounds, and leave tight coordinates.
STEPS = {"Ed448Field.*(_:_:)": contract_product, "Ed448Field.squared": contract_square}


def tight_point(p):
    names = ("x", "y", "z", "t", "u")
    x, y, z, t, u = (element(p, name, TIGHT if name in "xyz" else 2**59) for name in names)
    return Struct("Ed448Point", {"x": x, "y": y, "z": z, "factorsOfT": (t, u)})


def leaves_tight(p, point):
    for name in "xyz":
        is_tight(p, point.fields[name])
    for factor_of_t in point.fields["factorsOfT"]:
        for limb in limbs(factor_of_t):
            p.at_most(limb, 2**59, "that the factors of T stay below 2^59")


@claim(GROUP, "Ed448Point.double()", contracts=STEPS)
def point_double(p):
    point = tight_point(p)
    p.call(this=point)
    leaves_tight(p, point)


for name in ("add", "subtract"):
    def point_add(p, name=name):
        point = tight_point(p)
        addend = Struct("Ed448Addend", {
            "x": element(p, "ax", TIGHT), "y": element(p, "ay", TIGHT),
            "xPlusY": element(p, "as", SUM), "minusDT": element(p, "at", TIGHT)})
        p.call(addend, this=point)
        leaves_tight(p, point)
    claim(GROUP, f"Ed448Point.{name}(_:)", contracts=STEPS)(point_add)
