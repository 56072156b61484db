"""From a pendulum to a chain: with more links, the lowest frequencies approach a chain's."""

from __future__ import annotations

import time

import numpy as np
from picture import chain, keep, shades
from rich.console import Console
from rich.table import Table
from scipy.special import jn_zeros

import cortenforge as cf


def frequencies(model: cf.Model) -> np.ndarray:
    """Angular frequencies of small swings, from finite differences of accelerations by angles."""
    data = model.make_data()
    answers = np.zeros((model.nv, model.nv))
    small = 1e-6
    for i in range(model.nv):
        for sign in (1, -1):
            data.qpos[:] = 0
            data.qpos[i] = sign * small
            data.forward()
            answers[:, i] += sign * data.qacc / (2 * small)
    return np.sqrt(np.sort(np.linalg.eigvals(-answers).real))


def speed(model: cf.Model, steps: int = 2000) -> float:
    """Steps a second of a chain released at a small angle."""
    data = model.make_data()
    data.qpos[0] = 0.1
    data.step()
    start = time.perf_counter()
    data.step(steps)
    return steps / (time.perf_counter() - start)


def main() -> None:
    # Bernoulli's hanging chain of one metre: zeros of the Bessel function J0
    chain = jn_zeros(0, 2) / 2 * np.sqrt(9.81)
    table = Table("links", "1st mode [rad/s]", "a chain's", "2nd mode", "a chain's", "steps/s")
    for n in (1, 2, 4, 8, 16, 32):
        model = cf.models.n_link_pendulum(n, length=1 / n, mass=1 / n)
        found = frequencies(model)
        second = [f"{found[1]:.4f}", f"{chain[1]:.4f}"] if n > 1 else ["", ""]
        table.add_row(str(n), f"{found[0]:.4f}", f"{chain[0]:.4f}", *second, f"{speed(model):,.0f}")
    Console().print(table)
    draw(cf.models.n_link_pendulum(16, length=1 / 16, mass=1 / 16))


def draw(model: cf.Model) -> None:
    """A straight chain of sixteen links, released nearly horizontally."""
    data = model.make_data()
    data.qpos[0] = 1.5
    moments = []
    for rgba in shades(12):
        data.forward()
        moments.append(chain(*data.xanchor, data.site("tip").xpos, radius=0.01, rgba=rgba))
        data.step(12)
    keep("n_link_pendulum", data, cf.Camera((0, 0, 0.6), 2.4, 90, -5), extra=moments)


if __name__ == "__main__":
    main()
