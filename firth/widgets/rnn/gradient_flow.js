import { block, element, live, output, range, svg, table } from "../controls.js";
import { change, written } from "../controls.js";
import { sigmoid } from "../tensor.js";
import { gruJacobians, logNorms, lstmJacobians, pathNorms, plainJacobians } from "./jacobians.js";

const PATHS = ["plain", "cell_path", "hidden_path", "gru"];
const NAMES = {
  plain: "plain network",
  cell_path: "LSTM, along the cell state",
  hidden_path: "LSTM, through the hidden state",
  gru: "GRU",
};
export const traits = ["U", "W", "X", "rho", "bias", "T", ...PATHS];

const [LOW, HIGH] = [-12, 4]; // powers of 10 on the axis

/** The norm of a gradient over 0, 1, … T steps, in powers of 10, along four paths. */
export function answer({ U, W, X, rho, bias, T }) {
  const scaled = U.map((block) => block.map((row) => row.map((value) => rho * value)));
  const run = (jacobians) => jacobians(X.slice(0, T), W, scaled, bias);
  const [plain, lstm, gru] = [plainJacobians, lstmJacobians, gruJacobians].map(run);
  const curves = [logNorms(plain), ...pathNorms(lstm), logNorms(gru)];
  const slopes = curves.map((curve) => curve[T] / T);
  const steps = (slope) => Math.log10(2) / Math.abs(slope);
  return {
    curves,
    ends: curves.map((curve) => curve[T]),
    factors: slopes.map((slope) => 10 ** slope),
    halves: slopes.map((slope) => (slope < 0 ? steps(slope) : null)),
    doubles: slopes.map((slope) => (slope > 0 ? steps(slope) : null)),
    gate: sigmoid(bias),
    keeps: 1 / (1 - sigmoid(bias)),
  };
}

/** What a change comes to, in plain sentences for those who hear the page. */
export function spoken({ factors, gate, keeps }, state) {
  const shown = PATHS.map((path, n) => [path, n]).filter(([path]) => state[path]);
  const said = shown.map(([path, n]) => `${NAMES[path]} ${written(factors[n], 2)}`);
  const each = said.length ? `each step multiplies the gradient by: ${said.join("; ")}` : "no path is shown";
  const kept = `A forget gate of ${written(gate, 2)} keeps for about ${written(keeps)} steps.`;
  return `At ρ ${written(state.rho, 2)}, ${each}. ${kept}`;
}

const height = (power) => (100 * (HIGH - power)) / (HIGH - LOW);
const ten = (power) => (power ? ["10", element("sup", {}, written(power))] : ["1"]);
const powers = [4, 0, -4, -8, -12];

/** The chart: lines stretch with the page, and their labels do not. */
function chart(T) {
  const frame = { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" };
  const rule = (power) =>
    svg("line", { x1: 0, x2: 100, y1: height(power), y2: height(power), class: power ? "grid" : "one" });
  const lines = PATHS.map((path) => svg("path", { class: path }));
  const plot = svg("svg", frame, ...powers.map(rule), ...lines);
  const side = powers.map((power) =>
    element("span", { class: "y", style: `top: ${height(power)}%` }, ...ten(power)),
  );
  const steps = Array.from({ length: 1 + T / 10 }, (_, n) => 10 * n);
  const foot = steps.map((step) => element("span", { class: "x" }, `${step}`));
  const node = block("chart", plot, ...side, ...foot);

  const draw = ({ curves }, state) => {
    lines.forEach((line, n) => {
      const points = curves[n].map((power, k) => [(100 * k) / state.T, power]);
      const known = points.filter(([, power]) => power !== null);
      line.style.display = state[PATHS[n]] ? "" : "none";
      line.setAttribute("d", `M${known.map(([x, power]) => `${x} ${height(power)}`).join("L")}`);
    });
    foot.forEach((mark, n) => {
      mark.hidden = steps[n] > state.T;
      mark.style.left = `${(100 * steps[n]) / state.T}%`;
    });
  };
  return { node, draw };
}

function render({ model, el }) {
  const { node, draw: drawn } = chart(model.get("X").length);
  const boxes = PATHS.map((path) => {
    const onchange = ({ target }) => change(model, { [path]: target.checked });
    return element("input", { type: "checkbox", onchange });
  });
  const turns = PATHS.map((_, n) => [
    element("span", {}, output(`halves.${n}`, 1)),
    element("span", {}, element("small", {}, "doubles in "), output(`doubles.${n}`, 1)),
  ]);
  const rows = PATHS.map((path, n) => [
    element("label", { class: path }, boxes[n], element("i", { class: "key" }), NAMES[path]),
    output(`factors.${n}`, 3),
    block("", ...turns[n]),
    element("span", {}, "10", element("sup", {}, output(`ends.${n}`, 1))),
  ]);
  const after = element("span", {}, "norm after ", output("T"), " steps");
  const heads = ["path of the gradient", "a step multiplies by", "half-life in steps", after];
  const rates = table("rates", "The average step along each path", heads, rows);

  function draw(result, state) {
    drawn(result, state);
    boxes.forEach((box, n) => (box.checked = state[PATHS[n]]));
    turns.forEach(([halves, doubles], n) => {
      halves.hidden = result.halves[n] === null;
      doubles.hidden = result.doubles[n] === null;
    });
  }

  const derivative = (letter) => {
    const part = (step) => ["∂", element("i", {}, letter), element("sub", {}, step)];
    return element("span", { class: "norm" }, "‖", ...part("T"), " / ", ...part("t"), "‖");
  };
  const axis = ["Height: ", derivative("h"), ", for the LSTM ", derivative("c"), ". To the right: the distance T − t in steps."];
  const gate = ["With this bias a forget gate is about ", output("gate", 2), ". It keeps a value for about ", output("keeps"), " steps."];
  const tenths = { min: 0.5, max: 1.5, step: 0.05 };
  const parts = [
    block(
      "columns sliders",
      range(model, "rho", "Spectral radius ρ of U", tenths, "rho", 2),
      range(model, "bias", "Bias of the forget gate", { min: -2, max: 6, step: 0.5 }, "bias", 1),
      range(model, "T", "Steps T", { min: 5, max: model.get("X").length }),
      element("p", { class: "how" }, ...gate),
    ),
    element("p", { class: "how" }, ...axis),
    node,
    rates.node,
  ];
  return live({ model, el }, { name: "rnn-gradient", parts, traits, answer, draw, spoken });
}

export default { render };
