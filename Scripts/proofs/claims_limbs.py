"""SwiftLimbs.swift: products and squares of numbers of whole blocks of four limbs."""
from claims import Cell, claim
from claims_montgomery import contract_add
from claims_words import contract_square

GROUP = "SwiftLimbs"
FILES = ["Limbs128", "Montgomery", "SwiftLimbs"]
CONTRACTS = {"Montgomery.add(_:times:to:at:_:)": contract_add,
             "WideSquare.init(_:_:_:_:)": contract_square,
             "SwiftLimbs.isCount(_:)": lambda p, count: True}


for count in (4, 8, 12):
    def square(p, count=count):
        """Whatever is in the room for it before."""
        number, product = p.words("x", count), p.words("t", 2 * count)
        if p.swift.truth(p.call(number, Cell(product))) is not True:
            p.fail("the square is refused")
        p.equal(p.value(product), p.times(p.value(number), p.value(number)))
    claim(GROUP, "SwiftLimbs.square(_:into:)", part=f"{count} limbs")(square)

    def multiply(p, count=count):
        """The same."""
        left, right, product = p.words("x", count), p.words("y", count), p.words("t", 2 * count)
        if p.swift.truth(p.call(left, right, Cell(product))) is not True:
            p.fail("the product is refused")
        p.equal(p.value(product), p.times(p.value(left), p.value(right)))
    claim(GROUP, "SwiftLimbs.multiply(_:_:into:)", part=f"{count} limbs")(multiply)


for count in (3, 4, 9):
    def subtract(p, count=count):
        """limbs' - 2^(64 count) upper = limbs - q divisor."""
        q, divisor, limbs = p.word("q"), p.words("d", count), p.words("t", count + 2)
        before = p.value(limbs[1:count + 1]) - p.times(q.poly, p.value(divisor))
        found = p.call(q, divisor, Cell(limbs), 1)
        p.equal(p.value(limbs[1:count + 1]) - found.poly.scaled(1 << (64 * count)), before)
    claim(GROUP, "SwiftLimbs.subtract(_:times:_:_:)", part=f"{count} limbs")(subtract)
