"""What follows from velocities: com velocity, bias, passive and fluid forces."""
