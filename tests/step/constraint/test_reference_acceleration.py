"""Accelerations that rows ask for."""

from __future__ import annotations

import numpy as np

from tests.step.constraint.models import Both, scene


def test_references_of_mixed_signs_are_the_default():
    """As in MuJoCo: one positive number and one that is not make no reference."""
    both = Both(scene())
    for model in (both.model, both.reference):
        model.jnt_solref[1:] = 0.03, -1
        model.dof_solref[:] = -5, 1
    both.move(np.random.default_rng(1))
    assert not both.wrong()
    assert both.data.nl > 0
