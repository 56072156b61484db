"""Real robots in URDF compile to MuJoCo's arrays, as far as this machine has any."""

from __future__ import annotations

import pytest

from conformance import urdf

pytestmark = pytest.mark.oracle
ROBOTS = urdf.robots()
#: the whole collection is for `python -m conformance.urdf`
MOST = 5


@pytest.mark.skipif(not ROBOTS, reason=f"no robots: {urdf.VARIABLE} may name their folder")
@pytest.mark.parametrize("robot", ROBOTS[:MOST], ids=[file.stem for file, _ in ROBOTS[:MOST]])
def test_robot_is_mujocos(robot):
    outcome = urdf.compare_robot(*robot)
    assert outcome.ok, outcome.result


BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
MESH = '<collision><geometry><mesh filename="{}"/></geometry></collision>'
ROBOT = (
    '<robot name="r"><link name="a"/><link name="b">{}</link><joint name="j" type="revolute">'
    '<parent link="a"/><child link="b"/></joint></robot>'
)


def compared(tmp_path, content: str) -> urdf.Outcome:
    file = tmp_path / "arm_description" / "urdf" / "arm.urdf"
    file.parent.mkdir(parents=True)
    file.write_text(ROBOT.format(content))
    return urdf.compare_robot(file, "here")


def test_packages_are_found_for_mujoco(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "slab.stl").write_bytes(urdf.MESHES["slab.stl"])
    outcome = compared(tmp_path, MESH.format("package://meshes/slab.stl"))
    assert (outcome.name, outcome.collection) == ("arm/arm", "here")
    assert outcome.equal and outcome.result == "equal"
    assert "| arm/arm | here | 2 | 1 | 1 | 1 | equal |" in urdf.table([outcome])


def test_collada_is_taken_out_for_both(tmp_path):
    outcome = compared(tmp_path, BOX + MESH.format("arm.dae"))
    assert outcome.result == "equal; 1 Collada collisions left out"


def test_impossible_inertia_gets_help(tmp_path):
    """Once without and once with balanced inertia; a robot that both refuse is not a failure."""
    outcome = compared(tmp_path, "")
    assert outcome.result == "equal; with inertia balanced and bounded"


def test_refusals_are_told_apart(tmp_path):
    outcome = compared(tmp_path, MESH.format("none.stl"))
    assert outcome.ok and not outcome.equal
    assert outcome.result.startswith("refused by both")
    assert not urdf.Outcome("x", "y", refused="z").ok
    assert not urdf.Outcome("x", "y", differing=("nq",)).ok
