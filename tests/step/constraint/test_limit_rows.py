"""Rows of limits and of friction loss, by the flags that leave them out."""

from __future__ import annotations

import pytest

from tests.step.constraint.models import EQUALITIES as HOLDING
from tests.step.constraint.models import assert_rows, scene


@pytest.mark.parametrize(
    "flags",
    ["refsafe", "constraint", "equality", "frictionloss", "limit", "contact"],
)
def test_flags(flags):
    """What a flag switches off has no rows; without `refsafe`, time constants are as they are."""
    rest = f"<equality>{HOLDING['weld']}</equality>"
    assert_rows(scene(flags=f'{flags}="disable"', rest=rest))
