"""Model fields of deformables: vertices, and what holds them together.

Elements of a family stand by colours: those of one colour share no vertex, so that they can be
worked on side by side. Each colour is filled up to eights with elements of the vertex behind the
last one, which has no mass and moves nothing.
"""

from __future__ import annotations

from cortenforge.fields.field import Field, table

SOFT_SIZES: dict[str, str] = {
    "nsoft": "deformables",
    "nsoftvert": "vertices of all deformables",
    "nsoftpoint": "the same and one more, which belongs to none",
    "nsofthold": "contacts of vertices that last from step to step: two for each vertex",
    "nsoftface": "triangles of their surfaces",
    "nsoftmem": "triangles that resist strain",
    "nsoftmemcolor": "colours of these",
    "nsofthinge": "pairs of triangles that resist bending",
    "nsofthingecolor": "colours of these",
    "nsofttet": "tetrahedra",
    "nsofttetcolor": "colours of these",
    "nsoftedge": "edges that resist stretching",
    "nsoftedgecolor": "colours of these",
    "nsoftrod": "segments of chains",
    "nsoftrodcolor": "colours of these",
    "nsofttwist": "pairs of segments that resist bending and twisting",
    "nsofttwistcolor": "colours of these",
    "nsoftpin": "vertices that are attached to rigid bodies",
    "nsoftdof": "degrees of freedom, if there are deformables",
    "nsoftbody": "bodies, if there are deformables",
}

SOFT: tuple[Field, ...] = table(
    "soft",
    "model",
    """
    soft_type        | int         | nsoft        |       | What it is: 0 cloth, 1 soft body, 2 chain (enums.SoftType).
    soft_vertadr     | int         | nsoft        |       | First vertex.
    soft_vertnum     | int         | nsoft        |       | How many vertices.
    soft_faceadr     | int         | nsoft        |       | First triangle of its surface.
    soft_facenum     | int         | nsoft        |       | How many triangles.
    soft_rodadr      | int         | nsoft        |       | First segment.
    soft_rodnum      | int         | nsoft        |       | How many segments.
    soft_group       | int editable | nsoft        |       | Group, for showing and hiding.
    soft_contype     | int editable | nsoft        |       | Kinds of contact it is of, as bits.
    soft_conaffinity | int editable | nsoft        |       | Kinds of contact it takes part in, as bits.
    soft_selfcollide | int editable | nsoft        |       | 1 if its vertices touch each other.
    soft_rgba        | single      | nsoft 4      |       | Colour.
    soft_radius      | real shared | nsoft        | m     | Radius of vertices, as spheres, towards geoms.
    soft_spacing     | real shared | nsoft        | m     | Radius of vertices towards those of deformables.
    soft_friction    | real shared | nsoft        |       | Friction; of a contact it is the geometric mean of both sides.
    soft_solref      | real shared | nsoft 2      |       | How penetrations are mended: time constant and damping ratio.
    soft_damping     | real shared | nsoft        | 1/s   | How fast motion fades that is not the motion of a rigid body.
    soft_drag        | real shared | nsoft        |       | Drag of the fluid on its surface.
    soft_period      | real shared | nsoft        | s     | Longest substep that resolves its material.
    soft_curved      | int         |              |       | 1 if a surface is bent at rest.
    softvert_soft    | int         | nsoftpoint   |       | Deformable of a vertex, or -1.
    softvert_pos0    | vec3 shared | nsoftpoint   | m     | Where vertices are after a reset.
    softvert_invmass | real shared | nsoftpoint   | 1/kg  | Inverse mass; 0 if the vertex is pinned.
    softface_vert    | int         | nsoftface 3  |       | Vertices of triangles of surfaces, counter-clockwise from outside.
    softmem_vert     | int         | nsoftmem 3   |       | Vertices of a triangle.
    softmem_inv      | real shared | nsoftmem 4   | 1/m   | Inverse of its two edges at rest, by rows.
    softmem_weight   | real shared | nsoftmem 3   |       | Products of its gradients with inverse masses: 11, 12, 22.
    softmem_mu       | real shared | nsoftmem     | N m   | Shear modulus times volume.
    softmem_lambda   | real shared | nsoftmem     | N m   | First parameter of Lame, in the plane, and the shear modulus, times volume.
    softmem_color    | int         | nsoftmemcolor 2 |    | First triangle of a colour, and the first beyond it.
    softhinge_vert   | int         | nsofthinge 4 |       | Vertices: two of the edge, one at each side.
    softhinge_coef   | real shared | nsofthinge 4 | 1/m   | Weights whose sum over vertices is the bending vector, as long as the turning angle is large.
    softhinge_bend   | real shared | nsofthinge   |       | The bending vector at rest, along the normal.
    softhinge_weight | real shared | nsofthinge   | 1/(kg m^2) | Squares of weights times inverse masses.
    softhinge_stiffness | real shared | nsofthinge | N m  | Stiffness, for an angle.
    softhinge_color  | int         | nsofthingecolor 2 |  | First hinge of a colour, and the first beyond it.
    softtet_vert     | int         | nsofttet 4   |       | Vertices of a tetrahedron.
    softtet_inv      | real shared | nsofttet 9   | 1/m   | Inverse of its three edges at rest, by rows.
    softtet_weight   | real shared | nsofttet 6   |       | Products of its gradients with inverse masses: 11, 12, 13, 22, 23, 33.
    softtet_mu       | real shared | nsofttet     | N m   | Shear modulus times volume.
    softtet_lambda   | real shared | nsofttet     | N m   | First parameter of Lame, and the shear modulus, times volume.
    softtet_color    | int         | nsofttetcolor 2 |    | First tetrahedron of a colour, and the first beyond it.
    softedge_vert    | int         | nsoftedge 2  |       | Vertices of an edge.
    softedge_length  | real shared | nsoftedge    | m     | Length at rest.
    softedge_stiffness | real shared | nsoftedge  | N/m   | Stiffness.
    softedge_color   | int         | nsoftedgecolor 2 |   | First edge of a colour, and the first beyond it.
    softrod_vert     | int         | nsoftrod 2   |       | Vertices of a segment.
    softrod_length   | real shared | nsoftrod     | m     | Length at rest.
    softrod_invinertia | real shared | nsoftrod 2 | 1/(kg m^2) | Inverse inertia across its axis, and about it.
    softrod_stiffness | real shared | nsoftrod 2  | N     | Stiffness in shear and in stretching.
    softrod_quat0    | quat shared | nsoftrod     |       | How segments are turned after a reset; their third axis is along them.
    softrod_color    | int         | nsoftrodcolor 2 |    | First segment of a colour, and the first beyond it.
    softtwist_rod    | int         | nsofttwist 2 |       | Two segments that follow each other.
    softtwist_rest   | quat shared | nsofttwist   |       | The second in the frame of the first, at rest.
    softtwist_stiffness | real shared | nsofttwist 2 | N m | Stiffness in bending and in twisting, for an angle.
    softtwist_color  | int         | nsofttwistcolor 2 |  | First pair of a colour, and the first beyond it.
    softpin_vert     | int         | nsoftpin     |       | Vertex that is attached.
    softpin_body     | int         | nsoftpin     |       | Body to which.
    softpin_pos      | vec3 shared | nsoftpin     | m     | Where, in the body's frame.
    """,
)

SOFT_OPTION: tuple[Field, ...] = table(
    "option",
    "model",
    """
    opt_softsubsteps | int  | |   | Substeps of deformables in a step; 0 for as many as their materials need, up to softsubstepmax.
    opt_softsubstepmax | int | |  | The most substeps that are chosen so.
    opt_softpasses   | int  | |   | How often deformables and rigid constraints are solved by turns in a step, 1 to 4.
    opt_softsleep    | real | | m/s | Deformables all of whose vertices are slower fall asleep; 0 for never.
    """,
)
