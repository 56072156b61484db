"""Articulated-body recursion in the reference position, all bodies of one depth at a time.

A model with thousands of small trees takes as few steps as one of its trees.

The passes are given numbers of extended precision, which is not the engine's: they take away what
is almost as large as what is left, and in double precision lose four digits on a chain of 100
links, beyond the two more that MuJoCo's own factor loses there. Constants are worked out once and
used in every step, so those digits are kept.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]
#: bodies of one depth, and one dof of each; None where they follow their parents
Step = tuple[np.ndarray, np.ndarray | None]


def level_steps(parent: np.ndarray, number: np.ndarray, address: np.ndarray) -> list[Step]:
    """Bodies from the roots (parent -1) outwards: after their parents, then dof by dof.

    number: dofs of each body.  address: first dof of each body.
    """
    depth = np.zeros(len(parent), int)
    for body, above in enumerate(parent.tolist()):
        if above >= 0:
            depth[body] = depth[above] + 1
    order = np.argsort(depth, kind="stable")
    starts = np.searchsorted(depth[order], np.arange(depth.max(initial=-1) + 2))
    steps: list[Step] = []
    for level, (start, end) in enumerate(pairwise(starts.tolist())):
        bodies = order[start:end]
        if level:
            steps.append((bodies, None))
        for k in range(int(number[bodies].max())):
            having = bodies[number[bodies] > k]
            steps.append((having, address[having] + k))
    return steps


def steps_of_model(arrays: Arrays) -> list[Step]:
    """All bodies of a model; the world is the root."""
    parent = arrays["body_parentid"].astype(int)
    parent[0] = -1
    return level_steps(parent, arrays["body_dofnum"], arrays["body_dofadr"])


def articulated_pass(
    arrays: Arrays, steps: list[Step], motion: np.ndarray, inertia: np.ndarray, armature: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """From the leaves: force at each dof's unit acceleration, and inverse inertia of the dof."""
    articulated = inertia.copy()
    force = np.zeros_like(motion)
    inverse = np.zeros(len(motion), motion.dtype)
    for bodies, dofs in reversed(steps):
        if dofs is None:
            # siblings stand together, so a parent's children are a run of the level
            parents, runs = np.unique(arrays["body_parentid"][bodies], return_index=True)
            articulated[parents] += np.add.reduceat(articulated[bodies], runs, axis=0)
            continue
        own, along = articulated[bodies], motion[dofs]
        felt = np.einsum("bij,bj->bi", own, along)
        share = 1 / np.maximum(MINVAL, np.einsum("bi,bi->b", along, felt) + armature[dofs])
        force[dofs], inverse[dofs] = felt, share
        articulated[bodies] = own - outer(felt, felt * share[:, None])
    return force, inverse


def response_pass(
    arrays: Arrays, steps: list[Step], motion: np.ndarray, force: np.ndarray, inverse: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """From the root: diagonal of the inverse of M, and acceleration of bodies per unit force."""
    response = np.zeros((len(arrays["body_parentid"]), 6, 6), motion.dtype)
    diagonal = np.zeros(len(motion), motion.dtype)
    for bodies, dofs in steps:
        if dofs is None:
            response[bodies] = response[arrays["body_parentid"][bodies]]
            continue
        own, along = response[bodies], motion[dofs]
        gain = force[dofs] * inverse[dofs, None]
        passed = np.einsum("bij,bj->bi", own, gain)
        diagonal[dofs] = inverse[dofs] + np.einsum("bi,bi->b", gain, passed)
        both = outer(along, passed)
        own = own - both - np.swapaxes(both, 1, 2)
        response[bodies] = own + outer(along, along * diagonal[dofs, None])
    return diagonal, response


def outer(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Outer products row by row."""
    products: np.ndarray = left[:, :, None] * right[:, None, :]
    return products
