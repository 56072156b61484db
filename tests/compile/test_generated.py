"""Random models of everything that compiles: every array equals MuJoCo's."""

from __future__ import annotations

import pytest

import cortenforge as cf
from conformance.attached import attached_model
from conformance.generate import random_model
from cortenforge.compare import compare_model, load_reference

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::cortenforge.MjcfWarning")]
SEEDS = range(20_000, 20_040)  # not those of the sweep


@pytest.mark.parametrize("seed", SEEDS)
def test_arrays_equal_mujoco(seed: int) -> None:
    text = random_model(seed)
    differing = compare_model(cf.Model.from_mjcf(text), load_reference(text))
    assert [str(diff) for diff in differing if not diff.ok] == []


@pytest.mark.parametrize("seed", range(20_000, 20_020))
def test_models_in_models(seed: int) -> None:
    """What is attached becomes what MuJoCo makes of it; what MuJoCo refuses is refused."""
    text, assets = attached_model(seed)
    try:
        reference = load_reference(text, assets)
    except ValueError:
        with pytest.raises(cf.MjcfError):
            cf.Model.from_mjcf(text, assets)
        return
    differing = compare_model(cf.Model.from_mjcf(text, assets), reference)
    assert [str(diff) for diff in differing if not diff.ok] == []


def test_a_wrong_number_is_seen() -> None:
    text = random_model(SEEDS[0])
    model, reference = cf.Model.from_mjcf(text), load_reference(text)
    model.site_pos[-1, 0] += 1e-6
    assert [diff.name for diff in compare_model(model, reference) if not diff.ok] == ["site_pos"]
