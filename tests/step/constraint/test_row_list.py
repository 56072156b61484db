"""The list of rows: as Python reads it, filled up to fours, with all the room it needs."""

from __future__ import annotations

import numpy as np

from conformance.rows import make_constraint_rows
from cortenforge.enums import Jacobian
from tests.step.constraint.models import Both, scene


def test_rows_as_python_reads_them():
    """As many rows as there are; the Jacobian dense or by its entries, as the option says."""
    both = Both(scene(options='jacobian="dense"'))
    assert not both.wrong()
    data = both.data
    assert len(data.efc_pos) == data.nefc == len(data.efc_J) == both.theirs.nefc
    assert data.efc_KBIP.shape == (data.nefc, 4)
    assert data.efc_J.shape == (data.nefc, both.model.nv)
    np.testing.assert_allclose(data.efc_J.ravel(), both.theirs.efc_J, atol=1e-12)
    np.testing.assert_allclose(data.efc_J @ data.qvel, data.efc_vel, atol=1e-12)
    both.model.opt.jacobian = both.reference.opt.jacobian = Jacobian.SPARSE
    assert not both.wrong()
    assert data.efc_J.shape == (data.nJ,)
    np.testing.assert_allclose(data.contact.mu, both.theirs.contact.mu)


def test_rows_are_padded_to_fours():
    """Behind the last row are rows that do nothing, as solvers that read four at once need them."""
    both, rng = Both(scene()), np.random.default_rng(2)
    for _ in range(6):
        both.move(rng)
        assert not both.wrong()
        arrays, n = both.data._store.arrays, both.data.nefc
        behind = slice(n, -(-n // 4) * 4)
        for name in ("efc_D", "efc_R", "efc_aref", "efc_frictionloss", "efc_J_rownnz"):
            assert not arrays[name][behind].any(), name
        starts = np.cumsum(both.data.efc_J_rownnz) - both.data.efc_J_rownnz
        np.testing.assert_array_equal(both.data.efc_J_rowadr, starts)
        for row, count in zip(starts, both.data.efc_J_rownnz, strict=True):
            assert np.all(np.diff(both.data.efc_J_colind[row : row + count]) > 0)


def test_no_room_and_no_rows_left_behind():
    """A world without room says so and has no rows, whatever was there before."""
    both = Both(scene())
    assert not both.wrong()
    twin = both.model.make_data()
    twin.forward(smooth_only=True)
    assert twin._store.capacities["nefcmax"] == 0
    twin._store.assign("ncon", 0)
    make_constraint_rows(twin)
    assert twin._store.capacities["nefcmax"] % 4 == 0
    assert twin.nefc == both.data.ne + both.data.nf + both.data.nl
