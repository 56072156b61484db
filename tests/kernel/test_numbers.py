"""Numbers of a kernel: singles are read as reals, and floor gives an integer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cortenforge.errors import ShapeError, SubsetError
from cortenforge.fields import MODEL_FIELDS
from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.kernel.load.run import run_on

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

TABLE = StructLayout(
    "NumbersTable",
    [("n", "size", (), True), ("row", "single", (3,), False), ("one", "single", (), False)],
    constant=True,
)
DESK = StructLayout(
    "NumbersDesk",
    [("total", "real", (), False), ("below", "int", (), False)],
    constant=False,
)
BOTH = {"m": TABLE, "d": DESK}


@kernel(unit=True)
def read_singles(m, d):
    """Add up singles, and count whole numbers below them."""
    for i in range(m.n):
        d.total[i] = m.row[i, 0] + m.row[i, 1] * m.row[i, 2] + m.one[i]
        d.below[i] = math.floor(m.one[i])


@kernel
def makes_a_real_of_floor(m, d):
    """A name that is first an integer."""
    k = math.floor(m.one[0])
    k = m.one[1]
    d.total[0] = k


def linker() -> Linker:
    return Linker(TABLE, DESK)


def numbers() -> tuple[dict, dict]:
    rng = np.random.default_rng(0)
    m = {
        "n": 5,
        "row": rng.normal(size=(5, 3)).astype(np.float32),
        "one": np.array([0.1, -0.1, 2.0, -3.5, 1e6], np.float32),
    }
    return m, {"total": np.zeros(5), "below": np.zeros(5, np.int32)}


def test_singles_are_reals_once_they_are_read():
    """In double precision, compiled and as plain Python with the same bits."""
    found = []
    for small in (False, True):
        m, d = numbers()
        run_on(read_singles, linker, m, d, small=small)
        row, one = m["row"].astype(float), m["one"].astype(float)
        np.testing.assert_allclose(d["total"], row[:, 0] + row[:, 1] * row[:, 2] + one, rtol=1e-15)
        assert d["below"].tolist() == [0, -1, 2, -4, 1_000_000]
        found.append(d["total"])
    assert np.array_equal(*found)


def test_arrays_must_be_singles():
    """Another type of number would be read as nonsense."""
    m, d = numbers()
    m["one"] = m["one"].astype(float)
    with pytest.raises(ShapeError, match="one"):
        run_on(read_singles, linker, m, d, small=False)


def test_floor_is_an_integer():
    """It can be an index; a name that holds it cannot become a real."""
    check(read_singles, BOTH)
    with pytest.raises(SubsetError, match="'k' was int and becomes real"):
        check(makes_a_real_of_floor, BOTH)


def test_singles_that_kernels_read_are_not_looked_after():
    """Large ones, and colours, may change without a model being looked at again."""
    read = [field for field in MODEL_FIELDS if "read" in field.marks]
    names = {"mesh_vert", "mesh_normal", "hfield_data", "geom_rgba", "mat_rgba"}
    assert {field.name for field in read} == names
    for field in read:
        assert field.in_kernels and not field.watched and not field.fixed and not field.differs
