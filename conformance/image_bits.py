"""Whether shipped images give the same bits on every kind of processor.

    python -m conformance.image_bits
    python -m conformance.image_bits --emulate aarch64 qemu-aarch64-static -L ROOT PYTHON

Trajectories of six bundled models, alone and in lanes, are hashed under each image that this
processor runs, and under code compiled for exactly this processor. `--emulate` adds an image for
another processor, run by a command that starts a Python there, which finds NumPy and the package's
other dependencies by PYTHONPATH; it steps one world for fewer steps, and alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import cortenforge as cf
from cortenforge import models
from cortenforge.kernel.load.shipped import FOLDER, targets_here

MODELS = ("humanoid", "ant", "quadruped", "arm", "cloth", "chain30")
INTEGRATORS = ("Euler", "implicit")
STEPS, WORLDS = 60, 11
#: an emulator takes some hundred times as long
EMULATED_STEPS = 10
ROOT = Path(__file__).parents[1]


def hashes(steps: int, worlds: int) -> dict[str, str]:
    """Hashes of states by model, integrator and form; without worlds, of one world alone."""
    found = {}
    for name in MODELS:
        model = cf.Model.from_mjcf(models.find(name))
        for integrator in INTEGRATORS:
            model.opt.integrator = integrator
            found[f"{name}, {integrator}"] = _alone(model, steps)
            if worlds:
                found[f"{name}, {integrator}, lanes"] = _in_lanes(model, steps, worlds)
    return found


def _alone(model: cf.Model, steps: int) -> str:
    data, rng = model.make_data(), np.random.default_rng(1)
    seen = hashlib.sha256()
    for _ in range(steps):
        data.ctrl[:] = rng.uniform(-1, 1, model.nu)
        data.step()
        seen.update(data.qpos.tobytes() + data.qvel.tobytes() + data.sensordata.tobytes())
        if model.nsoftvert:
            seen.update(data.softvert_pos.tobytes())
    return seen.hexdigest()[:16]


def _in_lanes(model: cf.Model, steps: int, worlds: int) -> str:
    batch, rng = cf.BatchSim(model, worlds), np.random.default_rng(2)
    seen = hashlib.sha256()
    for _ in range(steps):
        batch.ctrl[:] = rng.uniform(-1, 1, batch.ctrl.shape)
        batch.step_all(1)
        seen.update(batch.qpos.tobytes() + batch.qvel.tobytes())
    return seen.hexdigest()[:16]


def hashes_under(units: str, python: Sequence[str], steps: int, worlds: int) -> dict[str, str]:
    """Hashes of a process that uses the units that CORTENFORGE_UNITS names."""
    command = [*python, "-m", "conformance.image_bits", "--hash", str(steps), str(worlds)]
    environment = {**os.environ, "CORTENFORGE_UNITS": units}
    done = subprocess.run(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def shipped_here() -> list[str]:
    """Targets of images that are there and that this processor runs."""
    return [target for target in targets_here() if any((FOLDER / target).glob("*.image"))]


def compare(units: str, python: Sequence[str], steps: int, worlds: int) -> list[str]:
    """What differs between an image and code compiled for exactly this processor."""
    own = hashes_under("own", [sys.executable], steps, worlds)
    other = hashes_under(units, python, steps, worlds)
    wrong = [name for name in own | other if own.get(name) != other.get(name)]
    print(f"{units}: {len(own) - len(wrong)} of {len(own)} hashes are equal", *wrong, sep="\n  ")
    return wrong


def main() -> int:
    """Compare every image that runs here, and one that is emulated."""
    parser = argparse.ArgumentParser(prog="python -m conformance.image_bits")
    parser.add_argument("--hash", nargs=2, type=int, metavar=("STEPS", "WORLDS"))
    parser.add_argument("--emulate", nargs=argparse.REMAINDER, metavar="TARGET COMMAND")
    given = parser.parse_args()
    if given.hash:
        print(json.dumps(hashes(*given.hash)))
        return 0
    targets = shipped_here()
    if not targets and not given.emulate:
        print("there are no images: run python -m cortenforge.ship")
        return 1
    wrong = [compare(target, [sys.executable], STEPS, WORLDS) for target in targets]
    if given.emulate:
        target, *python = given.emulate
        wrong.append(compare(target, python, EMULATED_STEPS, 0))
    return int(any(wrong))


if __name__ == "__main__":
    sys.exit(main())
