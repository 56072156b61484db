"""What a sensor refers to: the object it measures, and the object it measures against."""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.sensors import SENSOR_BY_TAG
from cortenforge.spec.element import Element


@dataclass(frozen=True)
class SensorObject:
    """An object that a sensor names: its type, its name, and the attribute with the name."""

    type: str
    name: str
    attribute: str

    @property
    def kind(self) -> str:
        """The type without the choice of frame: a body's two frames have one name."""
        return "body" if self.type == "xbody" else self.type


def measured_object(sensor: Element) -> SensorObject | None:
    """The object that a sensor measures; None if it measures the whole model."""
    return _named_object(sensor, reference=False)


def reference_object(sensor: Element) -> SensorObject | None:
    """The object that a sensor measures against; None for the world, or for everything."""
    return _named_object(sensor, reference=True)


def _named_object(sensor: Element, *, reference: bool) -> SensorObject | None:
    for to in SENSOR_BY_TAG[sensor.tag].attachments:
        if to.reference != reference:
            continue
        if to.type_and_name:
            type_, name = to.type_and_name
            if sensor[type_] is not None:
                return SensorObject(str(sensor[type_]), str(sensor[name]), name)
        for name in to.names:
            if sensor[name] is not None:
                # geom1, subtree2: a subtree is that of a body's frame
                kind = name.rstrip("12").replace("subtree", "xbody")
                return SensorObject(kind, str(sensor[name]), name)
    return None


def sensor_objects(sensor: Element) -> list[SensorObject]:
    """All objects that a sensor refers to, none to two."""
    return [
        target
        for target in (measured_object(sensor), reference_object(sensor))
        if target is not None
    ]


def names_in_sensors(sensors: list[Element], kind: str) -> set[str]:
    """Names of the objects of a kind that sensors refer to."""
    return {
        target.name
        for sensor in sensors
        for target in sensor_objects(sensor)
        if target.kind == kind
    }


def copy_sensors(
    sensors: list[Element], inside: set[tuple[str, str]], suffixes: list[str], most: int
) -> list[Element]:
    """Sensors after a subtree with the objects `inside` became one copy a suffix.

    A sensor of an object inside becomes one a replica.  Each replica also copies every sensor that
    refers to nothing, the copies of earlier replicas among them: MuJoCo does so.
    """
    inside_or_loose = [
        one for one in sensors if _any_inside(one, inside) or not sensor_objects(one)
    ]
    loose = sum(not sensor_objects(one) for one in inside_or_loose)
    _check_growth(inside_or_loose, loose, len(suffixes), most)
    copies: list[Element] = []
    for suffix in suffixes:
        copied = [_copy(one, inside, suffix) for one in inside_or_loose]
        copies += copied
        if loose:
            inside_or_loose += [one for one in copied if not sensor_objects(one)]
    return [one for one in sensors if not _any_inside(one, inside)] + copies


def _check_growth(copied: list[Element], loose: int, replicas: int, most: int) -> None:
    """Refuse more sensors than a model can have, before any is made."""
    doublings = min(replicas, most.bit_length())
    if loose << doublings > most or len(copied) * replicas > most:
        raise copied[0].error(
            f"the sensors of this model would grow to more than {most}",
            hint="each replica copies the sensors that refer to no object, and earlier copies",
        )


def _any_inside(sensor: Element, inside: set[tuple[str, str]]) -> bool:
    return any((target.kind, target.name) in inside for target in sensor_objects(sensor))


def _copy(sensor: Element, inside: set[tuple[str, str]], suffix: str) -> Element:
    """A replica's copy of a sensor."""
    copy = sensor.copy()
    if sensor.name:
        copy.rename(sensor.name + suffix)
    for target in sensor_objects(sensor):
        if (target.kind, target.name) in inside:
            copy.attributes[target.attribute] = target.name + suffix
    return copy
