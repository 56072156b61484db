"""Candidate pairs of geoms by MuJoCo's filters: the list that the broad phase works on.

A pair of geoms of different weld bodies is a candidate if contype and conaffinity match, one of the
bodies can move, neither is the parent of the other (filterparent), and it is not excluded; pairs of
the description pass all filters.  See MuJoCo: Computation, "Collision detection", selection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import Disable, GeomType, SdfShape
from cortenforge.model.changes.bounding_radius import bounding_radius
from cortenforge.model.changes.distinct import distinct
from cortenforge.model.changes.static_geoms import build_static_tree, static_tree_geoms
from cortenforge.step.collision.convex.convex_pairs import convex_convex
from cortenforge.step.collision.families import FAMILY_KERNELS, FAMILY_OF, NEVER_COLLIDING
from cortenforge.step.collision.hfield.hfield_pairs import hfield_convex
from cortenforge.step.collision.sweep_and_prune import SPARE_WORDS, SPHERE_BLOCK

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: in place of a family: not supported; no contacts, as in MuJoCo
FAMILY_UNSUPPORTED, FAMILY_NONE = -1, -2


#: lists of at most so many candidates are tested one by one
SHORT_LIST = 100
#: the same where worlds run in lockstep
SHORT_LIST_IN_LANES = 20_000
#: up to so many geoms, all pairs are tested; more are sorted (sweep and prune)
MAX_UNSORTED = 64
#: fewest and most geoms of a sweep
MIN_SWEPT, MAX_SWEPT = SPHERE_BLOCK, 4000
#: a longer list is not made: it then has only pairs that the sweep does not find
LONGEST_LIST = 2_500_000
#: most geoms whose pair numbers, and bodies whose signatures, fit in 31 bits
MAX_UNLISTED = 1 << 15
MAX_PAIR_NUMBER = (1 << 31) - 1
#: bits of a word
WORD = 64
#: types whose shape is given by geom_size
PRIMITIVES = {
    GeomType.SPHERE,
    GeomType.CAPSULE,
    GeomType.ELLIPSOID,
    GeomType.CYLINDER,
    GeomType.BOX,
}
#: contact bits of geoms, and of bodies, which have the union of their geoms'
GEOM_MASKS = {"geom_contype", "geom_conaffinity"}
BODY_MASKS = {"body_contype", "body_conaffinity"}


@dataclass(frozen=True)
class Candidates:
    """Candidate pairs of geoms, in the order of their contacts.

    geom:   (n, 2) the geoms, the one of the lower type first.
    pair:   (n,) the pair of the description, or -1.
    family: (n,) index of the collision function, or MISSING.
    rest:   geoms whose pairs with each other are not listed, since they are too many.
    tree:   static geoms whose pairs with moving ones are found in a tree; none if they are few.
    """

    geom: np.ndarray
    pair: np.ndarray
    family: np.ndarray
    rest: np.ndarray
    tree: np.ndarray


def update_candidates(model: Model, changed: Collection[str] = ()) -> None:
    """Set all fields of candidate pairs; changed: names of watched fields that changed."""
    if GEOM_MASKS & set(changed) and not BODY_MASKS & set(changed):
        _update_body_masks(model)
    found = candidate_pairs(model)
    geoms, table, always = _sweep_tables(model, found)
    build_static_tree(model, found.tree)
    shift = (len(found.rest) - 1).bit_length() if len(found.rest) else 0
    put = model._store.assign
    put("unlisted_shift", shift)
    put("unlisted_stride", 1 << shift)
    marked = len(geoms) or model.callbacks.contactfilter is not None
    numbers = len(found.geom) + (len(found.rest) << shift)
    lengths = {
        "ncandidate": len(found.geom),
        "nswept": len(geoms),
        "nsweptpair": table.size,
        "nalways": len(always),
        "nnearword": -(-numbers // WORD) if marked else 0,
    }
    model._store.resize(lengths)
    model._drop_growing()
    # where numbers do not reach so far, the model is refused (`_too_many_pairs`)
    put("static_first", min(numbers, MAX_PAIR_NUMBER))
    put("swept_sorted", int(len(geoms) > MAX_UNSORTED or len(found.rest) > 0))
    many = len(found.geom) > SHORT_LIST_IN_LANES or len(found.rest) > 0
    put("swept_in_lanes", int(len(geoms) > 0 and many))
    put("swept_geom", geoms)
    put("always_candidate", always)
    put("candidate_at", table.ravel())
    put("type_family", _family_table())
    put("swept_word", _follower_bits(table, len(found.geom)) if not model.swept_sorted else 0)
    put("candidate_geom", found.geom)
    put("candidate_pair", found.pair)
    put("candidate_family", found.family)
    every = np.concatenate((found.family, *_unlisted_families(model, found)))
    known = distinct(every[every >= 0])
    put("families", int(np.bitwise_or.reduce(1 << known, initial=0)))
    unknown = np.count_nonzero(found.family == FAMILY_UNSUPPORTED)
    put("strangers", int(unknown) + int(_too_many_pairs(model)))


def has_candidates(model: Model) -> bool:
    """Whether there are candidate pairs of any kind."""
    return len(model.candidate_geom) > 0 or model.unlisted_shift > 0 or len(model.static_geom) > 0


def pair_number_count(model: Model) -> int:
    """How many numbers pairs can have: those of the list, and of unlisted pairs."""
    unlisted = len(model.swept_geom) * model.unlisted_stride if model.unlisted_shift else 0
    return len(model.candidate_geom) + unlisted


def pair_geoms(model: Model, rows: np.ndarray) -> np.ndarray:
    """Geoms (n, 2) of pairs by number, as in kernels (step/collision/candidates)."""
    count = len(model.candidate_geom)
    found = np.zeros((len(rows), 2), np.int32)
    listed = rows < count
    found[listed] = model.candidate_geom[rows[listed]]
    static = (rows >= model.static_first) & (len(model.static_geom) > 0)
    codes = rows[~listed & ~static] - count
    places = np.stack((codes >> model.unlisted_shift, codes & (model.unlisted_stride - 1)), axis=1)
    found[~listed & ~static] = _lower_type_first(model, model.swept_geom[places])
    codes = rows[static] - model.static_first
    moving = model.moving_geom[codes & (model.static_stride - 1)]
    others = model.static_geom[codes >> model.static_shift]
    pairs = np.sort(np.stack((moving, others), axis=1), axis=1)
    found[static] = _lower_type_first(model, pairs)
    return found


def pair_families(model: Model, rows: np.ndarray) -> np.ndarray:
    """Families (n,) of pairs by number."""
    kinds = model.geom_type[pair_geoms(model, rows)]
    found: np.ndarray = model.type_family[kinds[:, 0], kinds[:, 1]]
    listed = rows < len(model.candidate_geom)
    found[listed] = model.candidate_family[rows[listed]]
    return found


def unlisted_pairs(model: Model) -> Iterator[np.ndarray]:
    """Candidate pairs (n, 2) that are not listed, one geom after another."""
    listed = np.stack((model.pair_geom1, model.pair_geom2), axis=1)
    swept = model.swept_geom if model.unlisted_shift else model.swept_geom[:0]
    others = [(geom, swept[n + 1 :]) for n, geom in enumerate(swept.tolist())]
    others += [(geom, model.static_geom) for geom in model.moving_geom.tolist()]
    for geom, partners in others:
        found = _without_listed(_pairs_with_geom(model, geom, partners), listed, model.ngeom)
        yield _lower_type_first(model, np.sort(found, axis=1))


def _sweep_tables(model: Model, found: Candidates) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(geoms of the sweep, table of the candidate of each two of them, candidates without sweep).

    All empty for a list that is short or of few geoms. Unlisted pairs have no table.
    """
    none = np.zeros(0, np.int32)
    if len(found.rest):
        return found.rest, np.zeros((0, 0), np.int32), np.arange(len(found.geom), dtype=np.int32)
    always = (found.pair >= 0) | np.any(model.geom_type[found.geom] == GeomType.PLANE, axis=1)
    geoms = distinct(found.geom[~always]).astype(np.int32)
    if len(found.geom) <= SHORT_LIST or not MIN_SWEPT <= len(geoms) <= MAX_SWEPT:
        return none, np.zeros((0, 0), np.int32), none
    # pairs that cannot touch are marked beyond the last word, here and there: a processor waits if
    # it has to write the same word again and again
    place = np.arange(len(geoms))
    beyond = -(-len(found.geom) // WORD) + (place + place[:, None]) % SPARE_WORDS
    table = (WORD * beyond).astype(np.int32)
    number = np.zeros(model.ngeom, np.int32)
    number[geoms] = place
    rows = np.flatnonzero(~always)
    one, other = number[found.geom[rows]].T
    table[one, other] = table[other, one] = rows
    return geoms, table, np.flatnonzero(always).astype(np.int32)


def _follower_bits(table: np.ndarray, count: int) -> np.ndarray:
    """For each geom of the sweep, the later ones with which it is a candidate pair, as bits."""
    can_touch = np.triu(table < count, 1)
    found: np.ndarray = can_touch @ (np.uint64(1) << np.arange(len(table), dtype=np.uint64))
    return found.astype(np.int64)


def update_bounding_radii(model: Model, before: np.ndarray) -> None:
    """Set geom_rbound of primitives whose size changed, as `set_const` does."""
    for g in np.flatnonzero(np.any(model.geom_size != before, axis=1)).tolist():
        if GeomType(model.geom_type[g]) in PRIMITIVES:
            model.geom_rbound[g] = bounding_radius(model.geom_type[g], model.geom_size[g])


def _update_body_masks(model: Model) -> None:
    """Set contact bits of bodies to the union of their geoms', as `set_const` does."""
    for body, geom in zip(sorted(BODY_MASKS), sorted(GEOM_MASKS), strict=True):
        total = np.zeros_like(getattr(model, body))
        np.bitwise_or.at(total, model.geom_bodyid, getattr(model, geom))
        getattr(model, body)[:] = total


def candidate_pairs(model: Model) -> Candidates:
    """All pairs that pass the filters, and the pairs of the description."""
    free = np.zeros((0, 2), np.int32)
    listed, rest, tree = free, np.zeros(0, np.int32), np.zeros(0, np.int32)
    if not Disable(model.opt.disableflags) & (Disable.CONTACT | Disable.CONSTRAINT):
        listed = np.stack((model.pair_geom1, model.pair_geom2), axis=1)
        tree = static_tree_geoms(model)
        tree = tree[~_is_empty_sdf(model)[tree]]
        free, rest = _filtered_pairs(model, tree)
        free = _without_listed(free, listed, model.ngeom)
    geom = np.concatenate((listed, free))
    pair = np.concatenate((np.arange(len(listed)), np.full(len(free), -1)))
    swapped = _lower_type_first(model, geom)
    kinds = model.geom_type[swapped]
    family = _family_table()[kinds[:, 0], kinds[:, 1]]
    _set_sdf_families(model, swapped, family)
    order = _contact_order(model, geom, swapped, pair)
    order = order[family[order] != FAMILY_NONE]
    return Candidates(swapped[order], pair[order], family[order], rest, tree)


def _lower_type_first(model: Model, geom: np.ndarray) -> np.ndarray:
    """Pairs (n, 2) with the geom of the lower type first."""
    kinds = model.geom_type[geom]
    return np.where((kinds[:, 0] > kinds[:, 1])[:, None], geom[:, ::-1], geom)


def _set_sdf_families(model: Model, geom: np.ndarray, family: np.ndarray) -> None:
    """Set families of geoms of type sdf: none without a field; meshes on planes as hulls."""
    family[np.any(_is_empty_sdf(model)[geom], axis=1)] = FAMILY_NONE
    hull = (model.geom_type == GeomType.SDF) & (model.geom_sdf == SdfShape.MESH)
    on_plane = (model.geom_type[geom[:, 0]] == GeomType.PLANE) & hull[geom[:, 1]]
    family[on_plane] = FAMILY_OF[GeomType.PLANE, GeomType.MESH]


def _is_empty_sdf(model: Model) -> np.ndarray:
    """Mask (ngeom,) of geoms of type sdf without a distance function."""
    found: np.ndarray = (model.geom_type == GeomType.SDF) & (model.geom_sdf == SdfShape.NONE)
    return found


def _family_table() -> np.ndarray:
    """Table (types, types) of families."""
    count = len(GeomType)
    known = np.full((count, count), FAMILY_UNSUPPORTED, np.int32)
    for types, family in FAMILY_OF.items():
        known[types] = family
    for types in NEVER_COLLIDING:
        known[types] = FAMILY_NONE
    return known


def _unlisted_families(model: Model, found: Candidates) -> list[np.ndarray]:
    """Families of unlisted pairs, by the types of their geoms."""
    kinds = distinct(model.geom_type[found.rest])
    tabled = [_family_table()[np.ix_(kinds, kinds)].ravel()]
    if len(found.tree):
        solid = (model.geom_contype | model.geom_conaffinity) != 0
        solid &= model.body_weldid[model.geom_bodyid] != 0
        moving, static = distinct(model.geom_type[solid]), distinct(model.geom_type[found.tree])
        one, other = (grid.ravel() for grid in np.meshgrid(moving, static))
        tabled.append(_family_table()[np.minimum(one, other), np.maximum(one, other)])
    return tabled


def _without_listed(pairs: np.ndarray, listed: np.ndarray, ngeom: int) -> np.ndarray:
    """Pairs without those of a list, in either order."""
    codes = np.sort(pairs, axis=1).astype(np.int64) @ (ngeom, 1)
    others = np.sort(listed, axis=1).astype(np.int64) @ (ngeom, 1)
    found: np.ndarray = pairs[~np.isin(codes, others)]
    return found


def _contact_order(
    model: Model, geom: np.ndarray, swapped: np.ndarray, pair: np.ndarray
) -> np.ndarray:
    """The order of contacts: by bodies, pairs of the description first, then by geoms.

    Pairs of bodies for which MuJoCo runs its midphase (bounding volume trees) are in order of the
    first geom of a contact, which is the one of the lower type; others in order of bodies.
    """
    body = np.sort(model.geom_bodyid[geom], axis=1).astype(np.int64)
    count = np.bincount(model.geom_bodyid, minlength=model.nbody)
    by_tree = np.any(count[body] > 1, axis=1) & np.all(model.body_bvhadr[body] >= 0, axis=1)
    if Disable(model.opt.disableflags) & Disable.MIDPHASE:
        by_tree = np.zeros(len(geom), bool)
    keys = np.where(by_tree.reshape(-1, 1), swapped, geom)
    is_listed = pair >= 0
    first = np.where(is_listed, pair, keys[:, 0])
    second = np.where(is_listed, 0, keys[:, 1])
    found: np.ndarray = np.lexsort((second, first, ~is_listed, body[:, 1], body[:, 0]))
    return found


def _filtered_pairs(model: Model, tree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(pairs that pass all filters, the lower id first; no geoms).

    If there are too many: (pairs with planes, geoms of all others). Geoms of the tree are left
    out.
    """
    is_solid = (model.geom_contype | model.geom_conaffinity) != 0
    is_solid[tree] = False
    solid = np.flatnonzero(is_solid).astype(np.int32)
    # two geoms welded to the world do not collide
    fixed = model.body_weldid[model.geom_bodyid[solid]] == 0
    moving, fixed = solid[~fixed], solid[fixed]
    found = [np.zeros((0, 2), np.int32)]
    length = 0
    for n, geom in enumerate(moving):
        found.append(_pairs_with_geom(model, int(geom), moving[n + 1 :]))
        found.append(_pairs_with_geom(model, int(geom), fixed))
        length += len(found[-1]) + len(found[-2])
        if length > LONGEST_LIST:
            endless = model.geom_type[solid] == GeomType.PLANE
            planes, rest = solid[endless], solid[~endless]
            pairs = [_pairs_with_geom(model, int(plane), rest) for plane in planes]
            return np.sort(np.concatenate((found[0], *pairs)), axis=1), rest[
                ~_is_empty_sdf(model)[rest]
            ]
    return np.sort(np.concatenate(found), axis=1), np.zeros(0, np.int32)


def _pairs_with_geom(model: Model, geom: int, others: np.ndarray) -> np.ndarray:
    """Pairs (n, 2) of a geom with those of others that pass the filters."""
    hits = others[_passes_filters(model, geom, others)]
    return np.stack((np.full_like(hits, geom), hits), axis=1)


def _passes_filters(model: Model, geom: int, others: np.ndarray) -> np.ndarray:
    """Mask (n,) of others whose pair with a geom passes all filters."""
    bodyid, weld = model.geom_bodyid, model.body_weldid
    a, b = bodyid[geom], bodyid[others]
    touch = _masks_match(model.geom_contype, model.geom_conaffinity, geom, others)
    touch &= _masks_match(model.body_contype, model.body_conaffinity, a, b)
    apart = weld[b] != weld[a]
    moving = (model.body_dofnum[weld[a]] > 0) | (model.body_dofnum[weld[b]] > 0)
    near = np.zeros(len(others), bool)
    if not Disable(model.opt.disableflags) & Disable.FILTERPARENT:
        # a child of the world is not its relative: floors are made of world geoms
        parent_weld = weld[model.body_parentid[weld]]
        near = (weld[a] != 0) & (weld[b] != 0)
        near &= (weld[a] == parent_weld[b]) | (weld[b] == parent_weld[a])
    # signatures are 32-bit numbers, also those of many bodies
    first, second = np.minimum(a, b).astype(np.int64), np.maximum(a, b).astype(np.int64)
    signature = ((first << 16) + second).astype(np.int32)
    found: np.ndarray = (
        touch & apart & moving & ~near & ~np.isin(signature, model.exclude_signature)
    )
    return found


def _masks_match(
    contype: np.ndarray, conaffinity: np.ndarray, one: int, others: np.ndarray
) -> np.ndarray:
    """Mask (n,): contype of one and conaffinity of the other have a common bit."""
    bits = (contype[one] & conaffinity[others]) | (contype[others] & conaffinity[one])
    found: np.ndarray = bits != 0
    return found


def _too_many_pairs(model: Model) -> bool:
    """Whether numbers of unlisted pairs, or signatures of excludes, exceed 31 bits."""
    unlisted = model.unlisted_shift > 0
    many = unlisted and len(model.swept_geom) > MAX_UNLISTED
    many |= (
        pair_number_count(model) + len(model.static_geom) * model.static_stride > MAX_PAIR_NUMBER
    )
    excluding = len(model.exclude_signature) > 0 and model.nbody > MAX_UNLISTED
    return many or (excluding and (unlisted or len(model.static_geom) > 0))


def uses_libccd_flag(model: Model) -> bool:
    """Whether MuJoCo would use libccd for convex pairs, by the flag nativeccd."""
    convex = any(
        model.families >> FAMILY_KERNELS.index(unit) & 1 for unit in (convex_convex, hfield_convex)
    )
    return bool(convex and Disable(model.opt.disableflags) & Disable.NATIVECCD)


def unsupported_pairs(model: Model) -> list[str]:
    """Types of candidate pairs without a collision function, each with an example."""
    rows = np.flatnonzero(model.candidate_family == FAMILY_UNSUPPORTED)
    geoms = model.candidate_geom[rows]
    kinds = model.geom_type[geoms]
    sentences = []
    for one, other in sorted({(a, b) for a, b in kinds.tolist()}):
        same = geoms[(kinds == (one, other)).all(axis=1)]
        names = [model.name_of("geom", g) or f"#{g}" for g in same[0].tolist()]
        more = f" and {len(same) - 1} more" if len(same) > 1 else ""
        kind = "-".join(GeomType(number).name.lower() for number in (one, other))
        sentences.append(f"{kind}: {' with '.join(names)}{more}")
    if _too_many_pairs(model):
        sentences.append(
            f"more than {MAX_UNLISTED:,} geoms, or bodies with excludes, with more than "
            f"{LONGEST_LIST:,} candidate pairs"
        )
    return sentences
