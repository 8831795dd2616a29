"""Limbs128.swift: the words of 128 bits, and the two products that all fields share."""
from claims import Cell, claim
from swift_machine import Struct

GROUP = "Limbs128"
FILES = ["Limbs128"]


@claim(GROUP, "pair(_:_:)")
def pair(p):
    x, y = p.words("x", 2)
    p.equal(p.call(x, y).poly, p.value([x, y]))


@claim(GROUP, "addWithCarry(_:_:_:)")
def add_with_carry(p):
    """sum + 2^64 carry' = x + y + carry."""
    x, y = p.words("x", 2)
    before = p.word("carry", 1)
    carry = Cell(before)
    sum = p.call(x, y, carry)
    p.equal(p.value([sum, carry.value]), x.poly + y.poly + before.poly)
    p.at_most(carry.value, 1, "that the carry is 0 or 1")


@claim(GROUP, "subtractWithBorrow(_:_:_:)")
def subtract_with_borrow(p):
    """difference - 2^64 borrow' = x - y - borrow."""
    x, y = p.words("x", 2)
    before = p.word("borrow", 1)
    borrow = Cell(before)
    difference = p.call(x, y, borrow)
    p.equal(difference.poly - borrow.value.poly.scaled(1 << 64), x.poly - y.poly - before.poly)
    p.at_most(borrow.value, 1, "that the borrow is 0 or 1")


@claim(GROUP, "add(_:_:carryOf:)")
def add(p):
    x, y = p.words("x", 2)
    before = p.word("before", type="UInt128")
    p.equal(p.call(x, y, before).poly, x.poly + y.poly + p.context.floor(before.poly, 64))


@claim(GROUP, "subtract(_:_:borrowOf:)")
def subtract(p):
    """Modulo 2^128, of a difference that is at least -2^64."""
    x, y = p.words("x", 2)
    a, b = p.words("a", 2)
    before = p.machine.difference(p.machine.converted(a, "UInt128"), p.machine.converted(b, "UInt128"))
    borrow = -p.context.floor(a.poly - b.poly, 64)
    p.congruent(p.call(x, y, before).poly, x.poly - y.poly - borrow, 1 << 128)


@claim(GROUP, "multiply(_:_:plus:carryOf:)")
def multiply(p):
    """Always fits."""
    x, y = p.words("x", 2)
    addend, before = p.word("addend"), p.word("before", type="UInt128")
    p.equal(p.call(x, y, addend, before).poly,
            p.times(x.poly, y.poly) + addend.poly + p.context.floor(before.poly, 64))


@claim(GROUP, "multiply(_:_:)")
def multiply_plain(p):
    x, y = p.words("x", 2)
    p.equal(p.call(x, y).poly, p.times(x.poly, y.poly))


def row_value(p, factor, right, before=None):
    total = p.times(factor.poly, p.value(right))
    if before is not None:
        total = total + p.value(list(before.fields.values())[1:])
    return total


@claim(GROUP, "ProductRow.init(_:_:_:_:_:)")
def row(p):
    factor, right = p.word("f"), p.words("r", 4)
    p.equal(p.value(p.call(factor, *right)), row_value(p, factor, right))


@claim(GROUP, "ProductRow.init(_:_:_:_:_:plus:)")
def row_plus(p):
    factor, right = p.word("f"), p.words("r", 4)
    before = p.element("b", "ProductRow", 5)
    p.equal(p.value(p.call(factor, *right, before)), row_value(p, factor, right, before))


def exact_limbs(p, type, count, value):
    """A struct of limbs whose value is known: what a proved function returns."""
    words = p.words("o", count)
    p.context.define(words[0].poly, value - p.value(words) + words[0].poly)
    return Struct(type, {f"l{i}": word for i, word in enumerate(words)})


def wrapped_limbs(p, type, count, value, least, most):
    """The same for a value that is only known modulo 2^(64 count): the quotient is an atom."""
    quotient = p.fresh("w", least, most)
    return exact_limbs(p, type, count, value - quotient.scaled(1 << (64 * count)))


def congruent_limbs(p, type, count, value, modulus):
    """The same for a value that is known modulo p, with any factors below 2^1024."""
    quotient = p.fresh("k", -1 << 1024, 1 << 1024)
    return exact_limbs(p, type, count, value + quotient.scaled(modulus))


def contract_row_plus(p, factor, *rest):
    return exact_limbs(p, "ProductRow", 5, row_value(p, factor, list(rest[:4]), rest[4]))


def contract_square(p, *right):
    value = p.value(list(right))
    return exact_limbs(p, "WideSquare", 8, p.times(value, value))


CONTRACTS = {"ProductRow.init(_:_:_:_:_:plus:)": contract_row_plus,
             "WideSquare.init(_:_:_:_:)": contract_square}


@claim(GROUP, "WideSquare.init(_:_:_:_:)")
def square(p):
    right = p.words("r", 4)
    p.equal(p.value(p.call(*right)), p.times(p.value(right), p.value(right)))
