"""What derivatives are asked for, and what they are."""

from __future__ import annotations

from dataclasses import InitVar, dataclass

import numpy as np

from cortenforge.errors import ArgumentError

#: how derivatives of a step can be worked out
METHODS = ("auto", "fd", "hybrid", "analytic")
#: a larger step says nothing about a tangent, and of a smaller one rounding is too large a part
LARGEST, SMALLEST = 1e-2, 1e-10


@dataclass(frozen=True)
class DerivativeConfig:
    """How derivatives are worked out.

    eps:      how far states and controls are moved for differences, from 1e-10 to 1e-2.
    centered: differences to both sides, with an error of order eps^2 in place of eps.
    method:   "fd": differences of whole steps. "hybrid": of whole steps for positions only.
              "analytic": no step but the nominal one. "auto": the fastest that the model allows.
    sensors:  whether C and D are wanted, too.
    The older flag `use_analytical` stands for method "auto" if it is true, else for "fd".
    Raises ArgumentError for what is not possible.
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
        if not SMALLEST <= eps <= LARGEST:
            raise ArgumentError(
                f"eps: expected a number from {SMALLEST:g} to {LARGEST:g}, got {eps!r}"
            )
        if self.method not in METHODS:
            raise ArgumentError(
                f"method: expected one of {', '.join(METHODS)}; got {self.method!r}"
            )
        if use_analytical is not None:
            if self.method != "auto":
                raise ArgumentError("use_analytical and method: give one of the two")
            object.__setattr__(self, "method", "auto" if use_analytical else "fd")


DEFAULT = DerivativeConfig()


def checked_config(config: DerivativeConfig | None) -> DerivativeConfig:
    """What was asked for, or the usual; raises ArgumentError for what is something else."""
    if config is None:
        return DEFAULT
    if not isinstance(config, DerivativeConfig):
        raise ArgumentError(f"config: expected a cf.DerivativeConfig, got {config!r}"[:300])
    return config


@dataclass(frozen=True)
class TransitionMatrices:
    """How a step changes small changes of the state and of controls.

    The state is position in its tangent space (nv), velocity (nv) and activation (na):

        d state' = A d state + B d ctrl        d sensordata = C d state + D d ctrl

    Readings are those that the step takes, of the state from which it starts. C and D are None if
    they were not asked for. Of a batch, each has the number of the world in front.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray | None = None
    D: np.ndarray | None = None


@dataclass(frozen=True)
class InverseMatrices:
    """How the force that inverse dynamics finds changes with position, velocity, acceleration.

    Each is (nv, nv); ds_... are changes of readings of sensors, (nsensordata, nv), or None.
    """

    dq: np.ndarray
    dv: np.ndarray
    da: np.ndarray
    ds_dq: np.ndarray | None = None
    ds_dv: np.ndarray | None = None
    ds_da: np.ndarray | None = None
