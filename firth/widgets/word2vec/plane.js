// The picture of word2vec_training.js: the vectors in their plane, and the loss as it falls.

import { element, svg, written } from "../controls.js";

const SIDE = 400; // of the plane, in its own units
const MARGIN = 30; // around what is drawn
const NEAR = 13; // words nearer than this share one label
const LETTER = 7.4; // the width of one, about
const ENLARGED = 5; // how much longer than it is a move is drawn

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** 1, 2 or 5 with zeros: the largest such number that is not above x. */
function nice(x) {
  const ten = 10 ** Math.floor(Math.log10(x));
  return ten * (x >= 5 * ten ? 5 : x >= 2 * ten ? 2 : 1);
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

/** The plane: a disc for v of each word, a diamond for its u, and what one step does to them. */
export function plane(words, most) {
  const ring = svg("circle", { class: "ring" });
  const unit = svg("text", { class: "unit" });
  const trails = words.map(() => svg("path", { class: "trail" }));
  const diamonds = words.map(() => svg("path", { class: "u", d: "M0 -4L4 0L0 4L-4 0Z" }));
  const discs = words.map(() => svg("circle", { class: "v", r: 4.5 }));
  const labels = words.map(() => svg("text", { class: "name" }));
  const moves = Array.from({ length: 2 * most }, () => svg("path", { class: "move" }));
  const others = Array.from({ length: most }, () => svg("text", { class: "other" }));
  const moment = svg("g", { class: "moment" }, ...moves, ...others);
  const axes = svg("path", { class: "axis" });
  const layers = [axes, ring, unit, ...trails, ...diamonds, ...discs, moment, ...labels];
  const box = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "plane", role: "img" };
  const node = svg("svg", box, ...layers);

  function draw({ V, U, trails: passed, word, asked, pulls, pushes }) {
    const ends = [0, 1].map((c) => [...V, ...U, [0, 0]].map((row) => row[c]));
    const [low, high] = [Math.min, Math.max].map((most) => ends.map((values) => most(...values)));
    const wide = Math.max(high[0] - low[0], high[1] - low[1]);
    const scale = (SIDE - 2 * MARGIN) / wide;
    const at = ([x, y]) => [
      SIDE / 2 + scale * (x - (low[0] + high[0]) / 2),
      SIDE / 2 - scale * (y - (low[1] + high[1]) / 2),
    ];
    const along = ([x, y], [dx, dy], times) => at([x + times * dx, y + times * dy]);
    const [x0, y0] = at([0, 0]);
    set(axes, { d: `M0 ${y0}H${SIDE}M${x0} 0V${SIDE}` });
    const round = nice(wide / 2);
    set(ring, { cx: x0, cy: y0, r: scale * round });
    set(unit, { x: x0 + 4, y: y0 - scale * round - 4 });
    unit.textContent = round;
    const points = V.map(at);
    const centre = words.indexOf(word);
    points.forEach(([cx, cy], i) => {
      set(discs[i], { cx, cy, class: i === centre ? "v centre" : "v" });
      set(trails[i], { d: path([...passed.map((rows) => at(rows[i])), points[i]]) });
    });
    const places = asked.filter(Boolean).map((name) => words.indexOf(name));
    U.forEach((row, i) => {
      const [x, y] = at(row);
      const kind = i === places[0] ? "u seen" : places.includes(i) ? "u noise" : "u";
      set(diamonds[i], { transform: `translate(${x} ${y})`, class: kind });
    });
    moves.forEach((move, i) => {
      const [n, onU] = [i % most, i >= most];
      move.style.display = n < places.length ? "" : "none";
      if (n >= places.length) return;
      const [from, by] = onU ? [U[places[n]], pushes[n]] : [V[centre], pulls[n]];
      const ends = [along(from, by, -1), along(from, by, ENLARGED - 1)]; // from is where it led
      set(move, { d: path(ends), class: n ? "move noise" : "move seen" });
    });
    const groups = clusters(points);
    const texts = groups.map((group) => group.map((i) => words[i]).join(", "));
    const met = [...new Set(places)];
    const spots = placed(
      [...met.map((j) => [at(U[j])]), ...groups.map((group) => group.map((i) => points[i]))],
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
    node.setAttribute("aria-label", `The plane of the vectors. Together: ${texts.join("; ")}.`);
  }
  return { node, draw };
}

/** The mean loss of each pass; a line where a model stands that gives every pair a half. */
export function curve(passes) {
  const [width, height] = [300, 96];
  const line = svg("path", { class: "line" });
  const dot = svg("circle", { class: "now", r: 4 });
  const blind = svg("path", { class: "blind" });
  const node = svg(
    "svg",
    { viewBox: `-6 -8 ${width + 12} ${height + 14}`, class: "curve", role: "img" },
    ...[svg("path", { class: "axis", d: `M0 0V${height}H${width}` }), blind, line, dot],
  );
  function draw({ losses }, { k }) {
    const top = 1.15 * (1 + k) * Math.log(2);
    const at = (loss, n) => [((n + 1) / passes) * width, height * (1 - loss / top)];
    const points = losses.map(at);
    set(blind, { d: `M0 ${height * (1 - 1 / 1.15)}H${width}` });
    set(line, { d: points.length ? path(points) : "" });
    const [cx, cy] = points.at(-1) ?? [0, height * (1 - 1 / 1.15)];
    set(dot, { cx, cy });
    const said = losses.map((loss) => written(loss, 2)).join(", ") || "none yet";
    node.setAttribute("aria-label", `Mean loss of each pass: ${said}.`);
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
