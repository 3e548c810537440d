"""A cache of shape-rule results in dynamic mode, for later calls with the same shapes, dtypes and attributes.

`mode` fills it, and `calls` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, NumberedAttrs, OpDef
from to_static.compiler.ir.spec import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Hashable

    from to_static.compiler.ir.spec import TensorSpec

_MOST = 512  # kinds of calls of one operator of which the shape rule's answer is kept


def said(opdef: OpDef, inputs: tuple[Any, ...], arrays: list[Any], attrs: dict[str, Any], keeps: bool) -> Any:
    """The specs of the results (of one: its spec), from the cache or from the shape rule."""
    key = None
    if keeps:
        key = key_of(opdef, arrays, attrs)
        try:
            cached = opdef.spec_cache.get(key)  # type: ignore[union-attr]
        except TypeError:  # an attribute that can't be a part of a key
            key = cached = None
        if cached is not None:
            return cached[0]
    specs = [None if x is None else [t.spec for t in x] if type(x) is list or type(x) is tuple else x.spec for x in inputs]
    found_specs = opdef.infer_specs(tuple(specs), attrs)
    spec: Any = found_specs if opdef.multi else found_specs[0]
    if key is not None and (opdef.dynamic or not any(UNKNOWN in one.shape for one in found_specs)):
        keep(opdef, key, specs, spec, attrs)
    return spec


def key_of(opdef: OpDef, arrays: list[Any], attrs: dict[str, Any]) -> Any:
    """The cache key of a call: all that the shape rule reads.

    (No rule reads the default dtype, whatever the dtypes of the inputs are.)
    """
    key: list[Any] = []
    for array in arrays[:-1] if opdef.more and not arrays[-1] else arrays:  # as `apply` does
        if array is None:
            key.append(None)
        elif type(array) is list:
            parts = [part for one in array for part in (one.shape, one.dtype)]
            key += [tuple(parts)] if arrays[1:] else parts
        else:
            key += (array.shape, array.dtype)
    if type(attrs) is FrozenAttrs:
        return (*key, attrs)
    if type(attrs) is NumberedAttrs:
        return (*key, attrs.frozen)
    asked = opdef.spec_attrs
    values = [*attrs.values()] if asked is None else [attrs[name] for name in asked]
    input_types: list[Any] = [*map(type, values)]
    if list in input_types:
        input_types = [type(v) if type(v) is not list else tuple(map(type, v)) for v in values]
        values = [tuple(v) if type(v) is list else v for v in values]
    return (*key, *values) if opdef.exact else (*key, *values, *input_types)


def keep(opdef: OpDef, key: Hashable, specs: list[Any], spec: TensorSpec, attrs: dict[str, Any]) -> None:
    """Cache the result of the shape rule and the specialized kernel for such arrays."""
    spec_cache: Any = opdef.spec_cache
    if len(spec_cache) >= _MOST:
        spec_cache.clear()
    fixed = None if opdef.ufunc is None else getattr(np, opdef.ufunc)
    if opdef.specialize_rule is not None and (opdef.fixes_lists or not (opdef.more and specs[-1])):
        inputs = specs[:-1] if opdef.more and not opdef.fixes_lists else specs
        asked = attrs if opdef.spec_attrs is None else {name: attrs[name] for name in opdef.spec_attrs}
        fixed = opdef.specialize_rule(spec, *inputs, **asked)
    spec_cache[key] = spec, fixed
