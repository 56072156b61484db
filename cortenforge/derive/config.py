"""Options of derivatives, and the matrices that they return."""

from __future__ import annotations

from dataclasses import InitVar, dataclass

import numpy as np

from cortenforge.errors import ArgumentError

#: methods for derivatives of a step
METHODS = ("auto", "fd", "hybrid", "analytic")
#: a larger eps is far from a tangent, a smaller one is lost in rounding
MAX_EPS, MIN_EPS = 1e-2, 1e-10


@dataclass(frozen=True)
class DerivativeConfig:
    """How derivatives are computed.

    eps:      step of finite differences in states and controls, from 1e-10 to 1e-2.
    centered: centred differences, with an error of order eps^2 instead of eps.
    method:   "fd": finite differences of whole steps. "hybrid": of whole steps for positions only.
              "analytic": linearised equations, one nominal step. "auto": the fastest that the
              model allows.
    sensors:  whether to compute C and D, too.
    The older flag `use_analytical` stands for method "auto" if it is true, else for "fd".
    Raises ArgumentError for invalid values.
    """

    eps: float = 1e-6
    centered: bool = True
    method: str = "auto"
    sensors: bool = True
    use_analytical: InitVar[bool | None] = None

    def __post_init__(self, use_analytical: bool | None) -> None:
        eps = self.eps
        if isinstance(eps, bool) or not isinstance(eps, (int, float, np.number)):
            raise ArgumentError(f"eps: expected a number, got {eps!r}")
        if not MIN_EPS <= eps <= MAX_EPS:
            raise ArgumentError(
                f"eps: expected a number from {MIN_EPS:g} to {MAX_EPS:g}, got {eps!r}"
            )
        if self.method not in METHODS:
            raise ArgumentError(
                f"method: expected one of {', '.join(METHODS)}; got {self.method!r}"
            )
        if use_analytical is not None:
            if self.method != "auto":
                raise ArgumentError("use_analytical and method: give one of the two")
            object.__setattr__(self, "method", "auto" if use_analytical else "fd")


DEFAULT_CONFIG = DerivativeConfig()


def checked_config(config: DerivativeConfig | None) -> DerivativeConfig:
    """The given options, or the defaults; raises ArgumentError for any other type."""
    if config is None:
        return DEFAULT_CONFIG
    if not isinstance(config, DerivativeConfig):
        raise ArgumentError(f"config: expected a cf.DerivativeConfig, got {config!r}"[:300])
    return config


class ShownByShapes:
    """Matrices that are shown by their shapes: those of a robot have thousands of numbers."""

    def __repr__(self) -> str:
        parts = [
            f"{name}: {'x'.join(map(str, matrix.shape))}"
            for name, matrix in vars(self).items()
            if matrix is not None
        ]
        return f"<cortenforge.{type(self).__name__} {', '.join(parts)}>"


@dataclass(frozen=True, repr=False)
class TransitionMatrices(ShownByShapes):
    """Jacobians of a step by state and controls.

    The state is position in its tangent space (nv), velocity (nv) and activation (na):

        d state' = A d state + B d ctrl        d sensordata = C d state + D d ctrl

    Sensor readings are those of the state from which the step starts. C and D are None if they were
    not requested. For a batch, each has the world as first dimension.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray | None = None
    D: np.ndarray | None = None


@dataclass(frozen=True, repr=False)
class InverseMatrices(ShownByShapes):
    """Jacobians of inverse dynamics' force by position, velocity and acceleration.

    Each is (nv, nv); ds_... are those of sensor readings, (nsensordata, nv), or None.
    """

    dq: np.ndarray
    dv: np.ndarray
    da: np.ndarray
    ds_dq: np.ndarray | None = None
    ds_dv: np.ndarray | None = None
    ds_da: np.ndarray | None = None
