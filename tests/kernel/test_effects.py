"""Reads and writes worked out from source agree with the field tables."""

from __future__ import annotations

import pytest

import cortenforge.step.engine  # noqa: F401 - registers every kernel
from cortenforge.fields import DATA_FIELDS
from cortenforge.kernel import all_kernels
from cortenforge.kernel.language.effects import effects_of, own_effects

STEP = [k for k in all_kernels() if k.name.startswith("step.")]
WRITTEN = [field for field in DATA_FIELDS if field.role in ("derived", "scratch")]


def modules_that_write(field: str) -> set[str]:
    return {k.name.split(":")[0] for k in STEP if field in own_effects(k).written_fields("d")}


@pytest.mark.parametrize("group", sorted({field.group for field in WRITTEN}))
def test_written_by_column_is_true(group):
    """The table names exactly the modules whose kernels write a field."""
    for field in WRITTEN:
        if field.group == group:
            assert set(field.written_by) == modules_that_write(field.name), field.name


def test_no_kernel_writes_the_model():
    """Models are constant during a step."""
    for k in STEP:
        assert not effects_of(k).written_fields("m"), k.name


def test_no_kernel_reads_what_nothing_provides():
    """A derived field that is read is written by someone, or stays zero on purpose."""
    zero_on_purpose = {"qfrc_actuator", "qfrc_constraint"}
    by_python = {"model_version", "query_geom", "query_reach"}
    by_python |= {"query_point", "query_force", "query_torque"}
    by_python |= {"range_output", "range_accel", "range_maxforce", "range_slowing"}
    by_python |= {"range_start", "range_end"}
    derived = {f.name for f in DATA_FIELDS if f.role in ("derived", "scratch")}
    read = set().union(*(effects_of(k).read_fields("d") for k in STEP))
    written = set().union(*(effects_of(k).written_fields("d") for k in STEP))
    assert (read & derived) - written <= zero_on_purpose | by_python


def test_effects_follow_fields_through_calls():
    """A helper that is handed a field writes that field."""
    factor = next(k for k in STEP if k.name.endswith(":factor_inertia"))
    assert effects_of(factor).written_fields("d") == {"qLD", "qLDiagInv"}
    assert {"M_rowadr", "M_rownnz", "M_colind", "nv"} <= effects_of(factor).read_fields("m")
    assert "M" in effects_of(factor).read_fields("d")
    # a field that is one value, of which a helper takes components
    reader = next(k for k in STEP if k.name.endswith(":position_sensors"))
    assert "opt_magnetic" in effects_of(reader).read_fields("m")
