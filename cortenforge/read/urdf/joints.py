"""Joints: from URDF's kinds to MJCF's, with limits, damping, friction, and mimicry."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import Node
from cortenforge.grammar.rule import Value
from cortenforge.read.urdf.nodes import (
    UniqueNames,
    UnusedNotes,
    exact_text,
    note_unused_children,
    only_child,
    origin_attributes,
    real_attribute,
    real_attributes,
    required_child,
    typed_attributes,
)
from cortenforge.suggest import did_you_mean

JOINT_TYPES = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "fixed": "",
    "floating": "free",
    "planar": "slide",
    "spherical": "ball",  # not standard, but other readers of URDF have it
}
WORLD_LINK = "world"
WITH_LIMITS = ("revolute", "prismatic")
# positions of these are one number, so others can follow them
ONE_AXIS = ("revolute", "continuous", "prismatic")
# MuJoCo's threshold for an axis along z, in the axis' own length
Z_AXIS = 1e-10


@dataclass
class ConvertedJoint:
    """What became of a joint: its kind in URDF and its name in the model."""

    kind: str
    name: str


@dataclass
class Joints:
    """All joints of a file so far, by the names they have there."""

    notes: UnusedNotes
    names: UniqueNames
    made: dict[str, ConvertedJoint] = field(default_factory=dict)

    def add(self, node: Node, body: Node) -> None:
        """Place a body and give it the joints that one URDF joint stands for."""
        notes = self.notes
        given = typed_attributes(node, notes)
        note_unused_children(node, notes)
        kind, name = str(given["type"]), str(given["name"])
        if kind not in JOINT_TYPES:
            raise UrdfError(
                f"must be one of {', '.join(JOINT_TYPES)}",
                node.where,
                attribute="type",
                got=kind,
                hint=did_you_mean(kind, list(JOINT_TYPES)),
            )
        body.attributes.update(origin_attributes(node, notes))
        axis = _joint_axis(node, notes)
        if kind == "fixed":
            self.made.setdefault(name, ConvertedJoint(kind, ""))
            return
        if kind == "planar":
            first, *others = _planar_joint_nodes(node, name, axis)
        else:
            first, others = _joint_node(node, name, JOINT_TYPES[kind], axis), []
        self._add_dynamics(node, [first, *others])
        self._add_limits(node, kind, first.attributes)
        for one in (first, *others):
            taken = self.names.take(one.attributes.pop("name"), node.where)
            if taken:
                one.attributes["name"] = taken
        # a fixed or planar joint of the same name is not called so in the model
        if name not in self.made or self.made[name].name != name:
            self.made[name] = ConvertedJoint(kind, first.attributes.get("name", ""))
        body.children += [first, *others]

    def _add_dynamics(self, node: Node, made: list[Node]) -> None:
        dynamics = only_child(node, "dynamics")
        if dynamics is None:
            return
        values = typed_attributes(dynamics, self.notes)
        for urdf, mjcf in (("damping", "damping"), ("friction", "frictionloss")):
            if urdf in values:
                for one in made:
                    one.attributes[mjcf] = exact_text(real_attribute(values, urdf))

    def _add_limits(self, node: Node, kind: str, made: dict[str, str]) -> None:
        """Range and effort; an invalid range leaves the joint without limits."""
        limit = only_child(node, "limit")
        if limit is None:
            if kind in WITH_LIMITS:
                self.notes.remark(f"this {kind} joint has no limits", node.where)
            return
        if kind == "continuous":
            limit = self._without_range(limit)
        values = typed_attributes(limit, self.notes)
        effort = abs(real_attribute(values, "effort"))
        if effort > 0:
            made["actuatorfrcrange"] = exact_text(-effort, effort)
        if "lower" not in values and "upper" not in values:
            if kind in WITH_LIMITS:
                self.notes.remark(f"this {kind} joint has no limits", limit.where)
            return
        low, high = real_attribute(values, "lower"), real_attribute(values, "upper")
        made["range"] = exact_text(low, high)
        problem = _range_problem(values, low, high)
        if problem:
            made["limited"] = "false"
            self.notes.remark(f"{problem}: this joint has no limits", limit.where)

    def _without_range(self, limit: Node) -> Node:
        """The limit of a joint that turns without end."""
        kept = {}
        for name, text in limit.attributes.items():
            if name in ("lower", "upper"):
                self.notes.leave_out(f"limit/{name} of a continuous joint", limit.where)
            else:
                kept[name] = text
        return Node(limit.tag, limit.where, kept)

    def mimic(self, node: Node) -> Node | None:
        """The equality that makes a joint follow another one, if it does."""
        mimic = only_child(node, "mimic")
        if mimic is None:
            return None
        values = typed_attributes(mimic, self.notes)
        leader = str(values["joint"])
        if leader not in self.made:
            hint = did_you_mean(leader, list(self.made))
            reason = f"there is no joint '{leader}' to mimic" + (f" ({hint})" if hint else "")
            self.notes.remark(reason, mimic.where)
            return None
        if leader == node.attributes["name"]:
            raise _mimic_error("a joint cannot follow itself", mimic, leader)
        own = self.made[node.attributes["name"]]
        for kind in (node.attributes["type"], self.made[leader].kind):
            if kind not in ONE_AXIS:
                self.notes.remark(f"a {kind} joint cannot mimic or be mimicked", mimic.where)
                return None
        if not own.name or own.kind != node.attributes["type"]:
            raise _mimic_error("this joint has no name of its own, and needs one", mimic, leader)
        polynomial = (
            real_attribute(values, "offset"),
            real_attribute(values, "multiplier"),
            0.0,
            0.0,
            0.0,
        )
        made = {
            "joint1": own.name,
            "joint2": self.made[leader].name,
            "polycoef": exact_text(*polynomial),
        }
        return Node("joint", mimic.where, made)


def _mimic_error(message: str, mimic: Node, leader: str, hint: str | None = None) -> UrdfError:
    return UrdfError(message, mimic.where, attribute="joint", got=leader, hint=hint)


def _joint_node(node: Node, name: str, kind: str, axis: np.ndarray) -> Node:
    made = {"name": name, "type": kind}
    if kind in ("hinge", "slide"):
        made["axis"] = exact_text(*axis)
    return Node("joint", node.where, made)


def _joint_axis(node: Node, notes: UnusedNotes) -> np.ndarray:
    """The joint's axis, x unless it says otherwise; only joints with an axis need a direction."""
    found = only_child(node, "axis")
    if found is None:
        return np.array([1.0, 0.0, 0.0])
    axis = real_attributes(typed_attributes(found, notes), "xyz")
    if not axis.any() and JOINT_TYPES.get(node.attributes["type"]) in ("hinge", "slide"):
        raise UrdfError(
            "this axis has no direction",
            found.where,
            attribute="xyz",
            got=found.attributes["xyz"],
        )
    return axis


def _planar_joint_nodes(node: Node, name: str, axis: np.ndarray) -> list[Node]:
    """Two slides across the axis and a hinge about it."""
    x, y, z = axis.tolist()
    across = math.hypot(x, y)
    kx, ky = (1.0, 0.0) if across < Z_AXIS else (-y / across, x / across)
    tilt = math.atan2(across, z)
    c, s = math.cos(tilt), math.sin(tilt)
    mixed = (1 - c) * kx * ky
    along_x = np.array([c + (1 - c) * kx * kx, mixed, -s * ky])
    along_y = np.array([mixed, c + (1 - c) * ky * ky, s * kx])
    return [
        _joint_node(node, f"{name}_TX", "slide", along_x),
        _joint_node(node, f"{name}_TY", "slide", along_y),
        _joint_node(node, f"{name}_RZ", "hinge", axis),
    ]


def _range_problem(values: dict[str, Value], low: float, high: float) -> str:
    """Why a range is invalid; empty if it is valid."""
    if ("lower" in values) != ("upper" in values):
        return "only one limit is given"
    if low > high:
        return "the lower limit is above the upper one"
    return "both limits are equal" if low == high else ""


def joint_links(node: Node, links: dict[str, int], notes: UnusedNotes) -> tuple[int, int]:
    """Numbers of the links that a joint connects."""
    found = []
    for tag in ("parent", "child"):
        end = required_child(node, tag)
        name = str(typed_attributes(end, notes)["link"])
        if name not in links:
            declared = 'the world needs <link name="world"/>' if name == WORLD_LINK else None
            raise UrdfError(
                "there is no link of this name",
                end.where,
                attribute="link",
                got=name,
                hint=declared or did_you_mean(name, list(links)),
            )
        found.append(links[name])
    return found[0], found[1]
