"""A fork pushes a box to a place and a heading, planned by gradient descent through contacts.

The plan says how fast the fork is to move and turn in each of 20 intervals. PyTorch's Adam improves
it, with gradients that `cortenforge.torch.step` takes through the contacts of fork, box and floor.
"""

from __future__ import annotations

import time

import numpy as np
import torch
from picture import chain, keep, shades, stage
from terminal import plot

import cortenforge as cf

#: where the box is to be [m], and its heading [degrees]
GOAL, TURN = np.array([0.3, 0.1]), 30.0
#: intervals in which the plan is constant, and steps of each: a second
INTERVALS, STEPS = 20, 10

THINGS = """
<body name="box" pos="0 0 .05"><freejoint/>
  <geom type="box" size=".1 .07 .05" mass=".5" friction=".4" rgba=".85 .5 .2 1"/></body>
<body name="fork" pos="-.125 0 .05">
  <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
  <joint name="turn" axis="0 0 1"/>
  <geom size=".02" pos="0 .05 0" mass=".25" friction=".6" rgba=".2 .4 .8 1"/>
  <geom size=".02" pos="0 -.05 0" mass=".25" friction=".6" rgba=".2 .4 .8 1"/>
  <geom type="capsule" size=".01" fromto="0 -.05 0 0 .05 0" contype="0" conaffinity="0"
        rgba=".2 .4 .8 1"/></body>
<site type="box" size=".1 .07 .001" pos="{x} {y} 0" euler="0 0 {turn}" rgba=".2 .7 .3 .7"/>
"""
#: contacts whose force grows from zero: with the default solimp, it begins with a jump (docs)
REST = """
<option timestep="0.005" integrator="implicitfast"/>
<default><geom solref=".03 1" solimp="0 .95 .004"/></default>
<actuator><velocity joint="x" kv="20"/><velocity joint="y" kv="20"/><velocity joint="turn" kv="1"/>
</actuator>
"""


def follow(batch: cf.BatchSim, plan: torch.Tensor) -> torch.Tensor:
    """Final state of the world under a plan (intervals, nu)."""
    state = cf.torch.states(batch)
    for speeds in plan:
        state = cf.torch.step(batch, state, speeds[None], nstep=STEPS)
    return state[0]


def missing(state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Squared distance of the box from the goal [m^2], and squared sine of half its angle to it."""
    away = (state[:2] - torch.from_numpy(GOAL)).square().sum()
    half = np.radians(TURN) / 2
    # quaternions of the box and of the goal are parallel where headings agree
    along = state[3] * np.cos(half) + state[6] * np.sin(half)
    return away, 1 - along.square() / state[3:7].square().sum()


def optimise(batch: cf.BatchSim, rounds: int = 64) -> tuple[torch.Tensor, list[float]]:
    """Improve a plan that pushes straight ahead; returns it, and the loss of each round."""
    plan = torch.tensor([[0.3, 0.0, 0.0]], dtype=torch.float64).repeat(INTERVALS, 1)
    descent = torch.optim.Adam([plan.requires_grad_()], lr=0.03)
    losses = []
    for _ in range(rounds):
        away, turned = missing(follow(batch, plan))
        # the last term is for a plan that changes slowly
        loss = 100 * away + 10 * turned + 0.05 * plan.diff(dim=0).square().sum()
        descent.zero_grad()
        loss.backward()
        descent.step()
        losses.append(loss.item())
    return plan.detach(), losses


def main() -> None:
    model = stage(THINGS.format(x=GOAL[0], y=GOAL[1], turn=TURN), REST)
    batch = cf.BatchSim(model, 1)
    batch.step_all(20)  # the box comes to rest on the floor
    begin = time.perf_counter()
    plan, losses = optimise(batch)
    seconds = time.perf_counter() - begin
    print(plot("Loss, powers of ten, over rounds", (np.arange(len(losses)), np.log10(losses))))
    data = batch.env(0)
    way = [data.body("box").xpos.copy()]
    data.forward()
    for speeds in plan.numpy():
        data.ctrl[:] = speeds
        data.step(STEPS)
        way.append(data.qpos[:3].copy())
    x, y, _ = np.array(way[1:]).T
    print(plot("\nWay of the box: y [m] over x [m]", (x, y), height=10))
    away, turned = missing(torch.from_numpy(data.qpos.copy()))
    angle = np.degrees(2 * np.arcsin(np.sqrt(max(0.0, turned.item()))))
    print(f"\nThe box is {1000 * away.sqrt():.1f} mm and {angle:.2f}° from its goal;", end=" ")
    print(f"planned in {len(losses)} rounds and {seconds:.1f} s.")
    data.forward()
    top = np.add(way[1:], [0, 0, 0.06])
    path = [
        chain(*top[k : k + 2], radius=0.004, rgba=colour)
        for k, colour in enumerate(shades(len(top) - 1))
    ]
    camera = cf.Camera(lookat=(0.16, 0.03, 0), distance=0.62, azimuth=110, elevation=-40)
    keep("push_box", data, camera, extra=path)


if __name__ == "__main__":
    main()
