"""Data fields of contacts: one row a contact, in MuJoCo's order, with room for more."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONTACT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nconmax": (8, "capacity for contacts"),
    "nnearmax": (1, "capacity for words of bits of near pairs"),
}
#: their places among the capacities
NCONMAX, NNEARMAX = 0, 1

#: of mjContact, as arrays: `contact_dist` is `contact.dist` of all contacts
CONTACT: tuple[Field, ...] = table(
    "contact",
    "derived",
    """
    ncon                   | int        |           |   | step.collision.contact_list step.collision.stage | Number of contacts.
    contact_dist           | real world | nconmax   | m | step.collision.contact_list step.collision.contact_parameters | Distance between the surfaces; negative if they overlap.
    contact_pos            | vec3 world | nconmax   | m | step.collision.contact_list   | Point of contact, halfway between the surfaces.
    contact_frame          | mat3 world | nconmax   |   | step.collision.contact_list step.collision.contact_parameters | Rows: the normal, from the first geom to the second, and two tangents.
    contact_includemargin  | real world | nconmax   | m | step.collision.contact_parameters | Distance below which the contact is active.
    contact_friction       | real world | nconmax 5 |   | step.collision.contact_parameters | Friction: slide 1, slide 2, spin, roll 1, roll 2.
    contact_solref         | real world | nconmax 2 |   | step.collision.contact_parameters | solref of the normal direction.
    contact_solreffriction | real world | nconmax 2 |   | step.collision.contact_parameters | solref of friction; 0 0 for that of the normal direction.
    contact_solimp         | real world | nconmax 5 |   | step.collision.contact_parameters | solimp of the contact.
    contact_adhesion       | real world | nconmax   | N | step.collision.contact_parameters | Largest adhesive force.
    contact_surfacevel     | vec3 world | nconmax   |   | step.collision.contact_parameters | Velocity of the second surface relative to the first: along both tangents, and spin.
    contact_dim            | int world  | nconmax   |   | step.collision.contact_parameters | Dimension of the contact force: 1, 3, 4 or 6.
    contact_geom           | int world  | nconmax 2 |   | step.collision.contact_parameters | The two geoms; the type of the first is not larger.
    contact_exclude        | int world  | nconmax   |   | step.collision.contact_parameters step.constraint.contact_rows | 0 active, 1 in the gap, 3 without dofs.
    contact_efc_address    | int world  | nconmax   |   | step.collision.contact_parameters step.constraint.contact_rows | Address of its first row in efc fields; -1 if it has none.
    """,
)

CONTACT_SCRATCH: tuple[Field, ...] = table(
    "collision",
    "scratch",
    """
    contact_candidate | int world | nconmax |   | step.collision.contact_list | Candidate pair of a contact.
    contact_time      | real world | nconmax |   | step.collision.contact_list step.collision.speculative.speculative_contacts | Time of impact of a speculative contact, as a share of the step; 0 for others.
    contact_closing   | real world | nconmax | m | step.collision.speculative.speculative_contacts | Distance closed in a step by a speculative contact.
    geom_slide        | vec3      | ngeom   | m | step.collision.speculative.geom_motion | Displacements of geoms in a step.
    geom_spin         | vec3      | ngeom   | rad | step.collision.speculative.geom_motion | Rotation vectors of geoms in a step; zero for spheres.
    geom_travel       | real      | ngeom   | m | step.collision.speculative.geom_motion | Largest displacement of any point of a geom in a step.
    geom_fast         | int       | ngeom   |   | step.collision.speculative.geom_motion | 1 if a geom may pass others within a step.
    asked             | int       |         |   | step.collision.near_bits step.collision.stage | 1 in worlds in which the candidate is near.
    geom_reach        | real      | ngeom   | m | step.collision.bounding_spheres step.collision.speculative.geom_motion | Radius within which a geom can have contacts.
    near_word         | word world | nnearmax |  | step.collision.near_bits step.collision.sweep_and_prune | Candidates whose bounding spheres overlap, as bits.
    swept             | int       |         |   | step.collision.sweep_and_prune    | Number of sorted geoms.
    sweep_order       | int world | ngeom   |   | step.collision.sweep_and_prune    | Geoms of the sweep, sorted.
    sweep_low         | real world | ngeom  | m | step.collision.sweep_and_prune    | Lower ends of their spheres along the axis.
    sweep_x           | real world | ngeom  | m | step.collision.sweep_and_prune    | Centres of their spheres: x.
    sweep_y           | real world | ngeom  | m | step.collision.sweep_and_prune    | Centres of their spheres: y.
    sweep_z           | real world | ngeom  | m | step.collision.sweep_and_prune    | Centres of their spheres: z.
    sweep_reach       | real world | ngeom  | m | step.collision.sweep_and_prune    | Radii of their spheres.
    test_count        | int       | 3       |   | step.collision.pair_counts   | Number of pairs of a family that reached each test, for a report.
    pair_turn         | mat3 world |        |   | step.collision.sdf.pair_distance   | Rotation of the first geom relative to the second.
    pair_shift        | vec3 world |        | m | step.collision.sdf.pair_distance   | Position of the first geom in the frame of the second.
    look_at           | vec3 world |        | m | step.collision.sdf.pair_distance   | Point at which a distance is evaluated, in the frame of the second geom.
    look_distance     | real world |        | m | step.collision.sdf.pair_distance   | Signed distance at that point.
    look_gradient     | vec3 world |        |   | step.collision.sdf.pair_distance   | Gradient of that distance.
    touches           | int world |         |   | step.collision.sdf.sdf_pairs step.collision.sdf.touching_points | Number of touching points of a pair with a distance field.
    touch_apart       | real world |        | m | step.collision.sdf.sdf_pairs step.collision.sdf.touching_points | Distance below which touching points are merged.
    touch_dist        | real world | 50     | m | step.collision.sdf.touching_points | Signed distances at touching points.
    touch_pos         | vec3 world | 50     | m | step.collision.sdf.touching_points | Positions of touching points, in the frame of the field.
    touch_normal      | vec3 world | 50     |   | step.collision.sdf.touching_points | Normals of touching points, from the first geom to the second.
    touch_left        | real world |        | m | step.collision.sdf.sdf_pairs  | Signed distance of the deepest point that did not end at a surface.
    touch_left_pos    | vec3 world |        | m | step.collision.sdf.sdf_pairs  | Position of that point.
    touch_left_normal | vec3 world |        |   | step.collision.sdf.sdf_pairs  | Normal at that point.
    face_point        | vec3 world | 3      | m | step.collision.sdf.mesh_triangles   | Corners of a triangle, in the frame of the field.
    box_turn          | vec3      | 3       |   | step.collision.box_box  | Rows: axes of one box in those of the other.
    box_polygon       | vec3      | 24      | m | step.collision.box_faces | Two polygons of twelve corners at most.
    """,
)
