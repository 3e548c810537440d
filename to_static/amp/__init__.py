"""Mixed precision, which exists for GPUs with units for it: here everything computes in float32, and is told so once.

Scripts that ask for it run with the numbers that Paddle gives on a CPU, where it makes no effect either.
"""

from to_static.amp import debugging
from to_static.amp.casting import amp_decorate, amp_guard, auto_cast, decorate
from to_static.amp.scaler import AmpScaler, GradScaler
from to_static.amp.support import is_bfloat16_supported, is_float16_supported
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "AmpScaler", "GradScaler", "amp_decorate", "amp_guard", "auto_cast", "debugging", "decorate", "is_bfloat16_supported",
    "is_float16_supported",
]  # fmt: skip

__getattr__ = names_missing(__name__)
