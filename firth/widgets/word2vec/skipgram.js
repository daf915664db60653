// Skip-gram with negative sampling in two dimensions, for word2vec_training.js.

import { cumulated, drawn, uniform } from "../random_numbers.js";
import { sigmoid } from "../tensor.js";

const LAST = 1e-4; // the learning rate at the end
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

/** How likely each word is to be drawn as noise: its count to the power 3/4. */
function noise(ids, n) {
  const counts = Array(n).fill(0);
  for (const id of ids) if (id >= 0) counts[id] += 1;
  const weights = counts.map((count) => count ** 0.75);
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * What a step on the pair (w, asked[0]) does to v_w and to the u of each word asked about, from the
 * rows of V and U that begin at `at`.
 */
export function taught(U, V, at, w, asked, a) {
  const [x, y] = [V[at + 2 * w], V[at + 2 * w + 1]];
  const rows = asked.map((j) => at + 2 * j);
  const scores = rows.map((row) => U[row] * x + U[row + 1] * y);
  const before = scores.map(sigmoid);
  const by = before.map((p, i) => (i ? -a * p : a * (1 - p)));
  const pulls = rows.map((row, i) => [by[i] * U[row], by[i] * U[row + 1]]); // on v_w, from each
  const pushes = by.map((much) => [much * x, much * y]); // and from v_w on each of them
  const loss = scores.reduce((J, score, i) => J + softplus(i ? score : -score), 0);
  return { before, pulls, pushes, loss };
}

// A slider over the steps asks for the same training again and again: the last one is kept.
let kept = {};

/** V and U before the first step and after each, one after the other, and what the steps asked. */
export function trained({ texts, words, m, total, seed, k, first }) {
  const key = JSON.stringify([texts, words, m, total, seed, k, first]);
  if (kept.key === key) return kept;
  const { ids, pairs } = read({ texts, words, m });
  const [u, cumulative] = [uniform(seed), cumulated(noise(ids, words.length))];
  const size = 2 * words.length;
  const [V, U] = [0, 0].map(() => new Float64Array((total + 1) * size));
  for (let i = 0; i < size; i++) V[i] = (u() - 0.5) / 2;
  const [losses, questions] = [new Float64Array(total), []];
  const rate = (t) => first + (LAST - first) * (t / total);
  const move = (rows, row, [dx, dy]) => {
    rows[row] += dx;
    rows[row + 1] += dy;
  };
  for (let t = 0; t < total; t++) {
    const [centre, other] = pairs[t % pairs.length];
    const [w, asked] = [ids[centre], [ids[other]]];
    while (asked.length <= k) {
      const word = drawn(cumulative, u());
      if (word !== asked[0]) asked.push(word);
    }
    const [at, next] = [t * size, (t + 1) * size];
    const { pulls, pushes, loss } = taught(U, V, at, w, asked, rate(t));
    for (const rows of [V, U]) rows.copyWithin(next, at, next);
    asked.forEach((j, i) => move(U, next + 2 * j, pushes[i]));
    for (const pull of pulls) move(V, next + 2 * w, pull);
    losses[t] = loss;
    questions.push(asked);
  }
  return (kept = { key, ids, pairs, V, U, size, losses, questions, rate });
}
