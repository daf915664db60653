import { block, change, element, live, number, output, range, select, svg, written } from "../controls.js";
import { COUNTS, estimated, fall, features, frequencies, kernel } from "./kernels.js";

export const traits = ["X", "kind", "tenths", "scale", "row", "seed"];

const KINDS = [
  ["Gaussian kernel", [
    ["phase", "cosines with a phase"],
    ["pair", "cosine and sine"],
    ["pair orthogonal", "cosine and sine, orthogonal ω"],
    ["positive", "positive"],
    ["positive orthogonal", "positive, orthogonal ω"],
  ]],
  ["Laplace kernel", [["laplace", "cosine and sine, Cauchy ω"]]],
];

/** The kernel's matrix, its estimate from R features, and how the error falls with R. */
export function answer({ X, kind, tenths, scale, row, seed }) {
  const asked = Math.round(10 ** (tenths / 10));
  const m = frequencies(kind, asked);
  const R = features(kind, m);
  const points = X.map((x) => x.map((a) => scale * a));
  const exact = points.map((x) => points.map((y) => kernel(kind, x, y)));
  const estimate = estimated(kind, points, seed, R);
  const off = estimate.flatMap((line, i) => line.flatMap((value, j) => (i === j ? [] : [value - exact[i][j]])));
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  return {
    R,
    frequencies: m,
    kernel: exact,
    estimate,
    error: Math.sqrt(sum(off.map((e) => e * e)) / off.length),
    worst: Math.max(...off.map(Math.abs)),
    negative: estimate.flat().filter((value) => value < 0).length,
    of: X.length ** 2,
    total: sum(exact[row - 1]),
    guess: sum(estimate[row - 1]),
    ...fall(kind, points),
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ R, error, negative, of, slope }) {
  const many = R === 1 ? "1 feature" : `${R} features`;
  return `${many}: error ${written(error, 2)}, ${negative} of ${of} entries below 0; the error falls with R to the power ${written(slope, 2)}.`;
}

const stretched = { preserveAspectRatio: "none", "aria-hidden": "true" };

/** A matrix as squares; a click or a drag chooses a row. */
function matrix(model, n, kind) {
  const cells = Array.from({ length: n * n }, (_, at) =>
    svg("rect", { x: at % n, y: Math.floor(at / n), width: 1.02, height: 1.02 }),
  );
  const frame = svg("rect", { x: 0, width: n, height: 1, class: "row" });
  const choose = ({ clientY }) => {
    const { top, height } = plot.getBoundingClientRect();
    const at = Math.floor((n * (clientY - top)) / height);
    change(model, { row: 1 + Math.max(0, Math.min(n - 1, at)) });
  };
  const onpointermove = (event) => event.buttons && choose(event);
  const size = { viewBox: `0 0 ${n} ${n}`, "aria-hidden": "true", class: `matrix ${kind}` };
  const plot = svg("svg", { ...size, onpointerdown: choose, onpointermove }, ...cells, frame);
  const draw = (values, row) => {
    values.flat().forEach((value, at) => {
      cells[at].setAttribute("class", value < 0 ? "minus" : "plus");
      cells[at].setAttribute("fill-opacity", Math.min(1, Math.abs(value)).toFixed(3));
    });
    frame.setAttribute("y", row - 1);
  };
  return { plot, draw };
}

/** The points themselves, darker the nearer the kernel says they are to the chosen one. */
function points(X) {
  const [road, dots] = [svg("path", { class: "road" }), X.map(() => svg("circle", { r: 0.2 }))];
  const far = 1.15 * Math.max(...X.flat().map(Math.abs));
  const frame = { viewBox: `${-far} ${-far} ${2 * far} ${2 * far}`, "aria-hidden": "true", class: "spiral" };
  road.setAttribute("d", `M${X.map(([x, y]) => `${x} ${-y}`).join("L")}`);
  dots.forEach((dot, i) => {
    dot.setAttribute("cx", X[i][0]);
    dot.setAttribute("cy", -X[i][1]);
    dot.setAttribute("r", far / 17);
  });
  const draw = (near, row) =>
    dots.forEach((dot, i) => {
      dot.style.setProperty("--weight", near[i].toFixed(3));
      dot.setAttribute("class", i === row - 1 ? "chosen" : "dot");
    });
  return { plot: svg("svg", frame, road, ...dots), draw };
}

const marks = (kind, labels) =>
  labels.map(([at, text]) =>
    element("span", { class: kind, style: `${kind === "y" ? "top" : "left"}: ${at}%` }, ...[text].flat()),
  );
const ten = (power) => ["10", element("sup", {}, written(power))];

const [LOW, HIGH] = [-0.75, 1.5]; // on the axis of a row

/** One row: what the kernel says of all points, and what the features do. */
function row(n) {
  const at = (i) => (100 * (i + 0.5)) / n;
  const y = (value) => (100 * (HIGH - Math.max(LOW - 1, Math.min(HIGH + 1, value)))) / (HIGH - LOW);
  const [exact, guess] = ["exact", "guess"].map((name) => svg("path", { class: name }));
  const below = svg("rect", { x: 0, y: y(0), width: 100, height: y(LOW) - y(0), class: "below" });
  const zero = svg("line", { x1: 0, x2: 100, y1: y(0), y2: y(0), class: "zero" });
  const plot = svg("svg", { viewBox: "0 0 100 100", ...stretched }, below, zero, exact, guess);
  const ticks = [1, 0.5, 0, -0.5].map((value) => [y(value), written(value, 1)]);
  const foot = [1, 6, 12, 18, 24].filter((i) => i <= n).map((i) => [at(i - 1), `${i}`]);
  const node = block("chart", plot, ...marks("y", ticks), ...marks("x", foot));
  const path = (values) => `M${values.map((value, i) => `${at(i)} ${y(value)}`).join("L")}`;
  const draw = (values, guessed) => {
    exact.setAttribute("d", path(values));
    guess.setAttribute("d", path(guessed));
  };
  return { node, draw };
}

const [MANY, SMALL, LARGE] = [3, -2.5, 1]; // powers of ten on the axes of the fall

/** The error against R, both logarithmic: measured, and by the formula. */
function falling() {
  const x = (R) => (100 * Math.log10(R)) / MANY;
  const y = (error) => (100 * (LARGE - Math.min(LARGE + 1, Math.log10(error)))) / (LARGE - SMALL);
  const [grid, formula, measured] = ["grid", "formula", "measured"].map((name) => svg("path", { class: name }));
  const heights = [1, 0, -1, -2].map((power) => y(10 ** power));
  grid.setAttribute("d", heights.map((height) => `M0 ${height}H100`).join(""));
  const plot = svg("svg", { viewBox: "0 0 100 100", ...stretched }, grid, formula, measured);
  const spot = element("i", { class: "spot" });
  const ticks = [1, 0, -1, -2].map((power) => [y(10 ** power), power ? ten(power) : "1"]);
  const foot = [1, 10, 100, 1000].map((R) => [x(R), `${R}`]);
  const node = block("chart", plot, spot, ...marks("y", ticks), ...marks("x", foot));
  const path = (values) => values.map((value, i) => `${x(COUNTS[i])} ${y(value)}`);
  const draw = (result) => {
    formula.setAttribute("d", `M${path(result.expected).join("L")}`);
    measured.setAttribute("d", path(result.measured).map((at) => `M${at}h0`).join(""));
    spot.style.left = `${x(result.R)}%`;
    spot.style.top = `${Math.max(0, Math.min(100, y(result.error)))}%`;
  };
  return { node, draw };
}

function render({ model, el }) {
  const X = model.get("X");
  const n = X.length;
  const [exact, guess, all] = [matrix(model, n, "exact"), matrix(model, n, "guess"), points(X)];
  const [line, error] = [row(n), falling()];

  function draw(result, state) {
    const at = state.row - 1;
    exact.draw(result.kernel, state.row);
    guess.draw(result.estimate, state.row);
    all.draw(result.kernel[at], state.row);
    line.draw(result.kernel[at], result.estimate[at]);
    error.draw(result);
  }

  const how = (...said) => element("p", { class: "how" }, ...said);
  const view = (said, ...drawn) => block("view", how(...said), ...drawn);
  const parts = [
    block(
      "columns sliders",
      select(model, "kind", "Features", KINDS),
      range(model, "tenths", "Features R", { min: 0, max: 30 }, "R"),
      range(model, "scale", "Points apart ×", { min: 0.25, max: 2, step: 0.25 }, "scale", 2),
      range(model, "row", "Point", { min: 1, max: n }),
      number(model, "seed", "Seed", { min: 1, max: 99, step: 1 }),
    ),
    block(
      "columns three",
      view([`${n} points; the bluer, the more like point `, output("row")], all.plot),
      view(["Exact: the kernel of every two"], exact.plot),
      view(["From ", output("R"), " features; below 0 in red"], guess.plot),
    ),
    block(
      "columns two",
      view(["Row ", output("row"), ": ", element("b", { class: "exact" }, "exact"), " sum ", output("total", 2), ", ", element("b", { class: "guess" }, "guessed"), " sum ", output("guess", 2)], line.node),
      view(["Error against R: dots measured, line by the formula; slope ", output("slope", 2)], error.node),
    ),
    element(
      "p",
      { class: "said" },
      output("R"), " features of ", output("frequencies"), " frequencies: root mean square error ", output("error", 3),
      ", at worst ", output("worst", 2), "; ", output("negative"), " of ", output("of"), " entries below 0.",
    ),
  ];
  return live({ model, el }, { name: "linear-attention-features", parts, traits, answer, draw, spoken });
}

export default { render };
