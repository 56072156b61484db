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
    """Convergence tolerance of the main solver."""
    ls_tolerance: float
    """Convergence tolerance of the line search."""
    noslip_tolerance: float
    """Convergence tolerance of the noslip solver."""
    ccd_tolerance: float
    """Convergence tolerance of convex collision."""
    sleep_tolerance: float
    """Velocity below which a tree may sleep."""
    gravity: Array[np.float64]
    """Gravitational acceleration. (3) [m/s^2]"""
    wind: Array[np.float64]
    """Velocity of the fluid. (3) [m/s]"""
    magnetic: Array[np.float64]
    """Global magnetic flux. (3)"""
    density: float
    """Density of the fluid. [kg/m^3]"""
    viscosity: float
    """Viscosity of the fluid. [Pa s]"""
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
    """Largest number of iterations of the main solver."""
    ls_iterations: int
    """Largest number of iterations of the line search."""
    noslip_iterations: int
    """Largest number of iterations of the noslip solver."""
    ccd_iterations: int
    """Largest number of iterations of convex collision."""
    disableflags: int
    """Disabled parts of the simulation (enums.Disable), as bits."""
    enableflags: int
    """Enabled optional parts (enums.Enable), as bits."""
    disableactuator: int
    """Disabled groups of actuators, as bits."""
    sdf_initpoints: int
    """Starting points of signed-distance collision."""
    sdf_iterations: int
    """Largest number of iterations of signed-distance collision."""
    softsubsteps: int
    """Substeps of deformables in a step; 0: as the materials need, up to softsubstepmax."""
    softsubstepmax: int
    """Largest automatic number of substeps."""
    softpasses: int
    """Number of alternating passes over deformables and rigid constraints in a step, 1 to 4."""
    softsleep: float
    """Deformables with all vertices slower than this fall asleep; 0 for never. [m/s]"""
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
    """Number of the mocap body, or -1. (nbody)"""
    jntnum: Array[np.int32]
    """Number of joints. (nbody)"""
    jntadr: Array[np.int32]
    """First joint, or -1. (nbody)"""
    dofnum: Array[np.int32]
    """Number of degrees of freedom. (nbody)"""
    dofadr: Array[np.int32]
    """First degree of freedom, or -1. (nbody)"""
    treeid: Array[np.int32]
    """Kinematic tree, or -1. (nbody)"""
    geomnum: Array[np.int32]
    """Number of geoms. (nbody)"""
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
    """Mass of the subtree. (nbody) [kg]"""
    inertia: Array[np.float64]
    """Principal moments of inertia. (nbody, 3) [kg m^2]"""
    invweight0: Array[np.float64]
    """Mean inverse inertia at qpos0: translation, rotation. (nbody, 2)"""
    gravcomp: Array[np.float64]
    """Fraction of gravity that is compensated. (nbody)"""
    margin: Array[np.float64]
    """Largest contact margin of the geoms. (nbody) [m]"""
    user: Array[np.float64]
    """User numbers. (nbody, nuser_body)"""
    plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nbody)"""
    contype: Array[np.int32]
    """Bitwise or of the contact types of all geoms. (nbody)"""
    conaffinity: Array[np.int32]
    """Bitwise or of the contact affinities of all geoms. (nbody)"""
    bvhadr: Array[np.int32]
    """Root of its bounding volume hierarchy (BVH), or -1. (nbody)"""
    bvhnum: Array[np.int32]
    """Number of nodes of its BVH. (nbody)"""

class ModelJoint(ObjectView):
    """Fields of model.joint(...)."""

    qpos0: Array[np.float64]
    """Reference position, as described in the file. (nq) [m or rad]"""
    qpos_spring: Array[np.float64]
    """Reference position of joint springs. (nq) [m or rad]"""
    type: Array[np.int32]
    """Type (enums.JointType). (njnt)"""
    qposadr: Array[np.int32]
    """First number in qpos. (njnt)"""
    dofadr: Array[np.int32]
    """First degree of freedom. (njnt)"""
    bodyid: Array[np.int32]
    """Body of its joint. (nv)"""
    actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (njnt)"""
    group: Array[np.int32]
    """Group for visibility. (njnt)"""
    plasticadr: Array[np.int32]
    """Address in the plastic state, or -1. (njnt)"""
    limited: Array[np.uint8]
    """Whether the range is enforced. (njnt)"""
    actfrclimited: Array[np.uint8]
    """Whether actuator force is limited. (njnt)"""
    actgravcomp: Array[np.uint8]
    """Whether gravity compensation counts as actuation. (njnt)"""
    solref: Array[np.float64]
    """solref of the limit constraint. (njnt, 2)"""
    solimp: Array[np.float64]
    """solimp of the limit constraint. (njnt, 5)"""
    pos: Array[np.float64]
    """Anchor in the body. (njnt, 3) [m]"""
    axis: Array[np.float64]
    """Axis in the body. (njnt, 3)"""
    stiffness: Array[np.float64]
    """Linear spring coefficient. (njnt) [N/m or N m/rad]"""
    stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (njnt, 2)"""
    springyield: Array[np.float64]
    """Displacement at which the spring yields; 0 for never. (njnt)"""
    range: Array[np.float64]
    """Lower and upper limit. (njnt, 2) [m or rad]"""
    actfrcrange: Array[np.float64]
    """Limits of the actuator force. (njnt, 2)"""
    margin: Array[np.float64]
    """Distance to the limit below which its constraint is active. (njnt) [m or rad]"""
    user: Array[np.float64]
    """User numbers. (njnt, nuser_jnt)"""
    jntid: Array[np.int32]
    """Joint that it belongs to. (nv)"""
    parentid: Array[np.int32]
    """Parent dof, towards the root, or -1. (nv)"""
    treeid: Array[np.int32]
    """Kinematic tree. (nv)"""
    Madr: Array[np.int32]
    """Address of the diagonal in MuJoCo's older format of M. (nv)"""
    simplenum: Array[np.int32]
    """Number of consecutive simple dofs from this one on. (nv)"""
    dof_solref: Array[np.float64]
    """solref of the friction loss constraint. (nv, 2)"""
    dof_solimp: Array[np.float64]
    """solimp of the friction loss constraint. (nv, 5)"""
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
    """Length by which velocities are scaled for sleep: 1 for translations, else a length. (nv)"""
    M_rownnz: Array[np.int32]
    """Number of entries in each row of M, diagonal last. (nv)"""
    M_rowadr: Array[np.int32]
    """Address of each row of M. (nv)"""
    D_rownnz: Array[np.int32]
    """Number of entries in each row of the symmetric pattern. (nv)"""
    D_rowadr: Array[np.int32]
    """Address of each row of the symmetric pattern. (nv)"""
    D_diag: Array[np.int32]
    """Position of the diagonal in each row. (nv)"""
    runlength: Array[np.int32]
    """Number of dofs that the factorisation of M processes together with this one. (nv)"""

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
    """Body that the geom is attached to. (ngeom)"""
    dataid: Array[np.int32]
    """Mesh or height field, or -1. (ngeom)"""
    matid: Array[np.int32]
    """Material, or -1. (ngeom)"""
    group: Array[np.int32]
    """Group for visibility. (ngeom)"""
    priority: Array[np.int32]
    """Priority of its contact parameters. (ngeom)"""
    plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (ngeom)"""
    sameframe: Array[np.uint8]
    """Geom frame against body frames (SameFrame). (ngeom)"""
    castshadow: Array[np.uint8]
    """Whether it casts a shadow. (ngeom)"""
    solmix: Array[np.float64]
    """Weight when contact parameters are mixed. (ngeom)"""
    solref: Array[np.float64]
    """solref of its contacts. (ngeom, 2)"""
    solimp: Array[np.float64]
    """solimp of its contacts. (ngeom, 5)"""
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
    """Distance below which contacts are active. (ngeom) [m]"""
    gap: Array[np.float64]
    """Distance beyond the margin up to which contacts are detected. (ngeom) [m]"""
    surfacevel: Array[np.float64]
    """Velocity of the surface. (ngeom, 6)"""
    adhesion: Array[np.float64]
    """Largest adhesive force of a contact. (ngeom) [N]"""
    fluid: Array[np.float64]
    """Coefficients of the ellipsoid fluid model. (ngeom, 12)"""
    user: Array[np.float64]
    """User numbers. (ngeom, nuser_geom)"""
    rgba: Array[np.float32]
    """Colour. (ngeom, 4)"""
    sdf: Array[np.int32]
    """Distance function of a geom of type sdf (enums.SdfShape); 0 for others. (ngeom)"""
    sdfprm: Array[np.float64]
    """Parameters of the distance function. (ngeom, 5)"""
    gridsize: Array[np.int32]
    """Number of grid values along x, y and z. (ngeom, 3)"""
    gridadr: Array[np.int32]
    """First value of its grid, among those of all grids. (ngeom)"""
    gridcell: Array[np.float64]
    """Distance between grid values. (ngeom) [m]"""
    gridorigin: Array[np.float64]
    """Position of the first value, in the geom's frame. (ngeom, 3) [m]"""

class ModelSite(ObjectView):
    """Fields of model.site(...)."""

    type: Array[np.int32]
    """Type (enums.GeomType). (nsite)"""
    bodyid: Array[np.int32]
    """Body that the site is attached to. (nsite)"""
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
    """Tracking mode (enums.CamLight). (ncam)"""
    bodyid: Array[np.int32]
    """Body that the camera is attached to. (ncam)"""
    targetbodyid: Array[np.int32]
    """Target body of its tracking mode, or -1. (ncam)"""
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
    """Inter-pupillary distance. (ncam) [m]"""
    resolution: Array[np.int32]
    """Width and height. (ncam, 2) [pixels]"""
    output: Array[np.int32]
    """Kinds of images that it outputs, as bits. (ncam)"""
    sensorsize: Array[np.float32]
    """Width and height of the sensor. (ncam, 2) [m]"""
    intrinsic: Array[np.float32]
    """Focal lengths and principal point. (ncam, 4) [m]"""
    user: Array[np.float64]
    """User numbers. (ncam, nuser_cam)"""
    focal: Array[np.float64]
    """Focal lengths of cameras; 0 if the field of view is used. (ncam, 2) [pixels]"""
    centre: Array[np.float64]
    """Principal points of cameras. (ncam, 2) [pixels]"""

class ModelLight(ObjectView):
    """Fields of model.light(...)."""

    mode: Array[np.int32]
    """Tracking mode (enums.CamLight). (nlight)"""
    bodyid: Array[np.int32]
    """Body that the light is attached to. (nlight)"""
    targetbodyid: Array[np.int32]
    """Target body of its tracking mode, or -1. (nlight)"""
    type: Array[np.int32]
    """Type: spot, directional, point or image. (nlight)"""
    texid: Array[np.int32]
    """Texture, or -1. (nlight)"""
    castshadow: Array[np.uint8]
    """Whether it casts shadows. (nlight)"""
    bulbradius: Array[np.float32]
    """Radius for soft shadows. (nlight) [m]"""
    intensity: Array[np.float32]
    """Intensity. (nlight) [cd]"""
    range: Array[np.float32]
    """Effective range. (nlight) [m]"""
    active: Array[np.uint8]
    """Whether the light is on. (nlight)"""
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
    """Cutoff angle of a spot light. (nlight) [deg]"""
    softness: Array[np.float32]
    """Softness of a spot light's edge. (nlight)"""
    exponent: Array[np.float32]
    """Exponent of a spot light's fall-off. (nlight)"""
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
    """Address of its path. (ntendon)"""
    num: Array[np.int32]
    """Number of elements of its path. (ntendon)"""
    matid: Array[np.int32]
    """Material, or -1. (ntendon)"""
    actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (ntendon)"""
    group: Array[np.int32]
    """Group for visibility. (ntendon)"""
    plasticadr: Array[np.int32]
    """Address in the plastic state, or -1. (ntendon)"""
    treenum: Array[np.int32]
    """Number of kinematic trees along the path. (ntendon)"""
    treeid: Array[np.int32]
    """The first two of these trees, or -1. (ntendon, 2)"""
    J_rownnz: Array[np.int32]
    """Number of dofs that change its length. (ntendon)"""
    J_rowadr: Array[np.int32]
    """Address of these dofs in ten_J_colind. (ntendon)"""
    J_colind: Array[np.int32]
    """Dofs of all tendons. (nJten)"""
    limited: Array[np.uint8]
    """Whether its length is limited. (ntendon)"""
    actfrclimited: Array[np.uint8]
    """Whether actuator forces are limited. (ntendon)"""
    width: Array[np.float64]
    """Width for drawing. (ntendon) [m]"""
    solref_lim: Array[np.float64]
    """solref of the limit constraint. (ntendon, 2)"""
    solimp_lim: Array[np.float64]
    """solimp of the limit constraint. (ntendon, 5)"""
    solref_fri: Array[np.float64]
    """solref of the friction loss constraint. (ntendon, 2)"""
    solimp_fri: Array[np.float64]
    """solimp of the friction loss constraint. (ntendon, 5)"""
    range: Array[np.float64]
    """Limits of the length. (ntendon, 2) [m or rad]"""
    actfrcrange: Array[np.float64]
    """Limits of the actuator force. (ntendon, 2) [N or N m]"""
    margin: Array[np.float64]
    """Distance to a limit below which its constraint is active. (ntendon) [m or rad]"""
    stiffness: Array[np.float64]
    """Spring stiffness. (ntendon) [N/m or N m/rad]"""
    stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (ntendon, 2)"""
    damping: Array[np.float64]
    """Damping. (ntendon) [N s/m or N m s/rad]"""
    dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients. (ntendon, 2)"""
    armature: Array[np.float64]
    """Inertia of changes of length. (ntendon) [kg]"""
    frictionloss: Array[np.float64]
    """Dry friction. (ntendon) [N or N m]"""
    lengthspring: Array[np.float64]
    """Interval of lengths in which the spring exerts no force. (ntendon, 2)"""
    springyield: Array[np.float64]
    """Displacement at which the spring yields; 0 for never. (ntendon)"""
    length0: Array[np.float64]
    """Length at qpos0. (ntendon) [m or rad]"""
    invweight0: Array[np.float64]
    """Inverse inertia at qpos0. (ntendon) [1/kg]"""
    user: Array[np.float64]
    """User numbers. (ntendon, nuser_tendon)"""
    rgba: Array[np.float32]
    """Colour. (ntendon, 4)"""

class ModelActuator(ObjectView):
    """Fields of model.actuator(...)."""

    trntype: Array[np.int32]
    """Transmission (enums.Transmission). (nactuator)"""
    dyntype: Array[np.int32]
    """Activation dynamics (enums.Dynamics). (nactuator)"""
    gaintype: Array[np.int32]
    """Type of gain (enums.Gain). (nactuator)"""
    biastype: Array[np.int32]
    """Type of bias (enums.Bias). (nactuator)"""
    ctrladr: Array[np.int32]
    """Address of its controls in ctrl. (nactuator)"""
    ctrlnum: Array[np.int32]
    """Number of controls. (nactuator)"""
    ctrlspec: Array[np.int32]
    """Meaning of its controls, by type of gain. (nactuator)"""
    outadr: Array[np.int32]
    """Address of its force outputs. (nactuator)"""
    outnum: Array[np.int32]
    """Number of force outputs. (nactuator)"""
    actadr: Array[np.int32]
    """Address of its activations in act, or -1. (nactuator)"""
    actnum: Array[np.int32]
    """Number of activations. (nactuator)"""
    trnid: Array[np.int32]
    """Joint, site, body or tendon; second site, or -1. (nactuator, 2)"""
    cranklength: Array[np.float64]
    """Length of the connecting rod. (nactuator) [m]"""
    dynprm: Array[np.float64]
    """Parameters of the activation dynamics. (nactuator, 10)"""
    gainprm: Array[np.float64]
    """Parameters of the gain. (nactuator, 10)"""
    biasprm: Array[np.float64]
    """Parameters of the bias. (nactuator, 10)"""
    actlimited: Array[np.uint8]
    """Whether the activation is limited. (nactuator)"""
    actrange: Array[np.float64]
    """Limits of the activation. (nactuator, 2)"""
    actearly: Array[np.uint8]
    """Whether the force follows from the next activation. (nactuator)"""
    history: Array[np.int32]
    """Number of stored samples, and order of interpolation. (nactuator, 2)"""
    historyadr: Array[np.int32]
    """Address of its history, or -1. (nactuator)"""
    delay: Array[np.float64]
    """Delay of its controls. (nactuator) [s]"""
    damping: Array[np.float64]
    """Damping that it adds to its joint or tendon. (nactuator)"""
    dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients that it adds. (nactuator, 2)"""
    armature: Array[np.float64]
    """Armature that it adds to its joint or tendon. (nactuator)"""
    group: Array[np.int32]
    """Group for visibility and for disabling. (nactuator)"""
    user: Array[np.float64]
    """User numbers. (nactuator, nuser_actuator)"""
    plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nactuator)"""
    forcelimited: Array[np.uint8]
    """Whether the force is limited. (nactuator)"""
    forcerange: Array[np.float64]
    """Limits of the force. (nactuator, 2) [N or N m]"""
    ctrllimited: Array[np.uint8]
    """Whether the control is limited. (nu)"""
    ctrlrange: Array[np.float64]
    """Limits of the control. (nu, 2)"""
    gear: Array[np.float64]
    """Scale of length and force, or wrench of a site. (nout, 6)"""
    acc0: Array[np.float64]
    """Norm of the acceleration at qpos0 by a unit force. (nout)"""
    length0: Array[np.float64]
    """Length of the transmission at qpos0. (nout) [m or rad]"""
    lengthrange: Array[np.float64]
    """Shortest and longest length of the transmission. (nout, 2)"""
    slots: Array[np.int32]
    """Activations that a PID controller, DC motor or Hill muscle has, as bits. (nactuator)"""
    moment_rownnz: Array[np.int32]
    """Number of dofs that each force output can act on. (nout)"""
    moment_rowadr: Array[np.int32]
    """Address of its moment arms. (nout)"""

class ModelSoft(ObjectView):
    """Fields of model.soft(...)."""

    type: Array[np.int32]
    """Type: 0 cloth, 1 soft body, 2 chain (enums.SoftType). (nsoft)"""
    vertadr: Array[np.int32]
    """First vertex. (nsoft)"""
    vertnum: Array[np.int32]
    """Number of vertices. (nsoft)"""
    faceadr: Array[np.int32]
    """First triangle of its surface. (nsoft)"""
    facenum: Array[np.int32]
    """Number of triangles. (nsoft)"""
    rodadr: Array[np.int32]
    """First segment. (nsoft)"""
    rodnum: Array[np.int32]
    """Number of segments. (nsoft)"""
    group: Array[np.int32]
    """Group for visibility. (nsoft)"""
    contype: Array[np.int32]
    """Contact type, as bits. (nsoft)"""
    conaffinity: Array[np.int32]
    """Contact affinity, as bits. (nsoft)"""
    selfcollide: Array[np.int32]
    """1 if its vertices collide with each other. (nsoft)"""
    rgba: Array[np.float32]
    """Colour. (nsoft, 4)"""
    radius: Array[np.float64]
    """Radius of vertices in contacts with geoms. (nsoft) [m]"""
    spacing: Array[np.float64]
    """Radius of vertices in contacts with vertices. (nsoft) [m]"""
    friction: Array[np.float64]
    """Friction coefficient; contacts use the geometric mean of both sides. (nsoft)"""
    solref: Array[np.float64]
    """Correction of penetrations: time constant and damping ratio. (nsoft, 2)"""
    damping: Array[np.float64]
    """Damping rate of motion other than rigid motion. (nsoft) [1/s]"""
    drag: Array[np.float64]
    """Drag coefficient of its surface. (nsoft)"""
    period: Array[np.float64]
    """Longest substep that resolves its material. (nsoft) [s]"""
    vert_soft: Array[np.int32]
    """Deformable of a vertex, or -1. (nsoftpoint)"""
    vert_pos0: Array[np.float64]
    """Positions of vertices after a reset. (nsoftpoint, 3) [m]"""
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
    """Orientations of segments after a reset; their third axis is along them. (nsoftrod, 4)"""

class ModelSensor(ObjectView):
    """Fields of model.sensor(...)."""

    type: Array[np.int32]
    """Type (enums.SensorType). (nsensor)"""
    datatype: Array[np.int32]
    """Type of its data (enums.DataType). (nsensor)"""
    needstage: Array[np.int32]
    """Stage after which it is evaluated (enums.Stage). (nsensor)"""
    objtype: Array[np.int32]
    """Type of the measured object (enums.ObjType). (nsensor)"""
    objid: Array[np.int32]
    """Measured object, or -1. (nsensor)"""
    reftype: Array[np.int32]
    """Type of the reference object (enums.ObjType). (nsensor)"""
    refid: Array[np.int32]
    """Reference object, or -1. (nsensor)"""
    intprm: Array[np.int32]
    """Data fields as bits, reduction, number of contacts. (nsensor, 3)"""
    dim: Array[np.int32]
    """Number of values of a reading. (nsensor)"""
    adr: Array[np.int32]
    """Address in sensordata. (nsensor)"""
    cutoff: Array[np.float64]
    """Cutoff of readings; 0 for none. (nsensor)"""
    noise: Array[np.float64]
    """Standard deviation of noise, which is applied on request only. (nsensor)"""
    history: Array[np.int32]
    """Number of stored samples, and order of interpolation. (nsensor, 2)"""
    historyadr: Array[np.int32]
    """Address of its history, or -1. (nsensor)"""
    delay: Array[np.float64]
    """Delay of readings. (nsensor) [s]"""
    interval: Array[np.float64]
    """Sampling period and phase. (nsensor, 2) [s]"""
    user: Array[np.float64]
    """User numbers. (nsensor, nuser_sensor)"""
    plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nsensor)"""
    grid: Array[np.float64]
    """Parameters of a touch grid: columns and rows, field of view in degrees, gamma, channels. (nsensor, 6)"""

class ModelPair(ObjectView):
    """Fields of model.pair(...)."""

    dim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (npair)"""
    geom1: Array[np.int32]
    """Geom of the body with the lower id. (npair)"""
    geom2: Array[np.int32]
    """The other geom. (npair)"""
    signature: Array[np.int32]
    """body2. (npair)"""
    solref: Array[np.float64]
    """solref of the contacts, normal direction. (npair, 2)"""
    solreffriction: Array[np.float64]
    """solref of friction; 0 0 for that of the normal direction. (npair, 2)"""
    solimp: Array[np.float64]
    """solimp of the contacts. (npair, 5)"""
    margin: Array[np.float64]
    """Distance below which contacts are active. (npair) [m]"""
    gap: Array[np.float64]
    """Distance beyond the margin up to which contacts are detected. (npair) [m]"""
    adhesion: Array[np.float64]
    """Largest adhesive force of a contact. (npair) [N]"""
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
    """Type of the objects: 1 bodies, 5 geoms, 6 sites, 0 given by eq_type. (neq)"""
    active0: Array[np.uint8]
    """Whether it is active after a reset. (neq)"""
    solref: Array[np.float64]
    """solref of the constraint. (neq, 2)"""
    solimp: Array[np.float64]
    """solimp of the constraint. (neq, 5)"""
    data: Array[np.float64]
    """Parameters by type: anchors and relative pose, polynomial, or distance. (neq, 12)"""

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
    """Half sizes along x and y, highest elevation, thickness of the base. (nhfield, 4) [m]"""
    nrow: Array[np.int32]
    """Number of rows, along y. (nhfield)"""
    ncol: Array[np.int32]
    """Number of columns, along x. (nhfield)"""
    adr: Array[np.int32]
    """Address of its elevations. (nhfield)"""
    data: Array[np.float32]
    """Elevations between 0 and 1, row by row. (nhfielddata)"""
    pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nhfield)"""

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
    """Address of its pixels; -1 if only the path is stored. (ntex)"""
    data: Array[np.uint8]
    """Pixels of all textures. (ntexdata)"""
    pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (ntex)"""
    contenttypeadr: Array[np.int32]
    """Address of its media type in paths, or -1. (ntex)"""

class ModelMaterial(ObjectView):
    """Fields of model.material(...)."""

    texid: Array[np.int32]
    """Texture of each role, or -1. (nmat, 10)"""
    texuniform: Array[np.uint8]
    """Whether a texture has the same scale everywhere. (nmat)"""
    texrepeat: Array[np.float32]
    """Number of repetitions of a 2d texture. (nmat, 2)"""
    emission: Array[np.float32]
    """Emission coefficient. (nmat)"""
    specular: Array[np.float32]
    """Specular coefficient. (nmat)"""
    shininess: Array[np.float32]
    """Shininess coefficient. (nmat)"""
    reflectance: Array[np.float32]
    """Reflectance. (nmat)"""
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
    """Number of vertices. (nmesh)"""
    faceadr: Array[np.int32]
    """First triangle. (nmesh)"""
    facenum: Array[np.int32]
    """Number of triangles. (nmesh)"""
    bvhadr: Array[np.int32]
    """Root of the bounding volume hierarchy (BVH) of its triangles. (nmesh)"""
    bvhnum: Array[np.int32]
    """Number of nodes of its BVH. (nmesh)"""
    octadr: Array[np.int32]
    """First node of its octree, or -1. (nmesh)"""
    octnum: Array[np.int32]
    """Number of nodes of its octree. (nmesh)"""
    normaladr: Array[np.int32]
    """First normal. (nmesh)"""
    normalnum: Array[np.int32]
    """Number of normals. (nmesh)"""
    texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nmesh)"""
    texcoordnum: Array[np.int32]
    """Number of texture coordinates. (nmesh)"""
    graphadr: Array[np.int32]
    """Address of the convex hull's graph, or -1. (nmesh)"""
    extrema: Array[np.int32]
    """Hull vertices farthest in 27 directions. (nmesh, 27)"""
    scale: Array[np.float64]
    """Scale that was applied. (nmesh, 3)"""
    pos: Array[np.float64]
    """Position of the mesh's frame in its file. (nmesh, 3) [m]"""
    quat: Array[np.float64]
    """Orientation of the mesh's frame in its file. (nmesh, 4)"""
    pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nmesh)"""
    polynum: Array[np.int32]
    """Number of polygons of its hull. (nmesh)"""
    polyadr: Array[np.int32]
    """First polygon. (nmesh)"""

class ModelSkin(ObjectView):
    """Fields of model.skin(...)."""

    matid: Array[np.int32]
    """Material, or -1. (nskin)"""
    group: Array[np.int32]
    """Group for visibility. (nskin)"""
    rgba: Array[np.float32]
    """Colour. (nskin, 4)"""
    inflate: Array[np.float32]
    """Offset of vertices along their normals. (nskin) [m]"""
    vertadr: Array[np.int32]
    """First vertex. (nskin)"""
    vertnum: Array[np.int32]
    """Number of vertices. (nskin)"""
    texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nskin)"""
    faceadr: Array[np.int32]
    """First triangle. (nskin)"""
    facenum: Array[np.int32]
    """Number of triangles. (nskin)"""
    boneadr: Array[np.int32]
    """First bone. (nskin)"""
    bonenum: Array[np.int32]
    """Number of bones. (nskin)"""
    pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nskin)"""

class ModelNumeric(ObjectView):
    """Fields of model.numeric(...)."""

    adr: Array[np.int32]
    """Address in numeric_data. (nnumeric)"""
    size: Array[np.int32]
    """Number of values. (nnumeric)"""
    data: Array[np.float64]
    """Values of all custom numerics. (nnumericdata)"""

class ModelTuple(ObjectView):
    """Fields of model.tuple(...)."""

    adr: Array[np.int32]
    """Address of its objects. (ntuple)"""
    size: Array[np.int32]
    """Number of objects. (ntuple)"""
    objtype: Array[np.int32]
    """Type of each object. (ntupledata)"""
    objid: Array[np.int32]
    """Id of each object. (ntupledata)"""
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
    """Principal axes of inertia of each body. (nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of inertia of each body. (nbody, 9)"""
    subtree_com: Array[np.float64]
    """Centre of mass of each subtree. (nbody, 3) [m]"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre of mass. (nbody, 10)"""
    crb: Array[np.float64]
    """Composite inertia of each subtree. (nbody, 10)"""
    cvel: Array[np.float64]
    """Spatial velocity of each body, about the tree's centre of mass. (nbody, 6)"""
    subtree_linvel: Array[np.float64]
    """Linear velocity of each subtree's centre of mass. (nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Angular momentum of each subtree, about its centre of mass. (nbody, 3) [kg m^2/s]"""
    cacc: Array[np.float64]
    """Spatial acceleration of each body. (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Interaction force between each body and its parent. (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Sum of external forces on each body. (nbody, 6)"""

class DataJoint(ObjectView):
    """Fields of data.joint(...)."""

    qpos: Array[np.float64]
    """Position. (nq) [m or rad]"""
    qvel: Array[np.float64]
    """Velocity. (nv) [m/s or rad/s]"""
    qacc_warmstart: Array[np.float64]
    """Acceleration of the last step: the solver's warm start. (nv)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (nv) [N or N m]"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nplastic) [m or rad]"""
    placed_qpos: Array[np.float64]
    """qpos for which bodies were placed, if trees may sleep. (nq) [m or rad]"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of sleeping trees, as they fell asleep. (nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of sleeping trees, as they fell asleep, in the metric of a step. (nv) [m/s2 or rad/s2]"""
    xanchor: Array[np.float64]
    """Anchor of each joint. (njnt, 3) [m]"""
    xaxis: Array[np.float64]
    """Axis of each joint. (njnt, 3)"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (nv, 6)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (nv)"""
    cdof_dot: Array[np.float64]
    """Time derivative of cdof. (nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Bias force: Coriolis, centrifugal, gravity. (nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (nv)"""
    qfrc_fluid: Array[np.float64]
    """Fluid force. (nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Adhesion force of contacts. (nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (nv)"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, change of velocity over the step's length. (nv) [m/s^2]"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (nv)"""
    qfrc_actuator: Array[np.float64]
    """Generalised force of actuators. (nv)"""
    qfrc_smooth: Array[np.float64]
    """Generalised force without constraints. (nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (nv)"""
    qfrc_inverse: Array[np.float64]
    """Force computed by inverse dynamics. (nv) [N or N m]"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; of the lower one if both are active. (njnt) [N or N m]"""
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
    """Address of the points of a path. (ntendon)"""
    wrapnum: Array[np.int32]
    """Number of points of a path. (ntendon)"""
    J: Array[np.float64]
    """Jacobian of tendon lengths, in rows of tendons, CSR. (nJten)"""
    length: Array[np.float64]
    """Length of each tendon. (ntendon) [m or rad]"""
    velocity: Array[np.float64]
    """Velocity of each tendon. (ntendon) [m/s or rad/s]"""
    force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (ntendon) [N or N m]"""
    passive: Array[np.float64]
    """Force of spring and damper along each tendon. (ntendon) [N or N m]"""
    limit_frc: Array[np.float64]
    """Force of each tendon's limit; of the lower one if both are active. (ntendon) [N or N m]"""

class DataActuator(ObjectView):
    """Fields of data.actuator(...)."""

    act: Array[np.float64]
    """Activations of actuators. (na)"""
    ctrl: Array[np.float64]
    """Control. (nu)"""
    resting_rate: Array[np.float64]
    """act_dot of sleeping actuators. (na)"""
    length: Array[np.float64]
    """Length of each transmission. (nout) [m or rad]"""
    velocity: Array[np.float64]
    """Velocity of each transmission. (nout) [m/s or rad/s]"""
    act_dot: Array[np.float64]
    """Time derivative of each activation. (na)"""
    force: Array[np.float64]
    """Force of each output of actuators. (nout) [N or N m]"""
    moment: Array[np.float64]
    """Moment arms about every dof. (nv)"""

class DataSoft(ObjectView):
    """Fields of data.soft(...)."""

    vert_pos: Array[np.float64]
    """Positions of vertices of deformables. (nsoftvert, 3) [m]"""
    vert_vel: Array[np.float64]
    """Velocities of vertices. (nsoftvert, 3) [m/s]"""
    rod_quat: Array[np.float64]
    """Orientations of segments of chains. (nsoftrod, 4)"""
    rod_omega: Array[np.float64]
    """Angular velocities of segments, in their own frames. (nsoftrod, 3) [rad/s]"""
    quiet: Array[np.float64]
    """Number of steps for which a deformable has been quiet; it sleeps from 50 on. (nsoft)"""
    vert_applied: Array[np.float64]
    """Force applied to a vertex. (nsoftvert, 3) [N]"""
    vert_colliding: Array[np.int32]
    """1 if a vertex is in contact with a geom. (nsoftvert)"""

class DataSensor(ObjectView):
    """Fields of data.sensor(...)."""

    resting_read: Array[np.float64]
    """Readings of sleeping sensors. (nsensordata)"""
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
    """Degrees of freedom, if the model has deformables."""
    nsoftbody: int
    """Bodies, if the model has deformables."""
    opt_timestep: float
    """Length of a step. [s]"""
    opt_impratio: float
    """Ratio of frictional to normal contact impedance."""
    opt_tolerance: float
    """Convergence tolerance of the main solver."""
    opt_ls_tolerance: float
    """Convergence tolerance of the line search."""
    opt_noslip_tolerance: float
    """Convergence tolerance of the noslip solver."""
    opt_ccd_tolerance: float
    """Convergence tolerance of convex collision."""
    opt_sleep_tolerance: float
    """Velocity below which a tree may sleep."""
    opt_gravity: Array[np.float64]
    """Gravitational acceleration. (3) [m/s^2]"""
    opt_wind: Array[np.float64]
    """Velocity of the fluid. (3) [m/s]"""
    opt_magnetic: Array[np.float64]
    """Global magnetic flux. (3)"""
    opt_density: float
    """Density of the fluid. [kg/m^3]"""
    opt_viscosity: float
    """Viscosity of the fluid. [Pa s]"""
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
    """Largest number of iterations of the main solver."""
    opt_ls_iterations: int
    """Largest number of iterations of the line search."""
    opt_noslip_iterations: int
    """Largest number of iterations of the noslip solver."""
    opt_ccd_iterations: int
    """Largest number of iterations of convex collision."""
    opt_disableflags: int
    """Disabled parts of the simulation (enums.Disable), as bits."""
    opt_enableflags: int
    """Enabled optional parts (enums.Enable), as bits."""
    opt_disableactuator: int
    """Disabled groups of actuators, as bits."""
    opt_sdf_initpoints: int
    """Starting points of signed-distance collision."""
    opt_sdf_iterations: int
    """Largest number of iterations of signed-distance collision."""
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
    """Reference position, as described in the file. (nq) [m or rad]"""
    qpos_spring: Array[np.float64]
    """Reference position of joint springs. (nq) [m or rad]"""
    body_parentid: Array[np.int32]
    """Parent body. (nbody)"""
    body_rootid: Array[np.int32]
    """Topmost body of the tree, below the world. (nbody)"""
    body_weldid: Array[np.int32]
    """Body to which this one is rigidly attached. (nbody)"""
    body_mocapid: Array[np.int32]
    """Number of the mocap body, or -1. (nbody)"""
    body_jntnum: Array[np.int32]
    """Number of joints. (nbody)"""
    body_jntadr: Array[np.int32]
    """First joint, or -1. (nbody)"""
    body_dofnum: Array[np.int32]
    """Number of degrees of freedom. (nbody)"""
    body_dofadr: Array[np.int32]
    """First degree of freedom, or -1. (nbody)"""
    body_treeid: Array[np.int32]
    """Kinematic tree, or -1. (nbody)"""
    body_geomnum: Array[np.int32]
    """Number of geoms. (nbody)"""
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
    """Mass of the subtree. (nbody) [kg]"""
    body_inertia: Array[np.float64]
    """Principal moments of inertia. (nbody, 3) [kg m^2]"""
    body_invweight0: Array[np.float64]
    """Mean inverse inertia at qpos0: translation, rotation. (nbody, 2)"""
    body_gravcomp: Array[np.float64]
    """Fraction of gravity that is compensated. (nbody)"""
    body_margin: Array[np.float64]
    """Largest contact margin of the geoms. (nbody) [m]"""
    body_user: Array[np.float64]
    """User numbers. (nbody, nuser_body)"""
    body_plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nbody)"""
    body_contype: Array[np.int32]
    """Bitwise or of the contact types of all geoms. (nbody)"""
    body_conaffinity: Array[np.int32]
    """Bitwise or of the contact affinities of all geoms. (nbody)"""
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
    """Address in the plastic state, or -1. (njnt)"""
    jnt_limited: Array[np.uint8]
    """Whether the range is enforced. (njnt)"""
    jnt_actfrclimited: Array[np.uint8]
    """Whether actuator force is limited. (njnt)"""
    jnt_actgravcomp: Array[np.uint8]
    """Whether gravity compensation counts as actuation. (njnt)"""
    jnt_solref: Array[np.float64]
    """solref of the limit constraint. (njnt, 2)"""
    jnt_solimp: Array[np.float64]
    """solimp of the limit constraint. (njnt, 5)"""
    jnt_pos: Array[np.float64]
    """Anchor in the body. (njnt, 3) [m]"""
    jnt_axis: Array[np.float64]
    """Axis in the body. (njnt, 3)"""
    jnt_stiffness: Array[np.float64]
    """Linear spring coefficient. (njnt) [N/m or N m/rad]"""
    jnt_stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (njnt, 2)"""
    jnt_springyield: Array[np.float64]
    """Displacement at which the spring yields; 0 for never. (njnt)"""
    jnt_range: Array[np.float64]
    """Lower and upper limit. (njnt, 2) [m or rad]"""
    jnt_actfrcrange: Array[np.float64]
    """Limits of the actuator force. (njnt, 2)"""
    jnt_margin: Array[np.float64]
    """Distance to the limit below which its constraint is active. (njnt) [m or rad]"""
    jnt_user: Array[np.float64]
    """User numbers. (njnt, nuser_jnt)"""
    dof_bodyid: Array[np.int32]
    """Body of its joint. (nv)"""
    dof_jntid: Array[np.int32]
    """Joint that it belongs to. (nv)"""
    dof_parentid: Array[np.int32]
    """Parent dof, towards the root, or -1. (nv)"""
    dof_treeid: Array[np.int32]
    """Kinematic tree. (nv)"""
    dof_Madr: Array[np.int32]
    """Address of the diagonal in MuJoCo's older format of M. (nv)"""
    dof_simplenum: Array[np.int32]
    """Number of consecutive simple dofs from this one on. (nv)"""
    dof_solref: Array[np.float64]
    """solref of the friction loss constraint. (nv, 2)"""
    dof_solimp: Array[np.float64]
    """solimp of the friction loss constraint. (nv, 5)"""
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
    """Length by which velocities are scaled for sleep: 1 for translations, else a length. (nv)"""
    tree_bodyadr: Array[np.int32]
    """First body. (ntree)"""
    tree_bodynum: Array[np.int32]
    """Number of bodies. (ntree)"""
    tree_dofadr: Array[np.int32]
    """First degree of freedom. (ntree)"""
    tree_dofnum: Array[np.int32]
    """Number of degrees of freedom. (ntree)"""
    tree_sleep_policy: Array[np.int32]
    """Sleep policy of the tree (mjtSleepPolicy). (ntree)"""
    B_rownnz: Array[np.int32]
    """Number of dofs that move each body. (nbody)"""
    B_rowadr: Array[np.int32]
    """Address of these dofs in B_colind. (nbody)"""
    B_colind: Array[np.int32]
    """Dofs that move each body. (nB)"""
    M_rownnz: Array[np.int32]
    """Number of entries in each row of M, diagonal last. (nv)"""
    M_rowadr: Array[np.int32]
    """Address of each row of M. (nv)"""
    M_colind: Array[np.int32]
    """Column of each entry of M. (nC)"""
    mapM2M: Array[np.int32]
    """Entry of M from MuJoCo's old format. (nC)"""
    D_rownnz: Array[np.int32]
    """Number of entries in each row of the symmetric pattern. (nv)"""
    D_rowadr: Array[np.int32]
    """Address of each row of the symmetric pattern. (nv)"""
    D_diag: Array[np.int32]
    """Position of the diagonal in each row. (nv)"""
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
    """Body that the geom is attached to. (ngeom)"""
    geom_dataid: Array[np.int32]
    """Mesh or height field, or -1. (ngeom)"""
    geom_matid: Array[np.int32]
    """Material, or -1. (ngeom)"""
    geom_group: Array[np.int32]
    """Group for visibility. (ngeom)"""
    geom_priority: Array[np.int32]
    """Priority of its contact parameters. (ngeom)"""
    geom_plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (ngeom)"""
    geom_sameframe: Array[np.uint8]
    """Geom frame against body frames (SameFrame). (ngeom)"""
    geom_castshadow: Array[np.uint8]
    """Whether it casts a shadow. (ngeom)"""
    geom_solmix: Array[np.float64]
    """Weight when contact parameters are mixed. (ngeom)"""
    geom_solref: Array[np.float64]
    """solref of its contacts. (ngeom, 2)"""
    geom_solimp: Array[np.float64]
    """solimp of its contacts. (ngeom, 5)"""
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
    """Distance below which contacts are active. (ngeom) [m]"""
    geom_gap: Array[np.float64]
    """Distance beyond the margin up to which contacts are detected. (ngeom) [m]"""
    geom_surfacevel: Array[np.float64]
    """Velocity of the surface. (ngeom, 6)"""
    geom_adhesion: Array[np.float64]
    """Largest adhesive force of a contact. (ngeom) [N]"""
    geom_fluid: Array[np.float64]
    """Coefficients of the ellipsoid fluid model. (ngeom, 12)"""
    geom_user: Array[np.float64]
    """User numbers. (ngeom, nuser_geom)"""
    geom_rgba: Array[np.float32]
    """Colour. (ngeom, 4)"""
    site_type: Array[np.int32]
    """Type (enums.GeomType). (nsite)"""
    site_bodyid: Array[np.int32]
    """Body that the site is attached to. (nsite)"""
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
    """Tracking mode (enums.CamLight). (ncam)"""
    cam_bodyid: Array[np.int32]
    """Body that the camera is attached to. (ncam)"""
    cam_targetbodyid: Array[np.int32]
    """Target body of its tracking mode, or -1. (ncam)"""
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
    """Inter-pupillary distance. (ncam) [m]"""
    cam_resolution: Array[np.int32]
    """Width and height. (ncam, 2) [pixels]"""
    cam_output: Array[np.int32]
    """Kinds of images that it outputs, as bits. (ncam)"""
    cam_sensorsize: Array[np.float32]
    """Width and height of the sensor. (ncam, 2) [m]"""
    cam_intrinsic: Array[np.float32]
    """Focal lengths and principal point. (ncam, 4) [m]"""
    cam_user: Array[np.float64]
    """User numbers. (ncam, nuser_cam)"""
    light_mode: Array[np.int32]
    """Tracking mode (enums.CamLight). (nlight)"""
    light_bodyid: Array[np.int32]
    """Body that the light is attached to. (nlight)"""
    light_targetbodyid: Array[np.int32]
    """Target body of its tracking mode, or -1. (nlight)"""
    light_type: Array[np.int32]
    """Type: spot, directional, point or image. (nlight)"""
    light_texid: Array[np.int32]
    """Texture, or -1. (nlight)"""
    light_castshadow: Array[np.uint8]
    """Whether it casts shadows. (nlight)"""
    light_bulbradius: Array[np.float32]
    """Radius for soft shadows. (nlight) [m]"""
    light_intensity: Array[np.float32]
    """Intensity. (nlight) [cd]"""
    light_range: Array[np.float32]
    """Effective range. (nlight) [m]"""
    light_active: Array[np.uint8]
    """Whether the light is on. (nlight)"""
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
    """Cutoff angle of a spot light. (nlight) [deg]"""
    light_softness: Array[np.float32]
    """Softness of a spot light's edge. (nlight)"""
    light_exponent: Array[np.float32]
    """Exponent of a spot light's fall-off. (nlight)"""
    light_ambient: Array[np.float32]
    """Ambient colour. (nlight, 3)"""
    light_diffuse: Array[np.float32]
    """Diffuse colour. (nlight, 3)"""
    light_specular: Array[np.float32]
    """Specular colour. (nlight, 3)"""
    numeric_adr: Array[np.int32]
    """Address in numeric_data. (nnumeric)"""
    numeric_size: Array[np.int32]
    """Number of values. (nnumeric)"""
    numeric_data: Array[np.float64]
    """Values of all custom numerics. (nnumericdata)"""
    text_adr: Array[np.int32]
    """Address in text_data. (ntext)"""
    text_size: Array[np.int32]
    """Number of characters, with the terminating zero. (ntext)"""
    text_data: Array[np.uint8]
    """Characters of all custom texts. (ntextdata)"""
    tuple_adr: Array[np.int32]
    """Address of its objects. (ntuple)"""
    tuple_size: Array[np.int32]
    """Number of objects. (ntuple)"""
    tuple_objtype: Array[np.int32]
    """Type of each object. (ntupledata)"""
    tuple_objid: Array[np.int32]
    """Id of each object. (ntupledata)"""
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
    """Number of vertices. (nmesh)"""
    mesh_faceadr: Array[np.int32]
    """First triangle. (nmesh)"""
    mesh_facenum: Array[np.int32]
    """Number of triangles. (nmesh)"""
    mesh_bvhadr: Array[np.int32]
    """Root of the bounding volume hierarchy (BVH) of its triangles. (nmesh)"""
    mesh_bvhnum: Array[np.int32]
    """Number of nodes of its BVH. (nmesh)"""
    mesh_octadr: Array[np.int32]
    """First node of its octree, or -1. (nmesh)"""
    mesh_octnum: Array[np.int32]
    """Number of nodes of its octree. (nmesh)"""
    mesh_normaladr: Array[np.int32]
    """First normal. (nmesh)"""
    mesh_normalnum: Array[np.int32]
    """Number of normals. (nmesh)"""
    mesh_texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nmesh)"""
    mesh_texcoordnum: Array[np.int32]
    """Number of texture coordinates. (nmesh)"""
    mesh_graphadr: Array[np.int32]
    """Address of the convex hull's graph, or -1. (nmesh)"""
    mesh_extrema: Array[np.int32]
    """Hull vertices farthest in 27 directions. (nmesh, 27)"""
    mesh_vert: Array[np.float32]
    """Vertices, in the mesh's frame. (nmeshvert, 3) [m]"""
    mesh_normal: Array[np.float32]
    """Normals, in the mesh's frame. (nmeshnormal, 3)"""
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
    """Scale that was applied. (nmesh, 3)"""
    mesh_pos: Array[np.float64]
    """Position of the mesh's frame in its file. (nmesh, 3) [m]"""
    mesh_quat: Array[np.float64]
    """Orientation of the mesh's frame in its file. (nmesh, 4)"""
    mesh_pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nmesh)"""
    mesh_polynum: Array[np.int32]
    """Number of polygons of its hull. (nmesh)"""
    mesh_polyadr: Array[np.int32]
    """First polygon. (nmesh)"""
    mesh_polynormal: Array[np.float64]
    """Outward normals of polygons. (nmeshpoly, 3)"""
    mesh_polyvertadr: Array[np.int32]
    """First vertex of a polygon. (nmeshpoly)"""
    mesh_polyvertnum: Array[np.int32]
    """Number of vertices of a polygon. (nmeshpoly)"""
    mesh_polyvert: Array[np.int32]
    """Vertices of polygons, in order around them. (nmeshpolyvert)"""
    mesh_polymapadr: Array[np.int32]
    """First polygon at a vertex, in mesh_polymap. (nmeshvert)"""
    mesh_polymapnum: Array[np.int32]
    """Number of polygons at a vertex. (nmeshvert)"""
    mesh_polymap: Array[np.int32]
    """Polygons at vertices. (nmeshpolymap)"""
    skin_matid: Array[np.int32]
    """Material, or -1. (nskin)"""
    skin_group: Array[np.int32]
    """Group for visibility. (nskin)"""
    skin_rgba: Array[np.float32]
    """Colour. (nskin, 4)"""
    skin_inflate: Array[np.float32]
    """Offset of vertices along their normals. (nskin) [m]"""
    skin_vertadr: Array[np.int32]
    """First vertex. (nskin)"""
    skin_vertnum: Array[np.int32]
    """Number of vertices. (nskin)"""
    skin_texcoordadr: Array[np.int32]
    """First texture coordinate, or -1. (nskin)"""
    skin_faceadr: Array[np.int32]
    """First triangle. (nskin)"""
    skin_facenum: Array[np.int32]
    """Number of triangles. (nskin)"""
    skin_boneadr: Array[np.int32]
    """First bone. (nskin)"""
    skin_bonenum: Array[np.int32]
    """Number of bones. (nskin)"""
    skin_vert: Array[np.float32]
    """Vertices in the bind pose. (nskinvert, 3) [m]"""
    skin_texcoord: Array[np.float32]
    """Texture coordinates. (nskintexvert, 2)"""
    skin_face: Array[np.int32]
    """Vertices of triangles, counted within the skin. (nskinface, 3)"""
    skin_bonevertadr: Array[np.int32]
    """First vertex of a bone. (nskinbone)"""
    skin_bonevertnum: Array[np.int32]
    """Number of vertices of a bone. (nskinbone)"""
    skin_bonebindpos: Array[np.float32]
    """Position of a bone in the bind pose. (nskinbone, 3) [m]"""
    skin_bonebindquat: Array[np.float32]
    """Orientation of a bone in the bind pose. (nskinbone, 4)"""
    skin_bonebodyid: Array[np.int32]
    """Body of a bone. (nskinbone)"""
    skin_bonevertid: Array[np.int32]
    """Vertices of bones, counted within the skin. (nskinbonevert)"""
    skin_bonevertweight: Array[np.float32]
    """Weights; those of a vertex add up to 1. (nskinbonevert)"""
    skin_pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nskin)"""
    hfield_size: Array[np.float64]
    """Half sizes along x and y, highest elevation, thickness of the base. (nhfield, 4) [m]"""
    hfield_nrow: Array[np.int32]
    """Number of rows, along y. (nhfield)"""
    hfield_ncol: Array[np.int32]
    """Number of columns, along x. (nhfield)"""
    hfield_adr: Array[np.int32]
    """Address of its elevations. (nhfield)"""
    hfield_data: Array[np.float32]
    """Elevations between 0 and 1, row by row. (nhfielddata)"""
    hfield_pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (nhfield)"""
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
    """Address of its pixels; -1 if only the path is stored. (ntex)"""
    tex_data: Array[np.uint8]
    """Pixels of all textures. (ntexdata)"""
    tex_pathadr: Array[np.int32]
    """Address of the path of its file, or -1. (ntex)"""
    tex_contenttypeadr: Array[np.int32]
    """Address of its media type in paths, or -1. (ntex)"""
    mat_texid: Array[np.int32]
    """Texture of each role, or -1. (nmat, 10)"""
    mat_texuniform: Array[np.uint8]
    """Whether a texture has the same scale everywhere. (nmat)"""
    mat_texrepeat: Array[np.float32]
    """Number of repetitions of a 2d texture. (nmat, 2)"""
    mat_emission: Array[np.float32]
    """Emission coefficient. (nmat)"""
    mat_specular: Array[np.float32]
    """Specular coefficient. (nmat)"""
    mat_shininess: Array[np.float32]
    """Shininess coefficient. (nmat)"""
    mat_reflectance: Array[np.float32]
    """Reflectance. (nmat)"""
    mat_metallic: Array[np.float32]
    """Metallic coefficient, or -1. (nmat)"""
    mat_roughness: Array[np.float32]
    """Roughness coefficient, or -1. (nmat)"""
    mat_rgba: Array[np.float32]
    """Colour. (nmat, 4)"""
    paths: Array[np.uint8]
    """Paths of files, each terminated by a zero. (npaths)"""
    body_bvhadr: Array[np.int32]
    """Root of its bounding volume hierarchy (BVH), or -1. (nbody)"""
    body_bvhnum: Array[np.int32]
    """Number of nodes of its BVH. (nbody)"""
    bvh_depth: Array[np.int32]
    """Depth in the tree. (nbvh)"""
    bvh_child: Array[np.int32]
    """Two children, counted from the root; -1 in a leaf. (nbvh, 2)"""
    bvh_nodeid: Array[np.int32]
    """Geom, or face of the mesh, of a leaf; -1 for other nodes. (nbvh)"""
    bvh_aabb: Array[np.float64]
    """Centre and half sizes, in the body's inertial or the mesh's frame. (nbvhstatic, 6) [m]"""
    oct_depth: Array[np.int32]
    """Depth in the octree. (noct)"""
    oct_child: Array[np.int32]
    """Eight children, counted from the root; -1 in a leaf. (noct, 8)"""
    oct_aabb: Array[np.float64]
    """Centre and half sizes of a cell, in the mesh's frame. (noct, 6) [m]"""
    oct_coeff: Array[np.float64]
    """Signed distances at the corners of a cell. (noct, 8) [m]"""
    pair_dim: Array[np.int32]
    """Contact dimension: 1, 3, 4 or 6. (npair)"""
    pair_geom1: Array[np.int32]
    """Geom of the body with the lower id. (npair)"""
    pair_geom2: Array[np.int32]
    """The other geom. (npair)"""
    pair_signature: Array[np.int32]
    """body2. (npair)"""
    pair_solref: Array[np.float64]
    """solref of the contacts, normal direction. (npair, 2)"""
    pair_solreffriction: Array[np.float64]
    """solref of friction; 0 0 for that of the normal direction. (npair, 2)"""
    pair_solimp: Array[np.float64]
    """solimp of the contacts. (npair, 5)"""
    pair_margin: Array[np.float64]
    """Distance below which contacts are active. (npair) [m]"""
    pair_gap: Array[np.float64]
    """Distance beyond the margin up to which contacts are detected. (npair) [m]"""
    pair_adhesion: Array[np.float64]
    """Largest adhesive force of a contact. (npair) [N]"""
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
    """Type of the objects: 1 bodies, 5 geoms, 6 sites, 0 given by eq_type. (neq)"""
    eq_active0: Array[np.uint8]
    """Whether it is active after a reset. (neq)"""
    eq_solref: Array[np.float64]
    """solref of the constraint. (neq, 2)"""
    eq_solimp: Array[np.float64]
    """solimp of the constraint. (neq, 5)"""
    eq_data: Array[np.float64]
    """Parameters by type: anchors and relative pose, polynomial, or distance. (neq, 12)"""
    tendon_type: Array[np.int32]
    """Type (enums.TendonType). (ntendon)"""
    tendon_adr: Array[np.int32]
    """Address of its path. (ntendon)"""
    tendon_num: Array[np.int32]
    """Number of elements of its path. (ntendon)"""
    tendon_matid: Array[np.int32]
    """Material, or -1. (ntendon)"""
    tendon_actuatorid: Array[np.int32]
    """Actuator that adds inertia or damping, or -1. (ntendon)"""
    tendon_group: Array[np.int32]
    """Group for visibility. (ntendon)"""
    tendon_plasticadr: Array[np.int32]
    """Address in the plastic state, or -1. (ntendon)"""
    tendon_treenum: Array[np.int32]
    """Number of kinematic trees along the path. (ntendon)"""
    tendon_treeid: Array[np.int32]
    """The first two of these trees, or -1. (ntendon, 2)"""
    ten_J_rownnz: Array[np.int32]
    """Number of dofs that change its length. (ntendon)"""
    ten_J_rowadr: Array[np.int32]
    """Address of these dofs in ten_J_colind. (ntendon)"""
    ten_J_colind: Array[np.int32]
    """Dofs of all tendons. (nJten)"""
    tendon_limited: Array[np.uint8]
    """Whether its length is limited. (ntendon)"""
    tendon_actfrclimited: Array[np.uint8]
    """Whether actuator forces are limited. (ntendon)"""
    tendon_width: Array[np.float64]
    """Width for drawing. (ntendon) [m]"""
    tendon_solref_lim: Array[np.float64]
    """solref of the limit constraint. (ntendon, 2)"""
    tendon_solimp_lim: Array[np.float64]
    """solimp of the limit constraint. (ntendon, 5)"""
    tendon_solref_fri: Array[np.float64]
    """solref of the friction loss constraint. (ntendon, 2)"""
    tendon_solimp_fri: Array[np.float64]
    """solimp of the friction loss constraint. (ntendon, 5)"""
    tendon_range: Array[np.float64]
    """Limits of the length. (ntendon, 2) [m or rad]"""
    tendon_actfrcrange: Array[np.float64]
    """Limits of the actuator force. (ntendon, 2) [N or N m]"""
    tendon_margin: Array[np.float64]
    """Distance to a limit below which its constraint is active. (ntendon) [m or rad]"""
    tendon_stiffness: Array[np.float64]
    """Spring stiffness. (ntendon) [N/m or N m/rad]"""
    tendon_stiffnesspoly: Array[np.float64]
    """Quadratic and cubic spring coefficients. (ntendon, 2)"""
    tendon_damping: Array[np.float64]
    """Damping. (ntendon) [N s/m or N m s/rad]"""
    tendon_dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients. (ntendon, 2)"""
    tendon_armature: Array[np.float64]
    """Inertia of changes of length. (ntendon) [kg]"""
    tendon_frictionloss: Array[np.float64]
    """Dry friction. (ntendon) [N or N m]"""
    tendon_lengthspring: Array[np.float64]
    """Interval of lengths in which the spring exerts no force. (ntendon, 2)"""
    tendon_springyield: Array[np.float64]
    """Displacement at which the spring yields; 0 for never. (ntendon)"""
    tendon_length0: Array[np.float64]
    """Length at qpos0. (ntendon) [m or rad]"""
    tendon_invweight0: Array[np.float64]
    """Inverse inertia at qpos0. (ntendon) [1/kg]"""
    tendon_user: Array[np.float64]
    """User numbers. (ntendon, nuser_tendon)"""
    tendon_rgba: Array[np.float32]
    """Colour. (ntendon, 4)"""
    wrap_type: Array[np.int32]
    """Type of a path element (enums.WrapType). (nwrap)"""
    wrap_objid: Array[np.int32]
    """Joint, site or geom; -1 for a pulley. (nwrap)"""
    wrap_prm: Array[np.float64]
    """Coefficient of a joint, divisor of a pulley, or side site of a geom. (nwrap)"""
    actuator_trntype: Array[np.int32]
    """Transmission (enums.Transmission). (nactuator)"""
    actuator_dyntype: Array[np.int32]
    """Activation dynamics (enums.Dynamics). (nactuator)"""
    actuator_gaintype: Array[np.int32]
    """Type of gain (enums.Gain). (nactuator)"""
    actuator_biastype: Array[np.int32]
    """Type of bias (enums.Bias). (nactuator)"""
    actuator_ctrladr: Array[np.int32]
    """Address of its controls in ctrl. (nactuator)"""
    actuator_ctrlnum: Array[np.int32]
    """Number of controls. (nactuator)"""
    actuator_ctrlspec: Array[np.int32]
    """Meaning of its controls, by type of gain. (nactuator)"""
    actuator_outadr: Array[np.int32]
    """Address of its force outputs. (nactuator)"""
    actuator_outnum: Array[np.int32]
    """Number of force outputs. (nactuator)"""
    actuator_actadr: Array[np.int32]
    """Address of its activations in act, or -1. (nactuator)"""
    actuator_actnum: Array[np.int32]
    """Number of activations. (nactuator)"""
    actuator_trnid: Array[np.int32]
    """Joint, site, body or tendon; second site, or -1. (nactuator, 2)"""
    actuator_cranklength: Array[np.float64]
    """Length of the connecting rod. (nactuator) [m]"""
    actuator_dynprm: Array[np.float64]
    """Parameters of the activation dynamics. (nactuator, 10)"""
    actuator_gainprm: Array[np.float64]
    """Parameters of the gain. (nactuator, 10)"""
    actuator_biasprm: Array[np.float64]
    """Parameters of the bias. (nactuator, 10)"""
    actuator_actlimited: Array[np.uint8]
    """Whether the activation is limited. (nactuator)"""
    actuator_actrange: Array[np.float64]
    """Limits of the activation. (nactuator, 2)"""
    actuator_actearly: Array[np.uint8]
    """Whether the force follows from the next activation. (nactuator)"""
    actuator_history: Array[np.int32]
    """Number of stored samples, and order of interpolation. (nactuator, 2)"""
    actuator_historyadr: Array[np.int32]
    """Address of its history, or -1. (nactuator)"""
    actuator_delay: Array[np.float64]
    """Delay of its controls. (nactuator) [s]"""
    actuator_damping: Array[np.float64]
    """Damping that it adds to its joint or tendon. (nactuator)"""
    actuator_dampingpoly: Array[np.float64]
    """Quadratic and cubic damping coefficients that it adds. (nactuator, 2)"""
    actuator_armature: Array[np.float64]
    """Armature that it adds to its joint or tendon. (nactuator)"""
    actuator_group: Array[np.int32]
    """Group for visibility and for disabling. (nactuator)"""
    actuator_user: Array[np.float64]
    """User numbers. (nactuator, nuser_actuator)"""
    actuator_plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nactuator)"""
    actuator_forcelimited: Array[np.uint8]
    """Whether the force is limited. (nactuator)"""
    actuator_forcerange: Array[np.float64]
    """Limits of the force. (nactuator, 2) [N or N m]"""
    actuator_ctrllimited: Array[np.uint8]
    """Whether the control is limited. (nu)"""
    actuator_ctrlrange: Array[np.float64]
    """Limits of the control. (nu, 2)"""
    actuator_gear: Array[np.float64]
    """Scale of length and force, or wrench of a site. (nout, 6)"""
    actuator_acc0: Array[np.float64]
    """Norm of the acceleration at qpos0 by a unit force. (nout)"""
    actuator_length0: Array[np.float64]
    """Length of the transmission at qpos0. (nout) [m or rad]"""
    actuator_lengthrange: Array[np.float64]
    """Shortest and longest length of the transmission. (nout, 2)"""
    sensor_type: Array[np.int32]
    """Type (enums.SensorType). (nsensor)"""
    sensor_datatype: Array[np.int32]
    """Type of its data (enums.DataType). (nsensor)"""
    sensor_needstage: Array[np.int32]
    """Stage after which it is evaluated (enums.Stage). (nsensor)"""
    sensor_objtype: Array[np.int32]
    """Type of the measured object (enums.ObjType). (nsensor)"""
    sensor_objid: Array[np.int32]
    """Measured object, or -1. (nsensor)"""
    sensor_reftype: Array[np.int32]
    """Type of the reference object (enums.ObjType). (nsensor)"""
    sensor_refid: Array[np.int32]
    """Reference object, or -1. (nsensor)"""
    sensor_intprm: Array[np.int32]
    """Data fields as bits, reduction, number of contacts. (nsensor, 3)"""
    sensor_dim: Array[np.int32]
    """Number of values of a reading. (nsensor)"""
    sensor_adr: Array[np.int32]
    """Address in sensordata. (nsensor)"""
    sensor_cutoff: Array[np.float64]
    """Cutoff of readings; 0 for none. (nsensor)"""
    sensor_noise: Array[np.float64]
    """Standard deviation of noise, which is applied on request only. (nsensor)"""
    sensor_history: Array[np.int32]
    """Number of stored samples, and order of interpolation. (nsensor, 2)"""
    sensor_historyadr: Array[np.int32]
    """Address of its history, or -1. (nsensor)"""
    sensor_delay: Array[np.float64]
    """Delay of readings. (nsensor) [s]"""
    sensor_interval: Array[np.float64]
    """Sampling period and phase. (nsensor, 2) [s]"""
    sensor_user: Array[np.float64]
    """User numbers. (nsensor, nuser_sensor)"""
    sensor_plugin: Array[np.int32]
    """Plugin, or -1; not supported yet. (nsensor)"""
    soft_type: Array[np.int32]
    """Type: 0 cloth, 1 soft body, 2 chain (enums.SoftType). (nsoft)"""
    soft_vertadr: Array[np.int32]
    """First vertex. (nsoft)"""
    soft_vertnum: Array[np.int32]
    """Number of vertices. (nsoft)"""
    soft_faceadr: Array[np.int32]
    """First triangle of its surface. (nsoft)"""
    soft_facenum: Array[np.int32]
    """Number of triangles. (nsoft)"""
    soft_rodadr: Array[np.int32]
    """First segment. (nsoft)"""
    soft_rodnum: Array[np.int32]
    """Number of segments. (nsoft)"""
    soft_group: Array[np.int32]
    """Group for visibility. (nsoft)"""
    soft_contype: Array[np.int32]
    """Contact type, as bits. (nsoft)"""
    soft_conaffinity: Array[np.int32]
    """Contact affinity, as bits. (nsoft)"""
    soft_selfcollide: Array[np.int32]
    """1 if its vertices collide with each other. (nsoft)"""
    soft_rgba: Array[np.float32]
    """Colour. (nsoft, 4)"""
    soft_radius: Array[np.float64]
    """Radius of vertices in contacts with geoms. (nsoft) [m]"""
    soft_spacing: Array[np.float64]
    """Radius of vertices in contacts with vertices. (nsoft) [m]"""
    soft_friction: Array[np.float64]
    """Friction coefficient; contacts use the geometric mean of both sides. (nsoft)"""
    soft_solref: Array[np.float64]
    """Correction of penetrations: time constant and damping ratio. (nsoft, 2)"""
    soft_damping: Array[np.float64]
    """Damping rate of motion other than rigid motion. (nsoft) [1/s]"""
    soft_drag: Array[np.float64]
    """Drag coefficient of its surface. (nsoft)"""
    soft_period: Array[np.float64]
    """Longest substep that resolves its material. (nsoft) [s]"""
    soft_curved: int
    """1 if the surface is curved at rest."""
    softvert_soft: Array[np.int32]
    """Deformable of a vertex, or -1. (nsoftpoint)"""
    softvert_pos0: Array[np.float64]
    """Positions of vertices after a reset. (nsoftpoint, 3) [m]"""
    softvert_invmass: Array[np.float64]
    """Inverse mass; 0 if the vertex is pinned. (nsoftpoint) [1/kg]"""
    softface_vert: Array[np.int32]
    """Vertices of triangles of surfaces, counter-clockwise from outside. (nsoftface, 3)"""
    softmem_vert: Array[np.int32]
    """Vertices of a triangle. (nsoftmem, 3)"""
    softmem_inv: Array[np.float64]
    """Inverse of the matrix of its two edges at rest, by rows. (nsoftmem, 4) [1/m]"""
    softmem_weight: Array[np.float64]
    """Products of shape gradients, weighted by inverse masses: 11, 12, 22. (nsoftmem, 3)"""
    softmem_mu: Array[np.float64]
    """Shear modulus times volume. (nsoftmem) [N m]"""
    softmem_lambda: Array[np.float64]
    """First Lame parameter in plane stress plus shear modulus, times volume. (nsoftmem) [N m]"""
    softmem_color: Array[np.int32]
    """First triangle of a colour, and one past the last. (nsoftmemcolor, 2)"""
    softhinge_vert: Array[np.int32]
    """Vertices: both ends of the edge, and the opposite ones. (nsofthinge, 4)"""
    softhinge_coef: Array[np.float64]
    """Weights of the vertices in the bending vector. (nsofthinge, 4) [1/m]"""
    softhinge_bend: Array[np.float64]
    """Length of the bending vector at rest, along the normal. (nsofthinge)"""
    softhinge_weight: Array[np.float64]
    """Sum of inverse masses times squared weights. (nsofthinge) [1/(kg m^2)]"""
    softhinge_stiffness: Array[np.float64]
    """Bending stiffness, for an angle. (nsofthinge) [N m]"""
    softhinge_color: Array[np.int32]
    """First hinge of a colour, and one past the last. (nsofthingecolor, 2)"""
    softtet_vert: Array[np.int32]
    """Vertices of a tetrahedron. (nsofttet, 4)"""
    softtet_inv: Array[np.float64]
    """Inverse of the matrix of its three edges at rest, by rows. (nsofttet, 9) [1/m]"""
    softtet_weight: Array[np.float64]
    """Products of shape gradients, weighted by inverse masses: 11, 12, 13, 22, 23, 33. (nsofttet, 6)"""
    softtet_mu: Array[np.float64]
    """Shear modulus times volume. (nsofttet) [N m]"""
    softtet_lambda: Array[np.float64]
    """First Lame parameter plus shear modulus, times volume. (nsofttet) [N m]"""
    softtet_color: Array[np.int32]
    """First tetrahedron of a colour, and one past the last. (nsofttetcolor, 2)"""
    softedge_vert: Array[np.int32]
    """Vertices of an edge. (nsoftedge, 2)"""
    softedge_length: Array[np.float64]
    """Length at rest. (nsoftedge) [m]"""
    softedge_stiffness: Array[np.float64]
    """Stiffness. (nsoftedge) [N/m]"""
    softedge_color: Array[np.int32]
    """First edge of a colour, and one past the last. (nsoftedgecolor, 2)"""
    softrod_vert: Array[np.int32]
    """Vertices of a segment. (nsoftrod, 2)"""
    softrod_length: Array[np.float64]
    """Length at rest. (nsoftrod) [m]"""
    softrod_invinertia: Array[np.float64]
    """Inverse inertia across its axis, and about it. (nsoftrod, 2) [1/(kg m^2)]"""
    softrod_stiffness: Array[np.float64]
    """Stiffness in shear and in stretching. (nsoftrod, 2) [N]"""
    softrod_quat0: Array[np.float64]
    """Orientations of segments after a reset; their third axis is along them. (nsoftrod, 4)"""
    softrod_color: Array[np.int32]
    """First segment of a colour, and one past the last. (nsoftrodcolor, 2)"""
    softtwist_rod: Array[np.int32]
    """Two neighbouring segments. (nsofttwist, 2)"""
    softtwist_rest: Array[np.float64]
    """Orientation of the second relative to the first, at rest. (nsofttwist, 4)"""
    softtwist_stiffness: Array[np.float64]
    """Stiffness in bending and in twisting, for an angle. (nsofttwist, 2) [N m]"""
    softtwist_color: Array[np.int32]
    """First pair of a colour, and one past the last. (nsofttwistcolor, 2)"""
    softpin_vert: Array[np.int32]
    """Attached vertex. (nsoftpin)"""
    softpin_body: Array[np.int32]
    """Body that it is attached to. (nsoftpin)"""
    softpin_pos: Array[np.float64]
    """Point of attachment, in the body's frame. (nsoftpin, 3) [m]"""
    opt_softsubsteps: int
    """Substeps of deformables in a step; 0: as the materials need, up to softsubstepmax."""
    opt_softsubstepmax: int
    """Largest automatic number of substeps."""
    opt_softpasses: int
    """Number of alternating passes over deformables and rigid constraints in a step, 1 to 4."""
    opt_softsleep: float
    """Deformables with all vertices slower than this fall asleep; 0 for never. [m/s]"""
    missing: int
    """Number of required features that are not supported."""
    version: int
    """Number of changes of the model that were processed."""
    sensing: int
    """Groups of sensors to evaluate, as bits; 0 if sensors are disabled."""
    constraining: int
    """Kinds of constraints that the model can have, as bits (step.constraint.kinds)."""
    nrun: int
    """Number of runs of bodies (step.sleeping.body_runs)."""
    runs: Array[np.int32]
    """Ranges of each run (bodies, joints, dofs, geoms, sites, positions, moving geoms), its tree, and whether it is independent. (nbody, 16)"""
    called: int
    """Callbacks that are set, as bits (step.callbacks)."""
    cam_focal: Array[np.float64]
    """Focal lengths of cameras; 0 if the field of view is used. (ncam, 2) [pixels]"""
    cam_centre: Array[np.float64]
    """Principal points of cameras. (ncam, 2) [pixels]"""
    sensor_grid: Array[np.float64]
    """Parameters of a touch grid: columns and rows, field of view in degrees, gamma, channels. (nsensor, 6)"""
    mesh_polydist: Array[np.float64]
    """Distances of hull polygons from the mesh's origin; 0 if no sensor needs them. (nmeshpoly) [m]"""
    watched_now: Array[np.int64]
    """All watched fields, as words, followed by those on which poses of static geoms depend. (nfront)"""
    watched_seen: Array[np.int64]
    """Copy of these words at the last refresh of the model. (nfront)"""
    opt_strict: int
    """1 if a solver that does not converge is an error (SolverFailed)."""
    dof_runlength: Array[np.int32]
    """Number of dofs that the factorisation of M processes together with this one. (nv)"""
    wrap_sideid: Array[np.int32]
    """Side site of a wrapping geom, or -1. (nwrap)"""
    actuator_kinds: int
    """Kinds of actuators with stages of their own, as bits."""
    actuator_slots: Array[np.int32]
    """Activations that a PID controller, DC motor or Hill muscle has, as bits. (nactuator)"""
    moment_rownnz: Array[np.int32]
    """Number of dofs that each force output can act on. (nout)"""
    moment_rowadr: Array[np.int32]
    """Address of its moment arms. (nout)"""
    moment_colind: Array[np.int32]
    """Dofs of all moment arms. (nJmom)"""
    tenseg_adr: Array[np.int32]
    """First straight segment of a tendon's path. (ntendon)"""
    tenseg_num: Array[np.int32]
    """Number of segments that the path may have. (ntendon)"""
    tenseg_step: Array[np.int32]
    """Path elements at both ends of a segment: sites, or a wrapping geom. (ntenseg, 2)"""
    tenseg_bodyid: Array[np.int32]
    """Bodies of both ends of a segment. (ntenseg, 2)"""
    tenseg_pulley: Array[np.int32]
    """Path element of the pulley that begins its branch, or -1. (ntenseg)"""
    families: int
    """Families of the candidate pairs, as bits (step.collision.families)."""
    strangers: int
    """Number of candidate pairs and flags without a collision function."""
    candidate_geom: Array[np.int32]
    """Geoms of candidate pairs; the type of the first is not larger. (ncandidate, 2)"""
    candidate_pair: Array[np.int32]
    """Explicit pair of a candidate, or -1. (ncandidate)"""
    swept_sorted: int
    """Whether the sweep sorts geoms."""
    swept_in_lanes: int
    """Whether worlds in lockstep use the sweep."""
    swept_geom: Array[np.int32]
    """Geoms of the sweep. (nswept)"""
    swept_word: Array[np.int64]
    """Following geoms with which a geom is a candidate, as bits; empty if geoms are sorted. (nswept)"""
    candidate_at: Array[np.int32]
    """Candidate of two geoms of the sweep; one past all candidates if they cannot collide. (nsweptpair)"""
    unlisted_shift: int
    """Bits of a place in the sweep, in numbers of unlisted pairs; 0 if all pairs are listed."""
    unlisted_stride: int
    """Number of places that these bits can hold."""
    type_family: Array[np.int32]
    """Family of a pair by both geom types, or -1. (9, 9)"""
    always_candidate: Array[np.int32]
    """Candidates that the sweep does not find: with planes, and explicit pairs. (nalways)"""
    candidate_family: Array[np.int32]
    """Family of a candidate (step.collision.families), or -1. (ncandidate)"""
    static_version: int
    """Number of changes of poses or sizes of static geoms."""
    static_differs: int
    """Whether worlds of a batch may have different poses of static geoms."""
    static_geom: Array[np.int32]
    """Static geoms in the order of their tree (step.collision.static_bvh). (nstatic)"""
    static_levels: int
    """Number of levels of boxes in the tree."""
    static_level: Array[np.int32]
    """First box of each level, from the leaves upward. (8)"""
    static_first: int
    """First number of pairs of a moving and a static geom."""
    static_shift: int
    """Bits of the moving geom in such a number."""
    static_stride: int
    """Number of moving geoms that these bits can hold."""
    moving_geom: Array[np.int32]
    """Geoms that are not static; empty if there is no tree. (nmoving)"""
    geom_sdf: Array[np.int32]
    """Distance function of a geom of type sdf (enums.SdfShape); 0 for others. (ngeom)"""
    geom_sdfprm: Array[np.float64]
    """Parameters of the distance function. (ngeom, 5)"""
    geom_gridsize: Array[np.int32]
    """Number of grid values along x, y and z. (ngeom, 3)"""
    geom_gridadr: Array[np.int32]
    """First value of its grid, among those of all grids. (ngeom)"""
    geom_gridcell: Array[np.float64]
    """Distance between grid values. (ngeom) [m]"""
    geom_gridorigin: Array[np.float64]
    """Position of the first value, in the geom's frame. (ngeom, 3) [m]"""
    grid_data: Array[np.float64]
    """Signed distances of all grids, in the order Z-Y-X. (ngrid) [m]"""
    hull_vertadr: Array[np.int32]
    """First vertex of a mesh's hull, among those of all hulls. (nmesh)"""
    hull_vertnum: Array[np.int32]
    """Number of vertices of the hull. (nmesh)"""
    hull_vert: Array[np.float64]
    """Vertices of hulls, in the mesh's frame. (nhullvert, 3) [m]"""
    hull_vertid: Array[np.int32]
    """Vertex of the mesh for each vertex of a hull. (nhullvert)"""
    hull_edgeadr: Array[np.int32]
    """First neighbour of a hull's vertex. (nhullvert)"""
    hull_edgenum: Array[np.int32]
    """Number of neighbours. (nhullvert)"""
    hull_edge: Array[np.int32]
    """Neighbours, among the vertices of all hulls. (nhulledge)"""
    hull_edgevert: Array[np.float64]
    """Positions of these neighbours. (nhulledge, 3) [m]"""
    hull_toward: Array[np.int32]
    """Support vertices of hulls for directions through 6 x 8 x 8 cells of a cube, counted within the hull. (nmesh, 384)"""
    hull_polypoint: Array[np.float64]
    """Vertices of the polygons of hulls, in the order of mesh_polyvert. (nmeshpolyvert, 3) [m]"""
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
    """Activations of actuators. (na)"""
    history: Array[np.float64]
    """Past controls and readings, with their times. (nhistory)"""
    qacc_warmstart: Array[np.float64]
    """Acceleration of the last step: the solver's warm start. (nv)"""
    ctrl: Array[np.float64]
    """Control. (nu)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (nv) [N or N m]"""
    xfrc_applied: Array[np.float64]
    """Force, then torque, applied at centres of mass. (nbody, 6)"""
    eq_active: Array[np.float64]
    """1 for active equalities, 0 for others. (neq)"""
    mocap_pos: Array[np.float64]
    """Position of mocap bodies. (nmocap, 3) [m]"""
    mocap_quat: Array[np.float64]
    """Orientation of mocap bodies. (nmocap, 4)"""
    userdata: Array[np.float64]
    """User numbers. (nuserdata)"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (nplastic) [m or rad]"""
    tree_asleep: Array[np.float64]
    """Awake if negative (counts quiet steps up to -1); else the next tree of its sleep cycle. (ntree)"""
    placed_qpos: Array[np.float64]
    """qpos for which bodies were placed, if trees may sleep. (nq) [m or rad]"""
    placed_mocap: Array[np.float64]
    """Mocap poses for which bodies were placed, if trees may sleep. (nmocap, 7)"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of sleeping trees, as they fell asleep. (nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of sleeping trees, as they fell asleep, in the metric of a step. (nv) [m/s2 or rad/s2]"""
    resting_rate: Array[np.float64]
    """act_dot of sleeping actuators. (na)"""
    resting_read: Array[np.float64]
    """Readings of sleeping sensors. (nsensordata)"""
    noise: Array[np.float64]
    """Seed of sensor noise, 0 for none, and number of the next draw. (nnoise)"""
    softvert_pos: Array[np.float64]
    """Positions of vertices of deformables. (nsoftvert, 3) [m]"""
    softvert_vel: Array[np.float64]
    """Velocities of vertices. (nsoftvert, 3) [m/s]"""
    softhold_geom: Array[np.float64]
    """Geom in contact with a vertex, plus one; 0 for none. (nsofthold)"""
    softhold_anchor: Array[np.float64]
    """Friction anchor, in the geom's frame. (nsofthold, 3) [m]"""
    softhold_load: Array[np.float64]
    """Running mean of the normal force. (nsofthold) [N]"""
    softhold_gap: Array[np.float64]
    """Remaining penetration, at most 0. (nsofthold) [m]"""
    softrod_quat: Array[np.float64]
    """Orientations of segments of chains. (nsoftrod, 4)"""
    softrod_omega: Array[np.float64]
    """Angular velocities of segments, in their own frames. (nsoftrod, 3) [rad/s]"""
    soft_quiet: Array[np.float64]
    """Number of steps for which a deformable has been quiet; it sleeps from 50 on. (nsoft)"""
    soft_rigid: Array[np.float64]
    """Forces of rigid constraints, at the end of the last step. (nsoftdof) [N or N m]"""
    softvert_applied: Array[np.float64]
    """Force applied to a vertex. (nsoftvert, 3) [N]"""
    status: int
    """Status of the world: 0, or the code of a failure."""
    status_index: int
    """Index of the object that failed: a qpos, dof or other object."""
    status_value: float
    """Value that caused the failure."""
    steps_done: int
    """Number of steps completed in the last call."""
    warning_count: Array[np.int32]
    """Number of warnings of each kind in the last call. (4)"""
    warning_index: Array[np.int32]
    """Index of the first object with a warning. (4)"""
    warning_value: Array[np.float64]
    """Value of the first warning. (4)"""
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
    """Principal axes of inertia of each body. (nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of inertia of each body. (nbody, 9)"""
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
    """Centre of mass of each subtree. (nbody, 3) [m]"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (nv, 6)"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre of mass. (nbody, 10)"""
    ten_wrapadr: Array[np.int32]
    """Address of the points of a path. (ntendon)"""
    ten_wrapnum: Array[np.int32]
    """Number of points of a path. (ntendon)"""
    ten_J: Array[np.float64]
    """Jacobian of tendon lengths, in rows of tendons, CSR. (nJten)"""
    ten_length: Array[np.float64]
    """Length of each tendon. (ntendon) [m or rad]"""
    wrap_obj: Array[np.int32]
    """Geom of a path point; -1 at a site, -2 at a pulley. (nwrap, 2)"""
    wrap_xpos: Array[np.float64]
    """Points of all paths, two a row. (nwrap, 6) [m]"""
    actuator_length: Array[np.float64]
    """Length of each transmission. (nout) [m or rad]"""
    actuator_moment: Array[np.float64]
    """Moment arms, with the columns of moment_colind. (nJmom)"""
    crb: Array[np.float64]
    """Composite inertia of each subtree. (nbody, 10)"""
    M: Array[np.float64]
    """Joint-space inertia matrix, lower triangle, CSR. (nC)"""
    qLD: Array[np.float64]
    """L'DL factor of M. (nC)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (nv)"""
    ten_velocity: Array[np.float64]
    """Velocity of each tendon. (ntendon) [m/s or rad/s]"""
    actuator_velocity: Array[np.float64]
    """Velocity of each transmission. (nout) [m/s or rad/s]"""
    cvel: Array[np.float64]
    """Spatial velocity of each body, about the tree's centre of mass. (nbody, 6)"""
    cdof_dot: Array[np.float64]
    """Time derivative of cdof. (nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Bias force: Coriolis, centrifugal, gravity. (nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (nv)"""
    qfrc_fluid: Array[np.float64]
    """Fluid force. (nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Adhesion force of contacts. (nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (nv)"""
    subtree_linvel: Array[np.float64]
    """Linear velocity of each subtree's centre of mass. (nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Angular momentum of each subtree, about its centre of mass. (nbody, 3) [kg m^2/s]"""
    ten_force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (ntendon) [N or N m]"""
    ten_passive: Array[np.float64]
    """Force of spring and damper along each tendon. (ntendon) [N or N m]"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, change of velocity over the step's length. (nv) [m/s^2]"""
    act_dot: Array[np.float64]
    """Time derivative of each activation. (na)"""
    qH: Array[np.float64]
    """L'DL factor of M with damping, or of the part of the metric in M's pattern. (nC)"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (nv)"""
    actuator_force: Array[np.float64]
    """Force of each output of actuators. (nout) [N or N m]"""
    qfrc_actuator: Array[np.float64]
    """Generalised force of actuators. (nv)"""
    qfrc_smooth: Array[np.float64]
    """Generalised force without constraints. (nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (nv)"""
    qfrc_inverse: Array[np.float64]
    """Force computed by inverse dynamics. (nv) [N or N m]"""
    solver_fwdinv: Array[np.float64]
    """Differences between forward and inverse dynamics: constraint force, applied force. (2) [N or N m]"""
    cacc: Array[np.float64]
    """Spatial acceleration of each body. (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Interaction force between each body and its parent. (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Sum of external forces on each body. (nbody, 6)"""
    qDeriv: Array[np.float64]
    """Derivative of smooth forces with respect to velocities, CSR. (nD)"""
    qLU: Array[np.float64]
    """LU factor of M - h qDeriv. (nD)"""
    sensordata: Array[np.float64]
    """Readings of sensors. (nsensordata)"""
    ncon: int
    """Number of contacts."""
    contact_dist: Array[np.float64]
    """Distance between the surfaces; negative if they overlap. (nconmax) [m]"""
    contact_pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (nconmax, 3) [m]"""
    contact_frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (nconmax, 9)"""
    contact_includemargin: Array[np.float64]
    """Distance below which the contact is active. (nconmax) [m]"""
    contact_friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (nconmax, 5)"""
    contact_solref: Array[np.float64]
    """solref of the normal direction. (nconmax, 2)"""
    contact_solreffriction: Array[np.float64]
    """solref of friction; 0 0 for that of the normal direction. (nconmax, 2)"""
    contact_solimp: Array[np.float64]
    """solimp of the contact. (nconmax, 5)"""
    contact_adhesion: Array[np.float64]
    """Largest adhesive force. (nconmax) [N]"""
    contact_surfacevel: Array[np.float64]
    """Velocity of the second surface relative to the first: along both tangents, and spin. (nconmax, 3)"""
    contact_dim: Array[np.int32]
    """Dimension of the contact force: 1, 3, 4 or 6. (nconmax)"""
    contact_geom: Array[np.int32]
    """The two geoms; the type of the first is not larger. (nconmax, 2)"""
    contact_exclude: Array[np.int32]
    """0 active, 1 in the gap, 3 without dofs. (nconmax)"""
    contact_efc_address: Array[np.int32]
    """Address of its first row in efc fields; -1 if it has none. (nconmax)"""
    ne: int
    """Number of rows of equalities, which come first."""
    nf: int
    """Number of rows of friction loss, which come second."""
    nl: int
    """Number of rows of limits; rows of contacts come last."""
    nefc: int
    """Number of constraint rows."""
    nJ: int
    """Number of entries of the constraint Jacobian."""
    efc_type: Array[np.int32]
    """Type of constraint. (nefcmax)"""
    efc_id: Array[np.int32]
    """Id of the equality, dof, joint, tendon or contact. (nefcmax)"""
    efc_J_rownnz: Array[np.int32]
    """Number of entries of each row of the Jacobian. (nefcmax)"""
    efc_J_rowadr: Array[np.int32]
    """Address of these entries. (nefcmax)"""
    efc_J_colind: Array[np.int32]
    """Dofs of these entries, in rising order. (nJmax)"""
    efc_J_value: Array[np.float64]
    """Values of these entries; `efc_J` is dense or sparse by opt.jacobian. (nJmax)"""
    efc_pos: Array[np.float64]
    """Violation of an equality; else distance to the limit or surface. (nefcmax) [m or rad]"""
    efc_margin: Array[np.float64]
    """Distance below which the constraint is active. (nefcmax) [m or rad]"""
    efc_frictionloss: Array[np.float64]
    """Largest force of friction loss. (nefcmax) [N or N m]"""
    efc_diagA: Array[np.float64]
    """Diagonal of J M^-1 J', or its approximation. (nefcmax)"""
    efc_KBIP: Array[np.float64]
    """Stiffness, damping, impedance and its derivative. (nefcmax, 4)"""
    efc_D: Array[np.float64]
    """Constraint mass: 1 / R. (nefcmax)"""
    efc_R: Array[np.float64]
    """Regularisation. (nefcmax)"""
    tendon_efcadr: Array[np.int32]
    """First row of each tendon, or -1. (ntendon)"""
    efc_vel: Array[np.float64]
    """Velocity of the row: J qvel. (nefcmax) [m/s or rad/s]"""
    efc_aref: Array[np.float64]
    """Reference acceleration. (nefcmax) [m/s^2 or rad/s^2]"""
    efc_state: Array[np.int32]
    """State: 0 satisfied, 1 quadratic, 2 linear negative, 3 linear positive, 4 cone. (nefcmax)"""
    efc_force: Array[np.float64]
    """Force of the constraint. (nefcmax) [N or N m]"""
    contact_mu: Array[np.float64]
    """Friction coefficient of the regularised cone. (nconmax)"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; of the lower one if both are active. (njnt) [N or N m]"""
    ten_limit_frc: Array[np.float64]
    """Force of each tendon's limit; of the lower one if both are active. (ntendon) [N or N m]"""
    nisland: int
    """Number of constraint islands: groups of trees that constraints couple."""
    tree_island: Array[np.int32]
    """Island of each tree; -1 if it has no constraints. (ntree)"""
    dof_island: Array[np.int32]
    """Island of each dof; -1 if it has no constraints. (nv)"""
    efc_island: Array[np.int32]
    """Island of each row. (nefcmax)"""
    solver_niter: Array[np.int32]
    """Number of iterations of each island, with those of noslip. (20)"""
    solver_improvement: Array[np.float64]
    """Cost decrease of the last iteration, scaled. (20)"""
    solver_gradient: Array[np.float64]
    """Norm of the final gradient, scaled. (20)"""
    solver_converged: int
    """1 if all islands converged."""
    solver_residual: float
    """Largest final gradient of an island, scaled; with PGS, the last improvement."""
    state: Array[np.float64]
    """All values of the state, one after another. (nstate)"""
    kept_state: Array[np.float64]
    """State at the start of the step. (nstate)"""
    model_version: int
    """The version of the model for which units are loaded; set by Python."""
    flg_energypos: int
    """Whether the potential energy is that of these positions."""
    flg_energyvel: int
    """Whether the kinetic energy is that of these velocities."""
    flg_subtreevel: int
    """Whether momenta of subtrees are those of these velocities."""
    flg_rnepost: int
    """Whether forces between bodies are those of this acceleration."""
    jnt_turn: Array[np.float64]
    """Rotation in each joint. (njnt, 4)"""
    settled: int
    """Version of the static geoms for which poses and tree are computed."""
    wrap_arc: Array[np.float64]
    """Length of the path on a geom, -1 if it does not touch. (nwrap)"""
    wrap_begin: Array[np.float64]
    """Point where the path meets the geom. (nwrap, 3)"""
    wrap_leave: Array[np.float64]
    """Point where the path leaves the geom. (nwrap, 3)"""
    tenseg_start: Array[np.float64]
    """Start of a straight segment: a site, or a point where the path leaves a geom. (ntenseg, 3) [m]"""
    tenseg_end: Array[np.float64]
    """End of a straight segment: a site, or a point where the path meets a geom. (ntenseg, 3) [m]"""
    tenseg_share: Array[np.float64]
    """Weight in the length, 1 / divisor of the pulley; 0 if the path does not have it. (ntenseg)"""
    ray_stack: Array[np.int32]
    """Boxes of a mesh that a ray has not visited yet. (64)"""
    contact_candidate: Array[np.int32]
    """Candidate pair of a contact. (nconmax)"""
    contact_time: Array[np.float64]
    """Time of impact of a speculative contact, as a share of the step; 0 for others. (nconmax)"""
    contact_closing: Array[np.float64]
    """Distance closed in a step by a speculative contact. (nconmax) [m]"""
    geom_slide: Array[np.float64]
    """Displacements of geoms in a step. (ngeom, 3) [m]"""
    geom_spin: Array[np.float64]
    """Rotation vectors of geoms in a step; zero for spheres. (ngeom, 3) [rad]"""
    geom_travel: Array[np.float64]
    """Largest displacement of any point of a geom in a step. (ngeom) [m]"""
    geom_fast: Array[np.int32]
    """1 if a geom may pass others within a step. (ngeom)"""
    asked: int
    """1 in worlds in which the candidate is near."""
    geom_reach: Array[np.float64]
    """Radius within which a geom can have contacts. (ngeom) [m]"""
    near_word: Array[np.int64]
    """Candidates whose bounding spheres overlap, as bits. (nnearmax)"""
    swept: int
    """Number of sorted geoms."""
    sweep_order: Array[np.int32]
    """Geoms of the sweep, sorted. (ngeom)"""
    sweep_low: Array[np.float64]
    """Lower ends of their spheres along the axis. (ngeom) [m]"""
    sweep_x: Array[np.float64]
    """Centres of their spheres: x. (ngeom) [m]"""
    sweep_y: Array[np.float64]
    """Centres of their spheres: y. (ngeom) [m]"""
    sweep_z: Array[np.float64]
    """Centres of their spheres: z. (ngeom) [m]"""
    sweep_reach: Array[np.float64]
    """Radii of their spheres. (ngeom) [m]"""
    test_count: Array[np.int32]
    """Number of pairs of a family that reached each test, for a report. (3)"""
    pair_turn: Array[np.float64]
    """Rotation of the first geom relative to the second. (9)"""
    pair_shift: Array[np.float64]
    """Position of the first geom in the frame of the second. (3) [m]"""
    look_at: Array[np.float64]
    """Point at which a distance is evaluated, in the frame of the second geom. (3) [m]"""
    look_distance: float
    """Signed distance at that point. [m]"""
    look_gradient: Array[np.float64]
    """Gradient of that distance. (3)"""
    touches: int
    """Number of touching points of a pair with a distance field."""
    touch_apart: float
    """Distance below which touching points are merged. [m]"""
    touch_dist: Array[np.float64]
    """Signed distances at touching points. (50) [m]"""
    touch_pos: Array[np.float64]
    """Positions of touching points, in the frame of the field. (50, 3) [m]"""
    touch_normal: Array[np.float64]
    """Normals of touching points, from the first geom to the second. (50, 3)"""
    touch_left: float
    """Signed distance of the deepest point that did not end at a surface. [m]"""
    touch_left_pos: Array[np.float64]
    """Position of that point. (3) [m]"""
    touch_left_normal: Array[np.float64]
    """Normal at that point. (3)"""
    face_point: Array[np.float64]
    """Corners of a triangle, in the frame of the field. (3, 3) [m]"""
    box_turn: Array[np.float64]
    """Rows: axes of one box in those of the other. (3, 3)"""
    box_polygon: Array[np.float64]
    """Two polygons of twelve corners at most. (24, 3) [m]"""
    static_x: Array[np.float64]
    """Positions of static geoms in the order of the tree: x. (nstaticpad) [m]"""
    static_y: Array[np.float64]
    """Positions of static geoms in the order of the tree: y. (nstaticpad) [m]"""
    static_z: Array[np.float64]
    """Positions of static geoms in the order of the tree: z. (nstaticpad) [m]"""
    static_reach: Array[np.float64]
    """Radii within which they can have contacts. (nstaticpad) [m]"""
    box_xlow: Array[np.float64]
    """Lower corners of boxes of the tree: x. (nstaticbox) [m]"""
    box_xhigh: Array[np.float64]
    """Upper corners of boxes of the tree: x. (nstaticbox) [m]"""
    box_ylow: Array[np.float64]
    """Lower corners of boxes of the tree: y. (nstaticbox) [m]"""
    box_yhigh: Array[np.float64]
    """Upper corners of boxes of the tree: y. (nstaticbox) [m]"""
    box_zlow: Array[np.float64]
    """Lower corners of boxes of the tree: z. (nstaticbox) [m]"""
    box_zhigh: Array[np.float64]
    """Upper corners of boxes of the tree: z. (nstaticbox) [m]"""
    walk_bits: Array[np.int64]
    """Boxes that a search has not visited yet, on each level, as bits. (8)"""
    walk_first: Array[np.int32]
    """First of these boxes on each level. (8)"""
    nstaticpair: int
    """Number of near pairs of a moving and a static geom."""
    static_pair: Array[np.int32]
    """Near pairs of a moving and a static geom, in the order of contacts. (nstaticmax)"""
    static_key: Array[np.int32]
    """Sorting key of these pairs: both bodies, both geoms. (nstaticmax, 4)"""
    static_next: int
    """Number of these pairs that were collided."""
    static_head: int
    """Next of these pairs, or -1."""
    query_geom: Array[np.int32]
    """Geoms whose distance is computed; set by Python. (2)"""
    query_reach: float
    """Largest distance to be computed; set by Python. [m]"""
    hull_hint: Array[np.int32]
    """Support vertices of the last direction, where hill climbing starts, or -1. (2)"""
    simplex_weight: Array[np.float64]
    """Weights of the simplex' vertices in its point nearest to the origin. (4)"""
    diff_point: Array[np.float64]
    """Vertices of the simplex or polytope of the Minkowski difference, in the axes of the first geom. (npolytopemax, 3) [m]"""
    diff_first: Array[np.float64]
    """Their points of the first geom. (npolytopemax, 3) [m]"""
    diff_corner: Array[np.int32]
    """Their corners of both geoms, or -1. (npolytopemax, 2)"""
    face_corner: Array[np.int32]
    """Vertices of the polytope's faces, counter-clockwise from outside. (npolytopemax, 3)"""
    face_x: Array[np.float64]
    """Outward normals of the polytope's faces: x. (npolytopemax)"""
    face_y: Array[np.float64]
    """Outward normals of the polytope's faces: y. (npolytopemax)"""
    face_z: Array[np.float64]
    """Outward normals of the polytope's faces: z. (npolytopemax)"""
    face_gone: Array[np.int32]
    """Faces that are visible from the next vertex. (npolytopemax)"""
    face_height: Array[np.float64]
    """Signed distances of faces from the origin. (npolytopemax) [m]"""
    rim_edge: Array[np.int32]
    """Horizon of the polytope, as seen from the next vertex. (npolytopemax, 2)"""
    apart: Array[np.float64]
    """Separating direction, from the second geom to the first. (3)"""
    apart_axis: Array[np.float64]
    """Last separating directions of candidates, by the lowest bits of their numbers. (1024, 3)"""
    apart_corner: Array[np.int32]
    """Support vertices of both geoms along these directions, for hulls. (1024, 2)"""
    apart_level: float
    """Extent of the geom on a height field along that direction. [m]"""
    prism: Array[np.float64]
    """Corners of a prism of a height field: those of its base, then those above them. (6, 3) [m]"""
    witness: Array[np.int32]
    """Vertices whose hull has the nearest or deepest point. (3)"""
    side_one: Array[np.float64]
    """Corners of a face, or ends of an edge, of the first geom. (npolygonmax, 3) [m]"""
    side_two: Array[np.float64]
    """Corners of a face, or ends of an edge, of the second geom. (npolygonmax, 3) [m]"""
    clipped: Array[np.float64]
    """Polygons that are clipped, before and after a cut. (npolygonmax, 3) [m]"""
    clipped_dist: Array[np.float64]
    """Distances of their corners from the other face. (npolygonmax) [m]"""
    found: int
    """Number of contacts of the pair."""
    found_dist: Array[np.float64]
    """Distances of these contacts. (4) [m]"""
    found_pos: Array[np.float64]
    """Positions of these contacts, in the axes of the first geom. (4, 3) [m]"""
    found_normal: Array[np.float64]
    """Normal of these contacts, in the axes of the first geom. (3)"""
    nearest: int
    """1 if a prism of a height field is within reach of a geom."""
    nearest_dist: float
    """Distance of the nearest prism so far. [m]"""
    nearest_pos: Array[np.float64]
    """Position of that contact, in the axes of the height field. (3) [m]"""
    nearest_normal: Array[np.float64]
    """Normal of that contact, towards the geom. (3)"""
    contact_match: Array[np.int32]
    """Match of contacts with a sensor: 1, -1 in reverse order, 0 for none; or a list of geoms. (nconmax)"""
    efc_invweight: Array[np.float64]
    """Inverse weight of each row, before that in the metric replaces it. (nefcmax)"""
    forward_force: Array[np.float64]
    """efc_force of forward dynamics, stored for comparison with the inverse. (nefcmax) [N or N m]"""
    contact_wrench: Array[np.float64]
    """Force and torque of requested contacts, in their frames. (nconmax, 6) [N or N m]"""
    row_solve: Array[np.float64]
    """Work vector for solving with the factor of M; zero between uses. (nv)"""
    query_point: Array[np.float64]
    """Point of a query; set by Python. (3) [m]"""
    query_force: Array[np.float64]
    """Force at that point; set by Python. (3) [N]"""
    query_torque: Array[np.float64]
    """Torque on its body; set by Python. (3) [N m]"""
    query_vec: Array[np.float64]
    """Vector over dofs: input, or result in place. (nv)"""
    query_result: Array[np.float64]
    """M times that vector. (nv)"""
    query_jacp: Array[np.float64]
    """Translational Jacobian of the point. (3, nv)"""
    query_jacr: Array[np.float64]
    """Rotational Jacobian of its body. (3, nv)"""
    query_motion: Array[np.float64]
    """Angular and linear velocity or acceleration of an object. (6)"""
    range_output: int
    """Force output whose length range is computed; set by Python."""
    range_accel: float
    """Norm of the acceleration that it applies, negative for short lengths; set by Python. [rad/s² or m/s²]"""
    range_maxforce: float
    """Largest norm of the applied force, if positive; set by Python."""
    range_slowing: float
    """Factor of velocities after each step; set by Python."""
    range_start: float
    """Time from which lengths are recorded; set by Python. [s]"""
    range_end: float
    """Time at which the simulation ends; set by Python. [s]"""
    range_count: int
    """Number of recorded lengths."""
    range_low: float
    """Shortest recorded length."""
    range_high: float
    """Longest recorded length."""
    rne_cacc: Array[np.float64]
    """Acceleration of each body. (nbody, 6)"""
    rne_cfrc: Array[np.float64]
    """Force on each body. (nbody, 6)"""
    body_xvel: Array[np.float64]
    """Velocity of each body's centre of mass. (nbody, 6)"""
    island_nv: Array[np.int32]
    """Number of dofs of an island. (ntree)"""
    island_dofadr: Array[np.int32]
    """Address of an island's dofs in map_idof2dof. (ntree)"""
    map_dof2idof: Array[np.int32]
    """Place of each dof in its island. (nv)"""
    map_idof2dof: Array[np.int32]
    """Dofs, sorted by island. (nv)"""
    ifrc_smooth: Array[np.float64]
    """Force without constraints. (nvpad)"""
    iacc_smooth: Array[np.float64]
    """Acceleration without constraints. (nvpad)"""
    iacc: Array[np.float64]
    """Acceleration. (nvpad)"""
    island_nefc: Array[np.int32]
    """Number of rows of an island. (ntree)"""
    map_iefc2efc: Array[np.int32]
    """Rows, sorted by island. (nefcmax)"""
    iefc_D: Array[np.float64]
    """As efc_D. (nrowmax)"""
    iefc_R: Array[np.float64]
    """As efc_R. (nrowmax)"""
    iefc_aref: Array[np.float64]
    """As efc_aref. (nrowmax)"""
    iefc_force: Array[np.float64]
    """Forces of the island's rows. (nrowmax)"""
    tree_link: Array[np.int32]
    """Union-find parent: a tree of the same island, lower unless it is the root. (ntree)"""
    island_efcadr: Array[np.int32]
    """Address of an island's rows in map_iefc2efc. (ntree)"""
    idof: Array[np.int32]
    """Dofs of the island that is solved. (nv)"""
    iplace: Array[np.int32]
    """Place of each dof in that list. (nv)"""
    island_done: Array[np.int32]
    """1 if an island has been solved. (ntree)"""
    inext: int
    """First unsolved island, or -1."""
    inext_n: int
    """Number of its dofs."""
    ncouple: int
    """Number of coupling rows of the metric, behind all others."""
    icurrent: int
    """Island that is solved."""
    solving: int
    """Whether the world has an island to solve, and is still iterating."""
    icost: float
    """Gauss cost of the warm start."""
    istart: int
    """Chosen start: 1 for the last step's acceleration, 0 for the smooth one."""
    icount: int
    """Number of iterations."""
    iline_slope: float
    """Derivative of the Gauss cost along the search direction."""
    iline_curve: float
    """Second derivative of the Gauss cost along the search direction."""
    iline_flat: float
    """Derivative of the cost that counts as zero."""
    ialpha: float
    """Step length along the search direction."""
    igain: float
    """Decrease of the cost by that step."""
    island_n: int
    """Number of dofs of the island that is solved."""
    island_bounded: int
    """Number of its rows with bounds, padded to fours."""
    island_rows: int
    """Number of all its rows."""
    island_cones: int
    """Number of its contacts with elliptic cones."""
    iM: Array[np.float64]
    """Inertia matrix of the island, in the layout of M. (nC)"""
    iM_rowadr: Array[np.int32]
    """Address of its rows. (nv)"""
    iM_rownnz: Array[np.int32]
    """Number of entries of its rows. (nv)"""
    iM_colind: Array[np.int32]
    """Columns of its entries. (nC)"""
    iacc_warm: Array[np.float64]
    """Warm start of the acceleration. (nvpad)"""
    iMa: Array[np.float64]
    """M times the acceleration. (nvpad)"""
    iMv: Array[np.float64]
    """M times the search direction. (nvpad)"""
    igrad: Array[np.float64]
    """Gradient of the cost. (nvpad)"""
    isearch: Array[np.float64]
    """Search direction. (nvpad)"""
    ix: Array[np.float64]
    """Work vector of the solve. (nvpad)"""
    large_x: Array[np.float64]
    """Work vector of the solve, for large islands. (nvpad, 2)"""
    iLD: Array[np.float64]
    """L'DL factor of the island's M. (nC)"""
    iDinv: Array[np.float64]
    """Inverse of its D. (nvpad)"""
    iMgrad: Array[np.float64]
    """M^-1 times the gradient. (nvpad)"""
    ilast_grad: Array[np.float64]
    """Gradient of the last iteration. (nvpad)"""
    ilast_Mgrad: Array[np.float64]
    """M^-1 times the gradient of the last iteration. (nvpad)"""
    ipush: Array[np.float64]
    """Acceleration due to all forces: M^-1 J' f. (nvpad)"""
    iefc_Y: Array[np.float64]
    """M^-1 J', a row for each row of J; of few rows, J L^-1 and behind it J M^-1 J'. (nYmax)"""
    iefc_diag: Array[np.float64]
    """Diagonal of J M^-1 J'; of few rows, its inverse with R. (nrowmax)"""
    qacc_rows: Array[np.float64]
    """Force, then acceleration, of rows of islands with few rows that PGS solves. (nv)"""
    iefc_seed: Array[np.int32]
    """State of the random generator of visiting orders, nine bits each. (8)"""
    iefc_turn: Array[np.int32]
    """Visiting order of rows and cones. (nrowmax)"""
    visit_order: Array[np.int32]
    """Visiting orders of few rows in each sweep, one after another; 0 where not known yet. (nvisitmax)"""
    iefc_before: Array[np.float64]
    """Forces before extrapolation. (nrowmax)"""
    iefc_ahead: Array[np.float64]
    """Forces after extrapolation. (nrowmax)"""
    iefc_b: Array[np.float64]
    """b = J acc_smooth - aref. (nrowmax)"""
    cone_A: Array[np.float64]
    """Block of J M^-1 J' of the rows of a cone. (nconmax, 36)"""
    cone_b: Array[np.float64]
    """Residuals of a cone's rows, also without the part of friction. (6)"""
    cone_old: Array[np.float64]
    """Forces of a cone before an update. (6)"""
    disc_A: Array[np.float64]
    """Quadratic term of a QCQP. (25)"""
    disc_b: Array[np.float64]
    """Linear term of a QCQP. (5)"""
    disc_x: Array[np.float64]
    """Solution of a QCQP. (5)"""
    disc_L: Array[np.float64]
    """Cholesky factor of a QCQP's matrix. (25)"""
    disc_y: Array[np.float64]
    """Derivative of a QCQP's solution. (5)"""
    iefc_efc: Array[np.int32]
    """Row of efc fields; -1 for a padding row. (nrowmax)"""
    iefc_adr: Array[np.int32]
    """Address of its entries. (nrowmax)"""
    iefc_nnz: Array[np.int32]
    """Number of its entries. (nrowmax)"""
    iefc_colind: Array[np.int32]
    """Dofs of its entries, numbered within the island. (nJmax)"""
    iefc_J: Array[np.float64]
    """Values of its entries. (nJmax)"""
    quad_adr: Array[np.int32]
    """Address of the columns of four rows with bounds. (nrowmax)"""
    quad_alike: Array[np.int32]
    """1 if all four have the same columns. (nrowmax)"""
    quad_col: Array[np.int32]
    """Dofs of these columns, numbered within the island. (nquadmax)"""
    quad_J: Array[np.float64]
    """Entries of the four rows. (nquadmax, 4)"""
    iefc_lo: Array[np.float64]
    """Lower bound of the force. (nrowmax)"""
    iefc_hi: Array[np.float64]
    """Upper bound of the force. (nrowmax)"""
    iefc_x: Array[np.float64]
    """Residual: J qacc - aref. (nrowmax)"""
    iefc_v: Array[np.float64]
    """Change of the residual along the search direction: J search. (nrowmax)"""
    iefc_y: Array[np.float64]
    """Force before clamping. (nrowmax)"""
    iefc_dy: Array[np.float64]
    """Its change along the search direction. (nrowmax)"""
    iefc_quad: Array[np.float64]
    """Second derivative of the cost along the search direction. (nrowmax)"""
    iefc_stiff: Array[np.float64]
    """Second derivative of the cost by the row's residual. (nrowmax)"""
    iefc_delta: Array[np.float64]
    """Change of that which is not yet in H. (nrowmax)"""
    cone_contact: Array[np.int32]
    """Contact of an elliptic cone. (nconmax)"""
    cone_row: Array[np.int32]
    """First row of a cone in the island. (nconmax)"""
    cone_zone: Array[np.int32]
    """Zone of a cone: top, bottom or middle. (nconmax)"""
    cone_line: Array[np.float64]
    """Coefficients of a cone's cost along the search direction. (nconmax, 8)"""
    cone_cost: Array[np.float64]
    """Cost of a cone. (nconmax)"""
    cone_hess: Array[np.float64]
    """Hessian of a cone's cost by its residuals. (nconmax, 36)"""
    cone_work: Array[np.float64]
    """That Hessian times the rows of the cone. (nvpad, 6)"""
    hess: Array[np.float64]
    """H = M + J' D J of quadratic rows, of a large island. (nHmax)"""
    hess_cone: Array[np.float64]
    """H with the Hessians of cones in the middle zone. (nHmax)"""
    hess_L: Array[np.float64]
    """Factor of H. (nHmax)"""
    small_H: Array[np.float64]
    """H = M + J' D J of quadratic rows, of a small island. (nsmallH)"""
    small_cone: Array[np.float64]
    """H with the Hessians of cones in the middle zone. (nsmallH)"""
    small_L: Array[np.float64]
    """L'DL factor of H, by rows. (nsmallH)"""
    small_S: Array[np.float64]
    """L'DL factor of H, by columns. (nsmallH)"""
    small_Dinv: Array[np.float64]
    """Inverse pivots of the factor. (nvpad)"""
    hess_changed: int
    """Number of rows added to or removed from H since it was factored."""
    hess_middle: int
    """Number of cones in the middle zone when H was factored."""
    hess_fall: float
    """grad' H^-1 grad: twice the decrease of the quadratic model."""
    pattern_n: int
    """Number of dofs of the island with the stored pattern."""
    pattern_word: Array[np.int64]
    """Pattern of H before factorisation, as bits. (nvpad)"""
    pattern_known: Array[np.int64]
    """Pattern of H of the last symbolic factorisation, as bits. (nvpad)"""
    pattern_full: Array[np.int64]
    """Pattern of L, as bits. (nvpad)"""
    blk_num: Array[np.int32]
    """Number of blocks of four columns in a row of L. (nvpad)"""
    blk: Array[np.int32]
    """First columns of these blocks, in rising order. (nsmallH)"""
    below_num: Array[np.int32]
    """Number of rows below the diagonal in a column of L. (nvpad)"""
    below: Array[np.int32]
    """These rows, in falling order. (nsmallH)"""
    run_num: Array[np.int32]
    """Number of blocks of four rows in a column of L. (nvpad)"""
    run: Array[np.int32]
    """First rows of these blocks, in falling order. (nsmallH)"""
    hess_n: int
    """Number of rows of the Hessian of a large island, with padding rows."""
    order_tree: Array[np.int32]
    """Tree of a dof of a large island, numbered within the island. (nvpad)"""
    order_first: Array[np.int32]
    """First dof of such a tree. (ntree)"""
    order_dofs: Array[np.int32]
    """Number of its dofs. (ntree)"""
    order_word: Array[np.int64]
    """Neighbouring trees, as bits. (nwordmax)"""
    order_degree: Array[np.int32]
    """Number of dofs of these neighbours. (ntree)"""
    order_list: Array[np.int32]
    """Trees in order of elimination. (ntree)"""
    order_turn: Array[np.int32]
    """Position of a tree in that order. (ntree)"""
    order_parent: Array[np.int32]
    """Parent of a tree in the elimination tree; -1 for a root. (ntree)"""
    order_child: Array[np.int32]
    """Last child of a tree in the elimination tree; -1 if there is none. (ntree)"""
    order_sibling: Array[np.int32]
    """Previous sibling of a tree in the elimination tree; -1 if there is none. (ntree)"""
    order_place: Array[np.int32]
    """Row of H of a dof. (nvpad)"""
    block_n: int
    """Number of rows of the Hessian with the stored pattern."""
    block_known: Array[np.int64]
    """Pattern of blocks of the last symbolic factorisation, as bits. (nwordmax)"""
    block_word: Array[np.int64]
    """Pattern of blocks of H, then of its factor, as bits. (nwordmax)"""
    block_adr: Array[np.int32]
    """First block of a row of blocks. (nvpad)"""
    block_num: Array[np.int32]
    """Number of blocks left of the diagonal in a row of blocks. (nvpad)"""
    block_col: Array[np.int32]
    """Column of a block; the one on the diagonal is last. (nblockmax)"""
    used_ctrl: Array[np.float64]
    """Controls after delay and clamping. (nu)"""
    fresh: Array[np.float64]
    """Readings of sensors with a history, before their delay. (nhistory)"""
    ten_pull: Array[np.float64]
    """Sum of actuator forces of a tendon, before its limit. (ntendon)"""
    ten_tension: Array[np.float64]
    """Force along each tendon, positive if it pushes its ends apart. (ntendon)"""
    act_rate: Array[np.float64]
    """Rates with which activations are advanced. (na)"""
    was_awake: Array[np.int32]
    """Whether each tree was awake before a sweep. (ntree)"""
    run_stirs: Array[np.int32]
    """Whether each run of bodies is computed in this step. (nbody)"""
    movers: int
    """Number of trees that are awake and of mocap bodies, if trees may sleep."""
    tree_kept: Array[np.int32]
    """Whether derived fields of a sleeping tree are still valid. (ntree)"""
    tree_falls: Array[np.int32]
    """Whether each tree falls asleep in this step. (ntree)"""
    island_rests: Array[np.int32]
    """Whether all trees of an island are ready to sleep. (ntree)"""
    island_last: Array[np.int32]
    """Last tree of an island that was put to sleep. (ntree)"""
    woken: int
    """Whether contacts have woken trees."""
    ten_asleep: Array[np.int32]
    """Whether each tendon slept at the position stage. (ntendon)"""
    resting_qpos: Array[np.float64]
    """qpos before the step. (nq)"""
    user_gain: Array[np.float64]
    """Gain returned by a callback. (nactuator)"""
    user_bias: Array[np.float64]
    """Bias returned by a callback. (nactuator)"""
    given_qacc: Array[np.float64]
    """Acceleration in discrete time for inverse dynamics. (nv)"""
    inverse_qacc: Array[np.float64]
    """Acceleration in continuous time, or the corresponding force. (nv)"""
    forward_qfrc: Array[np.float64]
    """qfrc_constraint of forward dynamics, stored for comparison with the inverse. (nv)"""
    step_qacc: Array[np.float64]
    """Acceleration with which the step integrates. (nv)"""
    rk4_qpos: Array[np.float64]
    """Position at the start of the step. (nq)"""
    rk4_qvel: Array[np.float64]
    """Velocity at each stage. (nv, 4)"""
    rk4_rate: Array[np.float64]
    """Time derivative of positions at each stage. (nv, 4)"""
    rk4_qacc: Array[np.float64]
    """Acceleration at each stage. (nv, 4)"""
    rk4_act: Array[np.float64]
    """Activation at the start of the step. (na)"""
    rk4_speed: Array[np.float64]
    """Actuator velocities at the start of the step. (nout)"""
    rk4_adot: Array[np.float64]
    """act_dot at each stage. (na, 4)"""
    rk4_dqpos: Array[np.float64]
    """Weighted mean of position rates. (nv)"""
    rk4_length: Array[np.float64]
    """Tendon lengths at the start of the step. (ntendon)"""
    rk4_J: Array[np.float64]
    """Tendon Jacobians at the start of the step. (nJten)"""
    rk4_dqvel: Array[np.float64]
    """Weighted mean of accelerations. (nv)"""
    free_LU: Array[np.float64]
    """LU factor for free bodies that are solved by themselves. (nD)"""
    rne_turn: Array[np.float64]
    """Derivative of torques on subtrees by angular velocities above. (nbody, 9)"""
    rne_momentum: Array[np.float64]
    """Momentum of each subtree. (nbody, 3)"""
    rne_drift: Array[np.float64]
    """Acceleration of all bodies below, by a dof's velocity. (nv, 6)"""
    ten_metric: Array[np.float64]
    """Weight of each tendon's J'J in the metric. (ntendon)"""
    out_metric: Array[np.float64]
    """Weight of each force output's moment' moment in the metric. (nout)"""
    metric: Array[np.float64]
    """M with all terms of the metric that fit its pattern. (nC)"""
    metric_frc: Array[np.float64]
    """That matrix times qacc_smooth. (nv)"""
    efm_c: Array[np.float64]
    """Change of smooth forces until the end of the step at constant velocity: -h K v. (nv)"""
    efm_diag: Array[np.float64]
    """Terms of joint springs and dampers on the diagonal: h D + h^2 K. (nv)"""
    efm_ck: Array[np.float64]
    """h times the stiffness of each dof's spring. (nv)"""
    efm_sdiag: Array[np.float64]
    """All terms that are added to the diagonal of M. (nv)"""
    cg_rest: Array[np.float64]
    """Residual of the conjugate gradients. (nv)"""
    cg_step: Array[np.float64]
    """Search direction of the conjugate gradients. (nv)"""
    cg_next: Array[np.float64]
    """Preconditioned residual. (nv)"""
    cg_product: Array[np.float64]
    """Metric times a vector. (nv)"""
    jnt_loose: Array[np.int32]
    """Whether no row and no term of the metric acts on a joint. (njnt)"""
    qfrc_soft: Array[np.float64]
    """Force of deformables on degrees of freedom; part of qfrc_constraint. (nsoftdof) [N or N m]"""
    soft_wrench: Array[np.float64]
    """Torque about the centre of mass, and force, of deformables on each body. (nsoftbody, 6) [N m, N]"""
    nsoftcon: int
    """Number of contacts of vertices with geoms."""
    softcon_vert: Array[np.int32]
    """Vertex of a contact. (nsoftconmax)"""
    softcon_geom: Array[np.int32]
    """Geom of a contact. (nsoftconmax)"""
    softcon_pos: Array[np.float64]
    """Nearest point of the geom's surface. (nsoftconmax, 3) [m]"""
    softcon_normal: Array[np.float64]
    """Normal, from the geom to the vertex. (nsoftconmax, 3)"""
    softcon_depth: Array[np.float64]
    """Penetration of the vertex, as a sphere; negative if it is apart. (nsoftconmax) [m]"""
    softcon_friction: Array[np.float64]
    """Friction: geometric mean of both sides. (nsoftconmax)"""
    softcon_force: Array[np.float64]
    """Mean force on the vertex in the step. (nsoftconmax, 3) [N]"""
    softvert_colliding: Array[np.int32]
    """1 if a vertex is in contact with a geom. (nsoftvert)"""
    nsoftnear: int
    """Number of near pairs of vertices."""
    softnear_vert: Array[np.int32]
    """Near pairs of vertices of deformables. (nsoftnearmax, 2)"""
    soft_p: Array[np.float64]
    """Positions of vertices within a step. (nsoftpoint, 3) [m]"""
    soft_before: Array[np.float64]
    """Positions at the start of the substep. (nsoftpoint, 3) [m]"""
    soft_v: Array[np.float64]
    """Velocities of vertices within a step. (nsoftpoint, 3) [m/s]"""
    soft_pull: Array[np.float64]
    """Accelerations by external forces. (nsoftpoint, 3) [m/s^2]"""
    soft_w: Array[np.float64]
    """Inverse masses; 0 for sleeping vertices. (nsoftpoint) [1/kg]"""
    soft_q: Array[np.float64]
    """Orientations of segments within a step. (nsoftrod, 4)"""
    soft_qbefore: Array[np.float64]
    """Orientations at the start of the substep. (nsoftrod, 4)"""
    soft_spin: Array[np.float64]
    """Angular velocities of segments within a step. (nsoftrod, 3) [rad/s]"""
    softcon_sum: Array[np.float64]
    """Accumulated impulse on the vertex. (nsoftconmax, 3) [N s]"""
    soft_bodyused: Array[np.int32]
    """1 if deformables may act on a body. (nsoftbody)"""
    soft_bodypos: Array[np.float64]
    """Centres of mass within a step. (nsoftbody, 3) [m]"""
    soft_bodyquat: Array[np.float64]
    """Rotations of bodies since the start of the step. (nsoftbody, 4)"""
    soft_bodyvel: Array[np.float64]
    """Velocities of bodies through the step: angular, and of the centre of mass. (nsoftbody, 6)"""
    soft_bodyacc: Array[np.float64]
    """Accelerations of bodies without deformables. (nsoftbody, 6)"""
    soft_bodyinv: Array[np.float64]
    """Inverse inertia of bodies at their centres of mass, by rows. (nsoftbody, 36)"""
    soft_bodysum: Array[np.float64]
    """Accumulated impulse on bodies: about the centre of mass, and linear. (nsoftbody, 6)"""
    softcon_near: Array[np.float64]
    """Nearest point of the surface, in the geom's frame. (nsoftconmax, 3) [m]"""
    softcon_out: Array[np.float64]
    """Normal there, in the geom's frame. (nsoftconmax, 3)"""
    softcon_gap: Array[np.float64]
    """Penetration at the start of the substep, at most 0. (nsoftconmax) [m]"""
    softcon_held: Array[np.int32]
    """1 if the contact has a friction anchor. (nsoftconmax)"""
    softcon_anchor: Array[np.float64]
    """Friction anchor, in the geom's frame. (nsoftconmax, 3) [m]"""
    softcon_load: Array[np.float64]
    """Running mean of the normal force on the vertex. (nsoftconmax) [N]"""
    softpin_place: Array[np.float64]
    """Points of attachment, relative to the body's centre of mass at the start of the step. (nsoftpin, 3) [m]"""
    soft_column: Array[np.float64]
    """Work vector of forces or accelerations. (nsoftdof)"""
    soft_force: Array[np.float64]
    """Forces of rigid constraints in this step. (nsoftdof) [N or N m]"""
    soft_smooth_frc: Array[np.float64]
    """qfrc_smooth, while it has qfrc_soft in it for the solver. (nsoftdof) [N or N m]"""
    soft_smooth_acc: Array[np.float64]
    """qacc_smooth, while it is that with qfrc_soft. (nsoftdof) [m/s^2 or rad/s^2]"""
    soft_calm: Array[np.float64]
    """Number of steps for which deformables have been quiet, including this one. (nsoft)"""
    soft_reach: float
    """Displacement of a body by an impulse, in substeps of its change of velocity."""
    soft_momentum: Array[np.float64]
    """Angular momentum about the centre of mass at the start of the step. (nsoft, 3) [kg m^2/s]"""
    soft_h: float
    """Length of a substep. [s]"""
    soft_cell: Array[np.int32]
    """Hash table slot of a vertex. (nsoftpoint)"""
    soft_sorted: Array[np.int32]
    """Vertices sorted by slots. (nsoftpoint)"""
    soft_cellstart: Array[np.int32]
    """First of these vertices for each slot. (nsoftpoint)"""
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
    """Distance between the surfaces; negative if they overlap. [m]"""
    pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (3) [m]"""
    frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (9)"""
    includemargin: float
    """Distance below which the contact is active. [m]"""
    friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (5)"""
    solref: Array[np.float64]
    """solref of the normal direction. (2)"""
    solreffriction: Array[np.float64]
    """solref of friction; 0 0 for that of the normal direction. (2)"""
    solimp: Array[np.float64]
    """solimp of the contact. (5)"""
    adhesion: float
    """Largest adhesive force. [N]"""
    surfacevel: Array[np.float64]
    """Velocity of the second surface relative to the first: along both tangents, and spin. (3)"""
    dim: int
    """Dimension of the contact force: 1, 3, 4 or 6."""
    geom: Array[np.int32]
    """The two geoms; the type of the first is not larger. (2)"""
    exclude: int
    """0 active, 1 in the gap, 3 without dofs."""
    efc_address: int
    """Address of its first row in efc fields; -1 if it has none."""
    mu: float
    """Friction coefficient of the regularised cone."""
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
    """Distance between the surfaces; negative if they overlap. (nconmax) [m]"""
    pos: Array[np.float64]
    """Point of contact, halfway between the surfaces. (nconmax, 3) [m]"""
    frame: Array[np.float64]
    """Rows: the normal, from the first geom to the second, and two tangents. (nconmax, 9)"""
    includemargin: Array[np.float64]
    """Distance below which the contact is active. (nconmax) [m]"""
    friction: Array[np.float64]
    """Friction: slide 1, slide 2, spin, roll 1, roll 2. (nconmax, 5)"""
    solref: Array[np.float64]
    """solref of the normal direction. (nconmax, 2)"""
    solreffriction: Array[np.float64]
    """solref of friction; 0 0 for that of the normal direction. (nconmax, 2)"""
    solimp: Array[np.float64]
    """solimp of the contact. (nconmax, 5)"""
    adhesion: Array[np.float64]
    """Largest adhesive force. (nconmax) [N]"""
    surfacevel: Array[np.float64]
    """Velocity of the second surface relative to the first: along both tangents, and spin. (nconmax, 3)"""
    dim: Array[np.int32]
    """Dimension of the contact force: 1, 3, 4 or 6. (nconmax)"""
    geom: Array[np.int32]
    """The two geoms; the type of the first is not larger. (nconmax, 2)"""
    exclude: Array[np.int32]
    """0 active, 1 in the gap, 3 without dofs. (nconmax)"""
    efc_address: Array[np.int32]
    """Address of its first row in efc fields; -1 if it has none. (nconmax)"""
    mu: Array[np.float64]
    """Friction coefficient of the regularised cone. (nconmax)"""
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
    """Activations of actuators. (n, na)"""
    history: Array[np.float64]
    """Past controls and readings, with their times. (n, nhistory)"""
    qacc_warmstart: Array[np.float64]
    """Acceleration of the last step: the solver's warm start. (n, nv)"""
    plastic: Array[np.float64]
    """Rest positions of springs that yield. (n, nplastic) [m or rad]"""
    tree_asleep: Array[np.float64]
    """Awake if negative (counts quiet steps up to -1); else the next tree of its sleep cycle. (n, ntree)"""
    placed_qpos: Array[np.float64]
    """qpos for which bodies were placed, if trees may sleep. (n, nq) [m or rad]"""
    placed_mocap: Array[np.float64]
    """Mocap poses for which bodies were placed, if trees may sleep. (n, nmocap, 7)"""
    resting_qfrc: Array[np.float64]
    """qfrc_smooth of sleeping trees, as they fell asleep. (n, nv) [N or N m]"""
    resting_qacc: Array[np.float64]
    """qacc_smooth of sleeping trees, as they fell asleep, in the metric of a step. (n, nv) [m/s2 or rad/s2]"""
    resting_rate: Array[np.float64]
    """act_dot of sleeping actuators. (n, na)"""
    resting_read: Array[np.float64]
    """Readings of sleeping sensors. (n, nsensordata)"""
    noise: Array[np.float64]
    """Seed of sensor noise, 0 for none, and number of the next draw. (n, nnoise)"""
    softvert_pos: Array[np.float64]
    """Positions of vertices of deformables. (n, nsoftvert, 3) [m]"""
    softvert_vel: Array[np.float64]
    """Velocities of vertices. (n, nsoftvert, 3) [m/s]"""
    softhold_geom: Array[np.float64]
    """Geom in contact with a vertex, plus one; 0 for none. (n, nsofthold)"""
    softhold_anchor: Array[np.float64]
    """Friction anchor, in the geom's frame. (n, nsofthold, 3) [m]"""
    softhold_load: Array[np.float64]
    """Running mean of the normal force. (n, nsofthold) [N]"""
    softhold_gap: Array[np.float64]
    """Remaining penetration, at most 0. (n, nsofthold) [m]"""
    softrod_quat: Array[np.float64]
    """Orientations of segments of chains. (n, nsoftrod, 4)"""
    softrod_omega: Array[np.float64]
    """Angular velocities of segments, in their own frames. (n, nsoftrod, 3) [rad/s]"""
    soft_quiet: Array[np.float64]
    """Number of steps for which a deformable has been quiet; it sleeps from 50 on. (n, nsoft)"""
    soft_rigid: Array[np.float64]
    """Forces of rigid constraints, at the end of the last step. (n, nsoftdof) [N or N m]"""
    ctrl: Array[np.float64]
    """Control. (n, nu)"""
    qfrc_applied: Array[np.float64]
    """Applied generalized force. (n, nv) [N or N m]"""
    xfrc_applied: Array[np.float64]
    """Force, then torque, applied at centres of mass. (n, nbody, 6)"""
    eq_active: Array[np.float64]
    """1 for active equalities, 0 for others. (n, neq)"""
    mocap_pos: Array[np.float64]
    """Position of mocap bodies. (n, nmocap, 3) [m]"""
    mocap_quat: Array[np.float64]
    """Orientation of mocap bodies. (n, nmocap, 4)"""
    userdata: Array[np.float64]
    """User numbers. (n, nuserdata)"""
    softvert_applied: Array[np.float64]
    """Force applied to a vertex. (n, nsoftvert, 3) [N]"""
    ncon: Array[np.int32]
    """Number of contacts. (n,)"""
    ne: Array[np.int32]
    """Number of rows of equalities, which come first. (n,)"""
    nf: Array[np.int32]
    """Number of rows of friction loss, which come second. (n,)"""
    nl: Array[np.int32]
    """Number of rows of limits; rows of contacts come last. (n,)"""
    nefc: Array[np.int32]
    """Number of constraint rows. (n,)"""
    nJ: Array[np.int32]
    """Number of entries of the constraint Jacobian. (n,)"""
    nisland: Array[np.int32]
    """Number of constraint islands: groups of trees that constraints couple. (n,)"""
    nsoftcon: Array[np.int32]
    """Number of contacts of vertices with geoms. (n,)"""
    status_value: Array[np.float64]
    """Value that caused the failure. (n,)"""
    warning_value: Array[np.float64]
    """Value of the first warning. (n, 4)"""
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
    """Principal axes of inertia of each body. (n, nbody, 4)"""
    ximat: Array[np.float64]
    """Principal axes of inertia of each body. (n, nbody, 9)"""
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
    """Centre of mass of each subtree. (n, nbody, 3) [m]"""
    cdof: Array[np.float64]
    """Motion axis of each dof. (n, nv, 6)"""
    cinert: Array[np.float64]
    """Inertia about the tree's centre of mass. (n, nbody, 10)"""
    ten_J: Array[np.float64]
    """Jacobian of tendon lengths, in rows of tendons, CSR. (n, nJten)"""
    ten_length: Array[np.float64]
    """Length of each tendon. (n, ntendon) [m or rad]"""
    wrap_xpos: Array[np.float64]
    """Points of all paths, two a row. (n, nwrap, 6) [m]"""
    actuator_length: Array[np.float64]
    """Length of each transmission. (n, nout) [m or rad]"""
    actuator_moment: Array[np.float64]
    """Moment arms, with the columns of moment_colind. (n, nJmom)"""
    crb: Array[np.float64]
    """Composite inertia of each subtree. (n, nbody, 10)"""
    M: Array[np.float64]
    """Joint-space inertia matrix, lower triangle, CSR. (n, nC)"""
    qLD: Array[np.float64]
    """L'DL factor of M. (n, nC)"""
    qLDiagInv: Array[np.float64]
    """Inverse of D. (n, nv)"""
    ten_velocity: Array[np.float64]
    """Velocity of each tendon. (n, ntendon) [m/s or rad/s]"""
    actuator_velocity: Array[np.float64]
    """Velocity of each transmission. (n, nout) [m/s or rad/s]"""
    cvel: Array[np.float64]
    """Spatial velocity of each body, about the tree's centre of mass. (n, nbody, 6)"""
    cdof_dot: Array[np.float64]
    """Time derivative of cdof. (n, nv, 6) [1/s]"""
    qfrc_bias: Array[np.float64]
    """Bias force: Coriolis, centrifugal, gravity. (n, nv)"""
    qfrc_spring: Array[np.float64]
    """Spring force. (n, nv) [N or N m]"""
    qfrc_damper: Array[np.float64]
    """Damping force. (n, nv) [N or N m]"""
    qfrc_gravcomp: Array[np.float64]
    """Gravity compensation. (n, nv)"""
    qfrc_fluid: Array[np.float64]
    """Fluid force. (n, nv) [N or N m]"""
    qfrc_adhesion: Array[np.float64]
    """Adhesion force of contacts. (n, nv)"""
    qfrc_passive: Array[np.float64]
    """All passive forces. (n, nv)"""
    subtree_linvel: Array[np.float64]
    """Linear velocity of each subtree's centre of mass. (n, nbody, 3) [m/s]"""
    subtree_angmom: Array[np.float64]
    """Angular momentum of each subtree, about its centre of mass. (n, nbody, 3) [kg m^2/s]"""
    ten_force: Array[np.float64]
    """Force along each tendon: spring, damper and limit. (n, ntendon) [N or N m]"""
    ten_passive: Array[np.float64]
    """Force of spring and damper along each tendon. (n, ntendon) [N or N m]"""
    qacc: Array[np.float64]
    """Acceleration; with the integrator discrete, change of velocity over the step's length. (n, nv) [m/s^2]"""
    act_dot: Array[np.float64]
    """Time derivative of each activation. (n, na)"""
    qH: Array[np.float64]
    """L'DL factor of M with damping, or of the part of the metric in M's pattern. (n, nC)"""
    qHDiagInv: Array[np.float64]
    """Inverse of its D. (n, nv)"""
    actuator_force: Array[np.float64]
    """Force of each output of actuators. (n, nout) [N or N m]"""
    qfrc_actuator: Array[np.float64]
    """Generalised force of actuators. (n, nv)"""
    qfrc_smooth: Array[np.float64]
    """Generalised force without constraints. (n, nv)"""
    qacc_smooth: Array[np.float64]
    """Acceleration without constraints. (n, nv)"""
    qfrc_constraint: Array[np.float64]
    """Constraint force. (n, nv)"""
    qfrc_inverse: Array[np.float64]
    """Force computed by inverse dynamics. (n, nv) [N or N m]"""
    solver_fwdinv: Array[np.float64]
    """Differences between forward and inverse dynamics: constraint force, applied force. (n, 2) [N or N m]"""
    cacc: Array[np.float64]
    """Spatial acceleration of each body. (n, nbody, 6)"""
    cfrc_int: Array[np.float64]
    """Interaction force between each body and its parent. (n, nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """Sum of external forces on each body. (n, nbody, 6)"""
    qDeriv: Array[np.float64]
    """Derivative of smooth forces with respect to velocities, CSR. (n, nD)"""
    qLU: Array[np.float64]
    """LU factor of M - h qDeriv. (n, nD)"""
    sensordata: Array[np.float64]
    """Readings of sensors. (n, nsensordata)"""
    jnt_limit_frc: Array[np.float64]
    """Force of each joint's limit; of the lower one if both are active. (n, njnt) [N or N m]"""
    ten_limit_frc: Array[np.float64]
    """Force of each tendon's limit; of the lower one if both are active. (n, ntendon) [N or N m]"""
    qfrc_soft: Array[np.float64]
    """Force of deformables on degrees of freedom; part of qfrc_constraint. (n, nsoftdof) [N or N m]"""
    soft_wrench: Array[np.float64]
    """Torque about the centre of mass, and force, of deformables on each body. (n, nsoftbody, 6) [N m, N]"""
