import { block, button, change, element, live, output, range, select } from "../controls.js";
import { written } from "../controls.js";
import { plane } from "./words_in_plane.js";
import { compared, directed, mixtures, softmax } from "./self_attention.js";
import { cosine } from "../tensor.js";

export const traits = ["vectors", "sentences", "beside", "counted", "apple", "steps"];

const [LONGEST, FAR, MOST] = [7, 4, 20]; // words of a sentence, the limit of apple, steps
const ONE_POINT = 0.01; // of the largest distance at the start
const KINDS = [
  ["content", "content words"],
  ["all", "all words"],
];

const cosineWeights = (X) => compared(X.map(directed), X.map(directed)).map(softmax);
const distance = (x, y) => Math.hypot(...x.map((value, i) => value - y[i]));
const largestDistance = (X) => Math.max(...X.flatMap((x) => X.map((y) => distance(x, y))));

/** The words of a sentence that take part. */
function wordsOf(sentence, { vectors, counted }) {
  const hasPlace = (word) => vectors[word].slice(0, 2).some(Boolean);
  return sentence.split(" ").filter((word) => counted === "all" || hasPlace(word));
}

/** What the view shows of one sentence. */
function side(sentence, state) {
  const { vectors, sentences, apple, steps } = state;
  const words = wordsOf(sentence, state);
  const [me, partner] = ["apple", Object.fromEntries(sentences)[sentence]].map((word) => words.indexOf(word));
  const path = [words.map((word, i) => (i === me ? [...apple, 0] : vectors[word]))];
  for (let n = 0; n < MOST; n++) path.push(mixtures(cosineWeights(path[n]), path[n]));
  const weights = cosineWeights(path[Math.max(steps, 1) - 1])[me];
  const distances = path.map(largestDistance);
  const near = distances.findIndex((one) => one <= ONE_POINT * distances[0]);
  const after = path[steps][me];
  const total = after.reduce((sum, x) => sum + x, 0);
  const places = Array.from({ length: LONGEST }, (_, i) => i);
  return {
    words: places.map((i) => words[i] ?? ""),
    partner: words[partner],
    weights: places.map((i) => weights[i] ?? null),
    path: path.slice(0, steps + 1),
    after,
    neither: total ? (100 * after[2]) / total : 0,
    cosines: [path[0], path[steps]].map((X) => cosine(X[me], X[partner])),
    distances: [distances[0], distances[steps]],
    one_point: near < 0 ? null : near,
  };
}

/** Where self-attention takes the words of both sentences, and whether the task is done. */
export function answer(state) {
  const [left, right] = [state.sentences[0][0], state.beside].map((s) => side(s, state));
  const [tech, fruit] = left.after;
  const met = state.counted === "content" && state.steps === 1 && tech > fruit;
  return { left, right, at: Math.max(state.steps, 1), met };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ left, right, met }, { steps }) {
  const one = ({ partner, after, cosines }) => {
    const [tech, fruit, neither] = after.map((x) => written(x, 2));
    return `beside ${partner} tech ${tech}, fruit ${fruit}, neither ${neither}, cosine with the moved ${partner} ${written(cosines[1], 2)}`;
  };
  const done = met ? "Done. " : "";
  return `${done}apple after ${steps} ${steps === 1 ? "step" : "steps"}: ${one(left)}; ${one(right)}.`;
}

/** The numbers, the weights and the picture of one sentence. */
function panel(model, name, heading) {
  const picture = plane(model, LONGEST, name);
  const places = Array.from({ length: LONGEST }, (_, i) => i);
  const bars = places.map((i) =>
    element(
      "li",
      {},
      element("span", { class: "word" }, output(`${name}.words.${i}`)),
      element("i"),
      output(`${name}.weights.${i}`, 2),
    ),
  );
  const measure = (title, path, digits, ...how) =>
    element(
      "div",
      {},
      element("dt", {}, title),
      element("dd", {}, output(path, digits)),
      element("dd", { class: "how" }, ...how),
    );
  const number = (n) => output(`${name}.after.${n}`, 2);
  const partner = element("span", {}, "cosine with moved ", output(`${name}.partner`));
  const before = [output(`${name}.cosines.0`, 2), " at the start"];
  const vector = ["(", number(0), ", ", number(1), ", ", number(2), ")"];
  const measures = element(
    "dl",
    { class: "measures" },
    measure(partner, `${name}.cosines.1`, 2, ...before),
    measure("% neither tech nor fruit", `${name}.neither`, 0, "apple is ", ...vector),
  );
  const title = ["What apple is made of in step ", output("at")];
  const weights = [element("p", { class: "how" }, ...title), element("ol", { class: "bars" }, ...bars)];
  const node = element("section", { class: "side" }, heading, picture.node, measures, ...weights);
  const draw = (shown, state, at) => {
    picture.draw(shown, state, at);
    bars.forEach((bar, i) => {
      bar.hidden = !shown.words[i];
      bar.classList.toggle("me", shown.words[i] === "apple");
      bar.style.setProperty("--weight", shown.weights[i] ?? 0);
    });
  };
  return { node, draw };
}

function render({ model, el }) {
  const [first, ...others] = model.get("sentences").map(([sentence]) => sentence);
  const choice = select(model, "beside", "beside it", others.map((s) => [s, s]));
  const left = panel(model, "left", element("p", { class: "sentence" }, first));
  const right = panel(model, "right", choice);
  function draw(result, state) {
    left.draw(result.left, state, result.at);
    right.draw(result.right, state, result.at);
    verdict.textContent = result.met ? "✓ Done" : "";
  }
  const start = model.get("vectors").apple.slice(0, 2);
  const home = button("Put apple back", () => change(model, { apple: [...start], steps: 1 }));
  const limits = { min: 0, max: FAR, step: 0.1 };
  const verdict = element("strong", { "aria-live": "polite" });
  const task = "Move apple until it has more tech than fruit after one step, even beside the orange.";
  const parts = [
    block("goal", element("p", {}, task, " ", verdict), home),
    block(
      "hands",
      range(model, "apple.0", "apple, tech", limits, "apple.0", 1),
      range(model, "apple.1", "apple, fruit", limits, "apple.1", 1),
      range(model, "steps", "steps", { min: 0, max: MOST, step: 1 }),
      select(model, "counted", "Take part", KINDS),
    ),
    block("columns", left.node, right.node),
  ];
  return live({ model, el }, { name: "attention-gravity", parts, traits, answer, draw, spoken });
}

export default { render };
