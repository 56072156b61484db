"""`python -m conformance.gpu_long`: a thousand steps of 64 worlds on a GPU, beside the CPU.

No world may fail but the one that is given nan, heights, deepest contacts and energies are on
average those of the CPU, and every run has the same bits. Takes a while on a software driver:
`--only humanoid --steps 200 --runs 2` is a part of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

import cortenforge as cf
from cortenforge.batch import BatchSim
from cortenforge.batch.worlds import Worlds
from cortenforge.enums import Enable
from cortenforge.errors import InvalidPosition
from cortenforge.gpu import GpuBatchSim

WORLDS, SPOILED = 64, 7
#: size of random velocities
SPEED = 0.2
#: how far means over worlds may be from the CPU's, in standard errors of these means, and the least
#: standard errors of a height, a depth and an energy
ALLOWED, LEAST = 4.0, np.array([1e-4, 1e-5, 1e-3])


def pile() -> cf.Model:
    """Six bodies of different shapes that fall on each other."""
    shapes = ("sphere", "capsule", "box", "ellipsoid", "cylinder", "box")
    bodies = "".join(
        f'<body pos="{0.02 * k} 0 {0.15 + 0.25 * k}"><freejoint/>'
        f'<geom type="{shape}" size="0.1 0.08 0.06"/></body>'
        for k, shape in enumerate(shapes)
    )
    return cf.Model.from_mjcf(
        '<mujoco><worldbody><geom type="plane" size="5 5 0.1"/>' + bodies + "</worldbody></mujoco>"
    )


def loaded(name: str) -> cf.Model:
    """A model by name or of a file, with its energy."""
    if name == "pile":
        model = pile()
    elif name == "humanoid":
        model = cf.load_model(cf.models.find("humanoid"))
    else:
        model = cf.load_model(name)
    model.opt.enableflags |= int(Enable.ENERGY)
    return model


def statistics(worlds: Worlds) -> np.ndarray:
    """Height of the first free body, deepest contact and energy of each world, (n, 3)."""
    count, dist = (np.asarray(getattr(worlds, name)) for name in ("ncon", "contact_dist"))
    listed = np.arange(dist.shape[1]) < count[:, None]
    depth = np.where(listed, dist, 0.0).min(axis=1, initial=0.0)
    energy = np.asarray(worlds.energy).sum(axis=1)
    return np.stack([worlds.qpos[:, 2], depth, energy], axis=1)


def cpu_statistics(worlds: BatchSim) -> np.ndarray:
    """The same of worlds on the CPU, whose contacts are lists of their own."""
    rows = []
    for i in range(worlds.n):
        data = worlds.env(i)
        data.forward()
        depth = min((contact.dist for contact in data.contact), default=0.0)
        rows.append([data.qpos[2], min(0.0, depth), float(np.sum(data.energy))])
    return np.array(rows)


def run(batch: GpuBatchSim, start: np.ndarray, steps: int) -> list[object]:
    """Step from the same states, one world of which is spoiled."""
    batch.reset_all()
    batch.set_states(start)
    batch.qpos[SPOILED, 0] = np.nan
    return list(batch.step_all(steps))


def examine(name: str, steps: int, runs: int) -> bool:
    """Whether a model does what it should; prints what was found."""
    model = loaded(name)
    batch = GpuBatchSim(model, WORLDS)
    batch.qvel[:] += SPEED * np.random.default_rng(3).normal(size=batch.qvel.shape)
    start = batch.get_states()
    reference = batch.cpu_reference()
    failed: list[object] = [error for error in reference.step_all(steps) if error is not None]
    seen = set()
    for _ in range(runs):
        errors = run(batch, start, steps)
        spoiled = errors.pop(SPOILED)
        failed += [error for error in errors if error is not None]
        assert isinstance(spoiled, InvalidPosition), spoiled
        seen.add(batch.get_states().tobytes())
    batch.forward_all()
    others = np.arange(WORLDS) != SPOILED
    found, expected = statistics(batch)[others], cpu_statistics(reference)[others]
    # worlds that have gone apart are two samples of the same motion
    errors_of_mean = np.maximum(expected.std(axis=0) / np.sqrt(WORLDS - 1), LEAST)
    off = np.abs(found.mean(axis=0) - expected.mean(axis=0)) / errors_of_mean
    print(
        f"{name}: {steps} steps of {WORLDS} worlds, {len(failed)} failures, {len(seen)} results of "
        f"{runs} runs; height, deepest contact, energy {found.mean(axis=0)}, on the CPU "
        f"{expected.mean(axis=0)}: {off.round(2)} standard errors apart",
        flush=True,
    )
    for error in failed[:3]:
        print(error)
    return not failed and len(seen) == 1 and bool((off <= ALLOWED).all())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="humanoid, pile, or a file such as that of a G1")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args(arguments)
    names = [chosen.only] if chosen.only else ["humanoid", "pile"]
    return int(not all([examine(name, chosen.steps, chosen.runs) for name in names]))


if __name__ == "__main__":
    sys.exit(main())
