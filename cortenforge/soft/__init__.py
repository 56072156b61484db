"""Deformables: materials, meshes, and the elements that become arrays of a Model."""

from cortenforge.soft.arrays import Rigid, soft_arrays
from cortenforge.soft.bodies import CapsuleChain, Cloth, Deformable, SoftBody
from cortenforge.soft.material import CHAINS, CLOTHS, MATERIALS, SOFT_BODIES, Material

__all__ = [
    "CHAINS",
    "CLOTHS",
    "MATERIALS",
    "SOFT_BODIES",
    "CapsuleChain",
    "Cloth",
    "Deformable",
    "Material",
    "Rigid",
    "SoftBody",
    "soft_arrays",
]
