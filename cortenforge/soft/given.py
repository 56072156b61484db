"""What people give, held against what it may be."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.suggest import did_you_mean


def one_of(word: str, known: list[str]) -> str:
    """A hint at what there is."""
    return did_you_mean(word, known) or f"there are: {', '.join(known)}"


def as_number(name: str, value: object) -> float:
    """A finite real number."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise SoftError(f"expected a number, got {value!r}"[:300], name)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SoftError(f"expected a number, got {value!r}"[:300], name) from None
    if not math.isfinite(number):
        raise SoftError(f"expected a finite number, got {number}", name)
    return number


def reals(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Finite numbers in an array of a shape, in which -1 is any length."""
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
    if not np.isfinite(values).all():
        row = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
        raise SoftError(f"number {row[0] if len(row) == 1 else row} is not finite", name)
    return values


def count_of(name: str, value: Any, least: int) -> int:
    """An integer that is not too small."""
    try:
        count = operator.index(value)
    except TypeError:
        raise SoftError(f"expected an integer, got {value!r}"[:300], name) from None
    if count < least:
        raise SoftError(f"expected at least {least}, got {count}", name)
    return count


def lengths_of(name: str, given: Any, width: int) -> np.ndarray:
    """Positive lengths; a single number stands for all."""
    if np.ndim(given) == 0:
        given = [given] * width
    values = reals(name, given, (width,))
    if (values <= 0).any():
        raise SoftError(f"expected positive lengths, got {values.tolist()}", name)
    return values


def text(name: str, value: Any) -> str:
    """A name."""
    if not isinstance(value, str):
        raise SoftError(f"expected a name, got {value!r}"[:300], name)
    return value


def three(name: str, value: Any) -> list[Any]:
    """Three values; a single one stands for all."""
    values = list(value) if np.ndim(value) else [value] * 3
    if len(values) != 3:
        raise SoftError(f"expected one or three numbers, got {len(values)}", name)
    return values


def length_or_none(name: str, value: Any) -> float:
    """A positive length, or 0 for none."""
    if value is None:
        return 0.0
    length = as_number(name, value)
    if length <= 0:
        raise SoftError(f"expected a positive length, got {length:g}", name)
    return length


def part(name: str, value: Any, usual: float) -> float:
    """A number that is not negative; the usual one if none is given."""
    if value is None:
        return usual
    found = as_number(name, value)
    if found < 0:
        raise SoftError(f"expected no negative number, got {found:g}", name)
    return found


def bits(name: str, value: Any) -> int:
    """Bits of an integer."""
    found = count_of(name, value, 0)
    if found >= 2**31:
        raise SoftError(f"expected at most 31 bits, got {found}", name)
    return found
