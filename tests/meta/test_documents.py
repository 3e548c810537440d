"""Files that documents name are there, with the names that they are said to have, and every room is on the map."""

import collections
import functools
import re
from pathlib import Path

import pytest

from to_static.cli.commands import parser

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted((ROOT / "to_static").rglob("README.md"))
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "tests/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *ROOMS,
]
FILE = re.compile(r"`([\w/]*\w\.(?:py|txt|json|md))(?:: ([\w., ]+))?`")
BASES = [ROOT / "to_static" / "compiler" / "frontend", ROOT / "to_static" / "compiler", ROOT / "to_static", ROOT]
LINK = re.compile(r"\]\(([^)#:]+\.md)(?:#([\w-]+))?\)")
TARGET = re.compile(r"(?:`|^)make ([a-z][a-z-]+)(?=`|  )", re.M)
FOLDER = re.compile(r"`((?:to_static|tests|samples|benchmarks)(?:/\w+)+)/?`")
COMMAND = re.compile(r"to_static (convert|explain|inspect|predict)\b([^`\n|]*)")
MADE = re.compile(r"^```python file=(\S+)$", re.M)


@functools.cache
def _files():
    """The files of the project by their last names."""
    files = collections.defaultdict(list)
    for room in ("to_static", "tests", "samples", "docs", "benchmarks"):
        for path in (ROOT / room).rglob("*.*"):
            files[path.name].append(path)
    return files


def wrong(text, folder=ROOT):
    """What a document says that is not so."""
    made = set(MADE.findall(text))
    found = []
    for name, members in FILE.findall(text):
        if name in made:
            continue
        last = Path(name).name
        places = [path for path in [ROOT / name, *_files()[last]] if path.exists() and f"/{path}".endswith(f"/{name}")]
        if folder != ROOT and (folder / name).is_file():  # the README of a room means its own files
            places = [folder / name]
        elif folder.is_relative_to(ROOT / "to_static") and places and not any(folder.rglob(name)):
            if not any((base / name).is_file() for base in BASES):
                found.append(f"{name} is neither below the folder of its README nor below one of those that the map names")
        several = [p for p in places if "/" not in name and p.is_relative_to(ROOT / "to_static")]
        if len(several) > 1:
            found.append(f"{name} is one of {len(several)} files: name its folder")
        if not places:
            found.append(f"there is no {name}")
            continue
        sources = "\n".join(place.read_text(encoding="utf-8") for place in places)
        for member in filter(None, re.split(r"[, ]+", members)):
            last = member.split(".")[-1]
            if not re.search(rf"^\s*(def|class) {last}\b|^\s*(self\.)?{last}\b.*=", sources, re.M):
                found.append(f"{name} has no {member}")
    found += [f"there is no folder {name}" for name in FOLDER.findall(text) if not (ROOT / name).is_dir()]
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    found += [f"make has no {target}" for target in TARGET.findall(text) if not re.search(rf"^{target}:", rules, re.M)]
    for command, words in COMMAND.findall(text):
        flags = re.findall(r"(?<!\S)--?[a-z][\w-]*", words.partition(" -- ")[0])
        found += [f"to_static {command} has no {flag}" for flag in flags if flag not in flags_of(command)]
    for name, part in LINK.findall(text):
        path = folder / name
        if not path.exists():
            found.append(f"the link to {name} leads nowhere")
        elif part and part not in {anchor(line) for line in path.read_text().splitlines() if line.startswith("#")}:
            found.append(f"{name} has no part {part}")
    return found


def flags_of(command):
    """The flags of a command, from its parser."""
    commands = next(action.choices for action in parser()._actions if action.dest == "command")
    return commands[command]._option_string_actions


def anchor(heading):
    """What a link to a heading is."""
    kept = re.sub(r"[^\w\- ]", "", heading.lstrip("#").strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_that_documents_name_are_there(document):
    assert wrong(document.read_text(encoding="utf-8"), document.parent) == []


def test_every_room_is_on_the_map():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    inits = sorted((ROOT / "to_static").rglob("__init__.py"))
    paths = [str(init.parent.relative_to(ROOT / "to_static")) for init in inits if init.parent.name != "to_static"]
    rooms = [re.sub("^compiler/(frontend/)?", "", path) for path in paths]  # as documents name them
    missing = [room for room in rooms if not re.search(rf"`{room}`", text)]
    assert missing == [], "a paragraph, or a row, in docs/architecture.md"


def test_every_room_beside_the_compiler_has_a_readme():
    inits = (ROOT / "to_static").glob("*/__init__.py")
    assert [init.parent.name for init in inits if not (init.parent / "README.md").is_file()] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("`ir/nowhere.py`", "there is no ir/nowhere.py"),
        ("`to_static convert net.py --chek -o OUT`", "to_static convert has no --chek"),
        ("`ir/building/builder.py: Builder.nothing_of_the_kind`", "ir/building/builder.py has no Builder.nothing_of_the_kind"),
        ("`make nothing`", "make has no nothing"),
        ("make nothing-at-all  what it does", "make has no nothing-at-all"),
        ("`tests/nowhere`", "there is no folder tests/nowhere"),
        ("`control.py`", "control.py is one of 4 files: name its folder"),
        ("[x](nowhere.md)", "the link to nowhere.md leads nowhere"),
        ("[x](docs/language.md#no-such-part)", "docs/language.md has no part no-such-part"),
    ],
)
def test_what_is_not_so_is_found(text, said):
    assert wrong(text) == [said]
    assert wrong("`to_static convert --check`, `to_static explain net.py --plan -- --epochs 1`") == []
    assert wrong("`ir/building/builder.py: Builder`, `codegen.py`, [x](docs/errors.md)") == []


def test_names_in_a_readme_follow_the_rule_of_the_map():
    hapi = ROOT / "to_static" / "hapi"
    assert wrong("`summary.py`, `callbacks/monitor.py`, `ir/program.py`, `function/target.py`, `tests/both.py`", hapi) == []
    (text,) = wrong("`monitor.py`", hapi)
    assert text.startswith("monitor.py is neither below the folder")
