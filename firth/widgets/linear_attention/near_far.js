import { block, change, element, live, output, range, select, table, written } from "../controls.js";
import { MOST, edge, mapped, shades, spectra } from "./shades.js";
import { svd } from "../svd.js";
import { dot, lowRank } from "../tensor.js";
import { once } from "../weights.js";

export const traits = ["matrices", "name", "k", "r", "made"];

const WIDEST = 12; // the reach of k
const MADE = [
  ["rest", "the rest, A − D"],
  ["whole", "all of A"],
];
const OPTIONS = {
  "one back": "a head: one back",
  near: "a head: neighbours",
  far: "a head: anywhere",
};

const flat = (A, B) => A.reduce((sum, row, i) => sum + dot(row, B[i]), 0);
const total = (x) => x.reduce((sum, value) => sum + value, 0);
const length = (s) => Math.sqrt(dot(s, s));

/** What is stored, as a matrix with its singular vectors; computed once. */
const opened = once(({ rows }) => {
  const A = mapped(rows, (value) => value / 1e4);
  return { A, parts: svd(A), rests: new Map() };
});

/** D: what lies within k places of the diagonal. */
export const band = (A, k) => mapped(A, (value, i, j) => (Math.abs(i - j) <= k ? value : 0));

/** The singular vectors of A − D; computed once for each band. */
function rest(A, rests, k) {
  if (!rests.has(k)) rests.set(k, svd(mapped(A, (a, i, j) => (Math.abs(i - j) <= k ? 0 : a))));
  return rests.get(k);
}

/** How many entries of n × n lie within k places of the diagonal. */
export const inside = (n, k) => n * (2 * k + 1) - k * (k + 1);

/** w₁ and w₂: not below 0, and no other pair comes nearer to A. */
export function weights(A, D, L) {
  const [dd, ll, dl, da, la] = [flat(D, D), flat(L, L), flat(D, L), flat(D, A), flat(L, A)];
  const det = dd * ll - dl * dl;
  if (det > 1e-12 * dd * ll) {
    const both = [(da * ll - la * dl) / det, (la * dd - da * dl) / det];
    if (Math.min(...both) >= 0) return both;
  }
  const alone = [[da, dd], [la, ll]].map(([a, b]) => (b > 0 ? Math.max(0, a / b) : 0));
  const gains = [alone[0] ** 2 * dd, alone[1] ** 2 * ll];
  return gains[0] > gains[1] ? [alone[0], 0] : [0, alone[1]];
}

/** Near, far, their weights, what they miss, and what a band or a rank alone would miss. */
export function answer({ matrices, name, k, r, made }) {
  const matrix = matrices.find((one) => one.name === name);
  const { A, parts, rests } = opened(matrix);
  const [n, D, left] = [A.length, band(A, k), rest(A, rests, k)];
  const { U, s, Vt } = made === "rest" ? left : parts;
  const L = r ? lowRank(U, s, Vt, r) : mapped(A, () => 0);
  const [w1, w2] = weights(A, D, L);
  const size = length(A.flat());
  const missed = (B) => (100 * length(A.flatMap((row, i) => row.map((a, j) => a - B[i][j])))) / size;
  const [near, far] = [inside(n, k), 2 * n * r];
  const wide = A.findLastIndex((_, q) => inside(n, q) <= near + far);
  const rank = Math.min(n, Math.floor((near + far) / (2 * n)));
  const sum = total(A.flat());
  return {
    label: matrix.label,
    n,
    L,
    w1,
    w2,
    error: missed(mapped(D, (d, i, j) => w1 * d + w2 * L[i][j])),
    near,
    far,
    share: (100 * (near + far)) / n ** 2,
    sums: [(100 * w1 * total(D.flat())) / sum, (100 * w2 * total(L.flat())) / sum],
    rivals: {
      band: { size: wide, error: missed(band(A, wide)) },
      rank: { size: rank, error: (100 * length(parts.s.slice(rank))) / size },
    },
    spectra: [parts.s, left.s].map((values) => values.map((value) => value / parts.s[0])),
    left: [parts.s, left.s].map((values) => (100 * length(values.slice(r))) / size),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ label, error, w1, w2, rivals, share }, { k, r }) {
  const both = `A band of ${k} and rank ${r} miss ${written(error, 1)} % of ${label}`;
  const how = `weights ${written(w1, 2)} and ${written(w2, 2)}, ${written(share)} % of its numbers`;
  const alone = ({ size, error }) => `${size} misses ${written(error, 1)} %`;
  return `${both}, ${how}. A band of ${alone(rivals.band)}, rank ${alone(rivals.rank)}.`;
}

function render({ model, el }) {
  const matrices = model.get("matrices");
  const n = matrices[0].rows.length;
  const whole = shades(n, "A: drag the band");
  const near = shades(n, "near: ", output("w1", 2), " D");
  const far = shades(n, "far: ", output("w2", 2), " L");
  const missed = shades(n, "missed: ", output("error", 1), " %");
  const curve = spectra(model, n);
  const choose = ({ clientX, clientY }) => {
    const { left, top, width, height } = whole.plot.getBoundingClientRect();
    const cell = (share) => Math.floor(n * share);
    const away = Math.abs(cell((clientX - left) / width) - cell((clientY - top) / height));
    change(model, { k: Math.min(WIDEST, away) });
  };
  whole.plot.addEventListener("pointerdown", (event) => {
    whole.plot.setPointerCapture(event.pointerId);
    choose(event);
  });
  whole.plot.addEventListener("pointermove", (event) => event.buttons && choose(event));
  whole.node.classList.add("handle");

  const lines = [
    [["band ", output("k"), " and rank ", output("r")], output("error", 1)],
    [["band ", output("rivals.band.size"), " alone"], output("rivals.band.error", 1)],
    [["rank ", output("rivals.rank.size"), " alone"], output("rivals.rank.error", 1)],
  ];
  const caption = ["Of ", output("share"), " % of the numbers"];
  const rivals = table("rivals", caption, ["kept", "missed, %"], lines);

  let painted = null;
  function draw(result, { name, k, r }) {
    const { A } = opened(matrices.find((one) => one.name === name));
    const most = Math.max(...A.flat());
    const D = band(A, k);
    const { L, w1, w2 } = result;
    const [nearer, farther] = [mapped(D, (d) => w1 * d), mapped(L, (l) => w2 * l)];
    if (painted !== name) whole.draw(A, most);
    painted = name;
    near.draw(nearer, most);
    far.draw(farther, most);
    missed.draw(mapped(A, (a, i, j) => a - nearer[i][j] - farther[i][j]), most);
    whole.edges.setAttribute("d", edge(n, k));
    curve.draw(result.spectra, r);
    [result.error, result.rivals.band.error, result.rivals.rank.error].forEach((missing, i) =>
      rivals.rows[i].style.setProperty("--weight", Math.min(1, missing / 100)),
    );
  }

  const parts = [
    block(
      "knobs",
      select(model, "name", "A is", matrices.map(({ name }) => [name, OPTIONS[name] ?? name])),
      select(model, "made", "L is made of", MADE),
      range(model, "k", "Band k", { min: 0, max: WIDEST }),
      range(model, "r", "Rank r", { min: 0, max: MOST }),
    ),
    element("p", { class: "how" }, "A: ", output("label")),
    block("maps", whole.node, near.node, far.node, missed.node),
    block(
      "columns",
      block(
        "picture",
        element(
          "p",
          { class: "how" },
          "Singular values, the largest of A as 1: of ", element("b", { class: "whole" }, "A"),
          ", and of ", element("b", { class: "rest" }, "A − D"), "; to the left of the line, r are kept",
        ),
        curve.node,
      ),
      rivals.node,
    ),
    element(
      "p",
      { class: "said" },
      "Beyond the first ", output("r"), ", ", output("left.0", 1), " % of A lies in A's own directions, and ",
      output("left.1", 1), " % in those that the band leaves.",
    ),
  ];
  return live({ model, el }, { name: "linear-attention-fmm", parts, traits, answer, draw, spoken });
}

export default { render };
