import { block, button, change, element, live, output, range, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { folded, MOST, nearest, next, odds, sampled } from "./letter_model.js";
import { strips } from "../strips.js";
import { network, once } from "../weights.js";

export const traits = [
  ...["alphabet", "weights", "places", "held_out", "elsewhere"],
  ...["prefix", "tau", "seed", "chosen", "read"],
];

const [DRAWN, SHOWN, LONGEST] = [10, 9, 20]; // names, letters to come, letters of a beginning
const MUCH = 0.5; // a unit that moves by more has changed
const WORDS = { "\n": "end of name", " ": "blank" }; // symbols that cannot be seen
const VERDICTS = {
  copy: "already exists",
  kept: "exists, was never shown",
  elsewhere: "exists elsewhere",
};

const forms = once((names) => new Set(names.map(folded)));

/** Why a text cannot begin a name; nothing if it can. */
export function refusal(text, alphabet) {
  const strange = [...text].find((letter) => !alphabet.slice(1).includes(letter));
  if (strange) {
    const letters = alphabet.slice(1).join("").trim();
    return `No name in the list has the letter '${strange}': use ${letters}.`;
  }
  return text.length > LONGEST ? `A beginning may have ${LONGEST} letters: shorten it.` : "";
}

/** The hidden states after the border and after each letter of a text. */
function hiddenStates(text, alphabet, net) {
  const rows = [];
  for (const letter of [alphabet[0], ...text]) {
    const before = rows.at(-1) ?? new Float64Array(net.O[0].length);
    rows.push(next(alphabet.indexOf(letter), before, net));
  }
  return rows;
}

/** Ten names, what is known of each, and what the network keeps of the letters of one of them. */
export function answer(state) {
  const { alphabet, weights, places, held_out, elsewhere, prefix, tau, seed, chosen, read } = state;
  const net = network(weights);
  const start = hiddenStates(prefix, alphabet, net).at(-1);
  const names = Array.from({ length: DRAWN }, (_, n) => sampled(DRAWN * seed + n, state, start, net));
  const near = names.map((name) => nearest(name, places));
  const kinds = names.map(folded).map((name) => {
    if (forms(held_out).has(name)) return "kept";
    if (forms(places).has(name)) return "copy";
    return forms(elsewhere).has(name) ? "elsewhere" : "new";
  });
  const after = names[chosen].slice(0, read);
  const hidden = hiddenStates(after, alphabet, net);
  const [h, before] = [hidden.at(-1), hidden.at(-2) ?? hidden.at(-1)];
  const { weights: weight, total } = odds(h, net, tau);
  const share = (x) => (100 * weight[x]) / total;
  const order = alphabet.map((_, x) => x).sort((x, y) => weight[y] - weight[x]);
  const shares = order.slice(0, SHOWN).map(share);
  return {
    names,
    kinds,
    known: kinds.map((kind, n) => VERDICTS[kind] ?? near[n][0]),
    distances: kinds.map((kind, n) => (VERDICTS[kind] ? null : near[n][1])),
    existing: kinds.filter((kind) => kind !== "new").length,
    different: new Set(names).size,
    name: names[chosen],
    after,
    number: after.length,
    hidden: hidden.map((row) => [...row]),
    changed: h.filter((value, k) => Math.abs(value - before[k]) > MUCH).length,
    letters: order.slice(0, SHOWN).map((x) => WORDS[alphabet[x]] ?? alphabet[x]),
    shares,
    rest: 100 - shares.reduce((sum, value) => sum + value, 0),
  };
}

/** What a change comes to, in plain sentences for those who hear the page. */
export function spoken({ names, existing, after, changed, letters, shares }, { tau }) {
  const likely = `${letters[0]} is the most probable next letter, ${written(shares[0])} %`;
  const read = after ? `After ${after}, where the last letter changed ${changed} units, ${likely}` : `At the beginning, ${likely}`;
  return `At τ ${written(tau, 1)}: ${names.join(", ")}. ${existing} of ${names.length} already exist. ${read}.`;
}

/** The hidden state as a strip of cells, and below it a row of cells for each letter read. */
function stateMap() {
  const stretched = (kind, height) =>
    svg("svg", { class: kind, viewBox: `0 0 ${height === 2 ? 32 : 64} 1`, preserveAspectRatio: "none", role: "img" });
  const [now, rows] = [stretched("now", 2), stretched("rows", 1)];
  const side = element("div", { class: "side", "aria-hidden": "true" });
  const node = block("states", now, block("history", side, rows));
  const draw = ({ name, after, hidden }) => {
    const letters = ["start", ...name];
    now.replaceChildren(...strips([hidden.at(-1)], 32, 1));
    rows.setAttribute("viewBox", `0 0 64 ${letters.length}`);
    rows.replaceChildren(...strips(hidden, 64, 1));
    now.setAttribute("aria-label", `The 64 units after ${after || "the start"}`);
    rows.setAttribute("aria-label", `The 64 units after each letter of ${after || "the start"}, a row for each`);
    node.style.setProperty("--rows", letters.length);
    const marked = (letter, t) => element("span", { class: t === after.length ? "now" : t < after.length ? "" : "unread" }, letter);
    side.replaceChildren(...letters.map(marked));
  };
  return { node, draw };
}

function render({ model, el }) {
  const rows = Array.from({ length: DRAWN }, (_, n) => {
    const choose = () => change(model, { chosen: n });
    const name = element("button", { type: "button", onclick: choose }, output(`names.${n}`));
    return [name, output(`known.${n}`), output(`distances.${n}`)];
  });
  const said = [output("existing"), ` of ${DRAWN} already exist; `, output("different"), " different names. Choose one to read it."];
  const heads = ["drawn", "nearest real name", "letters apart"];
  const names = table("names", said, heads, rows);
  const percent = (path) => element("span", {}, output(path, 1), " %");
  const coming = Array.from({ length: SHOWN }, (_, n) => [
    output(`letters.${n}`),
    percent(`shares.${n}`),
  ]);
  const after = element("span", {}, " after ", output("after"));
  const lines = [...coming, ["all others", percent("rest")]];
  const letters = table("coming", ["The next letter", after], ["letter", "share"], lines);
  const map = stateMap();
  const reading = range(model, "read", "Letters read", { min: 0, max: MOST }, "number");
  const slider = reading.querySelector("input");
  const changes = ["Read so far: ", element("b", {}, output("after")), ". The hidden state has 64 units, blue above 0 and orange below. The last letter changed ", output("changed"), " of them by more than 0.5."];

  function draw(result, { chosen }) {
    const { name, after: text, kinds, shares, rest } = result;
    names.rows.forEach((row, n) => {
      row.classList.toggle("new", kinds[n] === "new");
      row.querySelector("button").setAttribute("aria-pressed", n === chosen);
    });
    letters.rows.forEach((row, n) => row.style.setProperty("--weight", (shares[n] ?? rest) / 100));
    after.hidden = !text;
    slider.max = name.length;
    slider.value = text.length;
    slider.setAttribute("aria-valuetext", text || "no letter");
    map.draw(result);
    if (box.value.normalize("NFC") === model.get("prefix")) refuse("");
  }

  // What cannot begin a name is refused in a sentence, and the names stay those of what could.
  const refused = element("p", { class: "refused", role: "status" });
  const refuse = (sentence) => {
    refused.textContent = sentence;
    box.setAttribute("aria-invalid", Boolean(sentence));
  };
  const oninput = () => {
    const text = box.value.normalize("NFC");
    const sentence = refusal(text, model.get("alphabet"));
    refuse(sentence);
    if (!sentence) change(model, { prefix: text });
  };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const box = element("input", { type: "text", "data-trait": "prefix", oninput, ...plain });
  const again = () => change(model, { seed: model.get("seed") + 1 });
  const text = block("control text", element("label", {}, "Begin with", box));
  const limits = { min: 0.2, max: 1.5, step: 0.1 };
  const read = block("", reading, element("p", { class: "how" }, ...changes), map.node);
  const parts = [
    block("bar", text, button("Draw again", again, { class: "first" })),
    refused,
    range(model, "tau", "Temperature τ", limits, "tau", 1),
    names.node,
    block("columns", read, letters.node),
  ];
  return live({ model, el }, { name: "rnn-names", parts, traits, answer, draw, spoken });
}

export default { render };
