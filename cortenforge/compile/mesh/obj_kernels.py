"""Numbers of OBJ files, read from the bytes of picked lines.

A decimal number of at most 2^53, times or over a power of ten that is exact, is rounded once, as a
correct conversion is. Kernels give up at anything else, and at what is no number at all.

Source: Clinger, "How to read floating point numbers accurately", PLDI 1990.
"""

from __future__ import annotations

import numpy as np

from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker, registered
from cortenforge.kernel.load.run import run_on

#: with fewer bytes, kernels run as plain Python
MAX_PLAIN_BYTES = 2000
#: in a longer text, places are larger than indices can be
MAX_BYTES = 2**31 - 1
#: integers up to this, and powers of ten up to this exponent, are exact
MAX_EXACT = 2**53
MAX_POWER = 22
POWERS = 10.0 ** np.arange(MAX_POWER + 1)
#: larger exponents are not read
MAX_EXPONENT = 1000
NEWLINE, BLANK, PLUS, MINUS, POINT, SLASH = 10, 32, 43, 45, 46, 47
ZERO, NINE, LARGE_E, SMALL_E = 48, 57, 69, 101
#: what a kernel returns that has given up
GIVEN_UP = -1

TEXT_LAYOUT = StructLayout(
    "ObjText",
    [
        ("nline", "size", (), True),
        ("width", "size", (), True),
        ("text", "byte", (), False),
        ("begin", "int", (), False),
        ("power", "real", (), False),
    ],
    constant=True,
)
NUMBERS_LAYOUT = StructLayout(
    "ObjNumbers",
    [
        ("rows", "real", (), False),
        ("corner", "int", (), False),
        ("corners", "int", (), False),
    ],
    constant=False,
)


@kernel
def is_digit(byte: int):
    """Whether a byte is a decimal digit."""
    return byte >= ZERO and byte <= NINE


@kernel
def skip_blanks(m, at: int):
    """The next place in a line that is not blank, or its end."""
    while m.text[at] <= BLANK and m.text[at] != NEWLINE:
        at += 1
    return at


@kernel
def read_whole(m, at: int, most: int):
    """Digits up to a number that is larger than `most`: (number, place behind them)."""
    value = 0
    while is_digit(m.text[at]) and value <= most:
        value = 10 * value + (m.text[at] - ZERO)
        at += 1
    return value, at


@kernel
def read_exponent(m, at: int):
    """An exponent, if there is one: (exponent, place behind it); it is too large if unreadable."""
    if m.text[at] != LARGE_E and m.text[at] != SMALL_E:
        return 0, at
    sign = -1 if m.text[at + 1] == MINUS else 1
    first = at + 2 if m.text[at + 1] == MINUS or m.text[at + 1] == PLUS else at + 1
    value, behind = read_whole(m, first, MAX_EXPONENT)
    if behind == first:
        value = MAX_EXPONENT
    return sign * value, behind


@kernel
def read_number(m, first: int):
    """A number that ends with a blank: (number, place behind it, or GIVEN_UP)."""
    at = first + 1 if m.text[first] == MINUS or m.text[first] == PLUS else first
    whole, behind = read_whole(m, at, MAX_EXACT)
    digits = behind - at
    at = behind
    places = 0
    if m.text[at] == POINT:
        at += 1
        begin = at
        while is_digit(m.text[at]) and whole <= MAX_EXACT:
            whole = 10 * whole + (m.text[at] - ZERO)
            at += 1
        places = at - begin
    exponent, at = read_exponent(m, at)
    exponent -= places
    value = 1.0 * whole
    if digits + places == 0 or whole > MAX_EXACT or m.text[at] > BLANK:
        return value, GIVEN_UP
    if exponent > MAX_POWER or exponent < -MAX_POWER:
        return value, GIVEN_UP
    value = value * m.power[exponent] if exponent >= 0 else value / m.power[-exponent]
    if m.text[first] == MINUS:
        value = -value
    return value, at


@kernel(entry=True)
def read_rows(m, d, count: int):
    """The first numbers of each line, all of which consist of numbers; returns how many lines."""
    for line in range(m.nline):
        at = skip_blanks(m, m.begin[line])
        found = 0
        while m.text[at] != NEWLINE:
            value, at = read_number(m, at)
            if at == GIVEN_UP:
                return GIVEN_UP
            if found < m.width:
                d.rows[m.width * line + found] = value
            found += 1
            at = skip_blanks(m, at)
        if found < m.width:
            return GIVEN_UP
    return m.nline


@kernel
def read_index(m, d, at: int, place: int):
    """An index of a corner, from 1; returns the place behind it, or GIVEN_UP."""
    value, behind = read_whole(m, at, MAX_EXACT)
    # an index fits in 31 bits
    if behind == at or value == 0 or behind - at > 9:
        return GIVEN_UP
    d.corner[place] = value - 1
    return behind


@kernel
def read_corner(m, d, at: int, corner: int):
    """One of v, v/vt, v//vn, v/vt/vn; returns the place behind it, or GIVEN_UP."""
    at = read_index(m, d, at, 3 * corner)
    if at != GIVEN_UP and m.text[at] == SLASH:
        if m.text[at + 1] != SLASH:
            at = read_index(m, d, at + 1, 3 * corner + 1)
        else:
            at += 1
            if m.text[at] == SLASH and not is_digit(m.text[at + 1]):
                return GIVEN_UP
    if at != GIVEN_UP and m.text[at] == SLASH:
        at = read_index(m, d, at + 1, 3 * corner + 2)
    if at != GIVEN_UP and m.text[at] > BLANK:
        return GIVEN_UP
    return at


@kernel(entry=True)
def read_corners(m, d, count: int):
    """Corners of faces, a line each, and how many a face has; returns the number of corners."""
    corner = 0
    for line in range(m.nline):
        at = skip_blanks(m, m.begin[line])
        before = corner
        while m.text[at] != NEWLINE:
            at = read_corner(m, d, at, corner)
            if at == GIVEN_UP:
                return GIVEN_UP
            corner += 1
            at = skip_blanks(m, at)
        d.corners[line] = corner - before
    return corner


@registered(lambda: [read_rows, read_corners])
def obj_linker() -> Linker:
    """Loads and compiles the kernels of this module."""
    return Linker(TEXT_LAYOUT, NUMBERS_LAYOUT)


def plain_rows(text: bytes, begin: np.ndarray, width: int) -> np.ndarray | None:
    """The first `width` numbers of lines; None if one of them is not plain.

    begin: where the numbers of each line begin. The text ends with a newline.
    """
    if len(text) > MAX_BYTES:
        return None
    made = {"rows": np.zeros((len(begin), width))}
    given = _given(text, begin) | {"width": width, "power": POWERS}
    small = len(text) < MAX_PLAIN_BYTES
    return None if run_on(read_rows, obj_linker, given, made, small=small) < 0 else made["rows"]


def plain_corners(
    text: bytes, begin: np.ndarray, most: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Vertex, texture coordinate and normal of corners (-1 for none), and corners of each face.

    most: a limit of the number of corners. None if a corner is not plain, such as one that counts
    from the end.
    """
    if len(text) > MAX_BYTES:
        return None
    given = _given(text, begin)
    made = {"corner": np.full((most, 3), -1, np.int32), "corners": np.zeros(len(begin), np.int32)}
    small = len(text) < MAX_PLAIN_BYTES
    total = run_on(read_corners, obj_linker, given, made, small=small)
    if total < 0:
        return None
    return made["corner"][:total].astype(np.int64), made["corners"].astype(np.int64)


def _given(text: bytes, begin: np.ndarray) -> dict[str, np.ndarray | int]:
    return {
        "nline": len(begin),
        "text": np.frombuffer(text, np.uint8),
        "begin": begin.astype(np.int32),
    }
