// What attention costs at a length: through the measurements, and on as it must go on; said as people say it.

export const GRID = Array.from({ length: 321 }, (_, k) => 2 ** (4 + k / 16)); // lengths where a crossing is looked for
const UNITS = {
  seconds: [[1e-6, "µs"], [1e-3, "ms"], [1, "s"], [60, "min"], [3600, "h"], [86400, "days"]],
  megabytes: [[1e-3, "kB"], [1, "MB"], [1e3, "GB"], [1e6, "TB"]],
};

export const thousands = (n) => `${n}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** A cost as one says it. */
export function said(exact, what) {
  const cost = exact * (1 + 1e-9); // no tie, which Python and JavaScript would round differently
  const [size, unit] = UNITS[what].findLast(([least]) => cost >= least) ?? UNITS[what][0];
  return `${(cost / size).toFixed(cost / size < 9.95 ? 1 : 0)} ${unit}`;
}

/** The length from which on all logarithms of two costs' ratio are above 0; 0 if they always are. */
export function crossing(ratios) {
  const i = ratios.findLastIndex((ratio) => ratio <= 0);
  if (i < 0) return 0;
  if (i === ratios.length - 1) return null;
  return GRID[i] * (GRID[i + 1] / GRID[i]) ** (ratios[i] / (ratios[i] - ratios[i + 1]));
}

export function from(cross) {
  if (cross === null) return "at no length";
  if (cross < 2) return "at every length";
  const size = 10 ** Math.max(0, Math.floor(Math.log10(cross)) - 1);
  return `from about ${thousands(Math.round(cross / size) * size)} tokens on`;
}

/** The sizes chosen against those measured, for each letter that a cost grows with. */
const ratios = (line, { d, w, r }) => ({ d: d / line.d, w: w / line.w, r, n: 1 });

/** What a line costs at a length: through the measurements, and on as it must go on. */
export function costs(line, what, n, state) {
  const [grows, known, y] = [line.grows[what], line.n, line[what]];
  const last = known.length - 1;
  const found = known.findIndex((m) => m >= n);
  const i = Math.max(1, found < 0 ? last : found);
  const slope = Math.log(y[i] / y[i - 1]) / Math.log(known[i] / known[i - 1]);
  const power = n > known[last] ? grows.split("n").length - 1 : slope;
  const whole = y[i] * (n / known[i]) ** power;
  const least = what === "seconds" ? line.overhead : 0;
  const ratio = ratios(line, state);
  const factor = [...grows].reduce((f, letter) => f * ratio[letter], state.heads / line.heads);
  return least + factor * Math.max(0, whole - least);
}

/** Whether a line was measured at these sizes. */
export function sized(line, state) {
  const ratio = ratios(line, state);
  return state.heads === line.heads && [...line.grows.seconds].every((letter) => ratio[letter] === 1);
}

export const isMeasured = (line, state, n) => sized(line, state) && line.n[0] <= n && n <= line.n.at(-1);
