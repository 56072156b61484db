"""The grammar of MJCF as tables: what may stand where, and what is left for later issues."""

from __future__ import annotations

from cortenforge.read import (
    grammar_asset,
    grammar_body,
    grammar_option,
    grammar_sensor,
    grammar_visual,
)
from cortenforge.read.rule import Rule, class_, rule, text, words

# elements a default class can describe, and those of them that later issues bring
IN_DEFAULTS = ("joint", "geom", "site", "camera", "light", "texture", "material")
LATER_IN_DEFAULTS = (
    "mesh pair equality tendon general motor position velocity intvelocity "
    "orientation pid damper cylinder muscle adhesion dcmotor"
)

MUJOCO = rule(
    "mujoco",
    text("model", "MuJoCo Model"),
    children="compiler* option* size* statistic* visual* default* custom* asset* worldbody* "
    "keyframe* sensor*",
    later_children="extension deformable contact equality tendon actuator",
)

DEFAULT = rule(
    "default",
    class_(),
    children="default* " + " ".join(f"{tag}?" for tag in IN_DEFAULTS),
    later_children=LATER_IN_DEFAULTS,
)

RULES: dict[str, Rule] = {
    "mujoco": MUJOCO,
    "default": DEFAULT,
    **grammar_option.RULES,
    **grammar_visual.RULES,
    **grammar_body.RULES,
    **grammar_asset.RULES,
    **grammar_sensor.RULES,
}

DEFAULT_RULES: dict[str, Rule] = {
    **{tag: RULES[tag].as_default() for tag in IN_DEFAULTS},
    **grammar_asset.DEFAULT_RULES,
}

# sections of later issues with their elements, so that an unknown element in them is still unknown
LATER_SECTIONS: dict[str, frozenset[str]] = {
    "extension": frozenset({"plugin"}),
    "deformable": frozenset({"flex", "skin"}),
    "contact": frozenset({"pair", "exclude"}),
    "equality": frozenset(words("connect weld joint tendon flex flexstrain")),
    "tendon": frozenset({"spatial", "fixed"}),
    "actuator": frozenset(
        words(
            "general motor position velocity intvelocity orientation pid damper cylinder muscle "
            "adhesion dcmotor plugin"
        )
    ),
}


def parents_of(tag: str) -> list[str]:
    """Elements in which an element of this tag may stand."""
    return [
        name
        for name, parent in RULES.items()
        if tag in parent.children or tag in parent.later_children
    ]
