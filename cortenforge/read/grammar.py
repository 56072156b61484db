"""The grammar of MJCF as tables: what may stand where, and what is left for later."""

from __future__ import annotations

from cortenforge.read import (
    grammar_actuator,
    grammar_asset,
    grammar_body,
    grammar_contact,
    grammar_equality,
    grammar_mesh,
    grammar_option,
    grammar_sensor,
    grammar_skin,
    grammar_tendon,
    grammar_visual,
)
from cortenforge.read.rule import Rule, class_, rule, text

# elements a default class can describe
IN_DEFAULTS = (
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "mesh",
    "texture",
    "material",
    *grammar_actuator.ACTUATORS,
)
# default elements with a grammar of their own
OWN_DEFAULTS = {
    **grammar_contact.DEFAULTS,
    **grammar_equality.DEFAULTS,
    **grammar_tendon.DEFAULTS,
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
    class_(),
    children="default* " + " ".join(f"{tag}?" for tag in (*IN_DEFAULTS, *OWN_DEFAULTS)),
)

RULES: dict[str, Rule] = {
    "mujoco": MUJOCO,
    "default": DEFAULT,
    **grammar_option.RULES,
    **grammar_visual.RULES,
    **grammar_body.RULES,
    **grammar_asset.RULES,
    **grammar_mesh.RULES,
    **grammar_sensor.RULES,
    **grammar_skin.RULES,
    **grammar_contact.RULES,
    **grammar_equality.RULES,
    **grammar_tendon.RULES,
    **grammar_actuator.RULES,
}

DEFAULT_RULES: dict[str, Rule] = {
    **{tag: RULES[tag].as_default() for tag in IN_DEFAULTS},
    **grammar_asset.DEFAULT_RULES,
    **OWN_DEFAULTS,
}

# sections that are not supported yet, with their elements: an unknown one in them is still unknown
LATER_SECTIONS: dict[str, frozenset[str]] = {
    "extension": frozenset({"plugin"}),
}


def parents_of(tag: str) -> list[str]:
    """Elements in which an element of this tag may stand."""
    return [
        name
        for name, parent in RULES.items()
        if tag in parent.children or tag in parent.later_children
    ]
