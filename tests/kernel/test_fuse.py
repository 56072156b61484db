"""Which products are fused into additions, and that compiled code rounds exactly so."""

from __future__ import annotations

import ast
import ctypes
from fractions import Fraction

import numpy as np
import pytest

from cortenforge.kernel import kernel, vec3
from cortenforge.kernel.language.fuse import compiled_code
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.load.link import Call, Linker

SIZES = StructLayout("FuseSizes", [("n", "size", (), True)], constant=True)
DESK = StructLayout(
    "FuseDesk",
    [("number", "real", (), False), ("out", "real", (), False)],
    constant=False,
)


@kernel(entry=True)
def exercise(m, d, count: int):
    """Each form once, in the order of RESULTS."""
    a = d.number[0]
    b = d.number[1]
    c = d.number[2]
    e = d.number[3]
    d.out[0] = a * b + c
    d.out[1] = c + a * b
    d.out[2] = a * b - c
    d.out[3] = c - a * b
    d.out[4] = a * b + c * e
    d.out[5] = a * b - c * e
    d.out[6] = a * b + c + e
    d.out[7] = c + e + a * b
    d.out[8] = (a + b) * c
    d.out[9] = -(a * b) + c
    d.out[10] = a * b * c + e
    d.out[11] = c
    d.out[11] += a * b
    d.out[12] = c
    d.out[12] -= a * b
    total = e
    total += a * b
    total -= c * e
    d.out[13] = total
    v = vec3(a, b, c) * e + vec3(c, e, a)
    d.out[14] = v.x
    d.out[15] = v.y
    d.out[16] = v.z
    w = vec3(c, e, a) - b * vec3(a, b, c)
    d.out[17] = w.x
    d.out[18] = w.y
    d.out[19] = w.z
    return m.n * 3 + 4 - m.n * 2


#: text of each statement's value once products are fused
RESULTS = [
    "fused_multiply_add(a, b, c)",
    "fused_multiply_add(a, b, c)",
    "fused_multiply_subtract(a, b, c)",
    "fused_subtract_product(a, b, c)",
    "fused_multiply_add(a, b, c * e)",
    "fused_multiply_subtract(a, b, c * e)",
    "fused_multiply_add(a, b, c) + e",
    "fused_multiply_add(a, b, c + e)",
    "(a + b) * c",
    "-(a * b) + c",
    "fused_multiply_add(a * b, c, e)",
    "fused_multiply_add(a, b, d.out[11])",
    "fused_subtract_product(a, b, d.out[12])",
]


def exact(a: float, b: float, c: float, sign: int = 1) -> float:
    """a * b + sign * c with one rounding; fractions do not round."""
    return float(Fraction(a) * Fraction(b) + sign * Fraction(c))


def expected(a: float, b: float, c: float, e: float) -> list[float]:
    """What the rule says each form is, in exact arithmetic where it is fused."""
    total = exact(-c, e, exact(a, b, e))
    return [
        exact(a, b, c),
        exact(a, b, c),
        exact(a, b, c, -1),
        exact(-a, b, c),
        exact(a, b, c * e),
        exact(a, b, c * e, -1),
        exact(a, b, c) + e,
        exact(a, b, c + e),
        (a + b) * c,
        -(a * b) + c,
        exact(a * b, c, e),
        exact(a, b, c),
        exact(-a, b, c),
        total,
        *(exact(x, e, y) for x, y in ((a, c), (b, e), (c, a))),
        *(exact(-b, x, y) for x, y in ((a, c), (b, e), (c, a))),
    ]


@pytest.fixture(scope="module")
def compiled():
    """The kernel as machine code."""
    return Linker(SIZES, DESK).function(exercise)


def run(compiled, number: np.ndarray) -> np.ndarray:
    """What the compiled kernel writes."""
    out = np.zeros(20)
    sizes = SIZES.block({"n": 7})
    desk = DESK.block({"number": number.ctypes.data, "out": out.ctypes.data})
    call = Call(sizes.ctypes.data, desk.ctypes.data, 1)
    assert compiled(ctypes.addressof(call)) == 11
    return out


def test_rule_on_the_source():
    """Added and subtracted products are fused, the left one of two; nothing else changes."""
    (function,) = compiled_code(exercise, fuse=True).body
    values = [
        ast.unparse(statement.value)
        for statement in function.body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0])[:6] == "d.out["
    ]
    # a sum that is kept in a field begins with a plain assignment
    sums = [text for text in values if text != "c"]
    assert sums[: len(RESULTS)] == RESULTS


def test_compiled_code_rounds_once(compiled):
    """Bit for bit what exact arithmetic gives, rounded where the rule says and nowhere else."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        number = rng.normal(size=4) * 10.0 ** rng.integers(-3, 4, size=4)
        np.testing.assert_array_equal(run(compiled, number), expected(*number.tolist()))


def test_plain_python_rounds_twice_at_most(compiled):
    """A kernel run as Python is the same but for last bits, and there is a difference to see."""
    number = np.array([1.0 + 2.0**-30, 1.0 - 2.0**-30, -1.0, 0.5])
    assert run(compiled, number)[0] == -(2.0**-60)
    plain = np.zeros(20)
    desk = PlainStruct(DESK, {"number": number, "out": plain})
    exercise(PlainStruct(SIZES, {"n": 7}), desk, 1)
    np.testing.assert_allclose(run(compiled, number), plain, rtol=1e-15, atol=1e-15)
