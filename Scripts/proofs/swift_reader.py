"""Reads the subset of Swift in which the fields are written. What it does not know is an error with its
line, never skipped: the function is then named as not translated."""
import re

TOKEN = re.compile(r"""
    (?P<space>[ \t]+) | (?P<newline>\n) | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:\\.|[^"\\\n])*")
  | (?P<number>0x[0-9a-fA-F_]+|[0-9][0-9_]*)
  | (?P<name>\$?[A-Za-z_][A-Za-z0-9_]*|\$[0-9]+|`\w+`)
  | (?P<op>&>>=|&<<=|\.\.\.|\.\.<|&\+=|&-=|&\*=|&<<|&>>|<<=|>>=|->|&&|\|\||==|!=|<=|>=|&\+|&-|&\*|<<|>>
      |\+=|-=|\*=|/=|%=|\|=|&=|\^=|\?\?|[-+*/%&|^~!<>=?:;,.(){}\[\]@#])
""", re.X | re.S)


class Unreadable(Exception):
    """A construct outside the subset."""


class Token:
    __slots__ = ("kind", "text", "line", "fresh", "spaced")

    def __init__(self, kind, text, line, fresh, spaced):
        self.kind, self.text, self.line, self.fresh, self.spaced = kind, text, line, fresh, spaced


def tokens_of(text):
    result, line, fresh, spaced, position = [], 1, True, True, 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unreadable(f"line {line}: {text[position:position + 20]!r}")
        kind = match.lastgroup
        position = match.end()
        if kind in ("space", "comment"):
            spaced = True
        elif kind == "newline":
            fresh = spaced = True
        else:
            result.append(Token(kind, match.group(), line, fresh, spaced))
            fresh = spaced = False
        line += match.group().count("\n")
    result.append(Token("end", "", line, True, True))
    return result


class Function:
    """A function, an initializer, an operator or a computed property, with its body unread."""

    def __init__(self, owner, name, parameters, result, body, line, is_static, is_mutating, kind):
        self.owner, self.name, self.parameters, self.result = owner, name, parameters, result
        self.body, self.line, self.is_static, self.is_mutating = body, line, is_static, is_mutating
        self.kind, self.read, self.file = kind, None, None

    @property
    def title(self):
        labels = "" if self.kind == "get" else "(" + "".join(
            (p[0] or "_") + ":" for p in self.parameters) + ")"
        return (f"{self.owner}." if self.owner else "") + self.name + labels

    def statements(self):
        if self.read is None:
            reader = Reader(self.body)
            self.read = reader.block_body()
        return self.read


class Type:
    def __init__(self, name, parent):
        self.name, self.parent = name, parent
        self.fields, self.functions, self.constants, self.aliases = {}, [], {}, {}


class Program:
    """The declarations of some files."""

    def __init__(self):
        self.types, self.functions, self.constants = {}, [], {}

    def type(self, name, parent=None):
        if name not in self.types:
            self.types[name] = Type(name, parent)
        return self.types[name]

    def load(self, path, text=None):
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        before = set(map(id, self.all()))
        Reader(tokens_of(text)).declarations(self, None)
        for function in self.all():
            if id(function) not in before:
                function.file = path

    def all(self):
        for function in self.functions:
            yield function
        for type in self.types.values():
            yield from type.functions


MODIFIERS = {"package", "private", "fileprivate", "static", "mutating", "internal", "public", "final",
             "borrowing", "consuming", "nonisolated", "indirect"}
LEVELS = [["||"], ["&&"], ["==", "!=", "<", ">", "<=", ">="], ["??"], ["..<", "..."],
          ["+", "-", "&+", "&-", "|", "^"], ["*", "/", "%", "&*", "&"], ["<<", ">>", "&<<", "&>>"]]
ASSIGN = {"=", "+=", "-=", "*=", "&+=", "&-=", "&*=", "|=", "&=", "^=", "&<<=", "&>>=", "<<=", ">>=",
          "/=", "%="}


class Reader:
    def __init__(self, tokens):
        self.tokens, self.position = tokens, 0
        if not tokens or tokens[-1].kind != "end":
            last = tokens[-1].line if tokens else 0
            self.tokens = tokens + [Token("end", "", last, True, True)]

    # Tokens

    @property
    def next(self):
        return self.tokens[self.position]

    def at(self, *texts):
        return self.next.text in texts and self.next.kind in ("op", "name")

    def take(self, *texts):
        token = self.next
        if texts and not self.at(*texts):
            raise Unreadable(f"line {token.line}: {token.text!r} instead of {' or '.join(texts)}")
        self.position += 1
        return token

    def accept(self, *texts):
        return self.take() if self.at(*texts) else None

    def name(self):
        token = self.take()
        if token.kind != "name":
            raise Unreadable(f"line {token.line}: {token.text!r} instead of a name")
        return token.text.strip("`")

    def braces(self):
        """The tokens between braces."""
        self.take("{")
        start, depth = self.position, 1
        while depth:
            token = self.take()
            if token.kind == "end":
                raise Unreadable("an open brace")
            depth += (token.text == "{") - (token.text == "}")
        return self.tokens[start:self.position - 1]

    # Declarations

    def declarations(self, program, owner):
        while self.next.kind != "end" and not self.at("}"):
            self.declaration(program, owner)

    def attributes(self):
        found = set()
        while True:
            if self.accept("@"):
                self.name()
                if self.at("(") and not self.next.spaced:
                    self.parentheses()
            elif self.next.text in MODIFIERS and self.next.kind == "name":
                found.add(self.take().text)
                if self.at("("):
                    self.parentheses()
            elif self.at(";"):
                self.take()
            else:
                return found

    def parentheses(self):
        depth = 0
        while True:
            token = self.take()
            depth += (token.text == "(") - (token.text == ")")
            if not depth:
                return

    def declaration(self, program, owner):
        modifiers = self.attributes()
        token = self.take()
        word = token.text
        if word == "import":
            self.name()
            while self.accept("."):
                self.name()
        elif word in ("struct", "extension", "enum", "protocol", "class"):
            name = self.name()
            while self.accept("."):
                name = self.name()
            while not self.at("{"):
                self.take()
            # An enumeration with cases is skipped, and one without holds functions.
            if word == "protocol" or word == "enum" and self.has_cases():
                self.braces()
                return
            self.take("{")
            self.declarations(program, program.type(name, owner))
            self.take("}")
        elif word == "typealias":
            name = self.name()
            self.take("=")
            alias = self.type()
            if owner:
                owner.aliases[name] = alias
            else:
                program.type(name).aliases[""] = alias
        elif word in ("func", "init", "subscript"):
            self.function(program, owner, word, token.line, modifiers)
        elif word in ("var", "let"):
            self.variable(program, owner, word, token.line, modifiers)
        elif word == "#":
            raise Unreadable(f"line {token.line}: a condition")
        else:
            raise Unreadable(f"line {token.line}: {word!r}")

    def has_cases(self):
        """Whether the braces that open here hold a case of an enumeration, and not of a switch."""
        place = self.position
        body = self.braces()
        self.position = place
        depth = 0
        for token in body:
            depth += (token.text == "{") - (token.text == "}")
            if token.text == "case" and not depth:
                return True
        return False

    def function(self, program, owner, word, line, modifiers):
        if word == "func":
            token = self.take()
            name = token.text
            while self.next.kind == "op" and not self.at("(", "<") and token.kind == "op":
                name += self.take().text
        else:
            name = word
            self.accept("?")
        if self.at("<"):
            while not self.accept(">"):
                self.take()
        parameters = self.parameters()
        if not name[0].isalpha() and name[0] != "_":  # an operator has no labels
            parameters = [(None, *parameter[1:]) for parameter in parameters]
        result = None
        while True:
            if self.accept("throws"):
                if self.at("("):
                    self.parentheses()
            elif self.accept("->"):
                result = self.type()
            elif self.accept("where"):
                while not self.at("{"):
                    self.take()
            else:
                break
        function = Function(owner.name if owner else None, name, parameters, result, self.braces(),
                            line, "static" in modifiers or word == "init", "mutating" in modifiers,
                            "init" if word == "init" else "func")
        (owner.functions if owner else program.functions).append(function)

    def parameters(self):
        self.take("(")
        result = []
        while not self.accept(")"):
            label = self.name()
            name = label if self.at(":") else self.name()
            self.take(":")
            is_inout = bool(self.accept("inout"))
            type = self.type()
            default = self.expression() if self.accept("=") else None
            result.append((None if label == "_" else label, name, type, is_inout, default))
            self.accept(",")
        return result

    def variable(self, program, owner, word, line, modifiers):
        name = self.name()
        type = self.type() if self.accept(":") else None
        if self.accept("="):
            start = self.position
            value = self.expression()
            target = owner.constants if owner else program.constants
            if owner and "static" not in modifiers:
                owner.fields[name] = (type, value)
            else:
                target[name] = (type, value, self.tokens[start].line)
        elif self.at("{") and not self.next.fresh:
            body = self.braces()
            inner = Reader(body)
            inner.attributes()
            if inner.at("get"):
                inner.take()
                body = inner.braces()
            function = Function(owner.name if owner else None, name, [], type, body, line,
                                "static" in modifiers, False, "get")
            (owner.functions if owner else program.functions).append(function)
        elif owner is not None:
            owner.fields[name] = (type, None)
        else:
            raise Unreadable(f"line {line}: {name}")

    # Types

    def close(self):
        """Takes one `>`, which may be the first of two."""
        if self.at(">>"):
            self.next.text = ">"
            return True
        return self.accept(">")

    def type(self):
        self.accept("borrowing", "consuming")
        if self.accept("("):
            parts = []
            while not self.accept(")"):
                if self.tokens[self.position + 1].text == ":":
                    self.name()
                    self.take(":")
                elif self.at("_"):
                    self.name()
                    self.name()
                    self.take(":")
                self.accept("inout")
                parts.append(self.type())
                self.accept(",")
            if self.accept("->"):
                result = ("function", self.type())
            else:
                result = parts[0] if len(parts) == 1 else ("tuple", parts)
        elif self.accept("["):
            if self.tokens[self.position + 1].text == "of":
                count = self.take().text
                self.take("of")
                result = ("array", int(count) if count.isdigit() else count, self.type())
            else:
                result = ("list", self.type())
            self.take("]")
        else:
            self.accept("some", "any")
            name = self.name()
            while self.at(".") and not self.next.spaced:
                self.take()
                name = self.name()
            arguments = []
            if self.at("<") and not self.next.spaced:
                self.take()
                while not self.close():
                    if self.next.kind == "number":
                        arguments.append(int(self.take().text))
                    else:
                        arguments.append(self.type())
                    self.accept(",")
            if name == "InlineArray":
                count = arguments[0]
                result = ("array", count if isinstance(count, int) else count[1], arguments[1])
            elif name in ("Span", "MutableSpan"):
                result = ("list", arguments[0])
            else:
                result = ("name", name)
        if self.at("?") and not self.next.spaced:
            self.take()
            return result
        return result

    # Statements

    def block(self):
        return Reader(self.braces()).block_body()

    def block_body(self):
        statements = []
        while self.next.kind != "end":
            if self.accept(";"):
                continue
            statements.append(self.statement())
        return statements

    def condition(self):
        conditions = []
        while True:
            if self.at("let", "var"):
                raise Unreadable(f"line {self.next.line}: an optional binding")
            conditions.append(self.expression(braces=False))
            if not self.accept(","):
                return conditions

    def statement(self):
        line = self.next.line
        if self.accept("let", "var"):
            bindings = []
            while True:
                pattern = self.pattern()
                type = self.type() if self.accept(":") else None
                self.take("=")
                bindings.append((pattern, type, self.expression()))
                if not self.accept(","):
                    return ("let", line, bindings)
        if self.accept("return"):
            value = None if self.at("}") or self.next.fresh or self.next.kind == "end" else self.expression()
            return ("return", line, value)
        if self.accept("guard"):
            conditions = self.condition()
            self.take("else")
            return ("guard", line, conditions, self.block())
        if self.at("if"):
            return self.conditional()
        if self.accept("for"):
            pattern = self.pattern()
            self.take("in")
            values = self.expression(braces=False)
            where = self.expression(braces=False) if self.accept("where") else None
            return ("for", line, pattern, values, where, self.block())
        if self.accept("while"):
            conditions = self.condition()
            return ("while", line, conditions, self.block())
        if self.accept("break"):
            return ("break", line)
        if self.at("switch", "do", "repeat", "defer", "throw"):
            raise Unreadable(f"line {line}: {self.next.text}")
        target = self.expression()
        if self.next.text in ASSIGN and self.next.kind == "op":
            operator = self.take().text
            return ("assign", line, target, operator, self.expression())
        return ("expression", line, target)

    def conditional(self):
        line = self.take("if").line
        conditions = self.condition()
        then = self.block()
        otherwise = []
        if self.accept("else"):
            otherwise = [self.conditional()] if self.at("if") else self.block()
        return ("if", line, conditions, then, otherwise)

    def pattern(self):
        if self.accept("("):
            parts = []
            while not self.accept(")"):
                parts.append(self.pattern())
                self.accept(",")
            return ("tuple", parts)
        return ("name", self.name())

    # Expressions

    def expression(self, braces=True):
        value = self.binary(0, braces)
        if self.at("?") and self.next.spaced:
            self.take()
            then = self.expression(braces)
            self.take(":")
            return ("ternary", value, then, self.expression(braces))
        return value

    def binary(self, level, braces):
        if level == len(LEVELS):
            return self.prefix(braces)
        value = self.binary(level + 1, braces)
        while self.next.kind == "op" and self.next.text in LEVELS[level]:
            if self.next.text == "&" and not self.next.spaced:
                break
            token = self.take()
            value = ("binary", token.text, value, self.binary(level + 1, braces), token.line)
        if level == 0 and self.at("as"):
            self.take()
            value = ("as", value, self.type())
        return value

    def prefix(self, braces):
        if self.at("try", "unsafe"):
            self.take()
            self.accept("!", "?")
            return self.expression(braces)
        if self.at("-", "!", "~"):
            return ("unary", self.take().text, self.prefix(braces))
        if self.at("&"):
            self.take()
            return ("inout", self.postfix(braces))
        return self.postfix(braces)

    def arguments(self, end):
        result = []
        while not self.accept(end):
            label = None
            if self.next.kind == "name" and self.tokens[self.position + 1].text == ":":
                label = self.name()
                self.take(":")
            if self.next.text not in "([" and self.next.kind == "op" and (
                    self.tokens[self.position + 1].text in (",", ")")):
                result.append((label, ("operator", self.take().text)))
            else:
                result.append((label, self.expression()))
            if not self.at(end):
                self.take(",")
        return result

    def postfix(self, braces):
        value = self.primary()
        while True:
            token = self.next
            if token.text == "." and token.kind == "op":
                self.take()
                member = self.take()
                value = ("member", value, member.text)
            elif token.text == "(" and not token.fresh and not token.spaced:
                self.take()
                value = ("call", value, self.arguments(")"), token.line)
            elif token.text == "[" and not token.fresh and not token.spaced:
                self.take()
                value = ("index", value, self.arguments("]"))
            elif token.text == "{" and braces and not token.fresh and self.calls_closure(value):
                closure = self.closure()
                if value[0] == "call":
                    value = ("call", value[1], value[2] + [(None, closure)], token.line)
                else:
                    value = ("call", value, [(None, closure)], token.line)
            elif token.text == "?" and not token.spaced and self.tokens[self.position + 1].text == ".":
                raise Unreadable(f"line {token.line}: an optional chain")
            else:
                return value

    def calls_closure(self, value):
        return value[0] in ("call", "name", "member", "typed")

    def closure(self):
        line = self.next.line
        body = self.braces()
        names = []
        for index, token in enumerate(body):
            if token.text == "in" and token.kind == "name" and index < 8:
                if all(t.text in (",", "_") or t.kind == "name" for t in body[:index]):
                    names = [t.text for t in body[:index] if t.kind == "name"]
                    body = body[index + 1:]
                break
            if token.text in ("for", "{"):
                break
        return ("closure", names, body, line)

    def primary(self):
        token = self.next
        if token.kind == "number":
            self.take()
            return ("int", int(token.text.replace("_", ""), 0))
        if token.text == "(":
            self.take()
            parts = self.arguments(")")
            return parts[0][1] if len(parts) == 1 and parts[0][0] is None else ("tuple", parts)
        if token.text == "[":
            if self.tokens[self.position + 2].text == "of" or self.is_list_type():
                type = self.type()
                return ("typed", type)
            self.take()
            return ("array", [value for _, value in self.arguments("]")])
        if token.text == "." and token.kind == "op":
            self.take()
            return ("implicit", self.take().text)
        if token.text == "{":
            return self.closure()
        if token.kind == "name":
            if token.text == "InlineArray" and self.tokens[self.position + 1].text == "<":
                return ("typed", self.type())
            self.take()
            return ("name", token.text.strip("`"))
        raise Unreadable(f"line {token.line}: {token.text!r}")

    def is_list_type(self):
        """Whether `[T](` follows: an initializer of an array."""
        place = self.position
        return (self.tokens[place + 1].kind == "name" and self.tokens[place + 2].text == "]"
                and self.tokens[place + 3].text == "(" and not self.tokens[place + 3].spaced)
