"""The command line where streams are closed, full or without accents, and names are hostile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cortenforge.cli.app import app
from cortenforge.cli.screen import visible_text
from cortenforge.demo.__main__ import run as run_demo

ROOT = Path(__file__).parents[2]
#: a name with an accent, a C1 control that begins a sequence, an escape, and one that turns text
NAME = "é\u009b31m\u202etxt"
MODEL = f"""
<mujoco>
  <worldbody>
    <body name="{NAME}"><joint name="j{NAME}" type="hinge"/><geom name="g{NAME}" size="0.1"/></body>
  </worldbody>
  <sensor><jointpos name="{NAME}" joint="j{NAME}"/></sensor>
</mujoco>
"""
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def run(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-m", "cortenforge_command", *words], env=environment, timeout=120,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )  # fmt: skip


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "é.xml"
    path.write_text(MODEL, encoding="utf-8")
    return path


@pytest.mark.skipif(os.name != "posix", reason="descriptors are closed as POSIX does it")
@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
def test_closed_streams_lead_nowhere(closed: tuple[int, ...], tmp_path: Path) -> None:
    """And no file that is opened later is taken for them."""
    out = tmp_path / "out.xml"
    closing = " ".join(f"{n}{'<' if n == 0 else '>'}&-" for n in closed)
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m cortenforge_command convert pendulum "$1" {closing}',
         sys.executable, str(out)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert out.read_text().startswith("<mujoco") and "wrote" not in out.read_text()


def test_letters_that_a_stream_does_not_have(hostile: Path) -> None:
    done = run("info", str(hostile), env={"PYTHONIOENCODING": "ascii:strict"})
    assert done.returncode == 0, done.stderr
    assert b"\\xe9\\x9b31m" in done.stdout and not done.stderr
    gone = run("info", "é\udcff.xml", env={"PYTHONIOENCODING": "ascii:strict"})
    assert gone.returncode == 1 and b"Traceback" not in gone.stderr
    assert b"\\xe9\\udcff.xml: there is no such file" in gone.stderr


@full
@pytest.mark.parametrize("words", [("info", "pendulum"), ("--help",), ("info", "--help")])
def test_a_full_disk_behind_the_output_is_said(words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as nothing_fits:
        done = run(*words, stdout=nothing_fits)
    assert done.returncode == 1
    assert done.stderr.decode().strip() == "error: standard output: No space left on device"


@full
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "pendulum", "--seconds", "0.01", "--out", "full.npz"),
        ("convert", "pendulum", "full.xml"),
        ("render", "pendulum", "--seconds", "0", "--width", "32", "--height", "32", "--out",
         "full.png"),
        ("render", "pendulum", "--seconds", "0", "--width", "32", "--height", "32", "--out",
         "full.gif"),
        ("view", "pendulum", "--seconds", "0.01", "--save", "full.html"),
    ],
)  # fmt: skip
def test_a_full_disk_is_said_with_the_file(tmp_path: Path, monkeypatch, words) -> None:
    if words[0] == "view":
        pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    Path(words[-1]).symlink_to("/dev/full")
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1 and isinstance(done.exception, SystemExit)
    assert done.stderr.splitlines()[-1] == f"error: {words[-1]}: No space left on device"


INTERRUPTED = """
import os, runpy, signal, sys

imported, command = sys.argv[1:]

class Interrupt:
    def find_spec(self, name, *_):
        if name == imported:
            os.kill(os.getpid(), signal.SIGINT)

# a shell starts its background jobs with this signal ignored
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
sys.argv[:] = ["cortenforge", "info", "pendulum"]
runpy.run_module(command, run_name="__main__")
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX does it")
@pytest.mark.parametrize("command", ["cortenforge_command", "cortenforge.cli"])
@pytest.mark.parametrize("module", ["numpy", "cortenforge.model", "typer", "cortenforge.cli.app"])
def test_an_interrupt_in_an_import_ends_it_quietly(module: str, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module, command],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == -signal.SIGINT and not done.stderr and not done.stdout


def obeyed(text: str) -> list[str]:
    """Characters that a terminal would obey."""
    return [c for c in text if (c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" or c in BIDI]


BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_what_a_terminal_obeys_is_made_visible() -> None:
    every = "".join(map(chr, range(256))) + BIDI
    shown = visible_text(every)
    assert not obeyed(shown) and "\\x1b" in shown and "\\u202e" in shown and "é" in shown
    assert visible_text("a\tb\nc") == "a\tb\nc"


@pytest.mark.parametrize(
    "words",
    [("info", "MODEL"), ("validate", "MODEL"), ("simulate", "MODEL", "--seconds", "0.01"),
     ("validate", "BROKEN"), ("info", "BROKEN"), ("simulate", "MODEL", "--keyframe", NAME),
     ("render", "MODEL", "--out", "x.png", "--camera", NAME), ("convert", "MODEL", NAME),
     ("info", f"{NAME}.xml"), (NAME,), ("info", "--" + NAME), ("convert", "MODEL", f"{NAME}/x")],
)  # fmt: skip
def test_names_do_not_reach_the_terminal_as_commands(
    words: tuple[str, ...], hostile: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = tmp_path / "broken.xml"
    broken.write_text(MODEL.replace('size="0.1"', f'size="{NAME}"'), encoding="utf-8")
    chosen = {"MODEL": str(hostile), "BROKEN": str(broken)}
    done = CliRunner().invoke(app, [chosen.get(word, word) for word in words])
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert not obeyed(done.output)
    if words[0] in ("info", "convert"):
        assert "\\x9b31m\\u202e" in done.output


def test_warnings_are_words_without_commands(tmp_path: Path) -> None:
    """What a file is warned of names its elements, too."""
    path = tmp_path / "robot.urdf"
    path.write_text(
        f'<robot name="r"><link name="base"/><link name="{NAME}"/>'
        f'<joint name="j" type="fixed"><parent link="base"/><child link="{NAME}"/></joint>'
        f'<{"unknown"} name="{NAME}"/></robot>',
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["info", str(path)])
    assert done.exit_code == 0, done.output
    assert done.stderr.startswith("warning: ") and not obeyed(done.output)


@pytest.mark.parametrize(
    "words",
    [
        ("bench", "pendulum", "--worlds", "0"),
        ("bench", "pendulum", "--worlds", "-1"),
        *(("bench", "pendulum", "--seconds", n) for n in ("nan", "inf", "0", "-1")),
        *(("simulate", "pendulum", "--seconds", n) for n in ("nan", "inf", "-1", "1e300")),
        ("simulate", "pendulum", "--every", "0"),
        ("simulate", "pendulum", "--plot", "--out", ""),
        *(("render", "pendulum", "--out", "x.png", "--seconds", n) for n in ("nan", "inf", "1e9")),
        *(("render", "pendulum", "--out", "x.png", "--fps", n) for n in ("nan", "0", "1e9")),
        ("render", "pendulum", "--out", "x.png", "--width", "0"),
        *(("view", "pendulum", "--save", "x.html", "--seconds", n) for n in ("nan", "inf", "1e12")),
        ("view", "pendulum", "--save", "."),
        ("view", "pendulum", "--worlds", "0"),
        ("compare", "pendulum", "--states", "-1"),
        ("convert", "pendulum", "none/x.xml"),
        ("convert", "pendulum", "."),
    ],
)
def test_numbers_and_files_that_cannot_be(words: tuple[str, ...], tmp_path, monkeypatch) -> None:
    if words[0] == "view":
        pytest.importorskip("viser")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2 and "Invalid value" in done.stderr, done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("worlds", ["0", ""])
def test_hosts_of_the_command(worlds: str) -> None:
    pytest.importorskip("viser")
    done = CliRunner().invoke(app, ["view", "pendulum", "--host", worlds])
    assert done.exit_code == 1 and "host" in done.stderr


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said_before(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = CliRunner().invoke(app, ["simulate", "pendulum", "--out", str(tmp_path / "x.npz")])
    tmp_path.chmod(0o700)
    assert done.exit_code == 2 and "cannot be written" in done.stderr


def test_the_demo_refuses_a_folder(tmp_path: Path, capfd) -> None:
    assert run_demo(str(tmp_path)) == 1
    said = capfd.readouterr().err
    assert said.startswith("error: ") and "it is a folder" in said


def test_the_demo_names_the_file_it_cannot_write(tmp_path: Path, capfd, monkeypatch) -> None:
    def nothing_fits(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    main = sys.modules[run_demo.__module__]
    for name in ("compile_uncached", "humanoid", "stack", "pile"):
        monkeypatch.setattr(main, name, lambda *_: None)
    for name in ("_show_conservation", "_show_falls", "_show_speed", "_race"):
        monkeypatch.setattr(main, name, lambda *_: None)
    for name in ("DoublePendulum", "TumblingBox", "Somersault"):
        monkeypatch.setattr(getattr(main, name), "run", lambda: None)
    monkeypatch.setattr(main, "draw_figure", nothing_fits)
    picture = tmp_path / "demo.png"
    assert run_demo(str(picture)) == 1
    assert capfd.readouterr().err == f"error: {picture}: No space left on device\n"

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "draw_figure", interrupted)
    assert run_demo(str(picture)) == 1
    assert capfd.readouterr().err == "error: interrupted\n"
