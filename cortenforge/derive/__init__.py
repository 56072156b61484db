"""Derivatives of a step: how the next state follows the state and the controls."""

from cortenforge.derive.config import DerivativeConfig, TransitionMatrices

__all__ = ["DerivativeConfig", "TransitionMatrices"]
