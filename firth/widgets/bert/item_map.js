// The picture of bert_personality.js: 135 items in a plane, and what the chosen one is near to.

import { block, element, svg } from "../controls.js";

const [WIDE, MARGIN] = [420, 14];
const [TIP, TOUCH] = [16, 30]; // how near a pointer or a finger must come
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const SHAPES = {
  for: "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z",
  against: "M0 -6.5L6.5 0L0 6.5L-6.5 0Z",
  spoke: "M-6 4L6 -4",
};

/** The point that an arrow key leads to: ahead, near, and not far to the side. */
export function ahead(points, from, [dx, dy]) {
  const [x, y] = points[from];
  const cost = points.map(([px, py]) => {
    const [along, aside] = [(px - x) * dx + (py - y) * dy, (px - x) * dy - (py - y) * dx];
    return along > 0 ? along + 2.5 * Math.abs(aside) : Infinity;
  });
  const least = Math.min(...cost);
  return Number.isFinite(least) ? cost.indexOf(least) : from;
}

function nearest(points, [x, y], within) {
  const far = points.map(([px, py]) => Math.hypot(px - x, py - y));
  const least = Math.min(...far);
  return least <= within ? far.indexOf(least) : null;
}

/** The plane: a disc for each item, a diamond for those that speak against their facet. */
export function stars(items, factors, choose, about) {
  const order = items.map(({ text }) => text);
  let [points, chosen, shown] = [[], 0, ""];
  const marks = items.map((item) => {
    const n = factors.indexOf(item.factor);
    const shape = svg("path", { d: SHAPES[item.key > 0 ? "for" : "against"] });
    return svg("g", { class: n < 0 ? "star" : `star f${n}` }, shape);
  });
  const spokes = svg("path", { class: "spokes" });
  const ties = svg("g", { class: "ties" });
  const ring = svg("circle", { class: "ring", r: 10 });
  const keys = "Map of the items. The arrow keys go to the next one in their direction.";
  const plane = svg(
    "svg",
    {
      ...{ viewBox: `0 0 ${WIDE} ${WIDE}`, class: "plane", tabindex: 0 },
      ...{ role: "application", "aria-label": keys },
    },
    ...[spokes, ties, ...marks, ring],
  );
  const tip = element("p", { class: "tip", hidden: true });

  const pointed = (event, within) => {
    const box = plane.getBoundingClientRect();
    const scale = WIDE / box.width;
    const at = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    return nearest(points, at, within * scale);
  };
  const show = (i) => {
    tip.hidden = i === null;
    plane.style.cursor = i === null ? "" : "pointer";
    if (i === null) return;
    const [x, y] = points[i].map((value) => value / WIDE);
    tip.replaceChildren(element("b", {}, order[i]), ` ${about(items[i])}`);
    const beside = (share, after) => (after ? `${100 * share + 3}%` : "auto");
    tip.style.left = beside(x, x <= 0.5);
    tip.style.right = beside(1 - x, x > 0.5);
    tip.style.top = beside(y, y <= 0.6);
    tip.style.bottom = beside(1 - y, y > 0.6);
  };
  plane.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") show(pointed(event, TIP));
  });
  plane.addEventListener("pointerleave", () => show(null));
  plane.addEventListener("click", (event) => {
    const i = pointed(event, TOUCH);
    if (i !== null) choose(order[i]);
  });
  plane.addEventListener("keydown", (event) => {
    if (!ARROWS[event.key]) return;
    event.preventDefault();
    choose(order[ahead(points, chosen, ARROWS[event.key])]);
  });

  const sample = (shape, kind, text) => {
    const mark = svg("g", { class: kind }, svg("path", { d: SHAPES[shape] }));
    const picture = svg("svg", { viewBox: "-7 -7 14 14", "aria-hidden": "true" }, mark);
    return element("li", {}, picture, element("span", {}, text));
  };
  const named = factors.map((factor, n) => sample("for", `star f${n}`, factor));
  const none = sample("for", "star", "no factor");
  const own = sample("spoke", "spokes", "");
  const against = sample("against", "star", "speaks against its facet");
  const legend = element("ul", { class: "legend" }, ...named, none, own, against);

  function draw({ near, found }, { item, by, laid, colour, search }, placed) {
    const half = WIDE / 2;
    points = placed.map((xy) => xy.map((value) => half + ((half - MARGIN) * value) / 1000));
    chosen = order.indexOf(item);
    const facet = items[chosen].facet;
    const moved = shown && shown !== laid + by;
    shown = laid + by;
    const kin = items.map((one) => one.facet === facet);
    marks.forEach((mark, i) => {
      mark.style.transform = `translate(${points[i].map((v) => `${v.toFixed(1)}px`).join(",")})`;
      mark.classList.toggle("kin", kin[i]);
      mark.classList.toggle("found", found.includes(order[i]));
      mark.classList.toggle("now", i === chosen);
    });
    plane.classList.toggle("by-facet", colour === "facet");
    plane.classList.toggle("searched", search.trim() !== "");
    const [x, y] = points[chosen];
    ring.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
    const five = points.filter((_, i) => kin[i]);
    const [mx, my] = [0, 1].map((c) => five.reduce((sum, p) => sum + p[c], 0) / five.length);
    spokes.setAttribute("d", five.map((p) => `M${mx} ${my}L${p[0]} ${p[1]}`).join(""));
    const coloured = colour === "factor";
    [...named, none].forEach((line) => (line.hidden = !coloured));
    own.lastChild.textContent = facet;
    const lines = near.map((text) => {
      const [x2, y2] = points[order.indexOf(text)];
      return svg("line", { x1: x, y1: y, x2, y2 });
    });
    ties.replaceChildren(...lines);
    plane.classList.toggle("moved", Boolean(moved));
    show(null);
  }
  return { node: block("sky", block("frame", plane, tip), legend), draw };
}
