"""Random attributes of the elements inside a body: joints, geoms, inertias, sites, cameras."""

from __future__ import annotations

import numpy as np

from conformance.draw import Draw, text

__all__ = [
    "camera",
    "free_joint",
    "geom",
    "inertial",
    "joint",
    "joint_class",
    "light",
    "site",
]

Attributes = dict[str, str]
SIZES = {"sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
TRACKING = ("fixed", "track", "trackcom", "targetbody", "targetbodycom")


def spring_and_damper(draw: Draw, strength: float) -> Attributes:
    """Stiffness and damping, linear or polynomial, or both from springdamper."""
    attributes: Attributes = {}
    if draw.chance(0.06):
        return {"springdamper": text(draw.real(0.1, 0.5), draw.real(0.2, 1.5))}
    if draw.chance(0.4):
        shape = strength * np.array([draw.real(0.2, 4), draw.real(-0.5, 0.5), draw.real(0, 1)])
        attributes["stiffness"] = text(*shape[: draw.whole(1, 3)])
    if draw.chance(0.45):
        shape = strength * np.array([draw.real(0.005, 0.1), draw.real(0, 0.03), draw.real(0, 0.01)])
        attributes["damping"] = text(*shape[: draw.whole(1, 3)])
    return attributes


def joint_class(draw: Draw) -> Attributes:
    """Joint attributes that any joint type can inherit from a default class."""
    attributes = spring_and_damper(draw, 0.3)
    attributes.pop("springdamper", None)
    if draw.chance(0.4):
        attributes["armature"] = text(draw.real(0.001, 0.05))
    if draw.chance(0.3):
        attributes["group"] = str(draw.whole(0, 5))
    if draw.chance(0.2):
        attributes["solreflimit"] = draw.positive(0.01, 0.1, draw.whole(1, 2))
    if draw.chance(0.2):
        attributes["margin"] = text(draw.real(0, 0.1))
    return attributes


def joint(draw: Draw, kind: str, axis: str, *, limits: bool, autolimits: bool) -> Attributes:
    """A slide, hinge or ball joint."""
    attributes: Attributes = {} if kind == "hinge" and draw.chance(0.5) else {"type": kind}
    if kind != "ball" and (axis != "0 0 1" or draw.chance(0.5)):
        attributes["axis"] = axis
    if kind != "slide" and draw.chance(0.6):
        attributes["pos"] = draw.vector(0.2)
    attributes |= spring_and_damper(draw, 1.0 if kind != "slide" else 3.0)
    attributes |= _joint_extras(draw, kind)
    if limits and draw.chance(0.6):
        attributes |= _limits(draw, kind, autolimits)
    return attributes


def _joint_extras(draw: Draw, kind: str) -> Attributes:
    attributes: Attributes = {}
    if kind == "hinge" and draw.chance(0.3):
        attributes["ref"] = text(draw.angle(-1, 1))
    if kind == "slide" and draw.chance(0.3):
        attributes["ref"] = text(draw.real(-0.2, 0.2))
    if kind == "hinge" and draw.chance(0.3):
        attributes["springref"] = text(draw.angle(-1, 1))
    if kind == "slide" and draw.chance(0.3):
        attributes["springref"] = text(draw.real(-0.2, 0.2))
    if draw.chance(0.4):
        attributes["armature"] = text(draw.real(0.001, 0.1))
    if draw.chance(0.08):
        attributes["actuatorgravcomp"] = draw.flag()
    if draw.chance(0.05) and kind != "ball":
        attributes["actuatorfrcrange"] = text(-draw.real(1, 5), draw.real(1, 5))
        attributes["actuatorfrclimited"] = "true"
    if draw.chance(0.1):
        attributes["user"] = draw.vector(3, draw.whole(1, 3))
    return attributes


def _limits(draw: Draw, kind: str, autolimits: bool) -> Attributes:
    """A range; with autolimits off MuJoCo wants `limited` beside it."""
    if kind == "ball":
        attributes = {"range": text(0, draw.angle(0.5, 2))}
    elif kind == "hinge":
        attributes = {"range": text(draw.angle(-2, -0.2), draw.angle(0.2, 2))}
    else:
        attributes = {"range": text(draw.real(-1, -0.1), draw.real(0.1, 1))}
    if not autolimits or draw.chance(0.2):
        attributes["limited"] = draw.flag()
    if draw.chance(0.3):
        attributes["margin"] = text(draw.real(0, 0.1))
    if draw.chance(0.3):
        attributes["solimplimit"] = text(0.8, 0.9, 0.002, 0.4, 3)
    return attributes


def free_joint(draw: Draw) -> tuple[str, Attributes]:
    """A free joint in either spelling: (tag, attributes)."""
    if draw.chance(0.6):
        attributes = {} if draw.chance(0.5) else {"align": draw.pick(("true", "false", "auto"))}
        return "freejoint", attributes
    attributes = {"type": "free"}
    if draw.chance(0.3):
        attributes |= {"damping": draw.positive(0.01, 0.2, draw.whole(1, 3))}
    if draw.chance(0.3):
        attributes |= {"stiffness": draw.positive(0.1, 1, draw.whole(1, 3))}
    if draw.chance(0.3):
        attributes["armature"] = text(draw.real(0.001, 0.05))
    return "joint", attributes


def inertial(draw: Draw, *, balance: bool) -> Attributes:
    """Mass and inertia written out, diagonal with an orientation or as a full matrix."""
    attributes = {"pos": draw.vector(0.1), "mass": text(draw.real(0.5, 5))}
    if draw.chance(0.2):
        attributes["pos"] = "0 0 0"
    # moments of a solid box of these half sizes: always a possible inertia
    a, b, c = draw.rng.uniform(0.1, 0.3, 3) ** 2
    diagonal = draw.real(0.5, 3) * np.array([b + c, a + c, a + b])
    if draw.chance(0.4):
        basis, _ = np.linalg.qr(draw.rng.normal(size=(3, 3)))
        full = basis @ np.diag(diagonal) @ basis.T
        rows, columns = (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)
        attributes["fullinertia"] = text(*full[rows, columns])
        return attributes
    if balance and draw.chance(0.5):
        diagonal[0] = 3 * (diagonal[1] + diagonal[2])
    attributes["diaginertia"] = text(*diagonal)
    return attributes | draw.orientation()


def geom(draw: Draw, kind: str, *, fluid: bool) -> Attributes:
    """A primitive with a size, a pose or two end points, and its mass in one of three ways."""
    attributes: Attributes = {} if kind == "sphere" and draw.chance(0.5) else {"type": kind}
    sizes = draw.rng.uniform(0.08, 0.2, SIZES[kind])
    if kind != "sphere" and draw.chance(0.35):
        attributes["size"] = text(*sizes[: 1 if kind in ("capsule", "cylinder") else 2])
        attributes["fromto"] = _end_points(draw)
    else:
        attributes["size"] = text(*sizes)
        attributes |= draw.pose(0.15)
    how = draw.pick(("mass", "density", "default"))
    if how == "mass":
        attributes["mass"] = text(draw.real(0.4, 4))
    elif how == "density":
        attributes["density"] = text(draw.real(300, 1500))
    if draw.chance(0.2):
        attributes["shellinertia"] = draw.flag()
        # a shell's density is per area: a mass keeps it within the range of the other bodies
        attributes.pop("density", None)
        attributes["mass"] = text(draw.real(0.4, 4))
    if fluid and draw.chance(0.5):
        attributes |= _ellipsoid_fluid(draw)
    return attributes | _geom_extras(draw)


def _end_points(draw: Draw) -> str:
    start = draw.rng.uniform(-0.15, 0.15, 3)
    along = draw.pick((draw.unit_vector(), np.array([0, 0, 1.0]), np.array([0, 0, -1.0])))
    return text(*start, *(start + draw.real(0.15, 0.4) * along))


def _ellipsoid_fluid(draw: Draw) -> Attributes:
    attributes = {"fluidshape": draw.pick(("ellipsoid", "ellipsoid", "none"))}
    if draw.chance(0.5):
        attributes["fluidcoef"] = draw.positive(0.1, 2, draw.whole(1, 5))
    return attributes


def _geom_extras(draw: Draw) -> Attributes:
    extras = {
        "rgba": draw.rgba,
        "group": lambda: str(draw.whole(0, 3)),
        "friction": lambda: draw.positive(0.1, 1, draw.whole(1, 3)),
        "condim": lambda: draw.pick(("1", "3", "4", "6")),
        "priority": lambda: str(draw.whole(0, 3)),
        "solref": lambda: draw.positive(0.01, 0.1, draw.whole(1, 2)),
        "solimp": lambda: text(*(0.85, 0.95, 0.002, 0.4, 3)[: draw.whole(1, 5)]),
        "solmix": lambda: text(draw.real(0.1, 2)),
        "margin": lambda: text(draw.real(0, 0.01)),
        "gap": lambda: text(draw.real(0, 0.01)),
        "surfacevel": lambda: draw.vector(1, draw.whole(1, 6)),
        "adhesion": lambda: text(draw.real(0, 2)),
        "user": lambda: draw.vector(2, draw.whole(1, 2)),
        "castshadow": draw.flag,
    }
    return {name: make() for name, make in extras.items() if draw.chance(0.1)}


def site(draw: Draw) -> Attributes:
    """A site of any shape, some given by two end points."""
    kind = draw.pick(tuple(SIZES))
    attributes = {"type": kind, "size": draw.positive(0.01, 0.05, SIZES[kind])}
    if kind != "sphere" and draw.chance(0.3):
        attributes["fromto"] = _end_points(draw)
    else:
        attributes |= draw.pose(0.2)
    if draw.chance(0.3):
        attributes["rgba"] = draw.rgba()
    if draw.chance(0.2):
        attributes["group"] = str(draw.whole(0, 5))
    if draw.chance(0.1):
        attributes["user"] = draw.vector(2, draw.whole(1, 2))
    return attributes


def _tracking(draw: Draw, targets: list[str]) -> Attributes:
    mode = draw.pick(TRACKING if targets else TRACKING[:3])
    attributes = {"mode": mode}
    if mode.startswith("target"):
        attributes["target"] = draw.pick(targets)
    return attributes


def camera(draw: Draw, targets: list[str]) -> Attributes:
    """A camera of any tracking mode, with a field of view or intrinsics."""
    attributes = draw.pose(1.0) | _tracking(draw, targets)
    lens = draw.pick(("", "fovy", "focal", "focalpixel"))
    if lens == "fovy":
        attributes["fovy"] = text(draw.real(20, 90))
    elif lens == "focal":
        attributes |= {"resolution": "64 48", "sensorsize": "0.032 0.024", "focal": "0.02 0.03"}
    elif lens == "focalpixel":
        attributes |= {"resolution": "64 48", "sensorsize": "0.032 0.024", "focalpixel": "40 50"}
        attributes |= {"principalpixel": "3 -2"} if draw.chance(0.5) else {}
    if draw.chance(0.2):
        attributes["ipd"] = text(draw.real(0.05, 0.1))
    if draw.chance(0.15) and lens in ("", "fovy"):
        attributes |= {"projection": "orthographic", "fovy": "2"}
    if draw.chance(0.1):
        attributes["user"] = draw.vector(2, draw.whole(1, 2))
    return attributes


def light(draw: Draw, targets: list[str]) -> Attributes:
    """A light of any tracking mode and type."""
    attributes = _tracking(draw, targets)
    if draw.chance(0.8):
        attributes["pos"] = draw.vector(1.0)
    if draw.chance(0.6):
        attributes["dir"] = text(*(draw.unit_vector() * draw.real(0.5, 2)))
    if draw.chance(0.5):
        attributes["type"] = draw.pick(("spot", "directional", "point"))
    extras = {
        "castshadow": draw.flag,
        "active": draw.flag,
        "diffuse": lambda: draw.positive(0, 1, 3),
        "ambient": lambda: draw.positive(0, 1, 3),
        "specular": lambda: draw.positive(0, 1, 3),
        "cutoff": lambda: text(draw.real(20, 80)),
        "exponent": lambda: text(draw.real(1, 20)),
        "attenuation": lambda: draw.positive(0.1, 1, 3),
        "bulbradius": lambda: text(draw.real(0.01, 0.1)),
        "intensity": lambda: text(draw.real(0, 100)),
        "range": lambda: text(draw.real(1, 20)),
    }
    return attributes | {name: make() for name, make in extras.items() if draw.chance(0.15)}
