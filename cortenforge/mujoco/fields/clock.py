"""The clock that durations of calls are measured by."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


class Clock:
    """The computer's clock, in seconds, or one that a program sets."""

    def __init__(self) -> None:
        self.custom: Callable[[], Any] | None = None
        self.now: Callable[[], float] = time.perf_counter

    def use(self, custom: Callable[[], Any] | None) -> None:
        """Use a program's clock; None for the computer's."""
        self.custom = custom
        self.now = time.perf_counter if custom is None else self._custom_time

    def _custom_time(self) -> float:
        assert self.custom is not None
        try:
            return float(self.custom())
        except (TypeError, ValueError) as error:
            raise TypeError("mjcb_time callback did not return a number") from error


clock = Clock()
