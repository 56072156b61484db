"""The command line: each verb does its work, and each error is one clean message."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import cortenforge as cf
from cortenforge.cli import doctor
from cortenforge.cli.app import app
from cortenforge.cli.screen import UNLIMITED_WIDTH, Screen
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.load.cache import read_note
from cortenforge.kernel.load.folder import warn_once
from cortenforge.kernel.load.link import Linker
from cortenforge.kernel.load.shipped import image_name, targets_here
from cortenforge.step.engine import ENGINE
from cortenforge.warmup import every_linker
from tests.kernel.test_compile_failures import BROKEN, broken, sound

VERBS = (
    "doctor", "info", "simulate", "render", "view", "bench", "compare", "convert", "warmup",
    "cache",
)  # fmt: skip


def invoke(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def succeed(*words: str) -> str:
    result = invoke(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(*words: str, code: int = 1) -> str:
    """Exit code and message of a command that must fail without a traceback."""
    result = invoke(*words)
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.stderr


def test_help_lists_every_verb() -> None:
    text = succeed("--help")
    for verb in VERBS:
        assert verb in text


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_explains_itself(verb: str) -> None:
    assert "Usage" in succeed(verb, "--help")


def test_version() -> None:
    from cortenforge import __version__

    assert succeed("--version").strip() == f"cortenforge {__version__}"


def test_doctor_reports_the_machine() -> None:
    text = succeed("doctor")
    for word in ("processor", "threads", "python", "numba", "cache", "kernels", "gpu"):
        assert word in text


def test_doctor_keeps_foreign_noise_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a driver says while it is asked is shown under -v only."""

    def adapters() -> list[object]:
        os.write(2, b"error: XDG_RUNTIME_DIR is invalid\n")
        limits = {"max-storage-buffer-binding-size": 128 * 2**20}
        return [SimpleNamespace(summary="a card", limits=limits)]

    wgpu = SimpleNamespace(gpu=SimpleNamespace(enumerate_adapters_sync=adapters))
    monkeypatch.setattr(doctor, "_wgpu", lambda: wgpu)
    read, write = os.pipe()
    kept = os.dup(2)
    os.dup2(write, 2)
    try:
        short, long = succeed("doctor"), succeed("doctor", "-v")
    finally:
        os.dup2(kept, 2)
        os.close(write)
        os.close(kept)
    with os.fdopen(read) as noise:
        assert noise.read() == ""
    assert "a card; 128 MiB a binding" in short
    assert "XDG_RUNTIME_DIR" not in short
    assert "XDG_RUNTIME_DIR is invalid" in long


#: linkers with so few units are compiled in seconds; `make conformance` compiles all of them
FEW_UNITS = 20


@pytest.fixture
def small_linkers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warmup and doctor know of small linkers only."""
    few = [(linker, units) for linker, units in every_linker() if len(units) < FEW_UNITS]
    assert few
    monkeypatch.setattr("cortenforge.warmup.linkers", lambda *_: few)


@pytest.mark.usefixtures("small_linkers")
@pytest.mark.parametrize("target", ["x86-64-v3", "x86-64-v4"])
def test_doctor_names_the_image(monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    """Which image is used, and how to get code for this processor where lanes would gain by it."""
    monkeypatch.setattr(Linker, "image_folder", Path("images", target))
    text = succeed("doctor")
    assert f"kernels compiled for {target}" in text
    assert ("CORTENFORGE_UNITS=own compiles" in text) == (target == "x86-64-v3")


@pytest.mark.usefixtures("small_linkers")
@pytest.mark.skipif(not targets_here(), reason="no images are made for this processor")
@pytest.mark.parametrize(
    ("units", "description", "said"),
    [
        ("own", None, "not used (CORTENFORGE_UNITS=own)"),
        ("", None, "not used (none for this processor)"),
        ("", b"nothing", "Model+Data.json was changed since it was made"),
    ],
)
def test_doctor_says_why_no_image_is_used(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    units: str,
    description: bytes | None,
    said: str,
) -> None:
    """The user's choice, a missing image, or the reason for which it is refused."""
    warn_once.cache_clear()
    linker = Linker(*ENGINE.linker.structs)
    linker.home = ENGINE.home
    monkeypatch.setattr(ENGINE, "linker", linker)
    monkeypatch.setenv("CORTENFORGE_UNITS", units)
    monkeypatch.setenv("CORTENFORGE_IMAGES", str(tmp_path))
    if description is not None:
        file = tmp_path / targets_here()[0] / f"{image_name(*linker.structs)}.json"
        file.parent.mkdir()
        file.write_bytes(description)
    assert said in succeed("doctor")


@pytest.mark.usefixtures("small_linkers")
def test_doctor_lists_compile_times() -> None:
    """With -v: seconds of each compiled unit, slowest first, and the sum of each target."""
    succeed("warmup")
    text = succeed("doctor", "-v")
    notes = [read_note(k.key(u)) for k, units in every_linker() for u in units]
    slowest = max((note for note in notes if note), key=lambda note: note.seconds)
    listed = text[text.index("compile times") :]
    assert listed.index(slowest.name) == min(listed.index(note.name) for note in notes if note)
    for target in {note.target for note in notes if note}:
        assert f"all of {target}" in listed
    assert "compile times" not in succeed("doctor")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes on Windows")
def test_doctor_refuses_a_cache_of_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache that others can write is a problem with a remedy."""
    tmp_path.chmod(0o777)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path))
    result = invoke("doctor")
    assert result.exit_code == 1
    assert result.stderr.startswith("warning: ") and "other users can write" in result.stderr
    assert f"other users can write in {tmp_path}" in result.stdout
    assert "cache: run chmod go-w" in result.stdout


def test_doctor_gives_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A cache that cannot be used is a problem with a remedy, and the exit code says so."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(blocked / "cache"))
    result = invoke("doctor")
    assert result.exit_code == 1
    assert "set CORTENFORGE_CACHE" in result.stdout


def test_info_shows_sizes_and_tree() -> None:
    text = succeed("info", "humanoid_floating")
    assert "27" in text
    assert "left_knee:hinge" in text
    assert "supported" in text


def test_info_takes_a_path(tmp_path: Path) -> None:
    file = tmp_path / "ball.xml"
    file.write_text(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    text = succeed("info", str(file))
    assert "ball.xml" in text and "can touch" in text and "by plane-sphere" in text


def test_simulate_writes_a_trajectory(tmp_path: Path) -> None:
    out = tmp_path / "swing.npz"
    text = succeed(
        "simulate", "pendulum", "--seconds", "0.5", "--keyframe", "quarter", "--out", str(out)
    )
    assert "total energy" in text
    with np.load(out, allow_pickle=False) as kept:
        assert set(kept) == {"time", "qpos", "qvel", "energy"}
        assert kept["qpos"].shape == (501, 1)
        assert kept["qpos"][0, 0] == pytest.approx(np.pi / 2)
        assert kept["time"][-1] == pytest.approx(0.5)
        total = kept["energy"].sum(axis=1)
    assert np.ptp(total) < 1e-6


def test_simulate_keeps_one_state_in_many(tmp_path: Path) -> None:
    out = tmp_path / "chain.npz"
    succeed("simulate", "chain30", "--seconds", "0.1", "--every", "10", "--out", str(out))
    with np.load(out) as kept:
        assert np.allclose(np.diff(kept["time"]), 0.02)


def test_simulate_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "fly.npz"
    text = succeed("simulate", "humanoid", "--seconds", "0.05", "--plot", "--out", str(out))
    picture = out.with_suffix(".png")
    assert str(picture) in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_plot_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A missing matplotlib is said before anything is simulated."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    out = tmp_path / "swing.npz"
    assert "pip install" in fail("simulate", "pendulum", "--plot", "--out", str(out))
    assert not out.exists()


def test_bench_without_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    text = succeed("bench", "pendulum", "--seconds", "0.1")
    assert "steps/s" in text
    assert "not installed" in text


@pytest.mark.oracle
def test_bench_with_mujoco() -> None:
    pytest.importorskip("mujoco")
    assert "times MuJoCo's speed" in succeed("bench", "pendulum", "--seconds", "0.1")


@pytest.mark.oracle
def test_bench_of_many_worlds() -> None:
    pytest.importorskip("mujoco")
    text = succeed("bench", "pendulum", "--worlds", "16", "--seconds", "0.1")
    assert "times mujoco.rollout's speed" in text and "bytes a world" in text
    assert "16 worlds, 1 thread" in text


@pytest.mark.oracle
@pytest.mark.parametrize(
    "model", ["pendulum", "double_pendulum", "chain30", "tumbling_box", "humanoid_floating"]
)
def test_bundled_models_agree_with_mujoco(model: str) -> None:
    pytest.importorskip("mujoco")
    assert "fields agree with MuJoCo" in succeed("compare", model, "--states", "2")


def test_compare_without_mujoco(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert "not installed" in fail("compare", "pendulum")


def test_convert_writes_one_file(tmp_path: Path) -> None:
    """An included part is in the written file, which compiles to the same model."""
    (tmp_path / "part.xml").write_text("<mujoco><body name='b'><geom size='.1'/></body></mujoco>")
    file, out = tmp_path / "main.xml", tmp_path / "flat.xml"
    file.write_text("<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>")
    assert "2 bodies" in succeed("convert", str(file), str(out))
    assert "include" not in out.read_text()
    assert cf.Model.from_mjcf(out).hash == cf.Model.from_mjcf(file).hash
    assert "another name" in fail("convert", str(file), str(file), code=2)
    assert "is a folder" in fail("convert", str(file), str(tmp_path), code=2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("convert", "pendulum", "out.urdf"), "URDF is read, not written"),
        (("convert", "pendulum", "out.json"), "only .xml files are written"),
        (("simulate", "pendulum", "--out", "swing.csv"), "only .npz files are written"),
        (("view", "pendulum", "--save", "page.mp4"), "only .html files are written"),
    ],
)
def test_a_name_of_another_format_is_refused(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file says by its name that it is what it is not."""
    if words[0] == "view":
        pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    assert said in fail(*words, code=2)
    assert not list(tmp_path.iterdir())


def test_urdf_is_a_model_like_others(tmp_path: Path) -> None:
    """Every verb that takes a file takes URDF; `convert` makes MJCF of it."""
    file, out = tmp_path / "arm.urdf", tmp_path / "arm.xml"
    file.write_text(
        '<robot name="arm"><link name="a"/><link name="b"><inertial><mass value="1"/><inertia'
        ' ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="swing"'
        ' type="continuous"><parent link="a"/><child link="b"/></joint></robot>'
    )
    assert "swing:hinge" in succeed("info", str(file))
    assert "51 states" in succeed("simulate", str(file), "--seconds", "0.1")
    assert "2 bodies" in succeed("convert", str(file), str(out))
    assert cf.Model.from_mjcf(out).hash == cf.Model.from_urdf(file).hash
    pytest.importorskip("mujoco")
    assert "agree" in succeed("compare", str(file))


WARMUP = """
import importlib, pkgutil
import cortenforge
from cortenforge.kernel import all_kernels
from cortenforge.warmup import every_linker
ready = {unit.name for _, units in every_linker() for unit in units}
for module in pkgutil.walk_packages(cortenforge.__path__, "cortenforge."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ImportError as error:  # of an extra that is not installed
        assert not (error.name or "").startswith("cortenforge"), error
print(*sorted({unit.name for unit in all_kernels() if unit.unit} - ready))
print(len(every_linker()))
"""


def test_warmup_knows_every_linker() -> None:
    """Whatever module of the engine has units, warmup compiles them."""
    done = subprocess.run(
        [sys.executable, "-c", WARMUP], capture_output=True, text=True, check=True
    )
    forgotten, count = done.stdout.split("\n")[:2]
    assert forgotten == ""
    assert int(count) == len(every_linker())


@pytest.mark.usefixtures("small_linkers")
def test_warmup_compiles_everything() -> None:
    """After warmup, no unit of any linker is left to compile, and doctor says so."""
    text = succeed("warmup")
    total = sum(len(units) for _, units in every_linker())
    assert text.startswith(f"{total} kernels are ready")
    for linker, units in every_linker():
        assert [unit.name for unit in units if linker.kept(unit) is None] == []
    assert f"warm, all {total} compiled" in succeed("doctor")


def test_warmup_fails_at_its_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A kernel that does not compile is an error of the command, once all others are ready."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path))
    linker = Linker(MODEL_LAYOUT, BROKEN.layout)
    monkeypatch.setattr("cortenforge.warmup.linkers", lambda: [(linker, [broken, sound])])
    assert "\nerror: 1 of 2 kernels did not compile; all others are ready\n" in fail("warmup")
    assert linker.kept(sound) is not None


# ---------------------------------------------------------------------- what is no terminal


def test_nothing_is_wrapped_or_coloured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Output that goes to a file or a pipe can be searched: one thing, one line."""
    monkeypatch.setenv("COLUMNS", "30")
    folder = tmp_path / ("a folder with a long name " * 6).strip()
    folder.mkdir()
    out = folder / "flat.xml"
    assert succeed("convert", "pendulum", str(out)).startswith(f"wrote {out}: 2 bodies, 1 joints")
    gone = folder / "gone.xml"
    assert fail("info", str(gone)).splitlines()[0].startswith(f"error: {gone}: ")
    assert f"{folder} is a folder\n" in fail("convert", "pendulum", str(folder), code=2)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(folder))
    assert f" {folder}, writable, 0.0 MB " in succeed("doctor")
    assert "Write a model as one MJCF file: includes and replicas expanded" in succeed(
        "convert", "--help"
    )
    for words in (("info", "humanoid"), ("doctor",), ("--help",), ("convert", "--help")):
        assert "\x1b" not in succeed(*words)


def test_lines_fit_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, tables are as wide as it is."""
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "xterm")
    assert Screen(file=Tty()).width == 30
    assert Screen(file=io.StringIO()).width == UNLIMITED_WIDTH


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


# ---------------------------------------------------------------------- errors


def test_unknown_model_names_the_bundled_ones() -> None:
    message = fail("info", "humanoyd")
    assert message.startswith("error: humanoyd: ")
    assert "double_pendulum" in message


def test_broken_file_is_one_clean_message(tmp_path: Path) -> None:
    file = tmp_path / "broken.xml"
    file.write_text("<mujoco>\n<worldbody>\n<bode/>\n</worldbody>\n</mujoco>")
    message = fail("info", str(file))
    assert message.startswith("error: ")
    assert "broken.xml:3" in message
    assert "bode" in message


def test_step_error_keeps_what_was_recorded(tmp_path: Path) -> None:
    """A simulation that blows up says so, and the states before it are saved."""
    file = tmp_path / "wild.xml"
    file.write_text(
        "<mujoco><option timestep='0.1'><flag contact='disable' eulerdamp='disable'/></option>"
        "<worldbody><body><joint stiffness='1e6'/><geom size='.1' pos='0 0 1' mass='1'/></body>"
        "</worldbody><keyframe><key name='push' qvel='1'/></keyframe></mujoco>"
    )
    out = tmp_path / "wild.npz"
    message = fail("simulate", str(file), "--keyframe", "push", "--out", str(out))
    assert message.startswith("error: ")
    with np.load(out) as kept:
        assert 1 < len(kept["time"]) < 101
        assert np.isfinite(kept["qpos"]).all()


@pytest.mark.parametrize(
    "words",
    [
        ("fly",),
        ("info",),
        ("info", "pendulum", "--frobnicate"),
        ("simulate", "pendulum", "--seconds", "soon"),
        ("simulate", "pendulum", "--seconds", "-1"),
        ("simulate", "pendulum", "--every", "0"),
        ("simulate", "pendulum", "--seconds", "1e15"),
        ("simulate", "pendulum", "--seconds", "nan"),
        ("simulate", "pendulum", "--seconds", "inf"),
        ("simulate", "pendulum", "--out", "no/such/folder/a.npz"),
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(words: tuple[str, ...]) -> None:
    fail(*words, code=2)


def test_unknown_keyframe() -> None:
    message = fail("simulate", "pendulum", "--keyframe", "upside", code=2)
    assert "upside" in message
    assert "inverted" in message


def test_output_is_checked_before_the_simulation(tmp_path: Path) -> None:
    assert "is a folder" in fail("simulate", "pendulum", "--out", str(tmp_path), code=2)


def test_entry_points_are_one_command() -> None:
    """`python -m cortenforge.cli` and the installed script run the same function."""
    project = tomllib.loads((Path(cf.__file__).parents[1] / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"cortenforge": "cortenforge_command:main"}
    done = subprocess.run(
        [sys.executable, "-m", "cortenforge.cli", "--version"], capture_output=True, text=True
    )
    assert done.stdout == succeed("--version")
