"""Draw the pictures of docs/deformables.md by running the examples.

python docs/build_soft_pictures.py
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
DRAWN = ROOT / "out" / "examples"
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ("cloth_over_sphere", "soft_ball", "rope_over_pulley", "flag")
QUALITY = 90


def main() -> int:
    """Run each example, and copy its picture to the docs."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in EXAMPLES:
        script = ROOT / "examples" / f"{name}.py"
        subprocess.run([sys.executable, str(script)], check=True, env=environment)
        Image.open(DRAWN / f"{name}.png").save(IMAGES / f"{name}.jpg", quality=QUALITY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
