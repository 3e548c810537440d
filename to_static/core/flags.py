"""Settings, each declared once. A flag is read from the environment at import and can be changed by `set_flags`."""

from __future__ import annotations

import os
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Flag(Generic[T]):
    """One setting: its environment variable, type, default and a line of help for the docs."""

    __slots__ = ("default", "help", "name", "value")

    def __init__(self, name: str, default: T, help: str) -> None:
        self.name = name
        self.default = default
        self.help = help
        self.value: T = default

    def parse(self, text: str) -> T:
        """Read the flag's value from text; raises ValueError naming the flag when it does not fit its type."""
        cls: Any = type(self.default)
        if cls is bool:
            if text.lower() in ("1", "true", "yes", "on"):
                return True  # type: ignore[return-value]
            if text.lower() in ("0", "false", "no", "off", ""):
                return False  # type: ignore[return-value]
            raise ValueError(f"{self.name}={text!r}: expected a boolean (0 or 1)")
        try:
            return cls(text)
        except ValueError:
            raise ValueError(f"{self.name}={text!r}: expected a value of type {cls.__name__}") from None


FLAGS: dict[str, Flag[Any]] = {}


def declare(name: str, default: T, help: str) -> Flag[T]:
    """Declare a flag; its value comes from the environment variable of the same name when that is set."""
    flag = Flag(name, default, help)
    text = os.environ.get(name)
    flag.value = default if text is None else flag.parse(text)
    FLAGS[name] = flag
    return flag


_OF_PADDLE = {  # some that Paddle has: they are taken and remembered, and change nothing here
    "FLAGS_allocator_strategy": "auto_growth", "FLAGS_benchmark": False, "FLAGS_check_nan_inf": False,
    "FLAGS_conv_workspace_size_limit": 512, "FLAGS_cudnn_deterministic": False, "FLAGS_cudnn_exhaustive_search": False,
    "FLAGS_eager_delete_tensor_gb": 0.0, "FLAGS_embedding_deterministic": 0, "FLAGS_fraction_of_gpu_memory_to_use": 0.92,
    "FLAGS_use_autotune": False, "FLAGS_use_mkldnn": False, "FLAGS_use_stride_kernel": True,
}  # fmt: skip


def set_flags(flags: dict[str, Any]) -> None:
    """Set flags by name: ``set_flags({'TO_STATIC_DEBUG': 2})``. Raises KeyError for an unknown flag.

    Other flags of Paddle, ``FLAGS_...``, are remembered: they say how its kernels and its memory work, and change nothing here.
    ``flags``: values by name.

    Example:
        >>> paddle.set_flags({"TO_STATIC_DEBUG": 0})
    """
    for name, value in flags.items():
        if name.startswith("FLAGS_") and name not in FLAGS:
            _OF_PADDLE[name] = value
            continue
        if name not in FLAGS:
            raise KeyError(f"unknown flag {name!r}; known flags: {', '.join(sorted(FLAGS))}")
        FLAGS[name].value = value


def get_flags(flags: str | list[str]) -> dict[str, Any]:
    """Values of the named flags.

    ``flags``: a name or a list of names. Raises KeyError for an unknown flag.

    Example:
        >>> paddle.get_flags("TO_STATIC_DEBUG")
        {'TO_STATIC_DEBUG': 0}
    """
    names = [flags] if isinstance(flags, str) else flags
    return {name: _OF_PADDLE[name] if name in _OF_PADDLE else FLAGS[name].value for name in names}


debug = declare(
    "TO_STATIC_DEBUG",
    0,
    "How much to tell on standard error, each level with those below: 1 new Programs and graph breaks, and why, 2 what each pass "
    "changes and the memory of plans, 3 translated source and Programs, before and after the passes, verified after each of them, "
    "4 the source of plans, 5 the time of each operation, and where the first NaN is (docs/debugging.md)",
)
call_stack_level = declare(
    "FLAGS_call_stack_level",
    1,
    "How errors name the class that Paddle's would have: up to 1 as `(InvalidArgument)`, from 2 on as `(InvalidArgumentError)`",
)
full_traceback = declare("TO_STATIC_FULL_TRACEBACK", False, "Keep to_static's own frames in tracebacks of user errors")
full_graph = declare(
    "TO_STATIC_FULL_GRAPH",
    False,
    "Refuse what has no Program, with the user's line and a rewrite, instead of running that call in Python (a graph break)",
)
program_cache = declare(
    "TO_STATIC_PROGRAM_CACHE", 64, "How many Programs a static function or a loaded model keeps, the last ones used"
)
program_cache_bytes = declare(
    "TO_STATIC_PROGRAM_CACHE_BYTES", 1 << 31, "How many bytes of buffers and constants the Programs of a static function hold"
)
threads = declare(
    "TO_STATIC_THREADS",
    0,
    "How many threads may compute a chain of elementwise operators on millions of numbers; 0: as many as NumPy's products may have "
    "(OMP_NUM_THREADS, OPENBLAS_NUM_THREADS) and as there are processors; results are the same",
)
random = declare(
    "TO_STATIC_RANDOM",
    "paddle",
    "What `paddle.seed` starts on a CPU: 'paddle', the stream of Paddle's own random numbers, or 'numpy', a stream of NumPy's, "
    "which is several times quicker; read when the seed is set",
)
