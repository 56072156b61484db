"""Deformables: XPBD in substeps, by colours, and contact with rigid bodies that push back."""
