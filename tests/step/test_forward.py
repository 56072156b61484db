"""Forward dynamics, stage by stage."""

from __future__ import annotations

import numpy as np

import cortenforge as cf
from cortenforge.compare import forward_fields, random_state
from cortenforge.fields import DATA_FIELDS
from tests.step.stages import cases, states

#: only `subtree_momentum` works these out
ON_REQUEST = ("subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext")
KEPT = [f.name for f in DATA_FIELDS if f.role in ("state", "input")]


def snapshot(data: cf.Data, names: list[str]) -> dict[str, bytes]:
    """The bits of some fields."""
    return {name: np.asarray(getattr(data, name)).tobytes() for name in names}


@cases("joint_several", "tree_branching")
def test_fields_are_mujocos(source):
    """All that a forward evaluation leaves behind, together."""
    for both in states(source):
        both.assert_equal(*forward_fields(both.model))


@cases("joint_several")
def test_it_moves_nothing(source):
    """State and inputs have the same bits afterwards; raw quaternions are not normalised."""
    for both in states(source):
        before = snapshot(both.data, KEPT)
        both.data.forward()
        assert snapshot(both.data, KEPT) == before


@cases("joint_several", "cameras_and_lights")
def test_it_depends_on_the_state_alone(source):
    """Twice gives the same bits, and so does a Data that has been elsewhere before."""
    for both in states(source):
        names = [f.name for f in forward_fields(both.model) if f.name not in ON_REQUEST]
        first = snapshot(both.data, names)
        both.data.forward()
        assert snapshot(both.data, names) == first
        other = both.model.make_data()
        random_state(both.model, np.random.default_rng(5)).write(other)
        other.step()
        other.set_state(both.data.get_state())
        other.forward()
        assert snapshot(other, names) == first


@cases("joint_several")
def test_without_constraints_the_smooth_part_is_all(source):
    """smooth_only gives the same smooth acceleration, which is the acceleration."""
    for both in states(source):
        data = both.data
        np.testing.assert_array_equal(data.qacc, data.qacc_smooth)
        whole = data.qacc_smooth.copy()
        data.forward(smooth_only=True)
        np.testing.assert_array_equal(data.qacc_smooth, whole)
