"""URDF as tables: what is read of each element; anything else is reported as not used."""

from __future__ import annotations

from cortenforge.grammar.rule import Rule, real, reals, rule, singles, text

ROBOT = rule("robot", text("name"), children="link* joint* material* mujoco?")
MUJOCO = rule("mujoco", children="compiler? option? size?")
LINK = rule("link", text("name", required=True), children="inertial? visual* collision*")
INERTIAL = rule("inertial", children="origin? mass? inertia?")
MASS = rule("mass", real("value", required=True))
MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
INERTIA = rule("inertia", *(real(name, required=True) for name in MOMENTS))
ORIGIN = rule("origin", reals("xyz", 3, (0, 0, 0)), reals("rpy", 3, (0, 0, 0)))
VISUAL = rule("visual", text("name"), children="origin? geometry? material?")
COLLISION = rule("collision", text("name"), children="origin? geometry?")
MATERIAL = rule("material", text("name"), children="color?")
COLOR = rule("color", singles("rgba", 4, required=True))
JOINT = rule(
    "joint",
    text("name", required=True),
    text("type", required=True),
    children="origin? parent? child? axis? limit? dynamics? mimic?",
)
PARENT = rule("parent", text("link", required=True))
CHILD = rule("child", text("link", required=True))
AXIS = rule("axis", reals("xyz", 3, required=True))
LIMIT = rule("limit", real("lower"), real("upper"), real("effort"))
DYNAMICS = rule("dynamics", real("damping"), real("friction"))
MIMIC = rule("mimic", text("joint", required=True), real("multiplier", 1.0), real("offset", 0.0))

#: shapes in the order in which MuJoCo looks for them: of several, the first one counts
SHAPES = {
    "box": rule("box", reals("size", 3, required=True, positive=True)),
    "cylinder": rule(
        "cylinder",
        real("radius", required=True, positive=True),
        real("length", required=True, positive=True),
    ),
    "sphere": rule("sphere", real("radius", required=True, positive=True)),
    "capsule": rule(
        "capsule",
        real("radius", required=True, positive=True),
        real("length", required=True, positive=True),
    ),
    "mesh": rule("mesh", text("filename", required=True), reals("scale", 3, (1, 1, 1))),
}
GEOMETRY = rule("geometry", children=" ".join(f"{shape}?" for shape in SHAPES))

RULES: dict[str, Rule] = {
    one.tag: one
    for one in (
        ROBOT,
        MUJOCO,
        LINK,
        INERTIAL,
        MASS,
        INERTIA,
        ORIGIN,
        VISUAL,
        COLLISION,
        MATERIAL,
        COLOR,
        JOINT,
        PARENT,
        CHILD,
        AXIS,
        LIMIT,
        DYNAMICS,
        MIMIC,
        GEOMETRY,
        *SHAPES.values(),
    )
}
