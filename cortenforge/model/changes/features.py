"""Features that a model may need and that are not supported: one table for kernels and users."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import (
    Disable,
    Enable,
    EqualityType,
    Integrator,
    WrapType,
)
from cortenforge.model.changes.candidates import unsupported_pairs
from cortenforge.model.changes.sensing import insidesite_shape_sensors

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: enable flags that are supported
SUPPORTED_FLAGS = (
    Enable.ENERGY
    | Enable.FWDINV
    | Enable.INVDISCRETE
    | Enable.DIAGEXACT
    | Enable.OVERRIDE
    | Enable.SLEEP
    | Enable.SPECULATIVE
)
WITHOUT_SENSORS = '<flag sensor="disable"/> runs without them'


@dataclass(frozen=True)
class Feature:
    """A feature that is not supported.

    name:  of the feature, in a few words.
    needs: parts of a model that need it; "" if none does.
    hint:  how to run without it, or what to use instead.
    """

    name: str
    needs: Callable[[Model], str]
    hint: str = ""

    def sentence(self, needed: str) -> str:
        """The sentence for users."""
        text = f"{self.name} ({needed})" if needed else self.name
        return f"{text}; {self.hint}" if self.hint else text


def _unless_disabled(flag: Disable, needs: Callable[[Model], str]) -> Callable[[Model], str]:
    """Needs that a disable flag removes."""
    return lambda model: "" if Disable(model.opt.disableflags) & flag else needs(model)


def _unsupported_flags(model: Model) -> str:
    wanted = Enable(model.opt.enableflags) & ~SUPPORTED_FLAGS
    return ", ".join(f'{flag.name.lower()}="enable"' for flag in wanted)  # type: ignore[union-attr]


def _invdiscrete_with_rk4(model: Model) -> str:
    """fwdinv with invdiscrete: inverse dynamics in discrete time do not exist for RK4."""
    asked = Enable.FWDINV | Enable.INVDISCRETE
    both = model.opt.enableflags & asked == asked
    return "RK4" if both and model.opt.integrator == Integrator.RK4 else ""


def _tendon_equalities_with_sleep(model: Model) -> str:
    """Tendon equalities with sleep; MuJoCo fails on them, too."""
    if not model.opt.enableflags & Enable.SLEEP:
        return ""
    joined = np.flatnonzero(model.eq_type == EqualityType.TENDON)
    return _listed_names(model, "equality", joined)


def _histories_with_sleep(model: Model) -> str:
    """Histories with sleep."""
    return "nsample" if model.nhistory and model.opt.enableflags & Enable.SLEEP else ""


def _deformables_with_sleep(model: Model) -> str:
    """Deformables with sleep of trees: their contacts do not wake trees."""
    return (
        _listed_names(model, "soft", np.arange(model.nsoft))
        if model.opt.enableflags & Enable.SLEEP
        else ""
    )


def _sensors_by_name(which: Callable[[Model], np.ndarray]) -> Callable[[Model], str]:
    """Some sensors by name."""
    return lambda model: _listed_names(model, "sensor", which(model))


def _wrapped_tendons_with_armature(model: Model) -> str:
    """Tendons with armature that wrap around a geom; the compiler refuses them."""
    around = np.isin(model.wrap_type, (WrapType.SPHERE, WrapType.CYLINDER))
    ends = model.tendon_adr + model.tendon_num
    wraps = [bool(around[a:b].any()) for a, b in zip(model.tendon_adr, ends, strict=True)]
    return _listed_names(
        model, "tendon", np.flatnonzero(np.array(wraps, bool) & (model.tendon_armature != 0))
    )


#: in the order of messages
FEATURES: tuple[Feature, ...] = (
    Feature("option flag", _unsupported_flags),
    Feature("flags fwdinv and invdiscrete", _invdiscrete_with_rk4),
    Feature("delays and samples with sleep", _histories_with_sleep),
    Feature(
        "tendon equalities with sleep",
        _tendon_equalities_with_sleep,
        '<flag sleep="disable"/> runs without sleep',
    ),
    Feature(
        "deformables with sleep of trees",
        _deformables_with_sleep,
        '<flag sleep="disable"/> runs without; softsleep is for deformables alone',
    ),
    Feature(
        "sensors of whole shapes inside of sites",
        _unless_disabled(Disable.SENSOR, _sensors_by_name(insidesite_shape_sensors)),
        WITHOUT_SENSORS,
    ),
    Feature("armature of tendons that wrap around geoms", _wrapped_tendons_with_armature),
    Feature("collisions", lambda model: "; ".join(unsupported_pairs(model))),
)


def missing_features(model: Model) -> list[str]:
    """One sentence for each feature that `step` and `forward` would need and do not have."""
    needed = ((feature, feature.needs(model)) for feature in FEATURES)
    return [feature.sentence(text) for feature, text in needed if text]


def _listed_names(model: Model, kind: str, numbers: np.ndarray) -> str:
    names = [model.name_of(kind, int(i)) or f"#{i}" for i in numbers[:3]]
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return ", ".join(names) + more
