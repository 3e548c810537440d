"""Every error that to_static raises on purpose.

Each class also derives from the built-in exception a Python user would catch for that kind of mistake.
"""

from __future__ import annotations

from to_static.core.diagnostics.printable import harmless, printable
from to_static.core.flags import call_stack_level


class ToStaticError(Exception):
    """Root of all errors raised on purpose by to_static.

    The texts of others that it quotes (names in files, say) do nothing to a terminal when it is shown, and are cut.

    Example:
        >>> try:
        ...     paddle.ones([2, 3]) @ paddle.ones([2, 3])
        ... except paddle.core.errors.ToStaticError as error:
        ...     print(type(error).__name__)
        ...
        ShapeError
    """

    def __str__(self) -> str:
        return harmless(super().__str__())


class Classed(ToStaticError):
    """An error whose text says, at the end of its first line, of which class Paddle's error would be: ``(InvalidArgument)``."""

    paddle = ""

    def __init__(self, text: str = "") -> None:
        super().__init__(self._classed(text))

    def __str__(self) -> str:  # an error that a run of a Program raises gets its text without `__init__`
        return self._classed(super().__str__())

    def _classed(self, text: str) -> str:
        first, line, later_lines = text.partition("\n")
        if not first.endswith(_ENDS):
            first = f"{first} ({self.paddle})"
        if call_stack_level.value > 1 and not first.endswith(_LONG):
            first = f"{first[:-1]}Error)"
        return f"{first}{line}{later_lines}"


_PART = 1000  # characters of what was expected, and of what was found
OUT_OF_RANGE = "(OutOfRange)"  # Paddle's class of an index that is too large
INVALID_ARGUMENT = "(InvalidArgument)"  # and of most other errors
_LONG = ("(InvalidArgumentError)", "(NotFoundError)", "(OutOfRangeError)")
_ENDS = (INVALID_ARGUMENT, "(NotFound)", OUT_OF_RANGE, *_LONG)


class ShapeError(Classed, ValueError):
    """Shapes do not fit an operation."""

    paddle = "InvalidArgument"


class RankError(ShapeError):
    """A tensor would have another number of dimensions than in the Program, which was built when its sizes were not known."""


class DTypeError(Classed, TypeError):
    """A dtype is not supported by an operation, or is unknown."""

    paddle = "NotFound"


class ArgumentTypeError(DTypeError, ValueError):
    """An argument is of another type than it has to be: a TypeError, for which Paddle raises ValueError."""

    paddle = "InvalidArgument"


class ArgumentError(Classed, ValueError):
    """The value of an argument is none that an operation takes."""

    paddle = "InvalidArgument"


class AssertedError(ArgumentError, AssertionError):
    """The same where Paddle asserts it."""


class IdError(Classed, IndexError, ValueError):
    """A number that stands for a row (a word, a class) is none of those there are: an index, for which Paddle raises ValueError."""

    paddle = "InvalidArgument"


class DeviceError(ToStaticError, RuntimeError):
    """A device was asked for that is not there, or tensors live on different devices."""


class AutogradError(ToStaticError, RuntimeError):
    """A gradient was asked for that does not exist."""


class ProgramError(ToStaticError, ValueError):
    """A Program is malformed: the verifier, the parser or a pass says so."""


class GeneratedCodeError(ProgramError):
    """Text that did not come from us would have become part of generated code. Nothing of it was run."""


class ParseError(ProgramError):
    """The text of a Program can't be read. Attributes: ``line`` and ``column`` (both from 1)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        self.line = line
        self.column = column
        super().__init__(f"line {line}, column {column}: {message}")


class ModeError(ToStaticError, RuntimeError):
    """An operation was used in a mode (eager, static) where it has no meaning."""


class OrderError(ModeError, AssertionError):
    """A call that comes before the one that has to be first, or for a second time, where Paddle asserts it."""


class ExecutionError(ToStaticError, RuntimeError):
    """An operation failed while a Program ran; the message names the user's line."""


class NumberError(ToStaticError, OverflowError, TypeError):
    """A number that depends on tensors would be one that a Program has no place for: of more than 64 bits, or of another type."""


class ReachError(ToStaticError, RuntimeError):
    """A run of a Program took a way on which a tensor gets no gradient, while the Program was built for one that it gets."""


class WorkerError(ToStaticError, RuntimeError):
    """A worker process of a DataLoader died, did not answer in time, or sent what cannot be sent."""


class DownloadError(ToStaticError, OSError):
    """A file that is needed is not there and cannot be downloaded."""


class TranslationError(ToStaticError, SyntaxError):
    """A construct cannot be made static. Carries the user's file and line and a suggested rewrite."""

    def __init__(self, message: str, filename: str | None = None, lineno: int | None = None) -> None:
        super().__init__(message)
        self.filename = filename
        self.lineno = lineno

    def __str__(self) -> str:  # SyntaxError's own __str__ would append "(file, line n)" once more
        return harmless(str(self.args[0]))


class TracedValueError(ToStaticError, TypeError):
    """A traced tensor was used where Python needs its value (``bool(t)``, ``int(t)``, ``t.numpy()``)."""


class SeveralValuesError(TracedValueError, ValueError):
    """A condition is a tensor of several elements: a ValueError in dynamic mode, and one that needs no values to be told."""


# what says that there is no Program; Python knows nothing of these
REFUSALS = (TranslationError, TracedValueError, ModeError, ProgramError)


class UnboundVariableError(ToStaticError, UnboundLocalError):
    """A variable was used that the path taken never assigned."""


class FormatError(ToStaticError, ValueError):
    """A file is truncated, corrupt, foreign, or holds something that is not supported.

    Attributes: ``path`` of the file, byte ``offset`` (or None), what was ``expected``, what was ``found``.
    """

    def __init__(self, path: object, expected: str, actual: str, offset: int | None = None) -> None:
        self.path = str(path)
        self.offset = offset
        self.expected = expected
        self.found = actual
        path_text = printable(path, _PART)
        where = path_text if offset is None else f"{path_text}, byte {offset}"
        super().__init__(f"{where}: expected {printable(expected, _PART)}, found {printable(actual, _PART)}")
