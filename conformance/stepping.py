"""Every public model, as it is, runs: what it is made of, its own integrator, solver and flags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.cases import Case, load_model
from conformance.fieldwise import reason
from conformance.findings import Finding
from cortenforge.compare import load_reference, mujoco_module
from cortenforge.compare.oracle import muted_warnings
from cortenforge.enums import Integrator

__all__ = ["step_all"]


def step_all(title: str, cases: Iterable[Case], steps: int) -> Finding:
    """Steps of many models; numbers stay finite, or explode in MuJoCo as well."""
    finding = Finding(title, "models")
    for case in cases:
        try:
            model = load_model(case)
        except cf.MjcfError as error:
            finding.left_out[reason(error)] += 1
            continue
        finding.models += 1
        finding.compared += 1
        try:
            _step(model, case, steps, finding)
        except Exception as error:  # a sweep reports everything that it finds
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
    return finding


def _step(model: cf.Model, case: Case, steps: int, finding: Finding) -> None:
    """One model, from where it starts."""
    data = model.make_data()
    finding.states += 1
    try:
        data.step(steps)
    except cf.StepError as error:
        if not explodes(load_reference(case.source, case.assets), steps):
            finding.fail(f"{case.name}: {type(error).__name__}: {error}")
        finding.notes["explode, in MuJoCo as well"] += 1
        return
    if not (np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()):
        finding.fail(f"{case.name}: numbers that are not finite")
    finding.notes[Integrator(int(model.opt.integrator)).name.lower()] += 1


def explodes(reference: Any, steps: int) -> bool:
    """Whether MuJoCo starts anew on the way."""
    mujoco = mujoco_module()
    theirs, kinds = mujoco.MjData(reference), mujoco.mjtWarning
    with muted_warnings():
        mujoco.mj_step(reference, theirs, steps)
    stops = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)
    return any(theirs.warning[int(kind)].number for kind in stops)
