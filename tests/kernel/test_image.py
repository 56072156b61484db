"""Images of units: the same bits as compiled ones; whatever is wrong with one, all still works."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cortenforge
from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.linked_code import checked_layout
from cortenforge.kernel.language.layout import LANES
from cortenforge.kernel.language.processor import fuses_products
from cortenforge.kernel.load import folder, image, link, memory, shipped
from cortenforge.kernel.load.image import ImageRefused
from cortenforge.kernel.load.link import STAGE
from cortenforge.kernel.load.shipped import DESCRIPTION, IMAGE, shipped_image, targets_here
from cortenforge.kernel.load.unit_index import unit_digest
from cortenforge.warmup import warmup_into
from tests.kernel import toy_image
from tests.kernel.toy_image import DESK, SIZES, new_linker, result, run, scale

NAME = "ToyImageSizes+ToyImageDesk"
ROOT = Path(__file__).parents[2]
linux = pytest.mark.skipif(sys.platform != "linux", reason="files are mapped on Linux only")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An image of two units for this processor, and a cache that holds them, too."""
    from cortenforge.kernel.cpu.targets import SHIPPED
    from cortenforge.ship import ship

    targets = [SHIPPED[name] for name in targets_here() if SHIPPED[name].lanes == LANES]
    if not targets or not fuses_products():
        pytest.skip("no images are made for this processor")
    root = tmp_path_factory.mktemp("made")
    before = dict(link._homes), os.environ.copy()
    link._homes[new_linker().home] = [lambda: [run]]
    os.environ["CORTENFORGE_CACHE"] = str(root / "cache")
    try:
        ship(targets[:1], pairs=[NAME], out=root / "images", work=root / "work")
        assert result(new_linker()) == result(new_linker())
        yield root / "images" / targets[0].name
    finally:
        link._homes.clear()
        link._homes.update(before[0])
        os.environ.clear()
        os.environ.update(before[1])


@pytest.fixture
def there(made, tmp_path, monkeypatch):
    """A copy of the images that is used, and the cache."""
    folder.warn_once.cache_clear()
    images = tmp_path / "images"
    shutil.copytree(made.parent, images)
    monkeypatch.setenv("CORTENFORGE_IMAGES", str(images))
    monkeypatch.setenv("CORTENFORGE_CACHE", str(made.parents[1] / "cache"))
    monkeypatch.delenv("CORTENFORGE_UNITS", raising=False)
    return images / made.name


@pytest.fixture
def compiled(made, monkeypatch):
    """What units give that were compiled for this processor alone."""
    with monkeypatch.context() as aside:
        aside.setenv("CORTENFORGE_UNITS", "own")
        linker = new_linker()
        assert linker.image_folder is None
        return result(linker)


def test_units_of_an_image_have_the_bits_of_compiled_ones(there, compiled):
    linker = new_linker()
    assert linker.image_folder == there
    assert result(linker) == compiled


def test_starts_need_no_compiler_and_parse_no_sources(there, compiled, tmp_path):
    """Processes share an image, and the cache stays empty; or all is in the cache."""
    program = (
        "import sys, ast\n"
        "sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
        "ast.parse = None\n"
        "from tests.kernel import toy_image; linker = toy_image.new_linker()\n"
        "found = toy_image.result(linker).hex()\n"
        "print(found, linker.image_folder, bool(sys.modules.get('numba')))\n"
    )
    usual = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    empty = {**usual, "CORTENFORGE_CACHE": str(tmp_path / "empty")}
    # versions are part of a key, and they are read where the packages are
    own = {**usual, "CORTENFORGE_UNITS": "own"}
    without = "sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program.replace(without, "") if places is own else program],
            env=places,
            stdout=subprocess.PIPE,
        )
        for places in (empty, empty, own)
    ]
    answers = [process.communicate()[0].decode().split() for process in running]
    shipped_answer = [compiled.hex(), str(there), "False"]
    assert answers == [shipped_answer, shipped_answer, [compiled.hex(), "None", "False"]]
    assert not (tmp_path / "empty").exists()


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 4
    file.write_bytes(content)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def swap(file: Path) -> None:
    shutil.copy(file.with_name("quick" + file.suffix), file)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def remove(file: Path) -> None:
    file.unlink()


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def make_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


ATTACKS = [flip, cut, swap, empty, remove, make_folder, make_pipe]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
@pytest.mark.parametrize("ending", [IMAGE, DESCRIPTION])
def test_a_damaged_image_costs_a_line(attack, ending, there, compiled, recwarn):
    """Nothing of it is run; units are taken from the cache."""
    attack(there / (NAME + ending))
    linker = new_linker()
    assert result(linker) == compiled and linker.image_folder is None
    said = [str(one.message) for one in recwarn.list]
    # without a description nothing is there to be warned of
    missing = ending == DESCRIPTION and attack in (remove, make_folder, make_pipe)
    assert len(said) == (not missing), said
    assert all("\n" not in line and "kernels are compiled" in line for line in said)


@pytest.mark.parametrize(
    ("place", "name", "value", "reason"),
    [
        (cortenforge, "__version__", "9.9", "of another version"),
        (shipped, "LANES", 2 * LANES, "not made for"),
        (shipped, "FORMAT", 99, "of another format"),
        (shipped, "COMPILER_TEXT", b"another", "the compiler was changed"),
        (SIZES, "constant", False, "fields were changed"),
    ],
)
def test_an_image_for_something_else_is_not_used(place, name, value, reason, there, monkeypatch):
    monkeypatch.setattr(place, name, value)
    with pytest.warns(RuntimeWarning, match=reason):
        assert shipped_image(SIZES, DESK) is None


def test_images_of_another_processor_are_not_used(there, monkeypatch):
    """By their own word, whatever the folder is called; and where none of a name is known."""
    monkeypatch.setattr(shipped, "targets_here", lambda: ["other"])
    assert shipped_image(SIZES, DESK) is None
    there.rename(there.with_name("other"))
    with pytest.warns(RuntimeWarning, match="exchanged"):
        assert shipped_image(SIZES, DESK) is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no such modes")
def test_a_named_folder_that_others_can_write_is_refused(there, monkeypatch):
    monkeypatch.setattr(folder, "_is_private_group", lambda group: False)
    there.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others than its owner can write"):
        assert shipped_image(SIZES, DESK) is None
    there.chmod(0o500)
    assert shipped_image(SIZES, DESK) is not None
    there.chmod(0o700)


@linux
def test_links_and_folders_without_execution_do(there, compiled, tmp_path, monkeypatch):
    """What installers link is an image as well; what cannot be mapped to be run is copied."""
    moved = tmp_path / "elsewhere"
    (there / (NAME + IMAGE)).rename(moved)
    (there / (NAME + IMAGE)).symlink_to(moved)
    mapped = new_linker()  # its memory is mapped as long as it lives
    assert result(mapped) == compiled
    monkeypatch.setattr(image, "_is_noexec", lambda file: True)
    before = Path("/proc/self/maps").read_text().count(str(moved))
    linker = new_linker()
    assert result(linker) == compiled and linker.image_folder == there
    assert Path("/proc/self/maps").read_text().count(str(moved)) == before
    del mapped


@linux
def test_code_cannot_be_written_where_it_runs(there):
    linker = new_linker()
    assert result(linker)
    lines = [line for line in Path("/proc/self/maps").read_text().splitlines() if NAME in line]
    assert lines and not any("wx" in line.split()[1] for line in lines)


@linux
def test_a_system_that_refuses_costs_a_line(there, monkeypatch):
    """Hardened systems let nothing that was written be run."""
    monkeypatch.setattr(memory, "_protect", lambda: lambda *arguments: -1)
    linker = new_linker()
    with pytest.warns(RuntimeWarning, match="mprotect"):
        assert linker.image_folder is None
    with pytest.raises(CompilationError, match="cannot be run: mprotect"):
        linker.function(run)


def test_an_edited_kernel_switches_off_its_own_units(there, compiled, monkeypatch):
    """A constant of one unit is another: that one is compiled, the other is of the image."""
    monkeypatch.setattr(toy_image, "FACTOR", 3.0)
    linker = new_linker()
    assert linker.image_folder == there
    assert linker._addresses.keys() == {run.name}
    changed = result(linker)
    assert changed != compiled
    # what is compiled here may call others than the unit of its name in the image
    assert scale.name in linker._addresses and not linker._shipped_with_all_it_reaches(run)
    monkeypatch.setattr(toy_image, "FACTOR", 2.0)
    assert result(new_linker()) == compiled
    assert unit_digest(scale, SIZES, DESK)


def test_units_of_an_image_need_no_place_in_a_cache(there, tmp_path, monkeypatch):
    """`warmup --into` collects what an image lacks, which is nothing or an edited kernel."""
    target = tmp_path / "collected"
    linker = new_linker()
    with monkeypatch.context() as aside:
        aside.setattr(link, "has_compiler", lambda: False)
        assert warmup_into(target, [(linker, [run, scale])], progress=False) == 2
    assert not list(target.glob("*.unit"))
    monkeypatch.setattr(toy_image, "FACTOR", 3.0)
    assert warmup_into(target, [(new_linker(), [run, scale])], progress=False) == 2
    (kept,) = target.glob("*.unit")
    assert b"toy_image:scale" in kept.read_bytes()


def test_callbacks_stand_in_for_units_of_an_image(there, compiled):
    """They have slots of their own; the image's other users see nothing of it."""
    called = []
    linker = new_linker()
    other = linker.variant("key", {}, {scale.name: STAGE(lambda m, d: called.append(d))})
    assert other.image_folder == there
    assert result(other) != compiled
    assert len(called) == 3
    assert result(linker) == compiled


def test_the_choice_is_the_users(there, compiled, monkeypatch):
    monkeypatch.setenv("CORTENFORGE_UNITS", there.name)
    assert new_linker().image_folder == there
    monkeypatch.setenv("CORTENFORGE_UNITS", "shipped")
    assert new_linker().image_folder == there
    flip(there / (NAME + IMAGE))
    with pytest.raises(CompilationError, match=r"was changed since .* unset CORTENFORGE_UNITS"):
        new_linker().function(run)
    shutil.rmtree(there)
    with pytest.raises(CompilationError, match=f"there is no {re_escaped(NAME)}"):
        new_linker().function(run)
    monkeypatch.setenv("CORTENFORGE_UNITS", "mine")
    with pytest.raises(CompilationError, match="it can be shipped, own"):
        new_linker().function(run)


def re_escaped(text: str) -> str:
    return text.replace("+", r"\+")


def test_without_a_compiler_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setenv("CORTENFORGE_UNITS", "own")
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path))
    monkeypatch.setattr(link, "has_compiler", lambda: False)
    with pytest.raises(CompilationError, match=r"pip install 'cortenforge\[compile\]'"):
        new_linker().function(run)


@pytest.mark.parametrize(
    "described",
    [
        None,
        [],
        {"length": 10},
        {"length": 10, "words": [1], "functions": {}, "page": 4096},
        {"length": 10, "words": [], "functions": {"f": 10}, "page": 4096},
        {"length": 10, "words": [], "functions": {"f": -1}, "page": 4096},
        {"length": 10, "words": [], "functions": {"f": True}, "page": 4096},
        {"length": 10, "words": [], "functions": {"f": 1}, "page": 100},
        {"length": 10, "words": "ab", "functions": [], "page": 4096},
    ],
)
def test_what_does_not_describe_code_is_refused(described):
    with pytest.raises(ValueError, match="does not describe code"):
        checked_layout(described)


def test_a_function_that_the_system_lacks_refuses_the_image(there):
    layout = shipped_image(SIZES, DESK).layout
    from dataclasses import replace

    file, digest = there / (NAME + IMAGE), shipped_image(SIZES, DESK)._digest
    foreign = replace(layout, words=tuple("nosuchfunction" for _ in layout.words))
    with pytest.raises(ImageRefused, match="not as long"):
        image.map_image(file, replace(layout, length=10**6), digest)
    mapped = image.map_image(file, foreign, digest)
    with pytest.raises(memory.MemoryRefused, match="no function nosuchfunction"):
        mapped.connect(lambda name: ctypes.addressof(ctypes.c_int64()))
