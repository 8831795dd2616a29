"""MLDSATransform.swift: products by known factors, and the transforms of FIPS 204 §7.5, modulo
q = 2^23 - 2^13 + 1. A transform is linear: its result is compared with the definition, coefficient by
coefficient."""
from algebra import Poly, ZERO
from claims import claim, number
from machine import Word
from swift_machine import Struct

GROUP = "ML-DSA"
FILES = ["Limbs128", "MLDSATransform"]
Q = 2**23 - 2**13 + 1
ROOT = 1753
ORDER = [int(f"{m:08b}"[::-1], 2) for m in range(256)]
POWERS = [pow(ROOT, ORDER[m], Q) for m in range(256)]
# What `reduced` leaves is divided by this, and what the inverse transform multiplies with.
RADIX = -pow(2, 64, Q) % Q


def fresh(p, poly, most, type="UInt32"):
    """A number up to `most` that is congruent to a polynomial."""
    atom = p.context.atom("o", 0, most)
    p.context.define(atom, poly + p.fresh("k", -1 << 64, 1 << 64).scaled(Q))
    return Word(atom, 0, most, type)


def factor_of(stored):
    """The factor b of b' = (-2^64 b mod q) / q modulo 2^64."""
    rest = stored * Q % 2**64
    return rest, -rest * pow(2, -64, Q) % Q


def contract_product(p, a, factor):
    stored = factor.fields["number"].poly.constant
    rest, b = factor_of(stored)
    if rest >= Q:
        p.fail("a factor is not made as one")
    p.at_most(a, 2**63 - 1 if rest == 1 else 2**40 - 1, "that a number fits a product")
    return fresh(p, a.poly.scaled(b), Q - 1)


CONTRACTS = {}
PRODUCT = {"MLDSAFactor.*(_:_:)": contract_product}


def evaluated(j, i):
    """Coefficient i of what the transform has at place j: the powers of a root of X^256 + 1."""
    return pow(ROOT, (2 * ORDER[j] + 1) * i, Q)


def check_transform(p, inputs, outputs, back):
    for place, word in enumerate(outputs):
        expected = {}
        for source, atom in enumerate(inputs):
            (name,) = next(iter(atom.poly.terms))
            if back:
                c = pow(evaluated(source, place), -1, Q) * pow(256, -1, Q) * RADIX % Q
            else:
                c = evaluated(place, source)
            expected[(name,)] = c
        p.congruent(word.poly, Poly(expected), Q, f"coefficient {place} is another sum")


@claim(GROUP, "MLDSAPolynomial.modulus")
def modulus(p):
    p.equal(p.swift.static("MLDSAPolynomial", "modulus", None).poly, number(Q))


@claim(GROUP, "MLDSAFactor.init(_:)")
def factor(p):
    """q b' = (-2^64 b mod q) modulo 2^64, for b below q."""
    b = p.word("b", Q - 1)
    made = p.call(b)
    found = p.context.modulo(made.fields["number"].poly.scaled(Q), 64)
    p.below(found, Q, "that the remainder is below q")
    p.congruent(found, b.poly.scaled(-(2**64)), Q)


for name, most, c_most in (("any factor", 2**40 - 1, Q - 1), ("reduction", 2**63 - 1, 1)):
    def product(p, most=most, c_most=c_most):
        """With q b' = c + 2^64 v and a b' = P + 2^64 u the result is k = a v - q u: 2^64 k = q P - a c.
        So k is a b modulo q, since c is -2^64 b, and below q."""
        a, stored = p.word("a", most), p.word("b'")
        v = p.fresh("v", 0, Q)
        c = stored.poly.scaled(Q) - v.scaled(1 << 64)
        p.context.remember(c, 0, c_most)
        p.context.require(c)
        p.context.require((-c).plus(c_most))
        p.product_fact(a.poly, c)
        u = p.context.floor(p.times(a.poly, stored.poly), 64)
        k = p.times(a.poly, v) - u.scaled(Q)
        result = p.call(a, Struct("MLDSAFactor", {"number": stored}))
        p.equal(result.poly, k)
        p.congruent(k.scaled(1 << 64) + p.times(a.poly, c), ZERO, Q)
        p.at_least(number(Q - 1) - k, 0, "that a product is below q")
    claim(GROUP, "MLDSAFactor.*(_:_:)", part=name)(product)


@claim(GROUP, "MLDSAPolynomial.transformPortably()", contracts=PRODUCT)
def transform(p):
    """Algorithm 41, from coefficients below 2q to some below 18q."""
    inputs = p.words("w", 256, 2 * Q - 1, "UInt32")
    this = Struct("MLDSAPolynomial", {"coefficients": list(inputs)})
    p.call(this=this)
    outputs = this.fields["coefficients"]
    for word in outputs:
        p.below(word, 18 * Q, "that coefficients stay below 18q")
    check_transform(p, inputs, outputs, back=False)


@claim(GROUP, "MLDSAPolynomial.transformBackPortably()", contracts=PRODUCT)
def transform_back(p):
    """Algorithm 42 times -2^64, from coefficients below q to such."""
    inputs = p.words("w", 256, Q - 1, "UInt32")
    this = Struct("MLDSAPolynomial", {"coefficients": list(inputs)})
    p.call(this=this)
    outputs = this.fields["coefficients"]
    for word in outputs:
        p.below(word, Q, "that coefficients stay below q")
    check_transform(p, inputs, outputs, back=True)


@claim(GROUP, "MLDSAPolynomial.negate()")
def negate(p):
    """Of coefficients below 18q: below q."""
    inputs = p.words("w", 256, 18 * Q - 1, "UInt32")
    this = Struct("MLDSAPolynomial", {"coefficients": list(inputs)})
    p.call(this=this)
    for old, new in zip(inputs, this.fields["coefficients"]):
        p.below(new, Q, "that coefficients are below q")
        p.congruent(new.poly, -old.poly, Q)


@claim(GROUP, "MLDSASum.add(_:times:)")
def add(p):
    """Nine products of a number below q and one below 18q stay below 2^54."""
    old = p.words("s", 256, 8 * (Q - 1) * (18 * Q - 1))
    a, b = p.words("a", 256, Q - 1, "UInt32"), p.words("b", 256, 18 * Q - 1, "UInt32")
    this = Struct("MLDSASum", {"coefficients": list(old)})
    p.call(a, b, this=this)
    for index, word in enumerate(this.fields["coefficients"]):
        p.equal(word.poly, old[index].poly + p.times(a[index].poly, b[index].poly))
        p.below(word, 2**54, "that a sum stays below 2^54")


@claim(GROUP, "MLDSASum.reduced", contracts=PRODUCT)
def reduced(p):
    """The sum times -2^-64."""
    old = p.words("s", 256, 2**54 - 1)
    result = p.call(this=Struct("MLDSASum", {"coefficients": list(old)}))
    for index, word in enumerate(result.fields["coefficients"]):
        p.below(word, Q, "that coefficients are below q")
        p.congruent(word.poly.scaled(RADIX), old[index].poly, Q)
