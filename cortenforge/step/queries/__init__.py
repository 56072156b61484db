"""Queries on one world: Jacobians, products with M, spatial motions of objects."""
