"""MuJoCo beside the module: it takes each step of a client, from the same state and inputs.

The client sees the module alone. Whenever it steps, MuJoCo has a model from the same XML; what the
client has edited since, and its state, inputs and controls are copied there, and it takes the same
step. Positions, velocities, activations and sensor readings are compared.

Where they differ though contacts agree, both engines take the step again with solvers that go on
until nothing changes. If these steps agree, the difference is that of two solvers which stop at a
tolerance; the report has how far each of them was from the step that is solved to its end.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge.model.internals import store_of

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
#: options of a solver that goes on until nothing changes
UNTIL_THE_END = {"tolerance": 0.0, "ls_tolerance": 1e-10, "iterations": 300, "ls_iterations": 100}
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
    #: memory of the model when its edits were looked for last
    memory: np.ndarray
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
    #: steps beyond the bound which agree where both solvers go on to the end, and how far they were
    #: apart at most, and each of them from the step that is solved to the end
    unfinished: int = 0
    by_tolerance: float = 0.0
    ours_from_end: float = 0.0
    theirs_from_end: float = 0.0
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
        #: functions of the module before they were wrapped
        self.originals: dict[str, Callable[..., Any]] = {
            name: getattr(ours, name) for name in ("mj_setState", "mj_step", "mj_step1", "mj_step2")
        }

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
        return Twin(model, self.copied(m), store_of(m._native).arena.copy())

    def copied(self, m: Any) -> dict[str, np.ndarray]:
        return {name: array.copy() for name, array in float_fields(m, self.names).items()}

    def follow_edits(self, m: Any, twin: Any) -> bool:
        """Copy what the client has changed in its model; whether it has changed anything."""
        memory, changed = store_of(m._native).arena, False
        if np.array_equal(memory, twin.memory):
            return False
        twin.memory[:] = memory
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
        if beyond and self.has_reason(m, d, other, step, far):
            return
        report.beyond.update(beyond)
        report.rows = report.rows or (rows_apart(d, other[1]) if beyond else "")
        name = max(far, key=lambda name: far[name])
        if not far[name] <= report.worst:
            report.worst, report.where = far[name], f"{name} at step {report.steps}"

    def has_reason(
        self, m: Any, d: Any, other: tuple[Any, Any], step: Any, far: dict[str, float]
    ) -> bool:
        """Whether a step beyond the bound has other contacts, or solvers that stopped early."""
        report = self.report
        kinds, example = contacts_apart(m, d, other[1])
        if kinds:
            report.ties[kinds] += 1
            report.contacts = report.contacts or example
            return True
        ours, theirs = self.solved_to_the_end(m, d, other, step)
        if not farthest(ours, theirs) <= BOUND:
            return False
        report.unfinished += 1
        report.by_tolerance = max(report.by_tolerance, *far.values())
        report.ours_from_end = max(report.ours_from_end, farthest(d, theirs))
        report.theirs_from_end = max(report.theirs_from_end, farthest(other[1], theirs))
        return True

    def solved_to_the_end(
        self, m: Any, d: Any, other: tuple[Any, Any], step: Any
    ) -> tuple[Any, Any]:
        """Data of both engines after the step, taken with solvers that do not stop early."""
        found = []
        for module, model, data in ((self.ours, m, d), (self.real, *other)):
            twin = copy.copy(data)
            functions = self.originals if module is self.ours else vars(module)
            functions["mj_setState"](model, twin, self.vector, self.state)
            with options(model, UNTIL_THE_END):
                if step is self.real.mj_step2:
                    functions["mj_step1"](model, twin)
                functions[step.__name__](model, twin)
            found.append(twin)
        return found[0], found[1]


@contextmanager
def options(model: Any, values: dict[str, float]) -> Iterator[None]:
    """Set options of a model for the block."""
    before = {name: getattr(model.opt, name) for name in values}
    try:
        for name, value in values.items():
            setattr(model.opt, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(model.opt, name, value)


def farthest(mine: Any, other: Any) -> float:
    """The largest relative difference of all fields that are compared."""
    return max(relative_difference(mine, other, name) for name in COMPARED)


def relative_difference(mine: Any, other: Any, name: str) -> float:
    """The largest difference of a field, relative to its largest entry, or to one."""
    own, theirs = np.array(getattr(mine, name)), np.array(getattr(other, name))
    scale = max(1.0, float(np.abs(theirs).max(initial=0.0)))
    return float(np.abs(own - theirs).max(initial=0.0)) / scale


def contacts_apart(m: Any, d: Any, other: Any) -> tuple[str, str]:
    """Types of geoms whose contacts differ between both engines, and the first difference."""
    if d.ncon != other.ncon:
        return "number", f"{d.ncon} contacts, {other.ncon} in MuJoCo"
    mine, theirs = d.contact, other.contact
    apart = np.abs(mine.dist - theirs.dist)
    apart = np.maximum(apart, np.abs(mine.pos - theirs.pos).max(1, initial=0.0))
    turned = np.abs(mine.frame[:, :3] - theirs.frame[:, :3]).max(1, initial=0.0)
    found = np.flatnonzero(np.maximum(apart, turned) > CONTACT_BOUND)
    if not found.size:
        return "", ""
    k = found[0]
    kinds = sorted(m.geom_type[mine.geom[k]].tolist())
    return str(kinds), f"types {kinds}: {apart[k]:.1e} m apart, normals {turned[k]:.1e}"


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
