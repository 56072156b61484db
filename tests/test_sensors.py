"""The table of sensors: rows say what MuJoCo does, and a new sensor is a row and a branch."""

from __future__ import annotations

import ast
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortenforge.sensors import CONTACT_DATA, RAY_DATA, SensorType

ROOT = Path(__file__).parents[1]
#: sensors without a role of their own elsewhere: pictures, the comparison, sleep
ORDINARY = (
    SensorType.ACCELEROMETER,
    SensorType.GYRO,
    SensorType.MAGNETOMETER,
    SensorType.JOINTPOS,
    SensorType.TENDONVEL,
    SensorType.BALLQUAT,
    SensorType.JOINTLIMITFRC,
    SensorType.FRAMEPOS,
    SensorType.FRAMEANGACC,
    SensorType.SUBTREECOM,
    SensorType.E_POTENTIAL,
    SensorType.CLOCK,
)

ROW = '    HEIGHT = "49 | height | site | 1 | pos | real | position | m | Height of the site."\n'
BRANCH = """        elif kind == HEIGHT:
            write_reading(m, d, i, d.site_xpos[number].z)
"""
PROGRAM = """
import cortenforge as cf
text = '''<mujoco><option gravity="0 0 0"/><worldbody><body pos="0 0 2">
<joint type="slide" axis="0 0 1"/><geom size=".1"/><site name="s" pos="0 0 .5"/></body></worldbody>
<sensor><clock/><height name="h" site="s" cutoff="3"/></sensor></mujoco>'''
spec = cf.Spec.from_mjcf(text)
assert '<height name="h" site="s" cutoff="3"' in spec.to_xml()
data = spec.compile().make_data()
data.qpos[0] = 0.25
data.forward()
assert data.sensor("h").data.tolist() == [2.75], data.sensordata
data.qpos[0] = 1.0
data.forward()
assert data.sensor("h").data.tolist() == [3.0], data.sensordata
"""


def test_a_toy_sensor_is_a_row_and_a_branch(tmp_path: Path) -> None:
    """Grammar, compiler, kernels, views and pages know a sensor from these two places."""
    package = shutil.copytree(ROOT / "cortenforge", tmp_path / "cortenforge")
    insert_before(package / "sensors.py", "\n    def __new__(cls, row", ROW)
    kernel = package / "step/sensing/position.py"
    insert_before(kernel, "        elif kind == MAGNETOMETER:", BRANCH)
    insert_before(kernel, "    INSIDE_SENSORS,\n", "    HEIGHT,\n")
    run(tmp_path, PROGRAM)
    page = f"import sys; sys.path.insert(0, {str(ROOT / 'docs')!r}); import build_sensors; "
    assert "| `height` | `site` |" in run(tmp_path, page + "print(build_sensors.table())")


def insert_before(file: Path, mark: str, lines: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(mark) == 1, mark
    file.write_text(text.replace(mark, lines + mark), encoding="utf-8")


def run(folder: Path, program: str) -> str:
    """Output of a program with the package of a folder, kernels as plain Python."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ORDINARY, ids=lambda kind: kind.tag)
def test_a_sensor_stands_in_two_files(kind: SensorType) -> None:
    """Its row, and the kernel of its group."""
    files = {file for file, words in words_of_files().items() if {kind.tag, kind.name} & words}
    kernels = {file for file in files if file.startswith("cortenforge/step/sensing/")}
    assert files - kernels == {"cortenforge/sensors.py"} and len(kernels) <= 1


@functools.cache
def words_of_files() -> dict[str, set[str]]:
    """Constants that each module uses, and its texts.

    Tasks are left out: they name sensors of their models, which are called as their types are.
    """
    package = ROOT / "cortenforge"
    return {
        file.relative_to(ROOT).as_posix(): set(words_of(file))
        for file in package.rglob("*.py")
        if not file.is_relative_to(package / "envs")
    }


def words_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and node.id.isupper():
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr.isupper():
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_enumerations_have_mujocos_numbers() -> None:
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.mjtSensor.__members__
    assert {kind.name: int(kind) for kind in SensorType} == {
        name.removeprefix("mjSENS_"): int(value) for name, value in theirs.items()
    }


@pytest.mark.parametrize(("data", "prefix"), [(RAY_DATA, "mjRAYDATA"), (CONTACT_DATA, "mjCONDATA")])
def test_data_of_rays_and_contacts_are_mujocos(data: dict[str, int], prefix: str) -> None:
    """Names in the order of their bits."""
    mujoco = pytest.importorskip("mujoco")
    kind = {"mjRAYDATA": mujoco.mjtRayDataField, "mjCONDATA": mujoco.mjtConDataField}[prefix]
    bits = {f"{prefix}_{name.upper()}": bit for bit, name in enumerate(data)}
    assert bits == {name: int(kind.__members__[name]) for name in bits}


def test_rows_are_complete() -> None:
    """Each says what it is attached to and what it reports."""
    for kind in SensorType:
        assert kind.reports.endswith(".")
        assert bool(kind.attached) == bool(kind.attachments)
