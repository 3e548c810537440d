"""A Program while it is built: the builder, blocks and loops under construction."""
