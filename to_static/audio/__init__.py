"""Sound (``paddle.audio``): files, spectrograms and what is made of them, data sets."""

from to_static.audio import backends, datasets, features, functional
from to_static.audio.backends.wave_backend import info, load, save
from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["backends", "datasets", "features", "functional", "info", "load", "save"]

__getattr__ = names_missing(__name__)
