"""FieldP521.swift: nine limbs of 58 bits, for p = 2^521 - 1. Limbs stay below 2^58 + 2^6."""
from algebra import ZERO
from claims import claim, number
from machine import Word
from swift_machine import Struct

GROUP = "P-521"
FILES = ["Limbs128", "FieldP521"]
P = 2**521 - 1
TYPE = "FieldP521"
MOST = 2**58 + 2**6 - 1


def made(words):
    return Struct(TYPE, {"limbs": words})


def element(p, name, most=MOST):
    return made(p.words(name, 9, most))


def value(p, of):
    return p.value(of.fields["limbs"] if isinstance(of, Struct) else of, bits=58)


def stays_small(p, of):
    for limb in of.fields["limbs"]:
        p.at_most(limb, MOST, "that limbs stay below 2^58 + 2^6")


def fresh(p, poly, most=MOST):
    """An element with small limbs that is congruent to a polynomial."""
    words = p.words("o", 9, most)
    rest = p.value(words, bits=58) - words[0].poly
    p.context.define(words[0].poly, poly + p.fresh("k", -1 << 1200, 1 << 1200).scaled(P) - rest)
    return made(words)


def contract_reduced(p, columns):
    for index, column in enumerate(columns):
        p.below(column, 2**122 if index < 8 else 2**120, "that a column fits into reduced(_:)")
    return fresh(p, p.value(columns, bits=58))


def contract_canonical(p):
    """Congruent and below p."""
    words = p.words("c", 9, [2**58 - 1] * 8 + [2**57 - 1])
    total = p.value(words, bits=58)
    p.context.require(number(P - 1) - total)
    quotient = p.fresh("k", 0, 8)
    p.context.define(words[0].poly, value(p, p.this) - quotient.scaled(P) - total + words[0].poly)
    return made(words)


CONTRACTS = {"FieldP521.reduced(_:)": contract_reduced, "FieldP521.canonical": contract_canonical}


@claim(GROUP, "FieldP521.modulus")
def modulus(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP521.modulusLimbs")
def modulus_limbs(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP521.one")
def one(p):
    p.equal(value(p, p.call()), number(1))


@claim(GROUP, "FieldP521.carried()")
def carried(p):
    """Of limbs up to 2^63."""
    x = element(p, "x", 2**63)
    result = p.call(this=x)
    p.congruent(value(p, result), value(p, x), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.canonical")
def canonical(p):
    """Congruent, limbs of 58 bits, the last of 57, and below p."""
    x = element(p, "x")
    result = p.call(this=x)
    p.congruent(value(p, result), value(p, x), P)
    p.below(value(p, result), P, "that the number is below p")
    for index, limb in enumerate(result.fields["limbs"]):
        p.below(limb, 2**58 if index < 8 else 2**57, "that a limb has 58 bits, the last 57")


@claim(GROUP, "FieldP521.isZero")
def is_zero(p):
    """If true, the element is a multiple of p, and so it is 0, p or 2p."""
    x = element(p, "x")
    p.below(value(p, x), 3 * P, "that an element is below 3p")
    if p.swift.truth(p.call(this=x)):
        p.congruent(value(p, x), ZERO, P)


for factor in range(3):
    def is_zero_for(p, factor=factor):
        """True for each multiple of p below 3p, whatever the limbs are."""
        words = p.words("x", 9, MOST)
        rest = p.value(words, bits=58) - words[0].poly
        lowest = p.context.normal(number(factor * P) - rest)
        p.context.remember(lowest, 0, MOST)
        p.context.require(lowest)
        p.context.require((-lowest).plus(MOST))
        words[0] = Word(lowest, 0, MOST, "UInt64")
        if not p.swift.truth(p.call(this=made(words))):
            p.fail(f"{factor} p is not recognized as zero")
    claim(GROUP, "FieldP521.isZero", part=f"{factor}p")(is_zero_for)


@claim(GROUP, "FieldP521.packed")
def packed(p):
    """The 64-bit limbs of a canonical element."""
    x = made(p.words("x", 9, [2**58 - 1] * 8 + [2**57 - 1]))
    p.equal(p.value(p.call(this=x)), value(p, x))


@claim(GROUP, "FieldP521.limbs48")
def limbs48(p):
    """The canonical number in limbs of 48 bits."""
    x = element(p, "x")
    limbs = p.call(this=x)
    p.congruent(p.value(limbs, bits=48), value(p, x), P)
    for limb in limbs:
        p.below(limb, 2**48, "that a limb has 48 bits")


@claim(GROUP, "FieldP521.init(limbs48:)")
def from_limbs48(p):
    """Of limbs below 2^51."""
    limbs = p.words("n", 11, 2**51 - 1)
    result = p.call(limbs)
    p.congruent(value(p, result), p.value(limbs, bits=48), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.init(limbs:)")
def from_limbs(p):
    """nil exactly if not below p."""
    limbs = p.words("n", 9)
    result = p.call(limbs)
    if result is None:
        p.at_least(p.value(limbs), P, "that what is refused is not below p")
    else:
        p.below(p.value(limbs), P, "that what is taken is below p")
        p.equal(value(p, result), p.value(limbs))
        stays_small(p, result)


@claim(GROUP, "FieldP521.+(_:_:)")
def sum(p):
    a, b = element(p, "a"), element(p, "b")
    result = p.call(a, b)
    p.congruent(value(p, result), value(p, a) + value(p, b), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.-(_:_:)")
def difference(p):
    """4p keeps every limb from becoming negative."""
    a, b = element(p, "a"), element(p, "b")
    result = p.call(a, b)
    p.congruent(value(p, result), value(p, a) - value(p, b), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.halved()")
def halved(p):
    a = element(p, "a")
    result = p.call(this=a)
    p.congruent(value(p, result).scaled(2), value(p, a), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.reduced(_:)")
def reduced(p):
    """Of columns below 2^122, the last below 2^120."""
    columns = p.words("t", 9, [2**122 - 1] * 8 + [2**120 - 1], "UInt128")
    result = p.call(columns)
    p.congruent(value(p, result), p.value(columns, bits=58), P)
    stays_small(p, result)


@claim(GROUP, "FieldP521.*(_:_:)")
def product(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(value(p, p.call(a, b)), p.times(value(p, a), value(p, b)), P)


@claim(GROUP, "FieldP521.squared()")
def squared(p):
    a = element(p, "a")
    p.congruent(value(p, p.call(this=a)), p.times(value(p, a), value(p, a)), P)
