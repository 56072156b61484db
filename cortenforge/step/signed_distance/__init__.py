"""Signed distances of shapes from a point, and their gradients; heights of height fields."""
