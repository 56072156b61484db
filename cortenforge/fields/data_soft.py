"""Data fields of deformables: positions of vertices, contacts, work memory."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
SOFT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nsoftconmax": (0, "capacity for contacts of vertices with geoms"),
    "nsoftnearmax": (0, "capacity for near pairs of vertices"),
}

SOFT_STATE: tuple[Field, ...] = table(
    "soft state",
    "state",
    """
    softvert_pos    | vec3 | nsoftvert | m     | | Positions of vertices of deformables.
    softvert_vel    | vec3 | nsoftvert | m/s   | | Velocities of vertices.
    softhold_geom   | real | nsofthold |       | | Geom in contact with a vertex, plus one; 0 for none.
    softhold_anchor | vec3 | nsofthold | m     | | Friction anchor, in the geom's frame.
    softhold_load   | real | nsofthold | N     | | Running mean of the normal force.
    softhold_gap    | real | nsofthold | m     | | Remaining penetration, at most 0.
    softrod_quat    | quat | nsoftrod  |       | | Orientations of segments of chains.
    softrod_omega   | vec3 | nsoftrod  | rad/s | | Angular velocities of segments, in their own frames.
    soft_quiet      | real | nsoft     |       | | Number of steps for which a deformable has been quiet; it sleeps from 50 on.
    soft_rigid      | real | nsoftdof  | N or N m | | Forces of rigid constraints, at the end of the last step.
    """,
)

SOFT_INPUT: tuple[Field, ...] = table(
    "soft input",
    "input",
    """
    softvert_applied | vec3 | nsoftvert | N | | Force applied to a vertex.
    """,
)

SOFT_DERIVED: tuple[Field, ...] = table(
    "soft",
    "derived",
    """
    qfrc_soft          | real       | nsoftdof    | N or N m | step.soft.rigid_coupling | Force of deformables on degrees of freedom; part of qfrc_constraint.
    soft_wrench        | spatial    | nsoftbody   | N m, N   | step.soft.rigid_coupling | Torque about the centre of mass, and force, of deformables on each body.
    nsoftcon           | int        |             |          | step.soft.contact_detection   | Number of contacts of vertices with geoms.
    softcon_vert       | int world  | nsoftconmax |          | step.soft.contact_detection   | Vertex of a contact.
    softcon_geom       | int world  | nsoftconmax |          | step.soft.contact_detection   | Geom of a contact.
    softcon_pos        | vec3 world | nsoftconmax | m        | step.soft.contact_detection   | Nearest point of the geom's surface.
    softcon_normal     | vec3 world | nsoftconmax |          | step.soft.contact_detection   | Normal, from the geom to the vertex.
    softcon_depth      | real world | nsoftconmax | m        | step.soft.contact_detection   | Penetration of the vertex, as a sphere; negative if it is apart.
    softcon_friction   | real world | nsoftconmax |          | step.soft.contact_detection   | Friction: geometric mean of both sides.
    softcon_force      | vec3 world | nsoftconmax | N        | step.soft.contact_projection step.soft.contact_detection | Mean force on the vertex in the step.
    softvert_colliding | int world  | nsoftvert   |          | step.soft.contact_detection step.soft.contact_projection | 1 if a vertex is in contact with a geom.
    """,
)

SOFT_SCRATCH: tuple[Field, ...] = table(
    "soft scratch",
    "scratch",
    """
    nsoftnear      | int        |              |      | step.soft.self_collision    | Number of near pairs of vertices.
    softnear_vert  | int world  | nsoftnearmax 2 |    | step.soft.self_collision    | Near pairs of vertices of deformables.
    soft_p         | vec3 world | nsoftpoint   | m    | step.soft.self_collision step.soft.edge step.soft.hinge step.soft.membrane step.soft.integration step.soft.rod step.soft.tetrahedron step.soft.contact_projection | Positions of vertices within a step.
    soft_before    | vec3 world | nsoftpoint   | m    | step.soft.integration | Positions at the start of the substep.
    soft_v         | vec3 world | nsoftpoint   | m/s  | step.soft.damping step.soft.integration | Velocities of vertices within a step.
    soft_pull      | vec3 world | nsoftpoint   | m/s^2 | step.soft.integration | Accelerations by external forces.
    soft_w         | real world | nsoftpoint   | 1/kg | step.soft.integration | Inverse masses; 0 for sleeping vertices.
    soft_q         | quat world | nsoftrod     |      | step.soft.integration step.soft.rod | Orientations of segments within a step.
    soft_qbefore   | quat world | nsoftrod     |      | step.soft.integration | Orientations at the start of the substep.
    soft_spin      | vec3 world | nsoftrod     | rad/s | step.soft.damping step.soft.integration | Angular velocities of segments within a step.
    softcon_sum    | vec3 world | nsoftconmax  | N s  | step.soft.contact_detection step.soft.contact_projection | Accumulated impulse on the vertex.
    soft_bodyused  | int world  | nsoftbody    |      | step.soft.rigid_coupling | 1 if deformables may act on a body.
    soft_bodypos   | vec3 world | nsoftbody    | m    | step.soft.rigid_coupling | Centres of mass within a step.
    soft_bodyquat  | quat world | nsoftbody    |      | step.soft.rigid_coupling | Rotations of bodies since the start of the step.
    soft_bodyvel   | spatial world | nsoftbody |      | step.soft.rigid_coupling | Velocities of bodies through the step: angular, and of the centre of mass.
    soft_bodyacc   | spatial world | nsoftbody |      | step.soft.rigid_coupling     | Accelerations of bodies without deformables.
    soft_bodyinv   | real world | nsoftbody 36 |      | step.soft.rigid_coupling | Inverse inertia of bodies at their centres of mass, by rows.
    soft_bodysum   | spatial world | nsoftbody |      | step.soft.rigid_coupling | Accumulated impulse on bodies: about the centre of mass, and linear.
    softcon_near   | vec3 world | nsoftconmax  | m    | step.soft.contact_detection | Nearest point of the surface, in the geom's frame.
    softcon_out    | vec3 world | nsoftconmax  |      | step.soft.contact_detection | Normal there, in the geom's frame.
    softcon_gap    | real world | nsoftconmax  | m    | step.soft.contact_detection step.soft.contact_projection | Penetration at the start of the substep, at most 0.
    softcon_held   | int world  | nsoftconmax  |      | step.soft.contact_detection step.soft.contact_projection | 1 if the contact has a friction anchor.
    softcon_anchor | vec3 world | nsoftconmax  | m    | step.soft.contact_detection step.soft.contact_projection | Friction anchor, in the geom's frame.
    softcon_load   | real world | nsoftconmax  | N    | step.soft.contact_detection step.soft.contact_projection | Running mean of the normal force on the vertex.
    softpin_place  | vec3 world | nsoftpin     | m    | step.soft.integration | Points of attachment, relative to the body's centre of mass at the start of the step.
    soft_column    | real world | nsoftdof     |      | step.soft.rigid_coupling | Work vector of forces or accelerations.
    soft_force     | real world | nsoftdof     | N or N m | step.soft.xpbd | Forces of rigid constraints in this step.
    soft_smooth_frc | real      | nsoftdof     | N or N m | step.soft.xpbd | qfrc_smooth, while it has qfrc_soft in it for the solver.
    soft_smooth_acc | real      | nsoftdof     | m/s^2 or rad/s^2 | step.soft.xpbd | qacc_smooth, while it is that with qfrc_soft.
    soft_calm      | real world | nsoft        |      | step.soft.damping step.soft.integration | Number of steps for which deformables have been quiet, including this one.
    soft_reach     | real world |              |      | step.soft.xpbd    | Displacement of a body by an impulse, in substeps of its change of velocity.
    soft_momentum  | vec3 world | nsoft        | kg m^2/s | step.soft.damping | Angular momentum about the centre of mass at the start of the step.
    soft_h         | real world |              | s    | step.soft.xpbd | Length of a substep.
    soft_cell      | int world  | nsoftpoint   |      | step.soft.self_collision    | Hash table slot of a vertex.
    soft_sorted    | int world  | nsoftpoint   |      | step.soft.self_collision    | Vertices sorted by slots.
    soft_cellstart | int world  | nsoftpoint   |      | step.soft.self_collision    | First of these vertices for each slot.
    """,
)
