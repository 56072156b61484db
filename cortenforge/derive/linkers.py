"""The linker that loads kernels of the linearised equations."""

from __future__ import annotations

from cortenforge.derive.kernels.linear import finish, inverse_slopes, put_up, smooth_slopes
from cortenforge.derive.layout import DERIVATION
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.load.link import Linker, registered


@registered(lambda: [put_up, finish, smooth_slopes, inverse_slopes])
def derivation_linker() -> Linker:
    """Loads and compiles the kernels that assemble and solve the equations of a step."""
    return Linker(MODEL_LAYOUT, DERIVATION)
