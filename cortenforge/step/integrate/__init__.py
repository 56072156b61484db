"""Integrators: from acceleration to the next state."""
