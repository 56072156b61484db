"""Files to specs, specs to models: binds the functions that `upward` declares.

The packages that do it load when they are first needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cortenforge import upward
from cortenforge.model import Model
from cortenforge.model_cache import entry_of
from cortenforge.problems import recording_warnings
from cortenforge.read_files import recording_files
from cortenforge.upward import PackagePath

if TYPE_CHECKING:
    import numpy as np

    from cortenforge.batch.worlds import Worlds
    from cortenforge.derive import InverseMatrices, TransitionMatrices
    from cortenforge.model import Data
    from cortenforge.model.access.compiled import CompiledModel
    from cortenforge.spec import Spec

__all__ = ["load_model"]


def load_model(
    source: str | os.PathLike[str],
    assets: Mapping[str, bytes] | None = None,
    *,
    sandbox: bool = False,
    package_path: str | os.PathLike[str] | PackagePath | None = None,
    mimic: bool = True,
) -> Model:
    """Read and compile a model, MJCF or URDF by its root element.

    source:  a path, or the XML itself.
    assets:  contents of files by name, looked up before the disk.
    sandbox: refuse any file outside the model's folder.

    `package_path` and `mimic` only matter to URDF; see `Model.from_urdf`.
    """
    from cortenforge.read import is_urdf

    if is_urdf(source, sandbox=sandbox):
        return Model.from_urdf(
            source, assets, sandbox=sandbox, package_path=package_path, mimic=mimic
        )
    return Model.from_mjcf(source, assets, sandbox=sandbox)


def _read_mjcf(source: str | os.PathLike[str], **options: Any) -> Spec:
    from cortenforge.read import read_mjcf

    return read_mjcf(source, **options)


def _load_mjcf(
    source: str | os.PathLike[str], assets: Mapping[str, bytes] | None, *, sandbox: bool
) -> Model:
    """Load a model from the cache, or read and compile it."""
    entry = None if sandbox else entry_of(source, assets)
    found = None if entry is None else entry.find()
    if found is not None:
        return found
    with recording_files() as files, recording_warnings() as warned:
        compiled = _compiled(_read_mjcf(source, assets=assets, sandbox=sandbox))
        model = Model(compiled)
    if entry is not None:
        entry.keep(model, compiled.shapes, files, warned)
    return model


def _read_urdf(source: str | os.PathLike[str], **options: Any) -> Spec:
    from cortenforge.read import read_urdf

    return read_urdf(source, **options)


def _compiled(spec: Spec) -> CompiledModel:
    from cortenforge.compile import compile_spec

    return compile_spec(spec)


def _compile_spec(spec: Spec) -> Model:
    return Model(_compiled(spec))


def _set_const(model: Model) -> None:
    from cortenforge.compile.constants.set_const import set_const

    set_const(model)


def _constants_of(model: Model, own: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    from cortenforge.compile.constants.set_const import derived_constants

    return derived_constants(model, own)


def _compile_urdf(spec: Spec) -> Model:
    """Compile a spec of a URDF file; errors name URDF's elements."""
    from cortenforge.read import raising_urdf_errors

    with raising_urdf_errors():
        return _compile_spec(spec)


def _write_mjcf(spec: Spec, folder: str | None) -> str:
    from cortenforge.write import to_xml

    return to_xml(spec, folder)


def _transition_derivatives(*arguments: Any) -> TransitionMatrices:
    from cortenforge.derive.transition import transition_derivatives

    return transition_derivatives(*arguments)


def _batch_derivatives(*arguments: Any) -> TransitionMatrices:
    from cortenforge.derive.batch import batch_derivatives

    return batch_derivatives(*arguments)


def _inverse_derivatives(*arguments: Any) -> InverseMatrices:
    from cortenforge.derive.inverse import inverse_derivatives

    return inverse_derivatives(*arguments)


def _smooth_velocity_derivative(data: Any) -> np.ndarray:
    from cortenforge.derive.smooth import smooth_velocity_derivative

    return smooth_velocity_derivative(data)


def _smooth_position_derivative(data: Any) -> np.ndarray:
    from cortenforge.derive.smooth import smooth_position_derivative

    return smooth_position_derivative(data)


upward.batch_derivatives = _batch_derivatives
upward.inverse_derivatives = _inverse_derivatives
upward.smooth_velocity_derivative = _smooth_velocity_derivative
upward.smooth_position_derivative = _smooth_position_derivative
upward.transition_derivatives = _transition_derivatives


def _draw(data: Data, **options: Any) -> np.ndarray:
    from cortenforge.render.batches import render_world

    return render_world(data, **options)


def _draw_all(worlds: Worlds, **options: Any) -> np.ndarray:
    from cortenforge.render.batches import render_batch

    return render_batch(worlds, **options)


upward.read_mjcf = _read_mjcf
upward.load_mjcf = _load_mjcf
upward.read_urdf = _read_urdf
upward.compile_spec = _compile_spec
upward.compile_urdf = _compile_urdf
upward.set_const = _set_const
upward.constants_of = _constants_of
upward.write_mjcf = _write_mjcf
upward.draw = _draw
upward.draw_all = _draw_all
