"""The two widgets that run the mini GPT in the page, and the JavaScript that runs it."""

import base64
import json
import re

import browser as found
import js
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.store.weights import quantize
from firth.transformer import austen_gpt
from firth.transformer.gpt import GPT, Shape
from firth.transformer.sampling import probabilities
from firth.transformer.text_generation import continued
from firth.widgets.scripts import HERE, esm
from firth.widgets.transformer.austen_gpt import MOST, TransformerAusten, network
from firth.widgets.transformer.block import KEYS, MEET, STAGES, TransformerBlock

few = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


# The network in JavaScript, of any size

PROBE = (
    esm(HERE / "transformer/gpt.js")
    + """
export function scores(weights, shape, ids) {
  return readings(ids, gpt(weights), shape).map(({ scores }) => [...scores]);
}
export function later(weights, shape, first, then) {
  readings(first, gpt(weights), shape);
  return readings(then, gpt(weights), shape).map(({ scores }) => [...scores]);
}
export function ids(weights, shape, start, choice, n) {
  for (const now of writing(start, choice, gpt(weights), shape))
    if (now && now.ids.length === start.length + n) return now.ids.slice(start.length);
}
export const odds = (scores, tau, k) => [...probabilities(Float64Array.from(scores), tau, k)];
export const breaths = (weights, shape, start, choice, n) => {
  const run = writing(start, choice, gpt(weights), shape);
  return Array.from({ length: n }, () => run.next().value?.seen ?? 0);
};
"""
)


def small(seed, **changed):
    """A network with other weights and another shape than those that the course ships."""
    sizes = dict(n=11, d=12, blocks=2, heads=3, inner=18, context=6) | changed
    torch.manual_seed(seed)
    net = GPT(Shape(**sizes)).double()
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.7)
    weights = {name: quantize(w.numpy()) for name, w in net.state_dict().items()}
    shape = {"context": net.shape.context, "heads": net.shape.heads, "eps": net.shape.eps}
    return network(sizes, weights), weights, shape | sizes


@pytest.mark.parametrize(
    "changed",
    [{}, {"blocks": 1}, {"heads": 1}, {"inner": 7}, {"d": 10, "heads": 2}, {"context": 1}],
    ids=str,
)
def test_javascript_scores_what_the_decoder_scores(changed):
    net, weights, shape = small(1, **changed)
    x = torch.randint(net.shape.n, (1, net.shape.context))
    with torch.no_grad():
        ours = net(x)[0].numpy()
    theirs = js.call(PROBE, "scores", weights, shape, x[0].tolist())
    np.testing.assert_allclose(theirs, ours, rtol=1e-10, atol=1e-10)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=6), st.data())
@few
def test_what_is_kept_of_the_last_text_changes_nothing_of_this_one(ids, data):
    cut = data.draw(st.integers(0, len(ids)))
    other = ids[:cut] + data.draw(st.lists(st.integers(0, 10), max_size=6 - cut))
    _, weights, shape = small(2)
    fresh = js.call(PROBE, "scores", weights, shape, ids)
    assert js.call(PROBE, "later", weights, shape, other, ids) == fresh


@given(
    st.lists(st.integers(0, 10), min_size=1, max_size=6),
    st.integers(0, 15),
    st.integers(1, 11),
    st.integers(0, 10**6),
)
@few
def test_javascript_writes_on_as_python_does_also_when_the_context_is_full(start, tau, k, seed):
    net, weights, shape = small(3)
    choice = {"tau": tau / 10, "k": k, "seed": seed}
    ours = list(continued(net, start, 20, tau / 10, k, seed=seed))
    assert js.call(PROBE, "ids", weights, shape, start, choice, 20) == ours


@given(
    st.lists(st.integers(-30, 30), min_size=1, max_size=9), st.integers(0, 20), st.integers(1, 9)
)
@few
def test_javascript_softens_and_cuts_as_python_does_also_where_scores_tie(scores, tau, k):
    ours = probabilities(np.array(scores, float), tau / 10, k)
    assert js.call(PROBE, "odds", scores, tau / 10, k) == pytest.approx(ours, abs=1e-12)


def test_the_page_can_breathe_at_every_letter_of_a_prompt_and_of_what_is_read_again():
    _, weights, shape = small(4)
    choice = {"tau": 1, "k": 11, "seed": 1}
    seen = js.call(PROBE, "breaths", weights, shape, [1, 2, 3, 4], choice, 10)
    assert seen == [0, 0, 0, 4, 5, 6, 0, 0, 3, 4]


# The text


def test_the_text_is_what_the_module_writes_and_the_next_letter_follows_all_of_it():
    view = TransformerAusten("It was ", tau=0.7, seed=3, length=60)
    shown = view.answer()
    assert shown["text"] == austen_gpt.written("It was ", 60, 0.7, 3)
    with torch.no_grad():
        scores = austen_gpt.net(torch.float64)(austen_gpt.ids("It was " + shown["text"])[None])[
            0, -1
        ]
    p = probabilities(scores.numpy(), 0.7)
    assert shown["shares"][0] == pytest.approx(100 * p.max())
    assert sum(shown["shares"]) + shown["rest"] == pytest.approx(100)


def test_the_surprise_is_that_of_the_cross_entropy():
    view = TransformerAusten("She ", tau=1.2, length=100)
    x = austen_gpt.ids("She " + view.answer()["text"])
    with torch.no_grad():
        scores = network(view.shape, view.weights)(x[None, :-1])[0, 3:]
    J = torch.nn.functional.cross_entropy(scores, x[4:])
    assert view.answer()["surprise"] == pytest.approx(J.item())


@pytest.mark.parametrize(
    ("letters", "seen"), [(1, 1), (128, 128), (129, 64), (193, 128), (194, 64), (300, 105)]
)
def test_it_sees_at_most_a_context_and_after_forgetting_half_of_one(letters, seen):
    assert TransformerAusten().seen(letters) == seen


def test_what_is_forgotten_changes_nothing():
    view = TransformerAusten("She was ", length=190)
    shown = view.answer()
    whole = "She was " + shown["text"]
    assert 0 < shown["forgotten"] == len(whole) - shown["seen"]
    with torch.no_grad():
        seen = austen_gpt.net(torch.float64)(austen_gpt.ids(whole[shown["forgotten"] :])[None])[
            0, -1
        ]
    p = probabilities(seen.numpy(), view.tau)
    assert shown["shares"][0] == pytest.approx(100 * p.max())


def test_to_write_on_keeps_what_is_written_and_another_seed_does_not():
    first, more, other = (
        TransformerAusten(seed=seed, length=n).answer()["text"]
        for seed, n in [(5, 40), (5, 70), (6, 40)]
    )
    assert more.startswith(first) and other != first


def test_an_empty_prompt_opens_a_paragraph():
    shown = TransformerAusten("", length=30).answer()
    assert shown["text"] == austen_gpt.written("\n", 30, 0.8) and shown["seen"] == 31


def test_a_cold_network_surprises_itself_less_than_a_hot_one():
    cold, even, hot = (TransformerAusten(tau=tau).answer()["surprise"] for tau in (0.2, 0.8, 1.5))
    assert cold < even < hot


@pytest.mark.parametrize("text", ["é", "Emma%", "北", "a\tb", "[", "She was ÿ"])
@pytest.mark.parametrize("widget", [TransformerAusten, TransformerBlock])
def test_the_page_refuses_a_text_in_the_words_of_python(widget, text):
    with pytest.raises(TraitError) as refused:
        widget(text)
    said = pure(widget, "refusal", text, widget().alphabet)
    # Python writes what cannot be seen as an escape.
    assert said.replace("\t", "\\t") == str(refused.value)


@pytest.mark.parametrize(
    ("widget", "text"),
    [(TransformerAusten, "a" * 61), (TransformerBlock, "a" * 21), (TransformerBlock, "")],
)
def test_a_text_too_long_or_of_nothing_is_refused_in_the_same_words(widget, text):
    with pytest.raises(TraitError) as refused:
        widget(text)
    assert pure(widget, "refusal", text, widget().alphabet) == str(refused.value)


def test_what_the_page_lets_in_python_lets_in():
    for widget, longest in [(TransformerAusten, 60), (TransformerBlock, 20)]:
        assert not pure(
            widget, "refusal", austen_gpt.ALPHABET[1 : longest + 1], list(austen_gpt.ALPHABET)
        )
        widget(austen_gpt.ALPHABET[1 : longest + 1])


PAGE = """<body><div id="view"></div><script type="module">
import { default as view } from "data:text/javascript;base64,%s";
const [state, listeners] = [%s, {}];
const on = (event, f) => (listeners[event] ??= []).push(f);
const tell = (name) => listeners[`change:${name}`].forEach((f) => f());
const set = (name, value) => ((state[name] = value), tell(name));
const model = { get: (name) => state[name], set, on, off() {}, save_changes() {} };
const el = document.getElementById("view");
window.lengths = [];
new MutationObserver(() => lengths.push(el.querySelector(".page .text").textContent.length))
  .observe(el, { childList: true, subtree: true, characterData: true });
view.render({ model, el });
</script></body>"""


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_text_grows_where_motion_is_welcome_and_is_whole_at_once_where_it_is_not(motion):
    if not found.executable():
        pytest.skip(f"NO TEXT IS WATCHED IN A BROWSER: {found.MISSING}.")
    view = TransformerAusten("She was ", tau=0.9, seed=4)
    source = base64.b64encode(view._esm.encode()).decode()
    with found.browser() as chromium:
        page = chromium.new_context(reduced_motion=motion).new_page()
        page.set_content(PAGE % (source, json.dumps(view.state())))
        page.wait_for_function("lengths.at(-1) === 208", timeout=60_000)
        lengths = page.evaluate("lengths")
        assert (len({*lengths}) > 20) is (motion == "no-preference")
        assert lengths == sorted(lengths)
        page.get_by_text("Continue").click()
        page.wait_for_function("lengths.at(-1) === 408", timeout=60_000)
        view.length = 400
        assert page.locator(".page .text").text_content() == "She was " + view.answer()["text"]
        sliced = page.locator(".lost").text_content()
        assert len(sliced) == view.answer()["forgotten"]


# The walk


def walk(**choices):
    return TransformerBlock(**choices)


def rows(**choices):
    return np.array(walk(**choices).answer()["values"], float)


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("stage", KEYS)
def test_a_row_depends_on_the_letters_that_the_view_says(stage, block):
    text, i = "Emma wa", 4
    chosen = dict(stage=stage, block=block, letter=i)
    before = rows(text=text, **chosen)[i - 1]
    changed = {
        j + 1
        for j in range(len(text))
        if not np.array_equal(
            rows(text=text[:j] + "z" + text[j + 1 :], **chosen)[i - 1], before, equal_nan=True
        )
    }
    said = walk(text=text, **chosen).answer()["hears"]
    assert said.startswith(
        {
            frozenset({4}): "on this letter alone",
            frozenset({1, 2, 3, 4}): "on this letter and the 3 before it",
            frozenset(range(1, 8)): "on all 7 letters",
        }[frozenset(changed)]
    )


@pytest.mark.parametrize("stage", KEYS)
def test_letters_meet_where_a_stage_alone_makes_a_row_depend_on_others(stage):
    met = walk(stage=stage).answer()["meeting"] == "Letters meet here."
    assert met is (stage in MEET)
    assert MEET == KEYS[KEYS.index("V") + 1 : KEYS.index("project")]


@pytest.mark.parametrize("block", [1, 4])
def test_the_stages_are_those_of_the_decoder(block):
    gpt, chosen = austen_gpt.net(torch.float64), dict(text="She said no", block=block)
    x, caught = austen_gpt.ids("She said no"), {}
    part = gpt.blocks[block - 1]
    for name in ("norm_1", "Q", "K", "V", "O", "norm_2", "up", "down"):
        part.get_submodule(name).register_forward_hook(
            lambda _, given, out, name=name: caught.update({name: out[0], f"{name}<": given[0][0]})
        )
    scores = gpt(x[None])[0]
    austen_gpt.net.cache_clear()  # it would keep the hooks
    heads = {"Q": "Q", "K": "K", "V": "V", "O<": "mix"}
    same = {"norm_1<": None, "norm_1": "norm_1", "O": "project", "norm_2<": "add_1"}
    same |= {"norm_2": "norm_2", "up": "up", "down<": "gelu", "down": "down"}
    for name, stage in same.items():
        if stage:
            np.testing.assert_allclose(rows(stage=stage, **chosen), caught[name], atol=1e-10)
    for name, stage in heads.items():
        joined = [rows(stage=stage, head=h, **chosen) for h in range(1, 5)]
        np.testing.assert_allclose(np.hstack(joined), caught[name], atol=1e-10)
    np.testing.assert_allclose(rows(stage="guess", **chosen), scores, atol=1e-10)
    looks = austen_gpt.looks("She said no")[block - 1]
    seen = [rows(stage="softmax", head=h, **chosen) for h in range(1, 5)]
    np.testing.assert_allclose(seen, looks, atol=1e-10)


def test_a_stage_adds_what_the_stage_before_it_made():
    at = {key: rows(stage=key, block=2) for key in KEYS}
    entered = rows(stage="add_2", block=1)
    np.testing.assert_allclose(at["add_1"], entered + at["project"])
    np.testing.assert_allclose(at["add_2"], at["add_1"] + at["down"])
    np.testing.assert_allclose(at["softmax"].sum(axis=1), 1)
    np.testing.assert_allclose(at["chances"].sum(axis=1), 1)
    struck = np.isnan(at["mask"])
    assert (struck == np.triu(np.ones_like(struck), 1)).all() and not at["softmax"][struck].any()


@given(st.text(austen_gpt.ALPHABET[1:], min_size=1, max_size=20), st.sampled_from(KEYS))
@few
def test_the_shape_that_is_said_is_that_of_the_numbers(text, stage):
    view = walk(text=text, stage=stage)
    shown = view.answer()
    n, width = map(int, re.findall(r"\d+", shown["size"]))
    assert (n, width) == np.shape(shown["values"]) and n == len(text)
    assert shown["count"] == n * width and shown["widths"][KEYS.index(stage)] == width


def test_next_leads_from_the_letters_through_every_block_to_the_chances_and_back():
    state = walk(text="a", stage="letters", block=3).state()
    there = [("letters", 3)]
    while step := pure(TransformerBlock, "following", state, 1):
        back = pure(TransformerBlock, "following", state | step, -1)
        assert back["stage"] == state["stage"]
        state |= step
        there.append((state["stage"], state["block"]))
    inside = KEYS[KEYS.index("norm_1") : KEYS.index("norm")]
    assert there[3:-3] == [(key, b) for b in range(1, 5) for key in inside]
    assert len(there) == 6 + 4 * len(inside) and there[-1] == ("chances", 4)
    assert pure(TransformerBlock, "following", state | {"stage": "letters"}, -1) is None


def test_the_stages_have_names_of_their_own_and_a_sentence_each():
    assert len({key for key, *_ in STAGES}) == len(STAGES)
    assert all(says.endswith(".") and len(says) < 70 for *_, says in STAGES)


# Both


def test_the_weights_that_a_page_carries_are_under_a_megabyte():
    assert len(json.dumps(TransformerBlock().state())) < 1_000_000
    assert TransformerAusten().weights == TransformerBlock().weights


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: TransformerAusten(tau=1.6), "between 0 and 1.5"),
        (lambda: TransformerAusten(tau=-0.1), "between 0 and 1.5"),
        (lambda: TransformerAusten(tau=float("nan")), "between 0 and 1.5"),
        (lambda: TransformerAusten(k=0), "'k'"),
        (lambda: TransformerAusten(k=76), "'k'"),
        (lambda: TransformerAusten(length=MOST + 1), "'length'"),
        (lambda: TransformerAusten(seed=-1), "'seed'"),
        (lambda: TransformerBlock(block=5), "'block'"),
        (lambda: TransformerBlock(head=0), "'head'"),
        (lambda: TransformerBlock(letter=21), "'letter'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError) as refused:
        make()
    message = str(refused.value)
    assert re.search(says, message), message
    assert "\n" not in message and len(message) < 200


def test_a_change_is_heard_as_a_sentence():
    view = TransformerAusten("Emma ", tau=0.5, length=20)
    shown = view.answer()
    heard = pure(view, "spoken", shown, view.state())
    assert heard.startswith(f"At τ 0.5: Emma {shown['text']} … It surprises itself by ")
    assert f"{shown['letters'][0]} is likeliest" in heard
    view = walk(text="Emma", stage="mask", letter=2, head=3)
    heard = pure(view, "spoken", view.answer(), view.state())
    assert heard.startswith("Mask, block 1, head 3: 4 letters × 4 letters. Letters meet here.")
    assert "The row of 2 m depends on this letter and the one before it; its largest" in heard
