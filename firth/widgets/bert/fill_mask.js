import { block, change, element, live, output, select, table, written } from "../controls.js";
import { dequantize } from "../weights.js";
import { blanksChart } from "./likelihood_chart.js";

export const traits = ["words", "rows", "pair", "count", "chart", "word"];

const COUNTS = ["30", "200", "1000", "5000", "all"];
const [TOP, OFFERED, LONGEST] = [8, 8, 40];

/** How many hundredths below 0 each word's log-likelihood is, in either sentence. */
export function hundredths(m, d) {
  const [[mean], [halfGap]] = [m, d].map(dequantize);
  return [-1, 1].map((sign) => mean.map((value, i) => Math.max(0, value + sign * halfGap[i])));
}
const total = (values) => values.reduce((sum, value) => sum + value, 0);

// The same pair is looked at in many ways: its numbers are read, and put in order, once.
let read = {};

function numbers({ words, rows, pair }) {
  if (read.rows !== rows || read.pair !== pair || read.words !== words) {
    const row = rows.find(({ name }) => name === pair);
    const names = words.split(" ");
    const X = hundredths(row.m, row.d);
    const best = (i) => Math.min(X[0][i], X[1][i]);
    const sum = (i) => X[0][i] + X[1][i];
    const order = names.map((_, i) => i).sort((i, j) => best(i) - best(j) || sum(i) - sum(j) || i - j);
    const tops = X.map((x) => names.map((_, i) => i).sort((i, j) => x[i] - x[j] || i - j).slice(0, TOP));
    read = { words, rows, pair, row, names, X, order, tops };
  }
  return read;
}

function correlation(x, y) {
  const centred = (values) => {
    const mean = total(values) / values.length;
    return values.map((value) => value - mean);
  };
  const [a, b] = [centred(x), centred(y)];
  const product = (u, v) => total(u.map((value, i) => value * v[i]));
  const size = Math.sqrt(product(a, a) * product(b, b));
  return size ? product(a, b) / size : null;
}

/** The words shown, those that the first sentence prefers most before the others. */
function ordered({ order, X }, count) {
  const shown = order.slice(0, count === "all" ? order.length : Number(count));
  const gap = (i) => X[1][i] - X[0][i];
  return { shown, sorted: [...shown].sort((i, j) => gap(j) - gap(i) || i - j) };
}

const minus = (hundredths) => written(-hundredths / 100, 2);
const grouped = (n) => n.toLocaleString("en-US");

function pointed({ names, X }, word, sorted) {
  const name = word.trim().toLowerCase();
  const i = names.indexOf(name);
  if (!name || i < 0) {
    const said = name ? `“${name}” is not among the ${grouped(names.length)} words here.` : "";
    return { place: null, said };
  }
  const [x, y] = [X[0][i], X[1][i]];
  const ranks = [x, y].map((own, n) => 1 + X[n].reduce((sum, other) => sum + (other < own), 0));
  const times = Math.exp(Math.abs(y - x) / 100);
  const fixed = times.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const more = x === y ? "as likely in both" : `${fixed} times as likely in the ${x < y ? "first" : "second"}`;
  const place = sorted.indexOf(i);
  return {
    place: place < 0 ? null : place,
    said: `${name}: log-likelihood ${minus(x)} in the first sentence (place ${grouped(ranks[0])}), ${minus(y)} in the second (place ${grouped(ranks[1])}); ${more}.`,
  };
}

/** The likeliest words of both sentences, those that differ most, and how alike the two are. */
export function answer({ words, rows, pair, count, word }) {
  const known = numbers({ words, rows, pair });
  const { row, names, X, tops } = known;
  const { shown, sorted } = ordered(known, count);
  const below = X.map((x) => shown.map((i) => x[i]));
  const most = [sorted.slice(0, TOP), sorted.slice(-TOP).reverse()];
  const gap = (i) => (X[1][i] - X[0][i]) / 100;
  return {
    first: row.a,
    second: row.b,
    total: names.length,
    shown: shown.length,
    masses: below.map((values) => 100 * total(values.map((hundredths) => Math.exp(-hundredths / 100)))),
    r: correlation(...below),
    apart: total(shown.map((i) => Math.abs(gap(i)))) / shown.length,
    tops: tops.map((top) => top.map((i) => names[i])),
    top_values: tops.map((top, n) => top.map((i) => -X[n][i] / 100)),
    most: most.map((ends) => ends.map((i) => names[i])),
    most_by: [most[0].map(gap), most[1].map((i) => -gap(i))],
    ...pointed(known, word, sorted),
  };
}

/** A point for each word shown: its place in the list, and log p in both sentences. */
export function points({ words, rows, pair, count }) {
  const known = numbers({ words, rows, pair });
  const { X, names } = known;
  const at = (i) => ({ name: names[i], x: -X[0][i] / 100, y: -X[1][i] / 100 });
  return ordered(known, count).sorted.map(at);
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ said, shown, most, r }, { pair }) {
  const ends = `most in the first: ${most[0].slice(0, 3).join(", ")}; most in the second: ${most[1].slice(0, 3).join(", ")}`;
  return said || `${pair}, ${grouped(shown)} words: ${ends}; correlation ${r === null ? "none" : written(r, 2)}.`;
}

/** A box for a word, with the words here that begin as what is typed. */
function finder(model, names) {
  const list = element("datalist", { id: `blanks-${Math.random().toString(36).slice(2)}` });
  const take = ({ target }) => change(model, { word: target.value });
  const offer = (event) => {
    const typed = event.target.value.trim().toLowerCase();
    const offered = typed ? names.filter((name) => name.startsWith(typed)).slice(0, OFFERED) : [];
    list.replaceChildren(...offered.map((value) => element("option", { value })));
    if (names.includes(typed) || !typed) take(event); // else wait until the word is whole
  };
  const box = element("input", {
    ...{ type: "text", "data-trait": "word", list: list.id, maxlength: LONGEST, size: 10 },
    ...{ autocomplete: "off", autocapitalize: "none", spellcheck: "false" },
    ...{ oninput: offer, onchange: take },
  });
  return block("control", element("label", {}, "Find a word", box), list);
}

function render({ model, el }) {
  const rows = model.get("rows");
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const named = (kind) => rows.filter((row) => row.kind === kind).map(({ name }) => [name, name]);
  const point = (word) => word !== model.get("word") && change(model, { word });
  const chart = blanksChart(point);
  const slider = element("input", {
    ...{ type: "range", min: 0, step: 1, "aria-label": "word, from the first sentence's to the second's" },
    oninput: ({ target }) => point(cloud[Number(target.value)].name),
  });
  const wanted = (n) => element("span", { class: n ? "second" : "first" }, n ? "second" : "first");
  const lines = (...lists) =>
    Array.from({ length: TOP }, (_, n) => [
      `${n + 1}`,
      ...lists.flatMap(([words, values]) => [0, 1].flatMap((side) => [output(`${words}.${side}.${n}`), output(`${values}.${side}.${n}`, 1)])),
    ]);
  const heads = (value) => ["place", ["in the ", wanted(0)], value, ["in the ", wanted(1)], value];
  const likely = table("ends", "Likeliest of all", heads("log p"), lines(["tops", "top_values"]));
  const differing = table("ends", "Of those shown, how much likelier than in the other sentence", heads("by"), lines(["most", "most_by"]));
  let cloud = [];

  function draw({ place, shown }, state) {
    cloud = points(state);
    chart.draw(cloud, place, state.chart);
    slider.max = shown - 1;
    slider.value = place ?? Math.floor(shown / 2);
    slider.setAttribute("aria-valuetext", place === null ? "none" : cloud[place].name);
  }

  const sentence = (name) => element("p", { class: `sentence ${name}` }, output(name));
  const parts = [
    block(
      "choices",
      select(model, "pair", "Pair", kinds.map((kind) => [kind, named(kind)])),
      select(model, "count", "Words", COUNTS.map((count) => [count, count])),
      select(model, "chart", "Chart", ["likelihoods", "differences"].map((name) => [name, name])),
    ),
    block("both", sentence("first"), sentence("second")),
    block(
      "columns",
      block("picture", chart.node, slider, block("finding", finder(model, model.get("words").split(" ")))),
      block("lists", differing.node, likely.node),
    ),
    element("p", { class: "said" }, output("said")),
    element(
      "p",
      { class: "soft" },
      "Shown: ", output("shown"), " of ", output("total"), " words, with ", output("masses.0", 0), " % and ", output("masses.1", 0),
      " % of the probability; correlation ", output("r", 2), ", mean difference ", output("apart", 2), " nats.",
    ),
  ];
  return live({ model, el }, { name: "bert-blanks", parts, traits, answer, draw, spoken });
}

export default { render };
