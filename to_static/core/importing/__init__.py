"""Finding and loading modules: lazy tables of names, Paddle's names, optional packages, packages that are never translated."""
