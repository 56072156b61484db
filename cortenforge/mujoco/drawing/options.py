"""Options of drawing in the terms of this engine, from MjvOption, MjvPerturb and flags."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from cortenforge.mujoco.drawing.structs import MjvOption, MjvPerturb
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import raise_absent
from cortenforge.scene.options import FRAMES, LABELS, UNSUPPORTED_FLAGS, Perturb, RenderOptions

VisFlag, RndFlag = ENUMS["mjtVisFlag"], ENUMS["mjtRndFlag"]
PertBit = ENUMS["mjtPertBit"]
KNOWN = {field.name for field in fields(RenderOptions)}
GROUPS = tuple(name for name in KNOWN if name.endswith("group") and name != "softgroup")
#: flags without an effect: about flexes, which do not exist, and about another renderer
WITHOUT_EFFECT = {"flexvert", "flexedge", "flexface", "flexskin", "post_processing"}
#: flags that `mjr_render` itself obeys
OWN_FLAGS = {"segment", "idcolor"}


def flag_values(kind: Any, prefix: str, flags: np.ndarray) -> dict[str, Any]:
    """Flags by the names of options; flags that are not supported must be off."""
    found: dict[str, Any] = {}
    for name, number in kind.__members__.items():
        flag = name.removeprefix(prefix).lower()
        if name.startswith("mjN") or flag in WITHOUT_EFFECT | OWN_FLAGS:
            continue
        value = bool(flags[number])
        if flag in KNOWN:
            found[flag] = value
        elif value:
            raise_absent(name, UNSUPPORTED_FLAGS[flag])
    return found


def drawing_options(opt: MjvOption, pert: MjvPerturb | None) -> RenderOptions:
    """What of a model is drawn; no backdrop is added, as in MuJoCo."""
    groups: dict[str, Any] = {name: tuple(bool(on) for on in getattr(opt, name)) for name in GROUPS}
    return RenderOptions(
        backdrop="model",
        frame=FRAMES[opt.frame],
        label=LABELS[opt.label],
        bvh_depth=opt.bvh_depth,
        perturb=perturbation(pert),
        **groups,
        **flag_values(VisFlag, "mjVIS_", opt.flags),
    )


def perturbation(pert: MjvPerturb | None) -> Perturb | None:
    """Selection and dragging of a body; None if no body is selected."""
    if pert is None or pert.select <= 0:
        return None
    active = pert.active | pert.active2
    return Perturb(
        select=pert.select,
        localpos=pert.localpos.copy(),
        refselpos=pert.refselpos.copy() if active & PertBit["mjPERT_TRANSLATE"] else None,
        refquat=pert.refquat.copy() if active & PertBit["mjPERT_ROTATE"] else None,
    )


def picture_options(flags: np.ndarray) -> RenderOptions:
    """How a picture is drawn, by a scene's flags."""
    return RenderOptions(backdrop="model", **flag_values(RndFlag, "mjRND_", flags))
