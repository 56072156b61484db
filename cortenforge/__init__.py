"""CortenForge: a MuJoCo-aligned physics engine whose whole source is readable Python.

>>> import cortenforge as cf
>>> model = cf.Model.from_mjcf("humanoid.xml")
>>> data = model.make_data()
>>> data.step(1000)
"""

from importlib import import_module
from time import time as _now
from typing import TYPE_CHECKING, Any

from cortenforge.errors import (
    ArgumentError,
    CapacityExceeded,
    CholeskyFailed,
    CompilationError,
    CortenForgeError,
    GpuSimError,
    InvalidAcceleration,
    InvalidActuator,
    InvalidCallback,
    InvalidControl,
    InvalidPosition,
    InvalidTimestep,
    InvalidVelocity,
    KernelError,
    LoopsEnded,
    LuSingular,
    MissingPackage,
    MjcfError,
    MjcfWarning,
    ModelError,
    OutOfRange,
    PolicyError,
    ShapeError,
    SoftError,
    SolverFailed,
    StateError,
    StepError,
    StepWarning,
    SubsetError,
    TaskError,
    ThreadError,
    UnknownAttribute,
    UnknownName,
    UnsupportedFeature,
    UrdfError,
    UrdfWarning,
    ViewerError,
    WorkerError,
    WorkerWarning,
)
from cortenforge.suggest import unknown_attribute as _unknown_attribute

if TYPE_CHECKING:
    from cortenforge import contact, enums, models, mujoco, muscles
    from cortenforge import envs as envs
    from cortenforge import jax as jax
    from cortenforge import learning as learning
    from cortenforge import ray as ray
    from cortenforge import torch as torch
    from cortenforge.batch import BatchSim, ErrorCode, WorldProgram
    from cortenforge.derive import (
        DerivativeConfig,
        DerivativeErrors,
        InverseMatrices,
        TransitionMatrices,
        fd_convergence_check,
        max_relative_error,
        quat_difference,
        quat_integrate,
        validate_derivatives,
    )
    from cortenforge.gpu import GpuBatchSim
    from cortenforge.grids import Grid
    from cortenforge.load import load_model
    from cortenforge.model import Data, LengthRangeOptions, Model, State
    from cortenforge.render import Camera, Perturb, Renderer, RenderOptions, Surface, Tubes, Video
    from cortenforge.report import Report, validate
    from cortenforge.soft import CapsuleChain, Cloth, Material, SoftBody
    from cortenforge.spec import Spec
    from cortenforge.viewer import Viewer, view

#: when this process came to import the package, whose other modules it imports later
_imported_at = _now()
__version__ = "0.2.0"

__all__ = [
    "ArgumentError",
    "BatchSim",
    "Camera",
    "CapacityExceeded",
    "CapsuleChain",
    "CholeskyFailed",
    "Cloth",
    "CompilationError",
    "CortenForgeError",
    "Data",
    "DerivativeConfig",
    "DerivativeErrors",
    "ErrorCode",
    "GpuBatchSim",
    "GpuSimError",
    "Grid",
    "InvalidAcceleration",
    "InvalidActuator",
    "InvalidCallback",
    "InvalidControl",
    "InvalidPosition",
    "InvalidTimestep",
    "InvalidVelocity",
    "InverseMatrices",
    "KernelError",
    "LengthRangeOptions",
    "LoopsEnded",
    "LuSingular",
    "Material",
    "MissingPackage",
    "MjcfError",
    "MjcfWarning",
    "Model",
    "ModelError",
    "OutOfRange",
    "Perturb",
    "PolicyError",
    "RenderOptions",
    "Renderer",
    "Report",
    "ShapeError",
    "SoftBody",
    "SoftError",
    "SolverFailed",
    "Spec",
    "State",
    "StateError",
    "StepError",
    "StepWarning",
    "SubsetError",
    "Surface",
    "TaskError",
    "ThreadError",
    "TransitionMatrices",
    "Tubes",
    "UnknownAttribute",
    "UnknownName",
    "UnsupportedFeature",
    "UrdfError",
    "UrdfWarning",
    "Video",
    "Viewer",
    "ViewerError",
    "WorkerError",
    "WorkerWarning",
    "WorldProgram",
    "__version__",
    "contact",
    "enums",
    "fd_convergence_check",
    "load_model",
    "max_relative_error",
    "models",
    "mujoco",
    "muscles",
    "quat_difference",
    "quat_integrate",
    "validate",
    "validate_derivatives",
    "view",
]


#: everything but errors is loaded when it is first asked for: modules, and names of packages
_MODULES = ("contact", "enums", "models", "mujoco", "muscles")
#: modules that need packages of extras: unlisted, so that `import *` neither needs nor hides those
_EXTRAS = ("envs", "jax", "learning", "ray", "torch")
_PACKAGES = {
    "batch": ("BatchSim", "ErrorCode", "WorldProgram"),
    "derive": (
        "DerivativeConfig",
        "DerivativeErrors",
        "InverseMatrices",
        "TransitionMatrices",
        "fd_convergence_check",
        "max_relative_error",
        "quat_difference",
        "quat_integrate",
        "validate_derivatives",
    ),
    "gpu": ("GpuBatchSim",),
    "grids": ("Grid",),
    "load": ("load_model",),
    "model": ("Data", "LengthRangeOptions", "Model", "State"),
    "render": ("Camera", "Perturb", "Renderer", "RenderOptions", "Surface", "Tubes", "Video"),
    "report": ("Report", "validate"),
    "soft": ("CapsuleChain", "Cloth", "Material", "SoftBody"),
    "spec": ("Spec",),
    "viewer": ("Viewer", "view"),
}
_HOMES = {name: package for package, names in _PACKAGES.items() for name in names}


# type checkers would take a module with this function to have every attribute
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A module or a name that is loaded when it is first asked for."""
        if name in _MODULES or name in _EXTRAS or name in _PACKAGES:
            return import_module(f"cortenforge.{name}")
        if name not in _HOMES:
            raise _unknown_attribute(__name__, name, () if name.startswith("_") else __all__)
        found = getattr(import_module(f"cortenforge.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
