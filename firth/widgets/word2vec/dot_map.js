// A map of thousands of words as dots, for word_map.js: names where there is room, and a zoom.

import { svg } from "../controls.js";

const SIDE = 400; // of the drawing, in its own units
const MARGIN = 12;
const LETTER = 7.4; // the width of one, about
const LINE = 16; // the height of a name
const [NEAREST, NAMED] = [14, 40]; // how far a click may miss a dot; names of words that nobody asked about
const PLAIN = 400; // the most frequent words are named last: the, of, and …
const CLOSEST = 60; // a zoom shows at least so much of the places

const set = (node, attributes) => {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
};

/** A square around points, so many times as wide as they reach, and not below the least: its corner and its side. */
function squareAround(points, times, least) {
  const [xs, ys] = [0, 1].map((c) => points.map((point) => point[c]));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(least, times * Math.max(right - left, high - low));
  return { x: (left + right - side) / 2, y: (low + high - side) / 2, side };
}

/** The first point, and the others without those that are much farther from it than most. */
function together([first, ...others]) {
  const far = ([x, y]) => Math.hypot(x - first[0], y - first[1]);
  const sorted = others.map(far).sort((a, b) => a - b);
  const reach = 3 * Math.max(CLOSEST / 3, sorted[Math.floor(sorted.length / 2)] ?? 0);
  return [first, ...others.filter((point) => far(point) <= reach)];
}

/** The drawing, and how to show a word with its neighbours in it. `go` is called with a word that is clicked. */
export function dotMap(names, places, go) {
  const points = names.map((_, i) => [places[2 * i], places[2 * i + 1]]);
  const whole = squareAround(points, 1, 1);
  const d = points.map(([x, y]) => `M${x} ${-y}h0`).join("");
  const dots = svg("path", { class: "dots", d, "vector-effect": "non-scaling-stroke" });
  const near = svg("path", { class: "near", "vector-effect": "non-scaling-stroke" });
  const middle = svg("path", { class: "middle", "vector-effect": "non-scaling-stroke" });
  const layer = svg("g", {}, dots, near, middle);
  const labels = svg("g", { class: "names" });
  const pointed = svg("text", { class: "pointed" });
  const label = "a map of the words: every dot is a word, and similar words are near each other";
  const box = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "map", role: "img", "aria-label": label };
  const node = svg("svg", box, layer, labels, pointed);
  let view = whole;

  const at = ([x, y]) => {
    const scale = (SIDE - 2 * MARGIN) / view.side;
    return [MARGIN + scale * (x - view.x), SIDE - MARGIN - scale * (y - view.y)];
  };
  const inside = ([x, y]) => 0 < x && x < SIDE && 0 < y && y < SIDE;

  /** The number of the word whose dot is nearest to the pointer, or −1. */
  function nearestTo(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
    const best = points.reduce(
      (found, point, i) => {
        const [u, v] = at(point);
        const far = Math.hypot(u - x, v - y);
        return far < found.far ? { i, far } : found;
      },
      { i: -1, far: NEAREST },
    );
    return best.i;
  }

  /** A name beside its dot, where it covers no other name; false if there is no room. */
  function placed(i, taken, kind, must) {
    const [x, y] = at(points[i]);
    const wide = LETTER * names[i].length;
    const tries = [
      [x - wide / 2, y - 8],
      [x + 7, y + 5],
      [x - wide - 7, y + 5],
      [x - wide / 2, y + 18],
    ];
    const clear = ([u, v]) =>
      u > 0 && u + wide < SIDE && v > LINE && v < SIDE - 3 &&
      taken.every((b) => b.x > u + wide || b.x + b.wide < u || Math.abs(b.y - v) > LINE);
    const spot = tries.find(clear) ?? (must ? [Math.min(SIDE - wide, Math.max(0, x - wide / 2)), Math.max(LINE, y - 8)] : null);
    if (!spot) return false;
    taken.push({ x: spot[0], y: spot[1], wide });
    labels.append(svg("text", { x: spot[0], y: spot[1], class: kind }, names[i]));
    return true;
  }

  function draw(ids, zoomed) {
    view = zoomed ? squareAround(together(ids.map((i) => points[i])), 1.3, CLOSEST) : whole;
    const scale = (SIDE - 2 * MARGIN) / view.side;
    const shift = [MARGIN - scale * view.x, SIDE - MARGIN + scale * view.y];
    set(layer, { transform: `translate(${shift.join(" ")}) scale(${scale})` });
    const dot = (i) => `M${points[i][0]} ${-points[i][1]}h0`;
    set(near, { d: ids.slice(1).map(dot).join("") });
    set(middle, { d: ids.slice(0, 1).map(dot).join("") });
    node.classList.toggle("zoomed", Boolean(zoomed));
    labels.replaceChildren();
    const taken = [];
    ids.forEach((i, n) => inside(at(points[i])) && placed(i, taken, n ? "close" : "found", !n));
    const others = [...points.keys()].filter((i) => !ids.includes(i) && inside(at(points[i])));
    const order = [...others.filter((i) => i >= PLAIN), ...others.filter((i) => i < PLAIN)];
    let named = 0;
    for (const i of order) if (named < NAMED && placed(i, taken, "plain", false)) named += 1;
    pointed.textContent = "";
  }

  node.addEventListener("click", (event) => {
    const i = nearestTo(event);
    if (i >= 0) go(names[i]);
  });
  node.addEventListener("pointermove", (event) => {
    const i = event.pointerType === "mouse" ? nearestTo(event) : -1;
    pointed.textContent = names[i] ?? "";
    labels.classList.toggle("dimmed", i >= 0);
    if (i < 0) return;
    const [x, y] = at(points[i]);
    const wide = 1.1 * LETTER * names[i].length;
    set(pointed, { x: Math.min(SIDE - wide, Math.max(0, x - wide / 2)), y: Math.max(LINE, y - 9) });
  });
  node.addEventListener("pointerleave", () => {
    pointed.textContent = "";
    labels.classList.remove("dimmed");
  });
  return { node, draw };
}
