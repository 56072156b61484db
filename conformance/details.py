"""Attributes that the other parts of the generator leave out, put on a few elements each."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np

from conformance.draw import Draw, text

__all__ = ["add_details"]

Node = ElementTree.Element
Makers = dict[str, Callable[[], str]]
SHARE = 0.08


def add_details(root: Node, draw: Draw) -> None:
    """Give elements attributes that are legal wherever they stand."""
    _tree(root, draw)
    _assets(root, draw)
    solver = {
        "solimplimit": lambda: text(0.8, 0.9, 0.002, 0.4, 3),
        "solreffriction": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
    }
    materials = [node.attrib["name"] for node in root.iterfind("asset/material")]
    for node in root.iterfind("tendon/*"):
        _decorate(node, draw, solver)
        if node.tag == "spatial" and materials and draw.chance(0.2):
            node.set("material", draw.pick(materials))
    compiler = root.find("compiler")
    assert compiler is not None
    autolimits = compiler.get("autolimits") != "false"
    for node in root.iterfind("actuator/*"):
        _actuator(node, draw, autolimits)


def _decorate(node: Node, draw: Draw, makers: Makers, share: float = SHARE) -> None:
    for name, make in makers.items():
        if name not in node.attrib and draw.chance(share):
            node.set(name, make())


def _tree(root: Node, draw: Draw) -> None:
    world = root.find("worldbody")
    assert world is not None
    group: Makers = {"group": lambda: str(draw.whole(0, 5))}
    friction: Makers = {
        "solreflimit": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "solreffriction": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "solimpfriction": lambda: text(0.8, 0.9, 0.002, 0.4, 3),
    }
    light: Makers = {"softness": lambda: text(draw.real(0, 1))}
    camera: Makers = {"output": lambda: draw.pick(("rgb", "rgb depth", "distance normal"))}
    by_tag = {"joint": group | friction, "freejoint": group, "light": light, "camera": camera}
    for number, node in enumerate(world.iter()):
        _decorate(node, draw, by_tag.get(node.tag, {}))
        if node.tag == "camera" and "focal" in node.attrib and draw.chance(0.5):
            node.set("principal", "0.001 0.002")
        if node.tag == "light" and "type" not in node.attrib and draw.chance(0.1):
            node.set("directional", draw.flag())
        if node.tag == "frame" and draw.chance(0.3):
            node.set("name", f"{number}frame")


def _assets(root: Node, draw: Draw) -> None:
    texture: Makers = {"hflip": draw.flag, "vflip": draw.flag}
    for node in root.iterfind("asset/texture"):
        _decorate(node, draw, texture)
    materials = [node.attrib["name"] for node in root.iterfind("asset/material")]
    for node in root.iterfind("asset/mesh"):
        if materials and draw.chance(0.2):
            node.set("material", draw.pick(materials))
    section = root.find("asset/mesh/..")
    if section is not None and draw.chance(0.5):
        _solid(section, draw)


def _solid(section: Node, draw: Draw) -> None:
    """A mesh with faces, and at times with normals and points on a texture; nobody uses it."""
    points = draw.rng.normal(size=(4, 3)) * 0.3
    # faces that look outwards
    if np.linalg.det(points[1:] - points[0]) < 0:
        points[[1, 2]] = points[[2, 1]]
    node = ElementTree.SubElement(section, "mesh", name="solid", vertex=text(*points.ravel()))
    node.set("face", "0 2 1 0 1 3 1 2 3 2 0 3")
    if draw.chance(0.5):
        node.set("texcoord", draw.positive(0, 1, 8))
    if draw.chance(0.5):
        outward = points - points.mean(axis=0)
        node.set("normal", text(*(outward / np.linalg.norm(outward, axis=1)[:, None]).ravel()))


def _actuator(node: Node, draw: Draw, autolimits: bool) -> None:
    if node.tag not in ("dcmotor", "orientation"):
        _decorate(node, draw, {"forcerange": lambda: text(-draw.real(1, 9), draw.real(1, 9))}, 0.2)
        if "forcerange" in node.attrib:
            node.set("forcelimited", draw.flag())
    if node.tag not in ("orientation", "adhesion"):
        low = draw.real(-1, 1)
        _decorate(node, draw, {"lengthrange": lambda: text(low, low + draw.real(0.1, 2))})
        if "joint" in node.attrib:
            losses: Makers = {
                "damping": lambda: draw.positive(0.01, 1, draw.whole(1, 3)),
                "armature": lambda: text(draw.real(0.001, 0.1)),
            }
            _decorate(node, draw, losses)
    if node.tag == "intvelocity" and autolimits and draw.chance(0.5):
        node.set("actrange", "-1 2")
    if node.tag == "muscle":
        muscle: Makers = {
            "timeconst": lambda: draw.positive(0.01, 0.1, 2),
            "range": lambda: text(draw.real(0.5, 0.9), draw.real(1, 1.2)),
            "vmax": lambda: text(draw.real(1, 2)),
            "fpmax": lambda: text(draw.real(1, 2)),
            "fvmax": lambda: text(draw.real(1.1, 2)),
        }
        _decorate(node, draw, muscle, 0.3)
    if node.tag == "pid" and "ff" in node.get("input", ""):
        _decorate(node, draw, {"ffrange": lambda: "-3 2"}, 0.5)
    if node.tag == "orientation":
        _decorate(node, draw, {"input": lambda: draw.pick(("expmap", "quat"))}, 0.5)
