"""Meshes: files and builtin shapes, convex hulls, inertia, octrees, signed distances."""
