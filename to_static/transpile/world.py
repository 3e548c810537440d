"""Functions that act on the world outside: while a Program is built they would do so once, on every path, and never again."""

from __future__ import annotations

from typing import Any

_OS = "system popen makedirs mkdir remove unlink rename renames replace rmdir removedirs symlink link chmod chdir kill"
_ACTING = {  # by module
    "os": _OS, "posix": _OS, "nt": _OS,
    "shutil": "copy copy2 copyfile copytree move rmtree make_archive unpack_archive",
    "subprocess": "run call check_call check_output getoutput getstatusoutput Popen",
    "pathlib": "write_text write_bytes mkdir touch unlink rename replace rmdir symlink_to chmod",
    "numpy": "save savez savez_compressed savetxt",
    "builtins": "input",
}  # fmt: skip
_NAMES = {module: frozenset(names.split()) for module, names in _ACTING.items()}
_MODULES = {**_NAMES, "np": _NAMES["numpy"]}
_ALONE = frozenset(("input", "system", "makedirs", "mkdir", "rmtree", "Popen", "check_call", "check_output"))


def acts(function: Any) -> bool:
    """Whether a function of a library is one of them."""
    module = getattr(function, "__module__", None)
    known = _NAMES.get(module.partition(".")[0]) if type(module) is str else None
    return known is not None and function.__name__ in known


def may_act(names: list[str]) -> bool:
    """Whether ``os.mkdir``, as names, may be one of them."""
    return names[-1] in (_MODULES.get(names[0], ()) if len(names) > 1 else _ALONE)
