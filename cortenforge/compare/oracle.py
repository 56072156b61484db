"""MuJoCo, imported when it is first needed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cortenforge.errors import ArgumentError, CortenForgeError

__all__ = ["EXPECTED_VERSION", "load_reference", "mujoco_module", "muted_warnings", "rollout_pool"]

#: the release whose numbers are the reference
EXPECTED_VERSION = "4.0.0"
#: an integrator that MuJoCo does not have
OWN_INTEGRATOR = "implicitspringdamper"


def mujoco_module() -> Any:
    """The `mujoco` package, or an error that says how to get it."""
    try:
        return importlib.import_module("mujoco")
    except ImportError as missing:
        raise CortenForgeError(
            "comparing needs MuJoCo, which is not installed\n"
            f'  hint: pip install "mujoco=={EXPECTED_VERSION}"'
        ) from missing


def rollout_pool(threads: int) -> Any:
    """MuJoCo's pool for rollouts; with one thread, the calling thread steps."""
    mujoco_module()
    return importlib.import_module("mujoco.rollout").Rollout(nthread=threads if threads > 1 else 0)


@contextmanager
def muted_warnings() -> Iterator[None]:
    """Suppress MuJoCo's warnings: deprecated attributes, unstable states."""
    mujoco = mujoco_module()
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


def load_reference(source: str | Path, assets: dict[str, bytes] | None = None) -> Any:
    """MuJoCo's model of a file or of MJCF text, without warnings."""
    mujoco = mujoco_module()
    try:
        with muted_warnings():
            if isinstance(source, str) and source.lstrip().startswith("<"):
                return mujoco.MjModel.from_xml_string(source, assets or {})
            return mujoco.MjModel.from_xml_path(str(source), assets or {})
    except ValueError as error:
        if OWN_INTEGRATOR in str(error):
            raise CortenForgeError(
                f'the integrator "{OWN_INTEGRATOR}" does not exist in MuJoCo\n'
                '  hint: compare with another integrator, such as integrator="discrete"'
            ) from error
        raise ArgumentError(f"MuJoCo cannot load this model: {error}") from error
