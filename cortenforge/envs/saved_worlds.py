"""All that later steps of a vector environment depend on, as arrays and plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ShapeError, StateError

if TYPE_CHECKING:
    from cortenforge.envs.vector import VectorEnvironment

#: counted where the content changes
FORMAT = 1
#: what saved worlds have beside that
PARTS = {
    "task", "model", "states", "parameters", "fields", "own",
    "action", "observations", "elapsed", "over", "generators", "seeds",
}  # fmt: skip


def saved_worlds(envs: VectorEnvironment) -> dict[str, Any]:
    """States and parameters of the batch, fields of the task, counters, and generators."""
    batch = envs.batch
    return {
        "format": FORMAT,
        "task": envs.task.title,
        "model": batch.model.hash,
        "states": batch.get_states(),
        "parameters": {name: values.copy() for name, values in batch.parameters.items()},
        "fields": {name: getattr(batch, name).copy() for name in envs.task.fields},
        "own": {name: values.copy() for name, values in envs.runner.own.items()},
        "action": envs.runner.action.copy(),
        "observations": envs._last.copy(),
        "elapsed": envs._elapsed.copy(),
        "over": envs._over.copy(),
        "generators": [_generator_state(one) for one in envs._generators],
        "seeds": list(envs._seeds),
    }


def restore_worlds(envs: VectorEnvironment, saved: dict[str, Any]) -> None:
    """Continue from what `saved_worlds` gave; nothing changes if it does not fit."""
    batch, task = envs.batch, envs.task
    if saved.get("format") != FORMAT:
        raise StateError(f"{task.title}: format {saved.get('format')!r}, expected {FORMAT}")
    if missing := PARTS - saved.keys():
        raise StateError(f"{task.title}: the saved worlds are incomplete: no {min(missing)}")
    if saved["task"] != task.title or saved["model"] != batch.model.hash:
        raise StateError(f"{task.title}: this was saved from {saved['task']}, or another model")
    if len(saved["elapsed"]) != envs.num_envs:
        raise ShapeError(
            f"{task.title}: saved from {len(saved['elapsed'])} worlds, there are {envs.num_envs}"
        )
    generators = [_restored_generator(state) for state in saved["generators"]]
    batch.expand(*saved["parameters"])
    for name, values in saved["parameters"].items():
        batch.parameters[name][...] = values
    batch.set_states(saved["states"])
    for name, values in saved["fields"].items():
        getattr(batch, name)[...] = values
    for name, values in saved["own"].items():
        envs.runner.own[name][...] = values
    envs.runner.action = saved["action"]
    envs._elapsed[...], envs._over[...] = saved["elapsed"], saved["over"]
    envs._generators, envs._seeds = generators, list(saved["seeds"])
    envs._last = saved["observations"].astype(envs._dtype)
    envs._begun = True


def _generator_state(generator: np.random.Generator | None) -> dict[str, Any] | None:
    return None if generator is None else dict(generator.bit_generator.state)


def _restored_generator(state: Any) -> np.random.Generator | None:
    if state is None:
        return None
    bits = np.random.PCG64()
    bits.state = state
    return np.random.Generator(bits)
