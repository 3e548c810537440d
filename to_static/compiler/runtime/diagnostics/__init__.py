"""Plans under observation: errors with the user's line, times of operators, probes for numbers that are not finite."""
