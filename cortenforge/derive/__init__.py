"""Jacobians of a step: the next state and sensor readings by state and controls."""

from cortenforge.derive.config import DerivativeConfig, InverseMatrices, TransitionMatrices
from cortenforge.derive.quaternions import (
    QuatDifference,
    QuatIntegrate,
    quat_difference,
    quat_integrate,
)
from cortenforge.derive.validate import (
    DerivativeErrors,
    fd_convergence_check,
    max_relative_error,
    validate_derivatives,
)

__all__ = [
    "DerivativeConfig",
    "DerivativeErrors",
    "InverseMatrices",
    "QuatDifference",
    "QuatIntegrate",
    "TransitionMatrices",
    "fd_convergence_check",
    "max_relative_error",
    "quat_difference",
    "quat_integrate",
    "validate_derivatives",
]
