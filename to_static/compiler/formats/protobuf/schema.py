"""`Schema`: the messages of a format as a table, from which the protobuf library makes message classes at run time.

There is no generated code, so no dependence on one protobuf version. Descriptors are in a pool of their own, so they do not clash
with those of another package in the process. protobuf is imported when the first message is made; reading (`wire`) does not need
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from to_static.core.processes.compile_lock import COMPILE_LOCK

_SCALARS = ("double", "float", "int64", "uint64", "int32", "uint32", "bool", "string", "bytes")
_LABELS = ("!", "*", "+", "|", "{}")


class Field(NamedTuple):
    """A field of a message: ``type_name`` is a scalar, an enumeration or a message.

    ``label``: '!' required, '*' repeated, '+' repeated in one piece (packed), '|' one of several that exclude each other, '{}' a
    map from strings, or ''.
    """

    field_number: int
    name: str
    label: str
    type_name: str
    default: str

    @property
    def repeated(self) -> bool:
        """True if the field has many values."""
        return self.label in ("*", "+", "{}")


class Schema:
    """The messages of one format.

    ``messages``: message -> "number name type" of each field, separated by commas; the labels of `Field` stand before the type,
    = default after it. ``enums``: enumeration -> member -> number. ``syntax``: 'proto2' or 'proto3'.
    """

    def __init__(
        self,
        package: str,
        file: str,
        enums: Mapping[str, Mapping[str, int]],
        messages: Mapping[str, str],
        syntax: str = "proto2",
    ) -> None:
        self.package = package
        self.syntax = syntax
        self.file = file
        self.enums = enums
        self.table = messages
        self._classes: dict[str, Any] = {}

    def fields_of(self, message: str) -> list[Field]:
        """The fields of the message of that name."""
        fields = []
        for line in filter(None, self.table[message].split(",")):
            field_number, name, type_name = line.split()
            type_name, _, default = type_name.partition("=")
            label = next((label for label in _LABELS if type_name.startswith(label)), "")
            fields.append(Field(int(field_number), name, label, type_name.removeprefix(label), default))
        return fields

    def messages(self) -> dict[str, Any]:
        """Message classes by name: ``messages()['ProgramDesc']()`` is an empty program."""
        if not self._classes:
            with COMPILE_LOCK:  # one set for all threads: messages of two do not go together
                if not self._classes:
                    self._classes.update(self._message_classes())
        return self._classes

    def new(self, message: str, /, **fields: Any) -> Any:
        """An instance of the message class of that name with these fields set."""
        return self.messages()[message](**fields)

    def _message_classes(self) -> dict[str, Any]:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

        file = descriptor_pb2.FileDescriptorProto(name=self.file, package=self.package, syntax=self.syntax)
        for name, values in self.enums.items():
            enum = file.enum_type.add(name=name)
            for member, code in values.items():
                enum.value.add(name=f"{name}_{member}", number=code)  # enum values share one scope: keep them apart
        for name in self.table:
            message = file.message_type.add(name=name)
            for field in self.fields_of(name):
                self._add_field(message, field)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        get = getattr(message_factory, "GetMessageClass", None)
        if get is None:  # protobuf before 4.22
            get = message_factory.MessageFactory(pool).GetPrototype
        return {name: get(pool.FindMessageTypeByName(f"{self.package}.{name}")) for name in self.table}

    def _add_field(self, message: Any, source: Field) -> None:
        field = message.field.add(name=source.name, number=source.field_number)
        label = "LABEL_REPEATED" if source.repeated else "LABEL_REQUIRED" if source.label == "!" else "LABEL_OPTIONAL"
        field.label = getattr(type(field), label)
        if source.label == "+":
            field.options.packed = True
        if source.label == "|":
            if not message.oneof_decl:
                message.oneof_decl.add(name="choice")
            field.oneof_index = 0
        if source.label == "{}":
            entry = message.nested_type.add(name=source.name.title().replace("_", "") + "Entry")
            entry.options.map_entry = True
            self._add_field(entry, Field(1, "key", "", "string", ""))
            self._add_field(entry, Field(2, "value", "", source.type_name, ""))
            field.type, field.type_name = type(field).TYPE_MESSAGE, f".{self.package}.{message.name}.{entry.name}"
        elif source.type_name in _SCALARS:
            field.type = getattr(type(field), f"TYPE_{source.type_name.upper()}")
        else:
            field.type = type(field).TYPE_ENUM if source.type_name in self.enums else type(field).TYPE_MESSAGE
            field.type_name = f".{self.package}.{source.type_name}"
        if source.default:
            field.default_value = source.default
