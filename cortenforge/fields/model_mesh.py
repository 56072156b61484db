"""Model fields of meshes."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

MESH_SIZES: dict[str, str] = {
    "nmesh": "meshes",
    "nmeshvert": "vertices of all meshes",
    "nmeshnormal": "normals of all meshes",
    "nmeshtexcoord": "texture coordinates of all meshes",
    "nmeshface": "triangles of all meshes",
    "nmeshgraph": "numbers in the graphs of all convex hulls",
    "nmeshpoly": "polygons of all convex hulls",
    "nmeshpolyvert": "vertices of all polygons of convex hulls",
    "nmeshpolymap": "polygons at all vertices of convex hulls",
    "nmeshdegmax": "most polygons at a vertex of a convex hull",
}

MESH: tuple[Field, ...] = table(
    "mesh",
    "model",
    """
    mesh_vertadr      | int         | nmesh           |   | First vertex.
    mesh_vertnum      | int         | nmesh           |   | How many vertices.
    mesh_faceadr      | int         | nmesh           |   | First triangle.
    mesh_facenum      | int         | nmesh           |   | How many triangles.
    mesh_bvhadr       | int         | nmesh           |   | Root of the tree of boxes around its triangles.
    mesh_bvhnum       | int         | nmesh           |   | How many boxes that tree has.
    mesh_octadr       | int         | nmesh           |   | First node of its octree, or -1.
    mesh_octnum       | int         | nmesh           |   | How many nodes its octree has.
    mesh_normaladr    | int         | nmesh           |   | First normal.
    mesh_normalnum    | int         | nmesh           |   | How many normals.
    mesh_texcoordadr  | int         | nmesh           |   | First texture coordinate, or -1.
    mesh_texcoordnum  | int         | nmesh           |   | How many texture coordinates.
    mesh_graphadr     | int         | nmesh           |   | Where the convex hull's graph begins, or -1.
    mesh_extrema      | int         | nmesh 27        |   | Hull vertices farthest in 27 directions of a cube.
    mesh_vert         | single read | nmeshvert 3     | m | Vertices, in the mesh's own frame.
    mesh_normal       | single read | nmeshnormal 3   |   | Normals, in the mesh's own frame.
    mesh_texcoord     | single      | nmeshtexcoord 2 |   | Texture coordinates.
    mesh_face         | int         | nmeshface 3     |   | Vertices of triangles, counted within the mesh.
    mesh_facenormal   | int         | nmeshface 3     |   | Normals of triangles' corners.
    mesh_facetexcoord | int         | nmeshface 3     |   | Texture coordinates of triangles' corners.
    mesh_graph        | int         | nmeshgraph      |   | Convex hulls: counts, addresses, vertices, edges, faces.
    mesh_scale        | vec3 shared | nmesh           |   | Scaling that was applied.
    mesh_pos          | vec3 shared | nmesh           | m | Where the mesh's own frame was in its file.
    mesh_quat         | quat shared | nmesh           |   | How the mesh's own frame was turned in its file.
    mesh_pathadr      | int         | nmesh           |   | Where the path of its file starts, or -1.
    mesh_polynum      | int         | nmesh           |   | How many polygons its hull has.
    mesh_polyadr      | int         | nmesh           |   | First polygon.
    mesh_polynormal   | vec3 shared | nmeshpoly       |   | Outward normals of polygons.
    mesh_polyvertadr  | int         | nmeshpoly       |   | First vertex of a polygon.
    mesh_polyvertnum  | int         | nmeshpoly       |   | How many vertices a polygon has.
    mesh_polyvert     | int         | nmeshpolyvert   |   | Vertices of polygons, in order around them.
    mesh_polymapadr   | int         | nmeshvert       |   | First of the polygons at a vertex.
    mesh_polymapnum   | int         | nmeshvert       |   | How many polygons there are at a vertex.
    mesh_polymap      | int         | nmeshpolymap    |   | Polygons at vertices.
    """,
)
