"""Rows of equalities."""

from __future__ import annotations

import pytest

from tests.step.constraint.models import EQUALITIES as HOLDING
from tests.step.constraint.models import Both, assert_rows, scene


@pytest.mark.parametrize("name", HOLDING)
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_equalities(name, jacobian):
    """000-Q2: connect, weld, joint and tendon, of bodies and of sites."""
    rest = f"<equality>{HOLDING[name]}</equality>"
    kinds = assert_rows(
        scene(options=f'jacobian="{jacobian}"', flags='contact="disable"', rest=rest)
    )
    assert kinds[0] >= 3


def test_inactive_equalities_have_no_rows():
    """`eq_active` is the state's."""
    both = Both(scene(rest=f"<equality>{HOLDING['weld']}</equality>"))
    assert not both.wrong()
    assert both.data.ne == 12
    for data in (both.data, both.theirs):
        data.eq_active[0] = 0
    assert not both.wrong()
    assert both.data.ne == 6
