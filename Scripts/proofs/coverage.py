"""What is proved, or run within the proof of another function; and what is neither, with the reason. A
function that is in no list fails, and so does a list that is not in the document."""
import os
import textwrap

import runner

BEGIN = "<!-- proofs: begin; Scripts/proofs/prove --write writes what stands here -->"
END = "<!-- proofs: end -->"
DOCUMENT = "Documentation/Assurance/Proofs.md"

REASONS = {
    "LimbArithmetic computes, on GMP or in Swift": """
        FieldP256.inverted() FieldP384.inverted() FieldP521.inverted() Field25519.inverted()
        Ed448Field.inverted() Montgomery.init(modulus:products:) Montgomery.power(_:_:)
        Montgomery.inDomain(_:) Montgomery.square(_:_:) Montgomery.product(by:_:_:)
        MontgomeryModulus.inverse(of:) MontgomeryModulus.remainder(ofLittleEndian:)""",
    "it asks the processor, or hands words to a function of a header": """
        MLDSAPolynomial.transform() MLDSAPolynomial.transformBack()
        MLDSAPolynomial.acceptInVectors(_:_:into:from:_:)
        MLDSAPolynomial.readInVectors(_:bits:least:span:) holdfast_ifma_supported()
        holdfast_doubles_supported() holdfast_saves() holdfast_neon_gains()""",
    "a loop around what is proved, or a part of it; tests compare it with GMP": """
        HalvedScalar.init(_:) Montgomery.reduce(_:) Montgomery.reduceUpperHalf(_:) MontgomeryModulus.init(_:)
        MontgomeryModulus.product(_:_:) MontgomeryModulus.isBelowValue(_:) MontgomeryModulus.number(_:)
        SwiftLimbs.maximumCount SwiftLimbs.reduce(_:count:modulo:) LeadingLimbs.init(_:)
        LeadingLimbs.quotient(_:_:_:) LeadingLimbs.divide(_:_:)
        FieldP521.canonicalLimbs Field25519.isOdd Field25519.==(_:_:) Ed448Field.isOdd""",
    "it moves bytes or limbs": """
        UInt256.limbs UInt256.bitCount limbs(bigEndian:) limbs(littleEndian:) Montgomery.bytes(_:after:)
        Montgomery.limb(at:bigEndian:) Montgomery.limb(at:bits:of:) Montgomery.limbs(bigEndian:count:)
        MontgomeryModulus.limbs(of:) MontgomeryModulus.lowLimbs(of:) EdwardsAddend.words
        JacobianPoint.converted(_:) JacobianPoint.point JacobianPoint.generatorTable""",
    "a formula of one or two operations, or an encoding; vectors test it": """
        AffinePoint.isOnCurve AffinePoint.negated JacobianPoint.affine JacobianPoint.hasX(_:)
        JacobianPoint.isInfinity JacobianPoint.subtract(_:) EdwardsPoint.init(_:) EdwardsPoint.encoded
        EdwardsPoint.addend EdwardsPoint.negated EdwardsPoint.hasSmallOrder EdwardsPoint.isNeutral
        EdwardsPoint.t EdwardsPoint.add(_:times:) Ed448Point.init(_:) Ed448Point.bytes
        Ed448Point.addend Ed448Point.negated Ed448Point.hasSmallOrder Ed448Point.add(_:times:)""",
    "it makes a value of its parts": """
        FieldP256.zero FieldP256.bitCount FieldP384.zero FieldP384.bitCount FieldP521.bitCount
        Field25519.zero Field25519.one Ed448Field.init(limbs:) AffinePoint.init(x:y:)
        JacobianPoint.neutral EdwardsPoint.neutral EdwardsPoint.init(x:y:) EdwardsPoint.init(x:y:z:t:)
        Ed448Point.init(x:y:)""",
}


def functions(modules):
    """The file of each function that the groups read."""
    found = {}
    for module in modules.values():
        for function in runner.load(module).all():
            found.setdefault(function.title, set()).add(os.path.basename(function.file))
    return found


def check(modules, results, write):
    """Names what fails, after comparing the lists with each other and with the document."""
    every = functions(modules)
    covered = {result.title for result in results if not result.problem}
    for result in results:
        covered |= result.called | {f"{name}()" for name in result.called if name.startswith("holdfast_")}
    excluded = {title: reason for reason, titles in REASONS.items() for title in titles.split()}
    failed = []
    for title in sorted(set(every) - covered - set(excluded)):
        print(f"NOT PROVED, and in no list: {', '.join(sorted(every[title]))}: {title}")
        failed.append(title)
    for title in sorted(set(excluded) & covered):
        print(f"is proved, and in the list of what is not: {title}")
        failed.append(title)
    for title in sorted(set(excluded) - set(every)):
        print(f"is in the list of what is not proved, and does not exist: {title}")
        failed.append(title)
    text = report(modules, results, every, covered)
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    before, _, rest = document.partition(BEGIN)
    old, _, after = rest.partition(END)
    if write:
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + "\n" + text + END + after)
    elif old.strip() != text.strip():
        print(f"{DOCUMENT} has another list: run Scripts/proofs/prove --write")
        failed.append(DOCUMENT)
    return failed


def report(modules, results, every, covered):
    files = sorted({name for module in modules.values() for name in map(os.path.basename, runner.files_of(module))})
    proved = sorted({result.title for result in results})
    lines = [f"Read: {', '.join(f'`{name}`' for name in files)}. {len(proved)} functions have a claim of their "
             f"own, {len(set(every) & covered) - len(set(every) & set(proved))} more run within the proof of "
             "another.", ""]
    text = "\n".join(textwrap.fill(line, 110) for line in lines) + "\n"
    text += "| not proved | because |\n|---|---|\n"
    for reason, titles in REASONS.items():
        text += f"| {', '.join(f'`{title}`' for title in titles.split())} | {reason} |\n"
    return text
