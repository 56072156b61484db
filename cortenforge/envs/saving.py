"""States of vector environments: all that the next steps of their worlds follow from."""

from __future__ import annotations

from typing import Any

import numpy as np

from cortenforge.envs.array_runner import ArrayRunner
from cortenforge.envs.vector import VectorEnvironment
from cortenforge.errors import ArgumentError

#: arrays that an environment keeps beside its worlds
KEPT = ("_elapsed", "_over", "_last")


def saved_worlds(envs: VectorEnvironment) -> dict[str, Any]:
    """What `restore_worlds` takes: states, arrays of the task and generators of all worlds.

    Parameters in which models of worlds differ follow from the `seed` that the environment was made
    with, and are not among them. Raises ArgumentError for tasks that are written as kernels.
    """
    generators = [None if one is None else one.bit_generator.state for one in envs._generators]
    return {
        "states": envs.batch.get_states(),
        "arrays": {name: np.copy(array) for name, array in runner_of(envs).arrays.known.items()},
        "generators": generators,
        "seeds": list(envs._seeds),
        "kept": {name: np.copy(getattr(envs, name)) for name in KEPT if hasattr(envs, name)},
        "begun": envs._begun,
    }


def restore_worlds(envs: VectorEnvironment, saved: dict[str, Any]) -> None:
    """Let worlds be what they were when they were saved, in an environment that was made alike."""
    arrays = runner_of(envs).arrays
    envs.batch.set_states(saved["states"])
    for name, values in saved["arrays"].items():
        if name == "action":
            arrays.known[name] = values
        else:
            arrays.find(name)[...] = values
    for world, state in enumerate(saved["generators"]):
        envs._generators[world] = None if state is None else generator_of(state)
    envs._seeds[:] = saved["seeds"]
    for name, values in saved["kept"].items():
        setattr(envs, name, values.copy())
    envs._begun = saved["begun"]


def generator_of(state: dict[str, Any]) -> np.random.Generator:
    """A generator that goes on where another one was."""
    bits = getattr(np.random, state["bit_generator"])()
    bits.state = state
    return np.random.Generator(bits)


def runner_of(envs: VectorEnvironment) -> ArrayRunner:
    """What runs the worlds of a task, if it is written with arrays."""
    if not isinstance(envs.runner, ArrayRunner):
        raise ArgumentError(
            f"{envs.runner.title}: worlds of tasks that are written as kernels cannot be saved"
        )
    return envs.runner
