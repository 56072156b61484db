"""Feasible lengths of actuators: given ones, limits of joints, or a refusal."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.actuators import ON_JOINT, Actuator
from cortenforge.compile.attribute import flag, keyword
from cortenforge.enums import Transmission
from cortenforge.spec import Element


def set_length_ranges(
    actuators: list[Actuator], arrays: dict[str, np.ndarray], compiler: Element
) -> None:
    """Fill in length ranges that the compiler's settings ask for and nobody gives.

    MuJoCo pulls and pushes an actuator until its length settles; that needs joint limits in the
    dynamics, so an actuator whose range would have to be found in this way is refused.
    """
    options = next(compiler.children_of("lengthrange"), Element("lengthrange", compiler.where))
    mode = keyword(options, "mode", "muscle")
    existing = flag(options, "useexisting", default=True)
    limits = flag(options, "uselimit")
    for i, actuator in enumerate(actuators):
        if not _asks(actuator, mode):
            continue
        low, high = arrays["actuator_lengthrange"][arrays["actuator_outadr"][i]]
        if existing and low < high:
            continue
        found = _limits_of(actuator, arrays) if limits else None
        if found is None:
            raise actuator.element.error(
                "a length range that has to be found by simulation is not supported yet",
                "lengthrange",
                hint='give lengthrange="low high"',
            )
        arrays["actuator_lengthrange"][arrays["actuator_outadr"][i]] = found


def _asks(actuator: Actuator, mode: str) -> bool:
    """True when a mode of the compiler covers this type of actuator."""
    types = {actuator.form.gaintype, actuator.form.biastype}
    if mode == "muscle":
        return "muscle" in types
    if mode == "muscleuser":
        return bool(types & {"muscle", "user"})
    return mode == "all"


def _limits_of(actuator: Actuator, arrays: dict[str, np.ndarray]) -> np.ndarray | None:
    """The range of the joint or tendon, if it is limited."""
    target = actuator.trnid[0]
    if actuator.trntype in ON_JOINT:
        kind = "jnt"
    elif actuator.trntype is Transmission.TENDON:
        kind = "tendon"
    else:
        return None
    limited = bool(arrays[f"{kind}_limited"][target])
    return arrays[f"{kind}_range"][target].copy() if limited else None
