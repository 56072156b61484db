"""Measures of muscles, for actuators of the element <hillmuscle>.

>>> import cortenforge as cf
>>> cf.muscles.PRESETS["soleus"].fmax
3549.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["PRESETS", "HillMuscle"]


@dataclass(frozen=True)
class HillMuscle:
    """What one muscle differs from another by.

    fmax:      the force of its fibres at their best length [N].
    lopt:      that length [m].
    slack:     the length of its tendon when it starts to pull [m].
    pennation: the angle between fibres and tendon at that length [rad].
    """

    fmax: float
    lopt: float
    slack: float
    pennation: float

    def attributes(self) -> dict[str, float]:
        """As attributes of an element: `spec.add_actuator("hillmuscle", **preset.attributes())`."""
        return dict(vars(self))


#: grown people: arms after Holzbaur, Murray and Delp (2005), legs after Delp et al. (1990) as
#: scaled in later models.  Biceps and triceps are their long heads, gastrocnemius both heads and
#: quadriceps all four parts taken together: forces added, measures averaged by force
PRESETS: dict[str, HillMuscle] = {
    "biceps": HillMuscle(624.0, 0.1157, 0.2723, 0.0),
    "triceps": HillMuscle(798.0, 0.134, 0.143, math.radians(12)),
    "quadriceps": HillMuscle(5699.0, 0.092, 0.176, math.radians(4.5)),
    "gastrocnemius": HillMuscle(2241.0, 0.061, 0.387, math.radians(14)),
    "soleus": HillMuscle(3549.0, 0.05, 0.25, math.radians(25)),
}
