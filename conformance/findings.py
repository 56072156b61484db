"""What a part of the sweep found that is neither fields, trajectories nor lockstep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Finding"]

#: what differs is described so often; of one wrong formula there are thousands
EXAMPLES = 20


@dataclass
class Finding:
    """Counts of one part.

    models, states: what was looked at.
    compared:       numbers, rows, runs: what `unit` says.
    worst:          the largest error of what was compared.
    left_out:       models by the reason for which they were not looked at.
    notes:          anything else worth counting.
    """

    title: str
    unit: str
    models: int = 0
    states: int = 0
    compared: int = 0
    worst: float = 0.0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    @property
    def ok(self) -> bool:
        return not self.wrong

    def fail(self, text: str) -> None:
        """Count something that is wrong."""
        self.wrong += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(text)

    def hold(self, text: str, error: float, tolerance: float) -> None:
        """Count an error, which has to be within a tolerance; a NaN is not."""
        self.compared += 1
        if error <= tolerance:
            self.worst = max(self.worst, error)
        else:
            self.fail(f"{text}: {error:.2g}")

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"ok": self.ok}
