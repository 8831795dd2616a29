"""Reads the subset of C in which the headers are written, with its preprocessor. What it does not know is
an error with its line."""
import os
import re
from fractions import Fraction

from swift_reader import Token, Unreadable

TOKEN = re.compile(r"""
    (?P<space>[ \t]+|\\\n) | (?P<newline>\n) | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<text>"(?:\\.|[^"\\\n])*"|<[a-z0-9_./]+\.h>)
  | (?P<float>0x[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?p[-+]?[0-9]+)
  | (?P<number>0x[0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<op>\#\#|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|\|=|&=|\^=|[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
""", re.X | re.S)
DEFINED = {"__x86_64__", "__clang__", "__linux__"}
WORDS = {"const", "unsigned", "int", "long", "uint64_t", "int64_t", "uint32_t", "uint8_t", "__int128",
         "__m128i", "__m256i", "__m512i", "__mmask8", "__m128d", "__m256d", "double", "void", "size_t",
         "static", "inline", "char"}
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"],
          ["+", "-"], ["*", "/", "%"]]
ASSIGN = {"=", "+=", "-=", "*=", "|=", "&=", "^=", "<<=", ">>="}


def tokens_of(text):
    result, line, fresh, spaced, position = [], 1, True, False, 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise Unreadable(f"line {line}: {text[position:position + 20]!r}")
        kind = match.lastgroup
        position = match.end()
        if kind == "newline":
            fresh = True
        elif kind in ("space", "comment"):
            spaced = True
        else:
            result.append(Token(kind, match.group(), line, fresh, spaced))
            fresh = spaced = False
        line += match.group().count("\n")
    return result


class Preprocessor:
    """`files` gives the text of a header that is included as it is: one without a guard."""

    def __init__(self, files=None):
        self.macros, self.result, self.active = {}, [], [True]
        self.files = files or (lambda name: None)

    def read(self, text):
        self.take(text)
        return self.result

    def take(self, text):
        tokens = tokens_of(text)
        line, lines = [], []
        for token in tokens:
            if token.fresh and line:
                lines.append(line)
                line = []
            line.append(token)
        pending = []
        for line in lines + ([line] if line else []):
            if line[0].text == "#":
                self.expand(pending)
                pending = []
                self.directive(line[1:])
            elif all(self.active):
                pending += line
        self.expand(pending)

    def expand(self, tokens):
        self.result += self.expanded(tokens)

    def directive(self, line):
        name = line[0].text
        if name in ("if", "ifdef", "ifndef"):
            self.active.append(self.condition(name, line[1:]))
        elif name == "elif":
            self.active[-1] = False if self.active[-1] is not False else self.condition("if", line[1:])
            if self.active[-1] is False:
                self.active[-1] = False
        elif name == "else":
            self.active[-1] = not self.active[-1]
        elif name == "endif":
            self.active.pop()
        elif all(self.active) and name == "define":
            self.define(line[1:])
        elif all(self.active) and name == "include":
            text = self.files(line[1].text.strip('"'))
            if text is not None:
                self.take(text)
        elif all(self.active) and name == "undef":
            self.macros.pop(line[1].text, None)

    def condition(self, name, tokens):
        if name != "if":
            return (tokens[0].text in self.macros or tokens[0].text in DEFINED) == (name == "ifdef")
        text = " ".join(token.text for token in tokens)
        text = re.sub(r"defined \( (\w+) \)", lambda m: str(m[1] in DEFINED or m[1] in self.macros), text)
        return bool(eval(text.replace("&&", " and ").replace("||", " or ").replace("!", " not ")))

    def define(self, line):
        name, parameters, body = line[0].text, None, line[1:]
        if body and body[0].text == "(" and not body[0].spaced:
            end = next(i for i, token in enumerate(body) if token.text == ")")
            parameters = [token.text for token in body[1:end] if token.text != ","]
            body = body[end + 1:]
        self.macros[name] = (parameters, body)

    def expanded(self, tokens, hidden=()):
        result, position = [], 0
        while position < len(tokens):
            token = tokens[position]
            position += 1
            if token.kind == "name" and token.text in ("_Pragma", "__attribute__"):
                position = self.closing(tokens, position)
                continue
            if token.text == "__asm__":  # `__asm__ volatile("" …)` computes nothing
                position = self.closing(tokens, position + 1)
                continue
            macro = self.macros.get(token.text) if token.kind == "name" else None
            if macro is None or token.text in hidden:
                result.append(token)
                continue
            parameters, body = macro
            if parameters is not None:
                if position >= len(tokens) or tokens[position].text != "(":
                    result.append(token)
                    continue
                end = self.closing(tokens, position)
                arguments = [self.expanded(a, hidden) for a in self.split(tokens[position + 1:end - 1])]
                position = end
                replaced = []
                for part in body:
                    if part.text in parameters:
                        replaced += arguments[parameters.index(part.text)]
                    else:
                        replaced.append(part)
                body = self.joined(replaced)
            placed = [Token(t.kind, t.text, token.line, False, t.spaced) for t in body]
            result += self.expanded(placed, hidden + (token.text,))
        return result

    def joined(self, tokens):
        """The tokens, with each two around ## as one."""
        result = []
        for token in tokens:
            if len(result) > 1 and result[-1].text == "##":
                left = result[-2]
                result[-2:] = [Token("name", left.text + token.text, left.line, False, left.spaced)]
            else:
                result.append(token)
        return result

    def closing(self, tokens, position):
        """The position after the parenthesis that closes the one here."""
        depth = 0
        while True:
            depth += (tokens[position].text == "(") - (tokens[position].text == ")")
            position += 1
            if not depth:
                return position

    def split(self, tokens):
        parts, depth = [[]], 0
        for token in tokens:
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == "," and not depth:
                parts.append([])
            else:
                parts[-1].append(token)
        return parts


class CFunction:
    def __init__(self, name, result, parameters, body, line):
        self.name, self.result, self.parameters, self.body, self.line = name, result, parameters, body, line
        self.title, self.file = name + "()", None


class CProgram:
    """The functions of some headers."""

    def __init__(self, texts=None):
        self.texts = texts or {}
        self.functions, self.structs, self.preprocessor = {}, {}, Preprocessor(self.included)
        self.folder = ""

    def text(self, path):
        if path in self.texts:
            return self.texts[path]
        with open(path, encoding="utf-8") as file:
            return file.read()

    def included(self, name):
        """The text of a header without a guard; the others are loaded as files of their own."""
        path = os.path.join(self.folder, name)
        text = self.text(path) if os.path.exists(path) else "#ifndef"
        return None if "#ifndef" in text else text

    def load(self, path):
        self.folder = os.path.dirname(path)
        text = self.text(path)
        self.preprocessor.result = []
        reader = CReader(self.preprocessor.read(text), self)
        for function in reader.top():
            function.file = path

    def all(self):
        return list(self.functions.values())


class CReader:
    def __init__(self, tokens, program):
        self.tokens, self.position, self.program = tokens, 0, program
        self.tokens = tokens + [Token("end", "", 0, True, True)]

    @property
    def next(self):
        return self.tokens[self.position]

    def at(self, *texts):
        return self.next.text in texts and self.next.kind != "end"

    def take(self, *texts):
        token = self.next
        if texts and not self.at(*texts):
            raise Unreadable(f"line {token.line}: {token.text!r} instead of {' or '.join(texts)}")
        self.position += 1
        return token

    def accept(self, *texts):
        return self.take() if self.at(*texts) else None

    def is_type(self, token):
        return token.text in WORDS or token.text in self.program.structs

    def top(self):
        while self.next.kind != "end":
            if self.accept(";"):
                continue
            if self.accept("typedef"):
                if self.accept("struct"):
                    fields = self.fields()
                    self.program.structs[self.take().text] = fields
                else:
                    while not self.at(";"):
                        self.take()
                self.take(";")
                continue
            type = self.type()
            name = self.take()
            if not self.at("("):
                while not self.at(";"):
                    self.take()
                continue
            parameters = self.parameters()
            function = CFunction(name.text, type, parameters, self.block(), name.line)
            self.program.functions[name.text] = function
            yield function

    def fields(self):
        self.take("{")
        fields = []
        while not self.accept("}"):
            type = self.type()
            name = self.take().text
            count = None
            if self.accept("["):
                count = self.expression()[1]
                self.take("]")
            self.take(";")
            fields.append((name, type, count))
        return fields

    def type(self):
        names, stars = [], 0
        while self.is_type(self.next) or self.at("*"):
            token = self.take()
            if token.text == "*":
                stars += 1
            elif token.text not in ("const", "static", "inline"):
                names.append(token.text)
        if not names:
            raise Unreadable(f"line {self.next.line}: {self.next.text!r} instead of a type")
        return " ".join(names) + "*" * stars

    def parameters(self):
        self.take("(")
        result = []
        while not self.accept(")"):
            type = self.type()
            if type != "void":
                result.append((type, self.take().text))
            self.accept(",")
        return result

    # Statements

    def block(self):
        self.take("{")
        result = []
        while not self.accept("}"):
            result.append(self.statement())
        return ("block", self.next.line, result)

    def statement(self):
        line = self.next.line
        if self.at("{"):
            return self.block()
        if self.accept(";"):
            return ("block", line, [])
        if self.accept("return"):
            value = None if self.at(";") else self.expression()
            self.take(";")
            return ("return", line, value)
        if self.accept("if"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            then = self.statement()
            return ("if", line, condition, then, self.statement() if self.accept("else") else None)
        if self.accept("for"):
            self.take("(")
            start = self.statement()
            condition = self.expression()
            self.take(";")
            step = self.expression()
            self.take(")")
            return ("for", line, start, condition, step, self.statement())
        if self.accept("switch"):
            self.take("(")
            value = self.expression()
            self.take(")")
            self.take("{")
            cases = []
            while not self.accept("}"):
                if self.accept("default"):
                    match = None
                else:
                    self.take("case")
                    match = self.expression()
                self.take(":")
                body = []
                while not self.at("case", "default", "}"):
                    body.append(self.statement())
                cases.append((match, body))
            return ("switch", line, value, cases)
        if self.accept("break"):
            self.take(";")
            return ("break", line)
        if self.is_type(self.next):
            return self.declaration()
        value = self.expression()
        self.take(";")
        return ("expression", line, value)

    def declaration(self):
        line = self.next.line
        type, items = self.type(), []
        while True:
            while self.accept("*", "const"):
                pass
            name, count = self.take().text, None
            if self.accept("["):
                count = self.expression()
                self.take("]")
            value = None
            if self.accept("="):
                value = self.initializer()
            items.append((name, count, value))
            if not self.accept(","):
                break
        self.take(";")
        return ("declare", line, type, items)

    def initializer(self):
        if not self.accept("{"):
            return self.assignment()
        values = []
        while not self.accept("}"):
            values.append(self.initializer())
            self.accept(",")
        return ("init", values)

    # Expressions

    def expression(self):
        value = self.assignment()
        while self.at(","):
            self.take()
            value = ("comma", value, self.assignment())
        return value

    def assignment(self):
        value = self.ternary()
        if self.next.text in ASSIGN and self.next.kind == "op":
            operator = self.take().text
            return ("assign", operator, value, self.assignment())
        return value

    def ternary(self):
        value = self.binary(0)
        if self.accept("?"):
            then = self.assignment()
            self.take(":")
            return ("ternary", value, then, self.ternary())
        return value

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.next.kind == "op" and self.next.text in LEVELS[level]:
            token = self.take()
            value = ("binary", token.text, value, self.binary(level + 1), token.line)
        return value

    def unary(self):
        if self.at("(") and self.is_type(self.tokens[self.position + 1]):
            self.take("(")
            type = self.type()
            self.take(")")
            if self.at("{"):
                return ("compound", type, self.initializer())
            return ("cast", type, self.unary())
        if self.at("-", "!", "~", "&", "*", "++", "--"):
            return ("unary", self.take().text, self.unary())
        return self.postfix()

    def postfix(self):
        value = self.primary()
        while True:
            token = self.next
            if self.accept("("):
                arguments = []
                while not self.accept(")"):
                    arguments.append(self.assignment())
                    self.accept(",")
                value = ("call", value, arguments, token.line)
            elif self.accept("["):
                value = ("index", value, self.expression())
                self.take("]")
            elif self.accept("."):
                value = ("member", value, self.take().text)
            elif self.at("++", "--"):
                value = ("step", self.take().text, value)
            else:
                return value

    def primary(self):
        token = self.take()
        if token.kind == "number":
            return ("int", int(token.text.rstrip("uUlL"), 0))
        if token.kind == "float":
            value = Fraction(float.fromhex(token.text))
            return ("int", int(value) if value.denominator == 1 else value)
        if token.text == "(":
            value = self.expression()
            self.take(")")
            return value
        if token.kind == "name":
            return ("name", token.text)
        raise Unreadable(f"line {token.line}: {token.text!r}")
