"""`auto_cast` and `decorate`: taken, checked, and without effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from to_static.amp.support import say
from to_static.nn.layer import Layer
from to_static.optimizer.optimizer import Optimizer

_LOW = ("float16", "bfloat16")


@contextmanager
def auto_cast(
    enable: bool = True,
    custom_white_list: Iterable[str] | None = None,
    custom_black_list: Iterable[str] | None = None,
    level: str = "O1",
    dtype: str = "float16",
    use_promote: bool = True,
) -> Iterator[None]:
    """Within its ``with`` block Paddle computes some operators in ``dtype`` on a GPU; here, as on its CPUs, nothing changes.

    Args:
        enable: False: nothing is said of that.
        custom_white_list, custom_black_list: names of operators; they must not overlap.
        level: 'O0', 'OD', 'O1' or 'O2'.
        dtype: 'float16' or 'bfloat16'.
        use_promote: accepted, without an effect.

    Raises ValueError for other levels and dtypes, and for lists that overlap.

    Example:
        >>> with paddle.amp.auto_cast():
        ...     loss = net(x).mean()
    """
    if str(level).upper() not in ("O0", "OD", "O1", "O2"):
        raise ValueError("level should be O0, OD, O1 or O2.")
    if enable and str(dtype).lower().removeprefix("paddle.") not in _LOW:
        raise ValueError("If enable amp, dtype should be 'float16' or 'bfloat16'.")
    if set(custom_white_list or ()) & set(custom_black_list or ()):
        raise ValueError("Custom white list overlap custom black list")
    if enable and str(level).upper() != "O0":
        say("amp.auto_cast")
    yield


amp_guard = auto_cast


def amp_state() -> None:
    """Return the state of an enclosing block of `auto_cast`, for code of model collections: None."""


def decorate(
    models: Any,
    optimizers: Any = None,
    level: str = "O1",
    dtype: str = "float16",
    master_weight: bool | None = None,
    save_dtype: str | None = None,
    master_grad: bool = False,
    excluded_layers: Any = None,
) -> Any:
    """Models and optimizers as they are; on a GPU Paddle makes them ones of ``dtype`` with level 'O2'.

    Returns the models, or with ``optimizers`` the pair of both. Raises ValueError for other levels and dtypes, TypeError for what
    is no Layer or Optimizer.
    ``master_weight``, ``save_dtype``, ``master_grad``, ``excluded_layers``: accepted, without an effect.

    Example:
        >>> net, opt = paddle.amp.decorate(net, opt, level='O2')
    """
    if level not in ("O1", "O2"):
        raise ValueError("level should be O1 or O2, O1 represent AMP train mode, O2 represent Pure fp16 train mode.")
    if str(dtype).removeprefix("paddle.") not in _LOW:
        raise ValueError("dtype only support float16 or bfloat16.")
    for value, base_class, name in ((models, Layer, "models"), (optimizers, Optimizer, "optimizers")):
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if not isinstance(item, base_class) and not (item is None and name == "optimizers"):
                raise TypeError(f"decorate: {name} must be {base_class.__name__}s, got {type(item).__name__}")
    if level == "O2":
        say("amp.decorate")
    return models if optimizers is None else (models, optimizers)


amp_decorate = decorate
