"""Running Programs: the reference interpreter, and generated Python plans with planned buffers."""
