// Singular values and their directions, by turning pairs of columns until all are at right angles.

import { dot, norm } from "./tensor.js";

const [ENOUGH, SWEEPS] = [1e-15, 60]; // a cosine that is a right angle; no matrix here needs so many

/** A = U diag(s) Vᵀ, the largest first (one-sided Jacobi; a turn changes no length of A's rows). */
export function svd(A) {
  const n = A[0].length;
  const W = A[0].map((_, j) => A.map((row) => row[j])); // columns of A, that become those of U
  const V = W.map((_, j) => W.map((_, i) => (i === j ? 1 : 0)));
  let turned = true;
  for (let sweep = 0; turned && sweep < SWEEPS; sweep++) {
    turned = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const [a, b, c] = [dot(W[p], W[p]), dot(W[q], W[q]), dot(W[p], W[q])];
        if (Math.abs(c) <= ENOUGH * Math.sqrt(a * b) || c === 0) continue;
        turned = true;
        const half = (b - a) / (2 * c);
        const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(1 + half * half));
        const cosine = 1 / Math.sqrt(1 + t * t);
        for (const X of [W, V]) turn(X[p], X[q], cosine, cosine * t);
      }
    }
  }
  const s = W.map(norm);
  const order = s.map((_, j) => j).sort((i, j) => s[j] - s[i]);
  const U = A.map((_, i) => order.map((j) => (s[j] ? W[j][i] / s[j] : 0)));
  return { U, s: order.map((j) => s[j]), Vt: order.map((j) => V[j]) };
}

function turn(x, y, c, s) {
  for (let i = 0; i < x.length; i++) [x[i], y[i]] = [c * x[i] - s * y[i], s * x[i] + c * y[i]];
}
