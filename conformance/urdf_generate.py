"""Seeded random URDF robots: every kind of joint, shape, limit and setting that is read.

`random_urdf(seed)` is text that MuJoCo loads, too; meshes come as files in memory.
"""

from __future__ import annotations

import struct
from xml.etree import ElementTree

import numpy as np

from conformance.draw import Draw, text

__all__ = ["MESHES", "random_urdf"]

Node = ElementTree.Element
MAX_LINKS = 14
KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "spherical")
#: bodies without off-diagonal moments, with equal ones, and any others
INERTIAS = ("diagonal", "round", "full", "full", "full")
SETTINGS = {
    "fusestatic": ("true", "false"),
    "discardvisual": ("true", "false", "false"),
    "balanceinertia": ("true", "false"),
    "angle": ("degree", "radian"),
    "eulerseq": ("zyx", "XYZ"),
    "inertiafromgeom": ("auto", "true", "false"),
    "boundmass": ("0.01",),
    "boundinertia": ("0.001",),
    "strippath": ("true", "false"),
    "alignfree": ("true", "false"),
}


def _wedge(length: float) -> bytes:
    """An STL file of a lopsided tetrahedron: no two of its moments are equal."""
    corners = np.array([(0, 0, 0), (length, 0, 0), (0, 2, 0), (0.3, 0.2, 1)], np.float32)
    faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
    records = (struct.pack("<12fH", 0, 0, 0, *corners[list(f)].ravel(), 0) for f in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(records)


#: folders in file names: files in memory are found without them
FOLDERS = ("", "", "meshes/", "package://robot/meshes/")
MESHES = {"wedge.stl": _wedge(3.0), "slab1.stl": _wedge(1.4), "slab.stl": _wedge(0.7)}


def random_urdf(seed: int) -> str:
    """URDF text of a random robot.

    >>> random_urdf(3).startswith("<robot")
    True
    """
    return Robot(Draw(seed)).write(f"random {seed}")


class Robot:
    """One robot: links, the joints that make trees of them, and other elements, shuffled."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        draw.degrees = False
        self.root = ElementTree.Element("robot")

    def write(self, name: str) -> str:
        draw = self.draw
        self.root.set("name", name)
        self.extension()
        for _ in range(draw.whole(0, 3)):
            self.material(self.root)
        names = [f"link{number}" for number in range(draw.whole(2, MAX_LINKS))]
        if draw.chance(0.3):
            names[0] = "world"
        parts, moving = [], set()
        for number in range(1, len(names)):
            # a link without a joint is one more root
            if draw.chance(0.9):
                joint = self.joint(names, number)
                parts.append(joint)
                if joint.get("type") != "fixed":
                    moving.add(names[number])
        parts += [self.link(name, moves=name in moving) for name in names]
        self.root.extend(parts[i] for i in draw.rng.permutation(len(parts)))
        ElementTree.indent(self.root)
        return ElementTree.tostring(self.root, encoding="unicode")

    def extension(self) -> None:
        """MuJoCo's own section, with some settings of the compiler, options and sizes."""
        draw = self.draw
        if draw.chance(0.3):
            return
        section = ElementTree.SubElement(self.root, "mujoco")
        chosen = {name: draw.pick(words) for name, words in SETTINGS.items() if draw.chance(0.25)}
        ElementTree.SubElement(section, "compiler", chosen)
        if draw.chance(0.3):
            option = ElementTree.SubElement(
                section, "option", timestep=text(draw.real(0.001, 0.01))
            )
            ElementTree.SubElement(option, "flag", gravity=draw.pick(("enable", "disable")))
        if draw.chance(0.3):
            ElementTree.SubElement(section, "size", nuserdata=str(draw.whole(0, 5)))

    def material(self, parent: Node) -> None:
        """A material with a colour, or a name that another one gives a colour."""
        draw = self.draw
        name = f"colour{draw.whole(0, 4)}"
        material = ElementTree.SubElement(parent, "material", name=name)
        if draw.chance(0.6):
            ElementTree.SubElement(material, "color", rgba=draw.rgba())

    def origin(self, parent: Node, size: float) -> None:
        """A pose, parts of which are absent at times."""
        draw = self.draw
        if draw.chance(0.2):
            return
        origin = ElementTree.SubElement(parent, "origin")
        if draw.chance(0.8):
            origin.set("xyz", draw.vector(size))
        if draw.chance(0.7):
            origin.set("rpy", text(*(draw.angle(-np.pi, np.pi) for _ in range(3))))

    def link(self, name: str, *, moves: bool) -> Node:
        draw = self.draw
        link = ElementTree.Element("link", name=name)
        # what moves needs inertia, of its own or of its shapes
        if moves or draw.chance(0.6):
            self.inertial(link)
        for _ in range(draw.whole(0, 3)):
            self.shape(link, "collision")
        for _ in range(draw.whole(0, 2)):
            self.shape(link, "visual")
        link[:] = [link[i] for i in draw.rng.permutation(len(link))]
        return link

    def inertial(self, link: Node) -> None:
        draw = self.draw
        inertial = ElementTree.SubElement(link, "inertial")
        self.origin(inertial, 0.2)
        ElementTree.SubElement(inertial, "mass", value=text(draw.real(0.2, 5)))
        kind = draw.pick(INERTIAS)
        moments = draw.rng.uniform(0.5, 0.9, 3)
        if kind == "round":
            moments[:] = moments[0]
        products = draw.rng.uniform(-0.1, 0.1, 3) if kind == "full" else np.zeros(3)
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        values = zip(names, map(text, (*moments, *products)), strict=True)
        ElementTree.SubElement(inertial, "inertia", dict(values))

    def shape(self, link: Node, tag: str) -> None:
        draw = self.draw
        node = ElementTree.SubElement(link, tag)
        if draw.chance(0.3):
            # names that repeat: only the first geom of a name keeps it
            node.set("name", f"{tag}{draw.whole(0, 9)}")
        self.origin(node, 0.3)
        geometry = ElementTree.SubElement(node, "geometry")
        kind = draw.pick(("box", "cylinder", "sphere", "capsule", "mesh"))
        if kind == "mesh":
            name = draw.pick(tuple(MESHES))
            mesh = ElementTree.SubElement(geometry, "mesh", filename=f"{draw.pick(FOLDERS)}{name}")
            if draw.chance(0.5):
                mesh.set("scale", draw.pick(("0.1 0.1 0.1", "0.2 0.1 0.3", "-0.1 0.1 0.1")))
        elif kind == "box":
            ElementTree.SubElement(geometry, "box", size=draw.positive(0.05, 0.4, 3))
        else:
            shape = ElementTree.SubElement(geometry, kind, radius=text(draw.real(0.02, 0.2)))
            if kind != "sphere":
                shape.set("length", text(draw.real(0.05, 0.5)))
        if draw.chance(0.4):
            self.material(node)

    def joint(self, names: list[str], number: int) -> Node:
        """The joint above a link; its parent is an earlier link, so that there is no ring."""
        draw = self.draw
        parent = draw.whole(0, number - 1)
        kind = draw.pick(KINDS)
        if parent == 0 and names[0] == "world" and draw.chance(0.2):
            kind = "floating"
        # names that repeat: only the first joint of a name keeps it
        name = f"joint{number if draw.chance(0.95) else 0}"
        joint = ElementTree.Element("joint", name=name, type=kind)
        ElementTree.SubElement(joint, "parent", link=names[parent])
        ElementTree.SubElement(joint, "child", link=names[number])
        self.origin(joint, 0.5)
        if draw.chance(0.7):
            ElementTree.SubElement(joint, "axis", xyz=draw.axis())
        self.limit(joint, kind)
        if name != "joint0" and draw.chance(0.2):
            mimic = ElementTree.SubElement(
                joint, "mimic", joint=f"joint{draw.whole(0, number - 1)}"
            )
            if draw.chance(0.6):
                mimic.attrib |= {"multiplier": draw.vector(2, 1), "offset": draw.vector(1, 1)}
        if draw.chance(0.4):
            dynamics = ElementTree.SubElement(joint, "dynamics", damping=text(draw.real(0, 1)))
            if draw.chance(0.5):
                dynamics.set("friction", text(draw.real(0, 0.5)))
        return joint

    def limit(self, joint: Node, kind: str) -> None:
        """Limits: proper ones, reversed or equal ones, only one side, effort."""
        draw = self.draw
        if draw.chance(0.3):
            return
        limit = ElementTree.SubElement(joint, "limit", velocity="1")
        if draw.chance(0.7):
            limit.set("effort", text(draw.real(-20, 100)))
        low, high = sorted(draw.rng.uniform(-2, 2, 2))
        if kind == "spherical":
            low, high = 0.0, abs(high)
        elif draw.chance(0.1):
            low, high = draw.pick(((high, low), (low, low), (0.0, 0.0)))
        if draw.chance(0.9):
            limit.set("lower", text(low))
        if draw.chance(0.9):
            limit.set("upper", text(high))
