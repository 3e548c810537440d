"""`parse` decodes messages of Paddle's files without the protobuf library (see `protobuf.wire`)."""

from __future__ import annotations

from to_static.compiler.formats.paddle.messages.schema import SCHEMA
from to_static.compiler.formats.protobuf.wire import WireReader

parse = WireReader(SCHEMA, interned=("Attr", "VarType"), owner="Paddle's").parse  # many ops and variables have the same of these
