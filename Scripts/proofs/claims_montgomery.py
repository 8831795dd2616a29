"""Montgomery.swift and MontgomeryModulus.swift: reductions of numbers of any count of limbs. Loops are
proved by one round of their bodies, from any state."""
from algebra import ONE, ZERO
from claims import Cell, claim
from swift_machine import Shared, Struct

GROUP = "Montgomery"
FILES = ["Limbs128", "Montgomery", "MontgomeryModulus"]
CONTRACTS = {}
WORD = 2**64 - 1


def limbs_of(p, name, count, value):
    """Words of a value that is known."""
    words = p.words(name, count)
    p.context.define(words[0].poly, value - p.value(words) + words[0].poly)
    return words


def named(p, name, count):
    """Words, and the number that they are, as an atom."""
    whole = p.fresh(name, 0, 2 ** (64 * count) - 1)
    return limbs_of(p, name.lower(), count, whole), whole


def contract_quotient(p, t0, t1, t2, t3, inverse):
    value = p.times(p.context.resolved(p.value([t0, t1, t2, t3])),
                    p.context.resolved(p.value(inverse)))
    return tuple(limbs_of(p, "q", 4, value - p.fresh("u", 0, 2**256).scaled(1 << 256)))


def contract_negated(p, value):
    return limbs_of(p, "m", 4, p.fresh("u", 0, 1).scaled(1 << 256) - p.value(value))


def contract_row(p, a0, a1, a2, a3, a4, q0, q1, q2, q3, m, t):
    total = p.value([a0, a1, a2, a3]) + p.times(p.value([q0, q1, q2, q3]), m.poly) + t.poly
    return Shared(None, *limbs_of(p, "a", 5, total))


ROW = {"Montgomery.addRow(_:_:_:_:_:_:_:_:_:_:_:)": contract_row}
QUOTIENT = {"Montgomery.quotient(_:_:_:_:_:)": contract_quotient,
            "Montgomery.negated(_:)": contract_negated}


@claim(GROUP, "Montgomery.addRow(_:_:_:_:_:_:_:_:_:_:_:)")
def add_row(p):
    """a + q m + t in five limbs."""
    a = [Cell(word) for word in p.words("a", 4)] + [Cell(p.constant(0))]
    before = p.value([cell.value for cell in a])
    q, m, t = p.words("q", 4), p.word("m"), p.word("t")
    p.call(*a, *q, m, t)
    p.equal(p.value([cell.value for cell in a]), before + p.times(p.value(q), m.poly) + t.poly)


@claim(GROUP, "Montgomery.quotient(_:_:_:_:_:)")
def quotient(p):
    """Four limbs times the inverse, modulo 2^256."""
    t, inverse = p.words("t", 4), p.words("i", 4)
    p.congruent(p.value(list(p.call(*t, inverse))), p.times(p.value(t), p.value(inverse)), 1 << 256)


@claim(GROUP, "Montgomery.negated(_:)")
def negated(p):
    x = p.words("x", 4)
    p.congruent(p.value(p.call(x)), -p.value(x), 1 << 256)


@claim(GROUP, "Montgomery.negatedInverse(of:)", contracts=QUOTIENT)
def negated_inverse(p):
    """A round from x leaves 1 - n x' = (1 - n x)^2 modulo 2^256, so each doubles the correct bits; an
    odd number is its own inverse modulo 8, and 3 * 2^7 bits are more than 256."""
    if 3 * 2 ** p.rounds() < 256:
        p.fail("too few rounds")
    (words, n), (inverse, x) = named(p, "N", 4), named(p, "X", 4)
    found = p.value(p.loop("for", value=words, inverse=inverse)["inverse"])
    error = ONE - p.times(n, x)
    p.congruent(ONE - p.times(n, p.context.resolved(found)), p.times(error, error), 1 << 256)


@claim(GROUP, "Montgomery.add(_:times:to:at:_:)", part="a round", contracts=ROW)
def add_round(p):
    """c + q (m0 … m3) + (t0 … t3) = (t0' … t3') + 2^256 c', for any column."""
    q, factor, product = tuple(p.words("q", 4)), p.words("m", 8), p.words("t", 20)
    carries = p.words("c", 4)
    before = p.value(carries) + p.times(p.value(list(q)), p.value(factor[4:])) + p.value(product[7:11])
    after = p.loop("while", q=q, factor=factor, product=product, start=3, column=4, count=8,
                   **{f"c{i}": word for i, word in enumerate(carries)})
    p.equal(p.value(product[7:11]) + p.value([after[f"c{i}"] for i in range(4)]).scaled(1 << 256), before)
    if after["column"] != 8:
        p.fail("the column does not move by four")


@claim(GROUP, "Montgomery.add(_:times:to:at:_:)", part="whole", contracts=ROW)
def add(p):
    """With 4 and 8 limbs: the rounds, and the carry into the four limbs above."""
    for count in (4, 8):
        q, factor, product = tuple(p.words("q", 4)), p.words("m", count), p.words("t", count + 6)
        carry = p.word("carry", 1)
        before = (p.value(product[1:count + 5]) + p.times(p.value(list(q)), p.value(factor))
                  + carry.poly.scaled(1 << (64 * count)))
        found = p.call(q, factor, Cell(product), 1, carry)
        p.equal(p.value(product[1:count + 5]) + found.poly.scaled(1 << (64 * count + 256)), before)
        p.at_most(found, 1, "that the carry is 0 or 1")


def contract_add(p, q, factor, product, start, carry):
    count = len(factor)
    carry = p.constant(carry) if carry == 0 else carry
    total = (p.value(product[start:start + count + 4]) + carry.poly.scaled(1 << (64 * count))
             + p.times(p.context.resolved(p.value(list(q))), p.context.resolved(p.value(factor))))
    out = p.word("carry", 1)
    product[start:start + count + 4] = limbs_of(
        p, "s", count + 4, total - out.poly.scaled(1 << (64 * count + 256)))
    return out


@claim(GROUP, "Montgomery.reduce(_:from:to:_:_:)",
       contracts={**QUOTIENT, "Montgomery.add(_:times:to:at:_:)": contract_add})
def reduce(p):
    """Adds a multiple of the modulus that clears the lowest four limbs, if n * inverse = -1 modulo 2^256."""
    (modulus, n), (inverse, i) = named(p, "N", 4), named(p, "I", 4)
    p.context.relate(n, i, p.fresh("w", 0, 2**256).scaled(1 << 256) - ONE)
    product = p.words("t", 8)
    found = p.call(Cell(product), 0, 4, modulus, inverse)
    p.congruent(p.value(product[:4]), ZERO, 1 << 256, "the lowest limbs are not cleared")
    if p.swift.truth(found) not in (True, False):
        p.fail("a carry that is no truth value")


@claim(GROUP, "Montgomery.isReduced(_:)")
def is_reduced(p):
    modulus, value = p.words("n", 4), p.words("x", 4)
    this = Struct("Montgomery", {"modulus": modulus})
    if p.swift.truth(p.call(value, this=this)):
        p.at_least(p.value(modulus) - p.value(value), 1, "that the value is less")
    else:
        p.at_least(p.value(value) - p.value(modulus), 0, "that the value is not less")


@claim(GROUP, "Montgomery.subtractModulus(from:at:)")
def subtract_modulus(p):
    modulus, value = p.words("n", 4), p.words("x", 6)
    before = p.value(value[1:5])
    p.call(Cell(value), 1, this=Struct("Montgomery", {"modulus": modulus}))
    p.congruent(p.value(value[1:5]), before - p.value(modulus), 1 << 256)


for count in (4, 6, 9):
    def row(p, count=count):
        """2^64 T' = T + l R + m N for the m that clears the lowest limb; if T < R + N, so is T', and the
        limb above is 0 or 1."""
        value, right, left = p.words("n", count), p.words("r", count), p.words("l", count)
        n, r = p.value(value), p.value(right)
        inverse = p.word("inverse")
        p.context.relate(value[0].poly, inverse.poly, p.fresh("w", 0, 2**64).scaled(1 << 64) - ONE)
        sums, top = p.words("t", count), p.word("top", 1)
        before = p.value(sums) + top.poly.scaled(1 << (64 * count))
        p.context.require(r + n - before - ONE)
        this = Struct("MontgomeryModulus", {"value": value, "negatedInverse": inverse})
        after = p.loop("for", this=this, generics={"count": count}, left=left, right=right, sum=sums,
                       top=top, row=2)
        multiple = after["multiple"]
        found = p.value(after["sum"]) + after["top"].poly.scaled(1 << (64 * count))
        added = p.times(left[2].poly, r) + p.times(multiple.poly, n)
        p.equal(found.scaled(1 << 64), before + added)
        # Both multiples are at most 2^64 - 1 times the number.
        p.context.require(n.scaled(WORD) - p.times(multiple.poly, n))
        p.context.require(r.scaled(WORD) - p.times(left[2].poly, r))
        room = (r + n).scaled(1 << 64) - before - added
        p.at_least(room, 1, "that T stays below R + N")
        p.context.require(room - ONE)
        p.at_most(after["top"], 1, "that the limb above is 0 or 1")
    claim(GROUP, "MontgomeryModulus.montgomeryProduct(_:_:)", part=f"a row of {count}")(row)

    def reduce_once(p, count=count):
        """From a number below twice the value to one below it."""
        value, words, carry = p.words("n", count), p.words("x", count), p.word("carry", 1)
        before = p.value(words) + carry.poly.scaled(1 << (64 * count))
        p.context.require(p.value(value).scaled(2) - before - ONE)
        cell = Cell(words)
        p.call(cell, carry, value, generics={"count": count})
        after = p.value(cell.value)
        p.at_least(p.value(value) - after, 1, "that the number is below the value")
        if not (p.context.within(before - after, 0, 0, True)
                or p.context.within(before - after - p.value(value), 0, 0, True)):
            p.fail("the number is another one")
    claim(GROUP, "MontgomeryModulus.reduce(_:_:_:)", part=f"{count} limbs")(reduce_once)
