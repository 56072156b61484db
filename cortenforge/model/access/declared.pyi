"""Made from the field tables by `python -m cortenforge.model.stubs`; do not edit."""

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cortenforge.model.access.views import ObjectView
from cortenforge.model.access.visual import Visual

T = TypeVar("T", bound=np.generic)

class Array(Generic[T]):
    """A field that is read as an array; what is assigned is copied into it."""

    def __get__(self, owner: object, kind: type | None = None) -> NDArray[T]: ...
    def __set__(self, owner: object, value: ArrayLike) -> None: ...

class Choice:
    """An option that is one of several, given by its number or its name."""

    def __get__(self, owner: object, kind: type | None = None) -> int: ...
    def __set__(self, owner: object, value: int | str) -> None: ...

class OptionFields:
    """Fields of model.opt."""

    timestep: float
    """Length of a step. [s]"""
    impratio: float
    """Ratio of frictional to normal contact impedance."""
    tolerance: float
    """Where the main solver stops."""
    ls_tolerance: float
    """Where the line search stops."""
    noslip_tolerance: float
    """Where the noslip solver stops."""
    ccd_tolerance: float
    """Where convex collision stops."""
    sleep_tolerance: float
    """Velocity below which a tree may sleep."""
    gravity: Array[np.float64]
    """Gravitational acceleration. (3) [m/s^2]"""
    wind: Array[np.float64]
    """Velocity of the medium. (3) [m/s]"""
    magnetic: Array[np.float64]
    """Global magnetic flux. (3)"""
    density: float
    """Density of the medium. [kg/m^3]"""
    viscosity: float
    """Viscosity of the medium. [Pa s]"""
    o_margin: float
    """Contact margin when overriding. [m]"""
    o_solref: Array[np.float64]
    """Contact solref when overriding. (2)"""
    o_solimp: Array[np.float64]
    """Contact solimp when overriding. (5)"""
    o_friction: Array[np.float64]
    """Contact friction when overriding. (5)"""
    integrator: Choice
    """Integrator (enums.Integrator)."""
    cone: Choice
    """Friction cone: 0 pyramidal, 1 elliptic."""
    jacobian: Choice
    """Constraint Jacobian: 0 dense, 1 sparse, 2 automatic."""
    solver: Choice
    """Constraint solver: 0 PGS, 1 CG, 2 Newton."""
    iterations: int
    """Most iterations of the main solver."""
    ls_iterations: int
    """Most iterations of the line search."""
    noslip_iterations: int
    """Most iterations of the noslip solver."""
    ccd_iterations: int
    """Most iterations of convex collision."""
    disableflags: int
    """Parts that are switched off (enums.Disable)."""
    enableflags: int
    """Parts that are switched on (enums.Enable)."""
    disableactuator: int
    """Actuator groups that are switched off, as bits."""
    sdf_initpoints: int
    """Starting points of signed-distance collision."""
    sdf_iterations: int
    """Most iterations of signed-distance collision."""
    softsubsteps: int
    """Substeps of deformables in a step; 0 for as many as their materials need, up to softsubstepmax."""
    softsubstepmax: int
    """The most substeps that are chosen so."""
    softpasses: int
    """How often deformables and rigid constraints are solved by turns in a step, 1 to 4."""
    softsleep: float
    """Deformables all of whose vertices are slower fall asleep; 0 for never. [m/s]"""
    strict: int
    """1 if a solver that does not converge is an error (SolverFailed)."""

class StatisticFields:
    """Fields of model.stat."""

    meaninertia: float
    """Mean diagonal of M at qpos0."""
    meanmass: float
    """Mean body mass. [kg]"""
    meansize: float
    """Mean body size. [m]"""
    extent: float
    """Spatial extent. [m]"""
    center: Array[np.float64]
    """Centre of the model. (3) [m]"""

class ModelBody(ObjectView):
    """Fields of model.body(...)."""

    parentid: Array[np.int32]
    """Parent body. (nbody)"""
    rootid: Array[np.int32]
    """Topmost body of the tree, below the world. (nbody)"""
    weldid: Array[np.int32]
    """Body to which this one is rigidly attached. (nbody)"""
    mocapid: Array[np.int32]
    """Which mocap body, or -1. (nbody)"""
    jntnum: Array[np.int32]
    """How many joints. (nbody)"""
    jntadr: Array[np.int32]
    """First joint, or -1. (nbody)"""
    dofnum: Array[np.int32]
    """How many degrees of freedom. (nbody)"""
    dofadr: Array[np.int32]
    """First degree of freedom, or -1. (nbody)"""
    treeid: Array[np.int32]
    """Kinematic tree, or -1. (nbody)"""
    geomnum: Array[np.int32]
    """How many geoms. (nbody)"""
    geomadr: Array[np.int32]
    """First geom, or -1. (nbody)"""
    simple: Array[np.uint8]
    """1: diagonal M; 2: also no rotation; 0: neither. (nbody)"""
    sameframe: Array[np.uint8]
    """Inertial frame against body frame (SameFrame). (nbody)"""
    pos: Array[np.float64]
    """Position in the parent. (nbody, 3) [m]"""
    quat: Array[np.float64]
    """Orientation in the parent. (nbody, 4)"""
    ipos: Array[np.float64]
    """Centre of mass in the body. (nbody, 3) [m]"""
    iquat: Array[np.float64]
    """Principal axes of inertia in the body. (nbody, 4)"""
    mass: Array[np.float64]
    """Mass. (nbody) [kg]"""
    subtreemass: Array[np.float64]
    """Mass with all descendants. (nbody) [kg]"""
    inertia: Array[np.float64]
    """Principal moments of inertia. (nbody, 3) [kg m^2]"""
    invweight0: Array[np.float64]
    """Mean inverse inertia at qpos0: move, turn. (nbody, 2)"""
    gravcomp: Array[np.float64]
    """Fraction of gravity that is compensated. (nbody)"""
    margin: Array[np.float64]
    """Largest contact margin of the geoms. (nbody) [m]"""
    user: Array[np.float64]
    """User numbers. (nbody, nuser_body)"""
    plugin: Array[np.int32]
    """Plugin, or -1; there are none yet. (nbody)"""
    contype: Array[np.int32]
    """Contact types of all geoms, or-ed. (nbody)"""
    conaffinity: Array[np.int32]
    """Contact affinities of all geoms, or-ed. (nbody)"""
    bvhadr: Array[np.int32]
    """Root of the tree of boxes, or -1. (nbody)"""
    bvhnum: Array[np.int32]
    """How many boxes. (nbody)"""

class ModelJoint(ObjectView):
    """Fields of model.joint(...)."""

    qpos0: Array[np.float64]
    """Position in which the model was drawn. (nq) [m or rad]"""
    qpos_spring: Array[np.float64]
    """Position at which springs are at rest. (nq) [m or rad]"""
    type: Array[np.int32]
    """Type (enums.JointType). (njnt)"""
    qposadr: Array[np.int32]
    """First number in qpos. (njnt)"""
    dofadr: Array[np.int32]
    """First degree of freedom. (njnt)"""
    bodyid: Array[np.int32]
    """Body that it moves. (nv)"""
    actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (njnt)"""
    group: Array[np.int32]
    """Group for visibility. (njnt)"""
    plasticadr: Array[np.int32]
    """Place in the plastic state, or -1. (njnt)"""
    limited: Array[np.uint8]
    """Whether the range is enforced. (njnt)"""
    actfrclimited: Array[np.uint8]
    """Whether actuator force is limited. (njnt)"""
    actgravcomp: Array[np.uint8]
    """Whether gravity compensation counts as actuation. (njnt)"""
    solref: Array[np.float64]
    """Reference of the limit constraint. (njnt, 2)"""
    solimp: Array[np.float64]
    """Impedance of the limit constraint. (njnt, 5)"""
    pos: Array[np.float64]
    """Anchor in the body. (njnt, 3) [m]"""
    axis: Array[np.float64]
    """Axis in the body. (njnt, 3)"""
    stiffness: Array[np.float64]
    """Linear spring coefficient. (njnt) [N/m or N m/rad]"""
    stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (njnt, 2)"""
    springyield: Array[np.float64]
    """Where the spring yields; 0: never. (njnt)"""
    range: Array[np.float64]
    """Lower and upper limit. (njnt, 2) [m or rad]"""
    actfrcrange: Array[np.float64]
    """Lower and upper actuator force. (njnt, 2)"""
    margin: Array[np.float64]
    """Distance at which the limit is felt. (njnt) [m or rad]"""
    user: Array[np.float64]
    """User numbers. (njnt, nuser_jnt)"""
    jntid: Array[np.int32]
    """Joint that it belongs to. (nv)"""
    parentid: Array[np.int32]
    """Next one towards the root, or -1. (nv)"""
    treeid: Array[np.int32]
    """Kinematic tree. (nv)"""
    Madr: Array[np.int32]
    """Diagonal entry in MuJoCo's old format of M. (nv)"""
    simplenum: Array[np.int32]
    """How many consecutive simple ones start here. (nv)"""
    dof_solref: Array[np.float64]
    """Reference of the friction constraint. (nv, 2)"""
    dof_solimp: Array[np.float64]
    """Impedance of the friction constraint. (nv, 5)"""
    frictionloss: Array[np.float64]
    """Dry friction. (nv) [N or N m]"""
    armature: Array[np.float64]
    """Inertia added to the diagonal of M. (nv) [kg or kg m^2]"""
    damping: Array[np.float64]
    """Linear damping coefficient. (nv) [N s/m or N m s/rad]"""
    dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients. (nv, 2)"""
    invweight0: Array[np.float64]
    """Diagonal inverse inertia at qpos0. (nv)"""
    M0: Array[np.float64]
    """Diagonal of M at qpos0. (nv) [kg or kg m^2]"""
    length: Array[np.float64]
    """How far the tree moves a unit: 1, or a length. (nv)"""
    M_rownnz: Array[np.int32]
    """Entries in each row of M, diagonal last. (nv)"""
    M_rowadr: Array[np.int32]
    """Where each row of M starts. (nv)"""
    D_rownnz: Array[np.int32]
    """Entries in each row of the symmetric pattern. (nv)"""
    D_rowadr: Array[np.int32]
    """Where each row of the symmetric pattern starts. (nv)"""
    D_diag: Array[np.int32]
    """Where the diagonal is in each row. (nv)"""
    runlength: Array[np.int32]
    """How many dofs the factor of M handles at once with this one. (nv)"""

class ModelGeom(ObjectView):
    """Fields of model.geom(...)."""

    type: Array[np.int32]
    """Type (enums.GeomType). (ngeom)"""
    contype: Array[np.int32]
    """Contact type, as bits. (ngeom)"""
    conaffinity: Array[np.int32]
    """Contact affinity, as bits. (ngeom)"""
    condim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (ngeom)"""
    bodyid: Array[np.int32]
    """Body that it hangs on. (ngeom)"""
    dataid: Array[np.int32]
    """Mesh or height field, or -1. (ngeom)"""
    matid: Array[np.int32]
    """Material, or -1. (ngeom)"""
    group: Array[np.int32]
    """Group for visibility. (ngeom)"""
    priority: Array[np.int32]
    """Whose contact parameters win. (ngeom)"""
    plugin: Array[np.int32]
    """Plugin, or -1; none yet. (ngeom)"""
    sameframe: Array[np.uint8]
    """Geom frame against body frames (SameFrame). (ngeom)"""
    castshadow: Array[np.uint8]
    """Whether it casts a shadow. (ngeom)"""
    solmix: Array[np.float64]
    """Weight when contact parameters are mixed. (ngeom)"""
    solref: Array[np.float64]
    """Reference of its contacts. (ngeom, 2)"""
    solimp: Array[np.float64]
    """Impedance of its contacts. (ngeom, 5)"""
    size: Array[np.float64]
    """Sizes, by type. (ngeom, 3) [m]"""
    aabb: Array[np.float64]
    """Bounding box: centre, half sizes. (ngeom, 6) [m]"""
    rbound: Array[np.float64]
    """Radius of the bounding sphere; 0 if infinite. (ngeom) [m]"""
    pos: Array[np.float64]
    """Position in the body. (ngeom, 3) [m]"""
    quat: Array[np.float64]
    """Orientation in the body. (ngeom, 4)"""
    friction: Array[np.float64]
    """Friction: slide, spin, roll. (ngeom, 3)"""
    margin: Array[np.float64]
    """Distance at which contacts push. (ngeom) [m]"""
    gap: Array[np.float64]
    """Distance added to find contacts. (ngeom) [m]"""
    surfacevel: Array[np.float64]
    """Velocity of the surface. (ngeom, 6)"""
    adhesion: Array[np.float64]
    """Largest pulling force of a contact. (ngeom) [N]"""
    fluid: Array[np.float64]
    """Coefficients of the ellipsoid fluid model. (ngeom, 12)"""
    user: Array[np.float64]
    """User numbers. (ngeom, nuser_geom)"""
    rgba: Array[np.float32]
    """Colour. (ngeom, 4)"""
    sdf: Array[np.int32]
    """Distance function of a geom of type sdf (enums.SdfShape); 0 for others. (ngeom)"""
    sdfprm: Array[np.float64]
    """Its parameters. (ngeom, 5)"""
    gridsize: Array[np.int32]
    """Values of its grid along x, y and z. (ngeom, 3)"""
    gridadr: Array[np.int32]
    """First value of its grid, among those of all grids. (ngeom)"""
    gridcell: Array[np.float64]
    """Distance between values of its grid. (ngeom) [m]"""
    gridorigin: Array[np.float64]
    """Where the first value is, in the geom's frame. (ngeom, 3) [m]"""

class ModelSite(ObjectView):
    """Fields of model.site(...)."""

    type: Array[np.int32]
    """Type (enums.GeomType). (nsite)"""
    bodyid: Array[np.int32]
    """Body that it hangs on. (nsite)"""
    dataid: Array[np.int32]
    """Mesh, or -1. (nsite)"""
    matid: Array[np.int32]
    """Material, or -1. (nsite)"""
    group: Array[np.int32]
    """Group for visibility. (nsite)"""
    sameframe: Array[np.uint8]
    """Site frame against body frames (SameFrame). (nsite)"""
    size: Array[np.float64]
    """Sizes, by type. (nsite, 3) [m]"""
    pos: Array[np.float64]
    """Position in the body. (nsite, 3) [m]"""
    quat: Array[np.float64]
    """Orientation in the body. (nsite, 4)"""
    user: Array[np.float64]
    """User numbers. (nsite, nuser_site)"""
    rgba: Array[np.float32]
    """Colour. (nsite, 4)"""

class ModelCamera(ObjectView):
    """Fields of model.camera(...)."""

    mode: Array[np.int32]
    """How it follows (enums.CamLight). (ncam)"""
    bodyid: Array[np.int32]
    """Body that it hangs on. (ncam)"""
    targetbodyid: Array[np.int32]
    """Body that it looks at, or -1. (ncam)"""
    pos: Array[np.float64]
    """Position in the body. (ncam, 3) [m]"""
    quat: Array[np.float64]
    """Orientation in the body. (ncam, 4)"""
    poscom0: Array[np.float64]
    """Offset from the subtree's centre at qpos0. (ncam, 3) [m]"""
    pos0: Array[np.float64]
    """Offset from the body at qpos0, world axes. (ncam, 3) [m]"""
    mat0: Array[np.float64]
    """Orientation at qpos0. (ncam, 9)"""
    projection: Array[np.int32]
    """0 perspective, 1 orthographic. (ncam)"""
    fovy: Array[np.float64]
    """Vertical field of view. (ncam) [deg, or m if orthographic]"""
    ipd: Array[np.float64]
    """Distance between the eyes. (ncam) [m]"""
    resolution: Array[np.int32]
    """Width and height. (ncam, 2) [pixels]"""
    output: Array[np.int32]
    """What it renders, as bits. (ncam)"""
    sensorsize: Array[np.float32]
    """Width and height of the sensor. (ncam, 2) [m]"""
    intrinsic: Array[np.float32]
    """Focal lengths and principal point. (ncam, 4) [m]"""
    user: Array[np.float64]
    """User numbers. (ncam, nuser_cam)"""
    focal: Array[np.float64]
    """Focal lengths of cameras; 0 if the field of view decides. (ncam, 2) [pixels]"""
    centre: Array[np.float64]
    """Where pictures of cameras are straight ahead. (ncam, 2) [pixels]"""

class ModelLight(ObjectView):
    """Fields of model.light(...)."""

    mode: Array[np.int32]
    """How it follows (enums.CamLight). (nlight)"""
    bodyid: Array[np.int32]
    """Body that it hangs on. (nlight)"""
    targetbodyid: Array[np.int32]
    """Body that it shines at, or -1. (nlight)"""
    type: Array[np.int32]
    """Spot, directional, point or image. (nlight)"""
    texid: Array[np.int32]
    """Texture, or -1. (nlight)"""
    castshadow: Array[np.uint8]
    """Whether it casts shadows. (nlight)"""
    bulbradius: Array[np.float32]
    """Radius for soft shadows. (nlight) [m]"""
    intensity: Array[np.float32]
    """Intensity. (nlight) [cd]"""
    range: Array[np.float32]
    """How far it shines. (nlight) [m]"""
    active: Array[np.uint8]
    """Whether it is on. (nlight)"""
    pos: Array[np.float64]
    """Position in the body. (nlight, 3) [m]"""
    dir: Array[np.float64]
    """Direction in the body. (nlight, 3)"""
    poscom0: Array[np.float64]
    """Offset from the subtree's centre at qpos0. (nlight, 3) [m]"""
    pos0: Array[np.float64]
    """Offset from the body at qpos0, world axes. (nlight, 3) [m]"""
    dir0: Array[np.float64]
    """Direction at qpos0. (nlight, 3)"""
    attenuation: Array[np.float32]
    """Attenuation: constant, linear, quadratic. (nlight, 3)"""
    cutoff: Array[np.float32]
    """Cone of a spot light. (nlight) [deg]"""
    softness: Array[np.float32]
    """Softness of a spot light's edge. (nlight)"""
    exponent: Array[np.float32]
    """Fall-off inside the cone. (nlight)"""
    ambient: Array[np.float32]
    """Ambient colour. (nlight, 3)"""
    diffuse: Array[np.float32]
    """Diffuse colour. (nlight, 3)"""
    specular: Array[np.float32]
    """Specular colour. (nlight, 3)"""

class ModelTendon(ObjectView):
    """Fields of model.tendon(...)."""

    type: Array[np.int32]
    """Type (enums.TendonType). (ntendon)"""
    adr: Array[np.int32]
    """Where its path starts. (ntendon)"""
    num: Array[np.int32]
    """How many steps its path has. (ntendon)"""
    matid: Array[np.int32]
    """Material, or -1. (ntendon)"""
    actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (ntendon)"""
    group: Array[np.int32]
    """Group for visibility. (ntendon)"""
    plasticadr: Array[np.int32]
    """Place in the plastic state, or -1. (ntendon)"""
    treenum: Array[np.int32]
    """How many kinematic trees the path touches. (ntendon)"""
    treeid: Array[np.int32]
    """The first two of these trees, or -1. (ntendon, 2)"""
    J_rownnz: Array[np.int32]
    """How many dofs change its length. (ntendon)"""
    J_rowadr: Array[np.int32]
    """Where these dofs start. (ntendon)"""
    J_colind: Array[np.int32]
    """Dofs of all tendons. (nJten)"""
    limited: Array[np.uint8]
    """Whether its length is limited. (ntendon)"""
    actfrclimited: Array[np.uint8]
    """Whether actuator forces are limited. (ntendon)"""
    width: Array[np.float64]
    """Width for drawing. (ntendon) [m]"""
    solref_lim: Array[np.float64]
    """Reference of limits. (ntendon, 2)"""
    solimp_lim: Array[np.float64]
    """Impedance of limits. (ntendon, 5)"""
    solref_fri: Array[np.float64]
    """Reference of friction. (ntendon, 2)"""
    solimp_fri: Array[np.float64]
    """Impedance of friction. (ntendon, 5)"""
    range: Array[np.float64]
    """Limits of the length. (ntendon, 2) [m or rad]"""
    actfrcrange: Array[np.float64]
    """Limits of the actuator force. (ntendon, 2) [N or N m]"""
    margin: Array[np.float64]
    """Distance at which limits act. (ntendon) [m or rad]"""
    stiffness: Array[np.float64]
    """Spring stiffness. (ntendon) [N/m or N m/rad]"""
    stiffnesspoly: Array[np.float64]
    """Spring terms of higher order. (ntendon, 2)"""
    damping: Array[np.float64]
    """Damping. (ntendon) [N s/m or N m s/rad]"""
    dampingpoly: Array[np.float64]
    """Damping terms of higher order. (ntendon, 2)"""
    armature: Array[np.float64]
    """Inertia against change of length. (ntendon) [kg]"""
    frictionloss: Array[np.float64]
    """Dry friction. (ntendon) [N or N m]"""
    lengthspring: Array[np.float64]
    """Lengths between which springs rest. (ntendon, 2)"""
    springyield: Array[np.float64]
    """Where the spring yields; 0: never. (ntendon)"""
    length0: Array[np.float64]
    """Length at qpos0. (ntendon) [m or rad]"""
    invweight0: Array[np.float64]
    """Inverse inertia felt at qpos0. (ntendon) [1/kg]"""
    user: Array[np.float64]
    """User numbers. (ntendon, nuser_tendon)"""
    rgba: Array[np.float32]
    """Colour. (ntendon, 4)"""

class ModelActuator(ObjectView):
    """Fields of model.actuator(...)."""

    trntype: Array[np.int32]
    """What it acts on (enums.Transmission). (nactuator)"""
    dyntype: Array[np.int32]
    """Dynamics of its activation (enums.Dynamics). (nactuator)"""
    gaintype: Array[np.int32]
    """Type of gain (enums.Gain). (nactuator)"""
    biastype: Array[np.int32]
    """Type of bias (enums.Bias). (nactuator)"""
    ctrladr: Array[np.int32]
    """Where its controls start. (nactuator)"""
    ctrlnum: Array[np.int32]
    """How many controls it has. (nactuator)"""
    ctrlspec: Array[np.int32]
    """What its controls are, by type of gain. (nactuator)"""
    outadr: Array[np.int32]
    """Where its force outputs start. (nactuator)"""
    outnum: Array[np.int32]
    """How many force outputs it has. (nactuator)"""
    actadr: Array[np.int32]
    """Where its activations start, or -1. (nactuator)"""
    actnum: Array[np.int32]
    """How many activations it has. (nactuator)"""
    trnid: Array[np.int32]
    """Joint, site, body or tendon; second site or -1. (nactuator, 2)"""
    cranklength: Array[np.float64]
    """Length of the connecting rod. (nactuator) [m]"""
    dynprm: Array[np.float64]
    """Parameters of the dynamics. (nactuator, 10)"""
    gainprm: Array[np.float64]
    """Parameters of the gain. (nactuator, 10)"""
    biasprm: Array[np.float64]
    """Parameters of the bias. (nactuator, 10)"""
    actlimited: Array[np.uint8]
    """Whether activation is limited. (nactuator)"""
    actrange: Array[np.float64]
    """Lower and upper activation. (nactuator, 2)"""
    actearly: Array[np.uint8]
    """Whether the next activation makes the force. (nactuator)"""
    history: Array[np.int32]
    """Samples kept, and order of interpolation. (nactuator, 2)"""
    historyadr: Array[np.int32]
    """Where its history starts, or -1. (nactuator)"""
    delay: Array[np.float64]
    """Delay of its controls. (nactuator) [s]"""
    damping: Array[np.float64]
    """Damping it adds to its joint or tendon. (nactuator)"""
    dampingpoly: Array[np.float64]
    """Quadratic and cubic damping it adds. (nactuator, 2)"""
    armature: Array[np.float64]
    """Inertia it adds to its joint or tendon. (nactuator)"""
    group: Array[np.int32]
    """Group for visibility and for switching off. (nactuator)"""
    user: Array[np.float64]
    """User numbers. (nactuator, nuser_actuator)"""
    plugin: Array[np.int32]
    """Plugin, or -1; none yet. (nactuator)"""
    forcelimited: Array[np.uint8]
    """Whether force is limited. (nactuator)"""
    forcerange: Array[np.float64]
    """Lower and upper force. (nactuator, 2) [N or N m]"""
    ctrllimited: Array[np.uint8]
    """Whether the control is limited. (nu)"""
    ctrlrange: Array[np.float64]
    """Lower and upper control. (nu, 2)"""
    gear: Array[np.float64]
    """Scale of length and force, or axes of a wrench. (nout, 6)"""
    acc0: Array[np.float64]
    """Acceleration at qpos0 from unit force. (nout)"""
    length0: Array[np.float64]
    """Length of the transmission at qpos0. (nout) [m or rad]"""
    lengthrange: Array[np.float64]
    """Feasible lengths of the transmission. (nout, 2)"""
    slots: Array[np.int32]
    """Activations that a PID, DC motor or Hill muscle has, as bits. (nactuator)"""
    moment_rownnz: Array[np.int32]
    """Dofs that each force output can act on. (nout)"""
    moment_rowadr: Array[np.int32]
    """Where its moment arms start. (nout)"""

class ModelSoft(ObjectView):
    """Fields of model.soft(...)."""

    type: Array[np.int32]
    """What it is: 0 cloth, 1 soft body, 2 chain (enums.SoftType). (nsoft)"""
    vertadr: Array[np.int32]
    """First vertex. (nsoft)"""
    vertnum: Array[np.int32]
    """How many vertices. (nsoft)"""
    faceadr: Array[np.int32]
    """First triangle of its surface. (nsoft)"""
    facenum: Array[np.int32]
    """How many triangles. (nsoft)"""
    rodadr: Array[np.int32]
    """First segment. (nsoft)"""
    rodnum: Array[np.int32]
    """How many segments. (nsoft)"""
    group: Array[np.int32]
    """Group, for showing and hiding. (nsoft)"""
    contype: Array[np.int32]
    """Kinds of contact it is of, as bits. (nsoft)"""
    conaffinity: Array[np.int32]
    """Kinds of contact it takes part in, as bits. (nsoft)"""
    selfcollide: Array[np.int32]
    """1 if its vertices touch each other. (nsoft)"""
    rgba: Array[np.float32]
    """Colour. (nsoft, 4)"""
    radius: Array[np.float64]
    """Radius of vertices, as spheres, towards geoms. (nsoft) [m]"""
    spacing: Array[np.float64]
    """Radius of vertices towards those of deformables. (nsoft) [m]"""
    friction: Array[np.float64]
    """Friction; of a contact it is the geometric mean of both sides. (nsoft)"""
    solref: Array[np.float64]
    """How penetrations are mended: time constant and damping ratio. (nsoft, 2)"""
    damping: Array[np.float64]
    """How fast motion fades that is not the motion of a rigid body. (nsoft) [1/s]"""
    drag: Array[np.float64]
    """Drag of the medium on its surface. (nsoft)"""
    period: Array[np.float64]
    """Longest substep that resolves its material. (nsoft) [s]"""
    vert_soft: Array[np.int32]
    """Deformable of a vertex, or -1. (nsoftpoint)"""
    vert_pos0: Array[np.float64]
    """Where vertices are after a reset. (nsoftpoint, 3) [m]"""
    vert_invmass: Array[np.float64]
    """Inverse mass; 0 if the vertex is pinned. (nsoftpoint) [1/kg]"""
    face_vert: Array[np.int32]
    """Vertices of triangles of surfaces, counter-clockwise from outside. (nsoftface, 3)"""
    rod_vert: Array[np.int32]
    """Vertices of a segment. (nsoftrod, 2)"""
    rod_length: Array[np.float64]
    """Length at rest. (nsoftrod) [m]"""
    rod_invinertia: Array[np.float64]
    """Inverse inertia across its axis, and about it. (nsoftrod, 2) [1/(kg m^2)]"""
    rod_stiffness: Array[np.float64]
    """Stiffness in shear and in stretching. (nsoftrod, 2) [N]"""
    rod_quat0: Array[np.float64]
    """How segments are turned after a reset; their third axis is along them. (nsoftrod, 4)"""

class ModelSensor(ObjectView):
    """Fields of model.sensor(...)."""

    type: Array[np.int32]
    """Type (enums.SensorType). (nsensor)"""
    datatype: Array[np.int32]
    """What its numbers are (enums.DataType). (nsensor)"""
    needstage: Array[np.int32]
    """Stage after which it is read (enums.Stage). (nsensor)"""
    objtype: Array[np.int32]
    """Type of the measured object (enums.ObjType). (nsensor)"""
    objid: Array[np.int32]
    """Measured object, or -1. (nsensor)"""
    reftype: Array[np.int32]
    """Type of the other object (enums.ObjType). (nsensor)"""
    refid: Array[np.int32]
    """Object it is measured against, or -1. (nsensor)"""
    intprm: Array[np.int32]
    """Data fields as bits, reduction, number of contacts. (nsensor, 3)"""
    dim: Array[np.int32]
    """How many numbers it reports. (nsensor)"""
    adr: Array[np.int32]
    """Where its numbers start in sensordata. (nsensor)"""
    cutoff: Array[np.float64]
    """Largest reading; 0 if there is none. (nsensor)"""
    noise: Array[np.float64]
    """Standard deviation of noise; for users. (nsensor)"""
    history: Array[np.int32]
    """Samples it keeps, and how it interpolates them. (nsensor, 2)"""
    historyadr: Array[np.int32]
    """Where its samples start, or -1. (nsensor)"""
    delay: Array[np.float64]
    """How old its readings are. (nsensor) [s]"""
    interval: Array[np.float64]
    """Period and phase of its samples. (nsensor, 2) [s]"""
    user: Array[np.float64]
    """User numbers. (nsensor, nuser_sensor)"""
    plugin: Array[np.int32]
    """Plugin, or -1; none yet. (nsensor)"""
    grid: Array[np.float64]
    """Of a touch grid: columns and rows, field of view in degrees, gamma, channels. (nsensor, 6)"""

class ModelPair(ObjectView):
    """Fields of model.pair(...)."""

    dim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (npair)"""
    geom1: Array[np.int32]
    """Geom on the body with the lower number. (npair)"""
    geom2: Array[np.int32]
    """The other geom. (npair)"""
    signature: Array[np.int32]
    """body2. (npair)"""
    solref: Array[np.float64]
    """Reference of the contacts, normal direction. (npair, 2)"""
    solreffriction: Array[np.float64]
    """Reference along friction; 0 0 as the normal. (npair, 2)"""
    solimp: Array[np.float64]
    """Impedance of the contacts. (npair, 5)"""
    margin: Array[np.float64]
    """Distance at which contacts push. (npair) [m]"""
    gap: Array[np.float64]
    """Distance added to find contacts. (npair) [m]"""
    adhesion: Array[np.float64]
    """Largest pulling force of a contact. (npair) [N]"""
    friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (npair, 5)"""

class ModelExclude(ObjectView):
    """Fields of model.exclude(...)."""

    signature: Array[np.int32]
    """body2. (nexclude)"""

class ModelEquality(ObjectView):
    """Fields of model.equality(...)."""

    type: Array[np.int32]
    """Type (enums.EqualityType). (neq)"""
    obj1id: Array[np.int32]
    """First body, site, joint, tendon or geom. (neq)"""
    obj2id: Array[np.int32]
    """Second object, or -1. (neq)"""
    objtype: Array[np.int32]
    """1: bodies, 5: geoms, 6: sites, 0 where the type says it. (neq)"""
    active0: Array[np.uint8]
    """Whether it holds at the beginning. (neq)"""
    solref: Array[np.float64]
    """Reference of the constraint. (neq, 2)"""
    solimp: Array[np.float64]
    """Impedance of the constraint. (neq, 5)"""
    data: Array[np.float64]
    """Anchors and pose, polynomial or distance, by type. (neq, 12)"""

class ModelKey(ObjectView):
    """Fields of model.key(...)."""

    time: Array[np.float64]
    """Time. (nkey) [s]"""
    qpos: Array[np.float64]
    """Positions. (nkey, nq) [m or rad]"""
    qvel: Array[np.float64]
    """Velocities. (nkey, nv) [m/s or rad/s]"""
    act: Array[np.float64]
    """Activations. (nkey, na)"""
    mpos: Array[np.float64]
    """Positions of mocap bodies. (nkey, nmocap*3) [m]"""
    mquat: Array[np.float64]
    """Orientations of mocap bodies. (nkey, nmocap*4)"""
    ctrl: Array[np.float64]
    """Controls. (nkey, nu)"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nkey, nplastic)"""

class ModelHfield(ObjectView):
    """Fields of model.hfield(...)."""

    size: Array[np.float64]
    """Half x, half y, highest elevation, base. (nhfield, 4) [m]"""
    nrow: Array[np.int32]
    """Rows, along y. (nhfield)"""
    ncol: Array[np.int32]
    """Columns, along x. (nhfield)"""
    adr: Array[np.int32]
    """Where its elevations start. (nhfield)"""
    data: Array[np.float32]
    """Elevations between 0 and 1, row by row. (nhfielddata)"""
    pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nhfield)"""

class ModelTexture(ObjectView):
    """Fields of model.texture(...)."""

    type: Array[np.int32]
    """0 2d, 1 cube, 2 skybox. (ntex)"""
    colorspace: Array[np.int32]
    """0 not known, 1 linear, 2 sRGB. (ntex)"""
    height: Array[np.int32]
    """Rows; the sides of a cube are below one another. (ntex)"""
    width: Array[np.int32]
    """Columns. (ntex)"""
    nchannel: Array[np.int32]
    """Bytes a pixel. (ntex)"""
    adr: Array[np.int64]
    """Where its pixels start; -1 if only the path is kept. (ntex)"""
    data: Array[np.uint8]
    """Pixels of all textures. (ntexdata)"""
    pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (ntex)"""
    contenttypeadr: Array[np.int32]
    """Where its media type starts in paths, or -1. (ntex)"""

class ModelMaterial(ObjectView):
    """Fields of model.material(...)."""

    texid: Array[np.int32]
    """Texture for each role, or -1. (nmat, 10)"""
    texuniform: Array[np.uint8]
    """Whether a texture has the same scale everywhere. (nmat)"""
    texrepeat: Array[np.float32]
    """How often a 2d texture is repeated. (nmat, 2)"""
    emission: Array[np.float32]
    """Emitted light, times the colour. (nmat)"""
    specular: Array[np.float32]
    """Specular reflection, times white. (nmat)"""
    shininess: Array[np.float32]
    """How tight the highlight is. (nmat)"""
    reflectance: Array[np.float32]
    """How much of a mirror it is. (nmat)"""
    metallic: Array[np.float32]
    """Metallic coefficient, or -1. (nmat)"""
    roughness: Array[np.float32]
    """Roughness coefficient, or -1. (nmat)"""
    rgba: Array[np.float32]
    """Colour. (nmat, 4)"""

class ModelMesh(ObjectView):
    """Fields of model.mesh(...)."""

    vertadr: Array[np.int32]
    """First vertex. (nmesh)"""
    vertnum: Array[np.int32]
    """How many vertices. (nmesh)"""
    faceadr: Array[np.int32]
    """First triangle. (nmesh)"""
    facenum: Array[np.int32]
    """How many triangles. (nmesh)"""
    bvhadr: Array[np.int32]
    """Root of the tree of boxes around its triangles. (nmesh)"""
    bvhnum: Array[np.int32]
    """How many boxes that tree has. (nmesh)"""
    octadr: Array[np.int32]
    """First node of its octree, or -1. (nmesh)"""
    octnum: Array[np.int32]
    """How many nodes its octree has. (nmesh)"""
    normaladr: Array[np.int32]
    """First normal. (nmesh)"""
    normalnum: Array[np.int32]
    """How many normals. (nmesh)"""
    texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nmesh)"""
    texcoordnum: Array[np.int32]
    """How many texture coordinates. (nmesh)"""
    graphadr: Array[np.int32]
    """Where the convex hull's graph begins, or -1. (nmesh)"""
    extrema: Array[np.int32]
    """Hull vertices farthest in 27 directions of a cube. (nmesh, 27)"""
    scale: Array[np.float64]
    """Scaling that was applied. (nmesh, 3)"""
    pos: Array[np.float64]
    """Where the mesh's own frame was in its file. (nmesh, 3) [m]"""
    quat: Array[np.float64]
    """How the mesh's own frame was turned in its file. (nmesh, 4)"""
    pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nmesh)"""
    polynum: Array[np.int32]
    """How many polygons its hull has. (nmesh)"""
    polyadr: Array[np.int32]
    """First polygon. (nmesh)"""

class ModelSkin(ObjectView):
    """Fields of model.skin(...)."""

    matid: Array[np.int32]
    """Material, or -1. (nskin)"""
    group: Array[np.int32]
    """Group, for showing and hiding. (nskin)"""
    rgba: Array[np.float32]
    """Colour. (nskin, 4)"""
    inflate: Array[np.float32]
    """How far vertices are moved along their normals. (nskin) [m]"""
    vertadr: Array[np.int32]
    """First vertex. (nskin)"""
    vertnum: Array[np.int32]
    """How many vertices. (nskin)"""
    texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nskin)"""
    faceadr: Array[np.int32]
    """First triangle. (nskin)"""
    facenum: Array[np.int32]
    """How many triangles. (nskin)"""
    boneadr: Array[np.int32]
    """First bone. (nskin)"""
    bonenum: Array[np.int32]
    """How many bones. (nskin)"""
    pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nskin)"""

class ModelNumeric(ObjectView):
    """Fields of model.numeric(...)."""

    adr: Array[np.int32]
    """Where its numbers start. (nnumeric)"""
    size: Array[np.int32]
    """How many numbers. (nnumeric)"""
    data: Array[np.float64]
    """Numbers of all custom numerics. (nnumericdata)"""

class ModelTuple(ObjectView):
    """Fields of model.tuple(...)."""

    adr: Array[np.int32]
    """Where its objects start. (ntuple)"""
    size: Array[np.int32]
    """How many objects. (ntuple)"""
    objtype: Array[np.int32]
    """Kind of each object. (ntupledata)"""
    objid: Array[np.int32]
    """Number of each object. (ntupledata)"""
    objprm: Array[np.float64]
    """Parameter of each object. (ntupledata)"""

class DataBody(ObjectView):
    """Fields of data.body(...)."""

    xfrc_applied: Array[np.float64]
    """Force, then torque, applied at centres of mass. (nbody, 6)"""
    xpos: Array[np.float64]
    """Origin of each body. (nbody, 3) [m]"""
    xquat: Array[np.float64]
    """Orientation of each body. (nbody, 4)"""
    xmat: Array[np.float64]
    """Orientation of each body. (nbody, 9)"""
    xipos: Array[np.float64]
    """Centre of mass of each body. (nbody, 3) [m]"""
    xiquat: Array[np.float64]
    """Principal axes of each body. (nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of each body. (nbody, 9)"""
    subtree_com: Array[np.float64]
    """Centre of each subtree. (nbody, 3) [m]"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre. (nbody, 10)"""
    crb: Array[np.float64]
    """Inertia of each subtree. (nbody, 10)"""
    cvel: Array[np.float64]
    """Velocity of each body. (nbody, 6)"""
    subtree_linvel: Array[np.float64]
    """Velocity of each subtree. (nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Its angular momentum. (nbody, 3) [kg m^2/s]"""
    cacc: Array[np.float64]
    """Acceleration of each body. (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Force between each body and its parent. (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Force on each body from outside. (nbody, 6)"""

class DataJoint(ObjectView):
    """Fields of data.joint(...)."""

    qpos: Array[np.float64]
    """Position. (nq) [m or rad]"""
    qvel: Array[np.float64]
    """Velocity. (nv) [m/s or rad/s]"""
    qacc_warmstart: Array[np.float64]
    """Acceleration from which the solver starts. (nv)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (nv) [N or N m]"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nplastic) [m or rad]"""
    placed_qpos: Array[np.float64]
    """Position for which bodies were placed, if trees may sleep. (nq) [m or rad]"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of trees that sleep, as they fell asleep. (nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of trees that sleep, as they fell asleep, in the metric of a step. (nv) [m/s2 or rad/s2]"""
    xanchor: Array[np.float64]
    """Anchor of each joint. (njnt, 3) [m]"""
    xaxis: Array[np.float64]
    """Axis of each joint. (njnt, 3)"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (nv, 6)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (nv)"""
    cdof_dot: Array[np.float64]
    """Change of cdof. (nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Coriolis, centrifugal, gravity. (nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (nv)"""
    qfrc_fluid: Array[np.float64]
    """Force of the medium. (nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Pull of contacts. (nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (nv)"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, the change of velocity over a step, by its length. (nv) [m/s^2]"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (nv)"""
    qfrc_actuator: Array[np.float64]
    """Actuator force, as joints feel it. (nv)"""
    qfrc_smooth: Array[np.float64]
    """All forces but constraints. (nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (nv)"""
    qfrc_inverse: Array[np.float64]
    """Force that inverse dynamics finds. (nv) [N or N m]"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; the lower one's if both act. (njnt) [N or N m]"""
    island: Array[np.int32]
    """Island of each dof; -1 if it has no constraints. (nv)"""

class DataGeom(ObjectView):
    """Fields of data.geom(...)."""

    xpos: Array[np.float64]
    """Position of each geom. (ngeom, 3) [m]"""
    xquat: Array[np.float64]
    """Orientation of each geom. (ngeom, 4)"""
    xmat: Array[np.float64]
    """Orientation of each geom. (ngeom, 9)"""

class DataSite(ObjectView):
    """Fields of data.site(...)."""

    xpos: Array[np.float64]
    """Position of each site. (nsite, 3) [m]"""
    xquat: Array[np.float64]
    """Orientation of each site. (nsite, 4)"""
    xmat: Array[np.float64]
    """Orientation of each site. (nsite, 9)"""

class DataCamera(ObjectView):
    """Fields of data.camera(...)."""

    xpos: Array[np.float64]
    """Position of each camera. (ncam, 3) [m]"""
    xmat: Array[np.float64]
    """Orientation of each camera. (ncam, 9)"""

class DataLight(ObjectView):
    """Fields of data.light(...)."""

    xpos: Array[np.float64]
    """Position of each light. (nlight, 3) [m]"""
    xdir: Array[np.float64]
    """Direction of each light. (nlight, 3)"""

class DataTendon(ObjectView):
    """Fields of data.tendon(...)."""

    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nplastic) [m or rad]"""
    wrapadr: Array[np.int32]
    """Where the points of a path start. (ntendon)"""
    wrapnum: Array[np.int32]
    """How many points a path has. (ntendon)"""
    J: Array[np.float64]
    """How dofs change lengths: rows of tendons, CSR. (nJten)"""
    length: Array[np.float64]
    """Length of each tendon. (ntendon) [m or rad]"""
    velocity: Array[np.float64]
    """How fast lengths change. (ntendon) [m/s or rad/s]"""
    force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (ntendon) [N or N m]"""
    passive: Array[np.float64]
    """The part of it that is spring and damper. (ntendon) [N or N m]"""
    limit_frc: Array[np.float64]
    """Force of each tendon's limit; the lower one's if both act. (ntendon) [N or N m]"""

class DataActuator(ObjectView):
    """Fields of data.actuator(...)."""

    act: Array[np.float64]
    """Actuator activation. (na)"""
    ctrl: Array[np.float64]
    """Control. (nu)"""
    resting_rate: Array[np.float64]
    """act_dot of actuators that sleep. (na)"""
    length: Array[np.float64]
    """Length of each transmission. (nout) [m or rad]"""
    velocity: Array[np.float64]
    """Velocity of each transmission. (nout) [m/s or rad/s]"""
    act_dot: Array[np.float64]
    """Rate of each activation. (na)"""
    force: Array[np.float64]
    """Force of each transmission. (nout) [N or N m]"""
    moment: Array[np.float64]
    """Moment arms about every dof. (nv)"""

class DataSoft(ObjectView):
    """Fields of data.soft(...)."""

    vert_pos: Array[np.float64]
    """Where vertices of deformables are. (nsoftvert, 3) [m]"""
    vert_vel: Array[np.float64]
    """How they move. (nsoftvert, 3) [m/s]"""
    rod_quat: Array[np.float64]
    """How segments of chains are turned. (nsoftrod, 4)"""
    rod_omega: Array[np.float64]
    """How they spin, in their own frame. (nsoftrod, 3) [rad/s]"""
    quiet: Array[np.float64]
    """Steps for which a deformable has been quiet; asleep from 50 on. (nsoft)"""
    vert_applied: Array[np.float64]
    """Force applied to a vertex. (nsoftvert, 3) [N]"""
    vert_colliding: Array[np.int32]
    """1 if a vertex is in contact with a geom. (nsoftvert)"""

class DataSensor(ObjectView):
    """Fields of data.sensor(...)."""

    resting_read: Array[np.float64]
    """Readings of sensors that sleep. (nsensordata)"""
    data: Array[np.float64]
    """Readings of sensors. (nsensordata)"""

class ModelFields:
    """Fields of Model."""

    opt: OptionFields
    """Options."""
    stat: StatisticFields
    """Statistics."""
    vis: Visual
    """Visual settings, by groups."""
    nq: int
    """Numbers in qpos."""
    nv: int
    """Degrees of freedom."""
    nu: int
    """Controls."""
    na: int
    """Activation states."""
    nactuator: int
    """Actuators."""
    nout: int
    """Force outputs of all actuators."""
    nbody: int
    """Bodies, with the world."""
    njnt: int
    """Joints."""
    ntree: int
    """Kinematic trees under the world."""
    nM: int
    """Entries of M in MuJoCo's old format."""
    nB: int
    """Entries of the body-dof matrix."""
    nC: int
    """Entries of M in CSR."""
    nD: int
    """Entries of the dof-dof matrix."""
    ngeom: int
    """Geoms."""
    nsite: int
    """Sites."""
    ncam: int
    """Cameras."""
    nlight: int
    """Lights."""
    nnumeric: int
    """Custom numerics."""
    nnumericdata: int
    """Numbers in all custom numerics."""
    ntext: int
    """Custom texts."""
    ntextdata: int
    """Characters in all custom texts, with final zeros."""
    ntuple: int
    """Custom tuples."""
    ntupledata: int
    """Objects in all custom tuples."""
    nkey: int
    """Keyframes."""
    nmocap: int
    """Mocap bodies."""
    nplastic: int
    """Numbers of plastic state."""
    nhistory: int
    """Numbers in the buffers of delays."""
    ngravcomp: int
    """Bodies with gravity compensation."""
    nbvh: int
    """Bounding volumes of bodies and meshes."""
    nbvhstatic: int
    """Bounding volumes that keep their place in a body or a mesh."""
    noct: int
    """Cells of the octrees of all meshes."""
    nsensor: int
    """Sensors."""
    nsensordata: int
    """Numbers in sensordata."""
    nuser_body: int
    """User numbers a body."""
    nuser_jnt: int
    """User numbers a joint."""
    nuser_geom: int
    """User numbers a geom."""
    nuser_site: int
    """User numbers a site."""
    nuser_cam: int
    """User numbers a camera."""
    nuser_sensor: int
    """User numbers a sensor."""
    nuser_actuator: int
    """User numbers an actuator."""
    nuserdata: int
    """User numbers in Data."""
    npair: int
    """Pairs of geoms that are always checked for contact."""
    nexclude: int
    """Pairs of bodies that never touch."""
    neq: int
    """Equality constraints."""
    ntendon: int
    """Tendons."""
    nwrap: int
    """Steps in the paths of all tendons."""
    nJten: int
    """Entries of the tendon Jacobian."""
    nuser_tendon: int
    """User numbers a tendon."""
    nJmom: int
    """Room for the moment arms of all actuators."""
    nhfield: int
    """Height fields."""
    nhfielddata: int
    """Elevations in all height fields."""
    ntex: int
    """Textures."""
    ntexdata: int
    """Bytes in all textures."""
    nmat: int
    """Materials."""
    npaths: int
    """Characters in all paths, with final zeros."""
    nmesh: int
    """Meshes."""
    nmeshvert: int
    """Vertices of all meshes."""
    nmeshnormal: int
    """Normals of all meshes."""
    nmeshtexcoord: int
    """Texture coordinates of all meshes."""
    nmeshface: int
    """Triangles of all meshes."""
    nmeshgraph: int
    """Numbers in the graphs of all convex hulls."""
    nmeshpoly: int
    """Polygons of all convex hulls."""
    nmeshpolyvert: int
    """Vertices of all polygons of convex hulls."""
    nmeshpolymap: int
    """Polygons at all vertices of convex hulls."""
    nmeshdegmax: int
    """Most polygons at a vertex of a convex hull."""
    nskin: int
    """Skins."""
    nskinvert: int
    """Vertices of all skins."""
    nskintexvert: int
    """Vertices of skins with texture coordinates."""
    nskinface: int
    """Triangles of all skins."""
    nskinbone: int
    """Bones of all skins."""
    nskinbonevert: int
    """Vertices of all bones."""
    nsoft: int
    """Deformables."""
    nsoftvert: int
    """Vertices of all deformables."""
    nsoftpoint: int
    """The same and one more, which belongs to none."""
    nsofthold: int
    """Contacts of vertices that last from step to step: two for each vertex."""
    nsoftface: int
    """Triangles of their surfaces."""
    nsoftmem: int
    """Triangles that resist strain."""
    nsoftmemcolor: int
    """Colours of these."""
    nsofthinge: int
    """Pairs of triangles that resist bending."""
    nsofthingecolor: int
    """Colours of these."""
    nsofttet: int
    """Tetrahedra."""
    nsofttetcolor: int
    """Colours of these."""
    nsoftedge: int
    """Edges that resist stretching."""
    nsoftedgecolor: int
    """Colours of these."""
    nsoftrod: int
    """Segments of chains."""
    nsoftrodcolor: int
    """Colours of these."""
    nsofttwist: int
    """Pairs of segments that resist bending and twisting."""
    nsofttwistcolor: int
    """Colours of these."""
    nsoftpin: int
    """Vertices that are attached to rigid bodies."""
    nsoftdof: int
    """Degrees of freedom, if there are deformables."""
    nsoftbody: int
    """Bodies, if there are deformables."""
    opt_timestep: float
    """Length of a step. [s]"""
    opt_impratio: float
    """Ratio of frictional to normal contact impedance."""
    opt_tolerance: float
    """Where the main solver stops."""
    opt_ls_tolerance: float
    """Where the line search stops."""
    opt_noslip_tolerance: float
    """Where the noslip solver stops."""
    opt_ccd_tolerance: float
    """Where convex collision stops."""
    opt_sleep_tolerance: float
    """Velocity below which a tree may sleep."""
    opt_gravity: Array[np.float64]
    """Gravitational acceleration. (3) [m/s^2]"""
    opt_wind: Array[np.float64]
    """Velocity of the medium. (3) [m/s]"""
    opt_magnetic: Array[np.float64]
    """Global magnetic flux. (3)"""
    opt_density: float
    """Density of the medium. [kg/m^3]"""
    opt_viscosity: float
    """Viscosity of the medium. [Pa s]"""
    opt_o_margin: float
    """Contact margin when overriding. [m]"""
    opt_o_solref: Array[np.float64]
    """Contact solref when overriding. (2)"""
    opt_o_solimp: Array[np.float64]
    """Contact solimp when overriding. (5)"""
    opt_o_friction: Array[np.float64]
    """Contact friction when overriding. (5)"""
    opt_integrator: Choice
    """Integrator (enums.Integrator)."""
    opt_cone: Choice
    """Friction cone: 0 pyramidal, 1 elliptic."""
    opt_jacobian: Choice
    """Constraint Jacobian: 0 dense, 1 sparse, 2 automatic."""
    opt_solver: Choice
    """Constraint solver: 0 PGS, 1 CG, 2 Newton."""
    opt_iterations: int
    """Most iterations of the main solver."""
    opt_ls_iterations: int
    """Most iterations of the line search."""
    opt_noslip_iterations: int
    """Most iterations of the noslip solver."""
    opt_ccd_iterations: int
    """Most iterations of convex collision."""
    opt_disableflags: int
    """Parts that are switched off (enums.Disable)."""
    opt_enableflags: int
    """Parts that are switched on (enums.Enable)."""
    opt_disableactuator: int
    """Actuator groups that are switched off, as bits."""
    opt_sdf_initpoints: int
    """Starting points of signed-distance collision."""
    opt_sdf_iterations: int
    """Most iterations of signed-distance collision."""
    stat_meaninertia: float
    """Mean diagonal of M at qpos0."""
    stat_meanmass: float
    """Mean body mass. [kg]"""
    stat_meansize: float
    """Mean body size. [m]"""
    stat_extent: float
    """Spatial extent. [m]"""
    stat_center: Array[np.float64]
    """Centre of the model. (3) [m]"""
    qpos0: Array[np.float64]
    """Position in which the model was drawn. (nq) [m or rad]"""
    qpos_spring: Array[np.float64]
    """Position at which springs are at rest. (nq) [m or rad]"""
    body_parentid: Array[np.int32]
    """Parent body. (nbody)"""
    body_rootid: Array[np.int32]
    """Topmost body of the tree, below the world. (nbody)"""
    body_weldid: Array[np.int32]
    """Body to which this one is rigidly attached. (nbody)"""
    body_mocapid: Array[np.int32]
    """Which mocap body, or -1. (nbody)"""
    body_jntnum: Array[np.int32]
    """How many joints. (nbody)"""
    body_jntadr: Array[np.int32]
    """First joint, or -1. (nbody)"""
    body_dofnum: Array[np.int32]
    """How many degrees of freedom. (nbody)"""
    body_dofadr: Array[np.int32]
    """First degree of freedom, or -1. (nbody)"""
    body_treeid: Array[np.int32]
    """Kinematic tree, or -1. (nbody)"""
    body_geomnum: Array[np.int32]
    """How many geoms. (nbody)"""
    body_geomadr: Array[np.int32]
    """First geom, or -1. (nbody)"""
    body_simple: Array[np.uint8]
    """1: diagonal M; 2: also no rotation; 0: neither. (nbody)"""
    body_sameframe: Array[np.uint8]
    """Inertial frame against body frame (SameFrame). (nbody)"""
    body_pos: Array[np.float64]
    """Position in the parent. (nbody, 3) [m]"""
    body_quat: Array[np.float64]
    """Orientation in the parent. (nbody, 4)"""
    body_ipos: Array[np.float64]
    """Centre of mass in the body. (nbody, 3) [m]"""
    body_iquat: Array[np.float64]
    """Principal axes of inertia in the body. (nbody, 4)"""
    body_mass: Array[np.float64]
    """Mass. (nbody) [kg]"""
    body_subtreemass: Array[np.float64]
    """Mass with all descendants. (nbody) [kg]"""
    body_inertia: Array[np.float64]
    """Principal moments of inertia. (nbody, 3) [kg m^2]"""
    body_invweight0: Array[np.float64]
    """Mean inverse inertia at qpos0: move, turn. (nbody, 2)"""
    body_gravcomp: Array[np.float64]
    """Fraction of gravity that is compensated. (nbody)"""
    body_margin: Array[np.float64]
    """Largest contact margin of the geoms. (nbody) [m]"""
    body_user: Array[np.float64]
    """User numbers. (nbody, nuser_body)"""
    body_plugin: Array[np.int32]
    """Plugin, or -1; there are none yet. (nbody)"""
    body_contype: Array[np.int32]
    """Contact types of all geoms, or-ed. (nbody)"""
    body_conaffinity: Array[np.int32]
    """Contact affinities of all geoms, or-ed. (nbody)"""
    jnt_type: Array[np.int32]
    """Type (enums.JointType). (njnt)"""
    jnt_qposadr: Array[np.int32]
    """First number in qpos. (njnt)"""
    jnt_dofadr: Array[np.int32]
    """First degree of freedom. (njnt)"""
    jnt_bodyid: Array[np.int32]
    """Body that the joint moves. (njnt)"""
    jnt_actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (njnt)"""
    jnt_group: Array[np.int32]
    """Group for visibility. (njnt)"""
    jnt_plasticadr: Array[np.int32]
    """Place in the plastic state, or -1. (njnt)"""
    jnt_limited: Array[np.uint8]
    """Whether the range is enforced. (njnt)"""
    jnt_actfrclimited: Array[np.uint8]
    """Whether actuator force is limited. (njnt)"""
    jnt_actgravcomp: Array[np.uint8]
    """Whether gravity compensation counts as actuation. (njnt)"""
    jnt_solref: Array[np.float64]
    """Reference of the limit constraint. (njnt, 2)"""
    jnt_solimp: Array[np.float64]
    """Impedance of the limit constraint. (njnt, 5)"""
    jnt_pos: Array[np.float64]
    """Anchor in the body. (njnt, 3) [m]"""
    jnt_axis: Array[np.float64]
    """Axis in the body. (njnt, 3)"""
    jnt_stiffness: Array[np.float64]
    """Linear spring coefficient. (njnt) [N/m or N m/rad]"""
    jnt_stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (njnt, 2)"""
    jnt_springyield: Array[np.float64]
    """Where the spring yields; 0: never. (njnt)"""
    jnt_range: Array[np.float64]
    """Lower and upper limit. (njnt, 2) [m or rad]"""
    jnt_actfrcrange: Array[np.float64]
    """Lower and upper actuator force. (njnt, 2)"""
    jnt_margin: Array[np.float64]
    """Distance at which the limit is felt. (njnt) [m or rad]"""
    jnt_user: Array[np.float64]
    """User numbers. (njnt, nuser_jnt)"""
    dof_bodyid: Array[np.int32]
    """Body that it moves. (nv)"""
    dof_jntid: Array[np.int32]
    """Joint that it belongs to. (nv)"""
    dof_parentid: Array[np.int32]
    """Next one towards the root, or -1. (nv)"""
    dof_treeid: Array[np.int32]
    """Kinematic tree. (nv)"""
    dof_Madr: Array[np.int32]
    """Diagonal entry in MuJoCo's old format of M. (nv)"""
    dof_simplenum: Array[np.int32]
    """How many consecutive simple ones start here. (nv)"""
    dof_solref: Array[np.float64]
    """Reference of the friction constraint. (nv, 2)"""
    dof_solimp: Array[np.float64]
    """Impedance of the friction constraint. (nv, 5)"""
    dof_frictionloss: Array[np.float64]
    """Dry friction. (nv) [N or N m]"""
    dof_armature: Array[np.float64]
    """Inertia added to the diagonal of M. (nv) [kg or kg m^2]"""
    dof_damping: Array[np.float64]
    """Linear damping coefficient. (nv) [N s/m or N m s/rad]"""
    dof_dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients. (nv, 2)"""
    dof_invweight0: Array[np.float64]
    """Diagonal inverse inertia at qpos0. (nv)"""
    dof_M0: Array[np.float64]
    """Diagonal of M at qpos0. (nv) [kg or kg m^2]"""
    dof_length: Array[np.float64]
    """How far the tree moves a unit: 1, or a length. (nv)"""
    tree_bodyadr: Array[np.int32]
    """First body. (ntree)"""
    tree_bodynum: Array[np.int32]
    """How many bodies. (ntree)"""
    tree_dofadr: Array[np.int32]
    """First degree of freedom. (ntree)"""
    tree_dofnum: Array[np.int32]
    """How many degrees of freedom. (ntree)"""
    tree_sleep_policy: Array[np.int32]
    """When the tree may sleep. (ntree)"""
    B_rownnz: Array[np.int32]
    """Degrees of freedom that move each body: how many. (nbody)"""
    B_rowadr: Array[np.int32]
    """Degrees of freedom that move each body: where. (nbody)"""
    B_colind: Array[np.int32]
    """Degrees of freedom that move each body: which. (nB)"""
    M_rownnz: Array[np.int32]
    """Entries in each row of M, diagonal last. (nv)"""
    M_rowadr: Array[np.int32]
    """Where each row of M starts. (nv)"""
    M_colind: Array[np.int32]
    """Column of each entry of M. (nC)"""
    mapM2M: Array[np.int32]
    """Entry of M from MuJoCo's old format. (nC)"""
    D_rownnz: Array[np.int32]
    """Entries in each row of the symmetric pattern. (nv)"""
    D_rowadr: Array[np.int32]
    """Where each row of the symmetric pattern starts. (nv)"""
    D_diag: Array[np.int32]
    """Where the diagonal is in each row. (nv)"""
    D_colind: Array[np.int32]
    """Column of each entry of the symmetric pattern. (nD)"""
    mapM2D: Array[np.int32]
    """Entry of M for each entry of the symmetric pattern. (nD)"""
    mapD2M: Array[np.int32]
    """Entry of the symmetric pattern for each entry of M. (nC)"""
    geom_type: Array[np.int32]
    """Type (enums.GeomType). (ngeom)"""
    geom_contype: Array[np.int32]
    """Contact type, as bits. (ngeom)"""
    geom_conaffinity: Array[np.int32]
    """Contact affinity, as bits. (ngeom)"""
    geom_condim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (ngeom)"""
    geom_bodyid: Array[np.int32]
    """Body that it hangs on. (ngeom)"""
    geom_dataid: Array[np.int32]
    """Mesh or height field, or -1. (ngeom)"""
    geom_matid: Array[np.int32]
    """Material, or -1. (ngeom)"""
    geom_group: Array[np.int32]
    """Group for visibility. (ngeom)"""
    geom_priority: Array[np.int32]
    """Whose contact parameters win. (ngeom)"""
    geom_plugin: Array[np.int32]
    """Plugin, or -1; none yet. (ngeom)"""
    geom_sameframe: Array[np.uint8]
    """Geom frame against body frames (SameFrame). (ngeom)"""
    geom_castshadow: Array[np.uint8]
    """Whether it casts a shadow. (ngeom)"""
    geom_solmix: Array[np.float64]
    """Weight when contact parameters are mixed. (ngeom)"""
    geom_solref: Array[np.float64]
    """Reference of its contacts. (ngeom, 2)"""
    geom_solimp: Array[np.float64]
    """Impedance of its contacts. (ngeom, 5)"""
    geom_size: Array[np.float64]
    """Sizes, by type. (ngeom, 3) [m]"""
    geom_aabb: Array[np.float64]
    """Bounding box: centre, half sizes. (ngeom, 6) [m]"""
    geom_rbound: Array[np.float64]
    """Radius of the bounding sphere; 0 if infinite. (ngeom) [m]"""
    geom_pos: Array[np.float64]
    """Position in the body. (ngeom, 3) [m]"""
    geom_quat: Array[np.float64]
    """Orientation in the body. (ngeom, 4)"""
    geom_friction: Array[np.float64]
    """Friction: slide, spin, roll. (ngeom, 3)"""
    geom_margin: Array[np.float64]
    """Distance at which contacts push. (ngeom) [m]"""
    geom_gap: Array[np.float64]
    """Distance added to find contacts. (ngeom) [m]"""
    geom_surfacevel: Array[np.float64]
    """Velocity of the surface. (ngeom, 6)"""
    geom_adhesion: Array[np.float64]
    """Largest pulling force of a contact. (ngeom) [N]"""
    geom_fluid: Array[np.float64]
    """Coefficients of the ellipsoid fluid model. (ngeom, 12)"""
    geom_user: Array[np.float64]
    """User numbers. (ngeom, nuser_geom)"""
    geom_rgba: Array[np.float32]
    """Colour. (ngeom, 4)"""
    site_type: Array[np.int32]
    """Type (enums.GeomType). (nsite)"""
    site_bodyid: Array[np.int32]
    """Body that it hangs on. (nsite)"""
    site_dataid: Array[np.int32]
    """Mesh, or -1. (nsite)"""
    site_matid: Array[np.int32]
    """Material, or -1. (nsite)"""
    site_group: Array[np.int32]
    """Group for visibility. (nsite)"""
    site_sameframe: Array[np.uint8]
    """Site frame against body frames (SameFrame). (nsite)"""
    site_size: Array[np.float64]
    """Sizes, by type. (nsite, 3) [m]"""
    site_pos: Array[np.float64]
    """Position in the body. (nsite, 3) [m]"""
    site_quat: Array[np.float64]
    """Orientation in the body. (nsite, 4)"""
    site_user: Array[np.float64]
    """User numbers. (nsite, nuser_site)"""
    site_rgba: Array[np.float32]
    """Colour. (nsite, 4)"""
    cam_mode: Array[np.int32]
    """How it follows (enums.CamLight). (ncam)"""
    cam_bodyid: Array[np.int32]
    """Body that it hangs on. (ncam)"""
    cam_targetbodyid: Array[np.int32]
    """Body that it looks at, or -1. (ncam)"""
    cam_pos: Array[np.float64]
    """Position in the body. (ncam, 3) [m]"""
    cam_quat: Array[np.float64]
    """Orientation in the body. (ncam, 4)"""
    cam_poscom0: Array[np.float64]
    """Offset from the subtree's centre at qpos0. (ncam, 3) [m]"""
    cam_pos0: Array[np.float64]
    """Offset from the body at qpos0, world axes. (ncam, 3) [m]"""
    cam_mat0: Array[np.float64]
    """Orientation at qpos0. (ncam, 9)"""
    cam_projection: Array[np.int32]
    """0 perspective, 1 orthographic. (ncam)"""
    cam_fovy: Array[np.float64]
    """Vertical field of view. (ncam) [deg, or m if orthographic]"""
    cam_ipd: Array[np.float64]
    """Distance between the eyes. (ncam) [m]"""
    cam_resolution: Array[np.int32]
    """Width and height. (ncam, 2) [pixels]"""
    cam_output: Array[np.int32]
    """What it renders, as bits. (ncam)"""
    cam_sensorsize: Array[np.float32]
    """Width and height of the sensor. (ncam, 2) [m]"""
    cam_intrinsic: Array[np.float32]
    """Focal lengths and principal point. (ncam, 4) [m]"""
    cam_user: Array[np.float64]
    """User numbers. (ncam, nuser_cam)"""
    light_mode: Array[np.int32]
    """How it follows (enums.CamLight). (nlight)"""
    light_bodyid: Array[np.int32]
    """Body that it hangs on. (nlight)"""
    light_targetbodyid: Array[np.int32]
    """Body that it shines at, or -1. (nlight)"""
    light_type: Array[np.int32]
    """Spot, directional, point or image. (nlight)"""
    light_texid: Array[np.int32]
    """Texture, or -1. (nlight)"""
    light_castshadow: Array[np.uint8]
    """Whether it casts shadows. (nlight)"""
    light_bulbradius: Array[np.float32]
    """Radius for soft shadows. (nlight) [m]"""
    light_intensity: Array[np.float32]
    """Intensity. (nlight) [cd]"""
    light_range: Array[np.float32]
    """How far it shines. (nlight) [m]"""
    light_active: Array[np.uint8]
    """Whether it is on. (nlight)"""
    light_pos: Array[np.float64]
    """Position in the body. (nlight, 3) [m]"""
    light_dir: Array[np.float64]
    """Direction in the body. (nlight, 3)"""
    light_poscom0: Array[np.float64]
    """Offset from the subtree's centre at qpos0. (nlight, 3) [m]"""
    light_pos0: Array[np.float64]
    """Offset from the body at qpos0, world axes. (nlight, 3) [m]"""
    light_dir0: Array[np.float64]
    """Direction at qpos0. (nlight, 3)"""
    light_attenuation: Array[np.float32]
    """Attenuation: constant, linear, quadratic. (nlight, 3)"""
    light_cutoff: Array[np.float32]
    """Cone of a spot light. (nlight) [deg]"""
    light_softness: Array[np.float32]
    """Softness of a spot light's edge. (nlight)"""
    light_exponent: Array[np.float32]
    """Fall-off inside the cone. (nlight)"""
    light_ambient: Array[np.float32]
    """Ambient colour. (nlight, 3)"""
    light_diffuse: Array[np.float32]
    """Diffuse colour. (nlight, 3)"""
    light_specular: Array[np.float32]
    """Specular colour. (nlight, 3)"""
    numeric_adr: Array[np.int32]
    """Where its numbers start. (nnumeric)"""
    numeric_size: Array[np.int32]
    """How many numbers. (nnumeric)"""
    numeric_data: Array[np.float64]
    """Numbers of all custom numerics. (nnumericdata)"""
    text_adr: Array[np.int32]
    """Where its characters start. (ntext)"""
    text_size: Array[np.int32]
    """How many characters, with the final zero. (ntext)"""
    text_data: Array[np.uint8]
    """Characters of all custom texts. (ntextdata)"""
    tuple_adr: Array[np.int32]
    """Where its objects start. (ntuple)"""
    tuple_size: Array[np.int32]
    """How many objects. (ntuple)"""
    tuple_objtype: Array[np.int32]
    """Kind of each object. (ntupledata)"""
    tuple_objid: Array[np.int32]
    """Number of each object. (ntupledata)"""
    tuple_objprm: Array[np.float64]
    """Parameter of each object. (ntupledata)"""
    key_time: Array[np.float64]
    """Time. (nkey) [s]"""
    key_qpos: Array[np.float64]
    """Positions. (nkey, nq) [m or rad]"""
    key_qvel: Array[np.float64]
    """Velocities. (nkey, nv) [m/s or rad/s]"""
    key_act: Array[np.float64]
    """Activations. (nkey, na)"""
    key_mpos: Array[np.float64]
    """Positions of mocap bodies. (nkey, nmocap*3) [m]"""
    key_mquat: Array[np.float64]
    """Orientations of mocap bodies. (nkey, nmocap*4)"""
    key_ctrl: Array[np.float64]
    """Controls. (nkey, nu)"""
    key_plastic: Array[np.float64]
    """Rest positions of springs that yield. (nkey, nplastic)"""
    mesh_vertadr: Array[np.int32]
    """First vertex. (nmesh)"""
    mesh_vertnum: Array[np.int32]
    """How many vertices. (nmesh)"""
    mesh_faceadr: Array[np.int32]
    """First triangle. (nmesh)"""
    mesh_facenum: Array[np.int32]
    """How many triangles. (nmesh)"""
    mesh_bvhadr: Array[np.int32]
    """Root of the tree of boxes around its triangles. (nmesh)"""
    mesh_bvhnum: Array[np.int32]
    """How many boxes that tree has. (nmesh)"""
    mesh_octadr: Array[np.int32]
    """First node of its octree, or -1. (nmesh)"""
    mesh_octnum: Array[np.int32]
    """How many nodes its octree has. (nmesh)"""
    mesh_normaladr: Array[np.int32]
    """First normal. (nmesh)"""
    mesh_normalnum: Array[np.int32]
    """How many normals. (nmesh)"""
    mesh_texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nmesh)"""
    mesh_texcoordnum: Array[np.int32]
    """How many texture coordinates. (nmesh)"""
    mesh_graphadr: Array[np.int32]
    """Where the convex hull's graph begins, or -1. (nmesh)"""
    mesh_extrema: Array[np.int32]
    """Hull vertices farthest in 27 directions of a cube. (nmesh, 27)"""
    mesh_vert: Array[np.float32]
    """Vertices, in the mesh's own frame. (nmeshvert, 3) [m]"""
    mesh_normal: Array[np.float32]
    """Normals, in the mesh's own frame. (nmeshnormal, 3)"""
    mesh_texcoord: Array[np.float32]
    """Texture coordinates. (nmeshtexcoord, 2)"""
    mesh_face: Array[np.int32]
    """Vertices of triangles, counted within the mesh. (nmeshface, 3)"""
    mesh_facenormal: Array[np.int32]
    """Normals of triangles' corners. (nmeshface, 3)"""
    mesh_facetexcoord: Array[np.int32]
    """Texture coordinates of triangles' corners. (nmeshface, 3)"""
    mesh_graph: Array[np.int32]
    """Convex hulls: counts, addresses, vertices, edges, faces. (nmeshgraph)"""
    mesh_scale: Array[np.float64]
    """Scaling that was applied. (nmesh, 3)"""
    mesh_pos: Array[np.float64]
    """Where the mesh's own frame was in its file. (nmesh, 3) [m]"""
    mesh_quat: Array[np.float64]
    """How the mesh's own frame was turned in its file. (nmesh, 4)"""
    mesh_pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nmesh)"""
    mesh_polynum: Array[np.int32]
    """How many polygons its hull has. (nmesh)"""
    mesh_polyadr: Array[np.int32]
    """First polygon. (nmesh)"""
    mesh_polynormal: Array[np.float64]
    """Outward normals of polygons. (nmeshpoly, 3)"""
    mesh_polyvertadr: Array[np.int32]
    """First vertex of a polygon. (nmeshpoly)"""
    mesh_polyvertnum: Array[np.int32]
    """How many vertices a polygon has. (nmeshpoly)"""
    mesh_polyvert: Array[np.int32]
    """Vertices of polygons, in order around them. (nmeshpolyvert)"""
    mesh_polymapadr: Array[np.int32]
    """First of the polygons at a vertex. (nmeshvert)"""
    mesh_polymapnum: Array[np.int32]
    """How many polygons there are at a vertex. (nmeshvert)"""
    mesh_polymap: Array[np.int32]
    """Polygons at vertices. (nmeshpolymap)"""
    skin_matid: Array[np.int32]
    """Material, or -1. (nskin)"""
    skin_group: Array[np.int32]
    """Group, for showing and hiding. (nskin)"""
    skin_rgba: Array[np.float32]
    """Colour. (nskin, 4)"""
    skin_inflate: Array[np.float32]
    """How far vertices are moved along their normals. (nskin) [m]"""
    skin_vertadr: Array[np.int32]
    """First vertex. (nskin)"""
    skin_vertnum: Array[np.int32]
    """How many vertices. (nskin)"""
    skin_texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nskin)"""
    skin_faceadr: Array[np.int32]
    """First triangle. (nskin)"""
    skin_facenum: Array[np.int32]
    """How many triangles. (nskin)"""
    skin_boneadr: Array[np.int32]
    """First bone. (nskin)"""
    skin_bonenum: Array[np.int32]
    """How many bones. (nskin)"""
    skin_vert: Array[np.float32]
    """Vertices in the world when the skin was bound. (nskinvert, 3) [m]"""
    skin_texcoord: Array[np.float32]
    """Texture coordinates. (nskintexvert, 2)"""
    skin_face: Array[np.int32]
    """Vertices of triangles, counted within the skin. (nskinface, 3)"""
    skin_bonevertadr: Array[np.int32]
    """First vertex of a bone. (nskinbone)"""
    skin_bonevertnum: Array[np.int32]
    """How many vertices a bone moves. (nskinbone)"""
    skin_bonebindpos: Array[np.float32]
    """Where a bone was bound. (nskinbone, 3) [m]"""
    skin_bonebindquat: Array[np.float32]
    """How a bone was turned when bound. (nskinbone, 4)"""
    skin_bonebodyid: Array[np.int32]
    """Body that a bone is. (nskinbone)"""
    skin_bonevertid: Array[np.int32]
    """Vertices of bones, counted within the skin. (nskinbonevert)"""
    skin_bonevertweight: Array[np.float32]
    """Weights; those of a vertex add up to 1. (nskinbonevert)"""
    skin_pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nskin)"""
    hfield_size: Array[np.float64]
    """Half x, half y, highest elevation, base. (nhfield, 4) [m]"""
    hfield_nrow: Array[np.int32]
    """Rows, along y. (nhfield)"""
    hfield_ncol: Array[np.int32]
    """Columns, along x. (nhfield)"""
    hfield_adr: Array[np.int32]
    """Where its elevations start. (nhfield)"""
    hfield_data: Array[np.float32]
    """Elevations between 0 and 1, row by row. (nhfielddata)"""
    hfield_pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (nhfield)"""
    tex_type: Array[np.int32]
    """0 2d, 1 cube, 2 skybox. (ntex)"""
    tex_colorspace: Array[np.int32]
    """0 not known, 1 linear, 2 sRGB. (ntex)"""
    tex_height: Array[np.int32]
    """Rows; the sides of a cube are below one another. (ntex)"""
    tex_width: Array[np.int32]
    """Columns. (ntex)"""
    tex_nchannel: Array[np.int32]
    """Bytes a pixel. (ntex)"""
    tex_adr: Array[np.int64]
    """Where its pixels start; -1 if only the path is kept. (ntex)"""
    tex_data: Array[np.uint8]
    """Pixels of all textures. (ntexdata)"""
    tex_pathadr: Array[np.int32]
    """Where the path of its file starts, or -1. (ntex)"""
    tex_contenttypeadr: Array[np.int32]
    """Where its media type starts in paths, or -1. (ntex)"""
    mat_texid: Array[np.int32]
    """Texture for each role, or -1. (nmat, 10)"""
    mat_texuniform: Array[np.uint8]
    """Whether a texture has the same scale everywhere. (nmat)"""
    mat_texrepeat: Array[np.float32]
    """How often a 2d texture is repeated. (nmat, 2)"""
    mat_emission: Array[np.float32]
    """Emitted light, times the colour. (nmat)"""
    mat_specular: Array[np.float32]
    """Specular reflection, times white. (nmat)"""
    mat_shininess: Array[np.float32]
    """How tight the highlight is. (nmat)"""
    mat_reflectance: Array[np.float32]
    """How much of a mirror it is. (nmat)"""
    mat_metallic: Array[np.float32]
    """Metallic coefficient, or -1. (nmat)"""
    mat_roughness: Array[np.float32]
    """Roughness coefficient, or -1. (nmat)"""
    mat_rgba: Array[np.float32]
    """Colour. (nmat, 4)"""
    paths: Array[np.uint8]
    """Paths of files, each ended by a zero. (npaths)"""
    body_bvhadr: Array[np.int32]
    """Root of the tree of boxes, or -1. (nbody)"""
    body_bvhnum: Array[np.int32]
    """How many boxes. (nbody)"""
    bvh_depth: Array[np.int32]
    """Distance from the root. (nbvh)"""
    bvh_child: Array[np.int32]
    """Two boxes inside, counted from the root; -1 in a leaf. (nbvh, 2)"""
    bvh_nodeid: Array[np.int32]
    """Geom, or face of the mesh, in a leaf; -1 elsewhere. (nbvh)"""
    bvh_aabb: Array[np.float64]
    """Centre and half sizes, in the body's inertial or the mesh's frame. (nbvhstatic, 6) [m]"""
    oct_depth: Array[np.int32]
    """How often the octree's root was cut to make a cell. (noct)"""
    oct_child: Array[np.int32]
    """Eight cells inside, counted from the root; -1 in a leaf. (noct, 8)"""
    oct_aabb: Array[np.float64]
    """Centre and half sizes of a cell, in the mesh's frame. (noct, 6) [m]"""
    oct_coeff: Array[np.float64]
    """Signed distances at the corners of a cell. (noct, 8) [m]"""
    pair_dim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (npair)"""
    pair_geom1: Array[np.int32]
    """Geom on the body with the lower number. (npair)"""
    pair_geom2: Array[np.int32]
    """The other geom. (npair)"""
    pair_signature: Array[np.int32]
    """body2. (npair)"""
    pair_solref: Array[np.float64]
    """Reference of the contacts, normal direction. (npair, 2)"""
    pair_solreffriction: Array[np.float64]
    """Reference along friction; 0 0 as the normal. (npair, 2)"""
    pair_solimp: Array[np.float64]
    """Impedance of the contacts. (npair, 5)"""
    pair_margin: Array[np.float64]
    """Distance at which contacts push. (npair) [m]"""
    pair_gap: Array[np.float64]
    """Distance added to find contacts. (npair) [m]"""
    pair_adhesion: Array[np.float64]
    """Largest pulling force of a contact. (npair) [N]"""
    pair_friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (npair, 5)"""
    exclude_signature: Array[np.int32]
    """body2. (nexclude)"""
    eq_type: Array[np.int32]
    """Type (enums.EqualityType). (neq)"""
    eq_obj1id: Array[np.int32]
    """First body, site, joint, tendon or geom. (neq)"""
    eq_obj2id: Array[np.int32]
    """Second object, or -1. (neq)"""
    eq_objtype: Array[np.int32]
    """1: bodies, 5: geoms, 6: sites, 0 where the type says it. (neq)"""
    eq_active0: Array[np.uint8]
    """Whether it holds at the beginning. (neq)"""
    eq_solref: Array[np.float64]
    """Reference of the constraint. (neq, 2)"""
    eq_solimp: Array[np.float64]
    """Impedance of the constraint. (neq, 5)"""
    eq_data: Array[np.float64]
    """Anchors and pose, polynomial or distance, by type. (neq, 12)"""
    tendon_type: Array[np.int32]
    """Type (enums.TendonType). (ntendon)"""
    tendon_adr: Array[np.int32]
    """Where its path starts. (ntendon)"""
    tendon_num: Array[np.int32]
    """How many steps its path has. (ntendon)"""
    tendon_matid: Array[np.int32]
    """Material, or -1. (ntendon)"""
    tendon_actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (ntendon)"""
    tendon_group: Array[np.int32]
    """Group for visibility. (ntendon)"""
    tendon_plasticadr: Array[np.int32]
    """Place in the plastic state, or -1. (ntendon)"""
    tendon_treenum: Array[np.int32]
    """How many kinematic trees the path touches. (ntendon)"""
    tendon_treeid: Array[np.int32]
    """The first two of these trees, or -1. (ntendon, 2)"""
    ten_J_rownnz: Array[np.int32]
    """How many dofs change its length. (ntendon)"""
    ten_J_rowadr: Array[np.int32]
    """Where these dofs start. (ntendon)"""
    ten_J_colind: Array[np.int32]
    """Dofs of all tendons. (nJten)"""
    tendon_limited: Array[np.uint8]
    """Whether its length is limited. (ntendon)"""
    tendon_actfrclimited: Array[np.uint8]
    """Whether actuator forces are limited. (ntendon)"""
    tendon_width: Array[np.float64]
    """Width for drawing. (ntendon) [m]"""
    tendon_solref_lim: Array[np.float64]
    """Reference of limits. (ntendon, 2)"""
    tendon_solimp_lim: Array[np.float64]
    """Impedance of limits. (ntendon, 5)"""
    tendon_solref_fri: Array[np.float64]
    """Reference of friction. (ntendon, 2)"""
    tendon_solimp_fri: Array[np.float64]
    """Impedance of friction. (ntendon, 5)"""
    tendon_range: Array[np.float64]
    """Limits of the length. (ntendon, 2) [m or rad]"""
    tendon_actfrcrange: Array[np.float64]
    """Limits of the actuator force. (ntendon, 2) [N or N m]"""
    tendon_margin: Array[np.float64]
    """Distance at which limits act. (ntendon) [m or rad]"""
    tendon_stiffness: Array[np.float64]
    """Spring stiffness. (ntendon) [N/m or N m/rad]"""
    tendon_stiffnesspoly: Array[np.float64]
    """Spring terms of higher order. (ntendon, 2)"""
    tendon_damping: Array[np.float64]
    """Damping. (ntendon) [N s/m or N m s/rad]"""
    tendon_dampingpoly: Array[np.float64]
    """Damping terms of higher order. (ntendon, 2)"""
    tendon_armature: Array[np.float64]
    """Inertia against change of length. (ntendon) [kg]"""
    tendon_frictionloss: Array[np.float64]
    """Dry friction. (ntendon) [N or N m]"""
    tendon_lengthspring: Array[np.float64]
    """Lengths between which springs rest. (ntendon, 2)"""
    tendon_springyield: Array[np.float64]
    """Where the spring yields; 0: never. (ntendon)"""
    tendon_length0: Array[np.float64]
    """Length at qpos0. (ntendon) [m or rad]"""
    tendon_invweight0: Array[np.float64]
    """Inverse inertia felt at qpos0. (ntendon) [1/kg]"""
    tendon_user: Array[np.float64]
    """User numbers. (ntendon, nuser_tendon)"""
    tendon_rgba: Array[np.float32]
    """Colour. (ntendon, 4)"""
    wrap_type: Array[np.int32]
    """What a step of a path is (enums.WrapType). (nwrap)"""
    wrap_objid: Array[np.int32]
    """Joint, site or geom; -1 for a pulley. (nwrap)"""
    wrap_prm: Array[np.float64]
    """Coefficient of a joint, divisor, or side site of a geom. (nwrap)"""
    actuator_trntype: Array[np.int32]
    """What it acts on (enums.Transmission). (nactuator)"""
    actuator_dyntype: Array[np.int32]
    """Dynamics of its activation (enums.Dynamics). (nactuator)"""
    actuator_gaintype: Array[np.int32]
    """Type of gain (enums.Gain). (nactuator)"""
    actuator_biastype: Array[np.int32]
    """Type of bias (enums.Bias). (nactuator)"""
    actuator_ctrladr: Array[np.int32]
    """Where its controls start. (nactuator)"""
    actuator_ctrlnum: Array[np.int32]
    """How many controls it has. (nactuator)"""
    actuator_ctrlspec: Array[np.int32]
    """What its controls are, by type of gain. (nactuator)"""
    actuator_outadr: Array[np.int32]
    """Where its force outputs start. (nactuator)"""
    actuator_outnum: Array[np.int32]
    """How many force outputs it has. (nactuator)"""
    actuator_actadr: Array[np.int32]
    """Where its activations start, or -1. (nactuator)"""
    actuator_actnum: Array[np.int32]
    """How many activations it has. (nactuator)"""
    actuator_trnid: Array[np.int32]
    """Joint, site, body or tendon; second site or -1. (nactuator, 2)"""
    actuator_cranklength: Array[np.float64]
    """Length of the connecting rod. (nactuator) [m]"""
    actuator_dynprm: Array[np.float64]
    """Parameters of the dynamics. (nactuator, 10)"""
    actuator_gainprm: Array[np.float64]
    """Parameters of the gain. (nactuator, 10)"""
    actuator_biasprm: Array[np.float64]
    """Parameters of the bias. (nactuator, 10)"""
    actuator_actlimited: Array[np.uint8]
    """Whether activation is limited. (nactuator)"""
    actuator_actrange: Array[np.float64]
    """Lower and upper activation. (nactuator, 2)"""
    actuator_actearly: Array[np.uint8]
    """Whether the next activation makes the force. (nactuator)"""
    actuator_history: Array[np.int32]
    """Samples kept, and order of interpolation. (nactuator, 2)"""
    actuator_historyadr: Array[np.int32]
    """Where its history starts, or -1. (nactuator)"""
    actuator_delay: Array[np.float64]
    """Delay of its controls. (nactuator) [s]"""
    actuator_damping: Array[np.float64]
    """Damping it adds to its joint or tendon. (nactuator)"""
    actuator_dampingpoly: Array[np.float64]
    """Quadratic and cubic damping it adds. (nactuator, 2)"""
    actuator_armature: Array[np.float64]
    """Inertia it adds to its joint or tendon. (nactuator)"""
    actuator_group: Array[np.int32]
    """Group for visibility and for switching off. (nactuator)"""
    actuator_user: Array[np.float64]
    """User numbers. (nactuator, nuser_actuator)"""
    actuator_plugin: Array[np.int32]
    """Plugin, or -1; none yet. (nactuator)"""
    actuator_forcelimited: Array[np.uint8]
    """Whether force is limited. (nactuator)"""
    actuator_forcerange: Array[np.float64]
    """Lower and upper force. (nactuator, 2) [N or N m]"""
    actuator_ctrllimited: Array[np.uint8]
    """Whether the control is limited. (nu)"""
    actuator_ctrlrange: Array[np.float64]
    """Lower and upper control. (nu, 2)"""
    actuator_gear: Array[np.float64]
    """Scale of length and force, or axes of a wrench. (nout, 6)"""
    actuator_acc0: Array[np.float64]
    """Acceleration at qpos0 from unit force. (nout)"""
    actuator_length0: Array[np.float64]
    """Length of the transmission at qpos0. (nout) [m or rad]"""
    actuator_lengthrange: Array[np.float64]
    """Feasible lengths of the transmission. (nout, 2)"""
    sensor_type: Array[np.int32]
    """Type (enums.SensorType). (nsensor)"""
    sensor_datatype: Array[np.int32]
    """What its numbers are (enums.DataType). (nsensor)"""
    sensor_needstage: Array[np.int32]
    """Stage after which it is read (enums.Stage). (nsensor)"""
    sensor_objtype: Array[np.int32]
    """Type of the measured object (enums.ObjType). (nsensor)"""
    sensor_objid: Array[np.int32]
    """Measured object, or -1. (nsensor)"""
    sensor_reftype: Array[np.int32]
    """Type of the other object (enums.ObjType). (nsensor)"""
    sensor_refid: Array[np.int32]
    """Object it is measured against, or -1. (nsensor)"""
    sensor_intprm: Array[np.int32]
    """Data fields as bits, reduction, number of contacts. (nsensor, 3)"""
    sensor_dim: Array[np.int32]
    """How many numbers it reports. (nsensor)"""
    sensor_adr: Array[np.int32]
    """Where its numbers start in sensordata. (nsensor)"""
    sensor_cutoff: Array[np.float64]
    """Largest reading; 0 if there is none. (nsensor)"""
    sensor_noise: Array[np.float64]
    """Standard deviation of noise; for users. (nsensor)"""
    sensor_history: Array[np.int32]
    """Samples it keeps, and how it interpolates them. (nsensor, 2)"""
    sensor_historyadr: Array[np.int32]
    """Where its samples start, or -1. (nsensor)"""
    sensor_delay: Array[np.float64]
    """How old its readings are. (nsensor) [s]"""
    sensor_interval: Array[np.float64]
    """Period and phase of its samples. (nsensor, 2) [s]"""
    sensor_user: Array[np.float64]
    """User numbers. (nsensor, nuser_sensor)"""
    sensor_plugin: Array[np.int32]
    """Plugin, or -1; none yet. (nsensor)"""
    soft_type: Array[np.int32]
    """What it is: 0 cloth, 1 soft body, 2 chain (enums.SoftType). (nsoft)"""
    soft_vertadr: Array[np.int32]
    """First vertex. (nsoft)"""
    soft_vertnum: Array[np.int32]
    """How many vertices. (nsoft)"""
    soft_faceadr: Array[np.int32]
    """First triangle of its surface. (nsoft)"""
    soft_facenum: Array[np.int32]
    """How many triangles. (nsoft)"""
    soft_rodadr: Array[np.int32]
    """First segment. (nsoft)"""
    soft_rodnum: Array[np.int32]
    """How many segments. (nsoft)"""
    soft_group: Array[np.int32]
    """Group, for showing and hiding. (nsoft)"""
    soft_contype: Array[np.int32]
    """Kinds of contact it is of, as bits. (nsoft)"""
    soft_conaffinity: Array[np.int32]
    """Kinds of contact it takes part in, as bits. (nsoft)"""
    soft_selfcollide: Array[np.int32]
    """1 if its vertices touch each other. (nsoft)"""
    soft_rgba: Array[np.float32]
    """Colour. (nsoft, 4)"""
    soft_radius: Array[np.float64]
    """Radius of vertices, as spheres, towards geoms. (nsoft) [m]"""
    soft_spacing: Array[np.float64]
    """Radius of vertices towards those of deformables. (nsoft) [m]"""
    soft_friction: Array[np.float64]
    """Friction; of a contact it is the geometric mean of both sides. (nsoft)"""
    soft_solref: Array[np.float64]
    """How penetrations are mended: time constant and damping ratio. (nsoft, 2)"""
    soft_damping: Array[np.float64]
    """How fast motion fades that is not the motion of a rigid body. (nsoft) [1/s]"""
    soft_drag: Array[np.float64]
    """Drag of the medium on its surface. (nsoft)"""
    soft_period: Array[np.float64]
    """Longest substep that resolves its material. (nsoft) [s]"""
    soft_curved: int
    """1 if a surface is bent at rest."""
    softvert_soft: Array[np.int32]
    """Deformable of a vertex, or -1. (nsoftpoint)"""
    softvert_pos0: Array[np.float64]
    """Where vertices are after a reset. (nsoftpoint, 3) [m]"""
    softvert_invmass: Array[np.float64]
    """Inverse mass; 0 if the vertex is pinned. (nsoftpoint) [1/kg]"""
    softface_vert: Array[np.int32]
    """Vertices of triangles of surfaces, counter-clockwise from outside. (nsoftface, 3)"""
    softmem_vert: Array[np.int32]
    """Vertices of a triangle. (nsoftmem, 3)"""
    softmem_inv: Array[np.float64]
    """Inverse of its two edges at rest, by rows. (nsoftmem, 4) [1/m]"""
    softmem_weight: Array[np.float64]
    """Products of its gradients with inverse masses: 11, 12, 22. (nsoftmem, 3)"""
    softmem_mu: Array[np.float64]
    """Shear modulus times volume. (nsoftmem) [N m]"""
    softmem_lambda: Array[np.float64]
    """First parameter of Lame, in the plane, and the shear modulus, times volume. (nsoftmem) [N m]"""
    softmem_color: Array[np.int32]
    """First triangle of a colour, and the first beyond it. (nsoftmemcolor, 2)"""
    softhinge_vert: Array[np.int32]
    """Vertices: two of the edge, one at each side. (nsofthinge, 4)"""
    softhinge_coef: Array[np.float64]
    """Weights whose sum over vertices is the bending vector, as long as the turning angle is large. (nsofthinge, 4) [1/m]"""
    softhinge_bend: Array[np.float64]
    """The bending vector at rest, along the normal. (nsofthinge)"""
    softhinge_weight: Array[np.float64]
    """Squares of weights times inverse masses. (nsofthinge) [1/(kg m^2)]"""
    softhinge_stiffness: Array[np.float64]
    """Stiffness, for an angle. (nsofthinge) [N m]"""
    softhinge_color: Array[np.int32]
    """First hinge of a colour, and the first beyond it. (nsofthingecolor, 2)"""
    softtet_vert: Array[np.int32]
    """Vertices of a tetrahedron. (nsofttet, 4)"""
    softtet_inv: Array[np.float64]
    """Inverse of its three edges at rest, by rows. (nsofttet, 9) [1/m]"""
    softtet_weight: Array[np.float64]
    """Products of its gradients with inverse masses: 11, 12, 13, 22, 23, 33. (nsofttet, 6)"""
    softtet_mu: Array[np.float64]
    """Shear modulus times volume. (nsofttet) [N m]"""
    softtet_lambda: Array[np.float64]
    """First parameter of Lame, and the shear modulus, times volume. (nsofttet) [N m]"""
    softtet_color: Array[np.int32]
    """First tetrahedron of a colour, and the first beyond it. (nsofttetcolor, 2)"""
    softedge_vert: Array[np.int32]
    """Vertices of an edge. (nsoftedge, 2)"""
    softedge_length: Array[np.float64]
    """Length at rest. (nsoftedge) [m]"""
    softedge_stiffness: Array[np.float64]
    """Stiffness. (nsoftedge) [N/m]"""
    softedge_color: Array[np.int32]
    """First edge of a colour, and the first beyond it. (nsoftedgecolor, 2)"""
    softrod_vert: Array[np.int32]
    """Vertices of a segment. (nsoftrod, 2)"""
    softrod_length: Array[np.float64]
    """Length at rest. (nsoftrod) [m]"""
    softrod_invinertia: Array[np.float64]
    """Inverse inertia across its axis, and about it. (nsoftrod, 2) [1/(kg m^2)]"""
    softrod_stiffness: Array[np.float64]
    """Stiffness in shear and in stretching. (nsoftrod, 2) [N]"""
    softrod_quat0: Array[np.float64]
    """How segments are turned after a reset; their third axis is along them. (nsoftrod, 4)"""
    softrod_color: Array[np.int32]
    """First segment of a colour, and the first beyond it. (nsoftrodcolor, 2)"""
    softtwist_rod: Array[np.int32]
    """Two segments that follow each other. (nsofttwist, 2)"""
    softtwist_rest: Array[np.float64]
    """The second in the frame of the first, at rest. (nsofttwist, 4)"""
    softtwist_stiffness: Array[np.float64]
    """Stiffness in bending and in twisting, for an angle. (nsofttwist, 2) [N m]"""
    softtwist_color: Array[np.int32]
    """First pair of a colour, and the first beyond it. (nsofttwistcolor, 2)"""
    softpin_vert: Array[np.int32]
    """Vertex that is attached. (nsoftpin)"""
    softpin_body: Array[np.int32]
    """Body to which. (nsoftpin)"""
    softpin_pos: Array[np.float64]
    """Where, in the body's frame. (nsoftpin, 3) [m]"""
    opt_softsubsteps: int
    """Substeps of deformables in a step; 0 for as many as their materials need, up to softsubstepmax."""
    opt_softsubstepmax: int
    """The most substeps that are chosen so."""
    opt_softpasses: int
    """How often deformables and rigid constraints are solved by turns in a step, 1 to 4."""
    opt_softsleep: float
    """Deformables all of whose vertices are slower fall asleep; 0 for never. [m/s]"""
    missing: int
    """How many features a step would need and does not have."""
    version: int
    """How often the model was looked at and found changed."""
    sensing: int
    """Groups of sensors to read, as bits; 0 if they are switched off."""
    constraining: int
    """Kinds of constraints that there may be, as bits (step.constraint.kinds)."""
    nrun: int
    """How many runs of bodies there are (step.sleeping.body_runs)."""
    runs: Array[np.int32]
    """Of each run: its bodies, joints, dofs, geoms, sites, positions and moving geoms, its tree, and whether it is alone. (nbody, 16)"""
    called: int
    """Callbacks that there are, as bits (step.callbacks)."""
    cam_focal: Array[np.float64]
    """Focal lengths of cameras; 0 if the field of view decides. (ncam, 2) [pixels]"""
    cam_centre: Array[np.float64]
    """Where pictures of cameras are straight ahead. (ncam, 2) [pixels]"""
    sensor_grid: Array[np.float64]
    """Of a touch grid: columns and rows, field of view in degrees, gamma, channels. (nsensor, 6)"""
    mesh_polydist: Array[np.float64]
    """How far polygons of hulls are from the mesh's origin; 0 if no sensor asks. (nmeshpoly) [m]"""
    watched_now: Array[np.int64]
    """All watched fields, as words, and behind them those that say where static geoms are. (nfront)"""
    watched_seen: Array[np.int64]
    """What they were when the model was last looked at. (nfront)"""
    opt_strict: int
    """1 if a solver that does not converge is an error (SolverFailed)."""
    dof_runlength: Array[np.int32]
    """How many dofs the factor of M handles at once with this one. (nv)"""
    wrap_sideid: Array[np.int32]
    """Side site of a step around a geom, or -1. (nwrap)"""
    actuator_kinds: int
    """Kinds of actuators with stages of their own, as bits."""
    actuator_slots: Array[np.int32]
    """Activations that a PID, DC motor or Hill muscle has, as bits. (nactuator)"""
    moment_rownnz: Array[np.int32]
    """Dofs that each force output can act on. (nout)"""
    moment_rowadr: Array[np.int32]
    """Where its moment arms start. (nout)"""
    moment_colind: Array[np.int32]
    """These dofs. (nJmom)"""
    tenseg_adr: Array[np.int32]
    """First straight segment of a tendon's path. (ntendon)"""
    tenseg_num: Array[np.int32]
    """How many segments the path may run along. (ntendon)"""
    tenseg_step: Array[np.int32]
    """Steps of the path at both ends: sites, or a geom that the path may touch. (ntenseg, 2)"""
    tenseg_bodyid: Array[np.int32]
    """Bodies of these. (ntenseg, 2)"""
    tenseg_pulley: Array[np.int32]
    """Step of the pulley that begins its branch, or -1. (ntenseg)"""
    families: int
    """Kinds of pairs among the candidates for contact, as bits."""
    strangers: int
    """How many candidates and flags are of a kind whose contacts are not there."""
    candidate_geom: Array[np.int32]
    """Geoms that can touch; the type of the first is not the larger one. (ncandidate, 2)"""
    candidate_pair: Array[np.int32]
    """The pair of the description that says so, or -1. (ncandidate)"""
    swept_sorted: int
    """Whether geoms are put in order for a sweep."""
    swept_in_lanes: int
    """Whether worlds in lockstep sweep as well."""
    swept_geom: Array[np.int32]
    """Geoms among which near pairs are found by a sweep. (nswept)"""
    swept_word: Array[np.int64]
    """Those that follow and can touch, as bits; nothing where geoms are put in order. (nswept)"""
    candidate_at: Array[np.int32]
    """Candidate of two of these; of those that cannot touch, a bit beyond all. (nsweptpair)"""
    unlisted_shift: int
    """Bits of a place in the sweep where pairs are too many to be listed; 0 where they are."""
    unlisted_stride: int
    """How many places so many bits have."""
    type_family: Array[np.int32]
    """Kind of pair by the types of both geoms, or -1. (9, 9)"""
    always_candidate: Array[np.int32]
    """Candidates that no sweep finds: with planes, and of pairs. (nalways)"""
    candidate_family: Array[np.int32]
    """Which kind of pair it is (step.collision.families), or -1. (ncandidate)"""
    static_version: int
    """How often static geoms were found elsewhere, or of another size."""
    static_differs: int
    """Whether worlds of a batch may have static geoms at places of their own."""
    static_geom: Array[np.int32]
    """Static geoms that are in a tree, in its order (step.collision.static_bvh). (nstatic)"""
    static_levels: int
    """How many levels of boxes the tree has."""
    static_level: Array[np.int32]
    """The first box of each level, from the spheres upward. (8)"""
    static_first: int
    """The first number of a pair of a moving and a static geom."""
    static_shift: int
    """Bits of the moving geom in such a number."""
    static_stride: int
    """How many moving geoms so many bits have."""
    moving_geom: Array[np.int32]
    """Geoms that are not static; none if there is no tree. (nmoving)"""
    geom_sdf: Array[np.int32]
    """Distance function of a geom of type sdf (enums.SdfShape); 0 for others. (ngeom)"""
    geom_sdfprm: Array[np.float64]
    """Its parameters. (ngeom, 5)"""
    geom_gridsize: Array[np.int32]
    """Values of its grid along x, y and z. (ngeom, 3)"""
    geom_gridadr: Array[np.int32]
    """First value of its grid, among those of all grids. (ngeom)"""
    geom_gridcell: Array[np.float64]
    """Distance between values of its grid. (ngeom) [m]"""
    geom_gridorigin: Array[np.float64]
    """Where the first value is, in the geom's frame. (ngeom, 3) [m]"""
    grid_data: Array[np.float64]
    """Signed distances of all grids, in the order Z-Y-X. (ngrid) [m]"""
    hull_vertadr: Array[np.int32]
    """First vertex of a mesh's hull, among those of all hulls. (nmesh)"""
    hull_vertnum: Array[np.int32]
    """How many vertices the hull has. (nmesh)"""
    hull_vert: Array[np.float64]
    """Vertices of hulls, in the mesh's own frame. (nhullvert, 3) [m]"""
    hull_vertid: Array[np.int32]
    """Which vertex of the mesh each of them is. (nhullvert)"""
    hull_edgeadr: Array[np.int32]
    """First neighbour of a hull's vertex. (nhullvert)"""
    hull_edgenum: Array[np.int32]
    """How many neighbours it has. (nhullvert)"""
    hull_edge: Array[np.int32]
    """Neighbours, among the vertices of all hulls. (nhulledge)"""
    hull_edgevert: Array[np.float64]
    """Where they are. (nhulledge, 3) [m]"""
    hull_toward: Array[np.int32]
    """Vertices of hulls farthest in directions through 6 x 8 x 8 cells of a cube, counted within the hull. (nmesh, 384)"""
    hull_polypoint: Array[np.float64]
    """Vertices of the polygons of hulls, as mesh_polyvert lists them. (nmeshpolyvert, 3) [m]"""
    def body(self, key: str | int) -> ModelBody: ...
    def joint(self, key: str | int) -> ModelJoint: ...
    def geom(self, key: str | int) -> ModelGeom: ...
    def site(self, key: str | int) -> ModelSite: ...
    def camera(self, key: str | int) -> ModelCamera: ...
    def light(self, key: str | int) -> ModelLight: ...
    def tendon(self, key: str | int) -> ModelTendon: ...
    def actuator(self, key: str | int) -> ModelActuator: ...
    def soft(self, key: str | int) -> ModelSoft: ...
    def sensor(self, key: str | int) -> ModelSensor: ...
    def pair(self, key: str | int) -> ModelPair: ...
    def exclude(self, key: str | int) -> ModelExclude: ...
    def equality(self, key: str | int) -> ModelEquality: ...
    def key(self, key: str | int) -> ModelKey: ...
    def hfield(self, key: str | int) -> ModelHfield: ...
    def texture(self, key: str | int) -> ModelTexture: ...
    def material(self, key: str | int) -> ModelMaterial: ...
    def mesh(self, key: str | int) -> ModelMesh: ...
    def skin(self, key: str | int) -> ModelSkin: ...
    def numeric(self, key: str | int) -> ModelNumeric: ...
    def tuple(self, key: str | int) -> ModelTuple: ...
    def jnt(self, key: str | int) -> ModelJoint: ...
    def cam(self, key: str | int) -> ModelCamera: ...
    def ten(self, key: str | int) -> ModelTendon: ...
    def eq(self, key: str | int) -> ModelEquality: ...
    def tex(self, key: str | int) -> ModelTexture: ...
    def mat(self, key: str | int) -> ModelMaterial: ...
    def keyframe(self, key: str | int) -> ModelKey: ...

class DataFields:
    """Fields of Data."""

    time: float
    """Simulation time. [s]"""
    qpos: Array[np.float64]
    """Position. (nq) [m or rad]"""
    qvel: Array[np.float64]
    """Velocity. (nv) [m/s or rad/s]"""
    act: Array[np.float64]
    """Actuator activation. (na)"""
    history: Array[np.float64]
    """Past controls and readings, with their times. (nhistory)"""
    qacc_warmstart: Array[np.float64]
    """Acceleration from which the solver starts. (nv)"""
    ctrl: Array[np.float64]
    """Control. (nu)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (nv) [N or N m]"""
    xfrc_applied: Array[np.float64]
    """Force, then torque, applied at centres of mass. (nbody, 6)"""
    eq_active: Array[np.float64]
    """1 for equalities that hold, 0 for those that are off. (neq)"""
    mocap_pos: Array[np.float64]
    """Position of mocap bodies. (nmocap, 3) [m]"""
    mocap_quat: Array[np.float64]
    """Orientation of mocap bodies. (nmocap, 4)"""
    userdata: Array[np.float64]
    """User numbers. (nuserdata)"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nplastic) [m or rad]"""
    tree_asleep: Array[np.float64]
    """Negative: awake, quiet steps counted up to -1; else asleep, the next tree of those that fell asleep together. (ntree)"""
    placed_qpos: Array[np.float64]
    """Position for which bodies were placed, if trees may sleep. (nq) [m or rad]"""
    placed_mocap: Array[np.float64]
    """Mocap poses for which bodies were placed, if trees may sleep. (nmocap, 7)"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of trees that sleep, as they fell asleep. (nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of trees that sleep, as they fell asleep, in the metric of a step. (nv) [m/s2 or rad/s2]"""
    resting_rate: Array[np.float64]
    """act_dot of actuators that sleep. (na)"""
    resting_read: Array[np.float64]
    """Readings of sensors that sleep. (nsensordata)"""
    noise: Array[np.float64]
    """Seed of the noise of sensors, 0 for none, and the number of the next draw. (nnoise)"""
    softvert_pos: Array[np.float64]
    """Where vertices of deformables are. (nsoftvert, 3) [m]"""
    softvert_vel: Array[np.float64]
    """How they move. (nsoftvert, 3) [m/s]"""
    softhold_geom: Array[np.float64]
    """A geom that a vertex touches, and one more; 0 for none. (nsofthold)"""
    softhold_anchor: Array[np.float64]
    """Where friction holds it, in the geom's frame. (nsofthold, 3) [m]"""
    softhold_load: Array[np.float64]
    """How hard it was pressed there, a running mean. (nsofthold) [N]"""
    softhold_gap: Array[np.float64]
    """How deep it was there, at most 0: what is left to be mended. (nsofthold) [m]"""
    softrod_quat: Array[np.float64]
    """How segments of chains are turned. (nsoftrod, 4)"""
    softrod_omega: Array[np.float64]
    """How they spin, in their own frame. (nsoftrod, 3) [rad/s]"""
    soft_quiet: Array[np.float64]
    """Steps for which a deformable has been quiet; asleep from 50 on. (nsoft)"""
    soft_rigid: Array[np.float64]
    """Forces of rigid constraints, at the end of the last step. (nsoftdof) [N or N m]"""
    softvert_applied: Array[np.float64]
    """Force applied to a vertex. (nsoftvert, 3) [N]"""
    status: int
    """What went wrong, or 0."""
    status_index: int
    """Which qpos, dof or other object it was."""
    status_value: float
    """The offending number."""
    steps_done: int
    """Steps of the last call."""
    warning_count: Array[np.int32]
    """How often each warning was given in the last call. (4)"""
    warning_index: Array[np.int32]
    """Which object it was first. (4)"""
    warning_value: Array[np.float64]
    """The number that it was about, first. (4)"""
    energy: Array[np.float64]
    """Potential and kinetic energy. (2) [J]"""
    xpos: Array[np.float64]
    """Origin of each body. (nbody, 3) [m]"""
    xquat: Array[np.float64]
    """Orientation of each body. (nbody, 4)"""
    xmat: Array[np.float64]
    """Orientation of each body. (nbody, 9)"""
    xipos: Array[np.float64]
    """Centre of mass of each body. (nbody, 3) [m]"""
    xiquat: Array[np.float64]
    """Principal axes of each body. (nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of each body. (nbody, 9)"""
    xanchor: Array[np.float64]
    """Anchor of each joint. (njnt, 3) [m]"""
    xaxis: Array[np.float64]
    """Axis of each joint. (njnt, 3)"""
    geom_xpos: Array[np.float64]
    """Position of each geom. (ngeom, 3) [m]"""
    geom_xquat: Array[np.float64]
    """Orientation of each geom. (ngeom, 4)"""
    geom_xmat: Array[np.float64]
    """Orientation of each geom. (ngeom, 9)"""
    site_xpos: Array[np.float64]
    """Position of each site. (nsite, 3) [m]"""
    site_xquat: Array[np.float64]
    """Orientation of each site. (nsite, 4)"""
    site_xmat: Array[np.float64]
    """Orientation of each site. (nsite, 9)"""
    cam_xpos: Array[np.float64]
    """Position of each camera. (ncam, 3) [m]"""
    cam_xmat: Array[np.float64]
    """Orientation of each camera. (ncam, 9)"""
    light_xpos: Array[np.float64]
    """Position of each light. (nlight, 3) [m]"""
    light_xdir: Array[np.float64]
    """Direction of each light. (nlight, 3)"""
    subtree_com: Array[np.float64]
    """Centre of each subtree. (nbody, 3) [m]"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (nv, 6)"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre. (nbody, 10)"""
    ten_wrapadr: Array[np.int32]
    """Where the points of a path start. (ntendon)"""
    ten_wrapnum: Array[np.int32]
    """How many points a path has. (ntendon)"""
    ten_J: Array[np.float64]
    """How dofs change lengths: rows of tendons, CSR. (nJten)"""
    ten_length: Array[np.float64]
    """Length of each tendon. (ntendon) [m or rad]"""
    wrap_obj: Array[np.int32]
    """Geom on which a point is; -1: at a site, -2: a pulley. (nwrap, 2)"""
    wrap_xpos: Array[np.float64]
    """Points of all paths, two a row, one after another. (nwrap, 6) [m]"""
    actuator_length: Array[np.float64]
    """Length of each transmission. (nout) [m or rad]"""
    actuator_moment: Array[np.float64]
    """Its moment arms, as moment_colind has them. (nJmom)"""
    crb: Array[np.float64]
    """Inertia of each subtree. (nbody, 10)"""
    M: Array[np.float64]
    """Joint-space inertia, CSR, lower half. (nC)"""
    qLD: Array[np.float64]
    """L'DL factor of M. (nC)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (nv)"""
    ten_velocity: Array[np.float64]
    """How fast lengths change. (ntendon) [m/s or rad/s]"""
    actuator_velocity: Array[np.float64]
    """Velocity of each transmission. (nout) [m/s or rad/s]"""
    cvel: Array[np.float64]
    """Velocity of each body. (nbody, 6)"""
    cdof_dot: Array[np.float64]
    """Change of cdof. (nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Coriolis, centrifugal, gravity. (nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (nv)"""
    qfrc_fluid: Array[np.float64]
    """Force of the medium. (nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Pull of contacts. (nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (nv)"""
    subtree_linvel: Array[np.float64]
    """Velocity of each subtree. (nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Its angular momentum. (nbody, 3) [kg m^2/s]"""
    ten_force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (ntendon) [N or N m]"""
    ten_passive: Array[np.float64]
    """The part of it that is spring and damper. (ntendon) [N or N m]"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, the change of velocity over a step, by its length. (nv) [m/s^2]"""
    act_dot: Array[np.float64]
    """Rate of each activation. (na)"""
    qH: Array[np.float64]
    """L'DL factor of M with damping, or of what a step's metric has in M's pattern. (nC)"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (nv)"""
    actuator_force: Array[np.float64]
    """Force of each transmission. (nout) [N or N m]"""
    qfrc_actuator: Array[np.float64]
    """Actuator force, as joints feel it. (nv)"""
    qfrc_smooth: Array[np.float64]
    """All forces but constraints. (nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (nv)"""
    qfrc_inverse: Array[np.float64]
    """Force that inverse dynamics finds. (nv) [N or N m]"""
    solver_fwdinv: Array[np.float64]
    """Constraint force and applied force: forward against inverse dynamics. (2) [N or N m]"""
    cacc: Array[np.float64]
    """Acceleration of each body. (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Force between each body and its parent. (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Force on each body from outside. (nbody, 6)"""
    qDeriv: Array[np.float64]
    """Derivative of smooth forces with respect to velocities, CSR. (nD)"""
    qLU: Array[np.float64]
    """LU factor of M - h qDeriv. (nD)"""
    sensordata: Array[np.float64]
    """Readings of sensors. (nsensordata)"""
    ncon: int
    """How many contacts there are."""
    contact_dist: Array[np.float64]
    """Distance between the nearest points; negative if they are inside. (nconmax) [m]"""
    contact_pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (nconmax, 3) [m]"""
    contact_frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (nconmax, 9)"""
    contact_includemargin: Array[np.float64]
    """Distance below which the contact pushes. (nconmax) [m]"""
    contact_friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (nconmax, 5)"""
    contact_solref: Array[np.float64]
    """Reference, normal direction. (nconmax, 2)"""
    contact_solreffriction: Array[np.float64]
    """Reference along friction; 0 0 as the normal. (nconmax, 2)"""
    contact_solimp: Array[np.float64]
    """Impedance. (nconmax, 5)"""
    contact_adhesion: Array[np.float64]
    """Largest pulling force. (nconmax) [N]"""
    contact_surfacevel: Array[np.float64]
    """Velocity of the second surface past the first: along both tangents, and spin. (nconmax, 3)"""
    contact_dim: Array[np.int32]
    """Dimension of the force: 1, 3, 4 or 6. (nconmax)"""
    contact_geom: Array[np.int32]
    """The two geoms; the type of the first is not the larger one. (nconmax, 2)"""
    contact_exclude: Array[np.int32]
    """0 if it can push, 1 if it is in the gap, 3 if it moves nothing. (nconmax)"""
    contact_efc_address: Array[np.int32]
    """Its first row among constraints; -1 if it has none. (nconmax)"""
    ne: int
    """How many rows are of equalities; they come first."""
    nf: int
    """How many are of friction loss; they come next."""
    nl: int
    """How many are of limits; contacts come last."""
    nefc: int
    """How many rows there are."""
    nJ: int
    """How many entries the Jacobian has."""
    efc_type: Array[np.int32]
    """Kind of constraint. (nefcmax)"""
    efc_id: Array[np.int32]
    """Which equality, dof, joint, tendon or contact it is of. (nefcmax)"""
    efc_J_rownnz: Array[np.int32]
    """Entries of each row of the Jacobian. (nefcmax)"""
    efc_J_rowadr: Array[np.int32]
    """Where they start. (nefcmax)"""
    efc_J_colind: Array[np.int32]
    """Their dofs, in rising order. (nJmax)"""
    efc_J_value: Array[np.float64]
    """The entries; `efc_J` is dense or these, as opt.jacobian says. (nJmax)"""
    efc_pos: Array[np.float64]
    """Violation: of an equality, how far off; else the distance from the limit or surface. (nefcmax) [m or rad]"""
    efc_margin: Array[np.float64]
    """Distance below which the constraint acts. (nefcmax) [m or rad]"""
    efc_frictionloss: Array[np.float64]
    """Largest force of friction loss. (nefcmax) [N or N m]"""
    efc_diagA: Array[np.float64]
    """Diagonal of J M^-1 J', or what stands for it. (nefcmax)"""
    efc_KBIP: Array[np.float64]
    """Stiffness, damping, impedance and its slope. (nefcmax, 4)"""
    efc_D: Array[np.float64]
    """Constraint mass: 1 / R. (nefcmax)"""
    efc_R: Array[np.float64]
    """Regularisation. (nefcmax)"""
    tendon_efcadr: Array[np.int32]
    """First row of each tendon, or -1. (ntendon)"""
    efc_vel: Array[np.float64]
    """Velocity along the row: J qvel. (nefcmax) [m/s or rad/s]"""
    efc_aref: Array[np.float64]
    """Acceleration that the constraint asks for. (nefcmax) [m/s^2 or rad/s^2]"""
    efc_state: Array[np.int32]
    """Satisfied 0, quadratic 1, linear below 2 or above 3, cone 4. (nefcmax)"""
    efc_force: Array[np.float64]
    """Force of the constraint. (nefcmax) [N or N m]"""
    contact_mu: Array[np.float64]
    """Friction of the regularised cone. (nconmax)"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; the lower one's if both act. (njnt) [N or N m]"""
    ten_limit_frc: Array[np.float64]
    """Force of each tendon's limit; the lower one's if both act. (ntendon) [N or N m]"""
    nisland: int
    """How many islands there are: groups of trees that constraints couple."""
    tree_island: Array[np.int32]
    """Island of each tree; -1 if it has no constraints. (ntree)"""
    dof_island: Array[np.int32]
    """Island of each dof; -1 if it has no constraints. (nv)"""
    efc_island: Array[np.int32]
    """Island of each row. (nefcmax)"""
    solver_niter: Array[np.int32]
    """Iterations of each island, with those of the noslip pass. (20)"""
    solver_improvement: Array[np.float64]
    """What the last iteration gained, scaled. (20)"""
    solver_gradient: Array[np.float64]
    """Norm of the gradient in the end, scaled. (20)"""
    solver_converged: int
    """1 if all islands came below the tolerance."""
    solver_residual: float
    """Largest gradient that is left in an island, scaled; with PGS, the last gain."""
    state: Array[np.float64]
    """All numbers of the state, one after another. (nstate)"""
    kept_state: Array[np.float64]
    """The state from which the step started. (nstate)"""
    model_version: int
    """The version of the model for which units are loaded; set by Python."""
    jnt_turn: Array[np.float64]
    """Rotation in each joint. (njnt, 4)"""
    settled: int
    """The version of static geoms for which their places and tree are here."""
    wrap_arc: Array[np.float64]
    """Length of path on a geom, -1 if it is clear. (nwrap)"""
    wrap_begin: Array[np.float64]
    """Where the path begins to touch the geom. (nwrap, 3)"""
    wrap_leave: Array[np.float64]
    """Where the path leaves the geom. (nwrap, 3)"""
    tenseg_start: Array[np.float64]
    """Where a straight segment of a path starts: at a site, or where the path leaves a geom. (ntenseg, 3) [m]"""
    tenseg_end: Array[np.float64]
    """Where it ends: at a site, or where the path meets a geom. (ntenseg, 3) [m]"""
    tenseg_share: Array[np.float64]
    """Its weight in the length, 1 / divisor of the pulley; 0 if the path does not run along it. (ntenseg)"""
    ray_stack: Array[np.int32]
    """Boxes of a mesh that a ray has still to look into. (64)"""
    contact_candidate: Array[np.int32]
    """The pair of geoms, among those of the model that can touch. (nconmax)"""
    contact_time: Array[np.float64]
    """When within the step it begins, as a part of it; 0 if it is there. (nconmax)"""
    contact_closing: Array[np.float64]
    """How much nearer geoms come in a step until then. (nconmax) [m]"""
    geom_slide: Array[np.float64]
    """How far geoms move in a step. (ngeom, 3) [m]"""
    geom_spin: Array[np.float64]
    """How far they turn; nothing for balls. (ngeom, 3) [rad]"""
    geom_travel: Array[np.float64]
    """How far any point of them moves, at most. (ngeom) [m]"""
    geom_fast: Array[np.int32]
    """1 if that is so far that they could pass something unseen. (ngeom)"""
    asked: int
    """1 in worlds in which the candidate is near."""
    geom_reach: Array[np.float64]
    """Radius within which a geom can have contacts. (ngeom) [m]"""
    near_word: Array[np.int64]
    """Candidates whose spheres meet, as bits. (nnearmax)"""
    swept: int
    """How many geoms are in order."""
    sweep_order: Array[np.int32]
    """Geoms of the sweep in order. (ngeom)"""
    sweep_low: Array[np.float64]
    """Where their spheres begin. (ngeom) [m]"""
    sweep_x: Array[np.float64]
    """Where they are. (ngeom) [m]"""
    sweep_y: Array[np.float64]
    """The same along y. (ngeom) [m]"""
    sweep_z: Array[np.float64]
    """The same along z. (ngeom) [m]"""
    sweep_reach: Array[np.float64]
    """Their radii. (ngeom) [m]"""
    test_count: Array[np.int32]
    """Pairs of a family that came to each test, for a report. (3)"""
    pair_turn: Array[np.float64]
    """Axes of the first geom of a pair with a distance field, in those of the second. (9)"""
    pair_shift: Array[np.float64]
    """Where the first geom is, seen from the second. (3) [m]"""
    look_at: Array[np.float64]
    """A point in the frame of the second geom. (3) [m]"""
    look_distance: float
    """How far it is from one of the geoms. [m]"""
    look_gradient: Array[np.float64]
    """The gradient of that. (3)"""
    touches: int
    """Points at which a pair touches that has a distance field."""
    touch_apart: float
    """Points that are nearer to each other are one. [m]"""
    touch_dist: Array[np.float64]
    """Their distances. (50) [m]"""
    touch_pos: Array[np.float64]
    """Where they are, in the frame of the field. (50, 3) [m]"""
    touch_normal: Array[np.float64]
    """Normals, from the first geom to the second. (50, 3)"""
    touch_left: float
    """The deepest point that did not end at a surface: its distance. [m]"""
    touch_left_pos: Array[np.float64]
    """Where it is. (3) [m]"""
    touch_left_normal: Array[np.float64]
    """Its normal. (3)"""
    face_point: Array[np.float64]
    """Corners of a triangle, in the frame of the field. (3, 3) [m]"""
    box_turn: Array[np.float64]
    """Rows: axes of one box in those of the other. (3, 3)"""
    box_polygon: Array[np.float64]
    """Two polygons of twelve corners at most. (24, 3) [m]"""
    static_x: Array[np.float64]
    """Where static geoms are, in the order of the tree. (nstaticpad) [m]"""
    static_y: Array[np.float64]
    """The same along y. (nstaticpad) [m]"""
    static_z: Array[np.float64]
    """The same along z. (nstaticpad) [m]"""
    static_reach: Array[np.float64]
    """Radii within which they can have contacts. (nstaticpad) [m]"""
    box_xlow: Array[np.float64]
    """Where boxes of the tree begin. (nstaticbox) [m]"""
    box_xhigh: Array[np.float64]
    """Where they end. (nstaticbox) [m]"""
    box_ylow: Array[np.float64]
    """The same along y. (nstaticbox) [m]"""
    box_yhigh: Array[np.float64]
    """The same along y. (nstaticbox) [m]"""
    box_zlow: Array[np.float64]
    """The same along z. (nstaticbox) [m]"""
    box_zhigh: Array[np.float64]
    """The same along z. (nstaticbox) [m]"""
    walk_bits: Array[np.int64]
    """Boxes that a search has still to look into, on each level, as bits. (8)"""
    walk_first: Array[np.int32]
    """The first of these boxes, counted on its level. (8)"""
    nstaticpair: int
    """How many pairs of a moving and a static geom are near."""
    static_pair: Array[np.int32]
    """These pairs, in the order of contacts. (nstaticmax)"""
    static_key: Array[np.int32]
    """What decides that order: both bodies, both geoms. (nstaticmax, 4)"""
    static_next: int
    """How many of them were given to their families."""
    static_head: int
    """The next of them, or -1."""
    query_geom: Array[np.int32]
    """The geoms of a question about their distance; set by Python. (2)"""
    query_reach: float
    """How far it goes; also set by Python. [m]"""
    hull_hint: Array[np.int32]
    """Hull vertices of both geoms that were farthest in the last direction, or -1. (2)"""
    simplex_weight: Array[np.float64]
    """Weights of the simplex's vertices in its point nearest to the origin. (4)"""
    diff_point: Array[np.float64]
    """Vertices of the difference of both geoms, in the axes of the first. (npolytopemax, 3) [m]"""
    diff_first: Array[np.float64]
    """The points of the first geom that they come from. (npolytopemax, 3) [m]"""
    diff_corner: Array[np.int32]
    """The corners of both geoms that they come from, or -1. (npolytopemax, 2)"""
    face_corner: Array[np.int32]
    """Vertices of the polytope's faces, counter-clockwise from outside. (npolytopemax, 3)"""
    face_x: Array[np.float64]
    """Their outward normals. (npolytopemax)"""
    face_y: Array[np.float64]
    """The same along y. (npolytopemax)"""
    face_z: Array[np.float64]
    """The same along z. (npolytopemax)"""
    face_gone: Array[np.int32]
    """Faces that the next vertex sees. (npolytopemax)"""
    face_height: Array[np.float64]
    """How far they are from the origin; negative if it is outside. (npolytopemax) [m]"""
    rim_edge: Array[np.int32]
    """Edges around what the next vertex sees of the polytope. (npolytopemax, 2)"""
    apart: Array[np.float64]
    """From the second geom to the first, a direction in which they are apart. (3)"""
    apart_axis: Array[np.float64]
    """Directions in which candidates were apart when they were last looked at, by the lowest bits of their numbers. (1024, 3)"""
    apart_corner: Array[np.int32]
    """Corners of both geoms that were nearest then, where they have a hull. (1024, 2)"""
    apart_level: float
    """How far the geom on a height field reaches in that direction. [m]"""
    prism: Array[np.float64]
    """Corners of a prism of a height field: those of its base, then those above them. (6, 3) [m]"""
    witness: Array[np.int32]
    """Vertices whose hull has the nearest or deepest point. (3)"""
    side_one: Array[np.float64]
    """Corners of a side, or the ends of an edge, of the first geom. (npolygonmax, 3) [m]"""
    side_two: Array[np.float64]
    """Corners of a side, or the ends of an edge, of the second geom. (npolygonmax, 3) [m]"""
    clipped: Array[np.float64]
    """What is left of one side above the other, before and after a cut. (npolygonmax, 3) [m]"""
    clipped_dist: Array[np.float64]
    """How far their corners are from the other side. (npolygonmax) [m]"""
    found: int
    """Contacts of a pair."""
    found_dist: Array[np.float64]
    """Their distances. (4) [m]"""
    found_pos: Array[np.float64]
    """Where they are, in the axes of the first geom. (4, 3) [m]"""
    found_normal: Array[np.float64]
    """Their normal, in the axes of the first geom. (3)"""
    nearest: int
    """1 if a prism of a height field was found within reach of a geom."""
    nearest_dist: float
    """The distance of the nearest prism so far. [m]"""
    nearest_pos: Array[np.float64]
    """Where it is, in the axes of the height field. (3) [m]"""
    nearest_normal: Array[np.float64]
    """The direction from there to the geom. (3)"""
    contact_match: Array[np.int32]
    """Whether a sensor is for a contact: 1, -1 the other way round, 0; or geoms that touch. (nconmax)"""
    efc_invweight: Array[np.float64]
    """Inverse weight of each row, before a step's metric makes it heavier. (nefcmax)"""
    forward_force: Array[np.float64]
    """efc_force of forward dynamics, while it is compared with the inverse. (nefcmax) [N or N m]"""
    contact_wrench: Array[np.float64]
    """Force and torque of contacts that were asked for, in their frames. (nconmax, 6) [N or N m]"""
    row_solve: Array[np.float64]
    """A row of J on its way through the factor of M; zero in between. (nv)"""
    query_point: Array[np.float64]
    """The point that is asked for; set by Python. (3) [m]"""
    query_force: Array[np.float64]
    """A force on it; set by Python. (3) [N]"""
    query_torque: Array[np.float64]
    """A torque on its body; set by Python. (3) [N m]"""
    query_vec: Array[np.float64]
    """A vector of dofs, and what becomes of it. (nv)"""
    query_result: Array[np.float64]
    """M times that vector. (nv)"""
    query_jacp: Array[np.float64]
    """How dofs move the point. (3, nv)"""
    query_jacr: Array[np.float64]
    """How dofs turn its body. (3, nv)"""
    query_motion: Array[np.float64]
    """Angular and linear velocity or acceleration of an object. (6)"""
    range_output: int
    """The force output whose range of lengths is looked for; set by Python."""
    range_accel: float
    """The acceleration that it is pushed with, negative for short lengths; set by Python. [rad/s² or m/s²]"""
    range_maxforce: float
    """The largest force of all dofs together, if it is positive; set by Python."""
    range_slowing: float
    """What is left of velocities after a step; set by Python."""
    range_start: float
    """Lengths count from this time on; set by Python. [s]"""
    range_end: float
    """When the search is over; set by Python. [s]"""
    range_count: int
    """Lengths that counted so far."""
    range_low: float
    """The shortest of them."""
    range_high: float
    """The longest of them."""
    rne_cacc: Array[np.float64]
    """Acceleration of each body. (nbody, 6)"""
    rne_cfrc: Array[np.float64]
    """Force on each body. (nbody, 6)"""
    body_xvel: Array[np.float64]
    """Velocity at each centre of mass. (nbody, 6)"""
    island_nv: Array[np.int32]
    """How many dofs it has. (ntree)"""
    island_dofadr: Array[np.int32]
    """Where the dofs of an island start in map_idof2dof. (ntree)"""
    map_dof2idof: Array[np.int32]
    """Place of each dof in its island. (nv)"""
    map_idof2dof: Array[np.int32]
    """Dofs by island. (nv)"""
    ifrc_smooth: Array[np.float64]
    """Force without constraints. (nvpad)"""
    iacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nvpad)"""
    iacc: Array[np.float64]
    """Acceleration. (nvpad)"""
    island_nefc: Array[np.int32]
    """How many rows it has. (ntree)"""
    map_iefc2efc: Array[np.int32]
    """Rows by island. (nefcmax)"""
    iefc_D: Array[np.float64]
    """As efc_D. (nrowmax)"""
    iefc_R: Array[np.float64]
    """As efc_R. (nrowmax)"""
    iefc_aref: Array[np.float64]
    """As efc_aref. (nrowmax)"""
    iefc_force: Array[np.float64]
    """Force. (nrowmax)"""
    tree_link: Array[np.int32]
    """Another tree of the same island, lower unless it is the lowest. (ntree)"""
    island_efcadr: Array[np.int32]
    """Where its rows start in map_iefc2efc. (ntree)"""
    idof: Array[np.int32]
    """Dofs of the island that is solved. (nv)"""
    iplace: Array[np.int32]
    """Place of each of them in it. (nv)"""
    island_done: Array[np.int32]
    """1 if it has been solved. (ntree)"""
    inext: int
    """The first island that has not been solved, or -1."""
    inext_n: int
    """Its dofs."""
    ncouple: int
    """How many rows behind all others are couplings of a step's metric."""
    icurrent: int
    """The island that is solved."""
    solving: int
    """Whether the world has an island to solve, and whether that goes on."""
    icost: float
    """Gauss' cost of the acceleration from which to start."""
    istart: int
    """Which acceleration is the better start: 1 for the last step's, 0 for the smooth one."""
    icount: int
    """Iterations so far."""
    iline_slope: float
    """Slope of the smooth cost along the search."""
    iline_curve: float
    """Its curvature."""
    iline_flat: float
    """Slope of the cost that is as good as none."""
    ialpha: float
    """How far to go along the search."""
    igain: float
    """By how much the cost falls then."""
    island_n: int
    """How many dofs the island has that is solved."""
    island_bounded: int
    """Its rows with bounds, filled up to fours."""
    island_rows: int
    """All its rows."""
    island_cones: int
    """Its contacts with elliptic cones."""
    iM: Array[np.float64]
    """Inertia matrix of the island, in the layout of M. (nC)"""
    iM_rowadr: Array[np.int32]
    """Where its rows start. (nv)"""
    iM_rownnz: Array[np.int32]
    """Entries of its rows. (nv)"""
    iM_colind: Array[np.int32]
    """Their columns. (nC)"""
    iacc_warm: Array[np.float64]
    """Acceleration from which to start. (nvpad)"""
    iMa: Array[np.float64]
    """M times the acceleration. (nvpad)"""
    iMv: Array[np.float64]
    """M times the direction of search. (nvpad)"""
    igrad: Array[np.float64]
    """Gradient of the cost. (nvpad)"""
    isearch: Array[np.float64]
    """Direction of search. (nvpad)"""
    ix: Array[np.float64]
    """Unknowns on the way to it. (nvpad)"""
    large_x: Array[np.float64]
    """Unknowns on the way to the search in a large island. (nvpad, 2)"""
    iLD: Array[np.float64]
    """Factor of M, of the island. (nC)"""
    iDinv: Array[np.float64]
    """Its inverse pivots. (nvpad)"""
    iMgrad: Array[np.float64]
    """M^-1 times the gradient. (nvpad)"""
    ilast_grad: Array[np.float64]
    """The gradient before. (nvpad)"""
    ilast_Mgrad: Array[np.float64]
    """M^-1 times the gradient before. (nvpad)"""
    ipush: Array[np.float64]
    """Acceleration that the forces make. (nvpad)"""
    iefc_Y: Array[np.float64]
    """M^-1 J', a row for each row of J. (nYmax)"""
    iefc_diag: Array[np.float64]
    """Diagonal of J M^-1 J'. (nrowmax)"""
    iefc_seed: Array[np.int32]
    """State of the generator of orders, nine bits each. (8)"""
    iefc_turn: Array[np.int32]
    """Rows and cones in the order in which they are visited. (nrowmax)"""
    iefc_before: Array[np.float64]
    """Forces before they were taken ahead. (nrowmax)"""
    iefc_ahead: Array[np.float64]
    """Forces where they were taken. (nrowmax)"""
    iefc_b: Array[np.float64]
    """Residual without forces. (nrowmax)"""
    cone_A: Array[np.float64]
    """J M^-1 J' of the rows of a cone. (nconmax, 36)"""
    cone_b: Array[np.float64]
    """Residual of a cone's rows, and what is left of it without their friction. (6)"""
    cone_old: Array[np.float64]
    """Forces of a cone before they are changed. (6)"""
    disc_A: Array[np.float64]
    """Quadratic part of a problem on a disc. (25)"""
    disc_b: Array[np.float64]
    """Its linear part. (5)"""
    disc_x: Array[np.float64]
    """Its solution. (5)"""
    disc_L: Array[np.float64]
    """A factor on the way to it. (25)"""
    disc_y: Array[np.float64]
    """How the solution changes. (5)"""
    iefc_efc: Array[np.int32]
    """Which row of all it is; -1 if it only fills up. (nrowmax)"""
    iefc_adr: Array[np.int32]
    """Where its entries start. (nrowmax)"""
    iefc_nnz: Array[np.int32]
    """How many it has. (nrowmax)"""
    iefc_colind: Array[np.int32]
    """Their dofs, as the island counts them. (nJmax)"""
    iefc_J: Array[np.float64]
    """The entries. (nJmax)"""
    quad_adr: Array[np.int32]
    """Where the columns of four rows with bounds start. (nrowmax)"""
    quad_alike: Array[np.int32]
    """1 if all four have the same columns. (nrowmax)"""
    quad_col: Array[np.int32]
    """Their dofs, as the island counts them. (nJmax)"""
    quad_J: Array[np.float64]
    """The entries of the four rows. (nJmax, 4)"""
    iefc_lo: Array[np.float64]
    """Least force of the row. (nrowmax)"""
    iefc_hi: Array[np.float64]
    """Largest force of the row. (nrowmax)"""
    iefc_x: Array[np.float64]
    """Residual: J qacc - aref. (nrowmax)"""
    iefc_v: Array[np.float64]
    """Its change along the search. (nrowmax)"""
    iefc_y: Array[np.float64]
    """Force before it is clamped. (nrowmax)"""
    iefc_dy: Array[np.float64]
    """Its change along the search. (nrowmax)"""
    iefc_quad: Array[np.float64]
    """Curvature of the cost along the search. (nrowmax)"""
    iefc_stiff: Array[np.float64]
    """Curvature of the cost in the row. (nrowmax)"""
    iefc_delta: Array[np.float64]
    """What of it H does not know yet. (nrowmax)"""
    cone_contact: Array[np.int32]
    """Contact of an elliptic cone. (nconmax)"""
    cone_row: Array[np.int32]
    """Its first row in the island. (nconmax)"""
    cone_zone: Array[np.int32]
    """Where its residual is: above, below or in the cone. (nconmax)"""
    cone_line: Array[np.float64]
    """What the line search has to know of it. (nconmax, 8)"""
    cone_cost: Array[np.float64]
    """Its cost. (nconmax)"""
    cone_hess: Array[np.float64]
    """Its Hessian in its rows. (nconmax, 36)"""
    cone_work: Array[np.float64]
    """Its Hessian times its rows. (nvpad, 6)"""
    hess: Array[np.float64]
    """M + J' D J over rows that are quadratic, of a large island. (nHmax)"""
    hess_cone: Array[np.float64]
    """The same with cones. (nHmax)"""
    hess_L: Array[np.float64]
    """Its factor by rows. (nHmax)"""
    small_H: Array[np.float64]
    """M + J' D J over rows that are quadratic, of a small island. (nsmallH)"""
    small_cone: Array[np.float64]
    """The same with cones. (nsmallH)"""
    small_L: Array[np.float64]
    """Its factor by rows. (nsmallH)"""
    small_S: Array[np.float64]
    """Its factor by columns. (nsmallH)"""
    small_Dinv: Array[np.float64]
    """Inverse pivots. (nvpad)"""
    hess_changed: int
    """Rows that were added to H, or taken out of it, since it was factored."""
    hess_middle: int
    """Contacts in the middle zone of their cones when H was factored."""
    hess_fall: float
    """grad' H^-1 grad: twice what the quadratic model falls by."""
    pattern_n: int
    """How many dofs the island had whose pattern is known."""
    pattern_word: Array[np.int64]
    """Columns that rows of H begin with, as bits. (nvpad)"""
    pattern_known: Array[np.int64]
    """The same when the pattern was worked out. (nvpad)"""
    pattern_full: Array[np.int64]
    """Columns of rows of L, as bits. (nvpad)"""
    blk_num: Array[np.int32]
    """Blocks of four columns in a row of L. (nvpad)"""
    blk: Array[np.int32]
    """Their first columns, in rising order. (nsmallH)"""
    below_num: Array[np.int32]
    """Rows below the diagonal in a column of L. (nvpad)"""
    below: Array[np.int32]
    """These rows, in falling order. (nsmallH)"""
    run_num: Array[np.int32]
    """Blocks of four rows in a column of L. (nvpad)"""
    run: Array[np.int32]
    """Their first rows, in falling order. (nsmallH)"""
    hess_n: int
    """Rows of the Hessian of a large island, with those that only fill up."""
    order_tree: Array[np.int32]
    """Tree of a dof of a large island, as the island counts them. (nvpad)"""
    order_first: Array[np.int32]
    """First dof of such a tree. (ntree)"""
    order_dofs: Array[np.int32]
    """How many it has. (ntree)"""
    order_word: Array[np.int64]
    """Trees it is coupled to, as bits. (nwordmax)"""
    order_degree: Array[np.int32]
    """How many dofs they have. (ntree)"""
    order_list: Array[np.int32]
    """Trees in the order in which they are eliminated. (ntree)"""
    order_turn: Array[np.int32]
    """When a tree is. (ntree)"""
    order_parent: Array[np.int32]
    """Which of those around it is next; -1 if none is. (ntree)"""
    order_child: Array[np.int32]
    """The last of the trees whose next it is; -1 if there is none. (ntree)"""
    order_sibling: Array[np.int32]
    """The one of them before; -1 if there is none. (ntree)"""
    order_place: Array[np.int32]
    """Where a dof stands in H. (nvpad)"""
    block_n: int
    """Rows of the Hessian whose pattern is known."""
    block_known: Array[np.int64]
    """Blocks that rows of H begin with, as bits, when the pattern was worked out. (nwordmax)"""
    block_word: Array[np.int64]
    """The same now, and then of rows of the factor. (nwordmax)"""
    block_adr: Array[np.int32]
    """First block of a row of blocks. (nvpad)"""
    block_num: Array[np.int32]
    """Its blocks left of the diagonal. (nvpad)"""
    block_col: Array[np.int32]
    """Where a block is in its row; the one on the diagonal is last. (nblockmax)"""
    used_ctrl: Array[np.float64]
    """Controls as they are used. (nu)"""
    fresh: Array[np.float64]
    """Readings of sensors with samples, before they are delayed. (nhistory)"""
    ten_pull: Array[np.float64]
    """Force of all actuators of a tendon, before its limit. (ntendon)"""
    ten_tension: Array[np.float64]
    """Force along each tendon, positive if it pushes. (ntendon)"""
    act_rate: Array[np.float64]
    """Rates at which activations move on. (na)"""
    was_awake: Array[np.int32]
    """Whether each tree was awake before a sweep. (ntree)"""
    run_stirs: Array[np.int32]
    """Whether each run of bodies has to be worked out. (nbody)"""
    movers: int
    """How many trees and mocap bodies are awake, if trees may sleep."""
    tree_kept: Array[np.int32]
    """Whether all that is worked out for a sleeping tree is still there. (ntree)"""
    tree_falls: Array[np.int32]
    """Whether each tree falls asleep in this step. (ntree)"""
    island_rests: Array[np.int32]
    """Whether all trees of an island are ready to sleep. (ntree)"""
    island_last: Array[np.int32]
    """The last tree of an island that was put to sleep. (ntree)"""
    woken: int
    """Whether contacts have woken trees."""
    ten_asleep: Array[np.int32]
    """Whether each tendon slept when trees were placed. (ntendon)"""
    resting_qpos: Array[np.float64]
    """Position before the step moves everything. (nq)"""
    user_gain: Array[np.float64]
    """Gain that a callback gives. (nactuator)"""
    user_bias: Array[np.float64]
    """Bias that a callback gives. (nactuator)"""
    given_qacc: Array[np.float64]
    """Acceleration for which inverse dynamics was asked, in discrete time. (nv)"""
    inverse_qacc: Array[np.float64]
    """The same in continuous time, or the force that it takes. (nv)"""
    forward_qfrc: Array[np.float64]
    """qfrc_constraint of forward dynamics, while it is compared with the inverse. (nv)"""
    step_qacc: Array[np.float64]
    """Acceleration with which a step moves on. (nv)"""
    rk4_qpos: Array[np.float64]
    """Position at the start of the step. (nq)"""
    rk4_qvel: Array[np.float64]
    """Velocity at each stage. (nv, 4)"""
    rk4_rate: Array[np.float64]
    """Rate of position at each stage. (nv, 4)"""
    rk4_qacc: Array[np.float64]
    """Acceleration at each stage. (nv, 4)"""
    rk4_act: Array[np.float64]
    """Activation at the start of the step. (na)"""
    rk4_speed: Array[np.float64]
    """Velocity of transmissions at the start of the step. (nout)"""
    rk4_adot: Array[np.float64]
    """Rate of activation at each stage. (na, 4)"""
    rk4_dqpos: Array[np.float64]
    """Weighted rate of position. (nv)"""
    rk4_length: Array[np.float64]
    """Lengths of tendons at the start of the step. (ntendon)"""
    rk4_J: Array[np.float64]
    """Their gradients at the start of the step. (nJten)"""
    rk4_dqvel: Array[np.float64]
    """Weighted acceleration. (nv)"""
    free_LU: Array[np.float64]
    """The same as qLU for free bodies by themselves. (nD)"""
    rne_turn: Array[np.float64]
    """How torques on subtrees change with turns of what is above. (nbody, 9)"""
    rne_momentum: Array[np.float64]
    """Momentum of each subtree. (nbody, 3)"""
    rne_drift: Array[np.float64]
    """Acceleration that a dof's velocity adds to all bodies below. (nv, 6)"""
    ten_metric: Array[np.float64]
    """What each tendon resists: a multiple of J'J. (ntendon)"""
    out_metric: Array[np.float64]
    """The same for each transmission. (nout)"""
    metric: Array[np.float64]
    """M with all terms of a step's metric that fit its pattern. (nC)"""
    metric_frc: Array[np.float64]
    """That matrix times qacc_smooth. (nv)"""
    efm_c: Array[np.float64]
    """By how much smooth forces change until the end of the step, velocities as they are. (nv)"""
    efm_diag: Array[np.float64]
    """What springs and dampers of joints add to the diagonal of M. (nv)"""
    efm_ck: Array[np.float64]
    """Step times the stiffness of each dof's spring. (nv)"""
    efm_sdiag: Array[np.float64]
    """What all terms add to it. (nv)"""
    cg_rest: Array[np.float64]
    """What is left of a force. (nv)"""
    cg_step: Array[np.float64]
    """Direction of search. (nv)"""
    cg_next: Array[np.float64]
    """What is left, as an acceleration. (nv)"""
    cg_product: Array[np.float64]
    """The metric times something. (nv)"""
    jnt_loose: Array[np.int32]
    """Whether nothing in the metric and no row touches a joint. (njnt)"""
    qfrc_soft: Array[np.float64]
    """Force of deformables on degrees of freedom; part of qfrc_constraint. (nsoftdof) [N or N m]"""
    soft_wrench: Array[np.float64]
    """Torque about the centre of mass, and force, of deformables on each body. (nsoftbody, 6) [N m, N]"""
    nsoftcon: int
    """How many vertices are near geoms."""
    softcon_vert: Array[np.int32]
    """Vertex of a contact. (nsoftconmax)"""
    softcon_geom: Array[np.int32]
    """Geom of a contact. (nsoftconmax)"""
    softcon_pos: Array[np.float64]
    """Nearest point of the geom's surface. (nsoftconmax, 3) [m]"""
    softcon_normal: Array[np.float64]
    """Normal, from the geom to the vertex. (nsoftconmax, 3)"""
    softcon_depth: Array[np.float64]
    """How deep the vertex is, as a sphere; negative if it only is near. (nsoftconmax) [m]"""
    softcon_friction: Array[np.float64]
    """Friction: geometric mean of both sides. (nsoftconmax)"""
    softcon_force: Array[np.float64]
    """Force on the vertex, mean of the step. (nsoftconmax, 3) [N]"""
    softvert_colliding: Array[np.int32]
    """1 if a vertex is in contact with a geom. (nsoftvert)"""
    nsoftnear: int
    """How many pairs of vertices are near."""
    softnear_vert: Array[np.int32]
    """Pairs of vertices of deformables that are near. (nsoftnearmax, 2)"""
    soft_p: Array[np.float64]
    """Positions of vertices within a step. (nsoftpoint, 3) [m]"""
    soft_before: Array[np.float64]
    """Positions as the substep began. (nsoftpoint, 3) [m]"""
    soft_v: Array[np.float64]
    """Velocities of vertices within a step. (nsoftpoint, 3) [m/s]"""
    soft_pull: Array[np.float64]
    """Accelerations by what acts from outside. (nsoftpoint, 3) [m/s^2]"""
    soft_w: Array[np.float64]
    """Inverse masses; 0 for what sleeps. (nsoftpoint) [1/kg]"""
    soft_q: Array[np.float64]
    """How segments are turned within a step. (nsoftrod, 4)"""
    soft_qbefore: Array[np.float64]
    """The same as the substep began. (nsoftrod, 4)"""
    soft_spin: Array[np.float64]
    """How segments spin within a step. (nsoftrod, 3) [rad/s]"""
    softcon_sum: Array[np.float64]
    """Impulse on the vertex so far. (nsoftconmax, 3) [N s]"""
    soft_bodyused: Array[np.int32]
    """1 if deformables may act on a body. (nsoftbody)"""
    soft_bodypos: Array[np.float64]
    """Centres of mass within a step. (nsoftbody, 3) [m]"""
    soft_bodyquat: Array[np.float64]
    """How bodies have turned since the step began. (nsoftbody, 4)"""
    soft_bodyvel: Array[np.float64]
    """Velocities with which they move through the step: of turning, of the centre of mass. (nsoftbody, 6)"""
    soft_bodyacc: Array[np.float64]
    """Accelerations without deformables. (nsoftbody, 6)"""
    soft_bodyinv: Array[np.float64]
    """Inverse inertia of bodies, as seen at their centres of mass, by rows. (nsoftbody, 36)"""
    soft_bodysum: Array[np.float64]
    """Impulse on bodies so far: about the centre of mass, and linear. (nsoftbody, 6)"""
    softcon_near: Array[np.float64]
    """Nearest point of the surface, in the geom's frame. (nsoftconmax, 3) [m]"""
    softcon_out: Array[np.float64]
    """Normal there, in the geom's frame. (nsoftconmax, 3)"""
    softcon_gap: Array[np.float64]
    """How deep the vertex was as the substep began, at most 0. (nsoftconmax) [m]"""
    softcon_held: Array[np.int32]
    """1 if the contact has an anchor. (nsoftconmax)"""
    softcon_anchor: Array[np.float64]
    """Where friction holds the vertex, in the geom's frame. (nsoftconmax, 3) [m]"""
    softcon_load: Array[np.float64]
    """How hard the vertex is pressed, a running mean. (nsoftconmax) [N]"""
    softpin_place: Array[np.float64]
    """Where vertices are attached, from the centre of mass of the body as the step began. (nsoftpin, 3) [m]"""
    soft_column: Array[np.float64]
    """A column of forces or accelerations. (nsoftdof)"""
    soft_force: Array[np.float64]
    """Forces of rigid constraints in this step. (nsoftdof) [N or N m]"""
    soft_calm: Array[np.float64]
    """Steps for which deformables have been quiet, with this one. (nsoft)"""
    soft_reach: float
    """How far an impulse moves a body at once, in substeps of its change of velocity."""
    soft_momentum: Array[np.float64]
    """Angular momentum about the centre of mass as the step began. (nsoft, 3) [kg m^2/s]"""
    soft_h: float
    """How long a substep is. [s]"""
    soft_cell: Array[np.int32]
    """Cell of a vertex. (nsoftpoint)"""
    soft_sorted: Array[np.int32]
    """Vertices by cells. (nsoftpoint)"""
    soft_cellstart: Array[np.int32]
    """Where cells begin among them. (nsoftpoint)"""
    def body(self, key: str | int) -> DataBody: ...
    def joint(self, key: str | int) -> DataJoint: ...
    def geom(self, key: str | int) -> DataGeom: ...
    def site(self, key: str | int) -> DataSite: ...
    def camera(self, key: str | int) -> DataCamera: ...
    def light(self, key: str | int) -> DataLight: ...
    def tendon(self, key: str | int) -> DataTendon: ...
    def actuator(self, key: str | int) -> DataActuator: ...
    def soft(self, key: str | int) -> DataSoft: ...
    def sensor(self, key: str | int) -> DataSensor: ...
    def jnt(self, key: str | int) -> DataJoint: ...
    def cam(self, key: str | int) -> DataCamera: ...
    def ten(self, key: str | int) -> DataTendon: ...

class ContactFields:
    """Fields of a contact."""

    dist: float
    """Distance between the nearest points; negative if they are inside. [m]"""
    pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (3) [m]"""
    frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (9)"""
    includemargin: float
    """Distance below which the contact pushes. [m]"""
    friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (5)"""
    solref: Array[np.float64]
    """Reference, normal direction. (2)"""
    solreffriction: Array[np.float64]
    """Reference along friction; 0 0 as the normal. (2)"""
    solimp: Array[np.float64]
    """Impedance. (5)"""
    adhesion: float
    """Largest pulling force. [N]"""
    surfacevel: Array[np.float64]
    """Velocity of the second surface past the first: along both tangents, and spin. (3)"""
    dim: int
    """Dimension of the force: 1, 3, 4 or 6."""
    geom: Array[np.int32]
    """The two geoms; the type of the first is not the larger one. (2)"""
    exclude: int
    """0 if it can push, 1 if it is in the gap, 3 if it moves nothing."""
    efc_address: int
    """Its first row among constraints; -1 if it has none."""
    mu: float
    """Friction of the regularised cone."""
    geom1: int
    """One of the two geoms."""
    geom2: int
    """One of the two geoms."""
    flex: Array[np.int32]
    """-1: there are no such objects."""
    elem: Array[np.int32]
    """-1: there are no such objects."""
    vert: Array[np.int32]
    """-1: there are no such objects."""

class ContactColumns:
    """Columns of contacts."""

    dist: Array[np.float64]
    """Distance between the nearest points; negative if they are inside. (nconmax) [m]"""
    pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (nconmax, 3) [m]"""
    frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (nconmax, 9)"""
    includemargin: Array[np.float64]
    """Distance below which the contact pushes. (nconmax) [m]"""
    friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (nconmax, 5)"""
    solref: Array[np.float64]
    """Reference, normal direction. (nconmax, 2)"""
    solreffriction: Array[np.float64]
    """Reference along friction; 0 0 as the normal. (nconmax, 2)"""
    solimp: Array[np.float64]
    """Impedance. (nconmax, 5)"""
    adhesion: Array[np.float64]
    """Largest pulling force. (nconmax) [N]"""
    surfacevel: Array[np.float64]
    """Velocity of the second surface past the first: along both tangents, and spin. (nconmax, 3)"""
    dim: Array[np.int32]
    """Dimension of the force: 1, 3, 4 or 6. (nconmax)"""
    geom: Array[np.int32]
    """The two geoms; the type of the first is not the larger one. (nconmax, 2)"""
    exclude: Array[np.int32]
    """0 if it can push, 1 if it is in the gap, 3 if it moves nothing. (nconmax)"""
    efc_address: Array[np.int32]
    """Its first row among constraints; -1 if it has none. (nconmax)"""
    mu: Array[np.float64]
    """Friction of the regularised cone. (nconmax)"""
    geom1: Array[np.int32]
    """One of the two geoms."""
    geom2: Array[np.int32]
    """One of the two geoms."""
    flex: Array[np.int32]
    """-1: there are no such objects."""
    elem: Array[np.int32]
    """-1: there are no such objects."""
    vert: Array[np.int32]
    """-1: there are no such objects."""

class BatchFields:
    """Fields of batches."""

    time: Array[np.float64]
    """Simulation time. (n,) [s]"""
    qpos: Array[np.float64]
    """Position. (n, nq) [m or rad]"""
    qvel: Array[np.float64]
    """Velocity. (n, nv) [m/s or rad/s]"""
    act: Array[np.float64]
    """Actuator activation. (n, na)"""
    history: Array[np.float64]
    """Past controls and readings, with their times. (n, nhistory)"""
    qacc_warmstart: Array[np.float64]
    """Acceleration from which the solver starts. (n, nv)"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (n, nplastic) [m or rad]"""
    tree_asleep: Array[np.float64]
    """Negative: awake, quiet steps counted up to -1; else asleep, the next tree of those that fell asleep together. (n, ntree)"""
    placed_qpos: Array[np.float64]
    """Position for which bodies were placed, if trees may sleep. (n, nq) [m or rad]"""
    placed_mocap: Array[np.float64]
    """Mocap poses for which bodies were placed, if trees may sleep. (n, nmocap, 7)"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of trees that sleep, as they fell asleep. (n, nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of trees that sleep, as they fell asleep, in the metric of a step. (n, nv) [m/s2 or rad/s2]"""
    resting_rate: Array[np.float64]
    """act_dot of actuators that sleep. (n, na)"""
    resting_read: Array[np.float64]
    """Readings of sensors that sleep. (n, nsensordata)"""
    noise: Array[np.float64]
    """Seed of the noise of sensors, 0 for none, and the number of the next draw. (n, nnoise)"""
    softvert_pos: Array[np.float64]
    """Where vertices of deformables are. (n, nsoftvert, 3) [m]"""
    softvert_vel: Array[np.float64]
    """How they move. (n, nsoftvert, 3) [m/s]"""
    softhold_geom: Array[np.float64]
    """A geom that a vertex touches, and one more; 0 for none. (n, nsofthold)"""
    softhold_anchor: Array[np.float64]
    """Where friction holds it, in the geom's frame. (n, nsofthold, 3) [m]"""
    softhold_load: Array[np.float64]
    """How hard it was pressed there, a running mean. (n, nsofthold) [N]"""
    softhold_gap: Array[np.float64]
    """How deep it was there, at most 0: what is left to be mended. (n, nsofthold) [m]"""
    softrod_quat: Array[np.float64]
    """How segments of chains are turned. (n, nsoftrod, 4)"""
    softrod_omega: Array[np.float64]
    """How they spin, in their own frame. (n, nsoftrod, 3) [rad/s]"""
    soft_quiet: Array[np.float64]
    """Steps for which a deformable has been quiet; asleep from 50 on. (n, nsoft)"""
    soft_rigid: Array[np.float64]
    """Forces of rigid constraints, at the end of the last step. (n, nsoftdof) [N or N m]"""
    ctrl: Array[np.float64]
    """Control. (n, nu)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (n, nv) [N or N m]"""
    xfrc_applied: Array[np.float64]
    """Force, then torque, applied at centres of mass. (n, nbody, 6)"""
    eq_active: Array[np.float64]
    """1 for equalities that hold, 0 for those that are off. (n, neq)"""
    mocap_pos: Array[np.float64]
    """Position of mocap bodies. (n, nmocap, 3) [m]"""
    mocap_quat: Array[np.float64]
    """Orientation of mocap bodies. (n, nmocap, 4)"""
    userdata: Array[np.float64]
    """User numbers. (n, nuserdata)"""
    softvert_applied: Array[np.float64]
    """Force applied to a vertex. (n, nsoftvert, 3) [N]"""
    ncon: Array[np.int32]
    """How many contacts there are. (n,)"""
    ne: Array[np.int32]
    """How many rows are of equalities; they come first. (n,)"""
    nf: Array[np.int32]
    """How many are of friction loss; they come next. (n,)"""
    nl: Array[np.int32]
    """How many are of limits; contacts come last. (n,)"""
    nefc: Array[np.int32]
    """How many rows there are. (n,)"""
    nJ: Array[np.int32]
    """How many entries the Jacobian has. (n,)"""
    nisland: Array[np.int32]
    """How many islands there are: groups of trees that constraints couple. (n,)"""
    nsoftcon: Array[np.int32]
    """How many vertices are near geoms. (n,)"""
    status_value: Array[np.float64]
    """The offending number. (n,)"""
    warning_value: Array[np.float64]
    """The number that it was about, first. (n, 4)"""
    energy: Array[np.float64]
    """Potential and kinetic energy. (n, 2) [J]"""
    xpos: Array[np.float64]
    """Origin of each body. (n, nbody, 3) [m]"""
    xquat: Array[np.float64]
    """Orientation of each body. (n, nbody, 4)"""
    xmat: Array[np.float64]
    """Orientation of each body. (n, nbody, 9)"""
    xipos: Array[np.float64]
    """Centre of mass of each body. (n, nbody, 3) [m]"""
    xiquat: Array[np.float64]
    """Principal axes of each body. (n, nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of each body. (n, nbody, 9)"""
    xanchor: Array[np.float64]
    """Anchor of each joint. (n, njnt, 3) [m]"""
    xaxis: Array[np.float64]
    """Axis of each joint. (n, njnt, 3)"""
    geom_xpos: Array[np.float64]
    """Position of each geom. (n, ngeom, 3) [m]"""
    geom_xquat: Array[np.float64]
    """Orientation of each geom. (n, ngeom, 4)"""
    geom_xmat: Array[np.float64]
    """Orientation of each geom. (n, ngeom, 9)"""
    site_xpos: Array[np.float64]
    """Position of each site. (n, nsite, 3) [m]"""
    site_xquat: Array[np.float64]
    """Orientation of each site. (n, nsite, 4)"""
    site_xmat: Array[np.float64]
    """Orientation of each site. (n, nsite, 9)"""
    cam_xpos: Array[np.float64]
    """Position of each camera. (n, ncam, 3) [m]"""
    cam_xmat: Array[np.float64]
    """Orientation of each camera. (n, ncam, 9)"""
    light_xpos: Array[np.float64]
    """Position of each light. (n, nlight, 3) [m]"""
    light_xdir: Array[np.float64]
    """Direction of each light. (n, nlight, 3)"""
    subtree_com: Array[np.float64]
    """Centre of each subtree. (n, nbody, 3) [m]"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (n, nv, 6)"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre. (n, nbody, 10)"""
    ten_J: Array[np.float64]
    """How dofs change lengths: rows of tendons, CSR. (n, nJten)"""
    ten_length: Array[np.float64]
    """Length of each tendon. (n, ntendon) [m or rad]"""
    wrap_xpos: Array[np.float64]
    """Points of all paths, two a row, one after another. (n, nwrap, 6) [m]"""
    actuator_length: Array[np.float64]
    """Length of each transmission. (n, nout) [m or rad]"""
    actuator_moment: Array[np.float64]
    """Its moment arms, as moment_colind has them. (n, nJmom)"""
    crb: Array[np.float64]
    """Inertia of each subtree. (n, nbody, 10)"""
    M: Array[np.float64]
    """Joint-space inertia, CSR, lower half. (n, nC)"""
    qLD: Array[np.float64]
    """L'DL factor of M. (n, nC)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (n, nv)"""
    ten_velocity: Array[np.float64]
    """How fast lengths change. (n, ntendon) [m/s or rad/s]"""
    actuator_velocity: Array[np.float64]
    """Velocity of each transmission. (n, nout) [m/s or rad/s]"""
    cvel: Array[np.float64]
    """Velocity of each body. (n, nbody, 6)"""
    cdof_dot: Array[np.float64]
    """Change of cdof. (n, nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Coriolis, centrifugal, gravity. (n, nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (n, nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (n, nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (n, nv)"""
    qfrc_fluid: Array[np.float64]
    """Force of the medium. (n, nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Pull of contacts. (n, nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (n, nv)"""
    subtree_linvel: Array[np.float64]
    """Velocity of each subtree. (n, nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Its angular momentum. (n, nbody, 3) [kg m^2/s]"""
    ten_force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (n, ntendon) [N or N m]"""
    ten_passive: Array[np.float64]
    """The part of it that is spring and damper. (n, ntendon) [N or N m]"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, the change of velocity over a step, by its length. (n, nv) [m/s^2]"""
    act_dot: Array[np.float64]
    """Rate of each activation. (n, na)"""
    qH: Array[np.float64]
    """L'DL factor of M with damping, or of what a step's metric has in M's pattern. (n, nC)"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (n, nv)"""
    actuator_force: Array[np.float64]
    """Force of each transmission. (n, nout) [N or N m]"""
    qfrc_actuator: Array[np.float64]
    """Actuator force, as joints feel it. (n, nv)"""
    qfrc_smooth: Array[np.float64]
    """All forces but constraints. (n, nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (n, nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (n, nv)"""
    qfrc_inverse: Array[np.float64]
    """Force that inverse dynamics finds. (n, nv) [N or N m]"""
    solver_fwdinv: Array[np.float64]
    """Constraint force and applied force: forward against inverse dynamics. (n, 2) [N or N m]"""
    cacc: Array[np.float64]
    """Acceleration of each body. (n, nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Force between each body and its parent. (n, nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Force on each body from outside. (n, nbody, 6)"""
    qDeriv: Array[np.float64]
    """Derivative of smooth forces with respect to velocities, CSR. (n, nD)"""
    qLU: Array[np.float64]
    """LU factor of M - h qDeriv. (n, nD)"""
    sensordata: Array[np.float64]
    """Readings of sensors. (n, nsensordata)"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; the lower one's if both act. (n, njnt) [N or N m]"""
    ten_limit_frc: Array[np.float64]
    """Force of each tendon's limit; the lower one's if both act. (n, ntendon) [N or N m]"""
    qfrc_soft: Array[np.float64]
    """Force of deformables on degrees of freedom; part of qfrc_constraint. (n, nsoftdof) [N or N m]"""
    soft_wrench: Array[np.float64]
    """Torque about the centre of mass, and force, of deformables on each body. (n, nsoftbody, 6) [N m, N]"""
