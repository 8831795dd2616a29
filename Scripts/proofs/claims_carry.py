"""holdfast_carry.h: additions with carry in and carry out."""
from claims import claim

GROUP = "holdfast_carry.h"
HEADERS = ["carry"]


@claim(GROUP, "holdfast_add()")
def add(p):
    """word + 2^64 carry' = x + y + carry, for a carry of 0 or 1."""
    x, y, carry = p.word("x"), p.word("y"), p.word("carry", 1)
    found = p.call(x, y, carry)
    p.equal(p.value([found["word"], found["carry"]]), x.poly + y.poly + carry.poly)
    p.at_most(found["carry"], 1, "that the carry is 0 or 1")


@claim(GROUP, "holdfast_subtract()")
def subtract(p):
    """word - 2^64 carry' = x - y - carry, for a carry of 0 or 1."""
    x, y, carry = p.word("x"), p.word("y"), p.word("carry", 1)
    found = p.call(x, y, carry)
    p.equal(found["word"].poly - found["carry"].poly.scaled(1 << 64), x.poly - y.poly - carry.poly)
    p.at_most(found["carry"], 1, "that the borrow is 0 or 1")
