"""Grammar of actuators: the general element and the shortcuts that stand for one."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    Rule,
    any_reals,
    boolean,
    integer,
    keyword,
    own_class,
    own_name,
    real,
    reals,
    reals_up_to,
    rule,
    text,
)
from cortenforge.grammar.tables.option import TRISTATE
from cortenforge.muscles import PRESETS

# the length of dynprm, gainprm and biasprm
PARAMETERS = 10
MOST_SAMPLES = 2**24
ONE_TARGET = "joint jointinparent tendon cranksite"
ONE_DAMPING = "kv dampratio"

DYNAMICS = "none integrator filter filterexact muscle dcmotor pid user"
GAINS = "fixed affine muscle dcmotor so3 pid user"
BIASES = "none affine muscle dcmotor so3 user"


def limits(name: str) -> Attribute:
    """A lower and an upper bound."""
    return reals(name, 2, (0, 0), unbounded=True)


def limited(name: str) -> Attribute:
    """Whether a range counts; by default, when there is one."""
    return keyword(name, TRISTATE, "auto")


def reference(name: str) -> Attribute:
    """A name of something else, which a default class cannot give."""
    return text(name, in_defaults=False)


def common() -> list[Attribute]:
    """What every actuator has."""
    return [
        own_name(),
        own_class(),
        integer("group", 0),
        integer("nsample", 0, maximum=MOST_SAMPLES),
        keyword("interp", "zoh linear cubic", "zoh"),
        real("delay", 0.0),
        limits("ctrlrange"),
        limited("forcelimited"),
        limits("forcerange"),
        any_reals("user", unbounded=True),
    ]


def mechanics() -> list[Attribute]:
    """How the force of most actuators reaches the mechanism."""
    return [
        reals("lengthrange", 2, (0, 0), in_defaults=False),
        reals_up_to("gear", (1, 0, 0, 0, 0, 0)),
        reals_up_to("damping", (0, 0, 0)),
        real("armature", 0.0),
        real("cranklength", 0.0),
    ]


def transmission() -> list[Attribute]:
    """What most actuators can act on."""
    return [
        *(reference(name) for name in ("joint", "jointinparent", "tendon")),
        *(reference(name) for name in ("slidersite", "cranksite", "site", "refsite")),
    ]


def servo() -> list[Attribute]:
    """Gains of a position servo; kv and dampratio are two ways to write its damping."""
    return [real("kp", 1.0), real("kv", 0.0, minimum=0.0), real("dampratio", minimum=0.0)]


def shortcut(
    tag: str, *attributes: Attribute | list[Attribute], exclusive: tuple[str, ...] = ()
) -> Rule:
    """An actuator on any target, with attributes of its own."""
    return rule(
        tag,
        common(),
        limited("ctrllimited"),
        mechanics(),
        transmission(),
        *attributes,
        exclusive=(f"{ONE_TARGET} site", *exclusive),
    )


GENERAL = rule(
    "general",
    common(),
    limited("ctrllimited"),
    limited("actlimited"),
    limits("actrange"),
    mechanics(),
    transmission(),
    reference("body"),
    integer("actdim", -1),
    text("input"),
    limits("velrange"),
    limits("ffrange"),
    real("inheritrange", 0.0),
    keyword("dyntype", DYNAMICS, "none"),
    keyword("gaintype", GAINS, "fixed"),
    keyword("biastype", BIASES, "none"),
    reals_up_to("dynprm", (1, *[0] * (PARAMETERS - 1))),
    reals_up_to("gainprm", (1, *[0] * (PARAMETERS - 1))),
    reals_up_to("biasprm", [0] * PARAMETERS),
    boolean("actearly"),
    exclusive=(f"{ONE_TARGET} site body",),
)

ORIENTATION = rule(
    "orientation",
    common(),
    *(reference(name) for name in ("joint", "site", "refsite")),
    servo(),
    text("input"),
    exclusive=("joint site", ONE_DAMPING),
)

DAMPER = rule(
    "damper",
    common(),
    mechanics(),
    transmission(),
    real("kv", 0.0, minimum=0.0),
    exclusive=(f"{ONE_TARGET} site",),
)

MUSCLE = rule(
    "muscle",
    common(),
    limited("ctrllimited"),
    mechanics(),
    *(reference(name) for name in ("joint", "jointinparent", "tendon", "slidersite", "cranksite")),
    reals("timeconst", 2, (0.01, 0.04)),
    real("tausmooth", 0.0, minimum=0.0, in_defaults=False),
    reals("range", 2, (0.75, 1.05)),
    real("force", -1.0),
    real("scale", 200.0),
    real("lmin", 0.5),
    real("lmax", 1.6),
    real("vmax", 1.5),
    real("fpmax", 1.3),
    real("fvmax", 1.2),
    exclusive=(ONE_TARGET,),
)

#: of our own: MuJoCo has no such element
HILLMUSCLE = rule(
    "hillmuscle",
    common(),
    limited("ctrllimited"),
    mechanics(),
    *(reference(name) for name in ("joint", "jointinparent", "tendon", "slidersite", "cranksite")),
    keyword("preset", " ".join(PRESETS)),
    real("fmax", positive=True),
    real("lopt", positive=True),
    real("slack", minimum=0.0),
    real("pennation", 0.0, minimum=0.0),
    real("vmax", 10.0, positive=True),
    real("lmin", 0.5, minimum=0.0),
    real("lmax", 1.6),
    real("fvmax", 1.4),
    real("fpstrain", 0.6, positive=True),
    real("strain", 0.0, minimum=0.0),
    real("fibredamping", 0.1, positive=True),
    real("offset", 0.0),
    reals("timeconst", 2, (0.015, 0.06), positive=True),
    real("minact", 0.01, minimum=0.0),
    exclusive=(ONE_TARGET,),
)

#: of our own: what the plugin mujoco.pid is read as
PIDPLUGIN = shortcut(
    "pidplugin",
    limited("actlimited"),
    limits("actrange"),
    integer("actdim", -1),
    keyword("dyntype", DYNAMICS, "none"),
    reals_up_to("dynprm", (1, *[0] * (PARAMETERS - 1))),
    boolean("actearly"),
    real("kp", 0.0),
    real("ki", 0.0),
    real("kd", 0.0),
    real("imax", minimum=0.0),
    real("slewmax", minimum=0.0),
)

ADHESION = rule(
    "adhesion",
    common(),
    reference("body"),
    real("gain", 1.0, minimum=0.0),
)

RULES: dict[str, Rule] = {
    "general": GENERAL,
    "motor": shortcut("motor"),
    "position": shortcut(
        "position",
        servo(),
        real("timeconst", minimum=0.0),
        real("inheritrange", 0.0),
        exclusive=(ONE_DAMPING,),
    ),
    "velocity": shortcut("velocity", real("kv", 1.0)),
    "intvelocity": shortcut(
        "intvelocity",
        limited("actlimited"),
        limits("actrange"),
        servo(),
        real("inheritrange", 0.0),
        exclusive=(ONE_DAMPING,),
    ),
    "orientation": ORIENTATION,
    "pid": shortcut(
        "pid",
        servo(),
        real("ki", 0.0),
        real("imax", 0.0),
        real("slewmax", 0.0, minimum=0.0),
        text("input"),
        limits("posrange"),
        limits("velrange"),
        limits("ffrange"),
        real("inheritrange", 0.0),
        exclusive=(ONE_DAMPING,),
    ),
    "damper": DAMPER,
    "cylinder": shortcut(
        "cylinder",
        real("timeconst", 1.0),
        real("area", 1.0),
        real("diameter"),
        reals("bias", 3, (0, 0, 0)),
    ),
    "muscle": MUSCLE,
    "hillmuscle": HILLMUSCLE,
    "pidplugin": PIDPLUGIN,
    "adhesion": ADHESION,
    "dcmotor": rule(
        "dcmotor",
        [one for one in common() if one.name not in ("forcelimited", "forcerange")],
        limited("ctrllimited"),
        mechanics(),
        transmission(),
        reals_up_to("motorconst", (0, 0)),
        real("resistance", 0.0),
        reals_up_to("nominal", (0, 0, 0)),
        reals_up_to("saturation", (0, 0, 0)),
        reals_up_to("inductance", (0, 0)),
        reals_up_to("cogging", (0, 0, 0)),
        reals_up_to("controller", (0, 0, 0, 0, 0, 0)),
        reals_up_to("thermal", (0, 0, 0, 0, 0, 0)),
        reals_up_to("lugre", (0, 0, 0, 0, 0)),
        text("input"),
        exclusive=(f"{ONE_TARGET} site",),
    ),
}
ACTUATORS = tuple(RULES)

SECTION = rule(
    "actuator", children=" ".join(f"{tag}*" for tag in ACTUATORS), later_children="plugin"
)
RULES["actuator"] = SECTION
