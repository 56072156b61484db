"""Grammar of the sensor section: 49 kinds of sensors and what each is attached to.

These rules have a table of their own, because some tags mean something else in other sections.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    split_words,
    text,
)

INTERPOLATIONS = "zoh linear cubic"
FRAMES = "body xbody geom site camera"
RAY_DATA = split_words("dist dir origin point normal depth")
CONTACT_DATA = split_words("found force torque dist pos normal tangent linvel angvel")
REDUCTIONS = "none mindist maxforce netforce"
# what a user sensor can be attached to
OBJECTS = (
    "body xbody joint geom site camera light flex mesh skin hfield texture material pair exclude "
    "equality tendon actuator sensor numeric text tuple key"
)
MOST_SAMPLES = 2**24
# outputs of one sensor; a larger number is refused before allocation
MOST_OUTPUTS = 10_000_000

# attribute -> sensors that need nothing but it
ATTACHED = {
    "site": "touch accelerometer velocimeter gyro force torque magnetometer",
    "joint": "jointpos jointvel jointactuatorfrc ballquat ballangvel "
    "jointlimitpos jointlimitvel jointlimitfrc",
    "tendon": "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
    "actuator": "actuatorpos actuatorvel actuatorfrc",
    "body": "subtreecom subtreelinvel subtreeangmom",
}
# sensors of a frame: seen from another frame if one is named, or always from the world
RELATIVE = split_words(
    "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel"
)
ABSOLUTE = split_words("framelinacc frameangacc")
BETWEEN = split_words("distance normal fromto")
DETACHED = split_words("e_potential e_kinetic clock")

# groups of which one must be given, and groups that are given together or not at all
NEEDED: dict[str, tuple[tuple[str, ...], ...]] = {
    "rangefinder": (("site", "camera"),),
    **dict.fromkeys(BETWEEN, (("geom1", "body1"), ("geom2", "body2"))),
}
TOGETHER: dict[str, tuple[str, str]] = {
    "user": ("objtype", "objname"),
    **dict.fromkeys(RELATIVE, ("reftype", "refname")),
}


def _needed(name: str) -> Attribute:
    return text(name, required=True)


def _history() -> list[Attribute]:
    """Samples of the past, and how they are read."""
    return [
        integer("nsample", 0, maximum=MOST_SAMPLES),
        keyword("interp", INTERPOLATIONS, "zoh"),
        real("delay", 0.0),
        reals_up_to("interval", (0, 0)),
    ]


def _reading() -> list[Attribute]:
    """Bounds and noise of the output."""
    return [real("cutoff", 0.0, minimum=0), real("noise", 0.0, minimum=0)]


# how a sensor that cannot say so is sampled
NOT_SAMPLED = rule("sensor", _history()).fallback


def _sensor(
    tag: str, *attributes: Attribute | Iterable[Attribute], exclusive: Iterable[str] = ()
) -> Rule:
    """A sensor with the attributes that most have in common."""
    common = [text("name"), *_history(), *_reading(), any_reals("user")]
    return rule(tag, common, *attributes, exclusive=exclusive)


def _object() -> list[Attribute]:
    return [keyword("objtype", FRAMES, required=True), _needed("objname")]


def _listed(name: str, keywords: tuple[str, ...], default: str) -> Attribute:
    return Attribute(name, Kind.KEYWORDS, default=default, keywords=keywords)


def _texts(names: str) -> list[Attribute]:
    return [text(name) for name in names.split()]


def _pair(tag: str) -> Rule:
    return _sensor(tag, _texts("geom1 geom2 body1 body2"), exclusive=("geom1 body1", "geom2 body2"))


SPECIAL = (
    _sensor("camprojection", _needed("site"), _needed("camera")),
    _sensor(
        "rangefinder",
        _texts("site camera"),
        _listed("data", RAY_DATA, "dist"),
        exclusive=("site camera",),
    ),
    _sensor("insidesite", _needed("site"), _object(), boolean("enclosed")),
    _sensor(
        "contact",
        _texts("geom1 geom2 body1 body2 subtree1 subtree2 site"),
        integer("num", 1, minimum=1, maximum=MOST_OUTPUTS),
        _listed("data", CONTACT_DATA, "found"),
        keyword("reduce", REDUCTIONS, "none"),
        exclusive=("geom1 body1 subtree1 site", "geom2 body2 subtree2"),
    ),
    rule(
        "tactile",
        text("name"),
        _needed("geom"),
        _needed("mesh"),
        _history(),
        real("cutoff", 0.0, minimum=0),
        any_reals("user"),
    ),
    # of our own: what the plugin mujoco.sensor.touch_grid is read as
    rule(
        "touchgrid",
        text("name"),
        _needed("site"),
        integers("size", 2, required=True),
        reals("fov", 2, required=True),
        real("gamma", 0.0, minimum=0),
        integer("nchannel", 1, minimum=1, maximum=6),
        real("cutoff", 0.0, minimum=0),
        any_reals("user"),
    ),
    rule(
        "user",
        text("name"),
        keyword("objtype", OBJECTS, later="dof plugin frame default model"),
        text("objname"),
        keyword("datatype", "real positive axis quaternion", "real"),
        keyword("needstage", "none pos vel acc", "acc"),
        integer("dim", required=True, minimum=0, maximum=MOST_OUTPUTS),
        _reading(),
        any_reals("user"),
    ),
)

SENSORS: dict[str, Rule] = {
    **{
        tag: _sensor(tag, _needed(attribute))
        for attribute, tags in ATTACHED.items()
        for tag in tags.split()
    },
    **{
        tag: _sensor(tag, _object(), keyword("reftype", FRAMES), text("refname"))
        for tag in RELATIVE
    },
    **{tag: _sensor(tag, _object()) for tag in ABSOLUTE},
    **{tag: _pair(tag) for tag in BETWEEN},
    **{tag: _sensor(tag) for tag in DETACHED},
    **{special.tag: special for special in SPECIAL},
}

RULES = {
    "sensor": rule(
        "sensor", children=" ".join(f"{tag}*" for tag in SENSORS), later_children="plugin"
    ),
}
