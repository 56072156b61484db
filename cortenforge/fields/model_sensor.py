"""Model fields of sensors."""

from __future__ import annotations

from cortenforge.fields.field import Field, table

MODEL_SENSOR: tuple[Field, ...] = table(
    "sensor",
    "model",
    """
    sensor_type       | int  | nsensor              |   | Type (enums.SensorType).
    sensor_datatype   | int  | nsensor              |   | What its numbers are (enums.DataType).
    sensor_needstage  | int  | nsensor              |   | Stage after which it is read (enums.Stage).
    sensor_objtype    | int  | nsensor              |   | Type of the measured object (enums.ObjType).
    sensor_objid      | int  | nsensor              |   | Measured object, or -1.
    sensor_reftype    | int  | nsensor              |   | Type of the other object (enums.ObjType).
    sensor_refid      | int  | nsensor              |   | Object it is measured against, or -1.
    sensor_intprm     | int  | nsensor 3            |   | Data fields as bits, reduction, number of contacts.
    sensor_dim        | int  | nsensor              |   | How many numbers it reports.
    sensor_adr        | int  | nsensor              |   | Where its numbers start in sensordata.
    sensor_cutoff     | real | nsensor              |   | Largest reading; 0 if there is none.
    sensor_noise      | real | nsensor              |   | Standard deviation of noise; for users.
    sensor_history    | int  | nsensor 2            |   | Samples it keeps, and how it interpolates them.
    sensor_historyadr | int  | nsensor              |   | Where its samples start, or -1.
    sensor_delay      | real | nsensor              | s | How old its readings are.
    sensor_interval   | real | nsensor 2            | s | Period and phase of its samples.
    sensor_user       | real | nsensor nuser_sensor |   | User numbers.
    sensor_plugin     | int  | nsensor              |   | Plugin, or -1; none yet.
    """,
)
