import { block, change, element, live, output, range, select, svg, table, written } from "./controls.js";
import { GRID, costs, crossing, from, isMeasured, said, sized, thousands } from "./costs.js";

export const traits = ["lines", "mode", "what", "power", "d", "heads", "r", "w"];

const MODES = [
  ["all", "a text, each token sees all"],
  ["causal", "a text, each sees what was before"],
  ["token", "one token more, the N-th"],
];
const PAIRS = { all: [1, 2], causal: [0, 1], token: [0, 1] };
const POWERS = Array.from({ length: 29 }, (_, k) => 6 + k / 2);
const MOST = 4; // lines of a mode
/** As many as the table has rows. */
const padded = (texts) => [...texts, "", "", "", ""].slice(0, MOST);

/** What each kind of attention costs at N, along all lengths, and where two of them cross. */
export function answer(state) {
  const { lines, mode, what, power } = state;
  const [N, mine, [one, other]] = [Math.round(2 ** power), lines[mode], PAIRS[mode]];
  const at = (kind, n) => mine.map((line) => costs(line, kind, n, state));
  const [seconds, megabytes] = [at("seconds", N), at("megabytes", N)];
  const both = [mine[one], mine[other]];
  const cross = crossing(
    GRID.map((n) => {
      const [a, b] = both.map((line) => costs(line, "seconds", n, state));
      return Math.log(a / b);
    }),
  );
  return {
    N: thousands(N),
    curves: POWERS.map((p) => at(what, 2 ** p)),
    costs: what === "seconds" ? seconds : megabytes,
    time: padded(seconds.map((cost) => said(cost, "seconds"))),
    memory: padded(megabytes.map((cost) => said(cost, "megabytes"))),
    measured: mine.map((line) => isMeasured(line, state, N)),
    cross,
    sure: Boolean(cross) && both.every((line) => isMeasured(line, state, cross)),
    from: from(cross),
    times: seconds[one] / seconds[other],
    less: megabytes[one] / megabytes[other],
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken(result, { lines, mode }) {
  const each = lines[mode].map(({ name }, i) => `${name} ${result.time[i]}, ${result.memory[i]}`);
  return `${result.N} tokens: ${each.join("; ")}. Linear is faster ${result.from}.`;
}

const ten = (power) => (power ? ["10", element("sup", {}, written(power))] : ["1"]);
const across = (power) => (100 * (power - 6)) / 14;
const SHORT = { all: ["matrix", "fused", "linear", "band"], causal: ["fused", "linear", "band"], token: ["cache", "state"] };
const CLASS = { all: ["matrix", "fused", "linear", "band"], causal: ["fused", "linear", "band"], token: ["fused", "linear"] };

/** Costs against lengths, both logarithmic: whole where measured, broken where it only follows. */
function chart(model) {
  const size = { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" };
  const [drawn, over] = [svg("g"), svg("g")];
  const mark = svg("line", { y1: 0, y2: 100, class: "now" });
  const choose = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    const power = 6 + (14 * (clientX - left)) / width;
    change(model, { power: Math.max(6, Math.min(20, Math.round(4 * power) / 4)) });
  };
  const onpointermove = (event) => event.buttons && choose(event);
  const plot = svg("svg", { ...size, onpointerdown: choose, onpointermove }, drawn, mark, over);
  const spot = element("i", { class: "spot" });
  const foot = [6, 8, 10, 12, 14, 16, 18, 20].map((power) =>
    element("span", { class: "x", style: `left: ${across(power)}%` }, "2", element("sup", {}, `${power}`)),
  );
  const [side, names] = [block("side"), block("names")];
  const node = block("chart", plot, spot, side, names, ...foot);

  function draw({ curves, cross }, state) {
    const { lines, mode, what, power } = state;
    const all = curves.flat();
    const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
    const y = (cost) => (100 * (high - Math.log10(cost))) / (high - low);
    const step = Math.ceil((high - low) / 7);
    const powers = Array.from({ length: high - low + 1 }, (_, k) => low + k).filter((p) => (p - low) % step === 0);
    const grid = svg("path", { class: "grid", d: powers.map((p) => `M0 ${y(10 ** p)}H100`).join("") });
    const paths = lines[mode].flatMap((line, i) => {
      const points = POWERS.map((p, k) => [across(p), y(curves[k][i]), isMeasured(line, state, 2 ** p)]);
      const path = (kind, within) =>
        svg("path", {
          class: `${kind} ${CLASS[mode][i]}`,
          d: points.slice(1).map(([x, h, sure], k) => (within(sure && points[k][2]) ? `M${points[k][0]} ${points[k][1]}L${x} ${h}` : "")).join(""),
        });
      const dots = sized(line, state)
        ? line.n.map((n, k) => `M${across(Math.log2(n))} ${y(line[what][k])}h0`).join("")
        : "";
      return [path("follows", (sure) => !sure), path("whole", (sure) => sure), svg("path", { class: `dots ${CLASS[mode][i]}`, d: dots })];
    });
    drawn.replaceChildren(grid, ...paths);
    side.replaceChildren(...powers.map((p) => element("span", { class: "y", style: `top: ${y(10 ** p)}%` }, ...ten(p))));
    for (const end of ["x1", "x2"]) mark.setAttribute(end, across(power));
    const ends = curves.at(-1).map((cost, i) => ({ i, at: y(cost) })).sort((a, b) => a.at - b.at);
    ends.forEach((end, k) => (end.at = Math.max(end.at, k ? ends[k - 1].at + 6 : 0)));
    names.replaceChildren(
      ...ends.map(({ i, at }) => element("span", { class: `name ${CLASS[mode][i]}`, style: `top: ${at}%` }, SHORT[mode][i])),
    );
    spot.hidden = what !== "seconds" || cross === null || cross < 64 || cross > 2 ** 20;
    if (spot.hidden) return;
    const [one] = PAIRS[mode];
    spot.style.left = `${across(Math.log2(cross))}%`;
    spot.style.top = `${y(costs(lines[mode][one], "seconds", cross, state))}%`;
  }
  return { node, draw };
}

function render({ model, el }) {
  const picture = chart(model);
  const key = () => element("span", { class: "keyed" }, element("i", { class: "key" }), element("b", {}));
  const shown = table(
    "costs",
    [output("N"), " tokens"],
    ["attention", "time", "memory", "this is"],
    Array.from({ length: MOST }, (_, i) => [key(), output(`time.${i}`), output(`memory.${i}`), element("span", { class: "how" })]),
  );
  const widths = [16, 32, 64, 128].map((d) => [d, `${d}`]);
  const band = range(model, "w", "Half the band w", { min: 16, max: 512, step: 16 });
  const maps = range(model, "r", "Feature maps r", { min: 1, max: 8 });
  const width = select(model, "d", "Features d of a head", widths);
  width.querySelector("select").onchange = ({ target }) => change(model, { d: Number(target.value) });
  const parts = [
    block(
      "columns choices",
      select(model, "mode", "Of", MODES),
      select(model, "what", "Drawn", [["seconds", "time, seconds"], ["megabytes", "memory, MB"]]),
    ),
    block(
      "columns sliders",
      range(model, "power", "Length N", { min: 6, max: 20, step: 0.25 }, "N"),
      range(model, "heads", "Heads", { min: 1, max: 32 }),
      width,
      maps,
      band,
    ),
    picture.node,
    shown.node,
    element(
      "p",
      { class: "said" },
      "Linear is faster than softmax ", output("from"), ". At ", output("N"), " softmax takes ",
      output("times", 1), " times as long and ", output("less", 1), " times the memory.",
    ),
    element("p", { class: "how" }, "Dots and whole lines: measured, one thread. Broken lines: reckoned from it, for lengths and sizes that were not."),
  ];

  function draw(result, state) {
    picture.draw(result, state);
    const mine = state.lines[state.mode];
    shown.rows.forEach((row, i) => {
      row.hidden = i >= mine.length;
      if (row.hidden) return;
      row.className = CLASS[state.mode][i];
      row.querySelector("b").textContent = mine[i].name;
      row.lastElementChild.firstElementChild.textContent = result.measured[i] ? "measured" : "reckoned";
    });
    band.hidden = state.mode === "token";
  }
  return live({ model, el }, { name: "linear-attention-crossover", parts, traits, answer, draw, spoken });
}

export default { render };
