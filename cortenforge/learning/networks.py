"""Networks of a policy: a Gaussian over actions, and a value, of normalised observations.

    log p(a | s) = -1/2 sum ((a - mu(s)) / sigma)^2 - sum log sigma - k/2 log 2 pi
    H            = sum log sigma + k/2 (1 + log 2 pi)

sigma is a parameter and does not depend on the observation. Weights are orthogonal at first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from cortenforge.learning.normalisation import RunningMoments

LOG_2PI = math.log(2 * math.pi)
#: gain of the first weights: of hidden layers, of the mean action, of the value
HIDDEN_GAIN, ACTION_GAIN, VALUE_GAIN = math.sqrt(2), 0.01, 1.0
#: pictures are three or four times reduced by convolutions: channels, kernel, stride
CONVOLUTIONS = ((16, 8, 4), (32, 4, 2), (32, 3, 2))
#: numbers that a picture is reduced to
FEATURES = 128
#: largest value of a picture's bytes
BYTE = 255.0


class ActorCritic(nn.Module):
    """Mean action and value of observations `(n, *observation_shape)`.

    Pictures `(height, width, channels)` of bytes pass through convolutions, which the mean and the
    value share; other observations are normalised by what was seen of them.
    """

    def __init__(
        self,
        observation_shape: tuple[int, ...],
        action_size: int,
        hidden: Sequence[int] = (64, 64),
        log_std: float = -1.0,
    ) -> None:
        super().__init__()
        self.pictures = len(observation_shape) == 3
        self.moments = RunningMoments(() if self.pictures else observation_shape)
        if self.pictures:
            self.encoder: nn.Module = picture_encoder(observation_shape)
            size = FEATURES
        else:
            self.encoder = nn.Identity()
            (size,) = observation_shape
        self.actor = perceptron([size, *hidden, action_size], ACTION_GAIN)
        self.critic = perceptron([size, *hidden, 1], VALUE_GAIN)
        self.log_std = nn.Parameter(torch.full((action_size,), log_std))

    def forward(self, observations: Tensor) -> Tensor:
        """The mean action: what a trained policy does."""
        mean: Tensor = self.actor(self.encode(observations))
        return mean

    def encode(self, observations: Tensor) -> Tensor:
        """What the two networks see of observations."""
        if self.pictures:
            channels_first = observations.to(torch.float32).movedim(-1, 1) / BYTE
            encoded: Tensor = self.encoder(channels_first)
            return encoded
        return self.moments.normalised(observations.to(torch.float32))

    def value(self, observations: Tensor) -> Tensor:
        """Expected discounted sum of normalised rewards, `(n,)`."""
        return self.value_of(self.encode(observations))

    def value_of(self, encoded: Tensor) -> Tensor:
        """The same of encoded observations."""
        value: Tensor = self.critic(encoded)
        return value.squeeze(-1)

    def log_probability(self, mean: Tensor, actions: Tensor) -> Tensor:
        """log p of actions `(n, k)` around their means, `(n,)`."""
        scaled = (actions - mean) * torch.exp(-self.log_std)
        size = actions.shape[-1]
        return -0.5 * scaled.square().sum(-1) - self.log_std.sum() - 0.5 * size * LOG_2PI

    def entropy(self) -> Tensor:
        """Entropy of the distribution of actions, the same for all observations."""
        size = self.log_std.numel()
        return self.log_std.sum() + 0.5 * size * (1.0 + LOG_2PI)


def perceptron(sizes: Sequence[int], last_gain: float) -> nn.Sequential:
    """Linear layers with tanh in between."""
    layers: list[nn.Module] = []
    for inputs, outputs in pairwise(sizes):
        layers += [orthogonal(nn.Linear(inputs, outputs), HIDDEN_GAIN), nn.Tanh()]
    orthogonal(layers[-2], last_gain)
    return nn.Sequential(*layers[:-1])


def picture_encoder(shape: tuple[int, ...]) -> nn.Sequential:
    """Convolutions that reduce pictures `(height, width, channels)` to features."""
    height, width, channels = shape
    layers: list[nn.Module] = []
    for outputs, kernel, stride in CONVOLUTIONS:
        layers += [orthogonal(nn.Conv2d(channels, outputs, kernel, stride), HIDDEN_GAIN), nn.ReLU()]
        channels = outputs
    layers.append(nn.Flatten())
    with torch.no_grad():
        size = nn.Sequential(*layers)(torch.zeros(1, shape[2], height, width)).shape[1]
    layers += [orthogonal(nn.Linear(size, FEATURES), HIDDEN_GAIN), nn.ReLU()]
    return nn.Sequential(*layers)


def orthogonal(layer: nn.Module, gain: float) -> nn.Module:
    """A layer with orthogonal weights and no bias (Saxe, McClelland and Ganguli 2014)."""
    assert isinstance(layer, (nn.Linear, nn.Conv2d)) and layer.bias is not None
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
