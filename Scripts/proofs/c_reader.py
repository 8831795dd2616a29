"""Reads the headers with the system's preprocessor and pycparser, and turns what they declare into the tuples that
c_machine runs. What has no such tuple is an error with its line."""
import os
import re
import subprocess
import tempfile
from fractions import Fraction

from pycparser import c_ast, c_parser

from swift_reader import Unreadable

# What the headers take from those of the compiler, which are left out.
TYPES = ["uint8_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "__mmask8", "__m128i", "__m256i", "__m512i", "__m128d",
         "__m256d", "int32x2_t", "uint32x2_t", "int32x4_t", "uint32x4_t", "int64x2_t", "uint64x2_t"]
STRUCTS = ["typedef struct { int32x4_t val[2]; } int32x4x2_t;"]
# As the compiler of the package sees them, without what says how to compile. An `__asm__ volatile("" …)` computes
# nothing.
OPTIONS = ["-E", "-nostdinc", "-undef", "-D__x86_64__", "-D__AARCH64EL__", "-D__clang__", "-D__linux__", "-D__attribute__(x)=", "-D__asm__=",
           "-DHOLDFAST_READ_IDENTITY(x)="]
ASSEMBLY = re.compile(r'volatile\(""[^;]*;')
STEPS = {"p++": "++", "p--": "--"}


class CFunction:
    def __init__(self, name, result, parameters, body, file):
        self.name, self.result, self.parameters, self.body, self.file = name, result, parameters, body, file
        self.title = name + "()"


class CProgram:
    """The functions of some headers; `texts` replaces files."""

    def __init__(self, texts=None):
        self.texts, self.paths = texts or {}, []
        self.functions, self.structs = {}, {}

    def load(self, path):
        self.paths.append(path)
        self.functions, self.structs = {}, {}
        for node in c_parser.CParser().parse(self.preprocessed(), "stubs").ext:
            self.declare(node)

    def preprocessed(self):
        """The text of all headers after the preprocessor, as one."""
        with tempfile.TemporaryDirectory() as folder:
            for path in {os.path.join(os.path.dirname(path), name) for path in self.paths
                         for name in os.listdir(os.path.dirname(path)) if name.endswith(".h")}:
                text = self.texts.get(path)
                if text is None:
                    with open(path, encoding="utf-8") as file:
                        text = file.read()
                # Another module's headers, and the compiler's, have functions only that nothing here calls.
                text = re.sub(r'^#include (<.*>|"\.\./.*")$', "", text, flags=re.M)
                os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                    file.write(text)
            given = "".join(f"typedef int {name};\n" for name in TYPES) + "\n".join(STRUCTS) + "\n" + "".join(
                f'#include "{path}"\n' for path in self.paths)
            result = subprocess.run(["cc", *OPTIONS, "-I.", "-"], input=given, capture_output=True, text=True,
                                    cwd=folder, check=False)
        if result.returncode:
            raise Unreadable(result.stderr)
        lines = ["" if line.startswith("#pragma") else line for line in result.stdout.split("\n")]
        return ASSEMBLY.sub(";", "\n".join(lines))

    def declare(self, node):
        """Declares a type or a function, if it is from one of the headers; numbers of the compiler are left out."""
        if isinstance(node, c_ast.Typedef) and isinstance(node.type.type, c_ast.Struct):
            self.structs[node.name] = [
                (field.name, *typed(field.type)) for field in node.type.type.decls or []]
        elif isinstance(node, c_ast.FuncDef):
            declared = node.decl.type
            parameters = [(typed(each.type)[0], each.name) for each in (declared.args.params if declared.args else [])
                          if each.name]
            file = os.path.normpath(node.coord.file)
            self.functions[node.decl.name] = CFunction(
                node.decl.name, typed(declared.type)[0], parameters, statement(node.body),
                file if file in self.paths else self.paths[-1])

    def all(self):
        return list(self.functions.values())


def unknown(node):
    return Unreadable(f"{node.coord}: {type(node).__name__}")


def typed(node):
    """The name of a type, with a star for each pointer, and the number of an array."""
    count, stars = None, ""
    if isinstance(node, c_ast.ArrayDecl):
        node, count = node.type, value(node.dim)
        if count[0] == "int":
            count = count[1]
    while isinstance(node, c_ast.PtrDecl):
        node, stars = node.type, stars + "*"
    if not isinstance(node, c_ast.TypeDecl) or not isinstance(node.type, c_ast.IdentifierType):
        raise unknown(node)
    return " ".join(node.type.names) + stars, count


def statement(node):
    line = node.coord.line if node is not None and node.coord else 0
    match node:
        case c_ast.Compound():
            return ("block", line, [statement(each) for each in node.block_items or []])
        case c_ast.EmptyStatement():
            return ("block", line, [])
        case c_ast.Return():
            return ("return", line, node.expr and value(node.expr))
        case c_ast.If():
            return ("if", line, value(node.cond), statement(node.iftrue), node.iffalse and statement(node.iffalse))
        case c_ast.For():
            return ("for", line, statement(node.init), value(node.cond), value(node.next), statement(node.stmt))
        case c_ast.Switch(stmt=c_ast.Compound(block_items=cases)):
            # The machine knows no case that goes on into the next one.
            if not all(isinstance(each, (c_ast.Case, c_ast.Default)) for each in cases) or not all(
                    each.stmts and isinstance(each.stmts[-1], (c_ast.Break, c_ast.Return)) for each in cases[:-1]):
                raise unknown(node)
            return ("switch", line, value(node.cond), [
                (value(each.expr) if isinstance(each, c_ast.Case) else None,
                 [statement(part) for part in each.stmts or []]) for each in cases])
        case c_ast.Break():
            return ("break", line)
        case c_ast.DeclList(decls=[one]):
            return statement(one)
        case c_ast.Decl(storage=[]):
            name, count = typed(node.type)
            count = ("int", count) if isinstance(count, (int, Fraction)) else count
            return ("declare", line, name, [(node.name, count, node.init and value(node.init))])
    return ("expression", line, value(node))


def value(node):
    match node:
        case c_ast.Constant(type="double"):
            number = Fraction(float.fromhex(node.value))
            return ("int", int(number) if number.denominator == 1 else number)
        case c_ast.Constant() if "int" in node.type:
            return ("int", int(node.value.rstrip("uUlL"), 0))
        case c_ast.ID():
            return ("name", node.name)
        case c_ast.InitList():
            return ("init", [value(each) for each in node.exprs])
        case c_ast.ExprList():
            first, *others = map(value, node.exprs)
            for each in others:
                first = ("comma", first, each)
            return first
        case c_ast.Assignment():
            return ("assign", node.op, value(node.lvalue), value(node.rvalue))
        case c_ast.TernaryOp():
            return ("ternary", value(node.cond), value(node.iftrue), value(node.iffalse))
        case c_ast.BinaryOp():
            return ("binary", node.op, value(node.left), value(node.right), node.coord.line)
        case c_ast.UnaryOp(op=("p++" | "p--") as operator):
            return ("step", STEPS[operator], value(node.expr))
        case c_ast.UnaryOp(op="-" | "!" | "~" | "&" | "*" | "++" | "--"):
            return ("unary", node.op, value(node.expr))
        case c_ast.Cast():
            return ("cast", typed(node.to_type.type)[0], value(node.expr))
        case c_ast.CompoundLiteral():
            return ("compound", typed(node.type.type)[0], value(node.init))
        case c_ast.FuncCall():
            return ("call", value(node.name), [value(each) for each in node.args.exprs] if node.args else [],
                    node.coord.line)
        case c_ast.ArrayRef():
            return ("index", value(node.name), value(node.subscript))
        case c_ast.StructRef(type="."):
            return ("member", value(node.name), node.field.name)
    raise unknown(node)
