import { block, button, change, element, live, output, range, select, table } from "../controls.js";
import { written } from "../controls.js";

export const traits = ["words", "g", "verbs", "tasks", "solution", "f", "i", "o", "gate", "task", "step"];

const GATES = { f: "forget gate", i: "input gate", o: "output gate" };
const total = (list) => list.reduce((sum, value) => sum + value, 0);
const digit = (n) => [...`${n}`].map((place) => "₀₁₂₃₄₅₆₇₈₉"[place]).join("");

/** Of each task: is it done? The words that matter are found by their names. */
const GOALS = {
  Keep: ({ cell }, at) => cell[at("station")] >= 0.6,
  Forget: ({ cell }, at) => cell[at("station")] >= 0.6 && Math.abs(cell[at("my")]) <= 0.1,
  Write: ({ cell }, at) => cell[at("station")] >= 0.6 && cell[at("cat")] <= -0.6,
  Read: ({ hidden }, at) => {
    const read = [at("station"), at("cat")];
    const others = hidden.filter((_, n) => !read.includes(n)).map(Math.abs);
    return hidden[read[0]] >= 0.5 && hidden[read[1]] <= -0.5 && Math.max(...others) <= 0.1;
  },
};

/** The form of a verb that a hidden state chooses, or "no verb" where it is nearly 0. */
const verbForm = (h, plural, singular) => (Math.abs(h) < 0.1 ? "no verb" : h > 0 ? plural : singular);

/** The cell state as the parts that each word has written, the hidden state, and the verbs. */
export function answer({ words, g, verbs, tasks, f, i, o, task, step }) {
  const parts = [];
  words.forEach((_, t) => {
    const before = parts[t - 1] ?? words.map(() => 0);
    parts.push(before.map((part, s) => (s === t ? i[t] * g[t] : f[t] * part)));
  });
  const cell = parts.map(total);
  const hidden = cell.map((c, t) => o[t] * Math.tanh(c));
  const [end] = verbs[0];
  const now = step - 1;
  const [name, , , ask] = tasks[task];
  return {
    cell,
    hidden,
    parts,
    written: i[0] * g[0],
    kept: f.slice(1, end + 1).reduce((product, value) => product * value, 1),
    left: parts[end][0],
    chosen: verbs.map(([n, plural, singular]) => verbForm(hidden[n], plural, singular)),
    terms: [f[now], cell[now - 1] ?? 0, i[now], g[now], cell[now], o[now], Math.tanh(cell[now]), hidden[now]],
    word: words[now],
    ask,
    met: GOALS[name]({ cell, hidden }, (word) => words.indexOf(word)),
  };
}

/** What a change comes to, in plain sentences for those who hear the page. */
export function spoken({ cell, left, chosen, met }, { words, verbs, tasks, task }) {
  const [[end], [other]] = verbs;
  const states = [end, other].map((n) => `${written(cell[n], 2)} at ${words[n]}`).join(" and ");
  const verdict = met ? `${tasks[task][0]}: done. ` : "";
  const first = `${written(left, 2)} of ${words[0]} is left at ${words[end]}`;
  return `${verdict}The cell state is ${states}; ${first}. The verbs: ${chosen.join(", ")}.`;
}

/** A row of the table: at each word a picture, if the row has one, and a number. */
function row(symbol, meaning, path, words, kind) {
  const pictures = words.map(() => block(kind, element("span")));
  const cells = words.map((_, t) => block("spot", pictures[t], output(`${path}.${t}`, 2)));
  const name = [element("i", {}, symbol), " ", element("span", {}, meaning)];
  return { line: [name, ...cells], pictures, cells };
}

const part = (from, to) => `--top: ${Math.min(from, to)}; --size: ${Math.abs(to - from)}`;
const bars = ({ pictures }, values) =>
  pictures.forEach(({ firstChild: bar }, t) => (bar.style = part(0.5, 0.5 - values[t] / 2)));
const doors = ({ pictures }, values) =>
  pictures.forEach((picture, t) => picture.style.setProperty("--open", values[t]));

/** The cell state: parts stacked above the line, or below it where they are negative. */
function stack({ pictures }, parts) {
  const side = (held, sign) => total(held.map((value) => Math.max(0, sign * value)));
  const most = Math.max(1, ...parts.flatMap((held) => [side(held, 1), side(held, -1)]));
  parts.forEach((held, t) => {
    const edge = { up: 0.5, down: 0.5 };
    held.slice(0, t + 1).forEach((value, s) => {
      const to = value < 0 ? "down" : "up";
      const from = edge[to];
      edge[to] = from - value / most / 2;
      pictures[t].children[s].style = part(from, edge[to]);
    });
  });
}

/** The vertical sliders of one gate, one for each word, put below its numbers. */
function sliders(model, gate, words, cells) {
  const nodes = words.map((word, t) => {
    const oninput = ({ target }) => change(model, { [gate]: model.get(gate).with(t, Number(target.value)) });
    const limits = { type: "range", min: 0, max: 1, step: 0.01, "data-trait": `${gate}.${t}`, oninput };
    return element("input", { ...limits, "aria-label": `${GATES[gate]} at ${word}`, "aria-orientation": "vertical" });
  });
  nodes.forEach((node, t) => cells[t].append(node));
  return nodes;
}

function render({ model, el }) {
  const [words, verbs, tasks, solution] = ["words", "verbs", "tasks", "solution"].map((name) => model.get(name));
  const rows = {
    hidden: row("h", "hidden state", "hidden", words, "signed"),
    o: row("o", GATES.o, "o", words, "door"),
    cell: row("c", "cell state", "cell", words, "belt"),
    f: row("f", GATES.f, "f", words, "door"),
    i: row("i", GATES.i, "i", words, "door"),
    g: row("g", "candidate", "g", words, "signed"),
  };
  rows.cell.pictures.forEach((picture, t) => {
    for (let s = 0; s < t; s++) picture.append(element("span"));
  });
  const set = Object.fromEntries(Object.keys(GATES).map((gate) => [gate, sliders(model, gate, words, rows[gate].cells)]));
  const heads = words.map((word) => element("span", {}, word));
  const caption = `Each word is a step. The part of the cell state that ${words[0]} has written has a colour of its own.`;
  const lines = Object.values(rows).map(({ line }) => line);
  const unrolled = table("unrolled", caption, ["vector", ...heads], lines);
  unrolled.rows.forEach((line, n) => line.classList.add(Object.keys(rows)[n]));
  const columns = words.map((_, t) => [unrolled.heads[t + 1], ...unrolled.rows.map((line) => line.cells[t + 1])]);
  columns.forEach((cells, t) => {
    for (const cell of cells) cell.onclick = () => change(model, { step: t + 1 });
  });

  const begin = (n) => {
    const [, gate, value] = tasks[n];
    change(model, { task: n, gate, ...structuredClone(solution), [gate]: words.map(() => value) });
  };
  const buttons = tasks.map(([name], n) => button(`${n + 1} ${name}`, () => begin(n)));
  const solve = () => change(model, { gate: tasks[model.get("task")][1], ...structuredClone(solution) });
  const verdict = element("strong", { "aria-live": "polite" });
  const asked = element("p", { class: "ask" }, output("ask", 0, false), " ", verdict);
  const chosen = verbs.flatMap(([n], k) => [k ? ", and after " : "After ", element("em", {}, words[n]), " the network chooses ", output(`chosen.${k}`)]);

  function draw(result, { f, i, o, g, gate, task, step }) {
    bars(rows.hidden, result.hidden);
    bars(rows.g, g);
    for (const [name, values] of Object.entries({ f, i, o })) {
      doors(rows[name], values);
      for (const slider of set[name]) slider.hidden = name !== gate;
      rows[name].cells.forEach((cell) => cell.classList.toggle("set", name === gate));
    }
    stack(rows.cell, result.parts);
    columns.forEach((cells, t) => cells.forEach((cell) => cell.classList.toggle("now", t === step - 1)));
    buttons.forEach((node, n) => node.setAttribute("aria-pressed", n === task));
    verdict.textContent = result.met ? "✓ Done" : "";
    indices.forEach((node) => (node.textContent = digit(step)));
    earlier.textContent = digit(step - 1);
    where.querySelector("input").setAttribute("aria-valuetext", words[step - 1]);
  }

  const measure = (name, path, how) => {
    const value = element("dd", {}, output(path, 2));
    return element("div", {}, element("dt", {}, name), value, element("dd", { class: "how" }, how));
  };
  const [first, last] = [words[0], words[verbs[0][0]]];
  const measures = element(
    "dl",
    { class: "measures" },
    measure(`written by ${first}`, "written", "i₁ · g₁"),
    measure(`kept until ${last}`, "kept", `f₂ ⋯ f${digit(verbs[0][0] + 1)}`),
    measure(`left of ${first} at ${last}`, "left", "their product"),
  );
  const indices = Array.from({ length: 7 }, () => element("span"));
  const earlier = element("span");
  const letter = (name, index) => element("span", {}, element("i", {}, name), index);
  const term = (n) => output(`terms.${n}`, 2);
  const [c, f, i, g, h, o, c2] = ["c", "f", "i", "g", "h", "o", "c"].map((name, n) => letter(name, indices[n]));
  const cellLine = [c, " = ", f, " ", letter("c", earlier), " + ", i, " ", g, " = ", term(0), " · (", term(1), ") + ", term(2), " · (", term(3), ") = ", term(4)];
  const hiddenLine = [h, " = ", o, " tanh(", c2, ") = ", term(5), " · (", term(6), ") = ", term(7)];
  const sums = block("sums", element("span", {}, ...cellLine), element("span", {}, ...hiddenLine));
  const where = range(model, "step", "Written out at", { min: 1, max: words.length }, "word");
  const choices = Object.entries(GATES).map(([gate, name]) => [gate, `${name}s`]);
  const parts = [
    block("bar", ...buttons, button("Show a solution", solve, { class: "solve" })),
    asked,
    select(model, "gate", "The sliders set the", choices),
    unrolled.node,
    element("p", { class: "verbs" }, ...chosen, "."),
    measures,
    where,
    sums,
  ];
  return live({ model, el }, { name: "rnn-cell", parts, traits, answer, draw, spoken });
}

export default { render };
