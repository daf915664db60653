import { block, button, change, element, live, number, output, select } from "../controls.js";
import { table, written } from "../controls.js";
import { compared, mixtures, softmax } from "./self_attention.js";
import { pad, view } from "./query_key_drawing.js";
import { dot } from "../tensor.js";

export const traits = [
  ...["words", "axes", "presets", "questions"],
  ...["W_Q", "W_K", "W_V", "scaled", "asking", "question"],
];

const [LOW, HIGH] = [-2, 2]; // the reach of a number in a matrix
const [SURE, HALF] = [0.8, 0.45]; // weights on the partner that are enough, with two matrices and one
const MATRICES = [
  ["W_Q", "Q", "what a word asks for"],
  ["W_K", "K", "by what it is found"],
  ["W_V", "V", "what it hands over"],
];

const image = (W, X) => X.map((x) => [dot(W.slice(0, 2), x), dot(W.slice(2), x)]);

/** Whether each question is answered, from the smallest weight on a partner and W_Q = W_K. */
const GOALS = {
  partner: (least) => least >= SURE,
  "one matrix": (least, equal) => equal && least >= HALF,
};

/** The word that has the largest weight, or all that share it. */
function wordsWithLargestWeight(row, names) {
  const most = Math.max(...row);
  const best = names.filter((_, j) => row[j] > most - 1e-6);
  return best.length === names.length ? "all alike" : best.join(", ");
}

/** Queries, keys and values of all words, and what attention makes of them. */
export function answer({ words, questions, W_Q, W_K, W_V, scaled, question }) {
  const [names, X] = [Object.keys(words), Object.values(words)];
  const [Q, K, V] = [W_Q, W_K, W_V].map((W) => image(W, X));
  const scale = scaled === "scaled" ? Math.SQRT1_2 : 1;
  const scores = compared(Q, K, scale);
  const A = scores.map(softmax);
  const Y = mixtures(A, V);
  const [ask, goal] = questions[question];
  const least = Math.min(...A.map((row, i) => row[row.length - 1 - i]));
  const equal = W_Q.every((value, k) => value === W_K[k]);
  const column = (W, j) => [W[j], W[j + 2]];
  return {
    ...{ Q, K, V, scores },
    weights: A,
    outputs: Y,
    attends_to: A.map((row) => wordsWithLargestWeight(row, names)),
    product: [0, 1].flatMap((i) => [0, 1].map((j) => dot(column(W_Q, i), column(W_K, j)))),
    ask,
    met: GOALS[goal](least, equal),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ attends_to, weights, met }, { words, asking }) {
  const names = Object.keys(words);
  const said = names.map((name, i) => `${name} attends to ${attends_to[i]}`).join("; ");
  const row = weights[names.indexOf(asking)].map((a, j) => `${names[j]} ${written(a, 2)}`);
  return `${met ? "Done. " : ""}${said}. The weights of ${asking}: ${row.join(", ")}.`;
}

/** A matrix: a pad to drag in, and the same four numbers to type. */
function matrix(model, [trait, letter, does]) {
  const limits = { min: LOW, max: HIGH, step: 0.1 };
  const name = [element("i", {}, "W"), element("sub", {}, letter)];
  const cells = [0, 1, 2, 3].map((k) => {
    const label = `W ${letter}, row ${k < 2 ? 1 : 2}, column ${(k % 2) + 1}`;
    return number(model, `${trait}.${k}`, "", { ...limits, "aria-label": label });
  });
  const drawn = pad(model, trait, `W ${letter}`, limits);
  const legend = element("legend", {}, ...name, " ", element("span", { class: "soft" }, does));
  const node = element("fieldset", { class: trait }, legend, drawn.node, block("numbers", ...cells));
  return { node, draw: drawn.draw };
}

function render({ model, el }) {
  const [words, axes, presets, questions] = ["words", "axes", "presets", "questions"].map((name) =>
    model.get(name),
  );
  const names = Object.keys(words);
  const pads = MATRICES.map((which) => matrix(model, which));
  const asked = view(names, "Keys, and the query of the word that asks", true);
  const told = view(names, "Values, and the output of the word that asks", false);
  const lines = names.map((name, i) => [
    name,
    ...names.map((_, j) => {
      const small = element("small", {}, output(`scores.${i}.${j}`, 2));
      return element("span", {}, output(`weights.${i}.${j}`, 2), small);
    }),
    output(`attends_to.${i}`),
  ]);
  const caption = "A row's weights; under each the score that it came from";
  const weights = table("heat weights", caption, ["query of", ...names, "attends to"], lines);

  function draw(result, { W_Q, W_K, W_V, asking }) {
    const me = names.indexOf(asking);
    const { Q, K, V, outputs } = result;
    [[W_Q, Q], [W_K, K], [W_V, V]].forEach(([W, points], n) => pads[n].draw(W, points));
    asked.draw(K, Q, result.weights[me], me);
    told.draw(V, outputs, result.weights[me], me);
    weights.rows.forEach((row, i) => {
      row.classList.toggle("me", i === me);
      names.forEach((_, j) => row.cells[j + 1].style.setProperty("--weight", result.weights[i][j]));
    });
    verdict.textContent = result.met ? "✓ Done" : "";
  }

  const verdict = element("strong", { "aria-live": "polite" });
  const next = () => change(model, { question: (model.get("question") + 1) % questions.length });
  const goal = element("p", {}, output("ask", 0, false), " ", verdict);
  const start = ([name, choices]) => button(name, () => change(model, structuredClone(choices)));
  const picture = (node, ...said) =>
    element("figure", {}, node, element("figcaption", { class: "how" }, ...said));
  const product = [0, 1, 2, 3].map((k) => output(`product.${k}`, 1));
  const row = (k) => ["(", product[k], ", ", product[k + 1], ")"];
  const below = (letter) => ["W", element("sub", {}, letter)];
  const counts = ["Scores depend on ", ...below("Q"), "ᵀ", ...below("K"), " alone: its rows are now "];
  const only = element("p", { class: "how" }, ...counts, ...row(0), " and ", ...row(2), ".");
  const vectors = names.map((name) => `${name} (${words[name].map((x) => written(x)).join(", ")})`);
  const given = `The words: ${vectors.join(", ")}. First number: ${axes[0]}; second: ${axes[1]}.`;
  const asks = [output("asking"), ": its query is the thick arrow. The larger a key is drawn, the larger its weight."];
  const gets = [output("asking"), ": its output is the thick diamond, the mean of the values with the same weights."];
  const parts = [
    block("goal", goal, button("Another question", next)),
    element("p", { class: "how" }, given),
    block("bar presets", ...Object.entries(presets).map(start)),
    block("matrices", ...pads.map(({ node }) => node)),
    block(
      "choices",
      select(model, "asking", "Who asks", names.map((name) => [name, name])),
      select(model, "scaled", "Scores", [["scaled", "divided by √2"], ["plain", "as they are"]]),
    ),
    block(
      "columns",
      picture(asked.node, ...asks),
      picture(told.node, ...gets),
    ),
    weights.node,
    only,
  ];
  return live({ model, el }, { name: "attention-lab", parts, traits, answer, draw, spoken });
}

export default { render };
