import { block, button, change, element, live, output, table, written } from "../controls.js";
import { spelledLike } from "../spelling.js";
import { rounded } from "../tensor.js";
import { dequantize } from "../weights.js";
import { wordBox } from "../word_box.js";
import { analogyPlane } from "./analogy_plane.js";

export const traits = ["words", "vectors", "examples", "a", "b", "c", "exclude"];

const [SHOWN, DIGITS, SMALL] = [10, 9, 1e-6];

function product(x, y) {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i];
  return sum;
}

function unit(x) {
  const length = Math.sqrt(product(x, x));
  return length ? x.map((value) => value / length) : x;
}

// The same table always gives the same arrows of length 1: it is read once, and not at every change of a word.
let kept = {};

function read(words, vectors) {
  if (kept.words !== words || kept.vectors !== vectors) {
    const names = words.split(" ");
    const place = new Map(names.map((name, i) => [name, i]));
    kept = { words, vectors, names, place, X: dequantize(vectors).map(unit) };
  }
  return kept;
}

function unknown(word, suggested, n) {
  if (!word) return "Type a word into each of the three boxes.";
  const where = `is not among the ${n.toLocaleString("en-GB")} words here`;
  return suggested.length ? `“${word}” ${where}. Spelled like it: ${suggested.join(", ")}.` : "";
}

/** x with length 1; zeros if x is nothing but rounding. */
function direction(x) {
  const length = Math.sqrt(product(x, x));
  return x.map((value) => (length > SMALL ? value / length : 0));
}

/** The points of vectors in the plane of a, b and c: a is the origin, b lies on the first axis, c above it. */
function inPlane(a, b, c, vectors) {
  const less = (x, y, times = 1) => x.map((value, i) => value - times * y[i]);
  const first = direction(less(b, a));
  const up = less(c, a);
  const second = direction(less(up, first, product(up, first)));
  return vectors.map((x) => [first, second].map((axis) => rounded(product(less(x, a), axis), DIGITS)));
}

/** The words nearest to b − a + c, or why there are none. */
export function answer({ words, vectors, examples, a, b, c, exclude }) {
  const { names, place, X } = read(words, vectors);
  const asked = [a, b, c].map((word) => word.trim().toLowerCase());
  const suggested = asked.map((word) => (place.has(word) ? [] : spelledLike(word, names)));
  const example = examples.find((four) => asked.every((word, i) => word === four[i]));
  const expected = example?.[3] ?? "";
  const filled = (values) => [...values, ...Array(SHOWN - values.length).fill(null)];
  if (asked.some((word) => !place.has(word))) {
    const lines = asked.map((word, i) => unknown(word, suggested[i], names.length));
    const said = [...new Set(lines.filter(Boolean))].join(" ");
    const none = { best: filled([]), cosines: filled([]), places: filled([]), corners: [], hoped: null };
    return { suggested, expected, rank: null, ...none, said };
  }
  const [from, to, start] = asked.map((word) => place.get(word));
  const end = X[to].map((value, i) => value - X[from][i] + X[start][i]);
  const target = unit(end);
  const near = X.map((row) => product(row, target));
  const order = names.map((_, i) => i).sort((i, j) => near[j] - near[i]);
  const others = order.filter((i) => ![from, to, start].includes(i)).slice(0, order.length - 3);
  const found = exclude ? others : order;
  const rank = found.indexOf(place.get(expected));
  const best = found.slice(0, SHOWN);
  const points = (vectors) => inPlane(X[from], X[to], X[start], vectors);
  return {
    suggested,
    expected,
    rank: rank < 0 ? null : rank + 1,
    hoped: rank < 0 ? null : points([X[found[rank]]])[0],
    corners: points([X[from], X[to], X[start], end]),
    places: filled(points(best.map((i) => X[i]))),
    best: filled(best.map((i) => names[i])),
    cosines: filled(best.map((i) => near[i])),
    said: `${asked[0]} is to ${asked[1]} as ${asked[2]} is to ${names[best[0]]}.`,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ said, best, cosines }) {
  const next = best.slice(1, 4).map((word, n) => `${word} ${written(cosines[n + 1], 2)}`);
  return best[0] ? `${said} Cosine ${written(cosines[0], 2)}; then ${next.join(", ")}.` : said;
}

function render({ model, el }) {
  const names = model.get("words").split(" ");
  const examples = model.get("examples").map(([a, b, c]) =>
    button(`${a} : ${b} :: ${c}`, () => change(model, { a, b, c })),
  );
  const toggle = element("input", {
    type: "checkbox",
    onchange: ({ target }) => change(model, { exclude: target.checked }),
  });
  const left = element("label", { class: "leave" }, toggle, "leave out the three input words");
  const lines = Array.from({ length: SHOWN }, (_, n) => [[output(`best.${n}`)], output(`cosines.${n}`, 2)]);
  const sum = [output("b"), " − ", output("a"), " + ", output("c")];
  const near = table("near", ["The ten words nearest to ", ...sum], ["word", "cosine"], lines);
  const plane = analogyPlane();
  const n = names.length.toLocaleString("en-GB");
  const where = element(
    "p",
    { class: "how" },
    "The drawing is the plane through the three input words and the target; other words are projected onto it. ",
    `The widget knows ${n} words.`,
  );
  const hints = block("bar hints");
  const people = [output("expected"), ", which comes in place ", output("rank"), "."];
  const hope = element("p", { class: "soft" }, "People would say ", ...people);

  function draw(result, { a, b, c, exclude }) {
    const { best, cosines, suggested, expected, rank } = result;
    toggle.checked = exclude;
    hope.hidden = !expected || rank === null;
    view.hidden = !best[0];
    said.classList.toggle("unknown", !best[0]);
    const asked = [a, b, c].map((word) => word.trim().toLowerCase());
    if (best[0]) plane.draw(result, asked);
    near.rows.forEach((row, n) => {
      row.hidden = !best[n];
      row.style.setProperty("--weight", Math.max(0, cosines[n] ?? 0));
      row.classList.toggle("asked", asked.includes(best[n]));
      row.classList.toggle("hoped", Boolean(expected) && best[n] === expected);
    });
    const offers = suggested.flatMap((some, i) =>
      some.map((word) => button(word, () => change(model, { ["abc"[i]]: word }))),
    );
    hints.replaceChildren(...offers);
    hints.hidden = !offers.length;
  }

  const [a, b, c] = [["a", "a"], ["b", "is to b"], ["c", "as c"]].map(([trait, label]) =>
    wordBox(model, trait, label, names),
  );
  const said = element("p", { class: "said" }, output("said"));
  const view = block("columns", plane.node, near.node);
  const parts = [
    block("bar examples", ...examples),
    block("asking", a, b, c, left),
    said,
    hints,
    hope,
    view,
    where,
  ];
  return live({ model, el }, { name: "word2vec-analogy", parts, traits, answer, draw, spoken });
}

export default { render };
