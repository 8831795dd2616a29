"""The formulas of points, as identities of polynomials over any field: a field's elements are atoms, its
operations those of polynomials. The exceptional cases, and what happens in them, are listed at each."""
from algebra import ONE, ZERO
from claims import claim, number
from swift_machine import Struct

GROUP = "points"
FILES = ["JacobianPoint", "EdwardsPoint", "Ed448Point"]
CONTRACTS = {}


class Element:
    """A polynomial as an element of a field, of which nothing else is known."""

    def __init__(self, context, poly):
        self.context, self.poly = context, context.normal(poly)

    def made(self, poly):
        return Element(self.context, poly)

    def operate(self, operator, left, right):
        left, right = (x if isinstance(x, Element) else self.small(x) for x in (left, right))
        if operator == "+":
            return self.made(left.poly + right.poly)
        if operator == "-":
            return self.made(left.poly - right.poly)
        if operator == "*":
            return self.made(self.context.product(left.poly, right.poly))
        raise ValueError(operator)

    def named(self, name):
        return self.made({"zero": ZERO, "one": ONE}[name])

    def small(self, value):
        return self.made(value.poly if hasattr(value, "poly") else number(value))

    def doubled(self, swift):
        return self.made(self.poly.scaled(2))

    def halved(self, swift):
        # Everything is computed with half units, so that a half is a whole number.
        half = self.poly.divided(2)
        if half is None:
            raise ValueError("a half of a half")
        return self.made(half)

    def inlineProduct(self, swift, other):
        return self.operate("*", self, other)

    @property
    def squared(self):
        return Square(self)

    inlineSquare = squared

    @property
    def isZero(self):
        return self.context.answer()


class Square(Element):
    """The square, as a property and as a function."""

    def __init__(self, element):
        super().__init__(element.context, element.context.product(element.poly, element.poly))

    def __call__(self, swift):
        return self.made(self.poly)


class Field:
    """The field, with zero and one."""

    def __init__(self, context, **constants):
        self.context, self.constants = context, constants

    def __getattr__(self, name):
        return Element(self.context, {"zero": ZERO, "one": ONE, **self.constants}[name])


def elements(p, *names):
    return [Element(p.context, p.context.atom(name, 0, 1 << 600)) for name in names]


def use_field(p, *names, **constants):
    field = Field(p.context, **constants)
    p.swift.foreign = {name: field for name in names}
    return field


def poly_of(fields, name):
    return fields[name].poly


def power(p, poly, exponent):
    result = ONE
    for _ in range(exponent):
        result = p.times(result, poly)
    return result


def same_fraction(p, a, b, c, d, why):
    """a / b = c / d."""
    p.equal(p.times(a, d), p.times(c, b), why)


# Jacobian coordinates: x = X / Z^2, y = Y / Z^3 on y^2 = x^3 - 3 x + b.


@claim(GROUP, "JacobianPoint.double()", proof="2 (X, Y, Z) for every Z, also 0; Y = 0 occurs in no group of odd order")
def jacobian_double(p):
    """The slope (3 x^2 - 3) / 2y; the code's L is half of the numerator, times powers of Z."""
    use_field(p, "Field", "FieldP256")
    # Twice everything that is halved: x is twice an atom, so that the half is whole.
    x, y, z = elements(p, "x", "y", "z")
    # m = (x - z^2)(x + z^2) is halved once: with x = 2u + z^2 it is 2u(2u + 2z^2), which is even.
    x = Element(p.context, x.poly.scaled(2) + power(p, z.poly, 2))
    this = Struct("JacobianPoint", {"x": x, "y": y, "z": z})
    p.call(this=this, generics={"Field": p.swift.foreign["Field"]})
    nx, ny, nz = (this.fields[n].poly for n in "xyz")
    x, y, z = x.poly, y.poly, z.poly
    # lambda = (3 x^2 - 3 z^4) / (2 y z); new affine coordinates times powers of 2 y z.
    top = power(p, x, 2).scaled(3) - power(p, z, 4).scaled(3)
    bottom = p.times(y, z).scaled(2)
    # X' / Z'^2 = lambda^2 - 2 x / z^2
    goal = power(p, top, 2) - p.times(x, power(p, y, 2)).scaled(8)
    same_fraction(p, nx, power(p, nz, 2), goal, power(p, bottom, 2), "x is another one")
    # Y' / Z'^3 = lambda (x / z^2 - x') - y / z^3
    inner = p.times(x, power(p, y, 2)).scaled(4) - goal
    goal = p.times(top, inner) - power(p, y, 4).scaled(8)
    same_fraction(p, ny, power(p, nz, 3), goal, power(p, bottom, 3), "y is another one")


@claim(GROUP, "JacobianPoint.add(_:)", proof="except if a difference of x or Z is zero, which addExceptional decides: "
       "infinity + P, P + P, P + (-P)")
def jacobian_add(p):
    field = use_field(p, "Field")
    x, y, z, ax, ay = elements(p, "x", "y", "z", "a", "b")
    calls = []
    p.swift.contracts["JacobianPoint.addExceptional(_:_:)"] = lambda swift, this, point, r: calls.append(r)
    this = Struct("JacobianPoint", {"x": x, "y": y, "z": z})
    p.call(Struct("AffinePoint", {"x": ax, "y": ay}), this=this, generics={"Field": field})
    x, y, z, ax, ay = (e.poly for e in (x, y, z, ax, ay))
    h = p.times(ax, power(p, z, 2)) - x
    r = p.times(ay, power(p, z, 3)) - y
    if calls:
        p.equal(calls[0].poly, r, "another difference of y decides")
        return
    nx, ny, nz = (this.fields[n].poly for n in "xyz")
    # lambda = r / (z h); x3 = lambda^2 - x / z^2 - a; y3 = lambda (x / z^2 - x3) - y / z^3
    bottom = p.times(z, h)
    goal = power(p, r, 2) - p.times(power(p, h, 2), x + p.times(ax, power(p, z, 2)))
    same_fraction(p, nx, power(p, nz, 2), goal, power(p, bottom, 2), "x is another one")
    goal = p.times(r, p.times(x, power(p, h, 2)) - goal) - p.times(y, power(p, h, 3))
    same_fraction(p, ny, power(p, nz, 3), goal, power(p, bottom, 3), "y is another one")


@claim(GROUP, "JacobianPoint.addExceptional(_:_:)", proof="infinity + P = P, P + P = 2P, P + (-P) = infinity")
def jacobian_add_exceptional(p):
    field = use_field(p, "Field")
    x, y, z, ax, ay, r = elements(p, "x", "y", "z", "a", "b", "r")
    doubled = []
    p.swift.contracts["JacobianPoint.double()"] = lambda swift, this: doubled.append(this)
    this = Struct("JacobianPoint", {"x": x, "y": y, "z": z})
    p.call(Struct("AffinePoint", {"x": ax, "y": ay}), r, this=this, generics={"Field": field})
    answers = p.context.taken
    if answers[0]:  # Z = 0
        for name, goal in (("x", ax.poly), ("y", ay.poly), ("z", ONE)):
            p.equal(this.fields[name].poly, goal, "infinity + P is not P")
    elif answers[1]:  # the same y
        if doubled != [this]:
            p.fail("P + P is not doubled")
    else:
        p.equal(this.fields["z"].poly, ZERO, "P + (-P) is not infinity")


# Twisted Edwards curves: a x^2 + y^2 = 1 + d x^2 y^2, with
# x3 = (x1 y2 + y1 x2) / (1 + k), y3 = (y1 y2 - a x1 x2) / (1 - k), k = d x1 x2 y1 y2,
# complete where a is a square and d is not.


def on_curve(p, x, y, z, t, a, d):
    """Notes T Z = X Y and a X^2 + Y^2 = Z^2 + d T^2, as what T Z and Y^2 are."""
    p.context.relate(t, z, p.times(x, y))
    p.context.relate(y, y, power(p, z, 2) + p.times(d, power(p, t, 2)) - power(p, x, 2).scaled(a))


def sum_goal(p, first, second, a, d):
    """The numerators and denominators of the sum of two points in extended coordinates."""
    (x1, y1, z1, t1), (x2, y2, z2, t2) = first, second
    zz, dtt = p.times(z1, z2), p.times(d, p.times(t1, t2))
    return ((p.times(x1, y2) + p.times(y1, x2), zz + dtt),
            (p.times(y1, y2) - p.times(x1, x2).scaled(a), zz - dtt))


def check_sum(p, found, first, second, a, d, dzz=None):
    """X / Z and Y / Z are the sum, and T Z = X Y."""
    x, y, z, t = found
    (top, bottom), (top_y, bottom_y) = sum_goal(p, first, second, a, d)
    same_fraction(p, x, z, top, bottom, "x is another one")
    same_fraction(p, y, z, top_y, bottom_y, "y is another one")
    p.equal(p.times(t, z), p.times(x, y), "T Z is not X Y")


def point25519(p, x, y, z, t):
    """T is the product of its two factors: here t and 1."""
    one = Element(p.context, ONE)
    return Struct("EdwardsPoint", {"x": x, "y": y, "z": z, "e": t, "h": one})


def coordinates(p, this, kind):
    f = this.fields
    first, second = (f["e"], f["h"]) if kind == "EdwardsPoint" else f["factorsOfT"]
    return [f["x"].poly, f["y"].poly, f["z"].poly, p.times(first.poly, second.poly)]


@claim(GROUP, "EdwardsPoint.double()", proof="for all points: the formulas are complete")
def edwards_double(p):
    """With the curve's equation, -X^2 + Y^2 = Z^2 + d T^2 and T Z = X Y: the sum of the point and itself."""
    x, y, z, t = elements(p, "x", "y", "z", "t")
    d = p.context.atom("d", 0, 1 << 600)
    this = point25519(p, x, y, z, t)
    p.call(this=this)
    on_curve(p, x.poly, y.poly, z.poly, t.poly, -1, d)
    point = [e.poly for e in (x, y, z, t)]
    check_sum(p, [p.context.normal(c) for c in coordinates(p, this, "EdwardsPoint")], point, point, -1, d)


for name in ("add", "subtract"):
    def edwards_add(p, name=name):
        """Of a point given by y + x, y - x and 2dxy."""
        use_field(p, "Field25519")
        x, y, z, t, ax, ay = elements(p, "x", "y", "z", "t", "a", "b")
        d = p.context.atom("d", 0, 1 << 600)
        this = point25519(p, x, y, z, t)
        product = p.times(ax.poly, ay.poly)
        addend = Struct("EdwardsAddend", {
            "sum": Element(p.context, ay.poly + ax.poly),
            "difference": Element(p.context, ay.poly - ax.poly),
            "twiceDXY": Element(p.context, p.times(d, product).scaled(2))})
        p.call(addend, this=this)
        sign = -1 if name == "subtract" else 1
        other = [ax.poly.scaled(sign), ay.poly, ONE, product.scaled(sign)]
        check_sum(p, coordinates(p, this, "EdwardsPoint"), [e.poly for e in (x, y, z, t)], other, -1, d)
    claim(GROUP, f"EdwardsPoint.{name}(_:)", proof="for all points: the formulas are complete")(edwards_add)


def point448(x, y, z, t, one):
    return Struct("Ed448Point", {"x": x, "y": y, "z": z, "factorsOfT": (t, one)})


@claim(GROUP, "Ed448Point.double()", proof="for all points: the formulas are complete")
def ed448_double(p):
    x, y, z, t = elements(p, "x", "y", "z", "t")
    d = p.context.atom("d", 0, 1 << 600)
    this = point448(x, y, z, t, Element(p.context, ONE))
    p.call(this=this)
    on_curve(p, x.poly, y.poly, z.poly, t.poly, 1, d)
    point = [e.poly for e in (x, y, z, t)]
    check_sum(p, [p.context.normal(c) for c in coordinates(p, this, "Ed448Point")], point, point, 1, d)


for name in ("add", "subtract"):
    def ed448_add(p, name=name):
        """Of a point given by x, y, x + y and -dxy."""
        x, y, z, t, ax, ay = elements(p, "x", "y", "z", "t", "a", "b")
        d = p.context.atom("d", 0, 1 << 600)
        this = point448(x, y, z, t, Element(p.context, ONE))
        product = p.times(ax.poly, ay.poly)
        addend = Struct("Ed448Addend", {
            "x": ax, "y": ay, "xPlusY": Element(p.context, ax.poly + ay.poly),
            "minusDT": Element(p.context, -p.times(d, product))})
        p.call(addend, this=this)
        sign = -1 if name == "subtract" else 1
        other = [ax.poly.scaled(sign), ay.poly, ONE, product.scaled(sign)]
        check_sum(p, coordinates(p, this, "Ed448Point"), [e.poly for e in (x, y, z, t)], other, 1, d)
    claim(GROUP, f"Ed448Point.{name}(_:)", proof="for all points: the formulas are complete")(ed448_add)
