"""The grammar of MJCF as tables: what may stand where, and what is left for later issues."""

from __future__ import annotations

from cortenforge.read import grammar_body, grammar_mesh, grammar_option, grammar_visual
from cortenforge.read.rule import Rule, class_, rule, text, words

# elements a default class can describe, and those of them that later issues bring
IN_DEFAULTS = ("joint", "geom", "site", "camera", "light", "mesh")
LATER_IN_DEFAULTS = (
    "texture material pair equality tendon general motor position velocity intvelocity "
    "orientation pid damper cylinder muscle adhesion dcmotor"
)

MUJOCO = rule(
    "mujoco",
    text("model", "MuJoCo Model"),
    children="compiler* option* size* statistic* visual* default* custom* asset* worldbody* "
    "keyframe*",
    later_children="extension deformable contact equality tendon actuator sensor",
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
    **grammar_mesh.RULES,
}

DEFAULT_RULES: dict[str, Rule] = {tag: RULES[tag].as_default() for tag in IN_DEFAULTS}

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
    "sensor": frozenset(
        words(
            "touch accelerometer velocimeter gyro force torque magnetometer camprojection "
            "rangefinder jointpos jointvel tendonpos tendonvel actuatorpos actuatorvel actuatorfrc "
            "jointactuatorfrc tendonactuatorfrc ballquat ballangvel jointlimitpos jointlimitvel "
            "jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc framepos framequat "
            "framexaxis frameyaxis framezaxis framelinvel frameangvel "
            "framelinacc frameangacc subtreecom "
            "subtreelinvel subtreeangmom insidesite distance normal fromto contact e_potential "
            "e_kinetic clock tactile user plugin"
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
