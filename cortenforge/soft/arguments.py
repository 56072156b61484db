"""Checks of arguments: each returns the value in its type, or raises a SoftError."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.suggest import did_you_mean

#: bounds of numbers, so that products of several stay in the range of reals
LARGEST_REAL, SMALLEST_REAL = 1e30, 1e-30
#: the longest and the shortest length [m]
MAX_METRES, MIN_METRES = 1e6, 1e-12
#: kernels have integers of 32 bits
MOST_COUNT = 2**31 - 1


def known_names_hint(word: str, known: list[str]) -> str:
    """A hint for a misspelt word: the closest known one, or all of them."""
    return did_you_mean(word, known) or f"there are: {', '.join(known)}"


def finite_number(name: str, value: object) -> float:
    """A finite real number."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise SoftError(f"expected a number, got {value!r}"[:300], name)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    except (TypeError, ValueError):
        raise SoftError(f"expected a number, got {value!r}"[:300], name) from None
    if not abs(number) <= LARGEST_REAL:
        raise SoftError(f"expected a finite number, at most {LARGEST_REAL:g}, got {number:g}", name)
    return number


def positive_number(name: str, number: float, least: float = SMALLEST_REAL) -> float:
    """A number that is at least `least`."""
    if not number >= least:
        raise SoftError(f"expected a positive number, at least {least:g}, got {number:g}", name)
    return number


def finite_array(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A float array of a shape, in which -1 is any length; its entries are finite."""
    try:
        found = np.asarray(given)
        if found.dtype.kind not in "biuf":
            raise TypeError
        values = found.astype(float)
    except (TypeError, ValueError):
        raise SoftError(f"expected numbers, got {given!r}"[:300], name) from None
    fits = len(shape) == values.ndim and all(
        want in (-1, have) for want, have in zip(shape, values.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("n" if n == -1 else str(n) for n in shape)
        raise SoftError(f"expected an array of shape ({wanted}), got {values.shape}", name)
    fine = np.abs(values) <= LARGEST_REAL
    if not fine.all():
        row = tuple(int(i) for i in np.argwhere(~fine)[0])
        what = f"at most {LARGEST_REAL:g}" if np.isfinite(values[row]) else "finite"
        raise SoftError(f"entry {row[0] if len(row) == 1 else row} is not {what}", name)
    return values


def integer_in_range(name: str, value: Any, least: int) -> int:
    """An integer from `least` to the largest of 32 bits."""
    try:
        count = operator.index(value)
    except TypeError:
        raise SoftError(f"expected an integer, got {value!r}"[:300], name) from None
    if not least <= count <= MOST_COUNT:
        bound = f"at least {least}" if count < least else f"at most {MOST_COUNT}"
        raise SoftError(f"expected {bound}, got {count}"[:300], name)
    return count


def positive_lengths(name: str, given: Any, width: int) -> np.ndarray:
    """Positive lengths (width,); a single number stands for all."""
    if np.ndim(given) == 0:
        given = [given] * width
    values = finite_array(name, given, (width,))
    if (values <= 0).any():
        raise SoftError(f"expected positive lengths, got {values.tolist()}", name)
    if values.min() < MIN_METRES or values.max() > MAX_METRES:
        raise SoftError(
            f"expected lengths from {MIN_METRES:g} to {MAX_METRES:g}, got {values.tolist()}", name
        )
    return values


def name_string(name: str, value: Any) -> str:
    """A name."""
    if not isinstance(value, str):
        raise SoftError(f"expected a name, got {value!r}"[:300], name)
    return value


def three_values(name: str, value: Any) -> list[Any]:
    """Three values; a single one stands for all."""
    values = list(value) if np.ndim(value) else [value] * 3
    if len(values) != 3:
        raise SoftError(f"expected one or three numbers, got {len(values)}", name)
    return values


def optional_length(name: str, value: Any) -> float:
    """A positive length, or 0 for none."""
    if value is None:
        return 0.0
    length = finite_number(name, value)
    if not MIN_METRES <= length <= MAX_METRES:
        raise SoftError(
            f"expected a positive length, from {MIN_METRES:g} to {MAX_METRES:g}, got {length:g}",
            name,
        )
    return length


def optional_nonnegative(name: str, value: Any, default: float) -> float:
    """A nonnegative number; the default if none is given."""
    if value is None:
        return default
    found = finite_number(name, value)
    if found < 0:
        raise SoftError(f"expected no negative number, got {found:g}", name)
    return found


def bit_mask(name: str, value: Any) -> int:
    """A nonnegative integer whose bits are flags."""
    return integer_in_range(name, value, 0)
