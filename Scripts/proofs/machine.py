"""Words of a machine as exact integers: what each operation of Swift and C does to polynomials."""
from algebra import Failure, ONE, Poly, ZERO

RANGES = {
    "UInt8": (0, (1 << 8) - 1), "UInt32": (0, (1 << 32) - 1), "UInt64": (0, (1 << 64) - 1),
    "UInt128": (0, (1 << 128) - 1), "Int64": (-1 << 63, (1 << 63) - 1),
    "Int128": (-1 << 127, (1 << 127) - 1),
    # A word of a vector stands for its residue modulo 2^64; it may be kept as a negative number.
    "Lane": (-1 << 63, (1 << 64) - 1),
}
BITS = {"UInt8": 8, "UInt32": 32, "UInt64": 64, "UInt128": 128, "Int64": 64, "Int128": 128, "Lane": 64}


class Word:
    """A value of one type: a polynomial, and bounds that every path to here has shown."""

    __slots__ = ("poly", "low", "high", "type")

    def __init__(self, poly, low, high, type):
        self.poly, self.low, self.high, self.type = poly, low, high, type


class Several(Word):
    """Several words of which only a comparison with one number is known."""

    __slots__ = ("parts",)

    def __init__(self, left, right):
        self.parts, self.type = left + right, left[0].type

    def unknown(self):
        raise Failure("bits of several words are put together")

    poly = low = high = property(unknown)


class Union(Several):
    """The disjunction of words: zero exactly if all are."""


class Meet(Several):
    """The conjunction of words: all ones exactly if all are."""


class Bit:
    """A truth value: a polynomial that is 0 or 1. `zero` is zero if the truth value is `when`."""

    __slots__ = ("poly", "zero", "when")

    def __init__(self, poly, zero=None, when=True):
        self.poly, self.zero, self.when = poly, zero, when


class Machine:
    def __init__(self, context):
        self.context = context

    # Making words

    def constant(self, number, type):
        low, high = RANGES[type]
        if not low <= number <= high:
            raise Failure(f"{number:#x} is no {type}")
        return Word(Poly({(): number}), number, number, type)

    def input(self, name, type="UInt64", high=None, low=0):
        high = RANGES[type][1] if high is None else high
        return Word(self.context.atom(name, low, high), low, high, type)

    def word(self, poly, type, low=None, high=None):
        """A polynomial as a word; what the type cannot hold is dropped."""
        context = self.context
        poly = context.normal(poly)
        a, b = context.interval(poly)
        low, high = (a if low is None else max(a, low)), (b if high is None else min(b, high))
        least, most = RANGES[type]
        context.counts["sums"] += 1
        if low < least or high > most:
            # The interval of the terms may be too wide; the terms depend on each other. If a difference
            # of two words of 64 bits is negative, that is meant to be in the upper half.
            is_simple = len(poly.terms) - bool(poly.constant) == 1
            if not (is_simple or type == "UInt128" and low < 0 and high - low < 1 << 66) and context.within(poly, least, most):
                low, high = max(low, least), min(high, most)
            else:
                context.counts["wraps"] += 1
                if type == "UInt128" and low >= 0 and not context.may_wrap:
                    raise Failure(f"a sum of 128 bits may wrap: {context.describe(poly)}")
                bits = BITS[type]
                context.remember(poly, low, high)
                offset = 1 << (bits - 1) if type in ("Int64", "Int128") else 0
                quotient = context.floor(poly.plus(offset), bits)
                poly = context.normal(poly - quotient.scaled(1 << bits))
                low, high = (0, most) if type == "Lane" else (least, most)
                a, b = context.interval(poly)
                low, high = max(low, a), min(high, b)
        if not poly.is_constant:
            context.remember(poly, low, high)
        return Word(poly, low, high, type)

    # Arithmetic

    def match(self, left, right):
        """Both operands as words of one type."""
        if isinstance(left, int) and isinstance(right, Word):
            left = self.constant(left, right.type)
        if isinstance(right, int) and isinstance(left, Word):
            right = self.constant(right, left.type)
        if left.type != right.type:
            raise Failure(f"{left.type} and {right.type} in one operation")
        return left, right

    def sum(self, left, right):
        left, right = self.match(left, right)
        return self.word(left.poly + right.poly, left.type, left.low + right.low,
                         left.high + right.high)

    def settled(self, word):
        """A word that is a function of a few bits, such as a mask, as a constant: one path for each."""
        poly = self.context.normal(word.poly)
        if poly.is_constant or self.context.by_bits(poly, lambda value: value) is None:
            return word
        for atom in sorted(poly.atoms()):
            self.context.decide(Poly({(atom,): 1}))
        value = self.context.normal(poly).constant
        return Word(Poly({(): value}), value, value, word.type)

    def difference(self, left, right):
        left, right = self.match(left, right)
        if left.low == left.high == 0 and right.high == 1:
            right = self.settled(right)
        return self.word(left.poly - right.poly, left.type, left.low - right.high,
                         left.high - right.low)

    def product(self, left, right):
        left, right = self.match(left, right)
        ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
        return self.word(self.context.product(left.poly, right.poly), left.type, min(ends), max(ends))

    def shifted_left(self, word, count):
        return self.word(word.poly.scaled(1 << count), word.type, word.low << count, word.high << count)

    def shifted_right(self, word, count):
        """A logical shift, or an arithmetic one of a signed type."""
        if word.type == "Lane" and word.low < 0:
            word = self.unsigned(word)
        poly = self.context.floor(word.poly, count, (word.low, word.high))
        return self.word(poly, word.type, word.low >> count, word.high >> count)

    def unsigned(self, word):
        """A word of a vector as a number from 0 to 2^64 - 1."""
        if word.low >= 0 or self.context.at_least(word.poly):
            return Word(word.poly, max(word.low, 0), word.high, word.type)
        poly = self.context.modulo(word.poly, 64)
        return self.word(poly, word.type, 0, (1 << 64) - 1)

    def converted(self, word, type):
        """A conversion that drops upper bits; of a signed word it extends the sign."""
        if isinstance(word, int):
            low, high = RANGES[type]
            return self.constant(word if low <= word <= high else word % (1 << BITS[type]), type)
        if isinstance(word, Bit):
            return Word(word.poly, 0, 1, type)
        context, bits = self.context, BITS[type]
        least, most = RANGES[type]
        if word.low >= least and word.high <= most:
            return Word(word.poly, word.low, word.high, type)
        offset = 1 << (bits - 1) if least < 0 else 0
        quotient = context.floor(word.poly.plus(offset), bits, (word.low + offset, word.high + offset))
        return self.word(word.poly - quotient.scaled(1 << bits), type, least, most)

    # Bits

    def and_constant(self, word, mask):
        """The bits of a mask of runs of ones, from the lowest."""
        context = self.context
        bits = BITS[word.type]
        if word.type in ("Lane", "Int64"):
            mask %= 1 << bits
        if mask == (1 << bits) - 1:
            return word
        poly, low, high = ZERO, 0, 0
        while mask:
            start = (mask & -mask).bit_length() - 1
            end = start
            while mask >> end & 1:
                end += 1
            part = context.floor(word.poly, start)
            if end < bits or word.low < 0:
                part = part - context.floor(word.poly, end).scaled(1 << (end - start))
            poly = poly + part.scaled(1 << start)
            high += (1 << end) - (1 << start)
            mask &= ~((1 << end) - 1)
        return self.word(poly, word.type, low, high)

    def conjunction(self, left, right):
        left, right = self.match(left, right)
        if isinstance(left, Meet) or isinstance(right, Meet):
            return Meet(left.parts if isinstance(left, Meet) else [left],
                        right.parts if isinstance(right, Meet) else [right])
        if left.poly.is_constant:
            left, right = right, left
        if left.high > 1:
            left = self.settled(left)
        if right.poly.is_constant:
            return self.and_constant(left, right.poly.constant)
        return Meet([left], [right])

    def disjunction(self, left, right):
        """Of words without common bits, which is a sum; or of others, of which it is only known whether it
        is zero."""
        left, right = self.match(left, right)
        if isinstance(left, Union) or isinstance(right, Union):
            return Union(left.parts if isinstance(left, Union) else [left],
                         right.parts if isinstance(right, Union) else [right])
        for low, high in ((left, right), (right, left)):
            if high.poly.is_constant and high.poly.constant == 0:
                return low
            twos = 0
            while twos < 128 and high.poly.divided(1 << twos) is not None:
                twos += 1
            if 0 <= low.low and low.high < 1 << (twos - 1):
                return self.word(low.poly + high.poly, low.type)
        return Union([left], [right])

    # Comparisons

    def compare(self, operator, left, right):
        left, right = self.match(left, right)
        context = self.context
        for parts, other, neutral in ((left, right, 0), (right, left, 0)):
            if isinstance(parts, (Union, Meet)) and operator in ("==", "!="):
                neutral = 0 if isinstance(parts, Union) else (1 << BITS[parts.type]) - 1
                if not other.poly.is_constant or other.poly.constant != neutral:
                    raise Failure("a comparison of several words with another number")
                all_equal = ONE
                for part in parts.parts:
                    all_equal = context.product(all_equal, self.equal(
                        context.normal(part.poly.plus(-neutral))))
                return Bit(all_equal if operator == "==" else ONE - all_equal)
        if left.type == "Lane":
            left, right = self.unsigned(left), self.unsigned(right)
        difference = right.poly - left.poly
        if operator in ("<", ">=", ">", "<="):
            if operator in (">", "<="):
                difference = -difference
            less = context.is_not_negative(difference.plus(-1))
            return Bit(less if operator in ("<", ">") else ONE - less)
        equal = self.equal(context.normal(difference))
        return Bit(equal if operator == "==" else ONE - equal, difference, operator == "==")

    def equal(self, difference):
        """Whether a difference is zero: a bit, if it can be only on one side of zero."""
        context = self.context
        low, high = context.interval(difference)
        if low > 0 or high < 0 or low == high == 0:
            return ONE if low == high == 0 else ZERO
        bits = context.by_bits(difference, lambda value: int(value == 0))
        if bits is not None:
            return bits
        if low == 0:
            return ONE - context.is_not_negative(difference.plus(-1))
        if high == 0:
            return ONE - context.is_not_negative((-difference).plus(-1))
        if context.decide(context.is_not_negative(difference.plus(-1))):
            return ZERO
        return ONE - context.is_not_negative((-context.normal(difference)).plus(-1))
