"""holdfast_doubles.h: Montgomery products in limbs of 50 bits as doubles, four in a register.

The whole product is proved for numbers of eight limbs. For the lengths of keys it is proved that each position
begins with what the bits of the terms added there have too much, and that there are so few that no sum leaves
63 bits; every other bound is that of one term, one block or one position, whatever the length.
With n' = 2^100 m - 1 below R / 4 and A, B < 2 n', R S = A B + D n' with D < R, so S < 4 n'^2 / R + n' < 2 n'.
So the last limb of A, B and S is between -1 and 2^49 + 1: those below it are not worth 2^10 / 2^50 more than 1 of
it, and not less than 0 by more than that."""
from algebra import ZERO
from c_machine import Pointer, Signed
from claims import claim
from machine import Word

GROUP = "holdfast_doubles.h"
HEADERS = ["carry", "lanes", "doubles"]
BITS = 50
# Limbs of a number.
LOW, HIGH = -(2**10), 2**50 + 2**10
PREFIX = "holdfast_doubles_"


def limbs(p, name, count, low=LOW, high=HIGH, last=(-1, 2**49 + 1)):
    bounds = [(low, high)] * (count - 1) + [last]
    return [Word(p.fresh(f"{name}{i}", *bounds[i]), *bounds[i], "Double") for i in range(count)]


def zeros(count):
    return [Word(ZERO, 0, 0, "Double") for _ in range(count)]


for squares in (0, 1):
    def compute(p, squares=squares):
        """R S = A B + D n' for a number D of digits, and limbs of S as those of A and B."""
        vectors = 2
        count = 4 * vectors
        left = limbs(p, "a", count)
        right = left if squares else limbs(p, "b", count)
        # n' is below R / 4, so m has two limbs less.
        m = limbs(p, "m", count - 2, 0, 2**50 - 1, (0, 2**48 - 1))
        modulus = zeros(1) + m + zeros(4)
        result = [None] * count
        digits = []
        p.c.after[PREFIX + "reduce"] = lambda frame: digits.extend(frame[f"d{i}"] for i in range(4))
        p.call(Pointer(result), Pointer(left), Pointer(right), Pointer(modulus, 1), squares, vectors)
        for digit in digits:
            p.inside(digit, 0, 2**50 - 1, "that a digit has 50 bits")
        if len(digits) != count:
            p.fail(f"{len(digits)} digits")
        d = p.value(digits, BITS)
        p.equal(p.value(result, BITS).scaled(1 << (BITS * count)),
                p.times(p.value(left, BITS), p.value(right, BITS))
                + p.times(d, p.value(m, BITS)).scaled(1 << 100) - d)
        for word in result:
            p.inside(word, LOW, HIGH, "that a limb is in its bounds")
    claim(GROUP, PREFIX + "compute()", part="squares" if squares else "products")(compute)


for limbs_ in (44, 64, 84):
    def begin(p, count=limbs_):
        """Each position begins with what its terms will have too much, and has at most 168 of them: in all less
        than 168 (2^51 + 2^12) in size for the upper parts, and less for the lower."""
        vectors = count // 4
        tally = {}

        def add(c, low, high, x, y, terms):
            if low.array is not sums or high.array is not sums or high.offset - low.offset != 8 * vectors + 4:
                p.fail("the positions of both parts differ")
            for lane in range(4):
                tally[low.offset + lane] = tally.get(low.offset + lane, 0) + terms
        for squares in (0, 1):
            tally.clear()
            sums = Signed([None] * (16 * vectors + 4))
            low, high = Pointer(sums, 0), Pointer(sums, 8 * vectors + 4)
            p.c.contracts = {}
            p.call(low, high, squares, vectors, title=PREFIX + "begin")
            p.c.contracts = {PREFIX + "add": add, PREFIX + "add_four": lambda c, low, high, x, y: add(
                c, low, high, x, y, 4)}
            x = Pointer(zeros(4 * vectors + 8), 4)
            for b in range(vectors):
                if squares:
                    p.call(low.moved(8 * b), high.moved(8 * b), x.moved(4 * b), vectors - b,
                           title=PREFIX + "square_row")
                else:
                    p.call(low.moved(4 * b), high.moved(4 * b), x, x.moved(4 * b), vectors, title=PREFIX + "row")
                for v in range(1, vectors + 1):
                    add(p.c, low.moved(4 * (b + v)), high.moved(4 * (b + v)), None, None, 4)
            for i in range(8 * vectors):
                for part, bits in ((low, (1075 << 52) + (1 << 51)), (high, (1125 << 52) + (1 << 50))):
                    more = part.read(i).poly.constant + tally.get(i, 0) * bits
                    if not part.read(i).poly.is_constant or more % (1 << 64):
                        p.fail(f"position {i} begins with another number")
                if tally.get(i, 0) > 8 * vectors or tally.get(i, 0) * (2**51 + 2**12) >= 2**60:
                    p.fail(f"position {i} has {tally[i]} terms")
            if high.read(-1).poly.terms:
                p.fail("the position below the first is not zero")
    claim(GROUP, PREFIX + "begin()", part=f"{limbs_} limbs")(begin)


@claim(GROUP, PREFIX + "store()")
def store(p):
    """Limbs of the same number, of sums of two parts below 2^59 in size; the last sums are below 2^49."""
    def parts(name, most):
        return [Word(p.fresh(f"{name}{i}", -high, high), -high, high, "Lane")
                for i, high in enumerate([most] * 7 + [2**49 - 2**12])]
    low, high = Signed(parts("l", 2**59)), Signed([p.c.lane(0)] + parts("h", 2**59)[:7])
    high[7] = Word(p.fresh("h", 0, 2**49), 0, 2**49, "Lane")
    result = [None] * 8
    p.call(Pointer(result), Pointer(low), Pointer(high, 1), 2)
    p.equal(p.value(result, BITS), p.value(low, BITS) + p.value(high, BITS))
    for word in result[:7]:
        p.inside(word, LOW, HIGH, "that a limb is in its bounds")


@claim(GROUP, PREFIX + "product()")
def dispatch(p):
    """The function of each size; R is more than four times the multiple of the longest modulus."""
    calls = []
    p.c.contracts = {PREFIX + "compute": lambda c, *given: calls.append(given[4:])}
    for count, bits in ((44, 2098), (64, 3098), (84, 4098)):
        for squares in (0, 1):
            calls.clear()
            numbers = [Pointer(zeros(1)) for _ in range(2)]
            p.call(numbers[0], numbers[0], numbers[1 - squares], numbers[1], count)
            if calls != [(squares, count // 4)] or bits + 102 > BITS * count:
                p.fail(f"{count} limbs")
    calls.clear()
    p.call(numbers[0], numbers[0], numbers[1], numbers[1], 48)
    if calls:
        p.fail("48 limbs are no size")
