"""Runs claims: each gives its name, paths, time, and what is open."""
import glob
import importlib
import time

from algebra import Failure, paths
from c_reader import CProgram
from claims import CLAIMS, CProof, Proof
from natives import NATIVES
from solver import Solver
from swift_machine import Untranslated
from swift_reader import Program, Unreadable

SWIFT = "Sources/HoldfastSignatures/**/{}.swift"
HEADER = "Sources/CHoldfastInstructions/holdfast_{}.h"
MODULES = ["claims_words", "claims_p256", "claims_p384", "claims_p521", "claims_25519", "claims_448",
           "claims_montgomery", "claims_limbs", "claims_mldsa", "claims_points", "claims_carry", "claims_ifma",
           "claims_doubles", "claims_edwards", "claims_p256_lanes", "claims_p384_lanes", "claims_p521_lanes",
           "claims_mldsa_lanes", "claims_edwards_neon", "claims_neon"]


def modules():
    return {m.GROUP: m for m in map(importlib.import_module, MODULES)}


def swift_file(name):
    """The file of a type, in whichever folder it is."""
    (path,) = glob.glob(SWIFT.format(name), recursive=True)
    return path


def files_of(module):
    if hasattr(module, "FILES"):
        return [swift_file(name) for name in module.FILES]
    return [HEADER.format(name) for name in module.HEADERS]


def load(module, texts=None):
    """The program of a group; `texts` replaces files."""
    program = Program() if hasattr(module, "FILES") else CProgram(texts)
    for path in files_of(module):
        try:
            program.load(path, *(() if isinstance(program, CProgram) else ((texts or {}).get(path),)))
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}") from None
    return program


class Result:
    def __init__(self, claim):
        self.group, self.title, self.part = claim.group, claim.title, claim.options.get("part", "")
        self.paths, self.seconds, self.problem, self.counts, self.called = 0, 0.0, None, {}, set()
        self.questions = 0

    @property
    def name(self):
        return self.title + (f" {self.part}" if self.part else "")


def run(claim, module, program):
    """Runs a claim on all paths."""
    is_c = hasattr(module, "HEADERS")
    result, start, solver = Result(claim), time.time(), Solver()
    contracts = {**getattr(module, "CONTRACTS", {}), **claim.options.get("contracts", {})}
    contracts = {title: contract for title, contract in contracts.items()
                 if title not in (claim.title, claim.title.removesuffix("()") if is_c else None)}
    last = {}

    def one(context):
        context.may_wrap = bool(claim.options.get("may_wrap"))
        if is_c:
            bound = {title: (lambda c, *given, contract=contract: contract(CProof.on(c), *given))
                     for title, contract in contracts.items()}
            proof = CProof(program, context, bound, None, claim.title)
            proof.c.wide_factors = bool(claim.options.get("wide"))
        else:
            bound = {title: (lambda swift, this, *given, contract=contract:
                             contract(Proof.on(swift, this), *given))
                     for title, contract in contracts.items()}
            proof = Proof(program, context, bound, NATIVES, claim.title)
        last["machine"] = proof.c if is_c else proof.swift
        claim.check(proof)
        result.called |= last["machine"].called
    try:
        is_possible = False
        for context in paths(solver, one):
            result.paths += 1
            is_possible = is_possible or solver.is_feasible(context)
            for name, count in context.counts.items():
                result.counts[name] = result.counts.get(name, 0) + count
        if not is_possible:
            result.problem = "nothing satisfies what the claim assumes"
    except (Failure, Untranslated, Unreadable) as error:
        machine = last.get("machine")
        place = f" ({machine.file}:{machine.line})" if machine and machine.file else ""
        kind = "" if isinstance(error, Failure) else "not translated: "
        result.problem = f"{kind}{error}{place}"
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        # What a claim expects is not there: it is open, too.
        result.problem = f"cannot be checked: {type(error).__name__}: {error}"
    result.seconds, result.questions = time.time() - start, solver.questions
    return result


def claims_of(group):
    return [claim for claim in CLAIMS if claim.group == group]
