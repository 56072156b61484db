"""Draw the pictures of docs/rendering.md, next to MuJoCo's; needs an EGL driver.

python docs/build_pictures.py
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 400, 300

sys.path.insert(0, str(ROOT))


def sources() -> dict[str, Path]:
    """Models by the names of their pictures."""
    from benchmarks.pictures import models

    found = {name.lower(): path for name, path in models().items()}
    return {**found, "textures": ROOT / "tests/render/textures.xml"}


def beside(path: Path) -> np.ndarray:
    """Our picture, with MuJoCo's to the right of it."""
    import mujoco

    from benchmarks.pictures import posed

    theirs, world, data = posed(path)
    renderer = mujoco.Renderer(theirs, HEIGHT, WIDTH)
    renderer.update_scene(world)
    ours = data.render(width=WIDTH, height=HEIGHT, backdrop="model")
    both = np.concatenate([ours, renderer.render()], 1)
    renderer.close()
    difference = np.abs(np.diff(both.reshape(HEIGHT, 2, WIDTH, 3).astype(int), axis=1)).mean()
    print(f"{path.stem}: colours differ by {difference:.1f} of 255 on average")
    return both


def contact() -> np.ndarray:
    """A fallen humanoid with contact forces, and its segmentation and depth images."""
    import cortenforge as cf

    model = cf.load_model(sources()["humanoid"])
    data = model.make_data()
    data.step(800)
    data.forward()
    camera = cf.Camera(track="torso", distance=2.5, azimuth=140, elevation=-25)
    shown = data.render(
        camera,
        width=WIDTH,
        height=HEIGHT,
        contactpoint=True,
        contactforce=True,
        transparent=True,
    )
    owners = data.render(camera, width=WIDTH, height=HEIGHT, mode="segmentation")[..., 0]
    colours = np.random.default_rng(3).integers(60, 255, (model.ngeom + 1, 3), np.uint8)
    colours[-1] = 0
    depth = data.render(camera, width=WIDTH, height=HEIGHT, mode="depth")
    grey = np.clip(255 * (depth.min() / depth), 0, 255).astype(np.uint8)
    return np.concatenate([shown, colours[owners], np.repeat(grey[..., None], 3, 2)], 1)


#: the options shown in docs/rendering.md, row by row
SHOWN: tuple[dict[str, Any], ...] = (
    {"label": "body", "transparent": True},
    {"joint": True, "transparent": True},
    {"inertia": True},
    {"frame": "body", "transparent": True},
    {"bodybvh": True},
    {"autoconnect": True, "com": True, "transparent": True},
    {"wireframe": True},
    {"camera": True, "light": True, "actuator": True},
)


def options() -> np.ndarray:
    """The humanoid, drawn with each of the options."""
    import cortenforge as cf

    model = cf.load_model(sources()["humanoid"])
    data = model.make_data()
    data.step(60)
    data.forward()
    camera = cf.Camera(track="torso", distance=2.3, azimuth=140, elevation=-10)
    pictures = [
        cf.Renderer(model, width=240, height=300, options=cf.RenderOptions(**shown)).render(
            data, camera
        )
        for shown in SHOWN
    ]
    half = len(pictures) // 2
    return np.vstack([np.hstack(pictures[:half]), np.hstack(pictures[half:])])


def main() -> None:
    """Draw them all."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    for name, path in sources().items():
        Image.fromarray(beside(path)).save(IMAGES / f"render_{name}.png", optimize=True)
    Image.fromarray(options()).save(IMAGES / "render_options.jpg", quality=88)
    Image.fromarray(contact()).save(IMAGES / "render_modes.png", optimize=True)


if __name__ == "__main__":
    main()
