"""Arguments that are given by name, since other libraries have them in another order."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from cortenforge.errors import ArgumentError

P = ParamSpec("P")
R = TypeVar("R")
PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def given_by_name(example: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function refuse values without a name behind those that have a place.

    example: a call as it should be, for whoever gave too many.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        rows = inspect.signature(function).parameters.values()
        most = sum(row.kind in PLACED for row in rows)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > most:
                given = ", ".join(repr(value)[:80] for value in args[most:])
                raise ArgumentError(f"{given}: sizes and modes are given by name: {example}")
            return function(*args, **kwargs)

        return checked

    return decorate
