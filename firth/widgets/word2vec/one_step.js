import { block, button, change, element, live, output, range, svg, table, written } from "../controls.js";
import { dot, sigmoid } from "../tensor.js";
import { arrowPath, namePlaces } from "./arrows.js";

export const traits = ["words", "start", "rate", "steps", "noise"];

const MOST = 12; // steps
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))); // −log σ(−x)
const less = (x, times, y) => x.map((value, i) => value - times * y[i]);

/** The errors e, and the gradients of the loss with respect to v and to the rows of U. */
function gradients(v, U, labels) {
  const errors = U.map((u, j) => sigmoid(dot(u, v)) - labels[j]);
  const dv = v.map((_, i) => U.reduce((sum, u, j) => sum + errors[j] * u[i], 0));
  return { errors, dv, dU: errors.map((e) => v.map((value) => e * value)) };
}

function stepped(v, U, labels, rate) {
  const { dv, dU } = gradients(v, U, labels);
  return [less(v, rate, dv), U.map((u, j) => less(u, rate, dU[j]))];
}

const lossOf = (v, U, labels) =>
  U.reduce((sum, u, j) => sum + softplus((labels[j] ? -1 : 1) * dot(u, v)), 0);

/** The vectors after some steps, and what the next step changes. */
export function answer({ start, rate, steps, noise }) {
  const labels = noise ? [1, 0, 0] : [1, 1, 1];
  let [v, U] = [start[0], start.slice(1)];
  for (let n = 0; n < steps; n++) [v, U] = stepped(v, U, labels, rate);
  const { errors, dv } = gradients(v, U, labels);
  const [nextV, nextU] = stepped(v, U, labels, rate);
  const scores = U.map((u) => dot(u, v));
  return {
    ...{ v, U, labels, scores, errors },
    sigma: scores.map(sigmoid),
    gradient: dv,
    parts: U.map((u, j) => u.map((value) => -rate * errors[j] * value)),
    next_v: nextV,
    next_U: nextU,
    next_scores: nextU.map((u) => dot(u, nextV)),
    loss: lossOf(v, U, labels),
    next_loss: lossOf(nextV, nextU, labels),
  };
}

/** What a change comes to, for those who hear the page. */
export function spoken({ scores, next_scores: next, loss, next_loss: nextLoss }, { words, steps }) {
  const each = words.slice(1).map((word, j) => `${word} from ${written(scores[j], 2)} to ${written(next[j], 2)}`);
  const falls = `the loss from ${written(loss, 2)} to ${written(nextLoss, 2)}`;
  return `After ${steps} steps. The next step changes the score of ${each.join(", ")}, and ${falls}.`;
}

const SIDE = 400;

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** The plane with four arrows, and dashed where the next step moves their tips. */
function picture(words) {
  const kinds = ["centre", "seen", "noise", "noise"];
  const grid = svg("path", { class: "grid" });
  const axes = svg("path", { class: "axis" });
  const unit = svg("text", { class: "unit" }, "1");
  const arrows = kinds.map((kind) => svg("path", { class: `arrow ${kind}` }));
  const moves = kinds.map((kind) => svg("path", { class: `next ${kind}` }));
  const parts = kinds.slice(1).map((kind) => svg("path", { class: `part ${kind}` }));
  const texts = words.map((word, i) => `${i ? "u" : "v"} ${word}`);
  const names = kinds.map((kind, i) => svg("text", { class: `name ${kind}` }, texts[i]));
  const box = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "plane", role: "img" };
  const node = svg("svg", box, grid, axes, unit, ...arrows.reverse(), ...parts, ...moves, ...names);
  arrows.reverse();

  function draw({ v, U, parts: pushes, next_v: nextV, next_U: nextU }) {
    const from = [v, ...U];
    const to = [nextV, ...nextU];
    const ends = [0, 1].map((c) => [...from, ...to, [-0.6, -1.4], [1.4, 0.8]].map((point) => point[c]));
    const [low, high] = [Math.min, Math.max].map((most) => ends.map((values) => most(...values)));
    const scale = (SIDE - 60) / Math.max(high[0] - low[0], high[1] - low[1]);
    const at = ([x, y]) => [
      SIDE / 2 + scale * (x - (low[0] + high[0]) / 2),
      SIDE / 2 - scale * (y - (low[1] + high[1]) / 2),
    ];
    const [x0, y0] = at([0, 0]);
    const lines = [-3, -2, -1, 1, 2, 3].map((n) => `M${x0 + n * scale} 0V${SIDE}M0 ${y0 + n * scale}H${SIDE}`);
    set(grid, { d: lines.join("") });
    set(axes, { d: `M0 ${y0}H${SIDE}M${x0} 0V${SIDE}` });
    set(unit, { x: x0 + scale + 4, y: y0 + 17 });
    const drawn = from.map((vector, i) => [at(vector), at(to[i])]);
    from.forEach((vector, i) => {
      set(arrows[i], { d: arrowPath([x0, y0], at(vector)) });
      set(moves[i], { d: arrowPath(at(vector), at(to[i])) });
    });
    let tip = v;
    pushes.forEach((push, j) => {
      const end = tip.map((value, c) => value + push[c]);
      set(parts[j], { d: arrowPath(at(tip), at(end), false) });
      drawn.push([at(tip), at(end)]);
      tip = end;
    });
    const room = { width: SIDE, height: SIDE, letter: 8.4 };
    namePlaces([x0, y0], from.map(at), texts, drawn, room).forEach((place, i) => set(names[i], place));
    const numbers = from.map((x, i) => `${texts[i]} (${x.map((value) => written(value, 2)).join(", ")})`);
    node.setAttribute("aria-label", `Four arrows in a plane: ${numbers.join("; ")}.`);
  }
  return { node, draw };
}

function render({ model, el }) {
  const words = model.get("words");
  const { node, draw: drawn } = picture(words);
  const go = button("Next step", () => change(model, { steps: Math.min(MOST, model.get("steps") + 1) }), { class: "first" });
  const back = button("Back to start", () => change(model, { steps: 0 }));
  const toggle = element("input", {
    type: "checkbox",
    onchange: ({ target }) => change(model, { noise: !target.checked, steps: 0 }),
  });
  const without = element("label", { class: "without" }, toggle, "without noise words: all three pairs count as seen");
  const lines = words.slice(1).map((word, j) => [
    element("b", { class: j ? "noise" : "seen" }, word),
    output(`labels.${j}`),
    output(`scores.${j}`, 2),
    output(`sigma.${j}`, 2),
    output(`errors.${j}`, 2),
    output(`next_scores.${j}`, 2),
  ]);
  const caption = ["After ", output("steps"), " steps: what the next step changes"];
  const heads = ["word", "label", "score u·v", "σ", "error e", "next score"];
  const numbers = table("scored", caption, heads, lines);
  const point = (name) => element("span", { class: "point" }, "(", output(`${name}.0`, 2), ", ", output(`${name}.1`, 2), ")");
  const line = (...text) => element("p", {}, ...text);
  const update = line("v ← v − η Σ e u = ", point("v"), " − ", output("rate", 1), " · ", point("gradient"), " = ", point("next_v"));
  const falls = line("Loss ", output("loss", 2), ", after the next step ", output("next_loss", 2), ".");
  const how = element(
    "p",
    { class: "how" },
    "Dashed: where the next step moves each arrow. Dotted: what each context word adds to the change of v.",
  );

  function draw(result, { noise, steps }) {
    drawn(result);
    toggle.checked = !noise;
    go.disabled = steps === MOST;
    el.classList.toggle("all-seen", !noise);
  }
  const parts = [
    block("bar", go, back, range(model, "rate", "Learning rate η", { min: 0.1, max: 2, step: 0.1 }, "rate", 1)),
    block("columns", node, block("", numbers.node, update, falls, how)),
    without,
  ];
  return live({ model, el }, { name: "word2vec-step", parts, traits, answer, draw, spoken });
}

export default { render };
