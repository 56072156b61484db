"""Grammar of the sections that describe no object: compiler, option, size, statistic, custom.

Defaults of contact and constraint parameters, used by all sections:

    solref = (timeconst, dampratio) = (0.02, 1)
    solimp = (dmin, dmax, width, midpoint, power) = (0.9, 0.95, 0.001, 0.5, 2)

See MuJoCo: Modeling, "Solver parameters".
"""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    any_reals,
    boolean,
    integer,
    integers,
    keyword,
    real,
    reals,
    reals_up_to,
    rule,
    split_words,
    text,
)

#: timeconst [s], dampratio
SOLREF = (0.02, 1)
#: dmin, dmax, width, midpoint, power
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2)
TRISTATE = "false true auto"

# counts above these would take memory out of proportion to any model; refused before allocation
MOST_KEYS = 100_000
MOST_USERDATA = 10_000_000
MOST_USER_PER_OBJECT = 10_000
MOST_NUMERIC = 1_000_000
MOST_SUBSTEPS = 10_000

COMPILER = rule(
    "compiler",
    boolean("autolimits", True),
    real("boundmass", 0.0),
    real("boundinertia", 0.0),
    real("settotalmass", -1.0),
    boolean("balanceinertia"),
    boolean("strippath"),
    keyword("coordinate", "local global", "local"),
    keyword("angle", "radian degree", "degree"),
    boolean("fitaabb"),
    text("eulerseq", "xyz"),
    text("meshdir"),
    text("texturedir"),
    boolean("discardvisual"),
    boolean("usethread", True),
    boolean("fusestatic"),
    keyword("inertiafromgeom", TRISTATE, "auto"),
    integers("inertiagrouprange", 2, (0, 5)),
    boolean("saveinertial"),
    boolean("savecompiled", True),
    boolean("savecanonical", True),
    text("assetdir"),
    boolean("alignfree"),
    keyword("conflict", "warning merge error", "warning"),
    keyword("passthrough", "none textures", "none"),
    children="lengthrange?",
)

LENGTHRANGE = rule(
    "lengthrange",
    keyword("mode", "none muscle muscleuser all", "muscle"),
    boolean("useexisting", True),
    boolean("uselimit"),
    real("accel", 20.0),
    real("maxforce", 0.0),
    real("timeconst", 1.0),
    real("timestep", 0.01),
    real("inttotal", 10.0),
    real("interval", 2.0),
    real("tolrange", 0.05),
)

# numbers that are the same for all constraints elsewhere, and belong to each of them in MJCF
STIFF = "solref says how stiff and how damped each equality is; set it in <default><equality/>"
SLOW = "solref's time constant says how fast each constraint is corrected; a larger one is slower"
NOT_OPTIONS = {
    "regularization": "solimp says how soft each constraint is; o_solimp, with the flag override, "
    "that of all contacts",
    "default_eq_stiffness": STIFF,
    "default_eq_damping": STIFF,
    "max_constraint_vel": SLOW,
    "max_constraint_angvel": SLOW,
    "friction_smoothing": "impratio says how soft friction is, compared with the normal direction",
}

OPTION = rule(
    "option",
    real("timestep", 0.002),
    real("impratio", 1.0),
    real("tolerance", 1e-8),
    real("ls_tolerance", 0.01),
    real("noslip_tolerance", 1e-6),
    real("ccd_tolerance", 1e-6),
    real("sleep_tolerance", 1e-3),
    reals("gravity", 3, (0, 0, -9.81)),
    reals("wind", 3, (0, 0, 0)),
    reals("magnetic", 3, (0, -0.5, 0)),
    real("density", 0.0),
    real("viscosity", 0.0),
    real("o_margin", 0.0),
    reals_up_to("o_solref", SOLREF),
    reals_up_to("o_solimp", SOLIMP),
    reals_up_to("o_friction", (1, 1, 0.005, 0.0001, 0.0001)),
    keyword(
        "integrator",
        "Euler RK4 implicit implicitfast discrete implicitspringdamper",
        "Euler",
    ),
    keyword("cone", "pyramidal elliptic", "pyramidal"),
    keyword("jacobian", "dense sparse auto", "auto"),
    keyword("solver", "PGS CG Newton", "Newton"),
    integer("iterations", 100),
    integer("ls_iterations", 50),
    integer("noslip_iterations", 0),
    integer("ccd_iterations", 35),
    integer("sdf_iterations", 10),
    integer("sdf_initpoints", 40),
    integers("actuatorgroupdisable", None, (), minimum=0, maximum=30),
    # of deformables, which MuJoCo does not have
    integer("softsubsteps", 0, minimum=0, maximum=MOST_SUBSTEPS),
    integer("softsubstepmax", 50, minimum=1, maximum=MOST_SUBSTEPS),
    integer("softpasses", 1, minimum=1, maximum=4),
    real("softsleep", 1e-4, minimum=0.0),
    children="flag?",
    instead=NOT_OPTIONS,
)

# parts of the physics that are on unless switched off, and parts that are off unless switched on
DISABLE_FLAGS = split_words(
    "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart "
    "filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd"
)
ENABLE_FLAGS = split_words("override energy fwdinv invdiscrete sleep diagexact ipc speculative")

FLAG = rule(
    "flag",
    [keyword(flag, "disable enable", "enable") for flag in DISABLE_FLAGS],
    [keyword(flag, "disable enable", "disable") for flag in ENABLE_FLAGS],
    # a solver that does not converge is an error, which MuJoCo does not have
    keyword("strict", "disable enable", "disable"),
)

SIZE = rule(
    "size",
    Attribute("memory", Kind.BYTES, default=-1),
    integer("njmax", -1, minimum=-1),
    integer("nconmax", -1, minimum=-1),
    integer("nstack", -1, minimum=-1),
    integer("nuserdata", 0, minimum=0, maximum=MOST_USERDATA),
    integer("nkey", 0, minimum=-1, maximum=MOST_KEYS),
    [
        integer(f"nuser_{kind}", -1, minimum=-1, maximum=MOST_USER_PER_OBJECT)
        for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
    ],
    exclusive=("memory nstack", "memory njmax"),
)

STATISTIC = rule(
    "statistic",
    real("meaninertia"),
    real("meanmass"),
    real("meansize"),
    real("extent", positive=True),
    reals("center", 3),
)

CUSTOM = rule("custom", children="numeric* text* tuple*")

NUMERIC = rule(
    "numeric",
    text("name", required=True),
    integer("size", minimum=1, maximum=MOST_NUMERIC),
    any_reals("data", default=None, unbounded=True),
)

TEXT = rule("text", text("name", required=True), text("data"))

TUPLE = rule("tuple", text("name", required=True), children="element*")

TUPLE_ELEMENT = rule(
    "element",
    keyword(
        "objtype",
        "body xbody joint geom site camera light mesh skin hfield texture material sensor "
        "numeric text tuple key pair exclude equality tendon actuator",
        later="dof flex plugin",
        required=True,
    ),
    text("objname", required=True),
    real("prm", 0.0, unbounded=True),
)

KEYFRAME = rule("keyframe", children="key*")

KEY = rule(
    "key",
    text("name"),
    real("time", 0.0),
    [any_reals(vector) for vector in ("qpos", "qvel", "act", "mpos", "mquat", "ctrl", "plastic")],
)

RULES = {
    "compiler": COMPILER,
    "lengthrange": LENGTHRANGE,
    "option": OPTION,
    "flag": FLAG,
    "size": SIZE,
    "statistic": STATISTIC,
    "custom": CUSTOM,
    "numeric": NUMERIC,
    "text": TEXT,
    "tuple": TUPLE,
    "element": TUPLE_ELEMENT,
    "keyframe": KEYFRAME,
    "key": KEY,
}
