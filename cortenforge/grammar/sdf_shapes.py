"""Shapes of MuJoCo's SDF plugins: parameters and their defaults."""

from __future__ import annotations

#: plugins are named by this and the name of the shape
SDF_PLUGIN_PREFIX = "mujoco.sdf."
#: keys of each shape in the order of its parameters
SDF_SHAPES: dict[str, dict[str, float]] = {
    "bolt": {"radius": 0.26},
    "bowl": {"height": 0.4, "radius": 1.0, "thickness": 0.02},
    "gear": {
        "alpha": 0.0,
        "diameter": 2.8,
        "teeth": 25.0,
        "thickness": 0.2,
        "innerdiameter": -1.0,
    },
    "nut": {"radius": 0.26},
    "torus": {"radius1": 0.35, "radius2": 0.15},
}
