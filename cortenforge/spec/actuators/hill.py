"""The Hill muscle in terms of the general actuator, and back."""

from __future__ import annotations

import numpy as np

from cortenforge.actuators import Bias, Dynamics, Gain
from cortenforge.grammar.rule import Value
from cortenforge.muscles import PRESETS
from cortenforge.spec.actuators.general import GeneralActuator, slot_count
from cortenforge.spec.element import Element

#: attributes in the order of gainprm, and of biasprm
HILL_GAINS = Gain.HILL.parameters
HILL_BIASES = Bias.HILL.parameters


def build_hill(element: Element, form: GeneralActuator) -> None:
    """Set gain, bias and dynamics; muscle parameters that are not given are -1."""
    form.gainprm[:] = [_muscle_parameter(element, name) for name in HILL_GAINS]
    form.biasprm[: len(HILL_BIASES)] = [_muscle_parameter(element, name) for name in HILL_BIASES]
    times = np.asarray(element["timeconst"], float).tolist()
    form.dynprm[:3] = [*times, _muscle_parameter(element, "minact")]
    # an elastic tendon has a strain beside the activation
    form.actdim = 1 + slot_count(form, Dynamics.HILL)


def _muscle_parameter(element: Element, name: str) -> float:
    """A muscle parameter from the element itself, its preset, or its class, in this order."""
    if element.attributes.get(name) is None:
        preset = PRESETS.get(str(element.attributes.get("preset")))
        if preset is not None and hasattr(preset, name):
            return float(getattr(preset, name))
    value = element[name]
    return -1.0 if value is None else float(value)


def hill_parameters(form: GeneralActuator) -> dict[str, Value]:
    """Attributes of an element from a default in general form."""
    numbers = dict(zip((*HILL_GAINS, *HILL_BIASES), (*form.gainprm, *form.biasprm), strict=False))
    # a measure below zero is one that the class does not say either
    given = {name: value for name, value in numbers.items() if name == "offset" or value >= 0}
    return {**given, "timeconst": np.array(form.dynprm[:2]), "minact": form.dynprm[2]}
