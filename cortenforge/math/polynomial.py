"""Springs and dampers whose force is a polynomial of third order."""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def polynomial(linear, quadratic, cubic, x):
    """Coefficient of a force that grows as linear x + quadratic x^2 + cubic x^3."""
    return linear + x * (quadratic + x * cubic)


@kernel(lanes=True)
def polynomial_energy(linear, quadratic, cubic, x):
    """Work against that force from 0 to x."""
    return x * x * (0.5 * linear + x * (quadratic / 3.0 + x * (cubic / 4.0)))


@kernel(lanes=True)
def polynomial_slope(linear, quadratic, cubic, x):
    """How fast that force grows at x."""
    return linear + x * (2.0 * quadratic + x * (3.0 * cubic))
