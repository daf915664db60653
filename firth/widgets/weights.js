// Weights as a page carries them: tables whose numbers are a byte each, as firth/rnn/place_names.py packs.

/** Compute once for each object what depends on nothing but data that never change. */
export function once(compute) {
  const known = new WeakMap();
  return (object) => {
    if (!known.has(object)) known.set(object, compute(object));
    return known.get(object);
  };
}

/** The rows of a table, each with its own scale. */
function unpacked({ scale, bytes }) {
  const steps = atob(bytes);
  const width = steps.length / scale.length;
  return scale.map((unit, i) => {
    const row = new Float64Array(width);
    for (let k = 0; k < width; k++) row[k] = ((steps.charCodeAt(i * width + k) << 24) >> 24) * unit;
    return row;
  });
}

/** The tables by their names; a vector is a table of one row. */
export const network = once((weights) => {
  const names = Object.keys(weights);
  return Object.fromEntries(names.map((name) => [name, unpacked(weights[name])]));
});
