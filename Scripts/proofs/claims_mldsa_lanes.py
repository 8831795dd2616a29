"""holdfast_mldsa.h: Shoup's product, and the transforms of FIPS 204 §7.5 that the compiler makes vectors of."""
from c_machine import Pointer
from claims import claim, number
from claims_mldsa import POWERS, Q, RADIX, check_transform, fresh

GROUP = "holdfast_mldsa.h"
HEADERS = ["mldsa"]


def contract_times(p, a, factor):
    value, quotient = factor["value"].poly.constant, factor["quotient"].poly.constant
    if value >= Q or quotient != (value << 32) // Q:
        p.fail("a factor is not made as one")
    return fresh(p, a.poly.scaled(value), 2 * Q - 1)


TIMES = {"holdfast_times": contract_times}


def factors(p):
    """As MLDSATransform.swift makes them; factor 0 is the last one of the inverse transform."""
    last = pow(256, -1, Q) * RADIX % Q
    return [{"value": p.constant(b, "UInt32"), "quotient": p.constant((b << 32) // Q, "UInt32")}
            for b in [last] + POWERS[1:]]


@claim(GROUP, "holdfast_times()")
def times(p):
    """a b - q floor(a b' / 2^32) with b' = floor(2^32 b / q), below 2q, for every a."""
    a, value, stored = (p.word(name, most, "UInt32") for name, most in
                        (("a", None), ("b", Q - 1), ("b'", None)))
    rest = value.poly.scaled(1 << 32) - stored.poly.scaled(Q)
    p.context.remember(rest, 0, Q - 1)
    p.context.require(rest)
    p.context.require((-rest).plus(Q - 1))
    p.product_fact(a.poly, rest)
    result = p.call(a, {"value": value, "quotient": stored})
    quotient = p.context.floor(p.times(a.poly, stored.poly), 32)
    exact = p.times(a.poly, value.poly) - quotient.scaled(Q)
    p.at_least(number(2 * Q - 1) - exact, 0, "that a product is below 2q")
    p.equal(result.poly, exact)


@claim(GROUP, "holdfast_transform()", contracts=TIMES)
def transform(p):
    inputs = p.words("w", 256, 2 * Q - 1, "UInt32")
    outputs = list(inputs)
    p.call(Pointer(outputs), Pointer(factors(p)))
    for word in outputs:
        p.below(word, 18 * Q, "that numbers stay below 18q")
    check_transform(p, inputs, outputs, back=False)


@claim(GROUP, "holdfast_transform_back()", contracts=TIMES)
def transform_back(p):
    inputs = p.words("w", 256, Q - 1, "UInt32")
    outputs = list(inputs)
    p.call(Pointer(outputs), Pointer(factors(p)))
    for word in outputs:
        p.below(word, Q, "that numbers stay below q")
    check_transform(p, inputs, outputs, back=True)
