"""What chapter 7 owes its facts, looked for where the reader will look: among the outputs."""

import re

import numpy as np
from pages import drawn, page, shows

CHAPTER = "07_linear_attention"
NUMBER = r"[\d,]+(?:\.\d+)?"


def row(name, columns, text=None):
    """The numbers of a table's row, found by how the row begins."""
    cells = r"\s+(-?[\d,.]+)%?" * columns
    found = re.search(re.escape(name) + cells, text or page(CHAPTER))
    assert found, name
    return [float(cell.replace(",", "")) for cell in found.groups()]


def test_L1_attention_is_a_smoother_and_its_matrix_grows_with_the_square():
    shows(CHAPTER, "as PyTorch's attention: True", "as chapter 4's: True")
    shows(CHAPTER, "numbers in Q, K and V: 98,304; in A: 262,144")
    *_, time, memory = row("softmax, whole matrix", 5)
    assert abs(time - 2) < 0.15 and abs(memory - 2) < 0.1


def test_L2_both_orders_agree_and_the_other_one_is_linear_in_time_and_memory():
    shows(CHAPTER, "both orders give the same: True")
    for name in ("linear", "linear, causal", "band, w = 64", "band, causal"):
        *_, time, memory = row(f" {name} 65,536", 4)
        assert time < 1.2 and memory < 1.2, name
    shows(CHAPTER, "at 4,096 linear is more than five times as fast: True")
    shows(CHAPTER, "{'fused': True, 'linear': False}")


def test_L3_the_rank_is_that_of_the_features_and_dividing_the_rows_keeps_it():
    for r in range(1, 9):
        shows(CHAPTER, f" {r} {r} {r} {16 * r} {16 * r}")
    shows(CHAPTER, "softmax, of 16 numbers: 256")


def test_L3_a_causal_mask_lifts_the_bound_but_exactly_one_back_takes_all_features():
    shows(CHAPTER, "16 features, cut by a causal mask: 256")
    for c, share in ((2, "0.75"), (3, "0.89"), (10, "0.99")):
        assert share == f"{1 - c**-2.0:.2f}"
        shows(CHAPTER, f"c = {c}: the last of 60 words gives {share} to the one before")
    n, chance = 30, np.random.default_rng(0)
    back = np.triu(chance.normal(size=(n, n)), 1) + np.diag(np.ones(n - 1), -1)  # later: free
    assert np.array_equal(np.tril(back), np.eye(n, k=-1))  # all that a mask leaves is fixed
    assert np.linalg.matrix_rank(back[1:, :-1]) == n - 1


def test_L4_causal_linear_attention_is_a_recurrent_network_gradients_too():
    for way in ("causal_steps", "causal_sums", "causal_chunks"):
        shows(CHAPTER, f"{way} as the masked matrix: True, its gradients: True")
    shows(CHAPTER, "linear attention, run by gates.lstm: True")
    shows(CHAPTER, "S is chapter 1's table of counts: True")


def test_L5_a_band_is_the_dense_masked_softmax():
    shows(CHAPTER, "both sides as the dense masked one: True of whose scores 3.3% lie in the band")
    shows(CHAPTER, "causal as the dense masked one: True of whose scores 1.7% lie in the band")


def test_L6_the_blend_misses_less_than_either_part_on_held_out_text():
    shows(CHAPTER, "near alone: True", "far alone: True")
    rows = re.findall(r" ([1-6]) (\d+)% (\d+)% (\d+)% (\d+)\b", page(CHAPTER))
    blocks = {int(block): tuple(map(int, rest)) for block, *rest in rows}
    assert set(blocks) == set(range(1, 7))
    assert sum(both <= min(near, far) for near, far, both, _ in blocks.values()) >= 4
    gaps = re.findall(r"block (\d): features less both ([+-]\d+) ± (\d+) points", page(CHAPTER))
    sure = {int(b): int(gap) / int(error) for b, gap, error in gaps}
    assert sure[2] > 3 and 1.5 < sure[3] < 3 and sure[6] < -3
    assert all(abs(sure[b]) < 1.5 for b in (1, 4, 5))
    shows(CHAPTER, "better with features alone: 12 of 12", "both 38%, one of the two by choice 39%")


def test_L7_the_far_field_of_heads_is_small_rather_than_simple():
    found = re.search(
        r"the median head stores ([\d.]+) in order, ([\d.]+) shuffled the median "
        r"ratio is ([\d.]+); (\d+) heads are above 2, (\d+) below 1\.2; gravity is at (\d+)",
        page(CHAPTER),
    )
    order, shuffled, ratio, above, below, gravity = map(float, found.groups())
    assert shuffled > 3 * order and 1.9 < ratio < 2.2 and above == 36 and below < 20
    assert round(gravity) == 24
    own = re.search(
        r"those 23 store ([\d.]+), ([\d.]+) at least, and gravity ([\d.]+)", page(CHAPTER)
    )
    median, least, forces = map(float, own.groups())
    assert abs(median - 5 / 6) < 0.02 and least > 0.7 and abs(forces - 0.25) < 0.03


def test_L7_a_far_block_takes_a_rank_a_digit_however_many_particles():
    needed = re.findall(r"rank needed, (\d+) × \d+ ([\d ]+)", page(CHAPTER))
    (few, a), (many, b) = needed
    assert (few, many) == ("48", "480") and a.split()[:8] == b.split()[:8]
    ranks, terms = row("rank needed, 48 × 48", 8), row("terms of the series", 8)
    assert all(p <= q for p, q in zip(ranks, terms, strict=True)) and ranks[-1] <= 6
    shows(CHAPTER, "= 1.747565", "all ions within 17: 8.1")
    own, whole, shuffled = row("1/r between particles", 3)
    assert own < 0.3 and whole < 0.2 and shuffled > 0.8
    assert min(row("softmax of noise", 3)) > 0.9


def test_L8_the_gaussian_kernel_is_a_mean_of_cosines_and_softmax_a_gaussian_smoother():
    shows(CHAPTER, "softmax attention as Gaussian smoothing: True")
    pairs = re.findall(r"Gaussian Δ = \S+ mean cosine (\S+), kernel (\S+)", page(CHAPTER))
    assert len(pairs) == 3 and all(a == b for a, b in pairs)


def test_L9_both_forms_and_their_slope():
    for form in ("a phase", "a pair", "a pair, orthogonal"):
        *errors, slope = row(f" {form}", 4)
        assert abs(slope + 0.5) < 0.04 and errors == sorted(errors, reverse=True)
    measured = re.findall(r"(phase|pair) measured ((?:\d\.\d\d ?){5})", page(CHAPTER))
    formulas = re.findall(r"(phase|pair) by the formula ((?:\d\.\d\d ?){5})", page(CHAPTER))
    for (form, ours), (same, theirs) in zip(measured, formulas, strict=True):
        pairs = zip(map(float, ours.split()), map(float, theirs.split()), strict=True)
        assert form == same and all(abs(a - b) < 0.07 for a, b in pairs)


def test_L9_right_angles_beat_chance_at_every_number_of_features():
    found = re.search(r"less at 8 of 8 R, by (\d+)% to (\d+)%", page(CHAPTER))
    assert 0 < int(found[1]) < int(found[2])


def test_L10_the_slides_figure_at_four_numbers_of_features():
    errors = [row(f"R = {R}", 2, drawn(CHAPTER))[0] for R in ("1", "10", "100", "1,000")]
    assert errors == sorted(errors, reverse=True) and errors[0] > 0.5 and errors[-1] < 0.1


def test_L11_a_phase_is_nought_in_the_mean_and_laplace_belongs_to_cauchy():
    pairs = re.findall(r"Laplace Δ = \S+ mean cosine (\S+), kernel (\S+)", page(CHAPTER))
    assert len(pairs) == 3 and all(a == b for a, b in pairs)
    shows(CHAPTER, "eight phases, the largest mean is 0: True")


def test_L12_cosines_break_a_softmax_and_positive_features_do_not():
    found = re.findall(r"× (\S+) (trigonometric|positive) (\d+)% (\d+)% (\d+\.\d)", page(CHAPTER))
    shares = {(size, form): (int(a), int(b), float(c)) for size, form, a, b, c in found}
    assert shares["1", "trigonometric"][2] > 2 and abs(shares["1", "positive"][2] - 1) < 0.15
    assert shares["1", "trigonometric"][0] > 20 and shares["2", "trigonometric"][1] > 30
    assert all(shares[size, "positive"][:2] == (0, 0) for size in ("0.5", "1", "2"))
    assert shares["2", "positive"][2] > 0.9  # positive is not yet right


def test_what_is_published_is_divided_on_the_page():
    shows(CHAPTER, " 4,462 ", " 56 ")


def test_one_more_token_is_faster_from_a_state_only_after_some_hundreds():
    start = re.search(
        r"one more token from about ([\d,]+) tokens on measured ([\d.]+)", page(CHAPTER)
    )
    assert 300 < int(start[1].replace(",", "")) < 1_500 and float(start[2]) > 45


def test_only_softmax_repeats_and_a_band_cannot():
    shows(CHAPTER, "softmax right: nearly all", "band right: no more than chance")
    shows(CHAPTER, "linear right: a part", "fmm right: a part")
    shows(CHAPTER, "two maps, twice the room: more right? False")


def test_on_the_novels_the_band_leads_in_every_seed_and_the_blend_does_not():
    gaps = {
        name: [float(gap) for gap in line.split()]
        for name, line in re.findall(
            r"loss: (\w+) less softmax, by seed: ((?:[+-]\d\.\d\d ?){3})", page(CHAPTER)
        )
    }
    assert all(abs(gap + 0.08) < 0.006 for gap in gaps["band"])
    assert max(gaps["FMMformer"]) > 0 > min(gaps["FMMformer"]) and min(gaps["linear"]) > 0.1
    shows(CHAPTER, "copy: the blend takes 1.51 times", "text: the blend takes 1.37 times")
