"""Keyframes: saved states, checked for length, quaternions normalised."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.elements.attached_keyframes import fill_attached_keyframes
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.scale.keyframes import KeyframeScale
from cortenforge.enums import JointType
from cortenforge.model.states.initial import initial_plastic
from cortenforge.problems import give_warning, raise_or_gather
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import integer, number, number_list

MAX_KEYFRAME_NUMBERS = 50_000_000
#: how far from 1 the length of a normalised quaternion can be
UNIT_NORM_ROUNDING = 1e-15


def keyframes_by_id(keys: list[Element], size: Element) -> list[Element | None]:
    """Keyframes by id: the model's own, empty ones up to `nkey`, those of attached models.

    An empty one is None.
    """
    own = [key for key in keys if key.origin is None]
    attached = [key for key in keys if key.origin is not None]
    empty = max(0, integer(size, "nkey") - len(keys))
    return [*own, *[None] * empty, *attached]


def keyframe_arrays(
    spec: Spec,
    tree: NumberedTree,
    arrays: dict[str, np.ndarray],
    nplastic: int,
    scale: KeyframeScale,
) -> dict[str, np.ndarray]:
    """Arrays of keyframes; what a keyframe leaves out is the reference state.

    Numbers that a keyframe gives are in units outside of frames that scale.
    """
    size, keys = spec.size, keyframes_by_id(spec.keys, spec.size)
    nkey = len(keys)
    mocap = arrays["body_mocapid"] >= 0
    reference = {
        "plastic": initial_plastic(arrays, nplastic),
        "qpos": arrays["qpos0"],
        "qvel": np.zeros(tree.nv),
        "act": np.zeros(int(arrays["actuator_actnum"].sum())),
        "mpos": arrays["body_pos"][mocap].ravel(),
        "mquat": arrays["body_quat"][mocap].ravel(),
        "ctrl": np.zeros(len(arrays["actuator_ctrllimited"])),
    }
    width = sum(len(values) for values in reference.values()) + 1
    if nkey * width > MAX_KEYFRAME_NUMBERS:
        raise size.error(
            f"{nkey} keyframes of {width} numbers: at most {MAX_KEYFRAME_NUMBERS} numbers in all",
            "nkey",
        )
    result = {"key_time": np.zeros(nkey)}
    result |= {f"key_{name}": np.tile(values, (nkey, 1)) for name, values in reference.items()}
    for i, key in enumerate(keys):
        if key is None:
            continue
        result["key_time"][i] = number(key, "time")
        for name, values in reference.items():
            given = _keyframe_values(key, name, len(values))
            result[f"key_{name}"][i, : len(given)] = scale.apply(name, given)
    fill_attached_keyframes(result, spec, tree, arrays, scale)
    _normalize_quats(result, tree, arrays["jnt_plasticadr"])
    return result


def _keyframe_values(key: Element, name: str, expected: int) -> tuple[float, ...]:
    """Values of one vector of a keyframe; too many are an error, too few are completed.

    As in MuJoCo, a mocap body's position or orientation is used only if all of it is given.
    """
    given = number_list(key, name)
    if len(given) > expected:
        raise_or_gather(key.error(f"expected {expected} numbers, not {len(given)}", name))
        return ()
    used = len(given) - len(given) % {"mpos": 3, "mquat": 4}.get(name, 1)
    if given and used < expected:
        give_warning(
            f"{key.where}: {name}: {used} of {expected} numbers are used; the others are those "
            "of the reference state",
            stacklevel=3,
        )
    return given[:used]


def _normalize_quats(
    result: dict[str, np.ndarray], tree: NumberedTree, plasticadr: np.ndarray
) -> None:
    """Make quaternions unit; a zero one in qpos becomes the identity, as in MuJoCo."""
    qpos = result["key_qpos"]
    for joint in tree.joints:
        if joint.type in (JointType.FREE, JointType.BALL):
            start = joint.qposadr + 3 * (joint.type == JointType.FREE)
            _normalize_quat_columns(qpos, start)
        if joint.type == JointType.BALL and plasticadr[joint.id] >= 0:
            _normalize_quat_columns(result["key_plastic"], int(plasticadr[joint.id]))
    mquat = result["key_mquat"]
    if mquat.size:
        rows = mquat.reshape(-1, 4)
        result["key_mquat"] = _unit_quats(rows, np.zeros(4)).reshape(mquat.shape)


def _normalize_quat_columns(table: np.ndarray, start: int) -> None:
    """Make the quaternions in four columns unit."""
    columns = table[:, start : start + 4]
    columns[:] = _unit_quats(columns, np.array([1.0, 0, 0, 0]))


def _unit_quats(quats: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Rows scaled to unit length; `zero` replaces rows too short to have a direction."""
    length = np.linalg.norm(quats, axis=1, keepdims=True)
    short = length < 1e-7
    # what is unit already, but for rounding, keeps its bits: a model that is written reads the same
    unit = np.abs(length - 1.0) <= UNIT_NORM_ROUNDING
    return np.where(short, zero, quats / np.where(short | unit, 1.0, length))
