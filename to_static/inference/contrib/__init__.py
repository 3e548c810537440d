"""Additions to `paddle.inference`, as Paddle has them: ``paddle.inference.contrib.utils``."""
