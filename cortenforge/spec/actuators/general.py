"""The general actuator, in terms of which all others are: gain, bias, dynamics and limits."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cortenforge.actuators import Dynamics
from cortenforge.grammar.rule import Value
from cortenforge.spec.attribute import grammar_default


@dataclass
class GeneralActuator:
    """Gain, bias, dynamics and limits of an actuator, however it was written."""

    gaintype: str = grammar_default("general", "gaintype")
    biastype: str = grammar_default("general", "biastype")
    dyntype: str = grammar_default("general", "dyntype")
    gainprm: list[float] = field(
        default_factory=lambda: list(grammar_default("general", "gainprm"))
    )
    biasprm: list[float] = field(
        default_factory=lambda: list(grammar_default("general", "biasprm"))
    )
    dynprm: list[float] = field(default_factory=lambda: list(grammar_default("general", "dynprm")))
    actdim: int = grammar_default("general", "actdim")
    actearly: bool = grammar_default("general", "actearly")
    ctrlspec: int = 0
    actlimited: str = grammar_default("general", "actlimited")
    ctrllimited: str = grammar_default("general", "ctrllimited")
    forcelimited: str = grammar_default("general", "forcelimited")
    ctrlrange: tuple[float, ...] = grammar_default("general", "ctrlrange")
    forcerange: tuple[float, ...] = grammar_default("general", "forcerange")
    actrange: tuple[float, ...] = grammar_default("general", "actrange")
    inheritrange: float = grammar_default("general", "inheritrange")

    def values(self) -> dict[str, Value]:
        """As attributes of a general element."""
        result: dict[str, Value] = {}
        for name, value in vars(self).items():
            result[name] = np.array(value) if isinstance(value, list | tuple) else value
        return result


def slot_count(form: GeneralActuator, dynamics: Dynamics) -> int:
    """Number of activations that a controller of these dynamics has by its parameters."""
    return sum(getattr(form, array)[place] > 0 for _, array, place in dynamics.slots)
