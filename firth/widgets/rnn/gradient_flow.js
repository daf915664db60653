import { block, element, live, output, range, svg, table } from "../controls.js";
import { change, written } from "../controls.js";
import { gruJacobians, logNorms, lstmJacobians, vanillaJacobians } from "./jacobians.js";

const CELLS = ["vanilla", "lstm", "gru"];
const NAMES = { vanilla: "vanilla", lstm: "LSTM", gru: "GRU" };
export const traits = ["U", "W", "X", "rho", "bias", "limit", "T", ...CELLS];

const [LOW, HIGH] = [-12, 4]; // powers of 10 on the axis

/** What a change is multiplied by over 0, 1, … T steps, in powers of 10, for three cells. */
export function answer({ U, W, X, rho, bias, limit, T }) {
  const scaled = U.map((block) => block.map((row) => row.map((value) => rho * value)));
  const inputs = X.slice(0, T);
  const curves = [vanillaJacobians, lstmJacobians, gruJacobians].map((jacobians) =>
    logNorms(jacobians(inputs, W, scaled, bias)),
  );
  const slopes = curves.map((curve) => curve[T] / T);
  const steps = (slope) => Math.log10(2) / Math.abs(slope);
  return {
    curves,
    ends: curves.map((curve) => curve[T]),
    factors: slopes.map((slope) => 10 ** slope),
    halves: slopes.map((slope) => (slope < 0 ? steps(slope) : null)),
    doubles: slopes.map((slope) => (slope > 0 ? steps(slope) : null)),
    most: 10 ** limit,
    cut: curves.map((curve) => curve.filter((power) => power > limit).length),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ factors, most, cut }, state) {
  const shown = CELLS.map((cell, n) => [cell, n]).filter(([cell]) => state[cell]);
  const said = shown.map(([cell, n]) => `${NAMES[cell]} ${written(factors[n], 2)}`);
  const each = said.length ? `a step multiplies by: ${said.join(", ")}` : "no cell is shown";
  const clipped = shown.filter(([, n]) => cut[n]).map(([cell, n]) => `${NAMES[cell]} ${cut[n]}`);
  const long = clipped.length ? ` Longer than ${written(most)}: ${clipped.join(", ")}.` : "";
  return `At ρ ${written(state.rho, 2)}, ${each}.${long}`;
}

const height = (power) => (100 * (HIGH - power)) / (HIGH - LOW);
const ten = (power) => (power ? ["10", element("sup", {}, written(power))] : ["1"]);
const powers = [4, 0, -4, -8, -12];

/** The chart: lines stretch with the page, and their labels do not. */
function chart(T) {
  const frame = { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" };
  const rule = (power) =>
    svg("line", { x1: 0, x2: 100, y1: height(power), y2: height(power), class: "grid" });
  const above = svg("rect", { x: 0, y: 0, width: 100, class: "above" });
  const limit = svg("line", { x1: 0, x2: 100, class: "limit" });
  const lines = CELLS.map((cell) => [
    svg("path", { class: `raw ${cell}` }),
    svg("path", { class: `cut ${cell}` }),
  ]);
  const plot = svg("svg", frame, above, ...powers.map(rule), limit, ...lines.flat());
  const side = powers.map((power) =>
    element("span", { class: "y", style: `top: ${height(power)}%` }, ...ten(power)),
  );
  const steps = Array.from({ length: 1 + T / 10 }, (_, n) => 10 * n);
  const foot = steps.map((step) => element("span", { class: "x" }, `${step}`));
  const node = block("chart", plot, ...side, ...foot);

  const draw = ({ curves }, state) => {
    const path = (curve, most) =>
      curve.map((power, k) => `${(100 * k) / state.T} ${height(Math.min(power, most))}`).join("L");
    lines.forEach(([raw, cut], n) => {
      for (const line of [raw, cut]) line.style.display = state[CELLS[n]] ? "" : "none";
      raw.setAttribute("d", `M${path(curves[n], Infinity)}`);
      cut.setAttribute("d", `M${path(curves[n], state.limit)}`);
    });
    above.setAttribute("height", height(state.limit));
    for (const end of ["y1", "y2"]) limit.setAttribute(end, height(state.limit));
    foot.forEach((mark, n) => {
      mark.hidden = steps[n] > state.T;
      mark.style.left = `${(100 * steps[n]) / state.T}%`;
    });
  };
  return { node, draw };
}

function render({ model, el }) {
  const { node, draw: drawn } = chart(model.get("X").length);
  const boxes = CELLS.map((cell) => {
    const onchange = ({ target }) => change(model, { [cell]: target.checked });
    return element("input", { type: "checkbox", onchange });
  });
  const turns = CELLS.map((_, n) => [
    element("span", {}, output(`halves.${n}`, 1)),
    element("span", {}, element("small", {}, "×2 in "), output(`doubles.${n}`, 1)),
  ]);
  const rows = CELLS.map((cell, n) => [
    element("label", { class: cell }, boxes[n], element("i", { class: "key" }), NAMES[cell]),
    output(`factors.${n}`, 3),
    block("", ...turns[n]),
    element("span", {}, "10", element("sup", {}, output(`ends.${n}`, 1))),
    output(`cut.${n}`),
  ]);
  const after = element("span", {}, "after ", output("T"), " steps");
  const heads = ["cell", "a step multiplies by", "half-life in steps", after, "times clipped"];
  const rates = table("rates", "What is left of a change of length 1", heads, rows);

  function draw(result, state) {
    drawn(result, state);
    boxes.forEach((box, n) => (box.checked = state[CELLS[n]]));
    turns.forEach(([halves, doubles], n) => {
      halves.hidden = result.halves[n] === null;
      doubles.hidden = result.doubles[n] === null;
    });
  }

  const s = (step) => ["∂", element("i", {}, "s"), element("sub", {}, step)];
  const norm = ["‖", ...s("T"), " / ", ...s("t"), "‖"];
  const tenths = { min: 0.5, max: 1.5, step: 0.05 };
  const parts = [
    block(
      "columns sliders",
      range(model, "rho", "Scale ρ of U", tenths, "rho", 2),
      range(model, "bias", "Forget bias (f, z)", { min: -2, max: 6, step: 0.5 }, "bias", 1),
      range(model, "T", "Steps T", { min: 5, max: model.get("X").length }),
      range(model, "limit", "Clip at length", { min: 0, max: 3, step: 0.5 }, "most"),
    ),
    element("p", { class: "how" }, ...norm, ": what a change at step t can become by step T, against T − t"),
    node,
    rates.node,
  ];
  return live({ model, el }, { name: "rnn-gradient", parts, traits, answer, draw, spoken });
}

export default { render };
