"""`cortenforge cache` and `cortenforge warmup --into`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cortenforge.cli.app import app
from cortenforge.kernel.load.cache import UnitNote, write_cached, write_unit
from cortenforge.kernel.load.link import Linker
from cortenforge.warmup import every_linker


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=given)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CORTENFORGE_SHARED_CACHE", raising=False)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "cache"))
    write_unit("abc", bytes(2_000_000), UnitNote("unit", "target", 1.5))
    write_cached("shape.mesh", bytes(1_000_000))
    return tmp_path / "cache"


def cells(text: str, first: str) -> list[str]:
    line = next(line for line in text.splitlines() if f"│ {first}" in line)
    return [cell.strip() for cell in line.split("│")[2:-1]]


def test_it_shows_place_and_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("cache").stdout
    assert text.splitlines()[0] == f"cache: {folder}" and "CORTENFORGE_CACHE" in text
    assert cells(text, "compiled kernels") == ["1", "2.0"]
    assert cells(text, "kernels as plain Python") == ["0", "0.0"]
    assert cells(text, "processed meshes") == ["1", "1.0"]
    monkeypatch.setenv("CORTENFORGE_CACHE", str(folder / "new"))
    monkeypatch.setenv("CORTENFORGE_SHARED_CACHE", str(folder))
    text = run("cache").stdout
    assert "not made yet" in text and not (folder / "new").exists()
    assert f"shared cache {folder}: 1 compiled kernels, only read" in text


def test_clear_asks(folder: Path) -> None:
    asked = run("cache", "clear", given="n\n")
    assert asked.exit_code == 1 and f"Delete 2 files (3.0 MB) in {folder}?" in asked.output
    assert len(list(folder.iterdir())) == 2
    assert run("cache", "clear", given="y\n").exit_code == 0
    assert not list(folder.iterdir())


def test_clear_without_asking(folder: Path) -> None:
    done = run("cache", "clear", "--yes")
    assert done.exit_code == 0 and "deleted 2 files (3.0 MB)" in done.stdout
    assert not list(folder.iterdir())


@pytest.fixture
def small_linkers(monkeypatch: pytest.MonkeyPatch) -> int:
    few = [(linker, units) for linker, units in every_linker() if len(units) < 2]
    monkeypatch.setattr("cortenforge.warmup.linkers", lambda *_: few)
    # a checkout may have images
    monkeypatch.setattr(Linker, "is_shipped", lambda *_: False)
    return sum(len(units) for _, units in few)


def test_warmup_into_a_folder(
    tmp_path: Path, small_linkers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named as the shared cache, with an empty one of one's own, everything is warm."""
    target = tmp_path / "target"
    done = run("warmup", "--into", str(target))
    assert done.exit_code == 0, done.output
    assert f"set CORTENFORGE_SHARED_CACHE={target}" in done.stdout
    assert len(list(target.glob("*.unit"))) >= small_linkers > 0
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("CORTENFORGE_SHARED_CACHE", str(target))
    text = run("doctor").stdout
    assert f"{target}, only read" in text and f"warm, all {small_linkers} compiled" in text


@pytest.mark.skipif(os.name != "posix", reason="there are no such modes on Windows")
def test_warmup_into_what_others_write_is_refused(tmp_path: Path, small_linkers: int) -> None:
    tmp_path.chmod(0o777)
    done = run("warmup", "--into", str(tmp_path))
    assert done.exit_code == 1 and "other users can write" in done.stderr
    (tmp_path / "file").touch()
    done = run("warmup", "--into", str(tmp_path / "file"))
    assert done.exit_code == 1 and done.stderr.startswith("error: ")
