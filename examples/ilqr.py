"""Planning by iLQR: a cart-pole swings up, and a humanoid balances on one leg after a push.

Derivatives of each step come from `rollout`; the line search evaluates eight step lengths at once,
as worlds of a batch.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from picture import keep
from terminal import plot

import cortenforge as cf
from cortenforge.derive.tangent_space import TangentSpace
from cortenforge.quaternions import quat_products

CART_POLE = """<mujoco><option timestep="0.02" integrator="implicitfast"/><worldbody>
<body><joint name="cart" type="slide" axis="1 0 0" damping=".1"/><geom type="box" size=".2 .1 .1"
mass="1" contype="0"/><body><joint name="pole" axis="0 1 0" damping=".01"/>
<geom type="capsule" fromto="0 0 0 0 0 -.6" size=".03" mass=".2" contype="0"/></body></body>
</worldbody><actuator><motor joint="cart" gear="10" ctrlrange="-2 2"/></actuator></mujoco>"""
#: slope of the soles of the humanoid [rad]
SOLE = np.arctan2(0.005, 0.21)
#: step lengths of the line search, evaluated at the same time
LENGTHS = 2.0 ** -np.arange(8)


@dataclass
class Plan:
    """Controls, the resulting states, and feedback gains around them."""

    states: np.ndarray
    controls: np.ndarray
    gains: np.ndarray
    cost: float
    rounds: int


class Planner:
    """iLQR with quadratic costs of the distance from a target and of controls, over a horizon."""

    def __init__(self, model, target, usual, Q, R, Q_end):
        self.model, self.tangent = model, TangentSpace(model)
        self.target, self.usual = target, usual
        self.Q, self.R, self.Q_end = Q, R, Q_end
        self.one, self.many = cf.BatchSim(model, 1), cf.BatchSim(model, len(LENGTHS), threads=1)

    def off(self, states, place):
        """Difference of states (..., nq + nv) from a place, in the tangent space."""
        nq = self.model.nq
        between = self.tangent.position_difference(place[..., :nq], states[..., :nq])
        return np.concatenate([between, states[..., nq:] - place[..., nq:]], axis=-1)

    def cost(self, states, controls):
        """Cost of rollouts: states (..., time + 1, nq + nv) and controls (..., time, nu)."""
        x, u = self.off(states, self.target), controls - self.usual
        running = ((x[..., :-1, :] @ self.Q) * x[..., :-1, :]).sum((-1, -2))
        last = ((x[..., -1, :] @ self.Q_end) * x[..., -1, :]).sum(-1)
        return 0.5 * (running + last + ((u @ self.R) * u).sum((-1, -2)))

    def roll(self, batch, start, plan, change, gains):
        """Roll out a plan in several worlds, each with its own step length."""
        batch.reset_all()
        batch.qpos[:], batch.qvel[:] = start[: self.model.nq], start[self.model.nq :]
        lengths = LENGTHS[: batch.n, None]
        states, controls = [np.hstack([batch.qpos, batch.qvel])], []
        for t in range(len(plan.controls)):
            back = self.off(states[-1], plan.states[t]) @ gains[t].T
            wanted = plan.controls[t] + lengths * change[t] + back
            low, high = self.model.actuator_ctrlrange.T
            controls.append(np.clip(wanted, low, high))
            batch.step_all(ctrl=controls[-1])
            states.append(np.hstack([batch.qpos, batch.qvel]))
        return np.stack(states, axis=1), np.stack(controls, axis=1)

    def sweep(self, plan, matrices, damping):
        """Backward pass: change of the controls, and feedback gains."""
        low, high = self.model.actuator_ctrlrange.T
        change = np.zeros_like(plan.controls)
        gains = np.zeros((*change.shape, len(self.Q)))
        value, slope = self.Q_end, self.Q_end @ self.off(plan.states[-1], self.target)
        for t in reversed(range(len(change))):
            A, B = matrices.A[0, t], matrices.B[0, t]
            x, u = self.off(plan.states[t], self.target), plan.controls[t] - self.usual
            by_x, by_u = self.Q @ x + A.T @ slope, self.R @ u + B.T @ slope
            xx, ux = self.Q + A.T @ value @ A, B.T @ value @ A
            uu = self.R + B.T @ value @ B
            solved = np.linalg.solve(uu + damping * np.eye(len(u)), np.column_stack([by_u, ux]))
            k, K = -solved[:, 0], -solved[:, 1:]
            # controls at a limit do not go beyond it
            held = ((plan.controls[t] <= low) & (k < 0)) | ((plan.controls[t] >= high) & (k > 0))
            k[held], K[held] = 0.0, 0.0
            value = xx + K.T @ uu @ K + K.T @ ux + ux.T @ K
            value = 0.5 * (value + value.T)
            slope = by_x + K.T @ (uu @ k + by_u) + ux.T @ k
            change[t], gains[t] = k, K
        return change, gains

    def hold(self):
        """LQR at the target: gains for an infinite horizon, and the matrix of its cost."""
        data = self.model.make_data()
        data.qpos[:], data.qvel[:] = np.split(self.target, [self.model.nq])
        data.ctrl[:] = self.usual
        found = data.transition_derivatives(cf.DerivativeConfig(sensors=False))
        value = self.Q
        for _ in range(2000):
            weighted = found.B.T @ value
            gains = -np.linalg.solve(self.R + weighted @ found.B, weighted @ found.A)
            value = self.Q + found.A.T @ value @ (found.A + found.B @ gains)
        return gains, 0.5 * (value + value.T)

    def plan(self, start, controls, gains=0.0, rounds=100, tolerance=1e-4):
        """Improve controls, starting with given gains towards the target, until convergence."""
        first = np.zeros((len(controls), self.model.nu, len(self.Q))) + gains
        plan = Plan(np.tile(self.target, (len(controls) + 1, 1)), controls, first, np.inf, 0)
        states, controls = self.roll(self.one, start, plan, np.zeros_like(controls), first)
        plan = Plan(states[0], controls[0], first, float(self.cost(states, controls)[0]), 0)
        damping, config = 1e-6, cf.DerivativeConfig(centered=False, sensors=False)
        while plan.rounds < rounds and damping < 1e6:
            self.one.reset_all()
            self.one.qpos[:], self.one.qvel[:] = np.split(plan.states[0], [self.model.nq])
            given = self.one.get_states()
            matrices = self.one.rollout(given, plan.controls, derivatives=config).derivatives
            before = plan.cost
            while damping < 1e6 and plan.cost == before:
                change, gains = self.sweep(plan, matrices, damping)
                states, controls = self.roll(self.many, start, plan, change, gains)
                costs = self.cost(states, controls)
                best = int(np.nanargmin(costs))
                if costs[best] < before:
                    found = float(costs[best])
                    plan = Plan(states[best], controls[best], gains, found, plan.rounds + 1)
                    damping = max(1e-8, damping / 5)
                else:
                    damping *= 10
            if before - plan.cost < tolerance * before:
                break
        return plan


def swing_up_plan():
    """A cart-pole from hanging to standing, in four seconds."""
    model = cf.Model.from_mjcf(CART_POLE)
    target = np.array([0.0, np.pi, 0.0, 0.0])
    Q, R = np.diag([0.1, 0.1, 0.01, 0.01]), np.eye(1) * 0.01
    planner = Planner(model, target, np.zeros(1), Q, R, np.diag([100.0, 1000.0, 10.0, 100.0]))
    return planner.plan(np.zeros(4), 0.01 * np.ones((200, 1)))


def swing_up():
    """Plan a swing up, and plot it."""
    begin = time.perf_counter()
    plan = swing_up_plan()
    seconds = time.perf_counter() - begin
    clock = 0.02 * np.arange(201)
    angle, place = np.degrees(plan.states[:, 1]), plan.states[:, 0]
    print(plot("Pole [degrees] over time [s]", (clock, angle)))
    print(plot("\nCart [m] over time [s]", (clock, place), height=10))
    off = abs(angle[-1] - 180)
    print(f"\nThe pole is {off:.2f}° from upright after {clock[-1]:.0f} s;", end=" ")
    print(f"planned in {plan.rounds} iterations and {seconds:.1f} s.")
    return off < 2.0


def humanoid():
    """The bundled humanoid with motors, on a floor."""
    text = (Path(cf.__file__).parent / "models" / "humanoid_floating.xml").read_text()
    hinges = cf.Model.from_mjcf(text)
    motors = "".join(
        f'<motor joint="{hinges.name_of("joint", j)}" gear="100" ctrlrange="-3 3"/>'
        for j in range(1, hinges.njnt)
    )
    text = text.replace('contact="disable" limit="disable"', "")
    floor = '<geom type="plane" size="5 5 .1" rgba=".75 .76 .75 1"/>'
    text = text.replace("</worldbody>", f"{floor}</worldbody>", 1)
    return cf.Model.from_mjcf(text.replace("</mujoco>", f"<actuator>{motors}</actuator></mujoco>"))


def one_legged(model):
    """A world on its left foot, the right one lifted: sole flat, centre of mass above it."""
    data = model.make_data()
    bent = {"right_hip_pitch": -0.8, "right_knee": 1.2, "left_knee": 0.2, "left_hip_pitch": -0.1}
    bent |= {"left_shoulder_roll": 0.4, "right_shoulder_roll": 0.6}
    for name, angle in bent.items():
        data.joint(name).qpos[:] = angle
    ankle = [
        model.jnt_qposadr[model.id_of("joint", f"left_ankle_{way}")] for way in ("pitch", "roll")
    ]

    def missing(angles):
        """Horizontal distance of the centre of mass from the foot, with the sole on the floor."""
        data.qpos[ankle] = angles
        data.qpos[:7] = 0, 0, 0, 1, 0, 0, 0
        data.forward()
        # the sole is lower in front by 5 mm of 210
        flat = np.array([np.cos(SOLE / 2), 0.0, -np.sin(SOLE / 2), 0.0])
        data.qpos[3:7] = quat_products(flat, data.body("left_foot").xquat * [1, -1, -1, -1])
        data.forward()
        data.qpos[:3] -= data.site("left_foot").xpos - [0, 0, 0.0005]
        data.forward()
        return data.subtree_com[1][:2] - data.site("left_foot").xpos[:2]

    angles = np.zeros(2)
    for _ in range(8):
        off = missing(angles)
        slopes = [(missing(angles + step) - off) / 1e-5 for step in 1e-5 * np.eye(2)]
        angles = angles - np.linalg.solve(np.array(slopes).T, off)
    missing(angles)
    return data


def resting_controls(data):
    """Controls that hold a pose, as far as motors can; sets the height of least residual force."""
    heights = np.linspace(-0.005, 0.01, 1501)
    start, pushes = data.qpos[2], []
    for height in heights:
        data.qpos[2] = start + height
        data.qacc[:] = 0.0
        data.inverse()
        pushes.append(data.qfrc_inverse[2])
    data.qpos[2] = start + heights[np.argmin(np.abs(pushes))]
    data.qacc[:] = 0.0
    data.inverse()
    return data.qfrc_inverse[6:] / 100.0


def balance():
    """Balance on one leg: two planned seconds after a push, then with the gains of the LQR."""
    model = humanoid()
    data = one_legged(model)
    usual = resting_controls(data)
    data.forward()
    target = np.concatenate([data.qpos, np.zeros(model.nv)])
    nv = model.nv
    across = data.jac_subtree_com("torso")[:2] - data.jac_site("left_foot").jacp[:2]
    leg = [model.jnt_dofadr[j] for j in range(1, model.njnt) if "left" in model.name_of("joint", j)]
    Q = np.zeros((2 * nv, 2 * nv))
    Q[:nv, :nv] = 1000.0 * across.T @ across + np.diag([0.0] * 6 + [1.0] * (nv - 6))
    Q[leg, leg] += 10.0
    Q[nv:, nv:] = 0.01 * np.eye(nv)
    R = 1.0 * np.eye(model.nu)
    planner = Planner(model, target, usual, Q, R, Q)
    gains, planner.Q_end = planner.hold()
    start = target.copy()
    start[model.nq :][:6] = 0.1, 0.15, 0.0, 0.0, 0.0, 0.0
    begin = time.perf_counter()
    plan = planner.plan(start, np.tile(usual, (200, 1)), gains, rounds=20, tolerance=1e-3)
    seconds = time.perf_counter() - begin
    ways = []
    for steady in (True, False):
        ways.append(run_on(planner, plan, gains, start, steady=steady))
    clock = model.opt.timestep * np.arange(len(ways[0]))
    print(
        plot(
            "\nHeight of the torso [m] over time [s]: * planned, o constant controls",
            *((clock, way) for way in ways),
        )
    )
    print(f"\nPushed, it stands on one leg for {clock[-1]:.0f} s;", end=" ")
    print(f"planned in {plan.rounds} iterations and {seconds:.1f} s.")
    return min(ways[0]) > 0.9 * ways[0][0] and min(ways[1]) < 0.7 * ways[1][0]


def run_on(planner, plan, gains, start, *, steady):
    """Torso heights with the plan, then with the gains of the LQR; or with constant controls."""
    model, usual = planner.model, planner.usual
    data = model.make_data()
    data.qpos[:], data.qvel[:] = np.split(start, [model.nq])
    heights = []
    for t in range(1600):
        state = np.concatenate([data.qpos, data.qvel])
        if not steady:
            data.ctrl[:] = usual
        elif t < len(plan.controls):
            back = plan.gains[t] @ planner.off(state, plan.states[t])
            data.ctrl[:] = plan.controls[t] + back
        else:
            data.ctrl[:] = usual + gains @ planner.off(state, planner.target)
        data.step()
        heights.append(data.qpos[2])
    if steady:
        keep("ilqr", data, cf.Camera(track="torso", distance=3.2, azimuth=130, elevation=-10))
    return np.array(heights)


def main() -> None:
    swung = swing_up()
    stood = balance()
    print(f"\n{'Both' if swung and stood else 'Not both'} did what they were asked to.")


if __name__ == "__main__":
    main()
