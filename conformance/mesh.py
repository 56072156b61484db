"""Random meshes, and geoms of a random model that use them instead of their own shape."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np

__all__ = ["add_meshes"]

Node = ElementTree.Element
INERTIAS = ("convex", "exact", "legacy", "shell")
FITTED = ("sphere", "capsule", "cylinder", "ellipsoid", "box")
BUILTINS = (
    ("sphere", "1"),
    ("hemisphere", "2"),
    ("cone", "5 0.4"),
    ("supersphere", "6 0.7 1.2"),
    ("supertorus", "6 0.4 1 0.8"),
)


def add_meshes(root: Node, seed: int, share: float) -> None:
    """Give a share of the models meshes; the rest of the text stays what it was."""
    rng = np.random.default_rng((seed, 77))
    world = root.find("worldbody")
    if world is None or rng.random() > share:
        return
    geoms = [geom for geom in world.iter("geom") if _free_to_change(geom)]
    if not geoms:
        return
    asset = ElementTree.Element("asset")
    names = [_mesh(asset, rng, number) for number in range(rng.integers(1, 4))]
    root.insert(list(root).index(world), asset)
    for geom in geoms:
        if rng.random() < 0.5:
            _use(geom, str(rng.choice(names)), rng)


def _free_to_change(geom: Node) -> bool:
    given = geom.attrib
    return (
        given.get("type") not in ("plane", "hfield")
        and "fromto" not in given
        and "class" not in given
    )


def _use(geom: Node, name: str, rng: np.random.Generator) -> None:
    """Make a geom the mesh itself, or a primitive fitted to it."""
    geom.set("mesh", name)
    geom.attrib.pop("size", None)
    if rng.random() < 0.6:
        geom.set("type", "mesh")
        geom.set("shellinertia", "false")
    else:
        # a capsule fitted to a flat mesh can have no length
        geom.set("type", str(rng.choice([kind for kind in FITTED if kind != "capsule"])))
        if rng.random() < 0.5:
            geom.set("fitscale", f"{rng.uniform(0.5, 1.5):.4g}")


def _mesh(asset: Node, rng: np.random.Generator, number: int) -> str:
    """One mesh without symmetry, about as large as the primitives are."""
    name = f"mesh{number}"
    node = ElementTree.SubElement(asset, "mesh", name=name)
    signs = rng.choice((-1.0, 1.0), 3) if rng.random() < 0.3 else np.ones(3)
    if rng.random() < 0.3:
        kind, params = BUILTINS[int(rng.integers(len(BUILTINS)))]
        node.set("builtin", kind)
        node.set("params", params)
        node.set("scale", _text(signs * (0.1, 0.17, 0.29)))
    else:
        points = rng.normal(size=(int(rng.integers(6, 30)), 3)) * (0.1, 0.16, 0.27)
        node.set("vertex", _text(points))
        node.set("scale", _text(signs * rng.uniform(0.6, 1.5, 3)))
    if rng.random() < 0.4:
        node.set("inertia", str(rng.choice(INERTIAS)))
    if rng.random() < 0.3:
        node.set("refpos", _text(rng.normal(size=3) * 0.1))
        node.set("refquat", _text(rng.normal(size=4)))
    if rng.random() < 0.2:
        node.set("smoothnormal", "true")
    if rng.random() < 0.2:
        node.set("maxhullvert", str(rng.integers(5, 12)))
    return name


def _text(values: np.ndarray) -> str:
    return " ".join(f"{value:.6g}" for value in np.ravel(values))
