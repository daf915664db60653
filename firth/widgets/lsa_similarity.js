import { button, change, element, live, number, output, svg } from "./controls.js";
import { cosine, dot, norm } from "./tensor.js";

export const traits = ["axes", "points", "questions", "x", "y", "question", "since"];

const [LOW, HIGH, UNIT] = [-3, 5, 40]; // the plane's reach on both axes, and its scale

/** What each question asks of the arrows now and of the arrows when it was asked. */
const GOALS = {
  longer: (now, then) => now.dot >= then.dot + 1 && Math.abs(now.cosine - then.cosine) < 0.005,
  right: (now) => Math.abs(now.cosine) < 0.005 && now.lengths.every((length) => length >= 1),
  opposed: (now) => now.cosine <= -0.7,
  turned: (now, then) => Math.abs(now.dot - then.dot) < 0.25 && Math.abs(now.cosine - then.cosine) >= 0.1,
};

function measures(x, y) {
  const lengths = [norm(x), norm(y)];
  return {
    dot: dot(x, y),
    scaled: dot(x, y) / Math.sqrt(x.length),
    cosine: cosine(x, y),
    angle: (Math.acos(cosine(x, y)) * 180) / Math.PI,
    lengths,
    shadow: lengths[1] ? dot(x, y) / lengths[1] : 0,
  };
}

/** Three measures of one pair of arrows, and whether the question's goal is reached. */
export function answer({ questions, x, y, question, since }) {
  const now = measures(x, y);
  const [ask, goal] = questions[question];
  return { ...now, ask, met: GOALS[goal](now, measures(...since)) };
}

const place = ([a, b]) => [UNIT * a, -UNIT * b];
const line = (from, to, kind) => ({ x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: kind });
const same = (a, b) => a.every((value, i) => value === b[i]);

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}

function background(axes) {
  const [low, high] = [UNIT * LOW, UNIT * HIGH];
  const steps = Array.from({ length: HIGH - LOW + 1 }, (_, n) => UNIT * (LOW + n));
  const cross = (at, kind) => [[[at, -low], [at, -high]], [[low, -at], [high, -at]]].map((ends) => svg("line", line(...ends, kind)));
  return [
    ...steps.flatMap((at) => cross(at, "grid")),
    ...cross(0, "axis"),
    svg("text", { x: high, y: 20, "text-anchor": "end" }, `${axes[0]} →`),
    svg("text", { x: -8, y: 12 - high, "text-anchor": "end" }, `${axes[1]} ↑`),
  ];
}

/** An arrow with a handle that mouse, finger and arrow keys move in steps of a half. */
function arrow(model, trait, plane) {
  const shaft = svg("line", { class: "shaft" });
  const head = svg("path", { d: "M0 0 L-13 -6 L-13 6 Z", class: "head" });
  const tip = svg("circle", { r: 22, class: "tip" });
  const label = svg("text", { class: "name" });
  const handle = svg("g", { class: `handle ${trait}`, tabindex: 0, role: "slider", "aria-label": `arrow ${trait}`, "aria-valuemin": LOW, "aria-valuemax": HIGH });
  const put = (point) => {
    const next = point.map((value) => Math.min(HIGH, Math.max(LOW, Math.round(2 * value) / 2)));
    if (!same(next, model.get(trait))) change(model, { [trait]: next });
  };
  const drag = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    put([x / UNIT, -y / UNIT]);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", drag);
  });
  for (const over of ["pointerup", "pointercancel"]) handle.addEventListener(over, () => handle.removeEventListener("pointermove", drag));
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-0.5, 0], ArrowRight: [0.5, 0], ArrowUp: [0, 0.5], ArrowDown: [0, -0.5] }[event.key];
    if (!by) return;
    event.preventDefault();
    put(model.get(trait).map((value, i) => value + by[i]));
  });
  handle.append(shaft, head, tip, label);

  const draw = (point, word, axes, right) => {
    const [a, b] = place(point);
    const far = Math.hypot(a, b) || 1;
    set(shaft, line([0, 0], [a * (1 - 10 / far), b * (1 - 10 / far)], "shaft"));
    set(head, { transform: `translate(${a} ${b}) rotate(${(Math.atan2(b, a) * 180) / Math.PI})` });
    set(tip, { cx: a, cy: b });
    const beside = right ? { x: a + 25, "text-anchor": "start" } : { x: a - 25, "text-anchor": "end" };
    const above = { x: a + 20, y: b < -4 * UNIT ? b + 38 : b - 28, "text-anchor": a > 0 ? "end" : "start" };
    set(label, Math.abs(a) > Math.abs(b) ? above : { ...beside, y: b + 5 });
    label.textContent = word;
    set(handle, { "aria-valuenow": point[0], "aria-valuetext": axes.map((name, i) => `${name} ${point[i]}`).join(", ") });
  };
  return { handle, draw };
}

function render({ model, el }) {
  const [axes, points, questions] = ["axes", "points", "questions"].map((name) => model.get(name));
  const [corner, side] = [[UNIT * LOW - 12, -UNIT * HIGH - 12], UNIT * (HIGH - LOW) + 24];
  const shadow = svg("line", { class: "shadow" });
  const drop = svg("line", { class: "drop" });
  const arc = svg("path", { class: "arc" });
  const plane = svg("svg", { viewBox: `${corner.join(" ")} ${side} ${side}`, class: "plane", role: "group", "aria-label": "two arrows in a plane" });
  const arrows = Object.fromEntries(["y", "x"].map((trait) => [trait, arrow(model, trait, plane)]));
  plane.append(...background(axes), arc, drop, shadow, arrows.y.handle, arrows.x.handle);

  function draw(result, { x, y }) {
    for (const [trait, point, other] of [["x", x, y], ["y", y, x]]) {
      const word = Object.keys(points).find((name) => same(points[name], point));
      const right = point[0] < -1 || (point[0] <= 3 && point[0] > other[0]);
      arrows[trait].draw(point, word ? `${trait} = ${word}` : trait, axes, right);
    }
    const along = result.lengths[1] ? y.map((value) => (value / result.lengths[1]) * result.shadow) : [0, 0];
    set(shadow, line([0, 0], place(along), "shadow"));
    set(drop, line(place(x), place(along), "drop"));
    const on = (point) => place(point.map((value) => (0.8 * value) / norm(point)));
    const turn = x[0] * y[1] - x[1] * y[0] > 0 ? 0 : 1;
    const flat = result.lengths.every(Boolean) && result.angle > 0.01;
    set(arc, { d: flat ? `M${on(x)} A${0.8 * UNIT} ${0.8 * UNIT} 0 0 ${turn} ${on(y)}` : "" });
    goal.classList.toggle("met", result.met);
    verdict.textContent = result.met ? "✓ Done" : "";
  }

  const limits = { min: LOW, max: HIGH, step: 0.5 };
  const boxes = ["x", "y"].map((trait) =>
    element("fieldset", { class: trait }, element("legend", {}, trait), ...axes.map((name, i) => number(model, `${trait}.${i}`, name, limits))),
  );
  const names = Object.keys(points);
  const presets = names.flatMap((a, i) =>
    names.slice(i + 1).map((b) => {
      const arrows = { x: points[a], y: points[b] };
      return button(`${a} · ${b}`, () => change(model, { ...arrows, since: [points[a], points[b]] }));
    }),
  );
  const verdict = element("strong", { "aria-live": "polite" });
  const next = () => change(model, { question: (model.get("question") + 1) % questions.length, since: [model.get("x"), model.get("y")] });
  const goal = element("div", { class: "goal" }, element("p", {}, output("ask", 0, false), " ", verdict), button("Another question", next));
  const measure = (name, path, digits, ...how) => element("div", {}, element("dt", {}, name), element("dd", {}, output(path, digits)), element("dd", { class: "how" }, ...how));

  const parts = [
    goal,
    element("div", { class: "bar presets" }, ...presets),
    element(
      "div",
      { class: "columns" },
      plane,
      element(
        "div",
        {},
        element(
          "dl",
          { class: "measures" },
          measure("dot product", "dot", 2, "shadow of x on y ", output("shadow", 2), " × length of y ", output("lengths.1", 2)),
          measure("scaled by √2", "scaled", 2, "the same, divided by the root of the dimension"),
          measure("cosine", "cosine", 2, "the angle alone: ", output("angle", 0), "°"),
        ),
        ...boxes,
      ),
    ),
  ];
  return live({ model, el }, { name: "lsa-similarity", parts, traits, answer, draw });
}

export default { render };
