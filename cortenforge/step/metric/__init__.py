"""Metric of the integrator discrete: M + hD + h^2 K."""
