"""Accelerations of joints from joint forces, in the reference position.

The passes of the articulated-body recursion go through a tree by levels, so that wide trees take
few steps, and through many forces in blocks, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Arrays = dict[str, np.ndarray]
Row = tuple[np.ndarray, np.ndarray]
# numbers that one block of forces may have, and how many keep extended precision
BLOCK = 300_000
PRECISE = 1_000_000


class Response:
    """M^-1 of every kinematic tree: motions of dofs, forces and inverse inertias they meet."""

    def __init__(
        self, arrays: Arrays, motion: np.ndarray, force: np.ndarray, inverse: np.ndarray
    ) -> None:
        self.arrays, self.motion, self.force, self.inverse = arrays, motion, force, inverse

    def of(self, rows: list[Row]) -> tuple[np.ndarray, np.ndarray]:
        """For sparse rows J (dofs, values): norm of M^-1 J, and J M^-1 J."""
        square, product = np.zeros(len(rows)), np.zeros(len(rows))
        treeid = self.arrays["dof_treeid"]
        members: dict[int, list[int]] = {}
        for i, (dofs, _) in enumerate(rows):
            for tree in np.unique(treeid[dofs]).tolist():
                members.setdefault(tree, []).append(i)
        for tree, chosen in members.items():
            levels = _Levels(self.arrays, tree)
            for block in _blocks(chosen, levels.bodies):
                dense = np.zeros((len(block), levels.dofs))
                for at, i in enumerate(block):
                    dofs, values = rows[i]
                    inside = treeid[dofs] == tree
                    dense[at, dofs[inside] - levels.first] = values[inside]
                precise = len(chosen) * levels.bodies <= PRECISE
                response = self._solve(levels, dense, self.motion.dtype if precise else float)
                square[block] += np.einsum("ij,ij->i", response, response).astype(float)
                product[block] += np.einsum("ij,ij->i", response, dense).astype(float)
        return np.sqrt(square), product

    def _solve(self, levels: _Levels, forces: np.ndarray, kind: type | np.dtype) -> np.ndarray:
        """Rows of M^-1 applied to rows of joint forces of one tree."""
        part = slice(levels.first, levels.first + levels.dofs)
        motion, force = self.motion[part].astype(kind), self.force[part].astype(kind)
        inverse = self.inverse[part].astype(kind)
        left = forces.astype(kind)
        push = np.zeros((len(forces), levels.bodies, 6), kind)
        for bodies, dofs in reversed(levels.steps):
            if dofs is None:
                # siblings stand together, so a parent's children are a run of the level
                parents, runs = np.unique(levels.parent[bodies], return_index=True)
                push[:, parents] += np.add.reduceat(push[:, bodies], runs, axis=1)
                continue
            left[:, dofs] -= np.einsum("rbi,bi->rb", push[:, bodies], motion[dofs])
            push[:, bodies] += (left[:, dofs] * inverse[dofs])[:, :, None] * force[dofs]
        result = np.zeros_like(left)
        moved = np.zeros_like(push)
        for bodies, dofs in levels.steps:
            if dofs is None:
                moved[:, bodies] = moved[:, levels.parent[bodies]]
                continue
            felt = np.einsum("rbi,bi->rb", moved[:, bodies], force[dofs])
            result[:, dofs] = inverse[dofs] * (left[:, dofs] - felt)
            # what hangs on a body, or its next dof, asks for its motion; at a leaf nobody does
            onward = levels.asked[dofs]
            through = dofs[onward]
            moved[:, bodies[onward]] += result[:, through][:, :, None] * motion[through]
        return result


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


class _Levels:
    """One tree from its root outwards; bodies and dofs are numbered from the tree's first.

    A step is a set of bodies at one depth: those that follow their parents (no dofs), then those
    that have a first dof, a second dof, ...
    """

    def __init__(self, arrays: Arrays, tree: int) -> None:
        start, self.bodies = int(arrays["tree_bodyadr"][tree]), int(arrays["tree_bodynum"][tree])
        self.first, self.dofs = int(arrays["tree_dofadr"][tree]), int(arrays["tree_dofnum"][tree])
        members = np.arange(start, start + self.bodies)
        self.parent = arrays["body_parentid"][members] - start
        number, address = arrays["body_dofnum"][members], arrays["body_dofadr"][members]
        depth = np.zeros(self.bodies, int)
        for body, parent in enumerate(self.parent.tolist()):
            if parent >= 0:
                depth[body] = depth[parent] + 1
        # dofs after which somebody still asks for the body's motion: not the last one of a leaf
        self.asked = np.ones(self.dofs, bool)
        leaves = np.setdiff1d(np.flatnonzero(number > 0), self.parent)
        self.asked[address[leaves] + number[leaves] - 1 - self.first] = False
        self.steps: list[tuple[np.ndarray, np.ndarray | None]] = []
        for level in range(int(depth.max()) + 1):
            bodies = np.flatnonzero(depth == level)
            if level:
                self.steps.append((bodies, None))
            for k in range(int(number[bodies].max())):
                having = bodies[number[bodies] > k]
                self.steps.append((having, address[having] + k - self.first))


def _blocks(chosen: list[int], bodies: int) -> Iterator[np.ndarray]:
    size = max(1, BLOCK // max(1, bodies))
    for start in range(0, len(chosen), size):
        yield np.array(chosen[start : start + size])
