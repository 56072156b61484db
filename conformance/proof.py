"""Whether contacts of two convex geoms are right, whatever another engine says.

A contact is the nearest way apart if the geoms overlap by its depth along its normal, and by no
less along any other direction; of geoms that are apart, if they are as far apart along it as its
points are. Directions are searched: a few thousand all around, and the best of them, those of both
engines among them, by steps that turn at random and become smaller.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from cortenforge.enums import GeomType

#: how exact a distance is, and points of a contact
EXACT = 1e-6
#: sine of the angle between sides that count as facing each other
TILT = 0.09
#: directions all around, how many of them are followed, and how long
AROUND, FOLLOWED, ROUNDS, TRIES = 4000, 12, 60, 24
#: the steps of the search at first, and by how much they become smaller when none helped
FIRST_STEP, SHORTER = 0.05, 0.5


@dataclass(frozen=True)
class Shape:
    """A convex geom in the world.

    reach: how far it goes along directions (n, 3).
    level: how far points (n, 3) are from its surface, to first order; negative inside.
    """

    reach: Callable[[np.ndarray], np.ndarray]
    level: Callable[[np.ndarray], np.ndarray]


def shape_of(model: Any, data: Any, g: int) -> Shape:
    """The shape of a geom where it is."""
    axes, origin = np.array(data.geom_xmat[g]).reshape(3, 3), np.array(data.geom_xpos[g])
    kind, size = GeomType(int(model.geom_type[g])), np.array(model.geom_size[g])
    if kind == GeomType.MESH:
        reach, level = _hull(_vertices(model, g))
    else:
        reach, level = _primitive(kind, size)
    return Shape(
        lambda ways: ways @ origin + reach(ways @ axes), lambda at: level((at - origin) @ axes)
    )


def hull_of(points: np.ndarray) -> Shape:
    """The hull of points in the world."""
    return Shape(*_hull(points))


def _vertices(model: Any, g: int) -> np.ndarray:
    mesh = int(model.geom_dataid[g])
    first = int(model.mesh_vertadr[mesh])
    points = np.array(model.mesh_vert).reshape(-1, 3)
    return points[first : first + int(model.mesh_vertnum[mesh])].astype(float)


def _hull(points: np.ndarray) -> tuple[Callable[..., Any], Callable[..., Any]]:
    sides = ConvexHull(points).equations
    return (
        lambda ways: np.max(ways @ points.T, axis=1),
        lambda at: np.max(at @ sides[:, :3].T + sides[:, 3], axis=1),
    )


def _primitive(kind: GeomType, size: np.ndarray) -> tuple[Callable[..., Any], Callable[..., Any]]:
    radius, half = size[0], size[1]

    def across(v: np.ndarray) -> np.ndarray:
        return np.hypot(v[:, 0], v[:, 1])

    def above(v: np.ndarray) -> np.ndarray:
        return np.abs(v[:, 2])

    def ellipsoid(at: np.ndarray) -> np.ndarray:
        scaled = np.linalg.norm(at / size, axis=1)
        return (scaled - 1.0) * scaled / np.linalg.norm(at / size**2, axis=1)

    return {
        GeomType.SPHERE: (
            lambda ways: radius * np.linalg.norm(ways, axis=1),
            lambda at: np.linalg.norm(at, axis=1) - radius,
        ),
        GeomType.CAPSULE: (
            lambda ways: radius * np.linalg.norm(ways, axis=1) + half * above(ways),
            lambda at: np.hypot(across(at), np.maximum(above(at) - half, 0.0)) - radius,
        ),
        GeomType.ELLIPSOID: (lambda ways: np.linalg.norm(ways * size, axis=1), ellipsoid),
        GeomType.CYLINDER: (
            lambda ways: radius * across(ways) + half * above(ways),
            lambda at: np.maximum(across(at) - radius, above(at) - half),
        ),
        GeomType.BOX: (
            lambda ways: np.abs(ways) @ size,
            lambda at: np.max(np.abs(at) - size, axis=1),
        ),
    }[kind]


def overlap(one: Shape, other: Shape, ways: np.ndarray) -> np.ndarray:
    """How far the first shape reaches into the second along directions; negative if apart."""
    return one.reach(ways) + other.reach(-ways)


def least_overlap(one: Shape, other: Shape, hints: np.ndarray, rng: np.random.Generator) -> float:
    """The least overlap along any direction: how deep two shapes are, as far as a search tells."""
    ways = _unit(np.concatenate((hints, rng.normal(size=(AROUND, 3)))))
    best = np.argsort(overlap(one, other, ways))[:FOLLOWED]
    ways = np.concatenate((ways[: len(hints)], ways[best]))
    found = overlap(one, other, ways)
    step = np.full(len(ways), FIRST_STEP)
    for _ in range(ROUNDS):
        aside = rng.normal(size=(TRIES, len(ways), 3)) * step[:, None]
        tried = _unit(ways + aside)
        values = overlap(one, other, tried.reshape(-1, 3)).reshape(TRIES, -1)
        chosen = np.argmin(values, axis=0)
        least = values[chosen, np.arange(len(ways))]
        better = least < found
        ways = np.where(better[:, None], tried[chosen, np.arange(len(ways))], ways)
        found = np.minimum(found, least)
        step = np.where(better, step, SHORTER * step)
    return float(found.min())


def _unit(ways: np.ndarray) -> np.ndarray:
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)


def fault(one: Shape, other: Shape, contact: Any, hints: np.ndarray) -> str:
    """What is wrong with the only contact of two shapes; "" if it is right.

    Its points are on both surfaces, it is as deep as shapes overlap along its normal, and they
    overlap by no less along any direction.
    """
    if not len(contact):
        return "no contact"
    (dist,), way = np.array(contact.dist), np.array(contact.frame).reshape(-1, 9)[:, :3]
    off = off_surfaces(one, other, contact)
    if off > EXACT:
        return f"points {off:.2g} off the surfaces"
    along = float(overlap(one, other, way)[0])
    if abs(along + dist) > EXACT:
        return f"{-dist:.9f} deep, {along:.9f} along its normal"
    least = least_overlap(one, other, np.concatenate((way, hints)), np.random.default_rng(0))
    return f"{-dist:.9f} deep, {least:.9f} along a direction" if least < -dist - EXACT else ""


def off_surfaces(one: Shape, other: Shape, contacts: Any) -> float:
    """How far points of contacts are from the surfaces they are said to be on.

    A corner of a side is pushed to the other side along the normal of that, so it may come to lie
    beyond the border, by as much as sides that face each other may be tilted.
    """
    dist, ways = np.array(contacts.dist), np.array(contacts.frame).reshape(-1, 9)[:, :3]
    half = ways * (0.5 * dist[:, None])
    off = np.maximum(
        np.abs(one.level(contacts.pos - half)), np.abs(other.level(contacts.pos + half))
    )
    pushed = TILT * np.abs(dist) if len(dist) > 1 else 0.0
    return float(np.max(off - pushed))
