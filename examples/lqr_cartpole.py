"""A pole balanced on a cart by LQR: derivatives of a step, a Riccati equation, a gain."""

from __future__ import annotations

import numpy as np
from picture import keep
from scipy.linalg import solve_discrete_are
from terminal import plot

import cortenforge as cf

SECONDS = 6.0
#: cost of the cart's place, the pole's angle and their velocities, and of the control
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
    print("K =", np.array2string(K, precision=2))
    data = model.make_data()
    data.qpos[:] = 0.5, 0.25
    times, cart, pole = [], [], []
    while data.time < SECONDS:
        data.ctrl[:] = -K @ np.concatenate([data.qpos, data.qvel])
        data.step()
        times.append(data.time)
        cart.append(data.qpos[0])
        pole.append(data.qpos[1])
    t = np.array(times)
    print(plot("* cart [m], o pole [rad] over time [s]", (t, np.array(cart)), (t, np.array(pole))))
    print(
        f"\nAfter {SECONDS:g} s the cart is {cart[-1]:.1e} m and the pole {pole[-1]:.1e} rad off."
    )
    keep("lqr_cartpole", data, "side")


if __name__ == "__main__":
    main()
