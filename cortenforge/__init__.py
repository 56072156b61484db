"""CortenForge: a MuJoCo-aligned physics engine whose whole source is readable Python.

>>> import cortenforge as cf
>>> model = cf.Model.from_mjcf("humanoid.xml")
>>> data = model.make_data()
>>> data.step(1000)
"""

from .batch import BatchSim
from .errors import (
    CholeskyFailed,
    CompilationError,
    CortenForgeError,
    InvalidAcceleration,
    InvalidPosition,
    InvalidTimestep,
    InvalidVelocity,
    KernelError,
    LuSingular,
    MjcfError,
    MjcfWarning,
    ShapeError,
    StateError,
    StepError,
    SubsetError,
    UnsupportedFeature,
)
from .model import Data, Model, State, load_model

__version__ = "0.1.0"

__all__ = [
    "BatchSim",
    "CholeskyFailed",
    "CompilationError",
    "CortenForgeError",
    "Data",
    "InvalidAcceleration",
    "InvalidPosition",
    "InvalidTimestep",
    "InvalidVelocity",
    "KernelError",
    "LuSingular",
    "MjcfError",
    "MjcfWarning",
    "Model",
    "ShapeError",
    "State",
    "StateError",
    "StepError",
    "SubsetError",
    "UnsupportedFeature",
    "__version__",
    "load_model",
]
