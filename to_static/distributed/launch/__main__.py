"""See `to_static.distributed.launching.launch`."""

from to_static.distributed.launching import launch

launch()
