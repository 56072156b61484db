"""Grammar of actuators: the general element and its shortcuts, from the table of actuators."""

from __future__ import annotations

from collections.abc import Iterator

from cortenforge.actuators import (
    ACTUATOR_ELEMENTS,
    ActuatorElement,
    Bias,
    Dynamics,
    Gain,
    mjcf_words,
)
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
ONE_DAMPING = ("kv", "dampratio")


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
    """What most actuators have."""
    return [
        own_name(),
        own_class(),
        integer("group", 0),
        integer("nsample", 0, maximum=MOST_SAMPLES),
        keyword("interp", "zoh linear cubic", "zoh"),
        real("delay", 0.0),
        limited("ctrllimited"),
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


def servo() -> list[Attribute]:
    """Gains of a position servo; kv and dampratio are two ways to write its damping."""
    return [real("kp", 1.0), real("kv", 0.0, minimum=0.0), real("dampratio", minimum=0.0)]


def dynamics() -> list[Attribute]:
    """Activation of actuators that choose it themselves."""
    return [
        limited("actlimited"),
        limits("actrange"),
        integer("actdim", -1),
        keyword("dyntype", mjcf_words(Dynamics), "none"),
        reals_up_to("dynprm", (1, *[0] * (PARAMETERS - 1))),
        boolean("actearly"),
    ]


MECHANICS = tuple(attribute.name for attribute in mechanics())
#: what some actuators do not have of common() and mechanics()
WITHOUT: dict[str, tuple[str, ...]] = {
    "orientation": ("ctrllimited", *MECHANICS),
    "damper": ("ctrllimited",),
    "adhesion": ("ctrllimited", *MECHANICS),
    "dcmotor": ("forcelimited", "forcerange"),
}
#: settings of each actuator, beside what it acts on
SETTINGS: dict[str, list[Attribute]] = {
    "general": [
        *dynamics(),
        text("input"),
        limits("velrange"),
        limits("ffrange"),
        real("inheritrange", 0.0),
        keyword("gaintype", mjcf_words(Gain), "fixed"),
        keyword("biastype", mjcf_words(Bias), "none"),
        reals_up_to("gainprm", (1, *[0] * (PARAMETERS - 1))),
        reals_up_to("biasprm", [0] * PARAMETERS),
    ],
    "position": [*servo(), real("timeconst", minimum=0.0), real("inheritrange", 0.0)],
    "velocity": [real("kv", 1.0)],
    "intvelocity": [
        limited("actlimited"),
        limits("actrange"),
        *servo(),
        real("inheritrange", 0.0),
    ],
    "orientation": [*servo(), text("input")],
    "pid": [
        *servo(),
        real("ki", 0.0),
        real("imax", 0.0),
        real("slewmax", 0.0, minimum=0.0),
        text("input"),
        limits("posrange"),
        limits("velrange"),
        limits("ffrange"),
        real("inheritrange", 0.0),
    ],
    "damper": [real("kv", 0.0, minimum=0.0)],
    "cylinder": [
        real("timeconst", 1.0),
        real("area", 1.0),
        real("diameter"),
        reals("bias", 3, (0, 0, 0)),
    ],
    "muscle": [
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
    ],
    # of our own: MuJoCo has no such element
    "hillmuscle": [
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
    ],
    # of our own: what the plugin mujoco.pid is read as
    "pidplugin": [
        *dynamics(),
        real("kp", 0.0),
        real("ki", 0.0),
        real("kd", 0.0),
        real("imax", minimum=0.0),
        real("slewmax", minimum=0.0),
    ],
    "adhesion": [real("gain", 1.0, minimum=0.0)],
    "dcmotor": [
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
    ],
}


def targets(element: ActuatorElement) -> Iterator[Attribute]:
    """What it can act on."""
    for kind in element.targets:
        yield from (reference(name) for name in (kind.attribute, kind.second) if name)


def actuator(element: ActuatorElement) -> Rule:
    """The rule of an actuator: what most have, what it acts on, its own settings."""
    settings, without = SETTINGS.get(element.tag, []), WITHOUT.get(element.tag, ())
    groups = [tuple(kind.attribute for kind in element.targets)]
    groups += [ONE_DAMPING] if {one.name for one in settings} >= set(ONE_DAMPING) else []
    return rule(
        element.tag,
        (one for one in (*common(), *mechanics()) if one.name not in without),
        targets(element),
        settings,
        exclusive=(" ".join(group) for group in groups if len(group) > 1),
    )


RULES: dict[str, Rule] = {tag: actuator(element) for tag, element in ACTUATOR_ELEMENTS.items()}
ACTUATORS = tuple(RULES)

SECTION = rule(
    "actuator", children=" ".join(f"{tag}*" for tag in ACTUATORS), later_children="plugin"
)
RULES["actuator"] = SECTION
