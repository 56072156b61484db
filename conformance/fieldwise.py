"""Same model, same state: every field of both engines, over many models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import mujoco

import cortenforge as cf
from conformance.cases import Case, OwnShapesError, load_both, refuse_own_shapes
from cortenforge.compare import Report
from cortenforge.compare.report import compare_loaded
from cortenforge.enums import Enable, Integrator

__all__ = ["Tally", "compare_case", "reason", "sweep_fields"]


@dataclass
class Tally:
    """What one source of models gave: who agreed, who did not, who was refused."""

    title: str
    states: int
    agreed: list[str] = field(default_factory=list)
    smooth_only: list[str] = field(default_factory=list)  # agreed, without constraints
    differing: dict[str, list[str]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    fields: dict[str, float] = field(default_factory=dict)  # largest error of each field
    numbers: int = 0  # field comparisons made

    @property
    def compared(self) -> int:
        return len(self.agreed) + len(self.differing)

    @property
    def worst(self) -> tuple[str, float]:
        """Field with the largest error among the models that were compared."""
        return max(self.fields.items(), key=lambda item: item[1], default=("", 0.0))

    def add(self, name: str, report: Report) -> None:
        for row in report.rows:
            key = f"{row.part}.{row.field}"
            self.fields[key] = max(self.fields.get(key, 0.0), row.error)
            self.numbers += row.times
        if report.ok:
            self.agreed.append(name)
            if report.smooth_only:
                self.smooth_only.append(name)
        else:
            self.differing[name] = [row.worst for row in report.rows if not row.ok]

    def as_dict(self) -> dict[str, Any]:
        field_name, error = self.worst
        summary = {"compared": self.compared, "comparisons": self.numbers}
        return vars(self) | summary | {"worst_field": field_name, "worst_error": error}


def compare_case(case: Case, states: int) -> Report:
    """Load one model with both engines and compare it in random states."""
    model, reference = load_both(case)
    refuse_own_shapes(model)
    assert model.opt.integrator == reference.opt.integrator
    if "integrator" in "".join(model.supported()):
        # what does not depend on the integrator is compared all the same
        for one in (model, reference):
            one.opt.integrator = int(Integrator.EULER)
            one.opt.enableflags &= ~int(Enable.IPC)
    if "sensors of whole shapes" in "".join(model.supported()):
        without_sensors(model, reference)
    try:
        return compare_loaded(model, reference, states, case.seed)
    except mujoco.FatalError:
        # MuJoCo loads touch sensors at sites that are meshes, and stops when it evaluates them
        without_sensors(model, reference)
        return compare_loaded(model, reference, states, case.seed)


def without_sensors(model: cf.Model, reference: Any) -> None:
    """Switch sensors off in both engines, so that the rest is compared."""
    for one in (model, reference):
        one.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_SENSOR)


def sweep_fields(title: str, cases: Iterable[Case], states: int, *, foreign: bool) -> Tally:
    """Compare every model of one source.

    Foreign models may use what is not there yet: a refusal is listed with its reason. Our own
    models use what is there, so a refusal is as bad as a difference.
    """
    tally = Tally(title, states)
    for case in cases:
        try:
            report = compare_case(case, states)
        except OwnShapesError as error:
            tally.refused[case.name] = str(error)
        except Exception as error:  # a sweep reports everything that it finds
            if foreign and isinstance(error, cf.MjcfError):
                tally.refused[case.name] = reason(error)
            else:
                tally.differing[case.name] = [f"{type(error).__name__}: {error}"]
        else:
            tally.add(case.name, report)
    return tally


def reason(error: cf.MjcfError) -> str:
    """What was refused, without the place: the same reason is given by many files."""
    what = f"<{error.element}>" if error.element else "file"
    if error.attribute:
        what += f" {error.attribute}"
    return f"{what}: {error.message}"
