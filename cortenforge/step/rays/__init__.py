"""Intersections of rays with geoms: primitives, meshes, height fields, distance fields."""
