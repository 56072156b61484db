"""History of states that one can go back to, with a recording."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice

import numpy as np

#: memory for states in bytes, and seconds that it should last whatever the size of a state
HISTORY_BYTES, HISTORY_SECONDS = 256 * 2**20, 30.0
#: seconds of history that a page shows without a recording
RECENT_SECONDS = 60.0


@dataclass(frozen=True)
class Snapshot:
    """A state, its time, and how many steps led to it."""

    time: float
    state: np.ndarray
    steps: int = 0


class StateHistory:
    """States of the last frames, a queue of limited memory: the oldest are dropped.

    A recording ends when its first snapshot would be dropped.
    """

    def __init__(self, room: int = HISTORY_BYTES) -> None:
        self.room = room
        self._moments: deque[Snapshot] = deque()
        self._bytes = 0
        self._forgotten = 0  # snapshots dropped so far, so that numbers of others stay the same
        self._first: int | None = None
        self._last: int | None = None

    def __len__(self) -> int:
        return len(self._moments)

    def __getitem__(self, i: int) -> Snapshot:
        return self._moments[i]

    @property
    def recording(self) -> bool:
        """Whether a recording runs."""
        return self._first is not None and self._last is None

    @property
    def recorded(self) -> bool:
        """Whether there is a recording, running or ended."""
        return self._first is not None

    def add(self, time: float, state: np.ndarray, steps: int = 0) -> None:
        """Append a copy of a state."""
        kept = np.array(state)
        self._moments.append(Snapshot(time, kept, steps))
        self._bytes += kept.nbytes
        while self._bytes > self.room and len(self._moments) > 1:
            if self.recording and self._first == self._forgotten:
                self.stop_recording()
            self._bytes -= self._moments.popleft().state.nbytes
            self._forgotten += 1

    @property
    def interval(self) -> float:
        """Least seconds between snapshots, so that memory lasts; 0 while recording."""
        if self.recording or not self._moments:
            return 0.0
        return HISTORY_SECONDS * self._moments[-1].state.nbytes / self.room

    def drop_after(self, i: int) -> None:
        """Drop the snapshots after number i."""
        while len(self._moments) > i + 1:
            self._bytes -= self._moments.pop().state.nbytes

    def clear(self) -> None:
        """Drop all snapshots and the recording."""
        self._moments.clear()
        self._bytes = self._forgotten = 0
        self._first = self._last = None

    def start_recording(self) -> None:
        """Start a recording."""
        self._first, self._last = self._forgotten + len(self._moments), None

    def stop_recording(self) -> None:
        """End the recording."""
        if self.recording:
            self._last = self._forgotten + len(self._moments)

    def clip(self) -> list[Snapshot]:
        """Snapshots of the recording that are still there; without one, of the last minute."""
        end = self._forgotten + len(self._moments)
        if self._first is None:
            return self._recent()
        first = max(self._first, self._forgotten)
        last = end if self._last is None else min(self._last, end)
        found = list(islice(self._moments, first - self._forgotten, last - self._forgotten))
        return found or self._recent()

    def _recent(self) -> list[Snapshot]:
        """The newest snapshots, back to a minute ago or to a reset."""
        kept: list[Snapshot] = []
        for moment in reversed(self._moments):
            newer = kept[-1].time if kept else moment.time
            if moment.time > newer or (kept and kept[0].time - moment.time > RECENT_SECONDS):
                break
            kept.append(moment)
        return kept[::-1]

    def before(self, time: float) -> int:
        """Number of the newest snapshot not after a time; 0 if all are."""
        for i in reversed(range(len(self._moments))):
            if self._moments[i].time <= time:
                return i
        return 0
