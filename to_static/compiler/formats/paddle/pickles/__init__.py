"""`.pdparams` and `.pdopt`: pickles that are read without running code."""
