"""A finger with two tendons over three joints: joint angles under forces of the tendons."""

from __future__ import annotations

import numpy as np
from picture import chain, keep
from rich.console import Console
from rich.table import Table
from terminal import plot

import cortenforge as cf


def main() -> None:
    model = cf.models.tendon_finger()
    table = Table("flexor [N]", "extensor [N]", "knuckle", "middle", "tip", "shortening [mm]")
    paths = []
    for flexor, extensor in ((0.0, 0.0), (0.02, 0.0), (0.05, 0.0), (0.1, 0.0), (0.1, 0.05)):
        data = model.make_data()
        data.ctrl[:] = [flexor, extensor]
        start = data.site("fingertip").xpos.copy()
        path = [start]
        for _ in range(100):
            data.step(20)
            path.append(data.site("fingertip").xpos.copy())
        paths.append(np.array(path)[1:])
        data.forward()
        bent = [f"{angle:.1f}°" for angle in np.degrees(data.qpos)]
        pulled = 1000 * (model.tendon_length0[0] - data.ten_length[0])
        table.add_row(f"{20 * flexor:.1f}", f"{20 * extensor:.1f}", *bent, f"{pulled:.1f}")
    strongest = paths[3]
    print(
        plot("The fingertip from the side [m], flexor at 2 N", (strongest[:, 0], strongest[:, 2]))
    )
    Console().print(table)
    # the finger at the end, and the path of its tip without the extensor
    path = chain(*strongest, radius=0.0008, rgba=(0.72, 0.33, 0.13, 1))
    camera = cf.Camera(lookat=data.subtree_com[0], distance=0.3, azimuth=90, elevation=-10)
    keep("tendon_finger", data, camera, extra=[path])


if __name__ == "__main__":
    main()
