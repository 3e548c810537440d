"""Record the operators of PaddlePaddle, and what they take for attributes that are not given: attribute_defaults.json.

    python -m tests.compiler.formats.paddle.operators.record_attribute_defaults       # with PaddlePaddle 2.6.2
"""

from __future__ import annotations

import json
from pathlib import Path

from paddle.base import core
from paddle.base.proto import framework_pb2

EVERY = ("op_role", "op_role_var", "op_namescope", "op_device", "op_callstack", "with_quant_attr", "use_mkldnn", "use_cudnn")


def main() -> None:
    table = {}
    for data in core.get_all_op_protos():
        kind = framework_pb2.OpProto.FromString(bytes(data)).type
        if kind.endswith(("_grad", "_grad_grad", "_triple_grad", "_grad2")):
            continue
        defaults = {name: value for name, value in core.get_op_attrs_default_value(kind.encode()).items() if name not in EVERY}
        table[kind] = {name: round(v, 7) if isinstance(v, float) else v for name, v in sorted(defaults.items())}
    lines = ",\n".join(f"{json.dumps(kind)}: {json.dumps(table[kind])}" for kind in sorted(table))
    Path(__file__).with_name("attribute_defaults.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
