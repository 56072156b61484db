"""Fields of MuJoCo's model that a Model does not have, each with the reason."""

from __future__ import annotations

import re

__all__ = ["ABSENT", "reason_for_absence"]

#: patterns of whole names
ABSENT: dict[str, str] = {
    r"names|names_map|nnames|nnames_map|name_\w+adr": "names are lists, compared one by one",
    r"nbuffer|narena|signature": "of MuJoCo's own memory layout and version",
    r"n?flex\w*": "models with flexes are refused",
    r"nJfe|n?efm[0C]\w*": "of flexes only",
    r"plugin\w*|npluginattr|npluginstate": "models with plugins are refused",
    r"npolygonmax": "the maximum of mesh_polyvertnum",
    r"opt|stat|vis": "compared setting by setting",
}


def reason_for_absence(name: str) -> str:
    """Reason why MuJoCo's field of this name is not compared; "" if it is to be."""
    return next((why for names, why in ABSENT.items() if re.fullmatch(names, name)), "")
