// The translator of firth/attention/telephone_numbers.py: the same weights, the same words, the same attention.

import { sigmoid } from "../tensor.js";
import { network, once } from "../weights.js";
import { softmax } from "./self_attention.js";

/** The digits of a number in pairs. @returns {string[]} */
export const digitPairs = (digits) => digits.replace(/\s/gu, "").match(/../gu) ?? [];

/** A function that gives the words of a number; `at` gives the indices of the words of a pair. */
const texts = (at) => (digits, words) =>
  digitPairs(digits).flatMap(([a, b]) => at(Number(a), Number(b)).map((i) => words[i]));

/** The number as English words: "oh" is word 1, "ten" 11, "twenty" 21. */
export const englishWords = texts((a, b) => {
  if (a === 1) return [11 + b];
  const tens = a ? 19 + a : 1;
  return b || !a ? [tens, 1 + b] : [tens];
});

/** The number as German words: "null" is word 1, "ein" 11, "und" 12, "zehn" 13, "zwanzig" 23. */
export const germanWords = texts((a, b) => {
  if (a === 0) return [1, 1 + b];
  if (a === 1) return [13 + b];
  return b ? [b === 1 ? 11 : 1 + b, 12, 21 + a] : [21 + a];
});

/** For each written word, whether it belongs to a longest common subsequence of both texts. */
export function correctWords(written, right) {
  const longest = Array.from({ length: written.length + 1 }, () => Array(right.length + 1).fill(0));
  for (let i = written.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      longest[i][j] =
        written[i] === right[j]
          ? longest[i + 1][j + 1] + 1
          : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  let j = 0;
  return written.map((word, i) => {
    const there = right.indexOf(word, j);
    const mark = there >= 0 && longest[i + 1][there + 1] + 1 === longest[i][j];
    if (mark) j = there + 1;
    return mark;
  });
}

/** The product of a matrix and a vector, plus the vector `start`. */
function times(table, x, start) {
  return table.map((row, k) => {
    let sum = start ? start[k] : 0;
    for (let i = 0; i < x.length; i++) sum += row[i] * x[i];
    return sum;
  });
}

/** The next hidden state of a GRU whose arrays have names such as "right.W". */
function gru(net, cell, x, h) {
  const [W, U, [b], [c]] = ["W", "U", "b", "c"].map((name) => net[`${cell}.${name}`]);
  const [a, u, d] = [times(W, x, b), times(U, h, c), h.length];
  return h.map((old, k) => {
    const [r, z] = [sigmoid(a[k] + u[k]), sigmoid(a[k + d] + u[k + d])];
    return (1 - z) * Math.tanh(a[k + 2 * d] + r * u[k + 2 * d]) + z * old;
  });
}

/** H, with the hidden state of each English word in a row, and s, the last hidden states. */
function encode(net, ids) {
  const zero = Array(net["right.U"][0].length).fill(0);
  const run = (cell, ids) => {
    let h = zero;
    return ids.map((id) => (h = gru(net, cell, net.E[id], h)));
  };
  const [right, left] = [run("right", ids), run("left", ids.toReversed()).toReversed()];
  return { H: right.map((h, j) => [...h, ...left[j]]), s: [...right.at(-1), ...left[0]] };
}

/**
 * The indices of the German words that a network writes, and its attention weights. Without
 * attention the context is the first s at every step.
 */
function translate(net, ids, attend) {
  let { H, s } = encode(net, ids);
  if (!attend) H = [s];
  const [written, weights] = [[], []];
  for (let y = 0; written.length < 2 * ids.length + 4; ) {
    s = gru(net, "decoder", net.D[y], s);
    const A = softmax(times(H, s));
    const C = s.map((_, k) => A.reduce((sum, a, j) => sum + a * H[j][k], 0));
    const o = times(net.F, [...s, ...C], net.f[0]).map(Math.tanh);
    const scores = times(net.O, o, net.o[0]);
    y = scores.indexOf(Math.max(...scores));
    if (y === 0) break; // the border
    written.push(y);
    weights.push(A);
  }
  return { written, weights };
}

const known = once(() => new Map());

/** The German words of one of the two networks, and its weights; computed once for a number. */
export function translation(digits, state, kind) {
  const attend = kind === "attention";
  const tables = attend ? state.weights : state.one_vector;
  const [cache, source] = [known(tables), englishWords(digits, state.english)];
  const text = source.join(" ");
  if (!cache.has(text)) {
    const ids = source.map((word) => state.english.indexOf(word));
    cache.clear();
    cache.set(text, translate(network(tables), ids, attend));
  }
  const { written, weights } = cache.get(text);
  return { source, written: written.map((id) => state.german[id]), weights };
}
