"""Colours of constraint islands; sleeping trees are darker."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Enable

if TYPE_CHECKING:
    from cortenforge.model import Data, Model


def island_colours(model: Model, data: Data) -> np.ndarray:
    """Colour `(nbody, 4)` of each body by its island; NaN for static bodies."""
    found = np.full((model.nbody, 4), np.nan)
    islands = int(data.nisland)
    for body in range(1, model.nbody):
        weld = int(model.body_weldid[body])
        if not model.body_dofnum[weld]:
            continue
        dof = int(model.body_dofadr[weld])
        island = int(data.dof_island[dof]) if islands else -1
        tree = int(model.dof_treeid[dof])
        awake = float(data.tree_asleep[tree]) < 0
        first = _first_dof(data, island) if island >= 0 else -1
        if first < 0 and int(model.opt.enableflags) & Enable.SLEEP:
            first = int(model.tree_dofadr[tree if awake else _first_of_sleep_cycle(data, tree)])
        found[body] = island_colour(first, awake)
    return found


def row_colour(data: Data, row: int) -> tuple[float, float, float, float]:
    """Colour of the island of a constraint row; grey for none."""
    if row < 0 or not data.nisland:
        return island_colour(-1)
    return island_colour(_first_dof(data, int(data.efc_island[row])))


def _first_dof(data: Data, island: int) -> int:
    return int(data.map_idof2dof[int(data.island_dofadr[island])])


def island_colour(first: int, awake: bool = True) -> tuple[float, float, float, float]:
    """Colour by an island's first dof, from Halton sequences; grey for -1."""
    hue, saturation, value = 1.0, 0.0, 0.7
    if first >= 0:
        hue = _halton(first + 1, 7)
        saturation = 0.5 + 0.5 * _halton(first + 1, 3)
        value = 0.6 + 0.4 * _halton(first + 1, 5)
    if not awake:
        value, saturation = 0.6 * value, 0.7 * saturation
    return (*colorsys.hsv_to_rgb(hue, saturation, value), 1.0)


def _halton(index: int, base: int) -> float:
    """Element of a Halton sequence in [0, 1): digits of the index in a base, reversed."""
    result, part = 0.0, 1.0 / base
    while index:
        result += part * (index % base)
        index, part = index // base, part / base
    return result


def _first_of_sleep_cycle(data: Data, tree: int) -> int:
    """First tree of the sleep cycle of a tree: of those that fell asleep together."""
    cycle, other = [tree], int(data.tree_asleep[tree])
    while other != tree:
        cycle.append(other)
        other = int(data.tree_asleep[other])
    return min(cycle)
