import { askedFiles } from "../asked_files.js";
import { block, button, change, element, live, output, table, written } from "../controls.js";
import { spelledLike } from "../spelling.js";
import { rounded } from "../tensor.js";
import { dequantize, once } from "../weights.js";
import { wordBox } from "../word_box.js";
import { dotMap } from "./dot_map.js";

export const traits = ["words", "places", "space", "examples", "word", "zoom"];

const [SHOWN, DIGITS] = [10, 9];
const FILE = "word2vec/map/vectors.json";
const DOWNLOAD = "0.5 MB"; // compressed, as a site sends it

/** The vectors of a space, each with length 1. */
const directions = once(({ vectors }) =>
  dequantize(vectors).map((x) => {
    const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
    return x.map((value) => value / length);
  }),
);

/** The numbers of the n largest values; of equal ones, the earlier; `except` is left out. */
function largest(values, n, except) {
  const order = values.map((_, i) => i).filter((i) => i !== except);
  return order.sort((i, j) => values[j] - values[i] || i - j).slice(0, n);
}

function unknown(word, suggested, n) {
  if (!word) return "Type a word.";
  const mean = suggested.length ? ` Did you mean ${suggested.join(" or ")}?` : "";
  return `“${word}” is not among the ${n.toLocaleString("en-GB")} words of this map.${mean}`;
}

/** The ten words nearest to a word. */
export function answer({ words, space, word: typed }) {
  const names = words.split(" ");
  const rows = space.rows ?? names.map((_, i) => i);
  const word = space.rows ? names[rows[0]] : typed.trim().toLowerCase();
  const filled = (values) => [...values, ...Array(SHOWN - values.length).fill(null)];
  if (!names.includes(word)) {
    const [near, farther] = [1, 2].map((most) => (word ? spelledLike(word, names, most) : []));
    const suggested = near.length ? near : farther;
    const none = { found: "", best: filled([]), cosines: filled([]), ids: [] };
    return { ...none, said: unknown(word, suggested, names.length), suggested };
  }
  const X = directions(space);
  const i = space.rows ? 0 : names.indexOf(word);
  const cosines = X.map((x) => {
    let product = 0;
    for (let j = 0; j < x.length; j++) product += x[j] * X[i][j];
    return rounded(product, DIGITS);
  });
  const order = largest(cosines, SHOWN, i);
  const best = order.map((j) => names[rows[j]]);
  return {
    found: word,
    best: filled(best),
    cosines: filled(order.map((j) => cosines[j])),
    ids: [i, ...order].map((j) => rows[j]),
    said: `The word nearest to ${word} is ${best[0]}.`,
    suggested: [],
  };
}

/** What a change comes to, for those who hear the page. */
export function spoken({ said, best, cosines }) {
  if (!best[0]) return said;
  const next = best.slice(1, 4).filter(Boolean);
  const others = next.map((word, n) => `${word} ${written(cosines[n + 1], 2)}`).join(", ");
  return `${said} Cosine ${written(cosines[0], 2)}${others ? `; then ${others}` : ""}.`;
}

function render({ model, el }) {
  const names = model.get("words").split(" ");
  const visit = (word) => change(model, { word });
  const files = askedFiles(model, (space) => model.set("space", space));
  const want = () => model.get("space").rows && files.want({ file: FILE });
  const map = dotMap(names, model.get("places"), visit);
  const toggle = element("input", {
    type: "checkbox",
    onchange: ({ target }) => change(model, { zoom: target.checked }),
  });
  const zoom = element("label", { class: "zoom" }, toggle, "zoom in on the neighbours");
  const go = (n) => {
    const word = output(`best.${n}`);
    return button(word, () => visit(word.textContent), { class: "go" });
  };
  const lines = Array.from({ length: SHOWN }, (_, n) => [[go(n)], output(`cosines.${n}`, 2)]);
  const near = table("near", "The ten nearest words", ["word", "cosine"], lines);
  const hints = block("bar hints");

  function draw({ found, best, cosines, ids, suggested }, state) {
    toggle.checked = state.zoom;
    near.rows.forEach((row, n) => {
      row.hidden = !best[n];
      row.style.setProperty("--weight", Math.max(0, cosines[n] ?? 0));
    });
    near.node.hidden = !best[0];
    said.classList.toggle("unknown", !best[0]);
    hints.replaceChildren(...suggested.map((word) => button(word, () => visit(word))));
    hints.hidden = !suggested.length;
    map.draw(ids, found && state.zoom);
  }

  const said = element("p", { class: "said" }, output("said"));
  const chips = model.get("examples").map((word) => button(word, () => visit(word)));
  const asking = block("asking", wordBox(model, "word", "A word", names), block("bar chips", ...chips));
  const about = [
    "Each dot is one of the ", names.length.toLocaleString("en-GB"), " most frequent words; click one. ",
    "Near dots are similar words. Distances across the map mean nothing. ",
    "The list compares all numbers of the vectors.",
  ];
  const how = element("p", { class: "how" }, ...about);
  const side = block("side", said, near.node, hints, files.node);
  const parts = [asking, block("columns", block("picture", map.node, zoom), side), how];
  const release = live({ model, el }, { name: "word2vec-map", parts, traits, answer, draw, spoken });
  if (model.get("space").rows) files.tell(`Choose another word, and the vectors are loaded (${DOWNLOAD}).`);
  model.on("change:word", want);
  return () => {
    model.off("change:word", want);
    files.release();
    release();
  };
}

export default { render };
