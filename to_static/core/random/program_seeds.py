"""The seeds of the default Programs: where one is not 0, initial values and dropout draw from a stream that begins with it."""

SEEDS = [0, 0]  # of the main Program, and of that of initial values
