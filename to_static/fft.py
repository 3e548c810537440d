"""Discrete Fourier transforms, under Paddle's names (``paddle.fft``)."""

from to_static.compiler.ops.spectral.fft_family import FAMILY, KERNELS, fftfreq, fftshift, ifftshift, rfftfreq
from to_static.core.diagnostics.missing_names import names_missing

globals().update(FAMILY | KERNELS)

__all__ = [*FAMILY, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]

__getattr__ = names_missing(__name__)
