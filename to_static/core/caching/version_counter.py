"""A count of changes that static functions don't look for in every call: only when it has moved do they look again."""

from __future__ import annotations

epoch = [0]  # moved by attributes of Layers, the device, the default dtype, and the switch of all static functions
