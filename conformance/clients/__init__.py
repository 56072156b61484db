"""Programs written for `mujoco`, run with the module `cortenforge.mujoco`, and compared.

    python -m conformance.clients               makes out/clients, runs all parts, writes a report
    python -m conformance.clients metaworld     one part

A part is a client package. Gymnasium runs with both modules, and both start each step from the same
state (`twice`). The others run with this one; MuJoCo, in the same process and unseen by the client,
takes each step from the same state (`beside`).
"""
