"""Paddle's module of this name: the logger of its distributed training."""

import logging

logger = logging.getLogger("FLEET")
