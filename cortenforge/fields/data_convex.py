"""Data fields of convex collision: simplex and polytope, polygons, contacts found."""

from __future__ import annotations

from cortenforge.fields.field import Field, table
from cortenforge.kernel.language.tolerance import CacheSize

#: sizes that a Data has for itself, and may let grow: name -> (where it begins, what it counts)
CONVEX_CAPACITIES: dict[str, tuple[int, str]] = {
    "npolytopemax": (0, "capacity for faces of the polytope of a convex pair"),
    "npolygonmax": (0, "capacity for corners of polygons of a convex pair"),
}
#: their places among the capacities
NPOLYTOPEMAX = 2
NPOLYGONMAX = 3
#: contacts that one convex pair can have
MAX_CONVEX_CONTACTS = 4
#: directions in which pairs were apart that are remembered: a power of two
NAPART = CacheSize(1024, single=64)

CONVEX_SCRATCH: tuple[Field, ...] = table(
    "convex",
    "scratch",
    """
    query_geom     | int carried | 2              |   | | Geoms whose distance is computed; set by Python.
    query_reach    | real carried |                | m | step.sensing.geom_distance | Largest distance to be computed; set by Python.
    hull_hint      | int world  | 2              |   | step.collision.convex.gjk step.collision.convex.convex_pairs step.collision.convex.support_function step.collision.convex.geom_distance step.collision.plane_mesh step.collision.hfield.hfield_pairs step.collision.hfield.hfield_distance step.collision.convex.obb | Support vertices of the last direction, where hill climbing starts, or -1.
    simplex_weight | real world | 4              |   | step.collision.convex.simplex  | Weights of the simplex' vertices in its point nearest to the origin.
    diff_point     | vec3 world | npolytopemax   | m | step.collision.convex.minkowski step.collision.hfield.portal_refinement step.collision.convex.segment_distance | Vertices of the simplex or polytope of the Minkowski difference, in the axes of the first geom.
    diff_first     | vec3 world | npolytopemax   | m | step.collision.convex.minkowski step.collision.convex.segment_distance | Their points of the first geom.
    diff_corner    | int world  | npolytopemax 2 |   | step.collision.convex.minkowski step.collision.convex.segment_distance | Their corners of both geoms, or -1.
    face_corner    | int world  | npolytopemax 3 |   | step.collision.convex.epa_polytope | Vertices of the polytope's faces, counter-clockwise from outside.
    face_x         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | Outward normals of the polytope's faces: x.
    face_y         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | Outward normals of the polytope's faces: y.
    face_z         | real world | npolytopemax   |   | step.collision.convex.epa_polytope | Outward normals of the polytope's faces: z.
    face_gone      | int world  | npolytopemax   |   | step.collision.convex.epa_polytope | Faces that are visible from the next vertex.
    face_height    | real world | npolytopemax   | m | step.collision.convex.epa_polytope | Signed distances of faces from the origin.
    rim_edge       | int world  | npolytopemax 2 |   | step.collision.convex.epa_polytope | Horizon of the polytope, as seen from the next vertex.
    apart          | vec3 world |                |   | step.collision.convex.nearest_points step.collision.hfield.prism step.collision.convex.obb | Separating direction, from the second geom to the first.
    apart_axis     | vec3 world carried | 1024           |   | step.collision.convex.convex_pairs | Last separating directions of candidates, by the lowest bits of their numbers.
    apart_corner   | int world carried | 1024 2         |   | step.collision.convex.convex_pairs | Support vertices of both geoms along these directions, for hulls.
    apart_level    | real world |                | m | step.collision.hfield.prism | Extent of the geom on a height field along that direction.
    prism          | vec3 world | 6              | m | step.collision.hfield.prism | Corners of a prism of a height field: those of its base, then those above them.
    witness        | int world  | 3              |   | step.collision.convex.nearest_points step.collision.convex.epa step.collision.convex.penetration_search | Vertices whose hull has the nearest or deepest point.
    side_one       | vec3 world | npolygonmax    | m | step.collision.convex.contact_manifold    | Corners of a face, or ends of an edge, of the first geom.
    side_two       | vec3 world | npolygonmax    | m | step.collision.convex.contact_manifold    | Corners of a face, or ends of an edge, of the second geom.
    clipped        | vec3 world | npolygonmax    | m | step.collision.convex.polygon_clipping step.collision.convex.contact_manifold step.collision.plane_mesh step.collision.speculative.plane_manifold | Polygons that are clipped, before and after a cut.
    clipped_dist   | real world | npolygonmax    | m | step.collision.convex.contact_manifold | Distances of their corners from the other face.
    found          | int world  |                |   | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.convex_pairs step.collision.convex.geom_distance step.collision.hfield.prism step.collision.hfield.hfield_distance step.collision.speculative.plane_manifold step.collision.speculative.conservative_advancement | Number of contacts of the pair.
    found_dist     | real world | 4              | m | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement step.collision.speculative.plane_manifold | Distances of these contacts.
    found_pos      | vec3 world | 4              | m | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement step.collision.speculative.plane_manifold | Positions of these contacts, in the axes of the first geom.
    found_normal   | vec3 world |                |   | step.collision.convex.nearest_points step.collision.convex.contact_manifold step.collision.convex.geom_distance step.collision.hfield.hfield_distance step.collision.hfield.portal_refinement | Normal of these contacts, in the axes of the first geom.
    nearest        | int world  |                |   | step.collision.hfield.hfield_distance | 1 if a prism of a height field is within reach of a geom.
    nearest_dist   | real world |                | m | step.collision.hfield.hfield_distance | Distance of the nearest prism so far.
    nearest_pos    | vec3 world |                | m | step.collision.hfield.hfield_distance | Position of that contact, in the axes of the height field.
    nearest_normal | vec3 world |                |   | step.collision.hfield.hfield_distance | Normal of that contact, towards the geom.
    """,
)
