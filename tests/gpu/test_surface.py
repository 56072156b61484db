"""What can be done with a BatchSim can be done with a GpuBatchSim, with the same result."""

from __future__ import annotations

import copy
import inspect
import pickle
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge import gpu as gpu_package
from cortenforge.batch import BatchSim
from cortenforge.batch.worlds import Worlds
from cortenforge.gpu import GpuBatchSim
from cortenforge.gpu.batch import CPU_ALONE
from tests.gpu.scenes import stir


def states_after(act: Callable[[Worlds], object]) -> Callable[[Worlds], np.ndarray]:
    """Positions, velocities and times once something was done to a batch."""

    def call(worlds: Worlds) -> np.ndarray:
        act(worlds)
        return np.hstack([worlds.qpos, worlds.qvel, worlds.time[:, None]])

    return call


def xpos_after_forward(worlds: Worlds) -> np.ndarray:
    """What forward_all leaves in a field that was bound."""
    worlds.bind("xpos")
    worlds.forward_all()
    return worlds.xpos


def states_of_rollout(worlds: Worlds) -> np.ndarray:
    """States along four controls."""
    controls = np.zeros((worlds.n, 4, worlds.model.nu))
    return worlds.rollout(worlds.get_states(), controls).states


def heavier(worlds: Worlds) -> object:
    """Other masses in each world, and some steps under gravity."""
    worlds.expand("body_mass", "dof_damping")
    worlds.parameters["body_mass"][:] *= np.linspace(0.5, 2.0, worlds.n)[:, None]
    worlds.parameters["dof_damping"][1] = 0.3
    return worlds.step_all(3)


def with_constants(worlds: Worlds) -> object:
    """Masses of subtrees follow from masses."""
    worlds.expand("body_mass")
    worlds.parameters["body_mass"][2, 3] = 0.2
    worlds.set_const()
    return worlds.step_all(3)


def saved_and_loaded(worlds: Worlds) -> object:
    """States and masses come back from a file."""
    worlds.randomize("body_mass", scale=(0.5, 2.0))
    with tempfile.TemporaryDirectory() as folder:
        worlds.save(Path(folder) / "worlds.npz")
        worlds.parameters["body_mass"] = 1.0
        worlds.reset_all()
        worlds.load(Path(folder) / "worlds.npz")
    return worlds.step_all(3)


#: each method of a batch, used once; what it gives must be the same on both kinds of batch
CALLS: dict[str, Callable[[Worlds], object]] = {
    "bind": xpos_after_forward,
    "forward_all": xpos_after_forward,
    "step_all": states_after(lambda worlds: worlds.step_all(3)),
    "env": lambda worlds: worlds.env(2).qpos,
    "envs": lambda worlds: [world.qpos for world in worlds.envs()],
    "get_states": lambda worlds: worlds.get_states(),
    "set_states": states_after(lambda worlds: worlds.set_states(worlds.get_states()[1])),
    "reset": states_after(lambda worlds: worlds.reset(2)),
    "reset_where": states_after(lambda worlds: worlds.reset_where([True, False, True, False])),
    "reset_all": states_after(lambda worlds: worlds.reset_all()),
    "rollout": states_of_rollout,
    "expand": states_after(heavier),
    "parameters": lambda worlds: [heavier(worlds), worlds.parameters["body_mass"]][1],
    "randomize": states_after(
        lambda worlds: [worlds.randomize("body_mass", add=(0.0, 1.0), seed=3), worlds.step_all(3)]
    ),
    "set_const": states_after(with_constants),
    "save": states_after(saved_and_loaded),
    "load": states_after(saved_and_loaded),
    "bytes_per_world": lambda worlds: worlds.bytes_per_world > 0,
}


def test_every_method_is_called():
    """10-AC6: the calls below leave out no public name of BatchSim."""
    public = {name for name in dir(BatchSim) if not name.startswith("_")}
    # noise needs a model of its own: test_noise_of_sensors; a picture is bytes: test_pictures
    assert public - CPU_ALONE.keys() == {*CALLS, "seed_noise", "render"}


@pytest.mark.parametrize("name", CPU_ALONE)
def test_what_is_missing_is_refused_by_name(name, batch):
    """10-AC6: the error says what to do instead."""
    with pytest.raises(cf.UnknownAttribute, match=f"GpuBatchSim has no '{name}': "):
        getattr(batch, name)


def test_pictures(batch):
    """10-AC6: worlds on a device are drawn as those in memory are, but for single pixels."""
    stir(batch)
    found, expected = (
        worlds.render(width=24, height=18) for worlds in (batch, batch.cpu_reference())
    )
    assert found.shape == (batch.n, 18, 24, 3)
    assert (abs(found.astype(int) - expected) > 2).mean() < 0.01


@pytest.mark.parametrize("name", CALLS)
def test_api_parity(name, batch):
    """10-AC6: what BatchSim does, GpuBatchSim does, with the same result."""
    stir(batch)
    reference = batch.cpu_reference()
    found, expected = (CALLS[name](worlds) for worlds in (batch, reference))
    np.testing.assert_allclose(found, expected, rtol=5e-6, atol=1e-6)


def test_copies_are_refused(batch):
    """Memory of a device is not pickled; the error says what to do instead."""
    for again in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(cf.GpuSimError, match="get_states, set_states"):
            again(batch)
    with pytest.raises(cf.UnknownAttribute, match="did you mean 'qpos'"):
        batch.qposs = 1


def test_ways_that_only_a_gpu_batch_has(batch):
    """10-AC6: try_new makes a batch that steps, cpu_reference a BatchSim in the same states."""
    made = GpuBatchSim.try_new(batch.model, 4)
    assert made is not None and made.step_all() == [None] * 4
    reference = made.cpu_reference()
    assert type(reference) is BatchSim and len(reference) == len(made) == 4
    np.testing.assert_array_equal(reference.get_states(), made.get_states())


def test_rollout(batch):
    """The same surface as on the CPU, and nearly the same numbers."""
    start = batch.get_states()
    controls = np.zeros((batch.n, 5, batch.model.nu))
    result = batch.rollout(start, controls, fields=["xpos"])
    reference = cf.BatchSim(batch.model, batch.n).rollout(start, controls, fields=["xpos"])
    assert result.errors == [None] * batch.n
    np.testing.assert_allclose(result.fields["xpos"], reference.fields["xpos"], atol=5e-6)
    np.testing.assert_allclose(result.states[..., 0], reference.states[..., 0], atol=1e-12)


def test_public_names_are_documented():
    """10-AC9: each class, method and property; and docs/gpu.md weighs a GPU against a CPU."""
    for name in gpu_package.__all__:
        public = getattr(gpu_package, name)
        assert inspect.getdoc(public), name
        for key in dir(public):
            member = inspect.getattr_static(public, key)
            if not key.startswith("_") and key not in dir(Exception):
                plain = getattr(member, "__func__", getattr(member, "fget", member))
                told = not callable(plain) or (plain.__doc__ or "").strip()
                assert told, f"{name}.{key} says nothing"
    page = (Path(__file__).parents[2] / "docs" / "gpu.md").read_text(encoding="utf-8")
    assert "slower than `BatchSim`" in page and "## Limits" in page
