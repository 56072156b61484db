"""Data fields of contacts: one row a contact, in MuJoCo's order, with room for more."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONTACT_CAPACITIES: dict[str, tuple[int, str]] = {
    "nconmax": (8, "contacts there is room for"),
    "nnearmax": (1, "words of marks of near pairs there is room for"),
}
#: their places among the capacities
NCONMAX, NNEARMAX = 0, 1

#: of mjContact, as arrays: `contact_dist` is `contact.dist` of all contacts
CONTACT: tuple[Field, ...] = table(
    "contact",
    "derived",
    """
    ncon                   | int        |           |   | step.collision.contact_list step.collision.stage | How many contacts there are.
    contact_dist           | real world | nconmax   | m | step.collision.contact_list step.collision.contact_parameters | Distance between the nearest points; negative if they are inside.
    contact_pos            | vec3 world | nconmax   | m | step.collision.contact_list   | Point of contact, halfway between the surfaces.
    contact_frame          | mat3 world | nconmax   |   | step.collision.contact_list step.collision.contact_parameters | Rows: the normal, from the first geom to the second, and two tangents.
    contact_includemargin  | real world | nconmax   | m | step.collision.contact_parameters | Distance below which the contact pushes.
    contact_friction       | real world | nconmax 5 |   | step.collision.contact_parameters | Friction: slide 1, slide 2, spin, roll 1, roll 2.
    contact_solref         | real world | nconmax 2 |   | step.collision.contact_parameters | Reference, normal direction.
    contact_solreffriction | real world | nconmax 2 |   | step.collision.contact_parameters | Reference along friction; 0 0 as the normal.
    contact_solimp         | real world | nconmax 5 |   | step.collision.contact_parameters | Impedance.
    contact_adhesion       | real world | nconmax   | N | step.collision.contact_parameters | Largest pulling force.
    contact_surfacevel     | vec3 world | nconmax   |   | step.collision.contact_parameters | Velocity of the second surface past the first: along both tangents, and spin.
    contact_dim            | int world  | nconmax   |   | step.collision.contact_parameters | Dimension of the force: 1, 3, 4 or 6.
    contact_geom           | int world  | nconmax 2 |   | step.collision.contact_parameters | The two geoms; the type of the first is not the larger one.
    contact_exclude        | int world  | nconmax   |   | step.collision.contact_parameters step.constraint.contact_rows | 0 if it can push, 1 if it is in the gap, 3 if it moves nothing.
    contact_efc_address    | int world  | nconmax   |   | step.collision.contact_parameters step.constraint.contact_rows | Its first row among constraints; -1 if it has none.
    """,
)

CONTACT_SCRATCH: tuple[Field, ...] = table(
    "collision",
    "scratch",
    """
    contact_candidate | int world | nconmax |   | step.collision.contact_list | The pair of geoms, among those of the model that can touch.
    contact_time      | real world | nconmax |   | step.collision.contact_list step.collision.speculative.speculative_contacts | When within the step it begins, as a part of it; 0 if it is there.
    contact_closing   | real world | nconmax | m | step.collision.speculative.speculative_contacts | How much nearer geoms come in a step until then.
    geom_slide        | vec3      | ngeom   | m | step.collision.speculative.geom_motion | How far geoms move in a step.
    geom_spin         | vec3      | ngeom   | rad | step.collision.speculative.geom_motion | How far they turn; nothing for balls.
    geom_travel       | real      | ngeom   | m | step.collision.speculative.geom_motion | How far any point of them moves, at most.
    geom_fast         | int       | ngeom   |   | step.collision.speculative.geom_motion | 1 if that is so far that they could pass something unseen.
    asked             | int       |         |   | step.collision.near_bits step.collision.stage | 1 in worlds in which the candidate is near.
    geom_reach        | real      | ngeom   | m | step.collision.bounding_spheres step.collision.speculative.geom_motion | Radius within which a geom can have contacts.
    near_word         | word world | nnearmax |  | step.collision.near_bits step.collision.sweep_and_prune | Candidates whose spheres meet, as bits.
    swept             | int       |         |   | step.collision.sweep_and_prune    | How many geoms are in order.
    sweep_order       | int world | ngeom   |   | step.collision.sweep_and_prune    | Geoms of the sweep in order.
    sweep_low         | real world | ngeom  | m | step.collision.sweep_and_prune    | Where their spheres begin.
    sweep_x           | real world | ngeom  | m | step.collision.sweep_and_prune    | Where they are.
    sweep_y           | real world | ngeom  | m | step.collision.sweep_and_prune    | The same along y.
    sweep_z           | real world | ngeom  | m | step.collision.sweep_and_prune    | The same along z.
    sweep_reach       | real world | ngeom  | m | step.collision.sweep_and_prune    | Their radii.
    test_count        | int       | 3       |   | step.collision.pair_counts   | Pairs of a family that came to each test, for a report.
    pair_turn         | mat3 world |        |   | step.collision.sdf.pair_distance   | Axes of the first geom of a pair with a distance field, in those of the second.
    pair_shift        | vec3 world |        | m | step.collision.sdf.pair_distance   | Where the first geom is, seen from the second.
    look_at           | vec3 world |        | m | step.collision.sdf.pair_distance   | A point in the frame of the second geom.
    look_distance     | real world |        | m | step.collision.sdf.pair_distance   | How far it is from one of the geoms.
    look_gradient     | vec3 world |        |   | step.collision.sdf.pair_distance   | The gradient of that.
    touches           | int world |         |   | step.collision.sdf.sdf_pairs step.collision.sdf.touching_points | Points at which a pair touches that has a distance field.
    touch_apart       | real world |        | m | step.collision.sdf.sdf_pairs step.collision.sdf.touching_points | Points that are nearer to each other are one.
    touch_dist        | real world | 50     | m | step.collision.sdf.touching_points | Their distances.
    touch_pos         | vec3 world | 50     | m | step.collision.sdf.touching_points | Where they are, in the frame of the field.
    touch_normal      | vec3 world | 50     |   | step.collision.sdf.touching_points | Normals, from the first geom to the second.
    touch_left        | real world |        | m | step.collision.sdf.sdf_pairs  | The deepest point that did not end at a surface: its distance.
    touch_left_pos    | vec3 world |        | m | step.collision.sdf.sdf_pairs  | Where it is.
    touch_left_normal | vec3 world |        |   | step.collision.sdf.sdf_pairs  | Its normal.
    face_point        | vec3 world | 3      | m | step.collision.sdf.mesh_triangles   | Corners of a triangle, in the frame of the field.
    box_turn          | vec3      | 3       |   | step.collision.box_box  | Rows: axes of one box in those of the other.
    box_polygon       | vec3      | 24      | m | step.collision.box_faces | Two polygons of twelve corners at most.
    """,
)
