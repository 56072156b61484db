"""Pictures by one call: of one world, and of all worlds of a batch."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from cortenforge.batch.internals import world_of
from cortenforge.errors import ArgumentError
from cortenforge.model.calls.threads import ThreadPool
from cortenforge.render.renderer import Renderer
from cortenforge.scene.camera import CameraLike
from cortenforge.scene.options import UNSUPPORTED_FLAGS, RenderOptions

if TYPE_CHECKING:
    from cortenforge.batch.worlds import Worlds
    from cortenforge.model import Data, Model

#: fields of the model that pictures depend on, and that may differ between worlds
DRAWN_FIELDS = {"geom_size", "site_size", "cam_fovy", "tendon_width", "stat_extent", "stat_center"}


class CachedRenderers(threading.local):
    """Renderers of each model, kept by each thread for further pictures of the same size."""

    def __init__(self) -> None:
        self.renderers: WeakKeyDictionary[Model, list[Renderer]] = WeakKeyDictionary()


_cached = CachedRenderers()


def render_world(
    data: Data, *, width: int, height: int, camera: CameraLike, mode: str, shown: dict[str, Any]
) -> np.ndarray:
    """A picture of one world."""
    (renderer,) = _renderers(data.model, width, height, shown, 1)
    return renderer.render(data, camera, mode=mode)


def render_batch(
    worlds: Worlds, *, camera: CameraLike, width: int, height: int, mode: str, shown: dict[str, Any]
) -> np.ndarray:
    """Pictures of all worlds of a batch, shared between its threads."""
    threads = max(1, min(int(getattr(worlds, "threads", 1)), worlds.n))
    renderers = _renderers(worlds.model, width, height, shown, threads)
    # where worlds have parameters of their own, each is drawn as a Data of its own
    differ = getattr(worlds, "parameters", None) or {}
    for name in DRAWN_FIELDS & set(differ):
        raise ArgumentError(f"worlds have their own {name}: pictures do not support it yet")
    one = renderers[0].empty(mode)
    out = np.empty((worlds.n, *one.shape), one.dtype)

    states = worlds.get_states() if not differ else None

    def some(k: int) -> None:
        world = worlds.model.make_data()
        for i in range(k, worlds.n, threads):
            if states is None:
                world = world_of(worlds, i).copy()
            else:
                world.set_state(states[i])
            world.forward()
            renderers[k].render(world, camera, mode=mode, out=out[i])

    ThreadPool(threads).each([functools.partial(some, k) for k in range(threads)])
    return out


def _renderers(
    model: Model, width: int, height: int, shown: dict[str, Any], count: int
) -> list[Renderer]:
    """`count` renderers of a model; those of the last call, if the size is the same."""
    options = options_from_keywords(shown)
    kept = _cached.renderers.setdefault(model, [])
    if not kept or (kept[0].width, kept[0].height) != (width, height):
        kept[:] = []
    while len(kept) < count:
        kept.append(Renderer(model, width=width, height=height))
    for renderer in kept:
        renderer.options = options
    return kept[:count]


def options_from_keywords(shown: dict[str, Any]) -> RenderOptions:
    """RenderOptions from keywords.  Raises ArgumentError for names that are no options.

    Values are checked by the renderer.
    """
    known = RenderOptions.__dataclass_fields__
    for name in shown:
        if name in UNSUPPORTED_FLAGS:
            raise ArgumentError(f"{name}: no option of a picture: {UNSUPPORTED_FLAGS[name]}")
        if name not in known:
            raise ArgumentError(f"{name}: no option of a picture; see RenderOptions")
    return RenderOptions(**shown)
