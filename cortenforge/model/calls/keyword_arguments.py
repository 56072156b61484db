"""Keyword-only arguments, with an error that shows a correct call.

Other libraries have width, height and mode in another order.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from cortenforge.errors import ArgumentError

P = ParamSpec("P")
R = TypeVar("R")
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def keyword_only(example: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator: too many positional arguments raise an ArgumentError that shows a correct call.

    example: the call to show.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        rows = inspect.signature(function).parameters.values()
        most = sum(row.kind in POSITIONAL for row in rows)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > most:
                given = ", ".join(repr(value)[:80] for value in args[most:])
                raise ArgumentError(f"{given}: sizes and modes are keyword-only: {example}")
            return function(*args, **kwargs)

        return checked

    return decorate
