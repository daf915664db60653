// The Jacobian of one step of a plain network, an LSTM and a GRU, and the norms of their products.

import { sigmoid } from "../tensor.js";

/** Block k of the rows of U times h, plus W x and the bias. */
const preactivation = (W, U, x, h, bias) =>
  U.map((row, i) => {
    let z = W[i][0] * x + bias;
    for (let j = 0; j < h.length; j++) z += row[j] * h[j];
    return z;
  });

/** A matrix from a function of row and column. */
const filled = (rows, columns, entry) =>
  Array.from({ length: rows }, (_, i) => Float64Array.from({ length: columns }, (_, j) => entry(i, j)));

/** ∂h_t/∂h_{t−1} = diag(1 − h²) U. */
export function plainJacobians(X, W, U) {
  let h = U[0].map(() => 0);
  return X.map(([x]) => {
    h = preactivation(W[2], U[2], x, h, 0).map(Math.tanh);
    return filled(h.length, h.length, (i, j) => (1 - h[i] * h[i]) * U[2][i][j]);
  });
}

/** ∂(h_t, c_t)/∂(h_{t−1}, c_{t−1}): c_t depends on c_{t−1} by the forget gate, and on h_{t−1} by three gates. */
export function lstmJacobians(X, W, U, bias) {
  const d = U[0].length;
  let [h, c] = [U[0].map(() => 0), U[0].map(() => 0)];
  return X.map(([x]) => {
    const z = U.map((block, k) => preactivation(W[k], block, x, h, k === 1 ? bias : 0));
    const [i, f, o] = [z[0], z[1], z[3]].map((row) => row.map(sigmoid));
    const g = z[2].map(Math.tanh);
    const before = c;
    c = f.map((keep, k) => keep * before[k] + i[k] * g[k]);
    const shown = c.map(Math.tanh);
    h = o.map((open, k) => open * shown[k]);
    const slope = shown.map((value, k) => o[k] * (1 - value * value)); // ∂h/∂c
    const J = filled(2 * d, 2 * d, () => 0);
    for (let k = 0; k < d; k++) {
      const [by_i, by_f] = [g[k] * i[k] * (1 - i[k]), before[k] * f[k] * (1 - f[k])];
      const [by_g, by_o] = [i[k] * (1 - g[k] * g[k]), shown[k] * o[k] * (1 - o[k])];
      for (let j = 0; j < d; j++) {
        J[d + k][j] = by_i * U[0][k][j] + by_f * U[1][k][j] + by_g * U[2][k][j];
        J[k][j] = by_o * U[3][k][j] + slope[k] * J[d + k][j];
      }
      J[d + k][d + k] = f[k];
      J[k][d + k] = slope[k] * f[k];
    }
    return J;
  });
}

/** ∂h_t/∂h_{t−1} of a GRU: the share z that is kept, and the three ways by which h_{t−1} enters. */
export function gruJacobians(X, W, U, bias) {
  const d = U[0].length;
  let h = U[0].map(() => 0);
  return X.map(([x]) => {
    const [r, z] = [0, 1].map((k) => preactivation(W[k], U[k], x, h, k * bias).map(sigmoid));
    const past = U[2].map((row) => row.reduce((sum, value, j) => sum + value * h[j], 0));
    const n = past.map((value, k) => Math.tanh(W[2][k][0] * x + r[k] * value));
    const J = filled(d, d, (k, j) => {
      const by_z = (h[k] - n[k]) * z[k] * (1 - z[k]) * U[1][k][j];
      const inner = r[k] * U[2][k][j] + past[k] * r[k] * (1 - r[k]) * U[0][k][j];
      return (k === j ? z[k] : 0) + by_z + (1 - z[k]) * (1 - n[k] * n[k]) * inner;
    });
    h = h.map((value, k) => (1 - z[k]) * n[k] + z[k] * value);
    return J;
  });
}

/** A B, both square. */
function times(A, B) {
  const n = A.length;
  return A.map((row) => {
    const out = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      const [value, other] = [row[k], B[k]];
      for (let j = 0; j < n; j++) out[j] += value * other[j];
    }
    return out;
  });
}

/** A Aᵀ: the products of all rows with each other; of a symmetric A, its square. */
function gram(A) {
  const n = A.length;
  const B = A.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) {
      const [x, y] = [A[i], A[j]];
      let sum = 0;
      for (let k = 0; k < n; k++) sum += x[k] * y[k];
      B[i][j] = B[j][i] = sum;
    }
  }
  return B;
}

/**
 * log₁₀ of the largest singular value, or null if that is 0. Its square λ is the largest eigenvalue of B = A Aᵀ,
 * and the trace of Bᵐ is λᵐ times a number from 1 to n, so B is squared until its trace gives λ to the last digit.
 */
function logNorm(A) {
  let [B, power, share] = [gram(A), 0, 1];
  for (;;) {
    const trace = B.reduce((sum, row, i) => sum + row[i], 0);
    if (!trace) return null;
    power += share * Math.log10(trace);
    if (share * Math.abs(Math.log10(trace)) < 1e-12 && share < 1) return power / 2;
    for (const row of B) for (let j = 0; j < row.length; j++) row[j] /= trace;
    [B, share] = [gram(B), share / 2];
  }
}

/** log₁₀ of the norm of the product of the last T − t Jacobians, for T − t = 0, 1, … T. */
export function logNorms(jacobians) {
  const n = jacobians[0].length;
  let product = filled(n, n, (i, j) => Number(i === j));
  const norms = [0];
  for (const J of jacobians.toReversed()) {
    product = times(product, J);
    norms.push(logNorm(product));
  }
  return norms;
}

/**
 * log₁₀ of the norms of the two parts of ∂c_T/∂c_t for T − t = 0, 1, … T, from an LSTM's Jacobians: the path
 * along the cell state, which is the product of the forget gates, and all paths through a hidden state.
 */
export function pathNorms(jacobians) {
  const [n, d] = [jacobians[0].length, jacobians[0].length / 2];
  let product = filled(n, n, (i, j) => Number(i === j));
  const kept = new Float64Array(d).fill(1);
  const [along, around] = [[0], [null]];
  for (let t = jacobians.length - 1; t >= 0; t--) {
    product = times(product, jacobians[t]);
    const before = jacobians[t - 1]; // of the step that ∂h_t/∂c_t belongs to; h_0 is fixed
    for (let k = 0; k < d; k++) kept[k] *= jacobians[t][d + k][d + k];
    const rest = filled(d, d, (i, j) => {
      const slope = before ? before[j][d + j] / before[d + j][d + j] : 0;
      return product[d + i][d + j] - (i === j ? kept[i] : 0) + product[d + i][j] * slope;
    });
    along.push(Math.log10(Math.max(...kept)));
    around.push(logNorm(rest));
  }
  return [along, around];
}
