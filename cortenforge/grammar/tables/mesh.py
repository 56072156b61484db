"""Grammar of meshes: from files, written in the model, or made from parameters."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    any_reals,
    integer,
    integers,
    keyword,
    own_class,
    own_name,
    reals,
    rule,
    text,
)
from cortenforge.grammar.sdf_shapes import SDF_SHAPES


def _singles(name: str) -> Attribute:
    """Any number of reals that MuJoCo keeps in single precision."""
    return Attribute(name, Kind.SINGLE, 0, None, in_defaults=False)


MESH = rule(
    "mesh",
    own_name(),
    own_class(),
    text("file", in_defaults=False),
    text("content_type", in_defaults=False),
    _singles("vertex"),
    _singles("normal"),
    _singles("texcoord"),
    integers("face", None, in_defaults=False),
    reals("refpos", 3, (0, 0, 0), in_defaults=False),
    reals("refquat", 4, (1, 0, 0, 0), in_defaults=False),
    reals("scale", 3, (1, 1, 1)),
    Attribute("smoothnormal", Kind.BOOLEAN, default=False, in_defaults=False),
    integer("maxhullvert", -1),
    keyword("inertia", "convex exact legacy shell", "legacy"),
    keyword(
        "builtin",
        "sphere hemisphere cone supersphere supertorus wedge plate "
        "grid box cylinder ellipsoid square disc",
        in_defaults=False,
    ),
    any_reals("params", in_defaults=False),
    text("material", in_defaults=False),
    keyword("sdf", " ".join(SDF_SHAPES), in_defaults=False),
    any_reals("sdfparams", in_defaults=False),
    later_children="plugin",
)

RULES = {"mesh": MESH}
