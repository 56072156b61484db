"""Activations of a controller: one slot for each part that it has, in a fixed order."""

from __future__ import annotations

from cortenforge.actuators import ActivationSlot
from cortenforge.kernel import count_bits, kernel

#: bits of Model.actuator_slots, in the order of the activations
SLEW, INTEGRAL, HEAT, BRISTLE, CURRENT, STRAIN = map(int, ActivationSlot)

#: bits of Model.actuator_kinds: stages that few models need
HILL_KIND = 1
PIDPLUGIN_KIND = 2
ADHESION_KIND = 4


@kernel(lanes=True)
def has_slot(m, a: int, part: int):
    """Whether a controller has a part."""
    return m.actuator_slots[a] & part != 0


@kernel(lanes=True)
def slot_address(m, a: int, part: int):
    """Address of the activation of a part.  Mirrors mj_dcmotorSlots."""
    return m.actuator_actadr[a] + count_bits(m.actuator_slots[a] & (part - 1))
