// The pictures of transformer_positions.js: the map of all positions, two of its rows, one circle.

import { block, change, element, output, svg, written } from "../controls.js";

export const [SHOWN, LAST] = [100, 50]; // positions on the map; the last that p may be

const stretched = { preserveAspectRatio: "none", "aria-hidden": "true" };

/** The map of all positions; a click or a drag on it chooses p and a pair of features. */
export function map(model, heat) {
  const d = model.get("d");
  const rows = ["first", "second"].map((name) => svg("rect", { x: 0, width: d, height: 1, class: `row ${name}` }));
  const column = svg("rect", { y: 0, width: 2, height: SHOWN, class: "column" });
  const choose = ({ clientX, clientY }) => {
    const { left, top, width, height } = plot.getBoundingClientRect();
    const within = (share, most) => Math.max(0, Math.min(most, Math.floor(share)));
    const pair = within(((clientX - left) / width) * (d / 2), d / 2 - 1);
    change(model, { pair, p: within(((clientY - top) / height) * SHOWN, LAST) });
  };
  const onpointerdown = (event) => {
    plot.setPointerCapture(event.pointerId);
    choose(event);
  };
  const onpointermove = (event) => event.buttons && choose(event);
  const frame = { viewBox: `0 0 ${d} ${SHOWN}`, ...stretched, onpointerdown, onpointermove };
  const plot = svg("svg", frame, ...heat.nodes, ...heat.fills(), column, ...rows);
  const side = [0, 25, 50, 75].map((p) => element("span", { class: "y", style: `top: ${p + 0.5}%` }, `${p}`));
  const foot = [0, 1, 2, 3].map((n) => element("span", { class: "x", style: `left: ${25 * n}%` }, `${(n * d) / 4}`));
  const names = ["p", "q"].map((name) => element("span", { class: "name" }, name));
  const caret = element("i", { class: "caret" });
  const node = block("map", plot, caret, ...names, ...side, ...foot);
  const draw = ({ q, even }, { p, k }) => {
    [p, q].forEach((at, n) => {
      rows[n].setAttribute("y", at);
      names[n].style.top = `${at + 0.5}%`;
    });
    names[1].hidden = k < 4; // no room beside p
    column.setAttribute("x", even);
    caret.style.left = `${(100 * (even + 1)) / d}%`;
  };
  return { node, draw };
}

/** The rows of p and of q, and what each pair of features brings to their product. */
export function strips(d, heat) {
  const rows = ["first", "second"].map(() => svg("svg", stretched, ...heat.fills()));
  const cells = Array.from({ length: d / 2 }, (_, i) => svg("rect", { x: 2 * i, width: 2, height: 1 }));
  const shares = svg("svg", { viewBox: `0 0 ${d} 1`, ...stretched }, ...cells);
  const line = (label, strip) => block("strip", element("span", {}, ...label), strip);
  const node = block(
    "strips",
    line(["position ", output("p")], rows[0]),
    line(["position ", output("q")], rows[1]),
    line(["product, pair by pair"], shares),
  );
  const draw = (result, { p }) => {
    [p, result.q].forEach((at, n) => rows[n].setAttribute("viewBox", `0 ${at} ${d} 1`));
    cells.forEach((cell, i) => {
      cell.setAttribute("class", result.shares[i] < 0 ? "minus" : "plus");
      cell.setAttribute("fill-opacity", Math.abs(result.shares[i]).toFixed(3));
    });
  };
  return { node, draw };
}

/** Where on its circle a pair of features stands at p and at q, and the way between. */
export function circle() {
  const [all, way] = ["all", "way"].map((name) => svg("path", { class: name }));
  const hands = ["first", "second"].map((name) => svg("line", { x1: 0, y1: 0, class: `hand ${name}` }));
  const names = ["p", "q"].map((name) => svg("text", {}, name));
  const axes = svg("path", { class: "axes", d: "M-1.1 0H1.1M0 -1.1V1.1" });
  const words = [svg("text", { x: 1.42, y: 0.05, class: "axis" }, "cos"), svg("text", { x: 0, y: -1.32, class: "axis middle" }, "sin")];
  const ring = svg("circle", { r: 1, class: "ring" });
  const frame = { viewBox: "-1.78 -1.46 3.56 2.8", "aria-hidden": "true" };
  const node = svg("svg", { ...frame, class: "circle" }, axes, ring, all, way, ...hands, ...names, ...words);
  const at = (angle, r) => `${(r * Math.cos(angle)).toFixed(3)} ${(-r * Math.sin(angle)).toFixed(3)}`;
  const draw = ({ q, turn }, { p, k }) => {
    const step = (turn * Math.PI) / 180;
    const dots = Array.from({ length: SHOWN }, (_, n) => `M${at(step * n, 1)}h0`);
    all.setAttribute("d", dots.join(""));
    const pieces = Math.ceil(k * step * 12) + 1;
    const spiral = Array.from({ length: pieces + 1 }, (_, n) =>
      at(step * (p + (k * n) / pieces), 0.4 + (0.3 * n) / pieces),
    );
    way.setAttribute("d", `M${spiral.join("L")}`);
    [p, q].forEach((place, n) => {
      const [x, y] = [Math.cos(step * place), -Math.sin(step * place)];
      hands[n].setAttribute("x2", x);
      hands[n].setAttribute("y2", y);
      names[n].setAttribute("x", 1.2 * x);
      names[n].setAttribute("y", 1.2 * y + 0.06);
    });
    const together = Math.abs(Math.sin((step * k) / 2)) < 0.1; // then one name is for both
    names[0].textContent = together ? "p, q" : "p";
    names[1].style.visibility = together ? "hidden" : "";
  };
  return { node, draw };
}

/** The product against the distance: one curve for all p. */
export function products(most) {
  const line = svg("path", { class: "line" });
  const zero = svg("line", { x1: 0, x2: SHOWN - 1, y1: 0, y2: 0, class: "zero" });
  const mark = svg("line", { y1: -most, y2: most, class: "mark" });
  const frame = { viewBox: `0 ${-most} ${SHOWN - 1} ${2 * most}`, ...stretched };
  const spot = element("i", { class: "spot" });
  const high = [most, 0, -most].map((value, n) =>
    element("span", { class: "y", style: `top: ${50 * n}%` }, written(value)),
  );
  const far = [0, 25, 50, 75].map((k) =>
    element("span", { class: "x", style: `left: ${(100 * k) / (SHOWN - 1)}%` }, `${k}`),
  );
  const node = block("curve", svg("svg", frame, zero, mark, line), spot, ...high, ...far);
  const draw = ({ curve, product }, { k }) => {
    line.setAttribute("d", `M${curve.map((value, n) => `${n} ${-value}`).join("L")}`);
    for (const end of ["x1", "x2"]) mark.setAttribute(end, k);
    spot.style.left = `${(100 * k) / (SHOWN - 1)}%`;
    spot.style.top = `${50 - (50 * product) / most}%`;
  };
  return { node, draw };
}
