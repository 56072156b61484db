"""Grammar of the contact section: pairs of geoms to check, pairs of bodies to leave out."""

from __future__ import annotations

from cortenforge.grammar.rule import integer, own_class, own_name, real, reals_up_to, rule, text
from cortenforge.grammar.tables.option import SOLIMP, SOLREF

CONTACT = rule("contact", children="pair* exclude*")

PAIR = rule(
    "pair",
    own_name(),
    own_class(),
    text("geom1", required=True, in_defaults=False),
    text("geom2", required=True, in_defaults=False),
    integer("condim", 3),
    reals_up_to("friction", (1, 1, 0.005, 0.0001, 0.0001)),
    reals_up_to("solref", SOLREF),
    reals_up_to("solreffriction", (0, 0)),
    reals_up_to("solimp", SOLIMP),
    real("gap", 0.0),
    real("margin", 0.0),
    real("adhesion", 0.0),
)

EXCLUDE = rule("exclude", own_name(), text("body1", required=True), text("body2", required=True))

RULES = {"contact": CONTACT, "pair": PAIR, "exclude": EXCLUDE}
DEFAULTS = {"pair": PAIR.as_default()}
