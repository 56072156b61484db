"""Sensors: what they measure, how many numbers they report, where those go.

References are looked up in the lists of names, and everything else about the objects in the
arrays that earlier passes made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cortenforge.compile.pack.field_arrays import arrays_of_objects, no_references
from cortenforge.compile.wiring.sensor_checks import (
    check_sensor_objects,
    check_sensor_settings,
    sampling_interval,
    touch_grid_settings,
)
from cortenforge.enums import DataType, ObjType, SensorType, Stage
from cortenforge.grammar.tables.sensor import NOT_SAMPLED
from cortenforge.problems import each_valid
from cortenforge.sensors import CONTACT_DATA, RAY_DATA, REDUCTIONS, SENSOR_BY_TAG
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, integer, keyword, number, unknown_reference
from cortenforge.spec.sensor_targets import SensorObject, measured_object, reference_object

MAX_SENSOR_NUMBERS = 50_000_000
SENSOR_INTERPOLATIONS = ("zoh", "linear", "cubic")
Arrays = dict[str, np.ndarray]
ObjectReference = tuple[ObjType, int]
NO_OBJECT: ObjectReference = (ObjType.UNKNOWN, -1)


@dataclass(eq=False)
class CompiledSensor:
    """One sensor, as far as its numbers are known."""

    element: Element
    type: SensorType
    obj: ObjectReference
    ref: ObjectReference
    data: DataType
    stage: Stage
    dim: int
    intprm: tuple[int, int, int] = (0, 0, 0)
    grid: tuple[float, ...] = (0.0,) * 6

    @property
    def nsample(self) -> int:
        return integer(self.element, "nsample")

    @property
    def history(self) -> int:
        """Numbers in its history: user number, cursor, times (n), values (n, dim)."""
        return 2 + self.nsample * (1 + self.dim) if self.nsample > 0 else 0


def sensor_arrays(
    elements: list[Element], names: dict[str, list[str]], arrays: Arrays
) -> tuple[Arrays, dict[str, int]]:
    """Arrays and sizes of sensors, except user data."""
    ids = {kind: {name: i for i, name in enumerate(known) if name} for kind, known in names.items()}
    sensors = each_valid(_compile_sensor, elements, ids, arrays)
    dim = np.array([sensor.dim for sensor in sensors], np.int64)
    past = np.array([sensor.history for sensor in sensors], np.int64)
    start = _actuator_history_size(arrays)
    for counts, attribute in ((dim, None), (past, "nsample")):
        over = np.flatnonzero(np.cumsum(counts) > MAX_SENSOR_NUMBERS)
        if len(over):
            element = sensors[over[0]].element
            raise element.error(f"more than {MAX_SENSOR_NUMBERS} numbers in all sensors", attribute)
    result = _attachment_arrays(sensors) | {
        **arrays_of_objects(
            sensors,
            {
                "sensor_cutoff": lambda s: number(s.element, "cutoff"),
                "sensor_noise": lambda s: number(s.element, "noise"),
                "sensor_history": lambda s: (s.nsample, _interpolation_code(s.element)),
                "sensor_delay": lambda s: number(s.element, "delay"),
                "sensor_interval": lambda s: sampling_interval(s.element),
            },
        ),
        "sensor_dim": dim.astype(np.int32),
        "sensor_adr": (np.cumsum(dim) - dim).astype(np.int32),
        "sensor_historyadr": np.where(past > 0, start + np.cumsum(past) - past, -1).astype(
            np.int32
        ),
        "sensor_plugin": no_references("sensor_plugin", len(sensors)),
    }
    sizes = {
        "nsensor": len(sensors),
        "nsensordata": int(dim.sum()),
        "nhistory": start + int(past.sum()),
    }
    return result, sizes


def _attachment_arrays(sensors: list[CompiledSensor]) -> Arrays:
    """What sensors are, and what they hang on."""
    return arrays_of_objects(
        sensors,
        {
            "sensor_type": lambda s: s.type,
            "sensor_datatype": lambda s: s.data,
            "sensor_needstage": lambda s: s.stage,
            "sensor_objtype": lambda s: s.obj[0],
            "sensor_objid": lambda s: s.obj[1],
            "sensor_reftype": lambda s: s.ref[0],
            "sensor_refid": lambda s: s.ref[1],
            "sensor_intprm": lambda s: s.intprm,
            "sensor_grid": lambda s: s.grid,
        },
    )


def _actuator_history_size(arrays: Arrays) -> int:
    """Numbers in the histories of actuators, which come before those of sensors."""
    if "actuator_history" not in arrays:
        return 0
    samples = arrays["actuator_history"][:, 0].astype(np.int64)
    numbers_each = 2 + samples * (1 + arrays["actuator_ctrlnum"])
    return int(np.sum(np.where(samples > 0, numbers_each, 0)))


def _interpolation_code(element: Element) -> int:
    return SENSOR_INTERPOLATIONS.index(keyword(element, "interp", str(NOT_SAMPLED["interp"])))


def _compile_sensor(
    element: Element, ids: dict[str, dict[str, int]], arrays: Arrays
) -> CompiledSensor:
    """One sensor with its objects found and checked."""
    kind = SENSOR_BY_TAG[element.tag]
    obj = _sensor_object(element, measured_object(element), ids)
    ref = _sensor_object(element, reference_object(element), ids)
    sensor = CompiledSensor(element, kind, obj, ref, kind.data, kind.stage, kind.dim)
    _set_output_size(sensor, arrays)
    check_sensor_settings(element, sensor.data)
    check_sensor_objects(element, obj, ref, arrays)
    return sensor


def _sensor_object(
    element: Element, target: SensorObject | None, ids: dict[str, dict[str, int]]
) -> ObjectReference:
    """Type and id of an object that a sensor names."""
    if target is None:
        return NO_OBJECT
    if target.kind not in ids:
        raise element.error(
            f"sensor/{element.tag} needs a {target.kind}, which is not supported yet",
            target.attribute,
        )
    if target.name not in ids[target.kind]:
        raise unknown_reference(element, target.attribute, target.kind, ids[target.kind])
    return ObjType[target.type.upper()], ids[target.kind][target.name]


def _set_output_size(sensor: CompiledSensor, arrays: Arrays) -> None:
    """Set what depends on more than the type of the sensor: dim, stage, data type, intprm."""
    element, obj = sensor.element, sensor.obj[1]
    match sensor.type:
        case SensorType.RANGEFINDER:
            data = keyword(element, "data").split()
            camera = sensor.obj[0] == ObjType.CAMERA
            rays = int(np.prod(arrays["cam_resolution"][obj].astype(np.int64))) if camera else 1
            sensor.intprm = (_data_bits(RAY_DATA, data), 0, 0)
            sensor.dim = rays * sum(RAY_DATA[name] for name in data)
        case SensorType.CONTACT:
            data = keyword(element, "data").split()
            reduce = keyword(element, "reduce")
            count = integer(element, "num")
            sensor.intprm = (_data_bits(CONTACT_DATA, data), REDUCTIONS.index(reduce), count)
            sensor.stage = _contact_sensor_stage(data, reduce)
            sensor.dim = count * sum(CONTACT_DATA[name] for name in data)
        case SensorType.INSIDESITE if flag(element, "enclosed"):
            sensor.intprm, sensor.data = (1, 0, 0), DataType.REAL
        case SensorType.TACTILE:
            sensor.dim = 3 * int(arrays["mesh_vertnum"][obj])
        case SensorType.PLUGIN:
            sensor.grid = touch_grid_settings(element)
            sensor.dim = int(sensor.grid[0] * sensor.grid[1] * sensor.grid[5])
        case SensorType.USER:
            sensor.dim = integer(element, "dim")
            sensor.data = DataType[keyword(element, "datatype").upper()]
            sensor.stage = Stage[keyword(element, "needstage").upper()]
        case _ if sensor.obj[0] == ObjType.ACTUATOR:
            sensor.dim = int(arrays["actuator_outnum"][obj])


def _data_bits(fields: dict[str, int], data: list[str]) -> int:
    """Data fields as bits."""
    return sum(1 << number for number, name in enumerate(fields) if name in data)


def _contact_sensor_stage(data: list[str], reduce: str) -> Stage:
    """The first stage after which a contact sensor has what it reports."""
    if {"force", "torque"} & set(data) or reduce in ("maxforce", "netforce"):
        return Stage.ACC
    return Stage.VEL if {"linvel", "angvel"} & set(data) else Stage.POS


def force_site_names(elements: list[Element]) -> set[str]:
    """Sites of force and torque sensors: they measure across the joint or weld of their body."""
    return {str(element["site"]) for element in elements if element.tag in ("force", "torque")}
