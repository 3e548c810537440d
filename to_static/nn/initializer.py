"""Initializers: the first values of parameters.

Values are drawn on the host from the seeded stream and then moved, so that one seed gives the same weights on every
device.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.pointwise.special import inverse_erf
from to_static.core import backend
from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.errors import ShapeError
from to_static.core.random.program_seeds import SEEDS


class Initializer:
    """Base class. A subclass implements `_values`, or ``forward(param, block)``, which sets the numbers of a parameter.

    Calling an initializer on a parameter, ``init(param)``, sets the parameter's numbers.
    """

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """The first values of a parameter, an array on the host."""
        raise NotImplementedError(f"{type(self).__name__}._values")

    def __call__(self, param: Any, block: Any = None) -> Any:
        return self.forward(param, block)

    def forward(self, var: Any, block: Any = None) -> Any:
        """Write the first values into a parameter."""
        with mode.default_mode():
            var.set_value(self._values(tuple(var.shape), var.dtype.np))
        return var


def _source(own_seed: int = 0) -> Any:
    """The source that the next values are drawn from: a stream of their own where they or the default Program have a seed."""
    by_hand = mode.building() and not mode.tracing()
    return backend.NUMPY.new_generator(seed, alone=True) if (seed := own_seed or SEEDS[by_hand]) else backend.NUMPY.generator


def _uniform(shape: tuple[int, ...], dtype: np.dtype, low: float, high: float, seed: int = 0) -> np.ndarray:
    sample_dtype = np.float64 if dtype == np.float64 else np.float32
    return _source(seed).uniform(shape, sample_dtype, low, high).astype(dtype, copy=False)


def _normal(shape: tuple[int, ...], dtype: np.dtype, mean: float, std: float, seed: int = 0) -> np.ndarray:
    sample_dtype = np.float64 if dtype == np.float64 else np.float32
    return _source(seed).normal(shape, sample_dtype, mean, std).astype(dtype, copy=False)


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """(fan in, fan out) of a weight: ``[in, out]`` of a linear layer, ``[out, in, *kernel]`` of a convolution."""
    if len(shape) == 0:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) == 2:
        return shape[0], shape[1]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


_GAINS = {"tanh": 5.0 / 3.0, "relu": math.sqrt(2.0), "selu": 0.75}
_UNIT_GAINS = ("sigmoid", "linear", *(f"conv{n}d{suffix}" for n in (1, 2, 3) for suffix in ("", "_transpose")))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The recommended gain of a nonlinearity; ``param`` is the slope of ``'leaky_relu'`` (default 0.01).

    Raises ValueError for an unknown name.

    Example:
        >>> paddle.nn.initializer.calculate_gain('tanh')
        1.6666666666666667
    """
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else float(param)) ** 2))
    if nonlinearity in _UNIT_GAINS:
        return 1.0
    if nonlinearity not in _GAINS:
        names = ", ".join(sorted([*_GAINS, *_UNIT_GAINS, "leaky_relu"]))
        raise ValueError(f"calculate_gain: unknown nonlinearity {nonlinearity!r}; known: {names}")
    return _GAINS[nonlinearity]


class ConstantInitializer(Initializer):
    """The base of `Constant`, by which older programs call it; ``force_cpu`` changes nothing."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        self._value = value

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        return np.full(shape, self._value, dtype)


class Constant(ConstantInitializer):
    """Every element is ``value`` (default 0)."""

    def __init__(self, value: float = 0.0) -> None:
        super().__init__(value)


class UniformInitializer(Initializer):
    """The base of `Uniform`, by which older programs call it.

    seed: other than 0 gives it random numbers of its own. ``diag_num``, ``diag_step`` and ``diag_val`` change nothing, as in
    Paddle's dynamic mode.
    """

    def __init__(
        self,
        low: float = -1.0,
        high: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> None:
        if low > high:
            raise ValueError(f"Uniform: low={low} is above high={high}")
        self._low, self._high = low, high
        self._seed = seed

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        return _uniform(shape, dtype, self._low, self._high, self._seed)


class Uniform(UniformInitializer):
    """Uniform between ``low`` and ``high``."""

    def __init__(self, low: float = -1.0, high: float = 1.0, name: Any = None) -> None:
        super().__init__(low, high)


class _Distributed(Initializer):
    """Base class of initializers that have a mean, a standard deviation and a seed."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        self._mean, self._std_dev, self._seed = loc, scale, seed


class NormalInitializer(_Distributed):
    """The base of `Normal`, by which older programs call it. seed: other than 0 gives it random numbers of its own."""

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        return _normal(shape, dtype, self._mean, self._std_dev, self._seed)


class Normal(NormalInitializer):
    """Normal with the given ``mean`` and ``std``."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: Any = None) -> None:
        super().__init__(mean, std)


class TruncatedNormalInitializer(_Distributed):
    """The base of `TruncatedNormal`, by which older programs call it. seed: other than 0 gives it random numbers of its own."""

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        sample_dtype = np.float64 if dtype == np.float64 else np.float32
        drawn = _source(self._seed).uniform(shape, sample_dtype, float(np.finfo(np.float32).tiny), 1.0)
        # The inverse of the distribution function, from where it is at -2 to where it is at 2.
        below, above = (sample_dtype((1 + math.erf(x / math.sqrt(2))) / 2) for x in (-2.0, 2.0))
        samples = inverse_erf(np, sample_dtype(2) * (below + (above - below) * drawn) - sample_dtype(1)).astype(np.float64)
        return (math.sqrt(2) * samples * float(np.float32(self._std_dev)) + float(np.float32(self._mean))).astype(dtype)


class TruncatedNormal(TruncatedNormalInitializer):
    """Normal, without values further than two ``std`` from ``mean``."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: Any = None) -> None:
        super().__init__(mean, std)


class XavierInitializer(Initializer):
    """The base of `XavierUniform` and `XavierNormal`, by which older programs call them: ``uniform`` says which.

    seed: other than 0 gives it random numbers of its own.
    """

    def __init__(self, uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0) -> None:
        self._uniform, self._fan_in, self._fan_out, self._seed = uniform, fan_in, fan_out, seed

    def _fan_sum(self, shape: tuple[int, ...]) -> float:
        fan_in, fan_out = fans(shape)
        return (fan_in if self._fan_in is None else self._fan_in) + (fan_out if self._fan_out is None else self._fan_out)

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if self._uniform:
            limit = math.sqrt(6.0 / self._fan_sum(shape))
            return _uniform(shape, dtype, -limit, limit, self._seed)
        return _normal(shape, dtype, 0.0, math.sqrt(2.0 / self._fan_sum(shape)), self._seed)


class XavierUniform(XavierInitializer):
    """Uniform within ``sqrt(6 / (fan_in + fan_out))`` (Glorot and Bengio, 2010). The default of most layers."""

    def __init__(self, fan_in: float | None = None, fan_out: float | None = None, name: Any = None) -> None:
        super().__init__(True, fan_in, fan_out)


class XavierNormal(XavierInitializer):
    """Normal with ``std = sqrt(2 / (fan_in + fan_out))`` (Glorot and Bengio, 2010)."""

    def __init__(self, fan_in: float | None = None, fan_out: float | None = None, name: Any = None) -> None:
        super().__init__(False, fan_in, fan_out)


class MSRAInitializer(Initializer):
    """The base of `KaimingUniform` and `KaimingNormal`, by which older programs call them: ``uniform`` says which.

    seed: other than 0 gives it random numbers of its own.
    """

    def __init__(
        self,
        uniform: bool = True,
        fan_in: float | None = None,
        seed: int = 0,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
    ) -> None:
        self._uniform, self._fan_in, self._seed = uniform, fan_in, seed
        self._gain = calculate_gain(nonlinearity, negative_slope)

    def _fan(self, shape: tuple[int, ...]) -> float:
        return fans(shape)[0] if self._fan_in is None else self._fan_in

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if self._uniform:
            limit = self._gain * math.sqrt(3.0 / self._fan(shape))
            return _uniform(shape, dtype, -limit, limit, self._seed)
        return _normal(shape, dtype, 0.0, self._gain / math.sqrt(self._fan(shape)), self._seed)


class KaimingUniform(MSRAInitializer):
    """Uniform within ``gain * sqrt(3 / fan_in)`` (He et al., 2015)."""

    def __init__(self, fan_in: float | None = None, negative_slope: float = 0.0, nonlinearity: str = "relu") -> None:
        super().__init__(True, fan_in, 0, negative_slope, nonlinearity)


class KaimingNormal(MSRAInitializer):
    """Normal with ``std = gain / sqrt(fan_in)`` (He et al., 2015)."""

    def __init__(self, fan_in: float | None = None, negative_slope: float = 0.0, nonlinearity: str = "relu") -> None:
        super().__init__(False, fan_in, 0, negative_slope, nonlinearity)


class NumpyArrayInitializer(Initializer):
    """The base of `Assign`, by which older programs call it."""

    def __init__(self, value: Any) -> None:
        self._value = value.numpy() if isinstance(value, Tensor) else np.asarray(value)  # type: ignore[attr-defined]

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if self._value.shape != shape:
            own_shape = list(self._value.shape)
            warnings.warn(f"Assign: a parameter of shape {list(shape)} gets the shape of its values, {own_shape}", stacklevel=2)
        return self._value.astype(dtype)


class Assign(NumpyArrayInitializer):
    """The given values: an array, a tensor or a nested list.

    A new parameter that should have another shape gets that of the values, as in Paddle, and a warning says so.
    """

    def __init__(self, value: Any, name: Any = None) -> None:
        super().__init__(value)


class Orthogonal(Initializer):
    """A (semi-)orthogonal matrix times ``gain``; dimensions after the first are taken together (Saxe et al., 2013)."""

    def __init__(self, gain: float = 1.0, name: Any = None) -> None:
        self._gain = gain

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal: the parameter needs at least two dimensions, it has shape {list(shape)}")
        rows, columns = shape[0], math.prod(shape[1:])
        drawn = _normal((max(rows, columns), min(rows, columns)), dtype, 0.0, 1.0).astype(np.float64)
        q, r = np.linalg.qr(drawn)
        q = q * np.sign(np.diagonal(r))  # otherwise QR's sign convention would bias the result
        return (self._gain * (q if rows >= columns else q.T)).reshape(shape).astype(dtype)


class Dirac(Initializer):
    """A convolution weight that passes its input channels on unchanged, in each of ``groups``."""

    def __init__(self, groups: int = 1, name: Any = None) -> None:
        self._groups = groups

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if len(shape) not in (3, 4, 5) or shape[0] % self._groups:
            expected = f"a weight [out, in, *kernel] with out divisible by {self._groups}"
            raise ShapeError(f"Dirac: expected {expected}, got {list(shape)}")
        weight = np.zeros(shape, dtype)
        centre = tuple(k // 2 for k in shape[2:])
        per_group = shape[0] // self._groups
        for group in range(self._groups):
            for i in range(min(per_group, shape[1])):
                index = (group * per_group + i, i, *centre)
                weight[index] = 1
        return weight


class Bilinear(Initializer):
    """The weight of a transposed convolution that upsamples bilinearly; square kernels only."""

    def _values(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ShapeError(f"Bilinear: expected a weight [out, in, k, k], got {list(shape)}")
        size = shape[3]
        factor = math.ceil(size / 2.0)
        centre = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        line = 1 - np.abs(np.arange(size) / factor - centre)
        return np.broadcast_to(np.outer(line, line), shape).astype(dtype)


_global: dict[str, Initializer | None] = {"weight": None, "bias": None}


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Set what parameters created from now on start from; None restores the layers' own defaults.

    It goes before a layer's default and after an initializer given in a `ParamAttr`.
    """
    for name, init in (("weight_init", weight_init), ("bias_init", bias_init)):
        if init is not None and not isinstance(init, Initializer):
            raise TypeError(f"set_global_initializer: {name} must be an Initializer or None, got {init!r}")
    _global.update(weight=weight_init, bias=bias_init)


def default_initializer(is_bias: bool, layer_default: Initializer | None) -> Initializer:
    """Return the initializer of a parameter that has none: the global one, the layer's, Xavier or zero."""
    chosen = _global["bias" if is_bias else "weight"]
    if chosen is None:
        chosen = layer_default
    if chosen is not None:
        return chosen
    return Constant(0.0) if is_bias else XavierUniform()


__getattr__ = names_missing(__name__)
