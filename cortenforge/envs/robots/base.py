"""Models of robots: bundled ones, or those of a checkout of mujoco_menagerie."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cortenforge import models
from cortenforge.errors import ArgumentError
from cortenforge.model import Model


def load_robot(bundled: str, assets: str | None, file: str) -> Model:
    """The bundled model, or a file of mujoco_menagerie; nothing is downloaded."""
    if assets is None:
        return Model.from_mjcf(models.find(bundled))
    path = Path(assets).expanduser() / file
    if not path.is_file():
        raise ArgumentError(
            f"assets: there is no file {path}; assets is the folder of a checkout of "
            "mujoco_menagerie (github.com/google-deepmind/mujoco_menagerie)"
        )
    return Model.from_mjcf(path)


def gaussian(error: np.ndarray, width: float) -> np.ndarray:
    """One where an error (k, m) is zero, falling off by its square."""
    value: np.ndarray = np.exp(-np.square(error).sum(axis=1) / width)
    return value


def into_body(vectors: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Components of world vectors (k, 3) along the axes of bodies, whose frames are (k, 9)."""
    return np.einsum("ki,kij->kj", vectors, frames.reshape(-1, 3, 3))
