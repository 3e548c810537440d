"""Operators on signals: Fourier transforms and frames."""
