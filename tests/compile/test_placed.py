"""The compiler's physics is the engine's: the same kernels, the same bits."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge as cf
from conformance.generate import random_model, smooth_model
from cortenforge.compile import compile_spec
from cortenforge.compile.constants import reference_kinematics
from cortenforge.compile.constants.reference_kinematics import (
    KINEMATICS_FIELDS,
    UNSET_MODEL_FIELDS,
    ReferenceKinematics,
)
from cortenforge.kernel.load.run import fields_in_text
from cortenforge.read import read_mjcf
from cortenforge.step.forward import forward_inertia, forward_kinematics
from cortenforge.step.position.tendons import tendon_lengths
from cortenforge.step.position.transmission import transmission

SMALL_MODEL = """
<mujoco><worldbody><light/><camera/><body><freejoint/><geom size=".1"/>
  <body pos="0 0 1"><joint/><geom size=".1"/><site/></body></body></worldbody></mujoco>
"""
LOAD = """
import sys
import cortenforge as cf

model = cf.Model.from_mjcf(sys.argv[1])
model.set_const()
print("numba" in sys.modules, "cortenforge.kernel.cpu.compile" in sys.modules)
"""


@pytest.mark.parametrize("seed", range(25))
def test_constants_do_not_depend_on_the_path(seed: int, monkeypatch) -> None:
    """Every array of a model is the same to the last bit, by compiled code and by plain Python."""
    text = random_model(seed)
    plain = compile_spec(read_mjcf(text))
    monkeypatch.setattr(reference_kinematics, "MAX_PLAIN_OBJECTS", 0)
    compiled = compile_spec(read_mjcf(text))
    for name, array in plain.arrays.items():
        assert array.tobytes() == compiled.arrays[name].tobytes(), name
    assert repr(plain.stat) == repr(compiled.stat)


@pytest.mark.parametrize("seed", range(10))
def test_reference_position_is_that_of_a_step(seed: int) -> None:
    """What constants are derived from is what `forward` works out in the reference position."""
    text = smooth_model(seed)
    arrays = compile_spec(read_mjcf(text)).arrays
    reference = ReferenceKinematics(arrays, arrays["qpos0"], weighed=True)
    data = cf.Model.from_mjcf(text).make_data()
    data.forward(smooth_only=True)
    for name in ("xpos", "xquat", "xipos", "geom_xmat", "site_xpos", "subtree_com", "cdof", "crb"):
        np.testing.assert_array_equal(getattr(reference, name), getattr(data, name), err_msg=name)


def test_every_field_is_given() -> None:
    """Kernels of the first stages find all they use, by either path."""
    arrays = set(compile_spec(read_mjcf(SMALL_MODEL)).arrays)
    sizes = set(reference_kinematics.SIZE_ARRAYS) | {"nmocap"}
    made = {field.name for field in KINEMATICS_FIELDS}
    given = arrays | sizes | {field.name for field in UNSET_MODEL_FIELDS}
    for kernel in (forward_kinematics, forward_inertia, tendon_lengths, transmission):
        m, d = fields_in_text(kernel)
        assert m <= given and d <= made, kernel.name


def test_small_models_do_not_wait_for_a_compiler(tmp_path) -> None:
    """With an empty cache a small model loads, and nothing is compiled for it."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD, SMALL_MODEL],
        env={**os.environ, "CORTENFORGE_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "False"]
    assert not list(tmp_path.glob("*.unit"))


def test_plain_code_is_found_again(tmp_path) -> None:
    """A second process takes plain code from the cache; damaged files are made again."""
    environment = {**os.environ, "CORTENFORGE_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", LOAD, SMALL_MODEL]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    kept = set(tmp_path.glob("*.plain"))
    assert kept
    damaged = sorted(kept)[::2]
    for file in damaged:
        file.write_bytes(b"damaged")
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert set(tmp_path.glob("*.plain")) == kept
    assert all(file.read_bytes() != b"damaged" for file in damaged)
