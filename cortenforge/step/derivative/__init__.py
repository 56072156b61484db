"""How smooth forces change with velocities."""
