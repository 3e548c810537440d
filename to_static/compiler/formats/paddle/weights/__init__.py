"""Files of weights: `.pdiparams`, their `.info`, and weights in fewer bytes."""
