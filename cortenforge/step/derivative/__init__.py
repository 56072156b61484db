"""Partial derivatives of smooth forces by velocity (qDeriv) and position."""
