"""Every example runs in a folder of its own, shows what it is about, and leaves a picture."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
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
    "lqr_cartpole": "After 6 s: cart",
    "identify_pendulum": "What is left is noise",
    "foot_forces": "Touch sensors and contacts",
    "pd_control": "A video of",
    "randomised_ants": "Observations (256, 43)",
    "batch_images": "colours (32, 160, 160, 3) uint8",
    "hundred_bodies": "100 bodies, 600 dofs",
    "urdf_robot": "4 meshes, 3 joints of a URDF",
    "cloth_on_hand": "carried, of its weight",
    "push_box": "from its goal",
    "train_sb3": "the cheetahs run",
}
#: packages that an example needs beside the engine's own
NEEDS = {"push_box": "torch", "train_sb3": "stable_baselines3"}
#: what an example prints, by its name
Said = Callable[[str], str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where examples are started, and leave what they make."""
    return tmp_path_factory.mktemp("examples")


@pytest.fixture(scope="module")
def said(folder: Path) -> Said:
    """Runs an example once, and remembers what it printed."""
    known: dict[str, str] = {}

    def ran(name: str) -> str:
        if name in NEEDS:
            pytest.importorskip(NEEDS[name], reason=f"examples/{name}.py needs {NEEDS[name]}")
        if name not in known:
            known[name] = run(name, folder)
        return known[name]

    return ran


def run(name: str, folder: Path, *arguments: str) -> str:
    """What an example prints that is started in a folder."""
    script = ROOT / "examples" / f"{name}.py"
    # tables fold their words in a narrow terminal
    wide = {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **wide}
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_are_run() -> None:
    """Scripts are what can be started; `terminal` and `picture` are what they draw with."""
    found = {file.stem for file in (ROOT / "examples").glob("*.py")}
    assert found - {"terminal", "picture"} == set(SAYS)


def test_a_page_lists_all() -> None:
    table = (ROOT / "docs" / "start" / "examples.md").read_text(encoding="utf-8")
    assert [name for name in SAYS if f"`{name}.py" not in table] == []
    assert "`tour.ipynb`" in table


@pytest.mark.parametrize("name", SAYS)
def test_example(name: str, said: Said, folder: Path) -> None:
    """It says what it is about, and its picture shows something, in the light (002-E1)."""
    assert SAYS[name] in said(name)
    file = Path("out") / f"{name}.png"
    assert f"A picture: {file}" in said(name)
    pixels = np.asarray(Image.open(folder / file).convert("L"), float)
    assert pixels.shape == (480, 640) and pixels.std() > 5 and pixels.mean() > 80


def test_examples_write_below_the_working_directory(said: Said, folder: Path) -> None:
    """Nothing appears anywhere else, and not beside the scripts."""
    said("pd_control")
    assert {file.name for file in folder.iterdir()} == {"out"}
    assert (folder / "out" / "pd_control.mp4").read_bytes()[4:8] == b"ftyp"
    assert not (ROOT / "examples" / "out").exists()


def test_the_humanoid_comes_to_lie(said: Said) -> None:
    """It falls, and in the end the floor carries its weight (002-E2)."""
    carried = float(re.search(r"carries (\S+) of it", said("humanoid"))[1])
    assert carried == pytest.approx(1.0, abs=0.02)


def numbers(text: str, row: str) -> list[float]:
    """Numbers of the last row that begins with some words."""
    line = [line for line in text.splitlines() if line.strip().startswith(row)][-1]
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?", line)]


def test_cloth_rests_on_the_ball(said: Said) -> None:
    """In the end the ball carries it, and nearly nothing moves."""
    text = said("cloth_over_sphere")
    _, speed, carried = numbers(text, "4.0 s")
    assert carried == pytest.approx(100, abs=0.5) and speed < 0.1
    assert numbers(text, "No vertex")[0] < 1e-4


def test_the_soft_ball_is_held(said: Said) -> None:
    """It is squeezed by more than a quarter, lifted by 10 cm, and slips by less than 0.1 mm."""
    text = said("soft_ball")
    (before, wide, _), (gripped, narrow, _), (lifted, _, _), (held, _, _) = (
        numbers(text, what) for what in ("waits", "grips", "lifts", "holds")
    )
    assert narrow < 0.75 * wide
    assert before < gripped and lifted - gripped == pytest.approx(100, abs=10)
    assert held == pytest.approx(lifted, abs=0.1)


def test_the_rope_turns_the_pulley(said: Said) -> None:
    """Loads rise and fall alike, and the wheel turns with them, a little faster than by Atwood's
    law, because the longer side of the rope is the heavier one."""
    _, rise, fall, turned, wanted = numbers(said("rope_over_pulley"), "0.50 s")
    assert rise == pytest.approx(-fall, abs=0.005)
    assert turned == pytest.approx((rise - fall) / 2 / 0.13, rel=0.02)
    assert 1.0 < turned / wanted < 1.06


def test_the_flag_rises_with_the_wind(said: Said) -> None:
    text = said("flag")
    below = [numbers(text, f"{speed} m/s")[1] for speed in (0, 2, 4, 8)]
    assert below == sorted(below, reverse=True) and below[0] > 2 * below[3]


def test_lqr_balances_the_pole(said: Said) -> None:
    """From 14 degrees off, within its rail, to a millimetre and a milliradian."""
    assert numbers(said("lqr_cartpole"), "The pole began")[1] < 1.9
    _, cart, pole = numbers(said("lqr_cartpole"), "After 6 s")
    assert abs(cart) < 1e-3 and abs(pole) < 1e-3


def test_the_box_is_pushed_to_its_goal(said: Said) -> None:
    """By gradients through contacts, to a centimetre and two degrees."""
    away, angle = numbers(said("push_box"), "The box is")[:2]
    assert away < 10 and angle < 2


@pytest.mark.parametrize("name", ["length", "damping"])
def test_the_pendulum_is_identified(said: Said, name: str) -> None:
    """Within three standard deviations of the truth, which are small."""
    value, sigma, true = numbers(said("identify_pendulum"), name)
    assert abs(value - true) < 3 * sigma and sigma < 0.02 * true


def test_feet_carry_the_weight(said: Said) -> None:
    """Landing is a blow; standing, feet carry the weight, and sensors agree with contacts."""
    text = said("foot_forces")
    assert numbers(text, "Dropped")[1] > 2
    assert numbers(text, "Standing")[0] == pytest.approx(1.0, abs=0.01)
    assert numbers(text, "Touch sensors")[0] < 1e-9


def test_the_robot_recovers_from_a_push(said: Said) -> None:
    before, after = numbers(said("pd_control"), "Errors")
    end, height = numbers(said("pd_control"), "0.")
    assert before < after < 0.2 and end < 1.1 * before and height > 0.25


def test_heavier_ants_fall_less(said: Said) -> None:
    """Four times as rarely with every seed that was tried (80 of 100 falls are of the lighter)."""
    _, least, most, falls = numbers(said("randomised_ants"), "256 ants")
    light, heavy = numbers(said("randomised_ants"), "the lighter half")
    assert most > 3 * least and light + heavy == falls > 50 and light > 2 * heavy


def test_the_cube_is_seen_where_it_is(said: Said) -> None:
    """The table is 1.4 m wide around it, and the camera 1.9 m away."""
    seen, worlds = numbers(said("batch_images"), "The camera sees")
    near, far = numbers(said("batch_images"), "1.")
    assert seen > 0.7 * worlds and 1.5 < near < far < 2.5


def test_all_bodies_lie_in_the_bowl(said: Said) -> None:
    inside, speed = numbers(said("hundred_bodies"), "100 of them")
    assert inside == 100 and speed < 0.2


def test_servos_hold_the_robot(said: Said) -> None:
    _, off = numbers(said("urdf_robot"), "After 3.0 s")
    assert off < 2


def test_the_hand_carries_the_cloth(said: Said) -> None:
    """At rest and while it waves, the cloth goes with the hand."""
    rows = [numbers(said("cloth_on_hand"), f"{time} s") for time in ("1.5", "2.0", "2.5", "3.5")]
    assert [row[3] for row in rows] == pytest.approx([100] * 4, abs=5)
    assert [row[1] - row[2] for row in rows] == pytest.approx([0] * 4, abs=0.03)
    assert rows[2][1] > 0.05 and rows[3][1] < -0.05
