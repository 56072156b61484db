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
    softvert_held   | real | nsoftvert |       | | The geom at which a vertex sticks, or -1.
    softvert_anchor | vec3 | nsoftvert | m     | | Where it does, in the geom's frame.
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
    qfrc_soft          | real       | nsoftdof    | N or N m | step.soft.couple | Force of deformables on degrees of freedom; part of qfrc_constraint.
    soft_wrench        | spatial    | nsoftbody   | N m, N   | step.soft.couple | Torque about the centre of mass, and force, of deformables on each body.
    nsoftcon           | int        |             |          | step.soft.near   | How many vertices are near geoms.
    softcon_vert       | int world  | nsoftconmax |          | step.soft.near   | Vertex of a contact.
    softcon_geom       | int world  | nsoftconmax |          | step.soft.near   | Geom of a contact.
    softcon_pos        | vec3 world | nsoftconmax | m        | step.soft.near   | Nearest point of the geom's surface.
    softcon_normal     | vec3 world | nsoftconmax |          | step.soft.near   | Normal, from the geom to the vertex.
    softcon_depth      | real world | nsoftconmax | m        | step.soft.near   | How deep the vertex is, as a sphere; negative if it only is near.
    softcon_friction   | real world | nsoftconmax |          | step.soft.near   | Friction: geometric mean of both sides.
    softcon_force      | vec3 world | nsoftconmax | N        | step.soft.touch  | Force on the vertex, mean of the step.
    softvert_colliding | int world  | nsoftvert   |          | step.soft.near step.soft.touch | 1 if a vertex is in contact with a geom.
    """,
)

SOFT_SCRATCH: tuple[Field, ...] = table(
    "soft scratch",
    "scratch",
    """
    nsoftnear      | int        |              |      | step.soft.crowd    | How many pairs of vertices are near.
    softnear_vert  | int world  | nsoftnearmax 2 |    | step.soft.crowd    | Pairs of vertices of deformables that are near.
    soft_p         | vec3 world | nsoftpoint   | m    | step.soft          | Positions of vertices within a step.
    soft_before    | vec3 world | nsoftpoint   | m    | step.soft          | Positions as the substep began.
    soft_v         | vec3 world | nsoftpoint   | m/s  | step.soft          | Velocities of vertices within a step.
    soft_pull      | vec3 world | nsoftpoint   | m/s^2 | step.soft         | Accelerations by what acts from outside.
    soft_w         | real world | nsoftpoint   | 1/kg | step.soft          | Inverse masses; 0 for what sleeps.
    soft_q         | quat world | nsoftrod     |      | step.soft          | How segments are turned within a step.
    soft_qbefore   | quat world | nsoftrod     |      | step.soft          | The same as the substep began.
    soft_spin      | vec3 world | nsoftrod     | rad/s | step.soft         | How segments spin within a step.
    soft_stick     | vec3 world | nsoftpoint   | m    | step.soft          | Anchors within a step.
    soft_hold      | int world  | nsoftpoint   |      | step.soft          | Geoms at which vertices stick within a step, or -1.
    softcon_place  | vec3 world | nsoftconmax  | m    | step.soft          | Where the geom is in the frame of its body's inertia.
    softcon_turn   | mat3 world | nsoftconmax  |      | step.soft          | How it is turned in that frame.
    softcon_sum    | vec3 world | nsoftconmax  | N s  | step.soft          | Impulse on the vertex so far.
    soft_bodyused  | int world  | nsoftbody    |      | step.soft          | 1 if deformables may act on a body.
    soft_bodypos   | vec3 world | nsoftbody    | m    | step.soft          | Centres of mass within a step.
    soft_bodyquat  | quat world | nsoftbody    |      | step.soft          | How bodies are turned within a step.
    soft_bodyvel   | spatial world | nsoftbody |      | step.soft          | Their velocities: of turning, of the centre of mass.
    soft_bodyacc   | spatial world | nsoftbody |      | step.soft          | Accelerations without deformables.
    soft_bodyinv   | real world | nsoftbody 36 |      | step.soft          | Inverse inertia of bodies, as seen at their centres of mass, by rows.
    soft_bodysum   | spatial world | nsoftbody |      | step.soft          | Impulse on bodies so far: about the centre of mass, and linear.
    soft_column    | real world | nsoftdof     |      | step.soft          | A column of forces or accelerations.
    soft_cell      | int world  | nsoftpoint   |      | step.soft.crowd    | Cell of a vertex.
    soft_sorted    | int world  | nsoftpoint   |      | step.soft.crowd    | Vertices by cells.
    soft_cellstart | int world  | nsoftpoint   |      | step.soft.crowd    | Where cells begin among them.
    """,
)
