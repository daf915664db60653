// The drawing of vector_arithmetic.js: a, b, c and the target b − a + c in their plane, and the nearest words.

import { svg } from "../controls.js";
import { arrowPath, namePlaces } from "./arrows.js";

const [WIDTH, HEIGHT, LETTER] = [400, 330, 8];
const MARGIN = { left: 34, right: 66, top: 34, bottom: 36 };
const NAMED = 3; // of the nearest words

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

/** The drawing, and how to show an answer for the words that were asked with. */
export function analogyPlane() {
  const [first, second] = ["change", "change"].map((kind) => svg("path", { class: kind }));
  const sides = [0, 1].map(() => svg("path", { class: "side" }));
  const inputs = [0, 1, 2].map(() => svg("circle", { class: "input", r: 5 }));
  const target = svg("path", { class: "target", d: "M-8 0H8M0 -8V8" });
  const circle = svg("circle", { class: "target", r: 5.5 });
  const group = svg("g", {}, target, circle);
  const words = Array.from({ length: NAMED + 1 }, () => svg("circle", { class: "word", r: 4.5 }));
  const texts = Array.from({ length: NAMED + 5 }, () => svg("text"));
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plane", role: "img" };
  const node = svg("svg", box, ...sides, first, second, ...words, ...inputs, group, ...texts);

  function draw({ corners, places, best, expected, hoped }, asked) {
    const near = best.slice(0, NAMED).flatMap((word, n) => (word ? [{ word, place: places[n], kind: "best" }] : []));
    if (hoped && !near.some(({ word }) => word === expected)) near.push({ word: expected, place: hoped, kind: "hoped" });
    const others = near.filter(({ word }) => !asked.includes(word));
    const all = [...corners, ...others.map(({ place }) => place)];
    const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((c) => most(...all.map((point) => point[c]))));
    const wide = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(0.1, high[0] - low[0]);
    const scale = Math.min(wide, (HEIGHT - MARGIN.top - MARGIN.bottom) / Math.max(0.1, high[1] - low[1]));
    const drawn = [0, 1].map((c) => scale * (high[c] - low[c]));
    const left = (WIDTH + MARGIN.left - MARGIN.right - drawn[0]) / 2;
    const foot = (HEIGHT + MARGIN.top - MARGIN.bottom + drawn[1]) / 2;
    const at = ([x, y]) => [left + scale * (x - low[0]), foot - scale * (y - low[1])];
    const [a, b, c, end] = corners.map(at);
    set(first, { d: arrowPath(a, b) });
    set(second, { d: arrowPath(c, end) });
    set(sides[0], { d: arrowPath(a, c) });
    set(sides[1], { d: arrowPath(b, end) });
    [a, b, c].forEach(([cx, cy], i) => set(inputs[i], { cx, cy }));
    set(group, { transform: `translate(${end.join(" ")})` });
    words.forEach((dot, n) => {
      dot.style.display = others[n] ? "" : "none";
      if (!others[n]) return;
      const [cx, cy] = at(others[n].place);
      const right = others[n].word === expected ? " right" : "";
      set(dot, { cx, cy, class: `word ${others[n].kind}${right}` });
    });
    const sum = `${asked[1]} − ${asked[0]} + ${asked[2]}`;
    const names = [
      { text: sum, place: end, kind: "sum" },
      ...[a, b, c].map((place, i) => ({ text: asked[i], place, kind: "given" })),
      ...others.map(({ word, place }) => ({ text: word, place: at(place), kind: word === expected ? "right" : "other" })),
    ];
    const dots = others.map(({ place }) => [at(place), at(place)]);
    const lines = [[a, b], [c, end], [a, c], [b, end], ...dots];
    const middle = [0, 1].map((i) => (a[i] + b[i] + c[i] + end[i]) / 4);
    const room = { width: WIDTH, height: HEIGHT, letter: LETTER };
    const spots = namePlaces(middle, names.map(({ place }) => place), names.map(({ text }) => text), lines, room);
    texts.forEach((text, n) => {
      text.textContent = names[n]?.text ?? "";
      if (names[n]) set(text, { ...spots[n], class: names[n].kind });
    });
    const found = others.map(({ word }) => word).join(", ");
    node.setAttribute("aria-label", `The arrow from ${asked[0]} to ${asked[1]}, moved to ${asked[2]}, ends near ${found}.`);
  }
  return { node, draw };
}
