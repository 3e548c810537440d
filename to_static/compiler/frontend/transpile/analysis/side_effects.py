"""Library functions that act on the environment or read it, such as ``os.mkdir`` and ``time.time``.

A trace would do the action once, on every path, and no run would repeat it; and it would make the answer a constant.
"""

from __future__ import annotations

from typing import Any

from to_static.core import callables

_OS = "system popen makedirs mkdir remove unlink rename renames replace rmdir removedirs symlink link chmod chdir kill umask"
_ACTING = {  # by module
    "os": _OS, "posix": _OS, "nt": _OS,
    "shutil": "copy copy2 copyfile copytree move rmtree make_archive unpack_archive",
    "subprocess": "run call check_call check_output getoutput getstatusoutput Popen",
    "pathlib": "write_text write_bytes mkdir touch unlink rename replace rmdir symlink_to chmod",
    "numpy": "save savez savez_compressed savetxt",
    "builtins": "input", "_csv": "writerow writerows",
}  # fmt: skip
_SYSTEM = (
    "urandom getcwd listdir scandir stat lstat access getpid getppid times walk get_terminal_size getloadavg getlogin readlink "
    "statvfs"
)
_PATHS = "exists lexists isfile isdir islink ismount getsize getmtime getatime getctime samefile abspath realpath relpath"
_ASKING = {
    "time": "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns localtime gmtime ctime "
    "strftime mktime thread_time thread_time_ns clock_gettime",
    "datetime": "now today utcnow fromtimestamp timestamp astimezone", "uuid": "uuid1 uuid4",
    "secrets": "token_bytes token_hex token_urlsafe randbelow randbits",
    "os": _SYSTEM, "posix": _SYSTEM, "nt": _SYSTEM, "genericpath": _PATHS, "posixpath": _PATHS, "ntpath": _PATHS,
    "glob": "glob iglob", "numpy": "load loadtxt genfromtxt fromfile geterr geterrcall get_printoptions getbufsize",
    "pathlib": "exists is_file is_dir is_symlink read_text read_bytes stat lstat iterdir glob rglob cwd home resolve absolute",
    "threading": "current_thread active_count main_thread",
    "to_static": "load get_flags get_rng_state",
    "sys": "getrecursionlimit getrefcount getswitchinterval getprofile gettrace exc_info exception _getframe _current_frames "
    "get_int_max_str_digits getallocatedblocks",
    "gc": "isenabled get_threshold get_count get_stats get_objects get_referrers get_referents collect",
    "signal": "getsignal getitimer", "_signal": "getsignal getitimer",
    "locale": "getlocale localeconv setlocale getpreferredencoding getencoding nl_langinfo",
    "_locale": "localeconv setlocale nl_langinfo",
    "contextvars": "copy_context", "_contextvars": "copy_context",
    "inspect": "currentframe stack", "traceback": "format_stack extract_stack format_exc", "getpass": "getuser",
    "socket": "gethostname getfqdn", "_socket": "gethostname", "platform": "node", "resource": "getrusage getrlimit",
    "tracemalloc": "get_traced_memory is_tracing", "_tracemalloc": "get_traced_memory is_tracing",
    "asyncio": "get_event_loop get_running_loop current_task", "_asyncio": "get_event_loop get_running_loop current_task",
    "tempfile": "gettempdir mkdtemp mkstemp mktemp", "shutil": "disk_usage get_terminal_size which",
    "multiprocessing": "current_process active_children",
}  # fmt: skip
_ASKED = {module: frozenset(names.split()) for module, names in _ASKING.items()}
_NAMES = {module: frozenset(names.split()) for module, names in _ACTING.items()}
_MODULES = {**_NAMES, "np": _NAMES["numpy"]}
_ALONE = frozenset(("input", "system", "makedirs", "mkdir", "rmtree", "Popen", "check_call", "check_output"))


def touches_outside(function: Any) -> bool:
    """True if a library function acts on the environment."""
    home = _home(getattr(function, "__module__", None) or type(_owner(function)).__module__)
    return callables.name(function) in _NAMES.get(home, ())


def reads_environment(function: Any) -> bool:
    """True if a library function reads the clock, the system or files."""
    owner = _owner(function)
    home = _home(getattr(function, "__module__", None) or getattr(owner, "__module__", None) or type(owner).__module__)
    return callables.name(function) in _ASKED.get(home, ())


def _owner(function: Any) -> Any:
    return getattr(function, "__self__", None)


def _home(module: Any) -> str:
    """The library of a module; it has other modules inside in other versions."""
    return module.partition(".")[0] if type(module) is str else ""


def may_read_environment(names: list[str]) -> bool:
    """True if dotted names, such as ``time.time``, may be a function that reads the environment."""
    return any(names[-1] in queries for queries in _ASKED.values())


def may_touch_outside(names: list[str]) -> bool:
    """True if dotted names, such as ``os.mkdir``, may be a function that acts on the environment."""
    return names[-1] in (_MODULES.get(names[0], ()) if len(names) > 1 else _ALONE)
