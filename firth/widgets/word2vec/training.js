import { block, button, change, element, live, number, output, range, table } from "../controls.js";
import { calm, written } from "../controls.js";
import { curve, plane, sentences } from "./plane.js";
import { cosine, dot, sigmoid } from "../tensor.js";
import { taught, trained } from "./skipgram.js";

const fixed = ["texts", "words", "compared", "m", "passes", "total"];
export const traits = [...fixed, "seed", "k", "first", "step"];

const MOST = 5; // noise words a pair

/** One step of the training in full, and what has come of all up to it. */
export function answer(state) {
  const { words, compared, step } = state;
  const { ids, pairs, V, U, size, losses, questions, rate } = trained(state);
  const rows = (all, t) => words.map((_, i) => [...all.subarray(t * size + 2 * i).subarray(0, 2)]);
  const [v, u] = [rows(V, step), rows(U, step)];
  const [centre, other] = pairs[(step - 1) % pairs.length];
  const [w, asked, a] = [ids[centre], questions[step - 1], rate(step - 1)];
  const now = taught(U, V, (step - 1) * size, w, asked, a);
  const passes = Math.floor(step / pairs.length);
  const mean = (_, n) => {
    const some = losses.subarray(n * pairs.length, (n + 1) * pairs.length);
    return some.reduce((sum, loss) => sum + loss, 0) / pairs.length;
  };
  const filled = (values) => [...values, ...Array(1 + MOST - values.length).fill(null)];
  const places = compared.map((pair) => pair.map((word) => words.indexOf(word)));
  const around = (a) => pairs.filter(([t]) => ids[t] === a).map(([, j]) => ids[j]);
  return {
    ...now,
    ...{ V: v, U: u, a, centre, other },
    trails: Array.from({ length: passes + 1 }, (_, n) => rows(V, n * pairs.length)),
    losses: Array.from({ length: passes }, mean),
    turn: 1 + Math.floor((step - 1) / pairs.length),
    word: words[w],
    asked: filled(asked.map((j) => words[j])),
    before: filled(now.before),
    after: filled(asked.map((j) => sigmoid(dot(u[j], v[w])))),
    cosines: places.map(([a, b]) => [rows(V, 0), v].map((some) => cosine(some[a], some[b]))),
    company: places.map(([a, b]) => {
      const [ofA, ofB] = [around(a), around(b)];
      return [ofA.filter((c) => c === b).length, new Set(ofA.filter((c) => ofB.includes(c))).size];
    }),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ word, asked, before, after, loss, cosines }, { compared, step, total }) {
  const percent = (p) => `${written(100 * p)} %`;
  const likely = `${percent(before[0])} likely before and ${percent(after[0])} after`;
  const met = `${word} meets ${asked[0]}, ${likely}`;
  const alike = compared.map((pair, n) => `${pair.join("–")} ${written(cosines[n][1], 2)}`);
  return `Step ${step} of ${total}: ${met}; loss ${written(loss, 2)}; ${alike.join("; ")}.`;
}

function render({ model, el }) {
  const [texts, words, compared, , passes, total] = fixed.map((name) => model.get(name));
  const move = (step) => change(model, { step: Math.min(total, Math.max(1, step)) });
  let playing = null;
  const stop = () => {
    clearInterval(playing);
    playing = null;
    play.textContent = "Play";
    el.classList.remove("playing");
  };
  const toggle = () => {
    if (playing) return stop();
    if (model.get("step") === total) move(1);
    play.textContent = "Pause";
    el.classList.toggle("playing", !calm()); // what passes too fast to be read is not shown
    const [by, pause] = calm() ? [total / 16, 800] : [total / 300, 33]; // some ten seconds
    playing = setInterval(() => {
      move(model.get("step") + Math.ceil(by));
      if (model.get("step") === total) stop();
    }, pause);
  };
  const play = button("Play", toggle, { class: "first" });
  const halt = (act) => () => (stop(), act());

  const picture = plane(words, 1 + MOST);
  const fall = curve(passes);
  const text = sentences(texts, words);
  const lines = Array.from({ length: 1 + MOST }, (_, i) => [
    [output(`asked.${i}`)],
    i ? "noise" : "seen",
    output(`before.${i}`, 3),
    output(`after.${i}`, 3),
  ]);
  const asks = ["How likely is each beside ", output("word"), "?"];
  const step = table("step", asks, ["word", "it was", "before", "after"], lines);
  const pairs = compared.map((pair, n) => [
    pair.join(" · "),
    output(`company.${n}.0`),
    output(`company.${n}.1`),
    output(`cosines.${n}.0`, 2),
    output(`cosines.${n}.1`, 2),
  ]);
  const heads = ["pair", "side by side", "shared company", "cosine at first", "now"];
  const caption = "How alike are two words? The cosine of their v, before the first step and now";
  const alike = table("alike", caption, heads, pairs);

  function draw(result, state) {
    picture.draw(result);
    fall.draw(result, state);
    text.mark(result.centre, result.other);
    step.rows.forEach((row, i) => (row.hidden = i > state.k));
  }
  const mark = (kind, ...text) => element("span", { class: kind }, ...text);
  const key = [
    ...[mark("word", "●"), " v, the word as centre. ", mark("company", "◆"), " u, as company. "],
    "Lines show where this step moves them, five times as long as it does.",
  ];
  const loss = ["Pass ", output("turn"), ` of ${passes}; loss of this step `, output("loss", 2)];
  const below = ". The curve is the mean of each pass, the dashed line pure guessing.";
  const buttons = [
    button("One step", halt(() => move(model.get("step") + 1))),
    button("To the end", halt(() => move(total))),
    button("Start over", halt(() => move(1))),
  ];
  const settings = [
    range(model, "k", "Noise words k", { min: 1, max: MOST }),
    range(model, "first", "First rate", { min: 0.05, max: 0.5, step: 0.05 }, "first", 2),
    number(model, "seed", "Seed", { min: 1, max: 99, step: 1 }),
  ];
  const how = (...words) => element("p", { class: "how" }, ...words);
  const parts = [
    block("bar", play, ...buttons),
    range(model, "step", `Step of ${total}`, { min: 1, max: total, onpointerdown: stop }),
    block(
      "columns",
      block("picture", picture.node, how(...key), ...settings),
      block("moment", text.node, step.node, fall.node, how(...loss, below)),
    ),
    alike.node,
  ];
  const name = "word2vec-training";
  const cleanUp = live({ model, el }, { name, parts, traits, answer, draw, spoken });
  return () => (stop(), cleanUp());
}

export default { render };
