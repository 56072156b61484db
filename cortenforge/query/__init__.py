"""Batched queries of a world: rays, distances and heights at many points."""
