"""Activations as layers."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.printable import printable
from to_static.nn import functional as F
from to_static.nn.functional_layer import REQUIRED, declare
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer


def _row(name: str, function: str, doc: str, result: str, attributes: str = "_{}", **settings: Any) -> Any:
    """A layer; ``result``: what it gives for [-1, 2], for the example in its docstring."""
    arguments = ", ".join(f"{key}=2" for key, default in settings.items() if default is REQUIRED)
    example = f">>> paddle.nn.{name}({arguments})(paddle.to_tensor([[-1.0, 2.0]])).tolist()\n[[{result}]]"
    return declare(__name__, name, function, doc, attributes=attributes, example=example, **settings)


CELU = _row("CELU", "celu", "``max(0, x) + min(0, alpha * (exp(x / alpha) - 1))``.", "-0.6321, 2.0", alpha=1.0)
ELU = _row("ELU", "elu", "``x`` where positive, ``alpha * (exp(x) - 1)`` elsewhere.", "-0.6321, 2.0", alpha=1.0)
GELU = _row(
    "GELU", "gelu", "``x`` times the normal distribution function of ``x`` (``approximate``: a formula with tanh).",
    "-0.1587, 1.9545", approximate=False,
)  # fmt: skip
GLU = _row("GLU", "glu", "The first half along ``axis`` times the sigmoid of the second.", "-0.8808", axis=-1)
Hardshrink = _row("Hardshrink", "hardshrink", "``x`` where ``|x| > threshold``, 0 elsewhere.", "-1.0, 2.0", threshold=0.5)
Hardsigmoid = _row("Hardsigmoid", "hardsigmoid", "``x / 6 + 0.5``, cut to [0, 1].", "0.3333, 0.8333", "{}")
Hardswish = _row("Hardswish", "hardswish", "``x`` times `Hardsigmoid`.", "-0.3333, 1.6667")
Hardtanh = _row("Hardtanh", "hardtanh", "``x`` cut to [``min``, ``max``].", "-1.0, 1.0", min=-1.0, max=1.0)
LeakyReLU = _row(
    "LeakyReLU", "leaky_relu", "``x`` where positive, ``negative_slope * x`` elsewhere.", "-0.01, 2.0", negative_slope=0.01
)
LogSigmoid = _row("LogSigmoid", "log_sigmoid", "``log(sigmoid(x))``, computed without overflow.", "-1.3133, -0.1269")
LogSoftmax = _row("LogSoftmax", "log_softmax", "The logarithm of `Softmax` along ``axis``.", "-3.0486, -0.0486", axis=-1)
Maxout = _row(
    "Maxout", "maxout", "The largest of each ``groups`` neighbouring channels along ``axis``.", "2.0", groups=REQUIRED, axis=1
)
Mish = _row("Mish", "mish", "``x * tanh(softplus(x))``.", "-0.3034, 1.944")
ReLU = _row("ReLU", "relu", "``max(x, 0)``.", "0.0, 2.0")
ReLU6 = _row("ReLU6", "relu6", "``x`` cut to [0, 6].", "0.0, 2.0")
Sigmoid = _row("Sigmoid", "sigmoid", "``1 / (1 + exp(-x))``.", "0.2689, 0.8808", "{}")
Silu = _row("Silu", "silu", "``x * sigmoid(x)``.", "-0.2689, 1.7616")
Softmax = _row("Softmax", "softmax", "Non-negative weights that sum to one along ``axis``.", "0.0474, 0.9526", axis=-1)
Softplus = _row(
    "Softplus", "softplus", "``log(1 + exp(beta * x)) / beta``; ``x`` where ``beta * x > threshold``.", "0.3133, 2.1269",
    beta=1, threshold=20,
)  # fmt: skip
Softshrink = _row("Softshrink", "softshrink", "``x`` moved towards 0 by ``threshold``.", "-0.5, 1.5", threshold=0.5)
Softsign = _row("Softsign", "softsign", "``x / (1 + |x|)``.", "-0.5, 0.6667")
Swish = _row("Swish", "swish", "``x * sigmoid(x)``.", "-0.2689, 1.7616")
Tanh = _row("Tanh", "tanh", "``tanh(x)``.", "-0.7616, 0.964")
Tanhshrink = _row("Tanhshrink", "tanhshrink", "``x - tanh(x)``.", "-0.2384, 1.036")
ThresholdedReLU = _row(
    "ThresholdedReLU", "thresholded_relu", "``x`` where above ``threshold``, else 0.", "-0.0, 2.0", threshold=1.0
)


class SELU(Layer):
    """``scale * (x where positive, alpha * (exp(x) - 1) elsewhere)`` (Klambauer et al., 2017).

    ``scale``, ``alpha``: numbers that keep mean and variance of normal inputs.

    Example:
        >>> paddle.nn.SELU()(paddle.to_tensor([0.0, 1.0])).tolist()
        [0.0, 1.0507010221481323]
    """

    def __init__(
        self, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772, name: str | None = None
    ) -> None:
        super().__init__()
        self._scale, self._alpha, self._name = scale, alpha, name

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``."""
        return F.selu(x, self._scale, self._alpha)

    def extra_repr(self) -> str:
        return f"scale={self._scale:.16f}, alpha={self._alpha:.16f}{f', name={printable(self._name)}' if self._name else ''}"


class PReLU(Layer):
    """``x`` where positive, a learned slope times ``x`` elsewhere.

    Args:
        num_parameters: 1, or the number of channels (default 1).
        init: first value of the slopes (default 0.25).
        weight_attr: how the slopes are made otherwise.
        data_format: ``'NCHW'`` and the like (channels second) or ``'NHWC'`` (channels last).

    Example:
        >>> paddle.nn.PReLU()(paddle.to_tensor([-2.0, 2.0])).tolist()
        [-0.5, 2.0]
    """

    def __init__(
        self,
        num_parameters: int = 1,
        init: float = 0.25,
        weight_attr: Any = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_parameters, self._init, self._weight_attr = num_parameters, init, weight_attr
        self._data_format, self._name = data_format, name
        self._weight = self.create_parameter([num_parameters], weight_attr, default_initializer=Constant(init))

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``."""
        return F.prelu(x, self._weight, data_format=self._data_format)

    def extra_repr(self) -> str:
        return (
            f"num_parameters={self._num_parameters}, data_format={self._data_format}, init={self._init}, "
            f"dtype={self._weight.dtype.name}{f', name={printable(self._name)}' if self._name else ''}"
        )


class Softmax2D(Layer):
    """`Softmax` over the channels of ``[N, C, H, W]`` or ``[C, H, W]``.

    Example:
        >>> paddle.nn.Softmax2D()(paddle.zeros([1, 2, 1, 1])).flatten().tolist()
        [0.5, 0.5]
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``. Raises ValueError for other ranks."""
        if x.ndim not in (3, 4):
            raise ValueError(f"Softmax2D: expected a tensor of 3 or 4 dimensions, got {x.ndim}")
        return F.softmax(x, -3)

    def extra_repr(self) -> str:
        return f"name={printable(self._name)}" if self._name else ""


class RReLU(Layer):
    """`F.rrelu`: a slope for negative numbers that is drawn in training, its mean in evaluation (Xu et al., 2015).

    Args:
        lower, upper: the bounds of the slope (default 1/8 and 1/3).

    Example:
        >>> paddle.nn.RReLU()(paddle.to_tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]
    """

    def __init__(self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None) -> None:
        super().__init__()
        self._lower, self._upper, self._name = lower, upper, name

    def forward(self, x: Any) -> Any:
        """A tensor like ``x``."""
        return F.rrelu(x, self._lower, self._upper, self.training)

    def extra_repr(self) -> str:
        name = f", name={printable(self._name)}" if self._name else ""
        return f"lower={self._lower}, upper={self._upper}, training={self.training}, dtype={self._dtype}{name}"
