"""How many worlds run in lockstep on this processor."""

from __future__ import annotations

import os

from cortenforge.kernel.language.processor import processor

#: with registers of 256 or 512 bits: eight reals are one or two registers (measured best with AVX2)
WIDE = 8
#: with registers of 128 bits, eight reals would be four, and values would not fit in registers.
#: LLVM uses such registers for ARM's scalable vectors, too, since their length is unknown to it
NARROW = 4


def lane_width() -> int:
    """The number of lanes: CORTENFORGE_LANES, or what suits the processor's vector registers."""
    chosen = os.environ.get("CORTENFORGE_LANES")
    if chosen:
        if chosen not in ("2", "4", "8", "16"):
            raise ValueError(f"CORTENFORGE_LANES is {chosen!r}: it can be 2, 4, 8 or 16")
        return int(chosen)
    return WIDE if "avx" in processor().features else NARROW
