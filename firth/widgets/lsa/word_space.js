// A space of words as `word_space` in firth/lsa/word_space.py gives it: which words are near a vector, and where.

import { svd } from "../svd.js";
import { rounded } from "../tensor.js";
import { dequantize, once } from "../weights.js";

const DIGITS = 9; // of a cosine: words that differ by rounding alone are equally near

/** The words, their numbers, their idf, and their vectors: an array for each direction. */
export const readSpace = once((space) => {
  const words = space.words.split(" ");
  const number = new Map(words.map((word, i) => [word, i]));
  return { words, number, idf: dequantize(space.idf)[0], columns: dequantize(space.vectors) };
});

/** The words of a text in lower case, as `words` in firth/lsa/counts.py finds them. */
export function wordsOf(text) {
  const lower = text.toLowerCase().replaceAll("’", "'");
  return lower.match(/[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu) ?? [];
}

/** The first k numbers of word i. */
export const vectorOf = (columns, k, i) => columns.slice(0, k).map((column) => column[i]);

export function unitVector(x) {
  const length = Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return length ? x.map((value) => value / length) : x;
}

/** The cosine of x with each of the words, in the first directions, as many as x has. */
function cosinesWith(columns, x) {
  const n = columns[0].length;
  const [products, squares] = [new Float64Array(n), new Float64Array(n)];
  unitVector(x).forEach((value, j) => {
    const column = columns[j];
    for (let i = 0; i < n; i++) {
      products[i] += value * column[i];
      squares[i] += column[i] * column[i];
    }
  });
  return products.map((product, i) => rounded(squares[i] ? product / Math.sqrt(squares[i]) : 0, DIGITS));
}

/** The numbers of the n words with the largest cosines; of equal ones, the earlier. */
function largest(cosines, n, except) {
  const best = [];
  cosines.forEach((value, i) => {
    if (i === except || (best.length === n && value <= cosines[best.at(-1)])) return;
    let at = best.length;
    while (at && cosines[best[at - 1]] < value) at--;
    best.splice(at, 0, i);
    best.length = Math.min(best.length, n);
  });
  return best;
}

/** Points around x, whose distance from 0 is the angle in degrees, as `map_points` in explorer.py. */
function placesAround(x, vectors, cosines) {
  const centre = unitVector(x);
  const rest = vectors.map((z, n) => unitVector(z).map((value, j) => value - cosines[n] * centre[j]));
  const mean = centre.map((_, j) => rest.reduce((sum, row) => sum + row[j], 0) / rest.length);
  const across = mean.map((value, j) => rest.map((row) => row[j] - value)); // its Vt has a column for each word
  const { s, Vt } = svd(across);
  const [a, b] = [0, 1].map((j) => {
    const most = Math.max(...Vt[j].map(Math.abs));
    const sign = Math.sign(Vt[j].find((value) => Math.abs(value) >= 0.999 * most));
    return Vt[j].map((value) => value * s[j] * sign);
  });
  return cosines.map((cosine, n) => {
    const degrees = (Math.acos(cosine) * 180) / Math.PI;
    return unitVector([a[n], b[n]]).map((value) => value * degrees);
  });
}

/** The n words nearest to x, their cosines and their places; the word `except` is left out. */
export function nearestWords({ words, columns }, x, n, except = -1) {
  const cosines = cosinesWith(columns, x);
  const order = largest(cosines, n, except);
  const near = order.map((i) => cosines[i]);
  const vectors = order.map((i) => vectorOf(columns, x.length, i));
  return { best: order.map((i) => words[i]), cosines: near, places: placesAround(x, vectors, near) };
}

/** How often each known word stands within m words of a name: [word, times], most often first. */
export function neighboursOf(sentences, name, number, m) {
  const found = new Map();
  for (const sentence of sentences) {
    const words = wordsOf(sentence);
    words.forEach((word, t) => {
      if (word !== name) return;
      const near = [...words.slice(Math.max(0, t - m), t), ...words.slice(t + 1, t + 1 + m)];
      for (const other of near)
        if (number.has(other) && other !== name) found.set(other, (found.get(other) ?? 0) + 1);
    });
  }
  return [...found].sort(([, a], [, b]) => b - a);
}

/** The vector of a word with these neighbours: Σ times · idf · unit vector, in the columns' signs. */
export function sumOfNeighbours({ columns, number, idf }, times, signs, k) {
  const sum = Array(k).fill(0);
  for (const [word, n] of times) {
    const i = number.get(word);
    unitVector(vectorOf(columns, k, i)).forEach((value, j) => (sum[j] += n * idf[i] * value));
  }
  return sum.map((value, j) => value * signs[j]);
}
