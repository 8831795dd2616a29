"""FieldP256.swift: four limbs below 2^256, in Montgomery form with R = 2^256."""
from claims import claim, number
from claims_words import CONTRACTS as WORDS, congruent_limbs, exact_limbs, wrapped_limbs

GROUP = "P-256"
FILES = ["Limbs128", "FieldP256"]
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
TYPE = "FieldP256"


def contract_clear_lowest(p):
    """(x + l0 p) / 2^64 in four limbs; p is -1 modulo 2^64, so the quotient has whole coefficients."""
    this = p.this
    words = list(this.fields.values())
    low = words[0].poly
    above = p.value(words[1:]) + low.scaled((P + 1) >> 64)
    this.fields.update(exact_limbs(p, TYPE, 4, above).fields)


def contract_minus_complement(p):
    """x + p modulo 2^256."""
    return wrapped_limbs(p, TYPE, 4, p.value(p.this) + number(P), 0, 1)


def contract_product(p, a, b):
    """a b / 2^256 modulo p."""
    inverse = pow(2**256, -1, P)
    return congruent_limbs(p, TYPE, 4, p.times(p.value(a), p.value(b)).scaled(inverse), P)


CONTRACTS = {**WORDS, "FieldP256.clearLowest()": contract_clear_lowest,
             "FieldP256.minusComplement()": contract_minus_complement,
             "FieldP256.*(_:_:)": contract_product}


def element(p, name):
    return p.element(name, TYPE, 4)


@claim(GROUP, "FieldP256.modulus")
def modulus(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP256.modulusLimbs")
def modulus_limbs(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "FieldP256.one")
def one(p):
    p.equal(p.value(p.call()), number(2**256 % P))


@claim(GROUP, "FieldP256.square")
def square_of_radix(p):
    p.equal(p.value(p.call()), number(2**512 % P))


@claim(GROUP, "FieldP256.isBelowModulus")
def is_below(p):
    x = element(p, "x")
    if p.swift.truth(p.call(this=x)):
        p.at_least(number(P - 1) - p.value(x), 0, "that x < p")
    else:
        p.at_least(p.value(x), P, "that x >= p")


@claim(GROUP, "FieldP256.isZero")
def is_zero(p):
    """Exactly for 0 and p, the multiples below 2^256."""
    x = element(p, "x")
    if p.swift.truth(p.call(this=x)):
        value = p.value(x)
        if not (p.context.within(value, 0, 0) or p.context.within(value, P, P)):
            p.fail("x is neither 0 nor p", value)
    else:
        p.not_equal_any(x, [0, P])


@claim(GROUP, "FieldP256.plusComplement(_:)")
def plus_complement(p):
    x, flag = element(p, "x"), p.word("flag", 1)
    p.congruent(p.value(p.call(flag, this=x)), p.value(x) - flag.poly.scaled(P), 1 << 256)


@claim(GROUP, "FieldP256.minusComplement()")
def minus_complement(p):
    x = element(p, "x")
    p.congruent(p.value(p.call(this=x)), p.value(x) + number(P), 1 << 256)


@claim(GROUP, "FieldP256.+(_:_:)")
def sum(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) + p.value(b), P)


@claim(GROUP, "FieldP256.-(_:_:)", may_wrap="the borrow is in the upper half")
def difference(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) - p.value(b), P)


@claim(GROUP, "FieldP256.halved()")
def halved(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)).scaled(2), p.value(a), P)


@claim(GROUP, "FieldP256.clearLowest()")
def clear_lowest(p):
    """2^64 x' = x + l0 p, and x' is below 2^256 again."""
    a = element(p, "a")
    before = p.value(a) + a.fields["l0"].poly.scaled(P)
    p.call(this=a)
    p.equal(p.value(a).scaled(1 << 64), before)


@claim(GROUP, "FieldP256.reduced(_:_:_:_:_:_:_:_:)")
def reduced(p):
    """2^256 x = z modulo p."""
    z = p.words("z", 8)
    p.congruent(p.value(p.call(*z)).scaled(1 << 256), p.value(z), P)


@claim(GROUP, "FieldP256.*(_:_:)")
def product(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)).scaled(1 << 256), p.times(p.value(a), p.value(b)), P)


@claim(GROUP, "FieldP256.squared()")
def squared(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)).scaled(1 << 256), p.times(p.value(a), p.value(a)), P)


@claim(GROUP, "FieldP256.canonicalLimbs")
def canonical(p):
    """The number without R, below p."""
    a = element(p, "a")
    limbs = p.call(this=a)
    p.congruent(p.value(limbs).scaled(1 << 256), p.value(a), P)
    p.below(p.value(limbs), P, "that the number is below p")


@claim(GROUP, "FieldP256.init(limbs:)")
def from_limbs(p):
    """nil exactly if not below p; else times R."""
    limbs = p.words("n", 9)
    made = p.call(limbs)
    if made is None:
        p.at_least(p.value(limbs), P, "that what is refused is not below p")
    else:
        p.below(p.value(limbs), P, "that what is taken is below p")
        p.congruent(p.value(made), p.value(limbs).scaled(1 << 256), P)


@claim(GROUP, "FieldP256.limbs48")
def limbs48(p):
    """The number times 2^288 in limbs below 2^48, the last below 2^16."""
    a = element(p, "a")
    limbs = p.call(this=a)
    p.congruent(p.value(limbs, bits=48), p.value(a).scaled(2**32), P)
    for limb in limbs:
        p.below(limb, 1 << 48, "that a limb has 48 bits")
    p.below(limbs[-1], 1 << 16, "that the last limb has 16 bits")


@claim(GROUP, "FieldP256.init(limbs48:)")
def from_limbs48(p):
    """Of limbs below 2^52, which is what the steps of vectors leave and a multiple of p makes."""
    limbs = p.words("n", 6, 2**52 - 1)
    p.congruent(p.value(p.call(limbs)).scaled(2**32), p.value(limbs, bits=48), P)
