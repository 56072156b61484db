"""Tasks of dm_control's suite beside dm_control's own environments, and what they need."""

from __future__ import annotations

import importlib.util
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="environments need gymnasium")

from cortenforge import envs  # noqa: E402
from cortenforge.envs.dm_suite import SUITE, base  # noqa: E402
from cortenforge.envs.dm_suite.tolerance import tolerance  # noqa: E402
from cortenforge.errors import ArgumentError, ShapeError  # noqa: E402

needs_dm_control = pytest.mark.skipif(
    importlib.util.find_spec("dm_control") is None, reason="models come with dm_control"
)
#: needs height fields that differ between worlds
REFUSED = ["quadruped-escape"]
DOMAINS = sorted({name.split("-")[0] for name in SUITE})


@needs_dm_control
@pytest.mark.slow
@pytest.mark.parametrize("domain", DOMAINS)
def test_tasks_equal_dm_control(domain: str) -> None:
    """Observations at resets and steps, and rewards, to 1e-12, for all tasks of a domain."""
    names = [name for name in SUITE if name.split("-")[0] == domain and name not in REFUSED]
    program = Path(__file__).with_name("compare_dm_suite.py")
    run = subprocess.run(
        [sys.executable, str(program), *names], capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.count(": equal") == len(names)


@needs_dm_control
def test_all_tasks_of_the_suite_are_there() -> None:
    """By the names of dm_control's own table, read from its sources."""
    found = set()
    for file in base.suite_folder().glob("*.py"):
        lines = file.read_text().splitlines()
        for line, following in itertools.pairwise(lines):
            if line.startswith("@SUITE.add"):
                found.add(f"{file.stem}-{following.split('(')[0].removeprefix('def ')}")
    assert found == set(SUITE) and len(SUITE) == 51


@needs_dm_control
def test_what_is_missing_is_refused_by_name() -> None:
    """Terrain is drawn for each world."""
    with pytest.raises(ShapeError, match="hfield_data"):
        envs.make("dm_control/quadruped-escape-v0", 3)


@needs_dm_control
@pytest.mark.parametrize("name", ["walker-run", "finger-spin"])
def test_worlds_do_not_depend_on_their_number(name: str) -> None:
    """Two worlds are stepped one by one, and nine in lockstep: the same bits."""
    few, many = (envs.make(f"dm_control/{name}-v0", n, threads=1) for n in (2, 9))
    assert np.array_equal(few.reset(seed=1)[0], many.reset(seed=1)[0][:2])
    rng = np.random.default_rng(0)
    for _ in range(20):
        actions = rng.uniform(-1, 1, many.action_space.shape)
        mine, all_of_them = few.step(actions[:2]), many.step(actions)
        for one, other in zip(mine[:4], all_of_them[:4], strict=True):
            assert np.array_equal(one, other[:2])


@needs_dm_control
@pytest.mark.parametrize("name", ["ball_in_cup-catch", "humanoid-stand", "quadruped-walk"])
def test_first_states_touch_nothing(name: str) -> None:
    """They are drawn again until that is so; the same seed gives the same states."""
    vector = envs.make(f"dm_control/{name}-v0", 12, threads=1)
    observations, _ = vector.reset(seed=5)
    assert (vector.batch.ncon == 0).all()
    again, _ = envs.make(f"dm_control/{name}-v0", 12, threads=1).reset(seed=5)
    assert np.array_equal(observations, again)
    assert len(np.unique(observations, axis=0)) == 12


def test_without_dm_control_it_says_what_to_install(monkeypatch: Any) -> None:
    """Nothing is downloaded."""
    monkeypatch.setattr(base, "PACKAGE", "no_such_package")
    with pytest.raises(ArgumentError, match="pip install dm_control"):
        envs.make("dm_control/walker-run-v0", 2)


@pytest.mark.parametrize("falloff", ["gaussian", "linear", "quadratic", "long_tail", "reciprocal"])
def test_rewards_fall_off_from_one_to_their_value_at_the_margin(falloff: str) -> None:
    """One within the bounds, 0.1 a margin outside on both sides, less beyond."""
    values = tolerance(np.array([-3.0, -1.0, 1.0, 2.0, 4.0, 6.0]), 1, 2, margin=2, falloff=falloff)
    np.testing.assert_allclose(values[[1, 2, 3, 4]], [0.1, 1, 1, 0.1], rtol=1e-12)
    assert (values[[0, 5]] < 0.1).all()
    assert np.array_equal(tolerance(np.array([0.9, 1.0, 2.1]), 1, 2), [0, 1, 0])
