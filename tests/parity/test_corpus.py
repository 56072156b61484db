"""The comparison of public models, on packages made for the purpose."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from conformance import corpus
from conformance.corpus import Collection, collections, load_both

pytestmark = pytest.mark.oracle
DOCS = Path(__file__).parents[2] / "docs"
GOOD = '<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>'
SUITE = '<mujoco><include file="./common/visual.xml"/><worldbody><site/></worldbody></mujoco>'
SHARED = '<mujoco><visual><map znear="0.02"/></visual></mujoco>'
SOFT = (
    '<mujoco><worldbody><flexcomp name="f" type="grid" count="2 2 1" dim="2"/></worldbody></mujoco>'
)


@pytest.fixture
def packages(tmp_path, monkeypatch) -> Path:
    """A suite with one model, and a Gymnasium with a good, a refused and an old one."""
    files = {
        "dm_control/suite/point.xml": SUITE,
        "dm_control/suite/common/visual.xml": SHARED,
        "gymnasium/envs/mujoco/assets/good.xml": GOOD,
        "gymnasium/envs/mujoco/assets/soft.xml": SOFT,
        "gymnasium/envs/mujoco/assets/old.xml": '<mujoco><option collision="all"/></mujoco>',
        "gymnasium-9.1.dist-info/RECORD": "gymnasium/__init__.py,,",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setenv("CORTENFORGE_PACKAGES", str(tmp_path))
    monkeypatch.setenv("CORTENFORGE_MODELS", str(tmp_path / "nowhere"))
    return tmp_path


def found(title: str) -> Collection:
    return next(part for part in collections() if part.title == title)


def test_models_of_the_suite_find_their_files_in_memory(packages):
    (entry,) = found("dm_control's suite").entries
    assert entry.assets is not None
    assert list(entry.assets) == ["./common/visual.xml"]
    loaded = load_both(entry, rounds=1)
    assert (loaded.refused, loaded.differing, loaded.mujoco_error) == ("", [], "")
    assert entry.ours().vis.map.znear == pytest.approx(0.02)


def test_good_refused_and_old_files_are_told_apart(packages):
    collection = found("Gymnasium")
    assert collection.version == "9.1"
    loaded = {entry.name: load_both(entry, rounds=1) for entry in collection.entries}
    good, soft, old = (loaded[f"envs/mujoco/assets/{name}.xml"] for name in ("good", "soft", "old"))
    assert (good.differing, good.refused, good.mujoco_error) == ([], "", "")
    assert good.fields > 300
    assert min(good.ours_ms, good.theirs_ms) > 0
    assert "flexcomp" in soft.refused
    assert soft.nflex == 1
    assert "collision" in old.mujoco_error


def test_what_is_not_there_is_named(packages):
    assert found("Menagerie").missing
    if importlib.util.find_spec("metaworld") is None:
        assert "metaworld" in found("Meta-World").missing


def test_page_has_every_model(packages, tmp_path, monkeypatch):
    monkeypatch.setattr(corpus, "RESULTS", tmp_path / "corpus.json")
    monkeypatch.setattr(corpus, "ROOT", tmp_path)
    monkeypatch.syspath_prepend(str(DOCS))
    assert corpus.main(["--rounds", "1"]) == 0
    import build_corpus

    monkeypatch.delitem(sys.modules, "build_corpus")
    text = build_corpus.page(json.loads((tmp_path / "corpus.json").read_text()))
    assert "| `envs/mujoco/assets/good.xml` | yes | yes |" in text
    assert "| `envs/mujoco/assets/soft.xml` | no |" in text
    assert "unrecognized attribute" in text
    assert str(tmp_path) not in text
