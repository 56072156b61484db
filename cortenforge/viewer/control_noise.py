"""Control noise as in MuJoCo's simulate: an Ornstein-Uhlenbeck process for each control.

    ctrl = a ctrl + (1 - a) middle + scale half sqrt(1 - a^2) N(0, 1),    a = exp(-timestep / rate)

with the middle and half of the width of the control's range. Source: Uhlenbeck and Ornstein, On the
Theory of the Brownian Motion (Physical Review, 1930).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cortenforge.model import Model

#: a smaller rate is white noise
MIN_RATE = 1e-15


class ControlNoise:
    """Noise that is added to controls before each step.

    scale: standard deviation, over half the range of each control; 0 for none.
    rate:  correlation time in seconds.
    """

    def __init__(self, model: Model, seed: int = 0) -> None:
        self.scale, self.rate = 0.0, 0.0
        self._model = model
        self._random = np.random.default_rng(seed)

    @property
    def active(self) -> bool:
        """Whether noise is added."""
        return self.scale > 0.0 and self._model.nu > 0

    def add(self, controls: np.ndarray) -> None:
        """Advance controls `(n, nu)` by one step in place, clamped to their ranges."""
        model = self._model
        limited = np.asarray(model.actuator_ctrllimited).astype(bool)
        low, high = np.asarray(model.actuator_ctrlrange, float).T
        middle = np.where(limited, 0.5 * (low + high), 0.0)
        half = np.where(limited, 0.5 * (high - low), 1.0)
        kept = math.exp(-float(model.opt.timestep) / max(self.rate, MIN_RATE))
        spread = self.scale * math.sqrt(1.0 - kept * kept) * half
        made = kept * controls + (1.0 - kept) * middle
        made += spread * self._random.normal(size=controls.shape)
        controls[:] = np.where(limited, np.clip(made, low, high), made)
