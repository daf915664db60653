import { block, button, change, element, live, output, range, svg, table } from "../controls.js";
import { written } from "../controls.js";
import { dot, rounded } from "../tensor.js";

export const traits = ["words", "points", "axes", "angle", "best"];

const UNIT = 80; // pixels for 1 on an axis
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** The direction of a line, the foot of each point on it, and each point's squared distance. */
function projected(points, angle) {
  const turn = (angle * Math.PI) / 180;
  const direction = [Math.cos(turn), Math.sin(turn)];
  const feet = points.map((point) => direction.map((value) => value * dot(point, direction)));
  const lost = points.map(([x, y], i) => (x - feet[i][0]) ** 2 + (y - feet[i][1]) ** 2);
  return { direction, feet, lost };
}

/** What the line at this angle loses, what the best angle so far lost, and the best of all. */
export function answer({ points, angle, best }) {
  const { direction, feet, lost } = projected(points, angle);
  const [xx, yy, xy] = [[0, 0], [1, 1], [0, 1]].map(([a, b]) => sum(points.map((p) => p[a] * p[b])));
  return {
    direction,
    feet: feet.map((foot) => foot.map((value) => rounded(value, 9))),
    lost: lost.map((square) => rounded(square, 9)),
    total: sum(lost),
    least: sum(projected(points, best).lost),
    kept: 100 * (1 - sum(lost) / (xx + yy)),
    optimum: (Math.atan2(2 * xy, xx - yy) * 90) / Math.PI,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ lost, total, least, kept }, { words, angle, best }) {
  const each = words.map((word, i) => `${word} ${written(lost[i], 2)}`).join(", ");
  const so = `Least so far: ${written(least, 2)} at ${best} degrees.`;
  const all = `together ${written(total, 2)}, and keeps ${written(kept)} %`;
  return `At ${angle} degrees the line loses ${each}, ${all}. ${so}`;
}

const place = ([x, y]) => [UNIT * x, -UNIT * y];
const between = (from, to) => {
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  return { x1, y1, x2, y2 };
};

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** The plane with its points, and the line, which mouse and finger turn. */
function picture(model, turn) {
  const [words, points, axes] = ["words", "points", "axes"].map((name) => model.get(name));
  const reach = Math.max(...points.flat()) + 0.75;
  const [low, end] = [-0.45 * UNIT, reach * UNIT];
  const grid = Array.from({ length: Math.floor(reach) }, (_, n) => UNIT * (n + 1));
  const line = svg("line", { class: "line" });
  const grip = svg("line", { class: "grip" });
  const tip = svg("circle", { class: "tip", r: 13 });
  const handle = svg("g", { class: "handle" }, grip, line, tip);
  const drops = words.map(() => svg("line", { class: "drop" }));
  const feet = words.map((_, i) => svg("circle", { class: `foot p${i}`, r: 6 }));
  const dots = points.map((point, i) => {
    const [cx, cy] = place(point);
    const below = point[1] && point[1] <= point[0]; // else the best line would run through the name
    const name = svg("text", { x: cx + 14, y: cy + (below ? 20 : -16), class: `name p${i}` }, words[i]);
    return svg("g", {}, svg("circle", { cx, cy, r: 7, class: `point p${i}` }), name);
  });
  const viewBox = [low, -end - 22, end - low + 12, end + 70].join(" ");
  const aria = { role: "img", "aria-label": `${words.join(", ")}, a line, and their feet on it` };
  const node = svg(
    "svg",
    { viewBox, class: "plane", ...aria },
    ...grid.map((at) => svg("path", { class: "grid", d: `M${at} 0V${-end}M0 ${-at}H${end}` })),
    svg("path", { class: "axis", d: `M0 ${-end}V0H${end}` }),
    ...grid.flatMap((at, n) => [
      svg("text", { x: at, y: 20, class: "unit", "text-anchor": "middle" }, n + 1),
      svg("text", { x: -9, y: 5 - at, class: "unit", "text-anchor": "end" }, n + 1),
    ]),
    svg("text", { x: end, y: 40, class: "unit", "text-anchor": "end" }, `${axes[0]} →`),
    svg("text", { x: -18, y: -end - 6, class: "unit" }, `${axes[1]} ↑`),
    handle,
    ...drops,
    ...feet,
    ...dots,
  );
  const drag = (event) => {
    const inward = node.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inward);
    turn((Math.atan2(Math.max(0, -y), Math.max(0, x)) * 180) / Math.PI);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", drag);
  });
  for (const over of ["pointerup", "pointercancel"])
    handle.addEventListener(over, () => handle.removeEventListener("pointermove", drag));

  const draw = ({ direction, feet: on }) => {
    const far = direction.map((value) => (value * (reach - 0.2)) / Math.max(...direction.map(Math.abs)));
    const back = direction.map((value) => -0.35 * value);
    for (const part of [grip, line]) set(part, between(back, far));
    const [cx, cy] = place(far);
    set(tip, { cx, cy });
    points.forEach((point, i) => {
      set(drops[i], between(point, on[i]));
      const [x, y] = place(on[i]);
      set(feet[i], { cx: x, cy: y });
    });
  };
  return { node, draw };
}

function render({ model, el }) {
  const [words, points] = [model.get("words"), model.get("points")];
  const turn = (angle) => change(model, { angle: Math.min(90, Math.max(0, Math.round(angle))) });
  const loss = (angle) => answer({ points, angle, best: angle }).total;
  const keep = () => {
    const [angle, best] = [model.get("angle"), model.get("best")];
    if (loss(angle) < loss(best)) change(model, { best: angle });
  };
  const { node, draw: drawn } = picture(model, turn);
  const coordinates = (i) => ["(", output(`feet.${i}.0`, 2), ", ", output(`feet.${i}.1`, 2), ")"];
  const foot = (i) => element("span", {}, ...coordinates(i));
  const lines = words.map((word, i) => [word, foot(i), output(`lost.${i}`, 2)]);
  const heads = ["point", "foot on the line", "lost square"];
  const { node: losses, rows } = table("losses", "What the line loses", heads, lines);
  rows.forEach((row, i) => row.classList.add(`p${i}`));
  const shares = words.map((_, i) => element("i", { class: `p${i}` }));
  const mark = element("b");
  const gauge = element("div", { class: "gauge", "aria-hidden": "true" }, ...shares, mark);
  const most = Math.max(loss(0), loss(90));

  function draw(result) {
    drawn(result);
    shares.forEach((part, i) => part.style.setProperty("width", `${(100 * result.lost[i]) / most}%`));
    mark.style.setProperty("left", `${(100 * result.least) / most}%`);
  }

  const so = ["least so far ", output("least", 2), " at ", output("best"), "°"];
  const [term, value] = ["dt", "dd"].map((tag) => (...said) => element(tag, {}, ...said));
  const under = element("dd", { class: "how" }, gauge, ...so);
  const measures = element(
    "dl",
    { class: "measures" },
    element("div", {}, term("sum of the lost squares"), value(output("total", 2)), under),
    element("div", {}, term("squares that are kept"), value(output("kept"), " %")),
  );
  const controls = [
    range(model, "angle", "Angle in degrees", { min: 0, max: 90 }),
    button("Best line", () => turn(answer({ points, angle: 0, best: 0 }).optimum)),
  ];
  const parts = [block("bar", ...controls), block("columns", node, block("", losses, measures))];
  model.on("change:angle", keep);
  const cleanUp = live({ model, el }, { name: "lsa-best-line", parts, traits, answer, draw, spoken });
  return () => (model.off("change:angle", keep), cleanUp());
}

export default { render };
