"""Field25519.swift: four limbs below 2^256, for p = 2^255 - 19; and the numbers of HalvedScalar.swift."""
from claims import claim, number
from claims_words import CONTRACTS as WORDS
from swift_machine import Struct

GROUP = "25519"
FILES = ["Limbs128", "Field25519", "HalvedScalar"]
P = 2**255 - 19
TYPE = "Field25519"


def element(p, name):
    return p.element(name, TYPE, 4)



CONTRACTS = WORDS


@claim(GROUP, "Field25519.modulus")
def modulus(p):
    p.equal(p.value(p.call()), number(P))


@claim(GROUP, "Field25519.plusSmall(_:)")
def plus_small(p):
    """Exact if the sum stays below 2^256, as with 63 bits in the highest limb."""
    x = p.element("x", TYPE, 4, [2**64 - 1] * 3 + [2**63 - 1])
    small = p.word("small")
    p.equal(p.value(p.call(small, this=x)), p.value(x) + small.poly)


@claim(GROUP, "Field25519.canonical")
def canonical(p):
    """The number below p."""
    x = element(p, "x")
    limbs = list(p.call(this=x))
    p.congruent(p.value(limbs), p.value(x), P)
    p.below(p.value(limbs), P, "that the number is below p")


@claim(GROUP, "Field25519.canonicalLimbs")
def canonical_limbs(p):
    x = element(p, "x")
    limbs = p.call(this=x)
    p.congruent(p.value(limbs), p.value(x), P)
    p.below(p.value(limbs), P, "that the number is below p")


@claim(GROUP, "Field25519.+(_:_:)")
def sum(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) + p.value(b), P)


@claim(GROUP, "Field25519.plusTopped(_:)")
def plus_topped(p):
    """The addend is below 2^63; the lowest limb has room for a second carry."""
    x, addend = element(p, "x"), p.word("addend", 2**63 - 1)
    p.congruent(p.value(p.call(addend, this=x)), p.value(x) + addend.poly, P)


@claim(GROUP, "Field25519.-(_:_:)")
def difference(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.value(a) - p.value(b), P)


@claim(GROUP, "Field25519.doubled()")
def doubled(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)), p.value(a).scaled(2), P)


@claim(GROUP, "Field25519.folded(_:_:_:_:_:_:_:_:)")
def folded(p):
    """The lower half plus 38 times the upper; what goes to plusTopped is below 2^63."""
    t = p.words("t", 8)
    p.congruent(p.value(p.call(*t)), p.value(t), P)


@claim(GROUP, "Field25519.*(_:_:)")
def product(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(a, b)), p.times(p.value(a), p.value(b)), P)


@claim(GROUP, "Field25519.squared()")
def squared(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)), p.times(p.value(a), p.value(a)), P)


@claim(GROUP, "Field25519.inlineProduct(_:)")
def inline_product(p):
    a, b = element(p, "a"), element(p, "b")
    p.congruent(p.value(p.call(b, this=a)), p.times(p.value(a), p.value(b)), P)


@claim(GROUP, "Field25519.inlineSquare")
def inline_square(p):
    a = element(p, "a")
    p.congruent(p.value(p.call(this=a)), p.times(p.value(a), p.value(a)), P)


def exponent_of(element):
    return element.fields["exponent"]


def raised(exponent, type=TYPE):
    """A power of some element, of which only the exponent is known."""
    return Struct(type, {"exponent": exponent})


EXPONENTS = {"Field25519.*(_:_:)": lambda p, a, b: raised(exponent_of(a) + exponent_of(b)),
             "Field25519.squared()": lambda p: raised(2 * exponent_of(p.this))}


@claim(GROUP, "Field25519.raisedForRoot()", contracts=EXPONENTS)
def root(p):
    """The power (p - 5) / 8."""
    if exponent_of(p.call(this=raised(1))) != (P - 5) // 8:
        p.fail("the exponent is another number")


@claim(GROUP, "Field25519.init(limbs51:)")
def from_limbs51(p):
    """Of limbs below 2^53, which is what the steps of vectors leave and 2p make: 2^51 + 2^15 + 2^52."""
    limbs = p.words("n", 5, 2**53 - 1)
    p.congruent(p.value(p.call(limbs)), p.value(limbs, bits=51), P)


@claim(GROUP, "Field25519.isZero")
def is_zero(p):
    x = element(p, "x")
    if p.swift.truth(p.call(this=x)):
        p.congruent(p.value(x), number(0), P)
    else:
        canonical = p.value(list(p.call(this=x, title="Field25519.canonical")))
        p.at_least(canonical, 1, "that what is not zero is above it")


def number256(p, name, high=2**128 - 1):
    return Struct("UInt256", {"upper": p.word(name + "1", high, "UInt128"), "lower": p.word(name + "0", type="UInt128")})


def value256(p, of):
    return p.value([of.fields["lower"], of.fields["upper"]], bits=128)


@claim(GROUP, "UInt256.<(_:_:)")
def below256(p):
    a, b = number256(p, "a"), number256(p, "b")
    less = p.swift.truth(p.call(a, b))
    difference = value256(p, b) - value256(p, a)
    p.at_least(difference if less else -difference, int(less), "that the comparison is right")


@claim(GROUP, "UInt256.minus(_:)", may_wrap=True)
def minus256(p):
    """Modulo 2^256, so exact for a number that is not above."""
    a, b = number256(p, "a"), number256(p, "b")
    p.congruent(value256(p, p.call(b, this=a)), value256(p, a) - value256(p, b), 1 << 256)


for first in range(0, 128, 16):
    def shifted256(p, first=first):
        """By any number below 128, exact if the result is below 2^256."""
        for shift in range(first, first + 16):
            x = number256(p, f"x{shift}.", 2 ** (128 - shift) - 1)
            p.equal(value256(p, p.call(shift, this=x)), value256(p, x).scaled(1 << shift))
    claim(GROUP, "UInt256.shifted(by:)", part=f"from {first}", may_wrap=True)(shifted256)
