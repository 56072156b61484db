"""GpuBatchSim: sizes of batches, chunks of device memory, and room for lists."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf
from cortenforge.errors import BatchTooLarge, ShapeError
from cortenforge.gpu import GpuBatchSim
from cortenforge.gpu import buffers as gpu_buffers
from cortenforge.gpu.capacities import trial_capacities
from cortenforge.gpu.program import Program
from cortenforge.models import find
from cortenforge.step.engine import ENGINE
from tests.gpu.scenes import scene, stir


def test_gpu_batch_too_large(gpu, monkeypatch):
    """10-E6: refused before anything is allocated, with the number that would fit."""
    model = scene("humanoid_floating")

    def refuse(*_):
        raise AssertionError("allocated")

    monkeypatch.setattr(gpu_buffers.GpuBuffers, "_buffer", refuse)
    monkeypatch.setattr("cortenforge.gpu.batch.Rows", refuse)
    for n in (10**7, 10**12, 10**30):
        with pytest.raises(BatchTooLarge) as caught:
            GpuBatchSim(model, n)
        assert caught.value.worlds == n
        assert caught.value.required > caught.value.limit
        assert 0 < caught.value.largest < n
    with pytest.raises(BatchTooLarge):
        GpuBatchSim.try_new(model, 10**7)


def test_limit_is_the_smaller_one(gpu, monkeypatch):
    """Of the size of a buffer and of a binding."""
    monkeypatch.setitem(gpu.limits, "max-buffer-size", 1000)
    with pytest.raises(BatchTooLarge) as caught:
        GpuBatchSim(scene("triple_pendulum"), 4)
    assert caught.value.limit == 1000 * gpu_buffers.MOST_CHUNKS


def test_a_batch_is_split_into_chunks(gpu, monkeypatch):
    """Each below the limit of a binding; results have the bits of a batch that is not split."""
    whole = GpuBatchSim(scene("joints"), 150)
    stir(whole)
    reals = 4 * whole._buffers.layout.lengths["d", True]
    monkeypatch.setitem(gpu.limits, "max-storage-buffer-binding-size", 100 * reals)
    split = GpuBatchSim(whole.model, 150)
    assert [chunk.n for chunk in split._buffers.chunks] == [64, 64, 22]
    split.set_states(whole.get_states())
    split.qfrc_applied = whole.qfrc_applied
    split.xfrc_applied = whole.xfrc_applied
    split.mocap_pos = whole.mocap_pos
    for one in (whole, split):
        assert one.step_all(3) == [None] * 150
    np.testing.assert_array_equal(split.get_states(), whole.get_states())
    np.testing.assert_array_equal(split.xpos, whole.xpos)
    with pytest.raises(BatchTooLarge):
        GpuBatchSim(whole.model, 64 * gpu_buffers.MOST_CHUNKS + 64 * 64)


def test_humanoids_with_contact_fit(gpu, monkeypatch):
    """4096 of them, where a binding has no more than 128 MiB."""
    model = cf.load_model(find("humanoid"))
    monkeypatch.setitem(gpu.limits, "max-storage-buffer-binding-size", 128 * 2**20)
    rooms = trial_capacities(model, ENGINE)
    assert rooms["nconmax"] >= 8 and rooms["nefcmax"] >= 32
    program = Program(gpu, model, ENGINE, rooms)
    assert len(program.step_shaders) <= 40
    layout = program.layout
    assert 64 <= gpu_buffers.chunk_size(gpu, layout, 4096) < 4096
    assert 4 * (layout.lengths["d", True] + layout.lengths["d", False]) <= 100_000


def test_humanoids_fit(gpu):
    """4096 humanoids need less than 2 GB, and less than one binding of any adapter."""
    batch = GpuBatchSim(scene("humanoid_floating"), 1)
    assert 1000 < batch.bytes_per_world < 2e9 / 4096
    assert batch.bytes_per_world * 4096 <= 128 * 2**20


def test_negative_sizes(gpu, batch):
    """Counts below zero are refused."""
    with pytest.raises(ShapeError):
        GpuBatchSim(batch.model, -1)
    with pytest.raises(ValueError, match="nstep"):
        batch.step_all(-1)
