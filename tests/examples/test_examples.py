"""Every example runs, and shows what it is about."""

from __future__ import annotations

import functools
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
    "cloth_over_sphere": "No vertex is deeper",
    "soft_ball": "holds",
    "rope_over_pulley": "by Atwood's law",
    "flag": "8 m/s",
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
    "cloth_over_sphere",
    "soft_ball",
    "rope_over_pulley",
    "flag",
)


def test_all_are_run() -> None:
    """Scripts are what can be started; `terminal` and `picture` are what they draw with."""
    found = {file.stem for file in (ROOT / "examples").glob("*.py")}
    assert found - {"terminal", "picture"} == set(SAYS)


@functools.cache
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
    """Pendulums, simple, double, of n links, spherical and constrained (002-E1), and others."""
    said = run(name)
    assert SAYS[name] in said and f"A picture: out/examples/{name}.png" in said
    pixels = np.asarray(Image.open(ROOT / "out" / "examples" / f"{name}.png").convert("L"), float)
    assert pixels.shape == (480, 640) and pixels.std() > 5


def test_the_humanoid_comes_to_lie() -> None:
    """It falls, and in the end the floor carries its weight (002-E2)."""
    said = run("humanoid")
    carried = float(re.search(r"carries (\S+) of it", said)[1])
    assert carried == pytest.approx(1.0, abs=0.02)


def numbers(said: str, row: str) -> list[float]:
    """Numbers of the last row that begins with some words."""
    line = [line for line in said.splitlines() if line.strip().startswith(row)][-1]
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", line)]


def test_cloth_rests_on_the_ball() -> None:
    """In the end the ball carries it, and nearly nothing moves."""
    said = run("cloth_over_sphere")
    _, speed, carried = numbers(said, "4.0 s")
    assert carried == pytest.approx(100, abs=0.5) and speed < 0.1
    assert numbers(said, "No vertex")[0] < 1e-4


def test_the_soft_ball_is_held() -> None:
    """It is squeezed by more than a quarter, lifted by 10 cm, and slips by less than 0.1 mm."""
    said = run("soft_ball")
    (before, wide, _), (gripped, narrow, _), (lifted, _, _), (held, _, _) = (
        numbers(said, what) for what in ("waits", "grips", "lifts", "holds")
    )
    assert narrow < 0.75 * wide
    assert before < gripped and lifted - gripped == pytest.approx(100, abs=10)
    assert held == pytest.approx(lifted, abs=0.1)


def test_the_rope_turns_the_pulley() -> None:
    """Loads rise and fall alike, and the wheel turns with them, a little faster than by Atwood's
    law, because the longer side of the rope is the heavier one."""
    _, rise, fall, turned, wanted = numbers(run("rope_over_pulley"), "0.50 s")
    assert rise == pytest.approx(-fall, abs=0.005)
    assert turned == pytest.approx((rise - fall) / 2 / 0.13, rel=0.02)
    assert 1.0 < turned / wanted < 1.06


def test_the_flag_rises_with_the_wind() -> None:
    said = run("flag")
    below = [numbers(said, f"{speed} m/s")[1] for speed in (0, 2, 4, 8)]
    assert below == sorted(below, reverse=True) and below[0] > 2 * below[3]
