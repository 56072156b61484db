"""Policies in files: what is saved comes back, what is damaged or dangerous is refused."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest
import torch

import cortenforge as cf
from cortenforge.learning.policy import Policy, PolicyShape


def some_policy(shape: tuple[int, ...] = (7,)) -> Policy:
    torch.manual_seed(3)
    made = PolicyShape(shape, 2, (16, 16), -0.5)
    network = made.network()
    if len(shape) == 1:
        network.moments.update(torch.randn(50, *shape) * 4.0 + 1.0)
        torch.nn.init.normal_(network.actor[-1].weight)
    low, high = np.full(2, -0.5, np.float32), np.full(2, 0.25, np.float32)
    return Policy("Toy-v0", made, network, low, high, {"steps": 12, "mean_return": 3.5})


def test_saved_policies_act_as_before(tmp_path):
    policy = some_policy()
    policy.save(tmp_path / "policy.pt")
    loaded = Policy.load(tmp_path / "policy.pt")
    seen = np.random.default_rng(0).normal(size=(20, 7))
    np.testing.assert_array_equal(loaded.act(seen), policy.act(seen))
    np.testing.assert_array_equal(loaded.act(seen[3]), loaded.act(seen)[3])
    assert loaded.task == "Toy-v0" and loaded.trained == {"steps": 12, "mean_return": 3.5}


def test_actions_are_clipped_to_their_range():
    acted = some_policy().act(1e3 * np.random.default_rng(1).normal(size=(500, 7)))
    assert acted.min() == np.float32(-0.5) and acted.max() == np.float32(0.25)


@pytest.mark.parametrize("shape", [(7,), (36, 36, 3)])
def test_exported_policies_act_alike(tmp_path, shape):
    policy = some_policy(shape)
    policy.export(tmp_path / "policy.pt")
    rng = np.random.default_rng(2)
    seen = rng.normal(size=(5, *shape)).astype(np.float32)
    if len(shape) == 3:
        seen = rng.integers(0, 255, (5, *shape)).astype(np.uint8)
    exported = torch.jit.load(str(tmp_path / "policy.pt"))
    np.testing.assert_allclose(
        exported(torch.from_numpy(seen)).numpy(), policy.act(seen), atol=1e-6
    )


def test_onnx_acts_alike(tmp_path):
    pytest.importorskip("onnxscript")
    runtime = pytest.importorskip("onnxruntime")
    policy = some_policy()
    policy.export(tmp_path / "policy.onnx")
    seen = np.random.default_rng(2).normal(size=(5, 7)).astype(np.float32)
    session = runtime.InferenceSession(str(tmp_path / "policy.onnx"))
    (actions,) = session.run(["actions"], {"observations": seen})
    np.testing.assert_allclose(actions, policy.act(seen), atol=1e-6)


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(cf.PolicyError, match=r"\.onnx or \.pt"):
        some_policy().export(tmp_path / "policy.h5")


@pytest.mark.parametrize("shape", [(8,), (5, 8), (2, 5, 7)])
def test_observations_of_another_shape_are_refused(shape):
    with pytest.raises(cf.ShapeError, match=r"expected \(7,\)"):
        some_policy().act(np.zeros(shape))


class Bomb:
    """What a hostile pickle does when it is read."""

    def __reduce__(self):
        return os.mkdir, ("owned",)


def test_files_that_hold_no_policy_are_refused(tmp_path, monkeypatch):
    """Text, cut and flipped files, another program's tensors, and code: none is run."""
    monkeypatch.chdir(tmp_path)
    good = tmp_path / "good.pt"
    some_policy().save(good)
    content = good.read_bytes()
    torch.save({"weights": torch.zeros(3)}, tmp_path / "other.pt")
    torch.save({"kind": "cortenforge policy", "version": 99}, tmp_path / "newer.pt")
    torch.save({"kind": "cortenforge policy", "version": 1}, tmp_path / "empty.pt")
    torch.save({"kind": "cortenforge policy", "version": 1, "task": Bomb()}, tmp_path / "code.pt")
    (tmp_path / "text.pt").write_text("a policy")
    (tmp_path / "cut.pt").write_bytes(content[: len(content) // 2])
    (tmp_path / "pickle.pt").write_bytes(pickle.dumps(Bomb()))
    names = ["missing", "other", "newer", "empty", "code", "text", "cut", "pickle"]
    for name in names:
        with pytest.raises(cf.PolicyError, match=name):
            Policy.load(tmp_path / f"{name}.pt")
    assert not (tmp_path / "owned").exists()
