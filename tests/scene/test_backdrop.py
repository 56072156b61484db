"""Sky and light of models that have none."""

from __future__ import annotations

import numpy as np
import pytest

import cortenforge as cf

from ..render.scenes import BALL, world_of

LIGHT = '<light pos="0 -2 3" dir="0 .5 -1"/>'
SKY = '<asset><texture type="skybox" builtin="flat" rgb1=".2 .3 .6" width="8" height="8"/></asset>'
ABOVE = cf.Camera(lookat=(0, 0, -0.5), distance=4, azimuth=90, elevation=-35)


def drawn(source: str, backdrop: str, camera: object = "front", **shown: object) -> np.ndarray:
    _, data = world_of(source)
    return data.render(camera, width=120, height=90, backdrop=backdrop, **shown).astype(float)


def with_light(source: str) -> str:
    return source.replace("<worldbody>", f"<worldbody>{LIGHT}")


def with_sky(source: str) -> str:
    return source.replace("<worldbody>", f"{SKY}<worldbody>")


def test_a_scene_without_light_and_sky_is_bright() -> None:
    """By default; what the model says is mostly black. Nothing is so bright that it is white."""
    _, data = world_of(BALL)
    pixels = data.render("front", width=120, height=90).astype(float)
    assert pixels.mean() > 140 > 80 > drawn(BALL, "model").mean()
    white_floor = BALL.replace('type="plane"', 'type="plane" rgba=".8 .8 .8 1"')
    seen = drawn(white_floor, "auto", ABOVE)
    assert 150 < seen[60:].mean() < 240


def test_the_sky_gets_darker_upwards() -> None:
    """From a light horizon to a blue zenith, seen from a floor that ends."""
    up = cf.Camera(lookat=(0, 0, 8), distance=0.1, azimuth=90, elevation=80)
    level = cf.Camera(lookat=(0, 0, 8), distance=0.1, azimuth=90, elevation=0)
    zenith, horizon = (drawn(BALL, "auto", c)[45, 60] for c in (up, level))
    assert (horizon > zenith).all() and zenith[2] > zenith[0] + 30 and horizon.min() > 220


def test_its_light_casts_a_shadow() -> None:
    lit, bare = (drawn(BALL, "auto", ABOVE, shadow=s).sum(2) for s in (True, False))
    darker = np.argwhere(lit < bare - 60)
    # the light comes from the left, the camera's side and above
    assert 50 < len(darker) < 3000 and darker[:, 1].mean() > 62


@pytest.mark.parametrize("mode", ["rgb", "depth", "segmentation"])
def test_a_model_with_light_and_sky_is_drawn_as_it_says(mode: str) -> None:
    whole = with_light(with_sky(BALL))
    assert (drawn(whole, "auto", mode=mode) == drawn(whole, "model", mode=mode)).all()


def test_what_the_model_has_is_kept() -> None:
    """A model with a sky gets light only; one with a light, a sky only."""
    blue = drawn(with_sky(BALL), "auto")[0, 0]
    assert (blue == drawn(with_sky(BALL), "model")[0, 0]).all() and blue[2] == 153
    lit = with_light(BALL)
    # from above there is floor all around, and nothing so far away that a sky hides it
    assert (drawn(lit, "auto", "above") == drawn(lit, "model", "above")).all()
    assert (drawn(BALL, "auto", "above") != drawn(BALL, "model", "above")).any()
    assert (drawn(lit, "auto")[0, 0] > 200).all() and (drawn(lit, "model")[0, 0] == 0).all()


def test_batches_have_the_same_backdrop() -> None:
    model, data = world_of(BALL)
    pictures = cf.BatchSim(model, 2).render("front", width=40, height=30)
    assert (pictures == data.render("front", width=40, height=30)).all()
    plain = cf.BatchSim(model, 2).render("front", width=40, height=30, backdrop="model")
    assert plain.mean() < pictures.mean() - 50


@pytest.mark.parametrize("wrong", ["sky", None, True, "Auto", 3])
def test_other_backdrops_are_refused(wrong: object) -> None:
    _, data = world_of(BALL)
    with pytest.raises(cf.ArgumentError, match=r"options\.backdrop: expected one of auto, model"):
        data.render("front", width=10, height=10, backdrop=wrong)
