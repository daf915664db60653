"""The view of positions: waves, a turn that is the same from everywhere, and one curve for all."""

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.transformer import positional_encoding as waves
from firth.widgets.transformer.positional_encoding import SHOWN, TransformerPositions


def shown(**choices):
    return TransformerPositions(**choices).answer()


@pytest.mark.parametrize("d", [4, 32, 128])
def test_the_map_of_the_page_is_that_of_the_module(d):
    esm = TransformerPositions(d=d, pair=0)._esm
    theirs = js.call(esm, "positions", SHOWN, d, waves.BASE)
    np.testing.assert_allclose(theirs, waves.positions(SHOWN, d), atol=1e-12)


@given(st.integers(0, 50), st.integers(0, 49), st.integers(0, 63), st.integers(0, 8))
@settings(max_examples=40)
def test_a_product_is_its_rows_the_curves_at_k_and_the_sum_of_what_pairs_bring(p, k, pair, base):
    answer = shown(p=p, k=k, pair=pair, base=base / 2)
    rows = np.array([answer["row_p"], answer["row_q"]])
    assert answer["product"] == pytest.approx(rows[0] @ rows[1])
    assert answer["product"] == pytest.approx(answer["curve"][k])
    assert answer["product"] == pytest.approx(sum(answer["shares"]))
    assert answer["share"] == pytest.approx(answer["shares"][pair])
    assert answer["share"] == pytest.approx(np.cos(np.radians(answer["turned"])))


def test_moving_both_changes_the_rows_and_no_product():
    here, there = shown(p=3, k=7), shown(p=41, k=7)
    assert np.abs(np.subtract(here["row_p"], there["row_p"])).max() > 1
    np.testing.assert_allclose(here["shares"], there["shares"])
    assert here["product"] == pytest.approx(there["product"])


def test_the_first_pair_runs_and_the_last_stands_still():
    fast, slow = shown(pair=0), shown(pair=63)
    assert fast["wave"] == pytest.approx(2 * np.pi)
    assert slow["wave"] > 50_000 and slow["turned"] < 0.1


def test_a_turn_of_the_view_is_the_modules_rotation():
    answer = shown(p=9, k=13, pair=5)
    R = waves.rotation(13, 128)[10:12, 10:12]
    turned = R @ [answer["sine_p"], answer["cosine_p"]]
    np.testing.assert_allclose(turned, [answer["sine_q"], answer["cosine_q"]])


def test_with_one_speed_for_all_a_place_far_away_looks_the_same_and_with_many_only_the_next():
    alike, usual = shown(base=0.0), shown()
    assert alike["rival"] == 44 and alike["highest"] > 63.9  # 44 is nearly 7 times round
    assert usual["rival"] == 1 and usual["highest"] < 62.1


def test_a_view_of_few_features_starts_with_a_pair_that_it_has():
    assert TransformerPositions(d=4).pair == 1 and TransformerPositions().pair == 12


def test_the_fallback_is_a_table_of_products_that_any_p_has():
    text = TransformerPositions(p=0, k=0).fallback()
    assert text == TransformerPositions(p=50, k=3).fallback() and "64.00" in text


def test_a_change_is_heard_as_one_sentence():
    view = TransformerPositions()
    heard = js.call(view._esm, "spoken", view.answer(), view.state())
    assert heard == (
        "Positions 10 and 18: product 45.72 of 64, as for all that are 8 apart; features 24 and 25 "
        "turn by 10.2° a step. Of all other distances, 1 gives the most: 62.09."
    )


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"p": 51}, "p lies between 0 and 50 here, not 51"),
        ({"k": -1}, "k lies between 0 and 49 here, not -1"),
        ({"base": 5.0}, "base lies between 0 and 4 here, not 5"),
        ({"d": 7}, "even number of 4 … 128 features, not 7"),
        ({"d": 256}, "even number of 4 … 128 features, not 256"),
        ({"pair": 64}, "128 features are 64 pairs, from 0 on; 64 is none"),
        ({"d": 8, "pair": 4}, "8 features are 4 pairs"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(choices, says):
    with pytest.raises(TraitError, match=says) as refused:
        TransformerPositions(**choices)
    assert "\n" not in str(refused.value)
