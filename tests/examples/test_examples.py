"""Every example runs, and shows what it is about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: each script, and words that it prints once all went well
SAYS = {
    "simple_pendulum": "175°",
    "double_pendulum": "e-fold",
    "n_link_pendulum": "a chain's",
    "spherical_pendulum": "spin about the vertical",
    "muscle_arm": "o triceps",
    "tendon_finger": "flexor",
    "constrained_pendulum": "a hinge",
    "mocap_ground": "sum / weight",
    "ilqr": "Both did what they were asked to",
}


def test_all_are_run() -> None:
    """Scripts are what can be started; `terminal` is what they draw with."""
    found = {file.stem for file in (ROOT / "examples").glob("*.py")}
    assert found - {"terminal"} == set(SAYS)


@pytest.mark.parametrize("name", SAYS)
def test_example(name: str) -> None:
    """The examples that the seeds list (002-E1)."""
    script = ROOT / "examples" / f"{name}.py"
    # tables fold their words in a narrow terminal
    wide = {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **wide}
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout
