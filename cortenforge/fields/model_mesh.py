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
    mesh_vertnum      | int         | nmesh           |   | Number of vertices.
    mesh_faceadr      | int         | nmesh           |   | First triangle.
    mesh_facenum      | int         | nmesh           |   | Number of triangles.
    mesh_bvhadr       | int         | nmesh           |   | Root of the bounding volume hierarchy (BVH) of its triangles.
    mesh_bvhnum       | int         | nmesh           |   | Number of nodes of its BVH.
    mesh_octadr       | int         | nmesh           |   | First node of its octree, or -1.
    mesh_octnum       | int         | nmesh           |   | Number of nodes of its octree.
    mesh_normaladr    | int         | nmesh           |   | First normal.
    mesh_normalnum    | int         | nmesh           |   | Number of normals.
    mesh_texcoordadr  | int         | nmesh           |   | First texture coordinate, or -1.
    mesh_texcoordnum  | int         | nmesh           |   | Number of texture coordinates.
    mesh_graphadr     | int         | nmesh           |   | Address of the convex hull's graph, or -1.
    mesh_extrema      | int         | nmesh 27        |   | Hull vertices farthest in 27 directions.
    mesh_vert         | single read | nmeshvert 3     | m | Vertices, in the mesh's frame.
    mesh_normal       | single read | nmeshnormal 3   |   | Normals, in the mesh's frame.
    mesh_texcoord     | single      | nmeshtexcoord 2 |   | Texture coordinates.
    mesh_face         | int         | nmeshface 3     |   | Vertices of triangles, counted within the mesh.
    mesh_facenormal   | int         | nmeshface 3     |   | Normals of triangles' corners.
    mesh_facetexcoord | int         | nmeshface 3     |   | Texture coordinates of triangles' corners.
    mesh_graph        | int         | nmeshgraph      |   | Convex hulls: counts, addresses, vertices, edges, faces.
    mesh_scale        | vec3 shared | nmesh           |   | Scale that was applied.
    mesh_pos          | vec3 shared | nmesh           | m | Position of the mesh's frame in its file.
    mesh_quat         | quat shared | nmesh           |   | Orientation of the mesh's frame in its file.
    mesh_pathadr      | int         | nmesh           |   | Address of the path of its file, or -1.
    mesh_polynum      | int         | nmesh           |   | Number of polygons of its hull.
    mesh_polyadr      | int         | nmesh           |   | First polygon.
    mesh_polynormal   | vec3 shared | nmeshpoly       |   | Outward normals of polygons.
    mesh_polyvertadr  | int         | nmeshpoly       |   | First vertex of a polygon.
    mesh_polyvertnum  | int         | nmeshpoly       |   | Number of vertices of a polygon.
    mesh_polyvert     | int         | nmeshpolyvert   |   | Vertices of polygons, in order around them.
    mesh_polymapadr   | int         | nmeshvert       |   | First polygon at a vertex, in mesh_polymap.
    mesh_polymapnum   | int         | nmeshvert       |   | Number of polygons at a vertex.
    mesh_polymap      | int         | nmeshpolymap    |   | Polygons at vertices.
    """,
)
