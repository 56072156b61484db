"""Settings of all tests, what every test file does at its end, and how much memory tests take."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

import pytest

# tests of reading and compiling are to read and compile; those of the cache switch it on
os.environ["CORTENFORGE_MODEL_CACHE"] = "off"

#: the most memory that each process of tests took [MB], by the name of the process
PEAKS = pytest.StashKey[dict[str, float]]()


@pytest.fixture(autouse=True, scope="module")
def give_memory_back() -> Iterator[None]:
    """Return memory that was freed to the system.

    glibc keeps it for the next allocation, in each thread's arena: 100 to 300 MB a model once a
    software driver has compiled shaders, of which nothing is in use. A worker runs thousands of
    tests, and would grow to 3 GB.
    """
    yield
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def peak_memory() -> float:
    """The most memory that this process ever took [MB]; 0 where there is no /proc to say so."""
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmHWM:"))
    return 0.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "peak_memory", "the most memory that a process of tests may take [MB]", "string", "2000"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[PEAKS] = {}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Hear from a worker of pytest-xdist that ends; one that died does not say."""
    if error is None:
        node.config.stash[PEAKS][node.gateway.id] = node.workeroutput["peak_memory"]


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say what this process took; fail a run of which a process took too much."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["peak_memory"] = peak_memory()
        return
    config.stash[PEAKS]["this process"] = peak_memory()
    if too_large(config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def too_large(config: pytest.Config) -> list[str]:
    """Processes that took more memory than they may."""
    most = float(config.getini("peak_memory"))
    return [name for name, peak in config.stash[PEAKS].items() if peak > most]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    listed = ", ".join(f"{name} {peak:.0f}" for name, peak in config.stash[PEAKS].items())
    terminalreporter.write_line(f"peak memory [MB]: {listed}")
    for name in too_large(config):
        most = config.getini("peak_memory")
        terminalreporter.write_line(f"FAILED: {name} took more than {most} MB", red=True)


@pytest.fixture
def small_runs_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small work always runs as plain Python, also where its code is loaded already."""
    monkeypatch.setattr("cortenforge.kernel.load.run._runs_plainly", lambda kernels, linker: True)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A Chromium without a screen, one for all tests: playwright runs once in a thread."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from tests.viewer.browsing import launched, short_folder

    with short_folder() as folder, playwright.sync_playwright() as running:
        made = launched(running, folder)
        yield made
        made.close()
