"""The precision that a `Model` is asked to train in."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from to_static.amp.casting import auto_cast
from to_static.amp.scaler import GradScaler

_LISTS = ("custom_white_list", "custom_black_list")
_SCALES = (
    "init_loss_scaling", "incr_ratio", "decr_ratio", "incr_every_n_steps", "decr_every_n_nan_or_inf", "use_dynamic_loss_scaling",
)  # fmt: skip
_OTHER = ("custom_black_varnames",)


class AmpOptions:
    """The settings in ``amp_configs`` of `Model.prepare`: a level, or a dict with 'level' and settings. ValueError for others."""

    def __init__(self, configs: Any) -> None:
        settings: dict[str, Any] = {} if configs is None else {"level": configs} if isinstance(configs, str) else dict(configs)
        self.level = settings.pop("level", "O1" if configs else "O0")
        if self.level not in ("O0", "O1", "O2"):
            raise ValueError("The level of amp_configs should be 'O0', 'O1' or 'O2'.")
        unknown = tuple(set(settings) - {*_LISTS, *_SCALES, *_OTHER})
        if unknown:
            raise ValueError(
                "Except for 'level', the keys of 'amp_configs' must be accepted by mixed precision APIs, but "
                f"{unknown} could not be recognized."
            )
        self._lists = {key: settings[key] for key in _LISTS if key in settings}
        self._scaler = GradScaler(**{key: settings[key] for key in _SCALES if key in settings}) if self.level != "O0" else None

    def casting(self) -> AbstractContextManager[None]:
        """Return the context that the forward runs in."""
        return auto_cast(self.level != "O0", level=self.level, **self._lists)

    def scaled(self, loss: Any) -> Any:
        """The loss to differentiate."""
        return loss if self._scaler is None else self._scaler.scale(loss)

    def step(self, optimizer: Any) -> None:
        """Step the optimizer by the gradients of that."""
        if self._scaler is None:
            optimizer.step()
        else:
            self._scaler.step(optimizer)
            self._scaler.update()
