"""Every field of Model and Data equals MuJoCo's, on hand-made, bundled and random models."""

from __future__ import annotations

from pathlib import Path

import pytest

import cortenforge as cf
from conformance.cases import handmade_cases
from conformance.generate import smooth_model
from cortenforge.compare import Report, load_reference, run
from cortenforge.compare.report import compare_loaded

#: all but those with elements of our own, which MuJoCo does not know
BUNDLED = sorted(
    path
    for path in (Path(cf.__file__).parent / "models").glob("*.xml")
    if "<deformable>" not in path.read_text(encoding="utf-8")
)
SEEDS = range(1000, 1060)  # not those of the sweep

pytestmark = pytest.mark.oracle


def assert_agrees(report: Report) -> None:
    assert report.ok, "\n".join(row.worst for row in report.rows if not row.ok)


@pytest.mark.parametrize("case", handmade_cases(), ids=lambda case: case.name)
def test_handmade(case):
    assert_agrees(run(case.source, states=3, seed=case.seed))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_bundled(path):
    """002-C5: bundled models, the double pendulum among them, in every field."""
    assert_agrees(run(path, states=3))


@pytest.mark.parametrize("seed", SEEDS)
def test_random(seed):
    xml = smooth_model(seed)
    model = cf.Model.from_mjcf(xml)
    assert model.supported() == []
    assert_agrees(compare_loaded(model, load_reference(xml), states=2, seed=seed))


def test_a_wrong_number_is_seen():
    """One mass off by a millionth: the model differs, and so does what follows from it."""
    xml = smooth_model(1000)
    model = cf.Model.from_mjcf(xml)
    model.body_mass[-1] *= 1 + 1e-6
    report = compare_loaded(model, load_reference(xml), states=1, seed=0)
    differing = {row.field for row in report.rows if not row.ok}
    assert {"body_mass", "cinert", "M"} <= differing
