"""Position stage: kinematics, centres of mass, mass matrix and its factor, tendons, transmission."""
