"""Every criterion of docs/criteria.md is held by a test that names it, or measured."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The script that fills the page."""
    spec = importlib.util.spec_from_file_location("build_criteria", DOCS / "build_criteria.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def listed(build) -> set[str]:
    """Names of the page's rows."""
    return set(build.criteria(build.PAGE.read_text(encoding="utf-8")))


def test_every_criterion_has_a_test(build, listed):
    """A row without a test is a promise that nobody keeps."""
    assert len(listed) >= 60
    without = listed - set(build.tests_by_criterion()) - build.benchmarked()
    assert not without, f"no test's docstring names {without}, and no benchmark is held to it"


def test_speeds_are_held_by_the_benchmark(build):
    """A test that measures nothing does not claim a speed."""
    speeds = {"002-P1", "002-P2", "9-AC5", "12-AC24", "000.8-AC8", "13-AC11", "13-AC12", "13-AC13"}
    assert build.benchmarked() == speeds | {"10-AC2"}
    assert not build.benchmarked() & set(build.tests_by_criterion())
    row = "| 002-P1 | Fast. | tests |\n"
    assert build.page(row, {}, {"002-P1"}) == "| 002-P1 | Fast. | `make bench` |\n"


def test_every_name_in_a_docstring_is_on_the_page(build, listed):
    """A misspelt name would cover nothing."""
    unknown = (set(build.tests_by_criterion()) | build.benchmarked()) - listed
    assert not unknown, f"no row of docs/criteria.md has {unknown}"


def test_page_names_the_tests(build):
    """The last column is what `make docs` writes."""
    text = build.PAGE.read_text(encoding="utf-8")
    made = build.page(text, build.tests_by_criterion(), build.benchmarked())
    assert made == text, "run python docs/build_criteria.py"
