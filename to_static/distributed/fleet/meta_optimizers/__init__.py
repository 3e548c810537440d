"""Paddle's ``fleet.meta_optimizers``: classes that programs ask optimizers for; none is made with one process."""
