import { block, button, change, element, live, output, table, written } from "../controls.js";
import { spelledLike } from "../spelling.js";
import { dequantize } from "../weights.js";

export const traits = ["words", "vectors", "examples", "a", "b", "c", "exclude"];

const [SHOWN, LONGEST, OFFERED] = [10, 40, 8];

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
    const none = { best: filled([]), cosines: filled([]), with_b: filled([]), with_c: filled([]) };
    return { suggested, expected, rank: null, ...none, said };
  }
  const [from, to, start] = asked.map((word) => place.get(word));
  const target = unit(X[to].map((value, i) => value - X[from][i] + X[start][i]));
  const near = X.map((row) => product(row, target));
  const order = names.map((_, i) => i).sort((i, j) => near[j] - near[i]);
  const others = order.filter((i) => ![from, to, start].includes(i)).slice(0, order.length - 3);
  const found = exclude ? others : order;
  const rank = found.indexOf(place.get(expected));
  const best = found.slice(0, SHOWN);
  return {
    suggested,
    expected,
    rank: rank < 0 ? null : rank + 1,
    best: filled(best.map((i) => names[i])),
    cosines: filled(best.map((i) => near[i])),
    with_b: filled(best.map((i) => product(X[i], X[to]))),
    with_c: filled(best.map((i) => product(X[i], X[start]))),
    said: `${asked[0]} is to ${asked[1]} as ${asked[2]} is to ${names[best[0]]}.`,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ said, best, cosines }) {
  const next = best.slice(1, 4).map((word, n) => `${word} ${written(cosines[n + 1], 2)}`);
  return best[0] ? `${said} Cosine ${written(cosines[0], 2)}; then ${next.join(", ")}.` : said;
}

/** A box for a word, with the most frequent words that begin as what is typed. */
function wordBox(model, trait, label, names) {
  const list = element("datalist", { id: `words-${trait}-${Math.random().toString(36).slice(2)}` });
  const take = ({ target }) => change(model, { [trait]: target.value });
  const offer = (event) => {
    const typed = event.target.value.trim().toLowerCase();
    const offered = typed ? names.filter((name) => name.startsWith(typed)).slice(0, OFFERED) : [];
    list.replaceChildren(...offered.map((value) => element("option", { value })));
    if (names.includes(typed)) take(event); // else wait until the word is whole
  };
  const box = element("input", {
    ...{ type: "text", "data-trait": trait, list: list.id, maxlength: LONGEST, size: 10 },
    ...{ autocomplete: "off", autocapitalize: "none", spellcheck: "false" },
    ...{ oninput: offer, onchange: take },
  });
  return element("label", { class: "word" }, element("span", {}, label), box, list);
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
  const left = element("label", { class: "leave" }, toggle, "leave out the three words asked with");
  const lines = Array.from({ length: SHOWN }, (_, n) => [
    [output(`best.${n}`)],
    output(`cosines.${n}`, 2),
    output(`with_b.${n}`, 2),
    output(`with_c.${n}`, 2),
  ]);
  const sum = ["to ", output("b"), " − ", output("a"), " + ", output("c")];
  const heads = ["nearest", sum, ["to ", output("b")], ["to ", output("c")]];
  const near = table("near", "The ten nearest words, and their cosine", heads, lines);
  const hints = block("bar hints");
  const people = [output("expected"), ", which comes in place ", output("rank"), "."];
  const hope = element("p", { class: "soft" }, "People would say ", ...people);

  function draw({ best, cosines, suggested, expected, rank }, { a, b, c, exclude }) {
    toggle.checked = exclude;
    hope.hidden = !expected || rank === null;
    near.node.hidden = !best[0];
    said.classList.toggle("unknown", !best[0]);
    const asked = [a, b, c].map((word) => word.trim().toLowerCase());
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
  const parts = [
    block("bar examples", ...examples),
    block("asking", a, b, c, left),
    said,
    hints,
    hope,
    near.node,
  ];
  return live({ model, el }, { name: "word2vec-analogy", parts, traits, answer, draw, spoken });
}

export default { render };
