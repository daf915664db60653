import { block, change, element, live, output, range, table } from "../controls.js";
import { written } from "../controls.js";
import { cosine, dot, lowRank, norm, rounded } from "../tensor.js";
import { cosineBars } from "./cosine_bars.js";
import { rankMap } from "./low_rank_map.js";

export const traits = [
  ...["columns", "texts", "weights", "whole", "rest", "strip", "without"],
  ...["k", "query", "left_out", "original"],
];

const DIGITS = 6;
const plane = ([x, y = 0]) => [x, y];

/** The query's coordinates, and the rows ranked by their cosine with it. */
function foldedIn({ columns, texts, weights, whole, query, strip }, X, Z, Vt) {
  if (strip.length) return { star: null, ranked: [], near: [], compared: [], counted: [] };
  const q = columns.map((word, j) => (query.includes(word) ? weights[j] : 0));
  const folded = Vt.map((direction) => rounded(dot(direction, q), DIGITS));
  const near = Z.map((row) => rounded(cosine(row, folded), DIGITS));
  const order = Z.map((_, i) => i).sort((i, j) => near[j] - near[i]);
  return {
    star: query.length ? plane(folded) : null,
    ranked: order.map((i) => `${whole.rows[i]}. ${texts[i]}`),
    near,
    compared: order.map((i) => near[i]),
    counted: order.map((i) => cosine(X[i], q)),
  };
}

/** The table that k directions rebuild, what it loses, its map, and its cosines. */
export function answer(state) {
  const { columns, whole, rest, strip, without, left_out, original } = state;
  const { rows, X, U, s, Vt } = left_out && without ? rest : whole;
  const k = Math.min(state.k, s.length);
  const scaled = (u) => u.slice(0, k).map((value, a) => value * s[a]);
  const Z = U.map(scaled);
  const cells = original ? X : lowRank(U, s, Vt, k);
  const each = (list, missing = null) => whole.rows.map((name) => list[rows.indexOf(name)] ?? missing);
  const error = norm(s.slice(k));
  const row = (name) => Z[rows.indexOf(name)];
  return {
    rank: k,
    cells: each(cells, columns.map(() => null)),
    values: whole.s.map((_, a) => s[a] ?? null),
    error,
    kept: 100 * (1 - (error / norm(s)) ** 2),
    points: each(Z.map(plane)),
    terms: strip.length ? [] : columns.map((_, j) => plane(scaled(Vt.map((v) => v[j])))),
    cosines: strip.slice(1).map((name) => (row(name) ? cosine(row(name), row(strip[0])) : null)),
    ...foldedIn(state, X, Z, Vt.slice(0, k)),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken(result, { strip, without, left_out, query }) {
  const begin = left_out ? `Without ${without}, ` : "";
  const kept = `${begin}k = ${result.rank} keeps ${written(result.kept)} % of the squares.`;
  const said = strip.slice(1).flatMap((name, n) => {
    const value = result.cosines[n];
    return value === null ? [] : [`${name} ${written(value, 2)}`];
  });
  if (strip.length) return `${kept} Cosine of ${strip[0]} with ${said.join(", ")}.`;
  if (!query.length) return `${kept} No word is asked for.`;
  const first = `${written(result.compared[0], 2)}, ${result.ranked[0]}`;
  return `${kept} Highest cosine with ${query.join(", ")}: ${first}`;
}

/** The table as cells whose shade is their size; the second colour is for what is negative. */
function heatMap({ rows, X }, columns, corner, focus) {
  const digits = columns.length > 7 ? 1 : 2;
  const numbers = (i) => columns.map((_, j) => output(`cells.${i}.${j}`, digits));
  const heads = columns.map((name) => element("span", {}, name));
  const rebuilt = element("span", {}, "the table rebuilt with k = ", output("rank"));
  const counted = element("span", {}, "the original table");
  const named = rows.map((name, i) => [name, ...numbers(i)]);
  const { node, rows: lines } = table("heat", [rebuilt, counted], [corner, ...heads], named);
  node.classList.toggle("many", columns.length > 7);
  const most = Math.max(...X.flat());
  const draw = ({ cells }, original) => {
    rebuilt.hidden = original;
    counted.hidden = !original;
    cells.forEach((row, i) => {
      lines[i].className = row[0] === null ? "gone" : rows[i] === focus ? "focus" : "";
      row.forEach((value, j) => {
        const cell = lines[i].cells[j + 1];
        const weight = Math.min(1, (Math.abs(value ?? 0) / most) ** 0.75); // small ones still show
        cell.style.setProperty("--weight", weight.toFixed(3));
        cell.className = Math.abs(value) < 0.005 ? "none" : value < 0 ? "minus" : "some";
      });
    });
  };
  return { node, draw };
}

function box(label, checked, set) {
  const input = element("input", { type: "checkbox", onchange: ({ target }) => set(target.checked) });
  const node = element("label", { class: "box" }, input, label);
  return { node, draw: (state) => (input.checked = checked(state)) };
}

/** The words of a query, to be ticked, and the rows that it finds. */
function search(model, columns, rows) {
  const tick = (word) => (on) => {
    const asked = columns.filter((one) => (one === word ? on : model.get("query").includes(one)));
    change(model, { query: asked });
  };
  const boxes = columns.map((word) => box(word, ({ query }) => query.includes(word), tick(word)));
  const legend = element("legend", { class: "soft" }, "Words of the query");
  const words = element("fieldset", { class: "words" }, legend, ...boxes.map(({ node }) => node));
  const numbers = (n) => ["compared", "counted"].map((name) => output(`${name}.${n}`, 2));
  const lines = rows.map((_, n) => [[output(`ranked.${n}`)], ...numbers(n)]);
  const heads = ["text", element("span", {}, "k = ", output("rank")), "without SVD"];
  const { node, rows: list } = table("ranked", "cosine with the query", heads, lines);
  const draw = ({ compared }, state) => {
    for (const one of boxes) one.draw(state);
    list.forEach((line, n) => {
      line.style.setProperty("--weight", Math.abs(compared[n]));
      line.className = compared[n] >= 0.9 ? "close" : compared[n] < 0 ? "minus" : "";
    });
  };
  return { words, node, draw };
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const [columns, whole, strip, without] = ["columns", "whole", "strip", "without"].map(get);
  const bars = whole.s.map((_, a) => {
    const onclick = () => change(model, { k: a + 1 });
    return element("li", { onclick }, output(`values.${a}`, 2));
  });
  const spectrum = element("ol", { class: "bars", "aria-label": "singular values" }, ...bars);
  const spread = (lines) => lines.map((line) => [0, 1].map((a) => (line[a] ?? 0) * (whole.s[a] ?? 0)));
  const V = strip.length ? [] : columns.map((_, j) => whole.Vt.map((direction) => direction[j]));
  const map = rankMap(whole.rows, columns, strip[0], spread([...whole.U, ...V]));
  const heat = heatMap(whole, columns, strip.length ? "word" : "row", strip[0]);
  const cosines = strip.length && cosineBars(strip.slice(1), "cosines", `cosine of ${strip[0]} with`);
  const found = !strip.length && search(model, columns, whole.rows);
  const whether = (trait, label) =>
    box(label, (state) => state[trait], (on) => change(model, { [trait]: on }));
  const boxes = [whether("original", "Show the original table")];
  if (without) boxes.push(whether("left_out", `Without ${without}`));

  function draw(result, state) {
    bars.forEach((bar, a) => {
      bar.classList.toggle("kept", a < result.rank);
      bar.style.setProperty("--height", (result.values[a] ?? 0) / whole.s[0]);
      bar.style.visibility = result.values[a] === null ? "hidden" : "";
    });
    heat.draw(result, state.original);
    map.draw(result);
    for (const one of boxes) one.draw(state);
    if (cosines) cosines.draw(result.cosines);
    if (found) found.draw(result, state);
  }

  const measure = (name, ...value) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, ...value));
  const measures = element(
    "dl",
    { class: "measures" },
    measure("squares kept", output("kept"), " %"),
    measure("error", output("error", 2)),
  );
  const limits = { min: 1, max: whole.s.length };
  const top = block("", spectrum, range(model, "k", "Directions k", limits, "rank"));
  const summary = element("summary", {}, "The table of numbers");
  const folded = element("details", {}, summary, boxes[0].node, heat.node);
  const parts = [
    block("columns spectrum", top, measures),
    ...(cosines
      ? [
          block("bar", ...boxes.map(({ node }) => node)),
          block("columns", block("", heat.node, cosines.node), map.node),
        ]
      : [found.words, block("columns search", map.node, found.node), folded]),
  ];
  return live({ model, el }, { name: "lsa-rank", parts, traits, answer, draw, spoken });
}

export default { render };
