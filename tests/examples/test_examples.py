"""Every example runs, and shows what it is about."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
#: each script, and words that it prints once all went well
SAYS = {
    "humanoid": "of it.",
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

#: those that make a picture
DRAWN = (
    "simple_pendulum",
    "double_pendulum",
    "n_link_pendulum",
    "spherical_pendulum",
    "constrained_pendulum",
    "humanoid",
)


def test_all_are_run() -> None:
    """Scripts are what can be started; `terminal` and `picture` are what they draw with."""
    found = {file.stem for file in (ROOT / "examples").glob("*.py")}
    assert found - {"terminal", "picture"} == set(SAYS)


def run(name: str) -> str:
    """What an example prints."""
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
    return done.stdout


@pytest.mark.parametrize("name", sorted(set(SAYS) - set(DRAWN)))
def test_example(name: str) -> None:
    """The other examples: muscles, tendons, a moving ground, plans."""
    assert SAYS[name] in run(name)


@pytest.mark.parametrize("name", DRAWN)
def test_example_with_a_picture(name: str) -> None:
    """Pendulums, simple, double, of n links, spherical and constrained (002-E1), and a humanoid."""
    said = run(name)
    assert SAYS[name] in said and f"A picture: out/examples/{name}.png" in said
    pixels = np.asarray(Image.open(ROOT / "out" / "examples" / f"{name}.png").convert("L"), float)
    assert pixels.shape == (480, 640) and pixels.std() > 5


def test_the_humanoid_comes_to_lie() -> None:
    """It falls, and in the end the floor carries its weight (002-E2)."""
    said = run("humanoid")
    carried = float(re.search(r"carries (\S+) of it", said)[1])
    assert carried == pytest.approx(1.0, abs=0.02)
