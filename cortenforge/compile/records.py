"""Bodies and what hangs on them, as the passes fill them in.

Every record keeps its element (for errors) and the pose of the frames around it.  A value that is
not filled in is what the grammar says of one that nobody gives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortenforge.enums import GeomType, JointType
from cortenforge.spec import Element
from cortenforge.spec.attribute import usual
from cortenforge.spec.rotation import IDENTITY, UNIT, ZERO, Pose, Quaternion, Vector

if TYPE_CHECKING:
    from cortenforge.compile.assets.hfields import HField
    from cortenforge.compile.mesh.distance_shape import DistanceShape
    from cortenforge.compile.mesh.meshes import Mesh


@dataclass(eq=False)
class Placed:
    """Something that hangs on a body: its element, its frames, its pose in the body."""

    element: Element
    frame: Pose
    id: int = -1
    bodyid: int = -1
    pos: Vector = ZERO
    quat: Quaternion = UNIT

    @property
    def name(self) -> str:
        return self.element.name


@dataclass(eq=False)
class Joint(Placed):
    """One joint."""

    type: JointType = JointType.HINGE
    group: int = usual("joint", "group")
    axis: Vector = usual("joint", "axis")
    range: tuple[float, ...] = usual("joint", "range")
    limited: bool = False
    actfrcrange: tuple[float, ...] = usual("joint", "actuatorfrcrange")
    actfrclimited: bool = False
    actgravcomp: bool = usual("joint", "actuatorgravcomp")
    solref_limit: tuple[float, ...] = usual("joint", "solreflimit")
    solimp_limit: tuple[float, ...] = usual("joint", "solimplimit")
    solref_friction: tuple[float, ...] = usual("joint", "solreffriction")
    solimp_friction: tuple[float, ...] = usual("joint", "solimpfriction")
    stiffness: tuple[float, ...] = usual("joint", "stiffness")
    damping: tuple[float, ...] = usual("joint", "damping")
    springdamper: tuple[float, ...] = usual("joint", "springdamper")
    margin: float = usual("joint", "margin")
    ref: float = usual("joint", "ref")
    springref: float = usual("joint", "springref")
    springyield: float = usual("joint", "springyield")
    armature: float = usual("joint", "armature")
    frictionloss: float = usual("joint", "frictionloss")
    align: str = usual("freejoint", "align")
    qposadr: int = -1
    dofadr: int = -1

    @property
    def nq(self) -> int:
        return (7, 4, 1, 1)[self.type]

    @property
    def nv(self) -> int:
        return (6, 3, 1, 1)[self.type]


@dataclass(eq=False)
class Geom(Placed):
    """One geom; mass and inertia are zero unless the body takes its inertia from geoms."""

    type: GeomType = GeomType.SPHERE
    size: Vector = usual("geom", "size")
    contype: int = usual("geom", "contype")
    conaffinity: int = usual("geom", "conaffinity")
    condim: int = usual("geom", "condim")
    group: int = usual("geom", "group")
    priority: int = usual("geom", "priority")
    castshadow: bool = usual("geom", "castshadow")
    solmix: float = usual("geom", "solmix")
    solref: tuple[float, ...] = usual("geom", "solref")
    solimp: tuple[float, ...] = usual("geom", "solimp")
    friction: tuple[float, ...] = usual("geom", "friction")
    margin: float = usual("geom", "margin")
    gap: float = usual("geom", "gap")
    surfacevel: tuple[float, ...] = usual("geom", "surfacevel")
    adhesion: float = usual("geom", "adhesion")
    fluid: tuple[float, ...] = (0.0,) * 12  # the first number is 1 for an ellipsoid in a fluid
    rgba: tuple[float, ...] = usual("geom", "rgba")
    mass: float = 0.0
    inertia: Vector = ZERO
    matid: int = -1
    dataid: int = -1
    hfield: HField | None = None
    mesh: Mesh | None = None
    fitted: Mesh | None = None  # the mesh that gave a primitive its size
    distance: DistanceShape | None = None  # of a geom of type sdf
    centre: Pose = IDENTITY  # where its mass is, in its own frame

    @property
    def visual(self) -> bool:
        """True when it cannot collide."""
        return not self.contype and not self.conaffinity


@dataclass(eq=False)
class Site(Placed):
    """One site."""

    type: GeomType = GeomType.SPHERE
    size: Vector = usual("site", "size")
    group: int = usual("site", "group")
    rgba: tuple[float, ...] = usual("site", "rgba")
    matid: int = -1
    mesh: Mesh | None = None


@dataclass(eq=False)
class Camera(Placed):
    """One camera."""

    mode: int = 0
    target: str = ""
    projection: int = 0
    fovy: float = usual("camera", "fovy")
    ipd: float = usual("camera", "ipd")
    resolution: tuple[int, int] = usual("camera", "resolution")
    output: int = 1
    sensorsize: tuple[float, ...] = usual("camera", "sensorsize")
    intrinsic: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class Light(Placed):
    """One light; `dir` takes the place of an orientation."""

    dir: Vector = usual("light", "dir")
    mode: int = 0
    target: str = ""
    type: int = 0
    castshadow: bool = usual("light", "castshadow")
    active: bool = usual("light", "active")
    bulbradius: float = usual("light", "bulbradius")
    intensity: float = usual("light", "intensity")
    range: float = usual("light", "range")
    attenuation: tuple[float, ...] = usual("light", "attenuation")
    cutoff: float = usual("light", "cutoff")
    softness: float = usual("light", "softness")
    exponent: float = usual("light", "exponent")
    ambient: tuple[float, ...] = usual("light", "ambient")
    diffuse: tuple[float, ...] = usual("light", "diffuse")
    specular: tuple[float, ...] = usual("light", "specular")
    texid: int = -1


@dataclass(eq=False)
class Body:
    """One body with its children; the inertial pose is None until something defines it."""

    element: Element
    frame: Pose = IDENTITY
    parent: Body | None = None
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    cameras: list[Camera] = field(default_factory=list)
    lights: list[Light] = field(default_factory=list)
    inertial: Placed | None = None
    id: int = -1
    weldid: int = 0
    mocap: bool = False
    pose: Pose = IDENTITY
    ipose: Pose | None = None
    mass: float = 0.0
    inertia: Vector = ZERO
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
