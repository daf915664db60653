// Chance that Python and JavaScript throw alike; `firth/runtime/random_numbers.py` says how.

/** The next number from 0 up to 1 at every call (mulberry32). @type {(seed: number) => () => number} */
export function uniform(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A normal number of mean 0 and variance 1 at every call (Box and Muller). */
export function normal(seed) {
  const [u, kept] = [uniform(seed), []];
  return () => {
    if (!kept.length) {
      const [r, angle] = [Math.sqrt(-2 * Math.log(1 - u())), 2 * Math.PI * u()];
      kept.push(r * Math.sin(angle), r * Math.cos(angle));
    }
    return kept.pop();
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
