"""Discrete Fourier transforms, under Paddle's names (``paddle.fft``)."""

from to_static.core.missing import names_missing
from to_static.ops.spectral.fft_family import FAMILY, fftfreq, fftshift, ifftshift, rfftfreq

globals().update(FAMILY)

__all__ = [*FAMILY, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]

__getattr__ = names_missing(__name__)
