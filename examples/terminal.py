"""A plot made of characters, for examples that run in a terminal."""

from __future__ import annotations

import numpy as np

MARKS = "*o+x"


def plot(
    title: str,
    *curves: tuple[np.ndarray, np.ndarray],
    width: int = 72,
    height: int = 18,
) -> str:
    """Curves of (x, y) in one frame, each with its own mark, with ranges at the edges."""
    x = np.concatenate([np.asarray(curve[0], float) for curve in curves])
    y = np.concatenate([np.asarray(curve[1], float) for curve in curves])
    left, right, low, high = x.min(), x.max(), y.min(), y.max()
    canvas = [[" "] * width for _ in range(height)]
    for mark, (xs, ys) in zip(MARKS, curves, strict=False):
        columns = (np.asarray(xs) - left) / max(right - left, 1e-300) * (width - 1)
        rows = (high - np.asarray(ys)) / max(high - low, 1e-300) * (height - 1)
        for column, row in zip(columns.round().astype(int), rows.round().astype(int), strict=True):
            canvas[row][column] = mark
    edge = [f"{high:10.3g}", *[" " * 10] * (height - 2), f"{low:10.3g}"]
    lines = [f"{label} |{''.join(row)}" for label, row in zip(edge, canvas, strict=True)]
    axis = f"{left:<.3g}" + f"{right:.3g}".rjust(width - len(f"{left:<.3g}"))
    return "\n".join([title, *lines, " " * 11 + "+" + "-" * width, " " * 12 + axis])
