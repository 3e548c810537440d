"""Files and the system, which others change between calls"""

import csv
import io
import json
import logging
import pathlib
import sys
import tempfile
import threading
import types

import numpy as np
from language_table import BOTH, POS, refused, scenario, twice

import to_static as paddle

LOGGER = logging.Logger("case_world")  # of this module only
LOGGER.setLevel(logging.DEBUG)
TABLE = csv.writer(io.StringIO())


@scenario("files read in every call: `open`, `read_text`, `json.load`, `np.load`, `paddle.load`")
def files(to_static):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        text, numbers, saved = (str(pathlib.Path(folder, name)) for name in ("a.json", "b.npy", "c.pd"))

        def opened(x):
            with open(text) as file:
                return x * float(file.read())

        def parsed(x):
            with open(text) as file:
                return x + json.load(file)

        for read in (
            opened,
            parsed,
            lambda x: x * float(pathlib.Path(text).read_text()),
            lambda x: x + paddle.to_tensor(np.load(numbers)),
            lambda x: x + paddle.load(saved)["w"],
        ):

            def write(k):
                pathlib.Path(text).write_text(str(k))
                np.save(numbers, np.full(2, k, "float32"))
                paddle.save({"w": paddle.full([2], k)}, saved)

            write(1)
            found.append(twice(to_static, read, lambda: write(2)))
    return found


@scenario("whether a file is there")
def there(to_static):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "flag")
        return [
            twice(to_static, lambda x: x * 2 if path.exists() else x, path.touch),
            twice(to_static, lambda x: x * 2 if path.is_file() else x, path.unlink),
        ]


@scenario("limits of the interpreter, how NumPy treats errors, the thread of the call")
def system(to_static):
    limit, treated, found = sys.getrecursionlimit(), np.geterr(), []
    found += twice(to_static, lambda x: x * (sys.getrecursionlimit() - limit), lambda: sys.setrecursionlimit(limit + 5))
    found += twice(to_static, lambda x: x * len(np.geterr()["divide"]), lambda: np.seterr(divide="call"))
    sys.setrecursionlimit(limit)
    np.seterr(**treated)
    run = to_static(lambda x: x * 2 if threading.current_thread() is threading.main_thread() else x)
    found.append(run(POS))
    other = threading.Thread(target=lambda: found.append(run(POS)))
    other.start()
    other.join()
    return found


@scenario("a module that the function itself imports, changed between calls; a global bound to another module")
def imported(to_static):
    global bound
    one, other = (types.ModuleType(name) for name in ("settings_of_case", "settings_of_case.inner"))
    one.k, other.k, one.inner, bound = 2, 3, other, one
    sys.modules |= {"settings_of_case": one, "settings_of_case.inner": other}

    def whole(x):
        import settings_of_case

        return x * settings_of_case.k

    def part(x):
        from settings_of_case.inner import k
        from settings_of_case import k as outer  # isort: skip

        return x * k + outer

    found = [twice(to_static, read, lambda: (setattr(one, "k", 5), setattr(other, "k", 7))) for read in (whole, part)]
    run = to_static(lambda x: x + bound.k)
    found.append(run(POS))
    bound = other
    found.append(run(POS))
    del sys.modules["settings_of_case"], sys.modules["settings_of_case.inner"]
    return found


@refused("rows written with `csv`", *BOTH)
def rows_written(x):
    TABLE.writerow([1, 2])
    return x


@refused("the level of a logger, set in a branch", *BOTH)
def level(x):
    if x.sum() > 0:
        LOGGER.setLevel(logging.WARNING)
    return x


@refused("a file read in a branch", *BOTH)
def read_in_branch(x):
    if x.sum() > 0:
        with open(__file__) as file:
            return x * len(file.read())
    return x
