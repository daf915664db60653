import { block, change, element, live, output, table } from "../controls.js";
import { written } from "../controls.js";
import { cosine, rounded } from "../tensor.js";
import { cosineBars } from "./cosine_bars.js";

export const traits = ["rows", "columns", "counted", "scheme", "cell"];

const NAMES = { counts: "Counts", idf: "Counts × idf", PPMI: "PPMI" };
const FORMULAS = {
  counts: "how often the neighbour stands near the word",
  idf: "count × log₂(number of rows / rows that have met the neighbour)",
  PPMI: "log₂(count · sum of all counts / (sum of the row · sum of the column)), if above 0",
};
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const sum = (values) => values.reduce((total, value) => total + value, 0);
const met = (C, j) => C.filter((row) => row[j]).length;

function ratio(C, i, j) {
  const column = sum(C.map((row) => row[j]));
  return (C[i][j] * sum(C.flat())) / (sum(C[i]) * column);
}

/** The number of a cell under a scheme. */
const WEIGHTED = {
  counts: (C, i, j) => C[i][j],
  idf: (C, i, j) => C[i][j] * Math.log2(C.length / met(C, j)),
  PPMI: (C, i, j) => Math.log2(Math.max(1, ratio(C, i, j))),
};

/** How the number of a cell is computed, in one line. */
const COMPUTED = {
  counts: (C, i, j) => `they have met ${C[i][j]} ${C[i][j] === 1 ? "time" : "times"}`,
  idf: (C, i, j) => {
    const weight = Math.log2(C.length / met(C, j));
    const line = `${C[i][j]} × log₂(${C.length} / ${met(C, j)}) = ${C[i][j]} × ${written(weight, 2)}`;
    return `${line} = ${written(C[i][j] * weight, 2)}`;
  },
  PPMI: (C, i, j) => {
    if (!C[i][j]) return "they have never met, so the cell is 0";
    const above = `${C[i][j]} · ${sum(C.flat())}`;
    const line = `log₂(${above} / (${sum(C[i])} · ${sum(C.map((row) => row[j]))}))`;
    const times = ratio(C, i, j);
    const below = times < 1 ? ", which is below 0, so the cell is 0" : "";
    return `${line} = log₂ ${written(times, 2)} = ${written(Math.log2(times), 2)}${below}`;
  },
};

/** The weighted table, the cosines of its first row with the others, and one cell's computation. */
export function answer({ rows, columns, counted: C, scheme, cell: [i, j] }) {
  const weighted = C.map((row, i) => row.map((_, j) => rounded(WEIGHTED[scheme](C, i, j), 12)));
  const idf = scheme === "idf";
  const foot = (j) =>
    idf ? written(Math.log2(C.length / met(C, j)), 2) : `${sum(C.map((row) => row[j]))}`;
  const plain = (value) => scheme === "counts" || value < 0.005;
  return {
    weighted,
    shown: weighted.map((row) => row.map((w) => (plain(w) ? `${Math.trunc(w)}` : written(w, 2)))),
    cosines: weighted.slice(1).map((row) => cosine(row, weighted[0])),
    formula: FORMULAS[scheme],
    foot: idf ? "idf" : "sum",
    feet: columns.map((_, j) => foot(j)),
    computation: `${rows[i]} – ${columns[j]}: ${COMPUTED[scheme](C, i, j)}`,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ cosines, computation }, { rows, scheme }) {
  const said = cosines.map((value, i) => `${rows[i + 1]} ${written(value, 2)}`).join(", ");
  return `${NAMES[scheme]}: cosine of ${rows[0]} with ${said}. ${computation}.`;
}

function render({ model, el }) {
  const [words, columns] = [model.get("rows"), model.get("columns")];
  const group = `scheme.${Math.random()}`;
  const radios = Object.keys(NAMES).map((scheme) => {
    const onchange = () => change(model, { scheme });
    return element("input", { type: "radio", name: group, value: scheme, onchange });
  });
  const labels = radios.map((radio) => element("label", {}, radio, NAMES[radio.value]));
  const legend = element("legend", { class: "soft" }, "Weighting");
  const schemes = element("fieldset", { class: "schemes" }, legend, ...labels);

  const numbers = (i) => columns.map((_, j) => output(`shown.${i}.${j}`));
  const feet = [[output("foot")], ...columns.map((_, j) => output(`feet.${j}`))];
  const lines = [...words.map((word, i) => [word, ...numbers(i)]), feet];
  const { node, rows } = table("heat", output("formula"), ["word", ...columns], lines);
  const last = rows.pop();
  last.classList.add("feet");
  const choose = (i, j) => {
    const within = (value, length) => Math.min(length - 1, Math.max(0, value));
    change(model, { cell: [within(i, rows.length), within(j, columns.length)] });
  };
  rows.forEach((row, i) =>
    columns.forEach((_, j) => row.cells[j + 1].addEventListener("click", () => choose(i, j))),
  );
  const onkeydown = (event) => {
    const by = STEPS[event.key];
    if (!by) return;
    event.preventDefault();
    const [i, j] = model.get("cell");
    choose(i + by[0], j + by[1]);
  };
  const label = "The table. Arrow keys choose a cell; so does a press on it.";
  const grid = element("div", { tabindex: 0, role: "group", "aria-label": label, onkeydown }, node);
  const bars = cosineBars(words.slice(1), "cosines", `cosine of ${words[0]}’s row with the row of`);

  function draw({ weighted, cosines }, { scheme, cell: [a, b] }) {
    radios.forEach((radio) => (radio.checked = radio.value === scheme));
    last.classList.toggle("idf", scheme === "idf");
    const most = Math.max(...weighted.flat(), 1e-9);
    weighted.forEach((row, i) =>
      row.forEach((value, j) => {
        const cell = rows[i].cells[j + 1];
        cell.style.setProperty("--weight", value / most);
        cell.className = `${value ? "some" : "none"} ${i === a && j === b ? "chosen" : ""}`;
      }),
    );
    bars.draw(cosines);
  }

  const computation = element("p", { class: "computation" }, output("computation"));
  const parts = [schemes, grid, computation, bars.node];
  return live({ model, el }, { name: "lsa-weighting", parts, traits, answer, draw, spoken });
}

export default { render };
