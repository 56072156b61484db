"""Grammar of deformables, which MuJoCo does not have: cloth, soft bodies, chains."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    any_reals,
    boolean,
    integer,
    integers,
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
from cortenforge.grammar.tables.body import ONE_ORIENTATION, pose
from cortenforge.grammar.tables.option import SOLREF

# more vertices or segments than these are refused before any memory is asked for
MOST_ALONG = 10_000
MOST_BITS = 2**31 - 1
INSIDE = "pin* tie*"


def _common(material: str) -> list[Attribute]:
    """What every kind of deformable has."""
    return [
        own_name(),
        own_class(),
        *pose(),
        text("material", material),
        real("young", positive=True),
        real("poisson"),
        real("density", positive=True),
        real("friction", minimum=0.0),
        real("damping", minimum=0.0),
        real("radius", positive=True),
        real("spacing", positive=True),
        integer("contype", 1, minimum=0, maximum=MOST_BITS),
        integer("conaffinity", 1, minimum=0, maximum=MOST_BITS),
        boolean("selfcollide"),
        reals_up_to("solref", SOLREF),
        real("drag", 1.0, minimum=0.0),
        singles("rgba", 4, (0.8, 0.5, 0.4, 1)),
        integer("group", 0, minimum=0, maximum=5),
    ]


def _mesh(cells: str) -> list[Attribute]:
    """A mesh in place of a shape: of a file, or of lists."""
    return [
        text("file", in_defaults=False),
        reals("scale", 3, (1, 1, 1)),
        any_reals("vertex", in_defaults=False),
        integers(cells, None, in_defaults=False),
    ]


CLOTH = rule(
    "cloth",
    _common("cotton"),
    _mesh("face"),
    integers("count", 2, minimum=2, maximum=MOST_ALONG),
    reals("size", 2, (1, 1), positive=True),
    real("thickness", positive=True),
    real("bending", minimum=0.0),
    children=INSIDE,
    exclusive=(ONE_ORIENTATION, "count file vertex"),
)

SOFTBODY = rule(
    "softbody",
    _common("rubber"),
    _mesh("element"),
    keyword("type", "box ball mesh", "box"),
    integers("count", 3, (4, 4, 4), minimum=1, maximum=MOST_ALONG),
    reals("size", 3, (0.2, 0.2, 0.2), positive=True),
    real("cell", positive=True),
    keyword("model", "solid edges", "solid"),
    children=INSIDE,
    exclusive=(ONE_ORIENTATION, "file vertex"),
)

CHAIN = rule(
    "chain",
    _common("rope"),
    reals("fromto", 6, in_defaults=False),
    integer("segments", 10, minimum=1, maximum=MOST_ALONG),
    any_reals("vertex", in_defaults=False),
    real("bending", minimum=0.0),
    children=INSIDE,
    exclusive=(ONE_ORIENTATION, "fromto vertex"),
)


def _chosen() -> list[Attribute]:
    """Which vertices are meant."""
    return [integers("vertex", None), text("at"), reals("box", 6)]


CHOICES = "vertex at box"
PIN = rule("pin", _chosen(), exclusive=(CHOICES,))
TIE = rule(
    "tie",
    _chosen(),
    text("body"),
    text("site"),
    reals("pos", 3),
    exclusive=(CHOICES, "body site"),
)

#: kinds of deformables
SOFTS = ("cloth", "softbody", "chain")
RULES = {"cloth": CLOTH, "softbody": SOFTBODY, "chain": CHAIN, "pin": PIN, "tie": TIE}
