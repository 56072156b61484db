"""The comparison itself: it sees what it should and forgives nothing else."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from cortenforge import CortenForgeError, Model
from cortenforge.compare import FieldDiff, Report, forward_fields, mujoco_module, step_fields
from cortenforge.compare.difference import LIST_GROUPS, OWN_GROUPS, difference
from cortenforge.fields import DATA_FIELDS


def test_integers_must_be_equal():
    assert difference("a", np.array([1, 2]), np.array([1, 2])).ok
    assert not difference("a", np.array([1, 2]), np.array([1, 3])).ok


def test_reals_are_measured_against_the_largest_entry():
    big = np.array([1e6, 1.0])
    assert difference("a", np.array([1e6, 1 + 0.5e-4]), big).ok
    assert not difference("a", np.array([1e6, 1 + 2e-4]), big).ok


def test_small_fields_are_measured_against_one():
    assert difference("a", np.array([1e-11]), np.array([0.0])).ok


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_never_agrees(bad):
    assert not difference("a", np.array([bad]), np.array([0.0])).ok
    assert not difference("a", np.array([0.0]), np.array([bad])).ok


def test_nan_is_not_equal_to_nan():
    assert not difference("a", np.array([np.nan]), np.array([np.nan])).ok


def test_a_quaternion_of_the_other_sign_differs():
    quat = np.array([[0.5, 0.5, 0.5, 0.5]])
    assert not difference("a", -quat, quat).ok


def test_shapes_count():
    diff = difference("a", np.zeros(3), np.zeros((3, 1)))
    assert not diff.ok
    assert "shape" in str(diff)


def test_a_difference_says_where():
    diff = difference("xpos", np.array([[0.0, 0], [0, 2]]), np.zeros((2, 2)))
    assert diff.where == (1, 1)
    assert str(diff).startswith("xpos[1, 1]: 2.0, MuJoCo 0.0")


def test_a_report_keeps_the_worst():
    report = Report("model.xml", 2, 0, "4.0.0")
    report.add("data", [FieldDiff("qpos", 1e-12, 1e-10), FieldDiff("qvel", 0.0, 1e-10)])
    report.add("data", [FieldDiff("qpos", 1e-9, 1e-10), FieldDiff("qvel", 0.0, 1e-10)])
    assert [row.field for row in report.rows] == ["qpos", "qvel"]
    assert report.worst.error == 1e-9
    assert not report.ok
    assert report.as_dict()["rows"][0]["ok"] is False
    assert report.table().row_count == 2
    assert report.table(every_field=False).row_count == 1


def test_without_mujoco_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(CortenForgeError, match="pip install"):
        mujoco_module()


def test_no_field_slips_through():
    """Everything in the table is compared, but for what MuJoCo does not have, and for lists."""
    model = Model.from_mjcf('<mujoco><option><flag energy="enable"/></option></mujoco>')
    compared = {field.name for field in (*forward_fields(model), *step_fields())}
    left = {field for field in DATA_FIELDS if field.name not in compared}
    groups = (*OWN_GROUPS, *LIST_GROUPS)
    assert all(field.group in groups or field.role == "scratch" for field in left)
