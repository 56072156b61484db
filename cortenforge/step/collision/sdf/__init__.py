"""Geoms with signed distance fields (SDF) against all types of geoms."""
