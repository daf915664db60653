// A matrix as shades, the edges of its band, and how much each of its directions holds.

import { block, change, element, svg } from "../controls.js";
import { heatMasks } from "../heat_map.js";

export const MOST = 20; // the reach of r
const LOWEST = -4; // of the singular values' picture, a power of 10

export const mapped = (A, f) => A.map((row, i) => row.map((value, j) => f(value, i, j)));

/** A matrix as shades; all maps of the view have one scale. */
export function shades(n, ...said) {
  const heat = heatMasks(n, n);
  const frame = { viewBox: `0 0 ${n} ${n}`, "aria-hidden": "true" };
  const edges = svg("path", { class: "edge" });
  const plot = svg("svg", frame, ...heat.nodes, ...heat.fills(), edges);
  const node = element("figure", {}, plot, element("figcaption", { class: "how" }, ...said));
  const draw = (B, most) =>
    heat.paint(mapped(B, (value) => Math.sign(value) * Math.min(1, Math.sqrt(Math.abs(value) / most))));
  return { node, plot, edges, draw };
}

/** The two steps that bound a band of half-width k, along the cells' own edges. */
export function edge(n, k) {
  const upper = Array.from({ length: n - k - 1 }, (_, i) => `${i ? "" : `M${k + 1} 0`}V${i + 1}H${k + 2 + i}`);
  const lower = Array.from({ length: n - k - 1 }, (_, i) => `${i ? "" : `M0 ${k + 1}`}H${i + 1}V${k + 2 + i}`);
  return upper.join("") + lower.join("");
}

/** Singular values of A and of what the band leaves, by powers of ten; a click chooses r. */
export function spectra(model, n) {
  const lines = ["whole", "rest"].map((name) => svg("path", { class: name }));
  const mark = svg("line", { y1: 0, y2: 1, class: "mark" });
  const frame = { viewBox: `0 0 ${n} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const plot = svg("svg", frame, mark, ...lines);
  const choose = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    const r = Math.round((n * (clientX - left)) / width);
    change(model, { r: Math.max(0, Math.min(MOST, r)) });
  };
  plot.addEventListener("pointerdown", (event) => {
    plot.setPointerCapture(event.pointerId);
    choose(event);
  });
  plot.addEventListener("pointermove", (event) => event.buttons && choose(event));
  const powers = ["1", "10⁻¹", "10⁻²", "10⁻³", "10⁻⁴"];
  const high = powers.map((power, i) => element("span", { class: "y", style: `top: ${25 * i}%` }, power));
  const along = [0, 10, 20, 30, 40].map((r) =>
    element("span", { class: "x", style: `left: ${(100 * r) / n}%` }, `${r}`),
  );
  const node = block("curve", plot, ...high, ...along);
  const at = (value) => Math.min(1.02, Math.log10(Math.max(value, 1e-9)) / LOWEST).toFixed(4);
  const draw = (both, r) => {
    both.forEach((values, i) => {
      const steps = values.map((value, a) => `${a ? "V" : "M0 "}${at(value)}H${a + 1}`);
      lines[i].setAttribute("d", steps.join(""));
    });
    for (const end of ["x1", "x2"]) mark.setAttribute(end, r);
  };
  return { node, draw };
}
