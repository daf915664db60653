import { change, element, live, output, range, select } from "./controls.js";
import { centred, cosine, lowRank, norm, rounded } from "./tensor.js";

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

/** A table of numbers whose shade is their size: the second colour is for what is negative. */
function heat(caption, terms, documents, path, digits) {
  const cells = terms.map((_, i) => documents.map((_, j) => element("td", {}, output(`${path}.${i}.${j}`, digits))));
  const heads = documents.map((name) => element("th", { scope: "col" }, name));
  const rows = terms.map((name, i) => element("tr", {}, element("th", { scope: "row" }, name), ...cells[i]));
  const head = element("thead", {}, element("tr", {}, element("td"), ...heads));
  const table = element("table", { class: `heat ${path}` }, element("caption", {}, ...caption), head, element("tbody", {}, ...rows));
  const mark = (chosen) => {
    rows.forEach((row, i) => row.classList.toggle("read", terms[i] === chosen));
    heads.forEach((th, j) => th.classList.toggle("read", documents[j] === chosen));
  };
  const shade = (matrix, most) =>
    matrix.forEach((row, i) =>
      row.forEach((value, j) => {
        cells[i][j].style.setProperty("--weight", Math.min(1, (Math.abs(value) / most) ** 0.75).toFixed(3));
        cells[i][j].classList.toggle("minus", value < -0.005);
      }),
    );
  return { table, mark, shade };
}

function render({ model, el }) {
  const [terms, documents, titles, s, pairs] = ["terms", "documents", "titles", "s", "pairs"].map((name) => model.get(name));
  const before = heat(["the counts"], terms, documents, "X", 0);
  const after = heat(["rebuilt from ", output("k"), " of ", `${s.length} patterns`], terms, documents, "reconstruction", 2);

  const most = Math.max(...model.get("X").flat());
  before.shade(model.get("X"), most);

  const bars = s.map((value, a) => {
    const style = `--height: ${value / s[0]}`;
    const onclick = () => change(model, { k: a + 1 });
    return element("li", { style, onclick }, output(`singular_values.${a}`, 2));
  });
  const ranked = Array.from({ length: Math.min(SHOWN, Math.max(terms.length, documents.length) - 1) }, (_, n) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, output(`neighbours.${n}`)),
      element("td", { class: "bar-cell" }, output(`cosines.${n}`, 2)),
      element("td", {}, output(`counted.${n}`, 2)),
    ),
  );
  const headed = (...names) => element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));

  function draw({ reconstruction, neighbours, cosines }, { k, item }) {
    before.mark(item);
    after.mark(item);
    after.shade(reconstruction, most);
    bars.forEach((bar, a) => bar.classList.toggle("kept", a < k));
    ranked.forEach((row, n) => {
      row.hidden = n >= neighbours.length;
      row.style.setProperty("--weight", Math.max(0, cosines[n] ?? 0));
    });
  }

  const correlations = pairs.map(([a, b], n) =>
    element("tr", {}, element("th", { scope: "row" }, `${a} – ${b}`), element("td", {}, output(`correlations.${n}.0`, 2)), element("td", {}, output(`correlations.${n}.1`, 2))),
  );
  const items = [
    ["terms", terms.map((name) => [name, name])],
    ["documents", documents.map((name, j) => [name, `${name} · ${titles[j]}`])],
  ];
  const parts = [
    element(
      "div",
      { class: "columns spectrum" },
      element("div", {}, element("ol", { class: "bars", "aria-label": "singular values" }, ...bars), range(model, "k", "Rank k", { min: 1, max: s.length })),
      element(
        "dl",
        { class: "measures" },
        element("div", {}, element("dt", {}, "energy kept"), element("dd", {}, output("energy", 1), " %")),
        element("div", {}, element("dt", {}, "error"), element("dd", {}, output("error", 2))),
      ),
    ),
    element("div", { class: "columns matrices" }, before.table, after.table),
    select(model, "item", "Neighbours of", items),
    element(
      "div",
      { class: "columns" },
      element("table", { class: "near" }, element("caption", {}, "cosine with ", output("item")), headed("nearest at rank k", "at rank k", "in the counts"), element("tbody", {}, ...ranked)),
      element("table", { class: "pairs" }, element("caption", {}, "correlation of two rows"), headed("terms", "in the counts", "rebuilt"), element("tbody", {}, ...correlations)),
    ),
  ];
  return live({ model, el }, { name: "lsa-rank", parts, traits, answer, draw });
}

export default { render };
