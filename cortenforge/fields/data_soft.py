"""Data fields of deformables: where vertices are, what touches them, and room to work."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
SOFT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nsoftconmax": (0, "vertices near a geom there is room for"),
    "nsoftnearmax": (0, "pairs of near vertices there is room for"),
}

SOFT_STATE: tuple[Field, ...] = table(
    "soft state",
    "state",
    """
    softvert_pos    | vec3 | nsoftvert | m     | | Where vertices of deformables are.
    softvert_vel    | vec3 | nsoftvert | m/s   | | How they move.
    softhold_geom   | real | nsofthold |       | | A geom that a vertex touches, and one more; 0 for none.
    softhold_anchor | vec3 | nsofthold | m     | | Where friction holds it, in the geom's frame.
    softhold_load   | real | nsofthold | N     | | How hard it was pressed there, a running mean.
    softhold_gap    | real | nsofthold | m     | | How deep it was there, at most 0: what is left to be mended.
    softrod_quat    | quat | nsoftrod  |       | | How segments of chains are turned.
    softrod_omega   | vec3 | nsoftrod  | rad/s | | How they spin, in their own frame.
    soft_quiet      | real | nsoft     |       | | Steps for which a deformable has been quiet; asleep from 50 on.
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
    nsoftcon           | int        |             |          | step.soft.contact_detection   | How many vertices are near geoms.
    softcon_vert       | int world  | nsoftconmax |          | step.soft.contact_detection   | Vertex of a contact.
    softcon_geom       | int world  | nsoftconmax |          | step.soft.contact_detection   | Geom of a contact.
    softcon_pos        | vec3 world | nsoftconmax | m        | step.soft.contact_detection   | Nearest point of the geom's surface.
    softcon_normal     | vec3 world | nsoftconmax |          | step.soft.contact_detection   | Normal, from the geom to the vertex.
    softcon_depth      | real world | nsoftconmax | m        | step.soft.contact_detection   | How deep the vertex is, as a sphere; negative if it only is near.
    softcon_friction   | real world | nsoftconmax |          | step.soft.contact_detection   | Friction: geometric mean of both sides.
    softcon_force      | vec3 world | nsoftconmax | N        | step.soft.contact_projection step.soft.contact_detection | Force on the vertex, mean of the step.
    softvert_colliding | int world  | nsoftvert   |          | step.soft.contact_detection step.soft.contact_projection | 1 if a vertex is in contact with a geom.
    """,
)

SOFT_SCRATCH: tuple[Field, ...] = table(
    "soft scratch",
    "scratch",
    """
    nsoftnear      | int        |              |      | step.soft.self_collision    | How many pairs of vertices are near.
    softnear_vert  | int world  | nsoftnearmax 2 |    | step.soft.self_collision    | Pairs of vertices of deformables that are near.
    soft_p         | vec3 world | nsoftpoint   | m    | step.soft.self_collision step.soft.edge step.soft.hinge step.soft.membrane step.soft.integration step.soft.rod step.soft.tetrahedron step.soft.contact_projection | Positions of vertices within a step.
    soft_before    | vec3 world | nsoftpoint   | m    | step.soft.integration | Positions as the substep began.
    soft_v         | vec3 world | nsoftpoint   | m/s  | step.soft.damping step.soft.integration | Velocities of vertices within a step.
    soft_pull      | vec3 world | nsoftpoint   | m/s^2 | step.soft.integration | Accelerations by what acts from outside.
    soft_w         | real world | nsoftpoint   | 1/kg | step.soft.integration | Inverse masses; 0 for what sleeps.
    soft_q         | quat world | nsoftrod     |      | step.soft.integration step.soft.rod | How segments are turned within a step.
    soft_qbefore   | quat world | nsoftrod     |      | step.soft.integration | The same as the substep began.
    soft_spin      | vec3 world | nsoftrod     | rad/s | step.soft.damping step.soft.integration | How segments spin within a step.
    softcon_sum    | vec3 world | nsoftconmax  | N s  | step.soft.contact_detection step.soft.contact_projection | Impulse on the vertex so far.
    soft_bodyused  | int world  | nsoftbody    |      | step.soft.rigid_coupling | 1 if deformables may act on a body.
    soft_bodypos   | vec3 world | nsoftbody    | m    | step.soft.rigid_coupling | Centres of mass within a step.
    soft_bodyquat  | quat world | nsoftbody    |      | step.soft.rigid_coupling | How bodies have turned since the step began.
    soft_bodyvel   | spatial world | nsoftbody |      | step.soft.rigid_coupling | Velocities with which they move through the step: of turning, of the centre of mass.
    soft_bodyacc   | spatial world | nsoftbody |      | step.soft.rigid_coupling     | Accelerations without deformables.
    soft_bodyinv   | real world | nsoftbody 36 |      | step.soft.rigid_coupling | Inverse inertia of bodies, as seen at their centres of mass, by rows.
    soft_bodysum   | spatial world | nsoftbody |      | step.soft.rigid_coupling | Impulse on bodies so far: about the centre of mass, and linear.
    softcon_near   | vec3 world | nsoftconmax  | m    | step.soft.contact_detection | Nearest point of the surface, in the geom's frame.
    softcon_out    | vec3 world | nsoftconmax  |      | step.soft.contact_detection | Normal there, in the geom's frame.
    softcon_gap    | real world | nsoftconmax  | m    | step.soft.contact_detection step.soft.contact_projection | How deep the vertex was as the substep began, at most 0.
    softcon_held   | int world  | nsoftconmax  |      | step.soft.contact_detection step.soft.contact_projection | 1 if the contact has an anchor.
    softcon_anchor | vec3 world | nsoftconmax  | m    | step.soft.contact_detection step.soft.contact_projection | Where friction holds the vertex, in the geom's frame.
    softcon_load   | real world | nsoftconmax  | N    | step.soft.contact_detection step.soft.contact_projection | How hard the vertex is pressed, a running mean.
    softpin_place  | vec3 world | nsoftpin     | m    | step.soft.integration | Where vertices are attached, from the centre of mass of the body as the step began.
    soft_column    | real world | nsoftdof     |      | step.soft.rigid_coupling | A column of forces or accelerations.
    soft_force     | real world | nsoftdof     | N or N m | step.soft.xpbd | Forces of rigid constraints in this step.
    soft_calm      | real world | nsoft        |      | step.soft.damping step.soft.integration | Steps for which deformables have been quiet, with this one.
    soft_reach     | real world |              |      | step.soft.xpbd    | How far an impulse moves a body at once, in substeps of its change of velocity.
    soft_momentum  | vec3 world | nsoft        | kg m^2/s | step.soft.damping | Angular momentum about the centre of mass as the step began.
    soft_h         | real world |              | s    | step.soft.xpbd | How long a substep is.
    soft_cell      | int world  | nsoftpoint   |      | step.soft.self_collision    | Cell of a vertex.
    soft_sorted    | int world  | nsoftpoint   |      | step.soft.self_collision    | Vertices by cells.
    soft_cellstart | int world  | nsoftpoint   |      | step.soft.self_collision    | Where cells begin among them.
    """,
)
