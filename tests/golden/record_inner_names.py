"""Writes `inner_names.json`: where PaddlePaddle 2.6.2 has public names in its inner modules, ``nn.layer.norm.LayerNorm``.

    python tests/golden/record_inner_names.py       in an environment that has PaddlePaddle 2.6.2 and this package
"""

import importlib
import json
import types
from pathlib import Path

from to_static.core.importing import paddle_module_aliases

TARGET = Path(__file__).with_name("inner_names.json")
PUBLIC = """
nn nn.functional nn.initializer nn.utils linalg optimizer optimizer.lr static static.nn io metric vision vision.transforms
vision.models vision.ops vision.datasets fft signal distribution amp autograd callbacks hub utils device device.cuda geometric
framework sparse profiler text audio.functional audio.features
""".split()


def modules() -> list[str]:
    return [f"{path}.{name}".lstrip(".") for path, names in paddle_module_aliases._CHILDREN.items() for name in sorted(names)]


def main() -> None:
    paths: dict[int, str] = {}
    keep = []
    for room in ["", *PUBLIC]:
        module = importlib.import_module(f"paddle.{room}".rstrip("."))
        for name in getattr(module, "__all__", None) or dir(module):
            value = getattr(module, name, None)
            if not name.startswith("_") and isinstance(value, (types.FunctionType, type)):
                keep.append(value)
                paths.setdefault(id(value), f"{room}.{name}".lstrip("."))
    found = {}
    for path in modules():
        if path == "framework.core":  # a name there, no module of that path
            continue
        module = importlib.import_module(f"paddle.{path}")
        public = {name: paths[id(value)] for name, value in vars(module).items() if id(value) in paths}
        found[path] = {
            name: where
            for name, where in sorted(public.items())
            if vars(module)[name].__module__ == module.__name__ and where.split(".")[-1] == name and not name.endswith("_")
        }
    TARGET.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(sum(map(len, found.values())), "names in", len(found), "modules")


if __name__ == "__main__":
    main()
