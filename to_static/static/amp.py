"""Mixed precision of static Programs, which compute in float32: what scripts call, without effect. See `to_static.amp`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from to_static.amp.support import say
from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["AutoMixedPrecisionLists", "CustomOpLists", "decorate", "fp16_guard"]


@contextmanager
def fp16_guard() -> Iterator[None]:
    """Marks operators that a GPU may compute in float16; here they are as all others."""
    yield


class AutoMixedPrecisionLists:
    """Names of operators that are to be computed in low precision (white) or not (black), which is kept for `decorate`."""

    def __init__(
        self,
        custom_white_list: Iterable[str] | None = None,
        custom_black_list: Iterable[str] | None = None,
        custom_black_varnames: Iterable[str] | None = None,
        dtype: str = "float16",
    ) -> None:
        self.white_list = set(custom_white_list or ())
        self.black_list = set(custom_black_list or ())
        self.black_varnames = set(custom_black_varnames or ())
        self.amp_dtype = dtype
        if self.white_list & self.black_list:
            raise ValueError("Custom white list overlap custom black list")


CustomOpLists = AutoMixedPrecisionLists


class _Decorated:
    """An optimizer that may be initialised for mixed precision; everything else is the optimizer's."""

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._optimizer, name)

    def amp_init(self, place: Any, scope: Any = None, test_program: Any = None, use_fp16_test: bool = False) -> None:
        """Nothing: parameters stay float32."""

    def get_loss_scaling(self) -> float:
        """The factor on the loss: 1."""
        return 1.0


def decorate(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
    """The optimizer, with Paddle's ``amp_init``; the settings make no effect, which is told once.

    Example:
        >>> opt = paddle.static.amp.decorate(opt, init_loss_scaling=128.0)
        >>> opt.minimize(loss)
    """
    say("static.amp.decorate")
    return _Decorated(optimizer)


__getattr__ = names_missing(__name__)
