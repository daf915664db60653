"""Chapter 7's lab of random features, and what attention costs."""

import json

import browser as found
import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.widgets.linear_attention import crossover as crossover
from firth.widgets.linear_attention.crossover import (
    GRID,
    LinearAttentionCrossover,
    crossing,
    overhead,
)
from firth.widgets.linear_attention.near_far import LinearAttentionFmm
from firth.widgets.linear_attention.random_features import (
    COUNTS,
    KINDS,
    LinearAttentionFeatures,
    drawn,
)

# Random features


def lab(**choices):
    return LinearAttentionFeatures(**choices).answer()


def upper(matrix):
    return np.array(matrix)[np.triu_indices(len(matrix), 1)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("positive")])
def test_L9_the_error_falls_with_the_root_of_r_whatever_is_drawn(kind):
    slopes = [lab(kind=kind, scale=scale)["slope"] for scale in (0.5, 1.0, 1.5, 2.0)]
    assert np.abs(np.array(slopes) + 0.5).max() < 0.05


@pytest.mark.parametrize("kind", ["phase", "pair", "laplace"])
def test_what_is_measured_is_what_the_formula_says(kind):
    shown = lab(kind=kind)
    ratio = np.array(shown["measured"]) / shown["expected"]
    assert (np.abs(ratio - 1) < 0.35).all() and abs(np.mean(ratio) - 1) < 0.15


def test_the_pair_beats_the_phase_and_right_angles_beat_chance():
    for scale in (0.25, 0.5):
        phase, pair, orthogonal = (
            np.array(lab(kind=kind, scale=scale)["measured"][3:])
            for kind in ("phase", "pair", "pair orthogonal")
        )
        assert pair.mean() < phase.mean() and (orthogonal < pair).mean() > 0.8


def test_L12_positive_features_are_never_below_0_and_cosines_often():
    for kind in KINDS:
        counts = [lab(kind=kind, tenths=12, scale=2.0, seed=seed)["negative"] for seed in (1, 2, 3)]
        assert (sum(counts) == 0) is kind.startswith("positive")


def test_far_out_a_few_draws_of_positive_features_decide_and_the_error_is_slow_to_fall():
    assert lab(kind="positive", scale=1.0)["slope"] > -0.3
    assert lab(kind="positive", scale=0.25)["slope"] < -0.4


def test_a_pair_is_exact_on_the_diagonal_and_takes_half_the_frequencies():
    shown = lab(kind="pair", tenths=20)
    np.testing.assert_allclose(np.diag(shown["estimate"]), 1)
    assert (shown["R"], shown["frequencies"]) == (100, 50)
    assert [lab(kind="pair", tenths=k)["R"] for k in (0, 5, 14)] == [2, 2, 24]


def test_phase_and_pair_of_one_seed_share_their_frequencies():
    assert np.array_equal(drawn("phase", 7)[0], drawn("pair", 7)[0])
    omega = drawn("pair orthogonal", 7)[0]
    products = (omega[0::2] * omega[1::2]).sum(axis=1)
    np.testing.assert_allclose(products, 0, atol=1e-12)
    np.testing.assert_allclose(
        *(np.linalg.norm(drawn(k, 7)[0], axis=1) for k in ("pair", "pair orthogonal"))
    )


def test_the_mean_of_all_seeds_is_the_kernel():
    view = LinearAttentionFeatures(kind="pair", tenths=20)
    estimates = []
    for seed in range(1, 31):
        view.seed = seed
        estimates.append(view.answer()["estimate"])
    off = upper(np.mean(estimates, axis=0)) - upper(view.answer()["kernel"])
    assert np.abs(off).max() < 0.1 and np.sqrt(np.mean(off**2)) < 0.025


def test_a_change_of_features_is_heard_as_one_sentence():
    view = LinearAttentionFeatures(kind="pair", tenths=20)
    answer = view.answer()
    assert js.call(view._esm, "spoken", answer, view.state()) == (
        f"100 features: error {answer['error']:.2f}, {answer['negative']} of 576 entries below 0; "
        f"the error falls with R to the power −{abs(answer['slope']):.2f}."
    )


def test_the_fallback_of_the_lab_is_its_curve():
    text = LinearAttentionFeatures().fallback()
    assert all(f">{R:,}<" in text for R in COUNTS) and "cosines with a phase" in text


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"tenths": 31}, "tenths lies between 0 and 30 here, not 31"),
        ({"scale": 0.0}, "scale lies between 0.25 and 2 here, not 0"),
        ({"row": 25}, "row lies between 1 and 24 here, not 25"),
        ({"seed": 0}, "seed lies between 1 and 99 here, not 0"),
        ({"kind": "cosine"}, "kind"),
    ],
)
def test_features_that_make_no_sense_are_refused(choices, says):
    with pytest.raises(TraitError, match=says):
        LinearAttentionFeatures(**choices)


# Costs


def costs(**choices):
    return LinearAttentionCrossover(**choices).answer()


@given(st.lists(st.floats(0.01, 10), min_size=3, max_size=3))
@settings(max_examples=40, deadline=None)
def test_what_a_call_takes_however_short_the_text_is_found_again(c):
    n = 2.0 ** np.arange(0, 15)
    cost = c[0] + c[1] * n / 100 + c[2] * n * n / 1e5
    assert overhead(n.astype(int).tolist(), cost.tolist(), 2) == pytest.approx(c[0], rel=1e-6)


def test_a_crossing_is_where_softmax_stays_dearer():
    ones = [1.0] * len(GRID)
    for ratios, n in [
        (ones, 0),
        ([-1.0, *ones[1:]], GRID[0] * 2 ** (1 / 32)),
        ([*ones[:100], -0.5, *ones[101:]], GRID[100] * 2 ** (1 / 48)),
        ([*ones[:-1], -1.0], None),
    ]:
        assert crossing(ratios) == (n if n is None else pytest.approx(n))
        theirs = js.call(LinearAttentionCrossover._esm, "crossing", ratios)
        assert theirs == (n if n is None else pytest.approx(n))


def test_the_lines_run_through_what_was_measured():
    view = LinearAttentionCrossover()
    for lines in view.lines.values():
        for line in lines:
            view.heads = line["heads"]
            for what in ("seconds", "megabytes"):
                costs = [view.cost(line, what, float(n)) for n in line["n"]]
                np.testing.assert_allclose(costs, line[what], rtol=1e-9, atol=line["overhead"])
                n, last = 4.0 * line["n"][-1], line[what][-1]
                power = line["grows"][what].count("n")
                assert view.cost(line, what, n) == pytest.approx(4**power * last, rel=0.01)


def test_L2_linear_attention_wins_before_300_words_and_softmax_never_comes_back():
    shown = costs(power=14.0)
    assert 0 <= shown["cross"] < 300 and shown["times"] > 20
    assert costs(power=16.0)["times"] > 2 * shown["times"]


def test_a_cache_is_faster_for_some_hundreds_of_words_and_then_the_state_is():
    shown = costs(mode="token", power=14.0)
    assert 200 < shown["cross"] < 2_000 and shown["times"] > 5 and shown["less"] > 100
    assert costs(mode="token", power=7.0)["times"] < 1


def test_only_what_was_measured_is_called_measured():
    assert costs()["measured"] == [False, True, True, True]  # the matrix had one head
    assert costs(heads=1)["measured"] == [True, False, False, False]
    assert costs(r=2)["measured"] == [False, True, False, True]
    assert costs(w=128)["measured"] == [False, True, True, False]
    assert costs(d=32)["measured"] == [False] * 4
    assert costs(power=20.0)["measured"] == [False] * 4


def test_more_heads_features_and_maps_cost_what_they_cost():
    few, many = costs(power=16.0, heads=4), costs(power=16.0, heads=8)
    assert many["costs"][2] == pytest.approx(2 * few["costs"][2], rel=0.05)
    assert costs(power=16.0, r=3)["costs"][2] == pytest.approx(3 * few["costs"][2], rel=0.05)
    assert costs(power=16.0, d=128)["costs"][1] == pytest.approx(2 * few["costs"][1], rel=0.05)
    assert costs(power=16.0, d=128)["costs"][2] == pytest.approx(4 * few["costs"][2], rel=0.05)
    one, two = (costs(mode="token", what="megabytes", d=d)["costs"] for d in (64, 128))
    assert two[0] == pytest.approx(2 * one[0]) and two[1] == pytest.approx(4 * one[1])


def test_the_sentences_say_where_it_pays():
    assert crossover.spoken(None) == "at no length" and crossover.spoken(0.0) == "at every length"
    assert crossover.spoken(1234.5) == "from about 1,200 tokens on"
    view = LinearAttentionCrossover()
    heard = js.call(view._esm, "spoken", view.answer(), view.state())
    assert heard.startswith("4,096 tokens: softmax, whole matrix ")
    assert heard.endswith(f"Linear is faster {view.answer()['from']}.")
    assert "4,096 tokens" in view.fallback() and "band" in view.fallback()


def test_what_a_page_is_sent_is_small():
    assert len(json.dumps(LinearAttentionCrossover().state())) < 8_000


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"power": 21.0}, "power lies between 6 and 20 here, not 21"),
        ({"heads": 0}, "heads lies between 1 and 32 here, not 0"),
        ({"r": 9}, "r lies between 1 and 8 here, not 9"),
        ({"w": 8}, "w lies between 16 and 512 here, not 8"),
        ({"d": 48}, "d"),
        ({"mode": "half"}, "mode"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(choices, says):
    with pytest.raises(TraitError, match=says):
        LinearAttentionCrossover(**choices)


# In a browser

PAGE = """<!doctype html><div id="view"></div><script type="module">
const blob = new Blob([%s], { type: "text/javascript" });
const { default: widget } = await import(URL.createObjectURL(blob));
const state = %s, heard = {};
const model = {
  get: (name) => state[name],
  set(name, value) { state[name] = value; (heard[`change:${name}`] ?? []).forEach((f) => f()); },
  on(name, f) { (heard[name] ??= []).push(f); },
  off() {}, save_changes() {},
};
widget.render({ model, el: document.getElementById("view") });
window.state = state;
</script>"""


@pytest.fixture(scope="module")
def chromium():
    if not found.executable():
        pytest.skip(f"THE WIDGETS ARE NOT TRIED IN A BROWSER: {found.MISSING}.")
    with found.browser() as started:
        yield started


def opened(chromium, view):
    page = chromium.new_page(viewport={"width": 900, "height": 1200})
    safe = (json.dumps(part).replace("<", "\\u003c") for part in (view._esm, view.state()))
    page.set_content(PAGE % tuple(safe))
    page.wait_for_selector("output")
    return page


def test_a_click_on_a_matrix_chooses_the_row_that_is_drawn(chromium):
    page = opened(chromium, LinearAttentionFeatures())
    page.add_style_tag(content="svg { width: 240px; display: block }")
    box = page.locator("svg.guess").bounding_box()
    page.mouse.click(box["x"] + 9, box["y"] + 10.5 * box["height"] / 24)
    assert page.evaluate("state.row") == 11
    page.close()


def test_a_hand_that_drags_the_band_to_the_corner_stops_at_the_widest(chromium):
    page = opened(chromium, LinearAttentionFmm())
    page.add_style_tag(content=".handle svg { width: 240px; height: 240px; display: block }")
    box = page.locator(".handle svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 3, box["y"] + 3)
    assert page.evaluate("state.k") == 12
    page.close()


def test_a_click_on_the_chart_chooses_a_length(chromium):
    page = opened(chromium, LinearAttentionCrossover())
    page.add_style_tag(content=".chart svg { width: 560px; height: 200px; display: block }")
    box = page.locator(".chart svg").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 20)
    assert page.evaluate("state.power") == 13
    page.close()
