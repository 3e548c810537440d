"""Documents name every room and every module, and what they name is there: files, and in rows also the names that files have."""

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
PYTHON = re.compile(r"`([\w/]*\w\.py)(?:: [\w., ]+)?`")
# what rows explain though another file defines it: a symptom, or the user of what the file has
OF_OTHERS = {
    "PyLayer", "UnboundLocalError", "UnionValue", "eval", "gelu", "ignore_module", "save", "set_default_dtype", "train",
}  # fmt: skip
NAME = re.compile(r"`(?:\w+\.)*([A-Za-z_]\w*)(?:\(\))?`")


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
        if any(f"/{each}".endswith(f"/{name}") for each in made):
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


def below(name, folder):
    """The files below the folder of a README that it means by a name: the one at this place, else all whose paths end so."""
    files = [path for path in _files()[Path(name).name] if path.is_relative_to(folder) and f"/{path}".endswith(f"/{name}")]
    return [folder / name] if folder / name in files else files


def modules_of(text, folder):
    """The modules below the folder of a README that its text names, each by a name that no other file has."""
    files = [below(name, folder) for name in PYTHON.findall(text)]
    return {places[0] for places in files if len(places) == 1}


def unnamed(modules, texts):
    """The modules that the README of no folder above them names. ``texts``: the READMEs by their folders."""
    named = {folder: modules_of(text, folder) for folder, text in texts.items()}
    return [
        str(module.relative_to(ROOT)) for module in modules if not any(module in named.get(up, ()) for up in module.parents)
    ]


def test_every_module_is_in_a_readme():
    modules = [path for path in sorted((ROOT / "to_static").rglob("*.py")) if path.name != "__init__.py"]
    texts = {room.parent: room.read_text(encoding="utf-8") for room in ROOMS}
    assert unnamed(modules, texts) == [], "a row in the README of its folder, or of a folder above: the words of a bug report"


def names_elsewhere(text, folder):
    """Names before the files of a row that none of these files has, with the row's first words."""
    elsewhere = []
    for line in text.splitlines():
        cells = line.strip("| ").split(" | ")
        files = [
            place
            for name in PYTHON.findall(line)
            for place in below(name, folder) or [base / name for base in BASES if (base / name).is_file()][:1]
        ]
        if not line.startswith("| ") or len(cells) == 1 or not files:
            continue
        sources = "\n".join(place.read_text(encoding="utf-8") for place in files)
        names = [name for name in NAME.findall(cells[0]) if name not in ("py", *OF_OTHERS)]
        elsewhere += [f"{name}: {cells[0][:40]}" for name in names if not re.search(rf"\b{name}\b", sources)]
    return elsewhere


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_files_of_a_row_have_its_names(room):
    assert names_elsewhere(room.read_text(encoding="utf-8"), room.parent) == []


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


def test_a_module_without_a_row_is_found():
    nn = ROOT / "to_static" / "nn"
    modules = [nn / "clip.py", nn / "utils" / "vector.py", nn / "functional" / "pool.py", nn / "layer.py"]
    row = "| all parameters | `utils/vector.py: parameters_to_vector` |"
    assert unnamed(modules, {nn: f"{row} `pool.py`", nn.parent: "`nn/layer.py`"}) == ["to_static/nn/clip.py"]
    assert unnamed(modules[1:2], {nn / "functional": row}) == ["to_static/nn/utils/vector.py"]  # no folder above it
    assert unnamed([nn / "quant" / "format.py"], {ROOT / "to_static": "`format.py`"}) != []  # one of several


def test_a_name_of_a_row_that_its_files_lack_is_found():
    nn = ROOT / "to_static" / "nn"
    assert names_elsewhere("| `clip_grad_norm_()` and `nn.Nothing` | `utils/gradients.py` |", nn) == [
        "Nothing: `clip_grad_norm_()` and `nn.Nothing`"
    ]
    assert names_elsewhere("| words, and `a.py` | elsewhere |\nProse: `Nothing` | `utils/gradients.py`", nn) == []


def test_names_in_a_readme_follow_the_rule_of_the_map():
    hapi = ROOT / "to_static" / "hapi"
    assert wrong("`summary.py`, `callbacks/monitor.py`, `ir/program.py`, `function/target.py`, `tests/both.py`", hapi) == []
    (text,) = wrong("`monitor.py`", hapi)
    assert text.startswith("monitor.py is neither below the folder")
