"""Grammar of the tendon section: paths through sites and around geoms, and sums of joints."""

from __future__ import annotations

from dataclasses import replace

from cortenforge.grammar.rule import (
    Attribute,
    any_reals,
    integer,
    keyword,
    own_class,
    own_name,
    real,
    reals,
    reals_up_to,
    rule,
    singles,
    text,
)
from cortenforge.grammar.tables.option import SOLIMP, SOLREF, TRISTATE

SECTION = rule("tendon", children="spatial* fixed*")


def _common() -> list[Attribute]:
    """What both kinds of tendon have."""
    return [
        integer("group", 0),
        keyword("limited", TRISTATE, "auto"),
        keyword("actuatorfrclimited", TRISTATE, "auto"),
        reals("range", 2, (0, 0), unbounded=True),
        reals("actuatorfrcrange", 2, (0, 0), unbounded=True),
        reals_up_to("solreflimit", SOLREF),
        reals_up_to("solimplimit", SOLIMP),
        reals_up_to("solreffriction", SOLREF),
        reals_up_to("solimpfriction", SOLIMP),
        real("frictionloss", 0.0),
        # one number stands for both ends; the reader writes it twice
        reals_up_to("springlength", (-1, -1)),
        real("springyield", 0.0, minimum=0.0),
        real("margin", 0.0),
        reals_up_to("stiffness", (0, 0, 0)),
        reals_up_to("damping", (0, 0, 0)),
        real("armature", 0.0),
        any_reals("user", unbounded=True),
    ]


def _drawn() -> list[Attribute]:
    """How a path is drawn."""
    return [
        real("width", 0.003),
        text("material"),
        singles("rgba", 4, (0.5, 0.5, 0.5, 1)),
    ]


SPATIAL = rule(
    "spatial",
    own_name(),
    own_class(),
    _common(),
    _drawn(),
    children="site* geom* pulley*",
)
FIXED = rule("fixed", own_name(), own_class(), _common(), children="joint*")

SITE = rule("site", text("site", required=True))
GEOM = rule("geom", text("geom", required=True), text("sidesite"))
PULLEY = rule("pulley", real("divisor", required=True))
JOINT = rule("joint", text("joint", required=True), real("coef", required=True))

RULES = {"tendon": SECTION, "spatial": SPATIAL, "fixed": FIXED, "pulley": PULLEY}
#: steps of a path by the tag of the tendon and their own
PATH = {
    "spatial": {"site": SITE, "geom": GEOM, "pulley": PULLEY},
    "fixed": {"joint": JOINT},
}
DEFAULTS = {"tendon": replace(SPATIAL.as_default(), tag="tendon")}
