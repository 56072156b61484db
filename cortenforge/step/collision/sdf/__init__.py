"""Geoms that are signed distance fields, against every type of geom and each other."""
