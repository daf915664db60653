// The picture of self_attention_steps.js: the words of one sentence in a plane, and their moves.

import { change, svg, written } from "../controls.js";
import { arrowPath, dressed, grip } from "./self_attention.js";

const [SIDE, UNIT] = [4, 72]; // the limit of both axes, and the length of 1 on an axis
const WIDEST = 20; // the line of a weight of 1

const place = ([x, y]) => [UNIT * x, -UNIT * y];
const text = (x, y, anchor, kind, ...words) =>
  svg("text", { x, y, "text-anchor": anchor, class: kind }, ...words);

function background() {
  const end = UNIT * SIDE;
  const lines = [1, 2, 3, 4].flatMap((n) => [
    svg("path", { class: "grid", d: `M${UNIT * n} 0V${-end}M0 ${-UNIT * n}H${end}` }),
    text(UNIT * n, 19, "middle", "unit", n),
    text(-9, 5 - UNIT * n, "end", "unit", n),
  ]);
  return [
    ...lines,
    svg("path", { class: "axis", d: `M0 ${-end}V0H${end}` }),
    text(end, 37, "end", "unit", "tech →"),
    text(-20, -end - 14, "start", "unit", "fruit ↑"),
  ];
}

/** Start, path, last step and present place of each word. */
function bodies(count) {
  const each = (tag, kind, more) =>
    Array.from({ length: count }, () => svg(tag, { class: kind, ...more }));
  const parts = {
    trail: each("path", "trail"),
    ring: each("circle", "ring", { r: 5 }),
    move: each("path", "move"),
    disc: each("circle", "disc", { r: 4.5 }),
  };
  const show = (i, shown) => {
    for (const list of Object.values(parts)) list[i].style.display = shown ? "" : "none";
  };
  const draw = (i, me, path, steps) => {
    const places = path.map((X) => place(X[i]));
    const [[cx, cy], [x, y]] = [places[0], places[steps]];
    const gone = Math.hypot(x - cx, y - cy) > 1;
    const kind = me ? " me" : "";
    const line = places.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L");
    dressed(parts.trail[i], { d: gone ? `M${line}` : "", class: `trail${kind}` });
    const move = steps ? arrowPath(places[steps - 1], places[steps], 9, 4) : "";
    dressed(parts.move[i], { d: move, class: `move${kind}` });
    dressed(parts.ring[i], { cx, cy, class: `ring${kind}` });
    dressed(parts.disc[i], { cx: x, cy: y, class: `disc${kind}` });
  };
  return { nodes: Object.values(parts).flat(), draw, show };
}

/** A plane with at most `count` words, and a handle on apple; `side` is its part of the answer. */
export function plane(model, count, side) {
  const pulls = Array.from({ length: count }, () => svg("path", { class: "pull" }));
  const names = Array.from({ length: count }, () => svg("text", { class: "name" }));
  const words = bodies(count);
  const end = UNIT * SIDE;
  const viewBox = `-30 ${-end - 32} ${end + 46} ${end + 76}`;
  const aria = { role: "group", "aria-label": `the words of the sentence on the ${side}` };
  const node = svg("svg", { viewBox, class: "plane", ...aria });
  const limits = { min: 0, max: SIDE, value: ([x, y]) => [x / UNIT, -y / UNIT] };
  const put = (apple) => change(model, { apple });
  const handle = grip(node, "the word apple", limits, () => model.get("apple"), put);
  const [tip, label] = [svg("circle", { r: 22, class: "tip" }), svg("text", { class: "name" })];
  label.textContent = "apple";
  handle.append(tip, label);
  node.append(...background(), ...pulls, ...words.nodes, ...names, handle);

  function draw({ words: said, weights, path }, { apple, steps }, at) {
    const me = said.indexOf("apple");
    const before = path[at - 1];
    said.forEach((word, i) => {
      const inPlane = word && (i === me || path[0][i][0] || path[0][i][1]);
      words.show(i, inPlane);
      pulls[i].style.display = names[i].style.display = inPlane && i !== me ? "" : "none";
      if (!inPlane) return;
      words.draw(i, i === me, path, steps);
      const ends = [before[me], before[i]].map(place);
      const width = (WIDEST * weights[i]).toFixed(1);
      dressed(pulls[i], { d: `M${ends.join("L")}`, "stroke-width": width });
      names[i].textContent = word;
      const [x, y] = place(path[0][i]);
      const right = x > 3 * UNIT;
      dressed(names[i], { x: x + 10, y: y - 11, "text-anchor": right ? "end" : "start" });
    });
    const [cx, cy] = place(apple);
    dressed(tip, { cx, cy });
    const anchor = cx > 3.6 * UNIT ? "end" : cx < 0.4 * UNIT ? "start" : "middle";
    dressed(label, { x: cx, y: cy < -3.7 * UNIT ? cy + 38 : cy - 27, "text-anchor": anchor });
    const where = `tech ${written(apple[0], 1)}, fruit ${written(apple[1], 1)}`;
    dressed(handle, { "aria-valuenow": apple[0], "aria-valuetext": where });
  }
  return { node, draw };
}
