// Kernels and their random features in the plane; linear_attention_features.py says which is which.

import { normal, uniform } from "../random_numbers.js";

export const COUNTS = [2, 4, 6, 10, 16, 26, 40, 64, 100, 160, 250, 400, 630, 1000];
const [MOST, DRAWS, PHASES, SEEDS] = [1000, 16, 1000, 99];

const alone = (kind) => kind === "phase" || kind.startsWith("positive"); // a feature a frequency

/** How many frequencies R features take: a cosine and a sine share one. */
export const frequencies = (kind, R) => (alone(kind) ? R : Math.max(1, Math.floor(R / 2)));

/** How many features they give. */
export const features = (kind, m) => (alone(kind) ? m : 2 * m);

const kept = new Map(); // what was drawn for a kind and a seed

/** Frequencies as two rows, and phases, by the seed. */
function draws(kind, seed) {
  const name = `${kind} ${seed}`;
  if (kept.has(name)) return kept.get(name);
  const [next, even] = [(kind === "laplace" ? uniform : normal)(seed), uniform(seed + PHASES)];
  const size = kind === "laplace" ? (u) => Math.tan(Math.PI * (u - 0.5)) : (z) => z; // Cauchy's density
  const omega = [new Float64Array(MOST), new Float64Array(MOST)];
  for (let m = 0; m < MOST; m++) for (const row of omega) row[m] = size(next());
  const [a, b] = omega;
  if (kind.endsWith("orthogonal"))
    for (let m = 1; m < MOST; m += 2) {
      const ratio = Math.hypot(a[m], b[m]) / Math.hypot(a[m - 1], b[m - 1]);
      [a[m], b[m]] = [-ratio * b[m - 1], ratio * a[m - 1]];
    }
  const phases = Float64Array.from({ length: MOST }, () => 2 * Math.PI * even());
  const all = { omega, phases };
  if (seed > SEEDS) kept.set(name, all); // these are asked for again and again
  return all;
}

/** The features of every point, a row each, before they are divided by √m: m of them, or twice m. */
function raw(kind, X, seed, m) {
  const { omega, phases } = draws(kind, seed);
  return X.map(([x, y]) => {
    const row = new Float64Array(features(kind, m));
    const half = x * x + y * y;
    for (let i = 0; i < m; i++) {
      const p = omega[0][i] * x + omega[1][i] * y;
      if (kind === "phase") row[i] = Math.SQRT2 * Math.cos(p + phases[i]);
      else if (alone(kind)) row[i] = Math.exp(p - half);
      else [row[2 * i], row[2 * i + 1]] = [Math.cos(p), Math.sin(p)];
    }
    return row;
  });
}

/** Products of the rows with each other over the features from … to, added to `sums`. */
function add(sums, Z, from, to) {
  let at = 0;
  for (let i = 0; i < Z.length; i++)
    for (let j = 0; j <= i; j++) {
      const [x, y] = [Z[i], Z[j]];
      let sum = sums[at];
      for (let f = from; f < to; f++) sum += x[f] * y[f];
      sums[at++] = sum;
    }
}

const triangle = (n) => new Float64Array((n * (n + 1)) / 2);
const place = (i, j) => (i < j ? (j * (j + 1)) / 2 + i : (i * (i + 1)) / 2 + j);

/** The estimate Z Zᵀ of a kernel's matrix from R features. */
export function estimated(kind, X, seed, R) {
  const m = frequencies(kind, R);
  const [Z, sums] = [raw(kind, X, seed, m), triangle(X.length)];
  add(sums, Z, 0, Z[0].length);
  return X.map((_, i) => X.map((_, j) => sums[place(i, j)] / m));
}

/** k(x, y), of which nothing is drawn. */
export function kernel(kind, [a, b], [c, d]) {
  const [x, y] = [a - c, b - d];
  if (kind === "laplace") return Math.exp(-Math.abs(x) - Math.abs(y));
  return Math.exp(-(x * x + y * y) / 2);
}

/** R times the variance of an estimate, from the formulas, as if all ω were independent. */
function variance(kind, x, y) {
  const square = kernel(kind, x, y) ** 2;
  if (kind.startsWith("positive")) return Math.exp(4 * (x[0] * y[0] + x[1] * y[1])) - square;
  const twice = kernel(kind, x.map((a) => 2 * a), y.map((a) => 2 * a));
  return kind === "phase" ? 1 + twice / 2 - square : 1 + twice - 2 * square;
}

/** The slope of the line through points, by least squares. */
function slope(x, y) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(x), mean(y)];
  return mean(x.map((value, i) => (value - a) * (y[i] - b))) / mean(x.map((value) => (value - a) ** 2));
}

const falls = new Map();

/** How the error falls with R: measured, by the formula, and by the slope of a line. */
export function fall(kind, X) {
  const name = `${kind} ${X}`;
  if (falls.has(name)) return falls.get(name);
  const squares = COUNTS.map(() => 0);
  const pairs = X.flatMap((_, i) => X.slice(0, i).map((_, j) => [i, j]));
  const exact = pairs.map(([i, j]) => kernel(kind, X[i], X[j]));
  for (let draw = 1; draw <= DRAWS; draw++) {
    const [Z, sums] = [raw(kind, X, SEEDS + draw, frequencies(kind, MOST)), triangle(X.length)];
    const each = Z[0].length / frequencies(kind, MOST);
    let from = 0;
    COUNTS.forEach((R, n) => {
      const m = frequencies(kind, R);
      add(sums, Z, from, each * m);
      from = each * m;
      const off = pairs.map(([i, j], k) => (sums[place(i, j)] / m - exact[k]) ** 2);
      squares[n] += off.reduce((sum, value) => sum + value, 0) / pairs.length / DRAWS;
    });
  }
  const measured = squares.map(Math.sqrt);
  const mean = pairs.reduce((sum, [i, j]) => sum + variance(kind, X[i], X[j]), 0) / pairs.length;
  const result = {
    measured,
    expected: COUNTS.map((R) => Math.sqrt(mean / R)),
    slope: slope(COUNTS.map(Math.log), measured.map(Math.log)),
  };
  falls.set(name, result);
  return result;
}
