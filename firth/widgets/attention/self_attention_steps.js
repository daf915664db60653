import { block, button, change, element, live, output, range, select } from "../controls.js";
import { table, written } from "../controls.js";
import { sky } from "./words_in_plane.js";
import { compared, directed, mixtures, softmax } from "./self_attention.js";
import { cosine } from "../tensor.js";

export const traits = ["vectors", "sentences", "sentence", "counted", "apple", "steps"];

const [LONGEST, FAR, MOST] = [7, 4, 20]; // words of a sentence, the reach of apple, steps
const TOGETHER = 0.01; // of the first spread: what counts as one point
const KINDS = [
  ["content", "words with a place in the plane"],
  ["once", "every word, once"],
  ["all", "every word as often as said"],
];

const ABOUT =
  "Scores are cosines, weights their softmax; nothing is learned. Words that are neither " +
  "technical nor fruity stand on the third axis alone; the places of please, buy, unveiled, the " +
  "and new were made up for this view.";

const looks = (X) => compared(X.map(directed), X.map(directed)).map(softmax);
const apart = (x, y) => Math.hypot(...x.map((value, i) => value - y[i]));
const spread = (X) => Math.max(...X.flatMap((x) => X.map((y) => apart(x, y))));

/** The words that count, in the order in which they are said. */
function counting({ vectors, sentence, counted }) {
  const said = sentence.split(" ");
  const inPlane = (word) => vectors[word].slice(0, 2).some(Boolean);
  const kept = counted === "content" ? said.filter(inPlane) : said;
  return counted === "all" ? kept : [...new Set(kept)];
}

/** Where the pull takes all words, what each is made of, and what is left in the end. */
export function answer(state) {
  const { vectors, apple, steps } = state;
  const words = counting(state);
  const me = words.indexOf("apple");
  const path = [words.map((word, i) => (i === me ? [...apple, 0] : vectors[word]))];
  for (let n = 0; n < MOST; n++) path.push(mixtures(looks(path[n]), path[n]));
  const at = Math.max(steps, 1);
  const weights = looks(path[at - 1]);
  const spreads = path.map(spread);
  const near = spreads.findIndex((wide) => wide <= TOGETHER * spreads[0]);
  const [start, after] = [path[0][me], path[steps][me]];
  const both = (name) => [cosine(start, vectors[name]), cosine(after, vectors[name])];
  const places = Array.from({ length: LONGEST }, (_, i) => i);
  return {
    words: places.map((i) => words[i] ?? ""),
    at,
    weights: places.map((i) => places.map((j) => weights[i]?.[j] ?? null)),
    path: path.slice(0, steps + 1),
    after,
    moved: apart(start, after),
    likeness: { orange: both("orange"), phone: both("phone") },
    spread: [spreads[0], spreads[steps], spreads[MOST]],
    together: near < 0 ? null : near,
    end: path[MOST][me],
  };
}


/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ after, moved, likeness, spread }, { sentence, steps }) {
  const [tech, fruit, , far, wide] = [...after, moved, spread[1]].map((x) => written(x, 2));
  const [orange, phone] = ["orange", "phone"].map((name) => written(likeness[name][1], 2));
  return `${sentence}: after ${steps} ${steps === 1 ? "step" : "steps"} apple stands at tech ${tech}, fruitness ${fruit}, ${far} from its start; cosine with orange ${orange}, with phone ${phone}; the words are ${wide} apart.`;
}

function render({ model, el }) {
  const plane = sky(model, LONGEST);
  const places = Array.from({ length: LONGEST }, (_, i) => i);
  const lines = places.map((i) => [
    output(`words.${i}`),
    ...places.map((j) => output(`weights.${i}.${j}`, 2)),
  ]);
  const heads = ["of", ...places.map((j) => element("span", {}, output(`words.${j}`)))];
  const caption = ["What the word of a row is made of in step ", output("at")];
  const made = table("heat made", caption, heads, lines);
  const cells = places.map((i) => [...made.rows[i].cells].slice(1));

  function draw(result, state) {
    const { words, weights } = result;
    plane.draw(result, state);
    places.forEach((i) => {
      made.rows[i].hidden = !words[i];
      made.rows[i].classList.toggle("me", words[i] === "apple");
      made.heads[i + 1].hidden = !words[i];
      cells[i].forEach((cell, j) => {
        cell.hidden = !words[j];
        cell.style.setProperty("--weight", weights[i][j] ?? 0);
      });
    });
    settled.hidden = result.together === null;
  }

  const number = (n) => output(`after.${n}`, 2);
  const point = ["(", number(0), ", ", number(1), ", ", number(2), ")"];
  const measure = (name, path, ...how) => {
    const why = element("dd", { class: "how" }, ...how);
    return element("div", {}, element("dt", {}, name), element("dd", {}, output(path, 2)), why);
  };
  const settled = element("span", {}, ", under 1 % of it after step ", output("together"));
  const likeness = (name) => {
    const first = output(`likeness.${name}.0`, 2);
    return measure(`cosine: ${name}`, `likeness.${name}.1`, first, " at the start");
  };
  const last = output("spread.2", 2);
  const ends = [output("spread.0", 2), " at the start", settled, "; ", last, " after step 20"];
  const measures = element(
    "dl",
    { class: "measures" },
    measure("apple moved", "moved", "to ", ...point),
    likeness("orange"),
    likeness("phone"),
    measure("words apart", "spread.1", ...ends),
  );
  const start = model.get("vectors").apple.slice(0, 2);
  const home = button("Put apple back", () => change(model, { apple: [...start] }));
  const reach = { min: 0, max: FAR, step: 0.1 };
  const hands = [
    range(model, "apple.0", "apple, tech", reach, "apple.0", 1),
    range(model, "apple.1", "apple, fruitness", reach, "apple.1", 1),
  ];
  const sentence = select(model, "sentence", "Sentence", model.get("sentences").map((s) => [s, s]));
  const said = element("p", { class: "how" }, ABOUT);
  const parts = [
    block("choices", sentence, select(model, "counted", "Counted", KINDS)),
    range(model, "steps", "Steps of the pull", { min: 0, max: MOST, step: 1 }),
    block("columns", block("", plane.node, ...hands, home), block("", measures, made.node, said)),
  ];
  return live({ model, el }, { name: "attention-gravity", parts, traits, answer, draw, spoken });
}

export default { render };
