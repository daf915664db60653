import { askedFiles } from "../asked_files.js";
import { block, button, change, element, live, output, range, table, written } from "../controls.js";
import { explored } from "./explorer_answer.js";
import { neighbourMap } from "./neighbour_map.js";
import { readSpace } from "./word_space.js";

export const traits = ["mode", "space", "examples", "word", "name", "text", "m", "weighting", "k"];

const [ROWS, OFFERED, LONGEST, LONGEST_TEXT] = [10, 8, 40, 2000];
const DOWNLOAD = "1 MB"; // compressed, as a site sends it
const QUIET = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

/** The words nearest to a word, or to the sum of a new word's neighbours. */
export function answer(state) {
  return explored(state);
}

/** What a change comes to, in two sentences for those who hear the page. */
export function spoken({ said, best, cosines, settings }) {
  if (!best[0]) return said;
  const next = best.slice(1, 4).filter(Boolean);
  const others = next.map((word, n) => `${word} ${written(cosines[n + 1], 2)}`).join(", ");
  return `${said} Cosine ${written(cosines[0], 2)}; then ${others}. ${settings}.`;
}

/** Buttons of which one is pressed, as a group of radio inputs. */
function choices(model, trait, legend, values) {
  const group = `${trait}-${Math.random().toString(36).slice(2)}`;
  const inputs = values.map((value) =>
    element("input", { type: "radio", name: group, value, onchange: () => change(model, { [trait]: value }) }),
  );
  const labels = inputs.map((input, n) => element("label", {}, input, element("span", {}, String(values[n]))));
  const node = element("fieldset", { class: "choice" }, element("legend", {}, legend), block("segments", ...labels));
  const draw = (state) => inputs.forEach((input, n) => (input.checked = state[trait] === values[n]));
  return { node, draw };
}

/** A labelled box for text that takes what was typed when it is left, or at once if `whole` says so. */
function textBox(model, trait, label, tag, attributes, whole = () => true) {
  const take = () => change(model, { [trait]: box.value });
  const read = () => whole(box.value) && take();
  const box = element(tag, { ...attributes, ...QUIET, oninput: read, onchange: take });
  const node = element("label", { class: `text ${trait}` }, element("span", {}, label), box);
  const draw = (state) => {
    if (box !== box.getRootNode().activeElement && box.value !== state[trait]) box.value = state[trait];
  };
  return { node, box, read, draw };
}

/** A box for a word, with the most frequent words that begin as what is typed. */
function wordBox(model) {
  const list = element("datalist", { id: `words-${Math.random().toString(36).slice(2)}` });
  const whole = (typed) => {
    const { words, number } = readSpace(model.get("space"));
    const start = typed.trim().toLowerCase();
    const offered = start ? words.filter((word) => word.startsWith(start)).slice(0, OFFERED) : [];
    list.replaceChildren(...offered.map((value) => element("option", { value })));
    return number.has(start);
  };
  const attributes = { type: "text", list: list.id, maxlength: LONGEST };
  const made = textBox(model, "word", "A word", "input", attributes, whole);
  return { ...made, list };
}

/** A table of words with a bar each. A word that can be gone to is a button. */
function bars(kind, caption, heads, name, values, go) {
  const lines = Array.from({ length: ROWS }, (_, n) => {
    const word = output(`${name}.${n}`);
    const cell = go ? button(word, () => go(word.textContent), { class: "go" }) : word;
    return [[cell, element("i", {}, " in your text")], ...values(n)];
  });
  return table(kind, caption, heads, lines);
}

function render({ model, el }) {
  const known = model.get("mode") === "a word";
  const visit = (word) => change(model, { word });
  const go = known ? visit : null;
  const files = askedFiles(model, (space) => {
    model.set("space", space);
    if (word) word.read(); // what was typed before the words were there
  });
  const want = () => {
    const [m, weighting] = [model.get("m"), model.get("weighting")];
    files.want({ file: `lsa/explorer/${weighting}_${m}.json`, m, weighting });
  };
  const window_ = choices(model, "m", "Words on each side", [1, 2, 5, 10]);
  const weighting = choices(model, "weighting", "Weighting", ["counts", "PPMI"]);
  const slider = range(model, "k", "Directions k", { min: 2, max: 60 });
  const word = known && wordBox(model);
  const name = !known && textBox(model, "name", "A new word", "input", { type: "text", maxlength: LONGEST });
  const sentences = { rows: 4, maxlength: LONGEST_TEXT };
  const text = !known && textBox(model, "text", "Sentences with the new word", "textarea", sentences);
  const boxes = [word, name, text].filter(Boolean);
  const chips = known ? model.get("examples").map((one) => button(one, () => visit(one))) : [];
  const map = neighbourMap(go);
  const heads = ["nearest", "cosine"];
  const near = bars("near", "The ten nearest words", heads, "best", (n) => [output(`cosines.${n}`, 2)], go);
  const product = (n) => element("span", {}, output(`times.${n}`), " × ", output(`weights.${n}`, 1));
  const parts = (n) => [product(n), output(`lengths.${n}`, 1)];
  const arrows = bars("arrows", "What each neighbour adds", ["neighbour", "times × idf", "length"], "nearby", parts);
  const more = element("p", { class: "soft" }, "and ", output("others"), " with less");
  const hints = block("bar hints");

  function shade(rows, words, values, whole) {
    rows.forEach((row, n) => {
      row.hidden = !words[n];
      row.style.setProperty("--weight", Math.max(0, (values[n] ?? 0) / whole));
    });
  }

  function draw(result, state) {
    for (const part of [window_, weighting, ...boxes]) part.draw(state);
    const { best, cosines, met, nearby, lengths, suggested } = result;
    shade(near.rows, best, cosines, 1);
    near.rows.forEach((row, n) => row.classList.toggle("met", Boolean(met[n])));
    shade(arrows.rows, nearby, lengths, Math.max(...lengths));
    arrows.node.hidden = !nearby[0];
    more.hidden = !result.others;
    view.hidden = !best[0];
    said.classList.toggle("unknown", !best[0]);
    hints.replaceChildren(...suggested.map((one) => button(one, () => visit(one))));
    hints.hidden = !suggested.length;
    map.draw(result);
  }

  const said = element("p", { class: "said" }, output("said"));
  const settings = element("p", { class: "soft" }, output("settings"));
  const sum = known ? [] : [block("sum", arrows.node, more)];
  const view = block("columns", map.node, near.node, ...sum);
  const asking = known ? [block("asking", word.node, word.list, block("bar chips", ...chips))] : [block("asking", name.node, text.node)];
  const knobs = block("knobs", window_.node, weighting.node, slider);
  const result = block("result", said, settings, files.node);
  const all = [...asking, knobs, result, hints, view];
  const release = live({ model, el }, { name: "lsa-explorer", parts: all, traits, answer, draw, spoken });
  el.classList.toggle("new-word", !known);
  files.tell(`Change anything, and the vectors of 15,000 words are loaded (${DOWNLOAD}).`);
  const asks = ["word", "name", "text", "m", "weighting", "k"].map((trait) => `change:${trait}`);
  for (const event of asks) model.on(event, want);
  for (const { box } of boxes) box.addEventListener("input", want);
  return () => {
    for (const event of asks) model.off(event, want);
    files.release();
    release();
  };
}

export default { render };
