"""`cortenforge train` and `cortenforge play`, on a training of a few rounds."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from cortenforge.cli.app import app
from cortenforge.learning import Policy, Training


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A training of two rounds."""
    made = tmp_path_factory.mktemp("out") / "cheetah"
    words = ["train", "HalfCheetah-v5", "--steps", "500", "--worlds", "8", "--out", str(made)]
    result = CliRunner().invoke(app, [*words, "--no-clip"])
    assert result.exit_code == 0, result.output
    assert "return" in result.output and "policy.pt" in result.output
    return made


def test_a_training_leaves_policy_and_checkpoint(folder):
    assert Policy.load(folder / "policy.pt").trained["steps"] == 512
    training = Training.resume(folder)
    assert training.finished and training.recipe.worlds == 8


def test_a_finished_training_is_resumed_to_its_end(folder):
    result = CliRunner().invoke(app, ["train", "--resume", str(folder), "--no-clip"])
    assert result.exit_code == 0, result.output
    assert "go on" not in result.output


def test_tasks_are_listed():
    result = CliRunner().invoke(app, ["train", "--list"])
    assert result.exit_code == 0 and "HalfCheetah-v5" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a task"),
        (["HalfCheeta-v5"], "did you mean 'HalfCheetah-v5'?"),
        (["--resume", "nowhere"], "no such file"),
        (["Ant-v5", "--resume", "nowhere"], "as it was begun"),
    ],
)
def test_wrong_words_are_refused(words, message):
    result = CliRunner().invoke(app, ["train", *words])
    assert result.exit_code != 0 and message in " ".join(result.output.split())


def test_a_policy_is_played(folder, tmp_path):
    policy = str(folder / "policy.pt")
    picture = tmp_path / "picture.png"
    exported = tmp_path / "exported.pt"
    for words, found in (
        (["--evaluate", "2"], None),
        (["--out", str(picture), "--seconds", "0.2"], picture),
        (["--export", str(exported)], exported),
    ):
        result = CliRunner().invoke(app, ["play", policy, *words])
        assert result.exit_code == 0, result.output
        assert found is None or found.stat().st_size > 1000
