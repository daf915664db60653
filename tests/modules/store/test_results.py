"""Stored results: each is read by its name, and an unknown name is told from a missing file."""

import json

import pytest

from firth.store import results
from firth.store.results import DATA, stored_result


def test_every_stored_result_is_read_by_its_name():
    files = sorted(DATA.rglob("*.json"))
    assert len(files) > 20
    for file in files:
        name = file.relative_to(DATA).with_suffix("").as_posix()
        assert stored_result(name) == json.loads(file.read_text(encoding="utf-8"))


def test_an_unknown_name_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"no stored result 'rnn/gates'.*rnn/recall_task"):
        stored_result("rnn/gates")


def test_a_script_starts_from_a_value_of_its_own_before_it_has_stored_any(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "DATA", tmp_path)
    assert stored_result("rnn/new", {"rows": []}) == {"rows": []}
    assert stored_result("rnn/new", []) == []
    (tmp_path / "rnn").mkdir()
    (tmp_path / "rnn" / "new.json").write_text('{"rows": [1]}')
    assert stored_result("rnn/new", {"rows": []}) == {"rows": [1]}
