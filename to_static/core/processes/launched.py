"""The number of this process among those that a launcher has started, as the launchers say in the environment."""

from __future__ import annotations

import os

# (number of this process, number of all), for Paddle's launcher, Open MPI, MPICH and its relatives, Slurm with PMIx
_VARIABLES = (
    ("PADDLE_TRAINER_ID", "PADDLE_TRAINERS_NUM"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
)
_LOCAL = ("PADDLE_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID")


def rank_and_size() -> tuple[int, int]:
    """The number of this process, and how many there are: (0, 1) where no launcher says otherwise."""
    for rank, size in _VARIABLES:
        values = os.environ.get(rank, "0"), os.environ.get(size, "")
        if all(value.isascii() and value.isdigit() for value in values) and int(values[1]) > 0:
            return int(values[0]), int(values[1])
    return 0, 1


def local_rank() -> int:
    """The number of this process among those of its machine."""
    for name in _LOCAL:
        value = os.environ.get(name, "")
        if value.isascii() and value.isdigit():
            return int(value)
    return rank_and_size()[0]


def by_mpi() -> bool:
    """Return whether an ``mpiexec`` started this process, together with others."""
    return any(os.environ.get(size, "1") not in ("", "1") for _, size in _VARIABLES[1:])
