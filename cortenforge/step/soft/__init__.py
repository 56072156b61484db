"""Deformables: XPBD in substeps, elements by colours, two-way contact with rigid bodies."""
