"""What a step can be asked for: one table, from which kernels and people learn what is missing."""

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
    Transmission,
    WrapType,
)
from cortenforge.model.sensing import (
    missing_types,
    of_contacts,
    of_fields,
    of_limits,
    of_shapes_inside,
)
from cortenforge.model.touching import missing_pairs

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: enable flags whose physics is there
DONE_FLAGS = Enable.ENERGY | Enable.FWDINV | Enable.OVERRIDE | Enable.SLEEP | Enable.SPECULATIVE
WITHOUT_SENSORS = '<flag sensor="disable"/> runs without them'
DONE_INTEGRATORS = (Integrator.EULER, Integrator.RK4)


@dataclass(frozen=True)
class Feature:
    """Physics that is not there yet.

    name:  what is missing, in a few words.
    needs: which parts of a model ask for it; "" if none does.
    hint:  how a model runs without it, or what there is instead.
    """

    name: str
    needs: Callable[[Model], str]
    hint: str = ""

    def sentence(self, needed: str) -> str:
        """What a person is told."""
        text = f"{self.name} ({needed})" if needed else self.name
        return f"{text}; {self.hint}" if self.hint else text


def _off(flag: Disable, needs: Callable[[Model], str]) -> Callable[[Model], str]:
    """The needs of what a flag can switch off."""
    return lambda model: "" if Disable(model.opt.disableflags) & flag else needs(model)


def _constraint(flag: Disable, needs: Callable[[Model], str]) -> Callable[[Model], str]:
    """The needs of a kind of constraint."""
    return _off(Disable.CONSTRAINT, _off(flag, needs))


def _all(kind: str) -> Callable[[Model], str]:
    """All objects of a kind."""
    return lambda model: _named(model, kind, np.arange(len(model.names[kind])))


def _integrator(model: Model) -> str:
    chosen = Integrator(model.opt.integrator)
    return "" if chosen in DONE_INTEGRATORS else f'"{chosen.name.lower()}"'


def _flags(model: Model) -> str:
    wanted = Enable(model.opt.enableflags) & ~DONE_FLAGS
    return ", ".join(f'{flag.name.lower()}="enable"' for flag in wanted)  # type: ignore[union-attr]


def _tendons_asleep(model: Model) -> str:
    """Equalities of tendons where trees may sleep; MuJoCo fails on them, too."""
    if not model.opt.enableflags & Enable.SLEEP:
        return ""
    joined = np.flatnonzero(model.eq_type == EqualityType.TENDON)
    return _named(model, "equality", joined)


def _samples_asleep(model: Model) -> str:
    """Buffers of delays where trees may sleep."""
    return "nsample" if model.nhistory and model.opt.enableflags & Enable.SLEEP else ""


def _sensor_types(model: Model) -> str:
    missing = missing_types(model).items()
    return "; ".join(f"{kind}: {_named(model, 'sensor', which)}" for kind, which in missing)


def _sensors(which: Callable[[Model], np.ndarray]) -> Callable[[Model], str]:
    """Some sensors by name."""
    return lambda model: _named(model, "sensor", which(model))


def _acting_on(target: Transmission) -> Callable[[Model], str]:
    """Actuators with a transmission."""
    return lambda model: _named(model, "actuator", np.flatnonzero(model.actuator_trntype == target))


def _limits(model: Model) -> str:
    return _named(model, "joint", np.flatnonzero(model.jnt_limited))


def _friction(model: Model) -> str:
    rough = np.flatnonzero(model.dof_frictionloss > 0)
    return _named(model, "joint", np.unique(model.dof_jntid[rough]))


def _tendon_limits(model: Model) -> str:
    return _named(model, "tendon", np.flatnonzero(model.tendon_limited))


def _tendon_friction(model: Model) -> str:
    return _named(model, "tendon", np.flatnonzero(model.tendon_frictionloss > 0))


def _heavy_around_geoms(model: Model) -> str:
    """Tendons with inertia whose path leads around a geom; descriptions of them are refused."""
    around = np.isin(model.wrap_type, (WrapType.SPHERE, WrapType.CYLINDER))
    ends = model.tendon_adr + model.tendon_num
    wraps = [bool(around[a:b].any()) for a, b in zip(model.tendon_adr, ends, strict=True)]
    return _named(
        model, "tendon", np.flatnonzero(np.array(wraps, bool) & (model.tendon_armature != 0))
    )


def _contacts(model: Model) -> str:
    if not len(model.candidate_geom):
        return ""
    bodies = np.sort(model.geom_bodyid[model.candidate_geom[0]])
    return f"for instance between bodies {_named(model, 'body', bodies)}"


#: actuators that are not there yet
ACTUATOR_FEATURES: tuple[Feature, ...] = (
    Feature(
        "adhesion",
        _constraint(Disable.CONTACT, _acting_on(Transmission.BODY)),
        '<flag contact="disable"/> runs with it: nothing sticks',
    ),
)
#: in the order in which people are told
FEATURES: tuple[Feature, ...] = (
    Feature("integrator", _integrator, "Euler and RK4 are there"),
    Feature("option flag", _flags),
    Feature("delays and samples beside sleep", _samples_asleep),
    Feature(
        "equalities of tendons beside sleep",
        _tendons_asleep,
        '<flag sleep="disable"/> runs without sleep',
    ),
    Feature("sensors", _off(Disable.SENSOR, _sensor_types), WITHOUT_SENSORS),
    Feature(
        "sensors of contacts",
        _off(Disable.SENSOR, _constraint(Disable.CONTACT, _sensors(of_contacts))),
        '<flag contact="disable"/> runs with them: they read zero',
    ),
    Feature(
        "sensors of limits",
        _off(Disable.SENSOR, _constraint(Disable.LIMIT, _sensors(of_limits))),
        '<flag limit="disable"/> runs with them: they read zero',
    ),
    Feature(
        "sensors of distances to height fields and distance fields",
        _off(Disable.SENSOR, _sensors(of_fields)),
        WITHOUT_SENSORS,
    ),
    Feature(
        "sensors of whole shapes inside of sites",
        _off(Disable.SENSOR, _sensors(of_shapes_inside)),
        WITHOUT_SENSORS,
    ),
    *ACTUATOR_FEATURES,
    Feature(
        "equality constraints",
        _constraint(Disable.EQUALITY, _all("equality")),
        '<flag equality="disable"/> runs without them',
    ),
    Feature(
        "joint limits",
        _constraint(Disable.LIMIT, _limits),
        '<flag limit="disable"/> runs without them',
    ),
    Feature(
        "joint friction loss",
        _constraint(Disable.FRICTIONLOSS, _friction),
        '<flag frictionloss="disable"/> runs without',
    ),
    Feature(
        "tendon limits",
        _constraint(Disable.LIMIT, _tendon_limits),
        '<flag limit="disable"/> runs without them',
    ),
    Feature(
        "tendon friction loss",
        _constraint(Disable.FRICTIONLOSS, _tendon_friction),
        '<flag frictionloss="disable"/> runs without',
    ),
    Feature("inertia of tendons around geoms", _heavy_around_geoms),
    Feature("collisions", lambda model: "; ".join(missing_pairs(model))),
    Feature(
        "contacts",
        _contacts,
        '<flag contact="disable"/>, or contype="0" conaffinity="0" on geoms, runs without them',
    ),
)


def lacks_actuators(model: Model) -> bool:
    """Whether some actuators of a model are not there yet."""
    return any(feature.needs(model) for feature in ACTUATOR_FEATURES)


def missing_features(model: Model) -> list[str]:
    """One sentence for each feature that `step` and `forward` would need and do not have."""
    needed = ((feature, feature.needs(model)) for feature in FEATURES)
    return [feature.sentence(text) for feature, text in needed if text]


def _named(model: Model, kind: str, numbers: np.ndarray) -> str:
    names = [model.name_of(kind, int(i)) or f"#{i}" for i in numbers[:3]]
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return ", ".join(names) + more
