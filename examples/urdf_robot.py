"""A robot from URDF with meshes, as CAD exports it: loaded, placed on a floor, given servos."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import trimesh
from picture import keep

import cortenforge as cf

LINK = """
<link name="{name}">
  <inertial>
    <origin xyz="0 0 {mid}"/><mass value="{mass}"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.005" ixy="0" ixz="0" iyz="0"/>
  </inertial>
  <visual>
    <geometry><mesh filename="package://arm/{name}.stl"/></geometry>
    <material name="{name}"><color rgba="{rgba}"/></material>
  </visual>
  <collision><geometry><mesh filename="package://arm/{name}.stl"/></geometry></collision>
</link>"""
JOINT = """
<joint name="{name}" type="revolute">
  <parent link="{parent}"/><child link="{child}"/>
  <origin xyz="0 0 {z}"/><axis xyz="{axis}"/>
  <dynamics damping="0.5"/><limit lower="-2.5" upper="2.5" effort="40"/>
</joint>"""
RUST, STEEL, SAND = "0.72 0.33 0.13 1", "0.4 0.42 0.45 1", "0.88 0.64 0.35 1"
#: angles of waist, shoulder and elbow
WANTED = np.array([0.6, 0.7, 1.1])


def write_robot(folder: Path) -> Path:
    """Write a URDF of a base and three links, each with a mesh."""
    meshes = {
        "base": trimesh.creation.cylinder(0.15, 0.1).apply_translation([0, 0, 0.05]),
        "turret": trimesh.creation.icosphere(3, 0.09).apply_translation([0, 0, 0.1]),
        "upper": trimesh.creation.capsule(0.3, 0.05).apply_translation([0, 0, 0.2]),
        "lower": trimesh.creation.cone(0.05, 0.35),
    }
    for name, mesh in meshes.items():
        mesh.export(folder / f"{name}.stl")
    file = folder / "arm.urdf"
    file.write_text(
        '<robot name="arm">'
        + LINK.format(name="base", mid=0.05, mass=5, rgba=STEEL)
        + LINK.format(name="turret", mid=0.1, mass=1, rgba=RUST)
        + LINK.format(name="upper", mid=0.18, mass=2, rgba=STEEL)
        + LINK.format(name="lower", mid=0.1, mass=1, rgba=SAND)
        + JOINT.format(name="waist", parent="base", child="turret", z=0.1, axis="0 0 1")
        + JOINT.format(name="shoulder", parent="turret", child="upper", z=0.12, axis="0 1 0")
        + JOINT.format(name="elbow", parent="upper", child="lower", z=0.4, axis="0 1 0")
        + "</robot>"
    )
    return file


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = write_robot(Path(folder))
        spec = cf.Spec.from_urdf(file, package_path={"arm": folder})
        spec.worldbody.add_geom(
            name="floor", type="plane", size=[0, 0, 0.1], rgba=[0.75, 0.76, 0.75, 1]
        )
        spec.option.integrator = "implicitfast"  # strong servos on light links
        for joint in ("waist", "shoulder", "elbow"):
            spec.add_actuator("position", name=joint, joint=joint, kp=300, kv=30)
        model = spec.compile()
    data = model.make_data()
    data.ctrl[:] = WANTED
    data.step(1500)
    data.forward()
    print(f"{model.nmesh} meshes, {model.njnt} joints of a URDF, {model.nu} servos from Python.")
    off = np.degrees(np.abs(data.qpos - WANTED)).max()
    print(f"After {data.time:.1f} s each angle is within {off:.1f}° of its target;")
    print(f"the servos hold against a gravity torque of {np.abs(data.qfrc_bias).max():.1f} N m.")
    camera = cf.Camera(lookat=(0.15, 0.05, 0.3), distance=1.6, azimuth=120, elevation=-20)
    keep("urdf_robot", data, camera)


if __name__ == "__main__":
    main()
