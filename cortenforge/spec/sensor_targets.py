"""What a sensor refers to: the object it measures, and the object it measures against."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cortenforge.spec.element import Element

# attributes that name the measured object, or the other one, with the type of the object
MEASURED = {
    "site": "site",
    "camera": "camera",
    "joint": "joint",
    "tendon": "tendon",
    "actuator": "actuator",
    "body": "body",
    "mesh": "mesh",
    "geom1": "geom",
    "body1": "body",
    "subtree1": "xbody",
}
AGAINST = {"geom2": "geom", "body2": "body", "subtree2": "xbody"}
# sensors with a named reference of their own
OWN_AGAINST = {
    "camprojection": ("camera", "camera"),
    "tactile": ("geom", "geom"),
    "insidesite": ("site", "site"),
}


@dataclass(frozen=True)
class Target:
    """An object that a sensor names: its type, its name, and the attribute with the name."""

    type: str
    name: str
    attribute: str

    @property
    def kind(self) -> str:
        """The type without the choice of frame: a body's two frames have one name."""
        return "body" if self.type == "xbody" else self.type


def measured(sensor: Element) -> Target | None:
    """The object that a sensor measures; None if it measures the whole model."""
    if sensor["objtype"] is not None:
        return Target(str(sensor["objtype"]), str(sensor["objname"]), "objname")
    return _named(sensor, MEASURED)


def against(sensor: Element) -> Target | None:
    """The object that a sensor measures against; None for the world, or for everything."""
    if sensor["reftype"] is not None:
        return Target(str(sensor["reftype"]), str(sensor["refname"]), "refname")
    if sensor.tag in OWN_AGAINST:
        attribute, kind = OWN_AGAINST[sensor.tag]
        return Target(kind, str(sensor[attribute]), attribute)
    return _named(sensor, AGAINST)


def _named(sensor: Element, attributes: dict[str, str]) -> Target | None:
    for attribute, kind in attributes.items():
        if sensor[attribute] is not None:
            return Target(kind, str(sensor[attribute]), attribute)
    return None


def targets(sensor: Element) -> list[Target]:
    """All objects that a sensor refers to, none to two."""
    return [target for target in (measured(sensor), against(sensor)) if target is not None]


def named_by_sensors(sensors: list[Element], kind: str) -> set[str]:
    """Names of the objects of a kind that sensors refer to."""
    return {target.name for sensor in sensors for target in targets(sensor) if target.kind == kind}


def copy_for_replicas(
    sensors: list[Element], inside: set[tuple[str, str]], suffixes: list[str], most: int
) -> list[Element]:
    """Sensors after a subtree with the objects `inside` became one copy a suffix.

    A sensor of an object inside becomes one a replica.  Each replica also copies every sensor that
    refers to nothing, the copies of earlier replicas among them: MuJoCo does so.
    """
    listed = list(sensors)
    for suffix in suffixes:
        copies = [_copy(sensor, inside, suffix) for sensor in listed]
        listed += [copy for copy in copies if copy is not None]
        if len(listed) > most:
            raise listed[0].error(
                f"the sensors of this model would grow to more than {most}",
                hint="a replicate copies each sensor that refers to no object, and its copies",
            )
    return [sensor for sensor in listed if not _any_inside(sensor, inside)]


def _any_inside(sensor: Element, inside: set[tuple[str, str]]) -> bool:
    return any((target.kind, target.name) in inside for target in targets(sensor))


def _copy(sensor: Element, inside: set[tuple[str, str]], suffix: str) -> Element | None:
    """A replica's copy of a sensor; None if the sensor has nothing to do with the replica."""
    refers = targets(sensor)
    if refers and not _any_inside(sensor, inside):
        return None
    attributes = dict(sensor.attributes)
    where = sensor.where
    if sensor.name:
        attributes["name"] = sensor.name + suffix
        where = replace(where, name=sensor.name + suffix)
    for target in refers:
        if (target.kind, target.name) in inside:
            attributes[target.attribute] = target.name + suffix
    return Element(sensor.tag, where, attributes, sensor.defaults, fallback=sensor.fallback)
