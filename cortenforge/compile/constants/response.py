"""Accelerations of joints from joint forces, in the reference position.

A force on some dofs is felt by the bodies between them and the root only; what moves beyond
those follows the motion of the body it hangs on, and its share is a quadratic form of that
motion.  So a row of forces costs as much as its way to the root, in however large a tree.

In extended precision, as `articulated`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from cortenforge.compile.constants.articulated import Step, outer

Arrays = dict[str, np.ndarray]
Row = tuple[np.ndarray, np.ndarray]
# bodies on the ways of all rows that are solved for at once
BLOCK = 100_000


class Response:
    """M^-1 of every kinematic tree: motions of dofs, forces and inverse inertias they meet."""

    def __init__(
        self,
        arrays: Arrays,
        steps: list[Step],
        motion: np.ndarray,
        force: np.ndarray,
        inverse: np.ndarray,
    ) -> None:
        self.arrays, self.steps = arrays, steps
        self.motion, self.force, self.inverse = motion, force, inverse
        self.depth = _depths(arrays["body_parentid"])

    def of(self, rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
        """For sparse rows J (dofs, values): norm of M^-1 J, and J M^-1 J."""
        square, product = np.zeros(len(rows)), np.zeros(len(rows))
        for start, end in self._blocks(rows):
            found = _Ways(self, rows[start:end]).solve()
            square[start:end], product[start:end] = found
        return np.sqrt(np.maximum(square, 0)), product

    def _blocks(self, rows: list[Row]) -> Iterator[tuple[int, int]]:
        """Runs of rows whose ways to the root are not too many bodies together."""
        start, size = 0, 0
        for i, (dofs, _) in enumerate(rows):
            size += int(self.depth[self.arrays["dof_bodyid"][dofs]].sum())
            if size > BLOCK:
                yield start, i + 1
                start, size = i + 1, 0
        yield start, len(rows)

    @cached_property
    def following(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each body: sum of squares of the accelerations of its dofs and of all below it.

        As quadratic forms of the acceleration of its parent, and the sum over its children.
        """
        own = np.zeros((len(self.depth), 6, 6), self.motion.dtype)
        below = np.zeros_like(own)
        for bodies, dofs in reversed(self.steps):
            if dofs is None:
                parents, runs = np.unique(self.arrays["body_parentid"][bodies], return_index=True)
                below[parents] = np.add.reduceat(own[bodies], runs, axis=0)
                own[parents] = below[parents]
                continue
            form, along = own[bodies], self.motion[dofs]
            gain = self.force[dofs] * self.inverse[dofs, None]
            turned = np.einsum("bij,bj->bi", form, along)
            mixed = outer(gain, turned)
            scale = 1 + np.einsum("bi,bi->b", along, turned)
            form = form - mixed - np.swapaxes(mixed, 1, 2)
            own[bodies] = form + outer(gain, gain * scale[:, None])
        return own, below


class _Level:
    """Pairs of a row and a body on its way, all of one depth; `parent` are places above."""

    def __init__(self, keys: np.ndarray, count: int, arrays: Arrays, dtype: np.dtype) -> None:
        self.keys = keys
        self.row, self.body = np.divmod(keys, count)
        self.parent = np.zeros(0, int)
        self.dofnum = arrays["body_dofnum"][self.body]
        self.dofadr = arrays["body_dofadr"][self.body]
        # joint forces, and later what is left of them when the bodies below have taken theirs
        self.left = np.zeros((len(keys), int(self.dofnum.max(initial=0))), dtype)
        self.spatial = np.zeros((len(keys), 6), dtype)

    def dofs(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """First dofs, second dofs, ... : which, places of pairs that have one, the dofs."""
        for k in range(self.left.shape[1]):
            places = np.flatnonzero(self.dofnum > k)
            yield k, places, self.dofadr[places] + k


class _Ways:
    """Ways of some rows from their dofs to the root, level by level."""

    def __init__(self, response: Response, rows: list[Row]) -> None:
        self.response, self.count = response, len(rows)
        arrays, nbody = response.arrays, len(response.depth)
        number = np.repeat(np.arange(len(rows)), [len(dofs) for dofs, _ in rows])
        dofs = np.concatenate([np.zeros(0, int), *(dofs for dofs, _ in rows)])
        values = np.concatenate([np.zeros(0), *(values for _, values in rows)])
        bodies = arrays["dof_bodyid"][dofs]
        entries = number * nbody + bodies
        depth = response.depth[bodies]
        self.levels: list[_Level] = []
        above = np.zeros(0, int)
        for level in range(int(depth.max(initial=0)), 0, -1):
            keys = np.unique(np.concatenate((entries[depth == level], above)))
            one = _Level(keys, nbody, arrays, response.motion.dtype)
            here = np.flatnonzero(depth == level)
            places = np.searchsorted(keys, entries[here])
            one.left[places, dofs[here] - one.dofadr[places]] = values[here]
            above = one.row * nbody + arrays["body_parentid"][one.body]
            self.levels.append(one)
        for lower, upper in zip(self.levels, self.levels[1:], strict=False):
            wanted = lower.row * nbody + arrays["body_parentid"][lower.body]
            lower.parent = np.searchsorted(upper.keys, wanted)

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """Squared norm of M^-1 J, and J M^-1 J, of each row."""
        product = np.zeros(self.count, self.response.motion.dtype)
        for i, level in enumerate(self.levels):
            self._push(level, product)
            if i + 1 < len(self.levels):
                np.add.at(self.levels[i + 1].spatial, level.parent, level.spatial)
        square = np.zeros_like(product)
        for i in range(len(self.levels) - 1, -1, -1):
            level = self.levels[i]
            top = i + 1 == len(self.levels)
            motion = 0 * level.spatial if top else self.levels[i + 1].spatial[level.parent]
            level.spatial = self._move(level, motion, square)
        return square, product

    def _push(self, level: _Level, product: np.ndarray) -> None:
        """Forces on the bodies of a level: joints take their part, the rest goes on inwards."""
        response, push = self.response, level.spatial
        for k, places, dofs in reversed(list(level.dofs())):
            inverse = response.inverse[dofs]
            left = level.left[places, k]
            left = left - np.einsum("pi,pi->p", push[places], response.motion[dofs])
            push[places] += (left * inverse)[:, None] * response.force[dofs]
            level.left[places, k] = left
            _tally(product, level.row[places], left * left * inverse)

    def _move(self, level: _Level, motion: np.ndarray, square: np.ndarray) -> np.ndarray:
        """Accelerations of the bodies of a level, and of all that follows them."""
        response, (own, below) = self.response, self.response.following
        # counted with the parent's followers, though it does not only follow
        _tally(square, level.row, -_form(own[level.body], motion))
        for k, places, dofs in level.dofs():
            felt = np.einsum("pi,pi->p", motion[places], response.force[dofs])
            result = response.inverse[dofs] * (level.left[places, k] - felt)
            motion[places] += result[:, None] * response.motion[dofs]
            _tally(square, level.row[places], result * result)
        _tally(square, level.row, _form(below[level.body], motion))
        return motion


def _tally(total: np.ndarray, row: np.ndarray, values: np.ndarray) -> None:
    # in the precision of the values: what is taken away again must leave nothing behind
    np.add.at(total, row, values)


def _form(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Quadratic forms of vectors, one by one."""
    forms: np.ndarray = np.einsum("pi,pi->p", vectors, np.einsum("pij,pj->pi", matrices, vectors))
    return forms


def _depths(parentid: np.ndarray) -> np.ndarray:
    """How many bodies stand between each body and the world, itself counted."""
    depth = np.zeros(len(parentid), int)
    for body, parent in enumerate(parentid.tolist()):
        if body:
            depth[body] = depth[parent] + 1
    return depth


class DenseResponse:
    """The same from inverse matrices, one a tree, where tendons have inertia."""

    def __init__(self, arrays: Arrays, motion: np.ndarray, inverses: list[np.ndarray]) -> None:
        self.arrays, self.motion, self.inverses = arrays, motion, inverses

    def of(self, rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
        """For sparse rows J (dofs, values): norm of M^-1 J, and J M^-1 J."""
        square, product = np.zeros(len(rows)), np.zeros(len(rows))
        for i, (dofs, values) in enumerate(rows):
            treeid = self.arrays["dof_treeid"][dofs]
            for tree in np.unique(treeid).tolist():
                inside = treeid == tree
                places = dofs[inside] - int(self.arrays["tree_dofadr"][tree])
                response = self.inverses[tree][:, places] @ values[inside]
                square[i] += response @ response
                product[i] += response[places] @ values[inside]
        return np.sqrt(square), product
