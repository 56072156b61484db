"""A pole balanced on a cart by LQR: derivatives of a step, a Riccati equation, a gain."""

from __future__ import annotations

import numpy as np
from picture import chain, keep, shades
from scipy.linalg import solve_discrete_are
from terminal import plot

import cortenforge as cf

SECONDS = 6.0
#: costs of the cart's position, the pole's angle, their velocities, and the control
Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), np.array([[0.1]])


def gain(model: cf.Model) -> np.ndarray:
    """K of u = -K x that minimises the sum of x'Qx + u'Ru about the upright pole."""
    data = model.make_data()
    data.reset_to_keyframe("upright")
    step = data.transition_derivatives()
    P = solve_discrete_are(step.A, step.B, Q, R)
    return np.linalg.solve(R + step.B.T @ P @ step.B, step.B.T @ P @ step.A)


def main() -> None:
    model = cf.Model.from_mjcf(cf.models.find("cartpole"))
    K = gain(model)
    print("K =", np.array2string(K[0], precision=2))
    data = model.make_data()
    data.qpos[:] = 0.5, 0.25
    rows, ends = [], []
    while data.time < SECONDS:
        data.ctrl[:] = -K @ np.concatenate([data.qpos, data.qvel])
        data.step()
        rows.append((data.time, *data.qpos))
        ends.append((data.body("pole").xpos.copy(), data.site("tip").xpos.copy()))
    time, cart, pole = np.array(rows).T
    print(plot("* cart [m], o pole [rad] over time [s]", (time, cart), (time, pole)))
    print(f"\nThe pole began {np.degrees(0.25):.0f}° off, and the cart reached {cart.max():.2f} m.")
    print(f"After {SECONDS:g} s: cart {cart[-1]:.1e} m, pole {pole[-1]:.1e} rad.")
    # the pole at the start, every 0.2 s
    early = ends[0:160:20]
    drawn = zip(early, shades(len(early)), strict=True)
    poles = [chain(*pair, radius=0.008, rgba=colour) for pair, colour in drawn]
    camera = cf.Camera(lookat=(0.4, 0, 0.75), distance=2.3, azimuth=90, elevation=-8)
    keep("lqr_cartpole", data, camera, extra=poles)


if __name__ == "__main__":
    main()
