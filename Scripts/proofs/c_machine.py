"""Runs the subset of C on polynomials, with the processors' instructions that the headers use. An
instruction is a method named like it; another kind of product, such as that of doubles below 2^53, is one
more method that says when it is exact."""
from fractions import Fraction

from algebra import Failure, Poly, ZERO, twos
from machine import BITS, RANGES, Bit, Machine, Word
from neon_machine import Neon
from swift_machine import Break, Return, Untranslated

TYPES = {"int64_t": "Int64", "__int128": "Int128", "uint64_t": "UInt64", "uint32_t": "UInt32", "uint8_t": "UInt8", "unsigned __int128": "UInt128",
         "unsigned long long": "UInt64"}
LANES = {"__m128i": 2, "__m256i": 4, "__m512i": 8}


class Pointer:
    """A place in an array."""

    def __init__(self, array, offset=0):
        self.array, self.offset = array, offset

    def moved(self, count):
        return Pointer(self.array, self.offset + count)

    def read(self, index=0):
        place = self.offset + index
        if not 0 <= place < len(self.array):
            raise Failure(f"a word {place} of {len(self.array)} is read")
        return self.array[place]

    def write(self, value, index=0):
        place = self.offset + index
        if not 0 <= place < len(self.array):
            raise Failure(f"a word {place} of {len(self.array)} is written")
        self.array[place] = value


class Signed(list):
    """An array of int64_t."""


class Variable:
    """The address of a variable."""

    def __init__(self, frame, name):
        self.frame, self.name = frame, name

    def read(self, index=0):
        return self.frame[self.name]

    def write(self, value, index=0):
        self.frame[self.name] = value


class Vector:
    """A register: its words, the lowest first."""

    def __init__(self, words):
        self.words = words


def copied(value):
    if isinstance(value, dict):
        return {name: copied(item) for name, item in value.items()}
    if isinstance(value, list):
        return type(value)(map(copied, value))
    return value


class C(Neon):
    def __init__(self, program, context, contracts=None):
        self.program, self.context, self.contracts = program, context, contracts or {}
        self.machine = Machine(context)
        self.line, self.file = 0, ""
        self.called = set()
        self.wide_factors = False
        self.watch = {}
        # What is told of the variables of each call of a function.
        self.after = {}
        # The variables of each function's last call.
        self.frames = {}

    # Functions and statements

    def call(self, name, *arguments):
        if name in self.contracts:
            self.called.add(name)
            return self.contracts[name](self, *arguments)
        function = self.program.functions.get(name)
        if function is None:
            raise Untranslated(f"no function {name}")
        self.called.add(name)
        frame = {}
        for (type, parameter), value in zip(function.parameters, arguments):
            # An array is a pointer to its first element.
            frame[parameter] = Pointer(value) if isinstance(value, list) else copied(
                self.stored(type, value))
        self.frames[name] = frame
        before = self.line, self.file
        self.file = function.file
        value = None
        try:
            self.run(function.body, frame)
        except Return as end:
            value = self.stored(function.result, end.value)
        self.line, self.file = before
        if name in self.after:
            self.after[name](frame)
        return value

    def stored(self, type, value):
        """A value as a variable of a type holds it; a number that is not in its range is a residue."""
        if type == "int64_t" and isinstance(value, int) and value >= 1 << 63:
            value -= 1 << 64
        if type in TYPES:
            return self.converted(value, TYPES[type])
        return value

    def converted(self, value, type):
        if isinstance(value, (Mask, Pointer)):
            return value
        if isinstance(value, Word) and value.type == "Double":
            low, high = RANGES[type]
            if value.low < low or value.high > high or self.twos(value.poly) < 0:
                raise Failure("a double is no integer")
            return Word(value.poly, value.low, value.high, type)
        if isinstance(value, Word) and value.type == "Lane" and type in ("Int64", "Int128"):
            return self.machine.converted(value, type)
        if isinstance(value, Word) and value.type == "Lane" and type == "UInt64":
            word = self.machine.unsigned(value)
            return Word(word.poly, word.low, word.high, "UInt64")
        return self.machine.converted(value, type)

    def run(self, statement, frame):
        kind, self.line = statement[0], statement[1] or self.line
        if kind == "block":
            for part in statement[2]:
                self.run(part, frame)
        elif kind == "return":
            raise Return(None if statement[2] is None else self.value(statement[2], frame))
        elif kind == "if":
            if self.truth(self.value(statement[2], frame)):
                self.run(statement[3], frame)
            elif statement[4]:
                self.run(statement[4], frame)
        elif kind == "for":
            self.run(statement[2], frame)
            while self.truth(self.value(statement[3], frame)):
                self.run(statement[5], frame)
                self.value(statement[4], frame)
        elif kind == "switch":
            value = self.value(statement[2], frame)
            for match, body in statement[3]:
                if match is None or self.value(match, frame) == value:
                    try:
                        for part in body:
                            self.run(part, frame)
                    except Break:
                        pass
                    return
        elif kind == "break":
            raise Break()
        elif kind == "declare":
            for name, count, value in statement[3]:
                self.declare(statement[2], name, count, value, frame)
        elif kind == "expression":
            self.value(statement[2], frame)
        else:
            raise Untranslated(kind)

    def declare(self, type, name, count, value, frame):
        if value is not None:
            made = self.initialized(type, value, frame)
            if isinstance(made, list) and count is None and type not in self.program.structs:
                frame[name] = Pointer(made)
            else:
                frame[name] = made if isinstance(made, list) else copied(self.stored(type, made))
        elif count is not None:
            frame[name] = (Signed if type == "int64_t" else list)([None] * self.value(count, frame))
        else:
            frame[name] = self.empty(type)

    def empty(self, type):
        fields = self.program.structs.get(type)
        if fields is None:
            return None
        return {name: [self.empty(field) for _ in range(count)] if count else self.empty(field)
                for name, field, count in fields}

    def initialized(self, type, value, frame):
        fields = self.program.structs.get(type)
        if value[0] != "init":
            return self.value(value, frame)
        if fields is None:
            return [self.stored(type, self.value(item, frame)) for item in value[1]]
        made = {}
        for (name, field, count), part in zip(fields, value[1]):
            if count:
                made[name] = [self.value(item, frame) for item in part[1]]
            else:
                made[name] = self.stored(field, self.value(part, frame))
        return made

    def truth(self, value):
        if isinstance(value, Bit):
            return self.context.decide(value.poly)
        if isinstance(value, (int, bool)):
            return bool(value)
        raise Untranslated("a condition on a word")

    # Places

    def place(self, node, frame):
        kind = node[0]
        if kind == "name":
            return Variable(frame, node[1])
        if kind == "index":
            base = self.value(node[1], frame)
            index = self.value(node[2], frame)
            if isinstance(base, list):
                base = Pointer(base)
            return base.moved(index)
        if kind == "member":
            return Variable(self.place(node[1], frame).read(), node[2])
        if kind == "unary" and node[1] == "*":
            return self.value(node[2], frame)
        raise Untranslated(f"a place {kind}")

    # Values

    def value(self, node, frame):
        return getattr(self, "value_" + node[0])(node, frame)

    def value_int(self, node, frame):
        return node[1]

    def value_name(self, node, frame):
        if node[1] not in frame:
            raise Untranslated(f"no variable {node[1]}")
        return frame[node[1]]

    def value_comma(self, node, frame):
        self.value(node[1], frame)
        return self.value(node[2], frame)

    def value_assign(self, node, frame):
        _, operator, target, value = node
        place = self.place(target, frame)
        value = self.value(value, frame)
        old = self.scalar(place)
        if operator != "=":
            value = self.operate(operator[:-1], old, value)
        if isinstance(value, int) and isinstance(place, Pointer) and isinstance(place.array, Signed):
            value = self.machine.constant(value, "Int64")
        if isinstance(old, Word) and not isinstance(value, (Vector, Mask)):
            value = self.converted(value, old.type)
        place.write(copied(value))
        return value

    def value_step(self, node, frame):
        place = self.place(node[2], frame)
        old = place.read()
        place.write(self.operate("+" if node[1] == "++" else "-", old, 1))
        return old

    def value_ternary(self, node, frame):
        condition = self.value(node[1], frame)
        if isinstance(condition, Bit) and len(condition.poly.atoms()) == 1:
            then, other = self.value(node[2], frame), self.value(node[3], frame)
            if isinstance(then, Word) and isinstance(other, Word):
                merged = self.merged(condition.poly, then, other)
                if merged is not None:
                    return merged
        return self.value(node[2] if self.truth(condition) else node[3], frame)

    def merged(self, bit, then, other):
        """One of two words, without two paths, if they differ by a number where each is chosen."""
        context = self.context
        (atom,) = bit.atoms()
        is_straight = bit.terms.get((atom,)) == 1
        polys, low, high = [], [], []
        for word, value in ((then, 1), (other, 0)):
            setting = {atom: Poly({(): value if is_straight else 1 - value})}
            poly = context.expanded(word.poly, setting, 0)
            a, b = context.interval(poly)
            a, b = context.bounds_if(bit, value, poly, max(a, -(1 << 64)), b)
            polys.append(poly)
            low.append(a)
            high.append(b)
        step = polys[0] - polys[1]
        if not step.is_constant:
            return None
        return self.machine.word(polys[1] + bit.scaled(step.constant), then.type, min(low), max(high))

    def value_compound(self, node, frame):
        return self.initialized(node[1], node[2], frame)

    def value_cast(self, node, frame):
        value = self.value(node[2], frame)
        if node[1] in TYPES and not (isinstance(value, int) and node[1] == "int64_t"):
            return self.converted(value, TYPES[node[1]])
        if node[1] == "double" and isinstance(value, Word):
            return self.rounded(value.poly, value.low, value.high)
        if node[1] == "__mmask8" and isinstance(value, Mask):
            return value
        return value

    def value_index(self, node, frame):
        return self.scalar(self.place(node, frame))

    def scalar(self, place):
        """What is read from a place; from an array of int64_t it has a sign."""
        value = place.read()
        if isinstance(place, Pointer) and isinstance(place.array, Signed) and value is not None \
                and value.type == "Lane":
            return self.converted(value, "Int64")
        return value

    def value_member(self, node, frame):
        return self.value(node[1], frame)[node[2]]

    def value_unary(self, node, frame):
        operator = node[1]
        if operator == "&":
            return self.place(node[2], frame)
        if operator == "*":
            return self.value(node[2], frame).read()
        if operator in ("++", "--"):
            self.value_step(("step", operator, node[2]), frame)
            return self.place(node[2], frame).read()
        value = self.value(node[2], frame)
        if isinstance(value, int):
            return {"-": -value, "!": int(not value), "~": ~value}[operator]
        raise Untranslated(f"{operator} of a word")

    def value_binary(self, node, frame):
        left = self.value(node[2], frame)
        if node[1] == "&&" and not self.truth(left):
            return 0
        if node[1] == "||" and self.truth(left):
            return 1
        right = self.value(node[3], frame)
        self.line = node[4] or self.line
        return self.operate(node[1], left, right)

    def operate(self, operator, left, right):
        if isinstance(left, list):
            left = Pointer(left)
        if isinstance(left, Pointer) and isinstance(right, Pointer) and operator == "==":
            return int(left.array is right.array and left.offset == right.offset)
        if isinstance(left, Pointer) and operator in "+-":
            return left.moved(right if operator == "+" else -right)
        if isinstance(left, Mask) or isinstance(right, Mask):
            return Mask.operate(operator, left, right)
        if isinstance(left, int) and isinstance(right, int):
            return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                    "/": lambda: left // right, "%": lambda: left % right, "&": lambda: left & right,
                    "|": lambda: left | right, "^": lambda: left ^ right, "<<": lambda: left << right,
                    ">>": lambda: left >> right, "<": lambda: int(left < right),
                    ">": lambda: int(left > right), "<=": lambda: int(left <= right),
                    ">=": lambda: int(left >= right), "==": lambda: int(left == right),
                    "!=": lambda: int(left != right), "&&": lambda: int(bool(left and right)),
                    "||": lambda: int(bool(left or right))}[operator]()
        machine = self.machine
        if Fraction in (type(left), type(right)):
            return {"*": lambda: whole(left * right), "+": lambda: left + right,
                    "-": lambda: left - right}[operator]()
        if not isinstance(left, (Word, int)) or not isinstance(right, (Word, int)):
            raise Untranslated(f"{operator} of {type(left).__name__} and {type(right).__name__}")
        if operator in ("<<", ">>"):
            if not isinstance(right, int):
                raise Untranslated("a shift by a word")
            return machine.shifted_left(left, right) if operator == "<<" else machine.shifted_right(left, right)
        if isinstance(left, Word) and isinstance(right, Word) and left.type != right.type:
            wider = max(left.type, right.type, key=lambda name: BITS[name])
            left, right = self.converted(left, wider), self.converted(right, wider)
        if operator in ("<", ">", "<=", ">=", "==", "!="):
            return machine.compare(operator, left, right)
        table = {"+": machine.sum, "-": machine.difference, "*": machine.product,
                 "&": machine.conjunction, "|": machine.disjunction}
        return table[operator](left, right)

    def value_call(self, node, frame):
        _, callee, given, line = node
        name = callee[1]
        arguments = [self.value(argument, frame) for argument in given]
        self.line = line or self.line
        instruction = getattr(self, "do" + name, None) or getattr(self, "do_" + name, None)
        if instruction and name not in self.program.functions:
            return instruction(*arguments)
        return self.call(name, *arguments)

    # Builtins of words

    def do__builtin_addcll(self, x, y, carry, out):
        total = x.poly + y.poly + carry.poly
        quotient = self.context.floor(total, 64, (0, x.high + y.high + carry.high))
        out.write(self.machine.word(quotient, "UInt64", 0, x.high + y.high + carry.high >> 64))
        return self.machine.word(total - quotient.scaled(1 << 64), "UInt64", 0, (1 << 64) - 1)

    def do__builtin_subcll(self, x, y, carry, out):
        total = x.poly - y.poly - carry.poly
        quotient = self.context.floor(total, 64, (x.low - y.high - carry.high, x.high))
        out.write(self.machine.word(-quotient, "UInt64", 0, -(x.low - y.high - carry.high >> 64)))
        return self.machine.word(total - quotient.scaled(1 << 64), "UInt64", 0, (1 << 64) - 1)

    # Instructions

    def lane(self, number):
        if isinstance(number, int):
            number = number - (1 << 64) if number >= 1 << 64 else number
            return Word(Poly({(): number}), number, number, "Lane")
        return Word(number.poly, number.low, number.high, "Lane")

    def vector(self, words):
        return Vector(words)

    def pointer(self, words):
        return words if isinstance(words, Pointer) else Pointer(words)

    def each(self, function, *vectors):
        return Vector([function(*words) for words in zip(*(v.words for v in vectors))])

    def load(self, pointer, count):
        return Vector([self.lane(pointer.read(i)) for i in range(count)])

    def store(self, pointer, vector):
        for index, word in enumerate(vector.words):
            if isinstance(pointer.array, Signed):
                pointer.write(Word(word.poly, word.low, word.high, "Lane"), index)
                continue
            word = self.machine.unsigned(word)
            pointer.write(Word(word.poly, word.low, word.high, "UInt64"), index)

    def madd52(self, total, x, y, upper):
        machine, context = self.machine, self.context
        factors = []
        for factor in (x, y):
            if factor.low < 0 or factor.high >> 52:
                if not context.within(factor.poly, 0, (1 << 52) - 1):
                    if not self.wide_factors:
                        raise Failure(f"a factor of 52 bits may have more: {context.describe(factor.poly)}")
                    factor = machine.and_constant(factor, (1 << 52) - 1)
                else:
                    factor = Word(factor.poly, max(0, factor.low), min((1 << 52) - 1, factor.high), "Lane")
            factors.append(factor)
        x, y = factors
        product = context.product(x.poly, y.poly)
        high = context.floor(product, 52, (0, x.high * y.high))
        if upper:
            part = machine.word(high, "Lane", 0, x.high * y.high >> 52)
        else:
            part = machine.word(product - high.scaled(1 << 52), "Lane", 0,
                                min((1 << 52) - 1, x.high * y.high))
        return machine.sum(total, part)

    def choose(self, lanes, x, y):
        if isinstance(lanes, Mask):
            raise Untranslated("a choice by unknown lanes")
        return Vector([b if lanes >> i & 1 else a for i, (a, b) in enumerate(zip(x.words, y.words))])

    def do_mm_loadu_si128(self, pointer):
        return self.load(pointer, 2)

    def do_mm256_loadu_si256(self, pointer):
        return self.load(pointer, 4)

    def do_mm512_loadu_si512(self, pointer):
        return self.load(pointer, 8)

    def do_mm256_storeu_si256(self, pointer, vector):
        self.store(pointer, vector)

    def do_mm512_storeu_si512(self, pointer, vector):
        self.store(pointer, vector)

    def do_mm256_setzero_si256(self):
        return Vector([self.lane(0)] * 4)

    def do_mm512_setzero_si512(self):
        return Vector([self.lane(0)] * 8)

    def do_mm256_set1_epi64x(self, number):
        return Vector([self.lane(number)] * 4)

    def do_mm512_set1_epi64(self, number):
        return Vector([self.lane(number)] * 8)

    def do_mm256_set_epi64x(self, d, c, b, a):
        return Vector([self.lane(number) for number in (a, b, c, d)])

    def do_mm256_castsi128_si256(self, vector):
        # The upper half is undefined: any words, of which nothing may depend.
        return Vector(vector.words + [self.undefined() for _ in range(2)])

    def undefined(self):
        return Word(self.context.atom("undefined", 0, (1 << 52) - 1), 0, (1 << 52) - 1, "Lane")

    def do_mm512_castsi512_si128(self, vector):
        return Vector(vector.words[:2])

    def do_mm512_broadcastq_epi64(self, vector):
        return Vector([vector.words[0]] * 8)

    def do_mm256_add_epi64(self, x, y):
        return self.each(lambda a, b: self.centered(a.poly + b.poly, a.low + b.low, a.high + b.high), x, y)

    def do_mm512_add_epi64(self, x, y):
        return self.each(self.machine.sum, x, y)

    def do_mm256_sub_epi64(self, x, y):
        return self.each(lambda a, b: self.centered(a.poly - b.poly, a.low - b.high, a.high - b.low), x, y)

    def centered(self, poly, low, high):
        """A sum as a lane: a residue modulo 2^64, so a multiple of that may be dropped from its constant."""
        if low < -(1 << 63) or high >= 1 << 64:
            excess = (low + high + (1 << 64)) >> 65 << 64
            if low - excess >= -(1 << 63) and high - excess < 1 << 64:
                poly, low, high = poly.plus(-excess), low - excess, high - excess
        return self.machine.word(poly, "Lane", low, high)

    def do_mm256_and_si256(self, x, y):
        return self.each(self.machine.conjunction, x, y)

    do_mm512_and_epi64 = do_mm256_and_si256

    def do_mm256_or_si256(self, x, y):
        return self.each(self.machine.disjunction, x, y)

    def do_mm256_slli_epi64(self, x, count):
        return self.each(lambda word: self.machine.shifted_left(word, count), x)

    def do_mm256_srli_epi64(self, x, count):
        return self.each(lambda word: self.machine.shifted_right(self.machine.unsigned(word), count), x)

    do_mm512_srli_epi64 = do_mm256_srli_epi64

    def do_mm256_srai_epi64(self, x, count):
        def shifted(word):
            if word.high >= 1 << 63:
                raise Failure("an arithmetic shift of a number of 64 bits")
            poly = self.context.floor(word.poly, count, (word.low, word.high))
            return self.machine.word(poly, "Lane", word.low >> count, word.high >> count)
        return self.each(shifted, x)

    def do_mm256_madd52lo_epu64(self, total, x, y):
        return self.each(lambda t, a, b: self.madd52(t, a, b, False), total, x, y)

    def do_mm256_madd52hi_epu64(self, total, x, y):
        return self.each(lambda t, a, b: self.madd52(t, a, b, True), total, x, y)

    do_mm512_madd52lo_epu64 = do_mm256_madd52lo_epu64
    do_mm512_madd52hi_epu64 = do_mm256_madd52hi_epu64

    def do_mm256_mask_blend_epi64(self, lanes, x, y):
        return self.choose(lanes, x, y)

    def do_mm256_permute4x64_epi64(self, x, order):
        return Vector([x.words[order >> (2 * i) & 3] for i in range(4)])

    def do_mm256_unpacklo_epi64(self, x, y):
        return Vector([x.words[0], y.words[0], x.words[2], y.words[2]])

    def do_mm256_unpackhi_epi64(self, x, y):
        return Vector([x.words[1], y.words[1], x.words[3], y.words[3]])

    def do_mm256_permute2x128_si256(self, x, y, order):
        both = x.words + y.words
        words = []
        for half in range(2):
            place = order >> (4 * half) & 15
            if place & 8:
                words += [self.lane(0)] * 2
            else:
                words += both[2 * (place & 3):2 * (place & 3) + 2]
        return Vector(words)

    def do_mm256_broadcastsi128_si256(self, x):
        return Vector(x.words + x.words)

    def do_mm256_shuffle_epi32(self, x, order):
        if order != 0x4e:
            raise Untranslated("another order of parts of 32 bits")
        return Vector([x.words[i ^ 1] for i in range(4)])

    def do_mm256_blend_epi32(self, x, y, parts):
        if any(parts >> (2 * i) & 3 not in (0, 3) for i in range(4)):
            raise Untranslated("a choice of parts of 32 bits")
        return Vector([b if parts >> (2 * i) & 1 else a for i, (a, b) in enumerate(zip(x.words, y.words))])

    # Doubles. A word of this type is a number whose last place is known to suffice, or a number that was
    # rounded: then it is a multiple of its last place that differs from the exact one by at most half of
    # that. Nothing is assumed of a number in the middle.

    def twos(self, poly):
        """How often two divides the polynomial; negative for fractions."""
        return min((twos(abs(c.numerator)) - twos(c.denominator)
                    for c in map(Fraction, poly.terms.values())), default=0)

    def rounded(self, poly, low, high):
        poly = self.context.normal(poly)
        a, b = self.context.interval(poly)
        low, high = max(low, a), min(high, b)
        place = self.twos(poly)
        if max(abs(low), abs(high)) <= Fraction(2)**(53 + place):
            return Word(poly, low, high, "Double")
        exponent = self.exponent(low, high)
        last = exponent - 52
        scale = max(0, -place)
        whole = poly.scaled(1 << scale) if scale else poly
        unit = 1 << (last + scale)
        quotient = self.context.atom(f"d{len(self.context.names)}", int(low * 2**scale) // unit,
                                     -(-int(high * 2**scale) // unit))
        self.context.remember(whole - quotient.scaled(unit), -(unit >> 1), unit >> 1)
        half = 1 << last >> 1
        return Word(quotient.scaled(1 << last), low - half, high + half, "Double")

    def exponent(self, low, high):
        """That of numbers that all have the same."""
        if low <= 0:
            raise Failure("a double may have any exponent")
        exponent = int(low).bit_length() - 1
        if high > 1 << exponent + 1:
            raise Failure(f"a double may be above 2^{exponent + 1}")
        return exponent

    def double(self, number):
        if isinstance(number, Word):
            return number if number.type == "Double" else self.rounded(number.poly, number.low, number.high)
        return Word(Poly({(): number}), number, number, "Double")

    def do_mm256_set1_pd(self, number):
        return Vector([self.double(number)] * 4)

    def do_mm256_setzero_pd(self):
        return self.do_mm256_set1_pd(0)

    def do_mm256_loadu_pd(self, pointer):
        return Vector([self.double(pointer.read(i)) for i in range(4)])

    def do_mm256_broadcast_pd(self, pointer):
        return Vector([self.double(pointer.read(i)) for i in range(2)] * 2)

    def do_mm256_storeu_pd(self, pointer, vector):
        for index, word in enumerate(vector.words):
            pointer.write(word, index)

    def do_mm256_add_pd(self, x, y):
        return self.each(lambda a, b: self.rounded(a.poly + b.poly, a.low + b.low, a.high + b.high), x, y)

    def do_mm256_sub_pd(self, x, y):
        return self.each(lambda a, b: self.rounded(a.poly - b.poly, a.low - b.high, a.high - b.low), x, y)

    def do_mm256_fmadd_pd(self, x, y, z):
        def one(a, b, c):
            ends = [u * v for u in (a.low, a.high) for v in (b.low, b.high)]
            return self.rounded(self.context.product(a.poly, b.poly) + c.poly,
                                min(ends) + c.low, max(ends) + c.high)
        return self.each(one, x, y, z)

    def do_mm256_xor_pd(self, x, signs):
        words = []
        for word, sign in zip(x.words, signs.words):
            if isinstance(sign, Sign):
                word = Word(-word.poly, -word.high, -word.low, "Double")
            elif not (sign.poly.is_constant and sign.poly.constant == 0):
                raise Untranslated("bits of a double")
            words.append(word)
        return Vector(words)

    def do_mm256_castpd_si256(self, x):
        def bits(word):
            exponent = self.exponent(word.low, word.high)
            last = exponent - 52
            if self.twos(word.poly) < last or word.high >= 1 << exponent + 1:
                raise Failure("the bits of a double are not known")
            start = (1075 + last << 52) - (1 << 52)
            scaled = word.poly.divided(1 << last)
            low, high = -(-word.low // (1 << last)), word.high // (1 << last)
            return self.machine.word(scaled.plus(start), "Lane", int(low) + start, int(high) + start)
        return self.each(bits, x)

    def do_mm256_castsi256_pd(self, x):
        def number(word):
            if word.poly.is_constant and word.poly.constant % (1 << 64) in (0, 1 << 63):
                return Sign() if word.poly.constant else self.double(0)
            low, high = word.low, word.high
            exponent = low >> 52
            if exponent < 1075 or high >> 52 != exponent:
                raise Failure(f"bits from {low:#x} to {high:#x} are of several exponents")
            unit, start = 1 << exponent - 1075, (exponent << 52) - (1 << 52)
            poly = word.poly.plus(-start).scaled(unit)
            return Word(poly, (low - start) * unit, (high - start) * unit, "Double")
        return self.each(number, x)

    def do_mm256_blend_pd(self, x, y, lanes):
        return self.choose(lanes, x, y)

    def do_mm256_permute4x64_pd(self, x, order):
        return self.do_mm256_permute4x64_epi64(x, order)

    def do_mm256_permute_pd(self, x, order):
        return Vector([x.words[(i & 2) + (order >> i & 1)] for i in range(4)])

    def do_mm256_permute2f128_pd(self, x, y, order):
        return self.do_mm256_permute2x128_si256(x, y, order)

    def do_mm512_alignr_epi64(self, upper, lower, count):
        return Vector((lower.words + upper.words)[count:count + 8])

    def do_mm512_maskz_srli_epi64(self, lanes, x, count):
        shifted = self.do_mm512_srli_epi64(Vector([w for i, w in enumerate(x.words) if lanes >> i & 1]), count)
        words = iter(shifted.words)
        return Vector([next(words) if lanes >> i & 1 else self.lane(0) for i in range(8)])

    def do_mm512_cmpgt_epu64_mask(self, x, y):
        return Mask([self.machine.compare(">", a, b).poly for a, b in zip(x.words, y.words)], "over")

    def do_mm512_cmpeq_epu64_mask(self, x, y):
        return Mask([self.equal(a, b) for a, b in zip(x.words, y.words)], "full")

    def equal(self, a, b):
        """a == b as a >= b and not a > b, for words of which the first may be more."""
        machine = self.machine
        return machine.compare(">=", a, b).poly - machine.compare(">", a, b).poly

    def do_mm512_mask_add_epi64(self, other, lanes, x, y):
        if not isinstance(lanes, Mask) or other is not x and other.words != x.words:
            raise Untranslated("a sum in some lanes")
        words = []
        for index, (word, addend) in enumerate(zip(x.words, y.words)):
            if addend.poly.constant != 1 or not addend.poly.is_constant:
                raise Untranslated("a sum in some lanes with another number than 1")
            words.append(self.machine.sum(word, Word(lanes.bit(self, index), 0, 1, "Lane")))
        return Vector(words)


class Sign:
    """The bits of -0.0."""


def whole(number):
    return int(number) if number.denominator == 1 else number


class Mask:
    """A number of bits, each a truth value of its own, or made of such numbers."""

    solver = None

    def __init__(self, bits, name=None, offset=0):
        self.bits, self.offset = bits, offset

    def bit(self, machine, index):
        place = index + self.offset
        if isinstance(self.bits, list):
            return self.bits[place] if place < len(self.bits) else ZERO
        return machine.watch["bit"](self, place)

    @staticmethod
    def operate(operator, left, right):
        if operator == "<<" and isinstance(left.bits, list):
            return Mask([ZERO] * right + left.bits)
        if operator == ">>":
            return Mask(left.bits, offset=left.offset + right)
        if operator == "|" and isinstance(left, Word) and left.high == 0:
            return right
        if operator == "|":
            count = max(len(left.bits), len(right.bits))
            result = []
            for i in range(count):
                a = left.bits[i] if i < len(left.bits) else ZERO
                b = right.bits[i] if i < len(right.bits) else ZERO
                if a.terms and b.terms:
                    raise Untranslated("a disjunction of masks with common bits")
                result.append(a + b)
            return Mask(result)
        # Sums and exclusive disjunctions are left to bit vectors.
        return Mask((operator, left, right))
