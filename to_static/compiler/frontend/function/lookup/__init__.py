"""The key of a call, and the state besides the arguments that it contains."""
