"""``python -m to_static``."""

import sys

from to_static.cli import main

if __name__ == "__main__":
    sys.exit(main())
