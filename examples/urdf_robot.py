"""A robot from URDF with meshes, as CAD exports it: written to a folder, loaded, put on a floor."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import trimesh
from picture import keep

import cortenforge as cf

LINK = """<link name="{name}">
  <visual><origin xyz="0 0 {mid}"/><geometry><mesh filename="package://arm/{name}.stl"/></geometry></visual>
  <collision><origin xyz="0 0 {mid}"/><geometry><mesh filename="package://arm/{name}.stl"/></geometry></collision>
  <inertial><origin xyz="0 0 {mid}"/><mass value="{mass}"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial>
</link>"""
JOINT = """<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
  <origin xyz="0 0 {z}"/><axis xyz="{axis}"/><dynamics damping="0.5"/>
  <limit lower="-2.5" upper="2.5" effort="40" velocity="5"/></joint>"""


def write_robot(folder: Path) -> Path:
    """Two links and a foot, each with a mesh of its own."""
    meshes = {
        "base": trimesh.creation.cylinder(0.15, 0.1),
        "upper": trimesh.creation.capsule(height=0.4, radius=0.06).apply_translation([0, 0, -0.2]),
        "lower": trimesh.creation.box([0.08, 0.08, 0.4]),
    }
    for name, mesh in meshes.items():
        mesh.export(folder / f"{name}.stl")
    parts = [
        LINK.format(name="base", mid=0.05, mass=5),
        LINK.format(name="upper", mid=0.25, mass=2),
        LINK.format(name="lower", mid=0.2, mass=1),
        JOINT.format(name="shoulder", parent="base", child="upper", z=0.1, axis="0 1 0"),
        JOINT.format(name="elbow", parent="upper", child="lower", z=0.5, axis="0 1 0"),
    ]
    file = folder / "arm.urdf"
    file.write_text(f'<robot name="arm">{"".join(parts)}</robot>')
    return file


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = write_robot(Path(folder))
        spec = cf.Spec.from_urdf(file, package_path={"arm": folder})
        spec.worldbody.add_geom(name="floor", type="plane", size=[0, 0, 0.1])
        model = spec.compile()
    data = model.make_data()
    data.qpos[:] = 0.3, 0.4
    data.step(2000)
    data.forward()
    print(
        f"{model.nmesh} meshes, {model.njnt} joints, {data.ncon} contacts after {data.time:.1f} s"
    )
    lowest = float(data.geom_xpos[:, 2].min())
    print(f"It fell over and lies on the floor: q = {np.round(data.qpos, 2)}, {lowest:.2f} m up.")
    camera = cf.Camera(lookat=(0.2, 0, 0.25), distance=2.0, azimuth=110, elevation=-15)
    keep("urdf_robot", data, camera)


if __name__ == "__main__":
    main()
