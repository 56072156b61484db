"""Compiled units are kept, never go stale, and survive damage."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from cortenforge.kernel.load.cache import cache_info, read_unit, write_unit

PROGRAM = """
    import ctypes, sys
    import numpy as np
    from cortenforge.kernel.language.layout import StructLayout
    from cortenforge.kernel.load.link import Call, Linker
    from cortenforge.kernel.load.cache import cache_info
    import unit_of_test, helper_of_test

    if len(sys.argv) > 1:
        with open(helper_of_test.__file__, "w") as file:
            file.write("# another line\\n" + sys.argv[1])
    sizes = StructLayout("TestSizes", [("n", "size", (), True)], constant=True)
    desk = StructLayout("TestDesk", [("x", "real", (), False)], constant=False)
    x = np.array([3.0])
    block, desk_block = (ctypes.c_int64 * 1)(1), (ctypes.c_int64 * 1)(x.ctypes.data)
    call = Call(ctypes.addressof(block), ctypes.addressof(desk_block), 1)
    Linker(sizes, desk).function(unit_of_test.run)(ctypes.addressof(call))
    print(x[0], cache_info()["files"], "numba" in sys.modules)
"""
UNIT = """
    from cortenforge.kernel import kernel
    from helper_of_test import helper
    @kernel(entry=True)
    def run(m, d, count: int):
        d.x[0] = helper(d.x[0])
        return 0
"""
HELPER = """
    from cortenforge.kernel import kernel
    FACTOR = {factor}
    @kernel
    def helper(x):
        return {expression}
"""


@pytest.fixture
def run(tmp_path):
    """Runs the program in a process of its own; returns (result, files in cache, numba loaded)."""

    def once(expression="x * FACTOR", factor="2.0", then=""):
        rewritten = [textwrap.dedent(HELPER.format(expression=then, factor=factor))] if then else []
        files = {
            "program.py": PROGRAM,
            "unit_of_test.py": UNIT,
            "helper_of_test.py": HELPER.format(expression=expression, factor=factor),
        }
        for name, text in files.items():
            (tmp_path / name).write_text(textwrap.dedent(text))
        environment = {
            **os.environ,
            "CORTENFORGE_CACHE": str(tmp_path / "cache"),
            "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        environment.pop("NUMBA_DISABLE_JIT", None)
        done = subprocess.run(
            [sys.executable, str(tmp_path / "program.py"), *rewritten],
            capture_output=True, text=True, env=environment, check=True,
        )  # fmt: skip
        value, files_kept, numba_loaded = done.stdout.split()
        return float(value), int(files_kept), numba_loaded == "True"

    return once


def test_second_process_takes_the_unit_from_disk(run):
    """A warm start compiles nothing and does not even import Numba."""
    assert run() == (6.0, 1, True)
    assert run() == (6.0, 1, False)


def test_changed_helper_in_another_file_recompiles_the_unit(run):
    """The key covers what a unit reaches, not only its own file."""
    assert run("x * FACTOR") == (6.0, 1, True)
    assert run("x + FACTOR") == (5.0, 2, True)
    # and going back finds the first one again
    assert run("x * FACTOR") == (6.0, 2, False)


def test_changed_constant_recompiles_the_unit(run):
    """Values that a kernel takes from its module are part of the key."""
    assert run(factor="2.0") == (6.0, 1, True)
    assert run(factor="4.0") == (12.0, 2, True)


def test_comments_and_docstrings_do_not_matter(run):
    """What cannot change the code does not compile a unit again."""
    assert run("x * FACTOR") == (6.0, 1, True)
    assert run("(x  *  FACTOR)  # twice") == (6.0, 1, False)


def test_file_changed_while_the_process_runs(run):
    """The text that counts is the one that was imported: it is compiled, and it names the unit."""
    assert run("x * FACTOR", then="x + FACTOR") == (6.0, 1, True)
    assert run("x + FACTOR") == (5.0, 2, True)
    assert run("x * FACTOR") == (6.0, 2, False)


def test_damaged_file_is_compiled_again(run, tmp_path):
    """A file that was cut off or changed is not loaded."""
    assert run() == (6.0, 1, True)
    (file,) = (tmp_path / "cache").glob("*.unit")
    content = bytearray(file.read_bytes())
    content[-10] ^= 0xFF
    file.write_bytes(content)
    assert run() == (6.0, 1, True)
    file.write_bytes(b"")
    assert run() == (6.0, 1, True)


def test_cache_info_counts_files(tmp_path, monkeypatch):
    """Path, files and bytes of the cache folder."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "somewhere"))
    nothing = {"files": 0, "bytes": 0, "asset_files": 0, "asset_bytes": 0}
    assert cache_info() == {"path": str(tmp_path / "somewhere"), **nothing}
    write_unit("abc", b"code")
    assert cache_info()["files"] == 1
    assert read_unit("abc") == b"code"
    assert read_unit("other") is None


def test_folder_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    """Without a cache everything still works; the user is told once what to do."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(blocked / "cache"))
    with pytest.warns(RuntimeWarning, match="set CORTENFORGE_CACHE"):
        write_unit("abc", b"code")
    assert read_unit("abc") is None
