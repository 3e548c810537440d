"""Static functions: a trace of the user's function as a Program, and what a run of that Program gives and changes."""
