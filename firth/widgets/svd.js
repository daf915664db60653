// Singular values and their directions, by turning pairs of columns until all are at right angles.

const [ENOUGH, SWEEPS] = [1e-15, 60]; // a cosine that is a right angle; no matrix here needs so many

/** The squared lengths of two columns, and their product: a loop, for this is where the time goes. */
function angles(x, y) {
  let [a, b, c] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    a += x[i] * x[i];
    b += y[i] * y[i];
    c += x[i] * y[i];
  }
  return [a, b, c];
}

function turn(x, y, c, s) {
  for (let i = 0; i < x.length; i++) {
    const before = x[i];
    x[i] = c * before - s * y[i];
    y[i] = s * before + c * y[i];
  }
}

/** A = U diag(s) Vᵀ, the largest first (one-sided Jacobi). @returns {{U: number[][], s: number[], Vt: number[][]}} */
export function svd(A) {
  const n = A[0].length;
  const W = A[0].map((_, j) => Float64Array.from(A, (row) => row[j])); // columns of A, then of U
  const V = W.map((_, j) => Float64Array.from(W, (_, i) => (i === j ? 1 : 0)));
  for (let sweep = 0, turned = true; turned && sweep < SWEEPS; sweep++) {
    turned = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        const [a, b, c] = angles(W[p], W[q]);
        if (c === 0 || Math.abs(c) <= ENOUGH * Math.sqrt(a * b)) continue;
        turned = true;
        const half = (b - a) / (2 * c);
        const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(1 + half * half));
        const cosine = 1 / Math.sqrt(1 + t * t);
        for (const X of [W, V]) turn(X[p], X[q], cosine, cosine * t);
      }
    }
  }
  const s = W.map((column) => Math.sqrt(angles(column, column)[0]));
  const order = s.map((_, j) => j).sort((i, j) => s[j] - s[i]);
  const U = A.map((_, i) => order.map((j) => (s[j] ? W[j][i] / s[j] : 0)));
  return { U, s: order.map((j) => s[j]), Vt: order.map((j) => Array.from(V[j])) };
}
