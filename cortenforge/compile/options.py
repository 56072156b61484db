"""Compiler settings, physics options and flags, visual settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cortenforge.enums import Disable, Enable, Integrator
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, integer, keyword, number, number_list, numbers
from cortenforge.spec.rotation import radians

REAL_OPTIONS = (
    *("timestep", "impratio", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance"),
    *("sleep_tolerance", "density", "viscosity", "o_margin", "softsleep"),
)
VECTOR_OPTIONS = ("gravity", "wind", "magnetic", "o_solref", "o_solimp", "o_friction")
INTEGER_OPTIONS = (
    *("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations"),
    *("sdf_iterations", "sdf_initpoints", "softsubsteps"),
    *("softsubstepmax", "softpasses"),
)
KEYWORD_OPTIONS: dict[str, dict[str, int]] = {
    "integrator": {
        "Euler": Integrator.EULER,
        "RK4": Integrator.RK4,
        "implicit": Integrator.IMPLICIT,
        "implicitfast": Integrator.IMPLICITFAST,
        "discrete": Integrator.DISCRETE,
        "implicitspringdamper": Integrator.IMPLICITSPRINGDAMPER,
    },
    "cone": {"pyramidal": 0, "elliptic": 1},
    "jacobian": {"dense": 0, "sparse": 1, "auto": 2},
    "solver": {"PGS": 0, "CG": 1, "Newton": 2},
}
HEADLIGHT_FIELDS = {"false": 0, "true": 1, "auto": 2}


@dataclass(frozen=True)
class CompilerSettings:
    """The attributes of <compiler> that matter for bodies.

    Elements that were attached from another model are compiled with the settings of that model:
    `of` finds them.
    """

    degree: bool
    eulerseq: str
    autolimits: bool
    inertiafromgeom: str
    inertiagrouprange: tuple[float, ...]
    boundmass: float
    boundinertia: float
    balanceinertia: bool
    settotalmass: float
    alignfree: bool
    fusestatic: bool
    discardvisual: bool
    fitaabb: bool = False
    others: dict[int, CompilerSettings] = field(default_factory=dict, compare=False, repr=False)

    def of(self, element: Element) -> CompilerSettings:
        """The settings that count for an element."""
        if element.origin is None:
            return self
        key = id(element.origin.compiler)
        if key not in self.others:
            self.others[key] = compiler_settings(element.origin.compiler)
        return self.others[key]

    def radians(self, angle: float) -> float:
        """An angle of the file in radians."""
        return radians(angle) if self.degree else angle


def compiler_settings(element: Element) -> CompilerSettings:
    """Read <compiler>."""
    eulerseq = keyword(element, "eulerseq")
    if len(eulerseq) != 3 or set(eulerseq.lower()) - set("xyz"):
        raise element.error("expected three letters of x, y, z, X, Y, Z", "eulerseq")
    return CompilerSettings(
        degree=keyword(element, "angle") == "degree",
        eulerseq=eulerseq,
        autolimits=flag(element, "autolimits"),
        inertiafromgeom=keyword(element, "inertiafromgeom"),
        inertiagrouprange=numbers(element, "inertiagrouprange"),
        boundmass=number(element, "boundmass"),
        boundinertia=number(element, "boundinertia"),
        balanceinertia=flag(element, "balanceinertia"),
        settotalmass=number(element, "settotalmass"),
        alignfree=flag(element, "alignfree"),
        fusestatic=flag(element, "fusestatic"),
        discardvisual=flag(element, "discardvisual"),
        fitaabb=flag(element, "fitaabb"),
    )


def physics_options(option: Element, flags: Element) -> dict[str, Any]:
    """mjOption from <option> and <flag>."""
    opt: dict[str, Any] = {name: number(option, name) for name in REAL_OPTIONS}
    opt |= {name: np.array(numbers(option, name)) for name in VECTOR_OPTIONS}
    opt |= {name: integer(option, name) for name in INTEGER_OPTIONS}
    for name, words in KEYWORD_OPTIONS.items():
        given = keyword(option, name)
        if given not in words:
            raise option.error(f"expected one of {', '.join(words)}", name)
        opt[name] = int(words[given])
    opt["disableflags"] = sum(
        int(bit) for bit in Disable if keyword(flags, str(bit.name).lower()) == "disable"
    )
    opt["enableflags"] = sum(
        int(bit) for bit in Enable if keyword(flags, str(bit.name).lower()) == "enable"
    )
    opt["disableactuator"] = _group_bits(option)
    opt["strict"] = int(keyword(flags, "strict") == "enable")
    return opt


def _group_bits(option: Element) -> int:
    """Bits of the actuator groups that are switched off."""
    bits = 0
    for group in number_list(option, "actuatorgroupdisable"):
        if not 0 <= group <= 30:
            raise option.error("an actuator group is between 0 and 30", "actuatorgroupdisable")
        bits |= 1 << int(group)
    return bits


def visual_settings(groups: dict[str, Element]) -> dict[str, dict[str, Any]]:
    """mjVisual: each group's values as the grammar and the file give them."""
    vis = {}
    for group, element in groups.items():
        values = {**element.fallback, **element.defaults, **element.attributes}
        vis[group] = {name: _visual_setting(name, value) for name, value in values.items()}
    return vis


def _visual_setting(name: str, value: Any) -> Any:
    """A visual setting in mjVisual's precision: float32, or an int for switches and counts."""
    if name == "active" and isinstance(value, str):
        return HEADLIGHT_FIELDS[value] if value in HEADLIGHT_FIELDS else int(value)
    if isinstance(value, np.ndarray):
        return value.astype(np.float32)
    if isinstance(value, bool | int):
        return int(value)
    return float(np.float32(value))
