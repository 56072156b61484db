"""Grammar of skins: surfaces that bodies carry along, for pictures only."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    integer,
    integers,
    own_name,
    rule,
    single,
    singles,
    text,
)

SKIN = rule(
    "skin",
    own_name(),
    text("file"),
    Attribute("vertex", Kind.SINGLE, 0, None),
    Attribute("texcoord", Kind.SINGLE, 0, None),
    integers("face", None),
    single("inflate", 0.0),
    text("material"),
    singles("rgba", 4, (0.5, 0.5, 0.5, 1)),
    integer("group", 0, minimum=0, maximum=5),
    children="bone*",
)

BONE = rule(
    "bone",
    text("body", required=True),
    Attribute("bindpos", Kind.SINGLE, 3, 3, required=True),
    Attribute("bindquat", Kind.SINGLE, 4, 4, required=True),
    integers("vertid", None, required=True),
    Attribute("vertweight", Kind.SINGLE, 0, None, required=True),
)

DEFORMABLE = rule("deformable", children="skin* cloth* softbody* chain*", later_children="flex")

RULES = {"deformable": DEFORMABLE, "skin": SKIN, "bone": BONE}
