import { block, button, change, element, live, output, range, table } from "../controls.js";
import { written } from "../controls.js";
import { sigmoid } from "../tensor.js";

export const traits = ["presets", "questions", "x", "f", "i", "o", "g", "step", "question"];

const [LOW, HIGH] = [-8, 8]; // the reach of a knob
const GATES = [
  ["f", "forget gate", "how much of the belt stays", "σ"],
  ["i", "input gate", "how much of the candidate comes in", "σ"],
  ["o", "output gate", "how much of the belt is shown", "σ"],
  ["g", "candidate", "what would come in", "tanh"],
];

const last = (list) => list[list.length - 1];
const largest = (list) => Math.max(0, ...list.map(Math.abs));
const carried = ({ loaded, kept }) => Math.abs(loaded) >= 0.3 && kept >= 0.9;
const below = (n) => [...`${n}`].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
const total = (list) => list.reduce((sum, value) => sum + value, 0);

/** What each question asks of the inputs and of what they came to. */
const GOALS = {
  kept: (x, shown) => carried(shown),
  alone: (x, shown) =>
    carried(shown) &&
    largest(x.slice(1)) >= 0.5 &&
    Math.abs(last(shown.cell) - shown.left) <= 0.1,
  hidden: (x, shown) => carried(shown) && largest(shown.hidden) <= 0.05,
  last: (x, { hidden }) => largest(hidden.slice(0, -1)) <= 0.1 && Math.abs(last(hidden)) >= 0.5,
  counted: (x, { cell }) =>
    x.every((value) => value === 0 || value === 1) &&
    total(x) >= 3 &&
    Math.abs(last(cell) - total(x)) <= 0.1,
};

/** Every gate at every step; the belt as the parcels that came in; a plain unit beside it. */
export function answer({ questions, x, f, i, o, g, step, question }) {
  const run = { forget: [], enter: [], leave: [], candidate: [], cell: [], hidden: [], plain: [] };
  const parcels = [];
  let [h, c, plain, kept, echo] = [0, 0, 0, 1, 1];
  let [sums, opened] = [[], []];
  x.forEach((input, t) => {
    const z = [f, i, o, g].map(([w, u, b]) => w * input + u * h + b);
    const gates = [...z.slice(0, 3).map(sigmoid), Math.tanh(z[3])];
    const [forget, enter, leave, candidate] = gates;
    if (t === step - 1) [sums, opened] = [z, gates];
    const before = parcels[t - 1] ?? x.map(() => 0);
    parcels.push(before.map((parcel, s) => (s === t ? enter * candidate : forget * parcel)));
    c = forget * c + enter * candidate;
    h = leave * Math.tanh(c);
    plain = Math.tanh(g[0] * input + g[1] * plain + g[2]);
    if (t > 0) [kept, echo] = [kept * forget, echo * g[1] * (1 - plain * plain)];
    const now = { forget, enter, leave, candidate, cell: c, hidden: h, plain };
    for (const [name, value] of Object.entries(now)) run[name].push(value);
  });
  const loaded = parcels[0][0];
  const shown = { ...run, parcels, loaded, kept, left: loaded * kept, echo, sums, opened };
  const [ask, goal] = questions[question];
  return { ...shown, ask, met: GOALS[goal](x, shown) };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ cell, hidden, loaded, left, plain, met }) {
  const [c, h, was, is, other] = [last(cell), last(hidden), loaded, left, last(plain)];
  const numbers = [c, was, is, h, other].map((value) => written(value, 2));
  const [belt, entered, remains, speaks, plainly] = numbers;
  return `${met ? "Done. " : ""}The belt ends at ${belt}. The first input brought ${entered}, of which ${remains} is left; the output is ${speaks}, that of the plain unit ${plainly}.`;
}

/** A row of the unrolled cell: at each step a picture, if it has one, and a number. */
function row(symbol, meaning, path, steps, kind) {
  const pictures = steps.map(() => block(kind ?? "none", element("span")));
  const number = (t) => output(`${path}.${t}`, 2);
  const cells = steps.map((_, t) => (kind ? block("spot", pictures[t], number(t)) : number(t)));
  const name = [element("i", {}, symbol), " ", element("span", {}, meaning)];
  return { line: [name, ...cells], pictures };
}

const part = (from, to) => `--top: ${Math.min(from, to)}; --size: ${Math.abs(to - from)}`;
const bars = ({ pictures }, values) =>
  pictures.forEach(({ firstChild: bar }, t) => (bar.style = part(0.5, 0.5 - values[t] / 2)));
const doors = ({ pictures }, values) =>
  pictures.forEach((picture, t) => picture.style.setProperty("--open", values[t]));

/** The belt: parcels stacked above the line, or below it where they are negative. */
function load({ pictures }, parcels) {
  const stack = (held, sign) => total(held.map((value) => Math.max(0, sign * value)));
  const most = Math.max(1, ...parcels.flatMap((held) => [stack(held, 1), stack(held, -1)]));
  parcels.forEach((held, t) => {
    const edge = { up: 0.5, down: 0.5 };
    held.slice(0, t + 1).forEach((value, s) => {
      const side = value < 0 ? "down" : "up";
      const from = edge[side];
      edge[side] = from - value / most / 2;
      pictures[t].children[s].style = part(from, edge[side]);
    });
  });
}

/** A gate's three knobs, and its sum at the chosen step. */
function knobs(model, [trait, name, does, squash], n) {
  const limits = { min: LOW, max: HIGH, step: 0.5 };
  const sliders = ["× x", "× h", "+ bias"].map((label, k) =>
    range(model, `${trait}.${k}`, label, limits, `${trait}.${k}`, 1),
  );
  const said = element("legend", {}, element("i", {}, trait), ` ${name}`);
  const sum = [`${squash}(`, output(`sums.${n}`, 2), ") = ", output(`opened.${n}`, 2)];
  const why = element("p", { class: "how" }, does, ": ", ...sum);
  return element("fieldset", { class: trait }, said, block("knobs", ...sliders), why);
}

function render({ model, el }) {
  const [x, presets, questions] = ["x", "presets", "questions"].map((name) => model.get(name));
  const rows = {
    plain: row("h", "plain unit", "plain", x, "signed"),
    hidden: row("h", "output", "hidden", x, "signed"),
    leave: row("o", "output gate", "leave", x, "door"),
    cell: row("c", "the belt", "cell", x, "belt"),
    forget: row("f", "forget gate", "forget", x),
    enter: row("i", "input gate", "enter", x, "door"),
    candidate: row("g", "candidate", "candidate", x, "signed"),
  };
  rows.cell.pictures.forEach((picture, t) => {
    for (let s = 0; s < t; s++) picture.append(element("span"));
  });
  const reach = { min: -1, max: 1, step: 0.1 };
  const inputs = x.map((_, t) => range(model, `x.${t}`, `x${below(t + 1)}`, reach, `x.${t}`, 1));
  const heading = [element("i", {}, "x"), " ", element("span", {}, "input")];
  const lines = [...Object.values(rows).map(({ line }) => line), [heading, ...inputs]];
  const caption =
    "From the bottom up: the input, what it would bring, the doors and the belt, the output. " +
    "What the first input brought has a colour of its own.";
  const steps = x.map((_, t) => `${t + 1}`);
  const unrolled = table("unrolled", caption, ["step", ...steps], lines);
  unrolled.rows.forEach((line, n) => line.classList.add(Object.keys(rows)[n] ?? "inputs"));
  const columns = steps.map((_, t) =>
    [unrolled.heads[t + 1], ...unrolled.rows.map((line) => line.cells[t + 1])],
  );
  columns.forEach((cells, t) => {
    for (const cell of cells.slice(0, -1)) cell.onclick = () => change(model, { step: t + 1 });
  });

  function draw(result, { step }) {
    for (const name of ["plain", "hidden", "candidate"]) bars(rows[name], result[name]);
    for (const name of ["leave", "enter"]) doors(rows[name], result[name]);
    doors(rows.cell, result.forget);
    load(rows.cell, result.parcels);
    columns.forEach((cells, t) =>
      cells.forEach((cell) => cell.classList.toggle("now", t === step - 1)),
    );
    verdict.textContent = result.met ? "✓ Done" : "";
  }

  const verdict = element("strong", { "aria-live": "polite" });
  const next = () => change(model, { question: (model.get("question") + 1) % questions.length });
  const asked = element("p", {}, output("ask", 0, false), " ", verdict);
  const start = ([name, choices]) => button(name, () => change(model, structuredClone(choices)));
  const measure = (name, path, how) => {
    const value = element("dd", {}, output(path, 2));
    return element("div", {}, element("dt", {}, name), value, element("dd", { class: "how" }, how));
  };
  const measures = element(
    "dl",
    { class: "measures" },
    measure("the first parcel", "loaded", "i₁ · g₁: what the first input brought in"),
    measure("left of it at the end", "left", "what the later forget gates let pass"),
    measure("kept by the belt", "kept", `the product f₂ ⋯ f${below(x.length)}`),
    measure("kept by a plain unit", "echo", "of a nudge at step 1, with the knobs of g"),
  );
  const parts = [
    block("goal", asked, button("Another question", next)),
    block("bar presets", ...Object.entries(presets).map(start)),
    unrolled.node,
    measures,
    range(model, "step", "The sums at step", { min: 1, max: x.length }),
    block("gates", ...GATES.map((gate, n) => knobs(model, gate, n))),
  ];
  return live({ model, el }, { name: "rnn-cell", parts, traits, answer, draw, spoken });
}

export default { render };
