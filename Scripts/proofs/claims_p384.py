"""FieldP384.swift: six limbs below 2^384, in Montgomery form with R = 2^384."""
from claims import Cell, claim, number
from claims_words import CONTRACTS as WORDS, congruent_limbs, exact_limbs
from swift_machine import Struct

GROUP = "P-384"
FILES = ["Limbs128", "FieldP384"]
P = 2**384 - 2**128 - 2**96 + 2**32 - 1
TYPE = "FieldP384"


def element(p, name):
    return p.element(name, TYPE, 6)


def row_value(row):
    lowest, upper = row.fields["lowest"], row.fields["upper"]
    return [lowest, *upper.fields.values()]


def contract_row(p, factor, right, before=None):
    value = p.times(factor.poly, p.value(right))
    if before is not None:
        value = value + p.value(before.fields["upper"])
    words = exact_limbs(p, "", 7, value).fields
    upper = Struct(TYPE, {f"l{i}": words[f"l{i + 1}"] for i in range(6)})
    return Struct("Row", {"lowest": words["l0"], "upper": upper})


def contract_clear(p):
    """(x + m p) / 2^64 with the m that clears the lowest limb; m is l0 (2^32 + 1) modulo 2^64."""
    words = list(p.this.fields.values())
    lowest = words[0].poly
    above = p.fresh("m", 0, 2**32)
    # m = l0 (2^32 + 1) - 2^64 above; l0 + m p is a multiple of 2^64.
    multiple = lowest.scaled(2**32 + 1) - above.scaled(1 << 64)
    p.context.remember(multiple, 0, (1 << 64) - 1)
    p.context.require(multiple)
    p.context.require((-multiple).plus((1 << 64) - 1))
    total = p.value(words) + multiple.scaled(P)
    p.this.fields.update(exact_limbs(p, TYPE, 6, total.divided(1 << 64)).fields)


def contract_product(p, a, b):
    inverse = pow(2**384, -1, P)
    return congruent_limbs(p, TYPE, 6, p.times(p.value(a), p.value(b)).scaled(inverse), P)


CONTRACTS = {
    **WORDS, "Row.init(_:_:plus:)": contract_row, "Row.init(_:_:)": contract_row,
    "FieldP384.clearLowestLimb()": contract_clear, "FieldP384.*(_:_:)": contract_product,
}


@claim(GROUP, "FieldP384.modulus")
def modulus(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP384.modulusLimbs")
def modulus_limbs(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP384.one")
def one(p):
    p.equal(p.value(p.call()), number(2**384 % P))


@claim(GROUP, "FieldP384.square")
def square_of_radix(p):
    p.equal(p.value(p.call()), number(2**768 % P))


@claim(GROUP, "FieldP384.isBelowModulus")
def is_below(p):
    x = element(p, "x")
    if p.swift.truth(p.call(this=x)):
        p.at_least(number(P - 1) - p.value(x), 0, "that x < p")
    else:
        p.at_least(p.value(x), P, "that x >= p")


@claim(GROUP, "FieldP384.isZero")
def is_zero(p):
    """Exactly for 0 and p, the multiples below 2^384."""
    x = element(p, "x")
    if p.swift.truth(p.call(this=x)):
        value = p.value(x)
        if not (p.context.within(value, 0, 0) or p.context.within(value, P, P)):
            p.fail("x is neither 0 nor p", value)
    else:
        p.not_equal_any(x, [0, P])


@claim(GROUP, "FieldP384.plus(_:_:)")
def plus(p):
    a, b, carry = element(p, "a"), element(p, "b"), Cell(p.word("carry", 1))
    before = carry.value.poly
    sum = p.call(b, carry, this=a)
    p.equal(p.value(sum) + carry.value.poly.scaled(1 << 384), p.value(a) + p.value(b) + before)
    p.at_most(carry.value, 1, "that the carry is 0 or 1")


@claim(GROUP, "FieldP384.minus(_:_:)")
def minus(p):
    a, b, borrow = element(p, "a"), element(p, "b"), Cell(p.word("borrow", 1))
    before = borrow.value.poly
    difference = p.call(b, borrow, this=a)
    p.equal(p.value(difference) - borrow.value.poly.scaled(1 << 384),
            p.value(a) - p.value(b) - before)
    p.at_most(borrow.value, 1, "that the borrow is 0 or 1")


@claim(GROUP, "FieldP384.plusComplement(_:)")
def plus_complement(p):
    x, flag = element(p, "x"), Cell(p.word("flag", 1))
    before = flag.value.poly
    found = p.call(flag, this=x)
    p.equal(p.value(found) + flag.value.poly.scaled(1 << 384),
            p.value(x) + before.scaled(2**384 - P))


@claim(GROUP, "FieldP384.minusComplement(_:)")
def minus_complement(p):
    x, flag = element(p, "x"), Cell(p.word("flag", 1))
    before = flag.value.poly
    found = p.call(flag, this=x)
    p.equal(p.value(found) - flag.value.poly.scaled(1 << 384),
            p.value(x) - before.scaled(2**384 - P))


@claim(GROUP, "FieldP384.+(_:_:)")
def sum(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) + p.value(b), P)


@claim(GROUP, "FieldP384.-(_:_:)")
def difference(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) - p.value(b), P)


@claim(GROUP, "FieldP384.halved()")
def halved(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)).scaled(2), p.value(a), P)


@claim(GROUP, "Row.init(_:_:)")
def row(p):
    factor, right = p.word("f"), element(p, "r")
    p.equal(p.value(row_value(p.call(factor, right))), p.times(factor.poly, p.value(right)))


@claim(GROUP, "Row.init(_:_:plus:)")
def row_plus(p):
    factor, right = p.word("f"), element(p, "r")
    before = Struct("Row", {"lowest": p.word("b"), "upper": element(p, "b")})
    p.equal(p.value(row_value(p.call(factor, right, before))),
            p.times(factor.poly, p.value(right)) + p.value(before.fields["upper"]))


@claim(GROUP, "FieldP384.clearLowestLimb()")
def clear_lowest(p):
    """2^64 x' = x + m p for the m below 2^64 that is l0 (2^32 + 1) modulo 2^64; x' is below 2^384."""
    x = element(p, "x")
    lowest = x.fields["l0"].poly
    multiple = p.context.modulo(lowest.scaled(2**32 + 1), 64)
    before = p.value(x) + multiple.scaled(P)
    p.call(this=x)
    p.equal(p.value(x).scaled(1 << 64), before)


@claim(GROUP, "FieldP384.reduced(with:)")
def reduced(p):
    """2^384 x' = x + 2^384 upper modulo p."""
    lower, upper = element(p, "x"), element(p, "u")
    expected = p.value(lower) + p.value(upper).scaled(1 << 384)
    p.congruent(p.value(p.call(upper, this=lower)).scaled(1 << 384), expected, P)


@claim(GROUP, "FieldP384.*(_:_:)")
def product(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)).scaled(1 << 384), p.times(p.value(a), p.value(b)), P)


@claim(GROUP, "FieldP384.squared()")
def squared(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)).scaled(1 << 384), p.times(p.value(a), p.value(a)), P)


@claim(GROUP, "FieldP384.canonicalLimbs")
def canonical(p):
    a = element(p, "a")
    limbs = p.call(this=a)
    p.congruent(p.value(limbs).scaled(1 << 384), p.value(a), P)
    p.below(p.value(limbs), P, "that the number is below p")


@claim(GROUP, "FieldP384.init(limbs:)")
def from_limbs(p):
    limbs = p.words("n", 9)
    made = p.call(limbs)
    if made is None:
        p.at_least(p.value(limbs), P, "that what is refused is not below p")
    else:
        p.below(p.value(limbs), P, "that what is taken is below p")
        p.congruent(p.value(made), p.value(limbs).scaled(1 << 384), P)


@claim(GROUP, "FieldP384.limbs48")
def limbs48(p):
    """The number without R in limbs below 2^48."""
    a = element(p, "a")
    limbs = p.call(this=a)
    p.congruent(p.value(limbs, bits=48).scaled(1 << 384), p.value(a), P)
    for limb in limbs:
        p.below(limb, 1 << 48, "that a limb has 48 bits")


@claim(GROUP, "FieldP384.init(limbs48:)")
def from_limbs48(p):
    """Of limbs below 2^52, which is what the steps of vectors leave and 4p make: 2^48 + 2^15 + 8 · 2^48."""
    limbs = p.words("n", 8, 2**52 - 1)
    p.congruent(p.value(p.call(limbs)), p.value(limbs, bits=48).scaled(1 << 384), P)
