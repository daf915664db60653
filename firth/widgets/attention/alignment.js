import { block, button, change, element, live, output } from "../controls.js";
import { written } from "../controls.js";
import { correctWords, digitPairs, germanWords, translation } from "./seq2seq.js";

export const traits = ["english", "german", "weights", "one_vector", "network", "number", "word"];

const NETWORKS = ["one vector", "attention"];
const LONGEST = 12; // pairs
const EXAMPLES = [
  ["2 pairs", "24 17"],
  ["6 pairs", "24 17 55 62 39 86"],
  ["10 pairs", "24 17 55 62 39 86 42 05 93 60"],
];

/** Why a text is not a number of at most 12 pairs, as a sentence; empty if it is one. */
export function refusal(text) {
  const digits = [...text.replace(/\s/gu, "")];
  if (!digits.length) return "There is no number: type digits, such as 42 17 05.";
  const strange = digits.find((letter) => !"0123456789".includes(letter));
  if (strange) return `A telephone number is made of digits, and “${strange}” is none.`;
  const n = digits.length;
  if (n % 2) return `Digits are read in pairs, and ${n} is odd: add or drop one.`;
  return n > 2 * LONGEST ? `This view reads up to ${LONGEST} pairs, not ${n / 2}: shorten the number.` : "";
}

/** The English, German and right words, the attention weights, and those of one word. */
export function answer(state) {
  const right = germanWords(state.number, state.german);
  const both = NETWORKS.map((name) => translation(state.number, state, name));
  const marks = both.map(({ written }) => correctWords(written, right));
  const chosen = NETWORKS.indexOf(state.network);
  const { source, written, weights } = both[chosen];
  const correct = marks[chosen];
  const attention = chosen ? weights : written.map(() => source.map(() => 0));
  const at = Math.min(state.word, written.length - 1);
  const row = attention[at] ?? source.map(() => 0);
  const share = Math.max(...row);
  const agreed = correct.filter(Boolean).length;
  return {
    source,
    written,
    right,
    correct,
    found: correctWords(right, written),
    attention,
    at,
    row,
    chosen: written[at] ?? "",
    most: share ? source[row.indexOf(share)] : "",
    share: 100 * share,
    pairs: digitPairs(state.number).length,
    wrong: written.length - agreed,
    missing: right.length - agreed,
    scores: Object.fromEntries(
      NETWORKS.map((name, i) => [name, `${marks[i].filter(Boolean).length} of ${right.length}`]),
    ),
  };
}

const words = (n, what) => `${n} ${n === 1 ? "word is" : "words are"} ${what}`;

/** How many words are wrong or missing, as a sentence. */
export function verdictOf({ right, wrong, missing }) {
  if (!wrong && !missing) return `All ${right.length} words are right.`;
  const faults = [wrong && words(wrong, "wrong"), missing !== wrong && missing && words(missing, "missing")];
  return `${faults.filter(Boolean).join(", ")}.`;
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken(shown) {
  const { chosen, most, share, written: words } = shown;
  const look = chosen && most ? `At ${chosen}, the decoder attends to ${most} with ${written(share)} %. ` : "";
  return `${words.join(" ") || "The network writes nothing"}. ${look}${verdictOf(shown)}`;
}

/** The number that a word stands for, such as 20 for *zwanzig*; and *und* has a plus sign. */
function digits(word, { english, german }) {
  const [i, j] = [english.indexOf(word), german.indexOf(word)];
  if (word === "und") return "+";
  const k = i > 0 ? i - 1 : j === 11 ? 1 : j > 12 ? j - 3 : j - 1;
  return k < 20 ? k : 10 * (k - 18);
}

/** A line of words with their numbers above; those that are not `good` are elements of `kind`. */
function line(name, list, good, kind, state) {
  const above = (word) => element("ruby", {}, word, element("rt", {}, digits(word, state)));
  const spans = list.map((word, i) => element(good[i] ? "span" : kind, {}, above(word)));
  const spaced = spans.flatMap((span) => [" ", span]);
  return [element("b", {}, name), ...spaced];
}

/** The picture of one translation: bars over the English words, and a row for each German one. */
function picture(model, { source, written: words, attention, correct }, group) {
  const bars = source.map(() => element("td", {}, element("i")));
  const heads = source.map((word) => element("th", { scope: "col" }, element("span", {}, word)));
  const radios = words.map((_, word) => {
    const onchange = () => change(model, { word });
    return element("input", { type: "radio", name: group, value: word, onchange });
  });
  const rows = words.map((word, t) => {
    const label = element("label", {}, radios[t], element(correct[t] ? "span" : "s", {}, word));
    const cells = attention[t].map((weight, j) => {
      const title = `${word} ← ${source[j]}: ${written(100 * weight)} %`;
      return element("td", { style: `--weight: ${weight.toFixed(3)}`, title });
    });
    const onclick = () => change(model, { word: t });
    return element("tr", { onclick }, element("th", { scope: "row" }, label), ...cells);
  });
  const chosen = element("th", { scope: "row" });
  const top = [element("tr", { class: "bars" }, chosen, ...bars)];
  top.push(element("tr", { class: "heads" }, element("td"), ...heads));
  const parts = [element("thead", {}, ...top), element("tbody", {}, ...rows)];
  return { parts, bars, heads, radios, rows, chosen };
}

function render({ model, el }) {
  const [source, german, right] = ["en", "de", "de"].map((lang) => element("p", { lang }));
  const verdict = element("p", { class: "verdict" });
  const caption = element("caption", {}, "Attention weights: a row for each German word, a column for each English one");
  const heat = element("table", { class: "alignment" }, caption);
  const group = `words.${Math.random()}`;
  let [drawn, view] = ["", null];

  function draw(shown, state) {
    const { number, network } = state;
    const key = `${network} ${shown.source.join(" ")}`;
    networks.forEach((radio) => (radio.checked = radio.value === network));
    heat.hidden = most.hidden = network !== "attention";
    if (key !== drawn) {
      view = picture(model, shown, group);
      heat.replaceChildren(caption, ...view.parts);
      source.replaceChildren(...line("English", shown.source, shown.source, "span", state));
      german.replaceChildren(...line("The network", shown.written, shown.correct, "s", state));
      right.replaceChildren(...line("Right", shown.right, shown.found, "u", state));
      verdict.textContent = verdictOf(shown);
      drawn = key;
    }
    right.hidden = !shown.wrong && !shown.missing;
    view.chosen.textContent = shown.chosen;
    view.bars.forEach((cell, j) => cell.style.setProperty("--weight", shown.row[j].toFixed(3)));
    const best = shown.row.indexOf(Math.max(...shown.row));
    view.heads.forEach((head, j) => head.classList.toggle("read", j === best));
    view.rows.forEach((row, t) => row.classList.toggle("read", t === shown.at));
    view.radios.forEach((radio, t) => (radio.checked = t === shown.at));
    if (box.value === number) refuse("");
  }

  // What is no number is refused in a sentence, and the picture stays that of the last one.
  const refused = element("p", { class: "refused", role: "status" });
  const refuse = (sentence) => {
    refused.textContent = sentence;
    box.setAttribute("aria-invalid", Boolean(sentence));
  };
  const oninput = () => {
    const sentence = refusal(box.value);
    refuse(sentence);
    if (!sentence) change(model, { number: box.value });
  };
  const plain = { autocomplete: "off", inputmode: "numeric", spellcheck: "false" };
  const box = element("input", { type: "text", "data-trait": "number", oninput, ...plain });
  const text = block("control text", element("label", {}, "A number", box));
  const choose = (number) => () => {
    box.value = number;
    change(model, { number });
  };
  const examples = EXAMPLES.map(([name, number]) => button(name, choose(number)));
  const most = element("p", { class: "at" });
  most.append("At ", output("chosen"), " the decoder attends most to ", output("most"));
  most.append(", with ", output("share"), " % of the weight.");
  const name = `network.${Math.random()}`;
  const networks = NETWORKS.map((network) => {
    const onchange = () => change(model, { network });
    return element("input", { type: "radio", name, value: network, onchange });
  });
  const labels = networks.map((radio) =>
    element("label", {}, radio, `${radio.value}: `, output(`scores.${radio.value}`), " words right"),
  );
  const legend = element("legend", {}, "The decoder gets");
  const parts = [
    block("bar", text, ...examples),
    element("fieldset", { class: "networks" }, legend, ...labels),
    refused,
    block("texts", source, german, right, verdict),
    most,
    heat,
  ];
  return live({ model, el }, { name: "attention-alignment", parts, traits, answer, draw, spoken });
}

export default { render };
