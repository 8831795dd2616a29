"""What intervals cannot show: linear arithmetic over the atoms, and bit vectors for masks, by z3."""
from math import lcm

import z3

from algebra import Poly

# With more, nothing is asked: what follows from so much takes too long, and counts as not shown.
MOST_CONSTRAINTS = 1_000


class Solver:
    """Asks z3. A product of atoms counts as an unknown of its own, with the bounds of a product."""

    def __init__(self):
        self.questions = 0

    def remembered(self, context):
        for key, (low, high) in context.known.items():
            if len(key) > 1:
                poly = context.normal(Poly(dict(key)))
                yield poly.plus(-low)
                yield (-poly).plus(high)

    def relevant(self, context, polys):
        """The constraints that share unknowns with the polynomials, directly or through others."""
        rest = [context.normal(p) for p, _ in context.constraints]
        rest += list(self.remembered(context))
        rest = [(p, {m for m in p.terms if m}) for p in rest]
        names, chosen = {m for p in polys for m in p.terms if m}, []
        while True:
            more = [part for part in rest if not names.isdisjoint(part[1])]
            if not more:
                return chosen, names
            chosen += [p for p, _ in more]
            rest = [part for part in rest if names.isdisjoint(part[1])]
            for _, unknown in more:
                names |= unknown

    def ask(self, context, polys, conditions, whole=False):
        """Whether everything known about the unknowns of some polynomials contradicts conditions on
        them: "<= -1" or "= 0". With `whole`, small unknowns are whole numbers, which takes longer."""
        self.questions += 1
        if len(context.constraints) > MOST_CONSTRAINTS:
            return False
        polys = [context.normal(p) for p in polys]
        chosen, names = self.relevant(context, polys)
        unknown, lines = {}, []

        def text(p):
            scale = lcm(*(getattr(c, "denominator", 1) for c in p.terms.values()))
            terms = []
            for m, c in p.terms.items():
                c = int(c * scale)
                literal = f"{c}.0" if c >= 0 else f"(- {-c}.0)"
                terms.append(f"(* {literal} {unknown[m]})" if m else literal)
            return f"(+ 0.0 {' '.join(terms)})"
        for m in names:
            low, high = context.naive(Poly({m: 1}))
            name = "v" + "_".join(map(str, m))
            is_whole = whole and high - low < 256
            lines.append(f"(declare-const {name} {'Int' if is_whole else 'Real'})")
            unknown[m] = f"(to_real {name})" if is_whole else name
            lines.append(f"(assert (>= {text(Poly({m: 1, (): -low}))} 0.0))")
            lines.append(f"(assert (>= {text(Poly({m: -1, (): high}))} 0.0))")
        for m in names:
            if len(m) == 2:
                for x, y in (m, m[::-1]):
                    if (y,) in unknown and context.bounds[y][0] >= 0:
                        a, b = context.bounds[x]
                        lines.append(f"(assert (>= {text(Poly({(y,): b, m: -1}))} 0.0))")
                        lines.append(f"(assert (>= {text(Poly({(y,): -a, m: 1}))} 0.0))")
        lines += [f"(assert (>= {text(p)} 0.0))" for p in chosen]
        for poly, condition in zip(polys, conditions):
            if condition == "<= -1":
                lines.append(f"(assert (>= {text((-poly).plus(-1))} 0.0))")
            elif condition == "= 0":
                lines.append(f"(assert (= {text(poly)} 0.0))")
        solver = z3.Solver()
        solver.set("timeout", 10_000)
        solver.from_string("\n".join(lines))
        return solver.check() == z3.unsat

    def follows(self, context, poly, whole=False):
        """Whether poly >= 0 follows from what is known."""
        context.counts["linear"] += 1
        return self.ask(context, [poly], ["<= -1"], whole)

    def is_possible(self, context, zeros):
        """Whether all these polynomials can be zero."""
        return not self.ask(context, zeros, ["= 0"] * len(zeros))

    def is_feasible(self, context):
        """Whether what a path assumes can be true at all."""
        everything = Poly({m: 1 for p, _ in context.constraints for m in context.normal(p).terms if m})
        return not any(self.ask(context, [everything], [None], whole) for whole in (False, True))

    def is_carry(self, mask, over, full):
        """Whether the bits of a mask are the carries into each place: those that start at a place of
        `over` and go on through the places of `full`, which are never the same."""
        self.questions += 1

        def expression(part):
            if isinstance(part.bits, list):
                for bits, name in ((over.bits, "over"), (full.bits, "full")):
                    for shift in range(2):
                        if part.bits[shift:] == bits and not any(b.terms for b in part.bits[:shift]):
                            return z3.BitVec(name, 128) << shift
                return z3.BitVec("unknown", 128)
            operator, left, right = part.bits
            left, right = expression(left), expression(right)
            return {"+": left + right, "^": left ^ right, "&": left & right, "|": left | right}[operator]
        start, through = z3.BitVec("over", 128), z3.BitVec("full", 128)
        found = expression(mask)
        solver = z3.SolverFor("QF_BV")
        solver.set("timeout", 60_000)
        # The places are at most 80, so nothing leaves the 128 bits.
        solver.add(start & through == 0, z3.LShR(start, 100) == 0, z3.LShR(through, 100) == 0)
        solver.add(found != (start | (through & found)) << 1)
        return solver.check() == z3.unsat
