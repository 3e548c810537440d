"""Short-time Fourier transforms, under Paddle's names (``paddle.signal``)."""

from to_static.core.missing import names_missing
from to_static.ops.spectral.frames import frame, overlap_add  # noqa: F401  (public in Paddle, too, though not listed)
from to_static.ops.spectral.stft import istft, stft

__all__ = ["istft", "stft"]

__getattr__ = names_missing(__name__)
