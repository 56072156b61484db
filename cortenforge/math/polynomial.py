"""Polynomial springs and dampers: f(x) = linear x + quadratic x^2 + cubic x^3.

Source: MuJoCo: Computation, "Polynomial forces".
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def polynomial_coefficient(linear, quadratic, cubic, x):
    """f(x) / x: the coefficient of a polynomial force.  Mirrors mju_polyForce."""
    return linear + x * (quadratic + x * cubic)


@kernel(lanes=True)
def polynomial_energy(linear, quadratic, cubic, x):
    """Potential of a polynomial force, its integral from 0 to x.  Mirrors mju_polyPotential."""
    return x * x * (0.5 * linear + x * (quadratic / 3.0 + x * (cubic / 4.0)))


@kernel(lanes=True)
def polynomial_derivative(linear, quadratic, cubic, x):
    """Derivative f'(x) of a polynomial force.  Mirrors mjd_xPolyForce."""
    return linear + x * (2.0 * quadratic + x * (3.0 * cubic))
