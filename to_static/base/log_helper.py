"""Loggers, as Paddle's own code makes them."""

from __future__ import annotations

import logging

__all__ = ["get_logger"]


def get_logger(name: str, level: int, fmt: str | None = None) -> logging.Logger:
    """A logger of its own, with one handler.

    Example:
        >>> logger = paddle.base.log_helper.get_logger(__name__, logging.INFO, fmt='%(asctime)s %(message)s')
    """
    logger = logging.getLogger(name)
    logger.setLevel(level)
    handler = logging.StreamHandler()
    if fmt:
        handler.setFormatter(logging.Formatter(fmt=fmt, datefmt="%a %b %d %H:%M:%S"))
    logger.addHandler(handler)
    logger.propagate = False
    return logger
