"""Threads and processes: locks, forks, signals, helpers and what a launcher says."""
