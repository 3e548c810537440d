"""`parse_program` reads the text form of a Program (see `ir.printer` for the syntax). It skips comments, and so source sites."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from to_static.compiler.ir.printer import BLOCK_LABELS, implied_arg_stops, implied_stops
from to_static.compiler.ir.program import Block, Op, Program, Stored, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, Spec, TensorSpec
from to_static.compiler.ir.var_kinds import BUFFER, CONST, PARAM
from to_static.core.arrays.fitting import array_of
from to_static.core.dtypes import BY_SHORT, DType
from to_static.core.errors import ParseError, ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable


class Token(NamedTuple):
    """A piece of the text and where it begins."""

    kind: str
    text: str
    line: int
    column: int


_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|\#[^\n]*)
      | (?P<value>%(?:"(?:[^"\\\n]|\\.)*"|[A-Za-z0-9_][\w.@$]*))
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<number>-?(?:inf|nan|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?!\w))
      | (?P<word>[A-Za-z_]\w*)
      | (?P<mark>\.\.\.|[(){}\[\]<>,:=?])""",
    re.VERBOSE,
)


def parse_program(text: str, holders: dict[str, Any] | None = None) -> Program:
    """Parse the text of `print_program`; returns the Program.

    ``holders``: name -> holder (an object with ``_array``) for the ``param``, `buffer`` and ``const`` values. A value without one
    gets a `Stored` without an array, so the Program can be printed and changed, but not run. Raises ParseError with line and column
    if the text is wrong; operators must have been registered (``import to_static``).

    Example:
        >>> program = parse_program(print_program(program))
    """
    return _Parser(text, holders or {}).program()


def _tokens(text: str) -> list[Token]:
    tokens, position, line, start = [], 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ParseError(f"unexpected character {text[position]!r}", line, position - start + 1)
        token_type, piece = str(match.lastgroup), match.group()
        if token_type != "space":
            tokens.append(Token(token_type, piece, line, position - start + 1))
        elif "\n" in piece:
            line += piece.count("\n")
            start = position + piece.rindex("\n") + 1
        position = match.end()
    tokens.append(Token("end", "the end of the text", line, position - start + 1))
    return tokens


class _Parser:
    def __init__(self, text: str, holders: dict[str, Any]) -> None:
        self.tokens = _tokens(text)
        self.place = 0
        self.holders = holders
        self.scope: dict[str, Var] = {}

    # -- tokens ---------------------------------------------------------------------------------------------------------

    @property
    def ahead(self) -> Token:
        return self.tokens[self.place]

    def error(self, message: str, token: Token | None = None) -> ParseError:
        token = token or self.ahead
        return ParseError(message, token.line, token.column)

    def next(self, token_type: str, what: str | None = None) -> Token:
        token = self.ahead
        if token.kind != token_type:
            raise self.error(f"expected {what or 'a ' + token_type}, found {token.text}")
        self.place += 1
        return token

    def take(self, text: str) -> bool:
        if self.ahead.text == text and self.ahead.kind in ("mark", "word"):
            self.place += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.error(f"expected {text!r}, found {self.ahead.text}")

    def items(self, close: str, item: Callable[[], Any]) -> list[Any]:
        """``item`` after ``item``, with commas between, up to the closing mark."""
        entries: list[Any] = []
        while not self.take(close):
            if entries:
                self.expect(",")
                if self.take(close):
                    break
            entries.append(item())
        return entries

    # -- the Program ----------------------------------------------------------------------------------------------------

    def program(self) -> Program:
        program = Program()
        block = program.block
        self.expect("program")
        self.expect("(")
        self.items(")", lambda: self._argument(block))
        self.expect("{")
        if self.take("seed"):
            program.random_seed = self._integer()
        while self.ahead.text in (PARAM, BUFFER, CONST) and self.tokens[self.place + 1].kind == "value":
            self._param(program, self.next("word").text)
        self._ops(block)
        values = []
        while self.take("state"):
            token = self.ahead
            var = self._value()
            if var not in program.params:
                raise self.error(f"{token.text} is no param, buffer or const", token)
            self.expect("=")
            program.state.append(var)
            values.append(self._value())
        self.expect("return")
        names: list[str] = []
        while not self.take("}"):
            if block.results:
                self.expect(",")
            block.results.append(self._value())
            if self.take("as"):
                names.append(self._string())
        if names:
            if len(names) != len(block.results):
                raise self.error("either all results have a name, or none")
            program.output_names = names
        self.next("end", "nothing more")
        block.results += values
        return program

    def _param(self, program: Program, var_kind: str) -> None:
        name, spec, mark, token = self._declaration()
        holder = self.holders.get(name or "")
        if holder is None:
            holder = Stored(None, name, trainable=var_kind == PARAM)
        var = program.add_param(spec, var_kind, holder, name)
        var.stop_gradient = _stop(mark, var_kind != PARAM)
        self._define(token, var)

    def _ops(self, block: Block) -> None:
        """Ops up to ``state``, ``return`` or ``}``."""
        while self.ahead.kind == "value" or (self.ahead.kind == "word" and self.tokens[self.place + 1].text == "("):
            declared = []
            if self.ahead.kind == "value":
                declared.append(self._declaration())
                while self.take(","):
                    declared.append(self._declaration())
                self.expect("=")
            self._op(block, declared)

    def _op(self, block: Block, declared: list[Any]) -> None:
        token = self.next("word", "an operator's name")
        try:
            opdef = get(token.text)
        except ProgramError as error:
            raise self.error(str(error), token) from None
        self.expect("(")
        inputs = tuple(self.items(")", self._operand))
        attrs: dict[str, Any] = {}
        if self.take("{"):
            attrs = dict(self.items("}", self._attr))
        op = Op(opdef, inputs, attrs, tuple(spec for _, spec, _, _ in declared), block)
        blocks = []
        for label in BLOCK_LABELS.get(opdef.name, ()):
            self.expect(label)
            blocks.append(self._block(op))
        op.blocks = tuple(blocks)
        implied = implied_stops(op)
        for var, (name, _, mark, where), stop in zip(op.outputs, declared, implied, strict=True):
            var.name = name
            var.stop_gradient = _stop(mark, stop)
            self._define(where, var)
        block.ops.append(op)

    def _block(self, op: Op) -> Block:
        block, outer, self.scope = Block(), self.scope, {}
        marks: list[Any] = []
        self.expect("(")
        self.items(")", lambda: marks.append(self._argument(block)))
        for var, mark, stop in zip(block.args, marks, implied_arg_stops(op, block), strict=True):
            var.stop_gradient = _stop(mark, stop)
        self.expect("{")
        self._ops(block)
        self.expect("return")
        block.results = self.items("}", self._value)
        self.scope = outer
        return block

    def _argument(self, block: Block) -> str:
        name, spec, mark, token = self._declaration()
        self._define(token, block.add_arg(spec, name, _stop(mark, True)))
        return mark

    # -- values ---------------------------------------------------------------------------------------------------------

    def _declaration(self) -> tuple[str | None, Spec, str, Token]:
        token = self.next("value", "a value such as %0")
        self.expect(":")
        spec = self._spec()
        mark = "grad" if self.take("grad") else "stop" if self.take("stop") else ""
        key = token.text[1:]
        name = self._unquoted(token, key) if key.startswith('"') else None if key.isdigit() else key
        return name, spec, mark, token

    def _define(self, token: Token, var: Var) -> None:
        if token.text in self.scope:
            raise self.error(f"{token.text} is defined twice", token)
        self.scope[token.text] = var

    def _value(self) -> Var:
        token = self.next("value", "a value such as %0")
        var = self.scope.get(token.text)
        if var is None:
            raise self.error(f"{token.text} is not defined in this block before its use", token)
        return var

    def _operand(self) -> Any:
        if self.take("_"):
            return None
        return tuple(self.items("]", self._value)) if self.take("[") else self._value()

    def _spec(self) -> Spec:
        if self.take("list"):
            self.expect("<")
            if self.take(">"):
                return ListSpec(None)
            element = self._spec()
            self.expect(">")
            return ListSpec(element)  # type: ignore[arg-type]
        dtype = self._dtype()
        self.expect("[")
        return TensorSpec(tuple(self.items("]", lambda: UNKNOWN if self.take("?") else self._integer())), dtype)

    def _dtype(self) -> DType:
        token = self.next("word", "a dtype such as f32")
        dtype = BY_SHORT.get(token.text)
        if dtype is None:
            raise self.error(f"expected a dtype ({', '.join(BY_SHORT)}), found {token.text}", token)
        return dtype

    def _integer(self) -> int:
        token = self.next("number", "an integer")
        try:
            return int(token.text)
        except ValueError:
            raise self.error(f"expected an integer, found {token.text}", token) from None

    def _string(self) -> str:
        token = self.next("string")
        return self._unquoted(token, token.text)

    def _unquoted(self, token: Token, text: str) -> str:
        try:
            return json.loads(text)
        except ValueError as error:
            raise self.error(f"malformed string: {error}", token) from None

    # -- attributes -----------------------------------------------------------------------------------------------------

    def _attr(self) -> tuple[str, Any]:
        name = self.next("word", "an attribute's name").text
        self.expect("=")
        return name, self._constant()

    def _constant(self) -> Any:
        token = self.ahead
        if token.kind == "string":
            return self._string()
        if token.kind == "number":
            self.place += 1
            return int(token.text) if re.fullmatch(r"-?\d+", token.text) else float(token.text)
        if self.take("["):
            return self.items("]", self._constant)
        if self.take("("):
            return tuple(self.items(")", self._constant))
        if self.take("..."):
            return Ellipsis
        for word, value in (("True", True), ("False", False), ("None", None)):
            if self.take(word):
                return value
        if token.text in ("complex", "slice"):
            self.place += 1
            self.expect("(")
            parts = self.items(")", self._constant)
            try:
                return complex(*parts) if token.text == "complex" else slice(*parts)
            except TypeError:
                raise self.error(f"wrong number of parts for {token.text}", token) from None
        if token.text == "list":
            return self._spec()
        if token.kind != "word":
            raise self.error(f"expected a constant, found {token.text}")
        dtype = self._dtype()
        if self.take("("):
            return self._array(TensorSpec((), dtype), token)[()]
        if self.ahead.text != "[":
            return dtype
        self.place -= 1
        spec = self._spec()
        return self._array(spec, token) if self.take("(") else spec  # type: ignore[arg-type]

    def _array(self, spec: TensorSpec, where: Token) -> np.ndarray:
        if self.ahead.text == "...":
            raise self.error("this constant is abbreviated; print the Program without abbreviate=True")
        if self.ahead.kind == "string":
            try:
                data = base64.b64decode(self._string(), validate=True)
                array = np.frombuffer(data, spec.dtype.np.newbyteorder("<")).astype(spec.dtype.np)
            except (binascii.Error, ValueError) as error:
                raise self.error(f"malformed base64: {error}", where) from None
            self.expect(")")
        else:
            words = self.items(")", self._element)
            try:
                with np.errstate(over="raise"):
                    array = _from_words(words, spec.dtype)
            except (ValueError, OverflowError, FloatingPointError):
                raise self.error(f"an element is no {spec.dtype.name}", where) from None
        try:
            return array.reshape(spec.shape)
        except ValueError:
            raise self.error(f"{array.size} elements do not fit {spec}", where) from None

    def _element(self) -> str:
        token = self.ahead
        if token.text in ("True", "False"):
            self.place += 1
            return token.text
        return self.next("number").text


def _from_words(words: list[str], dtype: DType) -> np.ndarray:
    if dtype.kind == "b":
        return np.array([("False", "True").index(w) for w in words], dtype.np)
    if dtype.kind == "c":
        return np.array(words, f"f{dtype.itemsize // 2}").view(dtype.np)
    if dtype.kind == "f":
        return np.array(words, dtype.np)
    return array_of([int(w) for w in words], dtype.np)


def _stop(mark: str, implied: bool) -> bool:
    return {"grad": False, "stop": True}.get(mark, implied)
