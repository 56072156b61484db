"""Bodies and what hangs on them, as the passes fill them in.

Every record keeps its element (for errors) and the pose of the frames around it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cortenforge.enums import GeomType, JointType
from cortenforge.spec import Element
from cortenforge.spec.rotation import IDENTITY, UNIT, ZERO, Pose, Quaternion, Vector

if TYPE_CHECKING:
    from cortenforge.compile.assets.hfields import HField
    from cortenforge.compile.mesh.meshes import Mesh

SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)


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
    group: int = 0
    axis: Vector = (0.0, 0.0, 1.0)
    range: tuple[float, ...] = (0.0, 0.0)
    limited: bool = False
    actfrcrange: tuple[float, ...] = (0.0, 0.0)
    actfrclimited: bool = False
    actgravcomp: bool = False
    solref_limit: tuple[float, ...] = SOLREF
    solimp_limit: tuple[float, ...] = SOLIMP
    solref_friction: tuple[float, ...] = SOLREF
    solimp_friction: tuple[float, ...] = SOLIMP
    stiffness: tuple[float, ...] = (0.0, 0.0, 0.0)
    damping: tuple[float, ...] = (0.0, 0.0, 0.0)
    springdamper: tuple[float, ...] = (0.0, 0.0)
    margin: float = 0.0
    ref: float = 0.0
    springref: float = 0.0
    springyield: float = 0.0
    armature: float = 0.0
    frictionloss: float = 0.0
    align: str = "auto"
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
    size: Vector = ZERO
    contype: int = 1
    conaffinity: int = 1
    condim: int = 3
    group: int = 0
    priority: int = 0
    castshadow: bool = True
    solmix: float = 1.0
    solref: tuple[float, ...] = SOLREF
    solimp: tuple[float, ...] = SOLIMP
    friction: tuple[float, ...] = (1.0, 0.005, 0.0001)
    margin: float = 0.0
    gap: float = 0.0
    surfacevel: tuple[float, ...] = (0.0,) * 6
    adhesion: float = 0.0
    fluid: tuple[float, ...] = (0.0,) * 12  # the first number is 1 for an ellipsoid in a fluid
    rgba: tuple[float, ...] = (0.5, 0.5, 0.5, 1.0)
    mass: float = 0.0
    inertia: Vector = ZERO
    matid: int = -1
    dataid: int = -1
    hfield: HField | None = None
    mesh: Mesh | None = None
    fitted: Mesh | None = None  # the mesh that gave a primitive its size

    @property
    def visual(self) -> bool:
        """True when it cannot collide."""
        return not self.contype and not self.conaffinity


@dataclass(eq=False)
class Site(Placed):
    """One site."""

    type: GeomType = GeomType.SPHERE
    size: Vector = (0.005, 0.005, 0.005)
    group: int = 0
    rgba: tuple[float, ...] = (0.5, 0.5, 0.5, 1.0)
    matid: int = -1
    mesh: Mesh | None = None


@dataclass(eq=False)
class Camera(Placed):
    """One camera."""

    mode: int = 0
    target: str = ""
    projection: int = 0
    fovy: float = 45.0
    ipd: float = 0.068
    resolution: tuple[int, int] = (1, 1)
    output: int = 1
    sensorsize: tuple[float, ...] = (0.0, 0.0)
    intrinsic: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


@dataclass(eq=False)
class Light(Placed):
    """One light; `dir` takes the place of an orientation."""

    dir: Vector = (0.0, 0.0, -1.0)
    mode: int = 0
    target: str = ""
    type: int = 0
    castshadow: bool = True
    active: bool = True
    bulbradius: float = 0.02
    intensity: float = 0.0
    range: float = 10.0
    attenuation: tuple[float, ...] = (1.0, 0.0, 0.0)
    cutoff: float = 45.0
    softness: float = 0.2
    exponent: float = 10.0
    ambient: tuple[float, ...] = (0.0, 0.0, 0.0)
    diffuse: tuple[float, ...] = (0.7, 0.7, 0.7)
    specular: tuple[float, ...] = (0.3, 0.3, 0.3)
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
