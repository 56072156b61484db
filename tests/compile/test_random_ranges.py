"""Length ranges of random models with limits, equalities and tendons, against MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.errors import MjcfError

from .oracle import compiled, mujoco

TOLERANCE = 1e-9
#: where MuJoCo's own range moves by more for a push that differs in its last digits, a length
#: chatters about its end, and only the size of that can be compared
CHAOTIC, CHATTER = 1e-10, 1e-4
MODELS, PER_TEST = 60, 12


class Drawn:
    """A chain or bush of bodies with limits, now and then with equalities, under two muscles."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, np.random.default_rng(seed)
        self.kinds = [self._pick("hinge hinge hinge slide ball") for _ in range(self._whole(2, 6))]

    def text(self, accel: float) -> str:
        """The model, with a norm of the push."""
        self.rng = np.random.default_rng((self.seed, 1))
        settings = f'accel="{accel!r}" timeconst=".2" inttotal="5" interval="1" tolrange=".2"'
        return (
            f"<mujoco><compiler><lengthrange {settings}/></compiler>"
            f'<worldbody><site name="w" pos="{self._vector(0.5)}"/>{self._bodies()}</worldbody>'
            f"<tendon>{self._tendon()}</tendon><equality>{self._equalities()}</equality>"
            f"<actuator>{self._muscles()}</actuator></mujoco>"
        )

    def _bodies(self) -> str:
        open_, closed = "", ""
        for i, kind in enumerate(self.kinds):
            axis = "" if kind == "ball" else f'axis="{self._vector(1)}"'
            open_ += (
                f'<body name="b{i}" pos="{self._vector(0.2)}"><joint name="j{i}" type="{kind}" '
                f'{axis} range="{self._range(kind)}" armature=".03" damping="1"/>'
                f'<geom type="capsule" size=".03" fromto="0 0 0 {self._vector(0.2)}"/>'
                f'<site name="s{i}" pos="{self._vector(0.1)}"/>'
            )
            if self._chance(0.7):
                closed += "</body>"
            else:
                open_ += "</body>"
        return open_ + closed

    def _range(self, kind: str) -> str:
        low, high = {"hinge": (10, 80), "slide": (0.1, 0.4), "ball": (20, 80)}[kind]
        upper = f"{self.rng.uniform(low, high):.3f}"
        return f"0 {upper}" if kind == "ball" else f"{-self.rng.uniform(low, high):.3f} {upper}"

    def _tendon(self) -> str:
        one, other = self.rng.choice(len(self.kinds), 2, replace=False)
        more = ' armature=".02"' if self._chance(0.2) else ""
        more += ' range=".2 .6"' if self._chance(0.3) else ""
        path = f'<site site="w"/><site site="s{one}"/><site site="s{other}"/>'
        return f'<spatial name="t"{more}>{path}</spatial>'

    def _equalities(self) -> str:
        straight, last = self._straight(), len(self.kinds) - 1
        found = ""
        if len(straight) > 1 and self._chance(0.4):
            curve = f"0 {self.rng.uniform(-0.5, 0.5):.3f} .1"
            found += f'<joint joint1="{straight[0]}" joint2="{straight[1]}" polycoef="{curve}"/>'
        if self._chance(0.3):
            found += f'<connect body1="b{last}" anchor="{self._vector(0.05)}" solref=".05 1"/>'
        if self._chance(0.2):
            found += f'<weld body1="b0" body2="b{last}" solref=".1 1"/>'
        return found

    def _muscles(self) -> str:
        muscles = [f'<muscle joint="{joint}" gear="1.5"/>' for joint in self._straight()[:1]]
        return '<muscle tendon="t"/>' + "".join(muscles)

    def _straight(self) -> list[str]:
        return [f"j{i}" for i, kind in enumerate(self.kinds) if kind != "ball"]

    def _vector(self, size: float) -> str:
        return " ".join(f"{x:.3f}" for x in size * self.rng.normal(size=3))

    def _chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def _pick(self, words: str) -> str:
        return str(self.rng.choice(words.split()))

    def _whole(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high))


def mujocos(text: str) -> np.ndarray | None:
    try:
        return mujoco.MjModel.from_xml_string(text).actuator_lengthrange.copy()
    except ValueError:
        return None


def compared(seed: int) -> bool:
    """Hold a model's ranges against MuJoCo's; whether there were any that settle."""
    drawn = Drawn(seed)
    text = drawn.text(20.0)
    try:
        found = compiled(text).arrays["actuator_lengthrange"]
    except MjcfError as error:
        # MuJoCo starts again from its reset without end where a world diverges
        assert "diverged" in str(error) or mujocos(text) is None, seed
        return False
    reference, again = mujocos(text), mujocos(drawn.text(20.0 * (1 + 1e-14)))
    assert reference is not None, seed
    chaotic = again is None or not np.allclose(again, reference, rtol=CHAOTIC, atol=CHAOTIC)
    allowed = CHATTER if chaotic else TOLERANCE
    np.testing.assert_allclose(found, reference, rtol=allowed, atol=allowed, err_msg=str(seed))
    return not chaotic


@pytest.mark.parametrize("start", range(0, MODELS, PER_TEST))
def test_random_models(start: int) -> None:
    settled = sum(compared(seed) for seed in range(start, start + PER_TEST))
    assert settled >= PER_TEST // 2
