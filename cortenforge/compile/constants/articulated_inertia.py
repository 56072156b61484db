"""Diagonal of M^-1 and inverse inertia of bodies, by articulated-body recursion.

Spatial vectors are (rotation, translation). S is the motion axis of a dof (cdof), I_A articulated
inertia, a the armature of the dof, X_b = J_b M^-1 J_b' the 6 by 6 inverse inertia of body b.

    inward, from the leaves   U = I_A S,  D = S' U + a,  I_A -= U U' / D,  I_A(parent) += I_A
    outward, from the roots   g = U / D,  (M^-1)_ii = 1/D + g' X g
                              X = (1 - S g') X (1 - g S') + S S' / D

The inward pass is that of Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 7. The
outward pass is the recursion for the inverse operational-space inertia of Rodriguez, Jain and
Kreutz-Delgado (1992). No inverse of M is formed.

All bodies of one depth are processed at a time, so that a model with thousands of small trees
takes as few steps as one of its trees. The passes are given numbers of extended precision, which
is not the engine's: they subtract what is almost as large as the result, and in double precision
lose four digits on a chain of 100 links, beyond the two more that MuJoCo's own factor loses there.
Constants are computed once and used in every step, so those digits are kept.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

MINVAL = 1e-15

Arrays = dict[str, np.ndarray]
#: bodies of one depth, and one dof of each; None where they follow their parents
LevelStep = tuple[np.ndarray, np.ndarray | None]


def tree_levels(parent: np.ndarray, number: np.ndarray, address: np.ndarray) -> list[LevelStep]:
    """Steps of a recursion from the roots (parent -1) outwards, one depth of the tree at a time.

    A step is (bodies, None) to take over values of the parents, or (bodies, dofs) for one dof of
    each of these bodies.
    number: dofs of each body.  address: first dof of each body.
    """
    depth = np.zeros(len(parent), int)
    for body, above in enumerate(parent.tolist()):
        if above >= 0:
            depth[body] = depth[above] + 1
    order = np.argsort(depth, kind="stable")
    starts = np.searchsorted(depth[order], np.arange(depth.max(initial=-1) + 2))
    steps: list[LevelStep] = []
    for level, (start, end) in enumerate(pairwise(starts.tolist())):
        bodies = order[start:end]
        if level:
            steps.append((bodies, None))
        for k in range(int(number[bodies].max())):
            having = bodies[number[bodies] > k]
            steps.append((having, address[having] + k))
    return steps


def model_tree_levels(arrays: Arrays) -> list[LevelStep]:
    """Steps for all bodies of a model; the world is the root."""
    parent = arrays["body_parentid"].astype(int)
    parent[0] = -1
    return tree_levels(parent, arrays["body_dofnum"], arrays["body_dofadr"])


def articulated_inertia_pass(
    arrays: Arrays,
    steps: list[LevelStep],
    motion: np.ndarray,
    inertia: np.ndarray,
    armature: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Inward pass: (U, 1/D) of each dof, shapes (nv, 6) and (nv,).

    motion: S, (nv, 6).  inertia: spatial inertias of bodies, (nbody, 6, 6).
    """
    articulated = inertia.copy()
    force = np.zeros_like(motion)
    inverse = np.zeros(len(motion), motion.dtype)
    for bodies, dofs in reversed(steps):
        if dofs is None:
            # siblings stand together, so a parent's children are a run of the level
            parents, runs = np.unique(arrays["body_parentid"][bodies], return_index=True)
            articulated[parents] += np.add.reduceat(articulated[bodies], runs, axis=0)
            continue
        own, axis = articulated[bodies], motion[dofs]
        u = np.einsum("bij,bj->bi", own, axis)
        inv_d = 1 / np.maximum(MINVAL, np.einsum("bi,bi->b", axis, u) + armature[dofs])
        force[dofs], inverse[dofs] = u, inv_d
        articulated[bodies] = own - outer_products(u, u * inv_d[:, None])
    return force, inverse


def inverse_inertia_pass(
    arrays: Arrays,
    steps: list[LevelStep],
    motion: np.ndarray,
    force: np.ndarray,
    inverse: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Outward pass: the diagonal of M^-1, (nv,), and X of each body, (nbody, 6, 6).

    force, inverse: U and 1/D of the inward pass.
    """
    response = np.zeros((len(arrays["body_parentid"]), 6, 6), motion.dtype)
    diagonal = np.zeros(len(motion), motion.dtype)
    for bodies, dofs in steps:
        if dofs is None:
            response[bodies] = response[arrays["body_parentid"][bodies]]
            continue
        own, axis = response[bodies], motion[dofs]
        gain = force[dofs] * inverse[dofs, None]
        x_gain = np.einsum("bij,bj->bi", own, gain)
        diagonal[dofs] = inverse[dofs] + np.einsum("bi,bi->b", gain, x_gain)
        both = outer_products(axis, x_gain)
        own = own - both - np.swapaxes(both, 1, 2)
        response[bodies] = own + outer_products(axis, axis * diagonal[dofs, None])
    return diagonal, response


def outer_products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Outer products row by row."""
    products: np.ndarray = left[:, :, None] * right[:, None, :]
    return products
