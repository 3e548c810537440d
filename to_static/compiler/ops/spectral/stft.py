"""Short-time Fourier transforms and their inverse: each frame of a signal is multiplied by a window and transformed."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import method
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, dynamic_sizes
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.create import ones, zeros
from to_static.compiler.ops.shapes.pad import pad
from to_static.compiler.ops.spectral.fft_family import FAMILY
from to_static.compiler.ops.spectral.frames import frame, overlap_add
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


def _lengths(name: str, n_fft: int, hop_length: int | None, win_length: int | None) -> tuple[int, int]:
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    if hop < 1:
        raise ArgumentError(f"{name}: hop_length must be positive, got {hop}")
    if not 0 < width <= n_fft:
        raise ArgumentError(f"{name}: win_length must be positive and at most n_fft = {n_fft}, got {width}")
    return hop, width


def _full_window(name: str, window: Any, width: int, n_fft: int, dtype: Any) -> Tensor:
    """The window (default: ones) with zeros around it to ``n_fft`` elements."""
    if window is None:
        window = ones([width], dtype)
    elif dtype_checks.need_float(window.spec, f"{name}: window").ndim != 1 or window.spec.shape[0] not in (width, UNKNOWN):
        raise ShapeError(f"{name}: expected a window of {width} elements, got {show(window.spec.shape)}")
    left_padding = (n_fft - width) // 2
    if width == n_fft:
        return window
    around = [zeros([n], window.dtype) for n in (left_padding, n_fft - width - left_padding)]
    return F.concat([around[0], window, around[1]])


def _around(x: Any, size: int, pad_mode: str) -> Tensor:
    """A batch of signals with ``size`` more elements on both sides."""
    if x.dtype.kind == "c":
        return F.complex(_around(F.real(x), size, pad_mode), _around(F.imag(x), size, pad_mode))
    return F.squeeze(pad(F.unsqueeze(x, -1), [size, size], pad_mode, data_format="NLC"), -1)


@method()
def stft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool = True,
    name: str | None = None,
) -> Tensor:
    """Fourier transforms of overlapping frames of signals [n] or [batch, n]: complex [..., n_fft // 2 + 1, frames].

    Args:
        n_fft: elements of a frame. hop_length: from one frame to the next (default ``n_fft // 4``).
        win_length, window: a window in the middle of each frame (default ``n_fft`` ones).
        center: frames begin ``n_fft // 2`` elements before the signal, which is continued by ``pad_mode`` 'reflect' or 'constant'.
        normalized: divide by the root of ``n_fft``. onesided: half of each transform, of real signals; else [..., n_fft, frames].
        x: the signals, real or complex.

    Raises ValueError, ShapeError, and DTypeError for half of the transform of complex numbers.

    Example:
        >>> paddle.signal.stft(paddle.ones([32]), 8).shape
        [5, 17]
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"stft: expected a signal or a batch of signals, got {show(x.spec.shape)}")
    hop, width = _lengths("stft", n_fft, hop_length, win_length)
    if n_fft < 1 or (x.spec.shape[-1] != UNKNOWN and n_fft > x.spec.shape[-1]):
        raise ArgumentError(f"stft: n_fft must be positive and at most the length of the signal, {x.spec.shape[-1]}, got {n_fft}")
    if pad_mode not in ("constant", "reflect"):
        raise ArgumentError(f"stft: pad_mode must be 'reflect' or 'constant', got {pad_mode!r}")
    dtype_checks.need_one_dtype("stft", x, window, promotable_kinds="fc")
    window = _full_window("stft", window, width, n_fft, x.dtype)
    batch = x if x.ndim == 2 else F.unsqueeze(x, 0)
    if center:
        batch = _around(batch, n_fft // 2, pad_mode)
    frames = F.transpose(frame(batch, n_fft, hop), [0, 2, 1]) * window
    if frames.dtype.kind == "c" and onesided:
        raise DTypeError("stft: the transform of complex numbers has no half from which the other follows; use onesided=False")
    transform = FAMILY["rfft" if onesided else "fft"]
    spectrum = F.transpose(transform(frames, norm="ortho" if normalized else "backward"), [0, 2, 1])
    return spectrum if x.ndim == 2 else F.squeeze(spectrum, 0)


@method()
def istft(
    x: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool = True,
    length: int | None = None,
    return_complex: bool = False,
    name: str | None = None,
) -> Tensor:
    """The signals of which `stft` gave ``x`` [..., n_fft // 2 + 1, frames], or [..., n_fft, frames] with ``onesided=False``.

    ``length``: of the signals (default: what the frames hold); ``return_complex``: signals of complex numbers; the other arguments
    are those of `stft`. Raises ValueError, ShapeError, DTypeError, and ValueError where squares of the windows add up to 0.
    These are ``hop_length``, ``win_length``, ``window``, ``center`` and ``normalized``.

    Example:
        >>> paddle.signal.istft(paddle.signal.stft(paddle.ones([32]), 8), 8).shape
        [32]
    """
    if x.ndim not in (2, 3) or x.dtype.kind != "c":
        raise ShapeError(f"istft: expected complex [..., elements, frames], got {x.spec}")
    hop, width = _lengths("istft", n_fft, hop_length, win_length)
    frequency_count = n_fft // 2 + 1 if onesided else n_fft
    if x.spec.shape[-2] not in (frequency_count, UNKNOWN):
        raise ShapeError(f"istft: expected {frequency_count} elements a frame, got {show(x.spec.shape)}")
    if return_complex and onesided:
        raise DTypeError("istft: half of a transform gives real signals; use onesided=False with return_complex=True")
    real = {"complex64": "float32", "complex128": "float64"}[x.dtype.name]
    window = _full_window("istft", window, width, n_fft, real)
    batch = F.transpose(x if x.ndim == 3 else F.unsqueeze(x, 0), [0, 2, 1])
    norm = "ortho" if normalized else "backward"
    if return_complex:
        frames = FAMILY["ifft"](batch, norm=norm)
    else:
        frames = FAMILY["irfft"](batch if onesided else batch[:, :, : n_fft // 2 + 1], n_fft if n_fft % 2 else None, norm=norm)
    signal = overlap_add(F.transpose(frames * window, [0, 2, 1]), hop)
    squares = F.tile(F.unsqueeze(window * window, 1), [1, x.shape[-1]])
    weight = overlap_add(squares, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else -start or None
    signal, weight = signal[:, start:end], weight[start:end]
    dynamic_sizes.check(weight.abs().min() > 1e-11, "ValueError", "istft: somewhere the squares of the windows add up to 0")
    signal = signal / weight
    return signal if x.ndim == 3 else F.squeeze(signal, 0)
