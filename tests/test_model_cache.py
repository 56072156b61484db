"""Cached models equal compiled ones, are never stale, survive damage, and can be switched off."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

import cortenforge as cf
from cortenforge import load, model_cache, read_files
from cortenforge.compile.mesh import cache as mesh_cache
from cortenforge.kernel.load.cache import cache_info, clear_cache, read_cached, write_cached
from cortenforge.read_files import recording_files

MODEL = """<mujoco><include file="parts.xml"/>
<asset><mesh name="m" file="tetra.obj"/><texture name="t" type="2d" builtin="checker" width="4"
height="4"/><material name="mat" texture="t"/></asset>
<worldbody><body name="b"><freejoint/><geom name="g" type="mesh" mesh="m" material="mat"/></body>
<body pos="0 0 9"><freejoint/><geom type="mesh" mesh="m"/></body>
<geom type="plane" size="1 1 1"/></worldbody>
<keyframe><key name="k" qpos="0 0 1 1 0 0 0 0 0 9 1 0 0 0"/></keyframe></mujoco>"""
PARTS = """<mujoco><option timestep="{step}"><flag nativeccd="disable"/></option>
<!-- a warning of each kind -->loose text</mujoco>"""
TETRA = "v 0 0 0\nv {x} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder, and nothing in memory."""
    monkeypatch.setenv("CORTENFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CORTENFORGE_MODEL_CACHE", raising=False)
    monkeypatch.delenv("CORTENFORGE_ASSET_CACHE", raising=False)
    model_cache.forget_kept()
    mesh_cache.forget_kept()
    yield tmp_path / "cache"
    model_cache.forget_kept()
    mesh_cache.forget_kept()


@pytest.fixture
def path(tmp_path) -> Path:
    place = tmp_path / "robot"
    place.mkdir()
    (place / "model.xml").write_text(MODEL)
    (place / "parts.xml").write_text(PARTS.format(step=0.003))
    (place / "tetra.obj").write_text(TETRA.format(x=1))
    return place / "model.xml"


@pytest.fixture
def compiled(monkeypatch) -> list[int]:
    """How often a model was compiled."""
    counts: list[int] = []
    compile_spec = load._compiled
    monkeypatch.setattr(load, "_compiled", lambda s: counts.append(1) or compile_spec(s))
    return counts


def model_of(path, **options) -> cf.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cf.Model.from_mjcf(path, **options)


def entry(folder) -> Path:
    (found,) = folder.glob("*.model")
    return found


def assert_same(a: cf.Model, b: cf.Model) -> None:
    # arrays become attributes when they are first read
    arrays = a._store.arrays.keys()
    assert a.__dict__.keys() - arrays == b.__dict__.keys() - arrays
    assert a._store.arrays.keys() == b._store.arrays.keys()
    for name, array in a._store.arrays.items():
        other = b._store.arrays[name]
        assert array.dtype == other.dtype and array.shape == other.shape, name
        assert array.tobytes() == other.tobytes(), name
        assert a._store.shown(name).flags.writeable == b._store.shown(name).flags.writeable
    for name in ("sizes", "names", "hash", "nstate", "nwatched", "nnoise", "_differing"):
        mine, others = getattr(a, name), getattr(b, name)
        assert mine == others and type(mine) is type(others), name
    for name, value in a.sizes.items():
        assert type(value) is type(b.sizes[name]) is type(getattr(b, name)) is int, name
    assert len(a._softs) == len(b._softs) and type(a._softs) is type(b._softs)
    assert a._store.sizes == b._store.sizes and a._store.capacities == b._store.capacities
    assert repr(a.vis) == repr(b.vis) and a.callbacks._functions() == b.callbacks._functions()
    for group, settings in a.vis.settings().items():
        for name, value in settings.items():
            other = b.vis.settings()[group][name]
            assert type(value) is type(other), name
            assert np.asarray(value).dtype == np.asarray(other).dtype, name
    assert not np.shares_memory(a._store.arena, b._store.arena)


def bundled() -> list[str]:
    return sorted(p.stem for p in Path(cf.models.find("humanoid")).parent.glob("*.xml"))


@pytest.mark.parametrize("name", bundled())
def test_a_cached_model_equals_a_compiled_one(name, folder) -> None:
    file = cf.models.find(name)
    first = model_of(file)
    from_memory_of_disk = model_of(file)
    model_cache.forget_kept()
    from_disk = model_of(file)
    os.environ["CORTENFORGE_MODEL_CACHE"] = "off"
    fresh = model_of(file)
    del os.environ["CORTENFORGE_MODEL_CACHE"]
    for other in (from_memory_of_disk, from_disk, fresh):
        assert_same(first, other)
    has_deformables = bool(first._softs)
    assert len(list(folder.glob("*.model"))) == (not has_deformables)


WAVES = """<mujoco><asset><mesh name="large" builtin="supersphere" params="{res} 1 1"/>
<mesh name="small" builtin="sphere" params="1"/><mesh name="seen" file="tetra.obj"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="large"/><geom type="mesh" mesh="small"/>
<geom type="mesh" mesh="seen" contype="0" conaffinity="0"/><geom size="1"/></body></worldbody>
</mujoco>"""


def test_meshes_are_stored_once(path, folder, compiled) -> None:
    """Large ones as files of their own, small ones with the model; without trees and hulls."""
    path.write_text(WAVES.format(res=60))
    first = model_of(path)
    (mesh,) = folder.glob("*.mesh")
    sizes = entry(folder).stat().st_size, mesh.stat().st_size
    memory = len(first._store.arena)
    assert sum(sizes) < memory / 3 and sizes[0] < memory / 20
    for forget in (True, False):
        if forget:
            model_cache.forget_kept()
            mesh_cache.forget_kept()
        assert_same(model_of(path), first)
    assert len(compiled) == 1


@pytest.mark.parametrize("change", ["removed", "cut", "another"])
def test_a_mesh_that_is_gone_is_made_again(path, folder, compiled, change) -> None:
    path.write_text(WAVES.format(res=60))
    first = model_of(path)
    (mesh,) = folder.glob("*.mesh")
    whole = mesh.read_bytes()
    if change == "removed":
        mesh.unlink()
    elif change == "cut":
        mesh.write_bytes(whole[:-1])
    else:
        path.write_text(WAVES.format(res=50))
        model_of(path)
        (other,) = (found for found in folder.glob("*.mesh") if found != mesh)
        mesh.write_bytes(other.read_bytes())
        path.write_text(WAVES.format(res=60))
    before = len(compiled)
    model_cache.forget_kept()
    mesh_cache.forget_kept()
    assert_same(model_of(path), first)
    assert len(compiled) == before + 1 and mesh.read_bytes() == whole


def test_it_behaves_like_a_compiled_one(path, folder, compiled) -> None:
    first, again = model_of(path), model_of(path)
    assert len(compiled) == 1
    ends = []
    for model in (first, again):
        data = model.make_data()
        data.step(20)
        ends.append(data.get_state().vector.tobytes())
        assert pickle.loads(pickle.dumps(model)).hash == first.hash
        assert_same(model.copy(), model)
        with pytest.raises(cf.ModelError, match="geom_matid"):
            model.geom_matid[0] = 5
            data.step()
    assert ends[0] == ends[1]
    # edits of one are not those of the next
    assert model_of(path).geom_matid[0] == -1
    assert len(compiled) == 1


def test_entries_are_renewed_ahead_of_time(path, folder, compiled) -> None:
    """`warmup` compiles, so that everything that loads need is made, and keeps the model."""
    model_of(path)
    clear_cache()
    with model_cache.renewing_entries():
        model_of(path), model_of(path)
    assert len(compiled) == 3 and entry(folder).is_file()
    model_of(path)
    assert len(compiled) == 3


def test_edits_are_not_cached(path, folder) -> None:
    first = model_of(path)
    first.body_mass[1] = 77
    second = model_of(path)
    second.body_mass[1] = 78
    assert model_of(path).body_mass[1] not in (77, 78)


def test_warnings_are_given_again(path, folder, compiled) -> None:
    said = []
    for _ in range(3):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cf.Model.from_mjcf(path)
        said.append([(one.category, str(one.message)) for one in caught])
    assert said[0] == said[1] == said[2]
    assert {category for category, _ in said[0]} == {cf.MjcfWarning, cf.StepWarning}
    assert len(compiled) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(cf.MjcfWarning):
            cf.Model.from_mjcf(path)


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("name", ["model.xml", "parts.xml", "tetra.obj"])
def test_a_change_of_any_file_counts(path, folder, name, settled, monkeypatch) -> None:
    """Also if size and time of modification are the same afterwards."""
    if settled:
        # trust the status of files that were changed just now
        monkeypatch.setattr(read_files, "SETTLED_SECONDS", -1.0)
    first = model_of(path)
    assert_same(first, model_of(path))
    file = path.parent / name
    before = file.stat()
    old = file.read_text()
    new = {"model.xml": ("0 0 1 1", "0 0 2 1"), "parts.xml": ("3", "4")}
    new["tetra.obj"] = ("v 1", "v 2")
    file.write_text(old.replace(*new[name], 1))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size and file.stat().st_mtime_ns == before.st_mtime_ns
    changed = model_of(path)
    os.environ["CORTENFORGE_MODEL_CACHE"] = "off"
    assert_same(changed, model_of(path))
    del os.environ["CORTENFORGE_MODEL_CACHE"]
    assert changed._store.arena.tobytes() != first._store.arena.tobytes()
    file.write_text(old)
    assert_same(first, model_of(path))


def test_a_file_that_appears_counts(tmp_path, folder, compiled) -> None:
    """An include is looked for in the model's folder before that of the file that names it."""
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "model.xml").write_text('<mujoco><include file="inner/one.xml"/></mujoco>')
    (inner / "one.xml").write_text('<mujoco><include file="two.xml"/></mujoco>')
    (inner / "two.xml").write_text('<mujoco><option timestep="0.1"/></mujoco>')
    for _ in range(2):
        assert model_of(tmp_path / "model.xml").opt.timestep == 0.1
    assert len(compiled) == 1
    (tmp_path / "two.xml").write_text('<mujoco><option timestep="0.2"/></mujoco>')
    assert model_of(tmp_path / "model.xml").opt.timestep == 0.2
    (tmp_path / "two.xml").unlink()
    assert model_of(tmp_path / "model.xml").opt.timestep == 0.1


def test_a_missing_file_is_still_an_error(path, folder) -> None:
    model_of(path)
    (path.parent / "tetra.obj").unlink()
    with pytest.raises(cf.MjcfError, match="no file"):
        model_of(path)
    os.mkfifo(path.parent / "tetra.obj")
    with pytest.raises(cf.MjcfError, match="pipe"):
        model_of(path)
    path.write_text("<mujoco><worldbody><bdy/></worldbody></mujoco>")
    for _ in range(2):
        with pytest.raises(cf.MjcfError, match="bdy"):
            model_of(path)
    with pytest.raises(cf.MjcfError, match="no such file"):
        cf.Model.from_mjcf(path.parent / "none.xml")
    with pytest.raises(cf.ArgumentError):
        cf.Model.from_mjcf(3)
    with pytest.raises(cf.MjcfError):
        cf.Model.from_mjcf(path.parent)


def test_equal_files_elsewhere_are_other_models(path, folder, monkeypatch) -> None:
    """A relative path, from two folders with different includes."""
    other = path.parent.with_name("other")
    other.mkdir()
    for file in path.parent.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    (other / "parts.xml").write_text(PARTS.format(step=0.004))
    for place, step in ((path.parent, 0.003), (other, 0.004), (path.parent, 0.003)):
        monkeypatch.chdir(place)
        assert model_of("model.xml").opt.timestep == step


def test_a_link_to_another_file_counts(path, folder) -> None:
    real = path.parent / "tetra.obj"
    real.rename(path.parent / "one.obj")
    (path.parent / "two.obj").write_text(TETRA.format(x=2))
    real.symlink_to("one.obj")
    first = model_of(path)
    assert_same(first, model_of(path))
    real.unlink()
    real.symlink_to("two.obj")
    assert not np.array_equal(model_of(path).mesh_vert, first.mesh_vert)


def test_files_in_memory_count(path, folder, compiled) -> None:
    for x in (1, 2, 1, 2):
        model = model_of(path, assets={"tetra.obj": TETRA.format(x=x).encode()})
        assert np.ptp(model.mesh_vert) > 0
    assert len(compiled) == 2


def test_files_in_memory_that_are_none(path, folder) -> None:
    """A number is no file of so many zeros, and texts are no bytes."""
    for given in (10**15, "text", None):
        with pytest.raises(cf.ArgumentError, match="expected bytes"):
            model_of(path, assets={"tetra.obj": given})
    with pytest.raises(cf.ArgumentError, match="names of files"):
        model_of(path, assets={3: b""})


def test_a_very_large_file_is_refused_as_before(path, folder) -> None:
    with open(path, "r+b") as file:
        file.truncate(2**40)
    with pytest.raises(cf.MjcfError, match="larger than"):
        model_of(path)


def test_what_is_not_cached(path, folder, compiled) -> None:
    text = "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    for _ in range(2):
        cf.Model.from_mjcf(text)
        model_of(path, sandbox=True)
    assert not folder.exists() or not list(folder.glob("*.model"))
    assert len(compiled) == 4


@pytest.mark.parametrize("variable", ["CORTENFORGE_MODEL_CACHE", "CORTENFORGE_ASSET_CACHE"])
def test_off_keeps_nothing(path, folder, compiled, monkeypatch, variable) -> None:
    monkeypatch.setenv(variable, "off")
    model_of(path), model_of(path)
    assert len(compiled) == 2 and not list(folder.glob("*.model"))


def test_a_recorder_sees_the_files_of_a_cached_model(path, folder, compiled) -> None:
    found = []
    for _ in range(2):
        with recording_files() as record:
            model_of(path)
        found.append(record)
    assert len(compiled) == 1
    assert found[0].read == found[1].read and found[0].missing == found[1].missing
    assert {Path(one).name for one in found[0].read} == {"model.xml", "parts.xml", "tetra.obj"}


def test_damaged_entries_are_made_again(path, folder, compiled) -> None:
    first = model_of(path)
    file = entry(folder)
    whole = file.read_bytes()
    flipped = whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]
    for count, broken in enumerate((b"", whole[:-1], whole[:200], whole[:80] + b"x", flipped), 2):
        file.write_bytes(broken)
        model_cache.forget_kept()
        assert_same(first, model_of(path))
        assert len(compiled) == count
        assert file.read_bytes() == whole


def test_bad_content_with_a_right_checksum(path, folder, compiled) -> None:
    first = model_of(path)
    file = entry(folder)
    whole = read_cached(file.name)
    assert whole is not None
    line, _, memory = whole.partition(b"\n")
    head = json.loads(line)

    def but(**changed) -> bytes:
        return json.dumps({**head, "model": {**head["model"], **changed}}).encode() + b"\n" + memory

    sizes = head["model"]["all_sizes"]
    broken = [
        b"",
        b"nothing",
        b"[]\n" + memory,
        b"{}\n" + memory,
        b"[" * 10**5 + b"\n" + memory,
        line + b"\n" + memory[:-8],
        line + b"\n" + memory + bytes(8),
        line + b"\n",
        but(fields="0"),
        but(all_sizes={**sizes, "ngeom": 10**9}),
        but(all_sizes={**sizes, "ngeom": -1}),
        but(all_sizes={**sizes, "ngeom": "2"}),
        but(all_sizes={**sizes, "ngeom": True}),
        but(all_sizes={**sizes, "nwatched": 10**12}),
        but(all_sizes={}),
        but(capacities={}),
        but(arena=10**12),
        but(arena=-1),
        but(names={"body": [1]}),
        but(names=3),
        but(vis={"map": 3}),
        but(hash=3),
        json.dumps({**head, "read": {"a": [1]}}).encode() + b"\n" + memory,
        json.dumps({**head, "missing": [3]}).encode() + b"\n" + memory,
        json.dumps({**head, "warnings": [["MjcfError", "x"]]}).encode() + b"\n" + memory,
        json.dumps({**head, "warnings": [["os", "x"]]}).encode() + b"\n" + memory,
        line + b"\n" + bytes([255]) * len(memory),
    ]
    for count, content in enumerate(broken, 2):
        assert not write_cached(file.name, content)
        model_cache.forget_kept()
        assert_same(first, model_of(path))
        assert len(compiled) == count, content[:300]
        assert read_cached(file.name) == whole


def test_an_entry_under_another_name_is_not_used(path, folder, compiled) -> None:
    model_of(path)
    file = entry(folder)
    path.write_text(MODEL.replace("0 0 1 1", "0 0 2 1"))
    changed = model_of(path)
    (other,) = set(folder.glob("*.model")) - {file}
    other.write_bytes(file.read_bytes())
    model_cache.forget_kept()
    assert_same(changed, model_of(path))
    assert len(compiled) == 3


def test_other_sources_make_other_entries(path, folder, compiled, monkeypatch) -> None:
    model_of(path)
    monkeypatch.setattr(model_cache, "_version", lambda: b"another")
    model_of(path)
    assert len(compiled) == 2 and len(list(folder.glob("*.model"))) == 2


def test_sources_that_changed_since_they_were_imported(path, folder, compiled, monkeypatch) -> None:
    """What this process compiles may come from other sources than those on disk."""
    model_cache._version.cache_clear()
    monkeypatch.setattr(cf, "_imported_at", 0.0)
    model_of(path), model_of(path)
    assert len(compiled) == 2 and not list(folder.glob("*.model"))
    monkeypatch.undo()
    model_cache._version.cache_clear()


def test_entries_depend_on_all_modules_of_a_load() -> None:
    """Every module of the package that a load imports is part of the key."""
    program = (
        "import sys, cortenforge as cf; cf.Model.from_mjcf(cf.models.find('humanoid'))\n"
        "cf.Model.from_mjcf('<mujoco><worldbody><geom size=\"1\"/></worldbody></mujoco>')\n"
        "print(*sorted(m.__file__ for n, m in sys.modules.items()"
        " if n.split('.')[0] == 'cortenforge'), sep='\\n')"
    )
    environment = {**os.environ, "CORTENFORGE_MODEL_CACHE": "off"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    root = Path(cf.__file__).parent
    places = {Path(line).relative_to(root) for line in done.stdout.split()}
    left_out = {place for place in places if not model_cache.OTHERS.isdisjoint(place.parts)}
    # where models are
    assert {place.parts[0] for place in left_out} <= {"models"}
    assert Path("compile/compiler.py") in places - left_out


def test_a_file_that_changes_while_it_is_read_is_not_cached(path, folder, monkeypatch) -> None:
    read = load._read_mjcf

    def reading(*arguments, **options):
        path.write_text(MODEL.replace("0 0 1 1", "0 0 3 1"))
        return read(*arguments, **options)

    monkeypatch.setattr(load, "_read_mjcf", reading)
    assert model_of(path).key_qpos[0, 2] == 3
    assert not list(folder.glob("*.model"))


def test_folders_that_cannot_be_used(path, folder, compiled) -> None:
    folder.write_text("not a folder")
    first = model_of(path)
    assert folder.read_text() == "not a folder"
    folder.unlink()
    folder.mkdir()
    folder.chmod(0o777)
    assert_same(first, model_of(path))
    assert not list(folder.glob("*.model"))
    folder.chmod(0o700)
    assert_same(first, model_of(path))
    file = entry(folder)
    file.chmod(0o666)
    model_cache.forget_kept()
    assert_same(first, model_of(path))
    assert len(compiled) == 4 and not stat.S_IMODE(file.stat().st_mode) & 0o022
    # a link to an entry is followed only to a file of the user
    elsewhere = path.parent / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to("/dev/zero")
    model_cache.forget_kept()
    assert_same(first, model_of(path))
    assert len(compiled) == 5 and not file.is_symlink()


def test_a_full_disk_is_no_error(path, folder, compiled, monkeypatch) -> None:
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    first = model_of(path)
    assert_same(first, model_of(path))
    assert len(compiled) == 2 and not list(folder.glob("*"))


def test_sizes_are_bounded(path, folder, monkeypatch) -> None:
    model_of(path)
    old = entry(folder)
    os.utime(old, (1, 1))
    monkeypatch.setattr(model_cache, "MOST_DISK", 3 * old.stat().st_size // 2)
    path.write_text(MODEL.replace("0 0 1 1", "0 0 2 1"))
    model_of(path)
    assert not old.exists() and len(list(folder.glob("*.model"))) == 1
    monkeypatch.setattr(model_cache, "MOST_MEMORY", 10)
    model_of(path)
    assert not model_cache._kept
    monkeypatch.setattr(model_cache, "LARGEST_ENTRY", 10)
    clear_cache()
    model_of(path)
    assert not list(folder.glob("*.model"))


def test_the_command_shows_and_clears_models(path, folder) -> None:
    model_of(path)
    info = cache_info()
    assert info["model_files"] == 1 and info["model_bytes"] == entry(folder).stat().st_size
    clear_cache()
    assert cache_info()["model_files"] == 0


def test_threads_and_processes_load_at_once(path, folder) -> None:
    os.environ["CORTENFORGE_MODEL_CACHE"] = "off"
    expected = model_of(path)
    del os.environ["CORTENFORGE_MODEL_CACHE"]
    program = (
        "import sys, warnings; warnings.simplefilter('ignore'); import cortenforge as cf\n"
        "print({cf.Model.from_mjcf(sys.argv[1]).hash for _ in range(5)} == {sys.argv[2]})"
    )
    command = [sys.executable, "-c", program, str(path), expected.hash]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    found: list[cf.Model] = []
    threads = [
        threading.Thread(target=lambda: found.append(cf.Model.from_mjcf(path))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for model in found:
        assert_same(model, expected)
    assert len(found) == 4
    for process in processes:
        assert process.communicate()[0].strip() == "True" and process.returncode == 0
    assert not list(folder.glob("*.part"))


def test_real_paths_are_those_of_the_system(tmp_path) -> None:
    """Files, links to files and folders, folders that are named in other ways, and nothing."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    (tmp_path / "folder" / "other").symlink_to("file")
    (tmp_path / "folder" / "loop").symlink_to("loop")
    found = read_files.RealPaths()
    names = ("folder/file", "link/file", "link/other", "folder/loop", "folder/../link/file")
    for name in (*names, "folder/none", "none/file", "link", "folder/.", "folder/..", "folder/"):
        path = f"{tmp_path}/{name}"
        assert found.of(path) == os.path.realpath(path), name
