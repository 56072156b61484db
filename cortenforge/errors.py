"""Every exception CortenForge raises on purpose.

CortenForgeError
├── MjcfError              something wrong in a model file: file, line, element, attribute
│   └── UrdfError          the same, in a URDF file
├── UnsupportedFeature     the model needs physics that is not supported
├── KernelError
│   ├── SubsetError        a kernel leaves the kernel subset: file, line, rule
│   └── CompilationError   a kernel passed the subset check and still did not compile
├── SoftError              a deformable that cannot be: what is wrong, where, what to do
├── ArgumentError          a count, number, name or object that is not possible there
│   ├── OutOfRange         the number of a world, contact ... that is not there; an IndexError
│   └── UnknownName        the name of an object or parameter that is not there; a KeyError
├── UnknownAttribute       an attribute that an object does not have, with a suggestion
├── ModelError             a model was edited into one that cannot be
├── ShapeError             an array of the wrong shape or type was assigned to a field
├── StateError             a saved state that is damaged or belongs to another model
├── PolicyError            a file that holds no policy or training, or one not exported that way
├── ThreadError            a second thread calls what serves one at a time
├── GpuSimError            something is wrong with a batch on a GPU
│   ├── NotAvailable       no adapter, or the `gpu` extra is not installed
│   ├── BatchTooLarge      more memory than the adapter gives one buffer
│   ├── DeviceLost         the device went away while it worked
│   ├── ShaderCompilation  a translated kernel did not compile: the line of WGSL
│   ├── BufferReadback     results could not be read back
│   └── gpu.UnsupportedFeature  physics the GPU lacks; an UnsupportedFeature, too
├── ViewerError            a viewer cannot open: its package is missing, or its port is in use
├── MissingPackage         a module needs a package that is not installed; an ImportError
├── TaskError              an environment failed in a world: task, function, world
├── WorkerError            workers of a pool were lost, and no other could do their work
└── StepError              the numbers went wrong while stepping: object, dof, value, time
    ├── InvalidTimestep
    ├── InvalidPosition
    ├── InvalidVelocity
    ├── InvalidAcceleration
    ├── InvalidCallback    a callback gave a number that is not finite
    ├── SolverFailed       a strict model's solver did not converge
    ├── CholeskyFailed
    ├── LuSingular
    └── CapacityExceeded   a world needs more room than its batch was made with
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = [
    "ArgumentError",
    "BatchTooLarge",
    "BufferReadback",
    "CapacityExceeded",
    "CholeskyFailed",
    "CompilationError",
    "CortenForgeError",
    "DeviceLost",
    "GpuSimError",
    "InvalidAcceleration",
    "InvalidCallback",
    "InvalidPosition",
    "InvalidTimestep",
    "InvalidVelocity",
    "KernelError",
    "Location",
    "LuSingular",
    "MissingPackage",
    "MjcfError",
    "MjcfWarning",
    "ModelError",
    "NotAvailable",
    "OutOfRange",
    "PolicyError",
    "ShaderCompilation",
    "ShapeError",
    "SoftError",
    "SolverFailed",
    "StateError",
    "StepError",
    "StepWarning",
    "SubsetError",
    "TaskError",
    "ThreadError",
    "UnknownAttribute",
    "UnknownName",
    "UnsupportedFeature",
    "UrdfError",
    "UrdfWarning",
    "ViewerError",
    "WorkerError",
    "WorkerWarning",
]


class CortenForgeError(Exception):
    """Base of every error that CortenForge raises on purpose."""

    def __reduce__(self) -> Any:
        """What a worker raises reaches the process that waits for it, with all that it carries."""
        return _error_again, (type(self), self.args, self.__dict__)


def _error_again(kind: type[CortenForgeError], arguments: tuple[Any, ...], carried: Any) -> Any:
    """An error as it was pickled; the text was made when it was raised."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(carried)
    return error


@dataclass(frozen=True)
class Location:
    """Where in a model file, or in the program that made it, something was written."""

    file: str = "<string>"
    line: int = 0
    element: str = ""
    name: str = ""
    script: bool = False  # a program's file: assets are not looked for beside it
    column: int = 0  # tells elements on one line apart

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}" if self.line else self.file
        if self.element:
            text += f": <{self.element}>"
        if self.name:
            text += f' "{self.name}"'
        return text


class MjcfError(CortenForgeError):
    """Something wrong in a model file, with the place and what to do about it.

    >>> raise MjcfError("expected 3 numbers", where, attribute="pos", got="0 1")
    arm.xml:41: <geom> "wrist": pos="0 1": expected 3 numbers
    """

    def __init__(
        self,
        message: str,
        where: Location | None = None,
        *,
        attribute: str | None = None,
        got: object = None,
        hint: str | None = None,
    ) -> None:
        self.message = message
        self.where = where or Location()
        self.attribute = attribute
        self.got = got
        self.hint = hint
        super().__init__(self._text())

    @property
    def file(self) -> str:
        """Path of the file, or what a string is called."""
        return self.where.file

    @property
    def line(self) -> int:
        """Line of the element, from 1."""
        return self.where.line

    @property
    def element(self) -> str:
        """Tag of the element."""
        return self.where.element

    def _text(self) -> str:
        parts = [str(self.where)]
        if self.attribute is not None:
            parts.append(self.attribute if self.got is None else f'{self.attribute}="{self.got}"')
        text = ": ".join([*parts, self.message])
        return text if self.hint is None else f"{text}\n  hint: {self.hint}"


class MjcfWarning(UserWarning):
    """Something in a model file that is allowed but probably unintended, with the place."""


class UrdfError(MjcfError):
    """Something wrong in a URDF file; elements and attributes are named as URDF names them."""


class UrdfWarning(MjcfWarning):
    """What of a URDF file is not used, or is used in a way that may surprise; one a file."""


class StepWarning(UserWarning):
    """Numbers that can be trusted only as far as the message says, with the object and time."""


class UnsupportedFeature(CortenForgeError):
    """The model loads, but needs physics that is not supported; `features` lists it."""

    def __init__(self, features: list[str]) -> None:
        self.features = list(features)
        listed = "\n".join(f"  - {feature}" for feature in self.features)
        super().__init__(
            f"this model needs physics that CortenForge does not have yet:\n{listed}\n"
            "  hint: data.forward(smooth_only=True) evaluates kinematics and smooth dynamics"
        )


class KernelError(CortenForgeError):
    """Something is wrong with a kernel (a fault of the engine's code, not of a model)."""


class SubsetError(KernelError):
    """A kernel uses Python that the kernel subset does not have."""

    def __init__(self, file: str, line: int, rule: str, message: str) -> None:
        self.file, self.line, self.rule = file, line, rule
        super().__init__(f"{file}:{line}: rule '{rule}': {message}")


class CompilationError(KernelError):
    """A kernel passed the subset check and still did not compile.

    unit: the unit that was compiled; "" if it was none in particular.
    """

    def __init__(self, message: str, unit: str = "") -> None:
        super().__init__(message)
        self.unit = unit


class SoftError(CortenForgeError, ValueError):
    """A deformable that cannot be: what is wrong, in which argument, and what to do about it.

    >>> raise SoftError("triangle 7 has no area", "faces", hint="weld or drop its vertices")
    faces: triangle 7 has no area
      hint: weld or drop its vertices
    """

    def __init__(self, message: str, argument: str = "", *, hint: str | None = None) -> None:
        self.message, self.argument, self.hint = message, argument, hint
        text = f"{argument}: {message}" if argument else message
        super().__init__(text if hint is None else f"{text}\n  hint: {hint}")


class ArgumentError(CortenForgeError, ValueError, TypeError):
    """A count, number, name or object that is not possible in the place it was given for."""


class OutOfRange(ArgumentError, IndexError):
    """The number of a world, contact or object that is not there."""


class UnknownName(ArgumentError, KeyError):
    """The name of an object or parameter that is not there."""

    def __str__(self) -> str:
        # a KeyError would put quotes around it
        return str(self.args[0]) if self.args else ""


class UnknownAttribute(CortenForgeError, AttributeError):
    """An attribute that an object does not have was read or assigned to."""


class ModelError(CortenForgeError, ValueError):
    """A model was edited in place into one that cannot be; load it from an edited description."""


class ShapeError(CortenForgeError, ValueError):
    """An array of the wrong shape or type was assigned to a field."""


class StateError(CortenForgeError, ValueError):
    """A saved state that is damaged or belongs to another model."""


class PolicyError(CortenForgeError, ValueError):
    """A file that holds no policy or training, or a policy that cannot be exported that way."""


class ThreadError(CortenForgeError, RuntimeError):
    """A second thread called a Data or a Renderer while a call of the first was under way."""


class ViewerError(CortenForgeError):
    """A viewer cannot open, or not there: what to install, or which port to choose."""


class MissingPackage(CortenForgeError, ImportError):
    """A module of CortenForge needs a package that is not installed.

    `module` is ours, `package` the name of what is missing, `extra` that of the extra with it.
    """

    def __init__(self, module: str, package: str, extra: str) -> None:
        self.module, self.package, self.extra = module, package, extra
        super().__init__(f'{module} needs {package}: pip install "cortenforge[{extra}]"')


class TaskError(CortenForgeError):
    """An environment failed in a world: its physics, or a function of its task.

    `task` is its name, `place` the function that raised, or "step" for physics, `world` the number
    of the world, and `cause` what was raised.
    """

    def __init__(self, task: str, place: str, world: int, cause: BaseException) -> None:
        self.task, self.place, self.world, self.cause = task, place, world, cause
        super().__init__(f"{task}: world {world}: {place}: {type(cause).__name__}: {cause}")


class WorkerError(CortenForgeError, RuntimeError):
    """Workers of a pool were lost, and no other could do their work: which worlds, and why."""


class WorkerWarning(UserWarning):
    """A worker of a pool was lost and replaced: with which worlds, and why."""


class GpuSimError(CortenForgeError):
    """Something is wrong with a batch on a GPU."""


class NotAvailable(GpuSimError):
    """There is no GPU to run on; `GpuBatchSim.try_new` gives None instead."""


class BatchTooLarge(GpuSimError):
    """A batch needs a larger buffer than the adapter allows; nothing was allocated.

    `worlds` were asked for, which takes `required` bytes of the `limit` that there are.
    """

    def __init__(self, worlds: int, required: int, limit: int, largest: int) -> None:
        self.worlds, self.required, self.limit, self.largest = worlds, required, limit, largest
        super().__init__(
            f"a batch of {worlds} worlds needs a buffer of {required} bytes, and this adapter "
            f"allows {limit}: at most {largest} worlds of this model fit"
        )


class DeviceLost(GpuSimError):
    """The device went away while it worked; make a new batch."""


class ShaderCompilation(GpuSimError):
    """A translated kernel did not compile; `line` is the line of WGSL, `source` its text."""

    def __init__(self, shader: str, message: str, line: int = 0, source: str = "") -> None:
        self.shader, self.line, self.source = shader, line, source
        where = f"{shader}, line {line}: `{source.strip()}`" if line else shader
        super().__init__(f"{where}: {message}")


class BufferReadback(GpuSimError):
    """Results could not be read back from the device."""


class StepError(CortenForgeError):
    """The numbers went wrong while stepping.

    `object_name` is the joint or body, `dof` the degree of freedom (or -1), `value` the offending
    number, `time` the simulation time at which it was seen, `steps_done` how many steps of the
    call were completed before.
    """

    def __init__(
        self,
        message: str,
        *,
        object_name: str = "",
        dof: int = -1,
        value: float = float("nan"),
        time: float = float("nan"),
        steps_done: int = 0,
    ) -> None:
        self.object_name, self.dof, self.value = object_name, dof, value
        self.time, self.steps_done = time, steps_done
        super().__init__(message)


class InvalidTimestep(StepError):
    """`opt.timestep` is zero, negative or not finite."""


class InvalidPosition(StepError):
    """A position is not finite or larger than 1e10."""


class InvalidVelocity(StepError):
    """A velocity is not finite or larger than 1e10."""


class InvalidAcceleration(StepError):
    """An acceleration is not finite or larger than 1e10."""


class InvalidActuator(StepError):
    """Parameters of an actuator do not fit the activations that it was compiled with."""


class InvalidControl(StepError):
    """A control is not finite or larger than 1e10; a warning, and all controls count as zero."""


class InvalidCallback(StepError):
    """A user's callback gave a number that is not finite."""


class SolverFailed(StepError):
    """A strict model's solver did not converge."""


class CholeskyFailed(StepError):
    """A matrix that must be positive definite is not."""


class LuSingular(StepError):
    """A matrix that is factored by LU has a zero pivot."""


class LoopsEnded(StepError):
    """A GPU's driver ended loops before they were done; real GPUs do not."""


class CapacityExceeded(StepError):
    """A world needs more room than its batch was made with; on a CPU, memory grows instead."""
