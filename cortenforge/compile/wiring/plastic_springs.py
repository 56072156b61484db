"""Springs with a yield limit: addresses of their rest positions in the plastic state."""

from __future__ import annotations

import numpy as np

from cortenforge.enums import JointType

Arrays = dict[str, np.ndarray]
# lower and upper end of a tendon's rest length
TENDON_PLASTIC_SIZE = 2


def set_plastic_addresses(arrays: Arrays) -> int:
    """Set jnt_plasticadr and tendon_plasticadr, joints first; returns nplastic."""
    kinds = arrays["jnt_type"]
    widths = {
        "jnt": np.where(kinds == JointType.BALL, 4, 1),
        "tendon": np.full(len(arrays["tendon_type"]), TENDON_PLASTIC_SIZE),
    }
    start = 0
    for kind, width in widths.items():
        yields = arrays[f"{kind}_springyield"] > 0
        used = np.where(yields, width, 0)
        places = start + np.cumsum(used) - used
        arrays[f"{kind}_plasticadr"] = np.where(yields, places, -1).astype(np.int32)
        start += int(used.sum())
    return start
