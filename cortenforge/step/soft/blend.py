"""How implicit an element is: what makes results independent of substeps and of the mesh."""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def implicitness(ratio):
    """How much of an element's own stiffness its step counts, from h^2 K / m.

    Elements are visited one after another. One that is visited finds its vertices pulled by those
    before it, half of its neighbours on average (sweeps go to and fro), so that it would act as if
    it had half of its own inverse stiffness more. Counting half is therefore exact at rest, to
    the order of h^4; where the material is too stiff for the substep, all of it is counted, which
    is stable for every stiffness, and softer than the material.
    """
    return min(1.0, max(0.5, 0.25 + 0.25 * ratio))
