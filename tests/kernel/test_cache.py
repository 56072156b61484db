"""Compiled units are kept, never go stale, and survive damage."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap

import pytest

from cortenforge.errors import CompilationError
from cortenforge.kernel.load import cache
from cortenforge.kernel.load import folder as trust
from cortenforge.kernel.load.cache import (
    UnitNote,
    cache_info,
    read_note,
    read_unit,
    write_cached,
    write_unit,
)
from cortenforge.kernel.load.folder import cache_folder

NOTE = UnitNote("test:unit", "Data", 1.0)
posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes on Windows")

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
    block, desk_block = sizes.block({"n": 1}), desk.block({"x": x.ctypes.data})
    call = Call(block.ctypes.data, desk_block.ctypes.data, 1)
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
def folder(tmp_path, monkeypatch):
    """The cache is an empty folder of the user's own."""
    made = tmp_path / "own"
    made.mkdir(mode=0o700)
    monkeypatch.setenv("CORTENFORGE_CACHE", str(made))
    return made


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


def spoil(path, name, content):
    """Write a file of the cache with a checksum that holds."""
    path.write_bytes(cache.MAGIC + cache._checksum(name, content) + content)


def test_swapped_units_are_compiled_again(run, tmp_path):
    """A checksum holds for one name only: a unit under another's name is not loaded."""
    run("x * FACTOR")
    (product,) = (tmp_path / "cache").glob("*.unit")
    run("x + FACTOR")
    (total,) = set((tmp_path / "cache").glob("*.unit")) - {product}
    kept = product.read_bytes()
    product.write_bytes(total.read_bytes())
    total.write_bytes(kept)
    assert run("x * FACTOR") == (6.0, 2, True)
    assert run("x + FACTOR") == (5.0, 2, True)


@pytest.mark.parametrize("garbage", [b"", b"no code at all" * 100, b'{"name": "x"}\nno code'])
def test_garbage_with_a_checksum_is_compiled_again(run, tmp_path, garbage):
    """What is no object file never reaches LLVM, which would end the process."""
    run()
    (file,) = (tmp_path / "cache").glob("*.unit")
    spoil(file, file.name, garbage)
    assert run() == (6.0, 1, True)


@posix
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_is_not_read(folder, make):
    """A pipe in the place of a unit does not hang the start."""
    make(folder / "abc.unit")
    assert read_unit("abc") is None


@posix
def test_link_to_nowhere_is_no_unit(folder):
    """A dangling link is neither read nor counted as code."""
    (folder / "abc.unit").symlink_to(folder / "missing")
    assert read_unit("abc") is None
    assert cache_info()["files"] == 1


@posix
@pytest.mark.parametrize("mode", [0o777, 0o702, 0o720])
def test_folder_that_others_can_write_is_refused(folder, mode, monkeypatch):
    """Nothing is taken from or put into such a folder, and the warning says what to do."""
    monkeypatch.setattr(trust, "_is_private_group", lambda group: False)
    write_unit("abc", b"code", NOTE)
    folder.chmod(mode)
    with pytest.warns(RuntimeWarning, match="other users can write in .* chmod go-w"):
        assert read_unit("abc") is None
    assert write_cached("other.unit", b"code").startswith("other users can write")
    assert [file.name for file in folder.iterdir()] == ["abc.unit"]


@posix
def test_private_group_is_no_other_user(folder, monkeypatch):
    """Systems that give each user a group make folders that this group can write."""
    monkeypatch.setattr(trust, "_is_private_group", lambda group: True)
    folder.chmod(0o775)
    write_unit("abc", b"code", NOTE)
    assert read_unit("abc") == b"code"


@posix
def test_folder_of_another_user_is_refused(folder, monkeypatch):
    """A folder that somebody else owns is not used."""
    write_unit("abc", b"code", NOTE)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.warns(RuntimeWarning, match="belongs to another user; set CORTENFORGE_CACHE"):
        assert read_unit("abc") is None
    assert "belongs to another user" in write_cached("other.unit", b"code")


@posix
def test_file_that_others_can_write_is_not_read(folder):
    """A file that was made while the folder was open to others is not trusted."""
    write_unit("abc", b"code", NOTE)
    (folder / "abc.unit").chmod(0o666)
    assert read_unit("abc") is None


@posix
def test_new_folder_is_private(folder, monkeypatch):
    """Whatever the user's mask is, the folder is made for the user alone."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(folder / "deep" / "new"))
    before = os.umask(0)
    try:
        write_unit("abc", b"code", NOTE)
    finally:
        os.umask(before)
    assert (folder / "deep" / "new").stat().st_mode & 0o777 == 0o700
    assert read_unit("abc") == b"code"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG names folders on Linux")
def test_relative_xdg_folder_is_ignored_and_said(tmp_path, monkeypatch):
    """A cache in whatever folder one stands in could be anyone's."""
    monkeypatch.delenv("CORTENFORGE_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    with pytest.warns(RuntimeWarning, match="XDG_CACHE_HOME=here is a relative path"):
        assert cache_folder() == tmp_path / ".cache" / "cortenforge"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert cache_folder() == tmp_path / "there" / "cortenforge"


def test_full_disk_leaves_nothing_behind(folder, monkeypatch):
    """What could not be written to its end is deleted."""

    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        write_unit("abc", b"code", NOTE)
    assert list(folder.iterdir()) == []


def test_interrupted_writing_leaves_nothing_behind(folder, monkeypatch):
    """Ctrl-C goes on its way, without a half of a file."""

    def interrupted(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_unit("abc", b"code", NOTE)
    assert list(folder.iterdir()) == []


def test_compile_times_are_kept(folder):
    """What a unit took to compile is kept with it."""
    write_unit("abc", b"code", NOTE)
    assert read_note("abc") == NOTE
    assert read_note("other") is None
    spoil(folder / "abc.unit", "abc.unit", b"no note")
    assert read_note("abc") is None


def test_changed_compiler_compiles_nothing(monkeypatch):
    """A compiler that changed after the start would be named by the old text."""
    cache.check_compiler()
    monkeypatch.setattr(cache, "COMPILER_TEXT", b"another")
    with pytest.raises(CompilationError, match="start the program again"):
        cache.check_compiler()


def test_cache_info_counts_files(tmp_path, monkeypatch):
    """Path, files and bytes of the cache folder."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "somewhere"))
    kinds = ("", "plain_", "asset_", "model_")
    nothing = {f"{kind}{what}": 0 for kind in kinds for what in ("files", "bytes")}
    monkeypatch.delenv("CORTENFORGE_SHARED_CACHE", raising=False)
    assert cache_info() == {"path": str(tmp_path / "somewhere"), "shared": None, **nothing}
    write_unit("abc", b"code", NOTE)
    assert cache_info()["files"] == 1
    assert read_unit("abc") == b"code"
    assert read_unit("other") is None


def test_folder_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    """Without a cache everything still works; the user is told once what to do."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(blocked / "cache"))
    with pytest.warns(RuntimeWarning, match="set CORTENFORGE_CACHE"):
        write_unit("abc", b"code", NOTE)
    assert read_unit("abc") is None
