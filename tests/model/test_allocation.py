"""A step allocates nothing."""

from __future__ import annotations

import tracemalloc

import pytest

import cortenforge as cf
from cortenforge.step.engine import ENGINE

XML = """
<mujoco><option integrator="{}" density="1"><flag contact="disable" energy="enable"/></option>
<worldbody><body><freejoint/><geom size=".1"/>
<body pos=".3 0 0"><joint axis="0 1 0" damping="1" stiffness="1"/><geom size=".1"/></body>
</body></worldbody></mujoco>
"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_stepping_takes_no_memory(integrator):
    """002-S3, 000.8-AC7: neither Python objects nor anything NumPy or ctypes allocates."""
    data = cf.Model.from_mjcf(XML.format(integrator)).make_data()
    data.step(10)
    for _ in range(10):
        data.step()
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    for _ in range(1000):
        data.step()
    after = tracemalloc.take_snapshot()
    tracemalloc.stop()
    own = [
        row
        for row in after.compare_to(before, "filename")
        if "tracemalloc" not in row.traceback[0].filename and row.size_diff > 0
    ]
    assert sum(row.size_diff for row in own) < 1024, own


def test_compiled_code_cannot_allocate():
    """002-S3: no unit refers to an allocator: Numba's runtime (NRT), Python's or C's."""
    from cortenforge.kernel.language.decorator import units

    ENGINE.linker.load(units(), progress=False)
    for unit in units():
        linked = ENGINE.linker.kept(unit)
        assert linked is not None
        code = linked.to_bytes()
        for name in (b"NRT_", b"malloc", b"PyObject", b"PyMem", b"calloc"):
            assert name not in code, (unit.name, name)
