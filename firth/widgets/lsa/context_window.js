import { block, button, element, output, range, table } from "../controls.js";
import { calm, change, live, written } from "../controls.js";
import { cosine, rounded } from "../tensor.js";
import { neighbourPositions, pieces, wordsOf } from "./windows.js";

export const traits = ["sentences", "rows", "columns", "m", "centre", "reading"];

const PACE = 220; // milliseconds for a word

/** Each word of the text with its neighbours, sentence by sentence. @returns {[string, string[]][]} */
function windows(sentences, m) {
  return sentences.flatMap((sentence) => {
    const words = wordsOf(sentence);
    return words.map((word, t) => [word, neighbourPositions(words, m, t).map((j) => words[j])]);
  });
}

/** What has been counted when the window has passed words 0 … centre, and the most similar row. */
export function answer({ sentences, rows, columns, m, centre, reading }) {
  const all = windows(sentences, m);
  const counts = rows.map(() => columns.map(() => 0));
  let changed = [];
  for (const [word, neighbours] of all.slice(0, centre + 1)) {
    const pairs = neighbours.map((other) => [rows.indexOf(word), columns.indexOf(other)]);
    changed = pairs.filter(([i, j]) => i >= 0 && j >= 0);
    for (const [i, j] of changed) counts[i][j] += 1;
  }
  const mine = rows.indexOf(reading);
  const cosines = counts.map((row, i) => (i === mine ? 0 : rounded(cosine(row, counts[mine]), 6)));
  const most = Math.max(...cosines);
  const [word, neighbours] = all[centre];
  return {
    counts,
    changed,
    nearest: most > 0 ? rows[cosines.indexOf(most)] : "no word yet",
    cosine: most > 0 ? most : null,
    word,
    neighbours,
    passed: centre + 1,
    total: all.length,
  };
}

/** What a change comes to, in one sentence for those who hear the page. */
export function spoken({ passed, total, word, nearest, cosine: most }, { reading, m }) {
  const near = most === null ? nearest : `${nearest}, cosine ${written(most, 2)}`;
  return `m = ${m}, after ${passed} of ${total} words, at ${word}: most similar to ${reading} is ${near}.`;
}

/** The text, a line for each sentence, with a span for each of its words. */
function passage(sentences) {
  const spans = [];
  const spell = (piece) => {
    if (typeof piece === "string") return piece;
    const span = element("span", { "data-place": spans.length }, ...piece);
    spans.push(span);
    return span;
  };
  const lines = sentences.map((sentence) => element("p", {}, ...pieces(sentence).map(spell)));
  return { lines, spans };
}

function render({ model, el }) {
  const [names, columns] = [model.get("rows"), model.get("columns")];
  const { lines, spans } = passage(model.get("sentences"));
  const read = (reading) => change(model, { reading });
  const lead = names.map((word) => element("button", { type: "button" }, word));
  const numbers = (i) => columns.map((_, j) => output(`counts.${i}.${j}`));
  const { node: grown, rows } = table(
    "counts",
    "co-occurrence matrix: press a word to compare its row",
    ["word", ...columns],
    names.map((_, i) => [[lead[i]], ...numbers(i)]),
  );
  rows.forEach((row, i) => row.addEventListener("click", () => read(names[i])));
  const last = spans.length - 1;
  const move = (place) => change(model, { centre: Math.min(last, Math.max(0, place)) });
  const step = (by) => move(model.get("centre") + by);

  let playing = null;
  const stop = () => {
    clearInterval(playing);
    playing = null;
    play.textContent = "Play";
  };
  const toggle = () => {
    if (playing) return stop();
    if (model.get("centre") >= last) move(0);
    play.textContent = "Pause";
    playing = setInterval(() => (model.get("centre") < last ? step(1) : stop()), PACE);
  };
  const play = button("Play", toggle, { class: "first" });
  const halt = (act) => () => (stop(), act());

  const onclick = ({ target: { dataset } }) => {
    if (dataset.place) halt(() => move(Number(dataset.place)))();
  };
  const onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    halt(() => step(by))();
  };
  const label = "The sentences. Arrow keys move the window; so does a press on a word.";
  const page = element(
    "div",
    { class: "passage sentences", tabindex: 0, role: "group", "aria-label": label, onclick, onkeydown },
    ...lines,
  );

  // Only the passage scrolls, never the page around it.
  const follow = (word) => {
    const [inner, outer] = [word, page].map((node) => node.getBoundingClientRect());
    page.scrollTop += inner.top - outer.top - page.clientHeight / 2.4;
  };

  const place = range(model, "centre", "Position of the centre", { min: 0, max: last }, "passed");

  function draw({ counts, changed, passed, word, nearest, cosine: most }, { m, centre, reading }) {
    if (playing && centre === last) stop();
    place.querySelector("input").setAttribute("aria-valuetext", `${passed}, ${word}`);
    const line = spans[centre].parentElement;
    spans.forEach((span, t) => {
      const near = Math.abs(t - centre) <= m && span.parentElement === line;
      span.className = t === centre ? "centre" : near ? "near" : "";
    });
    if (page.isConnected) follow(spans[centre]);
    else requestAnimationFrame(() => follow(spans[centre]));
    similar.hidden = most === null;
    const largest = Math.max(1, ...counts.flat());
    counts.forEach((row, i) => {
      rows[i].classList.toggle("chosen", names[i] === reading);
      rows[i].classList.toggle("nearest", names[i] === nearest);
      lead[i].setAttribute("aria-pressed", names[i] === reading);
      row.forEach((count, j) => {
        const cell = rows[i].cells[j + 1];
        cell.style.setProperty("--weight", count / largest);
        cell.className = count ? "some" : "none";
      });
    });
    for (const [i, j] of changed) {
      const cell = rows[i].cells[j + 1];
      cell.classList.add("now");
      if (!calm()) cell.animate({ opacity: [0.2, 1] }, 300);
    }
  }

  const said = ["Near ", output("word"), " stand ", output("neighbours"), "."];
  const similar = element("span", {}, ", cosine ", output("cosine", 2));
  const verdict = ["Most similar to ", output("reading"), ": ", output("nearest"), similar, "."];
  const parts = [
    block(
      "bar",
      play,
      button("Step", halt(() => step(1))),
      button("To the end", halt(() => move(last))),
      button("Start again", halt(() => move(0))),
      range(model, "m", "Window m", { min: 1, max: 5 }),
    ),
    place,
    block(
      "columns",
      block("page", page, element("p", { class: "said" }, ...said)),
      block("", grown, element("p", { class: "verdict" }, ...verdict)),
    ),
  ];
  const cleanUp = live({ model, el }, { name: "lsa-window", parts, traits, answer, draw, spoken });
  return () => (stop(), cleanUp());
}

export default { render };
