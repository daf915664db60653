import { block, change, element, live, output, range, select, table } from "../controls.js";
import { written } from "../controls.js";
import { centred, cosine, lowRank, norm, rounded } from "../tensor.js";

export const traits = ["terms", "documents", "titles", "X", "U", "s", "Vt", "pairs", "k", "item"];

const SHOWN = 5; // neighbours in the list
const column = (X, j) => X.map((row) => row[j]);

/** The matrix that k patterns rebuild, what it loses, and who is near whom in it. */
export function answer({ terms, documents, X, U, s, Vt, pairs, k, item }) {
  const reconstruction = lowRank(U, s, Vt, k);
  const error = norm(s.slice(k));

  // A term is a row of U diag(s), a document a column of diag(s) Vᵀ; ties keep their order.
  const isTerm = terms.includes(item);
  const names = isTerm ? terms : documents;
  const scaled = (x) => x.slice(0, k).map((value, a) => value * s[a]);
  const points = names.map((_, i) => scaled(isTerm ? U[i] : column(Vt, i)));
  const counted = names.map((_, i) => (isTerm ? X[i] : column(X, i)));
  const chosen = names.indexOf(item);
  const nearness = points.map((point) => rounded(cosine(point, points[chosen]), 6));
  const order = names.map((_, i) => i).filter((i) => i !== chosen);
  order.sort((i, j) => nearness[j] - nearness[i]);
  const near = order.slice(0, SHOWN);

  const tidy = reconstruction.map((row) => row.map((value) => rounded(value, 9)));
  const correlation = (rows, [a, b]) =>
    cosine(...[a, b].map((term) => centred(rows[terms.indexOf(term)])));
  return {
    reconstruction,
    singular_values: s,
    error,
    energy: 100 * (1 - (error / norm(s)) ** 2),
    neighbours: near.map((i) => names[i]),
    cosines: near.map((i) => nearness[i]),
    counted: near.map((i) => cosine(counted[i], counted[chosen])),
    correlations: pairs.map((pair) => [correlation(X, pair), correlation(tidy, pair)]),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ error, correlations, neighbours, cosines }, { pairs, k, item }) {
  const named = pairs.map((pair, n) => `${pair.join("–")} ${written(correlations[n][1], 2)}`);
  const nearest = neighbours.length
    ? [`nearest to ${item} is ${neighbours[0]}, ${written(cosines[0], 2)}`]
    : [];
  return `Rank ${k}: ${[`error ${written(error, 2)}`, ...named, ...nearest].join("; ")}.`;
}

/** A table of numbers whose shade is their size: the second colour is for what is negative. */
function heat(caption, terms, documents, path, digits) {
  const numbers = (i) => documents.map((_, j) => output(`${path}.${i}.${j}`, digits));
  const lines = terms.map((name, i) => [name, ...numbers(i)]);
  const { node, heads, rows } = table(`heat ${path}`, caption, ["word", ...documents], lines);
  const mark = (chosen) => {
    rows.forEach((row, i) => row.classList.toggle("read", terms[i] === chosen));
    documents.forEach((name, j) => heads[j + 1].classList.toggle("read", name === chosen));
  };
  const shade = (matrix, most) =>
    matrix.forEach((row, i) =>
      row.forEach((value, j) => {
        const cell = rows[i].cells[j + 1];
        const weight = Math.min(1, (Math.abs(value) / most) ** 0.75); // small ones still show
        cell.style.setProperty("--weight", weight.toFixed(3));
        cell.classList.toggle("minus", value < -0.005);
      }),
    );
  return { node, mark, shade };
}

const measure = (name, ...value) =>
  element("div", {}, element("dt", {}, name), element("dd", {}, ...value));

function render({ model, el }) {
  const get = (name) => model.get(name);
  const [terms, documents, titles, s] = ["terms", "documents", "titles", "s"].map(get);
  const before = heat("the counts", terms, documents, "X", 0);
  const rebuilt = ["rebuilt from ", output("k"), ` of ${s.length} patterns`];
  const after = heat(rebuilt, terms, documents, "reconstruction", 2);
  const most = Math.max(...get("X").flat());
  before.shade(get("X"), most);

  const bars = s.map((value, a) => {
    const style = `--height: ${value / s[0]}`;
    const onclick = () => change(model, { k: a + 1 });
    return element("li", { style, onclick }, output(`singular_values.${a}`, 2));
  });
  const longest = Math.min(SHOWN, Math.max(terms.length, documents.length) - 1);
  const ranked = Array.from({ length: longest }, (_, n) => [
    [output(`neighbours.${n}`)],
    output(`cosines.${n}`, 2),
    output(`counted.${n}`, 2),
  ]);
  const near = table(
    "near",
    ["cosine with ", output("item")],
    ["nearest at rank k", "at rank k", "in the counts"],
    ranked,
  );
  const correlations = get("pairs").map(([a, b], n) => [
    `${a} – ${b}`,
    output(`correlations.${n}.0`, 2),
    output(`correlations.${n}.1`, 2),
  ]);
  const heads = ["terms", "in the counts", "rebuilt"];
  const pairs = table("pairs", "correlation of two rows", heads, correlations);

  function draw({ reconstruction, neighbours, cosines }, { k, item }) {
    before.mark(item);
    after.mark(item);
    after.shade(reconstruction, most);
    bars.forEach((bar, a) => bar.classList.toggle("kept", a < k));
    near.rows.forEach((row, n) => {
      row.hidden = n >= neighbours.length;
      row.style.setProperty("--weight", Math.max(0, cosines[n] ?? 0));
    });
  }

  const items = [
    ["terms", terms.map((name) => [name, name])],
    ["documents", documents.map((name, j) => [name, `${name} · ${titles[j]}`])],
  ];
  const spectrum = element("ol", { class: "bars", "aria-label": "singular values" }, ...bars);
  const parts = [
    block(
      "columns spectrum",
      block("", spectrum, range(model, "k", "Rank k", { min: 1, max: s.length })),
      element(
        "dl",
        { class: "measures" },
        measure("energy kept", output("energy", 1), " %"),
        measure("error", output("error", 2)),
      ),
    ),
    block("columns matrices", before.node, after.node),
    select(model, "item", "Neighbours of", items),
    block("columns", near.node, pairs.node),
  ];
  return live({ model, el }, { name: "lsa-rank", parts, traits, answer, draw, spoken });
}

export default { render };
