"""Grammar of the equality section: constraints between bodies, sites, joints, tendons, geoms."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    boolean,
    own_class,
    own_name,
    real,
    reals,
    reals_up_to,
    rule,
    text,
)
from cortenforge.grammar.tables.option import SOLIMP, SOLREF

EQUALITY = rule(
    "equality",
    children="connect* weld* joint* tendon* distance*",
    later_children="flex flexstrain",
    removed_children="flexvert",
)


def _common() -> list[Attribute]:
    """What every kind of constraint has."""
    return [
        own_name(),
        own_class(),
        boolean("active", True),
        reals_up_to("solref", SOLREF),
        reals_up_to("solimp", SOLIMP),
    ]


def _ends() -> list[Attribute]:
    """Two bodies with a point, or two sites."""
    return [text("body1"), text("body2"), reals("anchor", 3), text("site1"), text("site2")]


CONNECT = rule("connect", _common(), _ends())
WELD = rule("weld", _common(), _ends(), reals("relpose", 7), real("torquescale", 1.0))
JOINT = rule(
    "joint",
    _common(),
    text("joint1", required=True),
    text("joint2"),
    reals_up_to("polycoef", (0, 1, 0, 0, 0)),
)
TENDON = rule(
    "tendon",
    _common(),
    text("tendon1", required=True),
    text("tendon2"),
    reals_up_to("polycoef", (0, 1, 0, 0, 0)),
)

# not in MuJoCo, which removed an element of this name
DISTANCE = rule(
    "distance",
    _common(),
    text("geom1", required=True),
    text("geom2"),
    real("distance", minimum=0.0),
)

RULES = {"equality": EQUALITY, "connect": CONNECT, "weld": WELD, "distance": DISTANCE}
#: elements that share their tag with elements of other sections, by tag
INSIDE = {
    "connect": CONNECT,
    "weld": WELD,
    "joint": JOINT,
    "tendon": TENDON,
    "distance": DISTANCE,
}
DEFAULTS = {"equality": rule("equality", *_common()[2:])}
