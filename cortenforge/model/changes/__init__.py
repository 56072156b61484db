"""What follows when a Model was changed: features, candidates, static geoms, sensors."""
