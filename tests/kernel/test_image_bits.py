"""Trajectories under shipped images, where `python -m cortenforge.ship` has made them."""

from __future__ import annotations

import sys

import pytest

from conformance.image_bits import compare, shipped_here


@pytest.mark.parametrize("target", shipped_here() or [None])
def test_images_have_the_bits_of_own_code(target: str | None) -> None:
    """Six models, one world and lanes: the same bits for any processor."""
    if target is None:
        pytest.skip("there are no images: run python -m cortenforge.ship to make them")
    assert compare(target, [sys.executable], steps=20, worlds=9) == []
