"""Sleeping: kinematic trees at rest are left out of the step until something disturbs them.

    tree_asleep < 0:   awake; counts quiet steps from -11 up to -1, ready to sleep
    tree_asleep >= 0:  asleep; the next tree of its sleep cycle, those that fell asleep together

Whether a tree sleeps depends on data, so most kernels of this room run world by world. Source:
MuJoCo: Computation, "Sleeping islands"; docs/constraints.md.
"""
