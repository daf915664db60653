// The picture of bert_blanks.js: a dot for each word, its log-likelihood in two sentences.

import { svg, written } from "../controls.js";

const [SIDE, LEFT, FOOT] = [420, 44, 40]; // of the picture, and room for its scales, in its own units
const EDGES = [-3, -2, -1, -0.4, 0.4, 1, 2, 3]; // differences at which the colour changes
const LABELS = 7; // words named at either end, and of the likeliest
const [LETTER, LINE, NEAR] = [7.6, 15, 14];

const px = (value) => value.toFixed(1);

/** Steps of 5, 2 or 1 that make four to eight lines between two numbers. */
function ticks(low, high) {
  const step = [0.2, 0.5, 1, 2, 5].find((one) => (high - low) / one <= 7) ?? 5;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step + 1e-9) + 1 }, (_, n) => first + n * step);
}

/** Names for some of the points, beside them, where no other name stands. */
function placed(points) {
  const taken = [];
  return points.flatMap(({ name, u, v }) => {
    const width = LETTER * name.length;
    const spots = [[u + 7, v + 5], [u - 7 - width, v + 5], [u - width / 2, v - 8], [u - width / 2, v + 19]];
    const free = ([x, y]) =>
      x >= LEFT && x + width <= SIDE && y > LINE && y < SIDE - FOOT &&
      taken.every((b) => b.x > x + width || b.x + b.width < x || Math.abs(b.y - y) >= LINE);
    const spot = spots.find(free);
    if (!spot) return [];
    taken.push({ x: spot[0], y: spot[1], width });
    return [{ name, x: spot[0], y: spot[1] }];
  });
}

/** The cloud of words; `point(name)` is called when one is pointed at. */
export function blanksChart(point) {
  const bins = Array.from({ length: EDGES.length + 1 }, (_, n) => svg("path", { class: `bin b${n}` }));
  const [grid, even] = ["grid", "even"].map((name) => svg("path", { class: name }));
  const scales = svg("g", { class: "scales", "aria-hidden": "true" });
  const names = svg("g", { class: "names", "aria-hidden": "true" });
  const ring = svg("circle", { class: "ring", r: 7 });
  const own = svg("text", { class: "own" });
  let dots = [];
  const nearest = ({ clientX, clientY }) => {
    const inward = node.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(inward);
    let [found, far] = [null, NEAR];
    for (const dot of dots) {
      const gap = Math.hypot(dot.u - x, dot.v - y);
      if (gap < far) [found, far] = [dot, gap];
    }
    if (found) point(found.name);
  };
  const events = { onpointermove: nearest, onpointerdown: nearest };
  const frame = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "cloud", role: "img", ...events };
  const node = svg("svg", frame, grid, even, scales, ...bins, names, ring, own);

  function draw(points, place, chart) {
    const across = chart === "differences";
    const high = 0;
    const low = Math.min(...points.map(({ x, y }) => Math.min(x, y)), -1) - 0.3;
    const most = Math.max(1, ...points.map(({ x, y }) => Math.abs(x - y))) + 0.3;
    const plot = [SIDE - LEFT - 6, SIDE - FOOT - 6];
    const right = (value) => LEFT + ((value - low) / (high - low)) * plot[0];
    const up = across
      ? (value) => 6 + (0.5 - value / (2 * most)) * plot[1]
      : (value) => 6 + ((high - value) / (high - low)) * plot[1];
    dots = points.map(({ name, x, y }) => ({
      name,
      x,
      y,
      gap: x - y,
      u: right(across ? Math.max(x, y) : x),
      v: up(across ? x - y : y),
    }));
    const paths = bins.map(() => []);
    for (const { gap, u, v } of dots) paths[EDGES.filter((edge) => gap > edge).length].push(`M${px(u)} ${px(v)}h0`);
    bins.forEach((bin, n) => bin.setAttribute("d", paths[n].join("")));
    node.classList.toggle("many", points.length > 500);
    const [columns, lines] = [ticks(low, high), across ? ticks(-most, most) : ticks(low, high)];
    grid.setAttribute(
      "d",
      columns.map((value) => `M${px(right(value))} 6V${SIDE - FOOT}`).join("") + lines.map((value) => `M${LEFT} ${px(up(value))}H${SIDE - 6}`).join(""),
    );
    even.setAttribute("d", across ? `M${LEFT} ${px(up(0))}H${SIDE - 6}` : `M${LEFT} ${SIDE - FOOT}L${SIDE - 6} 6`);
    const said = across ? "log-likelihood in the one that likes it more" : "log-likelihood in the first sentence";
    const sideways = across ? "how much likelier in the first" : "in the second";
    const text = (attributes, words) => svg("text", attributes, words);
    scales.replaceChildren(
      ...columns.map((value) => text({ x: px(right(value)), y: SIDE - FOOT + 17, "text-anchor": "middle" }, written(value))),
      ...lines.map((value) => text({ x: LEFT - 6, y: px(up(value) + 5), "text-anchor": "end" }, written(value, most < 2 && across ? 1 : 0))),
      text({ x: SIDE - 6, y: SIDE - 5, "text-anchor": "end" }, said),
      text({ x: 12, y: 6, "text-anchor": "end", transform: "rotate(-90 12 6)" }, sideways),
    );
    const likeliest = [...dots].sort((a, b) => b.x + b.y - a.x - a.y).slice(0, LABELS);
    const ends = Array.from({ length: LABELS }, (_, n) => [dots[n], dots.at(-1 - n)]).flat();
    const wanted = new Set([...ends, ...likeliest].filter((dot) => dot && dot !== dots[place]));
    names.replaceChildren(...placed([...wanted]).map(({ name, x, y }) => text({ x: px(x), y: px(y) }, name)));
    const here = place === null ? null : dots[place];
    for (const mark of [ring, own]) mark.style.display = here ? "" : "none";
    if (here) {
      ring.setAttribute("cx", px(here.u));
      ring.setAttribute("cy", px(here.v));
      const wide = LETTER * here.name.length;
      own.setAttribute("x", px(here.u + wide + 12 > SIDE ? here.u - wide - 12 : here.u + 10));
      own.setAttribute("y", px(Math.max(LINE, here.v - 8)));
      own.textContent = here.name;
    }
    const top = likeliest.slice(0, 3).map(({ name }) => name).join(", ");
    node.setAttribute("aria-label", `${points.length} words by their log-likelihood in two sentences; likeliest: ${top}.`);
  }
  return { node, draw };
}
