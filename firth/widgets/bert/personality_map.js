import { block, button, change, element, live, output, select, table, written } from "../controls.js";
import { stars } from "./item_map.js";

export const traits = [
  ...["items", "cosines", "answered", "maps", "item", "by", "laid", "colour", "search"],
];

const [SHOWN, LONGEST, OFFERED] = [5, 40, 8];
const FACTORS = ["Agreeableness", "Conscientiousness", "Extraversion", "Neuroticism", "Openness"];
const BY = {
  words: "what the words say",
  answers: "what people answer",
  size: "answers, sign left out",
};
const LAYOUTS = { near: "neighbours lie together", far: "variance is kept" };
const COLOURS = { factor: "the factor", facet: "the item’s facet" };
const key = (item) => (item.key > 0 ? "for" : "against");
const about = (item) => `speaks ${key(item)} ${item.facet}; ${item.factor || "no factor"}`;

/** Thousandths of each pair i > j, as a square table. */
function square(text, n) {
  const rows = Array.from({ length: n }, () => new Float64Array(n));
  const values = text.split(" ");
  for (let i = 0, at = 0; i < n; i++) {
    rows[i][i] = 1;
    for (let j = 0; j < i; j++) rows[i][j] = rows[j][i] = Number(values[at++]) / 1000;
  }
  return rows;
}

const places = (text) => {
  const numbers = text.split(" ").map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
};

// The same texts always give the same tables: they are read once, and not at every change.
let kept = {};

function read({ items, cosines, answered }) {
  if (kept.cosines !== cosines || kept.answered !== answered) {
    const [S, R] = [cosines, answered].map((text) => square(text, items.length));
    const size = R.map((row) => row.map(Math.abs));
    kept = { cosines, answered, S, R, of: { words: S, answers: R, size } };
  }
  return kept;
}

/** How many items have one of their own facet as the nearest, if near(i, j) says how near. */
function told(items, near) {
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    let [best, most] = [i, -Infinity];
    for (let j = 0; j < items.length; j++) {
      const now = j === i ? -Infinity : near(i, j);
      if (now > most) [best, most] = [j, now];
    }
    count += best !== i && items[best].facet === items[i].facet;
  }
  return count;
}

/** The chosen item's nearest, and how many of all items lie nearest to their own facet. */
export function answer(state) {
  const { items, maps, item, by, laid, search } = state;
  const { S, R, of } = read(state);
  const shown = of[by];
  const i = items.findIndex(({ text }) => text === item);
  const others = items.map((_, j) => j).filter((j) => j !== i);
  const best = others.sort((a, b) => shown[i][b] - shown[i][a]).slice(0, SHOWN);
  const X = places(maps[laid][by]);
  const apart = (a, b) => (X[a][0] - X[b][0]) ** 2 + (X[a][1] - X[b][1]) ** 2;
  const sought = search.trim().toLowerCase();
  const has = ({ text, facet, factor }) =>
    [text, facet, factor].some((name) => name.toLowerCase().includes(sought));
  const found = sought ? items.filter(has).map(({ text }) => text) : [];
  const same = items.map((a) => items.filter((b) => a.facet === b.facet).length - 1);
  return {
    about: about(items[i]),
    terms: BY[by],
    near: best.map((j) => items[j].text),
    facets: best.map((j) => items[j].facet),
    keys: best.map((j) => key(items[j])),
    similarities: best.map((j) => S[i][j]),
    correlations: best.map((j) => R[i][j]),
    told: told(items, (a, b) => shown[a][b]),
    told_here: told(items, (a, b) => -apart(a, b)),
    luck: same.reduce((sum, n) => sum + n, 0) / (items.length - 1),
    found,
    said: sought ? `${found.length} of ${items.length} items found.` : "",
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ about, near, similarities, correlations, said }, { item }) {
  const [s, r] = [similarities[0], correlations[0]].map((value) => written(value, 2));
  return `${said} ${item} It ${about}. Nearest: ${near[0]} Cosine ${s}, correlation ${r}.`.trim();
}

function render({ model, el }) {
  const items = model.get("items");
  const choose = (item) => change(model, { item });
  const facets = [...new Set(items.map(({ facet }) => facet))].sort();
  const grouped = facets.map((facet) => [
    facet,
    items.filter((item) => item.facet === facet).map(({ text }) => [text, text]),
  ]);
  const map = stars(items, FACTORS, choose, about);

  const box = element("input", {
    ...{ type: "search", "data-trait": "search", maxlength: LONGEST, autocomplete: "off" },
    oninput: ({ target }) => change(model, { search: target.value }),
  });
  const searching = block("control text", element("label", {}, "Search", box));
  const hits = block("bar hits");

  const walks = Array.from({ length: SHOWN }, (_, n) => {
    const node = button("", () => choose(node.title), { class: "walk" });
    node.append(output(`near.${n}`));
    return node;
  });
  const lines = walks.map((walk, n) => [
    [walk, element("small", {}, output(`keys.${n}`), " ", output(`facets.${n}`))],
    output(`similarities.${n}`, 2),
    output(`correlations.${n}`, 2),
  ]);
  const terms = ["Nearest by ", output("terms")];
  const near = table("near", terms, ["item", "cosine", "corr."], lines);

  function draw(result, state) {
    map.draw(result, state, places(state.maps[state.laid][state.by]));
    walks.forEach((walk, n) => (walk.title = result.near[n]));
    near.rows.forEach((row, n) => {
      const r = result.correlations[n];
      row.style.setProperty("--cosine", Math.max(0, result.similarities[n]));
      row.style.setProperty("--size", Math.abs(r));
      row.classList.toggle("minus", r < 0);
    });
    const offered = result.found.slice(0, OFFERED);
    hits.replaceChildren(...offered.map((text) => button(text, () => choose(text))));
    hits.hidden = !offered.length;
  }

  const here = ["Of ", String(items.length), " items, ", output("told"), " have one of their own "];
  const count = ["facet as the nearest; on this map, ", output("told_here"), "; by luck, "];
  const chosen = element("p", { class: "chosen" }, output("item"));
  const parts = [
    block(
      "knobs",
      select(model, "by", "Map of", Object.entries(BY)),
      select(model, "laid", "Laid so that", Object.entries(LAYOUTS)),
      select(model, "colour", "Colour says", Object.entries(COLOURS)),
      searching,
    ),
    element("p", { class: "said soft" }, output("said", 0, false)),
    hits,
    block(
      "columns",
      map.node,
      block(
        "panel",
        select(model, "item", "Item", grouped),
        chosen,
        element("p", { class: "soft" }, output("about")),
        near.node,
        element("p", { class: "soft" }, ...here, ...count, output("luck", 0), "."),
      ),
    ),
  ];
  return live({ model, el }, { name: "bert-personality", parts, traits, answer, draw, spoken });
}

export default { render };
