"""Grammar of the visual section: how a model looks, without any effect on its physics."""

from __future__ import annotations

from cortenforge.grammar.rule import boolean, integer, keyword, rule, single, singles

VISUAL = rule("visual", children="global? quality? headlight? map? scale? rgba?")

GLOBAL = rule(
    "global",
    integer("cameraid", -1),
    boolean("orthographic"),
    single("fovy", 45.0),
    single("ipd", 0.068),
    single("azimuth", 90.0),
    single("elevation", -45.0),
    single("linewidth", 1.0),
    single("glow", 0.3),
    integer("offwidth", 640),
    integer("offheight", 480),
    single("realtime", 1.0, positive=True),
    boolean("ellipsoidinertia"),
    boolean("bvactive"),
)

QUALITY = rule(
    "quality",
    integer("shadowsize", 4096),
    integer("offsamples", 4),
    integer("numslices", 28),
    integer("numstacks", 16),
    integer("numquads", 4),
)

HEADLIGHT = rule(
    "headlight",
    singles("ambient", 3, (0.1, 0.1, 0.1)),
    singles("diffuse", 3, (0.4, 0.4, 0.4)),
    singles("specular", 3, (0.5, 0.5, 0.5)),
    # numbers are the older spelling of the same three words
    keyword("active", "false true auto 0 1 2", "auto"),
)

MAP = rule(
    "map",
    single("stiffness", 100.0),
    single("stiffnessrot", 500.0),
    single("force", 0.005),
    single("torque", 0.1),
    single("alpha", 0.3),
    single("fogstart", 3.0),
    single("fogend", 10.0),
    single("znear", 0.01, positive=True),
    single("zfar", 50.0),
    single("haze", 0.3),
    single("shadowclip", 1.0),
    single("shadowscale", 0.6),
    single("actuatortendon", 2.0),
)

SCALE = rule(
    "scale",
    single("forcewidth", 0.1),
    single("contactwidth", 0.3),
    single("contactheight", 0.1),
    single("connect", 0.2),
    single("com", 0.4),
    single("camera", 0.3),
    single("light", 0.3),
    single("selectpoint", 0.2),
    single("jointlength", 1.0),
    single("jointwidth", 0.1),
    single("actuatorlength", 0.7),
    single("actuatorwidth", 0.2),
    single("framelength", 1.0),
    single("framewidth", 0.1),
    single("constraint", 0.1),
    single("slidercrank", 0.2),
    single("frustum", 10.0),
)

RGBA = rule(
    "rgba",
    singles("fog", 4, (0, 0, 0, 1)),
    singles("haze", 4, (1, 1, 1, 1)),
    singles("force", 4, (1, 0.5, 0.5, 1)),
    singles("inertia", 4, (0.8, 0.2, 0.2, 0.6)),
    singles("joint", 4, (0.2, 0.6, 0.8, 1)),
    singles("actuator", 4, (0.2, 0.25, 0.2, 1)),
    singles("actuatornegative", 4, (0.2, 0.6, 0.9, 1)),
    singles("actuatorpositive", 4, (0.9, 0.4, 0.2, 1)),
    singles("com", 4, (0.9, 0.9, 0.9, 1)),
    singles("camera", 4, (0.6, 0.9, 0.6, 1)),
    singles("light", 4, (0.6, 0.6, 0.9, 1)),
    singles("selectpoint", 4, (0.9, 0.9, 0.1, 1)),
    singles("connect", 4, (0.2, 0.2, 0.8, 1)),
    singles("contactpoint", 4, (0.9, 0.6, 0.2, 1)),
    singles("contactforce", 4, (0.7, 0.9, 0.9, 1)),
    singles("contactfriction", 4, (0.9, 0.8, 0.4, 1)),
    singles("contacttorque", 4, (0.9, 0.7, 0.9, 1)),
    singles("contactgap", 4, (0.5, 0.8, 0.9, 1)),
    singles("rangefinder", 4, (1, 1, 0.1, 1)),
    singles("constraint", 4, (0.9, 0, 0, 1)),
    singles("slidercrank", 4, (0.5, 0.3, 0.8, 1)),
    singles("crankbroken", 4, (0.9, 0, 0, 1)),
    singles("frustum", 4, (1, 1, 0, 0.2)),
    singles("bv", 4, (0, 1, 0, 0.5)),
    singles("bvactive", 4, (1, 0, 0, 0.5)),
)

GROUPS = {
    "global": GLOBAL,
    "quality": QUALITY,
    "headlight": HEADLIGHT,
    "map": MAP,
    "scale": SCALE,
    "rgba": RGBA,
}

RULES = {"visual": VISUAL, **GROUPS}
