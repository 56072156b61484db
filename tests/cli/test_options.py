"""How a run begins on the command line, warnings of it, and what shells complete."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import cortenforge as cf
from cortenforge import models
from cortenforge.cli.app import app
from cortenforge.cli.options import complete_model, starting_data
from cortenforge.cli.screen import ShownWarnings

ROOT = Path(__file__).parents[2]


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def recorded(tmp_path: Path, *words: str) -> dict[str, np.ndarray]:
    out = tmp_path / "kept.npz"
    result = run("simulate", *words, "--out", str(out))
    assert result.exit_code == 0, result.output
    with np.load(out) as kept:
        return dict(kept)


def test_options_of_a_run(tmp_path: Path) -> None:
    """Controls, integrator, step and keyframe are those of a program that sets them."""
    kept = recorded(
        tmp_path, "arm", "--keyframe", "home", "--ctrl", "0.1", "--ctrl", "elbow=0.7",
        "--integrator", "RK4", "--timestep", "0.001", "--seconds", "0.02",
    )  # fmt: skip
    model = cf.load_model(models.find("arm"))
    model.opt.timestep, model.opt.integrator = 0.001, int(cf.enums.Integrator.RK4)
    data = model.make_data()
    data.reset_to_keyframe("home")
    data.ctrl[:] = 0.1
    data.actuator("elbow").ctrl[:] = 0.7
    data.step(20)
    assert np.array_equal(kept["qpos"][-1], data.qpos) and len(kept["time"]) == 21


def test_a_keyframe_by_number(tmp_path: Path) -> None:
    one, other = (
        recorded(tmp_path, "pendulum", "--keyframe", key, "--seconds", "0.01")
        for key in ("0", "quarter")
    )
    name = cf.load_model(models.find("pendulum")).names["key"].index("quarter")
    assert name == 0 and np.array_equal(one["qpos"], other["qpos"])


def test_controls_one_each() -> None:
    model = cf.load_model(models.find("ant"))
    numbers = np.linspace(-1, 1, model.nu)
    data = starting_data(model, None, [",".join(map(str, numbers))])
    assert np.array_equal(data.ctrl, numbers)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("arm", "--ctrl", "nobody=1"), "no actuator 'nobody'"),
        (("arm", "--ctrl", "1,2"), "expected one number or 8, got 2"),
        (("arm", "--ctrl", "fast"), "expected a number, got 'fast'"),
        (("arm", "--ctrl", "elbow=nan"), "expected a number, got 'nan'"),
        (("pendulum", "--ctrl", "1"), "no controls"),
        (("arm", "--integrator", "verlet"), "expected one of euler, rk4"),
        (("arm", "--timestep", "0"), "expected a positive number"),
        (("arm", "--timestep", "nan"), "expected a finite number"),
        (("arm", "--keyframe", "7"), "the model has 1"),
    ],
)
@pytest.mark.parametrize("verb", ["simulate", "render", "view", "bench"])
def test_what_cannot_be_is_refused(
    verb: str, words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if verb == "view":
        pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    out = ("--out", "a.png") if verb == "render" else ()
    result = run(verb, *words, *out)
    assert result.exit_code == 2 and said in result.stderr, result.output


def test_bench_has_the_same_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """An integrator of our own is measured alone, and it says why."""
    pytest.importorskip("mujoco")
    result = run(
        "bench", "cartpole", "--integrator", "implicitspringdamper", "--ctrl", "0.1",
        "--seconds", "0.1",
    )  # fmt: skip
    assert result.exit_code == 0 and "MuJoCo has no integrator like" in result.stdout


def test_bench_and_compare_of_what_mujoco_refuses(tmp_path: Path) -> None:
    """No traceback: the one goes on without, the other says so."""
    pytest.importorskip("mujoco")
    (tmp_path / "robot").mkdir()
    (tmp_path / "robot" / "cube.obj").write_text(CUBE)
    file = tmp_path / "part.urdf"
    file.write_text(URDF)  # MuJoCo does not look into the package's folder
    bench = run("bench", str(file), "--seconds", "0.1")
    assert bench.exit_code == 0 and "MuJoCo cannot load this model" in bench.stdout, bench.output
    compare = run("compare", str(file))
    assert compare.exit_code == 1 and compare.stderr.splitlines()[-1].startswith("error: MuJoCo")


# ---------------------------------------------------------------------- one picture


def picture(tmp_path: Path, *words: str) -> np.ndarray:
    out = tmp_path / "one.png"
    result = run("render", *words, "--width", "64", "--height", "48", "--out", str(out))
    assert result.exit_code == 0 and result.stdout.startswith("1 picture in"), result.output
    return np.asarray(Image.open(out)).astype(int)


def test_a_picture_is_of_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a time nothing is simulated; with one, the picture is of its end."""
    words = ("pendulum", "--keyframe", "quarter")
    later = picture(tmp_path, *words, "--seconds", "0.4")
    monkeypatch.setattr(cf.Data, "step", None)
    first = picture(tmp_path, *words)
    assert np.abs(first - later).max() > 30
    assert np.array_equal(first, picture(tmp_path, *words, "--seconds", "0"))


# ---------------------------------------------------------------------- warnings

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\n"
    "f 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n"
)
URDF = """<robot name="part"><link name="base"/>
<link name="a">
  <inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><mesh filename="package://robot/cube.obj"/></geometry></collision>
</link>
<joint name="swing" type="continuous"><parent link="base"/><child link="a"/></joint>
</robot>
"""


def test_a_urdf_warning_is_one_line_with_the_file(tmp_path: Path) -> None:
    """Several remarks on a file are one line, and each command prints it once."""
    file = tmp_path / "part.urdf"
    file.write_text(
        '<robot name="r"><link name="a"/><link name="b"><wheel/><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>\n'
        '<collision name="c"><geometry><sphere radius="1"/></geometry></collision>\n'
        '<collision name="c"><geometry><sphere radius="1"/></geometry></collision></link>\n'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    told = [f"warning: {file}: not used: wheel (1, line 1); line 3: another geom is called 'c'"]
    for words in (("info",), ("simulate", "--seconds", "0.01"), ("bench", "--seconds", "0.1")):
        lines = run(words[0], str(file), *words[1:]).stderr.splitlines()
        assert [line[: len(told[0])] for line in lines] == told, words
    checked = run("validate", str(file)).stdout.splitlines()
    assert checked[0].startswith(f"{file}: warning: not used: wheel")
    assert checked[1].startswith(f"{file}:3: warning: another geom is called 'c'")


def test_warnings_are_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of steps differ in time and numbers; those of files by their text."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = ShownWarnings().show  # type: ignore[assignment]
        for time in ("0.002 s", "0.004 s", "1e-05 s"):
            warnings.warn(f"the solver stopped\n  at {time}", cf.StepWarning, stacklevel=1)
        for line in (3, 4, 3):
            warnings.warn(f"a.xml:{line}: odd", cf.MjcfWarning, stacklevel=1)
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "warning: the solver stopped; at 0.002 s",
        "warning: a.xml:3: odd",
        "warning: a.xml:4: odd",
    ]


# ---------------------------------------------------------------------- completion


def test_models_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("humming.urdf", "hum.txt", ".hidden.xml"):
        Path(name).touch()
    Path("humans").mkdir()
    assert complete_model("hum") == ["humanoid", "humanoid_floating", "humming.urdf", "humans/"]
    Path("humans/adult.xml").touch()
    assert complete_model("humans/") == ["humans/adult.xml"]
    assert complete_model("nowhere/x") == []
    assert complete_model("") == [*models.names(), "humming.urdf", "humans/"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("cortenforge simul", "simulate"),
        ("cortenforge simulate cartp", "cartpole"),
        ("cortenforge simulate cartpole --integrator rk", "rk4"),
    ],
)
def test_a_shell_is_answered(typed: str, offered: str, tmp_path: Path) -> None:
    """What Bash asks the installed command."""
    environment = {
        **os.environ, "PYTHONPATH": str(ROOT), "_CORTENFORGE_COMPLETE": "complete_bash",
        "COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1),
    }  # fmt: skip
    program = "import sys; sys.argv[0] = 'cortenforge'; import cortenforge_command as c; c.main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.split() == [offered], done.stderr


def test_completion_can_be_installed() -> None:
    assert "--install-completion" in run("--help").stdout
