"""The benchmark's criteria: what is missed is named. Nothing is measured here."""

from __future__ import annotations

import copy
import io

import pytest
from rich.console import Console

from benchmarks.criteria import PILE, all_met, criteria
from benchmarks.crowds import SPEEDS, missing_crowds
from benchmarks.subjects import INTEGRATORS, missing_subjects, subjects


def good_gpu() -> dict:
    """A GPU that is twice as fast as the CPU."""
    rows = [{"worlds": n, "gpu": 1.0, "cpu": 2.0} for n in (64, 1024, 4096)]
    return {"adapter": "a card", "kind": "DiscreteGPU", "rows": rows}


def good_loads() -> dict:
    """A small model that loads in 4 ms."""
    row = {"model": "humanoid", "theirs_first": 9.0, "theirs_again": 1.0, "ours_again": 4.0}
    return {"rows": [row]}


def good_batches() -> dict:
    """A BatchSim that is four times as fast as mujoco.batch."""
    ratios = {"BatchSim": 1.0, "mujoco.batch": 4.0}
    races = [{"engine": name, "threads": 2, "ratio": ratio} for name, ratio in ratios.items()]
    return {"two_threads_over_one": 1.6, "lanes_over_scalar": 3.3, "races": races}


@pytest.fixture
def results() -> dict:
    """A measurement that meets everything."""
    races = [
        {"subject": s.name, "integrator": name, "ratio": 1.5, "ours_us_median": 5.0}
        for s in subjects()
        for name in s.integrators
    ]
    counters = ("python_growth", "python_peak", "numba_allocations")
    return {
        "machine": {"cores": 2},
        "races": races,
        "allocations": [{"subject": s.name, **dict.fromkeys(counters, 0)} for s in subjects()],
        "collision": {
            "stages": [
                {"name": name, "ratio": alone, "ratio_in_lanes": lanes}
                for name, (alone, lanes) in {**SPEEDS, "100 meshes": (1.0, 1.0)}.items()
            ],
            "growth": [{"bodies": 2000, "theirs_us": 2.0, "ours_us": 1.0}],
        },
        "contact": {
            "models": [{"name": "humanoid", "ratio": 1.7}, {"name": PILE, "ratio": 1.0}],
        },
        "contact_batch": {
            "rows": [
                {"name": name, "ratio": 3.5, "one_step": 3.5, "expanded": 2.3, "two": 1.85}
                for name in ("humanoid", "ant")
            ]
        },
        "integrators": {
            "robots": [{"name": "H1", "ratio": 1.2}],
            "costs": {
                "humanoid": {"euler": 10.0, "implicitfast": 14.0, "implicit": 20.0},
                "pendulum 10": {"euler": 2.0, "rk4": 7.0},
            },
        },
        "derivatives": {
            "rows": [
                {"name": "humanoid lying", "steps": {"auto": [9.0, 12.0]}},
                {"name": "ant", "steps": {"auto": [20.0, 30.0]}},
            ],
            "chain_ms": 0.5,
        },
        "viewer": [{"worlds": 1, "core": 0.1, "ms": 1.5}, {"worlds": 1000, "core": 0.2, "ms": 5.0}],
        "deformables": {
            "drapes": [
                {"engine": "CortenForge", "seconds": 0.1, "sag": 0.25},
                {"engine": "MuJoCo", "seconds": 0.6, "sag": 0.26},
                {"engine": "MuJoCo", "seconds": 0.2, "sag": 0.4},
            ],
            "growth": [{"vertices": 400, "ms": 0.6}, {"vertices": 10_000, "ms": 15.0}],
        },
        "gpu": good_gpu(),
        "loads": good_loads(),
        "starts": [{"cache": "empty", "whole": 12.0}, {"cache": "full", "whole": 0.5}],
        "batch": good_batches(),
    }


def missed(results: dict) -> list[str]:
    return [str(criterion) for criterion in criteria(results) if not criterion.met]


def race(results: dict, subject: str, integrator: str = "Euler") -> dict:
    return next(
        r for r in results["races"] if (r["subject"], r["integrator"]) == (subject, integrator)
    )


def stage(results: dict, name: str) -> dict:
    return next(row for row in results["collision"]["stages"] if row["name"] == name)


def test_a_good_measurement_meets_all(results):
    """Nothing is missed, and that is said."""
    console = Console(record=True, file=io.StringIO())
    assert missed(results) == [] and all_met(criteria(results), console)
    assert "criteria met" in console.export_text()


@pytest.mark.parametrize(
    ("place", "key", "value", "named"),
    [
        (lambda r: race(r, "humanoid"), "ours_us_median", 101.0, "002-P1"),
        (lambda r: race(r, "pendulum 1"), "ours_us_median", 10.1, "002-P2"),
        (lambda r: r["batch"], "two_threads_over_one", 1.39, "9-AC5"),
        (lambda r: r["contact_batch"]["rows"][0], "two", 1.79, "9-AC5, throughput of two"),
        (lambda r: r["contact_batch"]["rows"][1], "expanded", 2.1, "ant over MuJoCo's, that"),
        (lambda r: r["contact_batch"]["rows"][1], "one_step", 2.54, "mean, one step a call"),
        (lambda r: race(r, "humanoid"), "ratio", 1.34, "humanoid over MuJoCo's"),
        (lambda r: race(r, "damped chain 30"), "ratio", 1.39, "damped chain 30 over"),
        (lambda r: race(r, "pendulum 10", "RK4"), "ratio", 0.99, "pendulum 10 by RK4"),
        (lambda r: race(r, "damped chain 100"), "ratio", float("nan"), "damped chain 100"),
        (lambda r: r["batch"], "lanes_over_scalar", 1.4, "lockstep"),
        (lambda r: r["batch"]["races"][1], "ratio", 2.9, "mujoco.batch"),
        (lambda r: r["allocations"][2], "python_peak", 64, "memory taken"),
        (lambda r: stage(r, "humanoid"), "ratio", 3.9, "collisions of humanoid over"),
        (lambda r: stage(r, "22 humanoids"), "ratio", 2.9, "collisions of 22 humanoids"),
        (lambda r: stage(r, "50 mixed primitives"), "ratio_in_lanes", 2.9, "s, in lanes"),
        (lambda r: stage(r, "100 meshes"), "ratio", 0.99, "collisions of 100 meshes"),
        (lambda r: r["collision"]["growth"][0], "ours_us", 2.1, "2,000 bodies"),
        (lambda r: r["derivatives"], "chain_ms", 10.1, "12-AC24"),
        (lambda r: r["derivatives"]["rows"][0]["steps"], "auto", [10.1, 9.0], "A and B of hum"),
        (lambda r: r["viewer"][0], "core", 0.26, "part of a core"),
        (lambda r: r["viewer"][1], "ms", 34.0, "frames a second of a thousand"),
        (lambda r: r["deformables"]["drapes"][1], "seconds", 0.49, "a cloth over MuJoCo's"),
        (lambda r: r["deformables"]["drapes"][1], "sag", 0.28, "a cloth over MuJoCo's"),
        (lambda r: r["deformables"]["growth"][1], "ms", 17.0, "a frame of 10,000 vertices"),
        (lambda r: r["deformables"]["growth"][0], "ms", 0.2, "cost a vertex"),
        (lambda r: r["gpu"]["rows"][1], "gpu", 2.1, "10-AC2, speed of 1,024 worlds"),
        (lambda r: r["starts"][0], "whole", 61.0, "cache empty"),
        (lambda r: r["starts"][1], "whole", 1.1, "cache full"),
        (lambda r: r["contact"]["models"][0], "ratio", 1.4, "geometric mean"),
        (lambda r: r["contact"]["models"][1], "ratio", 0.99, "200 boxes, one island in contact"),
    ],
)
def test_each_miss_is_named(results, place, key, value, named):
    """One number too low or too high is missed by name."""
    worse = copy.deepcopy(results)
    place(worse)[key] = value
    found = missed(worse)
    assert len(found) == 1 and named in found[0], found
    console = Console(record=True, width=200, file=io.StringIO())
    assert not all_met(criteria(worse), console)
    assert named in console.export_text()


def test_a_slow_model_in_contact_is_named(results):
    """A ratio below what each must have, though the mean is high enough."""
    results["contact_batch"]["rows"][1] |= {"ratio": 2.4}
    results["contact_batch"]["rows"][0] |= {"ratio": 9.0}
    assert ["worlds of ant over MuJoCo's" in name for name in missed(results)] == [True]


def test_what_is_raced():
    """Damped chains and what is full of wires are raced by Euler, others by both."""
    raced = {subject.name: subject.integrators for subject in subjects()}
    assert {f"damped chain {n}" for n in (10, 30, 100)} <= set(raced)
    assert "humanoid with sensors" in raced
    for name, integrators in raced.items():
        both = name == "humanoid" or name.startswith("pendulum")
        assert integrators == (tuple(INTEGRATORS) if both else ("Euler",))


def test_what_a_machine_lacks_is_said(monkeypatch, tmp_path):
    """Without a copy of the Menagerie, bodies full of muscles are named as missing."""
    monkeypatch.setenv("CORTENFORGE_MODELS", str(tmp_path))
    monkeypatch.setenv("CORTENFORGE_MENAGERIE", str(tmp_path))
    assert missing_subjects() == ["shadow hand", "100 muscles", "700 muscles"]
    file = tmp_path / "ms_human_700" / "MS-Human-700.xml"
    file.parent.mkdir()
    file.write_text("<mujoco/>")
    assert missing_subjects() == ["shadow hand", "100 muscles"]
    assert [s.xml for s in subjects() if s.name == "700 muscles"] == [file]


def test_crowds_that_a_machine_lacks_are_named(monkeypatch, tmp_path):
    """Robots of other collections; piles are made here."""
    for name in ("MODELS", "MENAGERIE", "PACKAGES"):
        monkeypatch.setenv(f"CORTENFORGE_{name}", str(tmp_path))
    robots = {"humanoid", "22 humanoids", "shadow hand", "G1", "ant", "half-cheetah"}
    robots.add("cube 3x3x3")
    assert set(missing_crowds()) == robots
    file = tmp_path / "unitree_g1" / "g1.xml"
    file.parent.mkdir()
    file.write_text("<mujoco/>")
    assert set(missing_crowds()) == robots - {"G1"}


def test_integrators_are_held_to_their_costs(results):
    """Implicit steps by what Euler's cost; Euler and Runge-Kutta by the races against MuJoCo."""
    assert missed(results) == []
    slow = copy.deepcopy(results)
    slow["integrators"]["robots"][0]["ratio"] = 0.9
    slow["integrators"]["costs"]["humanoid"] |= {"implicitfast": 15.1, "implicit": 30.1}
    slow["integrators"]["costs"]["pendulum 10"]["rk4"] = 9.1
    found = " ".join(missed(slow))
    assert all(name in found for name in ("H1 by implicitfast", "13-AC12", "13-AC13", "000.8-AC8"))
    slow = copy.deepcopy(results)
    for row in slow["races"]:
        row["ratio"] = 0.5
    slow = " ".join(missed(slow))
    assert "13-AC11, speed of humanoid by Euler" in slow and "pendulum 10 by RK4" in slow


def test_only_a_real_gpu_is_held_to_a_speed(results):
    """Few worlds are not, nor is a driver that runs shaders on the CPU, nor is nothing."""
    results["gpu"]["rows"][0]["gpu"] = 9.0
    assert missed(results) == []
    results["gpu"]["rows"][2]["gpu"] = 9.0
    assert len(missed(results)) == 1
    assert missed(results | {"gpu": {**results["gpu"], "kind": "CPU"}}) == []
    assert missed(results | {"gpu": {"adapter": "", "kind": "none", "rows": []}}) == []
