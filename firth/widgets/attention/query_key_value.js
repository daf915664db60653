import { block, button, change, element, live, number, output, select } from "../controls.js";
import { table, written } from "../controls.js";
import { compared, mixtures, softmax } from "./self_attention.js";
import { pad, view } from "./query_key_drawing.js";
import { dot } from "../tensor.js";

export const traits = [
  ...["words", "axes", "presets", "questions"],
  ...["W_Q", "W_K", "W_V", "scaled", "asking", "question"],
];

const [LOW, HIGH, SURE] = [-2, 2, 0.8]; // the reach of a number in a matrix; a weight that is a look
const IDENTITY = [1, 0, 0, 1];
const MATRICES = [
  ["W_Q", "Q", "what a word asks"],
  ["W_K", "K", "what it is found by"],
  ["W_V", "V", "what it then says"],
];

const image = (W, X) => X.map((x) => [dot(W.slice(0, 2), x), dot(W.slice(2), x)]);
const differ = (A, B) => Math.max(...A.flatMap((row, i) => row.map((a, j) => Math.abs(a - B[i][j]))));
const others = (row, i) => row.filter((_, j) => j !== i);

/** What each question asks of the weights, of those of the identity, of outputs and matrices. */
const GOALS = {
  other: ({ A }) => A.every((row, i) => Math.max(...others(row, i)) > row[i] + 1e-6),
  partner: ({ A }) => A.every((row, i) => row[row.length - 1 - i] >= SURE),
  same: ({ A, usual, W_Q, W_K }) =>
    [W_Q, W_K].every((W) => W.some((value, i) => value !== IDENTITY[i])) && differ(A, usual) < 0.005,
  even: ({ A, W_Q, W_K }) =>
    W_Q.some(Boolean) &&
    W_K.some(Boolean) &&
    A.every((row) => row.every((a) => Math.abs(a - 1 / A.length) < 0.005)),
  place: ({ A, usual, Y }) => differ(Y, Y.map(() => Y[0])) < 0.005 && differ(A, usual) < 0.005,
};

/** The word that has the largest weight, or all that share it. */
function lookedAt(row, names) {
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
  const usual = compared(X, X, scale).map(softmax);
  const [ask, goal] = questions[question];
  const column = (W, j) => [W[j], W[j + 2]];
  return {
    ...{ Q, K, V, scores },
    weights: A,
    outputs: Y,
    looks: A.map((row) => lookedAt(row, names)),
    product: [0, 1].flatMap((i) => [0, 1].map((j) => dot(column(W_Q, i), column(W_K, j)))),
    ask,
    met: GOALS[goal]({ A, usual, Y, W_Q, W_K }),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ looks, weights, met }, { words, asking }) {
  const names = Object.keys(words);
  const said = names.map((name, i) => `${name} looks at ${looks[i]}`).join("; ");
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
    output(`looks.${i}`),
  ]);
  const caption = "A row's weights; under each the score that it came from";
  const weights = table("heat weights", caption, ["asks", ...names, "looks at"], lines);

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
  const asks = [output("asking"), " asks by the thick arrow; the larger a key, the more it looks there"];
  const gets = [output("asking"), " gets the thick diamond: a mixture of values, by the same weights"];
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
