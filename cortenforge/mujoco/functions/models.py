"""Constants of models, defaults of structs, files."""

from __future__ import annotations

import copy
import functools

import numpy as np

from cortenforge.errors import CortenForgeError
from cortenforge.model import LengthRangeOptions, Model
from cortenforge.mujoco.data import MjData
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.errors import FatalError, raise_absent
from cortenforge.mujoco.functions.pipeline import ready
from cortenforge.mujoco.functions.sizes import check_index
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.model_files import model_bytes
from cortenforge.mujoco.registry import function
from cortenforge.mujoco.structs import MjLROpt, MjOption, MjVisual

LENGTH_RANGE_MODES = {
    int(ENUMS["mjtLRMode"][f"mjLRMODE_{name}"]): name.lower()
    for name in ("NONE", "MUSCLE", "MUSCLEUSER", "ALL")
}
MODE_NUMBERS = {word: number for number, word in LENGTH_RANGE_MODES.items()}
#: names of inputs of servos by bits, and of orientation servos by chart
SERVO_INPUTS = ("pos", "vel", "ff", "voltage")
CHART_INPUTS = {4: ("qw", "qx", "qy", "qz"), 3: ("rx", "ry", "rz")}


@function
def mj_setConst(m: MjModel, d: MjData) -> None:
    """Compute again what follows from masses, poses and sizes of a model that was edited.

    Results in the data stay as they are.
    """
    ready(m, d)
    try:
        m._native.set_const()
    except CortenForgeError as error:
        raise FatalError(f"mj_setConst: {error}") from error


@function
def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: object) -> None:
    """Compute the length range of an actuator."""
    if not 0 <= index < m.nactuator:
        raise FatalError(f"mj_setLengthRange: invalid actuator index {index}")
    if not isinstance(opt, MjLROpt):
        raise TypeError("mj_setLengthRange(): incompatible function arguments: opt")
    names = LengthRangeOptions.__dataclass_fields__
    given = {name: getattr(opt, name) for name in names if name != "mode"}
    for flag in ("useexisting", "uselimit"):
        given[flag] = bool(given[flag])
    options = LengthRangeOptions(mode=LENGTH_RANGE_MODES[opt.mode], **given)
    ready(m, d)
    try:
        m._native.set_length_range(index, options, everything=True)
    except CortenForgeError as error:
        raise FatalError(f"mj_setLengthRange: {error}") from error


@function
def mj_defaultLROpt(opt: object) -> None:
    """Set options of length ranges to their defaults."""
    defaults = LengthRangeOptions()
    for name in LengthRangeOptions.__dataclass_fields__:
        value = getattr(defaults, name)
        setattr(opt, name, MODE_NUMBERS[value] if name == "mode" else value)


@function
def mj_defaultOption(opt: object) -> None:
    """Set options of a simulation to their defaults."""
    opt.assign(MjOption())  # type: ignore[attr-defined]


@functools.cache
def _default_visual() -> MjVisual:
    """Visual settings of an empty model."""
    return MjVisual.over(Model.from_mjcf("<mujoco/>").vis)


@function
def mj_defaultVisual(vis: MjVisual) -> None:
    """Set visual settings to their defaults."""
    vis.assign(copy.copy(_default_visual()))


@function
def mj_defaultSolRefImp(solref: np.ndarray | None, solimp: np.ndarray | None) -> None:
    """Set parameters of constraints to their defaults."""
    if solref is not None:
        solref[:] = (0.02, 1.0)
    if solimp is not None:
        solimp[:] = (0.9, 0.95, 0.001, 0.5, 2.0)


@function
def mj_actuatorInputName(m: MjModel, id: int, input: int) -> str | None:
    """The name of an input of an actuator that has names for them, else None."""
    if not 0 <= id < m.nactuator or not 0 <= input < m.actuator_ctrlnum[id]:
        return None
    if m.actuator_gaintype[id] == ENUMS["mjtGain"]["mjGAIN_SO3"]:
        return CHART_INPUTS[int(m.actuator_ctrlnum[id])][input]
    bits = [ENUMS["mjtCtrlInput"][f"mjINPUT_{name.upper()}"] for name in SERVO_INPUTS]
    spec = int(m.actuator_ctrlspec[id])
    present = [name for name, bit in zip(SERVO_INPUTS, bits, strict=True) if spec & bit]
    return present[input] if input < len(present) else None


@function
def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Write the description of a model as MJCF."""
    spec = m._spec
    if spec is None:
        raise_absent(
            "description of a model that is a copy", "save the model that was loaded from MJCF"
        )
    if m._is_edited():
        raise_absent(
            "description of a model that was edited in place",
            "edit the description: spec = cf.Spec.from_mjcf(...), spec.save(...)",
        )
    try:
        spec.save(filename)
    except OSError as error:
        raise FatalError(f"mj_saveLastXML: {error}") from error


@function
def mj_saveModel(m: MjModel, filename: str | None = None, buffer: np.ndarray | None = None) -> None:
    """Write a model to a file or a buffer, in a format of this engine."""
    content = model_bytes(m._native, m._modelname)
    if buffer is not None:
        if len(buffer) < len(content):
            raise FatalError("mj_saveModel: buffer too small")
        buffer[: len(content)] = np.frombuffer(content, np.uint8)
    elif filename is not None:
        with open(filename, "wb") as file:
            file.write(content)


@function
def mj_sizeModel(m: MjModel) -> int:
    """How many bytes mj_saveModel writes."""
    return len(model_bytes(m._native, m._modelname))


@function
def mj_loadTexture(m: MjModel, id: int) -> tuple[np.ndarray, int]:
    """Pixels of a texture, a copy, and its colour space."""
    check_index("texture", id, m.ntex)
    if m.tex_adr[id] < 0:
        raise_absent("pixels of a texture that is only a path", "open its file with Pillow")
    return m.texture(id).data.copy(), int(m.tex_colorspace[id])
