"""Velocity stage: spatial velocities, bias force (RNE), passive and fluid forces."""
