import { block, button, change, element, live, output } from "./controls.js";
import { LONGEST, SIGNS, normalised, numbered, pieces, pretokens, steps } from "./wordpiece.js";

export const traits = ["words", "examples", "text", "word"];

const MOST = 200; // letters of a text
const [MANY, BEGIN, END] = [6, 2, 1]; // of more failures, the first and last are written out

/** What became of a word, in one sentence. */
function told(word, made) {
  if (!word) return "There is nothing to read: write a word.";
  if (SIGNS.test(word)) return `${word} is a special sign: a token as it stands.`;
  if ([...word].length > LONGEST)
    return `A word of over ${LONGEST} letters is not tried at all: [UNK].`;
  if (made.length === 1 && made[0] === word)
    return `“${word}” is a piece of the list as it is: one token.`;
  if (made[0] === "[UNK]")
    return `“${word}” cannot be written in pieces of the list: all of it is [UNK].`;
  return `“${word}” is no piece of the list: it is written ${made.join(" ")}.`;
}

/** The words of a text, the pieces and numbers of all, and how those of one word were found. */
export function answer({ words, text, word }) {
  const [numbers, names] = [numbered(words), pretokens(text)];
  const parts = names.map((name) => pieces(name, numbers));
  const lengths = parts.map((some) => some.length);
  const most = lengths.indexOf(Math.max(...lengths)); // −1 where there is no word
  const at = word < 0 ? most : Math.min(word, names.length - 1);
  const all = ["[CLS]", ...parts.flat(), "[SEP]"];
  const chosen = names[at] ?? "";
  return {
    read: normalised(text).split(" ").filter(Boolean).join(" "),
    names,
    lengths,
    pieces: all,
    ids: all.map((piece) => numbers.get(piece)),
    tokens: all.length,
    count: names.length,
    share: names.length ? (all.length - 2) / names.length : 0,
    unknown: all.filter((piece) => piece === "[UNK]").length,
    at,
    chosen,
    steps: steps(chosen, numbers),
    said: told(chosen, parts[at] ?? []),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ said, tokens, unknown }) {
  const lost = unknown ? `, ${unknown} of them unknown` : "";
  return `${said} In all ${tokens} tokens${lost}.`;
}

/** An output that stays as it is: its part of the picture is drawn anew with each text. */
function fixed(path, value) {
  const node = output(path);
  node.textContent = value;
  return node;
}

/** A token with its number below. */
function token({ pieces: all, ids }, i, kind) {
  const parts = [fixed(`pieces.${i}`, all[i]), element("small", {}, fixed(`ids.${i}`, ids[i]))];
  return element("span", { class: `token ${all[i] === "[UNK]" ? "unknown" : kind}` }, ...parts);
}

/** All tokens in a row, those of one word in one label; the radios choose a word. */
function row(model, shown) {
  const group = `words.${Math.random()}`;
  let next = 1;
  const radios = [];
  const labels = shown.lengths.map((length, word) => {
    const onchange = () => change(model, { word });
    const name = shown.names[word];
    const input = { type: "radio", name: group, value: word, onchange, "aria-label": name };
    radios.push(element("input", input));
    const kind = (k) => (length === 1 ? "whole" : k ? "rest" : "first");
    const tokens = Array.from({ length }, (_, k) => token(shown, next + k, kind(k)));
    next += length;
    return element("label", {}, radios[word], ...tokens);
  });
  return { nodes: [token(shown, 0, "sign"), ...labels, token(shown, next, "sign")], radios };
}

/** One step: the tries that failed, of many the first and the last, and the piece found. */
function step({ failed, found }, n) {
  const skipped = failed.length - BEGIN - END;
  const line = (text) => element("li", {}, element("s", {}, text));
  const lines = failed.map(line);
  if (failed.length > MANY) lines.splice(BEGIN, skipped, element("li", {}, `… ${skipped} more …`));
  const end = found ? element("b", {}, found) : element("em", {}, "no piece: [UNK]");
  const tries = failed.length + Boolean(found);
  const title = element("span", {}, `${tries} ${tries === 1 ? "try" : "tries"}`);
  const kind = found ? (n ? "rest" : "first") : "unknown";
  return element("li", { class: kind }, title, element("ol", {}, ...lines, element("li", {}, end)));
}

function render({ model, el }) {
  const oninput = () => change(model, { text: box.value, word: -1 });
  const off = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const size = { rows: 2, maxlength: MOST };
  const box = element("textarea", { "data-trait": "text", oninput, ...size, ...off });
  const examples = model
    .get("examples")
    .map((text) => button(text, () => change(model, { text, word: -1 })));
  const legend = element("legend", {}, "Its tokens and their numbers: choose a word");
  const tokens = element("fieldset", { class: "tokens" });
  const found = element("ol", { class: "steps" });
  let [drawn, radios] = [null, []];

  function draw(shown, { text }) {
    if (text !== drawn) {
      const made = row(model, shown);
      radios = made.radios;
      tokens.replaceChildren(legend, ...made.nodes);
      drawn = text;
    }
    radios.forEach((radio, word) => (radio.checked = word === shown.at));
    found.replaceChildren(...shown.steps.map(step));
    lost.hidden = !shown.unknown;
  }

  const lost = element("span", {}, ", ", output("unknown"), " of them [UNK]");
  const each = [output("count"), " words and signs, ", output("share", 2), " tokens for each"];
  const count = [output("tokens"), " tokens with [CLS] and [SEP]", lost, "; ", ...each, "."];
  const parts = [
    block("control text", element("label", {}, element("span", {}, "Any text"), box)),
    block("bar examples", ...examples),
    element("p", { class: "read" }, element("span", {}, "BERT reads"), " ", output("read")),
    tokens,
    element("p", { class: "soft" }, ...count),
    element("p", { class: "said" }, output("said")),
    found,
  ];
  return live({ model, el }, { name: "bert-tokens", parts, traits, answer, draw, spoken });
}

export default { render };
