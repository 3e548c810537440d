"""Collections of sounds with labels (``paddle.audio.datasets``)."""

from to_static.audio.datasets.esc50 import ESC50
from to_static.audio.datasets.tess import TESS
from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["ESC50", "TESS"]

__getattr__ = names_missing(__name__)
