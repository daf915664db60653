import { block, button, change, element, live, output, range, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { dot, norm } from "../tensor.js";

export const traits = ["words", "W", "U", "sentence", "step"];

const UNIT = 128; // pixels for 1 on an axis
const point = (vector) => `(${vector.map((value) => written(value, 2)).join(", ")})`;
const difference = (a, b) => norm(a.map((value, i) => value - b[i]));

/** Of each word of a sentence: what the word adds, what the past adds, the new hidden state. */
function read(sentence, { words, W, U }) {
  let h = [0, 0];
  return sentence.map((word) => {
    const fromWord = W.map((row) => row[words.indexOf(word)]);
    const fromPast = U.map((row) => dot(row, h));
    h = fromWord.map((value, i) => Math.tanh(value + fromPast[i]));
    return { fromWord, fromPast, h };
  });
}

/** The hidden states of two sentences, their bags of words, and the sum of one step. */
export function answer(state) {
  const { words, sentence, step } = state;
  const [path, reference] = [sentence, words].map((order) => read(order, state));
  const [states, first] = [path, reference].map((steps) => steps.map(({ h }) => h));
  const bag = (order) => words.map((word) => order.filter((other) => other === word).length);
  const [counts, counted] = [bag(sentence), bag(words)];
  const { fromWord, fromPast, h } = path[step - 1];
  return {
    states,
    first,
    ends: [point(first.at(-1)), point(states.at(-1))],
    counts,
    counted,
    apart: difference(states.at(-1), first.at(-1)),
    bags_apart: difference(counts, counted),
    word: sentence[step - 1],
    from_word: point(fromWord),
    from_past: point(fromPast),
    now: point(h),
  };
}

/** What a change comes to, in plain sentences for those who hear the page. */
export function spoken({ ends, apart, word, from_word, from_past, now }, { words, sentence, step }) {
  const sum = `Step ${step}, ${word}: tanh(${from_word} + ${from_past}) = ${now}.`;
  if (sentence.join() === words.join()) return `${sentence.join(" ")} ends at ${ends[1]}. ${sum}`;
  const both = `${sentence.join(" ")} ends at ${ends[1]}, ${words.join(" ")} at ${ends[0]}`;
  return `${both}. The bags of words are equal, the hidden states are ${written(apart, 2)} apart. ${sum}`;
}

const place = ([x, y]) => [UNIT * x, -UNIT * y];

/** The path of one sentence: a line, and at each step a dot with its number and the word. */
function path(kind, steps, click = () => {}) {
  const line = svg("polyline", { class: "line" });
  const names = steps.map(() => svg("text", { class: "name" }));
  const dots = steps.map((_, t) => {
    const number = svg("text", { class: "number", y: 4.5 }, t + 1);
    return svg("g", { class: "step", onclick: () => click(t + 1) }, svg("circle", { r: 10 }), number);
  });
  const node = svg("g", { class: kind }, line, ...dots, ...names);
  const draw = (states, sentence, side) => {
    line.setAttribute("points", [[0, 0], ...states].map((state) => place(state).join()).join(" "));
    states.forEach((state, t) => {
      const [x, y] = place(state);
      dots[t].setAttribute("transform", `translate(${x} ${y})`);
      const above = state[1] > -0.1 === side > 0;
      const attributes = { x: x + 0.06 * x, y: above ? y - 16 : y + 26 };
      for (const [name, value] of Object.entries(attributes)) names[t].setAttribute(name, value);
      names[t].textContent = sentence[t];
    });
  };
  return { node, draw, dots, names };
}

/** The plane of the two units, with the path of the reference and the path of the sentence. */
function plane(model) {
  const words = model.get("words");
  const reference = path("reference", words);
  const current = path("current", words, (step) => change(model, { step }));
  const [end, low] = [1.1 * UNIT, 0.62 * UNIT]; // no path goes below −0.62
  const axes = svg("path", { class: "axis", d: `M${-end} 0H${end}M0 ${low}V${-UNIT}` });
  const box = svg("rect", { class: "box", x: -UNIT, y: -UNIT, width: 2 * UNIT, height: UNIT + low });
  const unit = (x, y, text, anchor) => svg("text", { x, y, class: "unit", "text-anchor": anchor }, text);
  const labels = [
    unit(UNIT, low + 17, "unit 1 →", "end"),
    unit(-UNIT, -UNIT - 8, "unit 2 ↑", "start"),
    unit(UNIT - 4, 18, "1", "end"),
    unit(-UNIT + 4, 18, "−1", "start"),
    unit(-5, -UNIT + 14, "1", "end"),
    unit(-5, 18, "h₀ = (0, 0)", "middle"),
    svg("circle", { class: "origin", r: 4 }),
  ];
  const aria = { role: "img", "aria-label": "The path of the hidden state in the plane of its two units" };
  const viewBox = [-1.2 * UNIT, -1.18 * UNIT, 2.4 * UNIT, 1.36 * UNIT + low].join(" ");
  const parts = [box, axes, ...labels, reference.node, current.node];
  const node = svg("svg", { viewBox, class: "plane", ...aria }, ...parts);
  const draw = ({ states, first }, { sentence, step }) => {
    reference.draw(first, words, -1);
    current.draw(states, sentence, 1);
    current.dots.forEach((dot, t) => dot.classList.toggle("now", t === step - 1));
    reference.names.forEach((name, t) => {
      const shared = words.slice(0, t + 1).join() === sentence.slice(0, t + 1).join();
      for (const part of [name, reference.dots[t]]) part.style.display = shared ? "none" : "";
    });
  };
  return { node, draw };
}

function render({ model, el }) {
  const words = model.get("words");
  const both = [words, words.toReversed()];
  const start = (sentence) =>
    button(sentence.join(" "), () => change(model, { sentence: [...sentence], step: words.length }));
  const buttons = both.map(start);
  const tokens = words.map((_, t) => output(`sentence.${t}`));
  const swap = (t) => {
    const now = model.get("sentence");
    change(model, { sentence: now.with(t, now[t + 1]).with(t + 1, now[t]) });
  };
  const swaps = [0, 1].map((t) => button("⇄", () => swap(t), { class: "swap" }));
  const order = [tokens[0], swaps[0], tokens[1], swaps[1], tokens[2]];
  const { node, draw: drawn } = plane(model);
  const lines = [
    [words.join(" "), ...words.map((_, j) => output(`counted.${j}`)), output("ends.0")],
    [element("span", { class: "mine" }), ...words.map((_, j) => output(`counts.${j}`)), output("ends.1")],
  ];
  const heads = ["sentence", ...words, "last hidden state"];
  const compared = table("bags", "Both sentences have the same bag of words", heads, lines);
  const mine = compared.rows[1].querySelector(".mine");
  const apart = ["The bags are ", output("bags_apart", 2), " apart, the last hidden states ", output("apart", 2), "."];
  const letter = (name) => element("i", {}, name);
  const [now, input, past] = ["h", "x", "h"].map((name) => [letter(name), element("sub")]);
  const formula = [...now, " = tanh(", letter("W"), " ", ...input, " + ", letter("U"), " ", ...past, ")"];
  const numbers = ["= tanh(", output("from_word"), " + ", output("from_past"), ")"];
  const said = ["Step ", output("step"), " reads ", element("em", {}, output("word")), "."];
  const sum = [element("span", {}, ...said), element("span", {}, ...formula), element("span", {}, ...numbers), element("span", {}, "= ", output("now"))];

  function draw(result, state) {
    drawn(result, state);
    const { sentence, step } = state;
    buttons.forEach((node, n) => node.setAttribute("aria-pressed", both[n].join() === sentence.join()));
    swaps.forEach((node, t) => node.setAttribute("aria-label", `Swap ${sentence[t]} and ${sentence[t + 1]}`));
    tokens.forEach((node, t) => node.classList.toggle("now", t === step - 1));
    mine.textContent = sentence.join(" ");
    slider.querySelector("input").setAttribute("aria-valuetext", `${step}, ${sentence[step - 1]}`);
    [now, input, past].forEach(([, sub], n) => (sub.textContent = n === 2 ? step - 1 : step));
  }

  const slider = range(model, "step", "Step", { min: 1, max: words.length });
  const beside = block("", compared.node, element("p", { class: "how" }, ...apart), slider, element("p", { class: "sum" }, ...sum));
  const parts = [
    block("bar", ...buttons, block("order", element("span", { class: "soft" }, "or swap:"), ...order)),
    block("columns", node, beside),
  ];
  return live({ model, el }, { name: "rnn-word-order", parts, traits, answer, draw, spoken });
}

export default { render };
