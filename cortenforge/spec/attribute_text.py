"""Values of attributes as text: exact, and as short as exactness allows."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any

import numpy as np

from cortenforge.spec.element import Element


def value_text(value: Any) -> str:
    """Text that is read back as the same value: numbers, words, or lists of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return value.name.lower()
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        # the shortest digits that give the same bits; -0 keeps its sign without the point
        return repr(float(value)).removesuffix(".0")
    if isinstance(value, np.ndarray):
        return " ".join([value_text(number) for number in value.ravel().tolist()])
    if isinstance(value, Iterable) and not isinstance(value, bytes | dict | set):
        return " ".join([value_text(one) for one in value])
    raise TypeError(
        f"expected a number, a word, true or false, or a list of them, not {type(value).__name__}"
    )


def attribute_texts(element: Element) -> dict[str, str]:
    """What an element itself gives, as text."""
    return {name: value_text(value) for name, value in element.own().items()}
