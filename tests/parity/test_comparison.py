"""The comparison itself: it leaves nothing out, and small numbers count as much as large ones."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.compare import compare_model, load_reference, mujoco_module
from cortenforge.compare.absent import ABSENT, reason_for_absence
from cortenforge.compare.difference import object_difference
from cortenforge.fields import MODEL_FIELDS

pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def mujoco_fields() -> set[str]:
    model = mujoco_module().MjModel.from_xml_string("<mujoco/>")
    names = [name for name in dir(model) if not name.startswith("_")]
    return {name for name in names if not callable(getattr(model, name))}


def test_every_field_of_mujoco_is_compared_or_has_a_reason(mujoco_fields):
    compared = {field.name for field in MODEL_FIELDS} | set(cf.Model.from_mjcf("<mujoco/>").sizes)
    assert [name for name in mujoco_fields - compared if not reason_for_absence(name)] == []


def test_every_reason_is_of_use(mujoco_fields):
    given = {reason_for_absence(name) for name in mujoco_fields}
    assert [reason for reason in ABSENT.values() if reason not in given] == []


def test_small_numbers_beside_large_ones():
    theirs = np.array([[1e3, 2.0], [1e-6, 3e-6]])
    ours = theirs.copy()
    ours[1, 0] *= 1 + 1e-8
    diff = object_difference("x", ours, theirs, 1e-10)
    assert not diff.ok
    assert diff.where == (1, 0)
    assert diff.error == pytest.approx(1e-8 / 3, rel=1e-6)


def test_rounding_around_zero_is_no_difference():
    theirs = np.array([[1.0, 2.0], [1e-17, 0.0]])
    place = np.array([[0, 0], [1, 0]])
    assert object_difference("x", theirs + 2e-16 * place, theirs, 1e-10).ok
    assert not object_difference("x", theirs + 2e-13 * place, theirs, 1e-10).ok


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1.0 + 1e-9])
def test_infinity_hides_nothing(wrong):
    theirs = np.array([[np.inf, 1.0]])
    assert object_difference("x", theirs.copy(), theirs, 1e-10).ok
    assert not object_difference("x", np.array([[np.inf, wrong]]), theirs, 1e-10).ok


def test_numbers_without_rows():
    assert object_difference("x", 2e-7, 2e-7, 1e-10).ok
    assert not object_difference("x", 2e-7, 2.0001e-7, 1e-10).ok


SLIDES = """<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/>
  <joint type="slide" axis="0 1 0"/><joint type="slide" axis="{}"/>
  <geom size="1" mass="1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("axis", "ok"), [("1 1 0", True), ("0 0 1", False)])
def test_rounding_of_a_singular_inertia_matrix_is_no_difference(axis, ok):
    """Three slides in a plane: MuJoCo's body_invweight0 is a difference of numbers near 1e15."""
    text = SLIDES.format(axis)
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    model.body_invweight0[1, 0] += 1e-4
    rows = {diff.name: diff.ok for diff in compare_model(model, reference)}
    assert rows["body_invweight0"] == ok
