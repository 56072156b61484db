"""Constraint forces: islands, and the solvers that find the acceleration of each."""
