"""How implicit an element is: what makes results independent of substeps and of the mesh."""

from __future__ import annotations

from cortenforge.kernel import kernel


@kernel(lanes=True)
def implicitness(ratio):
    """How much of an element's own stiffness its step counts, from h^2 K / m.

    Elements are visited one after another, and one that is visited finds its vertices pulled by
    those before it: by half of its neighbours, on the average over colours. To count all of its own
    stiffness, as one does who is alone, would make it softer than its material by h^2 / 2m; to
    count half of it makes up for that. Where the material is too stiff for the substep all of it is
    counted, which is stable for every stiffness.
    """
    return min(1.0, max(0.5, 0.25 + 0.25 * ratio))


@kernel(lanes=True)
def shear_implicitness(ratio):
    """The same for shear, of which elements count the quadratic part only, half of it."""
    return min(2.0, max(0.5, 0.5 * ratio))
