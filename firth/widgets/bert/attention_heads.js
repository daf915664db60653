import { block, change, element, live, output, select, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { HEADS, BLOCKS, leading, measured, weights } from "./head_patterns.js";
import { strips } from "../strips.js";

export const traits = ["texts", "habits", "text", "block", "head", "token", "habit"];

const BEST = 3; // heads that are named
const FAINT = 0.02; // a weight below it gets no line

/** Where one token looks in one head, and the habits of that head and of all. */
export function answer({ texts, habits, text, block: b, head: h, token, habit }) {
  const chosen = texts.find((row) => row.text === text);
  const { pieces } = chosen;
  const [k, all] = [(b - 1) * HEADS + h - 1, measured(chosen)];
  const at = Math.min(token, pieces.length - 1);
  const row = weights(chosen)[k][at];
  const largest = Math.max(...row);
  const keys = habits.map(([key]) => key);
  const most = (values) => (values[0] === null ? null : Math.max(...values));
  return {
    pieces,
    at,
    weights: row.map((a) => 100 * a),
    said: `In block ${b}, head ${h}, “${pieces[at]}” looks most at “${pieces[row.indexOf(largest)]}”`,
    share: 100 * largest,
    mine: keys.map((key) => all[key][k]),
    best: keys.map((key) => leading(all[key], 1)),
    most: keys.map((key) => most(all[key])),
    grid: all[habit],
    asked: habits[keys.indexOf(habit)][1],
    leaders: leading(all[habit], BEST),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ said, share, mine, asked, leaders }, { habits, habit }) {
  const own = mine[habits.findIndex(([key]) => key === habit)];
  const much = habit === "spread" ? written(own, 1) : `${written(own ?? 0)} %`;
  const all = leaders.length ? `${much}, most in ${leaders[0]}` : "no word comes twice here";
  return `${said}, ${written(share)} % of its weight. Of this head, ${asked}: ${all}.`;
}

/** A small map of each head: a row for each token, a column for each that it looks at. */
function maps(model, chosen) {
  const n = chosen.pieces.length;
  const group = `heads.${Math.random()}`;
  const steps = { ArrowUp: -HEADS, ArrowDown: HEADS };
  const radios = weights(chosen).map((_, k) => {
    const [b, h] = [Math.floor(k / HEADS) + 1, (k % HEADS) + 1];
    const onchange = () => change(model, { block: b, head: h });
    const onkeydown = (event) => {
      const next = radios[k + (steps[event.key] ?? NaN)];
      if (!(event.key in steps)) return;
      event.preventDefault();
      next?.focus();
      next?.click();
    };
    const name = `Block ${b}, head ${h}`;
    return element("input", {
      ...{ type: "radio", name: group, "aria-label": name, title: name, onchange, onkeydown },
    });
  });
  const labels = weights(chosen).map((A, k) => {
    const size = { viewBox: `0 0 ${n} ${n}`, preserveAspectRatio: "none", "aria-hidden": "true" };
    return element("label", { class: "map" }, radios[k], svg("svg", size, ...strips(A, n, 1)));
  });
  const side = (text) => element("span", { "aria-hidden": "true" }, text);
  const across = Array.from({ length: HEADS }, (_, h) => side(h + 1));
  const rows = Array.from({ length: BLOCKS }, (_, b) => [
    side(b + 1),
    ...labels.slice(b * HEADS, b * HEADS + HEADS),
  ]);
  return { nodes: [side(""), ...across, ...rows.flat()], radios, labels };
}

/** The tokens twice: who looks, and what is looked at, with room for lines between. */
function picture(model, { pieces }) {
  const n = pieces.length;
  const group = `tokens.${Math.random()}`;
  const radios = pieces.map((name, token) => {
    const onchange = () => change(model, { token });
    return element("input", { type: "radio", name: group, "aria-label": name, onchange });
  });
  const from = pieces.map((name, token) => {
    const onpointerenter = () => change(model, { token });
    return element("label", { onpointerenter }, radios[token], element("span", {}, name));
  });
  const shares = pieces.map((_, j) => output(`weights.${j}`));
  const to = pieces.map((name, j) => element("li", {}, element("span", {}, name), shares[j]));
  const lines = svg("svg", { viewBox: `0 0 100 ${n}`, preserveAspectRatio: "none" });
  lines.setAttribute("aria-hidden", "true");
  const parts = [
    element("fieldset", {}, element("legend", {}, "looks"), ...from),
    lines,
    element("ol", { "aria-label": "what is looked at, in %" }, ...to),
  ];
  return { parts, radios, to, shares, lines };
}

function line(i, j, weight, kind) {
  const place = { x1: 0, y1: i + 0.5, x2: 100, y2: j + 0.5, class: kind };
  return svg("line", { ...place, style: `--weight: ${weight.toFixed(3)}` });
}

function render({ model, el }) {
  const texts = model.get("texts");
  const choice = select(model, "text", "Text", texts.map((row) => [row.text, row.text]));
  const group = `habits.${Math.random()}`;
  const lines = model.get("habits").map(([key, name], i) => {
    const onchange = () => change(model, { habit: key });
    const radio = element("input", { type: "radio", name: group, value: key, onchange });
    const digits = key === "spread" ? 1 : 0;
    const most = [output(`most.${i}`, digits), element("span", {}, " in "), output(`best.${i}`)];
    return [element("label", {}, radio, name), output(`mine.${i}`, digits), element("span", {}, ...most)];
  });
  const heads = ["to", "this head", "most of all heads"];
  const caption = "Where the weight of this head goes, in %, a mean over the tokens";
  const habits = table("habits", caption, heads, lines);
  const grid = element("fieldset", { class: "maps" });
  const legend = element("legend", {}, "Blocks 1–6 downwards, heads 1–12 across: choose one");
  const looks = block("looks");
  const leaders = element("span", {}, " Most in ", output("leaders"), ".");
  const bars = element("p", { class: "soft" }, "Bars: ", output("asked"), ", in every head.", leaders);
  let [drawn, small, large] = [null, null, null];

  function draw(shown, { text, block: b, head: h, habit }) {
    const chosen = texts.find((row) => row.text === text);
    if (text !== drawn) {
      [small, large, drawn] = [maps(model, chosen), picture(model, chosen), text];
      grid.replaceChildren(legend, ...small.nodes);
      looks.replaceChildren(...large.parts);
    }
    const k = (b - 1) * HEADS + h - 1;
    const full = habit === "spread" ? shown.pieces.length : 100;
    small.radios.forEach((radio, i) => (radio.checked = i === k));
    small.labels.forEach((label, i) =>
      label.style.setProperty("--height", ((shown.grid[i] ?? 0) / full).toFixed(3)),
    );
    large.radios.forEach((radio, i) => (radio.checked = i === shown.at));
    large.shares.forEach((node, j) => (node.textContent = written(shown.weights[j])));
    large.to.forEach((item, j) => item.style.setProperty("--weight", shown.weights[j] / 100));
    const A = weights(chosen)[k];
    const drawnLines = (kind, rows) =>
      rows.flatMap((i) => A[i].flatMap((a, j) => (a > FAINT ? [line(i, j, a, kind)] : [])));
    const others = shown.pieces.map((_, i) => i).filter((i) => i !== shown.at);
    large.lines.replaceChildren(...drawnLines("other", others), ...drawnLines("mine", [shown.at]));
    habits.rows.forEach((row, i) => {
      row.classList.toggle("none", shown.most[i] === null);
      row.querySelector("input").checked = model.get("habits")[i][0] === habit;
    });
    leaders.hidden = !shown.leaders.length;
  }

  // Below the words: were it above, a longer sentence would move the word that was pointed at.
  const said = element("p", { class: "said" }, output("said"), ", ", output("share"), "\u00a0% of its weight.");
  const parts = [
    choice,
    block("views", block("all", grid, bars), block("one", looks, said), habits.node),
  ];
  return live({ model, el }, { name: "bert-heads", parts, traits, answer, draw, spoken });
}

export default { render };
