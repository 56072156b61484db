"""Constraint rows: Jacobian, impedance and reference of MuJoCo's soft constraints."""
