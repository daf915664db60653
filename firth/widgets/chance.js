// Chance that Python and JavaScript throw alike; `chance.py` says how.

/** The next number from 0 to 1 at every call. @type {(seed: number) => () => number} */
export function uniform(seed) {
  let x = Math.imul(seed, 2654435769) >>> 0;
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return x / 2 ** 32;
  };
}

/** The sums so far. @type {(x: ArrayLike<number>) => Float64Array} */
export function cumulated(x) {
  const sums = Float64Array.from(x);
  for (let i = 1; i < sums.length; i++) sums[i] += sums[i - 1];
  return sums;
}

/** The place that u falls on when the probabilities, added up, lie side by side from 0 to 1. */
export function drawn(cumulative, u) {
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
