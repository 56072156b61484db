"""Chains of links, with motors and damping as asked for."""

from __future__ import annotations

import numpy as np

import cortenforge as cf


def chain(
    links: int,
    *,
    motors: int = 0,
    damping: float | tuple[float, ...] = 0.0,
    stiffness: float = 0.0,
    option: str = "",
    more: str = "",
) -> str:
    """Links of a metre, with a mass at each end."""
    each = damping if isinstance(damping, tuple) else (damping,) * links
    bodies = "".join(
        f'<body pos="0 0 {-1 if i else 0}"><joint name="j{i}" axis="0 1 0" damping="{each[i]}" '
        f'stiffness="{stiffness}"/><geom size=".1" pos="0 0 -1" mass=".1"/>'
        for i in range(links)
    )
    driven = "".join(f'<motor joint="j{i}" gear="{i + 1}"/>' for i in range(motors))
    return (
        f'<mujoco><option {option}><flag contact="disable"/></option><worldbody>{bodies}'
        f"{'</body>' * links}</worldbody><actuator>{driven}</actuator>{more}</mujoco>"
    )


def swinging(text: str, seed: int = 0) -> cf.Data:
    """A world that is moving."""
    model = cf.Model.from_mjcf(text)
    rng = np.random.default_rng(seed)
    data = model.make_data()
    data.qpos[:] = model.integrate_pos(data.qpos, 0.5 * rng.normal(size=model.nv), 1.0)
    data.qvel[:] = rng.normal(size=model.nv)
    data.act[:] = 0.2 * rng.normal(size=model.na)
    data.ctrl[:] = 0.2 * rng.normal(size=model.nu)
    data.forward()
    return data


def inertia(data: cf.Data) -> np.ndarray:
    """M in full."""
    data.forward()
    columns = [data.mul_M(column) for column in np.eye(data.model.nv)]
    return np.array(columns).reshape(data.model.nv, data.model.nv)
