"""Position stage: kinematics, centres of mass, mass matrix, tendons, transmission."""
