"""Running means and variances, by which observations and rewards are normalised.

Batches are merged by the formula of Chan, Golub and LeVeque (1983), `a` seen before and `b` new:

    delta = mean_b - mean_a
    mean  = mean_a + delta n_b / (n_a + n_b)
    M2    = M2_a + M2_b + delta^2 n_a n_b / (n_a + n_b),    var = M2 / (n_a + n_b)
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

#: normalised numbers are clipped to this range
CLIP = 10.0
#: added to variances before the square root
SMALL = 1e-8


class RunningMoments(nn.Module):
    """Mean and variance of all rows seen so far, per column; saved with the module they are in."""

    mean: Tensor
    var: Tensor
    count: Tensor
    center: Tensor
    scale: Tensor

    def __init__(self, shape: tuple[int, ...] = ()) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(shape, dtype=torch.float64))
        self.register_buffer("var", torch.ones(shape, dtype=torch.float64))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))
        # the same in single precision, as they are applied
        self.register_buffer("center", torch.zeros(shape))
        self.register_buffer("scale", torch.ones(shape))

    def update(self, rows: Tensor) -> None:
        """Take rows `(n, *shape)` into account."""
        rows = rows.to(torch.float64)
        count = rows.shape[0]
        delta = rows.mean(0) - self.mean
        total = self.count + count
        squares = self.var * self.count + rows.var(0, correction=0) * count
        squares += delta.square() * (self.count * count / total)
        self.mean += delta * (count / total)
        self.var.copy_(squares / total)
        self.count.copy_(total)
        self.center.copy_(self.mean)
        self.scale.copy_(torch.rsqrt(self.var + SMALL))

    def normalised(self, rows: Tensor) -> Tensor:
        """Rows shifted to mean zero and scaled to variance one, clipped."""
        return ((rows - self.center) * self.scale).clamp(-CLIP, CLIP)

    def scaled(self, rows: Tensor) -> Tensor:
        """Rows scaled to variance one without a shift, clipped."""
        return (rows * self.scale).clamp(-CLIP, CLIP)
