"""Policies: a network with the task it was trained for, in a file, and exported for other programs.

A policy's file holds tensors and plain values only. It is read without running code from it
(`weights_only` of torch), so a policy of somebody else's is safe to load.
"""

from __future__ import annotations

import copy
import io
import warnings
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from cortenforge.disk import replacing
from cortenforge.errors import PolicyError, ShapeError
from cortenforge.learning.networks import ActorCritic

#: what files of policies begin with, and the version of their content
KIND, VERSION = "cortenforge policy", 1
#: a policy's file is not larger than this
LARGEST_FILE = 2**30


@dataclass(frozen=True)
class PolicyShape:
    """What is needed to make a policy's network."""

    observation_shape: tuple[int, ...]
    action_size: int
    hidden: tuple[int, ...] = (64, 64)
    log_std: float = -1.0

    def network(self) -> ActorCritic:
        """A network with new weights."""
        return ActorCritic(self.observation_shape, self.action_size, self.hidden, self.log_std)


@dataclass
class Policy:
    """A trained policy: what to do in a task.

    task:      the task's name, as for `cortenforge.envs.make`
    low, high: the range of actions
    trained:   facts of the training: steps, seed, return

    >>> policy = Policy.load("halfcheetah.pt")
    >>> actions = policy.act(observations)
    """

    task: str
    shape: PolicyShape
    network: ActorCritic
    low: np.ndarray
    high: np.ndarray
    trained: dict[str, Any] = field(default_factory=dict)

    def act(self, observations: np.ndarray) -> np.ndarray:
        """Actions `(n, k)` for observations `(n, ...)`, or `(k,)` for one observation."""
        given = np.asarray(observations)
        wanted = self.shape.observation_shape
        single = given.shape == wanted
        if not single and given.shape[1:] != wanted:
            raise ShapeError(f"observations: expected {wanted} or (n, {wanted}), got {given.shape}")
        rows = np.ascontiguousarray(given[None] if single else given)
        if rows.dtype != np.uint8:
            rows = rows.astype(np.float32)
        with torch.no_grad():
            mean = self.network(torch.from_numpy(rows)).numpy()
        actions: np.ndarray = np.clip(mean, self.low, self.high)
        return actions[0] if single else actions

    def save(self, path: str | Path) -> None:
        """Write the policy, its normalisation included, to a file."""
        content = {
            "kind": KIND,
            "version": VERSION,
            "task": self.task,
            "shape": asdict(self.shape),
            "network": self.network.state_dict(),
            "low": torch.from_numpy(self.low),
            "high": torch.from_numpy(self.high),
            "trained": self.trained,
        }
        save_tensors(content, path)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy.  Raises PolicyError for a file that holds none."""
        content = load_tensors(path, KIND, VERSION)
        try:
            made = {name: _as_tuple(value) for name, value in content["shape"].items()}
            shape = PolicyShape(**made)
            network = shape.network()
            network.load_state_dict(content["network"])
            low, high = content["low"].numpy(), content["high"].numpy()
            return cls(content["task"], shape, network.eval(), low, high, content["trained"])
        except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
            raise PolicyError(f"{path}: the policy is incomplete or damaged: {error}") from None

    def export(self, path: str | Path) -> None:
        """Write the policy for other programs: `.onnx` for ONNX, `.pt` for TorchScript.

        Its input `observations` is `(n, ...)`, its output `actions` `(n, k)`; normalisation and
        the range of actions are part of it.
        """
        target = Path(path)
        network = copy.deepcopy(self.network).requires_grad_(False)
        module = Acting(network, self.low, self.high).eval()
        kind = torch.uint8 if self.network.pictures else torch.float32
        example = torch.zeros((2, *self.shape.observation_shape), dtype=kind)
        if target.suffix == ".onnx":
            _export_onnx(module, example, target)
        elif target.suffix == ".pt":
            with replacing(target) as beside, warnings.catch_warnings():
                # torch would rather have its own new format, which other programs cannot read
                warnings.simplefilter("ignore", DeprecationWarning)
                torch.jit.trace(module, example).save(str(beside))
        else:
            raise PolicyError(f"{target}: expected a file name that ends with .onnx or .pt")


class Acting(nn.Module):
    """What is exported of a policy: observations to actions within their range."""

    low: Tensor
    high: Tensor

    def __init__(self, network: ActorCritic, low: np.ndarray, high: np.ndarray) -> None:
        super().__init__()
        self.network = network
        self.register_buffer("low", torch.from_numpy(low))
        self.register_buffer("high", torch.from_numpy(high))

    def forward(self, observations: Tensor) -> Tensor:
        """The mean action, clipped."""
        return torch.clamp(self.network(observations), self.low, self.high)


def save_tensors(content: dict[str, Any], path: str | Path) -> None:
    """Write tensors and plain values to a file, which is replaced atomically."""
    kept = io.BytesIO()
    torch.save(content, kept)
    with replacing(path) as beside:
        beside.write_bytes(kept.getbuffer())


def load_tensors(path: str | Path, kind: str, version: int) -> dict[str, Any]:
    """Read such a file.  Raises PolicyError where it holds something else."""
    source = Path(path)
    if not source.is_file():
        raise PolicyError(f"{source}: there is no such file")
    if not zipfile.is_zipfile(source):  # anything else torch would read as an old format
        raise PolicyError(f"{source}: not a {kind}, or one that was cut")
    if source.stat().st_size > LARGEST_FILE:
        raise PolicyError(f"{source}: larger than {LARGEST_FILE:,} bytes, so not a {kind}")
    try:
        content = torch.load(source, map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged file may make torch raise anything
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise PolicyError(f"{source}: not a {kind}: {reason}") from None
    if not isinstance(content, dict) or content.get("kind") != kind:
        raise PolicyError(f"{source}: not a {kind}")
    if content.get("version") != version:
        raise PolicyError(
            f"{source}: a {kind} of version {content.get('version')!r}; this is version {version}"
        )
    return content


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _export_onnx(module: nn.Module, example: Tensor, target: Path) -> None:
    try:
        import onnxscript  # noqa: F401  torch needs it to export
    except ImportError:
        raise PolicyError(
            "exporting ONNX needs two more packages: pip install onnx onnxscript; "
            "TorchScript (.pt) does not"
        ) from None
    batch = torch.export.Dim("n")
    with replacing(target) as beside:
        torch.onnx.export(
            module,
            (example,),
            str(beside),
            input_names=["observations"],
            output_names=["actions"],
            dynamic_shapes=({0: batch},),
            external_data=False,
            verbose=False,
        )
