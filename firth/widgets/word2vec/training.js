import { block, button, change, element, live, number, output, range, table } from "../controls.js";
import { calm, written } from "../controls.js";
import { chart, plane, sentences } from "./plane.js";
import { cosine, dot, sigmoid } from "../tensor.js";
import { trained } from "./skipgram.js";

const fixed = ["texts", "words", "compared", "d", "m", "passes", "total"];
export const traits = [...fixed, "seed", "k", "rate", "step"];

const MOST = 5; // noise words for each pair

/** One step of the training, and the vectors when it has been taken. */
export function answer(state) {
  const { words, compared, step } = state;
  const { ids, pairs, vectors, losses, questions, rate, plane: directions } = trained(state);
  const inPlane = (x) => directions.map((direction) => dot(x, direction));
  const [was, now] = [vectors(step - 1), vectors(step)];
  const [centre, other] = pairs[(step - 1) % pairs.length];
  const [w, asked] = [ids[centre], questions[step - 1]];
  const passed = Math.floor(step / pairs.length);
  const ends = Array.from({ length: passed + 1 }, (_, n) => vectors(n * pairs.length).V);
  const mean = (_, n) => {
    const some = losses.subarray(n * pairs.length, (n + 1) * pairs.length);
    return some.reduce((sum, loss) => sum + loss, 0) / pairs.length;
  };
  const probable = ({ V, U }) => filled(asked.map((j) => sigmoid(dot(U[j], V[w]))));
  const filled = (values) => [...values, ...Array(1 + MOST - values.length).fill(null)];
  const places = compared.map((pair) => pair.map((word) => words.indexOf(word)));
  const around = (a) => pairs.filter(([t]) => ids[t] === a).map(([, j]) => ids[j]);
  const alike = (all) => places.map(([a, b]) => all.map((V) => cosine(V[a], V[b])));
  return {
    V: now.V.map(inPlane),
    U: now.U.map(inPlane),
    moves: [[was.V[w], now.V[w]], ...asked.map((j) => [was.U[j], now.U[j]])].map((ends) => ends.map(inPlane)),
    trails: ends.map((V) => V.map(inPlane)),
    losses: Array.from({ length: passed }, mean),
    likeness: alike(ends),
    cosines: alike([vectors(0).V, now.V]),
    loss: losses[step - 1],
    eta: rate(step - 1),
    turn: 1 + Math.floor((step - 1) / pairs.length),
    ...{ centre, other },
    word: words[w],
    asked: filled(asked.map((j) => words[j])),
    before: probable(was),
    after: probable(now),
    beside: places.map(([a, b]) => {
      const [ofA, ofB] = [around(a), around(b)];
      return [ofA.filter((c) => c === b).length, new Set(ofA.filter((c) => ofB.includes(c))).size];
    }),
  };
}

/** What a change comes to, for those who hear the page. */
export function spoken({ word, asked, before, after, loss, cosines }, { compared, step, total }) {
  const [seen, ...noise] = asked.filter(Boolean);
  const sigma = `${written(before[0], 2)} before and ${written(after[0], 2)} after the step`;
  const pair = `the pair ${word} and ${seen} has the probability ${sigma}`;
  const alike = compared.map((two, n) => `${two.join(" and ")} ${written(cosines[n][1], 2)}`);
  const said = `Step ${step} of ${total}: ${pair}; noise words: ${noise.join(", ")}; loss ${written(loss, 2)}.`;
  return alike.length ? `${said} Cosine of ${alike.join(", of ")}.` : said;
}

/** The buttons and the slider that go through the steps, and how to stop what plays. */
function player(model, el, total) {
  const pass = total / model.get("passes");
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
  const halt = (act) => () => (stop(), act());
  const play = button("Play", toggle, { class: "first" });
  const bar = block(
    "bar",
    play,
    button("One step", halt(() => move(model.get("step") + 1))),
    button("One pass", halt(() => move(model.get("step") + pass))),
    button("Start over", halt(() => move(1))),
  );
  const limits = { min: 1, max: total, onpointerdown: stop };
  return { bar, slider: range(model, "step", `Step of ${total.toLocaleString("en-GB")}`, limits), stop };
}

function render({ model, el }) {
  const [texts, words, compared, d, , passes, total] = fixed.map((name) => model.get(name));
  const { bar, slider, stop } = player(model, el, total);
  const mark = (kind, ...text) => element("span", { class: kind }, ...text);
  const how = (...words) => element("p", { class: "how" }, ...words);
  const picture = plane(words, 1 + MOST);
  const fall = chart("mean loss of each pass", passes, 1);
  const alike = chart("cosine after each pass", passes, compared.length);
  const text = sentences(texts, words);

  const lines = Array.from({ length: 1 + MOST }, (_, i) => [
    [output(`asked.${i}`), mark("kind", i ? " noise word" : " seen with it")],
    i ? "0" : "1",
    output(`before.${i}`, 2),
    output(`after.${i}`, 2),
  ]);
  const caption = ["Step ", output("step"), ": the centre word is ", mark("word", output("word"))];
  const heads = ["context word", "label", "σ before", "σ after"];
  const step = table("step", caption, heads, lines);

  const meet = (n) => (n ? `${n} shared neighbours` : "no shared neighbour");
  const first = answer(Object.fromEntries(traits.map((name) => [name, model.get(name)]))).beside;
  const legend = compared.map((pair, n) =>
    element(
      "p",
      { class: `line${n}` },
      element("b", {}, `${pair.join(" · ")} `),
      output(`cosines.${n}.1`, 2),
      mark("soft", ` ${first[n][0] ? "seen together" : "never seen together"}, ${meet(first[n][1])}`),
    ),
  );
  const key = [
    ...[mark("word", "●"), " word vector v   ", mark("company", "○"), " context vector u. "],
    `Each word has both, of ${d} numbers each. The map shows the two directions in which the `,
    "trained word vectors differ most. Arrows show what this step moves.",
  ];
  const settings = [
    range(model, "k", "Noise words k", { min: 1, max: MOST }),
    range(model, "rate", "Learning rate η", { min: 0.05, max: 0.5, step: 0.05 }, "rate", 2),
    number(model, "seed", "Seed", { min: 1, max: 99, step: 1 }),
  ];

  function draw(result, state) {
    picture.draw(result);
    const guessing = (1 + state.k) * Math.log(2);
    fall.draw([result.losses], { low: 0, high: 1.15 * guessing, dashed: guessing, ticks: [0, guessing], since: 1 });
    alike.draw(result.likeness, { low: -1, high: 1.1, dashed: 0, ticks: [0, 1], since: 0 });
    text.mark(result.centre, result.other);
    step.rows.forEach((row, i) => (row.hidden = i > state.k));
  }
  const charts = [
    element("p", {}, element("b", {}, "Loss "), output("loss", 2), mark("soft", " in this step; dashed: guessing")),
    fall.node,
    element("p", {}, element("b", {}, "Cosine of two word vectors")),
    alike.node,
    ...legend,
  ];
  const rates = ["Pass ", output("turn"), ` of ${passes}, learning rate `, output("eta", 2), "."];
  const parts = [
    bar,
    block("columns", block("picture", picture.node, how(...key)), block("charts", ...charts)),
    slider,
    block("columns", block("", how(...rates), text.node), block("moment", step.node, ...settings)),
  ];
  const name = "word2vec-training";
  const cleanUp = live({ model, el }, { name, parts, traits, answer, draw, spoken });
  return () => (stop(), cleanUp());
}

export default { render };
