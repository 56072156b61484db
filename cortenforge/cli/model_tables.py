"""Tables of what a model has beside bodies: actuators, sensors, cameras and the like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.markup import escape
from rich.table import Table

from cortenforge.cli.screen import significant_figures
from cortenforge.enums import (
    Bias,
    CamLight,
    Dynamics,
    EqualityType,
    Gain,
    ObjType,
    SensorType,
    TendonType,
    Transmission,
)

if TYPE_CHECKING:
    from cortenforge.model import Model

__all__ = ["model_tables"]

#: what an equality ties, where its type says it
EQUALITY_OBJECTS = {
    EqualityType.JOINT: "joint",
    EqualityType.TENDON: "tendon",
    EqualityType.DISTANCE: "geom",
}


def model_tables(model: Model) -> list[Table]:
    """A table for each kind of part that the model has."""
    makers = (_actuators, _sensors, _tendons, _equalities, _cameras, _keyframes)
    return [table for maker in makers if (table := maker(model)).row_count]


def _table(title: str, *columns: str) -> Table:
    """A table of text; columns that end with # are numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for column in columns:
        numeric = column.endswith("#")
        table.add_column(column.removesuffix("#"), justify="right" if numeric else "left")
    return table


def _actuators(model: Model) -> Table:
    columns = ("name", "type", "acts on", "gear#", "ctrlrange#", "forcerange#")
    table = _table(f"actuators ({model.nactuator})", *columns)
    for k in range(model.nactuator):
        controls = _span(model.actuator_ctrladr[k], model.actuator_ctrlnum[k])
        gears = model.actuator_gear[_span(model.actuator_outadr[k], model.actuator_outnum[k])]
        force = model.actuator_forcerange[k] if model.actuator_forcelimited[k] else None
        ranges = [
            _interval(model.actuator_ctrlrange[c] if model.actuator_ctrllimited[c] else None)
            for c in range(controls.start, controls.stop)
        ]
        table.add_row(
            _name(model, "actuator", k), _kind_of_actuator(model, k), _target(model, k),
            _numbers(np.trim_zeros(gears.ravel(), "b")), ", ".join(ranges), _interval(force),
        )  # fmt: skip
    return table


def _span(first: int, count: int) -> slice:
    return slice(int(first), int(first) + int(count))


def _kind_of_actuator(model: Model, k: int) -> str:
    """The shortcut of MJCF that makes such an actuator, else what it consists of."""
    dynamics = Dynamics(int(model.actuator_dyntype[k]))
    gain, bias = Gain(int(model.actuator_gaintype[k])), Bias(int(model.actuator_biastype[k]))
    gains, biases = model.actuator_gainprm[k], model.actuator_biasprm[k]
    if (gain, bias) == (Gain.FIXED, Bias.NONE) and dynamics == Dynamics.NONE:
        if Transmission(int(model.actuator_trntype[k])) == Transmission.BODY:
            return "adhesion"
        return "motor"
    if (gain, bias) == (Gain.FIXED, Bias.AFFINE) and biases[0] == 0:
        if dynamics == Dynamics.NONE and biases[1] == -gains[0]:
            damping = f", kv {significant_figures(-biases[2])}" if biases[2] else ""
            return f"position, kp {significant_figures(gains[0])}{damping}"
        if dynamics == Dynamics.NONE and biases[1] == 0 and biases[2] == -gains[0]:
            return f"velocity, kv {significant_figures(gains[0])}"
        if dynamics == Dynamics.INTEGRATOR and biases[1] == -gains[0]:
            return f"intvelocity, kp {significant_figures(gains[0])}"
    words = [f"gain {gain.word}"]
    words += [f"bias {bias.word}"] * (bias != Bias.NONE)
    words += [f"dynamics {dynamics.word}"] * (dynamics != Dynamics.NONE)
    names = {part.partition(" ")[2] for part in words}
    return names.pop() if len(names) == 1 and gain != Gain.FIXED else ", ".join(words)


def _target(model: Model, k: int) -> str:
    transmission = Transmission(int(model.actuator_trntype[k]))
    first, second = model.actuator_trnid[k]
    # a rotation is that of a ball joint, or that between two sites
    between_sites = transmission == Transmission.SO3 and second >= 0
    kind = "site" if between_sites else transmission.target
    text = f"{kind} {_name(model, kind, int(first))}"
    if (transmission.second or between_sites) and second >= 0:
        text += f", {_name(model, 'site', int(second))}"
    return text


def _sensors(model: Model) -> Table:
    title = f"sensors ({model.nsensor}, {model.nsensordata} numbers)"
    table = _table(title, "name", "type", "of", "dim#", "adr#", "cutoff#", "noise#")
    for k in range(model.nsensor):
        of = _object(model, int(model.sensor_objtype[k]), int(model.sensor_objid[k]))
        against = _object(model, int(model.sensor_reftype[k]), int(model.sensor_refid[k]))
        table.add_row(
            _name(model, "sensor", k), SensorType(int(model.sensor_type[k])).name.lower(),
            f"{of}, {against}" if against else of,
            str(model.sensor_dim[k]), str(model.sensor_adr[k]),
            _positive(model.sensor_cutoff[k]), _positive(model.sensor_noise[k]),
        )  # fmt: skip
    return table


def _tendons(model: Model) -> Table:
    columns = ("name", "type", "path#", "length#", "range#", "stiffness#", "damping#")
    table = _table(f"tendons ({model.ntendon})", *columns)
    for k in range(model.ntendon):
        table.add_row(
            _name(model, "tendon", k), TendonType(int(model.tendon_type[k])).name.lower(),
            str(model.tendon_num[k]), significant_figures(model.tendon_length0[k]),
            _interval(model.tendon_range[k] if model.tendon_limited[k] else None),
            _positive(model.tendon_stiffness[k]), _positive(model.tendon_damping[k]),
        )  # fmt: skip
    return table


def _equalities(model: Model) -> Table:
    table = _table(f"equalities ({model.neq})", "name", "type", "ties", "at the start")
    for k in range(model.neq):
        table.add_row(
            _name(model, "equality", k), EqualityType(int(model.eq_type[k])).name.lower(),
            " and ".join(_equality_objects(model, k)), "on" if model.eq_active0[k] else "off",
        )  # fmt: skip
    return table


def _equality_objects(model: Model, k: int) -> Iterator[str]:
    kind = EQUALITY_OBJECTS.get(EqualityType(int(model.eq_type[k])))
    for number in (int(model.eq_obj1id[k]), int(model.eq_obj2id[k])):
        if number >= 0:
            words = kind or ObjType(int(model.eq_objtype[k])).name.lower()
            yield f"{words} {_name(model, words, number)}"


def _cameras(model: Model) -> Table:
    table = _table(f"cameras ({model.ncam})", "name", "mode", "on body", "looks at", "fovy#")
    for k in range(model.ncam):
        target = int(model.cam_targetbodyid[k])
        unit = " m" if model.cam_projection[k] else "°"
        table.add_row(
            _name(model, "camera", k), CamLight(int(model.cam_mode[k])).name.lower(),
            _name(model, "body", int(model.cam_bodyid[k])),
            _name(model, "body", target) if target >= 0 else "",
            f"{model.cam_fovy[k]:.4g}{unit}",
        )  # fmt: skip
    return table


def _keyframes(model: Model) -> Table:
    table = _table(f"keyframes ({model.nkey})", "name", "time#")
    for k in range(model.nkey):
        table.add_row(_name(model, "key", k), f"{model.key_time[k]:g} s")
    return table


def _object(model: Model, kind: int, number: int) -> str:
    if kind == ObjType.UNKNOWN or number < 0:
        return ""
    words = ObjType(kind).name.lower()
    return f"{words} {_name(model, words.removeprefix('x'), number)}"


def _name(model: Model, kind: str, number: int) -> str:
    """The name of an object, or its number if it has none."""
    listed = model.names.get(kind, ())
    return escape((listed[number] if number < len(listed) else "") or f"#{number}")


def _interval(bounds: np.ndarray | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.4g} … {bounds[1]:.4g}"


def _numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.4g}" for value in values)


def _positive(value: float) -> str:
    return significant_figures(float(value)) if value > 0 else ""
