"""The benchmark of small calls measures what it lists, in both engines."""

from __future__ import annotations

import pytest

pytest.importorskip("mujoco")

from benchmarks.small_calls import measure, table_of


def test_every_call_is_measured() -> None:
    """One round: each call runs in both engines, and has a row in the table."""
    rows = measure(rounds=1)
    bundled = [row for row in rows if row["model"] == "humanoid (bundled)"]
    names = "jac_body full_M contact.geom interaction_forces read_state write_state make_data"
    batches = ["reset_where, 1 of 256", "reset_where, all 256"]
    batches += ["step with PGS and RK4, 64 worlds", "set_const, 64 worlds"]
    assert [row["call"] for row in bundled] == [*names.split(), "copy", "reset", *batches]
    assert all(row["ours_us"] > 0 and row["theirs_us"] > 0 for row in rows)
    assert table_of(rows).row_count == len(rows)
