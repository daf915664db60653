// Skip-gram with negative sampling on a small text, for training.js.

import { cumulated, drawn, uniform } from "../random_numbers.js";
import { svd } from "../svd.js";
import { sigmoid } from "../tensor.js";

const [START, LAST] = [0.25, 1e-4]; // the largest number at the start, and the learning rate at the end
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))); // −log σ(−x)

/** The id of each word of the text, −1 if it is not trained, and the pairs, as places in it. */
function read({ texts, words, m }) {
  const ids = texts.flat().map((word) => words.indexOf(word));
  const pairs = [];
  let begin = 0;
  for (const { length } of texts) {
    const end = begin + length;
    for (let t = begin; t < end; t++) {
      for (let j = Math.max(begin, t - m); j <= Math.min(end - 1, t + m); j++) {
        if (j !== t && ids[t] >= 0 && ids[j] >= 0) pairs.push([t, j]);
      }
    }
    begin = end;
  }
  return { ids, pairs };
}

/** The probability of each word to be drawn as noise: its count to the power 3/4. */
function noise(ids, n) {
  const counts = Array(n).fill(0);
  for (const id of ids) if (id >= 0) counts[id] += 1;
  const weights = counts.map((count) => count ** 0.75);
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** One step on the centre word w with asked[0] as its context word: changes V and U, returns the loss. */
function taught(V, U, w, asked, eta) {
  const [v, us] = [V[w], asked.map((j) => U[j])];
  const scores = us.map((u) => u.reduce((sum, value, q) => sum + value * v[q], 0));
  const errors = scores.map((score, i) => sigmoid(score) - (i ? 0 : 1));
  const dv = v.map((_, q) => errors.reduce((sum, e, i) => sum + e * us[i][q], 0));
  asked.forEach((j, i) => U[j].forEach((value, q) => (U[j][q] = value - eta * errors[i] * v[q])));
  V[w] = v.map((value, q) => value - eta * dv[q]);
  return scores.reduce((J, score, i) => J + softplus(i ? score : -score), 0);
}

/** The two directions in which the rows of V differ most from their mean; row 0 is positive in both. */
function planeOf(V) {
  const mean = V[0].map((_, q) => V.reduce((sum, v) => sum + v[q], 0) / V.length);
  const { Vt } = svd(V.map((v) => v.map((value, q) => value - mean[q])));
  return Vt.slice(0, 2).map((direction) => {
    const side = V[0].reduce((sum, value, q) => sum + value * direction[q], 0) < 0 ? -1 : 1;
    return direction.map((value) => side * value);
  });
}

// A slider over the steps asks for the same training again and again: the last one is kept.
let kept = {};

/**
 * All of a training: `vectors(t)` gives V and U after t steps, `plane` the directions that are drawn.
 */
export function trained({ texts, words, d, m, total, seed, k, rate: first }) {
  const key = JSON.stringify([texts, words, d, m, total, seed, k, first]);
  if (kept.key === key) return kept;
  const { ids, pairs } = read({ texts, words, m });
  const [u, cumulative] = [uniform(seed), cumulated(noise(ids, words.length))];
  const start = () => words.map(() => Array.from({ length: d }, () => 2 * START * (u() - 0.5)));
  const [V, U] = [start(), start()];
  const half = words.length * d;
  const all = new Float64Array((total + 1) * 2 * half);
  const keep = (t) => [...V, ...U].forEach((row, i) => all.set(row, t * 2 * half + i * d));
  const vectors = (t) => {
    const row = (i) => [...all.subarray(t * 2 * half + i * d).subarray(0, d)];
    return { V: words.map((_, i) => row(i)), U: words.map((_, i) => row(words.length + i)) };
  };
  const [losses, questions] = [new Float64Array(total), []];
  const rate = (t) => first + (LAST - first) * (t / total);
  keep(0);
  for (let t = 0; t < total; t++) {
    const [centre, other] = pairs[t % pairs.length];
    const asked = [ids[other]];
    while (asked.length <= k) {
      const word = drawn(cumulative, u());
      if (word !== asked[0]) asked.push(word);
    }
    losses[t] = taught(V, U, ids[centre], asked, rate(t));
    questions.push(asked);
    keep(t + 1);
  }
  return (kept = { key, ids, pairs, vectors, losses, questions, rate, plane: planeOf(V) });
}
