"""Names of objects: each unique among the objects of its kind."""

from __future__ import annotations

from collections.abc import Iterable

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.tables.actuator import ACTUATORS
from cortenforge.problems import raise_or_gather
from cortenforge.spec import Element, Spec

# elements that share one set of names
NAME_KINDS = {
    "body": "body",
    "frame": "frame",
    "joint": "joint",
    "freejoint": "joint",
    "geom": "geom",
    "site": "site",
    "camera": "camera",
    "light": "light",
    **dict.fromkeys(ACTUATORS, "actuator"),
}
WORLD_NAME = "world"


def check_spec_names(spec: Spec) -> None:
    """Refuse a name that two objects of one kind share; the world body is called world."""
    _check_unique_spec_names(spec.worldbody.walk(), {("body", WORLD_NAME): spec.worldbody.where})
    for group in (
        spec.numerics,
        spec.texts,
        spec.tuples,
        spec.keys,
        spec.textures,
        spec.materials,
        spec.hfields,
        spec.skins,
        spec.actuators,
    ):
        _check_unique_spec_names(group, {})
    _check_unique_spec_names(spec.sensors, {}, "sensor")
    _check_unique_spec_names(spec.softs, {}, "soft")
    for kind, group in (
        ("", spec.contacts),
        ("equality", spec.equalities),
        ("tendon", spec.tendons),
    ):
        _check_unique_spec_names(group, {}, kind)


def _check_unique_spec_names(
    elements: Iterable[Element], seen: dict[tuple[str, str], Location], kind: str = ""
) -> None:
    """One name an object of a kind; the kind is the element's own unless it is given."""
    for element in elements:
        if not element.name:
            continue
        key = kind or NAME_KINDS.get(element.tag, element.tag), element.name
        if key in seen:
            first = seen[key]
            place = (
                "the world body" if key == ("body", WORLD_NAME) else f"{first.file}:{first.line}"
            )
            problem = MjcfError(
                f"the {key[0]} name '{element.name}' is already taken by {place}",
                element.where,
                attribute="name",
                got=element.name,
            )
            raise_or_gather(problem)
            continue
        seen[key] = element.where
