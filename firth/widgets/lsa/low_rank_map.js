// The map of low_rank.js: rows, columns and a query by their first two coordinates.

import { element, svg } from "../controls.js";

const [WIDTH, MARGIN, LETTER] = [380, 30, 7.2]; // of the drawing; about its points; of a letter
const CONE = Math.acos(0.9); // from the query to the rows whose cosine with it is 0.9

/** Where a label may stand beside its point: offset, and the side on which it begins. */
const SIDES = [
  [9, 4, "start"],
  [-9, 4, "end"],
  [0, -10, "middle"],
  [0, 19, "middle"],
  [7, -7, "start"],
  [7, 16, "start"],
  [-7, -7, "end"],
  [-7, 16, "end"],
];

const [ONE, TWO] = ["map of the one direction", "map of the first two directions"];
const SHADED = `${TWO}; shaded: cosine with the query 0.9 or more`;

const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

function around([x, y], [dx, dy, anchor], text) {
  const wide = text.length * LETTER;
  const left = x + dx - { start: 0, middle: wide / 2, end: wide }[anchor];
  return [left, y + dy - 12, left + wide, y + dy + 3];
}

/** The drawing of `names` and `terms`, on a scale on which all of `reach` fits. */
export function rankMap(names, terms, focus, reach) {
  const layers = ["cone", "axes", "points", "labels"].map((name) => svg("g", { class: name }));
  const [cone, axes, points, labels] = layers;
  const aria = { role: "img", "aria-label": "map of the rows by their first two directions" };
  const drawing = svg("svg", { class: "map", ...aria }, ...layers);
  const said = element("p", { class: "how" });
  const node = element("div", {}, said, drawing);

  /** From coordinates to pixels, so that all points fit and both axes have one scale. */
  function fit(all) {
    const [xs, ys] = [0, 1].map((axis) => [0, ...all.map((point) => point[axis])]);
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const unit = (WIDTH - 2 * MARGIN - 30) / Math.max(right - left, high - low, 1e-9);
    const [x0, y0] = [MARGIN - left * unit, MARGIN + high * unit];
    const height = 2 * MARGIN + (high - low) * unit + 16;
    drawing.setAttribute("viewBox", `0 0 ${WIDTH} ${height.toFixed(1)}`);
    axes.replaceChildren(
      svg("path", { d: `M6 ${y0}H${WIDTH - 6}M${x0} 6V${height - 6}` }),
      svg("text", { x: WIDTH - 6, y: height - 4, "text-anchor": "end" }, "direction 1 →"),
      svg("text", { x: x0 + 6, y: 14 }, "direction 2 ↑"),
    );
    return { height, at: ([x, y]) => [x0 + unit * x, y0 - unit * y] };
  }

  const frame = fit(reach);

  /** The query as a star, on its own direction but inside of the drawing, and the cone about it. */
  function ask(star, shaded) {
    const origin = frame.at([0, 0]);
    const far = Math.hypot(...star);
    if (far < 1e-6) return [];
    const turn = Math.atan2(star[1], star[0]);
    const ray = (angle) => [Math.cos(angle), -Math.sin(angle)].map((v, i) => origin[i] + 900 * v);
    const edges = [turn - CONE, turn, turn + CONE].map(ray);
    if (shaded) cone.append(svg("path", { class: "fan", d: `M${origin}L${edges.join("L")}Z` }));
    cone.append(svg("path", { class: "ray", d: `M${origin}L${edges[1]}` }));
    let share = 1;
    const inside = ([x, y]) => x > 10 && x < WIDTH - 10 && y > 10 && y < frame.height - 10;
    const place = () => frame.at(star.map((value) => share * value));
    while (!inside(place()) && share > 0.01) share *= 0.95;
    return place();
  }

  function draw({ rank, points: placed, terms: columns, star, near }) {
    for (const layer of [cone, points, labels]) layer.replaceChildren();
    const kindOf = (name, i) => (name === focus ? "focus" : near[i] >= 0.9 ? "row close" : "row");
    const things = [
      ...names.map((name, i) => ({ name, point: placed[i], kind: kindOf(name, i) })),
      ...columns.map((point, j) => ({ name: terms[j], point, kind: "term" })),
    ].filter(({ point }) => point);
    const groups = new Map(); // what stands in one place has one label
    for (const thing of things) {
      thing.at = frame.at(thing.point);
      const key = `${thing.kind}${thing.at.map((v) => Math.round(v / 5))}`;
      groups.set(key, [...(groups.get(key) ?? []), thing]);
      const [cx, cy] = thing.at;
      const r = thing.kind === "term" ? 3 : 5;
      points.append(svg("circle", { cx, cy, r, class: thing.kind }));
    }
    const taken = things.map(({ at: [x, y] }) => [x - 4, y - 4, x + 4, y + 4]);
    const shaded = star !== null && rank === 2; // with other directions the plane shows no angle
    said.textContent = shaded ? SHADED : rank === 1 ? ONE : TWO;
    const mark = star ? ask(star, shaded) : [];
    if (mark.length) {
      const d = "M0 -10 2.9 -3.1 10 -3.1 4.3 1.5 6.2 8.8 0 4.6 -6.2 8.8 -4.3 1.5 -10 -3.1 -2.9 -3.1Z";
      points.append(svg("path", { class: "star", d, transform: `translate(${mark})` }));
      taken.push([mark[0] - 9, mark[1] - 9, mark[0] + 9, mark[1] + 9]);
    }
    const within = ([left, top, right, low]) => left > 0 && right < WIDTH && top > 0 && low < frame.height;
    const fits = (place) => within(place) && !taken.some((other) => meet(other, place));
    for (const group of groups.values()) {
      const [{ at, kind }, text] = [group[0], group.map(({ name }) => name).join(", ")];
      const side = SIDES.find((one) => fits(around(at, one, text)));
      if (!side) continue;
      taken.push(around(at, side, text));
      const [x, y] = [at[0] + side[0], at[1] + side[1]];
      labels.append(svg("text", { x, y, "text-anchor": side[2], class: kind }, text));
    }
  }
  return { node, draw };
}
