"""Room for lists whose length only a step knows: contacts, constraint rows, entries of J.

Memory of a device does not grow by itself, so a batch is made with room for what some worlds of the
model need on the CPU, and as much again.
"""

from __future__ import annotations

import contextlib

import numpy as np

from cortenforge.errors import StepError
from cortenforge.model import Data, Model
from cortenforge.model.changes.candidates import has_candidates
from cortenforge.model.internals import store_of
from cortenforge.step.engine import Engine

#: worlds and steps of the run on the CPU, and how much more room there is than they needed
TRIAL_WORLDS, TRIAL_STEPS, MARGIN = 8, 500, 2
#: room that follows from options of the model, and is the same in every step
STEADY = frozenset({"nnearmax", "npolytopemax"})
#: size of random velocities of the trial's worlds, and share of the range of their controls
TRIAL_SPEED, TRIAL_CONTROL = 0.5, 0.5


def trial_capacities(model: Model, engine: Engine) -> dict[str, int]:
    """Capacities of a batch of this model, from a short run of some worlds on the CPU.

    World 0 starts as a new Data, the next ones from keyframes; all but it are given velocities and
    controls at random. A world that fails ends its run.
    """
    needed = dict(engine.first_capacities)
    if not model.constraining and not has_candidates(model):
        return needed
    for world in range(TRIAL_WORLDS):
        data = _trial_world(model, engine, world)
        store_of(data).growing.exactly = True
        # what a world that fails needed until then counts
        with contextlib.suppress(StepError):
            data.step(TRIAL_STEPS)
        for name, room in store_of(data).capacities.items():
            needed[name] = max(needed[name], room)
    # what nothing has asked for stays as it is
    first = engine.first_capacities
    alone = STEADY | {name for name, room in needed.items() if room == first[name]}
    return {name: room if name in alone else room * MARGIN for name, room in needed.items()}


def _trial_world(model: Model, engine: Engine, world: int) -> Data:
    data = Data(model, engine=engine)
    if 0 < world <= model.nkey:
        data.reset_to_keyframe(world - 1)
    if world > 0:
        random = np.random.default_rng(world)
        data.qvel[:] += TRIAL_SPEED * random.normal(size=model.nv)
        low, high = model.actuator_ctrlrange.T if model.nu else (np.zeros(0), np.zeros(0))
        middle, half = (low + high) / 2, (high - low) / 2
        data.ctrl[:] = middle + TRIAL_CONTROL * half * random.uniform(-1, 1, size=model.nu)
    return data
