"""Grammar of the sensor section: rules of sensors, from the table of sensors.

These rules have a table of their own, because some tags mean something else in other sections.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    Rule,
    any_reals,
    boolean,
    integer,
    integers,
    keyword,
    real,
    reals,
    reals_up_to,
    rule,
    text,
)
from cortenforge.sensors import (
    CONTACT_DATA,
    FRAMES,
    RAY_DATA,
    REDUCTIONS,
    Attachment,
    DataType,
    SensorType,
    Stage,
)

INTERPOLATIONS = "zoh linear cubic"
# what a user sensor can be attached to
OBJECTS = (
    "body xbody joint geom site camera light flex mesh skin hfield texture material pair exclude "
    "equality tendon actuator sensor numeric text tuple key"
)
MOST_SAMPLES = 2**24
# outputs of one sensor; a larger number is refused before allocation
MOST_OUTPUTS = 10_000_000


def _history() -> list[Attribute]:
    """Samples of the past, and how they are read."""
    return [
        integer("nsample", 0, maximum=MOST_SAMPLES),
        keyword("interp", INTERPOLATIONS, "zoh"),
        real("delay", 0.0),
        reals_up_to("interval", (0, 0)),
    ]


# how a sensor that cannot say so is sampled
NOT_SAMPLED = rule("sensor", _history()).fallback
HISTORY = tuple(NOT_SAMPLED)


def _common() -> list[Attribute]:
    """What most sensors have: samples, bounds and noise of the output."""
    return [
        text("name"),
        *_history(),
        real("cutoff", 0.0, minimum=0),
        real("noise", 0.0, minimum=0),
        any_reals("user"),
    ]


def _words(kinds: type[IntEnum]) -> str:
    return " ".join(kind.name.lower() for kind in kinds)


# what some sensors do not have of it
WITHOUT: dict[str, tuple[str, ...]] = {
    "tactile": ("noise",),
    "touchgrid": (*HISTORY, "noise"),
    "user": HISTORY,
}
# settings of single sensors, beside what they are attached to
SETTINGS: dict[str, list[Attribute]] = {
    "rangefinder": [Attribute("data", Kind.KEYWORDS, default="dist", keywords=tuple(RAY_DATA))],
    "insidesite": [boolean("enclosed")],
    "contact": [
        integer("num", 1, minimum=1, maximum=MOST_OUTPUTS),
        Attribute("data", Kind.KEYWORDS, default="found", keywords=tuple(CONTACT_DATA)),
        keyword("reduce", " ".join(REDUCTIONS), REDUCTIONS[0]),
    ],
    # of our own: what the plugin mujoco.sensor.touch_grid is read as
    "touchgrid": [
        integers("size", 2, required=True),
        reals("fov", 2, required=True),
        real("gamma", 0.0, minimum=0),
        integer("nchannel", 1, minimum=1, maximum=6),
    ],
    "user": [
        keyword("datatype", _words(DataType), "real"),
        keyword("needstage", _words(Stage), "acc"),
        integer("dim", required=True, minimum=0, maximum=MOST_OUTPUTS),
    ],
}


def _attached(to: Attachment) -> Iterator[Attribute]:
    """Attributes that name an object."""
    required = not to.optional
    if to.type_and_name:
        type_, name = to.type_and_name
        if to.names == ("frame",):
            yield keyword(type_, " ".join(FRAMES), required=required)
        else:
            yield keyword(type_, OBJECTS, later="dof plugin frame default model")
        yield text(name, required=required)
    else:
        yield from (text(name, required=required and len(to.names) == 1) for name in to.names)


def _sensor(kind: SensorType) -> Rule:
    """The rule of a sensor: what all have, what it is attached to, its own settings."""
    tag, without = kind.tag, WITHOUT.get(kind.tag, ())
    return rule(
        tag,
        (attribute for attribute in _common() if attribute.name not in without),
        (attribute for to in kind.attachments for attribute in _attached(to)),
        SETTINGS.get(tag, ()),
        exclusive=(" ".join(to.names) for to in kind.attachments if len(to.names) > 1),
    )


SENSORS: dict[str, Rule] = {kind.tag: _sensor(kind) for kind in SensorType}
# groups of which one must be given, and groups that are given together or not at all
NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    kind.tag: tuple(to.names for to in kind.attachments if len(to.names) > 1 and not to.optional)
    for kind in SensorType
}
TOGETHER: dict[str, tuple[str, ...]] = {
    kind.tag: to.type_and_name
    for kind in SensorType
    for to in kind.attachments
    if to.type_and_name and to.optional
}

RULES = {
    "sensor": rule(
        "sensor", children=" ".join(f"{tag}*" for tag in SENSORS), later_children="plugin"
    ),
}
