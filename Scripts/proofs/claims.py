"""What a claim about a function is written with."""
from math import gcd

from algebra import Failure, Poly, ZERO
from machine import Word
from c_machine import C, Vector
from swift_machine import Scope, Struct, Swift

CLAIMS = []


class Claim:
    def __init__(self, group, title, check, options):
        self.group, self.title, self.check, self.options = group, title, check, options


def claim(group, title, **options):
    """Declares that `check` proves something about the function of this title."""
    def declare(check):
        CLAIMS.append(Claim(group, title, check, options))
        return check
    return declare


def number(value):
    return Poly({(): value})


class Proof:
    """One path through one claim."""

    def __init__(self, program, context, contracts, natives, title):
        self.context = context
        self.swift = Swift(program, context, contracts, natives)
        self.machine, self.program, self.title = self.swift.machine, program, title

    @classmethod
    def on(cls, swift, this=None):
        """The same, within a function that is running."""
        proof = cls.__new__(cls)
        proof.this = this
        proof.context, proof.swift, proof.machine = swift.context, swift, swift.machine
        proof.program, proof.title = swift.program, ""
        return proof

    # Inputs

    def word(self, name, high=None, type="UInt64", low=0):
        return self.machine.input(name, type, high, low)

    def words(self, name, count, high=None, type="UInt64"):
        return [self.word(f"{name}{i}", high[i] if isinstance(high, list) else high, type)
                for i in range(count)]

    def constant(self, value, type="UInt64"):
        return self.machine.constant(value, type)

    def element(self, name, type, count, high=None):
        """A struct with the fields l0, l1, …"""
        words = self.words(name, count, high)
        return Struct(type, {f"l{i}": word for i, word in enumerate(words)})

    def fresh(self, name, low, high):
        return self.context.atom(name, low, high)

    # Running

    def function(self, title, choose=None):
        """The function of a title; `choose` is its place among overloads."""
        found = [f for f in self.program.all() if f.title == title]
        if len(found) != 1 and choose is None:
            raise Failure(f"{len(found)} functions are called {title}")
        return found[choose or 0]

    def call(self, *arguments, this=None, title=None, generics=None, choose=None):
        function = self.function(title or self.title, choose)
        given = []
        for argument in arguments:
            if isinstance(argument, Cell):
                given.append((None, argument.value, argument.set))
            else:
                given.append((None, argument, None))
        return self.swift.call(function, given, this, generics)

    def loop(self, kind, this=None, generics=None, **names):
        """Runs the body of a function's first loop of a kind once, with variables of the given values;
        returns the variables after."""
        function = self.function(self.title)
        statements = [s for s in function.statements() if s[0] == kind]
        owner = self.swift.owner(function.owner) if function.owner else None
        scope = Scope(this=this, owner=owner, result=function.result, generics=generics)
        scope.names.update(names)
        inner = Scope(scope)
        self.swift.file = function.file
        self.swift.run(statements[0][-1], inner)
        return {**scope.names, **inner.names}

    def rounds(self, **names):
        """How often a function's first loop runs, if that is a number."""
        function = self.function(self.title)
        loop = next(s for s in function.statements() if s[0] == "for")
        scope = Scope(owner=self.swift.owner(function.owner))
        scope.names.update(names)
        return len(self.swift.evaluate(loop[3], scope, None))

    # Values

    def value(self, of, bits=64):
        """The number whose limbs are the fields of a struct, or the elements of an array."""
        words = list(of.fields.values()) if isinstance(of, Struct) else of
        if len(words) == 1 and isinstance(words[0], list):
            words = words[0]
        total = ZERO
        for index, word in enumerate(words):
            total = total + word.poly.scaled(1 << (bits * index))
        return self.context.normal(total)

    def product_fact(self, left, right):
        """Notes that the product of two numbers that are not negative is not, nor above that of their
        bounds."""
        (a, b), (c, d) = self.context.interval(left), self.context.interval(right)
        if a < 0 or c < 0:
            self.fail("a factor may be negative")
        product = self.times(left, right)
        self.context.require(product)
        self.context.require((-product).plus(b * d))

    def times(self, left, right):
        return self.context.product(self.context.normal(left), self.context.normal(right))

    # Claims

    def fail(self, why, poly=None):
        choices = "".join("+" if taken else "-" for taken in self.context.taken)
        detail = f": {self.context.describe(poly)}" if poly is not None else ""
        raise Failure(f"{why}{detail}" + (f" (path {choices})" if choices else ""))

    def equal(self, left, right, why="the result is another number"):
        self.congruent(left, right, 0, why)

    def congruent(self, left, right, modulus, why="the result is not congruent"):
        """Equal modulo a number, or equal: each coefficient is zero. What dropped carries leave is a
        multiple of one linear form, which is then shown to be zero."""
        difference = self.context.resolved(left - right, modulus)
        rest = difference
        if modulus:
            rest = Poly({m: c % modulus for m, c in difference.terms.items()})
        if not rest.terms:
            return
        form = self.form(rest, modulus)
        if form is None or not (
                self.context.within(form, 0, 0) or self.context.within(form, 0, 0, whole=True)):
            self.fail(why, form or rest)

    def form(self, rest, modulus):
        """A polynomial with small coefficients, of which `rest` is a multiple."""
        if not modulus:
            divisor = gcd(*rest.terms.values())
            return rest.divided(divisor)
        names = [m for m in rest.terms if m]
        if not names or gcd(rest.terms[names[0]], modulus) != 1:
            divisor = gcd(*rest.terms.values())
            return Poly({m: c // divisor for m, c in rest.terms.items()}) if names else None
        inverse = pow(rest.terms[names[0]], -1, modulus)
        terms = {}
        for monomial, c in rest.terms.items():
            ratio = c * inverse % modulus
            terms[monomial] = ratio - modulus if ratio > modulus // 2 else ratio
        return Poly(terms)

    def below(self, value, bound, why):
        self.at_most(value, bound - 1, why)

    def at_most(self, value, bound, why):
        poly = value.poly if isinstance(value, Word) else value
        if isinstance(value, Word) and value.high <= bound:
            return
        if not (self.context.within(poly, 0, bound) or self.context.within(poly, 0, bound, whole=True)):
            self.fail(f"{why} is not shown", self.context.normal(poly))

    def inside(self, word, least, most, why):
        """That a word is between two numbers, by its bounds, or as a polynomial."""
        if word.low < least:
            self.at_least(word.poly, least, why)
        if word.high > most:
            self.at_least(-word.poly, -most, why)

    def at_least(self, poly, least, why):
        if not (self.context.at_least(poly, least) or self.context.at_least(poly, least, whole=True)):
            self.fail(f"{why} is not shown", self.context.normal(poly))


    def not_equal_any(self, limbs, numbers):
        """That a number is none of some: assuming it is one contradicts what the path knows."""
        words = list(limbs.fields.values())
        for value in numbers:
            trial = [(word.poly - number(value >> (64 * i) & (1 << 64) - 1)) for i, word in enumerate(words)]
            if self.context.solver.is_possible(self.context, trial):
                self.fail(f"the number may be {value:#x}")


class CProof(Proof):
    """The same for a function of a header: `call` takes vectors, pointers and words."""

    def __init__(self, program, context, contracts, natives, title):
        self.context, self.title, self.program = context, title, program
        self.c = C(program, context, contracts)
        self.machine = self.c.machine

    @classmethod
    def on(cls, c, this=None):
        proof = cls.__new__(cls)
        proof.context, proof.c, proof.machine, proof.program = c.context, c, c.machine, c.program
        proof.title = ""
        return proof

    def call(self, *arguments, title=None):
        return self.c.call((title or self.title).removesuffix("()"), *arguments)

    def lanes(self, words):
        return Vector([Word(word.poly, word.low, word.high, "Lane") for word in words])

    def four(self, name, count, high, low=0, type=None):
        """Four numbers of some limbs, one in each lane; `low` may be negative."""
        highs = high if isinstance(high, list) else [high] * 4
        lows = low if isinstance(low, list) else [low] * 4

        def word(lane, i):
            atom = self.fresh(f"{name}{lane}.{i}", lows[lane], highs[lane])
            return Word(atom, lows[lane], highs[lane], type or "Lane")
        return {"limb": [Vector([word(lane, i) for lane in range(4)]) for i in range(count)]}

    def named(self, name, four, bits):
        """Gives each of the four numbers a name: an atom that stands for its limbs."""
        for lane in range(4):
            total = self.lane(four, lane, bits)
            first = four["limb"][0].words[lane].poly
            whole = self.fresh(f"{name}{lane}", -1 << 500, 1 << 500)
            self.context.define(first, whole - total + first)
        return four

    def lane(self, four, lane, bits):
        """The number in a lane of a value of four numbers, or of its words in memory."""
        if isinstance(four, list):
            words = four[lane::4]
        else:
            words = [limb.words[lane] for limb in four["limb"]]
        return self.value(words, bits)

    def fresh_lane(self, name, count, bits, high, poly, modulus):
        """Words of a lane whose number is congruent to a polynomial. Bounds below zero are those of doubles."""
        if isinstance(high, tuple):
            low, high = high
            type = "Double" if low < 0 else "Lane"
            words = [Word(self.fresh(f"{name}{i}", low, high), low, high, type) for i in range(count)]
        else:
            words = self.words(name, count, high)
        rest = self.value(words, bits) - words[0].poly
        self.context.define(words[0].poly, poly
                            + self.fresh("k", -1 << 1200, 1 << 1200).scaled(modulus) - rest)
        return words

    def fours(self, lanes):
        """Four numbers of the words of each lane."""
        return {"limb": [Vector([lane[i] if lane[i].type == "Double" else self.lanes([lane[i]]).words[0]
                                 for lane in lanes]) for i in range(len(lanes[0]))]}


class Cell:
    """An inout argument."""

    def __init__(self, value):
        self.value = value

    def set(self, value):
        self.value = value
