"""Small worlds with deformables, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import cortenforge as cf

GRAVITY = 9.81


def world(*bodies: cf.Deformable, inside: str = "", beside: str = "", **options: Any) -> cf.Data:
    """A world with these deformables; inside: elements of its worldbody, beside: next to it."""
    text = f"<mujoco>{beside}<worldbody>{inside}</worldbody></mujoco>"
    model = cf.Model.from_mjcf(text).with_deformables(bodies)
    for name, value in options.items():
        setattr(model.opt, name, value)
    return model.make_data()


def patch(height: float, **settings: Any) -> cf.Cloth:
    """A small free sheet of four vertices in the air, 1 mm thick and without drag."""
    settings = {"drag": 0.0, "damping": 0.0, "pos": (0, 0, height)} | settings
    return cf.Cloth.grid(2, 2, size=(0.1, 0.1), thickness=1e-3, **settings)


def points(places: np.ndarray, **settings: Any) -> cf.CapsuleChain:
    """A chain whose vertices are put at places afterwards: only where they are matters."""
    line = np.linspace((0, 0, 0), (len(places), 0, 0), len(places))
    return cf.CapsuleChain(line, **{"material": "hair", "radius": 0.01} | settings)


def masses(data: cf.Data) -> np.ndarray:
    """Masses of free vertices, 0 for pinned ones."""
    inverse = data.model.softvert_invmass[:-1]
    return np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0)


def touching(data: cf.Data, geom: int | None = None) -> np.ndarray:
    """Numbers of contacts that press; of one geom, or of all."""
    count = data.nsoftcon
    pressed = np.abs(data.softcon_force[:count]).sum(axis=1) > 0
    if geom is not None:
        pressed &= data.softcon_geom[:count] == geom
    return np.flatnonzero(pressed)


def force_of(data: cf.Data, geom: int) -> np.ndarray:
    """The force on deformables of one geom."""
    found: np.ndarray = data.softcon_force[touching(data, geom)].sum(axis=0)
    return found
