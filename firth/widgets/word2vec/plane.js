// The pictures of training.js: the vectors in their plane, and curves over the passes.

import { element, svg, written } from "../controls.js";
import { arrowPath } from "./arrows.js";

const SIDE = 400; // of the plane, in its own units
const MARGIN = 30; // around what is drawn
const NEAR = 13; // words nearer than this share one label
const LETTER = 7.6; // the width of one, about

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** 1, 2 or 5 with zeros: the largest such number that is not above x. */
function nice(x) {
  const ten = 10 ** Math.floor(Math.log10(x));
  return Number((ten * (x >= 5 * ten ? 5 : x >= 2 * ten ? 2 : 1)).toPrecision(1));
}

/** Words that stand together, as lists of their places. */
function clusters(points) {
  const found = [];
  points.forEach(([x, y], i) => {
    const near = ([first]) => Math.hypot(points[first][0] - x, points[first][1] - y) < NEAR;
    const home = found.find(near);
    if (home) home.push(i);
    else found.push([i]);
  });
  return found;
}

/** A place for each label beside its points: clear of all discs and labels, where there is room. */
function placed(groups, texts, discs) {
  const taken = discs.map(([x, y]) => ({ left: x - 4, right: x + 4, top: y + 4 }));
  return groups.map((points, i) => {
    const width = LETTER * texts[i].length;
    const xs = points.map(([x]) => x);
    const y = points.reduce((sum, point) => sum + point[1], 0) / points.length;
    const [low, high] = [Math.min(...xs) - 8 - width, Math.max(...xs) + 8];
    const sides = high + width < SIDE && (low < 0 || high > SIDE / 2) ? [high, low] : [low, high];
    const tries = [0, 8, -8, 16, -16, 24, -24, 36, -36].flatMap((by) =>
      sides.map((x) => ({ x: Math.min(SIDE - width, Math.max(2, x)), y: y + 4 + by })),
    );
    const free = ({ x, y }) =>
      [12 < y && y < SIDE - 2].concat(
        taken.map((b) => b.left > x + width || b.right < x || Math.abs(b.top - y) > 12),
      );
    const spot = tries.find((at) => free(at).every(Boolean)) ?? tries[0];
    taken.push({ left: spot.x, right: spot.x + width, top: spot.y });
    return spot;
  });
}

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

/** The plane: a disc for v of each word, a ring for its u, and an arrow for each that a step moved. */
export function plane(words, most) {
  const ring = svg("circle", { class: "ring" });
  const unit = svg("text", { class: "unit" });
  const trails = words.map(() => svg("path", { class: "trail" }));
  const rings = words.map(() => svg("circle", { class: "u", r: 4.5 }));
  const discs = words.map(() => svg("circle", { class: "v", r: 4.5 }));
  const labels = words.map(() => svg("text", { class: "name" }));
  const moves = Array.from({ length: 1 + most }, () => svg("path", { class: "move" }));
  const others = Array.from({ length: most }, () => svg("text", { class: "other" }));
  const moment = svg("g", { class: "moment" }, ...moves, ...others);
  const axes = svg("path", { class: "axis" });
  const layers = [axes, ring, unit, ...trails, ...rings, ...discs, moment, ...labels];
  const box = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "plane", role: "img" };
  const node = svg("svg", box, ...layers);

  function draw({ V, U, trails: passed, word, asked, moves: moved }) {
    const ends = [0, 1].map((c) => [...V, ...U, ...moved.flat(), [0, 0]].map((row) => row[c]));
    const [low, high] = [Math.min, Math.max].map((most) => ends.map((values) => most(...values)));
    const wide = Math.max(high[0] - low[0], high[1] - low[1]);
    const scale = (SIDE - 2 * MARGIN) / wide;
    const at = ([x, y]) => [
      SIDE / 2 + scale * (x - (low[0] + high[0]) / 2),
      SIDE / 2 - scale * (y - (low[1] + high[1]) / 2),
    ];
    const [x0, y0] = at([0, 0]);
    set(axes, { d: `M0 ${y0}H${SIDE}M${x0} 0V${SIDE}` });
    const round = nice(wide / 2);
    set(ring, { cx: x0, cy: y0, r: scale * round });
    set(unit, { x: x0 + 4, y: y0 - scale * round - 4 });
    unit.textContent = round;
    const [points, contexts] = [V.map(at), U.map(at)];
    const centre = words.indexOf(word);
    const places = asked.filter(Boolean).map((name) => words.indexOf(name));
    points.forEach(([cx, cy], i) => {
      set(discs[i], { cx, cy, class: i === centre ? "v centre" : "v" });
      set(trails[i], { d: path([...passed.map((rows) => at(rows[i])), points[i]]) });
    });
    contexts.forEach(([cx, cy], i) => {
      const kind = i === places[0] ? "u seen" : places.includes(i) ? "u noise" : "u";
      set(rings[i], { cx, cy, class: kind });
    });
    moves.forEach((move, i) => {
      move.style.display = i < moved.length ? "" : "none";
      if (i >= moved.length) return;
      set(move, { d: arrowPath(...moved[i].map(at)), class: `move ${["centre", "seen"][i] ?? "noise"}` });
    });
    const groups = clusters(points);
    const texts = groups.map((group) => group.map((i) => words[i]).join(", "));
    const met = [...new Set(places)];
    const spots = placed(
      [...met.map((j) => [contexts[j]]), ...groups.map((group) => group.map((i) => points[i]))],
      [...met.map((j) => words[j]), ...texts],
      points,
    );
    others.forEach((label, n) => {
      label.textContent = words[met[n]] ?? "";
      if (n < met.length) set(label, { ...spots[n], class: n ? "other noise" : "other seen" });
    });
    labels.forEach((label, n) => {
      label.textContent = texts[n] ?? "";
      const kind = groups[n]?.includes(centre) ? "name centre" : "name";
      if (n < groups.length) set(label, { ...spots[met.length + n], class: kind });
    });
    node.setAttribute("aria-label", `A map of the word vectors. Together: ${texts.join("; ")}.`);
  }
  return { node, draw };
}

/** Curves over the passes: `draw` gets a list of values for each curve, and the axis. */
export function chart(name, passes, n) {
  const [width, height] = [300, 84];
  const lines = Array.from({ length: n }, (_, i) => svg("path", { class: `line line${i}` }));
  const dots = Array.from({ length: n }, (_, i) => svg("circle", { class: `now line${i}`, r: 4 }));
  const dashed = svg("path", { class: "dashed" });
  const marks = [0, 1].map(() => svg("text", { x: -6 }));
  const foot = svg("text", { x: width, y: height + 17 }, `pass ${passes}`);
  const frame = svg("path", { class: "axis", d: `M0 0V${height}H${width}` });
  const box = { viewBox: `-34 -4 ${width + 42} ${height + 26}`, class: "curve", role: "img" };
  const node = svg("svg", box, frame, dashed, ...lines, ...dots, ...marks, foot);

  function draw(values, { low, high, dashed: level, ticks, since }) {
    const y = (value) => (height * (high - value)) / (high - low);
    const at = (value, pass) => [((pass + since) / passes) * width, y(value)];
    set(dashed, { d: `M0 ${y(level)}H${width}` });
    marks.forEach((mark, i) => {
      mark.textContent = written(ticks[i], 1);
      set(mark, { y: y(ticks[i]) + 4 });
    });
    values.forEach((list, i) => {
      const points = list.map(at);
      set(lines[i], { d: points.length ? path(points) : "" });
      const [cx, cy] = points.at(-1) ?? [0, y(level)];
      set(dots[i], { cx, cy });
    });
    const said = values.map((list) => list.map((value) => written(value, 2)).join(", ") || "none yet");
    node.setAttribute("aria-label", `The ${name}: ${said.join("; ")}.`);
  }
  return { node, draw };
}

/** The sentences as spans, one for each word; `mark` shows the pair of a step in them. */
export function sentences(texts, words) {
  const spans = [];
  const lines = texts.map((line) => {
    const parts = line.map((word) => {
      spans.push(element("span", { class: words.includes(word) ? "" : "left" }, word));
      return [spans.at(-1), " "];
    });
    return element("li", {}, ...parts.flat());
  });
  const mark = (centre, other) =>
    spans.forEach((span, place) => {
      span.classList.toggle("centre", place === centre);
      span.classList.toggle("near", place === other);
    });
  return { node: element("ol", { class: "text", "aria-label": "the sentences" }, ...lines), mark };
}
