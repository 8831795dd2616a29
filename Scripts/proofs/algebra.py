"""Polynomials with integer coefficients over words, with intervals: the one algebra of the proofs.

An *atom* is an unknown integer between two bounds: a limb, the quotient of a shift, a carry. A `Poly` is
an exact value. What a machine drops is a quotient that gets an atom of its own, so nothing is approximate:
floor(P / 2^k) is a new atom q, and P - 2^k q lies in [0, 2^k). Equal questions get equal answers.
"""
from fractions import Fraction


class Failure(Exception):
    """What could not be proved."""


class Poly:
    """A sum of monomials, each a sorted tuple of atoms, with coefficients."""

    __slots__ = ("terms",)

    def __init__(self, terms):
        self.terms = {monomial: c for monomial, c in terms.items() if c}

    def __add__(self, other):
        small, large = sorted((self.terms, other.terms), key=len)
        terms = dict(large)
        for monomial, c in small.items():
            terms[monomial] = terms.get(monomial, 0) + c
        return Poly(terms)

    def scaled(self, factor):
        return Poly({monomial: c * factor for monomial, c in self.terms.items()})

    def __neg__(self):
        return self.scaled(-1)

    def __sub__(self, other):
        return self + other.scaled(-1)

    def plus(self, number):
        return self + Poly({(): number})

    @property
    def constant(self):
        return self.terms.get((), 0)

    @property
    def is_constant(self):
        return all(not monomial for monomial in self.terms)

    def divided(self, number):
        """The quotient, if every coefficient is a multiple."""
        if any(Fraction(c, number).denominator != 1 for c in self.terms.values()):
            return None
        return Poly({monomial: int(Fraction(c, number)) for monomial, c in self.terms.items()})

    def atoms(self):
        return {atom for monomial in self.terms for atom in monomial}

    def key(self):
        return frozenset(self.terms.items())


ZERO, ONE = Poly({}), Poly({(): 1})


def twos(number):
    """How often two divides the number."""
    return (number & -number).bit_length() - 1


class Context:
    """The atoms of one path through a function, and what is known about them."""

    def __init__(self, solver, decisions=()):
        self.solver = solver
        self.bounds, self.names = [], []
        self.rules, self.pairs = {}, {}
        self.known = {}
        self.constraints = []
        self.definitions, self.equations = [], []
        self.table_key, self.table = None, {}
        self.quotients, self.signs = {}, {}
        # The answers to the questions that a path depends on: given ones, then the first of each.
        self.decisions, self.taken = list(decisions), []
        self.counts = {"sums": 0, "wraps": 0, "bounds": 0, "linear": 0}
        self.may_wrap = False

    # Atoms

    def atom(self, name, low, high):
        self.names.append(name)
        self.bounds.append((low, high))
        return Poly({(len(self.names) - 1,): 1})

    def is_bit(self, atom):
        return self.bounds[atom] == (0, 1)

    def describe(self, poly, limit=4):
        def text(monomial, c):
            return "*".join([str(c)] + [self.names[a] for a in monomial])
        parts = [text(*term) for term in list(poly.terms.items())[:limit]]
        return " + ".join(parts) + (" + …" if len(poly.terms) > limit else "")

    def product(self, left, right):
        terms = {}
        for m, c in left.terms.items():
            for n, d in right.terms.items():
                monomial = tuple(sorted(m + n))
                if len(set(monomial)) < len(monomial):
                    monomial = tuple(a for i, a in enumerate(monomial)
                                     if i == 0 or monomial[i - 1] != a or not self.is_bit(a))
                terms[monomial] = terms.get(monomial, 0) + c * d
        return self.normal(Poly(terms))

    def substitute(self, atom, poly):
        """Replaces an atom everywhere, from now on."""
        self.rules[atom] = poly
        renewed = {}
        for key, bounds in self.known.items():
            poly = self.normal(Poly(dict(key)))
            offset, plain = poly.constant, poly.plus(-poly.constant).key()
            low, high = bounds[0] - offset, bounds[1] - offset
            old = renewed.get(plain, (low, high))
            renewed[plain] = (max(low, old[0]), min(high, old[1]))
        self.known = renewed
        self.quotients = {(self.normal(Poly(dict(p))).key(), k): self.normal(q)
                          for (p, k), q in self.quotients.items()}
        self.signs = {self.normal(Poly(dict(p))).key(): s for p, s in self.signs.items()}

    def relate(self, left, right, poly):
        """Replaces the product of two atoms everywhere."""
        pair = tuple(sorted(next(iter(side.terms))[0] for side in (left, right)))
        self.pairs[pair] = poly

    def normal(self, poly):
        """The polynomial after all substitutions."""
        while True:
            found = None
            if self.rules or self.pairs:
                for monomial in poly.terms:
                    found = next((a for a in monomial if a in self.rules), None)
                    if found is not None:
                        break
                    if self.pairs and len(monomial) > 1:
                        found = next((p for p in self.pairs if p[0] in monomial and p[1] in monomial
                                      and (p[0] != p[1] or monomial.count(p[0]) > 1)), None)
                        if found is not None:
                            break
            if found is None:
                return poly
            kept, replaced = {}, ZERO
            for monomial, c in poly.terms.items():
                atoms = list(monomial)
                wanted = found if isinstance(found, tuple) else (found,)
                try:
                    for atom in wanted:
                        atoms.remove(atom)
                except ValueError:
                    kept[monomial] = c
                    continue
                value = self.pairs[found] if isinstance(found, tuple) else self.rules[found]
                replaced = replaced + self.product(Poly({tuple(atoms): c}), value)
            poly = Poly(kept) + replaced

    # Intervals

    def naive(self, poly):
        """Bounds from those of the atoms alone."""
        low = high = 0
        for monomial, c in poly.terms.items():
            a, b = 1, 1
            for atom in monomial:
                x, y = self.bounds[atom]
                ends = (a * x, a * y, b * x, b * y)
                a, b = min(ends), max(ends)
            low += c * (a if c > 0 else b)
            high += c * (b if c > 0 else a)
        return low, high

    def remember(self, poly, low, high):
        offset = poly.constant
        key = poly.plus(-offset).key()
        old = self.known.get(key, (low - offset, high - offset))
        self.known[key] = (max(old[0], low - offset), min(old[1], high - offset))

    def interval(self, poly):
        low, high = self.naive(poly)
        for sign in (1, -1):
            part = poly if sign == 1 else -poly
            offset = part.constant
            found = self.known.get(part.plus(-offset).key())
            if found:
                a, b = found[0] + offset, found[1] + offset
                a, b = (a, b) if sign == 1 else (-b, -a)
                low, high = max(low, a), min(high, b)
        return low, high

    def require(self, poly, why="a condition"):
        """Adds `poly` >= 0 to what is known."""
        self.constraints.append((poly, why))

    def define(self, atom, poly):
        """States that an atom equals a polynomial. Claims use it; until then the atom stays, because
        words are simpler than what they are made of."""
        self.definitions.append((atom, poly))
        self.require(atom - poly)
        self.require(poly - atom)

    def resolved(self, poly, modulus=0):
        """The polynomial without defined atoms, and without those that a comparison has shown to depend
        on others; its coefficients modulo a number, if one is given."""
        table = self.definition_table(modulus)
        poly = self.expanded(poly, table, modulus)
        pivots = {}
        for equation in self.equations:
            equation = self.expanded(self.expanded(equation, table, modulus), pivots, modulus)
            name = self.pivot(equation, modulus)
            if name is not None:
                value = equation.scaled(-equation.terms[(name,)]) + Poly({(name,): 1})
                value = self.reduced(value, modulus)
                pivots = {n: self.expanded(v, {name: value}, modulus) for n, v in pivots.items()}
                pivots[name] = value
        return self.expanded(poly, pivots, modulus) if pivots else poly

    def reduced(self, poly, modulus):
        if not modulus:
            return poly
        return Poly({m: c % modulus for m, c in poly.terms.items()})

    def definition_table(self, modulus):
        """What stands for each defined atom: polynomials in atoms that are not defined."""
        key = (modulus, len(self.definitions), len(self.rules), len(self.pairs))
        if self.table_key == key:
            return self.table
        table = {}
        for atom, value in self.definitions:
            (name,) = next(iter(atom.terms))
            while name in self.rules:  # a split atom: its remainder takes its place
                name = next((m[0] for m, c in self.rules[name].terms.items() if c == 1 and m), None)
            equation = self.expanded(value - atom, table, modulus)
            is_solved = name is not None and equation.terms.get((name,)) in (-1, modulus - 1)
            if not is_solved:
                name = self.pivot(equation, modulus)  # it has become a number
                if name is None:
                    continue
                equation = equation.scaled(-equation.terms[(name,)])
            value = self.reduced(equation + Poly({(name,): 1}), modulus)
            if name in value.atoms():
                raise Failure("a definition that contains itself")
            if not is_solved and any(name in other.atoms() for other in table.values()):
                table = {n: self.expanded(v, {name: value}, modulus) for n, v in table.items()}
            table[name] = value
        self.table_key, self.table = key, table
        return table

    def expanded(self, poly, table, modulus):
        """The polynomial with atoms replaced by what stands in a table."""
        poly = self.normal(poly)
        if not any(a in table for m in poly.terms for a in m):
            return self.reduced(poly, modulus)
        terms = {}
        for monomial, c in poly.terms.items():
            kept = tuple(a for a in monomial if a not in table)
            part = Poly({kept: c})
            for atom in monomial:
                if atom in table:
                    part = self.reduced(self.product(part, table[atom]), modulus)
            for m, d in part.terms.items():
                terms[m] = terms.get(m, 0) + d
        return self.reduced(Poly(terms), modulus)

    def pivot(self, equation, modulus):
        """The newest atom for which an equation can be solved."""
        units = (1, -1, modulus - 1) if modulus else (1, -1)
        single = [m[0] for m, c in equation.terms.items() if len(m) == 1 and c in units]
        single = [a for a in single if sum(a in m for m in equation.terms) == 1]
        return max(single, default=None)

    def at_least(self, poly, least=0, whole=False):
        """Whether `poly` >= `least`, by intervals, and if they do not suffice by linear arithmetic."""
        poly = self.normal(poly).plus(-least)
        if self.interval(poly)[0] >= 0:
            self.counts["bounds"] += 1
            return True
        return self.solver.follows(self, poly, whole)

    def within(self, poly, low, high, whole=False):
        return self.at_least(poly, low, whole) and self.at_least(-poly, -high, whole)

    # Shifts and comparisons

    def by_bits(self, poly, function):
        """A function of a polynomial in at most four bits, as a polynomial in them; else None."""
        atoms = sorted(poly.atoms())
        if len(atoms) > 4 or not all(self.is_bit(a) for a in atoms):
            return None
        result = ZERO
        for number in range(1 << len(atoms)):
            indicator, value = ONE, 0
            for i, atom in enumerate(atoms):
                bit = Poly({(atom,): 1})
                indicator = self.product(indicator, bit if number >> i & 1 else ONE - bit)
            for monomial, c in poly.terms.items():
                if all(number >> atoms.index(a) & 1 for a in monomial):
                    value += c
            result = result + indicator.scaled(function(value))
        return result

    def is_not_negative(self, poly):
        """1 if `poly` >= 0, else 0."""
        poly = self.normal(poly)
        low, high = self.interval(poly)
        if low >= 0 or high < 0:
            return ONE if low >= 0 else ZERO
        bits = self.by_bits(poly, lambda value: int(value >= 0))
        if bits is not None:
            return bits
        opposite = (-poly).plus(-1)
        first = max(m for m in poly.terms if m)
        if poly.terms[first] < 0:
            return ONE - self.is_not_negative(opposite)
        key = poly.key()
        if key not in self.signs:
            bit = self.atom(f"[{len(self.names)}]", 0, 1)
            self.signs[key] = bit
            # bit = 1: poly >= 0; bit = 0: poly <= -1.
            self.require(poly - (ONE - bit).scaled(low))
            self.require(bit.scaled(high + 1).plus(-1) - poly)
        return self.normal(self.signs[key])

    def floor(self, poly, k, bounds=None):
        """floor(poly / 2^k)."""
        poly = self.normal(poly)
        low, high = self.interval(poly)
        if bounds:
            low, high = max(low, bounds[0]), min(high, bounds[1])
        if k == 0:
            return poly
        if low >> k == high >> k:
            return Poly({(): low >> k})
        bits = self.by_bits(poly, lambda value: value >> k)
        if bits is not None:
            return bits
        if any(isinstance(c, Fraction) for c in poly.terms.values()):
            raise Failure("a shift of a fraction")
        common = min(twos(c) for c in poly.terms.values())
        if common:
            t = min(common, k)
            return self.floor(poly.divided(1 << t), k - t, (-(-low >> t), high >> t))
        # Multiples of 2^k come out; what is left is asked once.
        whole, least = self.multiples(poly, k)
        key = (least.key(), k)
        if key not in self.quotients:
            # They need not all come out: what is left then may have closer bounds.
            best, spread = (poly, low, high), (high >> k) - (low >> k)
            for j in sorted({twos(c) for c in poly.terms.values() if twos(c) >= k} | {k}, reverse=True):
                rest = self.multiples(poly, j)[1]
                a, b = self.interval(rest)
                if (b >> k) - (a >> k) < spread or -1 <= a >> k and b >> k <= 0:
                    best, spread = (rest, a, b), (b >> k) - (a >> k)
            out = (poly - best[0]).divided(1 << k)
            self.quotients[key] = self.new_quotient(best[0], k, best[1], best[2]) + out - whole
        return self.normal(self.quotients[key] + whole)

    def multiples(self, poly, k):
        """A and D with poly = 2^k A + D, where the coefficients of D are between -2^(k-1) and 2^(k-1)."""
        whole = Poly({m: c + (1 << (k - 1)) - 1 >> k for m, c in poly.terms.items()})
        return whole, poly - whole.scaled(1 << k)

    def new_quotient(self, poly, k, low, high):
        if low >> k == high >> k:
            return Poly({(): low >> k})
        # floor((2^j X + Y) / 2^k) = floor((X + floor(Y / 2^j)) / 2^(k - j)): limb by limb, as carries go.
        for j in sorted({twos(c) for c in poly.terms.values()} - {0}, reverse=True):
            if j < k:
                upper = Poly({m: c for m, c in poly.terms.items() if c % (1 << j) == 0})
                lower = poly - upper
                a, b = self.interval(lower)
                if lower.terms and not upper.is_constant and (j >= 32 or a >= 0 and b < 1 << j):
                    upper = upper.divided(1 << j) + self.floor(lower, j)
                    return self.floor(upper, k - j, (low >> j, high >> j))
        if (high >> k) - (low >> k) == 1:
            quotient = self.is_not_negative(poly.plus(-(high >> k << k))).plus(low >> k)
            remainder = poly - quotient.scaled(1 << k)
        elif list(poly.terms.values()) == [1] and len(next(iter(poly.terms))) == 1:
            # An atom is split: it is replaced by quotient and remainder.
            (atom,) = next(iter(poly.terms))
            quotient = self.atom(f"q{len(self.names)}", low >> k, high >> k)
            remainder = self.atom(f"r{len(self.names)}", 0, (1 << k) - 1)
            bounds = self.bounds[atom]
            self.substitute(atom, quotient.scaled(1 << k) + remainder)
            self.remember(quotient.scaled(1 << k) + remainder, *bounds)
            self.require((quotient.scaled(-1 << k) - remainder).plus(bounds[1]))
            return quotient
        else:
            quotient = self.atom(f"q{len(self.names)}", low >> k, high >> k)
            remainder = poly - quotient.scaled(1 << k)
        self.remember(remainder, 0, (1 << k) - 1)
        self.require(remainder)
        self.require((-remainder).plus((1 << k) - 1))
        return quotient

    def modulo(self, poly, k):
        return self.normal(poly - self.floor(poly, k).scaled(1 << k))

    # Paths

    def decide(self, bit):
        """Whether a bit is 1; both answers are looked at, one path after the other."""
        bit = self.normal(bit)
        if bit.is_constant:
            return bit.constant == 1
        if len(bit.atoms()) != 1:
            raise Failure(f"a choice by several bits: {self.describe(bit)}")
        (atom,) = bit.atoms()
        value = self.answer()
        poly = next((Poly(dict(k)) for k, s in self.signs.items() if s.terms == {(atom,): 1}), None)
        self.substitute(atom, ONE if value else ZERO)
        if poly is not None:
            low, high = self.interval(poly)
            self.remember(poly, *((0, high) if value else (low, -1)))
            self.require(poly if value else (-poly).plus(-1))
            self.collapse(poly)
        return self.normal(bit).constant == 1

    def bounds_if(self, bit, value, poly, low, high):
        """Bounds of a polynomial if a bit has a value, from what the bit is the sign of."""
        (atom,) = bit.atoms()
        if self.normal(bit).terms.get((atom,)) == -1:
            value = 1 - value
        sign = next((Poly(dict(k)) for k, s in self.signs.items() if s.terms == {(atom,): 1}), None)
        if sign is not None:
            least, most = self.interval(sign)
            least, most = (max(least, 0), most) if value else (least, min(most, -1))
            for factor in (1, -1):
                rest = poly - sign.scaled(factor)
                if rest.is_constant:
                    ends = sorted((rest.constant + factor * least, rest.constant + factor * most))
                    low, high = max(low, ends[0]), min(high, ends[1])
        return low, high

    def collapse(self, poly):
        """Replaces an atom that can have one value only."""
        names = [m for m in poly.terms if m]
        if len(names) == 1 and len(names[0]) == 1 and abs(poly.terms[names[0]]) == 1:
            low, high = self.interval(Poly({names[0]: 1}))
            if low == high and all(names[0] not in atom.terms for atom, _ in self.definitions):
                self.substitute(names[0][0], Poly({(): low}))

    def answer(self):
        if len(self.taken) == len(self.decisions):
            self.decisions.append(True)
        value = self.decisions[len(self.taken)]
        self.taken.append(value)
        return value


def paths(solver, run):
    """Runs `run(context)` for every sequence of answers."""
    decisions = []
    while True:
        context = Context(solver, decisions)
        try:
            run(context)
        except Failure:
            # A path that nothing can take proves nothing, and need not.
            if not context.taken or solver.is_feasible(context):
                raise
        yield context
        decisions = list(context.taken)
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            return
        decisions[-1] = False
