"""Model fields of sensors."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

MODEL_SENSOR: tuple[Field, ...] = table(
    "sensor",
    "model",
    """
    sensor_type       | int  | nsensor              |   | Type (enums.SensorType).
    sensor_datatype   | int  | nsensor              |   | Type of its data (enums.DataType).
    sensor_needstage  | int  | nsensor              |   | Stage after which it is evaluated (enums.Stage).
    sensor_objtype    | int  | nsensor              |   | Type of the measured object (enums.ObjType).
    sensor_objid      | int  | nsensor              |   | Measured object, or -1.
    sensor_reftype    | int  | nsensor              |   | Type of the reference object (enums.ObjType).
    sensor_refid      | int  | nsensor              |   | Reference object, or -1.
    sensor_intprm     | int  | nsensor 3            |   | Data fields as bits, reduction, number of contacts.
    sensor_dim        | int  | nsensor              |   | Number of values of a reading.
    sensor_adr        | int  | nsensor              |   | Address in sensordata.
    sensor_cutoff     | real | nsensor              |   | Cutoff of readings; 0 for none.
    sensor_noise      | real | nsensor              |   | Standard deviation of noise, which is applied on request only.
    sensor_history    | int  | nsensor 2            |   | Number of stored samples, and order of interpolation.
    sensor_historyadr | int  | nsensor              |   | Address of its history, or -1.
    sensor_delay      | real | nsensor              | s | Delay of readings.
    sensor_interval   | real | nsensor 2            | s | Sampling period and phase.
    sensor_user       | real | nsensor nuser_sensor |   | User numbers.
    sensor_plugin     | int  | nsensor              |   | Plugin, or -1; not supported yet.
    """,
)
