"""Scale what refers to scaled elements: tendons, equalities, contact pairs and sensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from cortenforge.compile.scale.units import (
    CoordinateUnit,
    ScaleFactor,
    ScaleFactors,
    limit_and_spring_factors,
    multiply_attributes,
    solimp_factors,
)
from cortenforge.sensors import SENSOR_BY_TAG, SensorGroup
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import keyword
from cortenforge.spec.references import element_kind, element_name

# frames that scale, from the outermost to the innermost, each with the product so far
FrameChain = tuple[tuple[int, ScaleFactors], ...]
ROTATIONAL_TYPES = ("hinge", "ball")
#: units of readings in the table of sensors that scale with lengths, forces and torques
LENGTH_UNITS = ("m", "m/s", "m/s^2")
FORCE_UNITS = ("N",)
TORQUE_UNITS = ("N m", "kg m^2/s")
#: unit of what follows the unit of a joint, tendon or actuator, and is a force
COORDINATE_FORCE_UNIT = "N or N m"


@dataclass
class ScaleMap:
    """Scaling frames around each element, and the units of what refers to elements."""

    chains: dict[int, FrameChain] = field(default_factory=dict)
    named: dict[tuple[str, str], FrameChain] = field(default_factory=dict)
    joints: dict[str, Element] = field(default_factory=dict)
    angles: set[str] = field(default_factory=set)  # tendons whose length is an angle
    tendons: dict[int, CoordinateUnit] = field(default_factory=dict)
    actuators: dict[int, CoordinateUnit] = field(default_factory=dict)
    actuator_units: dict[str, CoordinateUnit] = field(default_factory=dict)

    def enter(self, element: Element, chain: FrameChain) -> None:
        """Note where an element of the tree is."""
        if element.tag in ("joint", "freejoint"):
            self.joints[element_name(element)] = element
        if chain:
            self.chains[id(element)] = chain
            self.named[element_kind(element), element_name(element)] = chain

    def scale(self, kind: str, name: object) -> ScaleFactors:
        """Factors of an object by its name; plain ones where it has none."""
        return _innermost_scale(self.named.get((kind, str(name)), ()))

    def scale_of(self, element: Element) -> ScaleFactors:
        """Factors of an element of the tree."""
        return _innermost_scale(self.chains.get(id(element), ()))

    def unit(self, kind: str, name: object) -> CoordinateUnit:
        """Units of a joint or a tendon."""
        if kind == "tendon":
            return CoordinateUnit(self.scale(kind, name), str(name) in self.angles)
        joint = self.joints.get(str(name))
        rotates = joint is not None and keyword(joint, "type") in ROTATIONAL_TYPES
        return CoordinateUnit(self.scale(kind, name), rotates)

    def between(self, kind: str, one: object, other: object) -> ScaleFactors:
        """Mean factors of two objects."""
        return self.scale(kind, one).geometric_mean(self.scale(kind, other))


def _innermost_scale(chain: FrameChain) -> ScaleFactors:
    return chain[-1][1] if chain else ScaleFactors()


def _common_frames(chains: Iterable[FrameChain]) -> FrameChain:
    """The common outer frames of all chains."""
    shared: list[tuple[int, ScaleFactors]] = []
    for links in zip(*chains, strict=False):
        if len({frame for frame, _ in links}) > 1:
            break
        shared.append(links[0])
    return tuple(shared)


def copy_in_place(element: Element) -> Element:
    """A copy with the same parent in the description."""
    copied = element.copy()
    copied.home = element.home
    return copied


def scale_wiring(spec: Spec, places: ScaleMap) -> Spec:
    """A copy of the description with tendons, pairs and equalities in scaled units."""
    tendons = [_scaled_tendon(one, places) for one in spec.tendons]
    contacts = [_scaled_copy(one, _pair_factors(one, places)) for one in spec.contacts]
    equalities = [_scaled_copy(one, _equality_factors(one, places)) for one in spec.equalities]
    return replace(spec, tendons=tendons, contacts=contacts, equalities=equalities)


def _scaled_copy(element: Element, factors: Iterator[tuple[str, ScaleFactor]]) -> Element:
    scaled = copy_in_place(element)
    multiply_attributes(scaled, factors)
    return scaled


def _scaled_tendon(element: Element, places: ScaleMap) -> Element:
    """A tendon in the units of the innermost frame that contains its whole path."""
    scaled = copy_in_place(element)
    steps = [one for one in scaled.children if one.tag != "pulley"]
    chain = _common_frames(places.named.get((one.tag, str(one[one.tag])), ()) for one in steps)
    joints = [(one, places.unit("joint", one["joint"])) for one in steps if one.tag == "joint"]
    rotates = bool(joints) and all(unit.rotates for _, unit in joints)
    unit = places.tendons[id(scaled)] = CoordinateUnit(_innermost_scale(chain), rotates)
    if element.name and rotates:
        places.angles.add(element.name)
    if element.name and chain:
        places.named["tendon", element.name] = chain
    multiply_attributes(scaled, [*limit_and_spring_factors(unit), ("width", unit.scale.s)])
    spring = np.asarray(scaled["springlength"], float)
    # negative ones stand for the length in the reference position
    scaled.attributes["springlength"] = np.where(spring < 0, spring, spring * unit.length)
    for step, own in joints:
        multiply_attributes(step, [("coef", unit.length / own.length)])
    return scaled


def _pair_factors(pair: Element, places: ScaleMap) -> Iterator[tuple[str, ScaleFactor]]:
    if pair.tag == "pair":
        scale = places.between("geom", pair["geom1"], pair["geom2"])
        yield "friction", np.array([1.0, 1.0, scale.s, scale.s, scale.s])
        yield from (("solimp", solimp_factors(scale.s)), ("margin", scale.s), ("gap", scale.s))
        yield "adhesion", scale.force_m * scale.force_s


def _equality_factors(element: Element, places: ScaleMap) -> Iterator[tuple[str, ScaleFactor]]:
    if element.tag in ("joint", "tendon"):
        kind = element.tag
        one = places.unit(kind, element[f"{kind}1"]).length
        other = places.unit(kind, element[f"{kind}2"]).length if element[f"{kind}2"] else 1.0
        yield from (("polycoef", one / other ** np.arange(5.0)), ("solimp", solimp_factors(one)))
        return
    if element.tag == "distance":
        middle = places.between("geom", element["geom1"], element["geom2"]).s
        yield from (("distance", middle), ("solimp", solimp_factors(middle)))
        return
    kind = "site" if element["site1"] else "body"
    first, second = element[f"{kind}1"], element[f"{kind}2"]
    middle = places.between(kind, first, second).s
    if element.tag == "connect":
        own = places.scale(kind, first).s
        yield from (("anchor", own), ("solimp", solimp_factors(middle if kind == "site" else own)))
        return
    # the anchor of a weld is in its second body, the pose in its first
    yield from (("anchor", places.scale(kind, second).s), ("torquescale", middle))
    relative = places.scale(kind, first).s
    yield from (
        ("relpose", np.array([relative] * 3 + [1.0] * 4)),
        ("solimp", solimp_factors(middle)),
    )


def scale_sensors(spec: Spec, places: ScaleMap) -> Spec:
    """The description with the cutoffs and noise of sensors in the units of their objects."""
    return replace(
        spec, sensors=[_scaled_copy(one, _sensor_factors(one, places)) for one in spec.sensors]
    )


def _sensor_factors(sensor: Element, places: ScaleMap) -> Iterator[tuple[str, ScaleFactor]]:
    tag = sensor.tag
    if tag == "tactile" and not places.scale("geom", sensor["geom"]).is_identity:
        raise sensor.error("a tactile sensor cannot be in a frame with a scale", "geom")
    factor = _reading_factors(sensor, places)
    yield "cutoff", factor
    if tag != "normal":
        yield "noise", factor


def _reading_factors(sensor: Element, places: ScaleMap) -> float:
    """Factor of what a sensor reads; of how far it looks, for directions."""
    row = SENSOR_BY_TAG[sensor.tag]
    if row.group == SensorGroup.GEOM_DISTANCE:
        ends = [next(k for k in ("geom", "body") if sensor[f"{k}{n}"]) for n in (1, 2)]
        one, other = (places.scale(k, sensor[f"{k}{n}"]) for n, k in enumerate(ends, 1))
        return one.geometric_mean(other).s
    for kind in ("joint", "tendon", "actuator"):
        if sensor[kind]:
            if row.attached == "joint:ball":
                return 1.0
            unit = places.actuator_units.get(str(sensor[kind]), CoordinateUnit())
            unit = unit if kind == "actuator" else places.unit(kind, sensor[kind])
            return unit.force if row.unit == COORDINATE_FORCE_UNIT else unit.length
    scale = _sensor_object_scale(sensor, places)
    if row.unit in LENGTH_UNITS:
        return scale.s
    power = 1 if row.unit in FORCE_UNITS else 2 if row.unit in TORQUE_UNITS else 0
    return scale.force_m * scale.force_s**power if power else 1.0


def _sensor_object_scale(sensor: Element, places: ScaleMap) -> ScaleFactors:
    for kind in ("site", "body", "camera"):
        if sensor[kind]:
            return places.scale(kind, sensor[kind])
    kind = str(sensor["objtype"])
    return places.scale("body" if kind == "xbody" else kind, sensor["objname"])
