"""Deformables as arrays of a Model: bodies, vertices and elements, one after another.

Elements of a family (membranes, hinges, ...) of all deformables stand together, in the order of
their colours; each colour is filled up to eights with elements of the vertex behind the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.errors import SoftError
from cortenforge.soft.arguments import known_names_hint
from cortenforge.soft.bodies import Attachment, CapsuleChain, Cloth, Deformable, SoftBody
from cortenforge.soft.chain_elements import chain_segments, segment_pairs
from cortenforge.soft.cloth_elements import cloth_hinges, cloth_membranes
from cortenforge.soft.element_family import Columns, Family
from cortenforge.soft.graph_colouring import order_by_colour
from cortenforge.soft.placement import matrix_of_quat
from cortenforge.soft.solid_elements import edge_springs, solid_tetrahedra

#: share of the elements of a family that may be stiffer than a substep resolves
UNRESOLVED_SHARE = 0.1
#: the longest substep that any deformable asks for [s]
LONGEST_PERIOD = 1.0
#: the column of a family with the members of its elements, and how many members each has
MEMBERS: dict[str, tuple[str, int]] = {
    "softmem": ("vert", 3),
    "softhinge": ("vert", 4),
    "softtet": ("vert", 4),
    "softedge": ("vert", 2),
    "softrod": ("vert", 2),
    "softtwist": ("rod", 2),
}
#: their other columns, and the shape of an element in each
WIDTHS: dict[str, dict[str, tuple[int, ...]]] = {
    "softmem": {"inv": (4,), "weight": (3,), "mu": (), "lambda": ()},
    "softhinge": {"coef": (4,), "bend": (), "weight": (), "stiffness": ()},
    "softtet": {"inv": (9,), "weight": (6,), "mu": (), "lambda": ()},
    "softedge": {"length": (), "stiffness": ()},
    "softrod": {"length": (), "invinertia": (2,), "stiffness": (2,), "quat0": (4,)},
    "softtwist": {"rest": (4,), "stiffness": (2,)},
}
CHAINED = ("softrod", "softtwist")

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Rigid:
    """The rigid bodies that vertices can be attached to, and where they are."""

    bodies: Sequence[str] = ("world",)
    sites: Sequence[str] = ()
    xpos: np.ndarray = field(default_factory=lambda: np.zeros((1, 3)))
    xmat: np.ndarray = field(default_factory=lambda: np.eye(3)[None])
    site_bodyid: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    site_pos: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    site_quat: np.ndarray = field(default_factory=lambda: np.zeros((0, 4)))

    @classmethod
    def of(cls, arrays: Arrays, names: Mapping[str, list[str]], where: Any) -> Rigid:
        """Those of a model; `where` has poses of bodies, and is None if nothing is attached."""
        count = len(names["body"])
        return cls(
            names["body"],
            names["site"],
            np.zeros((count, 3)) if where is None else where.xpos,
            np.zeros((count, 3, 3)) if where is None else where.xmat.reshape(-1, 3, 3),
            arrays["site_bodyid"],
            arrays["site_pos"],
            arrays["site_quat"],
        )

    def anchors(self, held: Attachment, vertices: np.ndarray) -> tuple[int, np.ndarray]:
        """(body, pos): the body of an attachment, and the held points (n, 3) in its frame."""
        if held.site:
            site = _number("site", held.site, self.sites)
            turn = matrix_of_quat(self.site_quat[site])
            assert held.pos is not None
            return int(self.site_bodyid[site]), self.site_pos[site] + held.pos @ turn.T
        body = _number("body", held.body, self.bodies)
        if held.pos is not None:
            return body, held.pos
        return body, (vertices[held.vertices] - self.xpos[body]) @ self.xmat[body]


def _number(kind: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        known = [one for one in names if one]
        raise SoftError(
            f"there is no {kind} {name!r}", kind, hint=known_names_hint(name, known[:12])
        )
    return list(names).index(name)


def soft_arrays(
    bodies: Sequence[Deformable], rigid: Rigid, nv: int
) -> tuple[Arrays, dict[str, int]]:
    """(arrays, sizes) of a model's deformables by names of fields; nv: degrees of freedom."""
    parts = [_families(body) for body in bodies]
    arrays = _body_arrays(bodies, parts) | _vertex_arrays(bodies) | _pins(bodies, rigid)
    sizes = {
        "nsoft": len(bodies),
        "nsoftvert": max(0, len(arrays["softvert_soft"]) - 1),
        "nsoftpoint": len(arrays["softvert_soft"]),
        "nsofthold": 2 * max(0, len(arrays["softvert_soft"]) - 1),
        "nsoftface": len(arrays["softface_vert"]),
        "nsoftpin": len(arrays["softpin_vert"]),
        "nsoftdof": nv if bodies else 0,
        "nsoftbody": len(rigid.bodies) if bodies else 0,
    }
    for name in ("softmem", "softhinge", "softtet", "softedge"):
        joined = _joined([part.get(name) for part in parts], arrays["soft_vertadr"], name)
        order, ranges = order_by_colour(joined["vert"], padded=True)
        arrays |= _ordered(joined, order, name, sizes["nsoftvert"])
        arrays[f"{name}_color"] = ranges
    arrays |= _chains(parts, arrays)
    arrays["soft_curved"] = np.array(int(arrays["softhinge_bend"].any()), np.int32)
    for name in MEMBERS:
        sizes[f"n{name}"] = len(arrays[f"{name}_{MEMBERS[name][0]}"])
        sizes[f"n{name}color"] = len(arrays[f"{name}_color"])
    return arrays, sizes


def _families(body: Deformable) -> dict[str, Family]:
    """The elements of a deformable, by families."""
    masses = body.masses()
    invmass = 1 / masses
    invmass[body.pins] = 0.0
    if isinstance(body, Cloth):
        return {"softmem": cloth_membranes(body, invmass), "softhinge": cloth_hinges(body, invmass)}
    if isinstance(body, SoftBody):
        return {"softtet": solid_tetrahedra(body, invmass), "softedge": edge_springs(body, invmass)}
    assert isinstance(body, CapsuleChain)
    rods = chain_segments(body, invmass)
    return {"softrod": rods, "softtwist": segment_pairs(body, rods)}


def _period(families: Iterable[Family]) -> float:
    """The longest substep that resolves nearly all elements of each family."""
    shortest = LONGEST_PERIOD
    for family in families:
        resolved = family.period[np.isfinite(family.period)]
        if len(resolved):
            shortest = min(shortest, float(np.quantile(resolved, UNRESOLVED_SHARE)))
    return shortest


def _body_arrays(bodies: Sequence[Deformable], parts: list[dict[str, Family]]) -> Arrays:
    """Arrays with one row a deformable, and the triangles of all surfaces."""
    vertices = np.array([len(body.rest) for body in bodies], np.int32)
    faces = [body.faces for body in bodies]
    facenum = np.array([len(face) for face in faces], np.int32)
    rodnum = np.array(
        [len(part["softrod"]) if "softrod" in part else 0 for part in parts], np.int32
    )
    vertadr = _starts(vertices)
    listed = [face + start for face, start in zip(faces, vertadr, strict=True)]
    return {
        "soft_type": _integers(body.kind for body in bodies),
        "soft_vertadr": vertadr,
        "soft_vertnum": vertices,
        "soft_faceadr": _starts(facenum),
        "soft_facenum": facenum,
        "soft_rodadr": _starts(rodnum),
        "soft_rodnum": rodnum,
        "soft_group": _integers(body.group for body in bodies),
        "soft_contype": _integers(body.contype for body in bodies),
        "soft_conaffinity": _integers(body.conaffinity for body in bodies),
        "soft_selfcollide": _integers(body.selfcollide for body in bodies),
        "soft_rgba": np.array([body.rgba for body in bodies], np.float32).reshape(-1, 4),
        "soft_radius": np.array([body.radius for body in bodies], float),
        "soft_spacing": np.array([body.spacing for body in bodies], float),
        "soft_friction": np.array([body.material.friction for body in bodies], float),
        "soft_solref": np.array([body.solref for body in bodies], float).reshape(-1, 2),
        "soft_damping": np.array([body.material.damping for body in bodies], float),
        "soft_drag": np.array([body.drag for body in bodies], float),
        "soft_period": np.array([_period(part.values()) for part in parts], float),
        "softface_vert": np.concatenate([np.zeros((0, 3)), *listed]).astype(np.int32),
    }


def _vertex_arrays(bodies: Sequence[Deformable]) -> Arrays:
    """Vertices, and a spare one of inverse mass 0 behind the last, for elements that fill up."""
    if not bodies:
        return {
            "softvert_soft": np.zeros(0, np.int32),
            "softvert_pos0": np.zeros((0, 3)),
            "softvert_invmass": np.zeros(0),
        }
    owner = [np.full(len(body.rest), number) for number, body in enumerate(bodies)]
    invmass = [1 / body.masses() for body in bodies]
    for body, inverse in zip(bodies, invmass, strict=True):
        inverse[body.pins] = 0.0
    return {
        "softvert_soft": np.concatenate([*owner, [-1]]).astype(np.int32),
        "softvert_pos0": np.concatenate([*(body.vertices for body in bodies), np.zeros((1, 3))]),
        "softvert_invmass": np.concatenate([*invmass, [0.0]]),
    }


def _pins(bodies: Sequence[Deformable], rigid: Rigid) -> Arrays:
    """Vertices that rigid bodies hold; the last attachment of a vertex counts for it."""
    vert: dict[int, tuple[int, np.ndarray]] = {}
    start = 0
    for body in bodies:
        for held in body.attachments:
            number, places = rigid.anchors(held, body.vertices)
            for vertex, place in zip(held.vertices.tolist(), places, strict=True):
                vert[start + vertex] = (number, place)
        start += len(body.rest)
    return {
        "softpin_vert": _integers(vert),
        "softpin_body": _integers(number for number, _ in vert.values()),
        "softpin_pos": np.array([place for _, place in vert.values()], float).reshape(-1, 3),
    }


def _joined(families: list[Family | None], starts: np.ndarray, name: str) -> Columns:
    """One family of all deformables; members become numbers among all vertices."""
    member, width = MEMBERS[name]
    columns: Columns = {}
    for column, shape in {member: (width,), **WIDTHS[name]}.items():
        empty = np.zeros((0, *shape))
        values = [empty]
        for family, start in zip(families, starts.tolist(), strict=True):
            if family is not None and len(family):
                one = family.columns[column]
                values.append(one + start if column == member else one)
        columns[column] = np.concatenate(values)
    columns[member] = columns[member].astype(np.int32)
    return columns


def _ordered(columns: Columns, order: np.ndarray, name: str, nothing: int) -> Arrays:
    """Columns in the order of colours; padding rows have the spare vertex as members."""
    filled = order < 0
    arrays: Arrays = {}
    for column, values in columns.items():
        rows = np.zeros((len(order), *values.shape[1:]), values.dtype)
        rows[~filled] = values[order[~filled]]
        rows[filled] = _padding_value(column, values.shape[1:], nothing)
        arrays[f"{name}_{column}"] = rows
    return arrays


def _padding_value(column: str, shape: tuple[int, ...], nothing: int) -> np.ndarray:
    """Entries of a padding row: zero stiffness, and divisors that are not zero."""
    if column == "vert":
        return np.full(shape, nothing)
    if column == "inv":
        size = 2 if shape == (4,) else 3
        return np.eye(size).ravel()
    return np.full(shape, 1.0 if column == "length" else 0.0)


def _chains(parts: list[dict[str, Family]], arrays: Arrays) -> Arrays:
    """Segments and pairs of them; each chain has its own colours, so its segments stay together."""
    columns: dict[str, list[Columns]] = {"softrod": [], "softtwist": []}
    ranges: dict[str, list[np.ndarray]] = {"softrod": [], "softtwist": []}
    count = {"softrod": 0, "softtwist": 0}
    starts = {"softrod": arrays["soft_vertadr"], "softtwist": arrays["soft_rodadr"]}
    for number, part in enumerate(parts):
        place = np.zeros(0, np.int64)
        for name in (name for name in CHAINED if name in part):
            member, _ = MEMBERS[name]
            own = dict(part[name].columns)
            if name == "softtwist":
                own[member] = place[own[member]]
            order, colours = order_by_colour(own[member], padded=False)
            place = np.argsort(order)
            own = {column: values[order] for column, values in own.items()}
            own[member] = own[member] + starts[name][number]
            columns[name].append(own)
            ranges[name].append(colours + count[name])
            count[name] += len(order)
    found: Arrays = {}
    for name in CHAINED:
        member, width = MEMBERS[name]
        for column, shape in {member: (width,), **WIDTHS[name]}.items():
            listed = [own[column] for own in columns[name]]
            found[f"{name}_{column}"] = np.concatenate([np.zeros((0, *shape)), *listed])
        found[f"{name}_{member}"] = found[f"{name}_{member}"].astype(np.int32)
        found[f"{name}_color"] = np.concatenate([np.zeros((0, 2)), *ranges[name]]).astype(np.int32)
    return found


def _starts(counts: np.ndarray) -> np.ndarray:
    found: np.ndarray = (np.cumsum(counts) - counts).astype(np.int32)
    return found


def _integers(values: Iterable[int]) -> np.ndarray:
    return np.array([int(value) for value in values], np.int32)
