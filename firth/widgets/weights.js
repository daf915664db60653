// Weights as a page carries them: tables whose numbers are a byte each, as firth/store/weights.py writes them.

/** Compute once for each object what depends on nothing but data that never change. */
export function once(compute) {
  const known = new WeakMap();
  return (object) => {
    if (!known.has(object)) known.set(object, compute(object));
    return known.get(object);
  };
}

/** The rows of a table, s (q − z): its scales s are one for each row, or one for all. A vector is a table of one row. */
export function dequantize({ shape, scale, zero = 0, bytes }) {
  const q = Int8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
  const width = shape.at(-1);
  const height = q.length / width;
  return Array.from({ length: height }, (_, i) => {
    const unit = scale[Math.floor((i * scale.length) / height)];
    return Float64Array.from(q.subarray(i * width, (i + 1) * width), (value) => (value - zero) * unit);
  });
}

/** The tables by their names. */
export const network = once((weights) => {
  const names = Object.keys(weights);
  return Object.fromEntries(names.map((name) => [name, dequantize(weights[name])]));
});
