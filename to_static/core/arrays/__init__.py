"""Arrays: who owns their memory, what they held before, numbers that fit."""
