"""Damaged programs of Paddle 3 are refused with a FormatError, or read: nothing else, in bounded time and memory."""

import json

import daily
import pytest
from hostile_documents import mutated
from pir_archive import unpack

from to_static.compiler.formats import hub
from to_static.compiler.formats.pir.document import MAX_DOCUMENT, parse_document
from to_static.core.errors import FormatError

MODELS = (
    "331/m_fn_nested", "331/cond_in_loop", "331/m_mlp", "331/m_fn_list_pop", "331/greedy", "331/gru", "300/m_fn_setitem_loop",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("pir"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", daily.seeds("hostile programs of Paddle 3", 60, 2000))
def test_damaged_programs(folder, tmp_path, seed):
    source = folder / MODELS[seed % len(MODELS)]
    (tmp_path / "m.json").write_bytes(mutated(source.with_suffix(".json").read_bytes(), seed))
    params = source.with_suffix(".pdiparams")
    try:
        hub.open_model(tmp_path / "m.json", params if params.exists() else None).program()
    except FormatError as error:
        assert "\x1b" not in str(error)


def document(*ops, **more):
    block = {"args": [], "ops": list(ops)}
    return {"base_code": {"magic": "pir", "version": 4}, "program": {"regions": [{"blocks": [block]}]}, **more}


def tensor(number, shape=(2,)):
    return {"%": number, "TT": {"#": "0.t_dtensor", "D": [{"#": "0.t_f32"}, list(shape), "NCHW", [], 0]}}


DEEP = {"#": "0.t_vec", "D": []}
for _ in range(400):
    DEEP = {"#": "0.t_vec", "D": [DEEP]}
BAD = {
    "no JSON": (b"{", "no JSON"),
    "NaN": (b'{"base_code": NaN}', "no number of JSON"),
    "another magic": ({"base_code": {"magic": "x", "version": 4}}, "whose magic is 'pir'"),
    "a newer version": ({"base_code": {"magic": "pir", "version": 9}}, "of version 0 to 4"),
    "deep": (b"[" * 100_000, "no JSON"),
    "deep types": (document({"#": "1.relu", "I": [], "O": [{"%": 1, "TT": DEEP}]}), "(as deep|operand|input X)"),
    "unknown operators": (
        document({"#": "1.flash", "O": []}, {"#": "1.flash", "O": []}, {"#": "3.mine", "O": [], "A": [
            {"N": "struct_name", "AT": {"#": "0.a_str", "D": "/Head/"}}]}),
        "operators that can be read, found others: 2 flash, 1 custom_op.mine in /Head/",
    ),
    "a number twice": (document({"#": "1.relu", "O": [tensor(1), tensor(1)]}), "a number of its own"),
    "used before it is defined": (document({"#": "1.relu", "I": [{"%": 7}], "O": [tensor(1)]}), "value %7 to be defined"),
    "many dimensions": (document({"#": "1.relu", "O": [tensor(1, [1] * 40)]}), "at most 32 dimensions"),
    "a huge number": (document({"#": "1.full", "A": [{"N": "value", "AT": {"#": "0.a_f64", "D": 10**400}}]}), "a double can hold"),
    "no block": ({"base_code": {"magic": "pir", "version": 4}, "program": {"regions": []}}, "one region"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said(tmp_path, name):
    content, said = BAD[name]
    (tmp_path / "m.json").write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(FormatError, match=said):
        hub.open_model(tmp_path / "m.json").program()


def test_unknown_keys_are_ignored():
    text = json.dumps(document(extra={"any": 1})).encode()
    assert parse_document(text, "m.json").version == 4


def test_large_files_are_refused_before_they_are_parsed(tmp_path):
    with open(tmp_path / "m.json", "wb") as file:
        file.write(b'{"base_code": {')
        file.truncate(MAX_DOCUMENT + 1)
    with pytest.raises(FormatError, match=f"at most {MAX_DOCUMENT} bytes"):
        hub.open_model(tmp_path / "m.json")
