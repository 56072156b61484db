"""What a model may ask for that the GPU does not have, though the CPU does: one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortenforge.errors import GpuSimError
from cortenforge.errors import UnsupportedFeature as MissingPhysics
from cortenforge.step.collision.families import FAMILY_KERNELS, PAIR_UNITS, SDF_PAIRS

if TYPE_CHECKING:
    from cortenforge.model import Model


class UnsupportedFeature(GpuSimError, MissingPhysics):
    """The model asks for physics that the GPU does not have; `features` lists it."""

    def __init__(self, features: list[str], *, on_cpu: bool = True) -> None:
        """`on_cpu`: whether the CPU has it, so that `BatchSim` steps the model."""
        super().__init__(features)
        if on_cpu:
            listed = "\n".join(f"  - {feature}" for feature in self.features)
            text = f"this model cannot be stepped on a GPU:\n{listed}\n  hint: cf.BatchSim steps it"
            self.args = (text,)


@dataclass(frozen=True)
class Gap:
    """Something that the GPU does not have.

    name:   in a few words.
    needed: whether a model needs it.
    reason: why it is missing.
    """

    name: str
    needed: Callable[[Model], bool]
    reason: str


#: families of pairs with a signed distance field, as bits
SDF_FAMILIES = sum(1 << FAMILY_KERNELS.index(unit) for unit in {PAIR_UNITS[p] for p in SDF_PAIRS})

GAPS: tuple[Gap, ...] = (
    Gap(
        "histories and delays",
        lambda model: bool(model.nhistory),
        "single precision cannot tell the times of samples apart for long",
    ),
    Gap("deformables", lambda model: bool(model.nsoft), "their substeps are not dispatched yet"),
    Gap(
        "callbacks",
        lambda model: bool(model.called),
        "a device runs no Python functions",
    ),
    Gap(
        "contacts of signed distance fields",
        lambda model: bool(int(model.families) & SDF_FAMILIES),
        "their descent ends at distances that single precision cannot tell from zero",
    ),
)


def missing_on_gpu(model: Model) -> list[str]:
    """A sentence for everything that a model needs and the GPU does not have."""
    return [f"{gap.name}: {gap.reason}" for gap in GAPS if gap.needed(model)]
