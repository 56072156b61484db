"""Height fields against convex geoms, prism by prism."""
