"""Quadratic programs with bounds, by projected Newton steps.

    minimise  x^T H x / 2 + g^T x   for  lower <= x <= upper

A step is Newton's for the variables that are free: not at a bound towards which the gradient pushes
them. It is projected on the bounds and halved until the value falls as Armijo's rule wants.
Source: Tassa, Mansard and Todorov, "Control-limited differential dynamic programming", ICRA 2014.
"""

from __future__ import annotations

import numpy as np

from cortenforge.math.vector import MINVAL
from cortenforge.mujoco.errors import FatalError
from cortenforge.mujoco.mju.factors import factor_in_place, solve_factored
from cortenforge.mujoco.mju.shapes import check_same_size, checked_square
from cortenforge.mujoco.registry import function

MOST_ITERATIONS = 100
#: squared length of a gradient that ends the search
MIN_GRADIENT = 1e-16
#: factor of a step that does not help, smallest step, and share of the expected gain
BACKTRACK, MIN_STEP, ARMIJO = 0.5, 1e-22, 0.1


class BoxQP:
    """A problem, and the solution so far."""

    def __init__(
        self, H: np.ndarray, g: np.ndarray, lower: np.ndarray, upper: np.ndarray, x: np.ndarray
    ) -> None:
        self.H, self.g, self.lower, self.upper = H, g, lower, upper
        self.x: np.ndarray = np.clip(x, lower, upper)

    def value(self, x: np.ndarray) -> float:
        """The function to minimise."""
        return float(x @ (0.5 * self.H @ x + self.g))

    def free(self, gradient: np.ndarray) -> np.ndarray:
        """Numbers of the variables that are not held at a bound."""
        held = (self.x == self.lower) & (gradient > 0.0)
        held |= (self.x == self.upper) & (gradient < 0.0)
        return np.asarray(np.flatnonzero(~held))

    def step(self, free: np.ndarray, factor: np.ndarray) -> np.ndarray:
        """Newton's step of the free variables, zero for the others."""
        made = np.zeros_like(self.x)
        held = np.setdiff1d(np.arange(len(self.x)), free)
        rest = self.g[free] + self.H[np.ix_(free, held)] @ self.x[held]
        made[free] = -solve_factored(factor, rest) - self.x[free]
        return made

    def search(self, step: np.ndarray, gradient: np.ndarray) -> bool:
        """Move along the projected step.  Returns False if no length of it helps."""
        slope = float(step @ gradient)
        if slope >= 0.0:
            return False
        size, before = 1.0, self.value(self.x)
        while size >= MIN_STEP:
            candidate = np.clip(self.x + size * step, self.lower, self.upper)
            if self.value(candidate) - before <= ARMIJO * size * slope:
                self.x = candidate
                return True
            size *= BACKTRACK
        return False


@function
def mju_boxQP(
    res: np.ndarray,
    R: np.ndarray,
    index: np.ndarray | None,
    H: np.ndarray,
    g: np.ndarray,
    lower: np.ndarray | None,
    upper: np.ndarray | None,
) -> int:
    """Minimise x^T H x / 2 + g^T x within bounds, from the first guess in res.

    R, index: room for the Cholesky factor of the free variables, row by row, and their numbers.
    Returns the number of free variables, or -1 if H is not positive definite or no step helps.
    """
    H = checked_square("H", H)  # noqa: N806
    n = len(H)
    given = {"res": res, "g": g, "lower": lower, "upper": upper, "index": index}
    check_same_size(H=H[0] if n else g, **{k: v for k, v in given.items() if v is not None})
    if R.shape != (n, n + 7):
        raise TypeError(f"R: expected shape {(n, n + 7)}, got {R.shape}")
    low = np.full(n, -np.inf) if lower is None else lower
    high = np.full(n, np.inf) if upper is None else upper
    if (low >= high).any():
        raise FatalError("mju_boxQP: upper bounds must be larger than lower bounds")
    problem = BoxQP(H, g, low, high, res)
    found = minimise(problem, R.reshape(-1), index)
    res[:] = problem.x
    return found


def minimise(problem: BoxQP, room: np.ndarray, index: np.ndarray | None) -> int:
    """Iterate; the factor and the free variables' numbers go where the caller wants them."""
    free, factor = None, np.zeros((0, 0))
    for _ in range(MOST_ITERATIONS):
        gradient = problem.H @ problem.x + problem.g
        now = problem.free(gradient)
        if free is None or not np.array_equal(free, now):
            free, factor = now, problem.H[np.ix_(now, now)].copy()
            if factor_in_place(factor, MINVAL) < len(free):
                return -1
            room[: factor.size] = factor.ravel()
            if index is not None:
                index[: len(free)] = free
        if not len(free) or gradient[free] @ gradient[free] < MIN_GRADIENT:
            return len(free)
        if not problem.search(problem.step(free, factor), gradient):
            return -1
    return -1
