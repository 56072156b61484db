"""`python -m conformance.gpu`: public models on a GPU, against float64 on the CPU.

Every public model is translated, and its shaders are validated by wgpu, or it is refused by name.
With `--step`, the models listed in `gpu_models.txt` are stepped from five random states as well.
Results go to `out/gpu_conformance.json` as they come. A model whose shaders have not changed since
is not examined again, so the run can be stopped at any time: drivers take minutes for large
shaders.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.cases import ROOT, Case, handmade_cases, public_cases
from cortenforge.errors import CortenForgeError
from cortenforge.gpu import GpuBatchSim, GpuSimContext, UnsupportedFeature
from cortenforge.gpu.features import missing_on_gpu
from cortenforge.gpu.program import Translation
from cortenforge.step.engine import ENGINE

RESULTS = ROOT / "out" / "gpu_conformance.json"
STEPPED = Path(__file__).with_name("gpu_models.txt")
#: states that a model is stepped from: number, steps before them, size of random velocities
STATES, STEPS_BEFORE, SPEED = 5, (0, 50, 100, 150, 200), 0.3
#: what must hold: equal counts, relative acceleration of the worlds of all models, of one model
EQUAL_COUNTS, MEDIAN, PERCENTILE_99, MEDIAN_OF_MODEL = 0.99, 1e-4, 1e-2, 1e-3


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", action="store_true", help="step the listed models, too")
    parser.add_argument("--only", default="", help="models whose name contains this")
    chosen = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    context = GpuSimContext.required()
    RESULTS.parent.mkdir(exist_ok=True)
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    cases = {case.name: case for case in (*public_cases(), *handmade_cases())}
    listed = STEPPED.read_text().split()
    # those that are stepped come first: they are in the list of both
    for name in sorted(cases, key=lambda name: name not in listed):
        if chosen.only in name:
            entry = examine(context, cases[name], found.get(name, {}))
            if chosen.step and name in listed and entry["outcome"] == "validated":
                entry.setdefault("step", step_error(cases[name]))
            found[name] = entry
            print(f"{name}: {entry['outcome']} {entry.get('why', '')} {entry.get('step', '')}")
            RESULTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    return report(found, listed, stepped=chosen.step)


def examine(context: GpuSimContext, case: Case, before: dict[str, Any]) -> dict[str, Any]:
    """Whether a model is validated, refused (with the reason) or not loaded."""
    try:
        model = cf.Model.from_mjcf(case.source, case.assets)
    except CortenForgeError as error:
        return {"outcome": "not loaded", "why": type(error).__name__}
    if model.missing:
        return {"outcome": "not stepped by the CPU", "why": "; ".join(model.supported())}
    if missing := missing_on_gpu(model):
        return {"outcome": "refused", "why": "; ".join(missing)}
    begin = time.process_time()
    translation = Translation(model, ENGINE, {})
    shaders = translation.add(ENGINE.step)
    texts = translation.texts(shaders, translation.layout())
    key = hashlib.sha256("".join(text for _, text in texts).encode()).hexdigest()[:16]
    if before.get("shaders") == key:
        return before
    for name, text in texts:
        context.validate(name, text)
    return {
        "outcome": "validated",
        "shaders": key,
        "dispatches": len(shaders),
        "loops": max(shader.loops for shader in shaders),
        "bytes_per_world": 4
        * sum(translation.layout().lengths["d", real] for real in (True, False)),
        "seconds": round(time.process_time() - begin, 1),
    }


def step_error(case: Case) -> dict[str, Any]:
    """One step from a few states: equal counts, and relative errors of the accelerations."""
    model = cf.Model.from_mjcf(case.source, case.assets)
    worlds = random_worlds(model)
    try:
        batch = GpuBatchSim(model, len(worlds))
    except UnsupportedFeature as error:
        return {"refused": str(error)}
    for i, world in enumerate(worlds):
        for name, view in batch._rows.views.items():
            rounded = np.asarray(getattr(world, name)).astype(np.float32).astype(np.float64)
            view[i] = rounded
            if name != "time":
                getattr(world, name)[...] = rounded
    errors = [repr(error) for error in batch.step_all() if error is not None]
    for world in worlds:
        world.step()
    counts = np.array([[world.ncon, world.nefc] for world in worlds])
    equal = (np.stack([batch.ncon, batch.nefc], axis=1) == counts).all(axis=1)
    expected = np.array([world.qacc for world in worlds]).reshape(len(worlds), model.nv)
    size = np.maximum(1.0, np.abs(expected).max(axis=1, initial=0.0))
    relative = np.abs(batch.qacc - expected).max(axis=1, initial=0.0) / size
    return {
        "errors": errors,
        "equal": equal.tolist(),
        "qacc": [float(f"{value:.2g}") for value in relative],
        "contacts": counts[:, 0].tolist(),
    }


def random_worlds(model: cf.Model) -> list[cf.Data]:
    """Worlds after some steps from random velocities, under random controls."""
    random = np.random.default_rng(1)
    worlds = []
    for k in range(STATES):
        world = model.make_data()
        world.qvel[:] = SPEED * random.normal(size=model.nv)
        if model.nu:
            low, high = model.actuator_ctrlrange.T
            world.ctrl[:] = random.uniform(low, np.maximum(low, high))
        world.step(STEPS_BEFORE[k])
        worlds.append(world)
    return worlds


def report(found: dict[str, dict[str, Any]], listed: Sequence[str], *, stepped: bool) -> int:
    """Print how many models do what; 1 if something that must hold does not."""
    outcomes = [entry["outcome"] for entry in found.values()]
    for outcome in sorted(set(outcomes)):
        print(f"{outcome}: {outcomes.count(outcome)}")
    on_cpu = [one for one in outcomes if one in ("validated", "refused")]
    share = on_cpu.count("validated") / max(1, len(on_cpu))
    print(f"on the device: {share:.1%} of the models that the CPU steps")
    bad = share < 0.9
    done = {name: found[name]["step"] for name in listed if "step" in found.get(name, {})}
    if stepped and done:
        bad |= _report_steps(done)
    return int(bad)


def _report_steps(done: dict[str, dict[str, Any]]) -> bool:
    equal = np.concatenate([one["equal"] for one in done.values()])
    relative = np.concatenate([one["qacc"] for one in done.values()])
    medians = {name: float(np.median(one["qacc"])) for name, one in done.items()}
    worst = max(medians, key=lambda name: medians[name])
    median, high = np.median(relative), np.quantile(relative, 0.99)
    print(
        f"{len(done)} models stepped: counts equal in {equal.mean():.1%} of worlds, relative qacc "
        f"median {median:.1e}, 99th percentile {high:.1e}, worst model {worst} {medians[worst]:.1e}"
    )
    failed = [name for name, one in done.items() if one["errors"]]
    for name in failed:
        print(f"{name}: {done[name]['errors'][0]}")
    return bool(
        failed
        or equal.mean() < EQUAL_COUNTS
        or median > MEDIAN
        or high > PERCENTILE_99
        or medians[worst] > MEDIAN_OF_MODEL
    )


if __name__ == "__main__":
    sys.exit(main())
