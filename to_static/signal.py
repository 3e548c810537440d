"""Short-time Fourier transforms, under Paddle's names (``paddle.signal``)."""

from to_static.compiler.ops.spectral.frames import frame, overlap_add  # noqa: F401  (public in Paddle, too, though not listed)
from to_static.compiler.ops.spectral.stft import istft, stft
from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["istft", "stft"]

__getattr__ = names_missing(__name__)
