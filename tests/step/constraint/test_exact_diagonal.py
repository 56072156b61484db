"""The diagonal of J M^-1 J', exact."""

from __future__ import annotations

import pytest

from tests.step.constraint.models import assert_rows, scene


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_exact_diagonal_moving_surfaces_and_pulling_contacts(cone, condim):
    """002-M1: `diagexact`; `surfacevel`, `adhesion` in the gap and out of it, `solreffriction`."""
    floor = 'adhesion="3" gap=".1" surfacevel="1 2 3 .1 .2 .3"'
    pair = '<contact><pair geom1="ge" geom2="gd" solreffriction=".05 .7" margin="2"/></contact>'
    hold = "<equality><weld body1='e'/></equality>"
    assert_rows(
        scene(
            options=f'cone="{cone}"',
            flags='diagexact="enable"',
            floor=floor,
            geom=f'condim="{condim}"',
            rest=pair + hold,
        )
    )
