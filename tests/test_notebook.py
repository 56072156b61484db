"""What a notebook shows of models, worlds and reports, with a stand-in for IPython."""

from __future__ import annotations

import io
import sys
from types import ModuleType
from typing import Any

import pytest
import rich
import rich.console

import cortenforge as cf
from cortenforge.kernel.load.progress import CompileProgress
from cortenforge.model.calls.progress_bar import DelayedProgressBar
from cortenforge.notebook import TextLines, in_notebook


@pytest.fixture(scope="module")
def data() -> cf.Data:
    made = cf.load_model(cf.models.find("humanoid")).make_data()
    made.step(50)
    return made


class ZMQInteractiveShell:
    """A notebook's shell, by its name."""


class Handle:
    """What `display` gives: each update replaces what is shown."""

    def __init__(self, shown: list[str]) -> None:
        self.shown = shown

    def update(self, what: str) -> None:
        self.shown.append(what)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A notebook around the test; what it has shown, one after another."""
    shown: list[str] = []
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")

    def show(what: str, display_id: bool) -> Handle:
        assert display_id
        shown.append(what)
        return Handle(shown)

    ipython.get_ipython = ZMQInteractiveShell  # type: ignore[attr-defined]
    display.HTML, display.display = str, show  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def test_explanations_are_words(data: cf.Data) -> None:
    """A string as before; shown line by line, with its signs escaped."""
    said = data.explain()
    assert isinstance(said, str) and said == str(said)
    assert TextLines("a < b\nc")._repr_html_() == "<pre>a &lt; b\nc</pre>"

    class Printer:
        text_seen = ""

        def text(self, what: str) -> None:
            self.text_seen += what

    printer = Printer()
    TextLines("a\nb")._repr_pretty_(printer, False)
    assert printer.text_seen == "a\nb"


def test_reports_are_shown_as_they_are_printed(data: cf.Data) -> None:
    contact, collisions = data.explain_contact(0), data.collision_report()
    assert "normal force" in contact._repr_html_() and contact._repr_html_().startswith("<pre>")
    assert "pairs could touch" in collisions._repr_html_()
    good, bad = cf.validate("<mujoco/>"), cf.validate("<mujoco><nonsense/></mujoco>")
    assert good._repr_html_() == "<pre>nothing is wrong</pre>"
    assert "error: " in bad._repr_html_() and "&lt;nonsense&gt;" in bad._repr_html_()


def test_objects_are_tables(data: cf.Data) -> None:
    model, spec = data.model, cf.Spec.from_mjcf(cf.models.find("ant"))
    texts = [one._repr_html_() for one in (model, data, cf.BatchSim(model, 3), spec)]
    assert all(text.endswith("</table>") for text in texts)
    assert "21 actuators, 7 sensors" in texts[0] and "IMPLICITFAST" in texts[0]
    assert "0.25 s" in texts[1] and '<img alt="Data" src="data:image/png;base64,' in texts[1]
    assert f">{data.ncon}</td>" in texts[1] and "energy" not in texts[1]
    assert ">3</td>" in texts[2] and "BatchSim" in texts[2]
    assert ">8</td>" in texts[3] and "Spec" in texts[3]


def test_energy_is_shown_where_it_is_known() -> None:
    pendulum = cf.load_model(cf.models.find("pendulum")).make_data()
    pendulum.forward()
    assert "potential" in pendulum._repr_html_()


def test_the_viewer_is_an_iframe() -> None:
    pytest.importorskip("viser")
    viewer = cf.view(cf.models.simple_pendulum(), play=False)
    try:
        assert f'<iframe src="{viewer.url}"' in viewer._repr_html_()
    finally:
        viewer.close()
    assert "closed" in viewer._repr_html_() and "iframe" not in viewer._repr_html_()


def test_the_viewer_prints_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """viser prints tables by rich, which in a notebook does not write to stdout."""
    pytest.importorskip("viser")
    shown = io.StringIO()
    monkeypatch.setattr("rich._console", rich.console.Console(file=shown))
    cf.view(cf.models.simple_pendulum(), port=0, play=False).close()
    assert shown.getvalue() == ""
    rich.print("heard")
    assert shown.getvalue() == "heard\n"


def test_compiling_shows_a_bar(notebook: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert in_notebook()
    with CompileProgress({"one": 3, "two": 1}, shown=True) as bar:
        bar.doing("one")
        bar.done("one")
        bar.done("two")
    assert 'value="0" max="4"' in notebook[0] and "Compiling kernels" in notebook[0]
    assert "one" in notebook[1] and 'value="3"' in notebook[2] and "1/2" in notebook[2]
    assert 'value="4"' in notebook[-2] and "2/2" in notebook[-2] and notebook[-1] == ""
    assert capsys.readouterr() == ("", "")


def test_long_work_shows_a_bar(notebook: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortenforge.model.calls.progress_bar.BAR_DELAY", -1.0)
    with DelayedProgressBar("Lengths", 10) as bar:
        bar.advance(4)
    assert "Lengths" in notebook[0] and 'value="4" max="10"' in notebook[0] and notebook[-1] == ""


def test_a_long_rollout_shows_a_bar(notebook: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cortenforge.batch.rollout.LONG", 1)
    model = cf.models.simple_pendulum()
    batch = cf.BatchSim(model, 2)
    batch.rollout(batch.get_states(), _controls(batch, 5), progress=True)
    bars = [text for text in notebook if "Rollout" in text]
    assert 'value="4" max="5"' in bars[-1] and notebook[-1] == ""


def _controls(batch: cf.BatchSim, count: int) -> Any:
    import numpy as np

    return np.zeros((batch.n, count, batch.model.nu))


def test_no_notebook_no_bar() -> None:
    """Nothing is imported to find out."""
    assert not in_notebook()


def test_a_model_shows_its_bodies_and_a_picture(data: cf.Data) -> None:
    """An image, sizes, and each body below its parent; names are escaped."""
    shown = data.model._repr_html_()
    assert "data:image/png;base64," in shown and "nq 28" in shown
    tree = shown[shown.index("<pre>") + 5 : shown.index("</pre>")].splitlines()
    assert len(tree) == data.model.nbody - 1
    depth = {line.split(" (")[0].strip(): len(line) - len(line.lstrip()) for line in tree}
    for body in range(2, data.model.nbody):
        parent = data.model.name_of("body", int(data.model.body_parentid[body]))
        assert depth[data.model.name_of("body", body)] == depth[parent] + 2
    odd = cf.Model.from_mjcf("<mujoco><worldbody><body name='a&lt;b'/></worldbody></mujoco>")
    assert "a&lt;b" in odd._repr_html_()
