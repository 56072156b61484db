"""Grammar of the kinematic tree: bodies, frames, joints, geoms, sites, cameras, lights."""

from __future__ import annotations

from cortenforge.grammar.rule import (
    Attribute,
    Kind,
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
    single,
    singles,
    text,
)
from cortenforge.grammar.sdf_shapes import SDF_SHAPES
from cortenforge.grammar.tables.option import SOLIMP, SOLREF, TRISTATE

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
ONE_ORIENTATION = " ".join(ORIENTATIONS)
FOLLOW = "fixed track trackcom targetbody targetbodycom"

INSIDE_BODY = "body* frame* replicate* attach* geom* site* camera* light*"
JOINTED = "inertial? joint* freejoint*"
LATER_IN_BODY = "plugin flexcomp"
REMOVED_IN_BODY = "composite"


def pose() -> list[Attribute]:
    """Position and the five ways to write an orientation."""
    return [reals("pos", 3, (0, 0, 0)), *orientation()]


def orientation() -> list[Attribute]:
    """The five ways to write an orientation; at most one may be used."""
    return [
        reals("quat", 4, (1, 0, 0, 0)),
        reals("axisangle", 4),
        reals("xyaxes", 6),
        reals("zaxis", 3),
        reals("euler", 3),
    ]


# the world and replicate cannot have joints or inertia; the reader says so where it meets them
WORLDBODY = rule(
    "worldbody",
    children=f"{INSIDE_BODY} {JOINTED}",
    later_children=LATER_IN_BODY,
    removed_children=REMOVED_IN_BODY,
)

BODY = rule(
    "body",
    own_name(),
    text("childclass"),
    pose(),
    boolean("mocap"),
    real("gravcomp", 0.0),
    keyword("sleep", "auto never allowed init", "auto"),
    keyword("simple", "false auto", "auto"),
    keyword("fuse", "false auto", "auto"),
    any_reals("user", unbounded=True),
    children=f"{INSIDE_BODY} {JOINTED}",
    exclusive=(ONE_ORIENTATION,),
    later_children=LATER_IN_BODY,
    removed_children=REMOVED_IN_BODY,
)

FRAME = rule(
    "frame",
    own_name(),
    text("childclass"),
    pose(),
    any_reals("scale", positive=True),  # one number, or three
    keyword("scaling", "similar geometry", "similar"),
    real("massscale", 0.0, minimum=0.0),
    children=f"{INSIDE_BODY} {JOINTED}",
    exclusive=(ONE_ORIENTATION,),
    later_children=LATER_IN_BODY,
    removed_children=REMOVED_IN_BODY,
)

REPLICATE = rule(
    "replicate",
    integer("count", required=True, minimum=1),
    text("sep", ""),
    reals("offset", 3, (0, 0, 0)),
    reals("euler", 3, (0, 0, 0)),
    text("childclass"),
    text("prefix"),
    children=f"{INSIDE_BODY} {JOINTED}",
    later_children=LATER_IN_BODY,
    removed_children=REMOVED_IN_BODY,
)

ATTACH = rule(
    "attach",
    text("model"),
    text("body"),
    text("frame"),
    text("prefix", required=True),
    exclusive=("body frame",),
)

INERTIAL = rule(
    "inertial",
    reals("pos", 3, required=True),
    orientation(),
    real("mass", required=True),
    reals("diaginertia", 3),
    reals("fullinertia", 6),
    exclusive=(f"fullinertia {ONE_ORIENTATION}", "fullinertia diaginertia"),
)

JOINT = rule(
    "joint",
    own_name(),
    own_class(),
    keyword("type", "free ball slide hinge", "hinge"),
    integer("group", 0),
    reals("pos", 3, (0, 0, 0)),
    reals("axis", 3, (0, 0, 1)),
    reals("springdamper", 2, (0, 0)),
    keyword("limited", TRISTATE, "auto"),
    keyword("actuatorfrclimited", TRISTATE, "auto"),
    reals_up_to("solreflimit", SOLREF),
    reals_up_to("solimplimit", SOLIMP),
    reals_up_to("solreffriction", SOLREF),
    reals_up_to("solimpfriction", SOLIMP),
    reals_up_to("stiffness", (0, 0, 0)),
    reals("range", 2, (0, 0), unbounded=True),
    reals("actuatorfrcrange", 2, (0, 0), unbounded=True),
    boolean("actuatorgravcomp"),
    real("margin", 0.0),
    real("ref", 0.0),
    real("springref", 0.0),
    real("springyield", 0.0, minimum=0.0),
    real("armature", 0.0),
    reals_up_to("damping", (0, 0, 0)),
    real("frictionloss", 0.0),
    any_reals("user", unbounded=True),
)

FREEJOINT = rule(
    "freejoint",
    own_name(),
    integer("group", 0),
    keyword("align", TRISTATE, "auto"),
)

GEOM = rule(
    "geom",
    own_name(),
    own_class(),
    keyword("type", "plane hfield sphere capsule ellipsoid cylinder box mesh sdf", "sphere"),
    integer("contype", 1),
    integer("conaffinity", 1),
    integer("condim", 3),
    integer("group", 0),
    integer("priority", 0),
    reals_up_to("size", (0, 0, 0)),
    reals_up_to("friction", (1, 0.005, 0.0001)),
    real("mass"),
    real("density", 1000.0),
    boolean("shellinertia"),
    real("solmix", 1.0),
    reals_up_to("solref", SOLREF),
    reals_up_to("solimp", SOLIMP),
    real("margin", 0.0),
    real("gap", 0.0),
    reals_up_to("surfacevel", (0, 0, 0, 0, 0, 0)),
    real("adhesion", 0.0),
    reals("fromto", 6),
    pose(),
    text("mesh"),
    real("fitscale", 1.0),
    singles("rgba", 4, (0.5, 0.5, 0.5, 1)),
    boolean("castshadow", True),
    keyword("fluidshape", "none ellipsoid", "none"),
    reals_up_to("fluidcoef", (0.5, 0.25, 1.5, 1, 1)),
    any_reals("user", unbounded=True),
    text("material"),
    text("hfield"),
    keyword("sdf", " ".join((*SDF_SHAPES, "grid")), in_defaults=False),
    any_reals("sdfparams", in_defaults=False),
    integers("sdfsize", 3, in_defaults=False),
    real("sdfcell", in_defaults=False),
    reals("sdforigin", 3, (0, 0, 0), in_defaults=False),
    any_reals("sdfdata", in_defaults=False, unbounded=True),
    exclusive=(ONE_ORIENTATION,),
    later_children="plugin",
)

SITE = rule(
    "site",
    own_name(),
    own_class(),
    keyword("type", "sphere capsule ellipsoid cylinder box mesh", "sphere", later="sdf"),
    integer("group", 0),
    pose(),
    reals_up_to("size", (0.005, 0.005, 0.005)),
    reals("fromto", 6),
    text("mesh"),
    singles("rgba", 4, (0.5, 0.5, 0.5, 1)),
    any_reals("user", unbounded=True),
    text("material"),
    exclusive=(ONE_ORIENTATION,),
)

CAMERA = rule(
    "camera",
    own_name(),
    own_class(),
    keyword("projection", "perspective orthographic", "perspective"),
    real("fovy", 45.0),
    real("ipd", 0.068),
    integers("resolution", 2, (1, 1)),
    Attribute(
        "output",
        Kind.KEYWORDS,
        default="rgb",
        keywords=("rgb", "depth", "distance", "normal", "segmentation"),
    ),
    pose(),
    keyword("mode", FOLLOW, "fixed"),
    text("target", in_defaults=False),
    singles("focal", 2, (0, 0)),
    singles("focalpixel", 2, (0, 0)),
    singles("principal", 2, (0, 0)),
    singles("principalpixel", 2, (0, 0)),
    singles("sensorsize", 2, (0, 0)),
    any_reals("user", unbounded=True),
    exclusive=(ONE_ORIENTATION, "fovy sensorsize"),
)

LIGHT = rule(
    "light",
    own_name(),
    own_class(),
    boolean("directional"),
    keyword("type", "spot directional point image", "spot"),
    boolean("castshadow", True),
    boolean("active", True),
    reals("pos", 3, (0, 0, 0)),
    reals("dir", 3, (0, 0, -1)),
    single("bulbradius", 0.02),
    single("intensity", 0.0),
    single("range", 10.0),
    singles("attenuation", 3, (1, 0, 0)),
    single("cutoff", 45.0),
    single("softness", 0.2),
    single("exponent", 10.0),
    singles("ambient", 3, (0, 0, 0)),
    singles("diffuse", 3, (0.7, 0.7, 0.7)),
    singles("specular", 3, (0.3, 0.3, 0.3)),
    keyword("mode", FOLLOW, "fixed"),
    text("target", in_defaults=False),
    text("texture", in_defaults=False),
    exclusive=("directional type",),
)

RULES = {
    "worldbody": WORLDBODY,
    "body": BODY,
    "frame": FRAME,
    "replicate": REPLICATE,
    "attach": ATTACH,
    "inertial": INERTIAL,
    "joint": JOINT,
    "freejoint": FREEJOINT,
    "geom": GEOM,
    "site": SITE,
    "camera": CAMERA,
    "light": LIGHT,
}
