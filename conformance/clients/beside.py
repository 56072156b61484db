"""MuJoCo beside the module: it takes each step of a client, from the same state and inputs.

The client sees the module alone. Whenever it steps, MuJoCo has a model from the same XML; what the
client has edited since, and its state, inputs and controls are copied there, and it takes the same
step. Positions, velocities, activations and sensor readings are compared.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

#: what is compared after each step, and the largest relative difference
COMPARED = ("qpos", "qvel", "act", "sensordata")
BOUND = 1e-8
#: contacts that differ by more are others: convex pairs with a tie, or searched to a tolerance
CONTACT_BOUND = 1e-10
#: functions that leave results in data on which a later step builds: MuJoCo calls them, too
FOLLOWED = (
    "mj_forward", "mj_step1", "mj_resetData", "mj_kinematics", "mj_comPos", "mj_fwdPosition",
    "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint",
)  # fmt: skip
#: fields of a model that no client edits, or that do not count for a step
LEFT_OUT = (
    "mesh_", "tex_", "mat_", "bvh_", "oct_", "name", "skin_", "vis", "key_", "paths",
)  # fmt: skip


def real_mujoco() -> ModuleType:
    """The installed `mujoco`, taken out of `sys.modules`, so that the module can go there."""
    import mujoco

    for name in [n for n in sys.modules if n == "mujoco" or n.startswith("mujoco.")]:
        del sys.modules[name]
    return mujoco


@dataclass
class Twin:
    """MuJoCo's model and data for those of the module, and the model as it was loaded."""

    model: Any
    loaded: dict[str, np.ndarray]
    datas: WeakKeyDictionary[Any, Any] = field(default_factory=WeakKeyDictionary)


@dataclass
class Report:
    """What the steps of a task showed."""

    steps: int = 0
    worst: float = 0.0
    where: str = ""
    #: steps beyond the bound whose contacts agree, by field
    beyond: Counter[str] = field(default_factory=Counter)
    #: steps beyond the bound whose contacts differ, by the types of geoms (mjtGeom), and an example
    ties: Counter[str] = field(default_factory=Counter)
    contacts: str = ""
    #: steps beyond the bound whose solver took another number of iterations over the same rows,
    #: and how far they were apart at most: it ends where an iteration gains less than its tolerance
    other_iterations: int = 0
    by_iterations: float = 0.0
    #: constraint rows of the first step beyond the bound for another reason
    rows: str = ""
    #: why MuJoCo could not load a model
    unloaded: list[str] = field(default_factory=list)
    skipped: int = 0


def float_fields(model: Any, names: list[str]) -> dict[str, np.ndarray]:
    """Arrays of a model that clients edit, and its options."""
    arrays = {name: getattr(model, name) for name in names}
    opt = model.opt
    options = {f"opt.{n}": np.asarray(getattr(opt, n)) for n in dir(opt) if n[0] != "_"}
    return arrays | {n: a for n, a in options.items() if a.dtype.kind in "fiub"}


class Beside:
    """Takes each step of a client with MuJoCo, too."""

    def __init__(self, real: ModuleType, ours: ModuleType) -> None:
        self.real, self.ours = real, ours
        self.report = Report()
        self.sources: WeakKeyDictionary[Any, tuple[str, tuple[Any, ...], dict[str, Any]]] = (
            WeakKeyDictionary()
        )
        self.twins: WeakKeyDictionary[Any, Twin | None] = WeakKeyDictionary()
        self.names: list[str] = []
        self.state = int(real.mjtState.mjSTATE_INTEGRATION)
        #: the state before the step that is being taken
        self.vector = np.zeros(0)
        self.attach()

    def attach(self) -> None:
        """Put wrappers in the place of the functions that load and step."""
        ours = self.ours
        for loader in ("from_xml_path", "from_xml_string"):
            setattr(ours.MjModel, loader, staticmethod(self.loading(loader)))
        step, second = ours.mj_step, ours.mj_step2

        def mj_step(m: Any, d: Any, nstep: int = 1) -> None:
            for _ in range(nstep):
                other = self.brought_up(m, d)
                step(m, d)
                self.compare(m, d, other, self.real.mj_step)

        def mj_step2(m: Any, d: Any) -> None:
            other = self.brought_up(m, d)
            second(m, d)
            self.compare(m, d, other, self.real.mj_step2)

        ours.mj_step, ours.mj_step2 = mj_step, mj_step2  # type: ignore[attr-defined]
        for name in FOLLOWED:
            setattr(ours, name, self.following(name))

    def following(self, name: str) -> Any:
        function, original = getattr(self.ours, name), getattr(self.real, name)

        def wrapper(m: Any, d: Any, *given: Any) -> None:
            other = self.brought_up(m, d)
            function(m, d, *given)
            if other is not None:
                original(*other, *given)

        return wrapper

    def loading(self, name: str) -> Any:
        load = getattr(self.ours.MjModel, name)

        def wrapper(*given: Any, **named: Any) -> Any:
            model = load(*given, **named)
            self.sources[model] = name, given, named
            # now, before the client edits it
            self.twin(model)
            return model

        return wrapper

    def twin(self, m: Any) -> Twin | None:
        """MuJoCo's model for a model, or None if it cannot load it."""
        if m not in self.twins:
            self.twins[m] = self.made_twin(m)
        return self.twins[m]

    def made_twin(self, m: Any) -> Twin | None:
        if m not in self.sources:
            return None
        name, given, named = self.sources[m]
        try:
            model = getattr(self.real.MjModel, name)(*given, **named)
        except Exception as error:
            self.report.unloaded.append(str(error).splitlines()[0][:200])
            return None
        if not self.names:
            self.names = [
                n
                for n in dir(self.real.MjModel)
                if not n.startswith(LEFT_OUT)
                and isinstance(getattr(model, n, None), np.ndarray)
                and isinstance(getattr(m, n, None), np.ndarray)
            ]
        return Twin(model, self.copied(m))

    def copied(self, m: Any) -> dict[str, np.ndarray]:
        return {name: array.copy() for name, array in float_fields(m, self.names).items()}

    def follow_edits(self, m: Any, twin: Any) -> bool:
        """Copy what the client has changed in its model; whether it has changed anything."""
        changed = False
        for name, array in float_fields(m, self.names).items():
            if np.array_equal(array, twin.loaded[name]):
                continue
            changed, twin.loaded[name] = True, array.copy()
            if name.startswith("opt."):
                value = array if array.ndim else array.item()
                setattr(twin.model.opt, name[4:], value)
            else:
                getattr(twin.model, name)[...] = array
        return changed

    def brought_up(self, m: Any, d: Any) -> tuple[Any, Any] | None:
        """MuJoCo's model and data in the state of those of the client; None if it has none."""
        twin, ours = self.twin(m), self.ours
        if twin is None or ours.mj_stateSize(m, self.state) != self.real.mj_stateSize(
            twin.model, self.state
        ):
            self.report.skipped += 1
            return None
        if d not in twin.datas:
            self.follow_edits(m, twin)
            twin.datas[d] = self.real.MjData(twin.model)
        vector = self.vector = np.zeros(ours.mj_stateSize(m, self.state))
        ours.mj_getState(m, d, vector, self.state)
        self.real.mj_setState(twin.model, twin.datas[d], vector, self.state)
        return twin.model, twin.datas[d]

    def compare(self, m: Any, d: Any, other: tuple[Any, Any] | None, step: Any) -> None:
        """Take the step with MuJoCo, and compare."""
        if other is None:
            return
        step(*other)
        report = self.report
        report.steps += 1
        far = {name: relative_difference(d, other[1], name) for name in COMPARED}
        if not max(far.values()) <= BOUND and self.follow_edits(m, self.twins[m]):
            # the client has edited its model since: from the same state again
            self.real.mj_setState(*other, self.vector, self.state)
            if step is self.real.mj_step2:
                self.real.mj_step1(*other)
            step(*other)
            far = {name: relative_difference(d, other[1], name) for name in COMPARED}
        beyond = [name for name, apart in far.items() if not apart <= BOUND]
        kinds, example = contacts_apart(m, d, other[1]) if beyond else ("", "")
        if kinds:
            report.ties[kinds] += 1
            report.contacts = report.contacts or example
            return
        if beyond and only_iterations_differ(d, other[1]):
            report.other_iterations += 1
            report.by_iterations = max(report.by_iterations, *far.values())
            return
        report.beyond.update(beyond)
        report.rows = report.rows or (rows_apart(d, other[1]) if beyond else "")
        name = max(far, key=lambda name: far[name])
        if not far[name] <= report.worst:
            report.worst, report.where = far[name], f"{name} at step {report.steps}"


def relative_difference(mine: Any, other: Any, name: str) -> float:
    """The largest difference of a field, relative to its largest entry, or to one."""
    own, theirs = np.array(getattr(mine, name)), np.array(getattr(other, name))
    scale = max(1.0, float(np.abs(theirs).max(initial=0.0)))
    return float(np.abs(own - theirs).max(initial=0.0)) / scale


def contacts_apart(m: Any, d: Any, other: Any) -> tuple[str, str]:
    """Types of geoms whose contacts differ between both engines, and the first difference."""
    if d.ncon != other.ncon:
        return "number", f"{d.ncon} contacts, {other.ncon} in MuJoCo"
    for k in range(d.ncon):
        mine, theirs = d.contact[k], other.contact[k]
        apart = max(abs(mine.dist - theirs.dist), float(np.abs(mine.pos - theirs.pos).max()))
        turned = float(np.abs(mine.frame[:3] - theirs.frame[:3]).max())
        if max(apart, turned) > CONTACT_BOUND:
            kinds = sorted(int(m.geom_type[g]) for g in (mine.geom1, mine.geom2))
            return str(kinds), f"types {kinds}: {apart:.1e} m apart, normals {turned:.1e}"
    return "", ""


def only_iterations_differ(d: Any, other: Any) -> bool:
    """Whether both solvers had the same constraint rows, and took other numbers of iterations."""
    counts = [np.asarray(one.solver_niter).max(initial=0) for one in (d, other)]
    if d.nefc != other.nefc or counts[0] == counts[1]:
        return False
    rows = ("efc_pos", "efc_aref", "efc_D", "qacc_smooth")
    return all(relative_difference(d, other, name) <= BOUND for name in rows)


def rows_apart(d: Any, other: Any) -> str:
    """Whether constraint rows differ between both engines, and how long their solvers searched."""
    if d.nefc != other.nefc:
        return f"{d.nefc} rows, {other.nefc} in MuJoCo"
    found = []
    for name in ("efc_pos", "efc_aref", "efc_D", "qacc_smooth", "efc_force", "qacc"):
        apart = relative_difference(d, other, name)
        if apart > CONTACT_BOUND:
            found.append(f"{name} {apart:.1e}")
    mine, theirs = (int(np.max(one.solver_niter)) for one in (d, other))
    return f"{d.nefc} rows, {mine} and {theirs} iterations: " + ", ".join(found)
