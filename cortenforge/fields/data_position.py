"""Data fields that follow from positions."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

ENERGY: tuple[Field, ...] = table(
    "energy",
    "derived",
    """
    energy | real | 2 | J | step.energy step.forward step.stages | Potential and kinetic energy.
    """,
)

POSITION: tuple[Field, ...] = table(
    "position",
    "derived",
    """
    xpos        | vec3         | nbody  | m | step.position.kinematics | Origin of each body.
    xquat       | quat         | nbody  |   | step.position.kinematics | Orientation of each body.
    xmat        | mat3         | nbody  |   | step.position.kinematics | Orientation of each body.
    xipos       | vec3         | nbody  | m | step.position.frames     | Centre of mass of each body.
    xiquat      | quat         | nbody  |   | step.position.frames     | Principal axes of inertia of each body.
    ximat       | mat3         | nbody  |   | step.position.frames     | Principal axes of inertia of each body.
    xanchor     | vec3         | njnt   | m | step.position.kinematics | Anchor of each joint.
    xaxis       | vec3         | njnt   |   | step.position.kinematics | Axis of each joint.
    geom_xpos   | vec3         | ngeom  | m | step.position.frames     | Position of each geom.
    geom_xquat  | quat         | ngeom  |   | step.position.frames     | Orientation of each geom.
    geom_xmat   | mat3         | ngeom  |   | step.position.frames     | Orientation of each geom.
    site_xpos   | vec3         | nsite  | m | step.position.frames     | Position of each site.
    site_xquat  | quat         | nsite  |   | step.position.frames     | Orientation of each site.
    site_xmat   | mat3         | nsite  |   | step.position.frames     | Orientation of each site.
    cam_xpos    | vec3         | ncam   | m | step.position.cameras_and_lights    | Position of each camera.
    cam_xmat    | mat3         | ncam   |   | step.position.cameras_and_lights    | Orientation of each camera.
    light_xpos  | vec3         | nlight | m | step.position.cameras_and_lights    | Position of each light.
    light_xdir  | vec3         | nlight |   | step.position.cameras_and_lights    | Direction of each light.
    subtree_com | vec3         | nbody  | m | step.position.com        | Centre of mass of each subtree.
    cdof        | spatial      | nv     |   | step.position.com        | Motion axis of each dof.
    cinert      | inertia      | nbody  |   | step.position.com        | Inertia about the tree's centre of mass.
    ten_wrapadr | int          | ntendon | | step.position.tendons   | Address of the points of a path.
    ten_wrapnum | int          | ntendon | | step.position.tendons   | Number of points of a path.
    ten_J       | real         | nJten  |   | step.position.tendons step.integrate.plastic step.sleeping.resting_values | Jacobian of tendon lengths, in rows of tendons, CSR.
    ten_length  | real         | ntendon | m or rad | step.position.tendons step.integrate.plastic step.sleeping.resting_values | Length of each tendon.
    wrap_obj    | int flat     | nwrap 2 |  | step.position.tendons    | Geom of a path point; -1 at a site, -2 at a pulley.
    wrap_xpos   | real flat    | nwrap 6 | m | step.position.tendons   | Points of all paths, two a row.
    actuator_length | real     | nout   | m or rad | step.position.transmission | Length of each transmission.
    actuator_moment | real     | nJmom  |   | step.position.transmission step.constraint.adhesion step.sleeping.resting_values | Moment arms, with the columns of moment_colind.
    crb         | inertia      | nbody  |   | step.position.mass_matrix    | Composite inertia of each subtree.
    M           | real precise | nC     |   | step.position.mass_matrix step.position.tendons | Joint-space inertia matrix, lower triangle, CSR.
    qLD         | real precise | nC     |   | step.position.mass_matrix    | L'DL factor of M.
    qLDiagInv   | real precise | nv     |   | step.position.mass_matrix    | Inverse of D.
    """,
)

POSITION_SCRATCH: tuple[Field, ...] = table(
    "position scratch",
    "scratch",
    """
    jnt_turn   | quat | njnt  | | step.position.kinematics | Rotation in each joint.
    settled    | int kept |   | | step.collision.static_pairs step.pipeline | Version of the static geoms for which poses and tree are computed.
    wrap_arc   | real | nwrap | | step.position.tendons    | Length of the path on a geom, -1 if it does not touch.
    wrap_begin | vec3 | nwrap | | step.position.tendons    | Point where the path meets the geom.
    wrap_leave | vec3 | nwrap | | step.position.tendons    | Point where the path leaves the geom.
    tenseg_start | vec3 | ntenseg | m | step.position.tendons | Start of a straight segment: a site, or a point where the path leaves a geom.
    tenseg_end   | vec3 | ntenseg | m | step.position.tendons | End of a straight segment: a site, or a point where the path meets a geom.
    tenseg_share | real | ntenseg |   | step.position.tendons | Weight in the length, 1 / divisor of the pulley; 0 if the path does not have it.
    ray_stack  | int world | 64 | | step.rays.triangles step.collision.sdf.mesh_triangles | Boxes of a mesh that a ray has not visited yet.
    """,
)
