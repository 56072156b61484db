"""Units are compiled in several processes, and a worker that fails costs nothing but its help."""

from __future__ import annotations

import importlib
import sys

import pytest

from cortenforge.kernel.load import workers
from cortenforge.kernel.load.workers import compile_units

UNITS = 4
MODULE = """
from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.load.link import Linker


def linker():
    sizes = StructLayout("WorkSizes", [("n", "size", (), True)], constant=True)
    desk = StructLayout("WorkDesk", [("x", "real", (), False)], constant=False)
    made = Linker(sizes, desk)
    made.home = "work_of_test:linker"
    return made
"""
UNIT = """

@kernel(unit=True)
def unit{0}(m, d):
    d.x[0] = {0}.0
"""
WORKERS = {
    "dies_at_work": "print('ready', flush=True); input(); raise SystemExit(1)",
    "dies_before_work": "raise SystemExit(1)",
    "says_another_name": "print('ready', flush=True); input(); print('else', flush=True)",
    "keeps_nothing": "print('ready', flush=True); print(input(), flush=True)",
}


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A linker and its units, an empty cache, two cores, and a record of what is compiled here."""
    text = MODULE + "".join(UNIT.format(i) for i in range(UNITS))
    (tmp_path / "work_of_test.py").write_text(text)
    for name, line in WORKERS.items():
        (tmp_path / f"{name}.py").write_text(line)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(workers, "SMALLEST_SHARE", 1)
    module = importlib.import_module("work_of_test")
    linker, here = module.linker(), []
    compile_here = linker.compile_here

    def recorded(unit):
        here.append(unit.name)
        return compile_here(unit)

    monkeypatch.setattr(linker, "compile_here", recorded)
    yield linker, [getattr(module, f"unit{i}") for i in range(UNITS)], here
    del sys.modules["work_of_test"]


@pytest.fixture
def only_workers(monkeypatch):
    """This process leaves all units to its worker, as far as that does them."""
    monkeypatch.setattr(workers, "_compile_here", lambda *args: None)


def check_all(made, linker, units):
    """Every unit is there, and is what the cache holds."""
    assert set(made) == {unit.name for unit in units}
    assert all(made[unit.name] == linker.kept(unit) for unit in units)


@pytest.mark.usefixtures("only_workers")
def test_worker_shares_the_work(work):
    """What a worker compiles comes back through the cache."""
    linker, units, here = work
    made = compile_units(units, linker, progress=False)
    check_all(made, linker, units)
    assert here == []


def test_work_is_done_once(work):
    """No unit is compiled by both."""
    linker, units, here = work
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert len(here) == len(set(here))


@pytest.mark.usefixtures("only_workers")
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [*WORKERS, "no_such_module"])
def test_worker_that_fails_is_replaced(work, name, monkeypatch):
    """A worker that dies, or does not do what it says, leaves its units to this process."""
    linker, units, here = work
    monkeypatch.setattr(workers, "WORKER", name)
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


@pytest.mark.usefixtures("only_workers")
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("python", ["", "/no/such/python"])
def test_worker_that_cannot_start_is_replaced(work, python, monkeypatch):
    """A program that does not know its interpreter compiles everything itself."""
    linker, units, here = work
    monkeypatch.setattr(sys, "executable", python)
    check_all(compile_units(units, linker, progress=False), linker, units)
    assert sorted(here) == sorted(unit.name for unit in units)


def test_without_a_cache_nothing_is_shared(work, tmp_path, monkeypatch):
    """Workers answer through the cache; without one there are none, and the user is told."""
    linker, units, here = work
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(workers, "_worker", lambda linker: pytest.fail("a worker was started"))
    with pytest.warns(RuntimeWarning, match="set CORTENFORGE_CACHE"):
        made = compile_units(units, linker, progress=False)
    assert set(made) == {unit.name for unit in units}
    assert sorted(here) == sorted(made)
