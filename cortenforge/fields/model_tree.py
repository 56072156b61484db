"""Model fields of the kinematic tree: options, bodies, joints, degrees of freedom, sparsity."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that kernels read, and all that shapes are written in; MuJoCo's names
TREE_SIZES: dict[str, str] = {
    "nq": "numbers in qpos",
    "nv": "degrees of freedom",
    "nu": "controls",
    "na": "activation states",
    "nactuator": "actuators",
    "nout": "force outputs of all actuators",
    "nbody": "bodies, with the world",
    "njnt": "joints",
    "ntree": "kinematic trees under the world",
    "nM": "entries of M in MuJoCo's old format",
    "nB": "entries of the body-dof matrix",
    "nC": "entries of M in CSR",
    "nD": "entries of the dof-dof matrix",
    "ngeom": "geoms",
    "nsite": "sites",
    "ncam": "cameras",
    "nlight": "lights",
    "nnumeric": "custom numerics",
    "nnumericdata": "numbers in all custom numerics",
    "ntext": "custom texts",
    "ntextdata": "characters in all custom texts, with final zeros",
    "ntuple": "custom tuples",
    "ntupledata": "objects in all custom tuples",
    "nkey": "keyframes",
    "nmocap": "mocap bodies",
    "nplastic": "numbers of plastic state",
    "nhistory": "numbers in the buffers of delays",
    "ngravcomp": "bodies with gravity compensation",
    "nbvh": "bounding volumes of bodies and meshes",
    "nbvhstatic": "bounding volumes that keep their place in a body or a mesh",
    "noct": "cells of the octrees of all meshes",
    "nsensor": "sensors",
    "nsensordata": "numbers in sensordata",
    "nuser_body": "user numbers a body",
    "nuser_jnt": "user numbers a joint",
    "nuser_geom": "user numbers a geom",
    "nuser_site": "user numbers a site",
    "nuser_cam": "user numbers a camera",
    "nuser_sensor": "user numbers a sensor",
    "nuser_actuator": "user numbers an actuator",
    "nuserdata": "user numbers in Data",
    "npair": "pairs of geoms that are always checked for contact",
    "nexclude": "pairs of bodies that never touch",
    "neq": "equality constraints",
    "ntendon": "tendons",
    "nwrap": "steps in the paths of all tendons",
    "nJten": "entries of the tendon Jacobian",
    "nuser_tendon": "user numbers a tendon",
    "nJmom": "room for the moment arms of all actuators",
}

OPTION: tuple[Field, ...] = table(
    "option",
    "model",
    """
    opt_timestep          | real shared |   | s      | Length of a step.
    opt_impratio          | real shared |   |        | Ratio of frictional to normal contact impedance.
    opt_tolerance         | real shared |   |        | Convergence tolerance of the main solver.
    opt_ls_tolerance      | real shared |   |        | Convergence tolerance of the line search.
    opt_noslip_tolerance  | real shared |   |        | Convergence tolerance of the noslip solver.
    opt_ccd_tolerance     | real shared |   |        | Convergence tolerance of convex collision.
    opt_sleep_tolerance   | real shared |   |        | Velocity below which a tree may sleep.
    opt_gravity           | vec3        |   | m/s^2  | Gravitational acceleration.
    opt_wind              | vec3        |   | m/s    | Velocity of the fluid.
    opt_magnetic          | vec3        |   |        | Global magnetic flux.
    opt_density           | real        |   | kg/m^3 | Density of the fluid.
    opt_viscosity         | real        |   | Pa s   | Viscosity of the fluid.
    opt_o_margin          | real shared |   | m      | Contact margin when overriding.
    opt_o_solref          | real shared | 2 |        | Contact solref when overriding.
    opt_o_solimp          | real shared | 5 |        | Contact solimp when overriding.
    opt_o_friction        | real shared | 5 |        | Contact friction when overriding.
    opt_integrator        | int         |   |        | Integrator (enums.Integrator).
    opt_cone              | int         |   |        | Friction cone: 0 pyramidal, 1 elliptic.
    opt_jacobian          | int         |   |        | Constraint Jacobian: 0 dense, 1 sparse, 2 automatic.
    opt_solver            | int         |   |        | Constraint solver: 0 PGS, 1 CG, 2 Newton.
    opt_iterations        | int         |   |        | Largest number of iterations of the main solver.
    opt_ls_iterations     | int         |   |        | Largest number of iterations of the line search.
    opt_noslip_iterations | int         |   |        | Largest number of iterations of the noslip solver.
    opt_ccd_iterations    | int         |   |        | Largest number of iterations of convex collision.
    opt_disableflags      | int         |   |        | Disabled parts of the simulation (enums.Disable), as bits.
    opt_enableflags       | int         |   |        | Enabled optional parts (enums.Enable), as bits.
    opt_disableactuator   | int         |   |        | Disabled groups of actuators, as bits.
    opt_sdf_initpoints    | int         |   |        | Starting points of signed-distance collision.
    opt_sdf_iterations    | int         |   |        | Largest number of iterations of signed-distance collision.
    """,
)

STATISTIC: tuple[Field, ...] = table(
    "statistic",
    "model",
    """
    stat_meaninertia | real shared |  |    | Mean diagonal of M at qpos0.
    stat_meanmass    | real shared |  | kg | Mean body mass.
    stat_meansize    | real shared |  | m  | Mean body size.
    stat_extent      | real shared |  | m  | Spatial extent.
    stat_center      | vec3 shared |  | m  | Centre of the model.
    """,
)

TREE: tuple[Field, ...] = (
    *table(
        "reference",
        "model",
        """
        qpos0       | real | nq | m or rad | Reference position, as described in the file.
        qpos_spring | real | nq | m or rad | Reference position of joint springs.
        """,
    ),
    *table(
        "body",
        "model",
        """
        body_parentid    | int          | nbody            |        | Parent body.
        body_rootid      | int          | nbody            |        | Topmost body of the tree, below the world.
        body_weldid      | int          | nbody            |        | Body to which this one is rigidly attached.
        body_mocapid     | int          | nbody            |        | Number of the mocap body, or -1.
        body_jntnum      | int          | nbody            |        | Number of joints.
        body_jntadr      | int          | nbody            |        | First joint, or -1.
        body_dofnum      | int          | nbody            |        | Number of degrees of freedom.
        body_dofadr      | int          | nbody            |        | First degree of freedom, or -1.
        body_treeid      | int          | nbody            |        | Kinematic tree, or -1.
        body_geomnum     | int          | nbody            |        | Number of geoms.
        body_geomadr     | int          | nbody            |        | First geom, or -1.
        body_simple      | byte         | nbody            |        | 1: diagonal M; 2: also no rotation; 0: neither.
        body_sameframe   | byte editable | nbody            |        | Inertial frame against body frame (SameFrame).
        body_pos         | vec3 placing | nbody            | m      | Position in the parent.
        body_quat        | quat placing | nbody            |        | Orientation in the parent.
        body_ipos        | vec3 placing | nbody            | m      | Centre of mass in the body.
        body_iquat       | quat placing | nbody            |        | Principal axes of inertia in the body.
        body_mass        | real         | nbody            | kg     | Mass.
        body_subtreemass | real         | nbody            | kg     | Mass of the subtree.
        body_inertia     | vec3         | nbody            | kg m^2 | Principal moments of inertia.
        body_invweight0  | real         | nbody 2          |        | Mean inverse inertia at qpos0: translation, rotation.
        body_gravcomp    | real         | nbody            |        | Fraction of gravity that is compensated.
        body_margin      | real         | nbody            | m      | Largest contact margin of the geoms.
        body_user        | real         | nbody nuser_body |        | User numbers.
        body_plugin      | int          | nbody            |        | Plugin, or -1; not supported yet.
        body_contype     | int editable | nbody            |        | Bitwise or of the contact types of all geoms.
        body_conaffinity | int editable | nbody            |        | Bitwise or of the contact affinities of all geoms.
        """,
    ),
    *table(
        "joint",
        "model",
        """
        jnt_type          | int           | njnt           |                | Type (enums.JointType).
        jnt_qposadr       | int           | njnt           |                | First number in qpos.
        jnt_dofadr        | int           | njnt           |                | First degree of freedom.
        jnt_bodyid        | int           | njnt           |                | Body that the joint moves.
        jnt_actuatorid    | int           | njnt           |                | Actuator that adds inertia or damping, or -1.
        jnt_group         | int editable  | njnt           |                | Group for visibility.
        jnt_plasticadr    | int           | njnt           |                | Address in the plastic state, or -1.
        jnt_limited       | byte editable | njnt           |                | Whether the range is enforced.
        jnt_actfrclimited | byte editable | njnt           |                | Whether actuator force is limited.
        jnt_actgravcomp   | byte editable | njnt           |                | Whether gravity compensation counts as actuation.
        jnt_solref        | real          | njnt 2         |                | solref of the limit constraint.
        jnt_solimp        | real          | njnt 5         |                | solimp of the limit constraint.
        jnt_pos           | vec3          | njnt           | m              | Anchor in the body.
        jnt_axis          | vec3          | njnt           |                | Axis in the body.
        jnt_stiffness     | real          | njnt           | N/m or N m/rad | Linear spring coefficient.
        jnt_stiffnesspoly | real          | njnt 2         |                | Quadratic and cubic spring coefficients.
        jnt_springyield   | real          | njnt           |                | Displacement at which the spring yields; 0 for never.
        jnt_range         | real          | njnt 2         | m or rad       | Lower and upper limit.
        jnt_actfrcrange   | real          | njnt 2         |                | Limits of the actuator force.
        jnt_margin        | real          | njnt           | m or rad       | Distance to the limit below which its constraint is active.
        jnt_user          | real          | njnt nuser_jnt |                | User numbers.
        """,
    ),
    *table(
        "dof",
        "model",
        """
        dof_bodyid       | int          | nv   |                    | Body of its joint.
        dof_jntid        | int          | nv   |                    | Joint that it belongs to.
        dof_parentid     | int          | nv   |                    | Parent dof, towards the root, or -1.
        dof_treeid       | int          | nv   |                    | Kinematic tree.
        dof_Madr         | int          | nv   |                    | Address of the diagonal in MuJoCo's older format of M.
        dof_simplenum    | int          | nv   |                    | Number of consecutive simple dofs from this one on.
        dof_solref       | real         | nv 2 |                    | solref of the friction loss constraint.
        dof_solimp       | real         | nv 5 |                    | solimp of the friction loss constraint.
        dof_frictionloss | real watched | nv   | N or N m           | Dry friction.
        dof_armature     | real         | nv   | kg or kg m^2       | Inertia added to the diagonal of M.
        dof_damping      | real         | nv   | N s/m or N m s/rad | Linear damping coefficient.
        dof_dampingpoly  | real         | nv 2 |                    | Quadratic and cubic damping coefficients.
        dof_invweight0   | real         | nv   |                    | Diagonal inverse inertia at qpos0.
        dof_M0           | real         | nv   | kg or kg m^2       | Diagonal of M at qpos0.
        dof_length       | real         | nv   |                    | Length by which velocities are scaled for sleep: 1 for translations, else a length.
        """,
    ),
    *table(
        "tree",
        "model",
        """
        tree_bodyadr      | int          | ntree |  | First body.
        tree_bodynum      | int          | ntree |  | Number of bodies.
        tree_dofadr       | int          | ntree |  | First degree of freedom.
        tree_dofnum       | int          | ntree |  | Number of degrees of freedom.
        tree_sleep_policy | int editable | ntree |  | Sleep policy of the tree (mjtSleepPolicy).
        """,
    ),
    *table(
        "sparsity",
        "model",
        """
        B_rownnz | int unwatched | nbody |  | Number of dofs that move each body.
        B_rowadr | int unwatched | nbody |  | Address of these dofs in B_colind.
        B_colind | int unwatched | nB    |  | Dofs that move each body.
        M_rownnz | int           | nv    |  | Number of entries in each row of M, diagonal last.
        M_rowadr | int           | nv    |  | Address of each row of M.
        M_colind | int           | nC    |  | Column of each entry of M.
        mapM2M   | int unwatched | nC    |  | Entry of M from MuJoCo's old format.
        D_rownnz | int           | nv    |  | Number of entries in each row of the symmetric pattern.
        D_rowadr | int           | nv    |  | Address of each row of the symmetric pattern.
        D_diag   | int           | nv    |  | Position of the diagonal in each row.
        D_colind | int           | nD    |  | Column of each entry of the symmetric pattern.
        mapM2D   | int           | nD    |  | Entry of M for each entry of the symmetric pattern.
        mapD2M   | int           | nC    |  | Entry of the symmetric pattern for each entry of M.
        """,
    ),
)
