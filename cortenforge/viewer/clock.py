"""Simulated time due: target speed, pause, and the real-time factor that is reached."""

from __future__ import annotations

import math
from collections import deque

from cortenforge.errors import ArgumentError

#: largest backlog in seconds: a computer that is too slow does not catch up with more
MAX_BACKLOG = 0.1
#: seconds over which the actual factor is measured
FACTOR_WINDOW = 1.0


class Clock:
    """Converts wall-clock time to simulated time that is due.

    speed: simulated seconds per second; `math.inf` for as fast as possible.
    """

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = 1.0
        self.paused = True
        self._last: float | None = None
        self._debt = 0.0
        self._marks: deque[tuple[float, float]] = deque()
        self.speed = speed

    @property
    def speed(self) -> float:
        """Target speed: simulated seconds per second."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        try:
            positive = value > 0.0
        except TypeError:
            positive = False
        if not positive:
            raise ArgumentError(f"speed: expected a positive number, got {value!r}")
        self._speed = float(value)
        self._debt = 0.0

    def play(self, now: float) -> None:
        """Run from time `now` on."""
        if self.paused:
            self.paused = False
            self.restart(now)

    def pause(self) -> None:
        """Stop."""
        self.paused = True
        self._marks.clear()

    def restart(self, now: float) -> None:
        """Drop the backlog, and measure from `now` on."""
        self._last, self._debt = now, 0.0
        self._marks.clear()

    def due_seconds(self, now: float) -> float:
        """Simulated seconds due by now."""
        if self.paused or self._last is None:
            return 0.0
        passed, self._last = max(now - self._last, 0.0), now
        if math.isinf(self._speed):
            return math.inf
        self._debt = min(self._debt + passed * self._speed, MAX_BACKLOG * self._speed)
        return self._debt

    def count_simulated(self, now: float, simulated: float) -> None:
        """Count simulated seconds that were taken."""
        if not math.isinf(self._speed):
            self._debt -= simulated
        total = self._marks[-1][1] if self._marks else 0.0
        self._marks.append((now, total + simulated))
        while len(self._marks) > 2 and now - self._marks[0][0] > FACTOR_WINDOW:
            self._marks.popleft()

    @property
    def factor(self) -> float:
        """Real-time factor of the last second; 0 while paused."""
        if self.paused or len(self._marks) < 2:
            return 0.0
        (start, before), (end, after) = self._marks[0], self._marks[-1]
        return (after - before) / (end - start) if end > start else 0.0
