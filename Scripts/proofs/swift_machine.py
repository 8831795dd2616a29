"""Runs the subset of Swift on polynomials: every operation means what Swift's means, for all inputs."""
from algebra import Failure, ONE, Poly
from machine import Bit, Machine, RANGES, Word
from swift_reader import Reader


class Untranslated(Exception):
    """Swift outside the subset."""


class Struct:
    def __init__(self, type, fields):
        self.type, self.fields = type, fields


class Implicit:
    def __init__(self, name):
        self.name = name


class Return(Exception):
    def __init__(self, value):
        self.value = value


NIL = ("nil",)


class Break(Exception):
    pass


class Bound:
    """A method and its object, or a type and a name."""

    def __init__(self, functions, this, write):
        self.functions, self.this, self.write = functions, this, write


class TypeValue:
    def __init__(self, type):
        self.type = type


class Shared:
    """What a contract leaves in arguments that are inout, and what it returns."""

    def __init__(self, result, *values):
        self.result, self.values = result, values


class Extracting:
    """A part of a span that is only read."""

    def __init__(self, span):
        self.span = span

    def part(self, label, count):
        if label not in ("first", "droppingFirst") or not 0 <= count <= len(self.span):
            raise Untranslated(f"extracting({label}: {count}) of {len(self.span)}")
        return self.span[:count] if label == "first" else self.span[count:]


class Closure:
    def __init__(self, names, body, scope, this):
        self.names, self.body, self.scope, self.this = names, body, scope, this


def copied(value):
    if isinstance(value, list):
        return [copied(item) for item in value]
    if isinstance(value, tuple):
        return tuple(copied(item) for item in value)
    if isinstance(value, Struct):
        return Struct(value.type, {name: copied(item) for name, item in value.fields.items()})
    return value


class Scope:
    def __init__(self, parent=None, this=None, owner=None, result=None, generics=None):
        self.names, self.parent = {}, parent
        self.this = this if parent is None else parent.this
        self.owner = owner if parent is None else parent.owner
        self.result = result if parent is None else parent.result
        self.generics = (generics or {}) if parent is None else parent.generics

    def find(self, name):
        scope = self
        while scope:
            if name in scope.names:
                return scope
            scope = scope.parent
        return None


class Swift:
    """The program on one context. `contracts` replaces functions by what is proved of them; `natives` is
    what functions of C mean."""

    def __init__(self, program, context, contracts=None, natives=None, types=None):
        self.program, self.context = program, context
        self.machine = Machine(context)
        self.contracts, self.natives = contracts or {}, natives or {}
        self.foreign = types or {}
        self.line, self.file, self.depth = 0, "", 0
        self.constants = {}
        self.called = set()

    # Types

    def owner(self, name):
        return self.program.types.get(name)

    def resolve(self, type, scope):
        """A declared type, with aliases and Self replaced."""
        while type and type[0] == "name":
            name = type[1]
            owner = scope.owner if scope else None
            if name == "Self" and owner:
                return ("name", owner.name)
            found = None
            while owner and not found:
                found = owner.aliases.get(name)
                owner = owner.parent
            if not found:
                declared = self.program.types.get(name)
                found = declared.aliases.get("") if declared else next(
                    (t.aliases[name] for t in self.program.types.values() if name in t.aliases), None)
            if not found:
                return type
            type = found
        return type

    def coerce(self, value, type, scope):
        """A literal becomes a word of its type, `.max` a value of it."""
        type = self.resolve(type, scope)
        if not type:
            return value
        if type[0] == "name" and type[1] in RANGES:
            if isinstance(value, Implicit) and value.name in ("max", "zero"):
                return self.machine.constant(RANGES[type[1]][1] if value.name == "max" else 0, type[1])
            if isinstance(value, int) and not isinstance(value, bool):
                return self.machine.constant(value, type[1])
            if isinstance(value, Word) and value.type != type[1]:
                raise Failure(f"a {value.type} as {type[1]}")
            return value
        if type[0] == "name" and isinstance(value, Implicit):
            return self.static(type[1], value.name, scope)
        if type[0] == "array" and isinstance(value, list):
            return [self.coerce(item, type[2], scope) for item in value]
        if type[0] == "list" and isinstance(value, list):
            if type[1][1] not in RANGES or all(isinstance(item, Word) for item in value):
                return value
            return [
                item if isinstance(item, Word) else self.coerce(item, type[1], scope) for item in value]
        if type[0] == "tuple" and isinstance(value, tuple):
            return tuple(self.coerce(v, t, scope) for v, t in zip(value, type[1]))
        return value

    def matches(self, value, type, scope):
        """Whether an argument can be of a declared type, for overloads."""
        type = self.resolve(type, scope)
        if isinstance(value, Struct):
            return type == ("name", value.type) or type[0] == "name" and type[1] in scope.generics
        if isinstance(value, Word):
            return type == ("name", value.type)
        if isinstance(value, (bool, Bit)):
            return type == ("name", "Bool")
        if isinstance(value, int):
            return type[0] == "name" and (type[1] in RANGES or type[1] == "Int")
        if isinstance(value, list):
            return type[0] in ("array", "list")
        if isinstance(value, tuple):
            return type[0] == "tuple" or value == () and type == ("name", "Void")
        return True

    # Calls

    def call(self, function, arguments, this=None, generics=None):
        """Calls a function with (label, value, write) triples; returns its value, and the object after."""
        key = function.title
        if key in self.contracts:
            contract = self.contracts[key]
            values = [value for _, value, _ in arguments]
            self.called.add(key)
            found = contract(self, this, *values)
            if isinstance(found, Shared):
                for (_, _, write), value in zip(arguments, found.values):
                    if write and value is not None:
                        write(value)
                return found.result
            return found
        self.called.add(key)
        self.depth += 1
        if self.depth > 60:
            raise Untranslated(f"{key}: recursion")
        owner = self.owner(function.owner) if function.owner else None
        before = (self.line, self.file)
        if function.kind == "init":
            this = Struct(owner.name, {})
            for name, (type, value) in owner.fields.items():
                if value is not None:
                    scope = Scope(owner=owner)
                    this.fields[name] = self.coerce(self.evaluate(value, scope, type), type, scope)
        scope = Scope(this=this, owner=owner, result=function.result, generics=generics)
        for (label, name, type, is_inout, default), (_, value, _) in zip(
                function.parameters, arguments):
            is_shared = self.resolve(type, scope)[0] == "list"
            value = self.coerce(value, type, scope)
            scope.names[name] = value if is_shared else copied(value)
        self.file = function.file or self.file
        statements = function.statements()
        value = None
        try:
            if len(statements) == 1 and statements[0][0] == "expression" and function.kind != "init":
                self.line = statements[0][1]
                value = self.evaluate(statements[0][2], scope, function.result)
            else:
                self.run(statements, scope)
        except Return as end:
            value = end.value
        value = self.coerce(value, function.result, scope) if function.result else value
        for (_, name, _, is_inout, _), (_, _, write) in zip(function.parameters, arguments):
            if is_inout and write:
                write(scope.names[name])
        self.depth -= 1
        self.line, self.file = before
        if function.kind == "init":
            return None if value == NIL else scope.this
        return value

    def choose(self, functions, arguments, scope, name):
        """The overload whose labels, number and types of arguments fit."""
        fitting = []
        for function in functions:
            parameters = function.parameters
            needed = [p for p in parameters if p[4] is None]
            if not len(needed) <= len(arguments) <= len(parameters):
                continue
            if any(label != p[0] for (label, _, _), p in zip(arguments, parameters)):
                continue
            owner = self.owner(function.owner) if function.owner else None
            inner = Scope(owner=owner, generics=scope.generics if scope else None)
            if all(self.matches(value, p[2], inner) for (_, value, _), p in zip(arguments, parameters)):
                fitting.append(function)
        if len(fitting) != 1:
            raise Untranslated(f"{name}: {len(fitting)} of {len(functions)} functions fit")
        return fitting[0]

    def named(self, owner, name):
        return [f for f in owner.functions if f.name == name]

    # Statements

    def run(self, statements, scope):
        for statement in statements:
            self.line = statement[1]
            getattr(self, "run_" + statement[0])(statement, scope)

    def run_let(self, statement, scope):
        for pattern, type, value in statement[2]:
            # A span of an array is a place, not a value.
            is_span = value[0] == "member" and value[2] in ("mutableSpan", "span")
            value = self.coerce(self.evaluate(value, scope, type), type, scope)
            self.bind(pattern, value if is_span else copied(value), scope)

    def bind(self, pattern, value, scope):
        if pattern[0] == "tuple":
            if not isinstance(value, tuple) or len(value) != len(pattern[1]):
                raise Untranslated("a tuple of another size")
            for part, item in zip(pattern[1], value):
                self.bind(part, item, scope)
        elif pattern[1] != "_":
            scope.names[pattern[1]] = value

    def run_expression(self, statement, scope):
        self.evaluate(statement[2], scope, None)

    def run_return(self, statement, scope):
        value = NIL if statement[2] == ("name", "nil") and not scope.result else None
        if statement[2] is not None and value is None:
            value = self.evaluate(statement[2], scope, scope.result)
        raise Return(copied(value))

    def run_assign(self, statement, scope):
        _, _, target, operator, value = statement
        if target == ("name", "_"):
            self.evaluate(value, scope, None)
            return
        if target[0] == "tuple":
            values = self.evaluate(value, scope, None)
            for (_, part), item in zip(target[1], copied(values)):
                self.place(part, scope)[1](item)
            return
        if target == ("name", "self"):
            own = ("name", scope.owner.name)
            new = self.coerce(self.evaluate(value, scope, own), own, scope)
            if scope.this.fields or new.fields:
                scope.this.fields.clear()
                scope.this.fields.update(copied(new).fields)
            return
        read, write, type = self.place(target, scope)
        if operator == "=":
            new = self.coerce(self.evaluate(value, scope, type), type, scope)
            if type is None:
                try:
                    old = read()
                except (KeyError, Untranslated):
                    old = None
                if isinstance(old, Word):
                    new = self.coerce(new, ("name", old.type), scope)
        else:
            old = read()
            hint = ("name", old.type) if isinstance(old, Word) else type
            new = self.operate(operator[:-1], old, self.evaluate(value, scope, hint), scope)
        write(copied(new))

    def run_if(self, statement, scope):
        _, _, conditions, then, otherwise = statement
        branch = then if self.holds(conditions, scope) else otherwise
        self.run(branch, Scope(scope))

    def run_guard(self, statement, scope):
        if not self.holds(statement[2], scope):
            self.run(statement[3], Scope(scope))
            raise Untranslated("a guard that goes on")

    def holds(self, conditions, scope):
        return all(self.truth(self.evaluate(c, scope, None)) for c in conditions)

    def truth(self, value):
        if isinstance(value, bool):
            return value
        if isinstance(value, Bit):
            answer = self.decide(value.poly)
            if value.zero is not None and answer == value.when:
                self.context.equations.append(value.zero)
            return answer
        raise Untranslated("a condition that is no truth value")

    def decide(self, poly):
        """A choice; one between three cases is made by two."""
        poly = self.context.normal(poly)
        if len(poly.atoms()) > 1:
            for atom in sorted(poly.atoms()):
                self.context.decide(Poly({(atom,): 1}))
                poly = self.context.normal(poly)
                if poly.is_constant:
                    break
        return self.context.decide(poly)

    def run_for(self, statement, scope):
        _, _, pattern, values, where, body = statement
        for value in self.evaluate(values, scope, None):
            inner = Scope(scope)
            self.bind(pattern, value, inner)
            if where is not None and not self.truth(self.evaluate(where, inner, None)):
                continue
            try:
                self.run(body, inner)
            except Break:
                break

    def run_while(self, statement, scope):
        for _ in range(100_000):
            if not self.holds(statement[2], scope):
                return
            try:
                self.run(statement[3], Scope(scope))
            except Break:
                return
        raise Untranslated("a loop without end")

    def run_break(self, statement, scope):
        raise Break()

    # Places

    def place(self, target, scope):
        """How to read and write a variable, and its declared type."""
        kind = target[0]
        if kind == "name":
            name = target[1]
            found = scope.find(name)
            if found:
                return (lambda: found.names[name]), (lambda v: found.names.__setitem__(name, v)), None
            if scope.this is not None and name in scope.owner.fields:
                fields = scope.this.fields
                type = scope.owner.fields[name][0]
                return (lambda: fields[name]), (
                    lambda v: fields.__setitem__(name, self.coerce(v, type, scope))), type
            raise Untranslated(f"no variable {name}")
        if kind == "member":
            if target[1] == ("name", "self"):
                base = scope.this
            else:
                base = self.place(target[1], scope)[0]()
            name = target[2]
            if isinstance(base, Struct):
                type = self.owner(base.type).fields.get(name, (None,))[0]
                inner = Scope(owner=self.owner(base.type))
                return (lambda: base.fields[name]), (
                    lambda v: base.fields.__setitem__(name, self.coerce(v, type, inner))), \
                    self.resolve(type, inner)
            raise Untranslated(f"a member {name}")
        if kind == "index":
            base = self.place(target[1], scope)[0]()
            index = self.evaluate(target[2][0][1], scope, None)
            if not isinstance(index, int) or not isinstance(base, list) or not 0 <= index < len(base):
                raise Failure(f"an index {index}")
            return (lambda: base[index]), (lambda v: base.__setitem__(index, v)), None
        raise Untranslated(f"a place {kind}")

    # Expressions

    def evaluate(self, node, scope, type):
        return getattr(self, "value_" + node[0])(node, scope, type)

    def value_int(self, node, scope, type):
        return node[1]

    def value_implicit(self, node, scope, type):
        type = self.resolve(type, scope)
        if type and type[0] == "name" and type[1] in RANGES and node[1] in ("max", "zero"):
            return self.coerce(Implicit(node[1]), type, scope)
        return Implicit(node[1])

    def value_as(self, node, scope, type):
        return self.coerce(self.evaluate(node[1], scope, node[2]), node[2], scope)

    def value_tuple(self, node, scope, type):
        type = self.resolve(type, scope)
        types = type[1] if type and type[0] == "tuple" else [None] * len(node[1])
        return tuple(self.evaluate(value, scope, t) for (_, value), t in zip(node[1], types))

    def value_array(self, node, scope, type):
        type = self.resolve(type, scope)
        element = type[2] if type and type[0] == "array" else type[1] if type and type[0] == "list" else None
        if type and type[0] == "array" and type[1] != len(node[1]) and isinstance(type[1], int):
            raise Failure("an array of another size")
        return [self.coerce(self.evaluate(v, scope, element), element, scope) for v in node[1]]

    def value_closure(self, node, scope, type):
        return Closure(node[1], node[2], scope, None)

    def apply(self, closure, *values):
        scope = Scope(closure.scope)
        for index, value in enumerate(values):
            scope.names[f"${index}"] = value
            if index < len(closure.names):
                scope.names[closure.names[index]] = value
        statements = Reader(list(closure.body)).block_body()
        if len(statements) == 1 and statements[0][0] == "expression":
            return self.evaluate(statements[0][2], scope, None)
        try:
            self.run(statements, scope)
        except Return as end:
            return end.value
        return None

    def value_name(self, node, scope, type):
        name = node[1]
        if name == "self":
            return scope.this
        if name in ("true", "false"):
            return name == "true"
        if name == "nil":
            return None
        found = scope.find(name)
        if found:
            return found.names[name]
        if name in scope.generics:
            return scope.generics[name]
        owner = scope.owner
        if name == "Self" and owner:
            return TypeValue(owner)
        if owner:
            if isinstance(scope.this, Struct) and name in scope.this.fields:
                return scope.this.fields[name]
            level = owner
            while level:
                functions = self.named(level, name)
                if functions:
                    if functions[0].kind == "get":
                        this = None if functions[0].is_static else scope.this
                        return self.call(functions[0], [], this)
                    return Bound(functions, scope.this, None)
                if name in level.constants:
                    return self.constant(level, name, scope)
                if name in level.aliases:
                    return ("typed", self.resolve(("name", name), scope))
                level = level.parent
        functions = [f for f in self.program.functions if f.name == name]
        if functions:
            return Bound(functions, None, None)
        if name in self.program.constants:
            return self.constant(self.program, name, scope)
        if name in self.natives:
            return self.natives[name]
        if name in self.foreign:
            return self.foreign[name]
        if name in self.program.types:
            alias = self.resolve(("name", name), scope)
            return ("typed", alias) if alias != ("name", name) else TypeValue(self.program.types[name])
        if name in RANGES or name in ("Int", "InlineArray", "stride", "HoldfastSignatures", "min", "max"):
            return name
        raise Untranslated(f"no {name}")

    def constant(self, owner, name, scope):
        key = (getattr(owner, "name", ""), name)
        if key not in self.constants:
            type, value, line = owner.constants[name]
            inner = Scope(owner=owner if owner is not self.program else None)
            self.constants[key] = self.coerce(self.evaluate(value, inner, type), type, inner)
        return self.constants[key]

    def static(self, type, name, scope):
        if type in self.foreign:
            return getattr(self.foreign[type], name)
        owner = self.owner(type)
        if not owner:
            raise Untranslated(f"no type {type}")
        if name in owner.constants:
            return self.constant(owner, name, scope)
        functions = self.named(owner, name)
        if functions and functions[0].kind == "get":
            return self.call(functions[0], [], None)
        if functions:
            return Bound(functions, None, None)
        raise Untranslated(f"no {type}.{name}")

    def value_typed(self, node, scope, type):
        return node

    def value_member(self, node, scope, type):
        base = self.evaluate(node[1], scope, None)
        return self.member(base, node[2], scope, node[1])

    def member(self, base, name, scope, node=None):
        if base == "HoldfastSignatures":
            return Bound([f for f in self.program.functions if f.name == name], None, None)
        if isinstance(base, str) and base in RANGES:
            if name in ("max", "zero", "min"):
                return self.machine.constant(
                    {"max": RANGES[base][1], "min": RANGES[base][0], "zero": 0}[name], base)
        if isinstance(base, TypeValue):
            return self.static(base.type.name, name, scope)
        if isinstance(base, Struct):
            if name in base.fields:
                return base.fields[name]
            functions = self.named(self.owner(base.type), name)
            if functions and functions[0].kind == "get":
                return self.call(functions[0], [], base)
            if functions:
                return Bound(functions, base, None)
        if isinstance(base, tuple) and name.isdigit():
            return base[int(name)]
        if isinstance(base, Word):
            if name in ("_low", "_high") and base.type == "UInt128":
                half = base if name == "_low" else self.machine.shifted_right(base, 64)
                return self.machine.converted(half, "UInt64")
            if name in ("addingReportingOverflow", "subtractingReportingOverflow", "multipliedFullWidth"):
                return lambda swift, value: swift.reporting(name, base, value)
        if isinstance(base, dict):
            return base[name]
        if isinstance(base, list):
            if name == "count":
                return len(base)
            if name == "indices":
                return range(len(base))
            if name in ("span", "mutableSpan"):
                return base
            if name == "extracting":
                return Extracting(base)
        if isinstance(base, range) and name == "reversed":
            return lambda swift: base[::-1]
        if base is not None and not isinstance(base, (int, str, Word, Bound)):
            value = getattr(base, name, None)
            if value is not None:
                return value
        raise Untranslated(f"no member {name}")

    def reporting(self, name, left, right):
        machine = self.machine
        left, right = machine.match(left, right)
        if name == "multipliedFullWidth":
            product = machine.product(machine.converted(left, "UInt128"), machine.converted(right, "UInt128"))
            return {"low": machine.converted(product, "UInt64"),
                    "high": machine.converted(machine.shifted_right(product, 64), "UInt64")}
        context = self.context
        poly = left.poly + right.poly if name[0] == "a" else left.poly - right.poly
        quotient = context.floor(poly, 128 if left.type == "UInt128" else 64)
        bits = 128 if left.type == "UInt128" else 64
        word = machine.word(poly - quotient.scaled(1 << bits), left.type, 0, (1 << bits) - 1)
        return (word, Bit(context.normal(quotient if name[0] == "a" else -quotient)))

    def value_index(self, node, scope, type):
        base = self.evaluate(node[1], scope, None)
        index = self.evaluate(node[2][0][1], scope, None)
        if not isinstance(base, list):
            raise Untranslated("an index of what is no array")
        if not isinstance(index, int) or not 0 <= index < len(base):
            raise Failure(f"an index {index} of {len(base)}")
        return base[index]

    def value_inout(self, node, scope, type):
        raise Untranslated("an address")

    def value_ternary(self, node, scope, type):
        condition = self.evaluate(node[1], scope, None)
        if isinstance(condition, Bit) and not condition.poly.is_constant:
            if node[2][0] == "int" and node[3][0] == "int":
                step = node[2][1] - node[3][1]
                return Word(condition.poly.scaled(step).plus(node[3][1]),
                            min(node[2][1], node[3][1]), max(node[2][1], node[3][1]), None)
        return self.evaluate(node[2] if self.truth(condition) else node[3], scope, type)

    def value_unary(self, node, scope, type):
        value = self.evaluate(node[2], scope, type)
        if node[1] == "-":
            return -value
        if node[1] == "!":
            if isinstance(value, bool):
                return not value
            return Bit(ONE - value.poly, value.zero, not value.when)
        raise Untranslated("a complement")

    def value_binary(self, node, scope, type):
        operator = node[1]
        if operator in ("&&", "||"):
            left = self.evaluate(node[2], scope, None)
            if self.truth(left) == (operator == "||"):
                return operator == "||"
            return self.truth(self.evaluate(node[3], scope, None))
        hint = type if operator not in ("==", "!=", "<", ">", "<=", ">=") else None
        left = self.evaluate(node[2], scope, hint)
        if isinstance(left, Word) and left.type and not operator.endswith(("<<", ">>")):
            hint = ("name", left.type)
        right = self.evaluate(node[3], scope, hint)
        self.line = node[4]
        return self.operate(operator, left, right, scope)

    def operate(self, operator, left, right, scope):
        for a, b in ((left, right), (right, left)):
            if isinstance(a, Implicit):
                if hasattr(b, "named"):
                    value = b.named(a.name)
                    left, right = (value, b) if a is left else (b, value)
                    break
                if not isinstance(b, (Word, Struct)):
                    raise Untranslated(f".{a.name} of unknown type")
                value = self.coerce(a, ("name", b.type), scope)
                left, right = (value, b) if a is left else (b, value)
                break
        if isinstance(left, Word) and isinstance(right, Word):
            if left.type is None:
                left = Word(left.poly, left.low, left.high, right.type)
            if right.type is None:
                right = Word(right.poly, right.low, right.high, left.type)
        if isinstance(left, Struct) or isinstance(right, Struct):
            owner = self.owner((left if isinstance(left, Struct) else right).type)
            functions = self.named(owner, operator)
            arguments = [(None, left, None), (None, right, None)]
            for function in functions:
                inner = Scope(owner=owner)
                if all(self.matches(v, p[2], inner) for (_, v, _), p in zip(arguments, function.parameters)):
                    return self.call(function, arguments)
            raise Untranslated(f"no operator {operator} of {owner.name}")
        if isinstance(left, list) and isinstance(right, list) and operator == "+":
            return left + right
        if isinstance(left, tuple) and operator == "==":
            parts = [self.operate("==", a, b, scope) for a, b in zip(left, right)]
            return all(self.truth(part) for part in parts)
        if isinstance(left, int) and isinstance(right, int):
            return {
                "+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                "&+": lambda: left + right, "&-": lambda: left - right, "&*": lambda: left * right,
                "/": lambda: left // right, "%": lambda: left % right, "&": lambda: left & right,
                "|": lambda: left | right, "^": lambda: left ^ right,
                "<<": lambda: left << right, ">>": lambda: left >> right,
                "&<<": lambda: left << right, "&>>": lambda: left >> right,
                "<": lambda: left < right, ">": lambda: left > right, "<=": lambda: left <= right,
                ">=": lambda: left >= right, "==": lambda: left == right, "!=": lambda: left != right,
                "..<": lambda: range(left, right), "...": lambda: range(left, right + 1),
            }[operator]()
        if not isinstance(left, (Word, int)) or not isinstance(right, (Word, int)):
            for value in (left, right):
                if hasattr(value, "operate"):
                    return value.operate(operator, left, right)
            raise Untranslated(f"{operator} of {type(left).__name__} and {type(right).__name__}")
        machine = self.machine
        if operator in ("&<<", "&>>", "<<", ">>"):
            count = right if isinstance(right, int) else right.poly.constant
            if isinstance(right, Word) and not right.poly.is_constant:
                raise Untranslated("a shift by an unknown number")
            if isinstance(left, int):
                raise Untranslated("a literal shifted by a word")
            count %= machine_bits(left.type) if operator[0] == "&" else 1 << 30
            return machine.shifted_left(left, count) if "<<" in operator else machine.shifted_right(left, count)
        if operator in ("==", "!=", "<", ">", "<=", ">="):
            return machine.compare(operator, left, right)
        if operator in ("+", "-", "*"):
            # These trap: what they compute is in range.
            left, right = machine.match(left, right)
            before = self.context.counts["wraps"]
            value = {"+": machine.sum, "-": machine.difference, "*": machine.product}[operator](left, right)
            if self.context.counts["wraps"] != before:
                raise Failure(f"{operator} may overflow")
            return value
        if operator in ("/", "%"):
            left, right = machine.match(left, right)
            if left.poly.is_constant and right.poly.is_constant:
                a, b = left.poly.constant, right.poly.constant
                return machine.constant(a // b if operator == "/" else a % b, left.type)
            return self.remainder(operator, left, right)
        table = {"&+": machine.sum, "&-": machine.difference, "&*": machine.product,
                 "&": machine.conjunction, "|": machine.disjunction}
        if operator not in table:
            raise Untranslated(operator)
        return table[operator](left, right)

    def remainder(self, operator, left, right):
        """A division by a constant: the quotient is an atom."""
        if not right.poly.is_constant:
            raise Untranslated("a division by an unknown number")
        context, divisor = self.context, right.poly.constant
        quotient = context.atom(f"d{len(context.names)}", left.low // divisor, left.high // divisor)
        rest = left.poly - quotient.scaled(divisor)
        context.remember(rest, 0, divisor - 1)
        context.require(rest)
        context.require((-rest).plus(divisor - 1))
        if operator == "/":
            return Word(quotient, left.low // divisor, left.high // divisor, left.type)
        return Word(rest, 0, divisor - 1, left.type)

    # Calls in expressions

    def value_call(self, node, scope, type):
        _, callee, given, line = node
        if callee[0] == "name" and callee[1] == "self":
            raise Untranslated("self as a function")
        if callee[0] == "closure":
            return self.apply(Closure(callee[1], callee[2], Scope(scope), None))
        if callee == ("member", ("name", "self"), "init"):
            raise Untranslated("another initializer")
        if callee[0] == "implicit":
            resolved = self.resolve(type, scope)
            function = self.static(resolved[1], callee[1], scope)
        else:
            if callee[0] == "member" and callee[2] == "init":
                raise Untranslated("another initializer")
            function = self.method(callee, scope) or self.evaluate(callee, scope, None)
        arguments = []
        for label, value in given:
            write = None
            if value[0] == "inout":
                read, write, _ = self.place(value[1], scope)
                item = read()
            elif value[0] == "operator":
                raise Untranslated("an operator as a value")
            else:
                item = self.evaluate(value, scope, None)
            arguments.append((label, item, write))
        self.line = line
        return self.invoke(function, arguments, scope, type, callee)

    def method(self, callee, scope):
        """A method that is called on a value; a property may have the same name."""
        if callee[0] != "member" or callee[1] == ("name", "HoldfastSignatures"):
            return None
        base = self.evaluate(callee[1], scope, None)
        if not isinstance(base, Struct) or callee[2] in base.fields:
            return None
        functions = [f for f in self.named(self.owner(base.type), callee[2]) if f.kind == "func"]
        return Bound(functions, base, None) if functions else None

    def invoke(self, function, arguments, scope, type, callee):
        values = [value for _, value, _ in arguments]
        if isinstance(function, str):
            if function in RANGES:
                return self.conversion(function, arguments, scope)
            if function == "Int":
                value = values[0]
                if isinstance(value, Word) and value.poly.is_constant:
                    return value.poly.constant
                if isinstance(value, int):
                    return value
                raise Untranslated("an index from an unknown word")
            if function == "stride":
                labels = [label for label, _, _ in arguments]
                step = values[2]
                end = values[1] + (0 if labels[1] == "to" else 1 if step > 0 else -1)
                return range(values[0], end, step)
            if function in ("min", "max"):
                return (min if function == "min" else max)(*values)
            if function == "InlineArray":
                resolved = self.resolve(type, scope)
                return self.filled(resolved, arguments, scope)
        if isinstance(function, tuple) and function[0] == "typed":
            return self.filled(self.resolve(function[1], scope), arguments, scope)
        if isinstance(function, TypeValue):
            owner = function.type
            functions = [f for f in owner.functions if f.kind == "init"]
            if not functions:
                # The memberwise initializer.
                inner = Scope(owner=owner)
                made = {}
                for index, (name, field) in enumerate(owner.fields.items()):
                    value = values[index] if index < len(values) else self.evaluate(
                        field[1], inner, field[0])
                    made[name] = self.coerce(copied(value), field[0], inner)
                return Struct(owner.name, made)
            return self.call(self.choose(functions, arguments, scope, owner.name), arguments)
        if isinstance(function, Bound):
            chosen = self.choose(function.functions, arguments, scope, function.functions[0].name)
            this = function.this if not chosen.is_static else None
            if chosen.is_mutating and callee[0] == "member" and this is not None:
                # Fields of the object are changed in place.
                this = scope.this if callee[1] == ("name", "self") else self.place(callee[1], scope)[0]()
            return self.call(chosen, arguments, this, scope.generics)
        if isinstance(function, Closure):
            return self.apply(function, *values)
        if isinstance(function, Extracting):
            return function.part(arguments[0][0], values[0])
        if callable(function):
            result = function(self, *values)
            return result
        raise Untranslated(f"a call of {function}")

    def conversion(self, name, arguments, scope):
        label, value, _ = arguments[0]
        if isinstance(value, Implicit):
            value = self.coerce(value, ("name", name), scope)
        if label == "truncatingIfNeeded" or label == "_low" and arguments[1][1] == 0:
            return self.machine.converted(value, name)
        if label is not None:
            raise Untranslated(f"{name}({label}:)")
        low, high = RANGES[name]
        if isinstance(value, Word) and (value.low < low or value.high > high):
            if not self.context.within(value.poly, low, high):
                raise Failure(f"a conversion to {name} may fail")
            return Word(value.poly, max(low, value.low), min(high, value.high), name)
        return self.machine.converted(value, name)

    def filled(self, type, arguments, scope):
        """`InlineArray(repeating:)`, `[T](repeating:count:)` and `InlineArray { … }`."""
        label, value, _ = arguments[0]
        count, element = (type[1], type[2]) if type[0] == "array" else (None, type[1])
        if isinstance(count, str):
            count = scope.generics.get(count)
        if label == "repeating":
            if count is None:
                count = arguments[1][1]
            value = self.coerce(value, element, scope)
            return [copied(value) for _ in range(count)]
        if isinstance(value, Closure):
            return [self.coerce(self.apply(value, index), element, scope) for index in range(count)]
        raise Untranslated("an array of something else")


def machine_bits(type):
    from machine import BITS
    return BITS[type]
