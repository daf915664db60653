// Arithmetic on nested arrays, for widgets that must work with no kernel behind them.

/** @type {(x: number[], y: number[]) => number} */
export function dot(x, y) {
  return x.reduce((sum, value, i) => sum + value * y[i], 0);
}

/** The length of an arrow. @type {(x: number[]) => number} */
export function norm(x) {
  return Math.sqrt(dot(x, x));
}

/** 1 for the same direction, 0 for a right angle, and 0 too if an arrow has no length. */
export function cosine(x, y) {
  const lengths = norm(x) * norm(y);
  return lengths ? Math.min(1, Math.max(-1, dot(x, y) / lengths)) : 0;
}

/** Kill what is only rounding noise, so that equal things tie. */
export function rounded(value, digits) {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** U diag(s) Vᵀ from the first k columns. @returns {number[][]} */
export function lowRank(U, s, Vt, k) {
  return U.map((u) =>
    Vt[0].map((_, j) => {
      let sum = 0;
      for (let a = 0; a < k; a++) sum += u[a] * s[a] * Vt[a][j];
      return sum;
    }),
  );
}

/** Between 0 and 1, by way of tanh: exp of a large number would overflow. */
export function sigmoid(z) {
  return 0.5 + 0.5 * Math.tanh(0.5 * z);
}
