"""The Hill muscle in terms of the general actuator, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.grammar.rule import Value
from cortenforge.muscles import PRESETS
from cortenforge.spec.element import Element

if TYPE_CHECKING:
    from cortenforge.spec.actuators.shortcuts import General

#: attributes in the order of gainprm, and of biasprm
GAINS = ("fmax", "lopt", "slack", "pennation", "vmax", "lmin", "lmax", "fvmax", "strain", "offset")
BIASES = ("fpstrain", "fibredamping")


def build_hill(element: Element, form: General) -> None:
    """Gain, bias and dynamics; what nobody gives of a muscle's measures is negative."""
    form.gaintype = form.biastype = form.dyntype = "hill"
    form.gainprm[:] = [_measure(element, name) for name in GAINS]
    form.biasprm[: len(BIASES)] = [_measure(element, name) for name in BIASES]
    times = np.asarray(element["timeconst"], float).tolist()
    form.dynprm[:3] = [*times, _measure(element, "minact")]
    # an elastic tendon has a strain beside the activation
    form.actdim = 2 if form.gainprm[GAINS.index("strain")] > 0 else 1


def _measure(element: Element, name: str) -> float:
    """What the element says itself, then its preset, then its class."""
    if element.attributes.get(name) is None:
        preset = PRESETS.get(str(element.attributes.get("preset")))
        if preset is not None and hasattr(preset, name):
            return float(getattr(preset, name))
    value = element[name]
    return -1.0 if value is None else float(value)


def hill_parameters(form: General) -> dict[str, Value]:
    """Attributes of an element from a default in general form."""
    numbers = dict(zip((*GAINS, *BIASES), (*form.gainprm, *form.biasprm), strict=False))
    # a measure below zero is one that the class does not say either
    said = {name: value for name, value in numbers.items() if name == "offset" or value >= 0}
    return {**said, "timeconst": np.array(form.dynprm[:2]), "minact": form.dynprm[2]}
