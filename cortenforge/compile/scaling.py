"""Frames that scale what is in them: attributes of everything inside in the new units.

A frame multiplies lengths by s and masses by m.  With `scaling="similar"` forces follow; with
"geometry" they keep their values.  So each attribute is multiplied by a power of s and of m, by
its dimension; the description itself stays as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from cortenforge.compile.attribute import keyword
from cortenforge.compile.skins import names_in_skins
from cortenforge.spec import Element, Spec, Value
from cortenforge.spec.references import kind_of, name_of, references

IN_FRAME = "is in a frame with a scale"
STATE = ("qpos", "qvel", "mpos", "mquat")
ROTATES = ("hinge", "ball")
# how many sizes a shape has, where it is not three; the others stay as they are
USED = {"sphere": 1, "capsule": 2, "cylinder": 2}
ORDERS = np.arange(3.0)
SINGLE = {
    "camera": ("sensorsize", "focal", "principal"),
    "light": ("bulbradius", "range", "attenuation"),
}


@dataclass(frozen=True)
class Scale:
    """Factors of lengths and masses, and those that forces follow."""

    s: float = 1.0
    m: float = 1.0
    force_s: float = 1.0
    force_m: float = 1.0

    def inside(self, frame: Element) -> Scale:
        """The factors for the contents of a frame."""
        given = np.atleast_1d(np.asarray(frame["scale"] if frame.given("scale") else 1.0, float))
        if len(given) not in (1, 3):
            raise frame.error(f"expected 1 or 3 numbers, not {len(given)}", "scale")
        if len(set(given.tolist())) > 1:
            raise frame.error(
                "a different scale along each axis is not supported yet",
                "scale",
                hint="one number scales all axes",
            )
        s = float(given[0])
        m = float(frame["massscale"] or 0.0) or s**3  # type: ignore[arg-type]
        similar = keyword(frame, "scaling", "similar") == "similar"
        force_s, force_m = (s, m) if similar else (1.0, 1.0)
        return Scale(self.s * s, self.m * m, self.force_s * force_s, self.force_m * force_m)

    @property
    def plain(self) -> bool:
        """True when nothing changes."""
        return self == Scale()


def scaled(spec: Spec) -> Spec:
    """The description with all scales carried out; the same one when it has none."""
    if not any(_asks(element) for element in spec.worldbody.walk()):
        return spec
    world = spec.worldbody.copy()
    found = list(_scaled_elements(world))
    for element, scale in found:
        _apply(element, scale)
    _check_keys(spec, [element for element, _ in found])
    _check_references(spec, {(kind_of(one), name_of(one)) for one, _ in found if name_of(one)})
    return replace(spec, worldbody=world)


def _asks(element: Element) -> bool:
    return element.tag == "frame" and (element.given("scale") or element.given("massscale"))


def _scaled_elements(world: Element) -> Iterator[tuple[Element, Scale]]:
    """Everything that is in a scaling frame, with its factors."""
    pending = [(world, Scale())]
    while pending:
        element, scale = pending.pop()
        if not scale.plain:
            yield element, scale
        inner = scale.inside(element) if _asks(element) else scale
        pending.extend((child, inner) for child in element.children)


def _check_references(spec: Spec, names: set[tuple[str, str]]) -> None:
    """Refuse what depends on scaled elements in ways that are not there yet."""
    for listed in ("tendons", "equalities", "actuators", "sensors", "contacts"):
        for element in (part for one in getattr(spec, listed) for part in one.walk()):
            if element.tag == "exclude" or (listed == "sensors" and _has_no_dimension(element)):
                continue
            for attribute, kind in references(element):
                if (kind, element.attributes[attribute]) in names:
                    raise element.error(f"{IN_FRAME}: not supported yet", attribute)
    bodies = {name for kind, name in names if kind == "body"}
    if spec.skins and names_in_skins(spec) & bodies:
        raise spec.skins[0].error(f"a bone {IN_FRAME}: not supported yet")


def _has_no_dimension(sensor: Element) -> bool:
    """True when nothing about a sensor but its reading has a dimension."""
    return sensor.tag != "tactile" and not sensor["cutoff"] and not sensor["noise"]


def _check_keys(spec: Spec, elements: list[Element]) -> None:
    """Refuse keyframes that say where scaled things are."""
    moving = any(one.tag in ("joint", "freejoint") or one["mocap"] for one in elements)
    for key in spec.keys if moving else ():
        if key.origin is not None or any(name in key.attributes for name in STATE):
            raise key.error(f"a joint or mocap body {IN_FRAME}: keyframes are not supported yet")


def _apply(element: Element, scale: Scale) -> None:
    """Multiply an element's attributes."""
    for attribute, factor in _factors(element, scale):
        value = element[attribute]
        if value is None or isinstance(value, str):
            continue
        if attribute in SINGLE.get(element.tag, ()):
            # MuJoCo keeps these in single precision before it scales them
            value = np.asarray(value, np.float32).astype(float)
        element.attributes[attribute] = _times(value, factor)


def _times(value: Value, factor: float | np.ndarray) -> Value:
    if isinstance(value, np.ndarray) and value.ndim:
        return value * (factor if np.ndim(factor) == 0 else np.asarray(factor)[: len(value)])
    return float(value) * float(factor)  # type: ignore[arg-type]


def _factors(element: Element, scale: Scale) -> Iterator[tuple[str, float | np.ndarray]]:
    """Attributes of an element with their factors."""
    s, m = scale.s, scale.m
    yield "pos", s
    if element.tag == "inertial":
        yield from (("mass", m), ("diaginertia", m * s * s), ("fullinertia", m * s * s))
    elif element.tag == "joint":
        yield from _of_joint(keyword(element, "type", "hinge") in ROTATES, scale)
    elif element.tag in ("geom", "site"):
        used = USED.get(keyword(element, "type", "sphere"), 3)
        yield from (("size", np.where(np.arange(3) < used, s, 1.0)), ("fromto", s))
        if element.tag == "geom":
            yield from _of_geom(element, scale)
        elif element["mesh"]:
            raise element.error("a mesh in a frame with a scale is not supported yet", "mesh")
    elif element.tag == "camera":
        yield from ((name, s) for name in ("ipd", "sensorsize", "focal", "principal"))
    elif element.tag == "light":
        yield from (("bulbradius", s), ("range", s), ("attenuation", s**-ORDERS))


def _of_joint(rotates: bool, scale: Scale) -> Iterator[tuple[str, float | np.ndarray]]:
    s, force_s, force_m = scale.s, scale.force_s, scale.force_m
    length = 1.0 if rotates else s
    width = np.array([1.0, 1.0, length, 1.0, 1.0])
    yield from ((name, length) for name in ("range", "ref", "springref", "margin"))
    yield from (("solimplimit", width), ("solimpfriction", width))
    # a force times a length for rotations; coefficients of higher orders are per length
    force = force_m * force_s * (force_s if rotates else 1.0)
    yield from ((name, force) for name in ("frictionloss", "actuatorfrcrange"))
    per_length = force if rotates else force_m * force_s**-ORDERS
    yield from (("stiffness", per_length), ("damping", per_length))
    yield "armature", force_m * (force_s**2 if rotates else 1.0)


def _of_geom(element: Element, scale: Scale) -> Iterator[tuple[str, float | np.ndarray]]:
    for name in ("mesh", "hfield"):
        if element[name]:
            raise element.error(f"a {name} in a frame with a scale is not supported yet", name)
    s, m = scale.s, scale.m
    yield from (("mass", m), ("density", m / s**3), ("margin", s), ("gap", s))
    yield "friction", np.array([1.0, s, s])
    yield "solimp", np.array([1.0, 1.0, s, 1.0, 1.0])
    yield "surfacevel", np.array([s, s, s, 1.0, 1.0, 1.0])
    yield "adhesion", scale.force_m * scale.force_s
