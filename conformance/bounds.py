"""`python -m conformance.bounds`: files of at most 10 kB that ask for as much as they can.

Each is loaded in a process of its own; it must load or be refused within 10 s of one core and
1 GB.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

SECONDS, MEGABYTES, BYTES = 10.0, 1024, 10_000
WORDS = {"free": "<freejoint/>", "hinge": "<joint name='j'/>", "none": ""}


def model(world: str, rest: str = "") -> str:
    """A document around a world."""
    return f"<mujoco>{rest}<worldbody>{world}</worldbody></mujoco>"


def body(joint: str = "free", inside: str = "", name: str = "b") -> str:
    """A body with one geom."""
    return f"<body name='{name}'>{WORDS[joint]}<geom name='g' size='.1'/>{inside}</body>"


def copies(count: int, inside: str) -> str:
    """Replicas of something."""
    return f"<replicate count='{count}' offset='.1 0 0'>{inside}</replicate>"


def many(count: int, joint: str, rest: str, inside: str = "") -> str:
    """Replicated bodies, and what refers to them."""
    return model(copies(count, body(joint, inside)), rest)


def grid(count: int, inside: str) -> str:
    """Replicas of replicas."""
    return copies(count, copies(count, inside))


def chain(depth: int, joint: str = "<joint/>") -> str:
    """Bodies inside bodies."""
    opened = f"<body>{joint}<geom size='1'/>" * depth
    return model(opened + "</body>" * depth)


def star(count: int, arms: str) -> str:
    """One body with replicated children."""
    return model(f"<body><freejoint/><geom size='1'/>{copies(count, arms)}</body>")


SITE = "<site name='s'/>"
SPATIAL = "<tendon><spatial name='t'><site site='s'/><site site='o'/></spatial></tendon>"
OUTSIDE = "<site name='o'/>"
BETWEEN = "<site site='s'/><site site='o'/>"
MOTOR = "<motor joint='j'/>"
ARM = "<body><joint/><geom size='.1'/>" * 20 + "</body>" * 20
DEEP = "<body name='b'><joint name='j'/><geom size='.1'/>" * 1
SENSORS = "".join(
    f"<{kind} objtype='body' objname='b'/>"
    for kind in ("framepos", "framequat", "framelinvel", "frameangvel", "framelinacc")
)

FILES: dict[str, Callable[[], str]] = {
    "free bodies": lambda: many(11_170, "free", ""),
    "hinged bodies": lambda: many(11_170, "hinge", ""),
    "static geoms": lambda: model(copies(102_000, "<geom size='.1'/>")),
    "fixed bodies": lambda: many(14_920, "none", ""),
    "motors": lambda: many(7_500, "hinge", "<actuator><motor joint='j'/></actuator>"),
    "muscles": lambda: many(
        2000, "hinge", "<actuator><muscle joint='j'/></actuator>".replace("'j'/", "'j' /")
    ),
    "site motors": lambda: many(
        6_750, "free", "<actuator><general site='s' gear='1 1 1 1 1 1'/></actuator>", SITE
    ),
    "adhesion": lambda: many(
        6_750, "free", "<actuator><adhesion body='b' ctrlrange='0 1'/></actuator>"
    ),
    "tendons": lambda: model(OUTSIDE + copies(6_750, body("free", SITE)), SPATIAL),
    "fixed tendons": lambda: many(
        7_500, "hinge", "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"
    ),
    "sensors": lambda: many(6_000, "free", f"<sensor>{SENSORS}</sensor>"),
    "contact sensors": lambda: many(
        6_000, "free", "<sensor><contact body1='b' num='20'/></sensor>"
    ),
    "equalities": lambda: many(6_000, "free", "<equality><weld body1='b'/></equality>"),
    "excludes": lambda: many(
        6_000, "free", "<contact><exclude body1='b' body2='world'/></contact>"
    ),
    "tuples": lambda: many(
        6_750,
        "free",
        "<custom><tuple name='t'><element objtype='body' objname='b'/></tuple></custom>",
    ),
    "geoms on one body": lambda: model(
        "<body>" + "<freejoint/>" + copies(22_420, "<geom size='.1'/>") + "</body>"
    ),
    "geoms on the world": lambda: model(copies(22_420, "<geom size='.1'/>")),
    "sites": lambda: model(copies(22_420, "<site/>")),
    "cameras": lambda: model(copies(22_420, "<camera/>")),
    "lights": lambda: model(copies(22_420, "<light/>")),
    "frames": lambda: model(copies(22_420, "<frame/>")),
    "grid": lambda: model(grid(120, body("free"))),
    "empty replicas": lambda: model(copies(2_000_000_000, "")),
    "nested replicas": lambda: model("<replicate count='1000'>" * 30 + "</replicate>" * 30),
    "chain": lambda: chain(200),
    "chain of balls": lambda: chain(130, "<joint type='ball'/>" + "<joint/>" * 3),
    "star of chains": lambda: star(140, "<body><joint/><geom size='.1'/>" * 70 + "</body>" * 70),
    "star": lambda: star(11_170, body("hinge")),
    "wide star": lambda: star(14_920, body("none")),
    "star of motors": lambda: model(
        f"<body><freejoint/><geom size='1'/>{copies(7_500, body('hinge'))}</body>",
        "<actuator><motor joint='j'/></actuator>",
    ),
    "star of tendons": lambda: model(
        f"{OUTSIDE}<body><freejoint/><geom size='1'/>{copies(6_750, body('hinge', SITE))}</body>",
        SPATIAL,
    ),
    "long chain of replicas": lambda: model(
        "<body><joint/><geom size='1'/>" * 150
        + copies(15_000, "<geom size='1'/>")
        + "</body>" * 150
    ),
    "leaves of a chain": lambda: model(
        "<body><joint/><geom size='1'/>" * 150 + copies(10_500, body("hinge")) + "</body>" * 150
    ),
    "motors of leaves": lambda: model(
        "<body><joint/><geom size='1'/>" * 150 + copies(7_500, body("hinge")) + "</body>" * 150,
        "<actuator><motor joint='j'/></actuator>",
    ),
    "bodies with many joints": lambda: many(
        4_950, "none", "", "".join(f"<joint axis='1 {i} 0'/>" for i in range(6))
    ),
    "nuserdata": lambda: model("", "<size nuserdata='2000000000'/>"),
    "nuser_body": lambda: model("", "<size nuser_body='2000000000'/>"),
    "nuser_geom": lambda: many(6_750, "free", "<size nuser_geom='1000'/>"),
    "memory": lambda: model("", "<size memory='1000P'/>"),
    "njmax": lambda: model("", "<size njmax='2000000000' nconmax='2000000000'/>"),
    "nkey": lambda: model("", "<size nkey='2000000000'/>"),
    "keyframes of many": lambda: many(6_000, "free", "<size nkey='5000'/>"),
    "many keyframes": lambda: many(6_000, "free", f"<keyframe>{'<key/>' * 1500}</keyframe>"),
    "numeric": lambda: model("", "<custom><numeric name='a' size='2000000000'/></custom>"),
    "numerics": lambda: model(
        "",
        "<custom>"
        + "".join(f"<numeric name='a{i}' size='500000'/>" for i in range(200))
        + "</custom>",
    ),
    "history": lambda: many(
        100, "hinge", "<actuator><motor joint='j' nsample='2000000000'/></actuator>"
    ),
    "sensor history": lambda: many(
        100, "hinge", "<sensor><jointpos joint='j' nsample='2000000000'/></sensor>"
    ),
    "activations": lambda: many(
        100,
        "hinge",
        "<actuator><general joint='j' dyntype='user' actdim='2000000000'/></actuator>",
    ),
    "rays": lambda: many(
        100,
        "none",
        "<sensor><rangefinder camera='c'/></sensor>",
        "<camera name='c' resolution='30000 30000'/>",
    ),
    "texture": lambda: model(
        "", "<asset><texture name='t' builtin='flat' width='30000' height='30000'/></asset>"
    ),
    "textures": lambda: model(
        "",
        "<asset>"
        + "".join(
            f"<texture name='t{i}' builtin='checker' type='cube' width='2000'/>" for i in range(140)
        )
        + "</asset>",
    ),
    "hfields": lambda: model(
        "",
        "<asset>"
        + "".join(
            f"<hfield name='h{i}' nrow='5000' ncol='5000' size='1 1 1 1'/>" for i in range(100)
        )
        + "</asset>",
    ),
    "meshes": lambda: model(
        "<body><geom type='mesh' mesh='m0'/></body>",
        "<asset>"
        + "".join(f"<mesh name='m{i}' builtin='supersphere' params='200 1 1'/>" for i in range(100))
        + "</asset>",
    ),
    "entities": lambda: (
        "<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaaaaaaaa'>"
        + "".join(f"<!ENTITY a{i + 1} '&a{i or ''};&a{i or ''};&a{i or ''};'>" for i in range(40))
        + "]><mujoco model='&a40;'/>"
    ),
    "long list": lambda: model("", f"<custom><numeric name='a' data='{'1 ' * 4800}'/></custom>"),
    "long number": lambda: model("", f"<option timestep='{'9' * 9800}'/>"),
    "deep defaults": lambda: (
        "<mujoco>"
        + "".join(f"<default class='c{i}'>" if i else "<default>" for i in range(250))
        + "<geom size='1'/>"
        + "</default>" * 250
        + "</mujoco>"
    ),
    "deep frames": lambda: model("<frame>" * 480 + "<geom size='1'/>" + "</frame>" * 480),
    "attributes": lambda: f"<mujoco {' '.join(f'a{i}=1' for i in range(1))!s}/>".replace(
        "=1", "='1'"
    ),
    "length ranges": lambda: many(
        300,
        "hinge",
        "<compiler><lengthrange mode='all'/></compiler>"
        "<actuator><muscle joint='j' lengthrange='0 0'/></actuator>",
    ),
    "pairs": lambda: many(6_000, "free", "<contact><pair geom1='g' geom2='f'/></contact>").replace(
        "<worldbody>", "<worldbody><geom name='f' type='plane' size='1 1 1'/>"
    ),
    "tendon through many": lambda: model(
        copies(2, "") + "".join(f"<site name='s{i}'/>" for i in range(180)),
        "<tendon><spatial>"
        + "".join(f"<site site='s{i}'/>" for i in range(180))
        + "</spatial></tendon>",
    ),
    "heavy tendons": lambda: many(
        1900,
        "hinge",
        "<tendon><fixed armature='1'><joint joint='j' coef='1'/></fixed></tendon>",
    ),
    "heavy tendon on a star": lambda: model(
        f"<body><geom size='1'/><joint name='r'/>{copies(1900, body('hinge'))}</body>",
        "<tendon><fixed armature='1'><joint joint='r' coef='1'/></fixed></tendon>",
    ),
    "crowd of motors": lambda: many(7_500, "hinge", "<actuator>" + MOTOR * 400 + "</actuator>"),
    "crowd of tuples": lambda: many(
        7_500,
        "hinge",
        "<custom>"
        + "".join(
            f"<tuple name='t{i}'><element objtype='body' objname='b'/></tuple>" for i in range(120)
        )
        + "</custom>",
    ),
    "long tendons": lambda: model(
        copies(6_750, body("free", SITE)) + OUTSIDE,
        "<tendon><spatial>" + BETWEEN * 200 + "</spatial></tendon>",
    ),
    "doubled by attaching": lambda: model(
        body("hinge", name="b0")
        + "".join(
            f"<body name='b{i + 1}'><attach body='b{i}' prefix='x{i}'/>"
            f"<attach body='b{i}' prefix='y{i}'/></body>"
            for i in range(30)
        )
    ),
    "attached to many": lambda: model(
        body("hinge")
        + copies(3000, body("hinge", name="c"))
        + "".join(f"<attach body='b' prefix='x{i}'/>" for i in range(200))
    ),
    "fused bodies": lambda: many(14_920, "none", "<compiler fusestatic='true'/>"),
    "discarded geoms": lambda: model(
        copies(22_420, "<geom size='1' contype='0' conaffinity='0'/>"),
        "<compiler discardvisual='true'/>",
    ),
    "wide user rows": lambda: many(8_250, "free", "", f"<site user='{'1 ' * 1000}'/>"),
}

#: defines `peak`, the most memory that a process has had [KB]; what `getrusage` says begins with
#: that of the process which started it, where there is /proc to know better
PEAK = """
import resource
def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""

LOAD = f"""{PEAK}
import json, sys, time, warnings
warnings.simplefilter("ignore")
import cortenforge as cf
start = time.process_time()
try:
    said = repr(cf.Model.from_mjcf(sys.stdin.read()))
except cf.errors.MjcfError as error:
    said = str(error).splitlines()[0]
took = time.process_time() - start
print(json.dumps([said[:150], took, peak() / 1024]))
"""


def load(text: str, *, seconds: float = 12 * SECONDS, megabytes: int = 4 * MEGABYTES) -> tuple:
    """What loading a document says, how long it takes [s], and the most memory used [MB]."""
    limit = megabytes * 2**20

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", LOAD],
            input=text,
            capture_output=True,
            text=True,
            timeout=seconds,
            preexec_fn=bound,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "did not end", time.perf_counter() - start, 0.0
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["died"])[-1], 0.0, float("inf")
    return tuple(json.loads(done.stdout))


def main() -> int:
    """Load every file; the number of those that break the bound is the exit code."""
    chosen = sys.argv[1:]
    broken = 0
    for name, write in FILES.items():
        text = write()
        if chosen and not any(word in name for word in chosen):
            continue
        assert len(text) <= BYTES, f"{name}: {len(text)} bytes"
        said, took, peak = load(text)
        bad = took > SECONDS or peak > MEGABYTES
        broken += bad
        print(
            f"{'BAD' if bad else 'ok ':4}{took:7.2f} s {peak:7.0f} MB  {name}: {said}", flush=True
        )
    return broken


if __name__ == "__main__":
    sys.exit(main())
