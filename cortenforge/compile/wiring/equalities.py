"""Equality constraints: objects, eq_data, and poses computed from the reference position.

eq_data by type, q the quaternions and p the positions of bodies 1 and 2 in qpos0:

    connect    anchor in body 1 (0:3), in body 2 (3:6) = q2^-1 (p1 + q1 anchor - p2)
    weld       anchor in body 2 (0:3), in body 1 (3:6), relpose = q1^-1 q2 (6:10), torquescale (10)
    joint,     polycoef (0:5): y = a0 + a1 x + ... + a4 x^4, relative to the reference position
    tendon
    distance   distance between centres of geoms (0)

See MuJoCo: Computation, "Equality", and mjmodel.h, "eq_data".
"""

from __future__ import annotations

import math

import numpy as np

from cortenforge.compile.lookup import Lookup
from cortenforge.compile.pack.field_arrays import arrays_of_objects, row_width
from cortenforge.enums import EqualityType, JointType
from cortenforge.problems import each_valid
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, number, numbers
from cortenforge.spec.rotation import (
    ZERO_VECTOR,
    Quaternion,
    Vector,
    add,
    conjugate,
    multiply_quats,
    normalized,
    rotate,
    subtract,
    vector,
)

OBJTYPE_BODY, OBJTYPE_GEOM, OBJTYPE_SITE = 1, 5, 6
EQUALITY_TYPES = {
    "connect": EqualityType.CONNECT,
    "weld": EqualityType.WELD,
    "joint": EqualityType.JOINT,
    "tendon": EqualityType.TENDON,
    "distance": EqualityType.DISTANCE,
}
# what each type adds to nemax, MuJoCo's bound on equality rows
EQUALITY_ROWS = np.array([3, 7, 1, 1, 0, 0, 0, 1])
# index in eq_data of a flag: the relative pose of a weld is not given
RELPOSE_UNSET = 11
# a distance that is taken from the reference position
DISTANCE_UNSET = -1.0
SCALAR_JOINTS = (JointType.SLIDE, JointType.HINGE)

Arrays = dict[str, np.ndarray]


def equality_arrays(elements: list[Element], lookup: Lookup) -> Arrays:
    """Arrays of equalities; poses of bodies are filled in when the reference position is known."""
    ends = each_valid(_equality_objects, elements, lookup)
    return {
        **arrays_of_objects(
            elements,
            {
                "eq_type": lambda e: EQUALITY_TYPES[e.tag],
                "eq_active0": lambda e: flag(e, "active"),
                "eq_solref": lambda e: numbers(e, "solref"),
                "eq_solimp": lambda e: numbers(e, "solimp"),
                "eq_data": _equality_data,
            },
        ),
        **arrays_of_objects(
            ends,
            {
                "eq_obj1id": lambda end: end[1],
                "eq_obj2id": lambda end: end[2],
                "eq_objtype": lambda end: end[0],
            },
        ),
    }


def _equality_kind(element: Element) -> str:
    """Kind of objects that a constraint acts on: joint, tendon, geom, site or body."""
    if element.tag in ("joint", "tendon"):
        return element.tag
    if element.tag == "distance":
        return "geom"
    return "site" if "site1" in element.attributes else "body"


def _equality_objects(element: Element, lookup: Lookup) -> tuple[int, int, int]:
    """Type and ids of the two objects; the second may be absent (the world for bodies)."""
    kind = _equality_kind(element)
    ids = [lookup.find(element, f"{kind}1", kind)]
    if element[f"{kind}2"]:
        ids.append(lookup.find(element, f"{kind}2", kind))
    else:
        ids.append(0 if kind == "body" else -1)
    if ids[0] == ids[1]:
        at = f"{kind}2" if element[f"{kind}2"] else f"{kind}1"
        raise element.error(f"both objects of the constraint are the same {kind}", at)
    if kind == "joint":
        for number_, joint in enumerate(ids, 1):
            if joint >= 0 and lookup.tree.joints[joint].type not in SCALAR_JOINTS:
                raise element.error("expected a slide or hinge joint", f"joint{number_}")
    return (
        {"body": OBJTYPE_BODY, "geom": OBJTYPE_GEOM, "site": OBJTYPE_SITE}.get(kind, 0),
        ids[0],
        ids[1],
    )


def _equality_data(element: Element) -> np.ndarray:
    """eq_data (11 numbers and more) as MuJoCo packs it; unused entries keep its defaults."""
    data = np.zeros(row_width("eq_data"))
    data[1] = data[10] = 1
    kind = _equality_kind(element)
    if kind in ("joint", "tendon"):
        data[:5] = numbers(element, "polycoef")
    elif kind == "geom":
        data[:] = 0
        data[0] = number(element, "distance", DISTANCE_UNSET)
    elif element.tag == "connect":
        data[:3] = numbers(element, "anchor", ZERO_VECTOR)
        if kind == "site":
            data[:] = 0
    else:
        data[10] = number(element, "torquescale")
        if kind == "body":
            data[:3] = numbers(element, "anchor", ZERO_VECTOR)
            data[3:10] = numbers(element, "relpose", (0.0,) * 7)
            if data[6:10].any():
                data[6:10] = normalized(tuple(data[6:10].tolist()))
            else:
                data[RELPOSE_UNSET] = 1
    return data


def set_equality_poses(arrays: Arrays, xpos: list[Vector], xquat: list[Quaternion]) -> None:
    """Set second anchors, and relative poses of welds without one, from the poses of bodies."""
    rows = zip(
        arrays["eq_type"].tolist(),
        arrays["eq_objtype"].tolist(),
        arrays["eq_obj1id"].tolist(),
        arrays["eq_obj2id"].tolist(),
        arrays["eq_data"],
        strict=True,
    )
    for kind, objtype, first, second, data in rows:
        if objtype != OBJTYPE_BODY:
            continue
        if kind == EqualityType.WELD:
            if not data[RELPOSE_UNSET]:
                continue
            # the anchor of a weld is in its second body
            data[6:10] = multiply_quats(conjugate(xquat[first]), xquat[second])
            first, second = second, first
        anchor_world = add(xpos[first], rotate(xquat[first], vector(data[:3].tolist())))
        data[3:6] = rotate(conjugate(xquat[second]), subtract(anchor_world, xpos[second]))


def set_equality_distances(arrays: Arrays, places: np.ndarray) -> None:
    """Set distances that are not given, from centres of geoms (ngeom, 3); or to the origin."""
    free = (arrays["eq_type"] == EqualityType.DISTANCE) & (
        arrays["eq_data"][:, 0] == DISTANCE_UNSET
    )
    for i in np.flatnonzero(free).tolist():
        second = int(arrays["eq_obj2id"][i])
        other = places[second] if second >= 0 else np.zeros(3)
        arrays["eq_data"][i, 0] = math.dist(places[int(arrays["eq_obj1id"][i])], other)


def names_in_equalities(elements: list[Element], kind: str) -> set[str]:
    """Names of the bodies or geoms that equalities refer to."""
    held = (one[f"{kind}{number_}"] for one in elements for number_ in (1, 2))
    return {str(name) for name in held if name}
