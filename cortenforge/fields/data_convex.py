"""Data fields that convex pairs work on: simplex and polytope, polygons, what was found."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONVEX_CAPACITIES: dict[str, tuple[int, str]] = {
    "npolytopemax": (0, "faces of the polytope of a convex pair there is room for"),
    "npolygonmax": (0, "corners of polygons of a convex pair there is room for"),
}
#: their places among the capacities
NPOLYTOPEMAX = 2
NPOLYGONMAX = 3
#: contacts that one convex pair can have
MAX_CONVEX_CONTACTS = 4
#: directions in which pairs were apart that are remembered: a power of two
NAPART = 1024

CONVEX_SCRATCH: tuple[Field, ...] = table(
    "convex",
    "scratch",
    """
    query_geom     | int        | 2              |   | | The geoms of a question about their distance; set by Python.
    query_reach    | real       |                | m | step.sensing.geom_distance | How far it goes; also set by Python.
    hull_hint      | int world  | 2              |   | step.collision.convex.gjk step.collision.convex.convex_pairs step.collision.convex.support_function step.collision.convex.geom_distance step.collision.plane_mesh step.collision.hfield.hfield_pairs step.collision.hfield.hfield_distance step.collision.convex.obb | Hull vertices of both geoms that were farthest in the last direction, or -1.
    simplex_weight | real world | 4              |   | step.collision.convex.simplex  | Weights of the simplex's vertices in its point nearest to the origin.
    diff_point     | vec3 world | npolytopemax   | m | step.collision.convex.minkowski step.collision.hfield.portal_refinement step.collision.convex.segment_distance | Vertices of the difference of both geoms, in the axes of the first.
    diff_first     | vec3 world | npolytopemax   | m | step.collision.convex.minkowski step.collision.convex.segment_distance | The points of the first geom that they come from.
    diff_corner    | int world  | npolytopemax 2 |   | step.collision.convex.minkowski step.collision.convex.segment_distance | The corners of both geoms that they come from, or -1.
    face_corner    | int world  | npolytopemax 3 |   | step.collision.convex.epa_polytope | Vertices of the polytope's faces, counter-clockwise from outside.
    face_x         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | Their outward normals.
    face_y         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | The same along y.
    face_z         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | The same along z.
    face_gone      | int world  | npolytopemax   |   | step.collision.convex.epa_polytope | Faces that the next vertex sees.
    face_height    | real world | npolytopemax   | m | step.collision.convex.epa_polytope | How far they are from the origin; negative if it is outside.
    rim_edge       | int world  | npolytopemax 2 |   | step.collision.convex.epa_polytope | Edges around what the next vertex sees of the polytope.
    apart          | vec3 world |                |   | step.collision.convex.nearest_points step.collision.hfield.prism step.collision.convex.obb | From the second geom to the first, a direction in which they are apart.
    apart_axis     | vec3 world | 1024           |   | step.collision.convex.convex_pairs | Directions in which candidates were apart when they were last looked at, by the lowest bits of their numbers.
    apart_corner   | int world  | 1024 2         |   | step.collision.convex.convex_pairs | Corners of both geoms that were nearest then, where they have a hull.
    apart_level    | real world |                | m | step.collision.hfield.prism | How far the geom on a height field reaches in that direction.
    prism          | vec3 world | 6              | m | step.collision.hfield.prism | Corners of a prism of a height field: those of its base, then those above them.
    witness        | int world  | 3              |   | step.collision.convex.nearest_points step.collision.convex.epa step.collision.convex.penetration_search | Vertices whose hull has the nearest or deepest point.
    side_one       | vec3 world | npolygonmax    | m | step.collision.convex.contact_manifold    | Corners of a side, or the ends of an edge, of the first geom.
    side_two       | vec3 world | npolygonmax    | m | step.collision.convex.contact_manifold    | Corners of a side, or the ends of an edge, of the second geom.
    clipped        | vec3 world | npolygonmax    | m | step.collision.convex.polygon_clipping step.collision.convex.contact_manifold step.collision.plane_mesh step.collision.speculative.plane_manifold | What is left of one side above the other, before and after a cut.
    clipped_dist   | real world | npolygonmax    | m | step.collision.convex.contact_manifold | How far their corners are from the other side.
    found          | int world  |                |   | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.convex_pairs step.collision.convex.geom_distance step.collision.hfield.prism step.collision.hfield.hfield_distance step.collision.speculative.plane_manifold step.collision.speculative.conservative_advancement | Contacts of a pair.
    found_dist     | real world | 4              | m | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement step.collision.speculative.plane_manifold | Their distances.
    found_pos      | vec3 world | 4              | m | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement step.collision.speculative.plane_manifold | Where they are, in the axes of the first geom.
    found_normal   | vec3 world |                |   | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement | Their normal, in the axes of the first geom.
    nearest        | int world  |                |   | step.collision.hfield.hfield_distance | 1 if a prism of a height field was found within reach of a geom.
    nearest_dist   | real world |                | m | step.collision.hfield.hfield_distance | The distance of the nearest prism so far.
    nearest_pos    | vec3 world |                | m | step.collision.hfield.hfield_distance | Where it is, in the axes of the height field.
    nearest_normal | vec3 world |                |   | step.collision.hfield.hfield_distance | The direction from there to the geom.
    """,
)
