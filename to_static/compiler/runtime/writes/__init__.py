"""Writes of plans: into a part of a tensor, over donated state, to the end of a list, and what undoes them after an error."""
