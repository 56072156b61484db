"""Checks across the whole model: names, user data, sizes, numbers that overflowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.records import Body, BodyPart
from cortenforge.compile.wiring.actuators import CompiledActuator
from cortenforge.errors import MjcfError
from cortenforge.problems import raise_or_gather
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import integer, number, number_list

MAX_BODY_COUNT = 65534
MAX_BODY_DEPTH = 1023
MAX_USER_NUMBERS = 10_000_000


def check_compiled_names(spec: Spec, world: Iterable[Body]) -> None:
    """Names are unique per type of object, and `world` is taken."""
    bodies = list(world)
    for kind in ("joints", "geoms", "sites", "cameras", "lights"):
        _check_unique_names(
            kind[:-1], (part.element for body in bodies for part in getattr(body, kind))
        )
    frames = (element for element in spec.worldbody.walk() if element.tag == "frame")
    _check_unique_names("frame", frames)
    named = [body.element for body in bodies[1:]]
    _check_unique_names("body", named)
    for element in named:
        if element.name == "world":
            raise element.error('the name "world" is reserved for the world body', "name")
    for kind, elements in (
        ("numeric", spec.numerics),
        ("text", spec.texts),
        ("tuple", spec.tuples),
        ("key", spec.keys),
        ("texture", spec.textures),
        ("material", spec.materials),
        ("hfield", spec.hfields),
        ("skin", spec.skins),
        ("soft", spec.softs),
        ("sensor", spec.sensors),
        ("pair", [one for one in spec.contacts if one.tag == "pair"]),
        ("exclude", [one for one in spec.contacts if one.tag == "exclude"]),
        ("equality", spec.equalities),
        ("tendon", spec.tendons),
        ("actuator", spec.actuators),
    ):
        _check_unique_names(kind, elements)


def _check_unique_names(kind: str, elements: Iterable[Element]) -> None:
    seen: dict[str, Element] = {}
    for element in elements:
        if not element.name:
            continue
        first = seen.setdefault(element.name, element)
        if first is not element:
            raise_or_gather(
                element.error(f"another {kind} already has this name, at {first.where}", "name")
            )


def check_body_count(bodies: list[Body]) -> None:
    """Body ids must fit in 16 bits of MuJoCo's signatures of pairs."""
    if len(bodies) >= MAX_BODY_COUNT:
        raise bodies[0].element.error(f"too many bodies: {len(bodies)}, at most {MAX_BODY_COUNT}")


def check_depth(bodies: list[Body]) -> None:
    """Refuse bodies nested deeper than MuJoCo allows; rows of M grow with every level."""
    depth = {id(bodies[0]): 0}
    for body in bodies[1:]:
        level = depth[id(body)] = depth[id(body.parent)] + 1
        if level > MAX_BODY_DEPTH:
            raise body.element.error(f"bodies are nested deeper than {MAX_BODY_DEPTH} levels")


def user_arrays(
    tree: NumberedTree, size: Element, actuators: Sequence[CompiledActuator] = ()
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """User data of bodies, joints, geoms, sites, cameras and actuators, as long as the longest."""
    arrays, sizes = {}, {}
    kinds = (
        ("body", "body", tree.bodies),
        ("jnt", "jnt", tree.joints),
        ("geom", "geom", tree.geoms),
        ("site", "site", tree.sites),
        ("cam", "cam", tree.cameras),
        ("actuator", "actuator", actuators),
    )
    for prefix, suffix, objects in kinds:
        array = user_array([one.element for one in objects], size, f"nuser_{suffix}")
        arrays[f"{prefix}_user"], sizes[f"nuser_{suffix}"] = array, array.shape[1]
    return arrays, sizes


def user_array(elements: list[Element], size: Element, name: str) -> np.ndarray:
    """User data of elements of one kind, padded to the width of the size attribute."""
    rows = [number_list(element, "user") for element in elements]
    width = _user_width(size, name, rows)
    array = np.zeros((len(rows), width))
    for i, (row, element) in enumerate(zip(rows, elements, strict=True)):
        if len(row) > width:
            raise_or_gather(
                element.error(f"has {len(row)} numbers, {name}={width} allows fewer", "user")
            )
            continue
        array[i, : len(row)] = row
    return array


def _user_width(size: Element, name: str, rows: list[tuple[float, ...]]) -> int:
    """The given width, or the longest row when it is -1."""
    width = integer(size, name)
    if width == -1:
        return max((len(row) for row in rows), default=0)
    if width < 0 or width * max(1, len(rows)) > MAX_USER_NUMBERS:
        raise size.error(
            f"got {width}: expected -1, or a size of at most {MAX_USER_NUMBERS} numbers in all",
            name,
        )
    return width


def check_finite(arrays: dict[str, np.ndarray], tree: NumberedTree, spec: Spec) -> None:
    """No infinity or NaN leaves the compiler: name the object whose numbers overflowed."""
    owners: dict[str, Sequence[Body | BodyPart]] = {
        "body": tree.bodies,
        "jnt": tree.joints,
        "geom": tree.geoms,
        "site": tree.sites,
        "cam": tree.cameras,
        "light": tree.lights,
    }
    dofs: list[BodyPart] = [joint for joint in tree.joints for _ in range(joint.nv)]
    for name, array in arrays.items():
        if array.dtype.kind != "f" or np.isfinite(array).all():
            continue
        rows = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
        group = dofs if name.startswith("dof_") else owners.get(name.split("_")[0])
        where = group[rows[0]].element.where if group else spec.worldbody.where
        raise MjcfError(f"values overflow: {name} is not finite", where)


def check_history(spec: Spec, count: int) -> None:
    """Histories of delayed samples need a positive time step."""
    if count and number(spec.option, "timestep") <= 0:
        raise spec.option.error("histories and delays need a positive timestep", "timestep")


def check_inertia(arrays: dict[str, np.ndarray], tree: NumberedTree) -> None:
    """Refuse dofs of negative inertia, which negative armature can cause."""
    negative = np.flatnonzero((arrays["dof_invweight0"] < 0) | (arrays["dof_M0"] < 0))
    if len(negative):
        joint = tree.joints[arrays["dof_jntid"][negative[0]]]
        raise joint.element.error(
            "the inertia of this joint is negative (dof_M0 or dof_invweight0 below zero)",
            "armature",
        )
