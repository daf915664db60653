import { block, button, change, element, live, number, output, svg } from "../controls.js";
import { cosine, dot, norm } from "../tensor.js";

export const traits = ["axes", "points", "questions", "x", "y", "question", "since"];

const [LOW, HIGH, UNIT] = [-3, 5, 40]; // the plane's reach on both axes, and its scale

const STEPS = {
  ArrowLeft: [-0.5, 0],
  ArrowRight: [0.5, 0],
  ArrowUp: [0, 0.5],
  ArrowDown: [0, -0.5],
};

/** What each question asks of the arrows now and of the arrows when it was asked. */
const GOALS = {
  longer: (now, then) => now.dot >= then.dot + 1 && Math.abs(now.cosine - then.cosine) < 0.005,
  nearer: (now, then) => now.cosine >= then.cosine + 0.01 && now.dot <= then.dot - 0.25,
  right: (now) => Math.abs(now.cosine) < 0.005 && now.lengths.every((length) => length >= 1),
  opposed: (now) => now.cosine <= -0.7,
  turned: (now, then) =>
    Math.abs(now.dot - then.dot) < 0.25 && Math.abs(now.cosine - then.cosine) >= 0.1,
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
  const cross = (at, kind) => [
    svg("line", line([at, -low], [at, -high], kind)),
    svg("line", line([low, -at], [high, -at], kind)),
  ];
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
  const aria = { "aria-label": `arrow ${trait}`, "aria-valuemin": LOW, "aria-valuemax": HIGH };
  const handle = svg("g", { class: `handle ${trait}`, tabindex: 0, role: "slider", ...aria });
  const put = (point) => {
    const next = point.map((value) => Math.min(HIGH, Math.max(LOW, Math.round(2 * value) / 2)));
    if (!same(next, model.get(trait))) change(model, { [trait]: next });
  };
  const drag = (event) => {
    const inward = plane.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(inward);
    put([x / UNIT, -y / UNIT]);
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", drag);
  });
  for (const over of ["pointerup", "pointercancel"]) {
    handle.addEventListener(over, () => handle.removeEventListener("pointermove", drag));
  }
  handle.addEventListener("keydown", (event) => {
    const by = STEPS[event.key];
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
    const flat = Math.abs(a) > Math.abs(b); // then the name stands above the tip, else beside it
    const x = flat ? a + 20 : a + (right ? 25 : -25);
    const y = flat ? b + (b < -4 * UNIT ? 38 : -28) : b + 5;
    set(label, { x, y, "text-anchor": (flat ? a <= 0 : right) ? "start" : "end" });
    label.textContent = word;
    const spoken = axes.map((name, i) => `${name} ${point[i]}`).join(", ");
    set(handle, { "aria-valuenow": point[0], "aria-valuetext": spoken });
  };
  return { handle, draw };
}

function render({ model, el }) {
  const [axes, points, questions] = ["axes", "points", "questions"].map((name) => model.get(name));
  const [corner, side] = [[UNIT * LOW - 12, -UNIT * HIGH - 12], UNIT * (HIGH - LOW) + 24];
  const shadow = svg("line", { class: "shadow" });
  const drop = svg("line", { class: "drop" });
  const arc = svg("path", { class: "arc" });
  const viewBox = [...corner, side, side].join(" ");
  const aria = { role: "group", "aria-label": "two arrows in a plane" };
  const plane = svg("svg", { viewBox, class: "plane", ...aria });
  const arrows = Object.fromEntries(["y", "x"].map((trait) => [trait, arrow(model, trait, plane)]));
  plane.append(...background(axes), arc, drop, shadow, arrows.y.handle, arrows.x.handle);

  function draw(result, { x, y }) {
    for (const [trait, point, other] of [["x", x, y], ["y", y, x]]) {
      const word = Object.keys(points).find((name) => same(points[name], point));
      const right = point[0] < -1 || (point[0] <= 3 && point[0] > other[0]);
      arrows[trait].draw(point, word ? `${trait} = ${word}` : trait, axes, right);
    }
    const share = result.shadow / (result.lengths[1] || 1);
    const along = y.map((value) => value * share);
    set(shadow, line([0, 0], place(along), "shadow"));
    set(drop, line(place(x), place(along), "drop"));
    const on = (point) => place(point.map((value) => (0.8 * value) / norm(point)));
    const turn = x[0] * y[1] - x[1] * y[0] > 0 ? 0 : 1;
    const directed = result.lengths.every(Boolean);
    angle.hidden = !directed;
    angleless.hidden = directed;
    const open = directed && result.angle > 0.01;
    set(arc, { d: open ? `M${on(x)} A${0.8 * UNIT} ${0.8 * UNIT} 0 0 ${turn} ${on(y)}` : "" });
    goal.classList.toggle("met", result.met);
    verdict.textContent = result.met ? "✓ Done" : "";
  }

  const limits = { min: LOW, max: HIGH, step: 0.5 };
  const boxes = ["x", "y"].map((trait) => {
    const fields = axes.map((name, i) => {
      const attributes = { ...limits, "aria-label": `${trait}, ${name}` };
      return number(model, `${trait}.${i}`, name, attributes);
    });
    return element("fieldset", { class: trait }, element("legend", {}, trait), ...fields);
  });
  const names = Object.keys(points);
  const preset = (a, b) => {
    const [x, y] = [points[a], points[b]];
    return button(`${a} · ${b}`, () => change(model, { x, y, since: [x, y] }));
  };
  const presets = names.flatMap((a, i) => names.slice(i + 1).map((b) => preset(a, b)));

  const verdict = element("strong", { "aria-live": "polite" });
  const next = () => {
    const question = (model.get("question") + 1) % questions.length;
    change(model, { question, since: [model.get("x"), model.get("y")] });
  };
  const asked = element("p", {}, output("ask", 0, false), " ", verdict);
  const goal = block("goal", asked, button("Another question", next));

  const measure = (name, path, ...how) => {
    const value = element("dd", {}, output(path, 2));
    const why = element("dd", { class: "how" }, ...how);
    return element("div", {}, element("dt", {}, name), value, why);
  };
  const shade = ["shadow of x on y ", output("shadow", 2)];
  const product = [...shade, " × length of y ", output("lengths.1", 2)];
  const angle = element("span", {}, "the angle alone: ", output("angle"), "°");
  const angleless = element("span", {}, "no angle: a row of zeros has no direction");
  const list = element(
    "dl",
    { class: "measures" },
    measure("dot product", "dot", ...product),
    measure("scaled by √2", "scaled", "the same, divided by the root of the dimension"),
    measure("cosine", "cosine", angle, angleless),
  );
  const parts = [
    goal,
    block("bar presets", ...presets),
    block("columns", plane, block("", list, ...boxes)),
  ];
  return live({ model, el }, { name: "lsa-similarity", parts, traits, answer, draw });
}

export default { render };
