"""What people ask of a world beside its steps: many rays, distances and heights at many points."""
