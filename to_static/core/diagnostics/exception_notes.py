"""Lines that stand below an error when it is printed, by Python from 3.11 on and by us before (see `tracebacks`)."""

from __future__ import annotations


def add_note(error: BaseException, note_key: str, text: str) -> None:
    """Put a line below an error, in place of the one of this kind that is there."""
    notes = error.__dict__.setdefault("__notes__", [])
    by_kind = error.__dict__.setdefault("__kinds__", {})
    if note_key in by_kind and by_kind[note_key] in notes:
        notes.remove(by_kind[note_key])
    by_kind[note_key] = text
    notes.append(text)


def notes_of(error: BaseException) -> list[str]:
    """The lines."""
    return [str(note) for note in getattr(error, "__notes__", ())]
