"""What the functions of C that Swift calls mean; their bodies are proved with the headers."""


def holdfast_add(swift, x, y, carry):
    """holdfast_carry.h: x + y + carry."""
    machine = swift.machine
    x, y = machine.match(x, y)
    total = x.poly + y.poly + carry.poly
    quotient = swift.context.floor(total, 64, (0, x.high + y.high + carry.high))
    return {"word": machine.word(total - quotient.scaled(1 << 64), "UInt64", 0, (1 << 64) - 1),
            "carry": machine.word(quotient, "UInt64", 0, x.high + y.high + carry.high >> 64)}


def holdfast_subtract(swift, x, y, carry):
    """holdfast_carry.h: x - y - carry."""
    machine = swift.machine
    x, y = machine.match(x, y) if not isinstance(x, int) else (machine.constant(x, y.type), y)
    total = x.poly - y.poly - carry.poly
    quotient = swift.context.floor(total, 64, (x.low - y.high - carry.high, x.high))
    return {"word": machine.word(total - quotient.scaled(1 << 64), "UInt64", 0, (1 << 64) - 1),
            "carry": machine.word(-quotient, "UInt64", 0, -(x.low - y.high - carry.high >> 64))}


NATIVES = {"holdfast_add": holdfast_add, "holdfast_subtract": holdfast_subtract}
