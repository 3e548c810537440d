"""Names and values that Paddle's files use by convention."""

from __future__ import annotations

OUTPUT_SCALE = "save_infer_model/scale_"  # scale(1) ops that Paddle puts before each output
UNASSIGNED = 1.7711300426541744e27  # what Paddle stores in a variable that Python has not assigned yet
