"""The steps of curves in four lanes: what is claimed of a header that has a product of four numbers in limbs of
48 bits, as 52-bit words and as doubles. The steps are proved for both kinds from what their products are
proved to do."""
from c_machine import Pointer, Vector
from claims import claim, number
from machine import Word

BITS = 48
# A limb of a product, and of an addend.
WORD, UNIT, ADDEND = 2**48 + 2**15 - 1, 2**47 + 2**31, 2**48 - 1
KINDS = ("ifma", "doubles")


class Curve:
    """A header and its field. A product is that of the numbers divided by `radix`. `last` is what the last
    limb of a product has at most, for each kind; `more` and `last_more` what a difference of words
    adds for each multiple that it takes."""

    def __init__(self, name, modulus, count, radix, last, more, last_more, kinds=KINDS):
        self.name, self.modulus, self.count, self.radix = name, modulus, count, radix
        self.inverse = pow(radix, -1, modulus)
        self.last, self.more, self.last_more = last, more, last_more
        self.kinds = kinds
        self.group = f"holdfast_{name}.h"

    def title(self, kind, function):
        return f"holdfast_{self.name}_{kind}_{function}"

    def limbs(self, lower, last):
        """Bounds for each limb."""
        return [lower] * (self.count - 1) + [last]

    def product(self, kind):
        if kind == "ifma":
            return self.limbs((0, WORD), (0, self.last[0]))
        return self.limbs((-UNIT, UNIT), (-self.last[1], self.last[1]))

    def stored(self, kind):
        """X, Y, ZZ and ZZZ: the former two have four and two multiples of p more, or units."""
        if kind == "ifma":
            return [[(low, high + times * (self.last_more if i == self.count - 1 else self.more))
                     for i, (low, high) in enumerate(self.product(kind))] for times in (4, 2, 0, 0)]
        return [[(times * low, times * high) for low, high in self.product(kind)] for times in (4, 2, 1, 1)]

    def factors(self, kind):
        """The factors of a product."""
        if kind == "ifma":
            both = self.limbs((0, 2**52 - 1), (0, 16 * self.last_more - 1 if self.radix > 1 else 2**52 - 1))
            return both, both
        return tuple([(units * low, units * high) for low, high in self.product(kind)] for units in (5, 6))

    def addend(self):
        return self.limbs(ADDEND, ADDEND if self.radix == 1 else 2**16 - 1)


def all_lanes(p, four):
    return [p.lane(four, lane, BITS) for lane in range(4)]


def congruent_lanes(p, curve, found, expected, radix=1):
    for lane in range(4):
        p.congruent(p.lane(found, lane, BITS).scaled(radix), expected[lane], curve.modulus,
                    f"lane {lane} is not congruent")


def words_of(four):
    return four if isinstance(four, list) else [w for limb in four["limb"] for w in limb.words]


def are_within(p, four, bounds, why):
    """`bounds` has those of each limb, or those of each lane's limbs."""
    lanes = bounds if isinstance(bounds[0], list) else [bounds] * 4
    for index, word in enumerate(words_of(four)):
        p.inside(word, *lanes[index % 4][index // 4], why)


def named_words(p, kind, name, bounds):
    return [Word(p.fresh(f"{name}{i}", low, high), low, high, "Double" if kind == "doubles" else "Lane")
            for i, (low, high) in enumerate(bounds)]


def inputs(p, kind, name, bounds):
    lanes = bounds if isinstance(bounds[0], list) else [bounds] * 4
    words = [named_words(p, kind, f"{name}{lane}.", lanes[lane]) for lane in range(4)]
    return {"limb": [Vector(list(limb)) for limb in zip(*words)]}


def steps(curve, kind):
    """What a product does, for the proofs of what calls it."""
    def output(p, poly):
        words = named_words(p, kind, "o", curve.product(kind))
        rest = p.value(words, BITS) - words[0].poly
        p.context.define(words[0].poly, poly + p.fresh("k", -1 << 1200, 1 << 1200).scaled(curve.modulus) - rest)
        return words

    def product(p, x, y):
        for factor, bounds in zip((x, y), curve.factors(kind)):
            are_within(p, factor, bounds, "that a limb of a factor is in its bounds")
        lanes = [output(p, times(p, curve, a, b)) for a, b in zip(all_lanes(p, x), all_lanes(p, y))]
        return {"limb": [Vector(list(limb)) for limb in zip(*lanes)]}
    return {curve.title(kind, "product"): product}


def times(p, curve, left, right):
    return p.times(left, right).scaled(curve.inverse)


def check_product(p, curve, kind):
    """Limbs of a product in their bounds, of factors in theirs."""
    x, y = (inputs(p, kind, name, bounds) for name, bounds in zip("xy", curve.factors(kind)))
    result = p.call(x, y)
    congruent_lanes(p, curve, result, [p.times(a, b) for a, b in zip(all_lanes(p, x), all_lanes(p, y))],
                    curve.radix)
    are_within(p, result, curve.product(kind), "that limbs of a product are in their bounds")


def check_double(p, curve, kind):
    """U = 2Y, V = U^2, W = U V, S = X V, L = 3 (X - ZZ) (X + ZZ); "dbl-2008-s-1" with a = -3."""
    words, numbers = point(p, curve, kind)
    p.call(Pointer(words))
    x, y, zz, zzz = (p.context.resolved(n) for n in numbers)
    u = y.scaled(2)
    v = times(p, curve, u, u)
    w, s = times(p, curve, u, v), times(p, curve, x, v)
    slope = times(p, curve, x - zz, x + zz).scaled(3)
    new_x = times(p, curve, slope, slope) - s.scaled(2)
    new_y = times(p, curve, slope, s - new_x) - times(p, curve, w, y)
    check_step(p, curve, kind, words, [new_x, new_y, times(p, curve, v, zz), times(p, curve, w, zzz)])


def check_add(p, curve, kind, subtracts):
    """"madd-2008-s": P = x ZZ - X, R = y ZZZ - Y, Q = X P^2; a subtraction has -y for y."""
    words, numbers = point(p, curve, kind)
    given, (ax, ay) = addend(p, curve, kind)
    p.call(Pointer(words), Pointer(given), subtracts)
    x, y, zz, zzz = (p.context.resolved(n) for n in numbers)
    ay = -ay if subtracts else ay
    d, r = times(p, curve, ax, zz) - x, times(p, curve, ay, zzz) - y
    dd = times(p, curve, d, d)
    ddd, q = times(p, curve, d, dd), times(p, curve, x, dd)
    new_x = times(p, curve, r, r) - ddd - q.scaled(2)
    new_y = times(p, curve, r, q - new_x) - times(p, curve, y, ddd)
    check_step(p, curve, kind, words, [new_x, new_y, times(p, curve, zz, dd), times(p, curve, zzz, ddd)])


def check_begin(p, curve, kind, subtracts):
    given, (ax, ay) = addend(p, curve, kind)
    words = [p.constant(0)] * (4 * curve.count)
    p.call(Pointer(words), Pointer(given), subtracts)
    one = number(curve.radix)
    check_step(p, curve, kind, words, [ax, -ay if subtracts else ay, one, one])


def declare_steps(curve, check=check_product):
    """The claims that all curves have."""
    for kind in curve.kinds:
        def product(p, kind=kind):
            check(p, curve, kind)
        claim(curve.group, curve.title(kind, "product()"))(product)

        def double(p, kind=kind):
            check_double(p, curve, kind)
        claim(curve.group, curve.title(kind, "double()"), contracts=steps(curve, kind))(double)

        for subtracts in (0, 1):
            part = "subtracts" if subtracts else "adds"

            def add(p, kind=kind, subtracts=subtracts):
                check_add(p, curve, kind, subtracts)
            claim(curve.group, curve.title(kind, "add()"), contracts=steps(curve, kind), part=part)(add)

            def begin(p, kind=kind, subtracts=subtracts):
                check_begin(p, curve, kind, subtracts)
            claim(curve.group, curve.title(kind, "begin()"), contracts=steps(curve, kind), part=part)(begin)


def point(p, curve, kind):
    """The words of X, Y, ZZ, ZZZ, and the four numbers."""
    four = p.named("P", inputs(p, kind, "p", curve.stored(kind)), BITS)
    words = words_of(four)
    for word in words:
        word.type = "Double" if kind == "doubles" else "UInt64"
    return words, all_lanes(p, four)


def check_step(p, curve, kind, words, expected):
    congruent_lanes(p, curve, words, expected)
    are_within(p, words, curve.stored(kind), "that a step leaves limbs as it takes them")


def addend(p, curve, kind):
    """Words of x and y in turns, limbs of 48 bits, and the two numbers."""
    names = []
    words = p.words("a", 2 * curve.count, [high for high in curve.addend() for _ in "xy"])
    if kind == "doubles":
        for word in words:
            word.type = "Double"
    for place, name in enumerate("xy"):
        total = p.value(words[place::2], BITS)
        first = words[place].poly
        whole = p.fresh(name, 0, 1 << 400)
        p.context.define(first, whole - total + first)
        names.append(p.context.resolved(p.value(words[place::2], BITS)))
    return words, names
