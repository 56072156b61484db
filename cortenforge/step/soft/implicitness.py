"""How implicit the projection of an element is: XPBD corrected for mesh dependence.

    theta(r) = min(1, max(1/2, 1/4 + r/4)),    s(r) = min(2, max(1/2, r/2)),    r = h^2 K / m

r is the element's stiffness times its weighted inverse mass times h^2 (h^2 k w_C of `xpbd`). An
element counts half of its own stiffness as long as r <= 1, and all of it, as XPBD does, from r = 3.
Derived and measured in docs/deformables.md, "Stiffness that does not depend on the mesh".
Theory: docs/theory/xpbd.md.
"""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def implicitness(ratio):
    """theta: which part of its own stiffness an element counts; ratio: h^2 K / m.

    Elements are visited one after another (Gauss-Seidel), so an element finds its vertices moved
    already by half of its neighbours, averaged over colours. To count all of its own stiffness, as
    is right for an element alone, would add h^2 / 2m to its compliance; to count half of it makes
    up for that. Where the material is too stiff for the substep all of it is counted, which is
    stable for every stiffness.
    """
    return min(1.0, max(0.5, 0.25 + 0.25 * ratio))


@kernel(lanes=True)
def shear_implicitness(ratio):
    """s: the same for shear, of which elements count the quadratic part only, half of it."""
    return min(2.0, max(0.5, 0.5 * ratio))
