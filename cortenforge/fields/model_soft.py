"""Model fields of deformables: vertices and elements.

Elements of a family are sorted by colours: elements of one colour share no vertex, so they can be
projected in parallel. Each colour is padded to a multiple of eight with elements on spare vertices
behind the last one, which have no effect.
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
    "nsoftdof": "degrees of freedom, if the model has deformables",
    "nsoftbody": "bodies, if the model has deformables",
}

SOFT: tuple[Field, ...] = table(
    "soft",
    "model",
    """
    soft_type        | int         | nsoft        |       | Type: 0 cloth, 1 soft body, 2 chain (enums.SoftType).
    soft_vertadr     | int         | nsoft        |       | First vertex.
    soft_vertnum     | int         | nsoft        |       | Number of vertices.
    soft_faceadr     | int         | nsoft        |       | First triangle of its surface.
    soft_facenum     | int         | nsoft        |       | Number of triangles.
    soft_rodadr      | int         | nsoft        |       | First segment.
    soft_rodnum      | int         | nsoft        |       | Number of segments.
    soft_group       | int editable | nsoft        |       | Group for visibility.
    soft_contype     | int editable | nsoft        |       | Contact type, as bits.
    soft_conaffinity | int editable | nsoft        |       | Contact affinity, as bits.
    soft_selfcollide | int editable | nsoft        |       | 1 if its vertices collide with each other.
    soft_rgba        | single      | nsoft 4      |       | Colour.
    soft_radius      | real shared | nsoft        | m     | Radius of vertices in contacts with geoms.
    soft_spacing     | real shared | nsoft        | m     | Radius of vertices in contacts with vertices.
    soft_friction    | real shared | nsoft        |       | Friction coefficient; contacts use the geometric mean of both sides.
    soft_solref      | real shared | nsoft 2      |       | Correction of penetrations: time constant and damping ratio.
    soft_damping     | real shared | nsoft        | 1/s   | Damping rate of motion other than rigid motion.
    soft_drag        | real shared | nsoft        |       | Drag coefficient of its surface.
    soft_period      | real shared | nsoft        | s     | Longest substep that resolves its material.
    soft_curved      | int         |              |       | 1 if the surface is curved at rest.
    softvert_soft    | int         | nsoftpoint   |       | Deformable of a vertex, or -1.
    softvert_pos0    | vec3 shared | nsoftpoint   | m     | Positions of vertices after a reset.
    softvert_invmass | real shared | nsoftpoint   | 1/kg  | Inverse mass; 0 if the vertex is pinned.
    softface_vert    | int         | nsoftface 3  |       | Vertices of triangles of surfaces, counter-clockwise from outside.
    softmem_vert     | int         | nsoftmem 3   |       | Vertices of a triangle.
    softmem_inv      | real shared | nsoftmem 4   | 1/m   | Inverse of the matrix of its two edges at rest, by rows.
    softmem_weight   | real shared | nsoftmem 3   |       | Products of shape gradients, weighted by inverse masses: 11, 12, 22.
    softmem_mu       | real shared | nsoftmem     | N m   | Shear modulus times volume.
    softmem_lambda   | real shared | nsoftmem     | N m   | First Lame parameter in plane stress plus shear modulus, times volume.
    softmem_color    | int         | nsoftmemcolor 2 |    | First triangle of a colour, and one past the last.
    softhinge_vert   | int         | nsofthinge 4 |       | Vertices: both ends of the edge, and the opposite ones.
    softhinge_coef   | real shared | nsofthinge 4 | 1/m   | Weights of the vertices in the bending vector.
    softhinge_bend   | real shared | nsofthinge   |       | Length of the bending vector at rest, along the normal.
    softhinge_weight | real shared | nsofthinge   | 1/(kg m^2) | Sum of inverse masses times squared weights.
    softhinge_stiffness | real shared | nsofthinge | N m  | Bending stiffness, for an angle.
    softhinge_color  | int         | nsofthingecolor 2 |  | First hinge of a colour, and one past the last.
    softtet_vert     | int         | nsofttet 4   |       | Vertices of a tetrahedron.
    softtet_inv      | real shared | nsofttet 9   | 1/m   | Inverse of the matrix of its three edges at rest, by rows.
    softtet_weight   | real shared | nsofttet 6   |       | Products of shape gradients, weighted by inverse masses: 11, 12, 13, 22, 23, 33.
    softtet_mu       | real shared | nsofttet     | N m   | Shear modulus times volume.
    softtet_lambda   | real shared | nsofttet     | N m   | First Lame parameter plus shear modulus, times volume.
    softtet_color    | int         | nsofttetcolor 2 |    | First tetrahedron of a colour, and one past the last.
    softedge_vert    | int         | nsoftedge 2  |       | Vertices of an edge.
    softedge_length  | real shared | nsoftedge    | m     | Length at rest.
    softedge_stiffness | real shared | nsoftedge  | N/m   | Stiffness.
    softedge_color   | int         | nsoftedgecolor 2 |   | First edge of a colour, and one past the last.
    softrod_vert     | int         | nsoftrod 2   |       | Vertices of a segment.
    softrod_length   | real shared | nsoftrod     | m     | Length at rest.
    softrod_invinertia | real shared | nsoftrod 2 | 1/(kg m^2) | Inverse inertia across its axis, and about it.
    softrod_stiffness | real shared | nsoftrod 2  | N     | Stiffness in shear and in stretching.
    softrod_quat0    | quat shared | nsoftrod     |       | Orientations of segments after a reset; their third axis is along them.
    softrod_color    | int         | nsoftrodcolor 2 |    | First segment of a colour, and one past the last.
    softtwist_rod    | int         | nsofttwist 2 |       | Two neighbouring segments.
    softtwist_rest   | quat shared | nsofttwist   |       | Orientation of the second relative to the first, at rest.
    softtwist_stiffness | real shared | nsofttwist 2 | N m | Stiffness in bending and in twisting, for an angle.
    softtwist_color  | int         | nsofttwistcolor 2 |  | First pair of a colour, and one past the last.
    softpin_vert     | int         | nsoftpin     |       | Attached vertex.
    softpin_body     | int         | nsoftpin     |       | Body that it is attached to.
    softpin_pos      | vec3 shared | nsoftpin     | m     | Point of attachment, in the body's frame.
    """,
)

SOFT_OPTION: tuple[Field, ...] = table(
    "option",
    "model",
    """
    opt_softsubsteps | int  | |   | Substeps of deformables in a step; 0: as the materials need, up to softsubstepmax.
    opt_softsubstepmax | int | |  | Largest automatic number of substeps.
    opt_softpasses   | int  | |   | Number of alternating passes over deformables and rigid constraints in a step, 1 to 4.
    opt_softsleep    | real | | m/s | Deformables with all vertices slower than this fall asleep; 0 for never.
    """,
)
