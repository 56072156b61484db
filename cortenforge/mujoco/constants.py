"""Constants of the `mujoco` package."""

from __future__ import annotations

import numpy as np

from cortenforge.mujoco.tables import TABLES


def _as_tuple(value: object) -> object:
    """Lists of the tables are tuples of `mujoco`."""
    return tuple(_as_tuple(one) for one in value) if isinstance(value, list) else value


CONSTANTS = {name: _as_tuple(value) for name, value in TABLES["constants"].items()}
globals().update(CONSTANTS)
#: type of MuJoCo's reals
MJTNUM_DTYPE = np.float64

__all__ = ["MJTNUM_DTYPE", *CONSTANTS]  # pyright: ignore
