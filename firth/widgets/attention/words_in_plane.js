// The picture of attention_gravity.js: words in their plane, the pull between them, a third axis.

import { change, svg, written } from "../controls.js";
import { arrowPath, dressed, grip } from "./self_attention.js";

const [SIDE, UNIT, STRIP] = [4, 80, 96]; // the plane's reach, 1 on an axis, where the third lies
const WIDEST = 20; // a line whose weight is 1

const place = ([x, y]) => [UNIT * x, -UNIT * y];
const aside = ([, , z]) => [UNIT * z, STRIP];
const text = (x, y, anchor, kind, ...words) =>
  svg("text", { x, y, "text-anchor": anchor, class: kind }, ...words);

function background() {
  const end = UNIT * SIDE;
  const lines = [1, 2, 3, 4].flatMap((n) => [
    svg("path", { class: "grid", d: `M${UNIT * n} 0V${-end}M0 ${-UNIT * n}H${end}` }),
    svg("path", { class: "axis", d: `M${UNIT * n} ${STRIP - 4}v8` }),
    text(UNIT * n, 18, "middle", "unit", n),
    text(-9, 5 - UNIT * n, "end", "unit", n),
    text(UNIT * n, STRIP + 22, "middle", "unit", n),
  ]);
  return [
    ...lines,
    svg("path", { class: "axis", d: `M0 ${-end}V0H${end}M0 ${STRIP - 4}v8M0 ${STRIP}H${end}` }),
    text(end, 36, "end", "unit", "tech →"),
    text(-20, -end - 14, "start", "unit", "fruitness ↑"),
    text(0, STRIP + 22, "start", "unit", "other →"),
  ];
}

/** Start, trail, last step and present place of each word, on one of the two drawings. */
function bodies(count, at) {
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
    const places = path.map((X) => at(X[i]));
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

/** The two drawings, and a handle on apple. */
export function sky(model, count) {
  const pulls = Array.from({ length: count }, () => svg("path", { class: "pull" }));
  const names = Array.from({ length: count }, () => svg("text", { class: "name" }));
  const [inside, outside] = [bodies(count, place), bodies(count, aside)];
  const viewBox = `-34 ${-UNIT * SIDE - 32} ${UNIT * SIDE + 52} ${UNIT * SIDE + STRIP + 60}`;
  const aria = { role: "group", "aria-label": "the words in their plane, and on the third axis" };
  const node = svg("svg", { viewBox, class: "plane", ...aria });
  const limits = { min: 0, max: SIDE, value: ([x, y]) => [x / UNIT, -y / UNIT] };
  const put = (apple) => change(model, { apple });
  const handle = grip(node, "the word apple", limits, () => model.get("apple"), put);
  const [tip, label] = [svg("circle", { r: 22, class: "tip" }), svg("text", { class: "name" })];
  label.textContent = "apple";
  handle.append(tip, label);
  node.append(...background(), ...pulls, ...outside.nodes, ...inside.nodes, ...names, handle);

  /** A name stands over its word, once; where several words start together, all their names. */
  function title(i, words, first) {
    const flat = first[i][0] || first[i][1];
    const at = flat ? place : aside;
    const together = words.filter((word, j) => word && `${first[j]}` === `${first[i]}`);
    const [x, y] = at(first[i]);
    const [right, left] = [flat && x > 3 * UNIT, flat && x < UNIT];
    names[i].textContent = words.indexOf(together[0]) === i ? [...new Set(together)].join(", ") : "";
    const anchor = right ? "end" : left ? "start" : "middle";
    dressed(names[i], { x: x + (right ? 10 : left ? 9 : 0), y: y - 13, "text-anchor": anchor });
  }

  function draw({ words, at, weights, path }, { apple, steps }) {
    const me = words.indexOf("apple");
    const before = path[at - 1];
    words.forEach((word, i) => {
      pulls[i].style.display = names[i].style.display = word && i !== me ? "" : "none";
      inside.show(i, word);
      outside.show(i, word && path.some((X) => X[i][2]));
      if (!word) return;
      inside.draw(i, i === me, path, steps);
      outside.draw(i, i === me, path, steps);
      const width = (WIDEST * weights[me][i]).toFixed(1);
      const ends = [before[me], before[i]].map(place);
      dressed(pulls[i], { d: `M${ends.join("L")}`, "stroke-width": width });
      title(i, words, path[0]);
    });
    const [cx, cy] = place(apple);
    dressed(tip, { cx, cy });
    const anchor = cx > 3.6 * UNIT ? "end" : cx < 0.4 * UNIT ? "start" : "middle";
    const near = ([x, y], i) => i !== me && Math.abs(x - apple[0]) < 1 && Math.abs(y - apple[1]) < 0.5;
    const free = !path[0].some((point, i) => near(point, i) && (point[0] || point[1]));
    const y = free ? cy - 27 : cy < -UNIT ? cy + 38 : cy - 44;
    dressed(label, { x: cx, y, "text-anchor": anchor });
    const said = `tech ${written(apple[0], 1)}, fruitness ${written(apple[1], 1)}`;
    dressed(handle, { "aria-valuenow": apple[0], "aria-valuetext": said });
  }
  return { node, draw };
}
