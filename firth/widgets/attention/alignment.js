import { block, button, change, element, live, output } from "../controls.js";
import { written } from "../controls.js";
import { german, kept, pairs, translation } from "./seq2seq.js";

export const traits = ["english", "german", "weights", "one_vector", "network", "number", "word"];

const NETWORKS = ["one vector", "attention"];
const LONGEST = 12; // pairs
const EXAMPLES = [
  ["2 pairs", "24 17"],
  ["6 pairs", "24 17 55 62 39 86"],
  ["10 pairs", "24 17 55 62 39 86 42 05 93 60"],
];

/** Why a text is no number that can be read aloud in pairs; nothing if it is one. */
export function refusal(text) {
  const digits = [...text.replace(/\s/gu, "")];
  if (!digits.length) return "There is no number: type digits, such as 42 17 05.";
  const strange = digits.find((letter) => !"0123456789".includes(letter));
  if (strange) return `A telephone number is made of digits, and “${strange}” is none.`;
  const n = digits.length;
  if (n % 2) return `Digits are read in pairs, and ${n} is odd: add or drop one.`;
  return n > 2 * LONGEST ? `This view reads up to ${LONGEST} pairs, not ${n / 2}: shorten the number.` : "";
}

/** The words heard, said and right, where the decoder looked, and what it saw at one word. */
export function answer(state) {
  const right = german(state.number, state.german);
  const both = NETWORKS.map((name) => translation(state.number, state, name));
  const marks = both.map(({ said }) => kept(said, right));
  const chosen = NETWORKS.indexOf(state.network);
  const { heard, said, weights } = both[chosen];
  const good = marks[chosen];
  const looks = chosen ? weights : said.map(() => heard.map(() => 0));
  const at = Math.min(state.word, said.length - 1);
  const bars = looks[at] ?? heard.map(() => 0);
  const share = Math.max(...bars);
  const agreed = good.filter(Boolean).length;
  return {
    heard,
    said,
    right,
    kept: good,
    met: kept(right, said),
    looks,
    at,
    bars,
    chosen: said[at] ?? "",
    most: share ? heard[bars.indexOf(share)] : "",
    share: 100 * share,
    pairs: pairs(state.number).length,
    wrong: said.length - agreed,
    missing: right.length - agreed,
    scores: Object.fromEntries(
      NETWORKS.map((name, i) => [name, `${marks[i].filter(Boolean).length} of ${right.length}`]),
    ),
  };
}

const words = (n, what) => `${n} ${n === 1 ? "word is" : "words are"} ${what}`;

/** How good the German is. */
export function judged({ right, wrong, missing }) {
  if (!wrong && !missing) return `All ${right.length} words are right.`;
  const faults = [wrong && words(wrong, "wrong"), missing && words(missing, "missing")];
  return `${faults.filter(Boolean).join(", ")}.`;
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken(shown) {
  const { chosen, most, share, said } = shown;
  const look = chosen && most ? `At ${chosen}, the decoder attends to ${most} with ${written(share)} %. ` : "";
  return `${said.join(" ") || "The network says nothing"}. ${look}${judged(shown)}`;
}

/** A line of words, of which those with no mark in `good` are set off as `kind`. */
function line(name, list, good, kind) {
  const spans = list.map((word, i) => element(good[i] ? "span" : kind, {}, word));
  const spaced = spans.flatMap((span) => [" ", span]);
  return [element("b", {}, name), ...spaced];
}

/** The picture of one translation: bars over the English words, and a row for each German one. */
function picture(model, { heard, said, looks, kept: good }, group) {
  const bars = heard.map(() => element("td", {}, element("i")));
  const heads = heard.map((word) => element("th", { scope: "col" }, element("span", {}, word)));
  const radios = said.map((_, word) => {
    const onchange = () => change(model, { word });
    return element("input", { type: "radio", name: group, value: word, onchange });
  });
  const rows = said.map((word, t) => {
    const label = element("label", {}, radios[t], element(good[t] ? "span" : "s", {}, word));
    const cells = looks[t].map((weight, j) => {
      const title = `${word} ← ${heard[j]}: ${written(100 * weight)} %`;
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
  const [heard, said, right] = ["en", "de", "de"].map((lang) => element("p", { lang }));
  const verdict = element("p", { class: "verdict" });
  const caption = element("caption", {}, "Attention weights: a row for each German word, a column for each English one");
  const heat = element("table", { class: "looks" }, caption);
  const group = `words.${Math.random()}`;
  let [drawn, view] = ["", null];

  function draw(shown, { number: digits, network }) {
    const key = `${network} ${shown.heard.join(" ")}`;
    networks.forEach((radio) => (radio.checked = radio.value === network));
    heat.hidden = looks.hidden = network !== "attention";
    if (key !== drawn) {
      view = picture(model, shown, group);
      heat.replaceChildren(caption, ...view.parts);
      heard.replaceChildren(...line("English", shown.heard, shown.heard, "span"));
      said.replaceChildren(...line("The network", shown.said, shown.kept, "s"));
      right.replaceChildren(...line("Right", shown.right, shown.met, "u"));
      verdict.textContent = judged(shown);
      drawn = key;
    }
    right.hidden = !shown.wrong && !shown.missing;
    view.chosen.textContent = shown.chosen;
    view.bars.forEach((cell, j) => cell.style.setProperty("--weight", shown.bars[j].toFixed(3)));
    const best = shown.bars.indexOf(Math.max(...shown.bars));
    view.heads.forEach((head, j) => head.classList.toggle("read", j === best));
    view.rows.forEach((row, t) => row.classList.toggle("read", t === shown.at));
    view.radios.forEach((radio, t) => (radio.checked = t === shown.at));
    if (box.value === digits) refuse("");
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
  const looks = element("p", { class: "at" });
  looks.append("At ", output("chosen"), " the decoder attends most to ", output("most"));
  looks.append(", with ", output("share"), " % of the weight.");
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
    block("texts", heard, said, right, verdict),
    looks,
    heat,
  ];
  return live({ model, el }, { name: "attention-alignment", parts, traits, answer, draw, spoken });
}

export default { render };
