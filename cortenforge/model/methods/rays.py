"""Ray casting for users: arguments are checked, results are returned as named tuples.

Mirrors mj_ray and mj_multiRay; kernels are in `query.rays`.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cortenforge.errors import ArgumentError, ShapeError
from cortenforge.kernel.language.plain import PlainStruct, jit_is_off
from cortenforge.kernel.load.link import Call
from cortenforge.kernel.load.quick import quick_call
from cortenforge.model.access.views import object_id
from cortenforge.model.calls.linked_units import plain_model
from cortenforge.query.layout import RAY_STACK_SIZE, RAYS
from cortenforge.query.linkers import ray_linker
from cortenforge.query.rays import INVALID_RAY, NGROUP, cast_rays

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model
    from cortenforge.model.states.world_parameters import WorldModelBlock

#: largest distance of a hit; stands for a cutoff of infinity
MAX_RAY_LENGTH = 1e30
ALL_GROUPS = (1 << NGROUP) - 1
#: makes a named tuple in half the time
_new_tuple = tuple.__new__
#: filter of visible geoms: (groups as bits, 1 if static geoms are visible, excluded body or -1)
RayFilter = tuple[int, int, int]


class RayHit(NamedTuple):
    """The first hit of a ray.

    dist:   distance in lengths of `vec`; -1 without a hit.
    geomid: the geom; -1 without a hit.
    normal: outward normal of the surface, (0, 0, 0) without a hit; None if not requested.
    """

    dist: float
    geomid: int
    normal: np.ndarray | None


class RayHits(NamedTuple):
    """First hits of many rays: `dist` (n,), `geomid` (n,), `normal` (n, 3) or None."""

    dist: np.ndarray
    geomid: np.ndarray
    normal: np.ndarray | None


class RayArguments:
    """The block of arguments of the ray kernels: one word a field, for arrays kept here."""

    def __init__(self, data: Data, scratch: dict[str, Any], *, quick: bool) -> None:
        self._arrays: dict[str, Any] = {}
        self._words = np.zeros(RAYS.words, np.int64)
        self.call = Call(data._call.m, int(self._words.ctypes.data), 1)
        #: casts `call.count` rays and gives the geom of the first one, or NO_RAY
        self.cast: Callable[[], int]
        if jit_is_off():
            self.cast = partial(self._cast_plain, data.model, data._parameters)
        else:
            address = ctypes.addressof(self.call)
            entry = ray_linker().function(cast_rays)
            # a single ray takes less time than releasing the interpreter's lock
            self.cast = partial(entry, ctypes.c_int64(address))
            if quick:
                self.cast, self._held = quick_call(entry, address)
        self.set_words(geom_xpos=data.geom_xpos, geom_xmat=data.geom_xmat, **scratch)
        self.set_words(npnt=1, nnormal=0, groups=ALL_GROUPS, statics=1, excluded=-1)

    def set_words(self, **values: Any) -> None:
        """Set sizes and arrays for the next call."""
        self._arrays |= values
        for name, value in values.items():
            whole = not isinstance(value, np.ndarray)
            word = value if whole else value.__array_interface__["data"][0]
            self._words[RAYS.entries[name].word] = word

    def _cast_plain(self, model: Model, parameters: WorldModelBlock | None) -> int:
        """The kernel as a Python function."""
        rays = PlainStruct(RAYS, self._arrays)
        return int(cast_rays(plain_model(model, parameters), rays, self.call.count))


class RayCaster:
    """Casts rays in one world; keeps the memory that its kernels need."""

    def __init__(self, data: Data) -> None:
        #: one thread at a time, as for the world itself
        self._guard = data._guard
        count = max(1, data.model.ngeom)
        scratch: dict[str, Any] = {
            "wrong": np.zeros(1, np.int32),
            "ray_stack": np.zeros(RAY_STACK_SIZE, np.int32),
            "seen": np.zeros(count, np.int32),
            **{f"seen_{name}": np.zeros(count) for name in ("x", "y", "z", "square", "nearest")},
        }
        self._wrong = scratch["wrong"]
        self._many, self._single, self._plain = (
            RayArguments(data, scratch, quick=quick) for quick in (False, True, True)
        )
        numbers, self._dist, self._normal = np.zeros((2, 3)), np.zeros(1), np.zeros((1, 3))
        for block in (self._single, self._plain):
            block.set_words(pnt=numbers[:1], vec=numbers[1:], cutoff=np.full(1, MAX_RAY_LENGTH))
            block.set_words(dist=self._dist, geomid=np.zeros(1, np.int32), normal=self._normal)
        # memoryviews accept nothing but three reals, the fastest check there is
        self._pnt, self._vec = numbers[0].data, numbers[1].data
        self._last: tuple[RayFilter, bool] | None = None

    def _set_ray(self, pnt: Any, vec: Any) -> None:
        """Copy point and direction of a ray, given as any kind of sequence."""
        try:
            self._pnt[:] = pnt
            self._vec[:] = vec
        except (TypeError, ValueError):
            self._pnt[:] = real_vector("pnt", pnt).data
            self._vec[:] = real_vector("vec", vec).data

    def ray_method(self, model: Model) -> Callable[..., RayHit]:
        """`Data.ray` of one world, as a closure that looks nothing up."""
        own_pnt, own_vec, set_ray, cast_one = self._pnt, self._vec, self._set_ray, self.cast_one
        cast, dist = self._plain.cast, self._dist.item

        def ray(
            caster: RayCaster,
            pnt: Any,
            vec: Any,
            geomgroup: Any = None,
            flg_static: bool = True,
            bodyexclude: int | str = -1,
            normal: bool = False,
        ) -> RayHit:
            if geomgroup is not None or bodyexclude != -1 or normal or not flg_static:
                seen = ray_filter(model, geomgroup, flg_static, bodyexclude)
                return cast_one(pnt, vec, seen, normal)
            try:
                own_pnt[:] = pnt
                own_vec[:] = vec
            except (TypeError, ValueError):
                set_ray(pnt, vec)
            found = cast()
            if found == INVALID_RAY:
                raise ArgumentError(_bad_ray_message("", pnt, vec))
            return _new_tuple(RayHit, (dist(), found, None))

        return ray

    def cast_one(self, pnt: Any, vec: Any, seen: RayFilter, normal: bool) -> RayHit:
        """One ray."""
        self._set_ray(pnt, vec)
        # most calls are like the one before
        if (seen, normal) != self._last:
            self._single.set_words(**_filter_words(seen), nnormal=1 if normal else 0)
            self._last = seen, normal
        found = self._single.cast()
        if found == INVALID_RAY:
            raise ArgumentError(_bad_ray_message("", pnt, vec))
        surface = self._normal[0].copy() if normal else None
        return _new_tuple(RayHit, (self._dist.item(), found, surface))

    def cast_many(
        self, pnt: Any, vec: Any, seen: RayFilter | None, normal: bool, cutoff: float
    ) -> RayHits:
        """Many rays, from one point or each from its own."""
        ways = np.ascontiguousarray(real_array("vec", vec), np.float64)
        if ways.ndim != 2 or ways.shape[1] != 3:
            raise ShapeError(f"vec: expected an array (n, 3), got {ways.shape}")
        points = np.ascontiguousarray(real_array("pnt", pnt), np.float64)
        count = len(ways)
        if points.shape not in ((3,), (count, 3)):
            raise ShapeError(f"pnt: expected an array (3,) or ({count}, 3), got {points.shape}")
        if not cutoff > 0:
            raise ArgumentError(f"cutoff: expected a positive length, got {cutoff!r}")
        hits = RayHits(
            np.full(count, -1.0),
            np.full(count, -1, np.int32),
            np.zeros((count, 3)) if normal else None,
        )
        if not count:
            return hits
        self._many.set_words(
            **_filter_words(seen), npnt=points.size // 3, nnormal=count if normal else 0
        )
        self._many.set_words(
            pnt=points.reshape(-1, 3), vec=ways, dist=hits.dist, geomid=hits.geomid
        )
        if hits.normal is not None:
            self._many.set_words(normal=hits.normal)
        self._many.set_words(cutoff=np.full(1, min(cutoff, MAX_RAY_LENGTH)))
        self._many.call.count = count
        if self._many.cast() == INVALID_RAY:
            wrong = int(self._wrong[0])
            start = points if points.ndim == 1 else points[wrong]
            raise ArgumentError(_bad_ray_message(f"[{wrong}]", start, ways[wrong]))
        return hits


def _filter_words(seen: RayFilter | None) -> dict[str, int]:
    groups, statics, excluded = seen or (ALL_GROUPS, 1, -1)
    return {"groups": groups, "statics": statics, "excluded": excluded}


def real_vector(name: str, value: Any) -> np.ndarray:
    """A point or a direction as an array (3,)."""
    found = real_array(name, value)
    if found.shape != (3,):
        raise ShapeError(f"{name}: expected three numbers, got an array {found.shape}")
    return found.astype(np.float64)


def real_array(name: str, value: Any) -> np.ndarray:
    """Real numbers as an array of any shape."""
    found = value if type(value) is np.ndarray else np.asarray(value)
    if found.dtype.kind not in "fiu":
        raise ShapeError(f"{name}: expected real numbers, got {value!r}"[:300])
    return found


def _bad_ray_message(place: str, pnt: Any, vec: Any) -> str:
    start, way = (np.asarray(value, np.float64).tolist() for value in (pnt, vec))
    if all(map(math.isfinite, [*start, *way])):
        return f"vec{place} is {way}: the length of a direction must be between 1e-15 and 1e30"
    return f"ray{place} from {start} along {way}: all numbers must be finite"


def ray_filter(model: Model, geomgroup: Any, flg_static: bool, bodyexclude: int | str) -> RayFilter:
    """The filter of visible geoms from the arguments of `Data.ray`."""
    none = not isinstance(bodyexclude, str) and bodyexclude == -1
    excluded = -1 if none else object_id(model, "body", bodyexclude)
    groups = ALL_GROUPS
    if geomgroup is not None:
        listed = np.asarray(geomgroup)
        if listed.shape != (NGROUP,) or listed.dtype.kind not in "biu":
            raise ShapeError(f"geomgroup: expected {NGROUP} flags or None, got {geomgroup!r}"[:300])
        groups = sum(1 << k for k in range(NGROUP) if listed[k])
    return groups, 1 if flg_static else 0, excluded
