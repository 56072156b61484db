"""Random controls, as MuJoCo's simulate makes them: a process that forgets where it was."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cortenforge.model import Model

#: a rate below this forgets at once
TINY = 1e-15


class Noise:
    """Noise that is added to controls before each step.

    scale: its standard deviation, of half the range of each control; 0 for none.
    rate:  seconds in which a control goes back to the middle of its range.
    """

    def __init__(self, model: Model, seed: int = 0) -> None:
        self.scale, self.rate = 0.0, 0.0
        self._model = model
        self._random = np.random.default_rng(seed)

    @property
    def active(self) -> bool:
        """Whether there is any."""
        return self.scale > 0.0 and self._model.nu > 0

    def add(self, controls: np.ndarray) -> None:
        """Let controls `(n, nu)` wander on for a step; those with a range stay in it."""
        model = self._model
        limited = np.asarray(model.actuator_ctrllimited).astype(bool)
        low, high = np.asarray(model.actuator_ctrlrange, float).T
        middle = np.where(limited, 0.5 * (low + high), 0.0)
        half = np.where(limited, 0.5 * (high - low), 1.0)
        kept = math.exp(-float(model.opt.timestep) / max(self.rate, TINY))
        spread = self.scale * math.sqrt(1.0 - kept * kept) * half
        made = kept * controls + (1.0 - kept) * middle
        made += spread * self._random.normal(size=controls.shape)
        controls[:] = np.where(limited, np.clip(made, low, high), made)
