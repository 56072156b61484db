"""The PID controller of the plugin `mujoco.pid` in terms of the general actuator."""

from __future__ import annotations

import numpy as np

from cortenforge.actuators import Gain
from cortenforge.grammar.rule import Value
from cortenforge.spec.actuators.general import GeneralActuator
from cortenforge.spec.element import Element

#: keys of the plugin's configuration, in the order of gainprm
PID_KEYS = Gain.PIDPLUGIN.parameters


def build_pid_plugin(element: Element, form: GeneralActuator) -> None:
    """Set gains and limits; -1 for limits that are not given."""
    form.dyntype = str(element["dyntype"])
    form.gainprm[: len(PID_KEYS)] = [_optional_number(element, key) for key in PID_KEYS]
    form.dynprm = np.asarray(element["dynprm"], float).tolist()
    form.actlimited = str(element["actlimited"])
    form.actdim, form.actearly = int(str(element["actdim"])), bool(element["actearly"])


def _optional_number(element: Element, name: str) -> float:
    value = element[name]
    return -1.0 if value is None else float(value)


def pid_plugin_parameters(form: GeneralActuator) -> dict[str, Value]:
    """Attributes of an element from a default in general form."""
    found: dict[str, Value] = dict(zip(PID_KEYS, form.gainprm, strict=False))
    for name, limit in zip(PID_KEYS[3:], form.gainprm[3:], strict=False):
        if limit < 0:
            del found[name]
    return found
