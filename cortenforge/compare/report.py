"""`compare MODEL`: both engines on one file, at rest and in random states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.compare.difference import (
    TOLERANCE,
    FieldDiff,
    compare_data,
    compare_model,
    difference,
    forward_fields,
    solved_fields,
    step_fields,
)
from cortenforge.compare.oracle import load_reference, mujoco_module
from cortenforge.compare.sensor_exceptions import excuse_readings
from cortenforge.compare.shared_contacts import (
    SOLVED_TOLERANCE,
    converged,
    either_rounding_dominated,
    reference_gave_up,
    step_both_from_contacts,
    zero_rounding_forces,
)
from cortenforge.compare.states import random_state
from cortenforge.enums import Disable
from cortenforge.errors import StepError
from cortenforge.notebook import Printed

if TYPE_CHECKING:
    from rich.table import Table

    from cortenforge.fields import Field
    from cortenforge.model import Data, Model

#: state that a step advances
STEP_STATE = ("qpos", "qvel", "act")

__all__ = ["Report", "Row", "forward_both", "run"]


@dataclass
class Row:
    """One field over all states: its largest error, and the difference with that error."""

    part: str  # "model", "data" (forward) or "step" (one step later)
    field: str
    error: float = 0.0
    ok: bool = True
    worst: str = ""
    times: int = 0  # comparisons made

    def add(self, diff: FieldDiff) -> None:
        self.times += 1
        if diff.error > self.error or not self.worst:
            self.error, self.worst = max(self.error, diff.error), str(diff)
        self.ok = self.ok and diff.ok


@dataclass
class Report(Printed):
    """Result of a comparison, field by field."""

    path: str
    states: int
    seed: int
    version: str
    smooth_only: bool = False
    rounded: int = 0  # states whose forces are dominated by rounding, or MuJoCo does not converge
    rows: list[Row] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows)

    @property
    def worst(self) -> Row:
        return max(self.rows, key=lambda row: row.error)

    def add(self, part: str, diffs: Iterable[FieldDiff]) -> None:
        """Merge differences into the rows, one a field."""
        known = {(row.part, row.field): row for row in self.rows}
        for diff in diffs:
            row = known.get((part, diff.name))
            if row is None:
                row = Row(part, diff.name)
                self.rows.append(row)
            row.add(diff)

    def as_dict(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "states": self.states,
            "seed": self.seed,
            "mujoco": self.version,
            "smooth_only": self.smooth_only,
            "rounded": self.rounded,
            "tolerance": TOLERANCE,
            "ok": self.ok,
            "rows": [vars(row).copy() for row in self.rows],
        }

    def table(self, *, every_field: bool = True) -> Table:
        """A rich table; with `every_field` off, only the fields that differ."""
        from rich.table import Table

        title = f"{self.path} against MuJoCo {self.version}, {self.states} states"
        table = Table(title=title, caption=self._caption())
        table.add_column("part")
        table.add_column("field")
        table.add_column("largest error", justify="right")
        table.add_column("")
        for row in self.rows:
            if every_field or not row.ok:
                mark = "[green]ok[/]" if row.ok else f"[red]differs[/] {row.worst}"
                table.add_row(row.part, row.field, f"{row.error:.1e}" if row.error else "0", mark)
        return table

    def __str__(self) -> str:
        """A summary, and a line for each field that differs."""
        head = f"{self.path} against MuJoCo {self.version}, {self.states} states: {self._caption()}"
        return "\n".join([head, *(f"  {row.part}: {row.worst}" for row in self.rows if not row.ok)])

    def _caption(self) -> str:
        good = sum(row.ok for row in self.rows)
        text = f"{good} of {len(self.rows)} fields agree to {TOLERANCE:g}"
        return f"{text}; constraints are left out" if self.smooth_only else text


def forward_both(data: Data, reference: Any, reference_data: Any, *, smooth_only: bool) -> None:
    """Evaluate both engines in their states, with fields that are computed on request."""
    mujoco = mujoco_module()
    data.forward(smooth_only=smooth_only)
    data.subtree_momentum()
    # with energy enabled, MuJoCo's energy sensor reads the previous evaluation
    reference_data.flg_energyvel = False
    mujoco.mj_forward(reference, reference_data)
    mujoco.mj_subtreeVel(reference, reference_data)
    if not smooth_only:
        data.interaction_forces()
        mujoco.mj_rnePostConstraint(reference, reference_data)


def run(path: str | Path, states: int = 4, seed: int = 0) -> Report:
    """Compare the Model and, at rest and in `states` random states, every field of Data.

    Each state is evaluated, then stepped once. Models with unsupported features are compared up to
    the smooth acceleration, and not stepped.
    """
    from cortenforge.load import load_model

    mujoco = mujoco_module()
    reference = load_reference(path)
    model = load_model(path)
    report = compare_loaded(model, reference, states, seed)
    report.path, report.version = str(path), mujoco.__version__
    return report


def compare_loaded(model: Model, reference: Any, states: int, seed: int) -> Report:
    """Compare two loaded models as `run` does."""
    mujoco = mujoco_module()
    smooth_only = bool(model.supported())
    report = Report("", states, seed, mujoco.__version__, smooth_only)
    report.add("model", compare_model(model, reference))
    if any(row.field in model.sizes and not row.ok for row in report.rows):
        return report  # states of different lengths cannot be compared
    fields = forward_fields(model, smooth_only=smooth_only)
    # without it, MuJoCo searches by an older routine that takes geoms which are apart for touching
    # ones; here there is one routine, and a warning
    reference.opt.disableflags &= ~int(Disable.NATIVECCD)
    data, reference_data = model.make_data(), mujoco.MjData(reference)
    rng = np.random.default_rng(seed)
    touching = model.constraining and not smooth_only
    with converged(model, reference) if touching else nullcontext():
        for number in range(states + 1):
            if number > 0:
                state = random_state(reference, rng)
                state.write(data)
                state.write(reference_data)
            if touching:
                compare_from_contacts(report, data, reference, reference_data, fields)
                continue
            forward_both(data, reference, reference_data, smooth_only=smooth_only)
            excuse_readings(data, reference, reference_data)
            report.add("data", compare_data(data, reference_data, fields))
            if not smooth_only:
                report.add("step", step_both(data, reference, reference_data))
    return report


def compare_from_contacts(
    report: Report, data: Data, reference: Any, reference_data: Any, fields: Sequence[Field]
) -> None:
    """Compare one step with constraints from MuJoCo's contacts: its fields and the next state."""
    start = [getattr(data, name).copy() for name in STEP_STATE]
    reference_data.flg_energyvel = False
    stopped, noticed = step_both_from_contacts(data, reference, reference_data)
    if stopped or noticed:
        report.add("step", [difference("explosion", int(stopped), int(noticed))])
        data.reset()
        mujoco_module().mj_resetData(reference, reference_data)
        return
    excuse_readings(data, reference, reference_data)
    later = [f for f in step_fields() if f.role == "state" or f not in fields]
    rounded = either_rounding_dominated(data, reference, reference_data)
    rounded = rounded or reference_gave_up(data, reference, reference_data)
    if rounded:
        report.rounded += 1
    else:
        report.add("step", compare_data(data, reference_data, later, SOLVED_TOLERANCE))
    # fields on request are computed in the state from which the step started
    for name, value in zip(STEP_STATE, start, strict=True):
        getattr(data, name)[:] = getattr(reference_data, name)[:] = value
    zero_rounding_forces(data, reference, reference_data)
    evaluate_on_request(data, reference, reference_data)
    solved = solved_fields()
    known = [f for f in fields if f.role != "state" and f.name not in solved]
    report.add("data", compare_data(data, reference_data, known))
    if not rounded:
        found = [f for f in fields if f.role != "state" and f.name in solved]
        report.add("data", compare_data(data, reference_data, found, SOLVED_TOLERANCE))


def evaluate_on_request(data: Data, reference: Any, reference_data: Any) -> None:
    """Compute the fields that both engines compute on request only."""
    mujoco = mujoco_module()
    data.subtree_momentum()
    mujoco.mj_subtreeVel(reference, reference_data)
    data.interaction_forces()
    mujoco.mj_rnePostConstraint(reference, reference_data)


def step_both(data: Data, reference: Any, reference_data: Any) -> list[FieldDiff]:
    """Step both engines. Both have to detect an unstable state; then both are reset."""
    mujoco = mujoco_module()
    stopped = False
    try:
        data.step()
    except StepError:
        stopped = True
    mujoco.mj_step(reference, reference_data)
    noticed = any(reference_data.warning[int(kind)].number for kind in _explosions(mujoco))
    if not stopped and not noticed:
        excuse_readings(data, reference, reference_data)
        return compare_data(data, reference_data, step_fields())
    data.reset()
    mujoco.mj_resetData(reference, reference_data)
    return [difference("explosion", int(stopped), int(noticed))]


def _explosions(mujoco: Any) -> tuple[Any, ...]:
    """MuJoCo's warnings of unstable states, after which it resets."""
    kinds = mujoco.mjtWarning
    return kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC
