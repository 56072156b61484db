"""Convex geoms: how far apart, how deep inside each other, and where they touch."""
