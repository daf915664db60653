// The decoder of firth/transformer/gpt.py, letter after letter: the same weights, the same chance, every number.
//
// What a letter becomes depends on nothing that comes later. So a text is read one letter at a time,
// each leaves its keys and values in a cache, and to write is to read what one has just drawn.

import { cumulated, drawn, uniform } from "../random_numbers.js";
import { network, once } from "../weights.js";

const PARTS = ["norm_1", "Q", "K", "V", "O", "norm_2", "up", "down"];

/** A GPT's tables by their places in it; each part but a table of vectors is [weight, bias]. */
export const gpt = once((weights) => {
  const tables = network(weights);
  const part = (name) => [tables[`${name}.weight`], tables[`${name}.bias`][0]];
  const blocks = [];
  for (let i = 0; `blocks.${i}.Q.weight` in tables; i++)
    blocks.push(Object.fromEntries(PARTS.map((name) => [name, part(`blocks.${i}.${name}`)])));
  const [[[scale], shift], tokens] = [part("norm"), tables["tokens.weight"]];
  return { tokens, places: tables["places.weight"], blocks, norm: [[scale], shift] };
});

/** W x + b: plain loops, and four sums side by side, for here almost all of the time is spent. */
export function linear(x, [W, b]) {
  const out = new Float64Array(W.length);
  const fours = x.length - (x.length % 4);
  for (let i = 0; i < W.length; i++) {
    const row = W[i];
    let [s, t, u, v] = [0, 0, 0, 0];
    for (let k = 0; k < fours; k += 4) {
      s += row[k] * x[k];
      t += row[k + 1] * x[k + 1];
      u += row[k + 2] * x[k + 2];
      v += row[k + 3] * x[k + 3];
    }
    for (let k = fours; k < x.length; k++) s += row[k] * x[k];
    out[i] = s + t + (u + v) + (b ? b[i] : 0);
  }
  return out;
}

/** Mean 0 and variance 1, then each feature scaled and shifted as it was learned. */
export function normed(x, [[scale], shift], eps) {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  const size = Math.sqrt(variance + eps);
  return x.map((value, k) => ((value - mean) / size) * scale[k] + shift[k]);
}

/** A bend with a soft knee, in its form by tanh. */
export const gelu = (x) =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));

/** Scores as shares of 1. */
export function softmax(scores) {
  const most = scores.reduce((a, b) => (b > a ? b : a));
  const shares = scores.map((score) => Math.exp(score - most));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/** q·k / √e of one head's features with those of every key. */
export function scored(q, keys, from, e) {
  const scores = new Float64Array(keys.length);
  for (let j = 0; j < keys.length; j++) {
    const key = keys[j];
    let sum = 0;
    for (let k = from; k < from + e; k++) sum += q[k] * key[k];
    scores[j] = sum / Math.sqrt(e);
  }
  return scores;
}

/** What each head sees: its scores, their shares, and the values mixed by them side by side. */
function attended(Q, keys, values, heads) {
  const e = Q.length / heads;
  const [scores, weights, mix] = [[], [], new Float64Array(Q.length)];
  for (let h = 0; h < heads; h++) {
    scores.push(scored(Q, keys, h * e, e));
    weights.push(softmax(scores[h]));
    for (let j = 0; j < values.length; j++) {
      const value = values[j];
      const share = weights[h][j];
      for (let k = h * e; k < (h + 1) * e; k++) mix[k] += share * value[k];
    }
  }
  return { scores, weights, mix };
}

const added = (x, y) => x.map((value, k) => value + y[k]);

/** No letter read: the keys and values of each block are still to come. */
export const empty = ({ blocks }) => ({ read: 0, blocks: blocks.map(() => ({ K: [], V: [] })) });

/** Read one more letter: all that becomes of it on its way up, and the scores of what follows. */
export function read(x, cache, net, { heads, eps }) {
  const embedding = net.tokens[x];
  const place = added(embedding, net.places[cache.read++]);
  let X = place;
  const blocks = net.blocks.map((block, i) => {
    const { K: keys, V: values } = cache.blocks[i];
    const norm_1 = normed(X, block.norm_1, eps);
    const [Q, K, V] = [block.Q, block.K, block.V].map((table) => linear(norm_1, table));
    keys.push(K);
    values.push(V);
    const { scores, weights, mix } = attended(Q, keys, values, heads);
    const project = linear(mix, block.O);
    const add_1 = added(X, project);
    const norm_2 = normed(add_1, block.norm_2, eps);
    const up = linear(norm_2, block.up);
    const bent = up.map(gelu);
    const down = linear(bent, block.down);
    X = added(add_1, down);
    const using = { add_1, norm_2, up, gelu: bent, down, add_2: X };
    return { norm_1, Q, K, V, scores, weights, mix, project, ...using };
  });
  const norm = normed(X, net.norm, eps);
  return { embedding, place, blocks, norm, scores: linear(norm, [net.tokens]) };
}

/** p ∝ exp(s / τ) of the k likeliest; at τ = 0 all of it is on the first of the likeliest. */
export function probabilities(scores, tau, k) {
  const most = scores.reduce((a, b) => Math.max(a, b));
  const first = scores.indexOf(most);
  const p = tau ? softmax(scores.map((s) => s / tau)) : scores.map((_, x) => Number(x === first));
  const order = Array.from(p.keys()).sort((x, y) => p[y] - p[x]);
  for (const x of order.slice(k)) p[x] = 0;
  const total = p.reduce((sum, share) => sum + share, 0);
  return p.map((share) => share / total);
}

/**
 * Write on for ever. Each round gives the ids so far, how many of the last it has `seen`, how
 * likely each is to come next, and the `surprise` of all it has drawn, in nats at τ = 1. When the
 * context is full, the older half is forgotten and the newer half read once more: that takes a
 * while, and so null comes after each letter but the last, for a page to draw itself in between.
 */
export function* writing(start, { tau, k, seed }, net, shape) {
  const [u, ids] = [uniform(seed), [...start]];
  let [cache, fresh, surprise, step] = [empty(net), ids.slice(), 0];
  for (;;) {
    if (cache.read && cache.read + fresh.length > shape.context)
      [cache, fresh] = [empty(net), ids.slice(-Math.floor(shape.context / 2))];
    for (const [n, x] of fresh.entries()) {
      step = read(x, cache, net, shape);
      if (n < fresh.length - 1) yield null;
    }
    const p = probabilities(step.scores, tau, k);
    yield { ids: [...ids], seen: cache.read, p, surprise };
    const sums = cumulated(p);
    const x = drawn(sums, u() * sums.at(-1));
    surprise -= Math.log(softmax(step.scores)[x]);
    ids.push(x);
    fresh = [x];
  }
}

const known = once(() => ({ ids: [], steps: [], cache: null }));

/** What `read` gives for each letter of a text. What a text shares with the last one is kept. */
export function readings(ids, net, shape) {
  const last = known(net);
  last.cache ??= empty(net);
  let same = 0;
  while (same < ids.length && last.ids[same] === ids[same]) same++;
  for (const { K, V } of last.cache.blocks) K.length = V.length = same;
  last.cache.read = last.steps.length = same;
  for (const x of ids.slice(same)) last.steps.push(read(x, last.cache, net, shape));
  last.ids = [...ids];
  return last.steps;
}
