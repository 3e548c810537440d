"""Paddle's ``paddle.utils``: default names, checks of versions, walks through nested structures, exchange with other libraries."""

from to_static.core import unique_name
from to_static.core.diagnostics.missing_names import names_missing
from to_static.utils import cpp_extension, dlpack, download
from to_static.utils.deprecated import deprecated
from to_static.utils.install_check import require_version, run_check, try_import
from to_static.utils.structures import (
    assert_same_structure,
    flatten,
    is_sequence,
    map_structure,
    pack_sequence_as,
    to_sequence,
)

__all__ = [
    "assert_same_structure", "cpp_extension", "deprecated", "dlpack", "download", "flatten", "is_sequence", "map_structure",
    "pack_sequence_as", "require_version", "run_check", "to_sequence", "try_import", "unique_name",
]  # fmt: skip

__getattr__ = names_missing(__name__)
