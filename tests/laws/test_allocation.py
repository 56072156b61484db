"""A step takes no memory, Python's or Numba's."""

from __future__ import annotations

import pytest

from benchmarks.allocation import allocations
from benchmarks.subjects import subjects


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)
def test_steps_do_not_allocate(subject):
    """002-S3, 000.2-AC6: 500 steps of each subject of the benchmarks take no memory."""
    taken = allocations(subject, steps=500)
    assert taken.none, taken
