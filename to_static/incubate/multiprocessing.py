"""Python's `multiprocessing`: tensors go to other processes as copies, where Paddle shares their memory."""

from multiprocessing import *  # noqa: F403
from multiprocessing import __all__  # noqa: F401  (the names that this room has)

from to_static.core.importing.paddle_module_aliases import names_around


def init_reductions() -> None:
    """Nothing: Python's own way of sending tensors is taken."""


__getattr__ = names_around(__name__)
