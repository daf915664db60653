import { block, button, change, element, live, output, range, table } from "../controls.js";
import { written } from "../controls.js";
import { folded, nearest, next, odds, sampled } from "./letter_model.js";
import { network, once } from "../weights.js";

export const traits = [
  ...["alphabet", "weights", "places", "held_out", "elsewhere"],
  ...["prefix", "tau", "seed"],
];

const [DRAWN, SHOWN, LONGEST] = [10, 9, 20]; // names, letters to come, letters of a beginning
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

/** Ten names, what is known of each, and the letters that could follow the beginning. */
export function answer(state) {
  const { alphabet, weights, places, held_out, elsewhere, prefix, tau, seed } = state;
  const net = network(weights);
  const read = [0, ...[...prefix].map((letter) => alphabet.indexOf(letter))];
  const h = read.reduce((h, x) => next(x, h, net), new Float64Array(net.O[0].length));
  const names = Array.from({ length: DRAWN }, (_, n) => sampled(DRAWN * seed + n, state, h, net));
  const near = names.map((name) => nearest(name, places));
  const kinds = names.map(folded).map((name) => {
    if (forms(held_out).has(name)) return "kept";
    if (forms(places).has(name)) return "copy";
    return forms(elsewhere).has(name) ? "elsewhere" : "new";
  });
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
    letters: order.slice(0, SHOWN).map((x) => WORDS[alphabet[x]] ?? alphabet[x]),
    shares,
    rest: 100 - shares.reduce((sum, value) => sum + value, 0),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ names, existing, letters, shares }, { prefix, tau }) {
  const after = prefix ? `after ${prefix}` : "at the beginning";
  const likely = `${letters[0]} is likeliest, ${written(shares[0])} %`;
  return `At τ ${written(tau, 1)}: ${names.join(", ")}. ${existing} of ${names.length} already exist; ${after}, ${likely}.`;
}

function render({ model, el }) {
  const rows = Array.from({ length: DRAWN }, (_, n) => [
    output(`names.${n}`),
    output(`known.${n}`),
    output(`distances.${n}`),
  ]);
  const said = [output("existing"), ` of ${DRAWN} already exist; `, output("different")];
  const heads = ["drawn", "nearest real name", "letters apart"];
  const names = table("names", [...said, " different names"], heads, rows);
  const percent = (path) => element("span", {}, output(path, 1), " %");
  const coming = Array.from({ length: SHOWN }, (_, n) => [
    output(`letters.${n}`),
    percent(`shares.${n}`),
  ]);
  const after = element("span", {}, " after ", output("prefix"));
  const lines = [...coming, ["all others", percent("rest")]];
  const letters = table("coming", ["The next letter", after], ["letter", "share"], lines);

  function draw({ kinds, shares, rest }, { prefix }) {
    names.rows.forEach((row, n) => row.classList.toggle("new", kinds[n] === "new"));
    letters.rows.forEach((row, n) => row.style.setProperty("--weight", (shares[n] ?? rest) / 100));
    after.hidden = !prefix;
    if (box.value.normalize("NFC") === prefix) refuse("");
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
  const parts = [
    block("bar", text, button("Draw again", again, { class: "first" })),
    refused,
    range(model, "tau", "Temperature τ", limits, "tau", 1),
    block("columns", names.node, letters.node),
  ];
  return live({ model, el }, { name: "rnn-names", parts, traits, answer, draw, spoken });
}

export default { render };
