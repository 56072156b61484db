"""Tasks of a first hour that are no example: written as somebody who knows MuJoCo would guess them.

The others are in `examples/`: see test_examples.py and test_tour.py.
"""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from tests.examples.test_examples import numbers, run


def test_pd_control_of_g1(tmp_path: Path) -> None:
    folder = os.environ.get("CORTENFORGE_MENAGERIE")
    scene = Path(folder or "") / "unitree_g1" / "scene.xml"
    if not folder or not scene.is_file():
        pytest.skip("CORTENFORGE_MENAGERIE names no folder with unitree_g1")
    text = run("pd_control", tmp_path, str(scene))
    before, after = numbers(text, "Errors")
    assert before < after < 0.2 and numbers(text, "0.")[1] > 0.7
    assert (tmp_path / "out" / "pd_control.mp4").stat().st_size > 1000


def stepped(seed: int) -> bytes:
    """A state after steps from a random start, made in whichever process this is."""
    data = cf.load_model(cf.models.find("cartpole")).make_data()
    data.qpos[:] = np.random.default_rng(seed).normal(size=2)
    data.step(100)
    return np.concatenate([data.qpos, data.qvel]).tobytes()


def test_a_batch_is_saved_and_resumed(tmp_path: Path) -> None:
    """What goes on after loading has the bits of what was never stopped."""
    model = cf.load_model(cf.models.find("ant"))
    batch = cf.BatchSim(model, 10)
    batch.qvel[:] = np.random.default_rng(0).normal(size=batch.qvel.shape)
    batch.step_all(20)
    batch.save(tmp_path / "batch.npz")
    batch.step_all(30)
    again = cf.BatchSim(model, 10)
    again.load(tmp_path / "batch.npz")
    again.step_all(30)
    assert batch.get_states().tobytes() == again.get_states().tobytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str) -> None:
    """Workers give the bits of this process, after it has compiled and stepped."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    here = [stepped(seed) for seed in (0, 1)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(stepped, (0, 1)) == here


def test_pickle_and_copy() -> None:
    """Models, worlds, batches and descriptions; a copy goes its own way."""
    model = cf.load_model(cf.models.find("cartpole"))
    data, batch = model.make_data(), cf.BatchSim(model, 3)
    data.qpos[:] = 0.1, 0.2
    twins = [pickle.loads(pickle.dumps(data)), copy.copy(data), copy.deepcopy(data)]
    data.step(50)
    for twin in twins:
        assert twin.time == 0.0
        twin.step(50)
        assert (twin.qpos == data.qpos).all()
    other = pickle.loads(pickle.dumps(batch))
    other.qpos[:] = 1.0
    assert not batch.qpos.any()
    spec = pickle.loads(pickle.dumps(cf.Spec.from_mjcf(cf.models.find("cartpole"))))
    assert spec.compile().nv == copy.deepcopy(model).nv == 2
