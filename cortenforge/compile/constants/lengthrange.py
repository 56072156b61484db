"""Feasible lengths of actuators: given ones, limits of joints, or what a simulation finds.

What the simulation does not cover is refused here until constraints are the engine's kernels.
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.wiring.actuators import ON_JOINT, Actuator
from cortenforge.enums import EqualityType, Integrator, Transmission
from cortenforge.errors import MjcfError
from cortenforge.model.compiled import CompiledModel
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, keyword, number

SIMULATED = (EqualityType.JOINT, EqualityType.TENDON)
PUSH = {"accel": 20.0, "maxforce": 0.0, "timeconst": 1.0}
# steps of a small model; more would keep the user waiting for longer than some ten seconds
MOST_STEPS = 16_000
SMALL = 30
INTEGRATORS = (Integrator.EULER, Integrator.RK4, Integrator.IMPLICITFAST)


def set_length_ranges(actuators: list[Actuator], model: CompiledModel, compiler: Element) -> None:
    """Fill in length ranges that the compiler's settings ask for and nobody gives."""
    options = next(compiler.children_of("lengthrange"), Element("lengthrange", compiler.where))
    mode = keyword(options, "mode", "muscle")
    existing = flag(options, "useexisting", default=True)
    limits = flag(options, "uselimit")
    arrays = model.arrays
    unknown = []
    for i, actuator in enumerate(actuators):
        if not _asks(actuator, mode):
            continue
        at = int(arrays["actuator_outadr"][i])
        low, high = arrays["actuator_lengthrange"][at]
        if existing and low < high:
            continue
        found = _limits_of(actuator, arrays) if limits else None
        if found is None:
            unknown.append((at, i, actuator))
        else:
            arrays["actuator_lengthrange"][at] = found
    if unknown:
        _check_simulated(unknown[0][2], len(unknown), model, options)
    for at, i, actuator in unknown:
        arrays["actuator_lengthrange"][at] = _simulated(actuator, i, model, options)


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


def _simulated(
    actuator: Actuator, i: int, model: CompiledModel, options: Element
) -> tuple[float, float]:
    """Shortest and longest length, as the model settles when pushed to either side."""
    # the dynamics needs compiled kernels, which most models do not need to load
    from cortenforge.compile.constants.range_constraints import UnsolvedError
    from cortenforge.compile.constants.range_simulation import Pushed, UnstableError

    total, interval = number(options, "inttotal", 10.0), number(options, "interval", 2.0)
    push = [number(options, name, value) for name, value in PUSH.items()]
    world = Pushed(model, i, number(options, "timestep", 0.01))
    ends = []
    for side in (-1.0, 1.0):
        world.reset()
        seen = []
        try:
            while world.time < total:
                length = world.step(side, *push)
                if world.time > total - interval:
                    seen.append(length)
        except (UnstableError, UnsolvedError):
            raise _failed(actuator, "diverged") from None
        except np.linalg.LinAlgError:
            raise _failed(actuator, "met an inertia matrix that is singular") from None
        ends.append((min(seen, default=0.0), max(seen, default=0.0)))
    low, high = ends[0][0], ends[1][1]
    if not low < high:
        raise _failed(actuator, f"gives no range: from {low:g} to {high:g}")
    for shortest, longest in ends:
        if longest - shortest > number(options, "tolrange", 0.05) * (high - low):
            raise _failed(
                actuator,
                f"did not settle: it still moves from {shortest:g} to {longest:g}, and the range "
                f"is from {low:g} to {high:g}",
            )
    return low, high


def _failed(actuator: Actuator, what: str) -> MjcfError:
    return actuator.element.error(
        f"the simulation that looks for the range of lengths {what}",
        "lengthrange",
        hint='give lengthrange="low high", or limits to the joints; see compiler/lengthrange',
    )


def _check_simulated(first: Actuator, count: int, model: CompiledModel, options: Element) -> None:
    """Refuse what the simulation does not cover, and what would take it too long."""
    arrays = model.arrays
    held = arrays["eq_type"][arrays["eq_active0"] != 0]
    missing = None
    if not np.isin(held, SIMULATED).all():
        missing = "connected or welded bodies"
    elif Integrator(model.opt["integrator"]) not in INTEGRATORS:
        missing = f'integrator "{Integrator(model.opt["integrator"]).name.lower()}"'
    step = number(options, "timestep", 0.01)
    step = step if step > 0 else float(model.opt["timestep"])
    steps = 2 * count * number(options, "inttotal", 10.0) / max(step, 1e-15)
    if missing is None and steps * max(1.0, model.sizes["nv"] / SMALL) > MOST_STEPS:
        missing = f"{count} actuators and {steps:.0f} steps in all: it would take too long"
    if missing:
        raise first.element.error(
            f"a length range found by simulation is not supported yet with {missing}",
            "lengthrange",
            hint='give lengthrange="low high"',
        )
