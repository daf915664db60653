"""Word vectors by every method on a small text, and what is kept of a run."""

import json

import numpy as np
import pytest

from experiments.word2vec import knobs, training
from firth.lsa.similarity import cosine_table
from firth.store import cache
from firth.word2vec.skipgram import sampled

WORDS = ["a", "b", "c", "d", "e", "f"]
GROUPS = [np.array([0, 1, 2, 1] * 400), np.array([3, 4, 5, 4] * 400)]
SETTINGS = {"rate": 0.05, "window": 1, "epochs": 20, "seed": 1}


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    monkeypatch.setattr(training, "corpus", lambda: (WORDS, GROUPS))
    monkeypatch.setattr(training, "D", 4)
    monkeypatch.setattr(training, "DATA", tmp_path)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    (tmp_path / "word2vec").mkdir()
    for kept in (training.weighted, training.directions):
        kept.cache_clear()
    yield
    for kept in (training.weighted, training.directions):
        kept.cache_clear()


@pytest.mark.parametrize("method", ["CBOW", "skip-gram", training.GENSIM])
def test_words_with_the_same_neighbours_come_to_lie_together(method):
    more = {} if method == training.GENSIM else {"sample": 0.0, "d": 4}
    V, seconds = training.vectors(method, **SETTINGS, **more)
    assert V.shape == (6, 4) and seconds > 0
    near = cosine_table(V, V)
    assert near[0, 2] > 0.9 and near[3, 5] > 0.9 and near[0, 3] < 0.7


def test_a_run_is_read_from_the_cache_and_other_settings_are_another_run(monkeypatch):
    V, seconds = training.vectors("skip-gram", **SETTINGS, d=4)
    np.testing.assert_array_equal(V, sampled(GROUPS, 6, 4, m=1, epochs=20, first=0.05, seed=1)[0])
    monkeypatch.setattr(training, "sampled", None)
    again, same = training.vectors("skip-gram", **SETTINGS, d=4)
    np.testing.assert_array_equal(again, V)
    assert same == seconds
    with pytest.raises(TypeError):
        training.vectors("skip-gram", **SETTINGS | {"seed": 2}, d=4)


@pytest.mark.parametrize("method", training.COUNTING)
def test_the_vectors_of_a_counting_method_are_those_of_its_table(method):
    more = {"smoothing": 0.75} if "PPMI" in method else {}
    more |= {"shift": 2.0} if "shifted" in method else {}
    V, _ = training.vectors(method, window=1, power=0.5, **more)
    table = training.weighted(method, 1, more.get("smoothing", 1.0), more.get("shift", 1.0))
    s = np.linalg.svd(table.toarray(), compute_uv=False)[:4]
    np.testing.assert_allclose(np.sort((V**2).sum(axis=0))[::-1], s, atol=1e-6)


def test_idf_lowers_the_weight_of_a_neighbour_that_met_many_words():
    plain, idf = (training.weighted(name, 1, 1.0, 1.0).toarray() for name in training.COUNTING[:2])
    assert plain[1, 0] > 0
    np.testing.assert_allclose(idf[1, 0], plain[1, 0] * np.log(6 / 1))  # a has met b alone
    np.testing.assert_allclose(idf[0, 1], plain[0, 1] * np.log(6 / 2))  # b has met a and c


def test_rows_are_stored_one_to_a_line_beside_what_is_to_be_known():
    training.store("tuning", {"seed": 1}, rows=[{"a": 1}, {"a": 2}], scores=[])
    file = training.DATA / "word2vec/tuning.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    assert found["rows"] == [{"a": 1}, {"a": 2}] and found["seed"] == 1
    assert found["command"] == "python -m experiments.word2vec.tuning"
    assert file.read_text(encoding="utf-8").count("\n{") == 2


def test_every_knob_is_an_argument_of_the_training():
    for change in knobs.changes(knobs.USUAL | SETTINGS)[1:]:
        V = training.predicted("skip-gram", **SETTINGS | {"epochs": 1} | change)
        assert V.shape == (6, change.get("d", 100)) and np.isfinite(V).all()
