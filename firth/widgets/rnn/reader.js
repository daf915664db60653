import { block, button, change, element, live, output, select, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { strips } from "../strips.js";
import { dot } from "../tensor.js";

export const traits = [
  ...["vocabulary", "plural_verbs", "singular_verbs", "sentences", "phrases"],
  ...["W", "U", "b", "O", "o", "sentence", "more"],
];

const [LONGEST, SHOWN] = [20, 3]; // words of a sentence, most probable next words
const total = (list) => list.reduce((sum, value) => sum + value, 0);

/** The hidden states after the full stop and after each word, a row for each. */
function statesOf(ids, { W, U, b }) {
  const rows = [];
  for (const x of ids) {
    const before = rows.at(-1) ?? b.map(() => 0);
    rows.push(b.map((bias, k) => Math.tanh(W[k][x] + dot(U[k], before) + bias)));
  }
  return rows;
}

/** The share of each word as the next one, in per cent. */
function sharesOf(h, { O, o }) {
  const scores = O.map((row, k) => dot(row, h) + o[k]);
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  return weights.map((weight) => (100 * weight) / total(weights));
}

/** The hidden state after each word, the most probable next words, and the two forms of the verb. */
export function answer(state) {
  const { vocabulary, plural_verbs, singular_verbs, sentence } = state;
  const read = [vocabulary[0], ...sentence];
  const states = statesOf(read.map((word) => vocabulary.indexOf(word)), state);
  const shares = states.map((h) => sharesOf(h, state));
  const last = shares.at(-1);
  const order = vocabulary.map((_, x) => x).sort((x, y) => last[y] - last[x]);
  const best = shares.map((row) => row.indexOf(Math.max(...row)));
  const all = (verbs) => total(verbs.map((verb) => last[vocabulary.indexOf(verb)]));
  const padded = (list, rest) => [...list, ...Array(LONGEST - sentence.length).fill(rest)];
  return {
    states,
    read: padded(read, ""),
    likely: padded(best.map((x) => vocabulary[x]), ""),
    likely_shares: padded(shares.map((row, t) => row[best[t]]), null),
    top: order.slice(0, SHOWN).map((x) => vocabulary[x]),
    top_shares: order.slice(0, SHOWN).map((x) => last[x]),
    plural: all(plural_verbs),
    singular: all(singular_verbs),
  };
}

/** What a change comes to, in plain sentences for those who hear the page. */
export function spoken({ top, top_shares, plural, singular }, { sentence }) {
  const next = top.map((word, n) => `${word} ${written(top_shares[n])} %`).join(", ");
  const after = sentence.length ? `After ${sentence.join(" ")}` : "At the beginning";
  return `${after}, the next word: ${next}. Plural verbs ${written(plural)} %, singular verbs ${written(singular)} %.`;
}

/** A row for each word read: the word, its hidden state as cells, and what the network expects. */
function rowsOfWords() {
  const rows = Array.from({ length: LONGEST + 1 }, (_, n) => {
    const cells = svg("svg", { viewBox: "0 0 32 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    const share = element("span", { class: "soft" }, " ", output(`likely_shares.${n}`), " %");
    const likely = element("span", { class: "likely" }, output(`likely.${n}`), share);
    return { cells, line: [output(`read.${n}`), cells, likely] };
  });
  const heads = ["read", "hidden state of 32 units", "expects"];
  const { node, rows: lines } = table("words", "Blue cells are above 0, orange ones below", heads, rows.map(({ line }) => line));
  const draw = ({ states }) =>
    rows.forEach(({ cells }, n) => {
      lines[n].hidden = n >= states.length;
      lines[n].classList.toggle("last", n === states.length - 1);
      if (states[n]) cells.replaceChildren(...strips([states[n]], 32, 1));
    });
  return { node, draw };
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const { node, draw: drawn } = rowsOfWords();
  const read = (sentence) => change(model, { sentence: [...sentence] });
  const presets = get("sentences").map((sentence) => button(sentence.join(" "), () => read(sentence)));
  const words = get("vocabulary").slice(1);
  const isVerb = (word) => [...get("plural_verbs"), ...get("singular_verbs")].includes(word);
  const first = words.findIndex(isVerb);
  const groups = [["phrases", get("phrases")], ["nouns", words.slice(0, first)], ["verbs", words.filter(isVerb)]];
  groups.push(["other words", words.slice(first).filter((word) => !isVerb(word))]);
  const choices = groups.map(([name, members]) => [name, members.map((word) => [word, word])]);
  const longer = () => [...get("sentence"), ...get("more").split(" ")];
  const add = button("Read it", () => read(longer()), { class: "first" });
  const undo = button("Take back", () => read(get("sentence").slice(0, -1)));
  const bars = Array.from({ length: SHOWN }, (_, n) => [output(`top.${n}`), element("span", {}, output(`top_shares.${n}`), " %")]);
  const forms = ["plural", "singular"].map((name) => [`all ${name} verbs`, element("span", {}, output(name), " %")]);
  const next = table("next", "The next word", ["word", "share"], [...bars, ...forms]);

  function draw(result, { sentence }) {
    drawn(result);
    add.disabled = longer().length > LONGEST;
    undo.disabled = !sentence.length;
    presets.forEach((preset) => preset.setAttribute("aria-pressed", preset.textContent === sentence.join(" ")));
    const shares = [...result.top_shares, result.plural, result.singular];
    next.rows.forEach((row, n) => row.style.setProperty("--weight", shares[n] / 100));
  }

  const parts = [
    block("bar presets", ...presets),
    block("bar", select(model, "more", "Next", choices), add, undo),
    block("columns", node, next.node),
  ];
  return live({ model, el }, { name: "rnn-reader", parts, traits, answer, draw, spoken });
}

export default { render };
