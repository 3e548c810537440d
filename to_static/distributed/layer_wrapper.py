"""`LayerWrapper`: a Layer around a network that several processes would share; one process calls the network itself."""

from __future__ import annotations

from typing import Any

from to_static.nn.layer import Layer


class LayerWrapper(Layer):
    """Base class that calls the network ``_layers``. Its state is that of the network, without a prefix before the keys."""

    _layers: Any

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Return the output of the network."""
        return self._layers(*inputs, **kwargs)

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Return the state of the network."""
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Set the state of the network."""
        return self._layers.set_state_dict(*args, **kwargs)

    set_dict = load_dict = set_state_dict
