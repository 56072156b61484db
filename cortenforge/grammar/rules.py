"""The grammar of MJCF as tables: allowed children of each element, unsupported ones."""

from __future__ import annotations

from cortenforge.grammar.rule import Rule, own_class, rule, text
from cortenforge.grammar.tables import (
    actuator,
    asset,
    body,
    contact,
    equality,
    mesh,
    option,
    sensor,
    skin,
    soft,
    tendon,
    visual,
)

# elements a default class can describe
DEFAULT_CHILDREN = (
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "mesh",
    "texture",
    "material",
    *soft.SOFTS,
    *actuator.ACTUATORS,
)
# default elements with a grammar of their own
DEFAULT_ONLY_RULES = {
    **contact.DEFAULTS,
    **equality.DEFAULTS,
    **tendon.DEFAULTS,
}

MUJOCO = rule(
    "mujoco",
    text("model", "MuJoCo Model"),
    children="compiler* option* size* statistic* visual* default* custom* asset* worldbody* "
    "keyframe* contact* equality* tendon* actuator* sensor* deformable*",
    later_children="extension",
)

DEFAULT = rule(
    "default",
    own_class(),
    children="default* " + " ".join(f"{tag}?" for tag in (*DEFAULT_CHILDREN, *DEFAULT_ONLY_RULES)),
)

RULES: dict[str, Rule] = {
    "mujoco": MUJOCO,
    "default": DEFAULT,
    **option.RULES,
    **visual.RULES,
    **body.RULES,
    **asset.RULES,
    **mesh.RULES,
    **sensor.RULES,
    **skin.RULES,
    **soft.RULES,
    **contact.RULES,
    **equality.RULES,
    **tendon.RULES,
    **actuator.RULES,
}

DEFAULT_RULES: dict[str, Rule] = {
    **{tag: RULES[tag].as_default() for tag in DEFAULT_CHILDREN},
    **asset.DEFAULT_RULES,
    **DEFAULT_ONLY_RULES,
}

# sections that are not supported yet, with their elements: an unknown one in them is still unknown
LATER_SECTIONS: dict[str, frozenset[str]] = {
    "extension": frozenset({"plugin"}),
}


def possible_parents(tag: str) -> list[str]:
    """Elements in which an element of this tag may stand."""
    return [
        name
        for name, parent in RULES.items()
        if tag in parent.children or tag in parent.later_children
    ]
