"""Grammar of the contact section: pairs of geoms to check, pairs of bodies to leave out."""

from __future__ import annotations

from cortenforge.grammar.rule import class_, integer, name_, real, rule, text, upto
from cortenforge.grammar.tables.option import SOLIMP, SOLREF

CONTACT = rule("contact", children="pair* exclude*")

PAIR = rule(
    "pair",
    name_(),
    class_(),
    text("geom1", required=True, in_defaults=False),
    text("geom2", required=True, in_defaults=False),
    integer("condim", 3),
    upto("friction", (1, 1, 0.005, 0.0001, 0.0001)),
    upto("solref", SOLREF),
    upto("solreffriction", (0, 0)),
    upto("solimp", SOLIMP),
    real("gap", 0.0),
    real("margin", 0.0),
    real("adhesion", 0.0),
)

EXCLUDE = rule("exclude", name_(), text("body1", required=True), text("body2", required=True))

RULES = {"contact": CONTACT, "pair": PAIR, "exclude": EXCLUDE}
DEFAULTS = {"pair": PAIR.as_default()}
