"""Windows that fade a frame in and out: one table of functions of the number of samples, computed in double precision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ops.shapes.create import to_tensor


def _centred(size: int) -> np.ndarray:
    return np.arange(size) - (size - 1.0) / 2


def _general_gaussian(size: int, p: float, sig: float) -> np.ndarray:
    return np.exp(-0.5 * np.abs(_centred(size) / sig) ** (2 * p))


def _gaussian(size: int, std: float) -> np.ndarray:
    return np.exp(-(_centred(size) ** 2) / (2 * std * std))


def _general_cosine(size: int, a: Sequence[float]) -> np.ndarray:
    angles = np.linspace(-math.pi, math.pi, size)
    return np.sum([weight * np.cos(k * angles) for k, weight in enumerate(a)], 0)


def _general_hamming(size: int, alpha: float) -> np.ndarray:
    return _general_cosine(size, [alpha, 1 - alpha])


def _hamming(size: int) -> np.ndarray:
    return _general_hamming(size, 0.54)


def _hann(size: int) -> np.ndarray:
    return _general_hamming(size, 0.5)


def _blackman(size: int) -> np.ndarray:
    return _general_cosine(size, [0.42, 0.5, 0.08])


def _cosine(size: int) -> np.ndarray:
    return np.sin(math.pi / size * (np.arange(size) + 0.5))


def _triang(size: int) -> np.ndarray:
    steps = (size + 1) // 2
    return 1 - np.abs(_centred(size)) / (steps if size % 2 else size / 2)


def _bohman(size: int) -> np.ndarray:
    distance = np.abs(np.linspace(-1, 1, size))
    window = (1 - distance) * np.cos(math.pi * distance) + np.sin(math.pi * distance) / math.pi
    window[[0, -1]] = 0
    return window


def _exponential(size: int, center: float | None = None, tau: float = 1.0) -> np.ndarray:
    return np.exp(-np.abs(np.arange(size) - ((size - 1) / 2 if center is None else center)) / tau)


def _tukey(size: int, alpha: float = 0.5) -> np.ndarray:
    if alpha <= 0:
        return np.ones(size)
    if alpha >= 1:
        return _hann(size)
    window = np.ones(size)
    width = int(alpha * (size - 1) / 2)
    n = np.arange(width + 1)
    window[: width + 1] = 0.5 * (1 + np.cos(math.pi * (2 * n / alpha / (size - 1) - 1)))
    window[size - width - 1 :] = window[width::-1]
    return window


def _taylor(size: int, nbar: int = 4, sll: float = 30, norm: bool = True) -> np.ndarray:
    # W. Carrara et al., "Spotlight Synthetic Aperture Radar", 1995, appendix D: the side lobes up to `nbar` are `sll` dB down
    a2 = (math.acosh(10 ** (sll / 20)) / math.pi) ** 2
    spread = nbar**2 / (a2 + (nbar - 0.5) ** 2)
    m = np.arange(1, nbar)
    weights = []
    for k in m:
        above = np.prod(1 - k**2 / spread / (a2 + (m - 0.5) ** 2))
        below = np.prod(1 - k**2 / m[m != k] ** 2.0)
        weights.append((-1) ** (k + 1) * above / (2 * below))

    def at(n: Any) -> Any:
        return 1 + 2 * np.dot(weights, np.cos(2 * math.pi * m[:, None] * (n - size / 2 + 0.5) / size))

    window = at(np.arange(size))
    return window / at(np.asarray([(size - 1) / 2])) if norm else window


_WINDOWS = {
    "blackman": _blackman, "bohman": _bohman, "cosine": _cosine, "exponential": _exponential, "gaussian": _gaussian,
    "general_cosine": _general_cosine, "general_gaussian": _general_gaussian, "general_hamming": _general_hamming,
    "hamming": _hamming, "hann": _hann, "taylor": _taylor, "triang": _triang, "tukey": _tukey,
}  # fmt: skip
_NEED_MORE = ("gaussian", "exponential", "general_cosine", "general_gaussian", "general_hamming")


def get_window(window: Any, win_length: int, fftbins: bool = True, dtype: str = "float64") -> Any:
    """A window by its name.

    Args:
        window: 'hann', 'hamming', 'blackman', 'cosine', 'triang', 'bohman', 'tukey', 'taylor'; or a tuple of a name and its
            parameters: ('gaussian', std), ('general_gaussian', p, sig), ('exponential', center, tau), ('tukey', alpha),
            ('taylor', nbar, sll, norm), ('general_hamming', alpha), ('general_cosine', weights).
        win_length: samples.
        fftbins: True (default) for a period of a periodic window, False for a symmetric one.
        dtype: of the result (default 'float64').

    Returns:
        Tensor [win_length].

    Raises:
        ValueError: there is no such window, it needs parameters, or ``win_length`` is negative.

    Example:
        >>> paddle.audio.functional.get_window('hann', 4).tolist()
        [0.0, 0.5, 1.0, 0.5]
    """
    name, *parameters = window if isinstance(window, tuple) else (window,)
    if not isinstance(name, str) or name not in _WINDOWS:
        raise ValueError(f"get_window: expected one of {', '.join(_WINDOWS)}, or a tuple that begins so, got {window!r}")
    if not isinstance(window, tuple) and name in _NEED_MORE:
        raise ValueError(f"get_window: the {name!r} window needs one or more parameters -- pass a tuple")
    if int(win_length) != win_length or win_length < 0:
        raise ValueError(f"get_window: win_length must be a non-negative integer, got {win_length!r}")
    if name == "exponential" and not fftbins and parameters and parameters[0] is not None:
        raise ValueError("get_window: the center of a symmetric 'exponential' window must be None")
    if win_length <= 1:
        return to_tensor(np.ones(int(win_length)), dtype)
    size = int(win_length) + bool(fftbins)
    return to_tensor(np.ascontiguousarray(_WINDOWS[name](size, *parameters)[: int(win_length)]), dtype)  # type: ignore[operator]
