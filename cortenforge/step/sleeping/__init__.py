"""Trees of bodies that have come to rest and are left alone until something touches them.

Kernels of this room run world by world: whether a tree sleeps is a matter of data. A tree's number
in `tree_asleep` is negative while it is awake, and counts up to -1 as long as the tree is quiet.
Asleep, it is the next tree of those that fell asleep together, or the tree itself.
"""
