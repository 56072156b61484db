"""How smooth forces change with velocities and positions."""
