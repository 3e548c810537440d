"""`GradScaler`: keeps small gradients of float16 from becoming zero, where there is float16; here it passes on what it gets."""

from __future__ import annotations

from typing import Any

from to_static.amp.support import say


class GradScaler:
    """Scales losses before and unscales gradients after a backward pass in float16. All is float32 here, so that nothing is scaled.

    Its methods do what they do in Paddle on a CPU: ``scale`` returns the loss, ``step`` steps the optimizer. The arguments are kept
    for the methods that tell of them.
    They are ``enable``, ``init_loss_scaling``, ``incr_ratio`` (above 1), ``decr_ratio`` (below 1),
    ``incr_every_n_steps``, ``decr_every_n_nan_or_inf`` and ``use_dynamic_loss_scaling``. Raises ValueError for other
    ratios.

    Example:
        >>> scaler = paddle.amp.GradScaler()
        >>> scaler.scale(loss).backward()
        >>> scaler.step(opt)
        >>> scaler.update()
    """

    def __init__(
        self,
        enable: bool = True,
        init_loss_scaling: float = 2.0**16,
        incr_ratio: float = 2.0,
        decr_ratio: float = 0.5,
        incr_every_n_steps: int = 2000,
        decr_every_n_nan_or_inf: int = 1,
        use_dynamic_loss_scaling: bool = True,
    ) -> None:
        if enable:
            if incr_ratio <= 1.0:
                raise ValueError("The incr_ratio must be > 1.0.")
            if decr_ratio >= 1.0:
                raise ValueError("The decr_ratio must be < 1.0.")
            say("amp.GradScaler")
        self._init_loss_scaling = init_loss_scaling
        self._incr_ratio = incr_ratio
        self._decr_ratio = decr_ratio
        self._incr_every_n_steps = incr_every_n_steps
        self._decr_every_n_nan_or_inf = decr_every_n_nan_or_inf
        self._use_dynamic_loss_scaling = use_dynamic_loss_scaling

    def scale(self, var: Any) -> Any:
        """The loss as it is."""
        return var

    def unscale_(self, optimizer: Any) -> None:
        """Leaves the gradients as they are."""

    def step(self, optimizer: Any) -> None:
        """``optimizer.step()``."""
        optimizer.step()

    def update(self) -> None:
        """Nothing: there is no scale to adapt."""

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """``optimizer.minimize(loss)``."""
        return optimizer.minimize(*args, **kwargs)

    def is_enable(self) -> bool:
        """Return whether it scales: False."""
        return False

    def is_use_dynamic_loss_scaling(self) -> bool:
        """As it was made."""
        return self._use_dynamic_loss_scaling

    def state_dict(self) -> dict[str, Any]:
        """Empty, as of one that does not scale."""
        return {}

    def get_init_loss_scaling(self) -> float:
        """As it was made, or set."""
        return self._init_loss_scaling

    def set_init_loss_scaling(self, new_init_loss_scaling: float) -> None:
        """Set what `get_init_loss_scaling` tells."""
        self._init_loss_scaling = new_init_loss_scaling

    def get_incr_ratio(self) -> float:
        """As it was made, or set."""
        return self._incr_ratio

    def set_incr_ratio(self, new_incr_ratio: float) -> None:
        """Set what `get_incr_ratio` tells."""
        self._incr_ratio = new_incr_ratio

    def get_decr_ratio(self) -> float:
        """As it was made, or set."""
        return self._decr_ratio

    def set_decr_ratio(self, new_decr_ratio: float) -> None:
        """Set what `get_decr_ratio` tells."""
        self._decr_ratio = new_decr_ratio

    def get_incr_every_n_steps(self) -> int:
        """As it was made, or set."""
        return self._incr_every_n_steps

    def set_incr_every_n_steps(self, new_incr_every_n_steps: int) -> None:
        """Set what `get_incr_every_n_steps` tells."""
        self._incr_every_n_steps = new_incr_every_n_steps

    def get_decr_every_n_nan_or_inf(self) -> int:
        """As it was made, or set."""
        return self._decr_every_n_nan_or_inf

    def set_decr_every_n_nan_or_inf(self, new_decr_every_n_nan_or_inf: int) -> None:
        """Set what `get_decr_every_n_nan_or_inf` tells."""
        self._decr_every_n_nan_or_inf = new_decr_every_n_nan_or_inf

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes any state, and needs none of it."""


AmpScaler = GradScaler
