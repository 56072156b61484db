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
    qfrc_soft          | real       | nsoftdof    | N or N m | step.soft.body | Force of deformables on degrees of freedom; part of qfrc_constraint.
    soft_wrench        | spatial    | nsoftbody   | N m, N   | step.soft.body | Torque about the centre of mass, and force, of deformables on each body.
    nsoftcon           | int        |             |          | step.soft.near   | How many vertices are near geoms.
    softcon_vert       | int world  | nsoftconmax |          | step.soft.near   | Vertex of a contact.
    softcon_geom       | int world  | nsoftconmax |          | step.soft.near   | Geom of a contact.
    softcon_pos        | vec3 world | nsoftconmax | m        | step.soft.near   | Nearest point of the geom's surface.
    softcon_normal     | vec3 world | nsoftconmax |          | step.soft.near   | Normal, from the geom to the vertex.
    softcon_depth      | real world | nsoftconmax | m        | step.soft.near   | How deep the vertex is, as a sphere; negative if it only is near.
    softcon_friction   | real world | nsoftconmax |          | step.soft.near   | Friction: geometric mean of both sides.
    softcon_force      | vec3 world | nsoftconmax | N        | step.soft.touch step.soft.near | Force on the vertex, mean of the step.
    softvert_colliding | int world  | nsoftvert   |          | step.soft.near step.soft.touch | 1 if a vertex is in contact with a geom.
    """,
)

SOFT_SCRATCH: tuple[Field, ...] = table(
    "soft scratch",
    "scratch",
    """
    nsoftnear      | int        |              |      | step.soft.crowd    | How many pairs of vertices are near.
    softnear_vert  | int world  | nsoftnearmax 2 |    | step.soft.crowd    | Pairs of vertices of deformables that are near.
    soft_p         | vec3 world | nsoftpoint   | m    | step.soft.crowd step.soft.edge step.soft.hinge step.soft.membrane step.soft.motion step.soft.rod step.soft.tetrahedron step.soft.touch | Positions of vertices within a step.
    soft_before    | vec3 world | nsoftpoint   | m    | step.soft.motion | Positions as the substep began.
    soft_v         | vec3 world | nsoftpoint   | m/s  | step.soft.fade step.soft.motion | Velocities of vertices within a step.
    soft_pull      | vec3 world | nsoftpoint   | m/s^2 | step.soft.motion | Accelerations by what acts from outside.
    soft_w         | real world | nsoftpoint   | 1/kg | step.soft.motion | Inverse masses; 0 for what sleeps.
    soft_q         | quat world | nsoftrod     |      | step.soft.motion step.soft.rod | How segments are turned within a step.
    soft_qbefore   | quat world | nsoftrod     |      | step.soft.motion | The same as the substep began.
    soft_spin      | vec3 world | nsoftrod     | rad/s | step.soft.fade step.soft.motion | How segments spin within a step.
    softcon_sum    | vec3 world | nsoftconmax  | N s  | step.soft.near step.soft.touch | Impulse on the vertex so far.
    soft_bodyused  | int world  | nsoftbody    |      | step.soft.body | 1 if deformables may act on a body.
    soft_bodypos   | vec3 world | nsoftbody    | m    | step.soft.body | Centres of mass within a step.
    soft_bodyquat  | quat world | nsoftbody    |      | step.soft.body | How bodies have turned since the step began.
    soft_bodyvel   | spatial world | nsoftbody |      | step.soft.body | Velocities with which they move through the step: of turning, of the centre of mass.
    soft_bodyacc   | spatial world | nsoftbody |      | step.soft.body     | Accelerations without deformables.
    soft_bodyinv   | real world | nsoftbody 36 |      | step.soft.body | Inverse inertia of bodies, as seen at their centres of mass, by rows.
    soft_bodysum   | spatial world | nsoftbody |      | step.soft.body | Impulse on bodies so far: about the centre of mass, and linear.
    softcon_near   | vec3 world | nsoftconmax  | m    | step.soft.near | Nearest point of the surface, in the geom's frame.
    softcon_out    | vec3 world | nsoftconmax  |      | step.soft.near | Normal there, in the geom's frame.
    softcon_gap    | real world | nsoftconmax  | m    | step.soft.near step.soft.touch | How deep the vertex was as the substep began, at most 0.
    softcon_held   | int world  | nsoftconmax  |      | step.soft.near step.soft.touch | 1 if the contact has an anchor.
    softcon_anchor | vec3 world | nsoftconmax  | m    | step.soft.near step.soft.touch | Where friction holds the vertex, in the geom's frame.
    softcon_load   | real world | nsoftconmax  | N    | step.soft.near step.soft.touch | How hard the vertex is pressed, a running mean.
    softpin_place  | vec3 world | nsoftpin     | m    | step.soft.motion | Where vertices are attached, from the centre of mass of the body as the step began.
    soft_column    | real world | nsoftdof     |      | step.soft.body | A column of forces or accelerations.
    soft_force     | real world | nsoftdof     | N or N m | step.soft.stage | Forces of rigid constraints in this step.
    soft_calm      | real world | nsoft        |      | step.soft.fade step.soft.motion | Steps for which deformables have been quiet, with this one.
    soft_reach     | real world |              |      | step.soft.stage    | How far an impulse moves a body at once, in substeps of its change of velocity.
    soft_momentum  | vec3 world | nsoft        | kg m^2/s | step.soft.fade | Angular momentum about the centre of mass as the step began.
    soft_h         | real world |              | s    | step.soft.stage | How long a substep is.
    soft_cell      | int world  | nsoftpoint   |      | step.soft.crowd    | Cell of a vertex.
    soft_sorted    | int world  | nsoftpoint   |      | step.soft.crowd    | Vertices by cells.
    soft_cellstart | int world  | nsoftpoint   |      | step.soft.crowd    | Where cells begin among them.
    """,
)
