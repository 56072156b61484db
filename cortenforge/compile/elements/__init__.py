"""What hangs in the kinematic tree: bodies, joints, geoms, sites, cameras, lights, inertia."""
