"""Bundled models, and how a model is found by name or path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge import models
from cortenforge.compare import forward_fields
from cortenforge.errors import MjcfError


@pytest.mark.parametrize("name", models.names())
def test_bundled_models_can_be_stepped(name: str) -> None:
    """002-A3: from the initial state and each keyframe, steps leave finite numbers everywhere."""
    model = cf.Model.from_mjcf(models.find(name))
    assert model.supported() == []
    data = model.make_data()
    for key in (None, *range(model.nkey)):
        if key is not None:
            data.reset_to_keyframe(key)
        data.step(100)
        data.forward()
        for field in forward_fields(model):
            assert np.isfinite(getattr(data, field.name)).all(), field.name


def test_humanoid_is_the_size_of_a_person() -> None:
    """002-A1: the humanoid loads, with the joints and the mass of a person."""
    model = cf.Model.from_mjcf(models.find("humanoid_floating"))
    assert (model.nq, model.nv) == (28, 27)
    assert 40 < model.body_mass.sum() < 80


def test_a_file_comes_before_a_bundled_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pendulum").write_text("<mujoco/>")
    assert models.find("pendulum") == Path("pendulum")


@pytest.mark.parametrize("name", ["", "nosuch", "../pendulum", "models/pendulum", "*"])
def test_unknown_names_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MjcfError, match="bundled models"):
        models.find(name)
