// The letter model of firth/rnn/place_names.py: the same weights, the same random numbers, the same names.

import { uniform } from "../random_numbers.js";
import { sigmoid } from "../tensor.js";
import { once } from "../weights.js";

export const MOST = 40; // letters of a name

/** A row times the state, plus what stands alone. */
function sum(row, h, start) {
  for (let k = 0; k < h.length; k++) start += row[k] * h[k];
  return start;
}

/** The hidden state after one more letter: a share z of the old one, the rest of the candidate. */
export function next(x, h, { W, U, b: [b], c: [c] }) {
  const d = h.length;
  const now = new Float64Array(d);
  for (let k = 0; k < d; k++) {
    const [a, u] = [W[k + 2 * d][x] + b[k + 2 * d], sum(U[k + 2 * d], h, c[k + 2 * d])];
    const r = sigmoid(W[k][x] + b[k] + sum(U[k], h, c[k]));
    const z = sigmoid(W[k + d][x] + b[k + d] + sum(U[k + d], h, c[k + d]));
    now[k] = (1 - z) * Math.tanh(a + r * u) + z * h[k];
  }
  return now;
}

/** The unscaled probability of each symbol as the next one, and the sum of all. */
export function odds(h, { O, o: [o] }, tau) {
  const scores = O.map((row, x) => sum(row, h, o[x]));
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp((score - most) / tau));
  return { weights, total: weights.reduce((all, weight) => all + weight, 0) };
}

/** A name that begins with the prefix, from the hidden state after it. */
export function sampled(seed, { prefix, tau, alphabet }, start, net) {
  const number = uniform(seed);
  let [name, h] = [prefix, start];
  for (;;) {
    const { weights, total } = odds(h, net, tau);
    const goal = number() * total;
    let [x, passed] = [0, weights[0]];
    while (passed <= goal && x < weights.length - 1) passed += weights[++x];
    if (x === 0 || name.length >= MOST) return name.trim();
    [name, h] = [name + alphabet[x], next(x, h, net)];
  }
}

/** A name without its accents and capitals. */
export const folded = (name) => name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

const codes = (name) => Uint16Array.from(name, (letter) => letter.charCodeAt(0));
const coded = once((names) => names.map(codes));

/**
 * How many letters to insert, delete or change; `least` if it is no less than that. So cells as
 * far as `least` from the diagonal are left out, and a row with no smaller number ends it.
 */
function distance(x, y, least) {
  if (Math.abs(x.length - y.length) >= least) return least;
  let [row, now] = [new Uint8Array(y.length + 2), new Uint8Array(y.length + 2)];
  for (let j = 0; j <= y.length; j++) row[j] = j;
  for (let i = 1; i <= x.length; i++) {
    const [from, to] = [Math.max(1, i - least + 1), Math.min(y.length, i + least - 1)];
    let lowest = (now[from - 1] = from === 1 ? i : least);
    for (let j = from; j <= to; j++) {
      let fewest = row[j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1);
      if (now[j - 1] < fewest) fewest = now[j - 1] + 1;
      if (row[j] < fewest) fewest = row[j] + 1;
      now[j] = fewest;
      if (fewest < lowest) lowest = fewest;
    }
    if (lowest >= least) return least;
    now[to + 1] = least;
    [row, now] = [now, row];
  }
  return Math.min(least, row[y.length]);
}

/** The real name fewest letters away, and how many; of equals, the first. */
export function nearest(name, names) {
  const letters = codes(name);
  let [best, least] = ["", 99];
  coded(names).forEach((other, i) => {
    const apart = distance(letters, other, least);
    if (apart < least) [best, least] = [names[i], apart];
  });
  return [best, least];
}
