// What the heads of an encoder do with their weights: how much goes where, as firth/widgets/bert/attention_heads.py counts it.

import { rounded } from "../tensor.js";
import { dequantize, once } from "../weights.js";

export const [BLOCKS, HEADS] = [6, 12];
const PARTS = 255; // that a token's attention is stored in

/** Who looks at whom, in shares of 1: heads one after the other, rows, columns. */
export const weights = once(({ pieces, weights: stored }) => {
  const n = pieces.length;
  const rows = dequantize(stored).map((row) => Array.from(row, (parts) => parts / PARTS));
  return Array.from({ length: BLOCKS * HEADS }, (_, k) => rows.slice(k * n, k * n + n));
});

const average = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;

/** e to the entropy: so many tokens would be looked at, if they were looked at alike. */
function inEffect(row) {
  return Math.exp(row.reduce((sum, a) => sum - (a > 0 ? a * Math.log(a) : 0), 0));
}

/** What counts as a goal of token i, for each habit that is a share. */
const goals = (pieces) => ({
  cls: (i, j) => pieces[j] === "[CLS]",
  sep: (i, j) => pieces[j] === "[SEP]",
  itself: (i, j) => i === j,
  before: (i, j) => i - 1 === j,
  after: (i, j) => i + 1 === j,
  same: (i, j) => i !== j && pieces[i] === pieces[j] && !["[CLS]", "[SEP]"].includes(pieces[i]),
});

/** How much each head has of each habit, a mean over the tokens that can have it; else null. */
export const measured = once((chosen) => {
  const heads = weights(chosen);
  const shares = Object.entries(goals(chosen.pieces)).map(([key, goal]) => {
    const goalsOf = (_, i) => chosen.pieces.flatMap((_, j) => (goal(i, j) ? [j] : []));
    const mine = chosen.pieces.map(goalsOf);
    const having = mine.flatMap((goal, i) => (goal.length ? [i] : []));
    const weight = (A, i) => mine[i].reduce((sum, j) => sum + A[i][j], 0);
    const share = (A) => 100 * average(having.map((i) => weight(A, i)));
    return [key, heads.map((A) => (having.length ? share(A) : null))];
  });
  const spread = heads.map((A) => average(A.map(inEffect)));
  return Object.fromEntries([...shares, ["spread", spread]]);
});

/** The heads with the most of something, as one says them: 4.2 is head 2 of block 4. */
export function leading(values, n) {
  if (values[0] === null) return [];
  const near = values.map((value) => rounded(value, 6));
  const order = near.map((_, i) => i).sort((i, j) => near[j] - near[i]);
  return order.slice(0, n).map((i) => `${Math.floor(i / HEADS) + 1}.${(i % HEADS) + 1}`);
}
