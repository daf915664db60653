// The pictures of attention_lab.js: a pad for each matrix, and a plane for what they made.

import { change, svg, written } from "../controls.js";
import { arrowPath, dressed, grip } from "./self_attention.js";
import { dot } from "../tensor.js";

const [CENTRE, REACH] = [100, 2.6]; // a pad's middle in its own units, and how far it sees
const [WIDE, NEAR] = [140, 15]; // half a plane, and how near points share one name

const grown = (W, x) => [dot(W.slice(0, 2), x), dot(W.slice(2), x)];
const many = (count, tag, kind, more = {}) =>
  Array.from({ length: count }, () => svg(tag, { class: kind, ...more }));

/** A matrix as the images of the unit vectors, which a hand can move, and of a grid. */
export function pad(model, trait, name, limits) {
  const unit = CENTRE / REACH;
  const at = ([x, y]) => [CENTRE + unit * x, CENTRE - unit * y];
  const ends = (W, a, b) => `M${at(grown(W, a))}L${at(grown(W, b))}`;
  const box = { viewBox: `0 0 ${2 * CENTRE} ${2 * CENTRE}`, class: "pad", role: "group" };
  const node = svg("svg", { ...box, "aria-label": `what ${name} does to the plane` });
  const grid = svg("path", { class: "grid" });
  const axis = svg("path", { class: "axis", d: `M0 ${CENTRE}H${2 * CENTRE}M${CENTRE} 0V${2 * CENTRE}` });
  const dots = many(4, "circle", "dot", { r: 3.5 });
  const value = ([x, y]) => [(x - CENTRE) / unit, (CENTRE - y) / unit];
  const hands = [0, 1].map((column) => {
    const get = () => [model.get(trait)[column], model.get(trait)[column + 2]];
    const put = ([x, y]) => {
      const W = model.get(trait).with(column, x).with(column + 2, y);
      change(model, { [trait]: W });
    };
    const which = column ? "(0, 1)" : "(1, 0)";
    const handle = grip(node, `${name}: image of ${which}`, { ...limits, value }, get, put);
    const [shaft, tip] = [svg("path", { class: "shaft" }), svg("circle", { r: 19, class: "tip" })];
    handle.classList.add(column ? "second" : "first");
    handle.append(shaft, tip);
    return { handle, shaft, tip, get };
  });
  node.append(axis, grid, ...dots, ...hands.map(({ handle }) => handle));

  function draw(W, points) {
    const lines = [-2, -1, 0, 1, 2].map((n) => ends(W, [n, -2], [n, 2]) + ends(W, [-2, n], [2, n]));
    dressed(grid, { d: lines.join("") });
    points.forEach((point, i) => {
      const [cx, cy] = at(point);
      dressed(dots[i], { cx, cy });
    });
    for (const { handle, shaft, tip, get } of hands) {
      const [cx, cy] = at(get());
      dressed(shaft, { d: arrowPath(at([0, 0]), [cx, cy], 10) });
      dressed(tip, { cx, cy });
      const said = get().map((number) => written(number, 1)).join(", ");
      dressed(handle, { "aria-valuenow": get()[0], "aria-valuetext": said });
    }
  }
  return { node, draw };
}

/** Points that stand so near each other that they share one name, as lists of their places. */
function company(points) {
  const found = [];
  points.forEach(([x, y], i) => {
    const near = ([first]) => Math.hypot(points[first][0] - x, points[first][1] - y) < NEAR;
    const home = found.find(near);
    if (home) home.push(i);
    else found.push([i]);
  });
  return found;
}

/**
 * A plane with a disc for each word, as large as it is looked at, and a mark for each that looks:
 * an arrow (a query) or a diamond (an output). The word that asks has both in full.
 */
export function view(words, label, arrows) {
  const axis = svg("path", { class: "axis", d: `M${-WIDE} 0H${WIDE}M0 ${-WIDE}V${WIDE}` });
  const [ring, unit] = [svg("circle", { class: "ring" }), svg("text", { class: "unit", x: 4 })];
  const links = many(words.length, "path", "link");
  const discs = many(words.length, "circle", "disc");
  const marks = many(words.length, "path", "mark");
  const names = many(words.length, "text", "name");
  const viewBox = `${-WIDE - 12} ${-WIDE - 12} ${2 * WIDE + 24} ${2 * WIDE + 24}`;
  const node = svg("svg", { viewBox, class: "plane", role: "img" });
  node.append(axis, ring, unit, ...links, ...discs, ...marks, ...names);

  function draw(points, marked, weights, asking) {
    const most = Math.max(...[...points, ...marked].flat().map(Math.abs));
    const reach = most > 2.8 ? 4.6 : most > 1.4 ? 3 : 1.6;
    const scale = WIDE / reach;
    const at = ([x, y]) => [scale * x, -scale * y];
    dressed(ring, { cx: 0, cy: 0, r: scale });
    dressed(unit, { y: -scale - 4 });
    unit.textContent = "1";
    const spots = points.map(at);
    const [u, v] = at(marked[asking]);
    spots.forEach(([cx, cy], j) => {
      dressed(discs[j], { cx, cy, r: 3 + 11 * Math.sqrt(weights[j]) });
      const link = arrows ? "" : `M${cx} ${cy}L${u} ${v}`;
      dressed(links[j], { d: link, "stroke-width": 9 * weights[j] });
      const [x, y] = at(marked[j]);
      const diamond = `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`;
      const d = arrows ? arrowPath([0, 0], [x, y], 9) : diamond;
      dressed(marks[j], { d, class: j === asking ? "mark now" : "mark" });
    });
    const groups = company(spots);
    names.forEach((name, g) => {
      const group = groups[g];
      name.textContent = group ? group.map((j) => words[j]).join(", ") : "";
      if (!group) return;
      const [x, y] = spots[group[0]];
      const anchor = x > WIDE / 2 ? "end" : x < -WIDE / 2 ? "start" : "middle";
      const out = Math.sign(x) * (anchor === "middle" ? 0 : 16);
      dressed(name, { x: x + out, y: y > 0 ? y + 29 : y - 19, "text-anchor": anchor });
    });
    const place = (point) => point.map((x) => written(x, 1)).join(", ");
    const said = words.map((word, j) => `${word} at ${place(points[j])}`).join("; ");
    node.setAttribute("aria-label", `${label}: ${said}; ${words[asking]}: ${place(marked[asking])}.`);
  }
  return { node, draw };
}
