"""What the controls of an actuator are: MuJoCo's input signatures."""

from __future__ import annotations

from cortenforge.spec.element import Element

POS, VEL, FF, VOLTAGE, NONE, PRESSURE = 1, 2, 4, 8, 16, 32
EXPMAP, QUAT = 1, 2
SIGNATURE_WORDS = {"expmap": EXPMAP, "quat": QUAT, "none": NONE}
SIGNAL_BITS = {"pos": POS, "vel": VEL, "ff": FF, "voltage": VOLTAGE, "pressure": PRESSURE}


def input_signature(element: Element, inherited: int) -> int:
    """The signature that an element sets, as bits; 0 leaves it to the type of gain."""
    text = element.attributes.get("input")
    if not isinstance(text, str):
        return inherited
    if text in SIGNATURE_WORDS:
        return SIGNATURE_WORDS[text]
    last = signature = 0
    for word in text.split():
        bit = SIGNAL_BITS.get(word)
        if bit is None:
            known = ", ".join([*SIGNAL_BITS, *SIGNATURE_WORDS])
            raise element.error(f"unknown input '{word}': expected one of {known}", "input")
        if bit <= last:
            order = ", ".join(SIGNAL_BITS)
            raise element.error(f"inputs come once each, in the order {order}", "input")
        signature, last = signature | bit, bit
    return signature
