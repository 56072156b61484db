"""Where rays meet geoms: shapes, triangles of meshes, height fields, signed distance fields."""
