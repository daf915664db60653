"""Chapter 5's next-token lab: what a real model thinks, softened and cut, the tail as well."""

import re

import js
import numpy as np
import pytest
from traitlets import TraitError

from experiments.transformer import next_token
from firth.store.results import stored_result
from firth.transformer import sampling, smollm
from firth.widgets.transformer.next_token import FILE, KS, TransformerNext

STORED = stored_result("transformer/next_token")
OFF = len(KS) - 1


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


def test_what_is_stored_is_small_and_whole():
    assert FILE.stat().st_size < 120_000
    assert sum(STORED["counts"]) == smollm.SHAPE.n == 49152
    assert STORED["counts"][: next_token.KEPT] == [1] * next_token.KEPT
    prompts = [prompt for prompts in next_token.PROMPTS.values() for prompt in prompts]
    assert [row["prompt"] for row in STORED["rows"]] == prompts
    for row in STORED["rows"]:
        assert row["below"][0] == 0 and (np.diff(row["below"]) >= 0).all()
        assert len(row["below"]) == len(STORED["counts"]) == len(row["tokens"]) + next_token.GROUPS


@pytest.mark.parametrize("prompt", ["I want to buy a", "The capital of France is"])
def test_the_groups_stand_for_what_the_model_says(prompt):
    """Of the true 49,152 scores, cut as the page cuts its groups."""
    _, scores = smollm.next_tokens(prompt)
    view = TransformerNext(prompt=prompt)
    for tau, k, p in [(1.0, OFF, 1.0), (0.5, OFF, 0.9), (1.5, OFF, 0.95), (2.0, 14, 1.0)]:
        view.tau, view.k, view.p = tau, k, p
        shown = view.answer()
        q = sampling.probabilities(scores, tau, KS[k], p)
        right = -(q[q > 0] * np.log(q[q > 0])).sum()
        assert shown["entropy"] == pytest.approx(right, abs=0.02)
        assert shown["kept"] == pytest.approx((q > 0).sum(), rel=0.02, abs=1)
        assert shown["now"][0] == pytest.approx(100 * q.max(), rel=0.02)


def test_top_p_counts_what_is_not_named_too():
    view = TransformerNext(tau=2.0, p=0.9)
    shown, scores = view.answer(), np.repeat(-np.array(view.row()["below"]) / 100, view.counts)
    assert shown["kept"] > 200
    assert 9 < shown["cut"] <= 10
    assert shown["kept"] == (sampling.probabilities(scores, 2.0, p=0.9) > 0).sum()


def test_top_k_throws_a_good_answer_away_where_many_are_good_and_keeps_nonsense_where_one_is():
    sure = TransformerNext(prompt="In 1969, the first man walked on the", k=KS.index(10)).answer()
    open_end = TransformerNext(prompt="I want to buy a", k=KS.index(10)).answer()
    assert sure["cut"] < 10 < open_end["cut"]
    kept = [TransformerNext(prompt=row["prompt"], p=0.9).answer()["kept"] for row in STORED["rows"]]
    assert min(kept) < 10 and max(kept) > 200  # p goes with how sure the model is


def test_temperature_throws_nothing_away():
    assert TransformerNext(tau=0.5).answer()["kept"] == 49152
    assert TransformerNext(tau=0.5).answer()["cut"] == pytest.approx(0, abs=1e-9)
    assert TransformerNext(tau=0.0).answer()["kept"] == 1
    assert TransformerNext(tau=0.0).answer()["choices"] == 1


def test_greedy_draws_one_token_and_each_seed_its_own():
    assert TransformerNext(tau=0.0).answer()["tally"][0] == 20
    tallies = [TransformerNext(seed=seed).answer()["tally"] for seed in (1, 1, 2)]
    assert tallies[0] == tallies[1] != tallies[2]
    for seed in range(5):
        shown = TransformerNext(seed=seed).answer()
        assert sum(shown["tally"]) + shown["others"]["tally"] == 20


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"prompt": "Nobody asked"}, "choose one of them"),
        ({"tau": 2.1}, "between 0 and 2"),
        ({"tau": -0.1}, "between 0 and 2"),
        ({"k": len(KS)}, "the last is off"),
        ({"p": 0.0}, "between 0.05 and 1"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(choices, says):
    with pytest.raises(TraitError) as refused:
        TransformerNext(**choices)
    message = str(refused.value)
    assert re.search(says, message), message
    assert "\n" not in message and len(message) < 200


def test_a_change_is_heard_as_one_sentence():
    view = TransformerNext(tau=0.0)
    sentence = pure(view, "spoken", view.answer(), view.state())
    assert sentence == (
        "At τ 0.0: car is likeliest, 100.0 %; 1 token is left, as if 1.0 were equally likely; "
        "0.0 % cut off."
    )


def test_a_page_without_a_script_shows_a_table():
    assert "<table" in TransformerNext().fallback() and "␣car" in TransformerNext().fallback()
