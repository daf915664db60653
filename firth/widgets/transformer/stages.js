// The stages of a text on its way through the mini GPT: their numbers, shapes and order.

import { gpt, readings, scored, softmax } from "./gpt.js";

export const PAIRS = ["scores", "mask", "softmax"];
export const MEET = [...PAIRS, "mix"];
export const OF_HEAD = ["Q", "K", "V", "mix"];
export const OF_ALPHABET = ["guess", "chances"];
const EARLY = ["letters", "embedding", "place"]; // before the first block
const ALONE = [...EARLY, "norm_1", "Q", "K", "V"]; // before letters have met, in the first block

/** The stage's numbers, a row a letter; what is struck out is null. */
export function numbers({ alphabet, shape, weights, text, stage, block, head }) {
  const ids = [...text].map((letter) => alphabet.indexOf(letter));
  if (stage === "letters") return ids.map((x) => [x]);
  const steps = readings(ids, gpt(weights), shape);
  const [inside, e] = [steps.map(({ blocks }) => blocks[block - 1]), shape.d / shape.heads];
  const from = (head - 1) * e;
  if (OF_HEAD.includes(stage)) return inside.map((part) => part[stage].subarray(from, from + e));
  if (stage === "softmax")
    return inside.map(({ weights }) => ids.map((_, j) => weights[head - 1][j] ?? 0));
  if (PAIRS.includes(stage)) {
    const keys = inside.map(({ K }) => K);
    const rows = inside.map(({ Q }) => Array.from(scored(Q, keys, from, e)));
    return stage === "mask" ? rows.map((row, i) => row.map((s, j) => (j > i ? null : s))) : rows;
  }
  if (stage === "guess") return steps.map(({ scores }) => scores);
  if (stage === "chances") return steps.map(({ scores }) => softmax(scores));
  return steps.map((step, i) => step[stage] ?? inside[i][stage]);
}

/** How many numbers a letter has at a stage. */
export function width(key, n, { d, heads, inner, n: alphabet }) {
  if (PAIRS.includes(key)) return n;
  if (OF_HEAD.includes(key)) return d / heads;
  if (OF_ALPHABET.includes(key)) return alphabet;
  return { letters: 1, up: inner, gelu: inner }[key] ?? d;
}

/** Which letters the row of letter i would change with. */
export function dependence(n, i, { stage, block }) {
  if (stage === "scores" && n > 1)
    return `on all ${n} letters, those to come as well: the mask strikes them out`;
  if (i === 1 || (block === 1 ? ALONE : EARLY).includes(stage)) return "on this letter alone";
  return `on this letter and the ${i === 2 ? "one" : i - 1} before it`;
}

/** The stage after this one (way 1) or before it (−1), through all the blocks; null at the ends. */
export function following({ stages, shape, stage, block }, way) {
  const keys = stages.map(([key]) => key);
  const [first, last] = [keys.indexOf("norm_1"), keys.indexOf("add_2")];
  const at = keys.indexOf(stage);
  const on = block + way;
  if (at === (way > 0 ? last : first) && on >= 1 && on <= shape.blocks)
    return { stage: keys[way > 0 ? first : last], block: on };
  const next = at + way;
  if (next < 0 || next >= keys.length) return null;
  const entered = next === (way > 0 ? first : last) && (at < first || at > last);
  return { stage: keys[next], block: entered ? (way > 0 ? 1 : shape.blocks) : block };
}
