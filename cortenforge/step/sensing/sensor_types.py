"""Sensors as plain numbers, for kernels: types (GYRO), groups (VELOCITY_SENSORS), stages.

They follow from the table of sensors, `cortenforge/sensors.py`.
"""

from __future__ import annotations

from cortenforge.sensors import DataType, SensorGroup, SensorType, Stage

# each type under its name, and the bit of `m.sensing` of each group
globals().update({kind.name: int(kind) for kind in SensorType})
globals().update({f"{group.name}_SENSORS": int(group) for group in SensorGroup})
globals().update({f"STAGE_{stage.name}": int(stage) for stage in Stage})
globals().update({f"DATATYPE_{data.name}": int(data) for data in DataType})

#: the only plugin: the touch grid
TOUCH_GRID = int(SensorType.PLUGIN)
FIRST_LIMIT_SENSOR = int(SensorType.JOINTLIMITPOS)
LAST_LIMIT_SENSOR = int(SensorType.TENDONLIMITFRC)
