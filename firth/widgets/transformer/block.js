import { block, button, change, element, live, output, range, select, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { dependence, following, MEET, numbers, OF_ALPHABET, OF_HEAD, PAIRS, width } from "./stages.js";
import { strips } from "../strips.js";
import { strangeness, typed } from "./typed_text.js";

export const traits = [
  ...["alphabet", "shape", "weights", "stages"],
  ...["text", "stage", "block", "head", "letter"],
];

const [LONGEST, FIRST, FOLD] = [20, 6, 96]; // letters; numbers in figures, and in a line of cells
const WORDS = { " ": "blank", "\n": "new paragraph" };

/** Why a text cannot be walked through; nothing if it can. */
export const refusal = (text, alphabet) =>
  text
    ? strangeness(text, LONGEST, "The text", alphabet)
    : "There is nothing to walk through: write one letter or more.";

/** The numbers of a stage, their shape in words, and some of one letter's in figures. */
export function answer(state) {
  const { alphabet, shape, stages, text, stage, letter } = state;
  const values = numbers(state).map((row) => Array.from(row));
  const [n, i] = [values.length, Math.min(letter, values.length)];
  const [row, across, pairs] = [values[i - 1], values[0].length, PAIRS.includes(stage)];
  const says = (letter) => WORDS[letter] ?? letter;
  const places = [...text].map((letter, j) => `${j + 1} ${says(letter)}`);
  const largest = pairs || OF_ALPHABET.includes(stage);
  let order = Array.from(row.keys()).filter((j) => row[j] !== null);
  if (largest) order.sort((a, b) => row[b] - row[a]);
  order = order.slice(0, FIRST);
  const named = { true: pairs ? places : alphabet.map(says) }[largest];
  const filled = (list) => [...list, ...Array(FIRST - list.length).fill("")];
  const [, name, formula, does] = stages.find(([key]) => key === stage);
  return {
    values,
    widths: stages.map(([key]) => width(key, n, shape)),
    size: `${n} letter${n > 1 ? "s" : ""} × ${across} ${pairs ? "letter" : "number"}${across > 1 ? "s" : ""}`,
    count: n * across,
    name,
    formula,
    says: does,
    meeting: MEET.includes(stage) ? "Letters meet here." : "Each letter by itself.",
    most: Math.max(...values.map((row) => Math.max(...row.map(Math.abs)))),
    chosen: places[i - 1],
    hears: dependence(n, i, state),
    told: largest ? "its largest" : "its first",
    names: filled(order.map((j) => (named ? named[j] : `${j + 1}`))),
    shown: filled(order.map((j) => (stage === "letters" ? `${row[j]}` : row[j]))),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ name, size, meeting, says, chosen, hears, told, names, shown }, { block, head }) {
  const number = (value) => (typeof value === "number" ? written(value, 2) : value);
  const figures = names.map((n, k) => n && `${n}: ${number(shown[k])}`).filter(Boolean).join("; ");
  return `${name}, block ${block}, head ${head}: ${size}. ${meeting} ${says} The row of ${chosen} depends ${hears}; ${told} numbers: ${figures}.`;
}

/** A formula, with what follows an underscore set lower. */
const lowered = (formula) =>
  formula.split(/_(up|down|ij|\w)/).map((part, i) => (i % 2 ? element("sub", {}, part) : part));

function render({ model, el }) {
  const stages = model.get("stages");
  const state = () => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)]));
  const step = (way) => () => change(model, following(state(), way) ?? {});
  const [back, on] = [button("← Back", step(-1)), button("Next →", step(1), { class: "first" })];
  const names = stages.map(([key, name], n) => [key, `${n + 1} · ${name}`]);
  const { blocks, heads } = model.get("shape");
  const text = typed(model, "text", "A text", refusal);
  const nth = range(model, "block", "Block", { min: 1, max: blocks, step: 1 });
  const view = range(model, "head", "Head", { min: 1, max: heads, step: 1 });
  const letter = range(model, "letter", "Letter", { min: 1, max: LONGEST, step: 1 }, "chosen");

  // All stages at a glance, each as wide as a letter has numbers.
  const bars = stages.map(([key]) => element("span", { onclick: () => change(model, { stage: key }) }));
  bars.forEach((bar, n) => bar.classList.toggle("meets", MEET.includes(stages[n][0])));
  const map = element("div", { class: "map", "aria-hidden": "true" }, ...bars);
  const formula = element("p", { class: "formula" });
  const meets = element("span", { class: "meets" }, output("meeting"));
  const says = element("span", { class: "says" }, output("says"));
  const size = element("p", {}, output("size"), ". ", meets, " ", says);
  const times = element("span", {}, `a block, ${blocks} times over`);
  const where = ["The row of letter ", output("chosen"), " depends ", output("hears"), "."];

  const shades = ["Blue is above 0, orange below; the fullest shade is ", output("most", 2), "."];
  const [across, down] = [block("across"), block("down")];
  const picture = svg("svg", { preserveAspectRatio: "none" });
  picture.onclick = ({ clientY }) => {
    const { top, height } = picture.getBoundingClientRect();
    const n = model.get("text").length;
    change(model, { letter: Math.min(n, 1 + Math.floor(((clientY - top) / height) * n)) });
  };
  const heat = element("div", { class: "strips", "aria-hidden": "true" }, across, down, picture);
  const figures = Array.from({ length: FIRST }, (_, k) => k);
  const lines = [["value", ...figures.map((k) => output(`shown.${k}`, 2))]];
  const heading = ["which", ...figures.map((k) => output(`names.${k}`))];
  const caption = ["Of letter ", output("chosen"), ", ", output("told"), " numbers"];
  const numbers = table("figures", caption, heading, lines);

  function draw(result, now) {
    const { values, widths, most } = result;
    const at = stages.findIndex(([key]) => key === now.stage);
    const paired = PAIRS.includes(now.stage);
    const n = values.length;
    const [i, wide] = [Math.min(now.letter, n) - 1, paired ? LONGEST : FOLD];
    bars.forEach((bar, k) => {
      bar.style.setProperty("--height", Math.log2(1 + widths[k]) / Math.log2(1 + Math.max(...widths)));
      bar.classList.toggle("now", k === at);
    });
    heat.style.setProperty("--rows", n);
    heat.classList.toggle("folded", values[0].length > FOLD);
    heat.classList.toggle("paired", paired);
    const letters = () => [...now.text].map((letter) => element("span", {}, WORDS[letter] ? "␣" : letter));
    formula.replaceChildren(...lowered(result.formula));
    down.replaceChildren(...letters());
    across.replaceChildren(...(paired ? letters() : []));
    down.children[i].classList.add("now");
    picture.setAttribute("viewBox", `0 0 ${wide} ${n}`);
    const frame = svg("rect", { class: "now", y: i, width: Math.min(wide, values[0].length), height: 1 });
    picture.replaceChildren(...strips(values, wide, most || 1), frame);
    meets.classList.toggle("meet", MEET.includes(now.stage));
    [back.disabled, on.disabled] = [-1, 1].map((way) => !following(now, way));
    letter.querySelector("input").max = n;
    const inside = at >= 3 && at < stages.length - 3;
    nth.querySelector("input").disabled = !inside;
    view.querySelector("input").disabled = ![...OF_HEAD, ...PAIRS].includes(now.stage);
    text.settle(now.text);
  }

  const parts = [
    block("bar", text.node),
    text.refused,
    block("bar walk", back, select(model, "stage", "Stage", names), on),
    block("overview", map, block("times", times)),
    formula,
    size,
    block("knobs", nth, view),
    heat,
    element("p", { class: "how" }, ...shades),
    letter,
    element("p", {}, ...where),
    numbers.node,
  ];
  return live({ model, el }, { name: "transformer-block", parts, traits, answer, draw, spoken });
}

export default { render };
