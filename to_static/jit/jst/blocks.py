"""Tracing a branch or a loop body: containers are copied so that Python changes stay inside, and `raise` ends the block."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.errors import TracedValueError, TranslationError
from to_static.core.expressions import shown
from to_static.core.namespace import type_of
from to_static.core.site import is_internal, of_error
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.contents import held, member
from to_static.jit.jst.around import Around
from to_static.jit.jst.attributes import buffer_set, can_change, has_setter, note_outliving, sets_by_itself, write
from to_static.jit.jst.catching import catches_here, check_uncaught
from to_static.jit.jst.chosen import chosen
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.leaks import innermost, is_the_users, leaked
from to_static.jit.jst.levels import Back
from to_static.jit.jst.rows import Widens
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.stops import sets_stop
from to_static.jit.jst.text import holds_later, pieces_of, template
from to_static.jit.jst.traced import constant, failure, inside_block, is_traced
from to_static.nn.layer import Layer
from to_static.ops.control import error_name, literal


class BlockRaises(Back):
    """Ends the tracing of a branch whose last statement is ``raise``; the Program raises there when it runs."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class Raised:
    """The result of a block that always raises."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


_owned: dict[int, Copies] = {}  # id of the builder's frame -> copies made for that block


def block_of(frame: Any) -> Copies | None:
    """The copies of the block that is traced into ``frame``; None at the top level."""
    return _owned.get(id(frame))


def known_as(value: Any) -> list[Any]:
    """``value`` as the blocks around know it, from the inside out: what it is a copy of, and what that is a copy of."""
    found = [value]
    frame = getattr(mode.state.mode, "frame", None)
    while frame is not None:
        copies = block_of(frame)
        outer = None if copies is None else copies.outer(found[-1])
        if outer is not None:
            found.append(outer)
        frame = frame.parent
    return found


def in_block(builder: Any, copies: Copies, function: Callable[..., Any], *roots: Any) -> Callable[..., Any]:
    """``function`` for `Builder.trace_block`: it owns ``copies``, and a `raise` in it gives `Raised`.

    Objects that can be reached from ``roots`` (functions and values) must not change otherwise: see `Around`.
    """
    from to_static.jit.jst.owners import check_names

    def run(*handles: Any) -> Any:
        _owned[id(builder.frame)] = copies
        copies.around = Around(*roots)
        try:
            result = function(*handles)
            check_names(roots[0], copies)
        except BlockRaises as end:
            result = Raised(end.error)
            builder.holds_errors |= end.__cause__ is not None
        except (Grows, Widens):
            copies.around.take_back_containers()  # the block is traced again
            raise
        except (Exception, SystemExit) as error:  # the latter of sys.exit()
            if not is_the_users(error):
                raise
            if (refusal := leaked(error)) is not None:
                raise refusal from None
            emit_raise(error)  # Python would raise it only where this block runs
            builder.holds_errors |= is_internal(innermost(error)[1])  # then Python is asked for the error
            result = Raised(error)
        finally:
            did = bool(builder.frame.rebound or copies.attributes.before or copies.changed())
            copies.attributes.leave()
            del _owned[id(builder.frame)]
        if type(result) is Raised:
            builder.holds_errors |= did  # what the block did until then is not in the Program
        copies.around.check()
        return result

    return run


def reach(function: Any) -> None:
    """Called before a function that is met in a block runs: what it reads is around that block, too."""
    if inside_block():
        frame = mode.state.mode.frame
        while frame is not None:
            copies = _owned.get(id(frame))
            if copies is not None:
                copies.around.add(function)
            frame = frame.parent


def touch(owner: Any, attribute: str | None = None, past: bool = False) -> None:
    """Called before an attribute or an item of ``owner`` changes, by code that may run under a tensor condition.

    With None as owner the attribute is a global or nonlocal variable. Tensors and containers that the block has its own copies
    of may change. Anything else would change while tracing, whether or not the Program takes this path: TranslationError.
    ``past``: the attribute is set past the setters of its class.
    """
    sets_stop(owner, attribute)
    if not inside_block() or isinstance(owner, (Tensor, Stand)):
        return
    owner = getattr(owner, "_keeper", owner) if member(type(owner), "dygraph_function") else owner
    if owner is None:
        what = f"the global or nonlocal variable {attribute!r}"
        how = f"pass {attribute!r} as an argument and return its new value: `{attribute} = f(x, {attribute})`"
    elif attribute is None:
        copies = _owned.get(id(mode.state.mode.frame))
        original = copies.original(owner) if copies is not None and isinstance(owner, (list, dict)) else None
        if original is not None:
            copies.noticed.append(original)  # type: ignore[union-attr]
            return
        if _made_here(owner) or sets_by_itself(owner):
            return
        if can_grow(owner):
            outer = copies.outer(owner) if copies is not None else None
            raise Grows(owner if outer is None else outer)
        kind = getattr(owner, "stands_for", type_of(owner)).__name__
        what = f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"
        how = "hand it in as a variable of the function and return it, or build it outside of the condition"
    else:
        if isinstance(owner, Layer) and attribute in owner._buffers:
            buffer_set(owner, attribute)
            return
        if isinstance(owner, Layer) and attribute in owner._parameters:
            return  # it changes the tensor that it holds, or refuses
        if past or not sets_by_itself(owner, attribute):
            touch_plainly(owner, attribute, past)
        return
    raise _changed(what, how)


def touch_plainly(owner: Any, attribute: str, past: bool = False) -> None:
    """Called before an attribute of ``owner`` changes, but not by its class's ``__setattr__`` (``past``: nor by a descriptor)."""
    if not inside_block() or isinstance(owner, (Tensor, Stand)) or (not past and has_setter(owner, attribute)):
        return
    if _made_here(owner):
        if can_change(owner, attribute, past):
            note_outliving(owner, attribute)
        return
    copies = _owned.get(id(mode.state.mode.frame))
    if copies is None or not can_change(owner, attribute, past):
        raise _changed(
            f"attribute {attribute!r} of a {type(owner).__name__}",
            f"compute the value in a variable and assign {attribute!r} after the condition or loop",
        )
    copies.attributes.note(owner, attribute)


def touch_entry(owner: Any, key: Any) -> None:
    """Called before ``owner.__dict__[key]`` changes."""
    if isinstance(key, str) and type_of(getattr(owner, "__dict__", None)) is dict:
        touch_plainly(owner, key, past=True)
    else:
        touch(owner.__dict__)


def _changed(what: str, how: str) -> BaseException:
    text = f"{what} changes under a tensor condition or in a tensor loop, where only local variables can{shown()}"
    return failure(TranslationError, text, how)


def changes(container: Any, where: str) -> BaseException:
    """For a container that ``where`` only a copy of it would change: it becomes one of the Program, or is refused."""
    if can_grow(container):
        return Grows(container)
    name = type(container).__name__
    return failure(
        TranslationError,
        f"a {name} that comes from outside changes {where}{shown()}, where the change would be lost",
        f"change a copy, `new = {name}(old)`, and hand it on",
    )


def _made_here(owner: Any) -> bool:
    """True when the block that is being traced made this object: what happens to it stays inside."""
    copies = _owned.get(id(mode.state.mode.frame))
    known = held(owner) is not None and not isinstance(owner, (type, types.ModuleType, Layer))
    return copies is not None and known and not copies.around.has(owner)


def assign(owner: Any, attribute: str, value: Any) -> Any:
    """``owner.attribute = value``, announced; gives the value."""
    touch(owner, attribute, past=True)
    write(owner, attribute, value)
    return value


def raises(error: Any, escapes: bool = False) -> Any:
    """The error to raise: itself, or under a tensor condition a check in the Program that raises when this path is taken.

    ``escapes``: nothing that iterates takes it for an end.
    """
    from to_static.jit.jst.choice import Choice, arms

    if type(error) is Choice:
        if any(map(holds_later, error.options)):
            raise failure(
                TracedValueError,
                f"one of several errors is raised{shown()} that hold tensors",
                "raise each where it is made: `if condition: raise ValueError(x)`",
            )
        arms(error, list(range(len(error.options))), _raise)  # which raises in all of them
    if not inside_block():
        return error
    made = made_error(error)
    if catches_here(type(made)):
        return made  # raised and caught in one block: Python does that
    if isinstance(made, StopIteration) and not escapes:  # Python ends a loop by it, which would go on for ever here
        raise failure(
            TranslationError,
            f"StopIteration{shown()} depends on a tensor, and ends what takes the items one by one (next(), zip(), an unpacking), "
            "which has to know it when the Program is built",
            "a loop over the iterator, `for item in iterator:`, or a generator in its place: `while more: yield item`",
        )
    emit_raise(made)
    return BlockRaises(made)


def made_error(raised: Any) -> BaseException:
    """The error of ``raise raised``."""
    made = raised() if isinstance(raised, type) and issubclass(raised, BaseException) else raised
    if not isinstance(made, BaseException):
        raise TypeError("exceptions must derive from BaseException")
    return made


def _raise(error: Any) -> Any:
    raise raises(error)


def emit_raise(made: BaseException) -> None:
    """An operation that raises this error when the Program comes to it."""
    check_uncaught(type(made))
    chosen(lambda args: _emit_raise(made, args), made.args)


def _emit_raise(made: BaseException, args: tuple[Any, ...]) -> None:
    tensors, words = template(pieces_of(args) if len(args) > 1 else pieces_of(args[0]) if args else [])
    words, name = words if tensors else words.replace("{{", "{").replace("}}", "}"), error_name(type(made))
    one = len(args) == 1 and isinstance(args[0], str)
    if args and not one and all(isinstance(a, (int, float, str, bytes, type(None))) for a in args):
        words, name = repr(args), f"{name}()"
    own = {name: value for name, value in vars(made).items() if literal(value)}
    parts = [*vars(made).values(), *(args if len(args) != 1 or is_traced(args[0]) else ())]
    mode.state.mode.holds_errors |= not all(map(literal, parts))
    FUNCTIONS["assert"](constant(False, bool_), tensors, words, f"{name}|{own!r}" if own else name)
    where = of_error(made)
    if where is not None:
        mode.state.mode.frame.block.ops[-1].site = where
