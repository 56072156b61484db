"""The self test passes, notices what is wrong, and its numbers are MuJoCo's."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge import selftest
from cortenforge.cli import docs


def test_all_checks_pass() -> None:
    """Every check, on this machine."""
    outcomes = list(selftest.run())
    assert len(outcomes) == len(selftest.RIGID) + 4
    for outcome in outcomes:
        assert outcome.passed, outcome


def test_other_numbers_are_noticed() -> None:
    """A difference of a millionth, an array that is missing, and what is not finite."""
    found = {"qpos": np.array([1.0, 2.0])}
    assert selftest.compared("x", found, {"qpos": [1.0, 2.0]}).passed
    assert not selftest.compared("x", found, {"qpos": [1.0, 2.000003]}).passed
    assert not selftest.compared("x", found, {"qpos": [1.0]}).passed
    assert not selftest.compared("x", found, {"qpos": [1.0, 2.0], "qvel": [0.0]}).passed
    assert not selftest.compared("x", {"qpos": np.array([np.nan])}, {"qpos": [0.0]}).passed
    assert not selftest.compared("x", {"difference": np.array([1e-16])}, {"difference": [0]}).passed


@pytest.mark.oracle
@pytest.mark.parametrize("name", selftest.RIGID)
def test_numbers_are_those_of_mujoco(name: str) -> None:
    """Stored positions and velocities are what MuJoCo computes from the same start.

    Twenty steps in contact let rounding grow, to 1e-7 at the most.
    """
    mujoco = pytest.importorskip("mujoco", reason="mujoco is the reference")
    stored = json.loads(selftest.NUMBERS.read_text(encoding="utf-8"))[f"steps of {name}"]
    model = mujoco.MjModel.from_xml_path(str(cf.models.find(name)))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qvel[:] += 0.1 * np.sin(1.0 + np.arange(model.nv))
    data.ctrl[:] += 0.1
    mujoco.mj_step(model, data, selftest.STEPS)
    for field in ("qpos", "qvel"):
        expected = np.array(getattr(data, field))
        scale = max(1.0, float(np.abs(expected).max()))
        assert np.abs(np.array(stored[field]) - expected).max() < 1e-7 * scale, field


def test_docs_say_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The site of the wheel comes first; without any, the error says how to build it."""
    monkeypatch.setattr(docs, "PLACES", (tmp_path / "wheel", tmp_path / "checkout"))
    with pytest.raises(cf.CortenForgeError, match="make site"):
        docs.first_page()
    for name in ("checkout", "wheel"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("x")
        assert docs.first_page() == tmp_path / name / "index.html"
