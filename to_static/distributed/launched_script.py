"""``python -m to_static.distributed.launched_script SCRIPT ...``: what each process that `launch` starts runs.

The processes meet before the script begins, so an error in one of them ends all, whenever it happens. ``import paddle`` is this
package where PaddlePaddle is not installed.
"""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys

from to_static.core.importing.paddle_import_hook import install_as_paddle
from to_static.distributed.world import connect


def main() -> None:
    """Run the script as ``__main__``."""
    connect()
    if importlib.util.find_spec("paddle") is None:
        install_as_paddle()
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
