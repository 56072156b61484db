"""What follows from positions: frames, centres of mass, inertia and its factor."""
