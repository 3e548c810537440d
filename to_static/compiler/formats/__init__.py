"""Files that other programs read. Raw arrays and IR only: the eager Tensor is unknown here."""
