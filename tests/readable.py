"""The form of every refusal."""

import re
import sys

INTERNAL = re.compile(r"_jst|\bjst\b|\b(Choice|Number|Undecided|TensorList|Maybe|Unbound|Builder)\b|<to_static")


def readable(text):
    """What every refusal is: the reason, place and lines of the user, and one rewrite; nothing of our insides."""
    reason, place, *later_lines = text.split("\n")
    assert reason and len(reason) < 330, text
    assert re.match(r'  File ".*", line \d+', place), text
    assert later_lines[-1].startswith("  rewrite: ") and len(later_lines) <= 6, text
    assert place.startswith('  File "<') or sum(line.startswith("-->") for line in later_lines) == 1, text
    named = re.search(r"`.+`|'.+'|^\w+ (is|changes|holds|and \w+ are) ", reason)
    of_caller = place.startswith('  File "<') or "language_table.py" in place
    assert named or of_caller or sys.version_info < (3, 11), f"names no variable or expression: {text}"
    message = "\n".join(line for line in text.split("\n") if not re.match(r"(-->|   ) +\d+ \|", line))
    assert not INTERNAL.search(message), text
