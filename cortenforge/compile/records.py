"""Records of bodies and their parts, filled in by the passes of the compiler.

Every record keeps its element (for errors) and the pose of the frames around it.  A value that is
not filled in is what the grammar says of one that nobody gives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortenforge.enums import GeomType, JointType
from cortenforge.spec import Element
from cortenforge.spec.attribute import grammar_default
from cortenforge.spec.rotation import (
    IDENTITY_POSE,
    UNIT_QUAT,
    ZERO_VECTOR,
    Pose,
    Quaternion,
    Vector,
)

if TYPE_CHECKING:
    from cortenforge.compile.assets.hfields import HField
    from cortenforge.compile.mesh.meshes import Mesh
    from cortenforge.compile.mesh.sdf_shapes import DistanceShape


@dataclass(eq=False)
class BodyPart:
    """A part of a body: its element, the frame around it, its pose in the body."""

    element: Element
    frame: Pose
    id: int = -1
    bodyid: int = -1
    pos: Vector = ZERO_VECTOR
    quat: Quaternion = UNIT_QUAT

    @property
    def name(self) -> str:
        return self.element.name


@dataclass(eq=False)
class Joint(BodyPart):
    """One joint."""

    type: JointType = JointType.HINGE
    group: int = grammar_default("joint", "group")
    axis: Vector = grammar_default("joint", "axis")
    range: tuple[float, ...] = grammar_default("joint", "range")
    limited: bool = False
    actfrcrange: tuple[float, ...] = grammar_default("joint", "actuatorfrcrange")
    actfrclimited: bool = False
    actgravcomp: bool = grammar_default("joint", "actuatorgravcomp")
    solref_limit: tuple[float, ...] = grammar_default("joint", "solreflimit")
    solimp_limit: tuple[float, ...] = grammar_default("joint", "solimplimit")
    solref_friction: tuple[float, ...] = grammar_default("joint", "solreffriction")
    solimp_friction: tuple[float, ...] = grammar_default("joint", "solimpfriction")
    stiffness: tuple[float, ...] = grammar_default("joint", "stiffness")
    damping: tuple[float, ...] = grammar_default("joint", "damping")
    springdamper: tuple[float, ...] = grammar_default("joint", "springdamper")
    margin: float = grammar_default("joint", "margin")
    ref: float = grammar_default("joint", "ref")
    springref: float = grammar_default("joint", "springref")
    springyield: float = grammar_default("joint", "springyield")
    armature: float = grammar_default("joint", "armature")
    frictionloss: float = grammar_default("joint", "frictionloss")
    align: str = grammar_default("freejoint", "align")
    qposadr: int = -1
    dofadr: int = -1

    @property
    def nq(self) -> int:
        return (7, 4, 1, 1)[self.type]

    @property
    def nv(self) -> int:
        return (6, 3, 1, 1)[self.type]


@dataclass(eq=False)
class Geom(BodyPart):
    """One geom; mass and inertia are zero unless the body takes its inertia from geoms."""

    type: GeomType = GeomType.SPHERE
    size: Vector = grammar_default("geom", "size")
    contype: int = grammar_default("geom", "contype")
    conaffinity: int = grammar_default("geom", "conaffinity")
    condim: int = grammar_default("geom", "condim")
    group: int = grammar_default("geom", "group")
    priority: int = grammar_default("geom", "priority")
    castshadow: bool = grammar_default("geom", "castshadow")
    solmix: float = grammar_default("geom", "solmix")
    solref: tuple[float, ...] = grammar_default("geom", "solref")
    solimp: tuple[float, ...] = grammar_default("geom", "solimp")
    friction: tuple[float, ...] = grammar_default("geom", "friction")
    margin: float = grammar_default("geom", "margin")
    gap: float = grammar_default("geom", "gap")
    surfacevel: tuple[float, ...] = grammar_default("geom", "surfacevel")
    adhesion: float = grammar_default("geom", "adhesion")
    fluid: tuple[float, ...] = (0.0,) * 12  # the first number is 1 for an ellipsoid in a fluid
    rgba: tuple[float, ...] = grammar_default("geom", "rgba")
    mass: float = 0.0
    inertia: Vector = ZERO_VECTOR
    matid: int = -1
    dataid: int = -1
    hfield: HField | None = None
    mesh: Mesh | None = None
    fitted: Mesh | None = None  # the mesh that gave a primitive its size
    distance: DistanceShape | None = None  # of a geom of type sdf
    centre: Pose = IDENTITY_POSE  # where its mass is, in its own frame

    @property
    def visual(self) -> bool:
        """True when it cannot collide."""
        return not self.contype and not self.conaffinity


@dataclass(eq=False)
class Site(BodyPart):
    """One site."""

    type: GeomType = GeomType.SPHERE
    size: Vector = grammar_default("site", "size")
    group: int = grammar_default("site", "group")
    rgba: tuple[float, ...] = grammar_default("site", "rgba")
    matid: int = -1
    mesh: Mesh | None = None


@dataclass(eq=False)
class Camera(BodyPart):
    """One camera."""

    mode: int = 0
    target: str = ""
    projection: int = 0
    fovy: float = grammar_default("camera", "fovy")
    ipd: float = grammar_default("camera", "ipd")
    resolution: tuple[int, int] = grammar_default("camera", "resolution")
    output: int = 1
    sensorsize: tuple[float, ...] = grammar_default("camera", "sensorsize")
    intrinsic: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class Light(BodyPart):
    """One light; `dir` takes the place of an orientation."""

    dir: Vector = grammar_default("light", "dir")
    mode: int = 0
    target: str = ""
    type: int = 0
    castshadow: bool = grammar_default("light", "castshadow")
    active: bool = grammar_default("light", "active")
    bulbradius: float = grammar_default("light", "bulbradius")
    intensity: float = grammar_default("light", "intensity")
    range: float = grammar_default("light", "range")
    attenuation: tuple[float, ...] = grammar_default("light", "attenuation")
    cutoff: float = grammar_default("light", "cutoff")
    softness: float = grammar_default("light", "softness")
    exponent: float = grammar_default("light", "exponent")
    ambient: tuple[float, ...] = grammar_default("light", "ambient")
    diffuse: tuple[float, ...] = grammar_default("light", "diffuse")
    specular: tuple[float, ...] = grammar_default("light", "specular")
    texid: int = -1


@dataclass(eq=False)
class Body:
    """One body with its children; the inertial pose is None until something defines it."""

    element: Element
    frame: Pose = IDENTITY_POSE
    parent: Body | None = None
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    inertial: BodyPart | None = None
    id: int = -1
    weldid: int = 0
    mocap: bool = False
    pose: Pose = IDENTITY_POSE
    ipose: Pose | None = None
    mass: float = 0.0
    inertia: Vector = ZERO_VECTOR
    inferred: bool = False  # inertia comes from geoms
    adjusted: bool = False  # the compiler's bounds or balancing changed it
    contype: int = 0
    conaffinity: int = 0
    margin: float = 0.0

    @property
    def name(self) -> str:
        return self.element.name if self.parent else "world"

    @property
    def shapes(self) -> list[Geom | Site]:
        """Geoms and sites."""
        return [*self.geoms, *self.sites]

    @property
    def holder(self) -> Body:
        """The body that this one hangs on; the world hangs on none."""
        assert self.parent is not None
        return self.parent

    @property
    def inertial_pose(self) -> Pose:
        """Where its inertia is, once that is known."""
        assert self.ipose is not None
        return self.ipose

    @property
    def dofnum(self) -> int:
        return sum(joint.nv for joint in self.joints)


def depth_first(world: Body) -> list[Body]:
    """All bodies, each before its children, in MuJoCo's order of ids."""
    order: list[Body] = []
    stack = [world]
    while stack:
        body = stack.pop()
        order.append(body)
        stack.extend(reversed(body.bodies))
    return order
