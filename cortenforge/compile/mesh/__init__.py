"""Meshes: read, cleaned, given hulls, inertias, distance fields; kept on disk."""
